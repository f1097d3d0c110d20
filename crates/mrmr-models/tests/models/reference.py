"""What onnxruntime and tokenizers make of texts, in padded batches as sentence-transformers has them."""

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


def session(folder):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    models = sorted((folder / "onnx").glob("*.onnx"))
    return onnxruntime.InferenceSession(str(models[0]), options, providers=["CPUExecutionProvider"])


def run(network, rows, mask_rows, type_rows):
    """An output for a batch, as the graph's own inputs ask: that of three axes, else the first."""
    given = {
        "input_ids": np.array(rows, np.int64),
        "attention_mask": np.array(mask_rows, np.int64),
        "token_type_ids": np.array(type_rows, np.int64),
    }
    wanted = {entry.name for entry in network.get_inputs()}
    outputs = network.run(None, {name: value for name, value in given.items() if name in wanted})
    return next((output for output in outputs if output.ndim == 3), outputs[0])


def tokenizer(folder, limit, padding=True):
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.enable_truncation(limit)
    found.no_padding()
    if padding:
        found.enable_padding()
    return found


def normal(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)


def sentence_vectors(folder, texts, limit, normalize=True, pooling="mean"):
    """Vectors of texts."""
    network = session(folder)
    batch = tokenizer(folder, limit).encode_batch([text.strip() for text in texts])
    masks = [entry.attention_mask for entry in batch]
    values = run(network, [e.ids for e in batch], masks, [e.type_ids for e in batch])
    mask = np.array(masks)[:, :, None].astype(np.float32)
    if pooling == "mean":
        values = (values * mask).sum(1) / np.maximum(mask.sum(1), 1e-9)
    elif pooling == "cls":
        values = values[:, 0]
    elif pooling == "max":
        values = np.where(mask > 0, values, -np.inf).max(1)
    elif pooling == "last":
        values = values[np.arange(len(values)), np.array(masks).sum(1) - 1]
    return normal(values) if normalize else values
