"""The protocol as pygls has it, with an answer to every request, also to one that cannot be understood, and with one
copy of each text: that of the session."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
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

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        """A refusal is an answer: the editor shows its reason, and the log of the server has no traceback of it."""
        refused = None if future.cancelled() else future.exception()
        if isinstance(refused, JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refused.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    # The session keeps the texts: pygls would split them into lines at every keystroke.

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Iterator[Any]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Iterator[Any]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Iterator[Any]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None
