"""The rows and queries to search, kept under target/bench-data/search: random clusters, and real texts."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import environment
import numpy as np

FOLDER = environment.ROOT / "target/bench-data/search"
DIMENSION, CLUSTERS, QUERIES, MANY = 384, 1_000, 1_000, 10_000
OUTLIERS = [7, 100, 201, 333]


@dataclass(frozen=True)
class Data:
    """Files of little-endian 32-bit numbers, of unit vectors."""

    title: str
    rows: Path
    queries: Path
    dimension: int = DIMENSION

    def vectors(self, path):
        return np.memmap(path, dtype="<f4", mode="r").reshape(-1, self.dimension)

    def first(self, count):
        """The same rows with no more than the first `count` queries."""
        queries = self.vectors(self.queries)
        if count >= len(queries):
            return self
        path = self.queries.with_suffix(f".{count}.f32")
        write(queries[:count], path)
        return Data(self.title, self.rows, path, self.dimension)


def write(vectors, path):
    unfinished = path.with_suffix(".unfinished")
    np.ascontiguousarray(vectors, dtype="<f4").tofile(unfinished)
    unfinished.rename(path)


TITLES = {
    "clusters": "in random clusters",
    "outliers": "of which four columns are 100 times larger, with random signs",
    "alike": "in 20 clusters too dense for 8 bits",
}


def clusters(count, many, shape="clusters"):
    """`count` rows about random centres, and 1,000 queries from them, or 10,000 others for what is too
    fast for a clock to time over fewer."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, few, more = (FOLDER / f"{shape}-{count}.{part}.f32" for part in ("rows", "queries", "many"))
    if not all(path.exists() for path in (rows, few, more)):
        random = np.random.default_rng(1)
        centres = random.standard_normal((20 if shape == "alike" else CLUSTERS, DIMENSION), dtype=np.float32)
        for path, size in ((rows, count), (few, QUERIES), (more, MANY)):
            vectors = centres[random.integers(0, len(centres), size)]
            noise = random.standard_normal((size, DIMENSION), dtype=np.float32)
            vectors = vectors + (noise * np.float32(0.01) if shape == "alike" else noise)
            if shape == "outliers":
                vectors[:, OUTLIERS] *= random.choice([-100, 100], (size, len(OUTLIERS)))
            write(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), path)
    return Data(f"{count:,} rows {TITLES[shape]}", rows, more if many else few)


def real(documents, threads, queries=4_000):
    """MiniLM's vectors of Debian's package descriptions, and of titles as queries."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, titles = (FOLDER / f"real-{documents}.{part}.f32" for part in ("rows", f"{queries}.queries"))
    if not (rows.exists() and titles.exists()):
        command = [sys.executable, environment.HERE / "embed.py", FOLDER, documents, queries, threads]
        subprocess.run([str(word) for word in command], check=True)
    return Data(f"{documents:,} package descriptions, MiniLM-L6", rows, titles)
