"""How layers are merged: one frozen value, handed down whole.

A policy answers for one place; `child(step)` is the policy one step further down. A policy without patterns is its
own child, so that the usual merge pays nothing for the possibility.
"""

from __future__ import annotations

from plait.core.path import ANY, DEEP, Path, Step, Wildcard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from plait.core.source import Origin


class ListStrategy:
    """A way to merge lists, as people meet it: in rules, reports, schemas and on pages. What it does with items is a
    line of `merging.align.ARRANGEMENTS`."""

    __slots__ = ("about", "added", "by_fields", "decided", "for_people", "name", "names_items", "tag", "words")

    def __init__(
        self,
        name: str,
        decided: str,
        added: str = "",
        about: str = "",
        *,
        tag: tuple[str, str] | None = None,
        names_items: str = "",
        by_fields: bool = False,
    ) -> None:
        self.name = name
        self.decided = decided
        """What is said to be decided where two lists are merged."""
        self.added = added
        """What happened to an item that only the higher list has."""
        self.about = about
        """What the result is; empty for what only the profile of a tool, or a notation, can ask for."""
        self.tag = tag
        """What the tag `!NAME` of a list does, and an example; None where there is no such tag."""
        self.words = f"{name}:{names_items}" if names_items else name
        """How it is written in a rule."""
        self.names_items = bool(names_items)
        """Whether a rule says what identifies an item."""
        self.by_fields = by_fields
        """Whether it does so by fields of the item."""
        self.for_people = bool(about)


LIST_STRATEGIES = {
    one.name: one
    for one in (
        ListStrategy("replace", "replaced", "", "the list of the highest layer"),
        ListStrategy(
            "append",
            "appended",
            "appended",
            "the items of lower layers, then those of this one",
            tag=("Append this list to the one of lower layers.", "!append [c]"),
        ),
        ListStrategy(
            "prepend",
            "prepended",
            "prepended",
            "the items of this layer, then those of lower ones",
            tag=("Prepend this list to the one of lower layers.", "!prepend [a]"),
        ),
        ListStrategy(
            "key", "by key", "added", "items with the same key are merged", names_items="NAME", by_fields=True
        ),
        ListStrategy("index", "by index", "added", "items at the same position are merged"),
        ListStrategy("set", "as set", "added", "every item once, those of lower layers first"),
        ListStrategy("unique", "appended", "appended", names_items="NAME"),
        ListStrategy("unseen", "appended", "appended"),
        ListStrategy("subnet", "by index", "added"),
        ListStrategy("patch", "by key", "added", names_items="NAME", by_fields=True),
        ListStrategy("patch-set", "as set", "added"),
        ListStrategy("patch-whole", "replaced", "replaced"),
        ListStrategy("where asked", "by index", "added"),
    )
}
"""Every way to merge lists. `unique:NAME` names one of `merging.identities.IDENTITIES`."""
STRATEGIES = tuple(one.name for one in LIST_STRATEGIES.values() if one.for_people)
"""What people can ask for."""
OF_TOOLS = tuple(name for name in LIST_STRATEGIES if name != "where asked")
"""What the profile of a tool can ask for."""


def strategies_text() -> str:
    """What people can ask for, as they write it: `replace, append or key:NAME`."""
    *others, last = (LIST_STRATEGIES[name].words for name in STRATEGIES)
    return f"{', '.join(others)} or {last}"


class ListRule:
    """What happens where two lists are merged. `keys` name the fields that identify an item under `key`.

    `defaults` are what some of them mean where an item leaves them out (`key:port,protocol=TCP`). `order` has what
    identifies items, in the order that a list asks for (`$setElementOrder` of Kubernetes). `inside` is for items that
    are lists themselves; None for those that are merged as lists elsewhere are.
    """

    __slots__ = ("defaults", "inside", "keys", "order", "origin", "strategy")

    def __init__(
        self,
        strategy: str,
        keys: tuple[str, ...] = (),
        defaults: tuple[tuple[str, str], ...] = (),
        origin: Origin | None = None,
        order: tuple[Hashable, ...] = (),
        inside: ListRule | None = None,
    ) -> None:
        self.strategy = strategy
        self.keys = keys
        self.defaults = defaults
        self.origin = origin
        """Where it is written; None for one that nobody wrote."""
        self.order = order
        self.inside = inside

    @classmethod
    def parse(cls, text: str, strategies: tuple[str, ...] = STRATEGIES, origin: Origin | None = None) -> ListRule:
        """The name of a strategy, or `key:NAME[=DEFAULT][,...]`; ValueError lists them."""
        strategy, _, names = text.partition(":")
        fields = [name.strip().partition("=") for name in names.split(",") if name.strip()]
        keys = tuple(name for name, _, _ in fields)
        named = strategy in strategies and LIST_STRATEGIES[strategy].names_items
        if strategy in strategies and named == bool(keys) and (named or not names):
            defaults = tuple((name, default) for name, equals, default in fields if equals)
            return cls(strategy, keys, defaults, origin)
        raise ValueError(f"`{text}` is not a list strategy; use {strategies_text()}")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ListRule)
            and str(self) == str(other)
            and self.order == other.order
            and self.inside == other.inside
        )

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        defaults = dict(self.defaults)
        names = [f"{name}={defaults[name]}" if name in defaults else name for name in self.keys]
        return f"{self.strategy}:{','.join(names)}" if names else self.strategy

    __repr__ = __str__

    @property
    def keyed(self) -> bool:
        """Whether items are told apart by some of their fields."""
        known = LIST_STRATEGIES.get(self.strategy)
        return known is not None and known.by_fields


REPLACE = ListRule("replace")


class PlaceRule:
    """A list rule for the places that a pattern matches. The higher `weight` wins."""

    __slots__ = ("path", "rule", "weight")

    def __init__(self, path: Path, rule: ListRule, weight: tuple[int, int, int, int]) -> None:
        self.path = path
        self.rule = rule
        self.weight = weight

    @classmethod
    def at_level(cls, level: int, order: int, path: Path, rule: ListRule) -> PlaceRule:
        """Weighed by where it was declared, then by length, by fewer wildcards, then by order."""
        wildcards = sum(isinstance(step, Wildcard) for step in path)
        return cls(path, rule, (level, len(path), -wildcards, order))

    def after(self, step: Step, index: int | None = None) -> Iterable[PlaceRule]:
        """What is left of the pattern one step further down, not `unfolded`; an item may be named by its position
        too."""
        head, rest = self.path[0], self.path[1:]
        if head is DEEP:
            yield self
        elif head is ANY or head == step or (index is not None and head == index):
            yield PlaceRule(rest, self.rule, self.weight)

    def unfolded(self) -> Iterable[PlaceRule]:
        """Itself, and itself with a leading `**` standing for nothing."""
        yield self
        if self.path and self.path[0] is DEEP:
            yield from PlaceRule(self.path[1:], self.rule, self.weight).unfolded()


def distinct_positions(rules: Iterable[PlaceRule]) -> list[PlaceRule]:
    """Return the positions that are reached in patterns, each once: several `**` lead to one position in many ways."""
    return list({(rule.weight, len(rule.path)): rule for rule in rules}.values())


class MergePolicy:
    """Lists (by default and by pattern), kinds that differ (`replace` or `error`) and null over another value (`keep`
    or `error`), as seen from one place.

    `word` is a key under which a mapping itself says how it is merged (`merge`, `error`, anything else replaces), for a
    notation that has one. `order` says whose keys come first, those of the `low` or of the `high` part.
    """

    __slots__ = (
        "_children",
        "_items",
        "_patterns",
        "_plain",
        "default",
        "kinds",
        "lists",
        "nulls",
        "order",
        "strict",
        "uniform",
        "usual",
        "word",
    )

    def __init__(
        self,
        default: ListRule = REPLACE,
        kinds: str = "replace",
        patterns: Iterable[PlaceRule] = (),
        word: str | None = None,
        order: str = "low",
        nulls: str = "keep",
    ) -> None:
        states = distinct_positions(state for pattern in patterns for state in pattern.unfolded())
        here = [state for state in states if not state.path]
        self.default = default
        self.kinds = kinds
        self.word = word
        self.order = order
        self.nulls = nulls
        self.strict = "error" in (kinds, nulls)
        """Whether a value may not override every other one."""
        self.lists = max(here, key=lambda state: state.weight).rule if here else default
        self._patterns = tuple(state for state in states if state.path)
        self._children: dict[tuple[Step, int | None], MergePolicy] = {}
        self._plain: MergePolicy | None = None
        self._items: MergePolicy | None = None
        self.uniform = not self._patterns and self.lists is default
        """Whether it is the same everywhere below."""
        self.usual = self.uniform and word is None and order == "low" and not self.strict
        """Whether nothing about maps is to be asked of it."""

    def child(self, step: Step, index: int | None = None) -> MergePolicy:
        """The policy one step further down; `index` is the position of an item that `step` calls by its key."""
        if self.uniform:
            return self
        known = self._children.get((step, index))
        if known is None:
            patterns = tuple(state for pattern in self._patterns for state in pattern.after(step, index))
            known = self._children[step, index] = self._below(patterns)
        return known

    def _below(self, patterns: tuple[PlaceRule, ...]) -> MergePolicy:
        """A policy with what is left of the patterns; places where nothing is left share one."""
        if not patterns and self._plain is not None:
            return self._plain
        made = MergePolicy(self.default, self.kinds, patterns, self.word, self.order, self.nulls)
        if not patterns:
            self._plain = made
        return made

    def items(self, rule: ListRule) -> MergePolicy:
        """This policy for an item of a list that is merged by a rule, which may have its own for lists inside; what a
        pattern says of the place counts more. It is the same object each time."""
        inside = rule.inside
        if inside is None or self.lists is not self.default:
            return self
        if self._items is None or self._items.lists is not inside:
            patterns = (*self._patterns, PlaceRule((), inside, (0, 0, 0, 0)))
            self._items = MergePolicy(self.default, self.kinds, patterns, self.word, self.order, self.nulls)
            if self.uniform:
                self._items._plain = self
        return self._items
