"""Pictures decoded and prepared for CLIP at 224 x 224: ours beside Pillow with NumPy, and transformers, one thread each.

    npm pack emoji-datasource-google && tar -xzf emoji-datasource-google-*.tgz
    target/models/venv/bin/pip install numpy onnx pillow transformers==4.57.1
    cargo build --release -p mrmr-models --example pictures
    target/models/venv/bin/python bench/encode/pictures.py --folder package/img/google/64

Ours is timed as encoding by a network that does nothing but average the planes, so that what is timed is the way to
the network; the averages show that all three make the same numbers.
"""

import argparse
import io
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import onnx
import transformers
from onnx import TensorProto, helper
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEAN, DEVIATION = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
SETTINGS = {
    "image_processor_type": "CLIPImageProcessor",
    "size": {"shortest_edge": 224},
    "resample": 3,
    "do_center_crop": True,
    "crop_size": {"height": 224, "width": 224},
    "image_mean": MEAN,
    "image_std": DEVIATION,
}


def write_model(folder):
    """A network that gives the average of each plane."""
    pool = helper.make_node("GlobalAveragePool", ["pixel_values"], ["pooled"])
    flat = helper.make_node("Flatten", ["pooled"], ["image_embeds"])
    read = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["batch", 3, 224, 224])
    made = helper.make_tensor_value_info("image_embeds", TensorProto.FLOAT, ["batch", 3])
    graph = helper.make_graph([pool, flat], "planes", [read], [made])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    (folder / "preprocessor_config.json").write_text(json.dumps(SETTINGS))


def on_white(data):
    picture = Image.open(io.BytesIO(data))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    return picture.convert("RGB")


def by_pillow(data):
    picture = on_white(data)
    shorter = min(picture.size)
    picture = picture.resize(tuple(224 * side // shorter for side in picture.size), Image.Resampling.BICUBIC)
    left, top = (picture.width - 224) // 2, (picture.height - 224) // 2
    colours = np.asarray(picture.crop((left, top, left + 224, top + 224)), np.float32)
    planes = (colours / np.float32(255) - np.array(MEAN, np.float32)) / np.array(DEVIATION, np.float32)
    return np.ascontiguousarray(planes.transpose(2, 0, 1))


def timed(files, prepare, repeats):
    best, means = (float("inf"), 0.0), None
    for _ in range(repeats):
        start, before = time.perf_counter(), time.process_time()
        means = [prepare(data).mean((1, 2), dtype=np.float64) for data in files]
        spent, wall = time.process_time() - before, time.perf_counter() - start
        best = min(best, (spent, wall))
    return best, np.array(means)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ours", default=ROOT / "target/release/examples/pictures")
    arguments = parser.parse_args()
    files = [path.read_bytes() for path in sorted(pathlib.Path(arguments.folder).iterdir())[: arguments.count]]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_model(folder)
        command = [arguments.ours, folder, arguments.folder, len(files), 1, arguments.repeats, folder / "vectors"]
        lines = subprocess.run(map(str, command), check=True, capture_output=True, text=True).stdout.splitlines()
        ours = min((float(line.split("\t")[2]), float(line.split("\t")[1])) for line in lines)
        means = np.fromfile(folder / "vectors", "<f4").reshape(-1, 3)
    processor = transformers.CLIPImageProcessor(**SETTINGS)
    peers = {
        "Pillow + NumPy": by_pillow,
        "transformers": lambda data: processor(on_white(data), return_tensors="np")["pixel_values"][0],
    }
    print("| engine | pictures | CPU s | wall s | ms a picture | times ours | largest difference of a plane's mean |")
    print("|---|---|---|---|---|---|---|")
    print(f"| mrmr | {len(files)} | {ours[0]:.2f} | {ours[1]:.2f} | {ours[0] / len(files) * 1e3:.2f} | 1.00 | |")
    for name, prepare in peers.items():
        (spent, wall), made = timed(files, prepare, arguments.repeats)
        apart = np.abs(made - means).max()
        each = spent / len(files) * 1e3
        print(f"| {name} | {len(files)} | {spent:.2f} | {wall:.2f} | {each:.2f} | {ours[0] / spent:.2f} | {apart:.1e} |")


if __name__ == "__main__":
    main()
