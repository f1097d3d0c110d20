"""Makes the runs of a small pipeline beside it, by a rule and not by a system: python3 make_pipeline.py"""

# The rank of the one relevant document of each query: in exact search, in what the index returned, reranked; 0 is not there.
RANKS = {
    "q01": (1, 1, 1), "q02": (1, 1, 3), "q03": (2, 2, 1), "q04": (3, 2, 1),
    "q05": (1, 0, 0), "q06": (4, 4, 2), "q07": (2, 6, 0), "q08": (5, 5, 1),
    "q09": (7, 7, 0), "q10": (0, 0, 0), "q11": (1, 1, 1), "q12": (2, 2, 4),
}
RUNS = [("exact", 0, 8), ("hnsw", 1, 8), ("reranked", 2, 5)]


def ranking(query, place, depth):
    """The relevant document at its rank, others around it in their order."""
    rank = RANKS[query][place]
    others = iter(f"{query}-other{n}" for n in range(1, depth + 1))
    return [f"{query}-answer" if at == rank else next(others) for at in range(1, depth + 1)]


with open("pipeline.qrels", "w") as out:
    for query in RANKS:
        out.write(f"{query} 0 {query}-answer 1\n")
for name, place, depth in RUNS:
    with open(f"{name}.run", "w") as out:
        for query in RANKS:
            for at, document in enumerate(ranking(query, place, depth), 1):
                out.write(f"{query} Q0 {document} {at} {1 - at / 10:.1f} {name}\n")
