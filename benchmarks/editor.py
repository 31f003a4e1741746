"""What an editor waits for in the repository of 813 files: CPU time in milliseconds after one keystroke."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls import uris

from benchmarks.measure import ROUNDS, Report, call_cpu, stacks_repository
from plait.apps.lsp import diagnostics, hover
from plait.apps.lsp.background import Background
from plait.apps.lsp.session import Session
from plait.workspace import Workspace

LEAF = "stacks/orgs/t03/prod/ue1.yaml"
APPS = "stacks/orgs/t03/prod/layers/ue1/apps.yaml"
CATALOG = "stacks/catalog/c07/mixin.yaml"
KEYSTROKES = {
    "at the root of a leaf manifest": (LEAF, "cidr: 10.", "cidr: 1"),
    "in a component of a leaf manifest": (APPS, "{memory: 1", "{memory: "),
    "in a shared catalog": (CATALOG, "level: inf", "level: in"),
}
"""The file, and words in it with and without their last letter."""


class Server:
    """Takes what is sent to the editor."""

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        pass


class NoBackground(Background):
    """Only what an answer waits for is measured."""

    def start(self, key: str, steps: object) -> None:
        pass


class Editor:
    """One session of an editor."""

    def __init__(self, folder: Path) -> None:
        self.server: Any = Server()
        self.session = Session(lambda place: Workspace(place, cache=False))
        self.session.background = NoBackground()
        self.folder = folder
        self.session.add_roots([folder.as_uri()])

    def path(self, name: str) -> str:
        return str((self.folder / name).resolve())

    def steps(self, name: str) -> list[float]:
        """Looks for everything that is wrong; the time that each step took."""
        look = diagnostics.look(self.server, self.session, self.path(name))
        took: list[float] = []
        while not (took and self._done):
            took.append(call_cpu(partial(self._step, look)))
        return took

    def _step(self, look: Iterator[None]) -> None:
        self._done = next(look, self) is self

    def type(self, name: str, old: str, new: str) -> None:
        path = self.path(name)
        self.session.open(path, self.session.texts[path].replace(old, new, 1))

    def open(self, name: str) -> None:
        self.session.open(self.path(name), Path(self.path(name)).read_text())
        self.steps(name)

    def hover(self, name: str, words: str) -> None:
        lines = self.session.lines(self.path(name))
        at = lines.position(lines.text.index(words) + 1)
        where = types.TextDocumentIdentifier(uris.from_fs_path(self.path(name)) or "")
        assert hover.hover(self.session, self.path(name), types.HoverParams(where, at)) is not None


def run(report: Report) -> None:
    with stacks_repository() as folder:
        if folder is None:
            return
        editor = Editor(folder)
        for name in (LEAF, APPS, CATALOG):
            editor.open(name)
        gc.set_threshold(200_000, 20, 50)  # as the server has it
        for about, (name, long, short) in KEYSTROKES.items():
            keystroke(report, editor, about, name, (long, short))


def keystroke(report: Report, editor: Editor, about: str, name: str, words: tuple[str, str]) -> None:
    """Types a letter and takes it away again: the time until findings are shown, and until a hover is answered.

    In a shared file the first findings come from the first stack that reads it; the others follow, stack by stack.
    """
    took: dict[str, list[float]] = {"first": [], "all": [], "step": [], "hover": []}
    for number in range(2 * ROUNDS):
        old, new = words if number % 2 == 0 else words[::-1]
        typed = call_cpu(partial(editor.type, name, old, new))
        steps = editor.steps(name)
        took["first"].append(typed + steps[0])
        took["all"].append(typed + sum(steps))
        took["step"].append(max(steps))
        gc.collect(1)  # as the server does in a pause
        editor.type(name, new, old)
        took["hover"].append(call_cpu(partial(editor.hover, name, old)))
        editor.type(name, old, new)
        editor.steps(name)
        gc.collect(1)
    middle = {row: statistics.median(times) * 1000 for row, times in took.items()}
    until = "first" if name == CATALOG else "all"
    report(f"a keystroke {about}, ms until findings", middle[until], 150, all=round(middle["all"]))
    report(f"a keystroke {about}, ms until a hover", middle["hover"], 50, longest_step=round(middle["step"]))
