"""Inlay hints: what expressions give, and what values override."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session
from plait.apps.lsp.wording import Words

METHOD = types.TEXT_DOCUMENT_INLAY_HINT
OPTIONS = types.InlayHintOptions()


def answer(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    path = session.path(params.text_document.uri)
    if path is None:
        return []
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
