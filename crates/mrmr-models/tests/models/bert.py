"""A BERT as an ONNX graph, from its weights by name: no torch, no transformers.

The weights are named as transformers names them. What follows the last layer is one of:
nothing (`last_hidden_state`), a classifier over the pooled first token (`logits`), or a
projection of each token (`output`), as in ColBERT.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17


class Graph:
    """Nodes and constants, named as they come."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def scalar(self, value):
        return self.constant(np.array(value, np.float32))

    def shape(self, *sizes):
        return self.constant(np.array(sizes, np.int64))

    def node(self, kind, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"{kind}_{name}", **attributes))
        return name


def bert(weights, config, head=None):
    """The model; `head` is None, 'classifier' or 'projection'."""
    graph = Graph()
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    size = hidden // heads

    def weight(name):
        return np.asarray(weights[name], np.float32)

    def linear(value, name, bias=True):
        product = graph.node("MatMul", value, graph.constant(weight(f"{name}.weight").T))
        return graph.node("Add", product, graph.constant(weight(f"{name}.bias"))) if bias else product

    def normal(value, name):
        scale, bias = graph.constant(weight(f"{name}.weight")), graph.constant(weight(f"{name}.bias"))
        return graph.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=config["layer_norm_eps"])

    def gelu(value):
        erf = graph.node("Erf", graph.node("Div", value, graph.scalar(np.sqrt(2.0))))
        product = graph.node("Mul", value, graph.node("Add", erf, graph.scalar(1.0)))
        return graph.node("Mul", product, graph.scalar(0.5))

    def split(value, order):
        parts = graph.node("Reshape", value, graph.shape(0, 0, heads, size))
        return graph.node("Transpose", parts, perm=order)

    # Positions 0 to n - 1, cut from the table by the length of the input.
    length = graph.node("Gather", graph.node("Shape", "input_ids"), graph.shape(1), axis=0)
    table = graph.constant(weight("embeddings.position_embeddings.weight"))
    positions = graph.node("Slice", table, graph.shape(0), length, graph.shape(0))
    words = graph.node("Gather", graph.constant(weight("embeddings.word_embeddings.weight")), "input_ids")
    types = graph.node("Gather", graph.constant(weight("embeddings.token_type_embeddings.weight")), "token_type_ids")
    value = graph.node("Add", graph.node("Add", words, types), positions)
    value = normal(value, "embeddings.LayerNorm")

    present = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    absent = graph.node("Sub", graph.scalar(1.0), present)
    mask = graph.node("Mul", absent, graph.scalar(np.finfo(np.float32).min))
    mask = graph.node("Unsqueeze", mask, graph.shape(1, 2))

    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        query = split(linear(value, f"{at}.attention.self.query"), [0, 2, 1, 3])
        key = split(linear(value, f"{at}.attention.self.key"), [0, 2, 3, 1])
        content = split(linear(value, f"{at}.attention.self.value"), [0, 2, 1, 3])
        scores = graph.node("Div", graph.node("MatMul", query, key), graph.scalar(np.sqrt(size)))
        shares = graph.node("Softmax", graph.node("Add", scores, mask), axis=-1)
        joined = graph.node("Transpose", graph.node("MatMul", shares, content), perm=[0, 2, 1, 3])
        joined = graph.node("Reshape", joined, graph.shape(0, 0, hidden))
        attended = linear(joined, f"{at}.attention.output.dense")
        value = normal(graph.node("Add", attended, value), f"{at}.attention.output.LayerNorm")
        inner = gelu(linear(value, f"{at}.intermediate.dense"))
        value = normal(graph.node("Add", linear(inner, f"{at}.output.dense"), value), f"{at}.output.LayerNorm")

    name, shape = "last_hidden_state", ["batch", "sequence", hidden]
    if head == "classifier":
        first = graph.node("Gather", value, graph.constant(np.array(0, np.int64)), axis=1)
        pooled = graph.node("Tanh", linear(first, "pooler.dense"))
        value = linear(pooled, "classifier")
        name, shape = "logits", ["batch", weight("classifier.bias").shape[0]]
    elif head == "projection":
        value = linear(value, "linear", bias=False)
        name, shape = "output", ["batch", "sequence", weight("linear.weight").shape[0]]
    graph.nodes.append(helper.make_node("Identity", [value], [name], name=name))

    def tokens(name):
        return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])

    inputs = [tokens("input_ids"), tokens("attention_mask"), tokens("token_type_ids")]
    output = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    built = helper.make_graph(graph.nodes, "bert", inputs, [output], graph.constants)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def random_weights(config, seed, classes=0, projection=0):
    """Weights of no meaning, drawn from a seed."""
    draw = np.random.default_rng(seed)
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    weights = {}

    def matrix(name, rows, columns, scale=0.3):
        weights[name] = draw.normal(0, scale, (rows, columns)).astype(np.float32)

    def dense(name, rows, columns):
        matrix(f"{name}.weight", rows, columns, 1.5 / np.sqrt(columns))
        weights[f"{name}.bias"] = draw.normal(0, 0.1, rows).astype(np.float32)

    def normal(name):
        weights[f"{name}.weight"] = draw.normal(1, 0.1, hidden).astype(np.float32)
        weights[f"{name}.bias"] = draw.normal(0, 0.1, hidden).astype(np.float32)

    matrix("embeddings.word_embeddings.weight", config["vocab_size"], hidden)
    matrix("embeddings.position_embeddings.weight", config["max_position_embeddings"], hidden)
    matrix("embeddings.token_type_embeddings.weight", 2, hidden)
    normal("embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        for name in ("query", "key", "value"):
            dense(f"{at}.attention.self.{name}", hidden, hidden)
        dense(f"{at}.attention.output.dense", hidden, hidden)
        normal(f"{at}.attention.output.LayerNorm")
        dense(f"{at}.intermediate.dense", inner, hidden)
        dense(f"{at}.output.dense", hidden, inner)
        normal(f"{at}.output.LayerNorm")
    if classes:
        dense("pooler.dense", hidden, hidden)
        dense("classifier", classes, hidden)
    if projection:
        matrix("linear.weight", projection, hidden, 1 / np.sqrt(hidden))
    return weights
