"""Hover: the value at a place, what decided it, and what it overrides; in a shared file, by result."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session
from plait.apps.lsp.telling import Words

METHOD = types.TEXT_DOCUMENT_HOVER
OPTIONS = None


def answer(session: Session, params: types.HoverParams) -> types.Hover | None:
    path = session.path(params.text_document.uri)
    pointed = session.point(path, params.position) if path is not None else None
    if path is None or pointed is None:
        return None
    authoring = session.answers(path)
    called = authoring.function_at(path, session.offset(path, params.position))
    text = Words(authoring).about(list(authoring.values(pointed)))
    if called is not None:
        signature, about, example = called
        text = "\n\n".join([f"`{signature}`", about, f"`{example}`", *([text] if text else [])])
    if not text:
        return None
    start, end = pointed.spot.span
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, session.range(path, start, end))
