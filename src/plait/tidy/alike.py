"""Keys of documents that are made of the same written parts: what they do is worked out once, and each document that
has them adds its target."""

from __future__ import annotations

from plait.tidy.merged import is_usual, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Key, Node
    from plait.core.path import Path
    from plait.core.policy import MergePolicy


NOT_PLAIN: dict[Key, list[Node]] = {}
"""The keys of a part that is not a plain map."""


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
    """The keys of some maps that are merged: all of them, those that several maps have, each with the numbers of these
    maps, and which of them each map has."""

    __slots__ = ("first", "names", "others", "several")

    def __init__(self, maps: tuple[frozenset[Key], ...]) -> None:
        names: set[Key] = set()
        several: set[Key] = set()
        for one in maps:
            several |= names & one
            names |= one
        self.names = names
        self.several: dict[Key, list[int]] = {
            name: [at for at, one in enumerate(maps) if name in one] for name in several
        }
        self.others = [one & several for one in maps]
        self.first = [frozenset(key for key in one if self.several[key][0] == at) for at, one in enumerate(self.others)]
        """Those that several maps have, at the lowest map that has each."""


class MapPart:
    """A map that documents are merged from, under a policy: the keys that it brings, and what each is made of."""

    __slots__ = ("groups", "is_usual", "keys", "names", "node", "policy")

    def __init__(self, node: Node, policy: MergePolicy | None) -> None:
        self.node = node
        self.policy = policy
        """Both are kept: a part is found again by their identities."""
        rows = rows_of([node], policy)
        self.keys: dict[Key, list[Node]] = rows if rows is not None else NOT_PLAIN
        self.names = frozenset(self.keys)
        self.is_usual = is_usual(node)
        self.groups: dict[tuple[Path, frozenset[Key]], KeyGroup] = {}
        """Its keys as documents have them, by the place and the keys that another part has, too."""

    @property
    def is_plain(self) -> bool:
        """Whether it is a plain map, or merged from plain maps key by key."""
        return self.keys is not NOT_PLAIN
