"""Runs searchers in turn over the same files, and keeps the best of every figure."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import environment
import numpy as np


@dataclass
class Searcher:
    name: str
    command: list
    tuned: bool = False
    ours: bool = False


@dataclass
class Timing:
    wall: float = float("inf")
    processor: float = float("inf")

    def better(self, wall, processor):
        self.wall, self.processor = min(self.wall, wall), min(self.processor, processor)


@dataclass
class Measured:
    searcher: Searcher
    build: Timing = field(default_factory=Timing)
    # By effort (ef, probes, rescored); "" where there is none.
    search: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)


def instructions():
    """The processor's instruction sets that matter here."""
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith(("flags", "Features"))), "").split()
    return [flag for flag in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "asimddp", "i8mm") if flag in flags]


def searchers(kind):
    """Ours first, where it is built, then the peers; FAISS also with the BLAS kernels that fit AVX-512."""
    found = []
    if ours := environment.example(f"{kind}_search"):
        found.append(Searcher("mrmr", [ours], ours=True))
    faiss = [sys.executable, environment.HERE / "peers_faiss.py", kind]
    found.append(Searcher("FAISS", faiss))
    if "avx512f" in instructions():
        found.append(Searcher("FAISS tuned", faiss, tuned=True))
    if kind == "pq":
        found.append(Searcher("FAISS fast scan", [*faiss[:-1], "pq_fast_scan"]))
    if kind == "hnsw":
        found.append(Searcher("hnswlib", [sys.executable, environment.HERE / "peers_hnswlib.py", kind]))
    return found


def variables(threads, tuned):
    # OpenMP's threads that wait in a loop spend processor time on nothing wherever other work takes the
    # cores (FAISS: 2.6 times as much here); asleep they are faster too.
    wanted = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive")
    wanted.pop("OPENBLAS_CORETYPE", None)
    return dict(wanted, OPENBLAS_CORETYPE="SkylakeX") if tuned else wanted


def once(measured, words, threads, answers):
    command = [str(word) for word in [*measured.searcher.command, *words]]
    result = subprocess.run(command, env=variables(threads, measured.searcher.tuned), capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{result.stderr[-2000:]}")
    for line in result.stdout.splitlines():
        # A searcher may say other things too.
        if not line.startswith(("build\t", "search\t")):
            continue
        what, wall, processor, *notes = line.split("\t")
        effort = notes[0].split("=")[1] if notes else ""
        timing = measured.build if what == "build" else measured.search.setdefault(effort, Timing())
        timing.better(float(wall), float(processor))
    for effort in measured.search:
        path = Path(f"{answers}.{effort}" if effort else answers)
        measured.answers[effort] = np.fromfile(path, dtype="<u4")
        path.unlink()


def compare(kind, data, threads, k, batch, settings, repeats, rounds, which=None):
    """All searchers of a kind, or `which` of them, over the same data, `rounds` times in turn."""
    found = [Measured(searcher) for searcher in which or searchers(kind)]
    queries = len(data.vectors(data.queries))
    answers = data.rows.with_suffix(f".answers-{os.getpid()}")
    words = [data.rows, data.queries, data.dimension, threads, k, batch or queries, repeats, answers, *settings]
    for number in range(rounds):
        for measured in found:
            print(f"{data.title}, {kind}, k = {k}: {measured.searcher.name}, round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            once(measured, words, threads, answers)
    for measured in found:
        measured.answers = {effort: rows.reshape(queries, k) for effort, rows in measured.answers.items()}
    return found
