"""The addresses of the project, from the one place that names them, and the README as a package index shows it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[([^\]\n]*)\]\((?!\w+:|#)([^)\s]+)\)")
PICTURES = (".svg", ".png")


def addresses() -> dict[str, str]:
    """The links of the package, by their label: none as long as the project has no address."""
    text = (ROOT / "src" / "plait" / "version.py").read_text(encoding="utf-8")
    source, site = (_constant(text, name) for name in ("SOURCE", "DOCUMENTATION"))
    found = {"Documentation": site, "Source": source}
    if source:
        found |= {"Changelog": f"{source}/blob/main/CHANGELOG.md", "Issues": f"{source}/issues"}
    return {label: url for label, url in found.items() if url}


def _constant(text: str, name: str) -> str:
    found = re.search(rf'^{name} = "([^"]*)"$', text, re.M)
    return found[1] if found else ""


def published(text: str, source: str) -> str:
    """A page of the repository for readers elsewhere: its links are addresses, or plain text while there are none."""

    def link(found: re.Match[str]) -> str:
        picture, label, target = found.groups()
        if not source:
            return "" if picture else label
        below = "raw" if target.endswith(PICTURES) else "blob"
        return f"{picture}[{label}]({source}/{below}/main/{target})"

    return LINK.sub(link, text)
