"""A run and qrels with what breaks evaluators: ties, scores beyond single precision, graded and
negative judgements, unjudged documents, missing queries, lines out of order. The same bytes each time."""

import math
import random


def documents(random_, count, depth):
    """`depth` distinct documents of a collection of `count`."""
    step = random_.randrange(1, count - 1)
    while math.gcd(step, count) != 1:
        step += 1
    start = random_.randrange(count)
    return lambda i: "D%07d" % ((start + i * step) % count)


def scores(random_, depth):
    kind = random_.random()
    if kind < 0.25:
        return ["%.1f" % (30 - 20 * math.log1p(i) / math.log1p(depth)) for i in range(depth)]
    if kind < 0.27:
        return ["%.10f" % (100 - i * 1e-9) for i in range(depth)]
    return ["%.6f" % (30 - 20 * math.log1p(i) / math.log1p(depth) + 0.3 * random_.random()) for i in range(depth)]


def query(random_, number, depth, count=8_841_823):
    """The run's and the qrels' lines of one query."""
    name = str(1_000_000 + number * 7)
    document = documents(random_, count, depth)
    length = depth if random_.random() >= 0.02 else random_.randrange(1, max(2, depth // 10))
    order = list(range(length))
    if random_.random() < 0.05:
        random_.shuffle(order)
    values = scores(random_, length)
    run = "".join(f"{name} Q0 {document(i)} {rank + 1} {values[i]} synth\n" for rank, i in enumerate(order))
    judged = {}
    for _ in range(1 + int(random_.expovariate(1 / 11))):
        retrieved = random_.random() < 0.7
        at = int(length * random_.random() ** 3) if retrieved else depth + 1 + random_.randrange(1000)
        judged[document(at)] = random_.choice([0, 0, 0, 0, 1, 1, 2, 3, -1])
    qrels = "".join(f"{name} 0 {doc} {grade}\n" for doc, grade in judged.items())
    return run if random_.random() >= 0.01 else "", qrels if random_.random() >= 0.01 else ""


def write(prefix, queries, depth, seed):
    random_ = random.Random(seed)
    with open(prefix + ".run", "w") as run, open(prefix + ".qrels", "w") as qrels:
        for number in range(queries):
            lines, judgements = query(random_, number, depth)
            run.write(lines)
            qrels.write(judgements)
