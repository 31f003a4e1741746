"""Functions of templates that need a repository: `atmos.Component`, `atmos.Store`, `atmos.Resolve`, `datasource`."""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError, placed
from plait.core.node import Bound, Node
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.functions import Group
from plait.notations.gotemplate.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.core.scope import Scope
    from plait.fronts.stacks.run import Run
    from plait.notations.gotemplate.execute import Frame

STACK_FUNCTIONS = Group("stacks", "Stacks")
function = STACK_FUNCTIONS.function


class StackHost(Host):
    """The outside as one template of one component sees it."""

    def __init__(self, scope: Scope | None, run: Run, node: Node | None = None) -> None:
        super().__init__(run.project.guard.allowed)
        self.meter = run.project.meter
        self.scope = scope
        self.run = run
        self.node = node

    def env(self, name: str) -> str:
        given = self.run.template_setting(self.scope, "env")
        return str(given[name]) if isinstance(given, dict) and given.get(name) is not None else super().env(name)

    def read_file(self, path: str) -> str:
        self.run.loose = True
        return super().read_file(path)


def _host(frame: Frame) -> StackHost:
    host = frame.host
    if not isinstance(host, StackHost) or host.scope is None or host.run.configuring:
        raise CallError("this can be used only where a component is known")
    return host


@function(
    "atmos.Component",
    "func(string, string) any",
    "All sections of a component of a stack, and its outputs.",
    "",
    "",
    context=True,
    lazy=True,
)
def atmos_component(frame: Frame, component: str, stack: str) -> Any:
    host = _host(frame)
    assert host.scope is not None
    try:
        return frame.open(host.run.component_view(host.scope, component, stack))
    except PlaitError as error:
        raise CallError(error.diagnostics[0].message) from None


@function(
    "atmos.Store",
    "func(string, string, string, string) any",
    "A value that a component put into a store.",
    "",
    "",
    context=True,
)
def atmos_store(frame: Frame, store: str, stack: str, component: str, key: str) -> Any:
    from plait.fronts.stacks.functions import answered

    host = _host(frame)
    assert host.scope is not None
    assert host.node is not None
    try:
        return answered(host.scope, host.run, host.node, host.run.outside.store(store, stack, component, key))
    except PlaitError as error:
        raise placed(error, Label.of(host.node)) from None


@function(
    "atmos.Resolve",
    "func(string) any",
    'What a YAML function gives: atmos.Resolve "!env HOME".',
    "",
    "",
    context=True,
    lazy=True,
)
def atmos_resolve(frame: Frame, call: str) -> Any:
    from plait.fronts.stacks.functions import Call, function_in

    host = _host(frame)
    assert host.scope is not None
    assert host.node is not None
    found = function_in(call.strip())
    if found is None:
        raise CallError(f"`{call}` is no YAML function")
    value = Call(found[0], host.node, found[1]).evaluate(host.scope)
    return frame.open(Bound(value, host.scope.place) if value.live else value)


@function(
    "datasource ds atmos.GomplateDatasource",
    "func(string, ...string) any",
    "The data of a datasource of atmos.yaml.",
    "",
    "",
    context=True,
    lazy=True,
)
def datasource(frame: Frame, alias: str, *arguments: str) -> Any:
    host = frame.host
    if not isinstance(host, StackHost) or host.run.configuring:
        raise CallError("there are no datasources here")
    try:
        return frame.open(host.run.datasource(host, alias, arguments))
    except PlaitError as error:
        raise (placed(error, Label.of(host.node)) if host.node is not None else error) from None
