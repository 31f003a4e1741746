"""References: who names, reads, overrides or imports what is at a place."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_REFERENCES
OPTIONS = None


def answer(session: Session, params: types.ReferenceParams) -> list[types.Location]:
    path = session.path(params.text_document.uri)
    if path is None:
        return []
    authoring = session.answers(path)
    offset = session.offset(path, params.position)
    found = authoring.references(path, offset, params.context.include_declaration)
    return [session.span(file, *span) for file, span in found]
