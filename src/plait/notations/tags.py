"""plait's own tags: `!ref a.b`, `!env NAME`, `!include FILE`, ..., and merge tags, `!append`, `!unset`, ...

A function is a plain function and one declaration. The reader, `plait functions`, the reference page and its test all
read the same table, `FUNCTIONS`.
"""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.expression import Expression
from plait.core.node import ListNode, MapNode, Mark, Node, Scalar, Suspension, text, untagged
from plait.core.path import PathError, parse_path
from plait.core.policy import LIST_STRATEGIES, ListRule
from plait.core.scope import CommandFailed, Patience
from plait.core.source import Computed
from plait.core.struct import struct
from plait.report.catalog import BAD_ARGUMENT, BAD_MARK, BAD_PATH, COMMAND_FAILED, NO_VARIABLE, UNKNOWN_TAG
from plait.report.near import distance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Permit, Scope


MOST_SECONDS = 3600.0
"""A command ends by the limit on calls, not before."""


@struct
class TagFunction:
    """A tag that computes: what it is called with, what it gives, and how."""

    tag: str
    arguments: str
    about: str
    example: str
    evaluate: Callable[[TagCall, Scope], Node]
    most: int | None = None
    """The last argument takes the rest of the line where this is None."""


WAYS = {"!ref": "reference", "!include": "include"}
"""What a value came through that a function gave, where it is not just a function."""


class TagCall(Expression):
    """One use of a function: an expression."""

    __slots__ = ("arguments", "function", "node", "text")

    def __init__(self, function: TagFunction, node: Node, arguments: list[str]) -> None:
        self.function = function
        self.node = node
        self.arguments = arguments
        self.text = " ".join([function.tag, node.text if isinstance(node, Scalar) else " ".join(arguments)])

    @property
    def way(self) -> str:  # type: ignore[override]
        return WAYS.get(self.function.tag, "function")

    @property
    def data(self) -> Node:
        return self.node

    def evaluate(self, scope: Scope) -> Node:
        return self.function.evaluate(self, scope)

    def computed(self, value: str) -> Scalar:
        """A text that this call made."""
        return text(value, Computed(self.text, self.node.source, self.node.at), self.node.at)

    def label(self) -> Label:
        return Label(self.node.origin, length=len(self.text))


# What each function does


def _ref(call: TagCall, scope: Scope) -> Node:
    name = call.arguments[0]
    try:
        path = parse_path(name)
    except PathError as trouble:
        raise BAD_PATH.error(call.label(), path=name, why=trouble.message) from None
    return scope.find(path)


def _env(call: TagCall, scope: Scope) -> Node:
    name, *default = call.arguments

    def read(permit: Permit) -> Node:
        found = permit.variable(name)
        if found is not None:
            return call.computed(found)
        if default:
            return call.computed(default[0])
        raise NO_VARIABLE.error(call.label(), name=name, hint=f"set it, or give a default: !env {name} DEFAULT")

    return scope.call("env", ("env", name, *default), read)


def _include(call: TagCall, scope: Scope) -> Node:
    name, *path = call.arguments
    return scope.service("include")(scope, name, path[0] if path else "")


def _include_raw(call: TagCall, scope: Scope) -> Node:
    return scope.service("include_raw")(scope, call.arguments[0])


def _exec(call: TagCall, scope: Scope) -> Node:
    command: str | list[str] = call.arguments[0] if isinstance(call.node, Scalar) else call.arguments

    printed = scope.call(
        "exec",
        ("exec", str(command)),
        lambda permit: text(_printed(call, scope, command, permit)),
        Patience("a command", MOST_SECONDS, tries=1),
    )
    assert isinstance(printed, Scalar)
    return scope.service("parse_output")(call.node, printed.text)


def _printed(call: TagCall, scope: Scope, command: str | list[str], permit: Permit) -> str:
    try:
        return permit.run(command, scope.seconds_left()).rstrip("\n")
    except CommandFailed as failed:
        raise COMMAND_FAILED.error(call.label(), why=failed.why, notes=tuple(failed.stderr.splitlines()[-1:])) from None


FUNCTIONS = {
    function.tag: function
    for function in (
        TagFunction("!ref", "PATH", "The value at a path of the merged document.", "!ref settings.region", _ref, 1),
        TagFunction("!env", "NAME [DEFAULT]", "An environment variable, as text.", "!env HOME /root", _env, 2),
        TagFunction(
            "!include", "FILE [PATH]", "A YAML or JSON file, or a part of it.", "!include ports.yaml web", _include, 2
        ),
        TagFunction("!include.raw", "FILE", "The text of a file.", "!include.raw motd.txt", _include_raw, 1),
        TagFunction(
            "!exec",
            "COMMAND",
            "What a command prints; JSON becomes data. Needs `exec`.",
            "!exec git rev-parse HEAD",
            _exec,
        ),
    )
}


# Merge tags, and marks on values


def _rule(strategy: str) -> Callable[[str, Node], Node]:
    def mark(tag: str, node: Node) -> Node:
        if not isinstance(node, ListNode):
            hint = f"put what is behind it into a list: `{tag} [ITEM]`"
            raise BAD_MARK.error(Label(node.origin), tag=tag, why="can only be used on a list", hint=hint)
        return node.but(tag=None, rule=ListRule(strategy, origin=node.origin))

    return mark


def _replace(tag: str, node: Node) -> Node:
    if isinstance(node, ListNode):
        return _rule("replace")(tag, node)
    if isinstance(node, MapNode):
        return node.but(tag=None, alone=True)
    return untagged(node)


def _unset(tag: str, node: Node) -> Node:
    if isinstance(node, Scalar) and node.text in ("", "null"):  # between braces, an empty value is written as null
        return Mark(node.source, node.at)
    if isinstance(node, MapNode) and node.entries:
        return Mark(node.source, node.at, item=node)  # an item of a keyed list: a key has no such mark
    raise BAD_MARK.error(Label(node.origin), tag=tag, why="takes no value", hint="write `key: !unset`")


def _merge_by(tag: str, node: Node) -> Node:
    names = tag.partition(":")[2]
    if names and isinstance(node, ListNode):
        rule = ListRule.parse(f"key:{names}", origin=node.origin)
        return node.but(tag=None, rule=rule)
    if not names and isinstance(node, Scalar) and node.text.strip():
        return Mark(node.source, node.at, ListRule.parse(f"key:{node.text}", origin=node.origin))
    hint = "head the list with `- !merge-by name`, or tag it `!merge-by:name`"
    raise BAD_MARK.error(Label(node.origin), tag=tag, why="needs the name of a key", hint=hint)


def _sensitive(tag: str, node: Node) -> Node:
    return untagged(node)  # the reader has marked what is in it as secret


@struct
class MergeTag:
    """A tag that acts while a file is read: how to merge, or a mark on a value."""

    tag: str
    about: str
    example: str
    act: Callable[[str, Node], Node]


WORDS = {
    word.tag: word
    for word in (
        *(MergeTag(f"!{one.name}", *one.tag, _rule(one.name)) for one in LIST_STRATEGIES.values() if one.tag),
        MergeTag(
            "!replace",
            "Replace the value of lower layers instead of merging with it.",
            "!replace {only: this}",
            _replace,
        ),
        MergeTag("!unset", "Remove the key.", "!unset", _unset),
        MergeTag("!merge-by", "Merge this list by a key of its items.", "[!merge-by name, {name: web}]", _merge_by),
        MergeTag("!sensitive", "Never show this value.", "!sensitive hunter2", _sensitive),
    )
}


def listing() -> list[dict[str, str]]:
    """What there is, for people: from the declarations themselves."""
    functions = [
        {"signature": f"{f.tag} {f.arguments}", "about": f.about, "example": f.example} for f in FUNCTIONS.values()
    ]
    words = [{"signature": word.tag, "about": word.about, "example": word.example} for word in WORDS.values()]
    return functions + words


def recognise(tag: str, node: Node, written: object) -> Node:
    """What a tagged node means: a suspension, a mark, or itself where the tag is not ours."""
    function = FUNCTIONS.get(tag)
    if function is not None:
        return Suspension(TagCall(function, node, _arguments(function, node)), node.source, node.at, written)
    word = WORDS.get(tag.partition(":")[0])
    if word is not None:
        return word.act(tag, node)
    near = _slip(tag)
    if near:
        length = len(tag)
        raise UNKNOWN_TAG.error(Label(node.origin, length=length), tag=tag, near=near, hint=f"write `{near}`")
    return node


def _slip(tag: str) -> str | None:
    """A tag of ours that differs in one letter. Tags of other tools begin with a capital, or differ in more."""
    if not tag[1:2].islower():
        return None
    for name in (*FUNCTIONS, *WORDS):
        if distance(tag, name, 1) <= 1:
            return name
    return None


def _arguments(function: TagFunction, node: Node) -> list[str]:
    """The arguments of a call: the words of a scalar (the rest of the line is the last one), or the items of a list."""
    if isinstance(node, ListNode) and all(isinstance(item, Scalar) for item in node.items):
        texts = [item.text for item in node.items if isinstance(item, Scalar)]
    elif isinstance(node, Scalar):
        texts = _words(node.text, function.most)
    else:
        raise _bad(function, node, f"takes {function.arguments}")
    if not texts:
        raise _bad(function, node, f"needs {function.arguments}")
    if isinstance(node, ListNode) and function.most is not None and len(texts) > function.most:
        raise _bad(function, node, f"takes only {function.arguments}")
    return texts


def _bad(function: TagFunction, node: Node, why: str) -> PlaitError:
    return BAD_ARGUMENT.error(Label(node.origin), tag=function.tag, why=why, hint=f"for example: {function.example}")


def _words(line: str, most: int | None) -> list[str]:
    if most is None:
        return [line] if line.strip() else []
    words = line.split(None, most - 1)
    return [word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word for word in words]
