"""Files for expressions of dynaml: each goes through the door, and one outside the project needs `--allow files`."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, PlaitError
from plait.core.meter import like
from plait.core.node import ListNode, Node, Scalar, text
from plait.core.source import NOT_IN_COMMIT, Source
from plait.fronts.project import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope


def file_services(project: Project, read: Callable[[str, str], list[Node]]) -> dict[str, Callable[..., Node]]:
    """What `read`, `lookup_file` and their kin ask for; `read` makes documents of a text."""

    def data(scope: Scope, name: str) -> bytes:
        project.check_inside(name, scope.node)
        try:
            found = project.bytes(name)
            if project.door.is_uncommitted(name):
                scope.taken(Scalar(None, found.decode("utf-8", "replace"), Source(name), 0, None, NOT_IN_COMMIT))
            return found
        except PlaitError as error:
            asked = Label(scope.node.origin)
            raise like(error, *(diagnostic.also_at(asked) for diagnostic in error.diagnostics)) from None

    def file_text(scope: Scope, name: str) -> Node:
        return text(data(scope, name).decode("utf-8", "replace"), Source(name, ""))

    def in_base64(scope: Scope, name: str) -> Node:
        from base64 import b64encode

        return text(b64encode(data(scope, name)).decode(), Source(name, ""))

    def documents(written: str, name: str) -> Node:
        nodes = read(written, name)
        return ListNode(nodes, Source(name, ""), live=any(node.live for node in nodes))

    def found(wanted: Callable[[str], bool]) -> Callable[[Scope, str, list[str]], Node]:
        def look(scope: Scope, name: str, folders: list[str]) -> Node:
            paths = [name] if not folders else [os.path.join(folder, name) for folder in folders]
            for path in paths:
                project.door.check_allowed(path, scope.node)
            return _texts([os.path.normpath(path) for path in paths if wanted(path)])

        return look

    def listed(wanted: Callable[[str], bool]) -> Callable[[Scope, str], Node]:
        def look(scope: Scope, folder: str) -> Node:
            project.check_inside(folder, scope.node)
            names = project.listing(folder)
            project.meter.step(24 * len(names))
            return _texts([name for name in names if wanted(os.path.join(folder, name))])

        return look

    door = project.door
    return {
        "file_text": file_text,
        "file_in_base64": in_base64,
        "read_documents": documents,
        "find_files": found(door.is_file),
        "find_folders": found(door.is_folder),
        "list_files": listed(door.is_file),
        "list_folders": listed(door.is_folder),
    }


def _texts(names: list[str]) -> Node:
    return ListNode([Scalar(name, name) for name in names])
