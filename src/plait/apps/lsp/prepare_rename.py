"""Whether there is a name at a place that can be renamed, and its span."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_PREPARE_RENAME
OPTIONS = None


def answer(session: Session, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    path = session.path(params.text_document.uri)
    if path is None:
        return None
    symbol, span = session.answers(path).renamable(path, session.offset(path, params.position))
    return types.PrepareRenamePlaceholder(session.range(path, *span), symbol.name)
