"""BM25 beside tantivy and bm25s, one thread each, over two corpora. Prints a table; see README.md.

    python3 bench/search/bm25.py [--words FOLDER] [--only zipf|packages]

zipf: 200,000 documents of made-up words whose frequencies follow Zipf's law, lengths log-normal (median 60),
queries of 2 to 8 words of a document. packages: the descriptions of Debian's packages (apt-cache dumpavail),
queries are the one-line synopses of 1,000 of them. Every engine gets the same words, k1 = 1.2, b = 0.75.
"""

import argparse
import bisect
import itertools
import math
import os
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "bench-bm25"
DOCUMENTS, QUERIES, VOCABULARY = 200_000, 1_000, 300_000
STOP_WORDS = set(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these"
    " they this to was will with".split()
)


def zipf(folder):
    draw = random.Random(1)
    weights = list(itertools.accumulate(1 / (rank + 30) for rank in range(VOCABULARY)))
    documents = []
    for _ in range(DOCUMENTS):
        length = max(3, int(math.exp(draw.gauss(math.log(60), 0.7))))
        # A document comes back to its words: half of them are drawn from those before.
        words = []
        for _ in range(length):
            if words and draw.random() < 0.35:
                words.append(draw.choice(words))
            else:
                words.append(f"w{bisect.bisect(weights, draw.random() * weights[-1])}")
        documents.append(words)
    queries = []
    while len(queries) < QUERIES:
        words = sorted(set(draw.choice(documents)))
        queries.append(draw.sample(words, min(len(words), draw.randint(2, 8))))
    write(folder, documents, queries)


def packages(folder):
    text = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True, text=True).stdout
    cut = re.compile(r"[a-z0-9]+").findall
    documents, synopses = {}, []
    for entry in text.split("\n\n"):
        name = re.search(r"^Package: (.*)$", entry, re.M)
        description = re.search(r"^Description(?:-en)?: (.*(?:\n .*)*)", entry, re.M)
        if name and description and name[1] not in documents:
            words = [word for word in cut(f"{name[1]} {description[1]}".lower()) if word not in STOP_WORDS]
            synopsis = [word for word in cut(description[1].split("\n")[0].lower()) if word not in STOP_WORDS]
            documents[name[1]] = words
            synopses.append(list(dict.fromkeys(synopsis)))
    queries = [words for words in random.Random(1).sample(synopses, QUERIES + 50) if words][:QUERIES]
    write(folder, documents.values(), queries)


def write(folder, documents, queries):
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("queries.txt", queries), ("documents.txt", documents)):
        (folder / name).write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")


def peers():
    python = WORK / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", WORK / "venv"], check=True)
        requirements = HERE / "bm25-requirements.txt"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", requirements], check=True)
    target = dict(os.environ, CARGO_TARGET_DIR=str(WORK / "cargo"))
    subprocess.run(
        ["cargo", "build", "--release", "--locked", "--quiet"], cwd=HERE / "tantivy", env=target, check=True
    )
    example = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "mrmr-search", "--example", "bm25_search"]
    subprocess.run(example, cwd=ROOT, check=True)
    ours = ROOT / "target" / "release" / "examples" / "bm25_search"
    return [
        ("mrmr, norms lucene", [ours], ["lucene"]),
        ("tantivy", [WORK / "cargo" / "release" / "bm25-tantivy"], []),
        ("mrmr, norms exact", [ours], ["exact"]),
        ("bm25s, numba", [python, HERE / "bm25s_peer.py"], []),
    ]


def measure(command):
    """The processor seconds of the build and the least of a search, and the wall seconds of opening."""
    one = dict(os.environ, NUMBA_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    command = [str(word) for word in command]
    lines = subprocess.run(command, env=one, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split("\t") for line in lines if line.count("\t") == 2]
    times = {what: [row for row in rows if row[0] == what] for what in ("build", "open", "search")}
    opened = float(times["open"][0][1]) if times["open"] else None
    # The clock of the processor has steps of 10 ms: the mean of the repeats but the first.
    searches = [float(row[2]) for row in times["search"][1:]]
    return float(times["build"][0][2]), opened, sum(searches) / len(searches)


def answers(path):
    for line in path.read_text().splitlines():
        yield [(int(row), float(score)) for row, score in (pair.split(":") for pair in line.split())]


def alike(ours, theirs):
    """Queries with the same rows but for ties: rank by rank the same score, up to the rounding and the factor
    k1 + 1 that tantivy keeps, and the same rows above the last score."""
    count = 0
    for left, right in zip(ours, theirs, strict=True):
        right = [(row, score) for row, score in right if score > 0]
        if len(left) != len(right) or not left:
            count += len(left) == len(right)
            continue
        factor = right[0][1] / left[0][1]
        scores = all(abs(a * factor - b) <= 2e-5 * b for (_, a), (_, b) in zip(left, right))
        last = left[-1][1] * (1 + 2e-5)
        above = {row for row, score in left if score > last} <= {row for row, _ in right}
        count += scores and above
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=pathlib.Path, default=WORK, help="where the corpora are kept")
    parser.add_argument("--only", choices=["zipf", "packages"])
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    arguments = parser.parse_args()
    engines = peers()
    print("| corpus | k | engine | build, CPU s | open, ms | queries per CPU s | like ours |")
    print("|:--|--:|:--|--:|--:|--:|--:|")
    for name, make in (("zipf", zipf), ("packages", packages)):
        if arguments.only not in (None, name):
            continue
        folder = arguments.words / name
        if not (folder / "documents.txt").exists():
            make(folder)
        with (folder / "documents.txt").open() as lines:
            size = sum(1 for _ in lines)
        for k in (10, 100):
            for engine, command, more in engines:
                ours = engine.startswith("mrmr")
                if arguments.ours and not ours:
                    continue
                path = folder / ("ours.tsv" if ours else "theirs.tsv")
                repeats = 5 if not ours else 11
                words = [folder / "documents.txt", folder / "queries.txt", k, repeats, path]
                build, opened, search = measure(command + words + more)
                same = "" if ours else f"{alike(answers(folder / 'ours.tsv'), answers(path))} of {QUERIES}"
                opened = "" if opened is None else f"{opened * 1000:.1f}"
                speed = QUERIES / max(search, 1e-9)
                print(f"| {name}, {size:,} | {k} | {engine} | {build:.2f} | {opened} | {speed:,.0f} | {same} |", flush=True)


main()
