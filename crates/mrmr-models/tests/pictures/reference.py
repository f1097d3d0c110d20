"""Small pictures of every kind with what Pillow and transformers make of them: tests/fixtures/pictures.

    python3 -m venv target/models/venv
    target/models/venv/bin/pip install numpy pillow transformers==4.57.1
    target/models/venv/bin/python crates/mrmr-models/tests/pictures/reference.py

NAME.rgb has the colours that Pillow gives (turned by EXIF, transparent parts on white, eight bits a colour, row after
row), NAME.f32 the planes that a processor of transformers makes (the slow ones, on Pillow and NumPy). reference.json
names all of them. transformers drops transparency where ours puts it on white, so it is given the colours on white.
"""

import json
import pathlib
import struct
import zlib

import numpy as np
import transformers
from PIL import Image, ImageOps

TARGET = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "pictures"
WIDE, HIGH = 23, 17


def colours(seed=1, channels=3, depth=8):
    """A slope with noise on it."""
    draw = np.random.default_rng(seed)
    y, x = np.mgrid[0:HIGH, 0:WIDE]
    slopes = [x / WIDE, y / HIGH, (x + y) / (WIDE + HIGH), 1 - x / WIDE][:channels]
    value = np.stack(slopes, -1) * 0.8 + draw.uniform(0, 0.2, (HIGH, WIDE, channels))
    return np.clip(value * (2**depth), 0, 2**depth - 1).astype(np.uint8 if depth == 8 else np.uint16)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, kind, data):
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")


def deep(channels, kind):
    rows = colours(5, channels, 16).astype(">u2")
    return png(WIDE, HIGH, 16, kind, b"".join(b"\0" + row.tobytes() for row in rows))


def on_white(path):
    picture = ImageOps.exif_transpose(Image.open(path))
    if picture.mode == "I;16":
        # Pillow would make everything above 255 white.
        picture = Image.fromarray((np.asarray(picture) >> 8).astype(np.uint8))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    return picture.convert("RGB")


def write_pictures():
    rgb = Image.fromarray(colours())
    rgba = Image.fromarray(colours(2, 4))
    rgb.save(TARGET / "rgb.png")
    rgba.save(TARGET / "rgba.png")
    rgba.convert("LA").save(TARGET / "grey-alpha.png")
    rgb.convert("L").save(TARGET / "grey.png")
    rgb.convert("1").save(TARGET / "one-bit.png")
    rgb.quantize(16).save(TARGET / "palette.png")
    alphas = bytes([0, 40, 128, 200] + [255] * 12)
    rgb.quantize(16).save(TARGET / "palette-alpha.png", transparency=alphas)
    keyed = Image.fromarray(np.where(colours(9) > 127, 255, 0).astype(np.uint8))
    keyed.save(TARGET / "colour-key.png", transparency=(255, 255, 0))
    Image.fromarray(colours(3, 1, 16)[:, :, 0]).save(TARGET / "grey-16.png")
    (TARGET / "rgb-16.png").write_bytes(deep(3, 2))
    (TARGET / "rgba-16.png").write_bytes(deep(4, 6))
    Image.new("RGB", (1, 1), (9, 200, 77)).save(TARGET / "one-pixel.png")
    Image.new("1", (5000, 4000), 1).save(TARGET / "twenty-megapixels.png", optimize=True)
    rgb.save(TARGET / "rgb.bmp")
    rgb.save(TARGET / "rgb.tiff", compression="tiff_lzw")
    rgba.save(TARGET / "alpha.webp", lossless=True, exact=True)
    rgb.save(TARGET / "lossy.webp", quality=90)
    frames = [Image.fromarray(colours(seed)).quantize(32) for seed in (1, 2, 3)]
    frames[0].save(TARGET / "animated.gif", save_all=True, append_images=frames[1:], duration=50)
    held = rgb.quantize(15)
    held.save(TARGET / "transparent.gif", transparency=3)
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        rgb.save(TARGET / f"turned-{orientation}.png", exif=exif)
    exif = Image.Exif()
    exif[0x0112] = 6
    rgb.save(TARGET / "turned.jpg", exif=exif, quality=95, subsampling=0)
    exif[0x0112] = 8
    rgba.save(TARGET / "turned.webp", exif=exif, lossless=True, exact=True)
    smooth = rgb.resize((64, 48), Image.Resampling.BICUBIC)
    smooth.save(TARGET / "quarter.jpg", quality=90, subsampling=2)
    smooth.save(TARGET / "progressive.jpg", quality=90, subsampling=0, progressive=True)
    smooth.convert("L").save(TARGET / "grey.jpg", quality=90)
    smooth.convert("CMYK").save(TARGET / "cmyk.jpg", quality=95)
    # What is no picture that can be read.
    (TARGET / "broken-no-width.png").write_bytes(png(0, 5, 8, 0, b"\0" * 5))
    (TARGET / "broken-too-long.png").write_bytes(png(30001, 1, 8, 0, b"\0" * 30002))
    (TARGET / "broken-too-large.png").write_bytes(png(29000, 29000, 8, 2, b"\0" * 50))
    whole = (TARGET / "rgb.png").read_bytes()
    (TARGET / "broken-cut.png").write_bytes(whole[: len(whole) // 2])
    cut = (TARGET / "turned.jpg").read_bytes()
    (TARGET / "broken-cut.jpg").write_bytes(cut[: len(cut) * 3 // 4])
    (TARGET / "broken-text.png").write_bytes(b"a text, no picture")
    (TARGET / "broken-empty.png").write_bytes(b"")


CLIP_MEAN, CLIP_DEVIATION = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]


def processors():
    """Settings of each kind, with the picture they are tried on."""
    clip = {
        "image_processor_type": "CLIPImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": 24},
        "resample": 3,
        "do_center_crop": True,
        "crop_size": {"height": 24, "width": 24},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": CLIP_MEAN,
        "image_std": CLIP_DEVIATION,
        "do_convert_rgb": True,
    }
    vit = {
        "image_processor_type": "ViTImageProcessor",
        "do_resize": True,
        "size": {"height": 20, "width": 31},
        "resample": 2,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
    made = {
        "clip-larger": ({**clip}, "rgba.png"),
        "clip-smaller": ({**clip, "size": {"shortest_edge": 11}, "crop_size": {"height": 10, "width": 11}}, "rgb.png"),
        "clip-turned": ({**clip}, "turned-6.png"),
        "clip-beyond": ({**clip, "size": {"shortest_edge": 9}, "crop_size": {"height": 14, "width": 17}}, "rgb.png"),
        "siglip": (
            {**vit, "image_processor_type": "SiglipImageProcessor", "size": {"height": 16, "width": 16}, "resample": 3},
            "rgb.png",
        ),
        "convnext": (
            {
                **vit,
                "image_processor_type": "ConvNextImageProcessor",
                "size": {"shortest_edge": 20},
                "crop_pct": 0.875,
                "resample": 3,
            },
            "rgb.png",
        ),
        "efficientnet": (
            {
                **vit,
                "image_processor_type": "EfficientNetImageProcessor",
                "resample": 0,
                "rescale_offset": False,
                "include_top": True,
            },
            "rgb.png",
        ),
        "levels": (
            {**vit, "do_rescale": False, "image_mean": [127.0] * 3, "image_std": [128.0] * 3},
            "palette-alpha.png",
        ),
    }
    for filter in range(6):
        made[f"filter-{filter}"] = ({**vit, "resample": filter}, "rgb.png")
        smaller = {**vit, "resample": filter, "size": {"height": 7, "width": 5}}
        made[f"filter-{filter}-down"] = (smaller, "rgb.png")
    return made


def main():
    for old in TARGET.iterdir():
        old.unlink()
    write_pictures()
    pictures = []
    for path in sorted(TARGET.iterdir()):
        if path.name.startswith("broken-") or path.suffix in (".rgb", ".f32"):
            continue
        made = on_white(path)
        pictures.append({"file": path.name, "width": made.width, "height": made.height})
        if path.name != "twenty-megapixels.png":
            (TARGET / f"{path.name}.rgb").write_bytes(made.tobytes())
    prepared = []
    for name, (settings, file) in processors().items():
        processor = getattr(transformers, settings["image_processor_type"])(**settings)
        planes = processor(on_white(TARGET / file), return_tensors="np")["pixel_values"][0]
        (TARGET / f"{name}.f32").write_bytes(np.ascontiguousarray(planes, "<f4").tobytes())
        shape = [int(size) for size in planes.shape]
        prepared.append({"name": name, "file": file, "shape": shape, "settings": settings})
    reference = {"pictures": pictures, "prepared": prepared}
    (TARGET / "reference.json").write_text(json.dumps(reference, indent=1) + "\n")


if __name__ == "__main__":
    main()
