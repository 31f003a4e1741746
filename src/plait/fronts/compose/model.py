"""What Compose adds to a project that its files do not say: names, networks, dependencies, the Dockerfile."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.find import entry, items_of, word
from plait.core.node import MapNode, Mark, Node, in_place_of, is_null, key_text, with_changes
from plait.fronts.compose.canonical import RESOURCES
from plait.fronts.compose.nodes import entries, like, map_of
from plait.report.catalog import COMPOSE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Key

OF_SERVICE = ("network_mode", "ipc", "pid", "uts", "cgroup")
"""Keys that may name another service, as `service:NAME`."""
ALL = "*"


def enabled(root: Node, profiles: Collection[str]) -> Node:
    """The project without the services of profiles that are not asked for."""
    services = entry(root, "services")
    if not isinstance(root, MapNode) or not isinstance(services, MapNode):
        return root
    off = dict.fromkeys(left_out(services, profiles))
    return with_changes(root, {"services": with_changes(services, off)}) if off else root


def left_out(services: Node | None, profiles: Collection[str]) -> dict[Key, Node]:
    """The services of profiles that are not asked for."""
    if not isinstance(services, MapNode) or ALL in profiles:
        return {}
    return {key: service for key, service in services.entries.items() if not _is_on(service, profiles)}


def _is_on(service: Node, profiles: Collection[str]) -> bool:
    named = [word(item) for item in items_of(service, "profiles")]
    return not named or not set(named).isdisjoint(profiles)


def normal(root: Node, name: Node) -> Node:
    """The project with all that follows from what it says."""
    if not isinstance(root, MapNode):
        return root
    services = entry(root, "services")
    made = {key: _service(service) for key, service in entries(services).items()}
    changed: dict[Key, Node | None] = {"name": name}
    if isinstance(services, MapNode):
        changed["services"] = with_changes(services, made)
        if any("default" in entries(entry(one, "networks")) for one in made.values()):
            root = _with_default_network(root)
    for kind in RESOURCES:
        section = root.entries.get(kind)
        if isinstance(section, MapNode):
            changed[kind] = with_changes(section, {k: _named(k, one, name) for k, one in entries(section).items()})
    return with_changes(root, changed)


def _with_default_network(root: MapNode) -> MapNode:
    networks = root.entries.get("networks")
    if not isinstance(networks, MapNode):
        return with_changes(root, {"networks": map_of(root, {"default": map_of(root, {})})})
    if "default" in entries(networks):
        return root
    return with_changes(root, {"networks": with_changes(networks, {"default": map_of(root, {})})})


def _named(key: Key, node: Node, project: Node) -> Node:
    """A resource with its name: that of its project, unless it is of another one."""
    if not isinstance(node, MapNode) or not is_missing(node.entries.get("name")):
        return node
    external = word(node, "external") == "true"
    made = like(node, key_text(key) if external else f"{word(project)}_{key_text(key)}")
    return with_changes(node, {"name": made if external else in_place_of(made, project)})


def is_missing(node: Node | None) -> bool:
    return node is None or is_null(node) or isinstance(node, Mark)


def _service(node: Node) -> Node:
    if not isinstance(node, MapNode):
        return node
    changed: dict[Key, Node | None] = {}
    build = node.entries.get("build")
    if isinstance(build, MapNode):
        changed["build"] = _build(build)
    if word(node, "pull_policy") == "if_not_present":
        changed["pull_policy"] = like(node.entries["pull_policy"], "missing")
    if not {"network_mode", "provider"} & set(entries(node)) and not entries(node.entries.get("networks")):
        changed["networks"] = map_of(node, {"default": like(node, None)})
    implied = dict(_implied(node))
    depends = node.entries.get("depends_on")
    missing = {key: value for key, value in implied.items() if key not in entries(depends)}
    if missing:
        changed["depends_on"] = (
            with_changes(depends, missing) if isinstance(depends, MapNode) else map_of(node, missing)
        )
    return with_changes(node, changed)


def _build(node: MapNode) -> Node:
    added: dict[Key, Node | None] = {}
    if is_missing(node.entries.get("context")):
        added["context"] = like(node, ".")
    if is_missing(node.entries.get("dockerfile")) and "dockerfile_inline" not in entries(node):
        added["dockerfile"] = like(node, "Dockerfile")
    return with_changes(node, added)


def _implied(service: MapNode) -> Iterator[tuple[str, Node]]:
    """The services that must run before one, because it uses something of theirs."""
    for item in items_of(service, "links"):
        yield word(item).partition(":")[0], _dependency(item, restart=True)
    for key in OF_SERVICE:
        node = service.entries.get(key)
        kind, _, name = word(node).partition(":")
        if node is not None and kind == "service" and name:
            yield name, _dependency(node, restart=True)
    for item in items_of(service, "volumes_from"):
        name = word(item).partition(":")[0]
        if name != "container":
            yield name, _dependency(item, restart=False)


def _dependency(node: Node, restart: bool) -> Node:
    words = {"condition": "service_started", "required": True, "restart": restart}
    return map_of(node, {key: like(node, value) for key, value in words.items()})


# What is wrong


def check(root: Node) -> None:
    """That services, networks, volumes, secrets and configs that are used are there; all mistakes come at once."""
    wrong = [one for name, service in entries(entry(root, "services")).items() for one in _wrong(root, name, service)]
    if wrong:
        raise Fault(*wrong)


def _wrong(root: Node, name: Key, service: Node) -> Iterator[Diagnostic]:
    for one, other in ONLY_ONE:
        both = entries(service).get(one), entries(service).get(other)
        if both[0] is not None and both[1] is not None:
            why = f"service `{key_text(name)}` has both `{one}` and `{other}`"
            yield COMPOSE(Label(both[0].origin), Label(both[1].origin), why=why, hint="remove one of them")
    for kind, used in _uses(service):
        known = [key_text(key) for key in entries(entry(root, kind))]
        named = word(used)
        if named not in known and "$" not in named and not (kind == "networks" and named == "default"):
            why = f"service `{key_text(name)}` uses the {kind[:-1]} `{named}`, which the project does not have"
            hint = did_you_mean(named, known) or f"add it under `{kind}`" + (
                ", or turn on its profile" if kind == "services" else ""
            )
            yield COMPOSE(Label(used.origin), why=why, hint=hint)


ONLY_ONE = (("network_mode", "networks"),)
"""Keys of a service that exclude each other."""


def _uses(service: Node) -> Iterator[tuple[str, Node]]:
    """What a service names: the kind of each, and the node with its name."""
    for key, node in entries(entry(service, "depends_on")).items():
        if word(node, "required") != "false":
            yield "services", like(node, key_text(key))
    for key, node in entries(entry(service, "networks")).items():
        yield "networks", like(node, key_text(key))
    for kind in ("secrets", "configs"):
        for item in items_of(entry(service, kind)):
            source = entry(item, "source")
            if source is not None:
                yield kind, source
    for item in items_of(service, "volumes"):
        source = entry(item, "source")
        if word(item, "type") == "volume" and source is not None:
            yield "volumes", source
