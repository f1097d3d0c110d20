"""One peer's scoring of (qrels, run); prints its means as JSON. Run by run.py in its environment."""

import json
import sys


def read_qrels(path):
    judged = {}
    with open(path) as lines:
        for line in lines:
            query, _, document, grade = line.split()
            judged.setdefault(query, {})[document] = int(grade)
    return judged


def read_run(path):
    scored = {}
    with open(path) as lines:
        for line in lines:
            query, _, document, _, score, _ = line.split()
            scored.setdefault(query, {})[document] = float(score)
    return scored


def pytrec_eval(qrels, run):
    import pytrec_eval

    names = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "R@100": "recall_100", "AP": "map", "P@10": "P_10", "nDCG": "ndcg"}
    measures = {"ndcg_cut.10", "recip_rank", "recall.100", "map", "P.10", "ndcg"}
    qrels, run = read_qrels(qrels), read_run(run)
    values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    return {ours: sum(v[theirs] for v in values.values()) / len(values) for ours, theirs in names.items()}


def ir_measures(qrels, run):
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    measures = [nDCG @ 10, RR, R @ 100, AP, P @ 10, nDCG]
    values = ir_measures.calc_aggregate(measures, ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run))
    return {str(measure): value for measure, value in values.items()}


def ranx(qrels, run):
    from ranx import Qrels, Run, evaluate

    names = {"nDCG@10": "ndcg@10", "RR": "mrr", "R@100": "recall@100", "AP": "map", "P@10": "precision@10", "nDCG": "ndcg"}
    qrels, run = Qrels.from_file(qrels, kind="trec"), Run.from_file(run, kind="trec")
    values = evaluate(qrels, run, list(names.values()), make_comparable=True)
    return {ours: float(values[theirs]) for ours, theirs in names.items()}


if __name__ == "__main__":
    _, peer, qrels, run = sys.argv
    print(json.dumps(globals()[peer](qrels, run)))
