"""What a component inherits, or a file imports."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.call_hierarchy import linked
from plait.apps.lsp.session import Session

METHOD = types.CALL_HIERARCHY_OUTGOING_CALLS
OPTIONS = None


def answer(session: Session, params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
    return [types.CallHierarchyOutgoingCall(*link) for link in linked(session, params.item, False)]
