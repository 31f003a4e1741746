"""Call hierarchy: a component with its bases and heirs; anywhere else, a file with its imports and importers."""

from __future__ import annotations

import os

from lsprotocol import types

from plait.apps.lsp.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.workspace import Authoring, Symbol

METHOD = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY
OPTIONS = None


def answer(session: Session, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem]:
    path = session.path(params.text_document.uri)
    if path is None:
        return []
    authoring = session.answers(path)
    named = authoring.symbols.at(path, session.offset(path, params.position))
    if named is not None and named[0].kind == "component":
        return [component_item(session, authoring, named[0])]
    return [file_item(session, path)]


def component_item(session: Session, authoring: Authoring, symbol: Symbol) -> types.CallHierarchyItem:
    """A component, at the first place that defines it."""
    file, span = next(iter(authoring.symbols.defined(symbol)), (authoring.folder, (0, 0)))
    where = session.span(file, *span)
    data = {"component": symbol.name, "type": symbol.type, "uri": where.uri}
    return types.CallHierarchyItem(
        symbol.name, types.SymbolKind.Class, where.uri, where.range, where.range, detail=symbol.type, data=data
    )


def file_item(session: Session, path: str) -> types.CallHierarchyItem:
    where = session.span(path, 0, 0)
    data = {"uri": where.uri}
    return types.CallHierarchyItem(
        os.path.basename(path), types.SymbolKind.File, where.uri, where.range, where.range, data=data
    )


def linked(
    session: Session, item: types.CallHierarchyItem, incoming: bool
) -> list[tuple[types.CallHierarchyItem, list[types.Range]]]:
    """Who names what an item is about, or what that names itself, each with the place of the name."""
    path, type, name = asked(session, item)
    if path is None:
        return []
    authoring = session.answers(path)
    if name:
        components = authoring.heirs(type, name) if incoming else authoring.bases(type, name)
        return [
            (component_item(session, authoring, symbol), [session.span(file, *span).range])
            for symbol, file, span in components
        ]
    files = authoring.importers(path) if incoming else authoring.imports(path)
    return [(file_item(session, file), [session.span(file if incoming else path, *span).range]) for file, span in files]


def asked(session: Session, item: types.CallHierarchyItem) -> tuple[str | None, str, str]:
    """The file, the type and the name that an item is about. A client may send anything."""
    data = item.data if isinstance(item.data, dict) else {}
    return session.path(item.uri), str(data.get("type", "")), str(data.get("component", ""))
