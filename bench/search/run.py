"""Exact search beside FAISS's IndexFlatIP, in one run: 200,000 rows of 384 numbers in random clusters,
1,000 queries. Prints a table; see README.md."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROWS, DIMENSION, CLUSTERS = 200_000, 384, 1_000
OUTLIERS = [7, 100, 201, 333]


def write(random, centres, count, path, data):
    rows = centres[random.integers(0, len(centres), count)]
    noise = random.standard_normal((count, DIMENSION), dtype=np.float32)
    rows = rows + (noise * np.float32(0.01) if data == "alike" else noise)
    if data == "outliers":
        rows[:, OUTLIERS] *= random.choice([-100, 100], (count, len(OUTLIERS)))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows.astype("<f4").tofile(path)


def best(command, environment):
    """The least processor and wall seconds of the repeats."""
    lines = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    times = [line.split("\t")[1:] for line in lines.splitlines() if line.startswith("search")]
    return min(float(t[1]) for t in times), min(float(t[0]) for t in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--data",
        choices=["clusters", "outliers", "alike"],
        default="clusters",
        help="outliers: 4 columns 100 times larger, with random signs; alike: 20 clusters so dense that 8 bits cannot tell their rows apart",
    )
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--ours", required=True, help="the built example exact_search of mrmr-search")
    arguments = parser.parse_args()
    count = arguments.queries
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows, queries, answers = (str(folder / name) for name in ("rows", "queries", "answers"))
        random = np.random.default_rng(1)
        clusters = 20 if arguments.data == "alike" else CLUSTERS
        centres = random.standard_normal((clusters, DIMENSION), dtype=np.float32)
        write(random, centres, ROWS, rows, arguments.data)
        write(random, centres, count, queries, arguments.data)
        threads = str(arguments.threads)
        plain = dict(os.environ, OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads)
        plain.pop("OPENBLAS_CORETYPE", None)
        tuned = dict(plain, OPENBLAS_CORETYPE="SkylakeX")
        peer = [sys.executable, str(HERE / "peer.py")]
        engines = [
            ("mrmr", [arguments.ours], plain),
            ("faiss, the wheel's default", peer, plain),
            ("faiss, OPENBLAS_CORETYPE=SkylakeX", peer, tuned),
        ]
        print("| k | batch | engine | CPU s | wall s | CPU, times ours | same top k as ours |")
        print("|---|---|---|---|---|---|---|")
        for k, batch in ((10, count), (100, count), (10, 1)):
            ours = None
            for name, command, environment in engines:
                repeats = 1 if batch == 1 else arguments.repeats
                words = [rows, queries, DIMENSION, threads, k, batch, repeats, answers]
                processor, wall = best(command + [str(word) for word in words], environment)
                found = np.sort(np.fromfile(answers, dtype="<u4").reshape(count, k), axis=1)
                if ours is None:
                    ours = (processor, found)
                same = int((found == ours[1]).all(axis=1).sum())
                ratio = processor / ours[0]
                print(f"| {k} | {batch} | {name} | {processor:.2f} | {wall:.2f} | {ratio:.1f} | {same} of {count} |", flush=True)


main()
