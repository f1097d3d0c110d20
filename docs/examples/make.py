"""Makes the files beside it from `mrmr demo`'s data: python3 make.py path/to/mrmr"""

import csv, json, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).parent
MRMR = str(Path(sys.argv[1]).resolve())
SYSTEMS = {"bm25": ("0.9", "0.4"), "mild": ("0.4", "0.2"), "steep": ("8", "1")}
SLICES = {"Food & Drink", "Objects", "People & Body", "Smileys & Emotion"}
DEPTH = "10"


def mrmr(*arguments, folder):
    done = subprocess.run([MRMR, "-q", *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    mrmr("demo", "demo", folder=folder)
    captions = ["--content", "captions", "--captions", "demo/captions.json"]
    for name, (k1, b) in SYSTEMS.items():
        mrmr("bench", "demo", *captions, "--k1", k1, "--b", b, "--depth", DEPTH, "-o", name, folder=folder)
    qrels = "demo/qrels/test-00000-of-00001.parquet"
    run = "bm25/demo.bm25.trec"
    rows = csv.DictReader(
        mrmr("score", qrels, run, "-m", "RR", "--by", "category", "--per-query", "--format", "csv", folder=folder).splitlines()
    )
    slices = {row["query"]: row["slice"] for row in rows if row["query"] != "all" and row["slice"] in SLICES}
    answered = {line.split()[0] for line in Path(folder, run).read_text().splitlines()}
    queries = sorted(set(slices) & answered)
    (HERE / "slices.tsv").write_text("query-id\tslice\n" + "".join(f"{q}\t{slices[q]}\n" for q in queries))
    with (HERE / "qrels.txt").open("w") as out:
        for query in queries:
            why = json.loads(mrmr("explain", "--format", "json", "--", qrels, run, query, "RR", folder=folder))
            for judged in why["judged"]:
                out.write(f"{query} 0 {judged['document']} {judged['grade']:g}\n")
    for name in SYSTEMS:
        with (HERE / f"{name}.run").open("w") as out:
            for line in Path(folder, name, "demo.bm25.trec").read_text().splitlines():
                query, q0, document, rank, score, _ = line.split()
                if query in slices:
                    out.write(f"{query} {q0} {document} {rank} {float(score):.4f} {name}\n")
