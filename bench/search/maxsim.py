"""Exact MaxSim beside CPU peers, in one run: 2,000 documents of 30 to 300 vectors of 128 numbers in random clusters,
50 queries of 32 vectors. Prints a table.

    pip install numpy==2.4.6 maxsim-cpu==0.1.0
    python bench/search/maxsim.py

Peers: maxsim-cpu (libxsmm, one query a call), and NumPy (one matrix product of a query's vectors with those of all
documents, then the greatest of each document). Peers rank by sums in 32 bits, ours are the best of the scores in 64."""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS, QUERIES, VECTORS, DIMENSION, CLUSTERS = 2_000, 50, 32, 128, 500


def vectors(random, centres, count):
    rows = centres[random.integers(0, CLUSTERS, count)]
    rows = rows + random.standard_normal((count, DIMENSION), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def write(folder):
    random = np.random.default_rng(1)
    centres = random.standard_normal((CLUSTERS, DIMENSION), dtype=np.float32)
    offsets = np.concatenate([[0], np.cumsum(random.integers(30, 301, DOCUMENTS))])
    vectors(random, centres, offsets[-1]).astype("<f4").tofile(folder / "documents.f32")
    offsets.astype("<u8").tofile(folder / "document_offsets.u64")
    vectors(random, centres, QUERIES * VECTORS).astype("<f4").tofile(folder / "queries.f32")
    (np.arange(QUERIES + 1) * VECTORS).astype("<u8").tofile(folder / "query_offsets.u64")


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peer(name, folder, k, repeats):
    """Runs in a process of its own, so that its threads are set before its libraries load."""
    rows = np.fromfile(folder / "documents.f32", dtype="<f4").reshape(-1, DIMENSION)
    starts = np.fromfile(folder / "document_offsets.u64", dtype="<u8").astype(np.int64)
    queries = np.fromfile(folder / "queries.f32", dtype="<f4").reshape(QUERIES, VECTORS, DIMENSION)
    if name == "maxsim-cpu":
        import maxsim_cpu

        documents = [rows[a:b] for a, b in zip(starts, starts[1:])]
        score = lambda query: maxsim_cpu.maxsim_scores_variable(query, documents)
    else:
        # Few queries at a time would need several times the memory and is no faster.
        score = lambda query: np.maximum.reduceat(query @ rows.T, starts[:-1], axis=1).sum(axis=0)
    for _ in range(repeats):
        wall, processor = time.perf_counter(), processor_seconds()
        found = []
        for query in queries:
            scores = score(query)
            best = np.argpartition(-scores, k)[:k]
            found.append(best[np.argsort(-scores[best], kind="stable")])
        print("search", f"{time.perf_counter() - wall:.3f}", f"{processor_seconds() - processor:.2f}", sep="\t")
    np.array(found).astype("<u4").tofile(folder / "answers.u32")


def best(command, environment):
    """The least processor and wall seconds of the repeats."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1:]
    times = [line.split("\t")[1:] for line in done.stdout.splitlines() if line.startswith("search")]
    return (min(float(t[1]) for t in times), min(float(t[0]) for t in times)), None


def build():
    command = ["cargo", "build", "--release", "--locked", "-p", "mrmr-search", "--example", "maxsim_search"]
    subprocess.run(command, cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "examples" / "maxsim_search"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ours", type=pathlib.Path, help="the built example maxsim_search; built unless given")
    parser.add_argument("--peer", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        name, folder, k, repeats = arguments.peer
        return peer(name, pathlib.Path(folder), int(k), int(repeats))
    ours = (arguments.ours or build()).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write(folder)
        files = ("documents.f32", "document_offsets.u64", "queries.f32", "query_offsets.u64")
        threads = str(arguments.threads)
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
        plain = dict(os.environ) | {name: threads for name in names}
        plain.pop("OPENBLAS_CORETYPE", None)
        tuned = plain | {"OPENBLAS_CORETYPE": "SkylakeX"}
        engines = [
            ("mrmr", None, plain, QUERIES),
            ("mrmr, one query at a time", None, plain, 1),
            ("maxsim-cpu", "maxsim-cpu", plain, 1),
            ("numpy, the wheel's default", "numpy", plain, 1),
            ("numpy, OPENBLAS_CORETYPE=SkylakeX", "numpy", tuned, 1),
        ]
        print("| k | engine | CPU s | wall s | CPU, times ours | same top k as ours |")
        print("|---|---|---|---|---|---|")
        for k in (10, 100):
            reference = None
            for title, name, environment, batch in engines:
                if name is None:
                    words = [ours] + [folder / file for file in files]
                    words += [DIMENSION, threads, k, batch, arguments.repeats, folder / "answers.u32"]
                else:
                    words = [sys.executable, __file__, "--peer", name, folder, k, arguments.repeats]
                times, problem = best([str(word) for word in words], environment)
                if times is None:
                    print(f"| {k} | {title} | not run: {problem} |", flush=True)
                    continue
                found = np.sort(np.fromfile(folder / "answers.u32", dtype="<u4").reshape(QUERIES, k), axis=1)
                if reference is None:
                    reference = (times[0], found)
                same = int((found == reference[1]).all(axis=1).sum())
                ratio = times[0] / reference[0]
                row = (k, title, f"{times[0]:.2f}", f"{times[1]:.2f}", f"{ratio:.1f}", f"{same} of {QUERIES}")
                print("| " + " | ".join(map(str, row)) + " |", flush=True)


main()
