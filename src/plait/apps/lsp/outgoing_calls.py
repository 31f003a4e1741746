"""What a component inherits, or a file imports."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.call_hierarchy import asked, component_item, file_item
from plait.apps.lsp.session import Session

METHOD = types.CALL_HIERARCHY_OUTGOING_CALLS
OPTIONS = None


def answer(session: Session, params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
    path, type, name = asked(session, params.item)
    if path is None:
        return []
    authoring = session.answers(path)
    if not name:
        return [
            types.CallHierarchyOutgoingCall(file_item(session, file), [session.span(path, *span).range])
            for file, span in authoring.imports(path)
        ]
    return [
        types.CallHierarchyOutgoingCall(component_item(session, authoring, base), [session.span(file, *span).range])
        for base, file, span in authoring.bases(type, name)
    ]
