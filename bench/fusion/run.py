#!/usr/bin/env python3
"""Processor time of fusing two runs in memory, by mrmr and by ranx, and the same scores.

    python3 bench/fusion/run.py [--queries 6980] [--depth 1000] [--program PATH] [--python PATH]

Two runs over 1.5 x depth documents a query, so that they share a part of what they find. Reading is not timed, and ranx
fuses something small first, so that its compilation is not. Builds the release binary of the example fuse_runs unless
--program names one, and uses the environment of bench/score unless --python names another that has ranx.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
METHODS = [("rrf", "none", "rrf", None, {}), ("wsum(weights=0.3,0.7)", "min-max", "wsum", "min-max", {"weights": [0.3, 0.7]}), ("combmnz", "zmuv", "mnz", "zmuv", {})]
REPEATS = 3


def write(path, queries, depth, seed):
    draws = random.Random(seed)
    with open(path, "w") as out:
        for query in range(queries):
            pool = draws.sample(range(query * 1000, query * 1000 + depth * 3 // 2), depth)
            scores = sorted((draws.random() for _ in pool), reverse=True)
            for rank, (document, score) in enumerate(zip(pool, scores)):
                out.write(f"{query} Q0 D{document % 8_841_823:07d} {rank + 1} {30 * score:.9f} {seed}\n")


def read(path, queries=None):
    run = {}
    with open(path) as lines:
        for line in lines:
            query, _, document, _, score, _ = line.split()
            if queries is not None and int(query) >= queries:
                break
            run.setdefault(query, {})[document] = float(score)
    return run


def peer(folder, shown):
    """Run in the environment of ranx: a line a method with its best time, then its scores of the first queries."""
    import json

    from ranx import Run, fuse

    small = [Run({"q": {"a": 1.0, "b": 0.5}}), Run({"q": {"b": 1.0, "c": 0.25}})]
    runs = [Run(read(f"{folder}/{name}.run")) for name in ("a", "b")]
    for _, _, method, norm, parameters in METHODS:
        fuse(small, norm=norm, method=method, params=parameters)
        spent = []
        for _ in range(REPEATS):
            start = os.times()
            fused = fuse(runs, norm=norm, method=method, params=parameters)
            end = os.times()
            spent.append(end.user - start.user + end.system - start.system)
        scores = {str(q): {str(d): float(s) for d, s in dict(fused.run[str(q)]).items()} for q in range(shown)}
        print(json.dumps([min(spent), scores]), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--queries", type=int, default=6980)
    arguments.add_argument("--depth", type=int, default=1000)
    arguments.add_argument("--program", type=Path)
    arguments.add_argument("--python", type=Path, default=ROOT / "target/bench-venv/bin/python")
    arguments.add_argument("--peer", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    shown = min(20, given.queries)
    if given.peer:
        return peer(given.peer, shown)
    program = given.program
    if not program:
        subprocess.run("cargo build --release -p mrmr-search --example fuse_runs".split(), cwd=ROOT, check=True)
        program = ROOT / "target/release/examples/fuse_runs"
    import json

    with tempfile.TemporaryDirectory() as folder:
        for seed, name in enumerate(("a", "b")):
            write(f"{folder}/{name}.run", given.queries, given.depth, seed)
        command = [given.python, __file__, "--peer", folder, "--queries", str(given.queries)]
        environment = {"NUMBA_CACHE_DIR": f"{folder}/numba"} | os.environ
        theirs = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.splitlines()
        print(f"{given.queries} queries x {given.depth} documents x 2 runs; CPU seconds, best of {REPEATS}")
        for (method, norm, *_), line in zip(METHODS, theirs):
            command = [program, method, norm, str(REPEATS), f"{folder}/out.run", f"{folder}/a.run", f"{folder}/b.run"]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            own = min(float(row.split("\t")[2]) for row in out.splitlines() if row.startswith("fuse"))
            seconds, scores = json.loads(line)
            found = read(f"{folder}/out.run", shown)
            worst = max(abs(found[q][d] - s) for q, documents in scores.items() for d, s in documents.items())
            same = all(found[q].keys() == documents.keys() for q, documents in scores.items())
            print(f"{method}, {norm}: mrmr {own:.2f}, ranx {seconds:.2f}, {seconds / max(own, 0.005):.1f} x; largest difference {worst:.1e}")
            if not same or worst > 1e-9:
                sys.exit("the scores differ")


if __name__ == "__main__":
    main()
