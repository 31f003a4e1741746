"""Functions of templates that need a repository: `atmos.Component`, `atmos.Store`, `atmos.Resolve`, `datasource`."""

from __future__ import annotations

import os

from plait.access.environment import variable
from plait.access.guard import CHANCE, TIME
from plait.access.sinks import ENVIRONMENT
from plait.core.diagnostic import Fault, Label, NotKnown, PlaitError, placed
from plait.core.node import Bound, Node, Scalar, unbound
from plait.core.source import MASK, Source
from plait.fronts.stacks.ask.include import data_of
from plait.fronts.stacks.ask.question import Question, answer_for_files, answer_to
from plait.fronts.stacks.language.manifest_functions import ManifestCall, function_in
from plait.notations.gotemplate.errors import CallError, Refused
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.host import Host
from plait.notations.gotemplate.values import LazyList, LazyMap, Reader, is_lazy
from plait.yaml.load import shown_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.access.trace import AccessTrace
    from plait.core.scope import Place, Scope
    from plait.fronts.stacks.language.scope import Language
    from plait.notations.gotemplate.execute import Frame
    from plait.notations.gotemplate.values import Reveal

STACK_FUNCTIONS = FunctionGroup("stacks", "Stacks")
function = STACK_FUNCTIONS.function


class StackHost(Host):
    """What a template of one component may ask beside its values: variables, files, stores, other components."""

    def __init__(self, scope: Scope | None, language: Language, node: Node | None = None) -> None:
        super().__init__(language.session.project.guard.allowed)
        self.meter = language.session.project.meter
        self.scope = scope
        self.language = language
        self.node = node
        self.is_secret = False
        """Whether a template read something that is masked."""
        self.masking = False
        self.read_elsewhere: list[tuple[Node, Place]] = []
        """The values of other components that a template read, each with its place."""

    def env(self, name: str) -> str:
        given = self.language.setting(self.scope, "env")
        if isinstance(given, dict) and given.get(name) is not None:
            return str(given[name])
        self._trace.variable(name)
        guard = self.language.session.project.guard
        if guard.withholds(name) and variable(name):
            self.need(f"env:{name}", f"reading `{name}`, which may be a credential,")
        found = super().env(name)
        return self._concealed(found) if found and guard.masks(ENVIRONMENT) else found

    def _concealed(self, found: str) -> str:
        """A text that is masked where the values of this run go; a mask instead of it where the text is rendered
        again to see what was made of it."""
        if self.masking or self.language.session.project.guard.reveals:
            return MASK
        self.is_secret = True
        self.language.session.secrets.texts.add(found)
        if self.scope is not None:
            self.scope.secrets.add(found)
        return found

    @property
    def _trace(self) -> AccessTrace:
        return self.language.session.project.trace

    def need(self, capability: str, what: str) -> None:
        if capability != "env":
            self._trace.unfollow(capability)
        guard = self.language.session.project.guard
        try:
            if guard.comparing and capability in CHANCE:
                raise Refused(capability, what)
            super().need(capability, what)
        except Refused as refused:
            refused.why = guard.why_not(capability)
            raise

    def now(self) -> float:
        self._trace.unfollow("the time")
        if self.language.session.project.guard.comparing:
            self.need(TIME, "the time")
        return super().now()

    def zone(self) -> str:
        self._trace.unfollow("the time zone")
        return super().zone()

    def read_file(self, path: str) -> str:
        """A file of the project, from its base path; others need the capability `files`."""
        full = self._inside(path)
        source = self.language.session.project.source(full, self.language.session.shown(full))
        text = shown_text(source.name, source.text)
        return self._concealed(text) if source.is_withheld else text

    def has_file(self, path: str) -> bool:
        return self.language.session.project.door.is_file(self._inside(path))

    def query(self, expression: str, data: object) -> object:
        from plait.notations.yq import YqError
        from plait.notations.yq import query as ask

        try:
            return ask(expression, data, self.meter)
        except YqError as trouble:
            raise CallError(f"the query `{expression}`: {trouble.message}") from None

    def _inside(self, path: str) -> str:
        session = self.language.session
        full = os.path.normpath(os.path.join(self.language.config.base_path, path))
        session.project.check_inside(full, self.node or Scalar(None, "", Source("a template")))
        if self.scope is not None:
            session.trace.opened(self.scope.place.root, full)
        else:
            session.trace.incomplete = True
        return full


class OtherComponent(Reader):
    """Opens the sections of another component, and records what is read of them."""

    __slots__ = ("_leaves", "_places")

    def __init__(self, reveal: Reveal | None, leaves: list[tuple[Node, Place]]) -> None:
        super().__init__(reveal)
        self._leaves = leaves
        self._places: dict[int, Place] = {}

    def whole(self, view: Node) -> Any:
        assert isinstance(view, Bound)
        return self._at(view, view.place)

    def child(self, parent: LazyMap | LazyList, step: str | int, node: Node) -> Any:
        return self._at(node, self._places[id(parent)].child(step))

    def _at(self, node: Node, place: Place) -> Any:
        found = self.open(node)
        if is_lazy(found):
            self._places[id(found)] = place
        else:
            self._leaves.append(unbound(node, place))
        return found


def _host(frame: Frame) -> StackHost:
    host = frame.host
    if not isinstance(host, StackHost) or host.scope is None:
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
        view = host.scope.service("view")(host.scope, component, stack)
        return OtherComponent(frame.state.reader.reveal, host.read_elsewhere).whole(view)
    except NotKnown:
        raise
    except Fault as error:
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
    host = _host(frame)
    assert host.scope is not None
    assert host.node is not None
    try:
        question = host.language.outside.store(store, stack, component, key)
        return answer_to(question, host.scope, host.language.session, host.node)
    except PlaitError as error:
        raise placed(error, Label(host.node.origin)) from None


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
    host = _host(frame)
    assert host.scope is not None
    assert host.node is not None
    found = function_in(call.strip())
    if found is None:
        raise CallError(f"`{call}` is not a YAML function")
    value = ManifestCall(found[0], host.node, found[1]).evaluate(host.scope)
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
    if not isinstance(host, StackHost):
        raise CallError("there are no datasources here")
    try:
        return frame.open(_data(host, alias, arguments))
    except PlaitError as error:
        raise (placed(error, Label(host.node.origin)) if host.node is not None else error) from None


def _data(host: StackHost, alias: str, arguments: tuple[str, ...]) -> Node:
    """The data of a datasource that the configuration names."""
    session, scope = host.language.session, host.scope
    found = host.language.outside.source(alias, host.language.setting(scope, "gomplate"))
    asker = host.node or Scalar(None, "", Source("a template"))
    kind = found.kind(arguments)
    if not found.capability:
        path = found.file(arguments)
        session.project.check_inside(path, asker)
        if scope is not None:
            session.trace.opened(scope.place.root, path)
        else:
            session.trace.incomplete = True
        return data_of(session.project.source(path, session.shown(path)), kind, session.project.budgets.depth)
    question = Question(
        found.capability,
        ("datasource", alias, *arguments),
        lambda permit: found.read(permit, arguments),
        f"the data source `{alias}`",
    )
    read = answer_for_files(question, session, asker) if scope is None else answer_to(question, scope, session, asker)
    return data_of(Source(found.url, str(read)), kind, session.project.budgets.depth)
