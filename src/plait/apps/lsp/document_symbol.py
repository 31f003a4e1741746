"""The outline of a file: its keys, and in manifests its components."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session
from plait.core.source import MASK, SENSITIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.workspace import WrittenSpot

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL
OPTIONS = None
DEEP = 6
"""How many levels of keys the outline has: enough for what lies below the sections of a component."""


def answer(session: Session, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    path = session.path(params.text_document.uri)
    written = session.answers(path).written(path) if path is not None else None
    if path is None or written is None:
        return []
    ranges = session.ranges(path)
    tops: list[types.DocumentSymbol] = []
    made: dict[tuple[int, int], list[types.DocumentSymbol]] = {}
    secret: set[tuple[int, int]] = set()
    for spot in written.spots():
        if spot.tag == SENSITIVE or (spot.document, spot.holder) in secret:
            secret.add((spot.document, spot.value))
        if not spot.path or len(spot.path) > DEEP:
            continue
        symbol = _symbol(spot, ranges)
        if (spot.document, spot.value) in secret:
            _mask(symbol, spot)
        symbols = made.get((spot.document, spot.holder), tops)
        symbols.append(symbol)
        if not spot.is_scalar:
            made[spot.document, spot.value] = symbol.children = []
    return tops


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
