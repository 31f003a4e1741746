"""Keys of documents that are made of the same written parts: what they do is worked out once, and each document that
has them adds its target."""

from __future__ import annotations

from plait.tidy.merged import is_written_map, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from plait.core.node import Key, Node
    from plait.core.path import Path
    from plait.core.policy import MergePolicy

    KeyNames = tuple[Key, ...]
    """The keys of a map, in its order."""


class Alike:
    """A key of documents in which it is made of the same written parts."""

    __slots__ = ("_targets", "has_equals", "nodes", "targets_at")

    def __init__(self, nodes: tuple[object, ...] = ()) -> None:
        self.nodes = nodes
        """Its parts, and the policy of their merge: kept, because it is found by their identities."""
        self.targets_at: list[tuple[str, Path]] = []
        """The targets, each with the path of the document's part that has the key."""
        self.has_equals = False
        """Whether a part of it is equal to what it overrides."""
        self._targets: dict[str, None] | None = None

    @property
    def targets(self) -> dict[str, None]:
        """The addresses of the targets, in order; asked for when all were looked at."""
        if self._targets is None:
            self._targets = {address: None for address, _ in self.targets_at}
        return self._targets


class KeyGroup:
    """The keys that one part alone brings to documents."""

    __slots__ = ("again", "alikes", "last")

    def __init__(self) -> None:
        self.alikes: list[Alike] = []
        """Those that are alike in all of these documents."""
        self.again: list[Key] = []
        """Those that are looked at in each document."""
        self.last: tuple[str, Path] | None = None
        """The last target that was added to them, with the path."""

    def take(self, name: Key, nodes: list[Node], alike: Alike) -> None:
        """What a key does is alike in these documents, unless something in it is computed for each of them and may be
        equal to what it overrides."""
        if alike.has_equals and any(node.live for node in nodes):
            self.again.append(name)
        else:
            self.alikes.append(alike)

    def add(self, here: tuple[str, Path]) -> None:
        """One more document has the keys."""
        if self.last != here:
            self.last = here
            for alike in self.alikes:
                alike.targets_at.append(here)


class KeyLayout:
    """The keys of some maps that are merged, and how they lie over each other."""

    __slots__ = ("alone", "names", "several")

    def __init__(self, maps: Sequence[KeyNames]) -> None:
        at: dict[Key, list[int]] = {}
        for number, one in enumerate(maps):
            for key in one:
                at.setdefault(key, []).append(number)
        self.names = at.keys()
        """All of them."""
        self.several = [(key, numbers) for key, numbers in at.items() if len(numbers) > 1]
        """Those that several maps have, each with the numbers of these maps, in the order of the lowest one."""
        shared = {key for key, _ in self.several}
        rows = [(number, shared.intersection(one), len(one)) for number, one in enumerate(maps)]
        self.alone = [(number, frozenset(others)) for number, others, count in rows if len(others) < count]
        """The numbers of the maps that have some for themselves, each with its others."""


class MapPart:
    """A map that documents are merged from, under a policy: the keys that it brings, and what each is made of."""

    __slots__ = ("_rows", "entries", "groups", "is_plain", "names", "node", "policy", "shape")

    def __init__(self, node: Node, policy: MergePolicy | None) -> None:
        self.node = node
        self.policy = policy
        """Both are kept: a part is found again by their identities."""
        rows: dict[Key, list[Node]] | None = None
        if is_written_map(node):
            self.entries: dict[Key, Node] | None = node.entries
            """What is at its keys, where it is written so."""
        else:
            self.entries, rows = None, rows_of([node], policy)
        self.is_plain = self.entries is not None or rows is not None
        """Whether it is a plain map, or merged from plain maps key by key."""
        self.names: KeyNames = tuple(self.entries if self.entries is not None else rows or ())
        self.shape = 0
        """A number that all maps with these names have, and no other."""
        self._rows = rows
        self.groups: dict[tuple[Path, frozenset[Key]], KeyGroup] = {}
        """Its keys as documents have them, by the place and the keys that another part has, too."""

    def nodes(self, key: Key) -> list[Node]:
        """What it is made of at a key."""
        if self.entries is not None:
            return [self.entries[key]]
        assert self._rows is not None
        return self._rows[key]
