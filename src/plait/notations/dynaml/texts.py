"""Functions on text."""

from __future__ import annotations

import re

from plait.core.floats import shortest
from plait.core.node import ListNode, Node, Scalar, rewrite
from plait.core.slashes import base, directory
from plait.core.urls import BadUrl, parameters, url
from plait.notations.dynaml.declared import FunctionTable, integer_in, piece, text_in, wrong
from plait.notations.dynaml.env import apply
from plait.notations.dynaml.operators import LARGEST, simple
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.regexp import BadPattern, Regexp, expand
from plait.report.catalog import RAISED, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm
    from plait.regexp import Match

TABLE = FunctionTable("Text")
function = TABLE.function


@function(
    "format",
    "pattern, values...",
    "Values formatted into a string, as by Go's Printf.",
    'format("%s-%02d", "vm", 3)',
    1,
)
def formatted_text(tree: CallTerm, env: Env, pattern: Node, *arguments: Node) -> Node:
    return env.made(_format(tree, env, pattern, arguments))


@function("error", "[pattern, values...]", "Fails with a text of its own.", 'error("no %s", "name") || "caught"', 0)
def error(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    raise env.failure(RAISED, tree, issue=_format(tree, env, arguments[0], arguments[1:]) if arguments else "error")


def _format(tree: CallTerm, env: Env, pattern: Node, arguments: tuple[Node, ...]) -> str:
    written_as = text_in(tree, env, pattern, "first argument of format")
    if env.dialect.successor:
        return _as_go(env, written_as, arguments)
    rest = list(arguments)

    def replaced(match: re.Match[str]) -> str:
        if match[3] == "%":
            return "%"
        if not rest:
            raise env.failure(WRONG_ARGUMENT, tree, issue=f"format has no argument for '{match[0]}'")
        return _formatted(tree, env, match, rest.pop(0))

    text = re.sub(r"%([-+ 0#]*)([0-9]*(?:\.[0-9]+)?)([a-zA-Z%])", replaced, written_as)
    if rest:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"format has {len(rest)} arguments too many")
    return text


def _as_go(env: Env, pattern: str, arguments: tuple[Node, ...]) -> str:
    """The text that Go's Printf makes, also of what does not fit."""
    made = env.scope.service("printf")(pattern, [_plain_value(env, each) for each in arguments])
    assert isinstance(made, Scalar)
    env.meter.make(len(made.text))
    return made.text


def _plain_value(env: Env, node: Node) -> object:
    """A value as Printf takes it: lists, maps, functions, and integers that do not fit in 64 bits, as texts."""
    value = node.value if isinstance(node, Scalar) and not isinstance(node, LambdaValue | TemplateBody) else node
    fits = isinstance(value, int) and -LARGEST <= value < LARGEST
    return value if value is None or fits or isinstance(value, str | float) else _plain(env, node)


def _plain(env: Env, node: Node) -> str:
    """A value as text: lists, maps and templates as YAML."""
    if isinstance(node, TemplateBody):
        return written(env, node.printed)
    text = simple(node)
    return text if text is not None else node.text if isinstance(node, Scalar) else written(env, node)


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
            raise wrong(tree, env, f"'{match[0]}' of format needs a number", node)
        if isinstance(value, int) and not -LARGEST <= value < LARGEST:
            raise wrong(tree, env, f"'{match[0]}' of format takes integers of 64 bits", node)
        align = "<" if "-" in flags else ""
        sign = next((flag for flag in flags if flag in "+ "), "")
        zero = "0" if "0" in flags and not align else ""
        return f"{value:{align}{sign}{'#' if '#' in flags else ''}{zero}{_width(tree, env, size)}{code}}"
    text = simple(node) if verb in "qt" else None
    if verb in "sv":
        text = _plain(env, node)
    if text is None and verb == "c" and isinstance(value, int) and 0 <= value < 0x110000:
        text = chr(value)
    if text is None:
        raise wrong(tree, env, f"'{match[0]}' of format cannot write this", node)
    text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if verb == "q" else text
    env.meter.make(len(text))
    return f"{text:{'<' if '-' in flags else '>'}{_width(tree, env, size)}}"


def _width(tree: CallTerm, env: Env, size: str) -> str:
    if len(size) > 5:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"format cannot write a width of {size}")
    env.meter.make(int(size.partition(".")[0] or 0) + int(size.partition(".")[2] or 0))
    return size


def written(env: Env, node: Node) -> str:
    """A value as YAML text."""
    made = env.scope.service("to_yaml")(node)
    assert isinstance(made, Scalar)
    env.meter.make(len(made.text))
    return made.text


# Cutting and replacing


def _count(tree: CallTerm, env: Env, node: Node | None) -> int:
    """How many pieces or matches are wanted; all of them without a number."""
    return -1 if node is None else integer_in(tree, env, node, f"last argument of {tree.name}")


@function(
    "split",
    "separator, text [, count]",
    "The pieces of a string; with a number for the separator, pieces of that many letters.",
    'split(",", "a,b")',
    2,
    3,
)
def split(tree: CallTerm, env: Env, separator: Node, text: Node, count: Node | None = None) -> Node:
    whole, most = text_in(tree, env, text, "second argument of split"), _count(tree, env, count)
    if isinstance(separator, Scalar) and isinstance(separator.value, int):
        return _cut(tree, env, whole, integer_in(tree, env, separator, "first argument of split"), most)
    sign = text_in(tree, env, separator, "first argument of split")
    env.meter.make(len(whole) * 64 if not sign else len(whole) + whole.count(sign) * 64)
    if not most:
        pieces: list[str] = []
    elif not sign:
        pieces = [*whole[: most - 1], whole[most - 1 :]] if 0 < most < len(whole) else list(whole)
    else:
        pieces = whole.split(sign, most - 1) if most > 0 else whole.split(sign)
    return env.made_list([env.made(piece) for piece in pieces])


def _cut(tree: CallTerm, env: Env, whole: str, size: int, most: int) -> Node:
    if size < 1:
        raise env.failure(WRONG_ARGUMENT, tree, issue="the pieces of split must have a letter or more")
    env.meter.make(len(whole) + len(whole) // size * 64)
    size = size if most else max(len(whole), 1)
    starts = list(range(0, len(whole), size))
    last = most - 1 if 0 < most < len(starts) else len(starts)
    pieces = [whole[start : start + size] for start in starts[:last]]
    pieces += [whole[starts[last] :]] if last < len(starts) else []
    return env.made_list([env.made(piece) for piece in pieces])


def pattern_of(tree: CallTerm, env: Env, node: Node, what: str) -> Regexp:
    sought = text_in(tree, env, node, what)
    env.meter.make(len(sought) * 64)
    try:
        return Regexp(sought)
    except BadPattern as trouble:
        raise env.failure(WRONG_ARGUMENT, tree, issue=str(trouble)) from None


@function(
    "split_match",
    "pattern, text [, count]",
    "The pieces of a string between the matches of a pattern.",
    'split_match("[,;]", "a,b;c")',
    2,
    3,
)
def split_match(tree: CallTerm, env: Env, pattern: Node, text: Node, count: Node | None = None) -> Node:
    whole = text_in(tree, env, text, "second argument of split_match")
    sought = pattern_of(tree, env, pattern, "first argument of split_match")
    return env.made_list([env.made(piece) for piece in sought.split(whole, _count(tree, env, count), env.meter)])


@function(
    "trim",
    "text [, letters]",
    "A text, or each of a list, without blanks or letters at its ends.",
    'trim(" a ")',
    1,
    2,
)
def trim(tree: CallTerm, env: Env, value: Node, letters: Node | None = None) -> Node:
    cut = " \t" if letters is None else text_in(tree, env, letters, "second argument of trim")
    if isinstance(value, ListNode):
        items = [text_in(tree, env, item, "element of list to trim").strip(cut) for item in value.items]
        return env.made_list([env.made(item) for item in items])
    return env.made(text_in(tree, env, value, "first argument of trim").strip(cut))


@function("lower", "text", "A text in small letters.", 'lower("AB")', 1, 1)
def lower(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.joined("", [text_in(tree, env, value, "argument of lower").lower()])


@function("upper", "text", "A text in capital letters.", 'upper("ab")', 1, 1)
def upper(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.joined("", [text_in(tree, env, value, "argument of upper").upper()])


@function(
    "substr",
    "text, start [, end]",
    "A part of a text; positions count from 0, negative ones from the end.",
    'substr("abcd", 1, 3)',
    2,
    3,
)
def substr(tree: CallTerm, env: Env, value: Node, start: Node, end: Node | None = None) -> Node:
    text = text_in(tree, env, value, "first argument of substr")
    first = _position(tree, env, text, start)
    last = len(text) if end is None else _position(tree, env, text, end)
    if last < first:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"substr ends at {last}, before it begins at {first}")
    return env.joined("", [text[first:last]])


def _position(tree: CallTerm, env: Env, text: str, node: Node) -> int:
    found = integer_in(tree, env, node, "the positions of substr")
    place = found + len(text) if found < 0 else found
    if not 0 <= place <= len(text):
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"position {found} is outside of a text of {len(text)} letters")
    return place


@function(
    "replace",
    "text, old, new [, count]",
    "A text with each occurrence of `old` replaced by `new`.",
    'replace("a-b", "-", "_")',
    3,
    4,
)
def replace(tree: CallTerm, env: Env, text: Node, old: Node, new: Node, count: Node | None = None) -> Node:
    if isinstance(new, LambdaValue):
        return _replaced_by(tree, env, text, old, new, _count(tree, env, count))
    a, b, c = (text_in(tree, env, node, "every argument of replace") for node in (text, old, new))
    env.meter.make(len(a) + (a.count(b) if b else len(a) + 1) * len(c))
    return env.made(a.replace(b, c, _count(tree, env, count)))


def _replaced_by(tree: CallTerm, env: Env, text: Node, old: Node, new: LambdaValue, most: int) -> Node:
    """Each occurrence replaced by what a lambda gives for it."""
    a, b = (text_in(tree, env, node, "every argument of replace") for node in (text, old))
    pieces = a.split(b, most) if b else [a]
    env.meter.make(len(a) + len(pieces) * 64)
    made = [pieces[0]]
    for turn, after in enumerate(pieces[1:]):
        given = apply(tree, env, new, [env.made_list([env.made(b)])], turn=turn)
        made += [text_in(tree, env, given, "what the lambda of replace gives"), after]
    return env.joined("", made)


@function(
    "replace_match",
    "text, pattern, new [, count]",
    "A text with each match of a pattern replaced. `new` may use `$1`, or be a lambda of the match and its groups.",
    'replace_match("a1b2", "[0-9]", "#")',
    3,
    4,
)
def replace_match(tree: CallTerm, env: Env, text: Node, pattern: Node, new: Node, count: Node | None = None) -> Node:
    whole = text_in(tree, env, text, "first argument of replace_match")
    sought = pattern_of(tree, env, pattern, "second argument of replace_match")
    most, done = _count(tree, env, count), 0
    written = "" if isinstance(new, LambdaValue) else text_in(tree, env, new, "third argument of replace_match")

    def replaced(match: Match) -> str:
        nonlocal done
        done += 1
        if 0 <= most < done:
            return match.whole()
        if isinstance(new, LambdaValue):
            given = apply(tree, env, new, [_groups(env, match)], turn=done)
            return text_in(tree, env, given, "what the lambda of replace_match gives")
        return expand(written, match, env.meter)

    return env.made(sought.replace(whole, replaced, env.meter))


def _groups(env: Env, match: Match) -> Node:
    found = [match.text[start:end] if start >= 0 else "" for start, end in match.spans]
    return env.made_list([env.made(group) for group in found])


@function(
    "match",
    "pattern, text [, count]",
    "A match and its groups as a list, empty if there is none; with a count, a list of such lists.",
    'match("v(.*)", "v12")',
    2,
    3,
)
def match(tree: CallTerm, env: Env, pattern: Node, text: Node, count: Node | None = None) -> Node:
    sought = pattern_of(tree, env, pattern, "first argument of match")
    if isinstance(text, Scalar) and text.value is None:
        return env.made(False)
    whole = piece(tree, env, text, "second argument of match must be a simple value")
    if count is None:
        found = sought.search(whole, 0, env.meter)
        return env.made_list([]) if found is None else _groups(env, found)
    every = isinstance(count, Scalar) and isinstance(count.value, bool)
    most = (-1 if count.value else 1) if every and isinstance(count, Scalar) else _count(tree, env, count)
    if not most:
        raise env.failure(WRONG_ARGUMENT, tree, issue="the count of match must not be 0")
    return env.made_list([_groups(env, found) for found in sought.find_all(whole, most, env.meter)])


# Paths and URLs


@function("basename", "path", "The last name of a path or URL.", 'basename("a/b.txt")', 1, 1)
def basename(tree: CallTerm, env: Env, value: Node) -> Node:
    path = _path_of(text_in(tree, env, value, "argument of basename"))
    return env.made(base(path) if path else "/")


@function("dirname", "path", "The folder of a path or URL.", 'dirname("a/b.txt")', 1, 1)
def dirname(tree: CallTerm, env: Env, value: Node) -> Node:
    path = _path_of(text_in(tree, env, value, "argument of dirname"))
    return env.made(directory(path) if path else "/")


def _path_of(text: str) -> str:
    """The path of a URL, or the text itself where it is none."""
    try:
        return url(text).path
    except BadUrl:
        return text


@function(
    "parseurl",
    "url",
    "The parts of a URL: scheme, host, port, path, query, fragment, values, userinfo.",
    'parseurl("https://example.org:81/a?b=1")',
    1,
    1,
)
def parseurl(tree: CallTerm, env: Env, value: Node) -> Node:
    whole = text_in(tree, env, value, "argument of parseurl")
    env.meter.make(len(whole) * 8)
    try:
        parts = url(whole)
    except BadUrl as problem:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"invalid URL: {problem}") from None
    made: dict[str, Node] = {
        "scheme": env.made(parts.scheme),
        "host": env.made(parts.hostname),
        "path": env.made(parts.path),
        "query": env.made(parts.query),
        "fragment": env.made(parts.fragment),
        "values": _values(env, parameters(parts.query)),
    }
    port = parts.port.lstrip("0") or parts.port[:1]
    if port and len(port) < 20 and int(port) < LARGEST:
        made["port"] = env.made(int(port))
    if parts.login:
        login = {"username": env.made(parts.login.name)}
        login |= {} if parts.login.password is None else {"password": env.made(parts.login.password)}
        made["userinfo"] = env.made_map(login)
    return env.made_map(made)


def _values(env: Env, found: dict[str, list[str]]) -> Node:
    return env.made_map({key: env.made_list([env.made(each) for each in values]) for key, values in found.items()})


# Codes


@function("base64", "text [, width]", "A text in base64; with a width, in lines.", 'base64("ab")', 1, 2)
def base64(tree: CallTerm, env: Env, value: Node, width: Node | None = None) -> Node:
    from base64 import b64encode

    plain = text_in(tree, env, value, "first argument of base64").encode()
    env.meter.make(len(plain) * 2)
    made = b64encode(plain).decode()
    size = 0 if width is None else _width_in(tree, env, width)
    if size > 0:
        made = "\n".join(made[start : start + size] for start in range(0, len(made), size))
    return env.made(made)


def _width_in(tree: CallTerm, env: Env, node: Node) -> int:
    """A number, also one that is written as text."""
    text = simple(node) or ""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdecimal() or len(digits) > 8:
        raise wrong(tree, env, "second argument of base64 must be an integer", node)
    return int(text)


@function("base64_decode", "text", "The text that base64 stands for.", 'base64_decode("YWI=")', 1, 1)
def base64_decode(tree: CallTerm, env: Env, value: Node) -> Node:
    from base64 import b64decode

    coded = text_in(tree, env, value, "argument of base64_decode")
    env.meter.make(len(coded))
    try:
        return env.made(b64decode("".join(coded.split()), validate=True).decode())
    except ValueError:
        raise env.failure(WRONG_ARGUMENT, tree, issue="base64_decode needs base64 of a text") from None


KINDS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
    "sha512/224": "sha512_224",
    "sha512/256": "sha512_256",
}
MD4_OF_NOTHING = "31d6cfe0d16ae931b73c59d7e0c089c0"


@function(
    "hash",
    "text [, kind]",
    "A checksum: sha256, or md5, sha1, sha224, sha384, sha512, sha512/224, sha512/256, md4.",
    'hash("a", "md5")',
    1,
    2,
)
def checksum(tree: CallTerm, env: Env, value: Node, kind: Node | None = None) -> Node:
    word = "sha256" if kind is None else text_in(tree, env, kind, "second argument of hash")
    plain = text_in(tree, env, value, "first argument of hash").encode()
    if word == "md4":  # spiff++ writes the text itself before the sum of nothing, and manifests depend on it
        return env.joined("", [plain.hex(), MD4_OF_NOTHING])
    if word not in KINDS:
        raise env.failure(
            WRONG_ARGUMENT, tree, issue=f"invalid hash type '{word}'", hint=f"one of {', '.join(KINDS)}, md4"
        )
    return env.made(_sum(env, KINDS[word], plain))


@function("md5", "text", "The MD5 sum of a text.", 'md5("a")', 1, 1)
def md5(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made(_sum(env, "md5", text_in(tree, env, value, "argument of md5").encode()))


def _sum(env: Env, kind: str, plain: bytes) -> str:
    import hashlib

    env.meter.make(len(plain))
    return hashlib.new(kind, plain, usedforsecurity=False).hexdigest()


@function("asjson", "value", "A value as JSON.", 'asjson({ "a" = 1 })', 1, 1)
def asjson(tree: CallTerm, env: Env, value: Node) -> Node:
    plain = rewrite(value.printed if isinstance(value, TemplateBody) else value, _number_as_go)
    made = env.scope.service("to_json")(plain)
    assert isinstance(made, Scalar)
    env.meter.make(len(made.text))
    return env.made("".join(AS_GO.get(letter, letter) for letter in made.text))


def _number_as_go(node: Node) -> Node:
    """A number with a fraction as Go's JSON writes it: 2 for 2.0, 1e-7 for 0.0000001."""
    if not isinstance(node, Scalar) or not isinstance(node.value, float):
        return node
    if node.value.is_integer() and abs(node.value) < 1e21:
        return node.but(value=int(node.value), text=f"{node.value:.0f}")
    return node.but(text=shortest(node.value, -6, 21).replace("e-0", "e-"))


AS_GO = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
"""Letters that Go's JSON writes as codes."""


@function("asyaml", "value", "A value as YAML.", 'asyaml({ "a" = 1 })', 1, 1)
def asyaml(tree: CallTerm, env: Env, value: Node) -> Node:
    return env.made(written(env, value.printed if isinstance(value, TemplateBody) else value))
