"""Commands that actions and lenses name."""

from __future__ import annotations

from lsprotocol import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

OPEN = "plait.open"


def open_place(server: LanguageServer, uri: object, line: object) -> None:
    """Show a place in the editor."""
    if isinstance(uri, str) and isinstance(line, int):
        at = types.Position(max(line, 0), 0)
        server.window_show_document(types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(at, at)))
