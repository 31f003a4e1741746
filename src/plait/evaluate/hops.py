"""The way a value came: from where it is seen, through references, aliases, merge keys, includes, templates and
directives, down to where it is written.

    net.cidr    10.0.0.0/8    base.yaml:2:14
      through   net                  base.yaml:4:6     !ref settings.net
      written   settings.net.cidr    base.yaml:2:14    10.0.0.0/8

A way is a list of `Hop`s, the first one nearest to where the value is seen. It is read from the account: whatever holds
the part that decided was come through.
"""

from __future__ import annotations

from plait.core.node import Mapping, Node, Parts, Sequence, Suspension
from plait.core.path import Path, Step
from plait.core.role import DIRECTIVE
from plait.core.source import Computed, Origin, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.expression import Brought
    from plait.merging.account import Account

THROUGH, WRITTEN, READS, BECAUSE = "through", "written", "reads", "because"
IMPORTED, INHERITED = "imported by", "inherited by"


class Hop:
    """One step of the way. `word` says what it is to the value (`through`, `written`, `reads`, ...; a front may have
    words of its own), `kind` what it is by itself (`reference`, `alias`, ...), `text` what is written there.

    `hops` are what was read there, each with its own way.
    """

    __slots__ = ("hops", "kind", "origin", "path", "text", "value", "word")

    def __init__(
        self,
        word: str,
        kind: str = "",
        path: Path = (),
        origin: Origin | None = None,
        text: str = "",
        value: Node | None = None,
        hops: list[Hop] | None = None,
    ) -> None:
        self.word = word
        self.kind = kind
        self.path = path
        self.origin = origin
        self.text = text
        self.value = value
        self.hops = hops or []

    def __repr__(self) -> str:
        return f"Hop({self.word} {self.kind} {self.origin} {self.text!r})"


class Passed:
    """Something that a value came through, and how the value is reached inside it."""

    __slots__ = ("account", "hop", "rest")

    def __init__(self, hop: Hop, account: Account | None, rest: Path) -> None:
        self.hop = hop
        self.account = account
        """Of an expression: its account."""
        self.rest = rest


def passed(account: Account) -> list[Passed]:
    """What the part that decided a value is inside of, the outermost first."""
    child = account.winner
    found: list[Passed] = []
    rest: list[Step] = []
    above = child.up
    while above is not None and not above.is_straight:
        is_part = child in above.parts
        if not is_part:
            rest.append(child.place.step)
        hop = _part_hop(above, child) if is_part else _inner_hop(above, child)
        if hop is not None:
            expression = above if isinstance(above.node, Suspension) else None
            found.append(Passed(hop, expression, tuple(reversed(rest))))
        brought = _brought(above, child) if not is_part else None
        if brought is not None:
            found.append(_bringing(above, brought, tuple(reversed(rest[:-1]))))
        alias = _alias(above.node, child) if not is_part else None
        if alias is not None:
            found.append(Passed(Hop(THROUGH, "alias", _seen_at(above, child), *alias), None, ()))
        child, above = above, above.up
    return found[::-1]


def _seen_at(above: Account, child: Account) -> Path:
    return (*above.place.path, child.place.step)


def _part_hop(merge: Account, part: Account) -> Hop | None:
    """The hop of a part of a merge that an expression or a merge key made; what a map says itself is none."""
    if part is merge.parts[-1]:
        return None
    node = merge.node
    if isinstance(node, Suspension):
        hop = _expression_hop(merge, node) if node.expression.way else None
        if hop is not None and part.role.kind == DIRECTIVE:
            hop.text = part.role.name.partition(" at ")[0]
        return hop
    if isinstance(node, Mapping) and not isinstance(node.parts, Parts):
        alias = _alias(node, part)
        return Hop(THROUGH, "merge key", merge.place.path, alias[0], f"<<: {alias[1]}") if alias is not None else None
    return None


def _inner_hop(container: Account, child: Account) -> Hop | None:
    node = container.node
    return _expression_hop(container, node) if isinstance(node, Suspension) and node.expression.way else None


def _brought(container: Account, child: Account) -> Brought | None:
    """The part of an expression that brought a value among what the expression has itself."""
    node, step = container.node, child.place.step
    if not isinstance(node, Suspension):
        return None
    brought = node.expression.brings(step, container.place, container.tracer.force)
    return None if brought is not None and brought.instead and child.parts else brought


def _bringing(container: Account, brought: Brought, rest: Path) -> Passed:
    node = brought.node
    text = node.told if isinstance(node, Suspension) else ""
    hop = Hop(THROUGH, "merge key", container.place.path, node.origin, f"{brought.key}: {text}".rstrip(" :"))
    return Passed(hop, container.tracer.account(node, brought.place), (brought.step, *rest))


def _expression_hop(account: Account, node: Suspension) -> Hop:
    return Hop(THROUGH, node.expression.way, account.place.path, node.origin, node.told)


def _alias(holder: Node, child: Account) -> tuple[Origin, str] | None:
    """Where a container names a value by an alias, and the alias; None where the value is written in it."""
    source = holder.source
    if isinstance(source, Computed) or not source.aliases or not isinstance(holder, Mapping | Sequence):
        return None
    start = _key_mark(holder, child.place.step) or holder.at
    if not isinstance(child.node.source, Computed) and child.node.at >= start:
        return None  # it is written here: an alias comes after what it stands for
    meant = child.node
    named = (at for at, node in source.aliases.items() if at >= start and _is_same(node, meant))
    at = min(named, default=None)
    return None if at is None else (Origin(source, at), _word(source, at))


def is_aliased(holder: Account, child: Account) -> bool:
    """Whether a container has a value by an alias."""
    return _alias(holder.node, child) is not None


def _is_same(one: object, other: Node) -> bool:
    """Whether two nodes are the same text: a copy of a map stands where the map does."""
    return one is other or (isinstance(one, Node) and one.source is other.source and one.at == other.at)


def _key_mark(holder: Node, step: Step) -> int:
    if isinstance(holder, Mapping):
        for mark, name in zip(holder.marks, holder.entries, strict=False):
            if name == step:
                return mark
    return 0


def _word(source: Source, at: int) -> str:
    """`*name`, as it is written."""
    end = at
    while end < len(source.text) and not source.text[end].isspace() and source.text[end] not in ",]}":
        end += 1
    return source.text[at:end]
