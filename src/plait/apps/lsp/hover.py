"""What a value is: in the text that is shown over it, and beside it."""

from __future__ import annotations

from time import thread_time

from lsprotocol import types

from plait.apps.lsp.session import HOVER, SCHEMAS, Session
from plait.apps.lsp.wording import NOT_COMPUTED, Words
from plait.report.markdown import code_span, running_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from plait.authoring.session import Authoring
    from plait.authoring.state import Pointed, Value

PATIENCE = 0.015
"""Seconds of work after which the stacks or targets that were not looked at yet are only counted."""


def _looked_at(session: Session, units: Iterator[list[Value]], count: int) -> tuple[list[Value], int]:
    """The values that can be found in a moment, and how many stacks or targets are left. They are looked at in the
    background, so that the next hover knows all."""
    shown: list[Value] = []
    until = thread_time() + PATIENCE
    for done, values in enumerate(units, 1):
        shown += values
        if thread_time() > until and done < count:
            session.background.start(HOVER, lambda: (None for _ in units))
            return shown, count - done
    return shown, 0


def _function(called: tuple[str, str, str] | None) -> list[str]:
    """The documentation of a function."""
    return [code_span(called[0]), called[1], code_span(called[2])] if called is not None else []


def _names(words: Words, path: str, offset: int) -> list[str]:
    """What the name of a component or of a file means."""
    authoring = words.authoring
    named = authoring.named(path, offset)
    return [words.component(*named) if named is not None else "", words.files(authoring.meant(path, offset))]


def _otherwise(authoring: Authoring, pointed: Pointed) -> str:
    """Where there is no value: why it could not be computed, or what the key means."""
    obstacle = authoring.obstacle(pointed) if pointed.spot.path else None
    if obstacle is not None:
        return f"{NOT_COMPUTED}: {running_text(obstacle.message)}"
    return authoring.key_help(pointed, SCHEMAS)


def hover(session: Session, path: str, params: types.HoverParams) -> types.Hover | None:
    """Hover: the value at a place, what decided it, and what it overrides; in a shared file, by result."""
    authoring, offset = session.answers(path), session.offset(path, params.position)
    read = authoring.templates.at(path, offset)
    if read is not None:
        text = Words(authoring).in_targets(list(authoring.templates.values(path, offset)), read.names)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), session.range(path, *read.span))
    given = authoring.input_at(path, offset)
    if given is not None:
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, Words(authoring).input(*given)))
    pointed = authoring.point(path, offset)
    if pointed is None:
        return None
    called = authoring.function_at(path, offset)
    values, left = _looked_at(session, authoring.values_by_unit(pointed), len(authoring.units_of(path)))
    words = Words(authoring)
    used = words.used(authoring.templates.uses(pointed)) if pointed.spot.path else ""
    texts = [*_function(called), words.about(values, left), used, *_names(words, path, offset)]
    text = "\n\n".join(filter(None, texts)) or _otherwise(authoring, pointed)
    if not text:
        return None
    start, end = pointed.spot.span
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, session.range(path, start, end))


def inlay_hints(session: Session, path: str, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Inlay hints: what expressions give, and what values override."""
    authoring, ranges = session.answers(path), session.ranges(path)
    words = Words(authoring)
    start, end = (session.offset(path, at) for at in (params.range.start, params.range.end))
    hints: list[types.InlayHint] = []
    for spot, values in authoring.computed(path, start, end):
        text = words.beside(spot, values)
        if text:
            at = ranges(spot.value_span[1], spot.value_span[1]).end
            hints.append(types.InlayHint(at, text, padding_left=True))
    return hints


REQUESTS: dict[str, tuple[Any, Any]] = {
    types.TEXT_DOCUMENT_HOVER: (None, hover),
    types.TEXT_DOCUMENT_INLAY_HINT: (types.InlayHintOptions(), inlay_hints),
}
"""Requests about a place of a file: what the server says that it can do, and who answers."""
