"""Where a local is defined that is not in scope: a look at the files that a file imports, as they are written.

For hints in errors.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.find import entry, items_of
from plait.core.node import MapNode, Node, Scalar
from plait.core.source import Source
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.read.paths import file_named, is_relative
from plait.fronts.stacks.session.globs import is_pattern
from plait.fronts.stacks.session.reader import READER
from plait.yaml.build import Reading, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.language.scope import FileScope
    from plait.fronts.stacks.session.session import StackSession


def defined_elsewhere(name: str, scope: FileScope) -> str:
    """A file that this one imports, directly or not, and that defines the local; empty where there is none."""
    session, base = scope.session, scope.language.config.stacks_path
    seen: set[str] = {scope.path}
    queue = _imports(session, base, scope.path)
    for path in queue:  # grows while it is walked
        if path not in seen:
            seen.add(path)
            if name in _locals(session, path):
                return session.shown(path)
            queue.extend(_imports(session, base, path))
    return ""


def _imports(session: StackSession, base: str, path: str) -> list[str]:
    """The files that a file names as its imports, as far as they are written out."""
    names: list[str] = []
    for item in items_of(_section(session, path, "import")):
        node = item if isinstance(item, Scalar) else entry(item, "path")
        name = node.value if isinstance(node, Scalar) and not node.secret else None
        if isinstance(name, str) and "{{" not in name and not is_pattern(name):
            folder = os.path.dirname(path) if is_relative(name) else base
            full = file_named(session.project, os.path.normpath(os.path.join(folder, name)))
            names += [full] if full else []
    return names


def _locals(session: StackSession, path: str) -> set[str]:
    """The locals that a file defines, for itself or for one of its components, as they are written."""
    sections = [_section(session, path, "locals")]
    sections += [entry(_section(session, path, type), "locals") for type in TYPES]
    components = _section(session, path, "components")
    for members in components.entries.values() if isinstance(components, MapNode) else ():
        bases = members.entries.values() if isinstance(members, MapNode) else ()
        sections += [entry(base, "locals") for base in bases]
    return {str(key) for node in sections if isinstance(node, MapNode) for key in node.entries}


def _section(session: StackSession, path: str, key: str) -> Node | None:
    """A section of a file with nothing but plain YAML in it."""
    try:
        programs = session.documents(session.project.source(path, session.shown(path)))
    except Fault:
        return None
    return entry(build(programs[0], Source(path), Reading(READER.schema, text_keys=True)), key) if programs else None
