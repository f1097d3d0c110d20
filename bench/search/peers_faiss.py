"""FAISS's indexes by the contract of our examples (README.md): `peers_faiss.py KIND rows ...`."""

import sys

import faiss
from timing import Task


def hnsw(task):
    index = faiss.IndexHNSWFlat(task.dimension, task.number("m"), faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = task.number("ef_construction")
    index.add(task.rows)
    return index, "ef", lambda effort: setattr(index.hnsw, "efSearch", effort)


def ivf(task):
    quantizer = faiss.IndexFlatIP(task.dimension)
    index = faiss.IndexIVFFlat(quantizer, task.dimension, task.number("lists"), faiss.METRIC_INNER_PRODUCT)
    index.train(task.rows)
    index.add(task.rows)
    # The quantizer goes with the closure: the index doesn't own it.
    return index, "probes", lambda effort: (quantizer, setattr(index, "nprobe", effort))


def pq(task):
    return rescored(task, faiss.IndexPQ(task.dimension, task.number("segments"), 8, faiss.METRIC_INNER_PRODUCT))


def pq_fast_scan(task):
    # Twice the segments at half the bits: as many bytes a row, in the layout that FAISS scans fastest.
    return rescored(task, faiss.IndexPQFastScan(task.dimension, 2 * task.number("segments"), 4, faiss.METRIC_INNER_PRODUCT))


def rescored(task, coded):
    index = faiss.IndexRefineFlat(coded)
    index.train(task.rows)
    index.add(task.rows)

    def select(effort):
        index.k_factor = effort / task.k
        return index if effort else coded

    return index, "rescored", select


def exact(task):
    index = faiss.IndexFlatIP(task.dimension)
    index.add(task.rows)
    return index, None, None


def main():
    kind, task = {"exact": exact, "hnsw": hnsw, "ivf": ivf, "pq": pq, "pq_fast_scan": pq_fast_scan}[sys.argv[1]], Task(sys.argv[2:])
    faiss.omp_set_num_threads(task.threads)
    with task.timed("build"):
        index, effort, select = kind(task)
    for value in task.efforts(effort):
        searched = index
        if select:
            chosen = select(value)
            searched = chosen if isinstance(chosen, faiss.Index) else index
        task.search(lambda batch: searched.search(batch, task.k)[1], effort, value)


main()
