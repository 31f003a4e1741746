"""Code actions: fixes of findings, and what can be done with a value."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.diagnostics import converted
from plait.apps.lsp.execute_command import OPEN
from plait.apps.lsp.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.workspace import Fix

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor])


def answer(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    path = session.path(params.text_document.uri)
    if path is None:
        return []
    start, end = (session.offset(path, at) for at in (params.range.start, params.range.end))
    only = params.context.only
    actions = [_action(session, fix) for fix in session.answers(path).fixes(path, start, end)]
    return [action for action in actions if not only or action.kind in only]


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
    changes: dict[str, list[types.TextEdit]] = {}
    for file, span, text in fix.changes:
        where = session.span(file, *span)
        changes.setdefault(where.uri, []).append(types.TextEdit(where.range, text))
    action.edit = types.WorkspaceEdit(changes)
    return action
