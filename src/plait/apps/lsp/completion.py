"""Completion: what can be typed at a place."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import SCHEMAS, Session

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=[".", "!", "/", "("])
KINDS = {
    "file": types.CompletionItemKind.File,
    "name": types.CompletionItemKind.Variable,
    "key": types.CompletionItemKind.Property,
    "function": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.Value,
}


def answer(session: Session, params: types.CompletionParams) -> types.CompletionList:
    path = session.path(params.text_document.uri)
    if path is None:
        return types.CompletionList(False, [])
    lines = session.lines(path)
    offset = lines.offset(params.position)
    found = session.answers(path).suggestions(path, lines.text, offset, SCHEMAS)
    return types.CompletionList(
        False,
        [
            types.CompletionItem(
                one.label,
                kind=KINDS[one.kind],
                detail=one.detail or None,
                documentation=types.MarkupContent(types.MarkupKind.Markdown, one.about) if one.about else None,
                text_edit=types.TextEdit(lines.range(offset - one.length, offset), one.label),
            )
            for one in found
        ],
    )
