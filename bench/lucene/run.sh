#!/usr/bin/env bash
# Golden data from Apache Lucene for crates/mrmr-search.
#
#   bench/lucene/run.sh                           the fixtures
#   bench/lucene/run.sh fuzz english|cjk N SEED   N random texts with their tokens, on stdout
#
# Needs a JDK 17 (Debian: openjdk-17-jdk-headless), pip, and for the fixtures a Python with pyarrow.
#   ANSERINI_JAR  the jar with Lucene in it; default: taken from the PyPI package pyserini 0.22.1
#   PYTHON        a Python with pyarrow; default: python3
#   THEOREMQA     the folder with corpus/ and query/; default: ../shared/data/theoremqa beside the repository
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
fixtures=$root/crates/mrmr-search/tests/fixtures/lucene
theoremqa=${THEOREMQA:-$root/../shared/data/theoremqa}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jar=${ANSERINI_JAR:-}
if [ -z "$jar" ]; then
    pip download --quiet --no-deps --dest "$work" pyserini==0.22.1 >&2
    unzip -q -j "$work"/pyserini-*.whl '*/anserini-*-fatjar.jar' -d "$work"
    jar=$(echo "$work"/anserini-*-fatjar.jar)
fi
mkdir "$work/classes"
javac -nowarn -Xlint:none -d "$work/classes" -cp "$jar" "$here"/src/*.java
golden() { java -Dfile.encoding=UTF-8 -cp "$jar:$work/classes" Golden "$@"; }

case "${1:-fixtures}" in
fuzz)
    golden fuzz "$2" "$3" "$4" "$work/fuzz.jsonl"
    cat "$work/fuzz.jsonl"
    ;;
fixtures)
    mkdir -p "$fixtures/mini" "$fixtures/theoremqa"
    "${PYTHON:-python3}" "$here/export.py" "$theoremqa" "$work"
    install -m 644 "$work"/mini/*.jsonl "$theoremqa/LICENSE" "$fixtures/mini/"
    cat "$here/texts.jsonl" "$work/texts.jsonl" > "$work/all-texts.jsonl"
    golden analyzer english "$work/all-texts.jsonl" "$work/analyzer.jsonl"
    golden fuzz english 400 1 "$work/fuzz.jsonl"
    cat "$work/analyzer.jsonl" "$work/fuzz.jsonl" > "$fixtures/analyzer.jsonl"
    golden analyzer cjk "$here/cjk.jsonl" "$work/cjk.jsonl"
    golden fuzz cjk 600 2 "$work/cjk-fuzz.jsonl"
    cat "$work/cjk.jsonl" "$work/cjk-fuzz.jsonl" > "$fixtures/cjk.jsonl"
    golden rank-cjk "$fixtures/cjk.jsonl" "$fixtures/cjk.trec.gz" 50
    cat "$here/words.txt" "$work/words.txt" > "$work/all-words.txt"
    golden porter "$work/all-words.txt" "$fixtures/porter.tsv"
    golden rank "$work/mini/corpus.jsonl" "$work/mini/queries.jsonl" "$fixtures/mini" 50 50
    golden rank "$work/corpus.jsonl" "$work/queries.jsonl" "$fixtures/theoremqa" 50 15
    ;;
*)
    echo "run.sh: unknown command '$1'; expected nothing or 'fuzz english|cjk N SEED'" >&2
    exit 2
    ;;
esac
