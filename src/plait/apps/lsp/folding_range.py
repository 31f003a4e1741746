"""What can be folded: every key or list item that takes several lines."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_FOLDING_RANGE
OPTIONS = None


def answer(session: Session, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    path = session.path(params.text_document.uri)
    written = session.answers(path).written(path) if path is not None else None
    if path is None or written is None:
        return []
    ranges = session.ranges(path)
    ends: dict[int, int] = {}
    for spot in written.spots():
        whole = ranges(*spot.whole_span)
        if spot.path and whole.end.line > whole.start.line:
            ends[whole.start.line] = max(ends.get(whole.start.line, 0), whole.end.line)
    return [types.FoldingRange(start, end) for start, end in ends.items()]
