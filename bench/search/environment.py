"""The virtual environment of these benchmarks, under target/bench-venv, and our examples, built where absent."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = ROOT / "target/bench-venv"
REQUIREMENTS = ("requirements.txt", "requirements-models.txt")


def enter():
    """Goes on with the same command in the environment, which is made or brought up to date first."""
    if Path(sys.prefix).resolve() == FOLDER.resolve():
        return
    python, stamp = FOLDER / "bin/python", FOLDER / "bench-search.txt"
    wanted = "".join((HERE / name).read_text() for name in REQUIREMENTS)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
    if not stamp.exists() or stamp.read_text() != wanted:
        install = [python, "-m", "pip", "install", "-q"]
        subprocess.run([*install, "-r", HERE / REQUIREMENTS[0]], check=True)
        subprocess.run([*install, "--no-deps", "-r", HERE / REQUIREMENTS[1]], check=True)
        stamp.write_text(wanted)
    os.execv(python, [str(python), *sys.argv])


def example(name):
    """Path of the release example of mrmr-search, or None where this source has none."""
    built = ROOT / f"target/release/examples/{name}"
    if not built.exists():
        if not (ROOT / f"crates/mrmr-search/examples/{name}.rs").exists():
            return None
        cargo("-p", "mrmr-search", "--example", name)
    return built


def binary():
    """Path of the release binary `mrmr`."""
    built = ROOT / "target/release/mrmr"
    if not built.exists():
        cargo("-p", "mrmr-cli", "--bin", "mrmr")
    return built


def cargo(*what):
    subprocess.run(["cargo", "build", "--release", "--locked", *what], cwd=ROOT, check=True)
