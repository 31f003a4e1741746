"""Files of other repositories: resolves the address of an import, and the imports of a fetched file.

The name of a fetched file is its address. Its imports are resolved in this repository, as Atmos does, or with
`nested_imports: remote` in its own source. A path that begins with `./` or `../` always refers to its own source, and
cannot leave it.
"""

from __future__ import annotations

import os

from plait.access.trouble import Missing
from plait.core.diagnostic import Fault, Label, PlaitError, placed
from plait.core.scope import Blocked
from plait.core.struct import struct
from plait.fronts.stacks.ask.question import answer_for_files
from plait.report.catalog import LEAVES
from plait.services.remote import RemoteAddress, inside, is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plait.core.node import Node
    from plait.fronts.stacks.ask.sources import Sources
    from plait.fronts.stacks.session.session import StackSession


class RemoteImport:
    """An import that may be remote: the file that contains it, its path, and what to do if it is missing."""

    __slots__ = ("nested", "node", "path", "skip_missing", "ttl")

    def __init__(self, node: Node, path: str) -> None:
        self.node = node
        self.path = path
        self.skip_missing = False
        self.nested = ""
        """Where the imports of a fetched file are resolved: `local` or `remote`."""
        self.ttl = ""


@struct
class RemoteOrigin:
    """The origin of a fetched file: the folder of its source, its address, and where its own imports are resolved."""

    root: str
    address: str
    nested: bool


class RemoteImports:
    """The fetched files of one run."""

    def __init__(self, session: StackSession, sources: Sources) -> None:
        self._session = session
        self._sources = sources
        self._origins: dict[str, RemoteOrigin] = {}

    def start(self, items: Sequence[RemoteImport]) -> None:
        """Start to fetch everything that a list names; the code that needs a file waits for it and reports errors."""
        remote = [item for item in items if is_remote(item.path) and "{{" not in item.path]
        for item in remote if len(remote) > 1 else ():
            try:
                self._copy(item.path, item)
            except (Blocked, Fault):
                continue

    def find(self, item: RemoteImport, path: str, below: Callable[[str, str], list[str]]) -> list[str]:
        """The files that a remote import means."""
        try:
            return self._find(item, path, below)
        except Missing as missing:
            if item.skip_missing:
                return []
            raise placed(missing, Label(item.node.origin)) from None
        except PlaitError as error:
            raise placed(error, Label(item.node.origin)) from None

    def _find(self, item: RemoteImport, path: str, below: Callable[[str, str], list[str]]) -> list[str]:
        address = RemoteAddress(path)
        copy = self._copy(path, item)
        if self._session.project.door.is_file(copy):
            files = [copy]
        else:
            files = below(copy, address.inner) or [inside(copy, address.inner, address.what)]
        for name in files:
            inner = os.path.relpath(inside(copy, os.path.relpath(name, copy), address.what), os.path.realpath(copy))
            shown = path if len(files) == 1 else f"{address.what}//{inner}"
            self._keep(name, RemoteOrigin(copy, shown, item.nested == "remote"))
        return files

    def _copy(self, path: str, item: RemoteImport) -> str:
        """The file or folder that a copy of a source is in."""
        copy = str(answer_for_files(self._sources.copy(path, item.ttl), self._session, item.node))
        return self._session.project.admit(copy)

    def _keep(self, name: str, origin: RemoteOrigin) -> None:
        if name not in self._origins:
            self._origins[name] = origin
            self._session.addresses[name] = origin.address

    def base_of(self, path: str, usual: str) -> str:
        """The folder in which import paths of a file without `./` are resolved."""
        origin = self._origins.get(path)
        return origin.root if origin is not None and origin.nested else usual

    def check_inside(self, path: str, wanted: str, asked: Node) -> None:
        """Check that a relative path in a fetched file stays in its own source, whether or not the file exists."""
        origin = self._origins.get(path)
        if origin is None:
            return
        full = os.path.normpath(os.path.join(os.path.dirname(path), wanted))
        if not full.startswith(origin.root.rstrip(os.sep) + os.sep):
            raise LEAVES.error(
                Label(asked.origin),
                path=wanted,
                what=origin.address,
                hint="a remote source cannot refer to files of this machine",
            )

    def kept_inside(self, path: str, names: list[str], asked: Node) -> list[str]:
        """The file that a fetched file imports by a relative path; it must be in the same source."""
        origin = self._origins.get(path)
        if origin is None:
            return names
        for name in names:
            inner = os.path.relpath(name, origin.root)
            try:
                inside(origin.root, inner, origin.address)
            except PlaitError as error:
                raise placed(error, Label(asked.origin)) from None
            self._keep(name, RemoteOrigin(origin.root, f"{origin.address.partition('//')[0]}//{inner}", origin.nested))
        return names
