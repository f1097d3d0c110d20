"""FAISS's exact index over the same rows and queries; prints processor and wall seconds of each repeat."""

import resource
import sys
import time

import faiss
import numpy as np


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


rows, queries, dimension, threads, k, batch, repeats, answers = sys.argv[1:]
dimension, threads, k, batch = int(dimension), int(threads), int(k), int(batch)
faiss.omp_set_num_threads(threads)
index = faiss.IndexFlatIP(dimension)
index.add(np.fromfile(rows, dtype="<f4").reshape(-1, dimension))
queries = np.fromfile(queries, dtype="<f4").reshape(-1, dimension)
for _ in range(int(repeats)):
    wall, processor = time.perf_counter(), processor_seconds()
    starts = range(0, len(queries), batch)
    found = np.concatenate([index.search(queries[i : i + batch], k)[1] for i in starts])
    print("search", f"{time.perf_counter() - wall:.3f}", f"{processor_seconds() - processor:.2f}", sep="\t")
found.astype("<u4").tofile(answers)
