"""The functions of dynaml: a plain function and one declaration each.

The reference page and its test read the same table.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Fault, PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.scope import CommandFailed, Denied
from plait.notations.dynaml.env import PART, LambdaValue, apply
from plait.notations.dynaml.manifest import static_ips
from plait.notations.dynaml.operators import LARGEST, described, integer, orderable, simple
from plait.report.catalog import EXECUTION, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Permit
    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm


class DynamlFunction:
    """What a function is called with, what it gives, and how. A `lazy` one evaluates its arguments itself."""

    __slots__ = ("about", "arguments", "evaluate", "example", "lazy", "least", "most", "name")

    def __init__(
        self,
        name: str,
        arguments: str,
        about: str,
        example: str,
        evaluate: Callable[..., Node],
        least: int,
        most: int | None = None,
        lazy: bool = False,
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.about = about
        self.example = example
        self.evaluate = evaluate
        self.least = least
        self.most = most
        self.lazy = lazy


def _text(tree: CallTerm, env: Env, node: Node, what: str) -> str:
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return node.value
    raise _wrong(tree, env, f"{what} must be a string", node)


def _items(tree: CallTerm, env: Env, node: Node, what: str) -> list[Node]:
    if isinstance(node, Sequence):
        env.meter.step(PART * len(node.items))
        return node.items
    raise _wrong(tree, env, f"{what} must be a list", node)


def _wrong(tree: CallTerm, env: Env, issue: str, node: Node) -> PlaitError:
    return env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"this is {described(node)}")


# The five of spiff


def _join(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    if not arguments:
        raise env.failure(WRONG_ARGUMENT, tree, issue="join requires a separator", hint='for example: join(", ", list)')
    separator = _piece(tree, env, arguments[0], "first argument for join must be a string")
    pieces: list[str] = []
    for number, argument in enumerate(arguments[1:], 1):
        if isinstance(argument, Sequence):
            issue = f"elements of list(arg {number}) to join must be simple values"
            pieces += [_piece(tree, env, item, issue) for item in argument.items]
        elif not isinstance(argument, Scalar) or argument.value is not None:
            pieces.append(_piece(tree, env, argument, f"argument {number} to join must be simple value or list"))
    return env.joined(separator, pieces)


def _piece(tree: CallTerm, env: Env, node: Node, issue: str) -> str:
    found = simple(node)
    if found is None:
        raise _wrong(tree, env, issue, node)
    return found


def _network(tree: CallTerm, env: Env, arguments: tuple[Node, ...]) -> tuple[int, int, type]:
    """The address of a CIDR as a number, its host bits, and its kind."""
    from ipaddress import ip_interface

    if len(arguments) != 1:
        raise env.failure(WRONG_ARGUMENT, tree, issue="only one argument expected for CIDR function")
    text = arguments[0].value if isinstance(arguments[0], Scalar) else None
    try:
        if not isinstance(text, str) or not text.partition("/")[2].isdecimal():
            raise ValueError
        found = ip_interface(text)
    except ValueError:
        raise env.failure(
            WRONG_ARGUMENT, tree, issue="CIDR argument required", hint='for example: "10.0.0.0/24"'
        ) from None
    return int(found.ip), (1 << (found.max_prefixlen - found.network.prefixlen)) - 1, found.ip.__class__


def _min_ip(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    number, host, kind = _network(tree, env, arguments)
    return env.made(str(kind(number & ~host)))


def _max_ip(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    number, host, kind = _network(tree, env, arguments)
    return env.made(str(kind(number | host)))


def _exec(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    """A command is run once, however many expressions ask for it."""
    if len(arguments) == 1 and isinstance(arguments[0], Sequence):
        arguments = tuple(arguments[0].items)
    if not arguments:
        raise env.failure(WRONG_ARGUMENT, tree, issue="command argument must be string")
    first = arguments[0]
    if isinstance(first, Sequence):
        raise env.failure(WRONG_ARGUMENT, tree, issue="list not allowed for command argument")
    if not isinstance(first, Scalar) or (not isinstance(first.value, str) and first.value.__class__ is not int):
        raise _wrong(tree, env, "command argument must be string", first)
    command = [_argument(tree, env, argument) for argument in arguments]
    return env.scope.call("exec", ("exec", *command), lambda permit: _output(tree, env, command, permit))


def _argument(tree: CallTerm, env: Env, node: Node) -> str:
    """Texts and integers as they are, everything else as a YAML document."""
    if isinstance(node, Scalar):
        text = simple(node) if not isinstance(node.value, bool) else None
        if text is not None:
            return text
        if node.value is None:
            raise env.failure(WRONG_ARGUMENT, tree, issue="command argument must not be nil")
    written = env.scope.service("to_yaml")(node)
    assert isinstance(written, Scalar)
    return "---\n" + written.text


def _output(tree: CallTerm, env: Env, command: list[str], permit: Permit) -> Node:
    """What a command prints: YAML after `---`, an integer, or text without its last line end."""
    text = _run(tree, env, command, permit)
    if text.startswith("---\n"):
        try:
            return env.scope.service("from_yaml")(text, f"the output of {command[0]}")
        except Fault:
            pass  # then it is text
    text = text.removesuffix("\n")
    digits = text.lstrip("+-")
    if digits.isascii() and digits.isdecimal() and len(digits) < 20 and len(text) - len(digits) <= 1:
        number = int(text)
        return env.made(number if -LARGEST <= number < LARGEST else text)
    return env.made(text)


def _run(tree: CallTerm, env: Env, command: list[str], permit: Permit) -> str:
    try:
        return permit.run(command, env.scope.seconds_left())
    except CommandFailed as failed:
        raise env.failure(
            EXECUTION, tree, command=command[0], hint=f"{failed.why}; `|| value` gives a default"
        ) from None


# What people use most of its successor


def _format(tree: CallTerm, env: Env, pattern: Node, *arguments: Node) -> Node:
    rest = list(arguments)

    def replaced(match: re.Match[str]) -> str:
        if match[3] == "%":
            return "%"
        if not rest:
            raise env.failure(WRONG_ARGUMENT, tree, issue=f"format has no argument for '{match[0]}'")
        return _formatted(tree, env, match, rest.pop(0))

    text = re.sub(
        r"%([-+ 0#]*)([0-9]*(?:\.[0-9]+)?)([a-zA-Z%])", replaced, _text(tree, env, pattern, "first argument of format")
    )
    if rest:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"format has {len(rest)} arguments too many")
    return env.made(text)


VERBS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "d": (int, "d"),
    "x": (int, "x"),
    "X": (int, "X"),
    "o": (int, "o"),
    "b": (int, "b"),
    "f": ((int, float), "f"),
    "e": ((int, float), "e"),
    "g": ((int, float), "g"),
}
"""Go's verbs for numbers, what they take, and how Python writes them."""


def _formatted(tree: CallTerm, env: Env, match: re.Match[str], node: Node) -> str:
    flags, size, verb = match[1], match[2], match[3]
    value = node.value if isinstance(node, Scalar) else None
    if verb in VERBS:
        kinds, code = VERBS[verb]
        if not isinstance(value, kinds) or isinstance(value, bool | bytes):
            raise _wrong(tree, env, f"'{match[0]}' of format needs a number", node)
        if isinstance(value, int) and not -LARGEST <= value < LARGEST:
            raise _wrong(tree, env, f"'{match[0]}' of format takes integers of 64 bits", node)
        align = "<" if "-" in flags else ""
        sign = next((flag for flag in flags if flag in "+ "), "")
        zero = "0" if "0" in flags and not align else ""
        return f"{value:{align}{sign}{'#' if '#' in flags else ''}{zero}{_width(tree, env, size)}{code}}"
    text = simple(node) if verb in "svqt" else None
    if text is None and verb == "v" and isinstance(node, Scalar):
        text = node.text
    if text is None:
        raise _wrong(tree, env, f"'{match[0]}' of format cannot write this", node)
    text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if verb == "q" else text
    env.meter.make(len(text))
    return f"{text:{'<' if '-' in flags else '>'}{_width(tree, env, size)}}"


def _width(tree: CallTerm, env: Env, size: str) -> str:
    if len(size) > 5:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"format cannot write a width of {size}")
    env.meter.make(int(size.partition(".")[0] or 0) + int(size.partition(".")[2] or 0))
    return size


def _split(tree: CallTerm, env: Env, separator: Node, text: Node) -> Node:
    sign, whole = (
        _text(tree, env, separator, "first argument of split"),
        _text(tree, env, text, "second argument of split"),
    )
    env.meter.make(len(whole) * 64 if not sign else len(whole) + whole.count(sign) * 64)
    return env.made_list([env.made(piece) for piece in (whole.split(sign) if sign else whole)])


def _trim(tree: CallTerm, env: Env, value: Node, letters: Node | None = None) -> Node:
    cut = " \t" if letters is None else _text(tree, env, letters, "second argument of trim")
    if isinstance(value, Sequence):
        return env.made_list(
            [env.made(_text(tree, env, item, "element of list to trim").strip(cut)) for item in value.items]
        )
    return env.made(_text(tree, env, value, "first argument of trim").strip(cut))


def _replace(tree: CallTerm, env: Env, text: Node, old: Node, new: Node) -> Node:
    a, b, c = (_text(tree, env, node, "every argument of replace") for node in (text, old, new))
    env.meter.make(len(a) + (a.count(b) if b else len(a) + 1) * len(c))
    return env.made(a.replace(b, c))


def _match(tree: CallTerm, env: Env, pattern: Node, text: Node) -> Node:
    """The match and its groups; nothing where there is none."""
    sought = _text(tree, env, pattern, "first argument of match")
    whole = _piece(tree, env, text, "second argument of match must be a simple value")
    try:
        found = env.scope.service("match")(sought, whole)
    except ValueError as trouble:
        raise env.failure(WRONG_ARGUMENT, tree, issue=str(trouble)) from None
    assert isinstance(found, Sequence)
    return env.made_list([env.made(item.value) for item in found.items if isinstance(item, Scalar)])


def _length(tree: CallTerm, env: Env, value: Node) -> Node:
    if isinstance(value, Sequence | Mapping):
        return env.made(len(value.items if isinstance(value, Sequence) else value.entries))
    return env.made(len(_text(tree, env, value, "argument of length")))


def _defined(tree: CallTerm, env: Env) -> Node:
    """Whether every argument has a value."""
    try:
        env.values(tree.arguments)
    except Denied:
        raise
    except Fault:
        return env.made(False)
    return env.made(True)


def _sort(tree: CallTerm, env: Env, value: Node, by: Node | None = None) -> Node:
    items = list(_items(tree, env, value, "first argument of sort"))
    if by is not None:
        if not isinstance(by, LambdaValue):
            raise _wrong(tree, env, "second argument of sort must be a lambda", by)
        return env.made_list(_sorted_by(tree, env, items, by))
    keys = [orderable(item) for item in items]
    if None in keys or len({isinstance(key, str) for key in keys}) > 1:
        raise env.failure(WRONG_ARGUMENT, tree, issue="list elements must be only strings or only numbers to be sorted")
    order: list[int] = sorted(range(len(items)), key=lambda index: keys[index])  # type: ignore[arg-type, return-value]
    return env.made_list([items[index] for index in order])


def _sorted_by(tree: CallTerm, env: Env, items: list[Node], by: LambdaValue) -> list[Node]:
    from functools import cmp_to_key

    def compare(a: Node, b: Node) -> int:
        answer = apply(tree, env, by, [a, b])
        number = integer(answer)
        if isinstance(answer, Scalar) and isinstance(answer.value, bool):
            return -1 if answer.value else 1
        if number is None:
            raise _wrong(tree, env, "the lambda of sort must give a boolean or an integer", answer)
        return number

    return sorted(items, key=cmp_to_key(compare))


def _uniq(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made_list(list(dict.fromkeys(_items(tree, env, value, "argument of uniq"))))


def _contains(tree: CallTerm, env: Env, value: Node, part: Node) -> Node:
    if isinstance(value, Sequence):
        env.meter.step(PART * len(value.items))
        return env.made(any(item == part for item in value.items))
    piece = _piece(tree, env, part, "second argument of contains must be a simple value")
    if isinstance(value, Mapping):
        return env.made(piece in value.entries)
    return env.made(piece in _text(tree, env, value, "first argument of contains"))


def _keys(tree: CallTerm, env: Env, value: Node) -> Node:
    if not isinstance(value, Mapping):
        raise _wrong(tree, env, "argument of keys must be a map", value)
    return env.made_list([env.made(key) for key in sorted(key for key in value.entries if isinstance(key, str))])


FUNCTIONS = {
    function.name: function
    for function in (
        DynamlFunction(
            "join",
            "separator, values...",
            "Texts, integers and lists of them as one text.",
            'join(", ", list)',
            _join,
            0,
        ),
        DynamlFunction("min_ip", "cidr", "The first address of a network.", 'min_ip("10.1.2.3/24")', _min_ip, 0),
        DynamlFunction("max_ip", "cidr", "The last address of a network.", 'max_ip("10.1.2.3/24")', _max_ip, 0),
        DynamlFunction(
            "static_ips",
            "indices...",
            "Static addresses of a job's network, one for each instance.",
            "static_ips(0, 3)",
            static_ips,
            0,
        ),
        DynamlFunction(
            "exec",
            "command, arguments...",
            "What a command prints. Requires `--allow exec`.",
            'exec("echo", "hello")',
            _exec,
            0,
        ),
        DynamlFunction(
            "format",
            "pattern, values...",
            "Values formatted into a string, as by Go's Printf.",
            'format("%s-%02d", "vm", 3)',
            _format,
            1,
        ),
        DynamlFunction("split", "separator, text", "The pieces of a string.", 'split(",", "a,b")', _split, 2, 2),
        DynamlFunction(
            "trim",
            "text [, letters]",
            "A text, or each of a list, without blanks or letters at its ends.",
            'trim(" a ")',
            _trim,
            1,
            2,
        ),
        DynamlFunction(
            "replace",
            "text, old, new",
            "A text with each occurrence of `old` replaced by `new`.",
            'replace("a-b", "-", "_")',
            _replace,
            3,
            3,
        ),
        DynamlFunction(
            "match",
            "pattern, text",
            "A match and its groups as a list, empty if there is none.",
            'match("v(.*)", "v12")',
            _match,
            2,
            2,
        ),
        DynamlFunction("length", "value", "How many items, entries or letters.", "length([1, 2])", _length, 1, 1),
        DynamlFunction(
            "defined", "values...", "Whether every reference has a value.", "defined(a.b)", _defined, 1, lazy=True
        ),
        DynamlFunction("sort", "list [, lambda]", "A list in order.", "sort([3, 1, 2])", _sort, 1, 2),
        DynamlFunction("uniq", "list", "A list with each item once.", "uniq([1, 2, 1])", _uniq, 1, 1),
        DynamlFunction(
            "contains",
            "list, value",
            "Whether a list has an item, a map a key, or a text a part.",
            'contains(["a"], "a")',
            _contains,
            2,
            2,
        ),
        DynamlFunction("keys", "map", "The keys of a map, in order.", "keys(meta)", _keys, 1, 1),
    )
}
