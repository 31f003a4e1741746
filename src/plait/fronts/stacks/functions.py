"""YAML functions: `!env NAME`, `!exec COMMAND`, `!terraform.state vpc .id`, ...: one table that the reader, the docs and tests share.

A function is a suspension like any other: it is evaluated when somebody asks for its value, seen from the component that
asks, and a merge above or below it waits for it. `deferred` names those that Atmos defers too; to us there is no difference.
"""

from __future__ import annotations

import os

from plait.access.commands import printed
from plait.access.trouble import Missing
from plait.core.diagnostic import Diagnostic, Label, Passing, PlaitError, masked
from plait.core.expression import Expression
from plait.core.node import Key, Mapping, Mark, Node, Scalar, Sequence, Suspension, hidden, plain_value, text
from plait.core.policy import ListRule
from plait.core.scope import CommandFailed
from plait.core.source import MASK, Computed, Source
from plait.fronts.stacks import arguments as grammar
from plait.fronts.stacks.arguments import Arguments, BadArguments
from plait.fronts.stacks.git import QUESTIONS, Repository
from plait.fronts.stacks.hush import check_keys
from plait.fronts.stacks.outside import Question, name_of
from plait.fronts.stacks.scope import FileScope
from plait.report.catalog import (
    BAD_FUNCTION,
    COMMAND_FAILED,
    FUNCTION_FAILED,
    NOT_PROVISIONED_YET,
    STACK_QUERY,
    UNSUPPORTED_TAG,
)
from plait.report.near import did_you_mean, nearest
from plait.services.state import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope
    from plait.fronts.stacks.components import Component
    from plait.fronts.stacks.run import Run

COMPUTED = "(computed)"
COMMAND_SECONDS = 60.0
"""What stands for a value that does not exist yet, where errors of that kind are not to stop a command."""


class Function:
    """A tag that computes."""

    __slots__ = ("about", "arguments", "deferred", "early", "evaluate", "example", "read", "tag")

    def __init__(
        self,
        tag: str,
        arguments: str,
        about: str,
        example: str,
        read: Callable[[str], Arguments],
        evaluate: Callable[[Use], Node],
        *,
        deferred: bool = False,
        early: bool = False,
    ) -> None:
        self.tag = tag
        self.arguments = arguments
        self.about = about
        self.example = example
        self.read = read
        self.evaluate = evaluate
        self.deferred = deferred
        self.early = early
        """Acts when a file is read, whatever `--process-functions` says."""

    @property
    def name(self) -> str:
        return self.tag[1:]


class Call(Expression):
    """A function in a file: an expression."""

    __slots__ = ("_read", "function", "node", "rest", "text", "values")

    def __init__(self, function: Function, node: Node, rest: str) -> None:
        self.function = function
        self.node = node
        self.rest = rest
        self._read: Arguments | None = None
        self.values: dict[str, Node] = {}
        """What texts came out as, for a function that only looks at its text."""
        self.text = f"{function.tag} {rest}".rstrip() if not _is_secret(node) else f"{function.tag} {MASK}"

    def evaluate(self, scope: Scope) -> Node:
        if _is_secret(self.node):
            scope.known(self.node, scope.place)  # what comes of it is one as well
        written = scope.written
        assert isinstance(written, FileScope)
        run = written.run
        if run.configuring and not self.function.name.startswith(CONFIGURING):
            return text(
                self.text, self.node.source, self.node.at
            )  # a section that components inherit is evaluated there
        local = scope.place.root is written.place
        if run.skips(self.function) and not local:
            rest = run.rendered(self.rest, scope, self.node) if run.has_template(self.rest) else self.rest
            return text(f"{self.function.tag} {rest}".rstrip(), self.node.source, self.node.at)
        if run.has_template(self.rest):
            rest = self._rendered(scope, run)
            return self.values.get(rest) or Use(self, rest, scope, written).value()
        use = Use(self, self.rest, scope, written, self._read)
        self._read = use.arguments
        return use.value()

    def _rendered(self, scope: Scope, run: Run) -> str:
        try:
            return run.rendered(self.rest, scope, self.node)
        except PlaitError as error:
            note = told_at(scope, self.text)
            raise PlaitError(*(diagnostic.also_noting(note) for diagnostic in error.diagnostics)) from None


def path_of(scope: Scope, text: str) -> str:
    """Where a call stands in the component, or what it is where it stands nowhere."""
    return ".".join(str(step) for step in scope.place.path) or text


def told_at(scope: Scope, text: str) -> str:
    return f"failed to process YAML function at {path_of(scope, text)}"


def _is_secret(node: Node) -> bool:
    return isinstance(node, Scalar) and node.secret


class Use:
    """One evaluation of a call: its arguments, and where it is seen from."""

    __slots__ = ("arguments", "call", "rest", "run", "scope", "written")

    def __init__(self, call: Call, rest: str, scope: Scope, written: FileScope, known: Arguments | None = None) -> None:
        self.call = call
        self.rest = rest
        self.scope = scope
        self.written = written
        self.run: Run = written.run
        try:
            self.arguments = known or call.function.read(rest)
        except BadArguments as bad:
            raise self.bad(bad.message) from None

    def value(self) -> Node:
        try:
            return self.call.function.evaluate(self)
        except (Missing, Passing) as missing:
            return self.later(missing)
        except PlaitError as error:
            raise self.placed(error) from None

    def later(self, missing: PlaitError) -> Node:
        """A value that does not exist yet, or in a listing one that is out of reach: an error, or a word that stands for it."""
        run = self.run
        if run.error_mode == "strict" or (isinstance(missing, Passing) and not run.options.listing):
            raise self.placed(missing)
        first = masked(missing, self.scope.secrets).diagnostics[0]
        run.computed_later.append(Label.of(self.call.node, first.message, len(self.call.text)))
        return self.of(COMPUTED)

    def placed(self, error: PlaitError) -> PlaitError:
        """An error that has no place yet gets this one."""
        first = error.diagnostics[0]
        if first.labels:
            return error
        why = FUNCTION_FAILED(
            self.label(),
            path=path_of(self.scope, self.call.text),
            why=first.message,
            notes=first.notes,
            hint=first.hint,
        )
        return error.__class__(why)

    def label(self) -> Label:
        return Label.of(self.call.node, length=len(self.call.text))

    def bad(self, why: str) -> PlaitError:
        function = self.call.function
        note = told_at(self.scope, self.call.text)
        return BAD_FUNCTION.error(
            self.label(),
            text=self.call.text,
            why=f"{function.tag} {why}",
            notes=(note,),
            hint=f"for example: {function.example}",
        )

    def of(self, value: object) -> Node:
        """Plain data as a node that this call made."""
        node = self.call.node
        source = Computed(self.call.text, node.source, node.at)
        return node_of(value, source, node.at) if isinstance(value, dict | list) else scalar_of(value, source, node.at)

    def asked(self, capability: str, key: tuple[object, ...], question: Callable[[], object]) -> object:
        """The answer to a question that takes no time, asked once in a run."""
        answer = self.scope.call(capability, key, lambda: Answer(question()))
        assert isinstance(answer, Answer)
        return answer.plain

    def answer(self, question: Question) -> object:
        """The answer of the outside, asked once in a run, beside other questions."""
        return answered(self.scope, self.run, self.call.node, question)

    def section(self, *path: str) -> Node | None:
        """A value of the component (or of the file, in a local) that the call is seen from; None where there is none."""
        root = self.scope.place.root
        place, node = root, root.node
        if isinstance(node, Mapping) and isinstance(first := node.entries.get(path[0]), Mapping) and not first.entries:
            return None
        for step in path:
            node = self.scope.known(node, place) if node is not None else None
            if not isinstance(node, Mapping):
                return None
            node, place = node.entries.get(step), place.child(step)
        return self.scope.finished(node, place) if node is not None else None

    def here(self, name: str) -> str:
        """A fact about the component that the call is seen from."""
        root = self.scope.place.root.node
        node = root.entries.get(name) if isinstance(root, Mapping) else None
        return str(node.value) if isinstance(node, Scalar) and node.value is not None else ""


class Answer(Scalar):
    """What the outside said, as plain data. The text of a secret one is all that must not be shown."""

    __slots__ = ("plain",)

    def __init__(self, plain: object, secret: bool = False) -> None:
        super().__init__(None, "\n".join(leaves(plain)) if secret else "", secret=secret)
        self.plain = plain


def answered(scope: Scope, run: Run, node: Node, question: Question) -> object:
    """The answer to a question, where it may be asked."""
    if question.path:
        run.project.check_inside(question.path, node)
        run.opened.setdefault(scope.place.root, set()).add(question.path)
    answer = scope.call(
        question.capability, question.key, lambda: Answer(question.ask(), question.secret), question.patience
    )
    assert isinstance(answer, Answer)
    return answer.plain


def leaves(value: object) -> list[str]:
    """The texts of all single values in plain data."""
    found: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif item is not None and not isinstance(item, bool):
            found.append(str(item))
    return found


def node_of(value: object, source: Source | Computed, at: int) -> Node:
    """Plain data as nodes with one origin. Without recursion."""
    made: list[Node] = [Scalar(None, "null", source, at)]
    work: list[tuple[list[Node] | dict[Key, Node], int | str, object]] = [(made, 0, value)]
    while work:
        target, key, item = work.pop()
        node: Node
        if isinstance(item, dict):
            entries: dict[Key, Node] = dict.fromkeys(map(str, item), made[0])
            node = Mapping(entries, source, at)
            work.extend((entries, str(name), child) for name, child in item.items())
        elif isinstance(item, list | tuple):
            items = [made[0]] * len(item)
            node = Sequence(items, source, at)
            work.extend((items, index, child) for index, child in enumerate(item))
        else:
            node = scalar_of(item, source, at)
        target[key] = node  # type: ignore[index]
    return made[0]


def scalar_of(value: object, source: Source | Computed, at: int) -> Scalar:
    if value is None or isinstance(value, bool):
        return Scalar(value, {None: "null", True: "true", False: "false"}[value], source, at)
    if isinstance(value, int | float):
        return Scalar(value, repr(value), source, at)
    return Scalar(str(value), str(value), source, at)


def decoded(value: str) -> object:
    """What a text says: JSON is data, everything else is the text itself."""
    import json

    def refuse(word: str) -> object:
        raise ValueError(word)

    try:
        return json.loads(value, parse_constant=refuse)
    except (ValueError, RecursionError):
        return value


def queried(use: Use, expression: str, data: object) -> object:
    """A yq expression on plain data; a bare name is a field."""
    from plait.notations.yq import YqError, query

    try:
        return query(expression, data, use.scope.meter)
    except YqError as trouble:
        raise STACK_QUERY.error(use.label(), text=expression, why=trouble.message) from None


# What each function does


def _template(use: Use) -> Node:
    found = use.of(decoded(use.arguments.name))
    check_keys(found, use.scope.secrets, use.label())
    use.call.values[use.rest] = found
    return found


def _env(use: Use) -> Node:
    name = use.arguments.name
    if use.scope.place.path != ("env", name):  # a variable that is taken from the system under its own name
        own = use.section("env", name)
        if isinstance(own, Scalar) and own.value is not None:
            return use.of(own.value if isinstance(own.value, str) else own.text)
    default = use.arguments.default or ""
    return use.of(use.asked("env", ("env", name, default), lambda: os.environ.get(name, default)))


def _exec(use: Use) -> Node:
    command = use.arguments.name
    folder = use.run.folder
    use.run.loose = True
    question = Question(
        "exec",
        ("exec", folder, command),
        lambda: decoded(shell(command, folder)),
        "a command",
        seconds=COMMAND_SECONDS + 30,
    )
    made = use.of(use.answer(question))
    check_keys(made, use.scope.secrets, use.label())
    return made


def shell(command: str, folder: str) -> str:
    """What a command prints, without the line ends behind it."""
    try:
        return printed(command, COMMAND_SECONDS, folder).rstrip("\n")
    except CommandFailed as failed:
        raise COMMAND_FAILED.error(why=failed.why, notes=tuple(failed.said.splitlines()[-1:])) from None


def _include(use: Use) -> Node:
    return use.run.include(use, use.arguments.path, use.arguments.query)


def _include_raw(use: Use) -> Node:
    return use.run.include(use, use.arguments.path, use.arguments.query, raw=True)


def _labels(use: Use) -> Node:
    labels = use.section("metadata", "labels")
    return labels if isinstance(labels, Mapping) else use.of({})


def _label_keys(use: Use) -> Node:
    return use.of(sorted(str(key) for key in _entries(_labels(use))))


def _label_values(use: Use) -> Node:
    entries = _entries(_labels(use))
    return Sequence([entries[key] for key in sorted(entries, key=str)], *_origin(use))


def _tags(use: Use) -> Node:
    tags = use.section("metadata", "tags")
    return tags if isinstance(tags, Sequence) else use.of([])


def _entries(node: Node) -> dict[Key, Node]:
    return node.entries if isinstance(node, Mapping) else {}


def _origin(use: Use) -> tuple[Computed, int]:
    node = use.call.node
    return Computed(use.call.text, node.source, node.at), node.at


def _git(use: Use) -> Node:
    question = use.call.function.name.partition(".")[2] or "root"
    repository = Repository.around(use.run.git_folder or os.path.dirname(use.written.path) or ".")
    answer = QUESTIONS[question](repository) if repository is not None else ""
    if not answer:
        answer = use.arguments.default or ""
        if use.arguments.default is None:
            raise use.bad("finds nothing to say here, and has no default")
    return use.of(answer)


def _outputs(use: Use) -> Node:
    """An output of a component; its expression may give a default for one that is not there."""
    run, words = use.run, use.arguments
    target = run.component_of(
        use, words.component or use.here("atmos_component"), words.stack or use.here("atmos_stack")
    )
    if words.component:  # its own outputs are those of an earlier run
        run.check_component_cycle(use, target)
    run.lean(use.scope.place.root, target)
    kind = use.call.function.name.partition(".")[2]
    expression = words.expression if words.expression[:1] in grammar.EXPRESSION else f'.["{words.expression}"]'
    try:
        found = use.answer(run.outside.outputs(target) if kind == "output" else run.outside.state(target))
    except Missing:
        if "//" not in expression:
            raise
        found = Outputs({})
    assert isinstance(found, Outputs)
    value = queried(use, expression, found.values)
    if value is None and kind == "state" and found.values and "//" not in expression:
        raise Missing(
            NOT_PROVISIONED_YET(
                what=f"`{words.expression}` of {name_of(target)}", hint=_others(words.expression, found)
            )
        )
    made = use.of(value)
    return hidden(made) if tells(use, expression, found) else made


def _others(expression: str, found: Outputs) -> str:
    return did_you_mean(expression.strip('.["]'), found.values) or f"it has: {', '.join(list(found.values)[:8])}"


def tells(use: Use, expression: str, found: Outputs) -> bool:
    """Whether an expression tells something of a sensitive output: whether its value changes when those do."""
    if not found.sensitive:
        return False
    other = {name: None if name in found.sensitive else value for name, value in found.values.items()}
    try:
        return bool(queried(use, expression, other) != queried(use, expression, found.values))
    except PlaitError:
        return True


def _store(use: Use) -> Node:
    words = use.arguments
    return _stored(
        use, use.run.outside.store(words.name, words.stack or use.here("atmos_stack"), words.component, words.key)
    )


def _store_key(use: Use) -> Node:
    return _stored(use, use.run.outside.store_key(use.arguments.name, use.arguments.key))


def _stored(use: Use, question: Question) -> Node:
    try:
        found = use.answer(question)
    except Missing:
        if use.arguments.default is None:
            raise
        found = None
    if found is None and use.arguments.default is not None:
        return use.of(decoded(use.arguments.default))
    return use.of(queried(use, use.arguments.query, found) if use.arguments.query else found)


def _secret(use: Use) -> Node:
    declared = use.section("secrets")
    rows = plain_value(declared) if declared is not None else {}
    question = use.run.outside.secret(use.arguments.name, rows, use.here("atmos_stack"), use.here("atmos_component"))
    return hidden(_stored(use, question))


def _aws(use: Use) -> Node:
    fact = use.call.function.name.partition(".")[2]
    found = use.answer(use.run.outside.account(fact))
    assert isinstance(found, dict)
    return use.of(found[fact])


def _random(use: Use) -> Node:
    words = use.arguments.values
    if not use.run.configuring:
        return text(use.call.text, use.call.node.source, use.call.node.at)
    try:
        low, high = (int(words[0]), int(words[1])) if len(words) == 2 else (0, int(words[0]) if words else 65535)
    except ValueError:
        raise use.bad("takes whole numbers") from None
    if low >= high:
        raise use.bad("needs a minimum below its maximum")

    def number() -> object:
        from random import SystemRandom

        return SystemRandom().randint(low, high)

    return use.of(use.asked("random", ("random", low, high, use.call.node.at), number))


def _cwd(use: Use) -> Node:
    if not use.run.configuring:
        return text(use.call.text, use.call.node.source, use.call.node.at)
    return use.of(os.path.normpath(os.path.join(os.getcwd(), use.arguments.default or ".")))


def _table() -> dict[str, Function]:
    """All functions by their tags."""
    output = "COMPONENT [STACK] OUTPUT-OR-EXPRESSION"
    rows = [
        Function("!template", "TEXT", "The text as data, where it is JSON.", "!template '{{ toJson .settings.x }}'", grammar.whole, _template, deferred=True),
        Function("!env", "NAME [DEFAULT]", "A variable: of the component's env, else of the system.", "!env HOME /root", grammar.one_or_two, _env, deferred=True),
        Function("!exec", "COMMAND", "What a command prints; JSON is data. Needs `exec`.", "!exec git rev-parse HEAD", grammar.whole, _exec, deferred=True),
        Function("!include", "FILE [EXPRESSION]", "A file as data, or a part of it.", "!include ports.yaml .web", grammar.path_and_query, _include, early=True),
        Function("!include.raw", "FILE [EXPRESSION]", "A file as text.", "!include.raw motd.txt", grammar.path_and_query, _include_raw, early=True),
        Function("!terraform.output", output, "An output of a component.", "!terraform.output vpc .id", grammar.component_output, _outputs, deferred=True),
        Function("!terraform.state", output, "An output of a component, from its state.", '!terraform.state vpc prod .id // "none"', grammar.component_output, _outputs, deferred=True),
        Function("!store", "NAME [STACK] COMPONENT KEY [| default V] [| query E]", "A value of a store.", "!store ssm vpc id | default none", grammar.stored, _store, deferred=True),
        Function("!store.get", "NAME KEY [| default V] [| query E]", "A value of a store by its own key.", "!store.get ssm /app/key", grammar.stored_key, _store_key, deferred=True),
        Function("!secret", "NAME [| path E] [| default V]", "A declared secret; never shown.", "!secret DB_PASSWORD", grammar.secret, _secret),
        Function("!labels", "", "metadata.labels.", "!labels", grammar.nothing, _labels, deferred=True),
        Function("!labels.keys", "", "The names of the labels, sorted.", "!labels.keys", grammar.nothing, _label_keys, deferred=True),
        Function("!labels.values", "", "The labels' values, by their names.", "!labels.values", grammar.nothing, _label_values, deferred=True),
        Function("!tags", "", "metadata.tags.", "!tags", grammar.nothing, _tags, deferred=True),
        Function("!repo-root", "[DEFAULT]", "The top of the git repository.", "!repo-root .", grammar.optional, _git),
        Function("!random", "[[MIN] MAX]", "A random number; in atmos.yaml only.", "!random 1 10", grammar.numbers, _random, early=True),
        Function("!cwd", "[PATH]", "The working folder; in atmos.yaml only.", "!cwd stacks", grammar.optional, _cwd, early=True),
    ]  # fmt: skip
    rows += [
        Function(
            f"!git.{name}",
            "[DEFAULT]",
            f"The {name} of the git repository.",
            f"!git.{name} unknown",
            grammar.optional,
            _git,
        )
        for name in QUESTIONS
    ]
    accounts = ("account_id", "caller_identity_arn", "caller_identity_user_id", "region", "organization_id")
    rows += [
        Function(f"!aws.{name}", "", f"The {name.replace('_', ' ')} of AWS.", f"!aws.{name}", grammar.nothing, _aws)
        for name in accounts
    ]
    return {row.tag: row for row in rows}


FUNCTIONS = _table()
WORDS = {
    "!append": "Put this list behind the one below, whatever the strategy.",
    "!unset": "Remove the key from the result.",
    "!literal": "Leave the text as it is: no template, no function.",
}
"""Tags that compute nothing."""
SUPPORTED = (*FUNCTIONS, *WORDS)
CONFIGURING = ("env", "exec", "include", "repo-root", "git.", "cwd", "random")
"""How the functions begin that are evaluated in atmos.yaml: those that need no stacks."""
NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def function_in(value: str) -> tuple[Function, str] | None:
    """The function that a text is a call of (`!env HOME`), and what follows its tag."""
    if value[:1] != "!":
        return None
    end = 1
    while end < len(value) and value[end] in NAME_LETTERS:
        end += 1
    function = FUNCTIONS.get(value[:end])
    return None if function is None else (function, value[end:].strip())


def is_deferred(value: str) -> bool:
    """Whether a text is a call of one of the functions that a merge waits for."""
    found = function_in(value)
    return found is not None and found[0].deferred


def recognise(tag: str, node: Node, written: FileScope) -> Node:
    """What a tagged node of a manifest means."""
    function = FUNCTIONS.get(tag)
    if function is not None:
        return Suspension(Call(function, node, _rest(function, node, written)), node.source, node.at, written)
    if tag == "!append":
        return _appended(node)
    if tag == "!unset":
        skipped = "unset" in written.run.options.skip or not written.run.options.functions
        return text("!unset", node.source, node.at) if skipped else Mark(node.source, node.at)
    if tag == "!literal":
        return _plain(node)
    near = nearest(tag, SUPPORTED)
    hint = f"did you mean `{near[0]}`?" if near else ""
    supported = f"Supported tags are: {', '.join(SUPPORTED)}"
    raise UNSUPPORTED_TAG.error(
        Label.of(node, length=len(tag)), tag=tag, file=written.file, notes=(supported,), hint=hint
    )


def _rest(function: Function, node: Node, written: FileScope) -> str:
    if isinstance(node, Scalar):
        return node.text.strip()
    if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
        return " ".join(item.text for item in node.items if isinstance(item, Scalar))
    problem: Diagnostic = BAD_FUNCTION(
        Label.of(node),
        text=function.tag,
        why=f"{function.tag} takes {function.arguments or 'nothing'}",
        hint=f"for example: {function.example}",
    )
    raise PlaitError(problem)


def _appended(node: Node) -> Node:
    if isinstance(node, Sequence):
        return Sequence(node.items, node.source, node.at, None, node.live, node.parts, ListRule("append"))
    return _plain(node)


def _plain(node: Node) -> Node:
    """The node without its tag."""
    if isinstance(node, Scalar):
        return Scalar(node.value, node.text, node.source, node.at, None, node.secret)
    if isinstance(node, Mapping):
        return Mapping(node.entries, node.source, node.at, None, node.live, node.marks, node.parts)
    return node


def component_calls(component: Component) -> list[Call]:
    """The calls in a component that read another component's outputs, without evaluating anything."""
    found: list[Call] = []
    stack: list[Node] = [component.root]
    while stack:
        node = stack.pop()
        if (
            isinstance(node, Suspension)
            and isinstance(node.expression, Call)
            and node.expression.function.evaluate is _outputs
        ):
            found.append(node.expression)
        elif isinstance(node, Mapping) and node.live:
            stack.extend(node.entries.values())
        elif isinstance(node, Sequence) and node.live:
            stack.extend(node.items)
        stack.extend(getattr(node, "parts", ()) if node.kind == "overlay" else ())
    return found
