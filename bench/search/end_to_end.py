#!/usr/bin/env python3
"""From vectors to measures: 43,000 x 1,024 documents, 1,502 queries, 100 documents a query, then scores.

Ours is `mrmr search` and `mrmr score`, with its confidence intervals; the peer one program of FAISS's
IndexFlatIP and pytrec_eval, with means alone. Whole processes are timed: start, reading and writing too."""

import argparse
import json
import os
import subprocess
import sys
import time

import environment

DOCUMENTS, QUERIES, DIMENSION, DEPTH, BUDGET = 43_000, 1_502, 1_024, 100, 3
# The 100 documents asked for lie within a cluster of 215, and go past one of 86.
CLUSTERS = (200, 500)
MEASURES = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "R@100": "recall_100", "AP": "map"}


def write_data(folder, clusters):
    """Documents about random centres; a query is one of them, moved, and two of its cluster are relevant."""
    import numpy as np

    paths = [folder / name for name in ("documents.npy", "queries.npy", "qrels.txt")]
    if not all(path.exists() for path in paths):
        folder.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(2)
        centres = random.standard_normal((clusters, DIMENSION), dtype=np.float32)
        member = random.integers(0, clusters, DOCUMENTS)
        documents = centres[member] + random.standard_normal((DOCUMENTS, DIMENSION), dtype=np.float32)
        chosen = random.choice(DOCUMENTS, QUERIES, replace=False)
        queries = documents[chosen] + 2 * random.standard_normal((QUERIES, DIMENSION), dtype=np.float32)
        for path, vectors in zip(paths, (documents, queries)):
            np.save(path, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        with open(paths[2], "w") as qrels:
            for number, document in enumerate(chosen):
                other = random.choice(np.flatnonzero(member == member[document]))
                grades = {int(other): 1} | {int(document): 2}
                qrels.writelines(f"{number} 0 {row} {grade}\n" for row, grade in grades.items())
    return [str(path) for path in paths]


def peer(documents, queries, qrels):
    """The peer's program; prints its means."""
    import faiss
    import numpy as np
    import pytrec_eval

    faiss.omp_set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    index = faiss.IndexFlatIP(DIMENSION)
    index.add(np.load(documents))
    scores, rows = index.search(np.load(queries), DEPTH)
    run = {str(i): dict(zip(map(str, rows[i].tolist()), scores[i].tolist())) for i in range(len(rows))}
    with open(qrels) as lines:
        judged = {}
        for query, _, document, grade in map(str.split, lines):
            judged.setdefault(query, {})[document] = int(grade)
    wanted = {"ndcg_cut.10", "recip_rank", "recall.100", "map"}
    values = pytrec_eval.RelevanceEvaluator(judged, wanted).evaluate(run).values()
    print(json.dumps({ours: sum(v[theirs] for v in values) / len(values) for ours, theirs in MEASURES.items()}))


def timed(command, variables):
    """Output, processor and wall seconds of a command."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], env=variables, stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return out, usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def ours(files, run, threads, variables):
    documents, queries, qrels = files
    search = ["search", "--corpus-vectors", documents, "--query-vectors", queries, "--metric", "dot", "-k", DEPTH, "-o", run]
    score = ["score", qrels, run, "--format", "json", *(word for name in MEASURES for word in ("-m", name))]
    parts = [timed([environment.binary(), *words, "--threads", threads, "-q"], variables) for words in (search, score)]
    values = {m["measure"]: m["value"] for m in json.loads(parts[1][0])["runs"][0]["measures"]}
    return values, *(sum(part[i] for part in parts) for i in (1, 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="times that each has its turn, of which the best counts")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    options = parser.parse_args()
    environment.enter()
    import table

    text = (f"Measured on {table.machine()}, by `python3 bench/search/end_to_end.py --write`: {options.threads} threads, best of {options.rounds}; "
            f"{DOCUMENTS:,} x {DIMENSION:,} documents, {QUERIES:,} queries, {DEPTH} documents a query, {', '.join(MEASURES)}; the budget is {BUDGET} x.\n")
    for clusters in CLUSTERS:
        text += f"\n{clusters} clusters of {DOCUMENTS // clusters} documents:\n\n" + compare(options, clusters)
    print(text)
    if options.write:
        table.write("search end to end", text)


def compare(options, clusters):
    """The table of one set of documents."""
    import measure
    import table

    folder = environment.ROOT / f"target/bench-data/search/end-to-end-{clusters}"
    files = write_data(folder, clusters)
    plain, tuned = (measure.variables(options.threads, tuned) for tuned in (False, True))
    theirs = [sys.executable, __file__, "peer", *files]
    tools = {
        "mrmr search + mrmr score": lambda: ours(files, folder / "ours.run", options.threads, plain),
        "FAISS + pytrec_eval": lambda: measured_peer(theirs, plain),
    }
    if "avx512f" in measure.instructions():
        tools["FAISS tuned + pytrec_eval"] = lambda: measured_peer(theirs, tuned)
    best = {}
    for _ in range(options.rounds):
        for name, tool in tools.items():
            values, processor, wall = tool()
            known = best.get(name, (values, processor, wall))
            best[name] = (values, min(processor, known[1]), min(wall, known[2]))
    first, rows = next(iter(best.values())), []
    for name, (values, processor, wall) in best.items():
        difference = max(abs(values[measure] - first[0][measure]) for measure in MEASURES)
        rows.append([name, f"{processor:.2f}", f"{wall:.2f}", f"{processor / first[1]:.2f} x", f"{values['nDCG@10']:.4f}", f"{difference:.1e}"])
    header = ["tool", "CPU s", "wall s", "CPU, times ours", "nDCG@10", "largest difference"]
    return table.markdown(header, rows)


def measured_peer(command, variables):
    out, processor, wall = timed(command, variables)
    return json.loads(out), processor, wall


if sys.argv[1:2] == ["peer"]:
    peer(*sys.argv[2:])
else:
    main()
