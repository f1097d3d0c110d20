"""HNSW beside hnswlib, in turn on the same data: unit rows of 384 numbers in random clusters of 100, 10,000
queries, k = 10, M = 16, efConstruction = 100. Prints processor seconds and recall as a table."""

import argparse
import pathlib
import subprocess
import tempfile
import time

import hnswlib
import numpy as np

QUERIES, DIMENSION, K = 10_000, 384, 10


def clusters(random, centres, count):
    rows = centres[random.integers(0, len(centres), count)]
    rows = rows + random.standard_normal((count, DIMENSION), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def nearest(rows, queries):
    """The true neighbours, in no order."""
    parts = np.split(queries, range(500, len(queries), 500))
    return np.concatenate([np.argpartition(-(part @ rows.T), K, axis=1)[:, :K] for part in parts])


def recall(found, truth):
    return np.mean([len(set(left) & set(right)) / K for left, right in zip(found, truth)])


def ours(command, folder, threads, repeats, efforts):
    words = [folder / "rows", folder / "queries", DIMENSION, threads, K, QUERIES, repeats, folder / "answers"]
    words += ["ef=" + ",".join(map(str, efforts))]
    lines = subprocess.run([command] + [str(word) for word in words], check=True, capture_output=True, text=True)
    fields = [line.split("\t") for line in lines.stdout.splitlines()]
    yield "build", float(next(f[2] for f in fields if f[0] == "build")), None
    for ef in efforts:
        found = np.fromfile(folder / f"answers.{ef}", dtype="<u4").reshape(QUERIES, K)
        yield ef, min(float(f[2]) for f in fields if f[0] == "search" and f[3] == f"ef={ef}"), found


def peer(rows, queries, threads, repeats, efforts):
    index = hnswlib.Index("ip", DIMENSION)
    index.init_index(len(rows), M=16, ef_construction=100)
    before = time.process_time()
    index.add_items(rows, num_threads=threads)
    yield "build", time.process_time() - before, None
    for ef in efforts:
        index.set_ef(ef)
        times = []
        for _ in range(repeats):
            before = time.process_time()
            found, _ = index.knn_query(queries, K, num_threads=threads)
            times.append(time.process_time() - before)
        yield ef, min(times), found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--efforts", type=int, nargs="+", default=[32, 48, 64, 100])
    parser.add_argument("--ours", required=True, help="the built example hnsw_search of mrmr-search")
    arguments = parser.parse_args()
    random = np.random.default_rng(1)
    centres = random.standard_normal((arguments.rows // 100, DIMENSION), dtype=np.float32)
    rows, queries = clusters(random, centres, arguments.rows), clusters(random, centres, QUERIES)
    truth = nearest(rows, queries)
    print("| engine | ef | CPU s | queries a CPU second | recall@10 |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows.astype("<f4").tofile(folder / "rows")
        queries.astype("<f4").tofile(folder / "queries")
        settings = (arguments.threads, arguments.repeats, arguments.efforts)
        for name, results in (
            ("mrmr", ours(arguments.ours, folder, *settings)),
            ("hnswlib", peer(rows, queries, *settings)),
        ):
            for ef, seconds, found in results:
                if found is None:
                    print(f"| {name} | build | {seconds:.2f} | | |", flush=True)
                else:
                    rate = QUERIES / seconds
                    print(f"| {name} | {ef} | {seconds:.2f} | {rate:,.0f} | {recall(found, truth):.4f} |", flush=True)


main()
