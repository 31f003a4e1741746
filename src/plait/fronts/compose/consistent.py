"""Whether the values of a project agree with each other: Compose refuses it otherwise."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from plait.core.diagnostic import Fault, Label
from plait.core.find import entry, items_of, word
from plait.core.node import key_text
from plait.fronts.compose.canonical import RESOURCES
from plait.fronts.compose.nodes import entries
from plait.merging.combine import asks_to_replace
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node

CONTENTS = {"configs": ("file", "environment", "content"), "secrets": ("file", "environment")}
"""The keys of which a config or a secret has one, which says where its content comes from."""
SAME = (
    (("scale",), ("deploy", "replicas")),
    (("cpus",), ("deploy", "resources", "limits", "cpus")),
    (("mem_limit",), ("deploy", "resources", "limits", "memory")),
    (("mem_reservation",), ("deploy", "resources", "reservations", "memory")),
    (("pids_limit",), ("deploy", "resources", "limits", "pids")),
)
"""Two ways to say the same of a service."""
TESTS = ("CMD", "CMD-SHELL", "NONE")
"""What the list of a health check begins with."""
REMOVE = "remove one of them"


def check_order(root: Node) -> None:
    """That no service waits for itself."""
    services = entries(entry(root, "services"))
    waits = {key_text(name): entries(entry(one, "depends_on")) for name, one in services.items()}
    try:
        TopologicalSorter({name: list(map(key_text, one)) for name, one in waits.items()}).prepare()
    except CycleError as error:
        ring = error.args[1][::-1]
        labels = [Label(waits[one][other].origin) for one, other in pairwise(ring)]
        why = f"services depend on each other: {' -> '.join(ring)}"
        raise COMPOSE.error(*labels, why=why, hint="let one of them start without the other") from None


def check_names(documents: list[Node]) -> None:
    """That no `external.name` differs from the name which the same file, or one below it, gives a resource."""
    known: dict[tuple[str, str], Node | None] = {}
    for document in documents:
        for kind in RESOURCES:
            for key, node in entries(entry(document, kind)).items():
                place = kind, key_text(key)
                below = None if asks_to_replace(node) else known.get(place)
                known[place] = _named(entry(node, "name") or below, entry(node, "external", "name"))


def _named(own: Node | None, other: Node | None) -> Node | None:
    if own is not None and other is not None and word(own) != word(other):
        labels = (Label(own.origin), Label(other.origin))
        raise COMPOSE.error(*labels, why="`name` and `external.name` differ", hint="keep `name`")
    return own or other


def check_resources(root: Node) -> None:
    """That each config and secret has one place where its content comes from, and each volume one maker."""
    wrong = [
        one
        for kind, keys in CONTENTS.items()
        for name, node in entries(entry(root, kind)).items()
        for one in _contents(f"{kind}.{key_text(name)}", node, keys)
    ]
    wrong += [one for name, node in entries(entry(root, "volumes")).items() for one in _owned(key_text(name), node)]
    if wrong:
        raise Fault(*wrong)


def _owned(name: str, node: Node) -> Iterator[Diagnostic]:
    """What a volume says that is not of this project, and so is made elsewhere."""
    external = entries(node).get("external")
    if external is None or word(external) == "false":
        return
    for key in ("driver", "driver_opts", "labels"):
        if key in entries(node):
            why = f"`volumes.{name}` is `external`, and has `{key}`, which only whoever makes it can set"
            labels = (Label(external.origin), Label(entries(node)[key].origin))
            yield COMPOSE(*labels, why=why, hint=REMOVE)


def _contents(name: str, node: Node, keys: tuple[str, ...]) -> Iterator[Diagnostic]:
    found = [entries(node)[key] for key in keys if key in entries(node)]
    named = " or ".join(f"`{key}`" for key in keys)
    if len(found) > 1:
        yield COMPOSE(
            *(Label(one.origin) for one in found), why=f"`{name}` has more than one of {named}", hint="keep one"
        )
    elif not found and not {"driver", "external"} & set(entries(node)):
        yield COMPOSE(Label(node.origin), why=f"`{name}` has no {named}", hint="add one, or `external: true`")


def check_services(root: Node) -> None:
    """That each service can be run, and says nothing in two ways."""
    services = entries(entry(root, "services"))
    wrong = [one for name, service in services.items() for one in _service(key_text(name), service)]
    if wrong:
        raise Fault(*wrong)


def _service(name: str, service: Node) -> Iterator[Diagnostic]:
    if not {"image", "build", "provider"} & set(entries(service)):
        yield COMPOSE(Label(service.origin), why=f"service `{name}` has no image to run", hint="add `image` or `build`")
    build = entries(entry(service, "build"))
    if {"dockerfile", "dockerfile_inline"} <= set(build):
        labels = (Label(build["dockerfile"].origin), Label(build["dockerfile_inline"].origin))
        yield COMPOSE(*labels, why=f"the build of `{name}` has two Dockerfiles", hint=REMOVE)
    for one, other in SAME:
        both = entry(service, *one), entry(service, *other)
        if both[0] is not None and both[1] is not None and word(both[0]) != word(both[1]):
            why = f"`{'.'.join(one)}` and `{'.'.join(other)}` of service `{name}` differ"
            yield COMPOSE(Label(both[0].origin), Label(both[1].origin), why=why, hint=REMOVE)
    yield from _alone(name, service)
    for item in items_of(service, "develop", "watch"):
        if word(item, "action").startswith("sync") and entry(item, "target") is None:
            yield COMPOSE(Label(item.origin), why="what is synchronised has no `target`", hint="add `target`")
    test = items_of(service, "healthcheck", "test")
    if test and word(test[0]) not in TESTS:
        why = f"the test of the health check of `{name}` must begin with {', '.join(TESTS[:-1])} or {TESTS[-1]}"
        yield COMPOSE(Label(test[0].origin), why=why, hint="or write it as one text, which a shell runs")


def _alone(name: str, service: Node) -> Iterator[Diagnostic]:
    """A container with a name of its own can only run once."""
    own = entry(service, "container_name")
    count = entry(service, "scale") or entry(service, "deploy", "replicas")
    if own is not None and count is not None and word(count) not in ("0", "1"):
        why = f"service `{name}` has a `container_name`, and runs more than once"
        yield COMPOSE(Label(own.origin), Label(count.origin), why=why, hint=REMOVE)
