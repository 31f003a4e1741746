"""Links: imports, includes and the files of targets."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_DOCUMENT_LINK
OPTIONS = types.DocumentLinkOptions()


def answer(session: Session, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    path = session.path(params.text_document.uri)
    if path is None:
        return []
    rows = session.answers(path).imports(path)
    return [types.DocumentLink(session.range(path, *span), session.uri(file)) for file, span in rows]
