"""Sounds, log-mel features and small random models of sounds: tests/fixtures/sounds and tests/fixtures/tiny-audio*.

    python3 -m venv target/audio/venv
    target/audio/venv/bin/pip install numpy onnx onnxruntime soundfile transformers
    target/audio/venv/bin/python crates/mrmr-models/tests/audio/fixtures.py

Files are written by libsndfile, features by transformers' audio_utils, vectors by onnxruntime.
"""

import json
import math
import pathlib
import shutil

import numpy as np
import onnx
import onnxruntime
import soundfile
from onnx import TensorProto, helper, numpy_helper
from transformers import WhisperFeatureExtractor
from transformers.audio_utils import mel_filter_bank, spectrogram, window_function

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
RANDOM = np.random.default_rng(7)


def tones(rate, seconds):
    """A falling tone, a higher one and a little noise, fading in."""
    time = np.arange(int(rate * seconds)) / rate
    falling = np.sin(2 * np.pi * (900 * time - 800 * time**2))
    sound = 0.4 * falling + 0.2 * np.sin(2 * np.pi * 2100 * time) + 0.02 * RANDOM.standard_normal(len(time))
    return sound * np.minimum(1, 20 * time)


def sounds():
    target = FIXTURES / "sounds"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    left, right = tones(22050, 0.25), 0.5 * tones(22050, 0.25)
    both = np.stack([left, right], axis=1)
    for name, subtype in [
        ("u8.wav", "PCM_U8"), ("s16.wav", "PCM_16"), ("s24.wav", "PCM_24"), ("s32.wav", "PCM_32"),
        ("f32.wav", "FLOAT"), ("tones.flac", "PCM_16"), ("tones.ogg", "VORBIS"), ("tones.mp3", "MPEG_LAYER_III"),
    ]:  # fmt: skip
        soundfile.write(target / name, both, 22050, subtype=subtype)
    known = {path.name: soundfile.read(path, dtype="float32")[0].mean(axis=1) for path in sorted(target.iterdir())}
    (target / "decoded.json").write_text(
        json.dumps({name: [round(float(x), 6) for x in samples[::7]] for name, samples in known.items()})
    )
    sizes = {name: len(samples) for name, samples in known.items()}
    print(sizes)
    soundfile.write(target / "speech.wav", tones(16000, 0.6), 16000, subtype="PCM_16")
    samples = tones(16000, 0.1).astype(np.float32)
    cases = []
    whisper = WhisperFeatureExtractor(feature_size=80)
    # The extractor's own steps, without its filling up to 30 seconds.
    frames = whisper._np_extract_fbank_features(samples[None], "cpu")[0]
    cases.append(case("whisper", 16000, 400, 160, 80, "slaney", "slaney", (0, 8000), 8, 0.25, 1, frames.T))
    for name, size, hop, mels, scale, norm, band in [
        ("htk without norm", 512, 100, 26, "htk", None, (20, 7600)),
        ("slaney of 128", 400, 160, 128, "slaney", "slaney", (0, 8000)),
    ]:
        filters = mel_filter_bank(1 + size // 2, mels, *band, 16000, norm, scale)
        made = spectrogram(
            samples, window_function(size, "hann"), size, hop, power=2.0, mel_filters=filters, log_mel="log10",
        )[:, : len(samples) // hop]  # fmt: skip
        cases.append(case(name, 16000, size, hop, mels, scale, norm, band, None, 1, 0, made.T))
    (target / "log_mel.json").write_text(json.dumps({"samples": [float(x) for x in samples], "cases": cases}))


def case(name, rate, n_fft, hop, mels, scale, norm, band, span, multiply, add, frames):
    return {
        "name": name, "rate": rate, "n_fft": n_fft, "hop": hop, "mels": mels, "scale": scale, "norm": norm,
        "lowest": band[0], "highest": band[1], "range": span, "multiply": multiply, "add": add,
        "frames": [round(float(x), 6) for x in frames.ravel()],
    }  # fmt: skip


def model(path, nodes, inputs, outputs, weights):
    def values(ports):
        return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in ports]

    stored = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "tiny", values(inputs), values(outputs), stored)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(made)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(made, path)
    return onnxruntime.InferenceSession(made.SerializeToString())


def weight(*shape):
    return (RANDOM.standard_normal(shape) / math.sqrt(np.prod(shape[1:]))).astype(np.float32)


def folder(name, settings_file, settings):
    target = FIXTURES / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    (target / settings_file).write_text(json.dumps(settings, indent=2) + "\n")
    return target


def write(target, vector):
    (target / "reference.json").write_text(json.dumps({"speech.wav": [float(x) for x in vector]}) + "\n")


def whisper(samples):
    settings = {
        "feature_extractor_type": "WhisperFeatureExtractor", "feature_size": 8, "n_fft": 400, "hop_length": 160,
        "chunk_length": 1, "sampling_rate": 16000,
    }  # fmt: skip
    target = folder("tiny-audio", "preprocessor_config.json", settings)
    nodes = [
        helper.make_node("Conv", ["input_features", "w1"], ["a"], pads=[1, 1], strides=[1], dilations=[1]),  # As torch writes them: rten asks for one each.
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "w2"], ["c"], pads=[1, 1], strides=[2], dilations=[1]),
        helper.make_node("Transpose", ["c"], ["last_hidden_state"], perm=[0, 2, 1]),
    ]
    weights = {"w1": weight(12, 8, 3), "w2": weight(16, 12, 3)}
    session = model(
        target / "onnx/encoder_model.onnx", nodes, [("input_features", ["batch", 8, "frames"])],
        [("last_hidden_state", ["batch", "places", 16])], weights,
    )  # fmt: skip
    features = WhisperFeatureExtractor(feature_size=8, chunk_length=1)(samples, sampling_rate=16000)["input_features"]
    made = session.run(None, {"input_features": features.astype(np.float32)})[0][0]
    write(target, made[: math.ceil(len(made) * len(samples) / 16000)].mean(axis=0))


def waves(samples):
    target = folder("tiny-audio-waves", "preprocessor_config.json", {
        "feature_extractor_type": "Wav2Vec2FeatureExtractor", "do_normalize": True, "sampling_rate": 16000,
    })  # fmt: skip
    nodes = [
        helper.make_node("Unsqueeze", ["input_values", "one"], ["a"]),
        helper.make_node("Conv", ["a", "w"], ["b"], pads=[0, 0], strides=[160], dilations=[1]),
        helper.make_node("Relu", ["b"], ["c"]),
        helper.make_node("Transpose", ["c"], ["last_hidden_state"], perm=[0, 2, 1]),
    ]
    session = model(
        target / "model.onnx", nodes, [("input_values", ["batch", "samples"])],
        [("last_hidden_state", ["batch", "places", 16])], {"one": np.array([1]), "w": weight(16, 1, 400)},
    )  # fmt: skip
    normal = (samples - samples.mean()) / np.sqrt(samples.var() + 1e-7)
    write(target, session.run(None, {"input_values": normal[None].astype(np.float32)})[0][0].mean(axis=0))


def windows(samples):
    target = folder("tiny-audio-windows", "mrmr-audio.json", {
        "sampling_rate": 16000, "sample_scale": 32768, "seconds": 2, "least_seconds": 0.2,
        "features": {"kind": "network", "file": "features.onnx", "multiply": 0.001, "add": 2},
        "network": "embedding.onnx", "window": {"frames": 10, "step": 4}, "pooling": "max", "normalize": True,
    })  # fmt: skip
    first = model(
        target / "features.onnx",
        [
            helper.make_node("Unsqueeze", ["input", "one"], ["a"]),
            helper.make_node("Conv", ["a", "w"], ["b"], pads=[0, 0], strides=[160], dilations=[1]),
            helper.make_node("Abs", ["b"], ["c"]),
            helper.make_node("Transpose", ["c"], ["output"], perm=[0, 2, 1]),
        ],
        [("input", ["batch", "samples"])], [("output", ["batch", "frames", 8])],
        {"one": np.array([1]), "w": weight(8, 1, 400)},
    )  # fmt: skip
    second = model(
        target / "embedding.onnx",
        [
            helper.make_node("Reshape", ["input", "flat"], ["a"]),
            helper.make_node("MatMul", ["a", "w"], ["b"]),
            helper.make_node("Reshape", ["b", "square"], ["output"]),
        ],
        [("input", ["windows", 10, 8, 1])], [("output", ["windows", 1, 1, 12])],
        {"flat": np.array([-1, 80]), "w": weight(80, 12), "square": np.array([-1, 1, 1, 12])},
    )  # fmt: skip
    frames = first.run(None, {"input": (samples * 32768)[None].astype(np.float32)})[0][0] * 0.001 + 2
    cut = np.stack([frames[at : at + 10] for at in range(0, len(frames) - 9, 4)])[..., None]
    vector = second.run(None, {"input": cut.astype(np.float32)})[0].reshape(-1, 12).max(axis=0)
    write(target, vector / np.linalg.norm(vector))


if __name__ == "__main__":
    sounds()
    speech = soundfile.read(FIXTURES / "sounds/speech.wav", dtype="float32")[0]
    whisper(speech)
    waves(speech)
    windows(speech)
