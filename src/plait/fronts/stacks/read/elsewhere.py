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
from plait.fronts.stacks.ground.globs import is_pattern
from plait.fronts.stacks.read.paths import file_named, is_relative
from plait.yaml.build import Reading, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.ground.ground import Ground
    from plait.fronts.stacks.language.scope import FileScope


def defined_elsewhere(name: str, scope: FileScope) -> str:
    """A file that this one imports, directly or not, and that defines the local; empty where there is none."""
    ground, base = scope.ground, scope.language.config.stacks_path
    seen: set[str] = {scope.path}
    queue = _imports(ground, base, scope.path)
    for path in queue:  # grows while it is walked
        if path not in seen:
            seen.add(path)
            if name in _locals(ground, path):
                return ground.shown(path)
            queue.extend(_imports(ground, base, path))
    return ""


def _imports(ground: Ground, base: str, path: str) -> list[str]:
    """The files that a file names as its imports, as far as they are written out."""
    names: list[str] = []
    for item in items_of(_section(ground, path, "import")):
        node = item if isinstance(item, Scalar) else entry(item, "path")
        name = node.value if isinstance(node, Scalar) and not node.secret else None
        if isinstance(name, str) and "{{" not in name and not is_pattern(name):
            folder = os.path.dirname(path) if is_relative(name) else base
            full = file_named(ground.project, os.path.normpath(os.path.join(folder, name)))
            names += [full] if full else []
    return names


def _locals(ground: Ground, path: str) -> set[str]:
    """The locals that a file defines, for itself or for one of its components, as they are written."""
    sections = [_section(ground, path, "locals")]
    sections += [entry(_section(ground, path, type), "locals") for type in TYPES]
    components = _section(ground, path, "components")
    for members in components.entries.values() if isinstance(components, MapNode) else ():
        bases = members.entries.values() if isinstance(members, MapNode) else ()
        sections += [entry(base, "locals") for base in bases]
    return {str(key) for node in sections if isinstance(node, MapNode) for key in node.entries}


def _section(ground: Ground, path: str, key: str) -> Node | None:
    """A section of a file with nothing but plain YAML in it."""
    try:
        programs = ground.documents(ground.project.source(path, ground.shown(path)))
    except Fault:
        return None
    return entry(build(programs[0], Source(path), Reading(text_keys=True)), key) if programs else None
