"""The PyPI package bm25s (numba) over the words of a file, one document a line; prints wall and processor
seconds of the build and of each repeat."""

import resource
import sys
import time

import bm25s


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def timed(what, work):
    wall, processor = time.perf_counter(), processor_seconds()
    result = work()
    print(what, f"{time.perf_counter() - wall:.3f}", f"{processor_seconds() - processor:.2f}", sep="\t", flush=True)
    return result


def main():
    documents, queries, k, repeats, answers = sys.argv[1:]
    with open(documents, encoding="utf-8") as lines:
        documents = [line.split() for line in lines]
    with open(queries, encoding="utf-8") as lines:
        queries = [line.split() for line in lines]

    def build():
        index = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
        index.index(documents, show_progress=False)
        index.activate_numba_scorer()
        return index

    index = timed("build", build)

    def search(queries):
        return index.retrieve(queries, k=int(k), n_threads=1, show_progress=False)

    search(queries[:2])  # compiles
    for _ in range(int(repeats)):
        rows, scores = timed("search", lambda: search(queries))
    with open(answers, "w", encoding="utf-8") as out:
        for row in zip(rows.tolist(), scores.tolist(), strict=True):
            out.write(" ".join(f"{document}:{score}" for document, score in zip(*row, strict=True)) + "\n")


main()
