#!/usr/bin/env python3
"""Compares mrmr_measures::statistics with scipy and statsmodels on random cases.

    bench/statistics/check.py            compares, prints the largest differences, exit 1 if one is too large
    bench/statistics/check.py --golden   also writes crates/mrmr-measures/tests/fixtures/statistics.json

Makes its own virtual environment beside itself, from requirements.txt.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIXTURE = ROOT / "crates/mrmr-measures/tests/fixtures/statistics.json"
CASES = 200
MONTE_CARLO = "standard errors of the Monte Carlo estimate"


def enter_environment():
    python = HERE / ".venv" / "bin" / "python"
    if Path(sys.prefix) == HERE / ".venv":
        return
    if not python.exists():
        venv.create(HERE / ".venv", with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
    os.execv(python, [str(python), *sys.argv])


enter_environment()

import numpy as np  # noqa: E402
import scipy  # noqa: E402
import statsmodels  # noqa: E402
from scipy import optimize, stats  # noqa: E402
from statsmodels.stats.multitest import multipletests  # noqa: E402
from statsmodels.stats.power import TTestPower  # noqa: E402

worst = {}


def ask(questions):
    command = ["cargo", "run", "-q", "--release", "-p", "mrmr-measures", "--example", "statistics"]
    lines = "\n".join(json.dumps(question) for question in questions)
    out = subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr)
    return [json.loads(line) for line in out.stdout.splitlines()]


def note(what, ours, theirs, limit, unit="relative"):
    """Keeps the largest difference of each kind, with its limit."""
    ours, theirs = float(ours), float(theirs)
    scale = max(abs(theirs), 1e-300) if unit == "relative" else 1.0
    found = abs(ours - theirs) / scale
    found = np.inf if np.isnan(found) else found
    count, largest, _, _ = worst.get(what, (0, 0.0, limit, unit))
    worst[what] = (count + 1, max(largest, found), limit, unit)


def values(random, kind, n):
    """Values as measures have them: in [0, 1], of few or of many kinds."""
    if kind == "success":
        return random.integers(0, 2, n).astype(float)
    if kind == "grades":  # multiples of 1/8: exact ties among the differences
        return random.integers(0, 9, n) / 8
    if kind == "rr":
        return np.where(random.random(n) < 0.3, 0.0, 1.0 / random.integers(1, 11, n))
    return random.beta(0.6, 1.1, n)


def pairs(random):
    kinds = ["success", "grades", "rr", "beta"]
    for case in range(CASES):
        n = int(random.choice([2, 3, 5, 8, 12, 13, 14, 20, 25, 40, 50, 51, 80, 150, 323, 1000, 6980]))
        baseline = values(random, kinds[case % 4], n)
        other = values(random, kinds[case % 4], n)
        run = np.where(random.random(n) < random.random(), other, baseline)
        if case % 3 == 0 and kinds[case % 4] == "beta":
            run = np.clip(baseline + random.normal(0.02, 0.1, n), 0, 1)
        yield baseline, run


def theirs_of(baseline, run):
    d = run - baseline
    d = np.where(np.abs(d) < 1e-12, 0, d)
    nonzero = d[d != 0]
    answer = {"difference": float(np.mean(d))}
    if len(nonzero) == 0:
        return answer | {"t": 1.0, "wilcoxon": 1.0, "sign": 1.0, "randomization": 1.0}
    if np.std(d) > 1e-12:
        answer["t"] = float(stats.ttest_rel(run, baseline).pvalue)
        answer["effect_size"] = float(np.mean(d) / np.std(d, ddof=1))
    # scipy looks at equality to the last bit; equal up to rounding is equal here.
    rounded = np.round(nonzero, 12)
    answer["wilcoxon"] = float(stats.wilcoxon(rounded, correction=True, method="auto").pvalue)
    answer["sign"] = float(stats.binomtest(int(np.sum(d > 0)), len(nonzero)).pvalue)
    if len(nonzero) == 1:
        answer["randomization"] = 1.0
    elif len(nonzero) <= 20:
        test = stats.permutation_test(
            (nonzero,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True,
            axis=-1, batch=100_000, alternative="two-sided")
        answer["randomization"] = float(test.pvalue)
    return answer


def check_pairs(random):
    cases = list(pairs(random))
    questions = [{"baseline": a.tolist(), "run": b.tolist()} for a, b in cases]
    rows = []
    for question, (a, b), ours in zip(questions, cases, ask(questions)):
        theirs = theirs_of(a, b)
        rows.append((question, theirs))
        tests = ours["tests"]
        note("difference of means", ours["difference"], theirs["difference"], 1e-12, "absolute")
        if "t" in theirs:
            note("paired t-test", tests["t"]["p"], theirs["t"], 1e-9)
        if "effect_size" in theirs:
            note("effect size", ours["effect_size"], theirs["effect_size"], 1e-9)
        note("Wilcoxon, " + tests["wilcoxon"]["method"], tests["wilcoxon"]["p"], theirs["wilcoxon"], 1e-9)
        note("sign test", tests["sign"]["p"], theirs["sign"], 1e-9)
        if "randomization" in theirs:
            note("randomization, exact", tests["randomization"]["p"], theirs["randomization"], 1e-12)
        else:
            check_randomization(b - a, tests["randomization"]["p"])
    return rows


def check_randomization(d, p, permutations=20_000):
    """Both are estimates: their distance in standard errors."""
    random = np.random.default_rng(len(d))
    d = np.round(d[np.abs(d) > 1e-12], 12)
    extreme = 0
    for _ in range(20):
        signs = random.integers(0, 2, (permutations // 20, len(d))) * 2 - 1
        extreme += int(np.sum(np.abs(signs @ d) >= abs(d.sum()) - 1e-9))
    other = (extreme + 1) / (permutations + 1)
    both = (p * 100_001 + other * (permutations + 1)) / (100_001 + permutations + 1)
    error = np.sqrt(both * (1 - both) * (1 / 100_001 + 1 / permutations))
    if error > 0:
        note("randomization, sampled", (p - other) / error, 0, 5, MONTE_CARLO)


def check_intervals(random):
    """Drawn: against scipy's BCa, both with many resamples. In standard errors of the mean."""
    kinds = [(kind, n) for n in (5, 12, 50, 323) for kind in ("grades", "rr", "beta", "mostly 0")]
    cases = []
    for kind, n in kinds:
        case = values(random, "beta" if kind == "mostly 0" else kind, n)
        if kind == "mostly 0":
            case[: 2 * n // 3] = 0
        cases.append(case)
    resamples = 200_000
    answers = ask([{"values": case.tolist(), "resamples": resamples} for case in cases])
    rows = []
    for (kind, n), case, ours in zip(kinds, cases, answers):
        found = stats.bootstrap(
            (case,), np.mean, n_resamples=resamples, batch=max(1, 10_000_000 // n), method="BCa", rng=random)
        error = np.std(case, ddof=1) / np.sqrt(n)
        interval = found.confidence_interval
        # A mean of few values, or of values in steps, has few possible numbers.
        few = n < 50 or kind == "grades"
        for end in ("low", "high"):
            theirs = float(getattr(interval, end))
            note(f"BCa, drawn{', few possible means' if few else ''}", (ours["drawn"][end] - theirs) / error, 0,
                 0.15 if few else 0.03, "standard errors of the mean")
        rows.append((case.tolist(), float(interval.low), float(interval.high)))
    return rows


def reference_bca(case, resamples, random, level=0.95):
    """BCa from very many resamples, counted by groups of equal values."""
    distinct, counts = np.unique(case, return_counts=True)
    n = len(case)
    means = np.concatenate([
        random.multinomial(n, counts / n, resamples // 50) @ distinct / n for _ in range(50)])
    mean, d = case.mean(), case - case.mean()
    share = (np.mean(means < mean - 1e-12) + np.mean(means <= mean + 1e-12)) / 2
    bias = stats.norm.ppf(share)
    acceleration = np.sum(d**3) / (6 * np.sum(d**2) ** 1.5)
    z = bias + stats.norm.ppf([(1 - level) / 2, (1 + level) / 2])
    return np.quantile(means, stats.norm.cdf(bias + z / (1 - acceleration * z)))


def check_saddlepoint(random):
    kinds = [(n, kind) for n in (1001, 2000, 6980) for kind in ("success", "rr", "beta", "rare", "steep")]
    cases = []
    for n, kind in kinds:
        if kind == "rare":  # about as few as the automatic choice takes
            cases.append((kind, (random.random(n) < 130 / n).astype(float)))
        elif kind == "steep":
            cases.append((kind, np.round(random.random(n) ** 4, 2)))
        elif kind == "beta":
            cases.append((kind, np.round(values(random, kind, n), 2)))
        else:
            cases.append((kind, values(random, kind, n)))
    answers = ask([{"values": c.tolist(), "resamples": 10_000} for _, c in cases])
    for (kind, case), ours in zip(cases, answers):
        if "saddlepoint" not in ours["automatic"]["method"]:
            sys.exit(f"{kind}, n = {len(case)}: {ours['automatic']['method']}")
        theirs = reference_bca(case, 1_000_000, random)
        error = np.std(case) / np.sqrt(len(case))
        lattice = ", values in steps" if kind in ("success", "rare") else ""
        for end, reference in zip(("low", "high"), theirs):
            unit = "standard errors of the mean"
            note(f"BCa, saddlepoint{lattice}", (ours["saddlepoint"][end] - reference) / error, 0,
                 0.06 if lattice else 0.01, unit)
            note(f"BCa, 10,000 drawn, same cases{lattice}", (ours["drawn"][end] - reference) / error, 0, 0.2, unit)


def check_corrections(random):
    cases = [np.round(random.random(int(random.integers(1, 40))) ** 3, 4) for _ in range(CASES)]
    names = {"holm": "holm", "bonferroni": "bonferroni", "benjamini-hochberg": "fdr_bh"}
    rows = []
    for case, ours in zip(cases, ask([{"p": case.tolist()} for case in cases])):
        row = {"p": case.tolist()}
        for name, other in names.items():
            theirs = multipletests(case, method=other)[1]
            row[name] = theirs.tolist()
            note("corrections", np.max(np.abs(np.array(ours[name]) - theirs)), 0, 1e-12, "absolute")
        note("corrections", np.max(np.abs(np.array(ours["benjamini-hochberg"])
                                          - stats.false_discovery_control(case))), 0, 1e-12, "absolute")
        rows.append(row)
    return rows


def check_power(random):
    questions, rows = [], []
    for _ in range(60):
        queries = int(random.choice([3, 5, 10, 25, 50, 100, 323, 1000, 6980]))
        questions.append({
            "alpha": float(random.choice([0.001, 0.01, 0.05, 0.1])), "power": float(random.choice([0.5, 0.8, 0.9, 0.95])),
            "deviation": round(float(random.uniform(0.05, 0.5)), 3), "queries": queries,
            "difference": round(float(random.uniform(0.005, 0.1)), 4)})
    for question, ours in zip(questions, ask(questions)):
        chance = lambda difference, queries: TTestPower().power(  # noqa: E731
            difference / question["deviation"], queries, question["alpha"], alternative="two-sided")
        # statsmodels solves to about 5 digits; its power function is held against our solution.
        # At some arguments scipy's noncentral t is NaN.
        reached = chance(ours["difference"], question["queries"])
        if not np.isnan(reached):
            note("power at the smallest detectable difference", reached, question["power"], 1e-9)
        enough = chance(question["difference"], ours["queries"])
        short = chance(question["difference"], ours["queries"] - 1) if ours["queries"] > 2 else 0.0
        if not np.isnan(enough + short):
            right = short < question["power"] + 1e-9 and enough >= question["power"] - 1e-9
            note("queries needed", 0 if right else 1, 0, 0, "absolute")
        rows.append(question | {"answer": ours})
    return rows


def check_tukey(random):
    """Against the same test, written in numpy; both are estimates."""
    cases = [np.round(random.beta(0.7, 1, (runs, n)) + np.linspace(0, 0.1, runs)[:, None], 3)
             for runs, n in ((3, 20), (4, 50), (6, 100))]
    permutations = 20_000
    questions = [{"runs": case.tolist(), "permutations": permutations} for case in cases]
    for case, ours in zip(cases, ask(questions)):
        ranges = np.array([np.ptp(random.permuted(case, axis=0).sum(axis=1)) for _ in range(permutations)])
        sums = case.sum(axis=1)
        for i in range(len(case)):
            for j in range(i):
                theirs = (np.sum(ranges >= abs(sums[i] - sums[j]) - 1e-9) + 1) / (permutations + 1)
                error = np.sqrt(2 * theirs * (1 - theirs) / permutations)
                if error > 0:
                    note("randomised Tukey HSD", (ours[i][j] - theirs) / error, 0, 5, MONTE_CARLO)


def detectable(row):
    """The smallest detectable difference by statsmodels' power function.

    `TTestPower.solve_power` stops early, and scipy's noncentral t is NaN at some arguments, so the
    root is sought within 1% of our answer; without a root there brentq fails. None where scipy has
    none.
    """
    def short(difference):
        chance = TTestPower().power(
            difference / row["deviation"], row["queries"], row["alpha"], alternative="two-sided")
        return chance - row["power"]

    ours = row["answer"]["difference"]
    try:
        return float(optimize.brentq(short, 0.99 * ours, 1.01 * ours, xtol=1e-15, rtol=1e-13))
    except ValueError as error:
        if "NaN" not in str(error):
            raise
        return None


def golden(pairs, corrections, power, intervals):
    keep = [row for row in pairs if len(row[0]["run"]) <= 60]
    fixture = {
        "made_by": f"bench/statistics/check.py --golden, scipy {scipy.__version__}, "
                   f"statsmodels {statsmodels.__version__}, numpy {np.__version__}",
        "pairs": [question | {"expected": theirs} for question, theirs in keep[:60]],
        "corrections": [row for row in corrections if len(row["p"]) <= 10][:15],
        "power": [
            {k: row[k] for k in ("alpha", "power", "deviation", "queries")} | {"expected": expected}
            for row in power[:25] if (expected := detectable(row)) is not None],
        "intervals": [{"values": v, "expected": [low, high]} for v, low, high in intervals if 12 <= len(v) <= 60],
    }
    FIXTURE.parent.mkdir(exist_ok=True)
    sections = []
    for name, section in fixture.items():
        if isinstance(section, str):
            sections.append(f'"{name}": {json.dumps(section)}')
        else:
            rows = ",\n".join(json.dumps(row) for row in section)
            sections.append(f'"{name}": [\n{rows}\n]')
    FIXTURE.write_text("{\n" + ",\n".join(sections) + "\n}\n")


def main():
    random = np.random.default_rng(20)
    pairs = check_pairs(random)
    intervals = check_intervals(random)
    check_saddlepoint(random)
    corrections = check_corrections(random)
    power = check_power(random)
    check_tukey(random)
    bad = False
    for what, (count, largest, limit, unit) in sorted(worst.items()):
        mark = "" if largest <= limit else "   TOO LARGE"
        bad |= largest > limit
        print(f"{what:48} {count:5} numbers, largest difference {largest:.2g} {unit} (limit {limit:g}){mark}")
    if "--golden" in sys.argv:
        golden(pairs, corrections, power, intervals)
    sys.exit(bad)


main()
