"""YAML functions of manifests: `!env NAME`, `!exec COMMAND`, `!terraform.state vpc .id`, ...: one table for the reader,
the docs and tests.

A function is a suspension like any other: it is evaluated when its value is asked for, seen from the component
that asks, and a merge above or below it waits for it. `deferred` names those that Atmos defers too; to us there is
no difference.
"""

from __future__ import annotations

from plait.access.trouble import Missing
from plait.core.diagnostic import Fault, NotKnown, PlaitError
from plait.core.find import entry
from plait.core.meter import like
from plait.core.node import (
    Bound,
    Key,
    ListNode,
    MapNode,
    Node,
    Overlay,
    Scalar,
    Suspension,
    hidden,
    plain_value,
    text,
    unbound,
)
from plait.core.plain import scalar_of
from plait.core.source import Computed
from plait.fronts.stacks.ask.include import queried
from plait.fronts.stacks.ask.question import Question, answer_to
from plait.fronts.stacks.config.config_functions import FUNCTIONS as IN_CONFIGURATION
from plait.fronts.stacks.config.config_functions import (
    WORDS,
    decoded,
    git_functions,
    unsupported,
    variable_key,
    word_node,
)
from plait.fronts.stacks.language.scope import FileScope, Language
from plait.fronts.stacks.session import arguments as grammar
from plait.fronts.stacks.session.secrets import check_keys
from plait.fronts.stacks.session.yaml_function import (
    Answer,
    FunctionCall,
    Invocation,
    YamlFunction,
    failed_at,
    is_secret,
    rest_of,
)
from plait.report.catalog import FOREIGN_FUNCTION, NOT_LOCKED, NOT_PROVISIONED_YET
from plait.report.near import did_you_mean
from plait.services.state import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Place, Scope

UNASKED = "<MASKED>"
"""The placeholder for a secret that was not looked up."""
DECODED = 16
"""The memory in bytes for each character of a text that is read as data."""


class ManifestCall(FunctionCall):
    """A function in a manifest: an expression."""

    __slots__ = ("_paths", "_seen", "values")

    def __init__(self, function: YamlFunction, node: Node, rest: str) -> None:
        super().__init__(function, node, rest)
        self.values: dict[str, Node] = {}
        """The results for texts, for a function that depends only on its text."""
        self._paths: tuple[tuple[str, ...], ...] | None = None
        """All that decides the value, where that is known, in the scope that it was seen in."""
        self._seen: dict[tuple[object, ...], tuple[Node, list[Node]]] = {}
        """Values by the scope and the finished nodes that they were made of; and these nodes."""

    def evaluate(self, scope: Scope) -> Node:
        if is_secret(self.node):
            scope.known(self.node, scope.place)  # what comes of it is one as well
        written = scope.written
        assert isinstance(written, FileScope)
        language = written.language
        templated = language.has_template(self.rest)
        if language.skips(self.function) and scope.place.root is not written.place:
            rest = language.rendered(self.rest, scope, self.node) if templated else self.rest
            return text(f"{self.function.tag} {rest}".rstrip(), self.node.source, self.node.at)
        if templated:
            rest = self._rendered(scope, language)
            before = self.values.get(rest)
            if before is None:
                return value_of(Invocation(self, rest, scope, written))
            self._note(before, scope, language)
            return before
        use = Invocation(self, self.rest, scope, written, self.arguments)
        self.arguments = use.arguments
        return value_of(use)

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """What the templates in it name."""
        written = scope.written
        assert isinstance(written, FileScope)
        return written.language.named(self.rest, scope, self.node) if written.language.has_template(self.rest) else []

    def value_from(self, root: Node | None, written: object) -> Node | None:
        """The value computed for another component from which it reads the same nodes; None if there is none."""
        if root is None:
            return None
        if self._paths is None:
            again = AGAIN.get(self.function.tag)
            return again(self, root, written) if again is not None else None
        nodes = self._nodes(root) if self._paths else None
        found = self._seen.get((written, *map(id, nodes))) if nodes is not None else None
        return found[0] if found is not None else None

    def _note(self, value: Node, scope: Scope, language: Language) -> None:
        """Record the nodes that a value depends on, if nothing else affects it."""
        root = scope.place.root
        if self._paths is None:
            self._paths = language.reads(self.rest) or ()
        nodes = self._nodes(root.node) if self._paths else None
        written = scope.written
        assert isinstance(written, FileScope)
        if nodes is not None and not scope.secrets and root is not written.place:
            self._seen[written, *map(id, nodes)] = (value, nodes)

    def _nodes(self, root: Node | None) -> list[Node] | None:
        """The nodes that it reads, where all are finished, and where no setting of the component decides how."""
        if entry(root, "settings", "templates") is not None:
            return None
        nodes: list[Node] = []
        for path in self._paths or ():
            node = entry(root, *path)
            if node is None or node.live:
                return None
            nodes.append(node)
        return nodes

    def _rendered(self, scope: Scope, language: Language) -> str:
        try:
            return language.rendered(self.rest, scope, self.node)
        except PlaitError as error:
            note = failed_at(scope, self.text)
            raise like(error, *(diagnostic.also_noting(note) for diagnostic in error.diagnostics)) from None


def value_of(use: Invocation) -> Node:
    """What a call gives."""
    try:
        return use.call.function.evaluate(use)
    except PlaitError as error:
        raise use.placed(error) from None


class Foreign(NotKnown):
    """A value of a function that only another tool evaluates. That is never an error."""

    why = "only Atmos evaluates them"
    harmless = True


def language_of(use: Invocation) -> Language:
    assert isinstance(use.written, FileScope)
    return use.written.language


def _answer(use: Invocation, question: Question) -> object:
    return answer_to(question, use.scope, use.session, use.call.node)


# What need not be asked again


def _same_variable(call: ManifestCall, root: Node | None, written: object) -> Node | None:
    """A variable of the environment that was read before; None if the component has variables of its own."""
    assert isinstance(written, FileScope)
    own = root.entries.get("env") if isinstance(root, MapNode) else None
    language, arguments = written.language, call.arguments
    if not isinstance(own, MapNode) or own.entries or is_secret(call.node) or language.has_template(call.rest):
        return None
    if arguments is None:
        arguments = language.variables.get(call.rest)
        try:
            arguments = call.arguments = arguments or call.function.read(call.rest)
        except grammar.BadArguments:
            return None
        language.variables[call.rest] = arguments
    known = language.session.evaluator.answer_before("env", variable_key(arguments), call.node)
    if not isinstance(known, Answer) or known.secret or language.skips(call.function):
        return None
    return scalar_of(known.plain, Computed(call.text, call.node.source, call.node.at), call.node.at)


AGAIN: dict[str, Callable[[ManifestCall, Node | None, object], Node | None]] = {"!env": _same_variable}
"""For functions without templates: the value that another call gave which depends on the same; None if it has to be
evaluated."""


# What each function does


def _template(use: Invocation) -> Node:
    use.scope.meter.make(len(use.arguments.name) * DECODED)
    node = use.of(decoded(use.arguments.name))
    check_keys(node, use.scope.secrets, use.label())
    assert isinstance(use.call, ManifestCall)
    use.call.values[use.rest] = node
    return node


def _include(use: Invocation) -> Node:
    return language_of(use).includes.node(use)


def _include_raw(use: Invocation) -> Node:
    return language_of(use).includes.node(use, raw=True)


def _labels(use: Invocation) -> Node:
    labels = use.section("metadata", "labels")
    return labels if isinstance(labels, MapNode) else use.of({})


def _label_keys(use: Invocation) -> Node:
    return use.of(sorted(str(key) for key in _entries(_labels(use))))


def _label_values(use: Invocation) -> Node:
    entries = _entries(_labels(use))
    return ListNode([entries[key] for key in sorted(entries, key=str)], *use.origin())


def _tags(use: Invocation) -> Node:
    tags = use.section("metadata", "tags")
    return tags if isinstance(tags, ListNode) else use.of([])


def _entries(node: Node) -> dict[Key, Node]:
    return node.entries if isinstance(node, MapNode) else {}


def _outputs(use: Invocation) -> Node:
    """An output of a component; its expression may give a default for one that is not there."""
    words = use.arguments
    kind = use.call.function.name.partition(".")[2]
    expression = words.expression if words.expression[:1] in grammar.EXPRESSION else f'.["{words.expression}"]'
    what = ""
    try:
        answer = use.scope.service("outputs")(use, kind)
        assert isinstance(answer, Answer)
        found, what = answer.plain  # type: ignore[misc]
    except Missing:
        if "//" not in expression:
            raise
        found = Outputs({})
    assert isinstance(found, Outputs)
    value = queried(use, expression, found.values)
    if value is None and kind == "state" and found.values and "//" not in expression:
        raise Missing(
            NOT_PROVISIONED_YET(what=f"`{words.expression}` of {what}", hint=_others(words.expression, found))
        )
    made = use.of(value)
    return hidden(made) if reveals(use, expression, found) else made


def _others(expression: str, outputs: Outputs) -> str:
    return did_you_mean(expression.strip('.["]'), outputs.values) or f"it has: {', '.join(list(outputs.values)[:8])}"


def reveals(use: Invocation, expression: str, outputs: Outputs) -> bool:
    """Whether an expression reveals something of a sensitive output: whether its value changes when those do."""
    if not outputs.sensitive:
        return False
    other = {name: None if name in outputs.sensitive else value for name, value in outputs.values.items()}
    try:
        return bool(queried(use, expression, other) != queried(use, expression, outputs.values))
    except Fault:
        return True


def _store(use: Invocation) -> Node:
    words = use.arguments
    return _stored(
        use,
        language_of(use).outside.store(words.name, words.stack or use.here("atmos_stack"), words.component, words.key),
    )


def _store_key(use: Invocation) -> Node:
    return _stored(use, language_of(use).outside.store_key(use.arguments.name, use.arguments.key))


def _stored(use: Invocation, question: Question) -> Node:
    try:
        found = _answer(use, question)
    except Missing:
        if use.arguments.default is None:
            raise
        found = None
    if found is None and use.arguments.default is not None:
        return use.of(decoded(use.arguments.default))
    return use.of(queried(use, use.arguments.query, found) if use.arguments.query else found)


def _secret(use: Invocation) -> Node:
    use.session.project.trace.unfollow("a secret")
    declared = use.section("secrets")
    rows = plain_value(declared) if declared is not None else {}
    question = language_of(use).outside.secret(
        use.arguments.name, rows, use.here("atmos_stack"), use.here("atmos_component")
    )
    if question is None or (question.capability and not use.may_ask(question.capability)):
        use.session.trace.masked.append(use.label())
        return use.of(UNASKED)
    return hidden(_stored(use, question))


def _aws(use: Invocation) -> Node:
    fact = use.call.function.name.partition(".")[2]
    found = _answer(use, language_of(use).outside.account(fact))
    assert isinstance(found, dict)
    return use.of(found[fact])


def _foreign(use: Invocation) -> Node:
    """A function that only another tool evaluates."""
    raise Foreign(FOREIGN_FUNCTION(use.label(), text=use.call.text))


class NotLocked(NotKnown):
    """A version that is not in the lock file; Atmos can put it there."""

    why = "the lock file does not have them"
    harmless = True


def _version(use: Invocation) -> Node:
    """A version of the lock file, in the track of the stack. A local has no stack."""
    versions = use.scope.service("fact")(use.scope.place.root.node, "version")
    name = use.arguments.name
    found = versions.entries.get(name) if isinstance(versions, MapNode) else None
    if found is None:
        near = did_you_mean(name, _entries(versions)) if isinstance(versions, MapNode) else ""
        raise NotLocked(NOT_LOCKED(use.label(), name=name, hint=near or "`atmos version track lock` resolves versions"))
    assert isinstance(found, Scalar)
    return text(found.text, found.source, found.at)


CONFIGURED_KEYS = ("region", "project")
"""What an emulator has without running: its configuration."""


def _emulator(use: Invocation) -> Node:
    """A fact about an emulator of the stack that its configuration has; all others are known while it runs."""
    name, _, key = use.rest.partition(" ")
    stack = use.here("atmos_stack")
    if stack and key.strip() in CONFIGURED_KEYS:
        try:
            inner, place = unbound(use.scope.service("view")(use.scope, name, stack), use.scope.place)
        except Fault:
            return _foreign(use)
        found = entry(inner, key.strip())
        if found is not None:
            found, place = unbound(found, place)
            return Bound(found, place) if found.live else found
    return _foreign(use)


def _as_written(use: Invocation) -> Node:
    """A function of the configuration: in a manifest its text stays as it is."""
    return text(use.call.text, use.call.node.source, use.call.node.at)


FOREIGN = {
    "!cel": "An expression in CEL",
}
"""Functions of Atmos that need other tools."""


def _table() -> dict[str, YamlFunction]:
    """All functions by their tags."""
    output = "COMPONENT [STACK] OUTPUT-OR-EXPRESSION"
    rows = [
        YamlFunction(
            "!template",
            "TEXT",
            "The text as data, where it is JSON.",
            "!template '{{ toJson .settings.x }}'",
            grammar.whole,
            _template,
            deferred=True,
        ),
        IN_CONFIGURATION["!env"].variant(
            about="A variable: of the component's env, else of the system.", deferred=True
        ),
        IN_CONFIGURATION["!exec"].variant(deferred=True),
        IN_CONFIGURATION["!include"].variant(_include, early=True),
        IN_CONFIGURATION["!include.raw"].variant(_include_raw, early=True),
        YamlFunction(
            "!terraform.output",
            output,
            "An output of a component.",
            "!terraform.output vpc .id",
            grammar.component_output,
            _outputs,
            deferred=True,
        ),
        YamlFunction(
            "!terraform.state",
            output,
            "An output of a component, from its state.",
            '!terraform.state vpc prod .id // "none"',
            grammar.component_output,
            _outputs,
            deferred=True,
        ),
        YamlFunction(
            "!store",
            "NAME [STACK] COMPONENT KEY [| default V] [| query E]",
            "A value of a store.",
            "!store ssm vpc id | default none",
            grammar.stored,
            _store,
            deferred=True,
        ),
        YamlFunction(
            "!store.get",
            "NAME KEY [| default V] [| query E]",
            "A value of a store by its own key.",
            "!store.get ssm /app/key",
            grammar.stored_key,
            _store_key,
            deferred=True,
        ),
        YamlFunction(
            "!secret",
            "NAME [| path E] [| default V]",
            "A declared secret; never shown.",
            "!secret DB_PASSWORD",
            grammar.secret,
            _secret,
        ),
        YamlFunction("!labels", "", "metadata.labels.", "!labels", grammar.nothing, _labels, deferred=True),
        YamlFunction(
            "!labels.keys",
            "",
            "The names of the labels, sorted.",
            "!labels.keys",
            grammar.nothing,
            _label_keys,
            deferred=True,
        ),
        YamlFunction(
            "!labels.values",
            "",
            "The labels' values, by their names.",
            "!labels.values",
            grammar.nothing,
            _label_values,
            deferred=True,
        ),
        YamlFunction("!tags", "", "metadata.tags.", "!tags", grammar.nothing, _tags, deferred=True),
        IN_CONFIGURATION["!random"].variant(_as_written, early=True),
        IN_CONFIGURATION["!cwd"].variant(_as_written, early=True),
        *git_functions(),
        YamlFunction(
            "!version",
            "NAME",
            "A version of the lock file, in the track of the stack.",
            "!version opentofu",
            grammar.word,
            _version,
        ),
        YamlFunction(
            "!emulator",
            "COMPONENT KEY",
            "`region` or `project` of an emulator; the rest is known to Atmos only.",
            "!emulator aws region",
            grammar.anything,
            _emulator,
        ),
        *(
            YamlFunction(tag, "...", f"{about}; evaluated by Atmos only.", tag, grammar.anything, _foreign)
            for tag, about in FOREIGN.items()
        ),
    ]
    accounts = ("account_id", "caller_identity_arn", "caller_identity_user_id", "region", "organization_id")
    rows += [
        YamlFunction(f"!aws.{name}", "", f"The {name.replace('_', ' ')} of AWS.", f"!aws.{name}", grammar.nothing, _aws)
        for name in accounts
    ]
    return {row.tag: row for row in rows}


FUNCTIONS = _table()


def listing() -> list[dict[str, str]]:
    """What there is, for people: from the declarations themselves."""
    return [
        {"signature": f"{one.tag} {one.arguments}".strip(), "about": one.about, "example": one.example}
        for one in FUNCTIONS.values()
    ]


NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def function_in(value: str) -> tuple[YamlFunction, str] | None:
    """The function that a text calls (`!env HOME`), and the text after its tag."""
    if value[:1] != "!":
        return None
    end = 1
    while end < len(value) and value[end] in NAME_LETTERS:
        end += 1
    function = FUNCTIONS.get(value[:end])
    return None if function is None else (function, value[end:].strip())


class WrittenCall:
    """A text that is a call of a function."""

    __slots__ = ("_function", "words")

    def __init__(self, function: YamlFunction, words: str) -> None:
        self._function = function
        self.words = words
        """What follows the tag."""

    @property
    def function(self) -> str:
        """The name of the function, without the sign before it."""
        return self._function.name

    @property
    def deferred(self) -> bool:
        """Whether a merge waits for it."""
        return self._function.deferred

    @property
    def arguments(self) -> grammar.Arguments:
        """The words by what they are. Words that do not fit the function are `BadArguments`."""
        return self._function.read(self.words)


def read_call(value: str) -> WrittenCall | None:
    """The call that a text is; None for any other text."""
    found = function_in(value)
    return None if found is None else WrittenCall(*found)


def recognise(tag: str, node: Node, written: FileScope) -> Node:
    """The meaning of a tagged node of a manifest."""
    function = FUNCTIONS.get(tag)
    if function is not None:
        return Suspension(ManifestCall(function, node, rest_of(function, node)), node.source, node.at, written)
    if tag not in WORDS:
        raise unsupported(tag, node, written.file, tuple(FUNCTIONS))
    options = written.session.options
    if tag == "!unset" and ("unset" in options.skip or not options.functions):
        return text("!unset", node.source, node.at)
    return word_node(tag, node)


def output_calls(root: Node) -> list[ManifestCall]:
    """The calls in a tree that read another component's outputs, without evaluating anything."""
    return _calls(root, _outputs)


def calls_left(root: Node) -> list[ManifestCall]:
    """The calls in a tree that stay as they are written, because only the configuration has such functions."""
    return _calls(root, _as_written)


def _calls(root: Node, work: Callable[[Invocation], Node]) -> list[ManifestCall]:
    """The calls in a tree that do some work."""
    calls: list[ManifestCall] = []
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Suspension):
            call = node.expression
            if isinstance(call, ManifestCall) and call.function.evaluate is work:
                calls.append(call)
        elif isinstance(node, MapNode):
            stack += [child for child in node.entries.values() if child.live]
        elif isinstance(node, ListNode):
            stack += [item for item in node.items if item.live]
        elif isinstance(node, Overlay):
            stack += [part for part in node.parts if part.live]
    return calls
