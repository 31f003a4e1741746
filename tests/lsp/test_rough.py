"""Rough conditions: encodings and line ends, files that are not there, two roots, a client that sends nonsense."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types
from pytest_lsp import ClientServerConfig, make_test_lsp_client

from plait.apps.lsp.positions import UTF8, UTF16, UTF32, Lines, changed
from tests.examples import examples
from tests.lsp.editor import Buffer, findings, start, write
from tests.lsp.started import SERVER
from tests.ports import free_port

PATIENCE = 300
"""Seconds until a server counts as hanging."""

TEXTS = st.text(st.sampled_from("aé😀\r\n \u2028x"), max_size=30)


@given(text=TEXTS, encoding=st.sampled_from([UTF8, UTF16, UTF32]))
@settings(max_examples=examples(60))
def test_positions_and_offsets_agree(text: str, encoding: str) -> None:
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":  # a place inside a line end is its beginning
            assert lines.offset(lines.position(offset)) == offset


@given(text=TEXTS, new=TEXTS, data=st.data(), encoding=st.sampled_from([UTF8, UTF16, UTF32]))
@settings(max_examples=examples(60))
def test_a_change_is_what_the_editor_means(text: str, new: str, data: st.DataObject, encoding: str) -> None:
    lines = Lines(text, encoding)
    ends = [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n"]
    start, end = sorted((data.draw(st.sampled_from(ends)), data.draw(st.sampled_from(ends))))
    change = types.TextDocumentContentChangePartial(range=lines.range(start, end), text=new)
    after, whole = changed(Lines(text, encoding), change), Lines(text[:start] + new + text[end:], encoding)
    assert after.text == whole.text
    for offset in range(len(whole.text) + 1):
        assert after.position(offset) == whole.position(offset)


@pytest_asyncio.fixture(loop_scope="function")
async def server() -> AsyncIterator[Any]:
    """A client with a server of its own, not initialized yet."""
    client = await ClientServerConfig(server_command=SERVER, client_factory=make_test_lsp_client).start()
    yield client
    await client.shutdown_session()
    await client.stop()


TARGET = "targets:\n- name: prod\n  layers: [base.yaml, prod.yaml]\n"
BASE = 'note: "😀é"  # é\r\nnames: {é😀: 1, size: 2}\r\n'
PROD = "names: {é😀: 3, size: !ref names.é😀}\r\n"


@pytest.mark.asyncio(loop_scope="function")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_encodings_and_line_ends(server: Any, tmp_path: Path, encoding: str) -> None:
    folder = write(tmp_path, {"plait.yaml": TARGET, "base.yaml": BASE, "prod.yaml": PROD})
    result = await start(server, [folder], [encoding])
    assert result.capabilities.position_encoding == encoding
    prod = Buffer(server, folder / "prod.yaml")
    codec, unit = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    column = len("names: {é😀: 3, size: !ref na".encode(codec)) // unit
    params = types.DefinitionParams(prod.document, types.Position(0, column))
    (found,) = await server.text_document_definition_async(params)
    value = len("names: {é😀: ".encode(codec)) // unit
    assert (found.range.start.line, found.range.start.character) == (0, value)


@pytest.mark.asyncio(loop_scope="function")
async def test_two_roots_a_file_outside_and_a_file_that_goes(server: Any, tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"plait.yaml": TARGET, "base.yaml": "a: 1\n", "prod.yaml": "b: !ref a\n"})
    two = write(tmp_path / "two", {"plait.yaml": TARGET, "base.yaml": "a: 2\n", "prod.yaml": "b: !ref a\n"})
    away = write(tmp_path / "away", {"lone.yaml": "x: &n 1\ny: *n\n"}) / "lone.yaml"
    await start(server, [one, two])
    for folder, value in ((one, "1"), (two, "2")):
        buffer = Buffer(server, folder / "prod.yaml")
        assert f"**b** = `{value}`" in await buffer.hover("!ref")
    lone = Buffer(server, away)
    assert await lone.definition("*n", 1) == ["lone.yaml:1:5"]
    lone.replace("*n", "[")
    assert [finding.code for finding in await lone.findings()] == ["PL1101"]
    buffer = Buffer(server, one / "prod.yaml")
    (one / "base.yaml").unlink()
    changes = [types.FileEvent((one / "base.yaml").as_uri(), types.FileChangeType.Deleted)]
    server.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
    found = await findings(server, buffer.uri)
    everywhere = [finding.message for rows in server.diagnostics.values() for finding in rows]
    assert any("base.yaml" in message for message in everywhere), (found, everywhere)
    missing = Buffer(server, one / "new.yaml")
    assert await missing.hover("", 0) == ""
    assert "**b**" in await Buffer(server, two / "prod.yaml").hover("!ref")


@pytest.mark.asyncio(loop_scope="function")
async def test_nothing_is_run_unless_the_folder_is_trusted(server: Any, tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {"plait.yaml": "targets:\n- name: t\n  layers: [a.yaml]\n", "a.yaml": "who: !exec touch ran\nb: 1\n"},
    )
    await start(server, [folder])
    buffer = Buffer(server, folder / "a.yaml")
    found = await buffer.findings()  # a value that is not known here is no mistake
    assert [one.severity for one in found] == [types.DiagnosticSeverity.Hint]
    assert "running commands is not allowed (--allow exec)" in found[0].message
    shown = await buffer.hover("!exec touch", 8)
    assert "(not computed)" in shown
    assert "running commands is not allowed (--allow exec)" in shown
    assert "**b** = `1`" in await buffer.hover("b: 1")
    assert not (folder / "ran").exists()


HERE = {"line": 0, "character": 0}
RANGE = {"start": HERE, "end": HERE}
NONSENSE = [
    ("textDocument/hover", {"textDocument": {"uri": "nowhere:x"}, "position": HERE}),
    ("textDocument/hover", {"textDocument": {"uri": "file:///no/such/file.yaml"}, "position": HERE}),
    ("textDocument/definition", {"textDocument": {"uri": "FILE"}, "position": {"line": 99999, "character": 99999}}),
    ("textDocument/rename", {"textDocument": {"uri": "FILE"}, "position": HERE, "newName": ""}),
    ("codeLens/resolve", {"range": RANGE, "data": 7}),
    ("workspace/executeCommand", {"command": "plait.open", "arguments": [1, "x"]}),
    ("workspace/executeCommand", {"command": "plait.none", "arguments": []}),
    ("callHierarchy/incomingCalls", {"item": {"name": "", "kind": 1, "uri": "x", "range": None}}),
    ("no/such/method", {}),
    ("textDocument/hover", {"position": "here"}),
    ("textDocument/completion", []),
]


class RawClient:
    """A client that sends any message."""

    def __init__(self, folder: Path, log: int | None = None) -> None:
        self.process = subprocess.Popen(SERVER, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.number = 0

    def send(self, message: object) -> None:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> dict[str, Any]:
        """The answer to a request, whatever comes before it."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert self.process.stdout is not None
        while True:
            size = 0
            while (line := self.process.stdout.readline()).strip():
                size = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else size
            message: dict[str, Any] = json.loads(self.process.stdout.read(size))
            if message.get("id") == self.number and "method" not in message:
                return message

    def tell(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})


def test_nonsense_is_refused_and_the_server_lives_on(tmp_path: Path) -> None:
    folder = write(tmp_path, {"plait.yaml": TARGET, "base.yaml": "a: 1\n", "prod.yaml": "b: !ref a\n"})
    client = RawClient(folder, subprocess.PIPE)
    uri = (folder / "prod.yaml").as_uri()
    client.ask("initialize", {"capabilities": {}, "rootUri": folder.as_uri()})
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": "b: !ref a\n"}
    client.tell("textDocument/didOpen", {"textDocument": document})
    taken = client.ask("textDocument/rename", {"textDocument": {"uri": uri}, "position": HERE, "newName": "a"})
    assert "`a` exists already" in taken["error"]["message"]
    for method, params in NONSENSE:
        answer = client.ask(method, json.loads(json.dumps(params).replace("FILE", uri)))
        assert "result" in answer or answer["error"]["message"], method
    far = {"start": {"line": 9, "character": 9}, "end": HERE}
    for version, target in ((-5, uri), (1, "untitled:x"), (2, "file:///never")):
        changes = [{"range": far, "text": "b: !ref a\n" if target == uri else "x"}]
        client.tell(
            "textDocument/didChange", {"textDocument": {"uri": target, "version": version}, "contentChanges": changes}
        )
        client.tell("textDocument/didClose", {"textDocument": {"uri": target}} if target != uri else {})
    client.send(b"this is not JSON")
    client.send([1, 2])
    hover = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 4}})
    assert "**b** = `1`" in hover["result"]["contents"]["value"]
    client.ask("shutdown", None)
    client.tell("exit", None)
    assert client.process.stderr is not None
    assert b"exists already" not in client.process.stderr.read()  # a refusal is an answer, not trouble of the server
    assert client.process.wait(PATIENCE) == 0


def test_tcp_listens_on_this_machine_only(tmp_path: Path) -> None:
    port = free_port()
    process = subprocess.Popen([*SERVER, "--tcp", str(port)], cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        connection = None
        while connection is None:
            assert process.poll() is None
            with suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", port), timeout=1)
            time.sleep(0.02)
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        connection.settimeout(PATIENCE)
        connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert b"hoverProvider" in connection.recv(65536)
        connection.close()
    finally:
        process.terminate()
        process.wait(PATIENCE)
