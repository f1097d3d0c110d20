"""The share of the true top k that answers hold. What scores as well as the k-th of the truth counts:
rows alike are as good as one another."""

import numpy as np


def scores(data, rows):
    """64-bit inner products of each query with its rows; rows that don't exist (an id of -1) score lowest."""
    vectors, queries = data.vectors(data.rows), data.vectors(data.queries)
    found = np.full(rows.shape, -np.inf)
    for number, query in enumerate(queries):
        there = rows[number] < len(vectors)
        # One product and one sum for every row, so that equal rows have equal scores to the last bit.
        products = vectors[rows[number][there]].astype(np.float64) * query.astype(np.float64)
        found[number, there] = products.sum(axis=1)
    return found


def recall(data, truth, answers):
    least = scores(data, truth).min(axis=1)
    found = scores(data, answers)
    # A row that is answered twice counts once.
    order = np.sort(answers, axis=1)
    repeated = (order[:, 1:] == order[:, :-1]).sum()
    hits = (found >= least[:, None]).sum() - repeated
    return hits / answers.size
