"""Where a component keeps its state, and the name of its terraform workspace: derived as Atmos derives them."""

from __future__ import annotations

import re

from plait.core.diagnostic import Label, PlaitError
from plait.core.expression import Expression
from plait.core.node import Key, Mapping, Node, Scalar, Suspension, text
from plait.core.source import Computed
from plait.fronts.stacks.hush import public_value
from plait.fronts.stacks.imports import entry, merged
from plait.fronts.stacks.scope import DERIVED
from plait.report.catalog import BAD_BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope
    from plait.fronts.stacks.components import Component

TYPE = "type"
LAYERS = (TYPE, "base", "own")
SECTIONS = ("backend", "backend_type", "remote_state_backend", "remote_state_backend_type")


def backend_sections(component: Component) -> dict[Key, Node]:
    """backend, remote_state_backend and their types, where anything says something about them."""
    if component.type != "terraform":
        return {}
    for section in SECTIONS:
        said = component.said.get(section)
        if said is not None and said[-1][0] != TYPE:
            return _sections(component)
    known = component.run.backends.setdefault(component.manifest, {})
    name = state_name(component)
    if name not in known:  # the components of a stack that say nothing themselves differ in this name only
        known[name] = _sections(component)
    return known[name]


def _sections(component: Component) -> dict[Key, Node]:
    entries: dict[Key, Node] = {}
    kind = word(component, "backend_type")
    backend = chosen(component, "backend", kind)
    if backend is not None:
        backend = with_defaults(component, kind, backend)
        entries["backend"] = backend
    if kind:
        entries["backend_type"] = text(kind, DERIVED)
    remote_kind = word(component, "remote_state_backend_type") or kind
    remote = chosen(component, "remote_state_backend", remote_kind)
    below = backend if remote_kind == kind else chosen(component, "backend", remote_kind, needed=False)
    parts = [part for part in (below, remote) if part is not None]
    whole = merged(parts, component.run.policy("", "remote_state_backend"))
    if whole is not None:
        entries["remote_state_backend"] = whole
    if remote_kind:
        entries["remote_state_backend_type"] = text(remote_kind, DERIVED)
    return entries


def word(component: Component, name: str) -> str:
    """The highest layer's word that is not empty."""
    said = saying(component, name)
    return str(public_value(said, name)) if said is not None else ""


def saying(component: Component, name: str) -> Scalar | None:
    """The node of the highest layer that says a word."""
    for kind, part in reversed(component.said.get(name, ())):
        said = component.run.settled(part, component.early.child(name)) if part.live else part
        if kind in LAYERS and isinstance(said, Scalar) and said.value:
            return said
    return None


def chosen(component: Component, section: str, kind: str, needed: bool = True) -> Node | None:
    """The part of a backend section that its type names. Others are an error where that one is missing and needed."""
    whole = merged(component.layers(section, LAYERS), component.run.policy("", section))
    if not isinstance(whole, Mapping) or not whole.entries or not kind:
        return None
    found = whole.entries.get(kind)
    if found is None and needed:
        raise mismatch(component, section, kind, whole)
    return found


def mismatch(component: Component, section: str, kind: str, whole: Mapping) -> PlaitError:
    others = ", ".join(str(key) for key in whole.entries)
    why = (
        f'backend_type does not match any key configured under {section}: component "{component.name}" in stack '
        f'"{component.stack or component.manifest.name}": {section}_type is "{kind}", but {section} has: {others}'
    )
    said = saying(component, f"{section}_type") or saying(component, "backend_type")
    labels = [Label.of(said, f"this chooses {kind}")] if said is not None else []
    return BAD_BACKEND.error(
        *labels,
        Label.of(whole, "this is configured"),
        why=why,
        hint=f"set `{section}_type`, or configure `{section}.{kind or 'TYPE'}`",
    )


def with_defaults(component: Component, kind: str, backend: Node) -> Node:
    """A backend with what Atmos fills in: the prefix or key under which this component's state lies."""
    default = DEFAULTS.get(kind)
    if default is None or not isinstance(backend, Mapping):
        return backend
    key, value = default(component, backend)
    said = backend.entries.get(key)
    if said is not None and kind != "azurerm":
        return backend
    entries = {**backend.entries, key: text(value, DERIVED)}
    return Mapping(
        entries, backend.source, backend.at, None, backend.live, parts=(backend, Mapping({key: entries[key]}, DERIVED))
    )


def state_name(component: Component) -> str:
    """What a component's state is called: its stable name, its code's name, or its own."""
    named = component.fact("name")
    return (str(named) if named else component.folder_name).replace("/", component.run.config.separator)


def _s3(component: Component, backend: Mapping) -> tuple[str, str]:
    return "workspace_key_prefix", state_name(component)


def _gcs(component: Component, backend: Mapping) -> tuple[str, str]:
    return "prefix", state_name(component)


def _azurerm(component: Component, backend: Mapping) -> tuple[str, str]:
    own = entry(entry(component.own.entries.get("backend"), "azurerm"), "key")
    if isinstance(own, Scalar):
        return "key", str(own.value)
    shared = backend.entries.get("key")
    prefix = f"{shared.text}/" if isinstance(shared, Scalar) and shared.value else ""
    return "key", f"{prefix}{state_name(component)}.terraform.tfstate"


DEFAULTS = {"s3": _s3, "gcs": _gcs, "azurerm": _azurerm}

TOKENS = re.compile(r"\{([a-z-]+)\}")


def workspace(component: Component) -> Node:
    """The terraform workspace of a component."""
    run = component.run
    if not run.config.workspaces or word(component, "backend_type") == "http":
        return run.fact("default")
    for name, make in WORKSPACES.items():
        said = component.metadata.entries.get(name)
        if isinstance(said, Suspension) or (isinstance(said, Scalar) and said.value):
            written = said.written if isinstance(said, Suspension) else None
            return Suspension(WorkspaceName(name, said, make), said.source, said.at, written)
    plain = component.stack if component.folder_name == component.name else f"{component.stack}-{component.name}"
    return run.fact(plain.replace("/", "-"))


class WorkspaceName(Expression):
    """The name of a workspace as metadata gives it, seen from the component: an expression."""

    __slots__ = ("_make", "_name", "_said", "text")

    def __init__(self, name: str, said: Scalar | Suspension, make: Callable[[str, Scope], str]) -> None:
        self._name = name
        self._said = said
        self._make = make
        self.text = said.text if isinstance(said, Scalar) else said.expression.text

    def evaluate(self, scope: Scope) -> Node:
        said = scope.known(self._said, scope.place.root.child("metadata").child(self._name))
        name = self._make(said.text, scope) if isinstance(said, Scalar) else ""
        return text(name.replace("/", "-"), Computed(self.text, said.source, said.at), said.at)


def _same(said: str, scope: Scope) -> str:
    return said


def _pattern(said: str, scope: Scope) -> str:
    def token(found: re.Match[str]) -> str:
        value = scope.find(TOKEN_PATHS.get(found[1], ("vars", found[1])))
        return value.text if isinstance(value, Scalar) else found[0]

    return TOKENS.sub(token, said)


TOKEN_PATHS: dict[str, tuple[str, ...]] = {"component": ("atmos_component",), "base-component": ("component",)}
"""Words of a pattern that are no variables."""
WORKSPACES = {
    "terraform_workspace_template": _same,
    "terraform_workspace_pattern": _pattern,
    "terraform_workspace": _same,
}
"""What the metadata may say about the name of a workspace; the first that does."""
