"""Who inherits a component, or imports a file."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.call_hierarchy import linked
from plait.apps.lsp.session import Session

METHOD = types.CALL_HIERARCHY_INCOMING_CALLS
OPTIONS = None


def answer(session: Session, params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
    return [types.CallHierarchyIncomingCall(*link) for link in linked(session, params.item, True)]
