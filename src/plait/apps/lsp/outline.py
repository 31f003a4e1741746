"""What a file consists of: its keys, what can be folded, and what each section affects."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session
from plait.core.path import format_path
from plait.core.source import MASK, SENSITIVE
from plait.core.steps import in_steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.yaml.places import Written, WrittenSpot

DEEP = 6
"""How many levels of keys the outline has: enough for what lies below the sections of a component."""
MOST_KEYS = 10_000
"""The outline of a large file has only as many levels as have so many keys together."""
MOST_SYMBOLS = 300
"""How many keys a search in all files gives."""
WITHOUT_VALUES = ("import", "locals")
"""Sections of manifests that are in no result themselves."""


def document_symbols(session: Session, path: str, params: types.DocumentSymbolParams) -> Iterator[list[Any]]:
    """The outline of a file: its keys, and in manifests its components; in parts, each some of the outermost keys."""
    written = session.answers(path).written(path)
    if written is None:
        return
    ranges, deep = session.ranges(path), _levels(written)
    tops: list[types.DocumentSymbol] = []
    made: dict[tuple[int, int], list[types.DocumentSymbol]] = {}
    secret: set[tuple[int, int]] = set()
    for spot in in_steps(written.walk(deep=deep)):
        if spot is None:
            yield tops[:-1]  # the last one may get more below it
            del tops[:-1]
            continue
        if spot.tag == SENSITIVE or (spot.document, spot.holder) in secret:
            secret.add((spot.document, spot.value))
        if not spot.path:
            continue
        symbol = _symbol(spot, ranges)
        if (spot.document, spot.value) in secret:
            _mask(symbol, spot)
        symbols = made.get((spot.document, spot.holder), tops)
        symbols.append(symbol)
        if not spot.is_scalar:
            made[spot.document, spot.value] = symbol.children = []
    yield tops


def _levels(written: Written) -> int:
    """How many levels of keys the outline of a text has."""
    level, count = list(written.roots()), 0
    for deep in range(DEEP):
        below: list[WrittenSpot] = []
        for spot in level:
            below += spot.below()
            if deep and count + len(below) > MOST_KEYS:
                return deep
        level, count = below, count + len(below)
    return DEEP


def workspace_symbols(
    session: Session, params: types.WorkspaceSymbolParams
) -> Iterator[list[types.WorkspaceSymbol] | None]:
    """Keys of all files by the letters of their names."""
    left = MOST_SYMBOLS
    for authoring in session.open_folders():
        for found in authoring.named_keys(params.query):
            if found is None:
                yield None
                continue
            file, spot = found
            where = session.span(file, *spot.key_span)
            around = format_path(spot.path[:-1])
            about = ": ".join(filter(None, (authoring.near(file), around)))
            yield [types.WorkspaceSymbol(where, str(spot.path[-1]), _kind(spot), container_name=about)]
            left -= 1
            if not left:
                return


def semantic_tokens(
    session: Session, path: str, params: types.SemanticTokensParams | types.SemanticTokensRangeParams
) -> Iterator[list[int]]:
    """What the words of expressions are, so that editors colour them: each as five numbers, counted from the one before
    it; in parts."""
    span: tuple[int, ...] = ()
    if isinstance(params, types.SemanticTokensRangeParams):
        span = tuple(session.offset(path, at) for at in (params.range.start, params.range.end))
    ranges = session.ranges(path)
    line = column = 0
    for part in session.answers(path).tokens(path, *span):
        data: list[int] = []
        for first, last, kind in part:
            where = ranges(first, last)
            at, width = where.start, where.end.character - where.start.character
            if where.end.line == at.line and width > 0:
                data += [
                    at.line - line,
                    at.character - (column if at.line == line else 0),
                    width,
                    TOKENS.index(kind),
                    0,
                ]
                line, column = at.line, at.character
        yield data


def _symbol(spot: WrittenSpot, ranges: Callable[[int, int], types.Range]) -> types.DocumentSymbol:
    name = str(spot.path[-1]) if isinstance(spot.path[-1], str) else spot.title
    whole, key = ranges(*spot.whole_span), ranges(*spot.key_span)
    return types.DocumentSymbol(name or "(empty)", _kind(spot), whole, key, detail=spot.detail)


def _mask(symbol: types.DocumentSymbol, spot: WrittenSpot) -> None:
    """Say nothing of a value that is marked as a secret; a list item is called by what it holds."""
    symbol.detail = MASK if symbol.detail else ""
    if not isinstance(spot.path[-1], str):
        symbol.name = MASK


def _kind(spot: WrittenSpot) -> types.SymbolKind:
    if spot.path[0] == "components" and len(spot.path) == 3:
        return types.SymbolKind.Class
    if spot.is_scalar:
        return types.SymbolKind.Field
    return types.SymbolKind.Namespace if spot.is_map else types.SymbolKind.Array


def folding_ranges(session: Session, path: str, params: types.FoldingRangeParams) -> Iterator[list[Any]]:
    """What can be folded: every key or list item that takes several lines."""
    written = session.answers(path).written(path)
    if written is None:
        return
    ranges = session.ranges(path)
    ends: dict[int, int] = {}
    for spot in in_steps(spot for spot in written.walk() if spot.path):
        if spot is None:
            yield []
            continue
        whole = ranges(*spot.whole_span)
        if whole.end.line > whole.start.line:
            ends[whole.start.line] = max(ends.get(whole.start.line, 0), whole.end.line)
    yield [types.FoldingRange(start, end) for start, end in ends.items()]


def code_lenses(session: Session, path: str, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Code lenses: what each component, or each section, of a file affects. They are worked out when they are shown."""
    written = session.answers(path).written(path)
    if written is None or not session.answers(path).takes_part(path):
        return []
    ranges = session.ranges(path)
    lenses: list[types.CodeLens] = []
    for spot in written.walk(deep=3):
        is_section = len(spot.path) == (3 if spot.path[:1] == ("components",) else 1) and not spot.is_scalar
        if is_section and spot.path[0] not in WITHOUT_VALUES:
            first, last = (spot.layout.source.position(at)[0] for at in spot.whole_span)
            data = {"uri": params.text_document.uri, "first": first, "last": last}
            lenses.append(types.CodeLens(ranges(*spot.key_span), data=data))
    return lenses


def resolved_lens(session: Session, params: types.CodeLens) -> types.CodeLens:
    """The text of one lens."""
    data = params.data if isinstance(params.data, dict) else {}
    path = session.path(str(data.get("uri", "")))
    first, last = data.get("first"), data.get("last")
    summary = ""
    if path is not None and isinstance(first, int) and isinstance(last, int):
        summary = session.answers(path).reach(path).summary(first, last)
    params.command = types.Command(summary or "affects no value", "")
    return params


TOKENS = ["function", "property", "variable", "parameter", "class", "namespace", "macro"]
"""What words of expressions can be."""
LEGEND = types.SemanticTokensLegend(TOKENS, [])
IN_PARTS: dict[str, Any] = {
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbols,
    types.TEXT_DOCUMENT_FOLDING_RANGE: folding_ranges,
}
"""Requests about a file whose answers are made in parts, between other questions."""
TOKENS_IN_PARTS: dict[str, Any] = {
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: semantic_tokens,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: semantic_tokens,
}
"""The same, where the parts are numbers of one answer."""
REQUESTS: dict[str, tuple[Any, Any]] = {
    types.TEXT_DOCUMENT_CODE_LENS: (types.CodeLensOptions(resolve_provider=True), code_lenses),
}
"""Requests about a place of a file: what the server says that it can do, and who answers."""
ITEM_REQUESTS: dict[str, Any] = {
    types.CODE_LENS_RESOLVE: resolved_lens,
}
"""Requests about something that an answer named."""
FOLDERS_IN_PARTS: dict[str, Any] = {types.WORKSPACE_SYMBOL: workspace_symbols}
"""Requests about all files whose answers are made in parts."""
