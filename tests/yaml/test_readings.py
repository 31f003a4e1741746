"""The careful reader, text by text: `readings.txt` has texts, each with what it means or what is wrong with it.

A line in quotes is a text. Below it is a document for each line, or `LINE:COLUMN` and what is wrong. `@` is where
something begins and ends: `map@0(a@0-1 1@3-4)` is `a: 1`, `seq@0<a@2-3>` is `- a`. What is in quotes is
quoted, `|` and `>` are blocks, `[` and `{` are brackets; `&x` and `!<t>` are an anchor and a tag.
`---` is written where the text has it.

`PLAIT_UPDATE=1` writes the file again: read the difference. Where libyaml reads a text in another way, or not at all,
the line begins with `~`: these are the readings that somebody has to have thought about.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser

from plait.core.source import Source
from plait.yaml import reader12

FILE = Path(__file__).parent / "readings.txt"
OPENED = {"MappingStartEvent": ("map@{}(", "{{@{}"), "SequenceStartEvent": ("seq@{}<", "[@{}")}
UNLIKE = "~ "
CLOSED = {"MappingEndEvent": (")", "}}@{}"), "SequenceEndEvent": (">", "]@{}")}


def told(events: Iterable[Any]) -> list[str]:
    """A line for each document."""
    lines: list[str] = []
    brackets: list[bool] = []
    for event in events:
        kind = event.__class__.__name__
        if kind == "DocumentStartEvent":
            lines.append(f"---@{event.start_mark.index}" if event.explicit else "")
        elif kind in CLOSED:
            lines[-1] += CLOSED[kind][brackets.pop()].format(event.end_mark.index)
        elif lines and kind not in ("DocumentEndEvent", "StreamEndEvent"):
            if kind in OPENED:
                brackets.append(bool(event.flow_style))
            space = "" if lines[-1][-1:] in ("", "(", "<") else " "
            lines[-1] += space + " ".join([*props(event), shown(event, brackets)])
    return lines


def props(event: Any) -> list[str]:
    anchor = event.anchor if event.__class__.__name__ != "AliasEvent" else None
    tag = getattr(event, "tag", None)
    return [*([f"&{anchor}"] if anchor else []), *([f"!<{tag}>"] if tag else [])]


def shown(event: Any, brackets: list[bool]) -> str:
    kind, start, end = event.__class__.__name__, event.start_mark.index, event.end_mark.index
    if kind in OPENED:
        return OPENED[kind][brackets[-1]].format(start)
    if kind == "AliasEvent":
        return f"*{event.anchor}@{start}-{end}"
    text, style = json.dumps(event.value, ensure_ascii=False), event.style or ""
    return f"{text[1:-1] if not style and text[1:-1] == event.value else style + text}@{start}-{end}"


def by_libyaml(text: str) -> list[str]:
    parser, found = CParser(text), []
    try:
        while (event := parser.get_event()) is not None:
            found.append(event)
    except YAMLError:
        return ["refused"]
    return told(found)


def outcome(text: str) -> list[str]:
    try:
        lines = told(reader12.read(text))
    except reader12.Wrong as wrong:
        line, column = Source("x.yaml", text).position(min(wrong.at, len(text)))
        lines = [f"{line}:{column} {wrong.why}"]
        return lines if by_libyaml(text) == ["refused"] else [UNLIKE + lines[0]]
    return lines if lines == by_libyaml(text) else [UNLIKE + line for line in lines]


def entries() -> list[tuple[str, list[str]]]:
    lines = FILE.read_text(encoding="utf-8").split("\n")
    found: list[tuple[str, list[str]]] = []
    for is_text, group in groupby(lines, lambda line: line.startswith('"')):
        for line in group:
            if is_text:
                found.append((json.loads(line), []))
            elif found and line:
                found[-1][1].append(line.strip())
    return found


def written(texts: Iterable[str]) -> str:
    parts = [
        "\n".join([json.dumps(text, ensure_ascii=False), *(f"    {line}" for line in outcome(text))]) for text in texts
    ]
    return "\n".join(parts) + "\n"


def test_readings() -> None:
    known = entries()
    texts = [text for text, _ in known]
    if os.environ.get("PLAIT_UPDATE"):
        FILE.write_text(written(texts), encoding="utf-8")
    assert len(set(texts)) == len(texts)
    assert {text: outcome(text) for text in texts} == dict(known)
