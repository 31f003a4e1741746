"""Finished values as plain data that can travel from one process to another, without the places they come from.

A tree is a flat list of rows, each container before its members.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic
from plait.core.node import Failure, ListNode, MapNode, Node, Scalar, Unknown
from plait.core.path import Keyed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.core.node import Key
    from plait.core.path import Path, Step

    Row = tuple[object, ...]
    Findings = list[tuple[str, str, str]]
    """Code, message and hint of each."""

SCALAR, SEQUENCE, MAPPING, TEXT, KEYED, NOTHING, UNKNOWN, FAILURE = range(8)


class NotFinished(Exception):
    """A value that is not finished cannot travel."""


def packed(node: Node | None) -> list[Row]:
    """A finished value, or nothing."""
    if node is None:
        return [(NOTHING,)]
    rows: list[Row] = []
    stack: list[Key | Node] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, str):
            rows.append((TEXT, at))
        elif isinstance(at, Scalar):
            rows.append((SCALAR, at.value, at.text, at.tag, at.secret))
        elif isinstance(at, ListNode):
            rows.append((SEQUENCE, len(at.items), at.tag))
            stack += reversed(at.items)
        elif isinstance(at, MapNode):
            rows.append((MAPPING, len(at.entries), at.tag))
            for key, child in reversed(at.entries.items()):
                stack += (child, key)
        elif isinstance(at, Unknown):
            rows.append((UNKNOWN, _findings(at), at.why, at.expression, at.known is not None))
            stack += [at.known] if at.known is not None else []
        elif isinstance(at, Failure):
            rows.append((FAILURE, _findings(at)))
        else:
            raise NotFinished
    return rows


def _findings(failure: Failure) -> Findings:
    """What is said about a value that could not be computed. What it was made of does not travel."""
    return [(one.code, one.message, one.hint) for one in failure.diagnostics]


def _said(findings: Findings) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(code, message, hint=hint) for code, message, hint in findings)


def _unknown(made: list[object], findings: Findings, why: str, expression: str, partly: bool) -> Unknown:
    known = _members(made, 1)[0] if partly else None
    return Unknown(_said(findings), why=why, expression=expression, known=known)  # type: ignore[arg-type]


def unpacked(rows: list[Row]) -> Node | None:
    made: list[object] = []
    for kind, *fields in reversed(rows):
        made.append(_MADE[kind](made, *fields))
    return made[0]  # type: ignore[return-value]


def _members(made: list[object], count: int) -> list[object]:
    """The last things that were made, which come first."""
    found = made[len(made) - count :]
    del made[len(made) - count :]
    return found[::-1]


def _mapping(made: list[object], count: int, tag: str | None) -> MapNode:
    found = _members(made, 2 * count)
    return MapNode(dict(zip(found[::2], found[1::2], strict=True)), tag=tag)  # type: ignore[arg-type]


_MADE: dict[Any, Callable[..., object]] = {
    SCALAR: lambda made, value, text, tag, secret: Scalar(value, text, tag=tag, secret=secret),
    SEQUENCE: lambda made, count, tag: ListNode(_members(made, count), tag=tag),  # type: ignore[arg-type]
    MAPPING: _mapping,
    TEXT: lambda made, text: text,
    NOTHING: lambda made: None,
    UNKNOWN: _unknown,
    FAILURE: lambda made, findings: Failure(_said(findings)),
}


def packed_path(path: Path) -> list[list[Row]]:
    return [_packed_step(step) for step in path]


def _packed_step(step: Step) -> list[Row]:
    if isinstance(step, Keyed):
        return [(KEYED, step.names, step.values)]
    return [(TEXT, step)] if isinstance(step, str | int) else packed(step)  # type: ignore[arg-type]


def unpacked_path(path: list[list[Row]]) -> Path:
    return tuple(
        Keyed(*rows[0][1:]) if rows[0][0] == KEYED else unpacked(rows)  # type: ignore[arg-type, misc]
        for rows in path
    )
