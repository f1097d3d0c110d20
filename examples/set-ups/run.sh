#!/usr/bin/env bash
# MRMR's four set-ups over a data set in MRMR's layout: run.sh DATA_FOLDER [MRMR]
# Needs python3, PyPI, and Debian's tesseract-ocr. Writes to target/set-ups.
set -euo pipefail
data=$(realpath "${1:?the folder of a data set in the layout of MRMR}")
mrmr=$(realpath "${2:-$(dirname "$0")/../../target/release/mrmr}")
cd "$(dirname "$0")/../.."
models=target/models
[ -f $models/minilm/onnx/model.onnx ] || python3 crates/mrmr-models/tests/models/export.py
work=target/set-ups
mkdir -p $work
ln -sfn "$data" $work/data
ln -sfn "$(realpath $models/minilm)" $work/minilm
cp examples/set-ups/systems.toml $work/
$models/venv/bin/python examples/set-ups/reader.py $models/minilm 8765 &
server=$!
trap 'kill $server' EXIT
until (exec 3<>/dev/tcp/127.0.0.1/8765) 2>/dev/null; do sleep 0.2; kill -0 $server; done
cd $work
"$mrmr" caption data --captioner vllm+http://127.0.0.1:8765:reader -o captions.json
"$mrmr" bench systems.toml -o results
