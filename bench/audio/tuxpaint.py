"""Spoken captions as queries, to pictures, to written captions and to those spoken in another language.

    python3 crates/mrmr-models/tests/models/export.py
    cargo build --release -p mrmr-cli
    python3 bench/audio/tuxpaint.py fr --picture-network efficientnet-lite0-features.onnx

Makes what crates/mrmr-models/tests/audio/export.py makes (its environment, the speech model, Debian's stamps), writes
the data sets to target/audio/tuxpaint/LANGUAGE, and prints a table of each. MRMR names another binary.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "crates/mrmr-models/tests"
STAMPS = ROOT / "target/audio/stamps/usr/share/tuxpaint/stamps"
SPEECH = ROOT / "target/models/speech"
VENV = ROOT / "target/audio/venv"
MRMR = os.environ.get("MRMR", str(ROOT / "target/release/mrmr"))
MEASURES = ["nDCG@10", "R@10", "RR"]
COMMON = 128
SEEDS = 20


def environment():
    """What the exporter makes, and this script again inside its environment."""
    subprocess.run([sys.executable, TESTS / "audio/export.py"], check=True)
    python = VENV / "bin/python"
    os.execve(python, [str(python), *sys.argv], {**os.environ, "MRMR_INSIDE": "1"})


def stamps(language):
    """By name: the spoken caption, the picture, and the captions in English and in the language; whole ones alone."""
    found = {}
    for sound in sorted(STAMPS.rglob(f"*_desc_{language}.ogg")):
        base = sound.with_name(sound.name.removesuffix(f"_desc_{language}.ogg"))
        text, picture = base.with_name(base.name + ".txt"), base.with_name(base.name + ".png")
        if not (text.exists() and picture.exists()):
            continue
        english, *others = text.read_text(encoding="utf-8", errors="replace").splitlines()
        others = dict(line.split("=", 1) for line in others if "=" in line)
        written = others.get(f"{language}.utf8", "").strip()
        if english.strip() and written:
            name = str(base.relative_to(STAMPS))
            found[name] = {"sound": sound, "picture": picture, "english": english.strip(), "written": written}
    return found


def dataset(folder, queries, documents, is_gold):
    """A folder in BEIR's layout; a value that is a path becomes a file of it, named by the key it stands under."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "qrels").mkdir(parents=True)
    for side, records in (("queries", queries), ("corpus", documents)):
        with open(folder / f"{side}.jsonl", "w", encoding="utf-8") as out:
            for name, (key, value) in records.items():
                if isinstance(value, pathlib.Path):
                    file = f"{side}/{name}{value.suffix}"
                    (folder / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(value, folder / file)
                    value = file
                out.write(json.dumps({"_id": name, key: value}, ensure_ascii=False) + "\n")
    golds = {query: [name for name in documents if is_gold(query, name)] for query in queries}
    with open(folder / "qrels/test.tsv", "w", encoding="utf-8") as out:
        out.write("query-id\tcorpus-id\tscore\n")
        out.writelines(f"{query}\t{name}\t1\n" for query, names in golds.items() for name in names)
    return [len(names) for names in golds.values()]


def encoded(folder, role, model, rule):
    """The vectors of a side by `mrmr encode`, and their ids."""
    import numpy as np

    file = folder / f"{role}.npy"
    command = [MRMR, "-q", "encode", folder, "--role", role, "--encoder", model, "--content", rule, "-o", file]
    subprocess.run(command, check=True)
    ids = json.loads((folder / f"{role}.npy.json").read_text())["ids"]
    return np.load(file).astype(np.float64), ids


def bench(folder, queries, documents, *options):
    """The measures of exact search by cosine, as `mrmr bench` gives them."""
    import numpy as np

    command = [MRMR, "-q", "bench", folder, "--system", "exact", "--format", "json", *options]
    for side, (vectors, ids) in (("query", queries), ("corpus", documents)):
        file = folder / f"bench-{side}"
        np.save(file.with_suffix(".npy"), vectors.astype(np.float32))
        file.with_suffix(".json").write_text(json.dumps(ids))
        command += [f"--{side}-vectors", file.with_suffix(".npy"), f"--{side}-ids", file.with_suffix(".json")]
    command += ["--depth", str(len(documents[1]))] + [word for measure in MEASURES for word in ("-m", measure)]
    made = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {measure["measure"]: measure for measure in json.loads(made.stdout)["tasks"][0]["measures"]}


def chance(golds, documents):
    """The mean of each measure over all orders of the documents, in closed form, for each query's number of golds."""
    discount = [1 / math.log2(rank + 1) for rank in range(1, 11)]
    of = {measure: 0.0 for measure in MEASURES}
    for count in golds:
        of["R@10"] += min(10, documents) / documents
        of["nDCG@10"] += count / documents * sum(discount[:documents]) / sum(discount[: min(count, 10)])
        # The first gold is at a rank where all others lie behind it.
        ways = math.comb(documents, count)
        ranks = range(1, documents - count + 2)
        of["RR"] += sum(math.comb(documents - rank, count - 1) / ways / rank for rank in ranks)
    return {measure: value / len(golds) for measure, value in of.items()}


def headed(vectors, seed, side):
    """Through a linear head that nothing was taught: random numbers of a seed."""
    import numpy as np

    head = np.random.default_rng([seed, side]).standard_normal((vectors.shape[1], COMMON))
    # Not BLAS, which adds up in an order of its own on each machine.
    return np.einsum("ij,jk->ik", vectors, head, optimize=False) / math.sqrt(vectors.shape[1])


def apart(queries, documents):
    """Each side in numbers of its own, the other's 0: every cosine is exactly 0."""
    import numpy as np

    width = queries.shape[1] + documents.shape[1]
    first, second = np.zeros((len(queries), width)), np.zeros((len(documents), width))
    first[:, : queries.shape[1]], second[:, queries.shape[1] :] = queries, documents
    return first, second


def row(name, found):
    shown = (found[measure] for measure in MEASURES)
    cells = (f"{one['value']:.4f} [{one['interval']['low']:.4f}, {one['interval']['high']:.4f}]" for one in shown)
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def plain(name, values):
    print(f"| {name} | {' | '.join(values[measure] for measure in MEASURES)} |", flush=True)


def table(title, golds, documents):
    several = sum(count > 1 for count in golds)
    print(f"\n{title}: {len(golds)} queries, {documents} documents, {several} queries with several golds\n")
    print(f"| | {' | '.join(MEASURES)} |\n|---|{'---|' * len(MEASURES)}")
    expected = chance(golds, documents)
    plain("chance, in closed form", {measure: f"{value:.4f}" for measure, value in expected.items()})
    return expected


def untrained(title, folder, golds, queries, documents):
    """Vectors of two spaces: through untrained heads, and where nothing can be compared."""
    expected = table(title, golds, len(documents[1]))
    runs = []
    for seed in range(SEEDS):
        first, second = headed(queries[0], seed, 0), headed(documents[0], seed, 1)
        options = ["--no-intervals"] if seed else []
        runs.append(bench(folder, (first, queries[1]), (second, documents[1]), *options))
    row("untrained heads, seed 0", runs[0])
    of = {measure: sorted(run[measure]["value"] for run in runs) for measure in MEASURES}
    spread = {measure: f"{sum(v) / SEEDS:.4f} ({v[0]:.4f} to {v[-1]:.4f})" for measure, v in of.items()}
    plain(f"mean of {SEEDS} seeds (lowest to highest)", spread)
    first, second = apart(queries[0], documents[0])
    tied = bench(folder, (first, queries[1]), (second, documents[1]), "--ties", "expected", "--no-intervals")
    plain("nothing compared: averaged over ties", {measure: f"{tied[measure]['value']:.4f}" for measure in MEASURES})
    for measure, value in expected.items():
        if abs(tied[measure]["value"] - value) > 1e-9:
            sys.exit(f"{measure}: averaged over ties {tied[measure]['value']}, in closed form {value}")


def comparable(title, folder, golds, queries, documents):
    """Vectors of one space, as they are and with the mean of each side taken off."""
    table(title, golds, len(documents[1]))
    row("as they are", bench(folder, queries, documents))
    centred = [(vectors - vectors.mean(axis=0), ids) for vectors, ids in (queries, documents)]
    row("the mean of each side taken off", bench(folder, *centred))


def picture_model(network):
    """A folder of the network with its settings, as the tests lay it out."""
    folder = ROOT / "target/models/efficientnet-lite0"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(network, folder / "model.onnx")
    shutil.copy(TESTS / "fixtures/efficientnet-lite0/preprocessor_config.json", folder)
    return folder


def language_tables(language, other, arguments):
    found, elsewhere = stamps(language), stamps(other)
    base = ROOT / "target/audio/tuxpaint" / language
    sounds = {name: ("audio", stamp["sound"]) for name, stamp in found.items()}

    def same(one, two):
        one, two = found[one], found[two]
        return one["written"] == two["written"] or one["english"] == two["english"]

    def of(kind, key):
        return {name: (key, stamp[kind]) for name, stamp in found.items()}

    texts = arguments.text_model
    sets = [("english", "to written English", of("english", "text"), texts, "text")]
    sets.append(("written", f"to written '{language}'", of("written", "text"), texts, "text"))
    if arguments.picture_network:
        model = picture_model(arguments.picture_network)
        sets.insert(0, ("pictures", "to pictures", of("picture", "image"), model, "interleaved"))
    queries = None
    for name, title, documents, model, rule in sets:
        golds = dataset(base / name, sounds, documents, same)
        # The queries of all are the same.
        queries = queries or encoded(base / name, "query", SPEECH, "interleaved")
        found_in = encoded(base / name, "document", model, rule)
        untrained(f"Spoken '{language}' {title}", base / name, golds, queries, found_in)

    both = {name: sound for name, sound in sounds.items() if name in elsewhere}
    spoken = {name: ("audio", elsewhere[name]["sound"]) for name in both}
    golds = dataset(base / "spoken", both, spoken, same)
    vectors = dict(zip(queries[1], queries[0]))
    import numpy as np

    asked = (np.array([vectors[name] for name in both]), list(both))
    documents = encoded(base / "spoken", "document", SPEECH, "interleaved")
    comparable(f"Spoken '{language}' to spoken '{other}'", base / "spoken", golds, asked, documents)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", default=["fr"], help="fr, es, ca, ru, ro, bg, el, be")
    parser.add_argument("--other", help="the language of spoken documents [es, for es fr]")
    parser.add_argument("--text-model", type=pathlib.Path, default=ROOT / "target/models/minilm")
    network = "an ONNX file of EfficientNet-lite0 without its classifier; unless given, no pictures"
    parser.add_argument("--picture-network", type=pathlib.Path, help=network)
    arguments = parser.parse_args()
    if not os.environ.get("MRMR_INSIDE"):
        environment()
    for language in arguments.languages:
        language_tables(language, arguments.other or ("fr" if language == "es" else "es"), arguments)


if __name__ == "__main__":
    main()
