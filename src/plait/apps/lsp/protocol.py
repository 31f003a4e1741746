"""The protocol as pygls has it, with an answer to every request, also to one that cannot be understood."""

from __future__ import annotations

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class AnsweringProtocol(LanguageServerProtocol):
    """Refuses what it cannot read, where pygls only writes a line to its log."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as refused:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=refused.to_response_error())
            raise
