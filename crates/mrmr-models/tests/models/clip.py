"""Small random dual encoders with what onnxruntime makes of them: tests/fixtures/tiny-clip, -clip-joint, -siglip.

    target/models/venv/bin/pip install numpy onnx onnxruntime tokenizers pillow transformers==4.57.1
    target/models/venv/bin/python crates/mrmr-models/tests/models/clip.py

Their weights are drawn from a seed and mean nothing. tiny-clip has CLIP's graph (text: causal attention, the token of
the end projected; picture: patches and a class token, projected) as two files, tiny-clip-joint the same weights as one
file with normalised outputs, tiny-siglip what SigLIP asks from outside (texts filled up to a fixed length without a
mask, `pooler_output`). Texts are run in padded batches, where ours are never padded but for SigLIP. Pictures are those
of tests/fixtures/pictures as Pillow and transformers prepare them.
"""

import json
import pathlib
import shutil
import sys

import numpy as np
import onnx
import onnxruntime
import transformers
from onnx import TensorProto, helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from bert import OPSET, Graph

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "pictures"))
from reference import on_white  # noqa: E402

FIXTURES = HERE.parent / "fixtures"
PICTURES = ["rgba.png", "turned-6.png", "palette-alpha.png", "quarter.jpg", "one-pixel.png"]
TEXTS = json.loads((HERE / "texts.json").read_text()) + ["a red circle beside a blue square, drawn twice. " * 20]
HIDDEN, HEADS, LAYERS, SPACE, SIDE, PATCH = 32, 4, 2, 16, 32, 8
MEAN, DEVIATION = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]


class Model(Graph):
    """A graph with weights drawn as they are asked for."""

    def __init__(self, seed):
        super().__init__()
        self.draw = np.random.default_rng(seed)

    def weight(self, *shape, scale=0.3, mean=0.0):
        return self.constant(self.draw.normal(mean, scale, shape).astype(np.float32))

    def linear(self, value, rows, columns, bias=True):
        product = self.node("MatMul", value, self.weight(rows, columns, scale=1.2 / np.sqrt(rows)))
        return self.node("Add", product, self.weight(columns, scale=0.1)) if bias else product

    def normal(self, value):
        scale, bias = self.weight(HIDDEN, scale=0.1, mean=1.0), self.weight(HIDDEN, scale=0.1)
        return self.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=1e-5)

    def split(self, value, order):
        parts = self.node("Reshape", value, self.shape(0, 0, HEADS, HIDDEN // HEADS))
        return self.node("Transpose", parts, perm=order)

    def layers(self, value, mask=None):
        for _ in range(LAYERS):
            normal = self.normal(value)
            query = self.split(self.linear(normal, HIDDEN, HIDDEN), [0, 2, 1, 3])
            key = self.split(self.linear(normal, HIDDEN, HIDDEN), [0, 2, 3, 1])
            content = self.split(self.linear(normal, HIDDEN, HIDDEN), [0, 2, 1, 3])
            scores = self.node("Div", self.node("MatMul", query, key), self.scalar(np.sqrt(HIDDEN // HEADS)))
            scores = self.node("Add", scores, mask) if mask else scores
            joined = self.node("MatMul", self.node("Softmax", scores, axis=-1), content)
            joined = self.node("Reshape", self.node("Transpose", joined, perm=[0, 2, 1, 3]), self.shape(0, 0, HIDDEN))
            value = self.node("Add", value, self.linear(joined, HIDDEN, HIDDEN))
            inner = self.linear(self.normal(value), HIDDEN, 2 * HIDDEN)
            # CLIP's activation: x * sigmoid(1.702 x).
            inner = self.node("Mul", inner, self.node("Sigmoid", self.node("Mul", inner, self.scalar(1.702))))
            value = self.node("Add", value, self.linear(inner, 2 * HIDDEN, HIDDEN))
        return value

    def texts(self, size, positions, causal):
        length = self.node("Gather", self.node("Shape", "input_ids"), self.shape(1), axis=0)
        table = self.weight(positions, HIDDEN)
        places = self.node("Slice", table, self.shape(0), length, self.shape(0))
        value = self.node("Add", self.node("Gather", self.weight(size, HIDDEN), "input_ids"), places)
        mask = None
        if causal:
            ahead = self.constant(np.triu(np.full((positions, positions), -1e9, np.float32), 1))
            both = self.node("Concat", length, length, axis=0)
            ahead = self.node("Slice", ahead, self.shape(0, 0), both, self.shape(0, 1))
            absent = self.node("Sub", self.scalar(1.0), self.node("Cast", "attention_mask", to=TensorProto.FLOAT))
            absent = self.node("Unsqueeze", self.node("Mul", absent, self.scalar(-1e9)), self.shape(1, 2))
            mask = self.node("Add", absent, ahead)
        value = self.normal(self.layers(value, mask))
        if causal:
            # The token of the end has the largest number; the first of them counts.
            end = self.node("ArgMax", "input_ids", axis=1, keepdims=0, select_last_index=0)
            rows = self.node("Range", self.count(0), self.node("Squeeze", self.batch("input_ids")), self.count(1))
            places = self.node("Unsqueeze", rows, self.shape(1))
            places = self.node("Concat", places, self.node("Unsqueeze", end, self.shape(1)), axis=1)
            return self.linear(self.node("GatherND", value, places), HIDDEN, SPACE, bias=False)
        last = self.node("Gather", value, self.count(-1), axis=1)
        return self.linear(last, HIDDEN, SPACE)

    def count(self, number):
        return self.constant(np.array(number, np.int64))

    def batch(self, name):
        return self.node("Gather", self.node("Shape", name), self.shape(0), axis=0)

    def pictures(self, classed):
        kernel = self.weight(HIDDEN, 3, PATCH, PATCH, scale=0.1)
        patches = self.node("Conv", "pixel_values", kernel, kernel_shape=[PATCH, PATCH], strides=[PATCH, PATCH])
        count = (SIDE // PATCH) ** 2
        value = self.node("Reshape", patches, self.shape(0, HIDDEN, count))
        value = self.node("Transpose", value, perm=[0, 2, 1])
        if classed:
            shape = self.node("Concat", self.batch("pixel_values"), self.shape(1, HIDDEN), axis=0)
            first = self.node("Expand", self.weight(1, 1, HIDDEN), shape)
            value = self.node("Concat", first, value, axis=1)
        value = self.normal(self.node("Add", value, self.weight(count + classed, HIDDEN)))
        value = self.layers(value)
        if classed:
            value = self.node("Gather", value, self.count(0), axis=1)
            return self.linear(self.normal(value), HIDDEN, SPACE, bias=False)
        return self.linear(self.node("ReduceMean", self.normal(value), axes=[1], keepdims=0), HIDDEN, SPACE)

    def unit(self, value):
        return self.node("LpNormalization", value, axis=-1, p=2)

    def save(self, path, inputs, outputs):
        """`outputs`: the value behind each name."""
        kinds = {
            "input_ids": (TensorProto.INT64, ["batch", "sequence"]),
            "attention_mask": (TensorProto.INT64, ["batch", "sequence"]),
            "pixel_values": (TensorProto.FLOAT, ["batch", 3, SIDE, SIDE]),
        }
        for name, value in outputs.items():
            self.nodes.append(helper.make_node("Identity", [value], [name], name=name))
        ports = [helper.make_tensor_value_info(name, *kinds[name]) for name in inputs]
        made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", SPACE]) for name in outputs]
        graph = helper.make_graph(self.nodes, "dual", ports, made, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model)
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(model, path)


def pieces():
    """CLIP's tokenizer with the bytes as words and a few merges."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    names = letters + [letter + "</w>" for letter in letters]
    merges = []
    for word in ("red", "circle", "square", "blue", "the", "a"):
        parts = list(word[:-1]) + [word[-1] + "</w>"]
        while len(parts) > 1:
            if (parts[0], parts[1]) not in merges:
                merges.append((parts[0], parts[1]))
            parts = [parts[0] + parts[1]] + parts[2:]
            names.append(parts[0])
    names += ["<|startoftext|>", "<|endoftext|>"]
    vocabulary = {name: place for place, name in enumerate(dict.fromkeys(names))}
    model = models.BPE(vocabulary, merges, unk_token="<|endoftext|>", continuing_subword_prefix="", end_of_word_suffix="</w>")
    made = Tokenizer(model)
    made.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    words = Regex(r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(words, "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    start, end = ("<|startoftext|>", vocabulary["<|startoftext|>"]), ("<|endoftext|>", vocabulary["<|endoftext|>"])
    made.post_processor = processors.RobertaProcessing(end, start, trim_offsets=False, add_prefix_space=False)
    made.add_special_tokens([start[0], end[0]])
    return made, len(vocabulary)


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def folder(name, config, tokenizer, processor):
    target = FIXTURES / name
    shutil.rmtree(target, ignore_errors=True)
    (target / "onnx").mkdir(parents=True)
    made, size = pieces()
    made.save(str(target / "tokenizer.json"), pretty=False)
    write(target / "config.json", config)
    write(target / "tokenizer_config.json", tokenizer)
    write(target / "preprocessor_config.json", processor)
    return target, made, size


def run(path, given):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    wanted = {port.name for port in session.get_inputs()}
    made = session.run(None, {name: value for name, value in given.items() if name in wanted})
    return {port.name: value for port, value in zip(session.get_outputs(), made)}


def numbers(rows):
    return [[float(f"{x:.7g}") for x in row] for row in rows]


def refer(target, batch, texts, images, normalized=False):
    def unit(rows):
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True) if normalized else rows

    reference = {
        "texts": TEXTS,
        "truncated": sum(1 for row in batch if row.overflowing),
        "text_vectors": numbers(unit(texts)),
        "pictures": PICTURES,
        "picture_vectors": numbers(unit(images)),
    }
    (target / "reference.json").write_text(json.dumps(reference, ensure_ascii=False) + "\n")


def prepared(settings):
    processor = getattr(transformers, settings["image_processor_type"])(**settings)
    pictures = [on_white(FIXTURES / "pictures" / name) for name in PICTURES]
    return {"pixel_values": processor(pictures, return_tensors="np")["pixel_values"]}


def tiny_clip():
    tokenizer = {"model_max_length": 77, "pad_token": "<|endoftext|>", "tokenizer_class": "CLIPTokenizer"}
    processor = {
        "image_processor_type": "CLIPImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": SIDE},
        "resample": 3,
        "do_center_crop": True,
        "crop_size": {"height": SIDE, "width": SIDE},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": MEAN,
        "image_std": DEVIATION,
    }
    config = {"model_type": "clip", "architectures": ["CLIPModel"], "text_config": {"max_position_embeddings": 77}}
    target, tokens, size = folder("tiny-clip", config, tokenizer, processor)
    text = Model(11)
    text.save(target / "onnx" / "text_model.onnx", ["input_ids", "attention_mask"], {"text_embeds": text.texts(size, 77, True)})
    vision = Model(12)
    vision.save(target / "onnx" / "vision_model.onnx", ["pixel_values"], {"image_embeds": vision.pictures(True)})
    tokens.enable_truncation(77)
    tokens.enable_padding(pad_id=size - 1, pad_token="<|endoftext|>")
    batch = tokens.encode_batch([words.strip() for words in TEXTS])
    given = {
        "input_ids": np.array([row.ids for row in batch], np.int64),
        "attention_mask": np.array([row.attention_mask for row in batch], np.int64),
        **prepared(processor),
    }
    texts = run(target / "onnx" / "text_model.onnx", given)["text_embeds"]
    images = run(target / "onnx" / "vision_model.onnx", given)["image_embeds"]
    refer(target, batch, texts, images)

    joint, _, _ = folder("tiny-clip-joint", config, tokenizer, processor)
    # The same weights, drawn in the same order.
    both = Model(11)
    text = both.texts(size, 77, True)
    both.draw = np.random.default_rng(12)
    vision = both.pictures(True)
    outputs = {"text_embeds": both.unit(text), "image_embeds": both.unit(vision)}
    both.save(joint / "onnx" / "model.onnx", ["input_ids", "pixel_values", "attention_mask"], outputs)
    refer(joint, batch, texts, images, normalized=True)


def tiny_siglip():
    length = 24
    tokenizer = {"model_max_length": length, "pad_token": {"content": "!"}, "tokenizer_class": "SiglipTokenizer"}
    processor = {
        "image_processor_type": "SiglipImageProcessor",
        "do_resize": True,
        "size": {"height": SIDE, "width": SIDE},
        "resample": 3,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.5] * 3,
        "image_std": [0.5] * 3,
    }
    config = {"model_type": "siglip", "text_config": {"max_position_embeddings": length}}
    target, tokens, size = folder("tiny-siglip", config, tokenizer, processor)
    text = Model(21)
    text.save(target / "onnx" / "text_model.onnx", ["input_ids"], {"pooler_output": text.texts(size, length, False)})
    vision = Model(22)
    vision.save(target / "onnx" / "vision_model.onnx", ["pixel_values"], {"pooler_output": vision.pictures(False)})
    tokens.enable_truncation(length)
    tokens.enable_padding(pad_id=tokens.token_to_id("!"), pad_token="!", length=length)
    batch = tokens.encode_batch([words.strip() for words in TEXTS])
    given = {"input_ids": np.array([row.ids for row in batch], np.int64), **prepared(processor)}
    texts = run(target / "onnx" / "text_model.onnx", given)["pooler_output"]
    images = run(target / "onnx" / "vision_model.onnx", given)["pooler_output"]
    refer(target, batch, texts, images)


if __name__ == "__main__":
    tiny_clip()
    tiny_siglip()
