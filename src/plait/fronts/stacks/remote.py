"""Imports from other repositories: what an import's address means, and what a fetched file may import itself.

A fetched file keeps its address as its name. What it imports is looked for in this repository, as Atmos does, or in its own source where
the import says `nested_imports: remote`; a path that begins with `./` or `../` always means its own source, and cannot leave it.
"""

from __future__ import annotations

import os

from plait.access.trouble import Missing
from plait.core.diagnostic import Label, PlaitError, placed
from plait.core.node import Node
from plait.core.scope import Blocked
from plait.fronts.stacks.outside import Question
from plait.report.catalog import LEAVES
from plait.services.remote import Address, inside, is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.stacks.imports import Item
    from plait.fronts.stacks.run import Run


class Origin:
    """Where a fetched file comes from: the folder of its source, its address, and where its own imports are looked for."""

    __slots__ = ("address", "nested", "root")

    def __init__(self, root: str, address: str, nested: bool) -> None:
        self.root = root
        self.address = address
        self.nested = nested


class RemoteImports:
    """The fetched files of one run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.origins: dict[str, Origin] = {}

    def start(self, items: list[Item]) -> None:
        """Begin to fetch everything that a list names; whoever needs it waits for it, and tells what went wrong."""
        remote = [item for item in items if is_remote(item.path) and "{{" not in item.path]
        for item in remote if len(remote) > 1 else ():
            try:
                self._asked(self.run.outside.fetched(item.path, item.ttl), item.node)
            except (Blocked, PlaitError):
                continue

    def find(self, item: Item, path: str, below: Callable[[str, str], list[str]]) -> list[str]:
        """The files that a remote import means."""
        try:
            return self._find(item, path, below)
        except Missing as missing:
            if item.skip_missing:
                return []
            raise placed(missing, Label.of(item.node)) from None
        except PlaitError as error:
            raise placed(error, Label.of(item.node)) from None

    def _find(self, item: Item, path: str, below: Callable[[str, str], list[str]]) -> list[str]:
        address = Address(path)
        copy = self.fetched(path, item.node, item.ttl)
        if os.path.isfile(copy):
            found = [copy]
        else:
            found = below(copy, address.inner) or [inside(copy, address.inner, address.what)]
        for name in found:
            inner = os.path.relpath(inside(copy, os.path.relpath(name, copy), address.what), os.path.realpath(copy))
            shown = path if len(found) == 1 else f"{address.what}//{inner}"
            self.origins[name] = Origin(copy, shown, item.nested == "remote")
        return found

    def fetched(self, path: str, node: Node, ttl: str = "") -> str:
        """The file or folder that a copy of a source lies in."""
        return self.run.project.admit(str(self.answer(self.run.outside.fetched(path, ttl), node)))

    def answer(self, question: Question, node: Node) -> object:
        """The answer to a question that is asked while files are read, before anything is evaluated."""
        answer = self.run.evaluator.asked(lambda: self._asked(question, node))
        return answer.plain  # type: ignore[attr-defined]

    def _asked(self, question: Question, node: Node) -> Node:
        from plait.fronts.stacks.functions import Answer

        if question.path:
            self.run.project.check_inside(question.path, node)
        return self.run.evaluator.call(
            question.capability, question.key, lambda: Answer(question.ask()), node, question.patience
        )

    def base_of(self, path: str, usual: str) -> str:
        """The folder that bare import paths of a file are looked for in."""
        origin = self.origins.get(path)
        return origin.root if origin is not None and origin.nested else usual

    def check_inside(self, path: str, wanted: str, asked: Node) -> None:
        """That a relative path in a fetched file stays in its own source, whether something is there or not."""
        origin = self.origins.get(path)
        if origin is None:
            return
        full = os.path.normpath(os.path.join(os.path.dirname(path), wanted))
        if not full.startswith(origin.root.rstrip(os.sep) + os.sep):
            raise LEAVES.error(
                Label.of(asked), path=wanted, what=origin.address, hint="a source may not name files of this machine"
            )

    def kept_inside(self, path: str, found: list[str], asked: Node) -> list[str]:
        """What a fetched file imports by a relative path: it must lie in its own source."""
        origin = self.origins.get(path)
        if origin is None:
            return found
        for name in found:
            inner = os.path.relpath(name, origin.root)
            try:
                inside(origin.root, inner, origin.address)
            except PlaitError as error:
                raise placed(error, Label.of(asked)) from None
            self.origins.setdefault(
                name, Origin(origin.root, f"{origin.address.partition('//')[0]}//{inner}", origin.nested)
            )
        return found
