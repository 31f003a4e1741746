"""Hover: the value at a place, what decided it, and what it overrides; in a shared file, by result."""

from __future__ import annotations

from time import monotonic

from lsprotocol import types

from plait.apps.lsp.session import HOVER, Session
from plait.apps.lsp.telling import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.workspace import Value

METHOD = types.TEXT_DOCUMENT_HOVER
OPTIONS = None


PATIENCE = 0.015
"""Seconds after which the stacks or targets that were not looked at yet are only counted."""


def _looked_at(session: Session, units: Iterator[list[Value]], count: int) -> tuple[list[Value], int]:
    """The values that can be found in a moment, and how many stacks or targets are left. They are looked at in the
    background, so that the next hover knows all."""
    shown: list[Value] = []
    until = monotonic() + PATIENCE
    for done, values in enumerate(units, 1):
        shown += values
        if monotonic() > until and done < count:
            session.background.start(HOVER, lambda: (None for _ in units))
            return shown, count - done
    return shown, 0


def answer(session: Session, params: types.HoverParams) -> types.Hover | None:
    path = session.path(params.text_document.uri)
    pointed = session.point(path, params.position) if path is not None else None
    if path is None or pointed is None:
        return None
    authoring = session.answers(path)
    called = authoring.function_at(path, session.offset(path, params.position))
    values, left = _looked_at(session, authoring.values_by_unit(pointed), len(authoring.units_of(path)))
    text = Words(authoring).about(values, left)
    if called is not None:
        signature, about, example = called
        text = "\n\n".join([f"`{signature}`", about, f"`{example}`", *([text] if text else [])])
    if not text:
        return None
    start, end = pointed.spot.span
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, session.range(path, start, end))
