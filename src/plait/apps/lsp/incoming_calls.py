"""Who inherits a component, or imports a file."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.call_hierarchy import asked, component_item, file_item
from plait.apps.lsp.session import Session

METHOD = types.CALL_HIERARCHY_INCOMING_CALLS
OPTIONS = None


def answer(session: Session, params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
    path, type, name = asked(session, params.item)
    if path is None:
        return []
    authoring = session.answers(path)
    if not name:
        return [
            types.CallHierarchyIncomingCall(file_item(session, file), [session.span(file, *span).range])
            for file, span in authoring.importers(path)
        ]
    return [
        types.CallHierarchyIncomingCall(component_item(session, authoring, heir), [session.span(file, *span).range])
        for heir, file, span in authoring.heirs(type, name)
    ]
