"""hnswlib by the contract of our examples (README.md): `peers_hnswlib.py hnsw rows ...`."""

import sys

import hnswlib
from timing import Task


def main():
    task = Task(sys.argv[2:])
    index = hnswlib.Index(space="ip", dim=task.dimension)
    with task.timed("build"):
        settings = {"M": task.number("m"), "ef_construction": task.number("ef_construction")}
        index.init_index(max_elements=len(task.rows), random_seed=100, **settings)
        index.add_items(task.rows, num_threads=task.threads)
    for value in task.efforts("ef"):
        index.set_ef(max(value, task.k))
        task.search(lambda batch: index.knn_query(batch, k=task.k, num_threads=task.threads)[0], "ef", value)


main()
