"""The server: requests of the protocol, and who answers them."""

from __future__ import annotations

import gc
from functools import partial

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from plait.access.caller import call_at
from plait.apps.lsp import changing, diagnostics, hover, navigation, outline
from plait.apps.lsp.background import others_first
from plait.apps.lsp.changing import OPEN, open_place
from plait.apps.lsp.positions import UTF16
from plait.apps.lsp.protocol import AnsweringProtocol
from plait.apps.lsp.session import HOVER, Session, Unopened
from plait.core.diagnostic import PlaitError
from plait.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.workspace import Workspace

    Parts = Iterator[list[Any] | None]
    """An answer in parts; None where a step gave nothing yet."""

UNSTRUCTURED = get_converter().unstructure
REQUEST_FAILED = types.LSPErrorCodes.RequestFailed
REQUESTS = {**hover.REQUESTS, **navigation.REQUESTS, **changing.REQUESTS, **outline.REQUESTS}
IN_PARTS = {**outline.IN_PARTS, **navigation.IN_PARTS}
ITEM_REQUESTS = {**navigation.ITEM_REQUESTS, **outline.ITEM_REQUESTS}
END = object()
"""After the last part of an answer."""


def make(
    open_folder: Callable[[str], Workspace], enter: Callable[[list[str]], Callable[[str], bool]] | None = None
) -> LanguageServer:
    """A server that opens folders with a function. `enter` is told the first ones, and says which others may be
    read."""
    server = LanguageServer(
        "plait",
        __version__,
        protocol_cls=AnsweringProtocol,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
    )
    session = Session(open_folder, enter)
    server.feature(types.INITIALIZE)(partial(_initialized, session, server))
    texts: dict[str, Callable[[Session, LanguageServer, Any], None]] = {
        types.TEXT_DOCUMENT_DID_OPEN: _opened,
        types.TEXT_DOCUMENT_DID_CHANGE: _changed,
        types.TEXT_DOCUMENT_DID_CLOSE: _closed,
        types.TEXT_DOCUMENT_DID_SAVE: _saved,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: _watched,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _folders,
    }
    for method, handler in texts.items():
        server.feature(method)(partial(handler, session, server))
    server.feature("plait/idle")(lambda params: not session.background.busy)
    server.command(OPEN)(lambda uri=None, line=None: open_place(server, uri, line))
    for method, (options, answer) in REQUESTS.items():
        server.feature(method, options)(partial(_answered, session, partial(_in_a_file, answer)))
    for method, answer in IN_PARTS.items():
        server.feature(method)(partial(_in_parts, session, server, partial(_in_a_file, answer)))
    for method, answer in outline.TOKENS_IN_PARTS.items():
        made = partial(_in_parts, session, server, partial(_in_a_file, answer), wrapped=types.SemanticTokens)
        server.feature(method, outline.LEGEND)(made)
    for method, answer in outline.FOLDERS_IN_PARTS.items():
        server.feature(method)(partial(_in_parts, session, server, answer))
    for method, answer in ITEM_REQUESTS.items():
        server.feature(method)(partial(_answered, session, answer))
    return server


def serve(server: LanguageServer, port: int | None) -> None:
    """Answer until the editor leaves: on standard input and output, or on a port of this machine, to which
    one program of this user may connect."""
    gc.enable()  # commands are short and turn it off
    gc.freeze()  # what was loaded stays: a look for garbage need not go through it
    gc.set_threshold(200_000, 20, 50)  # a large repository makes many objects that stay; pauses are used as well
    if port is None:
        server.start_io()
        return
    with call_at(port) as call, call.makefile("rb") as questions, call.makefile("wb") as answers:
        server.start_io(questions, answers)


def _initialized(session: Session, server: LanguageServer, params: types.InitializeParams) -> None:
    session.encoding = server.workspace.position_encoding or UTF16
    opened = [folder.uri for folder in params.workspace_folders or ()]
    session.enter(opened or [params.root_uri or ""])


def _in_a_file(answer: Callable[[Session, str, Any], Any], session: Session, params: Any) -> Any:
    """The answer to a request about a file of this machine; nothing for what an editor has only in memory."""
    path = session.path(params.text_document.uri)
    return answer(session, path, params) if path is not None else None


async def _in_parts(
    session: Session,
    server: LanguageServer,
    answer: Callable[[Session, Any], Parts | None],
    params: Any,
    wrapped: Callable[[list[Any]], Any] = list,
) -> Any:
    """An answer that takes long: other questions come between its parts, and a change of a text ends it."""
    parts = answer(session, params)
    if parts is None:
        return None
    state, token = session.changes, params.partial_result_token
    found: list[Any] = []
    while (part := _answered(session, lambda *_: next(parts, END), params)) is not END:
        if isinstance(part, list) and part:
            if token is None:
                found += part
            else:
                server.protocol.notify(types.PROGRESS, types.ProgressParams(token, UNSTRUCTURED(wrapped(part))))
        await others_first()
        if session.changes != state:
            raise JsonRpcException("the text has changed", types.LSPErrorCodes.ContentModified)
    return wrapped(found)


def _answered(session: Session, answer: Callable[[Session, object], object], params: object) -> object:
    """An answer; what cannot be answered is an error with its reason, and the server goes on."""
    try:
        return answer(session, params)
    except Unopened:
        return None
    except PlaitError as error:
        raise JsonRpcException(str(error), REQUEST_FAILED) from None


def _opened(session: Session, server: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    path = session.path(document.uri)
    if path is not None:
        session.open(path, document.text, document.version)
        _look(session, server, path)


def _changed(session: Session, server: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    path = session.path(params.text_document.uri)
    if path is not None:
        session.change(path, list(params.content_changes), params.text_document.version)
        _look(session, server, path)


def _closed(session: Session, server: LanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    path = session.path(params.text_document.uri)
    if path is not None:
        session.close(path)
        _look(session, server, path)


def _saved(session: Session, server: LanguageServer, params: types.DidSaveTextDocumentParams) -> None:
    path = session.path(params.text_document.uri)
    if path is not None:
        session.refresh()
        _look(session, server, path)


def _watched(session: Session, server: LanguageServer, params: types.DidChangeWatchedFilesParams) -> None:
    session.refresh()
    for path in session.texts:
        _look(session, server, path)


def _folders(session: Session, server: LanguageServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    gone = {session.path(folder.uri) for folder in params.event.removed}
    session.roots = [root for root in session.roots if root not in gone]
    for name in session.add_roots([folder.uri for folder in params.event.added]):
        text = f"plait reads only the folders it was started with: restart its language server to open {name}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))


def _look(session: Session, server: LanguageServer, path: str) -> None:
    """Look for findings in the background."""
    session.background.cancel(HOVER)
    try:
        folder = session.folder_of(path).folder
    except Unopened as error:
        diagnostics.report_unopened(server, session, path, error)
    else:
        session.background.start(folder, lambda: diagnostics.look(server, session, path))
