"""Golden data from the PyPI package bm25s for crates/mrmr-search.

    pip install bm25s==0.3.16
    python golden.py terms    the terms of every text of tests/fixtures/lucene/analyzer.jsonl
    python golden.py words    src/analysis/word_characters.rs: what the regular expression \\w takes
"""

import json
import re
import sys
import unicodedata
from pathlib import Path

CRATE = Path(__file__).resolve().parents[2] / "crates" / "mrmr-search"
FIXTURES = CRATE / "tests" / "fixtures"


def terms():
    import bm25s

    rows = (FIXTURES / "lucene" / "analyzer.jsonl").read_text(encoding="utf-8").split("\n")
    texts = [json.loads(row)["text"] for row in rows if row]
    tokens = bm25s.tokenize(texts, return_ids=False, show_progress=False)
    with (FIXTURES / "bm25s" / "terms.jsonl").open("w", encoding="utf-8") as out:
        for text, found in zip(texts, tokens, strict=True):
            out.write(json.dumps({"text": text, "tokens": found}, ensure_ascii=False) + "\n")


def words():
    is_word = re.compile(r"(?u)\w").match
    ranges = []
    for point in range(sys.maxunicode + 1):
        if 0xD800 <= point <= 0xDFFF or not is_word(chr(point)):
            continue
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    lines, line = [], "   "
    for first, last in ranges:
        pair = f" (0x{first:X}, 0x{last:X}),"
        if len(line) + len(pair) > 100:
            lines.append(line)
            line = "   "
        line += pair
    lines.append(line)
    version = unicodedata.unidata_version
    (CRATE / "src" / "analysis" / "word_characters.rs").write_text(
        f"//! What `\\w` takes in Python's `re`, by Unicode {version}. Made by `bench/bm25s/golden.py words`.\n\n"
        "/// First and last code point of each run, ascending.\n"
        "#[rustfmt::skip]\n"
        f"pub(super) const WORD_CHARACTERS: [(u32, u32); {len(ranges)}] = [\n" + "\n".join(lines) + "\n];\n",
        encoding="utf-8",
    )


{"terms": terms, "words": words}[sys.argv[1]]()
