"""Where a component keeps its state, and the name of its terraform workspace: derived as Atmos derives them."""

from __future__ import annotations

import re

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar, text
from plait.fronts.stacks.hush import public_value
from plait.fronts.stacks.imports import entry, merged
from plait.fronts.stacks.scope import DERIVED
from plait.report.catalog import BAD_BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    parts = [part for part in (backend, remote) if part is not None]
    whole = merged(parts, component.run.policy("", "remote_state_backend"))
    if whole is not None:
        entries["remote_state_backend"] = whole
    if remote_kind:
        entries["remote_state_backend_type"] = text(remote_kind, DERIVED)
    return entries


def word(component: Component, name: str) -> str:
    """The highest layer's word that is not empty."""
    for kind, part in reversed(component.said.get(name, ())):
        if kind in LAYERS and isinstance(part, Scalar) and part.value:
            return str(public_value(part, name))
    return ""


def chosen(component: Component, section: str, kind: str) -> Node | None:
    """The part of a backend section that its type names. Others are an error where that one is missing."""
    whole = merged(component.layers(section, LAYERS), component.run.policy("", section))
    if not isinstance(whole, Mapping) or not whole.entries or not kind:
        return None
    found = whole.entries.get(kind)
    if found is None:
        raise mismatch(component, section, kind, whole)
    return found


def mismatch(component: Component, section: str, kind: str, whole: Mapping) -> PlaitError:
    others = ", ".join(str(key) for key in whole.entries)
    why = (
        f"backend_type does not match any key configured under {section}: component \"{component.name}\" in stack "
        f"\"{component.stack or component.manifest.name}\": {section}_type is \"{kind}\", but {section} has: {others}"
    )
    return BAD_BACKEND.error(Label.of(whole), why=why, hint=f"set `{section}_type`, or configure `{section}.{kind or 'TYPE'}`")


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
    return Mapping(entries, backend.source, backend.at, None, backend.live, parts=(backend, Mapping({key: entries[key]}, DERIVED)))


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


def workspace(component: Component) -> str:
    """The terraform workspace of a component."""
    if not component.run.config.workspaces or word(component, "backend_type") == "http":
        return "default"
    for name, make in WORKSPACES.items():
        said = component.fact(name) if name in component.metadata.entries else None
        if isinstance(said, str) and said:
            return make(component, said).replace("/", "-")
    plain = component.stack if component.folder_name == component.name else f"{component.stack}-{component.name}"
    return plain.replace("/", "-")


def _same(component: Component, said: str) -> str:
    return said


def _template(component: Component, said: str) -> str:
    from plait.notations.gotemplate.errors import TemplateError

    run = component.run
    try:
        return run.revealed.public("the name of a workspace", run.values_of(component), lambda known: run.templates.render(said, known))
    except TemplateError:
        return said


def _pattern(component: Component, said: str) -> str:
    known = component.section("vars")
    words = {"component": component.name, "base-component": component.folder_name}

    def token(found: re.Match[str]) -> str:
        value = entry(known, found[1])
        return words.get(found[1]) or (str(public_value(value, "the name of a workspace")) if isinstance(value, Scalar) else found[0])

    return TOKENS.sub(token, said)


WORKSPACES = {"terraform_workspace_template": _template, "terraform_workspace_pattern": _pattern, "terraform_workspace": _same}
"""What the metadata may say about the name of a workspace; the first that does."""
