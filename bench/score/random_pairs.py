#!/usr/bin/env python3
"""Random runs and qrels, measured by mrmr (--compat trec_eval-9) and by pytrec_eval: every value of
every query, for every measure that both have, is the same to 1e-9.

    python3 bench/score/random_pairs.py --pairs 10000

Builds the release binary and uses the environment that run.py makes.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

CUTOFFS = [1, 3, 5, 10, 20]
# mrmr's name: pytrec_eval's measure and the key of its value.
MEASURES = {
    "nDCG": ("ndcg", "ndcg"),
    "AP": ("map", "map"),
    "RR": ("recip_rank", "recip_rank"),
    "Rprec": ("Rprec", "Rprec"),
    "bpref": ("bpref", "bpref"),
    "infAP": ("infAP", "infAP"),
    "SetP": ("set_P", "set_P"),
    "SetR": ("set_recall", "set_recall"),
    "SetF": ("set_F", "set_F"),
    "SetAP": ("set_map", "set_map"),
    "NumRet": ("num_ret", "num_ret"),
    "NumRel": ("num_rel", "num_rel"),
    "NumRelRet": ("num_rel_ret", "num_rel_ret"),
}
for k in CUTOFFS:
    MEASURES |= {
        f"nDCG@{k}": ("ndcg_cut.%s" % ",".join(map(str, CUTOFFS)), f"ndcg_cut_{k}"),
        f"AP@{k}": ("map_cut.%s" % ",".join(map(str, CUTOFFS)), f"map_cut_{k}"),
        f"P@{k}": ("P.%s" % ",".join(map(str, CUTOFFS)), f"P_{k}"),
        f"R@{k}": ("recall.%s" % ",".join(map(str, CUTOFFS)), f"recall_{k}"),
        f"Success@{k}": ("success.%s" % ",".join(map(str, CUTOFFS)), f"success_{k}"),
    }


def pair(rng):
    """Qrels and a run of a few queries: ties, 32-bit ties, negative grades, unjudged, missing, out of order."""
    qrels, run = {}, {}
    for q in range(rng.randint(1, 5)):
        documents = [f"d{rng.randint(0, 60)}" for _ in range(rng.randint(1, 40))]
        judged = {d: rng.choice([-1, 0, 0, 1, 1, 2, 3]) for d in documents if rng.random() < 0.5}
        # A query without any relevant or zero grade makes pytrec_eval hang; mrmr's own tests have it.
        judged[f"d{rng.randint(0, 60)}"] = rng.choice([0, 1, 2])
        kind = rng.random()
        if kind < 0.4:
            score = lambda: float(rng.randint(0, 4))
        elif kind < 0.6:
            score = lambda: 16777216.0 + rng.randint(0, 6)
        else:
            score = lambda: rng.uniform(-5, 5)
        if rng.random() < 0.95:
            qrels[f"q{q}"] = judged
        if rng.random() < 0.95:
            run[f"q{q}"] = {d: score() for d in documents}
    return qrels, run


def check(folder, mrmr, qrels, run):
    """The largest difference of one pair, and how many values were compared."""
    import pytrec_eval

    common = set(qrels) & set(run)
    if not common:
        return 0.0, 0
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, js in qrels.items() for d, g in js.items()))
    (folder / "run").write_text("".join(f"{q} Q0 {d} 1 {s!r} t\n" for q, ds in run.items() for d, s in ds.items()))
    options = [o for name in MEASURES for o in ("-m", name)]
    command = [mrmr, "score", "qrels", "run", "--compat", "trec_eval-9", "--missing", "skip", "--per-query", "--no-intervals", "--format", "json", "-q", *options]
    out = subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True).stdout
    ours = {row["query"]: row["values"] for row in json.loads(out)["runs"][0]["queries"]}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {m for m, _ in MEASURES.values()}).evaluate(run)
    assert set(ours) == set(theirs), (set(ours), set(theirs))
    worst, count = 0.0, 0
    for query, values in theirs.items():
        for name, (_, key) in MEASURES.items():
            difference = abs(ours[query][name] - values[key])
            count += 1
            if difference > 1e-9:
                raise SystemExit(f"{name} of {query}: {ours[query][name]} here, {values[key]} in pytrec_eval\n{qrels}\n{run}")
            worst = max(worst, difference)
    return worst, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        import run as bench

        mrmr, _ = bench.build()
        command = [bench.environment(), __file__, "--inside", mrmr, "--pairs", str(arguments.pairs), "--seed", str(arguments.seed)]
        raise SystemExit(subprocess.run(command).returncode)
    rng = random.Random(arguments.seed)
    worst, values = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.pairs):
            difference, count = check(Path(folder), arguments.inside, *pair(rng))
            worst, values = max(worst, difference), values + count
    print(f"{arguments.pairs} pairs, {len(MEASURES)} measures, {values} values: largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
