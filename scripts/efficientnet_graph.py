"""EfficientNet-lite0 without its classifier as an ONNX graph, from the weights of a torch checkpoint: no torch.

Input `pixel` [batch, 3, 160, 160], output `feat` [batch, 2560]: the last layer's mean and maximum over the picture.
Published as TensorFlow's, so padding is TensorFlow's ("same": the odd pixel on the right and below).
"""

import pathlib
import pickle
import sys
from collections import OrderedDict

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "crates" / "mrmr-models" / "tests" / "models"))
from bert import OPSET, Graph  # noqa: E402

SIDE = 160
EPSILON = 1e-3
# (repeats, kernel, stride, expansion)
STAGES = [(1, 3, 1, 1), (2, 3, 2, 6), (2, 5, 2, 6), (3, 3, 2, 6), (3, 5, 1, 6), (4, 5, 2, 6), (1, 3, 1, 6)]
TYPES = {"FloatStorage": "<f4", "LongStorage": "<i8"}


class Checkpoint(pickle.Unpickler):
    """A pickle that may name nothing but tensors and their storages."""

    def __init__(self, file):
        super().__init__(file)
        self.places = {}

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, size, stride, *_: (storage, offset, size, stride)
        if module == "torch" and name in TYPES:
            return name
        raise pickle.UnpicklingError(f"the checkpoint names {module}.{name}: not a tensor")

    def persistent_load(self, key):
        _, kind, name, _, count, *_ = key
        self.places[name] = (TYPES[kind], count)
        return name


def weights(path):
    """The arrays of a checkpoint in torch's form of before 1.6: pickles, then the storages one after the other."""
    with open(path, "rb") as file:
        for _ in ("magic number", "version", "machine"):
            Checkpoint(file).load()
        reader = Checkpoint(file)
        tensors = reader.load()
        storages = {}
        for name in Checkpoint(file).load():
            kind, count = reader.places[name]
            if int.from_bytes(file.read(8), "little") != count:
                raise ValueError(f"{path}: storage {name} has another size than its tensor says")
            storages[name] = np.frombuffer(file.read(count * np.dtype(kind).itemsize), kind)
    return {key: view(storages[name], *place) for key, (name, *place) in tensors.items()}


def view(storage, offset, size, stride):
    strides = [step * storage.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], size, strides).copy()


def features(weights):
    """The model."""
    graph = Graph()
    side = SIDE

    def convolution(value, name, normal, stride=1, activated=True):
        """A convolution with the batch normalisation behind it in its weights."""
        nonlocal side
        kernel = weights[f"{name}.weight"].astype(np.float64)
        scale = weights[f"{normal}.weight"] / np.sqrt(weights[f"{normal}.running_var"].astype(np.float64) + EPSILON)
        bias = weights[f"{normal}.bias"] - weights[f"{normal}.running_mean"] * scale
        kernel = graph.constant((kernel * scale[:, None, None, None]).astype(np.float32))
        size = weights[f"{name}.weight"].shape[-1]
        out = -(-side // stride)
        pad = max((out - 1) * stride + size - side, 0)
        before, after = pad // 2, pad - pad // 2
        side = out
        grouped = weights[f"{name}.weight"].shape[1] == 1 and size > 1
        value = graph.node(
            "Conv", value, kernel, graph.constant(bias.astype(np.float32)), kernel_shape=[size, size],
            strides=[stride, stride], pads=[before, before, after, after],
            group=weights[f"{name}.weight"].shape[0] if grouped else 1,
        )  # fmt: skip
        return graph.node("Clip", value, graph.scalar(0.0), graph.scalar(6.0)) if activated else value

    value = convolution("pixel", "_conv_stem", "_bn0", stride=2)
    block = 0
    for repeats, _, stride, expansion in STAGES:
        for repeat in range(repeats):
            at, first = f"_blocks.{block}", value
            if expansion > 1:
                value = convolution(value, f"{at}._expand_conv", f"{at}._bn0")
            value = convolution(value, f"{at}._depthwise_conv", f"{at}._bn1", stride=1 if repeat else stride)
            value = convolution(value, f"{at}._project_conv", f"{at}._bn2", activated=False)
            value = graph.node("Add", value, first) if repeat else value
            block += 1
    value = convolution(value, "_conv_head", "_bn1")
    mean = graph.node("ReduceMean", value, axes=[2, 3], keepdims=0)
    largest = graph.node("ReduceMax", value, axes=[2, 3], keepdims=0)
    graph.nodes.append(helper.make_node("Concat", [mean, largest], ["feat"], axis=1))

    pixel = helper.make_tensor_value_info("pixel", TensorProto.FLOAT, ["batch", 3, SIDE, SIDE])
    feat = helper.make_tensor_value_info("feat", TensorProto.FLOAT, ["batch", 2560])
    built = helper.make_graph(graph.nodes, "efficientnet-lite0", [pixel], [feat], graph.constants)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    return model
