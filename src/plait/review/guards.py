"""Guards of plait.yaml: changes that must be reviewed by a person.

    review:
      protect: ["stack=*-prod: vars.cidr", "**.password"]
      widest: 50

A protected value that changes, or a cause that changes more values than `widest`, is reported first and makes the
exit status 1.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import item_index, step_into
from plait.core.glob import Glob, GlobError
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text
from plait.core.path import Keyed, Path, PathError, Step, parse_path, path_matches
from plait.core.struct import struct
from plait.report.catalog import BAD_SETTING
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError

KEYS = ("protect", "widest")


@struct
class Protection:
    """Values that must not change: those whose path matches, in the targets whose name matches."""

    text: str
    target: Glob | None
    path: Path

    @classmethod
    def parse(cls, text: str) -> Protection:
        """`[stack=GLOB: ]PATH`; raises ValueError."""
        scope, colon, path = text.rpartition(": ")
        target = scope.partition("=")[2] if colon else ""
        if colon and not target:
            raise ValueError("write `stack=GLOB: PATH`, `target=GLOB: PATH` or just a path")
        return cls(text, Glob(target) if target else None, parse_path(path.strip(), pattern=True))

    def covers(self, target: str, path: Path, place: Path) -> bool:
        """Whether it protects a value: by its path, or by its path with positions instead of the keys of items."""
        if self.target is not None and not self.target.matches(target):
            return False
        ways = (path,) if path == place else (path, place)
        return any(path_matches(self.path, way[:depth]) for way in ways for depth in range(1, len(way) + 1))


def by_position(path: Path, *sides: Node | None) -> Path:
    """A path with positions instead of the keys of items, those of the first side that has the item."""
    if not any(isinstance(step, Keyed) for step in path):
        return path
    steps: list[Step] = []
    nodes = [side for side in sides if side is not None]
    for step in path:
        found = [item_index(node, step) for node in nodes if isinstance(node, ListNode)]
        steps.append(next((index for index in found if index is not None), step) if isinstance(step, Keyed) else step)
        nodes = [child for node in nodes if (child := step_into(node, step)) is not None]
    return tuple(steps)


class Guards:
    """The section `review` of plait.yaml."""

    __slots__ = ("protect", "widest")

    def __init__(self, node: Node | None = None) -> None:
        self.protect: list[Protection] = []
        self.widest = 0
        if node is None:
            return
        if not isinstance(node, MapNode):
            raise _bad(node, "`review` is a mapping")
        for key, child in node.entries.items():
            name = key_text(key)
            if name == "protect" and isinstance(child, ListNode):
                self.protect = [parse_protection(item) for item in child.items]
            elif name == "widest" and isinstance(child, Scalar) and isinstance(child.value, int):
                self.widest = child.value
            elif name in KEYS:
                raise _bad(child, "`protect` is a list of paths, `widest` a whole number")
            else:
                raise _bad(child, f"unknown setting `{name}` in `review`", did_you_mean(name, KEYS))


def parse_protection(node: Node, name: str = "protect") -> Protection:
    """An entry of a list of protected values, or of values to keep."""
    try:
        return Protection.parse(node.text if isinstance(node, Scalar) else "")
    except (PathError, GlobError, ValueError) as trouble:
        raise _bad(node, f"invalid entry of `{name}`: {trouble}") from None


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return BAD_SETTING.error(Label(node.origin), why=why, hint=hint)
