"""The backend of a component and the name of its terraform workspace, derived as Atmos derives them."""

from __future__ import annotations

import re

from plait.core.diagnostic import Label, PlaitError
from plait.core.expression import Expression
from plait.core.find import entry
from plait.core.node import Key, MapNode, Node, Scalar, Suspension, text
from plait.core.source import Computed
from plait.fronts.stacks.assemble.section_layers import BACKENDS, BASE, OWN, TYPE
from plait.fronts.stacks.session.nodes import DERIVED
from plait.fronts.stacks.session.secrets import public_value
from plait.report.catalog import BAD_BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Place, Scope
    from plait.fronts.stacks.assemble.layers import ComponentLayers
    from plait.fronts.stacks.assemble.shared import Shared

LAYERS = (TYPE, BASE, OWN)


class Backend:
    """The backend sections of one component. Facts about the component that are expensive to compute are requested only
    if needed."""

    def __init__(
        self,
        shared: Shared,
        layers: ComponentLayers,
        early: Callable[[], Place],
        state_name: Callable[[], str],
        title: Callable[[], str],
    ) -> None:
        self._shared = shared
        self._layers = layers
        self._written = layers.above_root(BACKENDS)
        self._early = early
        self._state_name = state_name
        self._title = title

    def shared_sections(self, known: dict[str, dict[Key, Node]]) -> dict[Key, Node]:
        """backend, remote_state_backend and their types.

        Components that do not configure a backend themselves share one if its name is the same: `known` contains these
        by name.
        """
        written = self._layers.written
        for section in BACKENDS:
            if section in written:
                return self._sections()
        name = self._state_name()
        if name not in known:
            known[name] = self._sections()
        return known[name]

    def _sections(self) -> dict[Key, Node]:
        entries: dict[Key, Node] = {}
        kind = self.word("backend_type")
        backend = self._chosen("backend", kind)
        if backend is None and kind in DEFAULTS:
            backend = MapNode({}, DERIVED)
        if backend is not None:
            backend = self._with_defaults(kind, backend)
            entries["backend"] = backend
        if kind:
            entries["backend_type"] = self._kind("backend_type", kind)
        remote_kind = self.word("remote_state_backend_type") or kind
        remote = self._chosen("remote_state_backend", remote_kind)
        parts = [part for part in (backend if remote_kind == kind else None, remote) if part is not None]
        whole = self._merged(parts, "remote_state_backend")
        if whole is not None:
            entries["remote_state_backend"] = whole
        if remote_kind:
            entries["remote_state_backend_type"] = self._kind("remote_state_backend_type", remote_kind)
        return entries

    def _kind(self, name: str, kind: str) -> Node:
        """The type of a backend, as what chose it has it."""
        given = self._node(name) or self._node("backend_type")
        return text(kind, *((given.source, given.at) if given is not None else (DERIVED,)))

    def word(self, name: str) -> str:
        """The text of the highest layer that has one; empty if none has."""
        node = self._node(name)
        return str(public_value(node, name)) if node is not None else ""

    def _node(self, name: str) -> Scalar | None:
        for layer, part in reversed(self._written[name]):
            given = self._shared.session.known(part, self._early().child(name)) if part.live else part
            if layer in LAYERS and isinstance(given, Scalar) and given.value:
                return given
        return None

    def _chosen(self, section: str, kind: str) -> Node | None:
        """The part of a backend section that its type names. If it is missing while others exist, it is an error."""
        whole = self._merged([part for layer, part in self._written[section] if layer in LAYERS], section)
        if not isinstance(whole, MapNode) or not whole.entries or not kind:
            return None
        node = whole.entries.get(kind)
        if node is None:
            raise self._mismatch(section, kind, whole)
        return node

    def _merged(self, parts: list[Node], section: str) -> Node | None:
        return self._shared.policies.merge(parts, section) if parts else None

    def _mismatch(self, section: str, kind: str, whole: MapNode) -> PlaitError:
        others = ", ".join(str(key) for key in whole.entries)
        why = (
            f"backend_type does not match any key configured under {section}: {self._title()}: "
            f'{section}_type is "{kind}", but {section} has: {others}'
        )
        given = self._node(f"{section}_type") or self._node("backend_type")
        labels = [Label(given.origin, f"this chooses {kind}")] if given is not None else []
        return BAD_BACKEND.error(
            *labels,
            Label(whole.origin, "this is configured"),
            why=why,
            hint=f"set `{section}_type`, or configure `{section}.{kind or 'TYPE'}`",
        )

    def _with_defaults(self, kind: str, backend: Node) -> Node:
        """A backend with the value that Atmos fills in: the prefix or key of this component's state."""
        key = DEFAULTS.get(kind)
        if key is None or not isinstance(backend, MapNode):
            return backend
        given = backend.entries.get(key)
        is_given = given is not None and not (isinstance(given, Scalar) and given.value in (None, ""))
        if is_given and not (kind == "azurerm" and self._is_for_all(given)):
            return backend
        value = self._azurerm_key() if kind == "azurerm" else self._state_name()
        added = text(value, DERIVED)
        parts = (backend, MapNode({key: added}, DERIVED))
        return MapNode({**backend.entries, key: added}, backend.source, backend.at, None, backend.live, parts=parts)

    def _is_for_all(self, key: Node | None) -> bool:
        """Whether a key of azurerm is the one that the type sets for all components, below which each has its own."""
        of_all = self._key_for_all()
        own = entry(self._layers.own, "backend", "azurerm", "key")
        return own is None and isinstance(key, Scalar) and of_all is not None and key.value == of_all.value

    def _key_for_all(self) -> Scalar | None:
        for layer, part in reversed(self._written["backend"]):
            found = entry(part, "azurerm", "key") if layer == TYPE else None
            if isinstance(found, Scalar) and found.value:
                return found
        return None

    def _azurerm_key(self) -> str:
        """The key of a state: the component's name, below the key of all."""
        above = self._key_for_all()
        prefix = f"{above.text}/" if above is not None else ""
        return f"{prefix}{self._state_name()}.terraform.tfstate"


DEFAULTS = {"s3": "workspace_key_prefix", "gcs": "prefix", "azurerm": "key"}
"""For each type of backend, the key that is filled in if it is not set."""

TOKENS = re.compile(r"\{([a-z-]+)\}")


def has_default_workspace(shared: Shared, backend: Backend) -> bool:
    """Whether only terraform's default workspace is used."""
    return not shared.workspaces or backend.word("backend_type") == "http"


def workspace(shared: Shared, backend: Backend, metadata: MapNode, stack: str, name: str, folder_name: str) -> Node:
    """The terraform workspace of a component."""
    if has_default_workspace(shared, backend):
        return shared.fact("default")
    for key, make in WORKSPACES.items():
        given = metadata.entries.get(key)
        if isinstance(given, Suspension) or (isinstance(given, Scalar) and given.value):
            written = given.written if isinstance(given, Suspension) else None
            return Suspension(WorkspaceName(key, given, make), given.source, given.at, written)
    plain = stack if folder_name == name else f"{stack}-{name}"
    return shared.fact(plain.replace("/", "-"))


class WorkspaceName(Expression):
    """The name of a workspace as metadata gives it, seen from the component: an expression."""

    __slots__ = ("_given", "_make", "_name", "text")

    def __init__(self, name: str, given: Scalar | Suspension, make: Callable[[str, Scope], str]) -> None:
        self._name = name
        self._given = given
        self._make = make
        self.text = given.text if isinstance(given, Scalar) else given.expression.text

    def evaluate(self, scope: Scope) -> Node:
        given = scope.known(self._given, scope.place.root.child("metadata").child(self._name))
        name = self._make(given.text, scope) if isinstance(given, Scalar) else ""
        return text(name.replace("/", "-"), Computed(self.text, given.source, given.at), given.at)


def _same(given: str, scope: Scope) -> str:
    return given


def filled(given: str, scope: Scope) -> str:
    """A pattern with the words in braces replaced by variables of the component."""

    def token(match: re.Match[str]) -> str:
        if match[1] in TOKENS_OF_NAMES:
            return TOKENS_OF_NAMES[match[1]](scope)
        value = scope.find(("vars", match[1]))
        return value.text if isinstance(value, Scalar) else match[0]

    return TOKENS.sub(token, given)


def _own_name(scope: Scope) -> str:
    """The name of the component."""
    return _text(scope.find(("atmos_component",)))


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _other_folder(scope: Scope) -> str:
    """The component whose code a component has; empty where it has its own."""
    metadata = scope.find(("metadata",))
    given = entry(metadata, "component") or scope.find(("component",))
    known = scope.known(given, scope.place.root.child("metadata").child("component")) if given.live else given
    name = _text(known)
    return name if name != _own_name(scope) else ""


TOKENS_OF_NAMES: dict[str, Callable[[Scope], str]] = {"component": _own_name, "base-component": _other_folder}
"""Words of a pattern that are not variables."""
WORKSPACES = {
    "terraform_workspace_template": _same,
    "terraform_workspace_pattern": filled,
    "terraform_workspace": _same,
}
"""The keys of the metadata that name a workspace; the first that is there."""
