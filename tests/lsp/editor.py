"""What a test does in place of a person at an editor."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types


def write(folder: Path, files: dict[str, str]) -> Path:
    """Some files in a folder. Each comes whole, as editors save: a server that reads beside it sees no half file."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f"{path.name}.half")
        half.write_bytes(text.encode())
        half.replace(path)
    return folder


async def start(client: Any, folders: list[Path], encodings: list[str] | None = None) -> types.InitializeResult:
    """Open some folders."""
    general = types.GeneralClientCapabilities(position_encodings=encodings) if encodings else None
    result: types.InitializeResult = await client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(general=general),
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
        )
    )
    return result


PATIENCE = 30_000
"""How often the server is asked whether it is done: far more often than it ever takes, on any machine."""


class Buffer:
    """One open file."""

    def __init__(self, client: Any, path: Path) -> None:
        self.client = client
        self.path = path
        self.uri = path.as_uri()
        self.text = path.read_bytes().decode() if path.exists() else ""
        self.version = 0
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(self.uri, "yaml", self.version, self.text))
        )

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def position(self, words: str, inside: int = 0) -> types.Position:
        """The position of the first place with some words. Tests count in UTF-16 unless they say otherwise."""
        before = self.text[: self.text.index(words) + inside]
        line = before.rpartition("\n")[2]
        return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)

    def replace(self, old: str, new: str) -> None:
        """Type something in place of something else."""
        start, end = self.position(old), self.position(old, len(old))
        self.version += 1
        change = types.TextDocumentContentChangePartial(range=types.Range(start, end), text=new)
        self.text = self.text.replace(old, new, 1)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(self.version, self.uri), [change])
        )

    def close(self) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document))

    async def findings(self, version: int | None = None) -> list[types.Diagnostic]:
        """What the server has found in the text, when it has nothing more to do."""
        return await findings(self.client, self.uri)

    async def hover(self, words: str, inside: int = 0) -> str:
        """What a hover says; while it does not know all stacks yet, it is asked again, as it asks people to do."""
        params = types.HoverParams(self.document, self.position(words, inside))
        for _ in range(PATIENCE):
            found = await self.client.text_document_hover_async(params)
            text: str = found.contents.value if found is not None else ""
            if "hover again" not in text:
                break
            await asyncio.sleep(0.01)
        return text

    async def definition(self, words: str, inside: int = 0) -> list[str]:
        params = types.DefinitionParams(self.document, self.position(words, inside))
        return shown(await self.client.text_document_definition_async(params))


def shown(locations: list[types.Location] | None) -> list[str]:
    """Places as `file:line:column`, from 1."""
    return [
        f"{Path(one.uri).name}:{one.range.start.line + 1}:{one.range.start.character + 1}" for one in locations or []
    ]


async def findings(client: Any, uri: str) -> list[types.Diagnostic]:
    """The findings in a file when everything is done: the server answers in order, and works between answers."""
    before = None
    for _ in range(PATIENCE):
        await asyncio.sleep(0.01)
        idle = await client.protocol.send_request_async("plait/idle", None)
        now = client.diagnostics.get(uri)
        if idle and now == before:
            break
        before = now
    return list(client.diagnostics.get(uri, []))
