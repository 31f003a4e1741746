"""What a question knows: where it is asked, which variables there are, how strict it is."""

from __future__ import annotations

from plait.core.diagnostic import Label, OwnWords
from plait.core.node import Bound, ListNode, MapNode, Node, Scalar, Suspension, mask_of, secrets_in, unbound
from plait.core.plain import from_plain
from plait.core.scope import Place
from plait.core.source import Computed
from plait.notations.query.data import plain
from plait.notations.query.units import computable, measured
from plait.report.catalog import QUERY_TOO_DEEP, SECRET_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from plait.core.diagnostic import PlaitError
    from plait.core.meter import Meter
    from plait.core.scope import Scope
    from plait.core.source import Source
    from plait.notations.query.data import Value
    from plait.notations.query.tree import Tree

DEPTH = 60
"""How deep expressions may be nested."""
LONG = 6
"""The length from which a secret is recognized inside a longer key."""

DEEPER = 16
"""Steps for an expression inside another one."""


class QuerySettings:
    """How a front wants questions answered. `providers` serve `secret`, `local` and `external`."""

    __slots__ = ("folder", "lists", "providers", "safe", "strict", "templates", "traced")

    def __init__(
        self,
        safe: bool = False,
        strict: bool = True,
        folder: str = ".",
        providers: dict[str, Callable[..., object]] | None = None,
    ) -> None:
        self.safe = safe
        self.strict = strict
        self.folder = folder
        self.providers = providers or {}
        self.lists: dict[tuple[int, str], tuple[Node, dict[str | None, list[int]] | None]] = {}
        """An index of some lists, by their identity and a key: see `select.index_of`."""
        self.templates: dict[str, CodeType] = {}
        """The code of templates, by their texts."""
        self.traced: dict[str, str] = {}
        """What `trace` recorded: an expression and what it gave."""


class QueryRun:
    """One evaluation: whether it has seen a secret, and how deep it is nested."""

    __slots__ = ("depth", "secret")

    def __init__(self) -> None:
        self.secret: bool | str = False
        """What `Scalar.secret` is of the answer."""
        self.depth = 0


class Context:
    __slots__ = ("current", "place", "resource", "run", "scope", "settings", "strict", "tree", "variables")
    scope: Scope
    tree: Tree

    def __init__(self, scope: Scope, tree: Tree, place: Place, settings: QuerySettings) -> None:
        self.scope = scope
        self.tree = tree
        self.settings = settings
        self.place = place
        self.resource = tree.resource(scope, place)
        self.current: Value = (tree.node(scope, self.resource), self.resource)
        self.strict = settings.strict
        self.run = QueryRun()
        self.variables: dict[str, Value | Lazy] = {
            name: (Scalar(value, word, *self.source), None)
            for name, value, word in (("true", True, "true"), ("false", False, "false"), ("null", None, "null"))
        }
        self.variables["start"] = self.current

    @property
    def source(self) -> tuple[Source | Computed, int]:
        """The origin of what is computed here."""
        node = self.scope.node
        written = node.expression.text if isinstance(node, Suspension) else ""
        return Computed(written, node.source, node.at), node.at

    @property
    def meter(self) -> Meter:
        return self.scope.meter

    def label(self) -> Label:
        return Label(self.scope.node.origin)

    def copy(self) -> Context:
        other = Context.__new__(Context)
        for name in Context.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def at(self, value: Value) -> Context:
        """The same, with another current value."""
        other = self.copy()
        other.current = value
        if self.tree.is_resource(*value):
            assert value[1] is not None
            other.resource = value[1]
        return other

    def having(self, variables: dict[str, Value | Lazy]) -> Context:
        """The same, with more variables."""
        other = self.copy()
        other.variables = {**self.variables, **variables}
        start = variables.get("start")
        if start is not None:
            value = other.variable("start")
            return other.at(value) if value is not None else other
        return other

    def deeper(self) -> Context:
        other = self.copy()
        other.run = self.run
        self.meter.step(DEEPER)
        self.run.depth += 1
        if self.run.depth > DEPTH:
            raise QUERY_TOO_DEEP.error(
                self.label(), limit=DEPTH, hint="name parts of it in `vars`, or give them keys of their own"
            )
        return other

    def variable(self, name: str) -> Value | None:
        value = self.variables.get(name)
        if isinstance(value, Lazy):
            value = self.variables[name] = value.value()
        return value

    # Values

    def known(self, node: Node, place: Place | None) -> Value:
        """A node with its outermost kind known, and the place it is at."""
        if isinstance(node, Bound):
            node, place = unbound(node, node.place)
        found = self.scope.known(node, place or self.place)
        return found, self.tree.homes.get((node, place or self.place), place)

    def finished(self, value: Value) -> Node:
        """A value with everything below it known."""
        node, place = value
        done = self.scope.finished(node, place or self.place) if node.live else node
        self.run.secret = mask_of(self.run.secret, *(secret.secret for secret in secrets_in(done)))
        return done

    def plain(self, value: Value) -> object:
        """A value as Python's own data."""
        return plain(self.finished(value), meter=self.meter)

    def computable(self, value: Value) -> object:
        """A value as Python's own data, in which amounts with a unit can be computed with."""
        return plain(self.finished(value), computable, self.meter)

    def check_keys(self, data: object) -> None:
        """That no key of data that a template made shows a secret that it has read."""
        secrets = [text.casefold() for text in self.scope.secrets if text]
        work = [data] if secrets else []
        seen: set[int] = set()
        while work:
            value = work.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, dict):
                keys = [str(key).casefold() for key in value]
                if any(key == text or (len(text) >= LONG and text in key) for key in keys for text in secrets):
                    raise self.secret_key()
                work.extend(value.values())
            elif isinstance(value, list):
                work.extend(value)

    def secret_key(self) -> PlaitError:
        return SECRET_NAME.error(
            self.label(), what=OwnWords("a key"), hint="keys are shown everywhere: use values that are not secret"
        )

    def made(self, value: object) -> Value:
        """A value that was computed here."""
        return from_plain(value, *self.source, leaf=measured), None


class Lazy:
    """A variable that is worked out when it is read."""

    __slots__ = ("value",)

    def __init__(self, value: Callable[[], Value]) -> None:
        self.value = value


def is_truthy(value: Value) -> bool:
    node = value[0]
    if isinstance(node, Scalar):
        return bool(node.value)
    return (
        bool(node.entries if isinstance(node, MapNode) else node.items)
        if isinstance(node, MapNode | ListNode)
        else True
    )
