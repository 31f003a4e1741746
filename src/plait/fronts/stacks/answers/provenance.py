"""A component with a comment on every line: which file and line it comes from, and how many imports away that is.

    vars:                                             # ○ [4] catalog/mock/defaults.yaml:8
      region: us-east-1                               # ● [1] orgs/acme/dev/us-east-1.yaml:12

A rendering of the component's account (`merging.account`).
"""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, Suspension
from plait.core.source import UNKNOWN, Origin
from plait.core.visible import one_line
from plait.evaluate.tree import Tree
from plait.fronts.stacks.read.imports import depths_of
from plait.merging.account import Account
from plait.yaml.emit import Style
from plait.yaml.lines import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.components import Component

LEGEND = """# Provenance Legend:
#   ● [1] Defined in parent stack
#   ○ [N] Inherited/imported (N=2+ levels deep)
#   ∴ Computed/templated

# Stack: {stack}

"""
COLUMN = 50
"""Where comments begin; a longer line has its comment on the next one."""
UNWRITTEN = Origin(UNKNOWN, 0)
SHOWN = (
    "imports",
    "vars",
    "settings",
    "env",
    "backend",
    "overrides",
    "providers",
    "required_providers",
    "hooks",
    "generate",
    "dependencies",
    "auth",
    "secrets",
)
"""The sections whose values come from files."""


class Provenance:
    """The comments of one component."""

    def __init__(self, component: Component, reveal: bool = False) -> None:
        self.component = component
        self.depths = depths_of(component.manifest)
        shared = component.shared
        self.base = shared.ground.shown(shared.config.stacks_path).rstrip("/") + "/"
        self.style = Style(indent=2, dash=2, sort_keys=True, reveal=reveal, prefer='"')
        tree = Tree(component.root, shared.ground.evaluator, top=component.place)
        self._account = tree.account()

    def text(self, root: Mapping) -> str:
        """The whole document."""
        entries: dict[Key, Node] = {
            TITLES.get(name, name): root.entries[name]
            for name in SHOWN
            if name in root.entries and not _empty(root.entries[name])
        }
        written = lines(Mapping(entries), self.style) if entries else ()
        rows = [(text, (NAMES.get(str(path[0]), path[0]), *path[1:]), node) for text, path, node in written]
        parts = self._account.made_of([(path, isinstance(node, Scalar) or _empty(node)) for _, path, node in rows])
        texts = [self.line(text, parts.get(path, []), node) for text, path, node in rows]
        return LEGEND.format(stack=one_line(self.component.manifest.name)) + "".join(texts) + "\n"

    def line(self, text: str, parts: list[Account], node: Node) -> str:
        comment = self.comment(parts, node)
        if not comment:
            return f"{text}\n"
        head, newline, rest = text.partition("\n")
        if len(head) >= COLUMN:
            return f"{text}\n{' ' * COLUMN}{comment}\n"
        return f"{head.ljust(COLUMN)}{comment}{newline}{rest}\n"

    def comment(self, parts: list[Account], node: Node) -> str:
        """The sign, the depth and the place; nothing for a value that no file holds."""
        nodes = _nodes(parts)
        rows = [
            (self.depths.get(origin.file, 0), origin, part)
            for part, origin in zip(nodes, map(_origin, nodes), strict=True)
        ]
        depth, origin, part = max(rows, key=_depth, default=(0, UNWRITTEN, node))  # of several as deep, the first
        if not depth:
            return ""
        computed = isinstance(part, Suspension) or origin.computed is not None
        sign = "∴" if computed else "●" if depth == 1 else "○"
        return f"# {sign} [{depth}] {origin.file.removeprefix(self.base)}:{origin.line}"


TITLES = {"imports": "import"}
NAMES = {title: name for name, title in TITLES.items()}
"""Sections that are printed under another name."""


def _nodes(parts: list[Account]) -> list[Node]:
    """What parts say; of a list that no file holds, its items."""
    found: list[Node] = []
    for part in parts:
        given = isinstance(part.node, Sequence) and _origin(part.node).source.given
        found += [child.node for child in part.children.values()] if given else [part.node]
    return found


def _origin(node: Node) -> Origin:
    return Origin(node.source, node.at)


def _depth(row: tuple[int, Origin, Node]) -> int:
    return row[0]


def _empty(node: Node) -> bool:
    return (isinstance(node, Mapping) and not node.entries) or (isinstance(node, Sequence) and not node.items)
