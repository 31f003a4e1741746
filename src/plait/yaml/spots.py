"""The values that are written in a text, each with its span and with other texts that could be there instead.

    for document, spot in spots_in(source): spot.start, spot.end, spot.choices

Keys are no values; a change of a spot keeps keys and structure. It is how an explanation is tried: see
`edits/proof.py`.
"""

from __future__ import annotations

import json
import re

from plait.core.diagnostic import Fault
from plait.core.source import Source
from plait.yaml.layout import Layout, lay_out
from plait.yaml.program import ALIAS, MAP, PLAIN
from plait.yaml.schema import CORE

CHANGED = "changed"
_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_CONDITION = re.compile(r"(\{\{-?\s*(?:else )?if\s+)(.*?)(\s*-?\}\})", re.DOTALL)
_WORD = re.compile(r"[^\s:,\[\]{}]+")


class TextSpot:
    """A place of a text: where it begins and ends, and what could be written there instead."""

    __slots__ = ("choices", "end", "holds", "path", "start")

    def __init__(
        self, start: int, end: int, choices: tuple[str, ...], path: tuple[str | int, ...] = (), holds: bool = False
    ) -> None:
        self.start = start
        self.end = end
        self.choices = choices
        self.path = path
        """Where it is in its document; items that are marks of the merge are not counted."""
        self.holds = holds
        """Whether it is a map or a list."""


def spots_in(source: Source) -> list[tuple[int, TextSpot]]:
    """Every value of a text, each with the number of its document: maps and lists too. Empty for a text that is not
    YAML, such as a template."""
    try:
        layouts = lay_out(source)
    except Fault:
        return []
    return [(number, spot) for number, layout in enumerate(layouts) for spot in _spots(layout)]


def _spots(layout: Layout) -> list[TextSpot]:
    found: list[TextSpot] = []
    stack: list[tuple[int, tuple[str | int, ...]]] = [(0, ())] if layout.kinds else []
    while stack:
        step, path = stack.pop()
        if not layout.is_container(step):
            found.append(TextSpot(layout.ats[step], _end(layout, step), _choices(layout, step), path))
            continue
        tag = layout.props.get(step, (None, None))[0]
        untagged = (layout.text[layout.inner(step) : layout.end(step)],) if tag else ()
        found.append(TextSpot(layout.ats[step], layout.end(step), untagged, path, holds=True))
        if layout.kind(step) == MAP:
            stack.extend((one.value, (*path, layout.texts[one.key] or "")) for one in reversed(layout.members(step)))
        else:
            marks = [one for one in layout.members(step) if one not in layout.items(step)]
            stack.extend((one.value, (*path, CHANGED)) for one in marks)
            stack.extend((one.value, (*path, index)) for index, one in enumerate(layout.items(step)))
    return found


def _end(layout: Layout, step: int) -> int:
    return layout.tidy_end(step) if layout.block_header(step) is not None else layout.end(step)


def _choices(layout: Layout, step: int) -> tuple[str, ...]:
    """Other values of the same kind first; then, for an expression, a plain one."""
    if layout.kinds[step] == ALIAS:
        return ("{}", CHANGED)
    text = layout.texts[step] or ""
    head = layout.text[layout.ats[step] : layout.inner(step)]
    tag, _ = layout.props.get(step, (None, None))
    value = CORE.resolve(text) if layout.kind(step) == PLAIN else text
    if isinstance(value, bool):
        return (head + ("false" if value else "true"), CHANGED)
    if isinstance(value, int | float):
        return (f"{head}{value + 1}", f"{head}{0 if value else 7}", head + json.dumps(f"{text}-{CHANGED}"))
    if value is None:  # a tag without a value becomes another tag: a mark of the merge is then none
        return (head + CHANGED,)
    other = head + json.dumps(f"{text}-{CHANGED}", ensure_ascii=False)
    if tag:
        return other, CHANGED
    written = (f'(( "{CHANGED}" ))',) if text.lstrip().startswith("((") else ()
    return (other, *written, head + '""', head + CHANGED)


def spot_at(source: Source, at: int) -> TextSpot | None:
    """The place of a template that an offset is at: an action, a condition, a word; None where there is none."""
    text = source.text
    end = text.find("\n", at)
    end = len(text) if end == -1 else end
    start = text.rfind("\n", 0, at) + 1
    for match in _CONDITION.finditer(text, start):
        if match.start() <= at < match.end():
            return TextSpot(match.start(), match.end(), (f"{match[1]}not ({match[2]}){match[3]}",))
    for match in _ACTION.finditer(text, start):
        if match.start() <= at < match.end():
            return TextSpot(match.start(), match.end(), (f'{{{{ "{CHANGED}" }}}}',))
    word = _WORD.search(text, at, end)
    return TextSpot(word.start(), word.end(), (f"{word[0]}-{CHANGED}", CHANGED)) if word is not None else None


def with_changes(text: str, changes: list[tuple[TextSpot, str]]) -> str:
    """A text with other words at some places, which do not overlap."""
    for spot, words in sorted(changes, key=lambda pair: -pair[0].start):
        text = text[: spot.start] + words + text[spot.end :]
    return text
