"""The contract of a searcher under test: its arguments, the lines it prints, the answers it writes."""

import resource
import time
from contextlib import contextmanager

import numpy as np


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Task:
    """`rows queries dimension threads k batch repeats answers`, then settings as name=value."""

    def __init__(self, words):
        rows, queries, *numbers, self.answers = words[:8]
        self.dimension, self.threads, self.k, self.batch, self.repeats = map(int, numbers)
        self.settings = dict(word.split("=") for word in words[8:])
        self.rows, self.queries = (np.fromfile(path, dtype="<f4").reshape(-1, self.dimension) for path in (rows, queries))

    def number(self, name):
        return int(self.settings[name])

    def efforts(self, name):
        """The values to sweep of the setting `name`; one None where there is no such setting."""
        return [int(value) for value in self.settings[name].split(",")] if name else [None]

    @contextmanager
    def timed(self, what, *notes):
        wall, processor = time.perf_counter(), processor_seconds()
        yield
        wall, processor = time.perf_counter() - wall, processor_seconds() - processor
        print(what, f"{wall:.4f}", f"{processor:.4f}", *notes, sep="\t", flush=True)

    def search(self, batch_search, effort, value):
        """Times `repeats` searches of all queries in batches, and writes the last one's answers."""
        for _ in range(self.repeats):
            with self.timed("search", *([f"{effort}={value}"] if effort else [])):
                starts = range(0, len(self.queries), self.batch)
                found = np.concatenate([batch_search(self.queries[i : i + self.batch]) for i in starts])
        path = self.answers if value is None else f"{self.answers}.{value}"
        found.astype("<u4").tofile(path)
