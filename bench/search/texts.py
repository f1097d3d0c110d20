"""Real texts that a package registry carries: the English descriptions of Debian's packages.

Each has a title of a few words and a text of some paragraphs. They are read from apt's own lists,
fetched into a folder of ours, so that nothing of the system's changes and no rights are needed."""

import hashlib
import subprocess
from pathlib import Path

HELPER = Path("/usr/lib/apt/apt-helper")


def fetch(folder):
    """Fetches the lists with their translations, where they aren't there yet; gives their paths."""
    if not HELPER.exists():
        raise SystemExit(f"{HELPER} is not there: the texts come from a Debian system; --data clusters does without")
    found = sorted(folder.glob("lists/*_Translation-en*"))
    if not found:
        for part in ("lists/partial", "cache/archives/partial", "state"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        places = {"Dir::State": "state", "Dir::State::Lists": "lists", "Dir::Cache": "cache"}
        options = [f"-o{name}={(folder / part).resolve()}" for name, part in places.items()]
        # apt gives its rights up to a user who can't write here.
        options += ["-oAcquire::Languages=en", "-oAPT::Sandbox::User="]
        subprocess.run(["apt-get", "update", "-qq", *options], check=True)
        found = sorted(folder.glob("lists/*_Translation-en*"))
    return found


def paragraphs(path):
    """The stanzas of a file of the lists, which apt may keep compressed."""
    lines = subprocess.run([HELPER, "cat-file", path], check=True, capture_output=True, text=True).stdout
    return lines.split("\n\n")


def read(stanza):
    """Title and text of a stanza, or None: `Description-en: TITLE`, then lines that start with a space."""
    title, text = "", []
    for line in stanza.split("\n"):
        if line.startswith("Description-en:"):
            title = line.split(":", 1)[1].strip()
        elif title and line.startswith(" "):
            text.append("" if line.strip() == "." else line.strip())
        elif title:
            break
    return (title, " ".join(text)) if title and text else None


def descriptions(folder):
    """(title, text) of every description, each text once, in an order that only the texts decide."""
    found = {}
    for path in fetch(folder):
        for stanza in paragraphs(path):
            if pair := read(stanza):
                found.setdefault(pair[1], pair[0])
    return sorted(((title, text) for text, title in found.items()), key=lambda pair: hashlib.sha256(pair[1].encode()).digest())
