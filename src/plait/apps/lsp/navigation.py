"""Ways from one place of the files to others: definitions, references, links, who inherits and who imports."""

from __future__ import annotations

import os

from lsprotocol import types

from plait.apps.lsp.session import Session
from plait.core.steps import outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from plait.authoring.session import Authoring
    from plait.authoring.symbols import Symbol


def definition(session: Session, path: str, params: types.DefinitionParams) -> list[types.Location]:
    """Go to definition: from a value to the line that decides it, and from a name to what it names."""
    authoring = session.answers(path)
    locations: dict[tuple[str, int], types.Location] = {}
    for origin, length in authoring.definitions(path, session.offset(path, params.position)):
        where = session.location(authoring, origin, length)
        if where is not None:
            locations.setdefault((where.uri, origin.at), where)
    return list(locations.values())


def references(session: Session, path: str, params: types.ReferenceParams) -> Iterator[list[types.Location] | None]:
    """References: who names, reads, overrides or imports what is at a place."""
    authoring = session.answers(path)
    offset = session.offset(path, params.position)
    found = yield from authoring.references(path, offset, params.context.include_declaration)
    yield [session.span(file, *span) for file, span in found]


def document_links(session: Session, path: str, params: types.DocumentLinkParams) -> Iterator[list[Any] | None]:
    """Links: imports, includes and the files of targets."""
    rows = yield from session.answers(path).imports(path)
    yield [types.DocumentLink(session.range(path, *span), session.uri(file)) for file, span in rows]


def call_hierarchy(
    session: Session, path: str, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem]:
    """Call hierarchy: a component with its bases and heirs; anywhere else, a file with its imports and importers."""
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
    files = authoring.importers(path) if incoming else outcome(authoring.imports(path))
    return [(file_item(session, file), [session.span(file if incoming else path, *span).range]) for file, span in files]


def asked(session: Session, item: types.CallHierarchyItem) -> tuple[str | None, str, str]:
    """The file, the type and the name that an item is about. A client may send anything."""
    data = item.data if isinstance(item.data, dict) else {}
    return session.path(item.uri), str(data.get("type", "")), str(data.get("component", ""))


def incoming_calls(
    session: Session, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """Who inherits a component, or imports a file."""
    return [types.CallHierarchyIncomingCall(*link) for link in linked(session, params.item, True)]


def outgoing_calls(
    session: Session, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """What a component inherits, or a file imports."""
    return [types.CallHierarchyOutgoingCall(*link) for link in linked(session, params.item, False)]


REQUESTS: dict[str, tuple[Any, Any]] = {
    types.TEXT_DOCUMENT_DEFINITION: (None, definition),
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: (None, call_hierarchy),
}
"""Requests about a place of a file: what the server says that it can do, and who answers."""
IN_PARTS: dict[str, Any] = {
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: document_links,
}
"""Requests about a file whose answers are made in parts, between other questions."""
ITEM_REQUESTS: dict[str, Any] = {
    types.CALL_HIERARCHY_INCOMING_CALLS: incoming_calls,
    types.CALL_HIERARCHY_OUTGOING_CALLS: outgoing_calls,
}
"""Requests about something that an answer named."""
