"""Vectors and texts for docs/search.md: clusters of documents, and queries beside some of them.

    python make_vectors.py        (needs numpy)
"""

import json

import numpy as np

chance = np.random.default_rng(7)


def near(centres, count, spread):
    picked = centres[chance.integers(len(centres), size=count)]
    return (picked + spread * chance.standard_normal(picked.shape)).astype("float32")


centres = chance.standard_normal((20, 16))
documents = near(centres, 400, 0.8)
golds = chance.choice(len(documents), 12, replace=False)
queries = (documents[golds] + 0.5 * chance.standard_normal((12, 16))).astype("float32")
np.save("documents.npy", documents)
np.save("queries.npy", queries)
open("documents.txt", "w").writelines(f"d{row:03}\n" for row in range(len(documents)))
open("queries.txt", "w").writelines(f"q{row:02}\n" for row in range(len(queries)))
open("vectors.qrels", "w").writelines(f"q{row:02} 0 d{gold:03} 1\n" for row, gold in enumerate(golds))

# Up to three vectors a document, the last ones of some are zero: padding.
tokens = near(centres, 60 * 3, 0.5).reshape(60, 3, 16)
tokens[::4, 2] = 0
np.save("pages.npy", tokens)
np.save("questions.npy", (tokens[:5, :2] + 0.3 * chance.standard_normal((5, 2, 16))).astype("float32"))

corpus = {
    "kraft": ("Kraft's inequality", "bounds the lengths of the words of a prefix code"),
    "huffman": ("Huffman coding", "finds the best prefix code for given frequencies"),
    "heap": ("Heaps", "give the smallest of many numbers quickly"),
}
with open("corpus.jsonl", "w") as out:
    for name, (title, text) in corpus.items():
        out.write(json.dumps({"_id": name, "title": title, "text": text}) + "\n")
with open("queries.jsonl", "w") as out:
    for name, text in {"q1": "which prefix codes exist?", "q2": "the best code for frequencies"}.items():
        out.write(json.dumps({"_id": name, "text": text}) + "\n")
