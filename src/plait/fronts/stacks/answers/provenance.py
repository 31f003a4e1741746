"""A component with a comment on every line: which file and line it comes from, and how many imports away that is.

    vars:                                             # ○ [4] catalog/mock/defaults.yaml:8
      region: us-east-1                               # ● [1] orgs/acme/dev/us-east-1.yaml:12

Read from the parts that merged values keep: nothing is recorded for it.
"""

from __future__ import annotations

from plait.core.node import Key, Mapping, Node, Scalar, Sequence, key_text
from plait.core.source import Computed, Origin
from plait.fronts.stacks.read.imports import depths_of
from plait.yaml.emit import Style, key_inline, value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.assemble.components import Component

LEGEND = """# Provenance Legend:
#   ● [1] Defined in parent stack
#   ○ [N] Inherited/imported (N=2+ levels deep)
#   ∴ Computed/templated

# Stack: {stack}

"""
COLUMN = 50
"""Where comments begin; a longer line has its comment on the next one."""
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
        self._said: dict[tuple[int, int], str] = {}

    def text(self, root: Mapping) -> str:
        """The whole document."""
        entries: dict[Key, Node] = {
            ("import" if name == "imports" else name): root.entries[name]
            for name in SHOWN
            if name in root.entries and not _empty(root.entries[name])
        }
        lines = [self.line(*row) for row in self.rows(Mapping(entries))]
        return LEGEND.format(stack=self.component.manifest.name) + "".join(lines) + "\n"

    def line(self, text: str, origin: Origin | None) -> str:
        comment = self.comment(origin) if origin is not None else ""
        if not comment:
            return f"{text}\n"
        head, newline, rest = text.partition("\n")
        if len(head) >= COLUMN:
            return f"{text}\n{' ' * COLUMN}{comment}\n"
        return f"{head.ljust(COLUMN)}{comment}{newline}{rest}\n"

    def comment(self, origin: Origin) -> str:
        """The sign, the depth and the place; nothing for a value that no file holds."""
        depth = self.depths.get(origin.file)
        if depth is None:
            return ""
        sign = "∴" if origin.computed is not None else "●" if depth == 1 else "○"
        return f"# {sign} [{depth}] {origin.file.removeprefix(self.base)}:{origin.line}"

    def rows(self, root: Mapping) -> Iterator[tuple[str, Origin | None]]:
        """Every line with the origin of what stands on it. Without recursion."""
        stack: list[tuple[str, Node, int]] = list(reversed(self.members(root, 0)))
        while stack:
            head, node, column = stack.pop()
            if isinstance(node, Scalar):
                yield f"{head} {value_text(node, column, self.style.indent, self.style)}".rstrip(), node.origin
            elif _empty(node):
                yield f"{head} {'{}' if isinstance(node, Mapping) else '[]'}", node.origin
            elif head.endswith("-"):
                inner = self.members(node, column + 2)
                first, child, at = inner[0]
                stack.extend(reversed([(f"{head} {first.lstrip()}", child, at), *inner[1:]]))
            else:
                yield head, self.deepest(node)
                stack.extend(reversed(self.members(node, column + 2)))

    def members(self, node: Node, column: int) -> list[tuple[str, Node, int]]:
        pad = " " * column
        if isinstance(node, Mapping):
            keys = sorted(node.entries, key=key_text)
            return [(f"{pad}{key_inline(key, self.style)}:", node.entries[key], column) for key in keys]
        assert isinstance(node, Sequence)
        return [(f"{pad}-", item, column) for item in node.items]

    def deepest(self, node: Node) -> Origin | None:
        """Of all that a container was made of, what lies most imports away; of several, the first."""
        best: tuple[int, Origin] | None = None
        stack = [node]
        seen: set[int] = set()
        while stack:
            part = stack.pop()
            if id(part) in seen:
                continue
            seen.add(id(part))
            inner = getattr(part, "parts", ())
            if inner:
                stack.extend(reversed(inner))
                continue
            if isinstance(part, Sequence) and not isinstance(part.source, Computed) and part.source.given:
                stack.extend(reversed(part.items))
                continue
            depth = self.depths.get(part.origin.file)
            if depth is not None and (best is None or depth > best[0]):
                best = (depth, part.origin)
        return best[1] if best is not None else None


def _empty(node: Node) -> bool:
    return (isinstance(node, Mapping) and not node.entries) or (isinstance(node, Sequence) and not node.items)
