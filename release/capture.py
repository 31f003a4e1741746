"""The picture of a terminal in the README, made from what plait prints: `python -m release.capture` writes it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs" / "images" / "terminal.svg"
SCENES = (
    ("layers", ("explain", "vars.network", "base.yaml", "prod.yaml")),
    ("review", ("review", "before", "after")),
    ("layers", ("set", "prod.yaml", "vars.replicas", "5", "--dry-run")),
)
COLOURS = {"1;31": "#ff7b72", "31": "#ff7b72", "1;33": "#e3b341", "32": "#7ee787", "36": "#79c0ff", "1": "#ffffff"}
PIECE = re.compile(r"\x1b\[([0-9;]*)m")
WIDTH, HEIGHT, MARGIN = 7.85, 17, 16
"""The size of a character, and the space around the text."""


def printed(folder: str, words: tuple[str, ...]) -> list[str]:
    """What a command prints in colours, beside the files of an example."""
    program = [sys.executable, "-c", "from plait.__main__ import run; run()"]
    env = {**os.environ, "CLICOLOR_FORCE": "1", "XDG_CACHE_HOME": str(ROOT / "build" / "cache")}
    env.pop("NO_COLOR", None)
    done = subprocess.run(
        [*program, *words], cwd=ROOT / "examples" / folder, env=env, capture_output=True, text=True, check=False
    )
    return [f"$ plait {' '.join(words)}", *done.stdout.rstrip("\n").split("\n"), ""]


def line_of(text: str, row: int) -> str:
    """A line of the picture, each colour a span of its own."""
    spans, fill = [], "#56d4dd" if text.startswith("$ ") else "#e6edf3"
    normal = fill
    for count, piece in enumerate(PIECE.split(text)):
        if count % 2:
            fill = COLOURS.get(piece, normal)
        elif piece:
            spans.append(f'<tspan fill="{fill}">{escape(piece)}</tspan>')
    return f'<text x="{MARGIN}" y="{MARGIN + HEIGHT * (row + 1)}" xml:space="preserve">{"".join(spans)}</text>'


def picture() -> str:
    lines = [line for folder, words in SCENES for line in printed(folder, words)]
    columns = max(len(PIECE.sub("", line)) for line in lines)
    width, height = round(columns * WIDTH) + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">'
    )
    title = "<title>plait explain, plait review and plait set in a terminal</title>"
    body = [line_of(text, row) for row, text in enumerate(lines)]
    return "\n".join([head, title, '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>', *body, "</svg>"]) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(picture(), encoding="utf-8")
