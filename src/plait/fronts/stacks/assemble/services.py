"""What expressions ask about components: the services `outputs` (of terraform), `view` (all sections of another
component) and `fact` (what their own has beside sections) of their scope."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, PlaitError, remade
from plait.core.expression import Expression
from plait.core.node import Bound, Failure, Inherited, Key, MapNode, Node, Scalar, Suspension, hidden, plain_value
from plait.core.plain import from_plain
from plait.core.scope import Blocked
from plait.core.source import Source
from plait.evaluate.engine import exposed
from plait.fronts.stacks.ask.outside import ComponentCode, Outside
from plait.fronts.stacks.ask.question import Question, answer_to
from plait.fronts.stacks.assemble.context import FACTS
from plait.fronts.stacks.language.manifest_functions import output_calls
from plait.fronts.stacks.session.yaml_function import Answer
from plait.report.catalog import CYCLE
from plait.services.state import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.assemble.index import StackIndex
    from plait.fronts.stacks.session.yaml_function import FunctionCall, Invocation

IDENTITY_CHAIN = "circular dependency detected in identity chain"
"""The error text of Atmos for components that depend on each other's outputs."""


class Services:
    """Answers the questions of expressions about components: the services that every scope has."""

    def __init__(self, index: StackIndex, outside: Outside) -> None:
        self._index = index
        self._outside = outside
        self._session = index.shared.session
        self._views: dict[Component, Node] = {}
        self._reads: dict[tuple[Component, FunctionCall], Suspension] = {}
        self._facts: dict[tuple[int, str], tuple[MapNode, Node]] = {}
        """Facts beside sections, by the sections of the component, which are kept with them."""
        self._session.evaluator.services.update(outputs=self.outputs, view=self.view, fact=self.fact)

    def restart(self) -> None:
        """Begin a new question."""
        self._views.clear()
        self._reads.clear()
        self._facts.clear()

    # Facts beside sections

    def fact(self, root: MapNode, name: str) -> Node:
        """Data that a template reads in addition to the sections of its component; null if the component is not
        assembled yet."""
        key = (id(root), name)
        if key not in self._facts:
            words = [root.entries.get(word) for word in ("atmos_component", "atmos_stack", "component_type")]
            known = [str(word.value) for word in words if isinstance(word, Scalar)]
            if len(known) < len(words):
                return Scalar(None, "null")
            self._facts[key] = (root, FACTS[name](self._index.component(*known)))
        return self._facts[key][1]

    # Sections

    def view(self, scope: Scope, component: str, stack: str) -> Node:
        """All sections of a component as a template sees them, and its outputs."""
        found = self._index.component(component, stack)
        self._session.trace.depends_on(scope.place.root, found.place)
        if found not in self._views:  # the same outputs for all who ask
            whole = exposed(found.root, found.place)
            assert isinstance(whole, MapNode)
            outputs = Suspension(OutputsOf(self, found), found.root.source, found.root.at)
            entries: dict[Key, Node] = {**whole.entries, "outputs": outputs}
            self._views[found] = Bound(MapNode(entries, live=True), found.place)
        return self._views[found]

    # Outputs

    def outputs(self, use: Invocation, kind: str) -> Node:
        """The outputs of the component that a call names, as terraform prints them or as its state has them; and
        what to call it."""
        words = use.arguments
        stack = words.stack or use.here("atmos_stack") or self._index.stack_of_file(use.written.path)
        target = self._index.component(words.component or use.here("atmos_component"), stack)
        if words.component:  # its own outputs are those of an earlier run
            self._check_ring(use)
        self._session.trace.depends_on(use.scope.place.root, target.place)
        code = self._code(target)
        question = self.printed(target, code) if kind == "output" else self._state(target, code)
        return Answer((answer_to(question, use.scope, self._session, use.call.node), code.what))

    def printed(self, component: Component, code: ComponentCode) -> Question:
        """The outputs of a component, as terraform prints them."""
        env = self._section(component, "env")
        given = env.items() if isinstance(env, dict) else ()
        variables = {str(name): str(value) for name, value in given if value is not None}
        return self._outside.outputs(code, str(self._section(component, "command")), variables)

    def _state(self, component: Component, code: ComponentCode) -> Question:
        kind = str(self._section(component, "backend_type") or "local")
        options = self._section(component, "backend")
        return self._outside.state(code, kind, options if isinstance(options, dict) else {})

    def _code(self, component: Component) -> ComponentCode:
        workspace = str(self._section(component, "workspace") or "")
        return ComponentCode(component.name, component.stack, component.type, component.path, workspace)

    def _section(self, component: Component, name: str) -> object:
        """A section of a component, evaluated, as plain data.

        Not a read: a key to a backend makes no secret of its outputs.
        """
        node = component.root.entries.get(name)
        if node is None:
            return None
        made, failures = self._session.evaluator.finished(node, component.place.child(name))
        if failures:
            raise Inherited(failures[0])
        return plain_value(made, reveal=True)

    def outputs_node(self, component: Component, scope: Scope, title: str) -> Node:
        """The outputs of a component as a map, for `atmos.Component`."""
        question = self.printed(component, self._code(component))
        found = answer_to(question, scope, self._session, component.root)
        assert isinstance(found, Outputs)
        source = Source(title)
        entries: dict[Key, Node] = {name: from_plain(value, source, 0) for name, value in found.values.items()}
        return MapNode(
            {name: hidden(node) if name in found.sensitive else node for name, node in entries.items()}, source
        )

    # Components that wait for each other's outputs

    def _check_ring(self, use: Invocation) -> None:
        """That the component which asks does not wait for its own outputs, through others."""
        name, stack = use.here("atmos_component"), use.here("atmos_stack")
        if not name or not stack:
            return
        component = self._index.component(name, stack)
        try:
            use.scope.known(self._read(component, use.call), component.place)
        except Inherited as inherited:
            noted = (
                d.also_noting(IDENTITY_CHAIN) if d.code == CYCLE.code else d for d in inherited.failure.diagnostics
            )
            raise Inherited(Failure(tuple(noted), inherited.failure.source, inherited.failure.at)) from None

    def _read(self, component: Component, call: FunctionCall) -> Suspension:
        key = (component, call)
        if key not in self._reads:
            self._reads[key] = Suspension(ReadsOutputs(self, component, call), call.node.source, call.node.at)
        return self._reads[key]

    def follow(self, component: Component, call: FunctionCall, scope: Scope) -> None:
        """Follow a call to the component that it names, and all calls there; or `Blocked` by those."""
        if self._index.shared.language.has_template(call.rest):
            return
        words = call.function.read(call.rest)
        try:
            target = self._index.component(words.component or component.name, words.stack or component.stack)
        except Fault:
            return
        wanted = [(self._read(target, inner), target.place) for inner in output_calls(target.root)]
        blocked: list[tuple[Node, object]] = []
        for node, place in wanted:
            try:
                scope.known(node, place)
            except Blocked as waiting:
                blocked += waiting.wanted
            except Inherited:
                continue  # a ring that this call is not part of
        if blocked:
            raise Blocked(*blocked)  # type: ignore[arg-type]


class OutputsOf(Expression):
    """The outputs of a component as an expression, for `atmos.Component`."""

    __slots__ = ("_component", "_services", "text")

    def __init__(self, services: Services, component: Component) -> None:
        self._services = services
        self._component = component
        self.text = f"the outputs of {component.name} in {component.stack}"

    def evaluate(self, scope: Scope) -> Node:
        """What is wrong has no place: the template that asks is the place."""
        try:
            return self._services.outputs_node(self._component, scope, self.text)
        except PlaitError as error:
            raise remade(error, map(self._told, error.diagnostics)) from None

    def _told(self, finding: Diagnostic) -> Diagnostic:
        named = self._component.root.entries.get("command")
        command = named.text if isinstance(named, Scalar) else "terraform"
        made = finding.also_noting(f"to read {self.text} with `{command} output`")
        return Diagnostic(made.code, made.message, (), made.notes, made.hint, made.severity)


class ReadsOutputs(Expression):
    """That a component reads outputs of another: an expression that follows the call and has no value.

    A ring of such is an error.
    """

    __slots__ = ("_call", "_component", "_services", "text")

    def __init__(self, services: Services, component: Component, call: FunctionCall) -> None:
        self._services = services
        self._component = component
        self._call = call
        self.text = f"{component.name} in {component.stack}: {call.text}"

    def evaluate(self, scope: Scope) -> Node:
        self._services.follow(self._component, self._call, scope)
        return Scalar(None, "")
