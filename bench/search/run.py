#!/usr/bin/env python3
"""Our vector search beside FAISS's and hnswlib's, on the same data in one run; see README.md."""

import argparse

import environment

KINDS = ("exact", "hnsw", "ivf", "pq")
# What ours must reach of the tuned peer's speed, by (k, batch); batch 0 is all queries at once.
EXACT_BUDGETS = {(10, 0): 3, (100, 0): 2.2}
BUDGET = 1.2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(KINDS), help="of exact,hnsw,ivf,pq")
    parser.add_argument("--data", default="clusters,real", help="of clusters,real,outliers,alike")
    parser.add_argument("--rows", type=int, help="rows in clusters, instead of 200,000 (hnsw: 100,000)")
    parser.add_argument("--documents", type=int, default=20_000, help="of the real texts, in thousands that are even")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3, help="searches of each index, of which the best counts")
    parser.add_argument("--rounds", type=int, default=2, help="times that each searcher has its turn, building anew")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    return parser.parse_args()


def settings(kind, rows):
    lists = 1024 if rows >= 100_000 else 256
    return {
        "hnsw": ["m=16", "ef_construction=100", "ef=16,32,64,128,256"],
        "ivf": [f"lists={lists}", "probes=1,2,4,8,16,32"],
        "pq": ["segments=96", "rescored=0,100"],
    }[kind]


def exact(options, data):
    import measure
    import recall
    import table

    found, queries, recalls = {}, {}, {}
    for k, batch in ((10, 0), (100, 0), (10, 1)):
        # One query at a time takes FAISS long: fewer of them, once.
        asked = data.first(200) if batch else data
        repeats, rounds = (1, 1) if batch else (options.repeats, options.rounds)
        found[k, batch] = measure.compare("exact", asked, options.threads, k, batch, [], repeats, rounds)
        queries[k, batch] = len(asked.vectors(asked.queries))
        truth = next(measured for measured in found[k, batch] if measured.searcher.ours).answers[""]
        for measured in found[k, batch]:
            recalls[k, batch, measured.searcher.name] = recall.recall(asked, truth, measured.answers[""])
    return table.exact("exact", found, queries, recalls, EXACT_BUDGETS)


def truth(options, data):
    """The true ten best by our exact search."""
    import measure

    ours = [searcher for searcher in measure.searchers("exact") if searcher.ours]
    return measure.compare("exact", data, options.threads, 10, 0, [], 1, 1, ours)[0].answers[""]


def approximate(options, kind, data):
    import measure
    import recall
    import table

    if kind == "pq":
        # Every code is scanned for every query: slow enough to time over fewer.
        data = data.first(1_000)
    words = settings(kind, len(data.vectors(data.rows)))
    best = truth(options, data)
    found = measure.compare(kind, data, options.threads, 10, 0, words, options.repeats, options.rounds)
    recalls = {(m.searcher.name, effort): recall.recall(data, best, answers) for m in found for effort, answers in m.answers.items()}
    queries = len(data.vectors(data.queries))
    note = f"`{' '.join(words)}`, {queries:,} queries, k = 10\n"
    parts = [note, table.sweep(kind, queries, found, recalls), table.equal_recall(queries, found, recalls, BUDGET)]
    return "\n".join(parts)


def main():
    options = arguments()
    environment.enter()
    import data
    import table

    for kind in options.only.split(","):
        texts = []
        for source in options.data.split(","):
            if source == "real":
                searched = data.real(options.documents, options.threads)
            else:
                searched = data.clusters(options.rows or (100_000 if kind == "hnsw" else 200_000), kind in ("hnsw", "ivf"), source)
            part = exact(options, searched) if kind == "exact" else approximate(options, kind, searched)
            texts.append(f"#### {searched.title}\n\n{part}")
            print(texts[-1], flush=True)
        if options.write:
            said = (f"Measured on {table.machine()}, by `python3 bench/search/run.py --only {kind} --write`: {options.threads} threads, "
                    f"the best of {options.rounds} x {options.repeats} searches, those of all tools in turn.\n\n")
            table.write(f"search {kind}", said + "\n".join(texts))


main()
