"""The text of one lens."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.CODE_LENS_RESOLVE
OPTIONS = None


def answer(session: Session, params: types.CodeLens) -> types.CodeLens:
    data = params.data if isinstance(params.data, dict) else {}
    path = session.path(str(data.get("uri", "")))
    first, last = data.get("first"), data.get("last")
    summary = ""
    if path is not None and isinstance(first, int) and isinstance(last, int):
        summary = session.answers(path).reach(path).summary(first, last)
    params.command = types.Command(summary or "affects no value", "")
    return params
