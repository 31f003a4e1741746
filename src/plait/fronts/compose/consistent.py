"""Whether the values of a project agree with each other: Compose refuses it otherwise."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.find import entry, word
from plait.core.node import key_text
from plait.fronts.compose.nodes import entries
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
            yield COMPOSE(*labels, why=why, hint="remove one of them")


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
        yield COMPOSE(*labels, why=f"the build of `{name}` has two Dockerfiles", hint="remove one of them")
    for one, other in SAME:
        both = entry(service, *one), entry(service, *other)
        if both[0] is not None and both[1] is not None and word(both[0]) != word(both[1]):
            why = f"`{'.'.join(one)}` and `{'.'.join(other)}` of service `{name}` differ"
            yield COMPOSE(Label(both[0].origin), Label(both[1].origin), why=why, hint="remove one of them")
