"""The YAML functions of the configuration: those that need no stacks. Tags of other functions stay as they are written.

Components inherit `env` of the configuration; what is a function of manifests there is evaluated for each of them.
"""

from __future__ import annotations

import os
from json import loads

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import ListNode, MapNode, Mark, Node, Scalar, Suspension, text
from plait.core.policy import ListRule
from plait.fronts.stacks.ask.question import Question, answer_to
from plait.fronts.stacks.ask.sources import COMMAND_SECONDS, command_output
from plait.fronts.stacks.session import arguments as grammar
from plait.fronts.stacks.session.git import QUESTIONS, GitRepository
from plait.fronts.stacks.session.reader import READER
from plait.fronts.stacks.session.secrets import check_keys
from plait.fronts.stacks.session.yaml_function import FunctionCall, Invocation, YamlFunction, rest_of
from plait.report.catalog import UNSUPPORTED_TAG
from plait.report.near import nearest
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Permit, Scope
    from plait.fronts.stacks.ask.include import Includes
    from plait.fronts.stacks.session.arguments import Arguments
    from plait.fronts.stacks.session.session import StackSession


class ConfigFile:
    """One file of the configuration: the scope that its functions are written in."""

    __slots__ = ("file", "includes", "path", "session")

    def __init__(self, session: StackSession, path: str, includes: Includes) -> None:
        self.session = session
        self.path = path
        self.file = session.shown(path)
        """What reports call the file."""
        self.includes = includes

    @property
    def folders(self) -> tuple[str, ...]:
        return (self.session.folder,)

    def reading(self) -> Reading:
        return Reading(READER.schema, tagged=self._tagged, text_keys=True)

    def text_node(self, scalar: Scalar) -> Node:
        return scalar

    def _tagged(self, tag: str, node: Node) -> Node:
        function = FUNCTIONS.get(tag)
        if function is not None:
            return Suspension(ConfigCall(function, node, rest_of(function, node)), node.source, node.at, self)
        if tag in WORDS:
            return word_node(tag, node)
        near = nearest(tag, (*FUNCTIONS, *WORDS), 1)
        if near:
            raise unsupported(tag, node, self.file, tuple(FUNCTIONS))
        rest = node.text if isinstance(node, Scalar) else " ".join(str(item) for item in _words(node))
        return text(f"{tag} {rest}".rstrip(), node.source, node.at)


def _words(node: Node) -> list[str]:
    return [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, ListNode) else []


class ConfigCall(FunctionCall):
    """A function in a configuration file: an expression."""

    __slots__ = ()

    def evaluate(self, scope: Scope) -> Node:
        written = scope.written
        assert isinstance(written, ConfigFile)
        use = Invocation(self, self.rest, scope, written, self.arguments)
        self.arguments = use.arguments
        try:
            return self.function.evaluate(use)
        except PlaitError as error:
            raise use.placed(error) from None


WORDS = {
    "!append": "Append this list to the one of the lower layer, whatever the strategy.",
    "!unset": "Remove the key from the result.",
    "!literal": "Leave the text as it is: no template, no function.",
}
"""Tags that compute nothing."""


def word_node(tag: str, node: Node) -> Node:
    """What a tag means that computes nothing."""
    if tag == "!unset":
        return Mark(node.source, node.at)
    if tag == "!append" and isinstance(node, ListNode):
        rule = ListRule("append", origin=node.origin)
        return node.but(tag=None, rule=rule)
    return node.but(tag=None) if isinstance(node, Scalar | MapNode) else node


def unsupported(tag: str, node: Node, file: str, tags: tuple[str, ...]) -> PlaitError:
    """The error for an unknown tag."""
    supported = (*tags, *WORDS)
    near = nearest(tag, supported)
    return UNSUPPORTED_TAG.error(
        Label(node.origin, length=len(tag)),
        tag=tag,
        file=file,
        notes=(f"Supported tags are: {', '.join(supported)}",),
        hint=f"did you mean `{near[0]}`?" if near else "",
    )


def decoded(value: str) -> object:
    """A text that is JSON as data; any other text as it is."""

    def refuse(word: str) -> object:
        raise ValueError(word)

    try:
        return loads(value, parse_constant=refuse)
    except (ValueError, RecursionError):
        return value


# What each function does


def environment_variable(use: Invocation) -> Node:
    name = use.arguments.name
    if use.scope.place.path != ("env", name):  # a variable that is taken from the system under its own name
        own = use.section("env", name)
        if isinstance(own, Scalar) and own.value is not None:
            return use.of(own.value if isinstance(own.value, str) else own.text)
    key = variable_key(use.arguments)
    default = key[2]

    def read(permit: Permit) -> str:
        found = permit.variable(name)
        return default if found is None else found

    return use.of(use.asked("env", key, read))


def variable_key(arguments: Arguments) -> tuple[str, str, str]:
    """What a variable is asked for by, once in a run."""
    return ("env", arguments.name, arguments.default or "")


def command(use: Invocation) -> Node:
    line, folder = use.arguments.name, use.session.folder
    use.session.trace.incomplete = True
    question = Question(
        "exec",
        ("exec", folder, line),
        lambda permit: decoded(command_output(line, folder, permit)),
        "a command",
        seconds=COMMAND_SECONDS + 30,
    )
    made = use.of(answer_to(question, use.scope, use.session, use.call.node))
    check_keys(made, use.scope.secrets, use.label())
    return made


def git_fact(use: Invocation) -> Node:
    question = use.call.function.name.partition(".")[2] or "root"
    repository = GitRepository.around(
        use.session.git_folder or os.path.dirname(use.written.path) or ".", use.session.project
    )
    answer = QUESTIONS[question](repository) if repository is not None else ""
    if not answer:
        answer = use.arguments.default or ""
        if use.arguments.default is None:
            raise use.bad("found nothing, and has no default")
    return use.of(answer)


def _include(use: Invocation) -> Node:
    assert isinstance(use.written, ConfigFile)
    return use.written.includes.node(use)


def _include_raw(use: Invocation) -> Node:
    assert isinstance(use.written, ConfigFile)
    return use.written.includes.node(use, raw=True)


def _random(use: Invocation) -> Node:
    words = use.arguments.values
    try:
        low, high = (int(words[0]), int(words[1])) if len(words) == 2 else (0, int(words[0]) if words else 65535)
    except ValueError:
        raise use.bad("takes whole numbers") from None
    if low >= high:
        raise use.bad("needs a minimum below its maximum")

    def number(_: Permit) -> object:
        from random import SystemRandom

        return SystemRandom().randint(low, high)

    return use.of(use.asked("random", ("random", low, high, use.call.node.at), number))


def _working_folder(use: Invocation) -> Node:
    return use.of(os.path.normpath(os.path.join(os.getcwd(), use.arguments.default or ".")))


def git_functions() -> list[YamlFunction]:
    """`!repo-root` and `!git.QUESTION`."""
    rows = [
        YamlFunction(
            "!repo-root", "[DEFAULT]", "The top of the git repository.", "!repo-root .", grammar.optional, git_fact
        )
    ]
    return rows + [
        YamlFunction(
            f"!git.{name}",
            "[DEFAULT]",
            f"The {name} of the git repository.",
            f"!git.{name} unknown",
            grammar.optional,
            git_fact,
        )
        for name in QUESTIONS
    ]


FUNCTIONS = {
    row.tag: row
    for row in (
        YamlFunction(
            "!env",
            "NAME [DEFAULT]",
            "A variable of the environment.",
            "!env HOME /root",
            grammar.one_or_two,
            environment_variable,
        ),
        YamlFunction(
            "!exec",
            "COMMAND",
            "What a command prints; JSON is data. Needs `exec`.",
            "!exec git rev-parse HEAD",
            grammar.whole,
            command,
        ),
        YamlFunction(
            "!include",
            "FILE [EXPRESSION]",
            "A file as data, or a part of it.",
            "!include ports.yaml .web",
            grammar.path_and_query,
            _include,
        ),
        YamlFunction(
            "!include.raw",
            "FILE [EXPRESSION]",
            "A file as text.",
            "!include.raw motd.txt",
            grammar.path_and_query,
            _include_raw,
        ),
        YamlFunction(
            "!random", "[[MIN] MAX]", "A random number; in atmos.yaml only.", "!random 1 10", grammar.numbers, _random
        ),
        YamlFunction(
            "!cwd",
            "[PATH]",
            "The working folder; in atmos.yaml only.",
            "!cwd stacks",
            grammar.optional,
            _working_folder,
        ),
        *git_functions(),
    )
}
"""The functions of the configuration by their tags."""
