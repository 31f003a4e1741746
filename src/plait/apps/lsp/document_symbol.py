"""The outline of a file: its keys, and in manifests its components."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.lsp.positions import Lines
    from plait.workspace import WrittenSpot

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL
OPTIONS = None
DEEP = 6
"""How far down keys are told: what lies below a component's sections is in the outline, their values are not."""


def answer(session: Session, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    path = session.path(params.text_document.uri)
    written = session.folder_of(path).written(path) if path is not None else None
    if path is None or written is None:
        return []
    lines = session.lines(path)
    tops: list[types.DocumentSymbol] = []
    made: dict[int, list[types.DocumentSymbol]] = {}
    for spot in written.spots():
        if not spot.path or len(spot.path) > DEEP:
            continue
        symbol = _symbol(spot, lines)
        symbols = made.get(spot.holder, tops)
        symbols.append(symbol)
        if not spot.is_scalar:
            made[spot.value] = symbol.children = []
    return tops


def _symbol(spot: WrittenSpot, lines: Lines) -> types.DocumentSymbol:
    name = str(spot.path[-1]) if isinstance(spot.path[-1], str) else spot.title
    whole = lines.range(*spot.whole_span)
    return types.DocumentSymbol(name or "(empty)", _kind(spot), whole, lines.range(*spot.key_span), detail=spot.detail)


def _kind(spot: WrittenSpot) -> types.SymbolKind:
    if spot.path[0] == "components" and len(spot.path) == 3:
        return types.SymbolKind.Class
    if spot.is_scalar:
        return types.SymbolKind.Field
    return types.SymbolKind.Namespace if spot.is_map else types.SymbolKind.Array
