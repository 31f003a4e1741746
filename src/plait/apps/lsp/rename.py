"""Rename: a name in every file that has it, as one edit."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_RENAME
OPTIONS = types.RenameOptions(prepare_provider=True)


def answer(session: Session, params: types.RenameParams) -> types.WorkspaceEdit | None:
    path = session.path(params.text_document.uri)
    if path is None:
        return None
    authoring = session.answers(path)
    found = authoring.renamed(path, session.offset(path, params.position), params.new_name)
    changes: dict[str, list[types.TextEdit]] = {}
    for file, span in found:
        where = session.span(file, *span)
        changes.setdefault(where.uri, []).append(types.TextEdit(where.range, params.new_name))
    return types.WorkspaceEdit(changes)
