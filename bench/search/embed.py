"""Vectors of real texts: MiniLM-L6 over Debian's package descriptions; a document is a description's
first 64 tokens, a query the title of one. Run by run.py; stopped, it goes on from the last part."""

import sys
import time
from pathlib import Path

import minilm
import numpy as np
import onnxruntime
import texts
from tokenizers import Tokenizer

LONGEST, PART, TOKENS_A_BATCH = 64, 2_000, 2_048


def distinct(tokenizer, pairs, count):
    """The first `count` pairs whose documents differ in the tokens that are read, as (title, document) ids."""
    seen, kept = set(), []
    for first in range(0, len(pairs), PART):
        part = pairs[first : first + PART]
        titles, documents = (tokenizer.encode_batch([pair[i] for pair in part]) for i in (0, 1))
        for title, document in zip(titles, documents):
            if tuple(document.ids) not in seen:
                seen.add(tuple(document.ids))
                kept.append((title.ids, document.ids))
        if len(kept) >= count:
            return kept[:count]
    raise SystemExit(f"{len(kept)} distinct texts; expected {count}")


def encode(session, lists):
    """Unit vectors of lists of tokens, those of one length together."""
    vectors = np.empty((len(lists), 384), dtype="<f4")
    by_length = {}
    for row, ids in enumerate(lists):
        by_length.setdefault(len(ids), []).append(row)
    for length, rows in sorted(by_length.items()):
        size = max(1, TOKENS_A_BATCH // length)
        for first in range(0, len(rows), size):
            batch = rows[first : first + size]
            ids = np.array([lists[row] for row in batch], dtype=np.int64)
            vectors[batch] = session.run(["mean"], {"ids": ids})[0]
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def session(threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(minilm.model(LONGEST), options, providers=["CPUExecutionProvider"])


def parts(folder, name, lists, run):
    """The vectors of `lists`, computed and kept part by part."""
    arrays = []
    for first in range(0, len(lists), PART):
        path = folder / f"{name}-{first // PART:04}.npy"
        if not path.exists():
            start = time.monotonic()
            part = lists[first : first + PART]
            unfinished = path.with_suffix(".unfinished")
            with open(unfinished, "wb") as file:
                np.save(file, encode(run, part))
            unfinished.rename(path)
            rate = sum(map(len, part)) / (time.monotonic() - start)
            print(f"{name}: {first + len(part):,} of {len(lists):,}, {rate:,.0f} tokens/s", file=sys.stderr, flush=True)
        arrays.append(np.load(path))
    return np.concatenate(arrays)[: len(lists)]


def main():
    folder, documents, queries, threads = Path(sys.argv[1]), *map(int, sys.argv[2:])
    if documents % PART:
        raise SystemExit(f"{documents} documents; expected a multiple of {PART}, so that parts serve other counts too")
    tokenizer = Tokenizer.from_file(str(minilm.folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    pairs = distinct(tokenizer, texts.descriptions(folder / "apt"), documents)
    run = session(threads)
    (folder / "parts").mkdir(exist_ok=True)
    # Titles spread evenly, so that each has its own text among the documents.
    step = documents // queries
    titles = parts(folder / "parts", f"queries-{documents}-{queries}", [pairs[i * step][0] for i in range(queries)], run)
    rows = parts(folder / "parts", "documents", [pair[1] for pair in pairs], run)
    titles.tofile(folder / f"real-{documents}.{queries}.queries.f32")
    rows.tofile(folder / f"real-{documents}.rows.f32")
    scores = titles @ rows.T
    own = scores[np.arange(queries), np.arange(queries) * step]
    better = (scores > own[:, None]).sum(axis=1)
    print(f"a title's own text is first for {np.mean(better == 0):.1%}, among ten for {np.mean(better < 10):.1%}", file=sys.stderr)


main()
