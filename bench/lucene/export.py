"""Writes the texts of TheoremQA (Parquet) as JSON Lines that the Java program reads.

    python export.py FOLDER_OF_THEOREMQA FOLDER_TO_WRITE
"""

import json
import re
import sys
from pathlib import Path

import pyarrow.parquet as parquet

PLACEHOLDER = re.compile(r"<image(?: [0-9]+)?>")


def texts(folder):
    rows = []
    for path in sorted(folder.glob("*.parquet")):
        table = parquet.read_table(path, columns=["id", "text"]).to_pylist()
        rows += [(row["id"], PLACEHOLDER.sub(" ", row["text"]).strip()) for row in table]
    return rows


def write(path, rows):
    with path.open("w", encoding="utf-8") as out:
        for identifier, text in rows:
            out.write(json.dumps({"_id": identifier, "text": text}, ensure_ascii=False) + "\n")


def spread(rows, count):
    """`count` rows at even distances in the order of the ids."""
    rows = sorted(rows)
    return [rows[position * len(rows) // count] for position in range(count)]


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    corpus, queries = texts(source / "corpus"), texts(source / "query")
    write(target / "corpus.jsonl", corpus)
    write(target / "queries.jsonl", queries)
    (target / "mini").mkdir(exist_ok=True)
    write(target / "mini" / "corpus.jsonl", spread(corpus, 80))
    write(target / "mini" / "queries.jsonl", spread(queries, 100))
    with (target / "texts.jsonl").open("w", encoding="utf-8") as out:
        for _, text in spread(queries, 120) + spread(corpus, 60):
            out.write(json.dumps(text[:300], ensure_ascii=False) + "\n")
    words = {word for _, text in corpus + queries for word in re.findall(r"[^\W_]+", text.lower())}
    (target / "words.txt").write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")


main()
