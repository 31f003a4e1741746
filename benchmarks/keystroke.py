"""What an editor waits for in large files: the real server over its pipes, one keystroke, then a question.

Seconds of the server's own CPU until each answer has come, and its memory at the peak.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.editing import service
from benchmarks.measure import ROUNDS, Report

SIZES = {"0.3 MB": (1_700, 0.1, 150), "1 MB": (5_500, 0.2, 150), "5 MB": (27_500, 0.5, 150)}
"""How many services a file has, how many seconds an answer may take, and how many MB the server."""
PAUSE = 0.5
"""Seconds between one thing that a person does and the next."""
TICK = os.sysconf("SC_CLK_TCK")


def document(services: int, seed: int = 1) -> str:
    """Services in teams: deep sections."""
    rng = random.Random(seed)
    lines = ["# all services", "defaults:", "  replicas: 2", "  region: eu-central-1", "teams:"]
    for number in range(services):
        if number % 50 == 0:
            lines += [f"  team-{number // 50}:", f"    owner: person-{number}@example.test", "    services:"]
        lines += service(number, rng, " " * 6)
    return "\n".join(lines) + "\n"


class Client:
    """An editor that talks to a server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "plait", "lsp", "--no-cache"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self.diagnostics: dict[str, tuple[int | None, list[Any]]] = {}
        self._number = 0
        self.ask("initialize", {"capabilities": {}, "rootUri": folder.as_uri(), "processId": None})
        self.tell("initialized", {})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if not line and self.process.poll() is not None:
                raise RuntimeError("the server ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            found = message["params"]
            self.diagnostics[found["uri"]] = (found.get("version"), found["diagnostics"])
        return message

    def ask(self, method: str, params: object) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while (message := self._receive()).get("id") != self._number or "method" in message:
            pass
        return message.get("result") if "error" not in message else message

    def tell(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def until_found(self, uri: str, version: int) -> list[Any]:
        """What is found in a version of a text."""
        while (self.diagnostics.get(uri) or (None, []))[0] != version:
            self._receive()
        return self.diagnostics[uri][1]

    def until_idle(self) -> None:
        """Wait until nothing is to be done, and a moment longer: no person types in the instant in which work ends."""
        while not self.ask("plait/idle", None):
            time.sleep(0.005)
        time.sleep(PAUSE)

    @property
    def cpu(self) -> float:
        """Seconds of CPU time that the server has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    @property
    def memory(self) -> float:
        """Megabytes at the peak."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def close(self) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.wait(10)


class Typing:
    """One open file, in which a person types."""

    def __init__(self, client: Client, path: Path) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.lines = path.read_text().splitlines()
        self.version = 1
        item = {"uri": self.uri, "languageId": "yaml", "version": 1, "text": path.read_text()}
        client.tell("textDocument/didOpen", {"textDocument": item})

    def row(self, words: str) -> int:
        return next(row for row, line in enumerate(self.lines) if words in line)

    def type(self, row: int, column: int, text: str, gone: int = 0) -> None:
        """Put a text at a place of a line, over some characters."""
        line = self.lines[row]
        self.lines[row : row + 1] = (line[:column] + text + line[column + gone :]).split("\n")
        span = {"start": {"line": row, "character": column}, "end": {"line": row, "character": column + gone}}
        self._tell([{"range": span, "text": text}])

    def remove(self, row: int) -> None:
        """Take a line away."""
        del self.lines[row]
        span = {"start": {"line": row, "character": 0}, "end": {"line": row + 1, "character": 0}}
        self._tell([{"range": span, "text": ""}])

    def _tell(self, changes: list[Any]) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def ask(self, method: str, row: int = -1, column: int = 0) -> Any:
        place = {"position": {"line": row, "character": column}} if row >= 0 else {}
        return self.client.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **place})


@contextmanager
def folder_with(services: int) -> Iterator[Path]:
    """A target of two layers, the lower of which is large."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "base.yaml").write_text(document(services))
        (folder / "prod.yaml").write_text(
            "teams:\n  team-3:\n    services:\n      service-155:\n        replicas: 20\n"
        )
        (folder / "plait.yaml").write_text("targets:\n- name: prod\n  layers: [base.yaml, prod.yaml]\n")
        yield folder


def measured(services: int) -> dict[str, float]:
    """Seconds until each answer after a keystroke; the memory at the peak."""
    took: dict[str, list[float]] = {}
    with folder_with(services) as folder:
        client = Client(folder)
        typing = Typing(client, folder / "base.yaml")
        client.until_found(typing.uri, 1)
        client.until_idle()
        row = typing.row(f"service-{services // 2}:") + 2
        column = len(typing.lines[row])

        def timed(name: str, ask: Any) -> Any:
            before = client.cpu
            answer = ask()
            took.setdefault(name, []).append(client.cpu - before)
            return answer

        def keystroke_then(name: str, ask: Any, text: str = "1", gone: int = 0, at: int = row) -> Any:
            def both() -> Any:
                typing.type(at, len(typing.lines[at]) - gone, text, gone)
                return ask()

            answer = timed(name, both)
            client.until_idle()
            return answer

        for _ in range(ROUNDS):
            for typed, gone in (("1", 0), ("", 1)):
                found = keystroke_then("hover", lambda: typing.ask("hover", row, column), typed, gone)
                assert f"service-{services // 2}" in found["contents"]["value"], found
            typing.type(row, column, "\n        ")
            client.until_idle()
            found = keystroke_then("completion", lambda: typing.ask("completion", row + 1, 9), "i", 0, row + 1)
            assert any(one["label"] == "image:" for one in found["items"]), found
            keystroke_then("hover", lambda: typing.ask("hover", row, column), "", 1, row + 1)
            keystroke_then("symbols", lambda: typing.ask("documentSymbol"))
            keystroke_then("hover", lambda: typing.ask("hover", row, column), "", 1)
            labels = row + 4
            tier = typing.lines[labels + 1]
            found = keystroke_then(
                "findings", lambda: client.until_found(typing.uri, typing.version), "\n" + tier, 0, labels + 1
            )
            assert [one["code"] for one in found] == ["PL2309"], found
            typing.type(labels + 1, len(tier), "", 0)
            typing.remove(labels + 2)
            typing.remove(row + 1)
            client.until_idle()
        memory = client.memory
        client.close()
    return {**{name: statistics.median(times) for name, times in took.items()}, "memory": memory}


def run(report: Report) -> None:
    for size, (services, limit, memory) in SIZES.items():
        took = measured(services)
        for name in ("hover", "completion", "findings"):
            report(f"a keystroke in {size}, seconds until {name}", took[name], limit)
        report(f"a keystroke in {size}, seconds until all symbols", took["symbols"])
        report(f"the server with {size} open, MB at the peak", took["memory"], memory)
