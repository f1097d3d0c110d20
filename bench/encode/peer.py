"""Times onnxruntime on texts: peer.py ONNX TOKENIZER texts.json THREADS LIMIT REPEATS vectors.f32.

Batches of 32 texts sorted by length, padded, as sentence-transformers has them; mean of the tokens, length 1.
"""

import json
import resource
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH = 32


def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    model, pieces, texts, threads, limit, repeats, vectors = sys.argv[1:]
    texts = json.load(open(texts))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    network = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(pieces)
    tokenizer.enable_truncation(int(limit))
    tokenizer.enable_padding()
    for _ in range(int(repeats)):
        wall, spent, tokens = time.perf_counter(), processor(), 0
        made = np.zeros((len(texts), 384), np.float32)
        order = sorted(range(len(texts)), key=lambda item: -len(texts[item]))
        for first in range(0, len(order), BATCH):
            items = order[first : first + BATCH]
            batch = tokenizer.encode_batch([texts[item].strip() for item in items])
            ids = np.array([entry.ids for entry in batch], np.int64)
            mask = np.array([entry.attention_mask for entry in batch], np.int64)
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            values = network.run(None, given)[0]
            weight = mask[:, :, None].astype(np.float32)
            means = (values * weight).sum(1) / weight.sum(1)
            made[items] = means / np.linalg.norm(means, axis=1, keepdims=True)
            tokens += int(mask.sum())
        wall, spent = time.perf_counter() - wall, processor() - spent
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"encode\t{wall:.3f}\t{spent:.2f}\t{tokens}\t{memory}", flush=True)
    made.tofile(vectors)


main()
