"""Changes of the text: what can be typed, other names, fixes."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.diagnostics import converted
from plait.apps.lsp.session import SCHEMAS, Session
from plait.core.path import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pygls.lsp.server import LanguageServer

    from plait.apps.lsp.session import TextChange
    from plait.authoring.fixes import Fix

KINDS = {
    "file": types.CompletionItemKind.File,
    "name": types.CompletionItemKind.Variable,
    "key": types.CompletionItemKind.Property,
    "function": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.Value,
}
OPEN = "plait.open"


def completion(session: Session, path: str, params: types.CompletionParams) -> types.CompletionList:
    """Completion: what can be typed at a place."""
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


def prepare_rename(
    session: Session, path: str, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """Whether there is a name at a place that can be renamed, and its span."""
    authoring, offset = session.answers(path), session.offset(path, params.position)
    key, span = authoring.key_path(path, offset)
    if key:
        return types.PrepareRenamePlaceholder(session.range(path, *span), str(key[-1]))
    symbol, span = authoring.renamable(path, offset)
    return types.PrepareRenamePlaceholder(session.range(path, *span), symbol.name)


def rename(session: Session, path: str, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Rename: a name in every file that has it, as one edit; a key of layers as `plait tidy --rename` does it."""
    authoring, offset = session.answers(path), session.offset(path, params.position)
    key, _ = authoring.key_path(path, offset)
    if key:
        return _edit(session, session.renamed_key(path, format_path(key), params.new_name))
    found = authoring.renamed(path, offset, params.new_name)
    return _edit(session, [(file, span, params.new_name) for file, span in found])


def open_place(server: LanguageServer, uri: object, line: object) -> None:
    """Show a place in the editor."""
    if isinstance(uri, str) and isinstance(line, int):
        at = types.Position(max(line, 0), 0)
        server.window_show_document(types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(at, at)))


def code_actions(session: Session, path: str, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Code actions: fixes of findings, and what can be done with a value."""
    start, end = (session.offset(path, at) for at in (params.range.start, params.range.end))
    only = params.context.only
    actions = [*_of_text(session, path, params.range)]
    actions = actions or [_action(session, fix) for fix in session.answers(path).fixes(path, start, end)]
    if not only or types.CodeActionKind.QuickFix in only:
        actions += _simpler(session, path, start, end, params.context.trigger_kind)
    return [action for action in actions if not only or action.kind in only]


def _of_text(session: Session, path: str, where: types.Range) -> Iterator[types.CodeAction]:
    """What would make a text readable; the places are those of the text as it is now."""
    folder = session.folder_of(path)
    if session.answers(path) is folder:
        return
    lines = session.lines(path)
    for fix in folder.text_fixes(path, lines.offset(where.start), lines.offset(where.end)):
        edits = [types.TextEdit(lines.range(*span), text) for _, span, text in fix.changes]
        yield types.CodeAction(
            fix.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[converted(session, fix.finding)] if fix.finding is not None else None,
            edit=types.WorkspaceEdit({session.uri(path): edits}),
        )


def _simpler(
    session: Session, path: str, start: int, end: int, trigger: types.CodeActionTriggerKind | None
) -> list[types.CodeAction]:
    """What could be simpler at a place. It is looked for when a person asks, not when the cursor moves."""
    found = session.simpler(path, look=trigger != types.CodeActionTriggerKind.Automatic)
    return [
        types.CodeAction(title, kind=types.CodeActionKind.QuickFix, edit=_edit(session, changes))
        for title, changes in (found.at(path, start, end) if found is not None else ())
    ]


def _action(session: Session, fix: Fix) -> types.CodeAction:
    action = types.CodeAction(
        fix.title,
        kind=types.CodeActionKind.QuickFix if fix.finding is not None else types.CodeActionKind.Refactor,
        diagnostics=[converted(session, fix.finding)] if fix.finding is not None else None,
    )
    if fix.goto is not None:
        where = session.span(fix.goto[0], *fix.goto[1])
        action.command = types.Command(fix.title, OPEN, arguments=[where.uri, where.range.start.line])
        return action
    action.edit = _edit(session, fix.changes)
    return action


def _edit(session: Session, changes: list[TextChange]) -> types.WorkspaceEdit:
    """Other texts for spans of files, as one edit."""
    found: dict[str, list[types.TextEdit]] = {}
    for file, span, text in changes:
        where = session.span(file, *span)
        found.setdefault(where.uri, []).append(types.TextEdit(where.range, text))
    return types.WorkspaceEdit(found)


REQUESTS: dict[str, tuple[Any, Any]] = {
    types.TEXT_DOCUMENT_COMPLETION: (types.CompletionOptions(trigger_characters=[".", "!", "/", "("]), completion),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (None, prepare_rename),
    types.TEXT_DOCUMENT_RENAME: (types.RenameOptions(prepare_provider=True), rename),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor]),
        code_actions,
    ),
}
"""Requests about a place of a file: what the server says that it can do, and who answers."""
