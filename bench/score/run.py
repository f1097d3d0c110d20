#!/usr/bin/env python3
"""Scores the same files with mrmr and its peers; see README.md beside this file."""

import argparse
import json
import os
import platform
import random
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import generate

PEERS = {"pytrec_eval": "pytrec-eval-terrier", "ir_measures": "ir-measures", "ranx": "ranx"}
# What each does with a judged query that the run lacks.
MISSING = {"pytrec_eval": "skip", "ir_measures": "zero", "ranx": "zero"}
MEASURES = ["nDCG@10", "RR", "R@100", "AP", "P@10", "nDCG"]
SETS = [("6,980 queries x 1,000", 6980, 1000, 7), ("50,000 queries x 100", 50000, 100, 8), ("200,000 queries x 10", 200000, 10, 9)]


def build():
    command = "cargo build --release -p mrmr-cli -p mrmr-formats --bin mrmr --example split_lines"
    subprocess.run(command.split(), cwd=ROOT, check=True)
    return ROOT / "target/release/mrmr", ROOT / "target/release/examples/split_lines"


def environment():
    venv = ROOT / "target/bench-venv"
    python, stamp = venv / "bin/python", venv / "bench-score.txt"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    # Other benchmarks share the environment: that it is there doesn't say that these are in it.
    if not stamp.exists():
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS.values()], check=True)
        stamp.touch()
    return python


def data(queries, depth, seed):
    folder = ROOT / "target/bench-data"
    folder.mkdir(parents=True, exist_ok=True)
    prefix = folder / f"{queries}x{depth}"
    if not Path(f"{prefix}.qrels").exists():
        generate.write(str(prefix), queries, depth, seed)
    return f"{prefix}.qrels", f"{prefix}.run"


def measured(command):
    """Output, CPU seconds, wall seconds and peak megabytes of a command."""
    import time

    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate()
    wall = time.monotonic() - start
    if process.returncode != 0:
        raise RuntimeError(f"{command}: {err[-500:]}")
    return out, wall


def timed(command, repeats):
    """The best of several runs by CPU time, with /usr/bin/time so that the peak is the process's own."""
    best = None
    for _ in range(repeats):
        log = ROOT / "target/bench-time"
        out, _ = measured(["/usr/bin/time", "-o", log, "-f", "%U %S %e %M", *command])
        user, system, wall, peak = map(float, log.read_text().split()[-4:])
        if best is None or user + system < best[1]:
            best = (out, user + system, wall, peak / 1024)
    return best


def mrmr_values(out):
    run = json.loads(out)["runs"][0]
    return {measure["measure"]: measure["value"] for measure in run["measures"]}


def difference(ours, theirs):
    return max(abs(ours[name] - theirs[name]) for name in MEASURES)


def table(title, qrels, run, mrmr, floor, python, repeats):
    size = os.path.getsize(run) / 1e6
    options = [o for name in MEASURES for o in ("-m", name)]
    score = [mrmr, "score", qrels, run, *options, "--format", "json", "-q"]
    out, cpu, wall, peak = timed(score, repeats)
    rows = [("mrmr score", cpu, wall, peak, "")]
    # trec_eval 9 compares scores in single precision, and so do those built on it.
    compat = {missing: mrmr_values(timed([*score, "--compat", "trec_eval-9", "--missing", missing], 1)[0]) for missing in ("skip", "zero")}
    for peer, package in PEERS.items():
        try:
            out, peer_cpu, peer_wall, peer_peak = timed([python, HERE / "peers.py", peer, qrels, run], max(1, repeats // 2))
        except RuntimeError as error:
            rows.append((peer, None, None, None, str(error).strip().splitlines()[-1][:80]))
            continue
        agreement = difference(compat[MISSING[peer]], json.loads(out))
        rows.append((peer, peer_cpu, peer_wall, peer_peak, f"{agreement:.1e}"))
    _, floor_cpu, floor_wall, floor_peak = timed([floor, run], repeats)
    rows.append(("floor: split lines", floor_cpu, floor_wall, floor_peak, ""))
    lines = [f"### {title} ({size:.0f} MB)", "", "| tool | CPU s | to mrmr | wall s | peak MB | largest difference |", "|:--|--:|--:|--:|--:|--:|"]
    for name, peer_cpu, peer_wall, peer_peak, note in rows:
        if peer_cpu is None:
            lines.append(f"| {name} | failed | | | | {note} |")
        else:
            lines.append(f"| {name} | {peer_cpu:.2f} | {peer_cpu / cpu:.1f} x | {peer_wall:.2f} | {peer_peak:.0f} | {note} |")
    return "\n".join(lines) + "\n"


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()} ({platform.machine()}), {os.cpu_count()} cores"
    return platform.processor()


def pipe(gigabytes, mrmr):
    """A run of so many GB through a pipe; only the peak matters."""
    _, run = data(*SETS[0][1:])
    qrels, _ = data(*SETS[0][1:])
    text = Path(run).read_text()
    log = ROOT / "target/bench-time"
    command = ["/usr/bin/time", "-o", str(log), "-f", "%U %S %e %M", str(mrmr), "score", qrels, "-", "-q"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    written, copy = 0, 0
    while written < gigabytes * 1e9:
        # Other queries each time: the first digit of the query's id is exchanged.
        part = text if copy == 0 else re.sub(r"(?m)^1", str(copy) + "1", text)
        process.stdin.write(part)
        written += len(part)
        copy += 1
    process.stdin.close()
    process.stdout.read()
    process.wait()
    user, system, wall, peak = map(float, log.read_text().split()[-4:])
    return f"A run of {written / 1e9:.1f} GB through a pipe: {user + system:.1f} CPU s, {wall:.1f} s, peak {peak / 1024:.0f} MB.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sets", type=int, default=len(SETS), help="how many of the data sets, from the smallest number of queries")
    parser.add_argument("--pipe", type=float, metavar="GB", help="a run of so many GB through a pipe, and nothing else")
    arguments = parser.parse_args()
    mrmr, floor = build()
    if arguments.pipe:
        print(pipe(arguments.pipe, mrmr))
        return
    python = environment()
    parts = [f"Measured on {processor()}, by `python3 bench/score/run.py --write`; best of {arguments.repeats}. Every tool reads the two files and computes "
             f"{', '.join(MEASURES)}. *Largest difference* is that of a mean to ours under `--compat trec_eval-9` and the peer's own rule for missing queries; "
             "ranx breaks ties by the order of its sort, which trec_eval does not.\n"]
    for title, queries, depth, seed in SETS[: arguments.sets]:
        qrels, run = data(queries, depth, seed)
        parts.append(table(title, qrels, run, mrmr, floor, python, arguments.repeats))
        print(parts[-1], flush=True)
    if arguments.write:
        page = ROOT / "docs/performance.md"
        text = page.read_text()
        begin, end = "<!-- score: begin -->\n", "<!-- score: end -->"
        head, tail = text.split(begin)[0], text.split(end)[1]
        page.write_text(head + begin + "\n".join(parts) + end + tail)


if __name__ == "__main__":
    main()
