"""Functions that reach outside: files, commands, the environment, chance. Each asks for what it needs."""

from __future__ import annotations

import re

from plait.core.diagnostic import Fault
from plait.core.node import Bound, ListNode, MapNode, Node, Scalar
from plait.core.scope import CommandFailed
from plait.core.source import DATA_ENDINGS
from plait.notations.dynaml.declared import FunctionTable, integer_in, text_in, wrong
from plait.notations.dynaml.operators import LARGEST, simple
from plait.notations.dynaml.values import TemplateBody
from plait.regexp import BadPattern, Regexp
from plait.report.catalog import EXECUTION, WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Permit
    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

NAMED_CLASS = re.compile(r"\[:\^?[a-z]+:\]")
"""A class that has a name of its own, such as `[:alnum:]`."""
ASCII_LETTERS = "".join(map(chr, range(32, 127)))
OTHER_LETTERS = "".join(map(chr, range(0xA1, 0x530)))

TABLE = FunctionTable("Files, commands, environment")
function = TABLE.function


# Commands


@function(
    "exec", "command, arguments...", "What a command prints. Requires `--allow exec`.", 'exec("echo", "hello")', 0
)
def execute(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    """A command is run once, however many expressions ask for it."""
    command = _command(tree, env, arguments)
    return env.scope.call("exec", ("exec", *command), lambda permit: _output(tree, env, command, permit))


@function("exec_uncached", "command, arguments...", "The same, run each time.", 'exec_uncached("echo", "hello")', 0)
def execute_again(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    command = _command(tree, env, arguments)
    return env.scope.call("exec", ("exec", object(), *command), lambda permit: _output(tree, env, command, permit))


@function(
    "pipe",
    "data, command, arguments...",
    "What a command prints that gets data as its input. Requires `--allow exec`.",
    'pipe("hello", "cat")',
    2,
)
def pipe(tree: CallTerm, env: Env, data: Node, *arguments: Node) -> Node:
    command, given = _command(tree, env, arguments), _argument(tree, env, data)
    key = ("pipe", given, *command)
    return env.scope.call("exec", key, lambda permit: _output(tree, env, command, permit, given))


@function(
    "pipe_uncached", "data, command, arguments...", "The same, run each time.", 'pipe_uncached("hello", "cat")', 2
)
def pipe_again(tree: CallTerm, env: Env, data: Node, *arguments: Node) -> Node:
    command, given = _command(tree, env, arguments), _argument(tree, env, data)
    key = ("pipe", object(), given, *command)
    return env.scope.call("exec", key, lambda permit: _output(tree, env, command, permit, given))


def _command(tree: CallTerm, env: Env, arguments: tuple[Node, ...]) -> list[str]:
    if len(arguments) == 1 and isinstance(arguments[0], ListNode):
        arguments = tuple(arguments[0].items)
    if not arguments:
        raise env.failure(WRONG_ARGUMENT, tree, issue="command argument must be string")
    first = arguments[0]
    if isinstance(first, ListNode):
        raise env.failure(WRONG_ARGUMENT, tree, issue="list not allowed for command argument")
    if not isinstance(first, Scalar) or (not isinstance(first.value, str) and first.value.__class__ is not int):
        raise wrong(tree, env, "command argument must be string", first)
    return [_argument(tree, env, argument) for argument in arguments]


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


def _output(tree: CallTerm, env: Env, command: list[str], permit: Permit, given: str | None = None) -> Node:
    """What a command prints: YAML after `---`, an integer, or text without its last line end."""
    text = _run(tree, env, command, permit, given)
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


def _run(tree: CallTerm, env: Env, command: list[str], permit: Permit, given: str | None) -> str:
    try:
        return permit.run(command, env.scope.seconds_left(), given=given)
    except CommandFailed as failed:
        raise env.failure(
            EXECUTION, tree, command=command[0], hint=f"{failed.why}; `|| value` gives a default"
        ) from None


# Files


@function(
    "read",
    "file [, mode]",
    "What is in a file: YAML for .yml, .yaml and .json, else text. Modes: yaml, multiyaml, template, templates, "
    "import, importmulti, text, binary.",
    'read("some.txt")',
    1,
    2,
)
def read(tree: CallTerm, env: Env, file: Node, mode: Node | None = None) -> Node:
    name = text_in(tree, env, file, "first argument of read")
    default = "yaml" if name.endswith(DATA_ENDINGS) else "text"
    word = default if mode is None else text_in(tree, env, mode, "second argument of read")
    if word == "binary":
        return env.scope.service("file_in_base64")(env.scope, name)
    found = env.scope.service("file_text")(env.scope, name)
    assert isinstance(found, Scalar)
    return document(tree, env, found.text, name, word)


@function(
    "read_uncached",
    "file [, mode]",
    "The same: a file does not change during a run.",
    'read_uncached("some.txt")',
    1,
    2,
)
def read_again(tree: CallTerm, env: Env, file: Node, mode: Node | None = None) -> Node:
    return read(tree, env, file, mode)


@function(
    "parse",
    "text [, mode]",
    "The value that a text of YAML or JSON holds. Modes: those of read; `import` by default.",
    'parse("[1, 2]")',
    1,
    2,
)
def parse_text(tree: CallTerm, env: Env, value: Node, mode: Node | None = None) -> Node:
    text = text_in(tree, env, value, "first argument of parse")
    word = "import" if mode is None else text_in(tree, env, mode, "second argument of parse")
    return document(tree, env, text, "parse", word)


ONE, MANY, TEMPLATES = (
    ("yaml", "import", "template"),
    ("multiyaml", "importmulti", "templates"),
    ("template", "templates"),
)


def document(tree: CallTerm, env: Env, text: str, name: str, mode: str) -> Node:
    """A text as a value. Expressions in it are evaluated where the function is called."""
    if mode == "text":
        return env.made(text)
    if mode == "binary":
        from base64 import b64encode

        return env.joined("", [b64encode(text.encode()).decode()])
    if mode not in (*ONE, *MANY):
        known = ", ".join((*ONE, *MANY, "text", "binary"))
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"invalid mode '{mode}'", hint=f"one of {known}")
    found = env.scope.service("read_documents")(text, name)
    assert isinstance(found, ListNode)
    nodes = [_as_part(tree, env, node, mode, index) for index, node in enumerate(found.items)]
    if mode in MANY:
        return env.made_list([env.whole(node) for node in nodes])
    return nodes[0] if nodes else env.made(None)


def _as_part(tree: CallTerm, env: Env, node: Node, mode: str, index: int) -> Node:
    if not node.live and mode not in TEMPLATES:
        return node
    host, staged = env.host(tree)
    if mode in TEMPLATES:
        return TemplateBody(node, None, env.scope.service("as_template")(node), "template", env.place, staged)
    made, place = host.instance((*env.key(tree), index), node, env.place, staged, env.visible())
    return Bound(made, place) if made.live else made


@function(
    "lookup_file", "name, folders...", "The files of that name in some folders.", 'lookup_file("some.txt", ".")', 1
)
def lookup_file(tree: CallTerm, env: Env, name: Node, *folders: Node) -> Node:
    return _lookup(tree, env, "find_files", name, folders)


@function("lookup_dir", "name, folders...", "The folders of that name in some folders.", 'lookup_dir("sub", ".")', 1)
def lookup_dir(tree: CallTerm, env: Env, name: Node, *folders: Node) -> Node:
    return _lookup(tree, env, "find_folders", name, folders)


def _lookup(tree: CallTerm, env: Env, service: str, name: Node, folders: tuple[Node, ...]) -> Node:
    sought = text_in(tree, env, name, f"first argument of {tree.name}")
    listed = [item for each in folders for item in (each.items if isinstance(each, ListNode) else [each])]
    paths = [text_in(tree, env, each, f"a folder of {tree.name}") for each in listed]
    env.meter.step(24 * len(paths))
    return env.scope.service(service)(env.scope, sought, paths)


@function("list_files", "folder", "The names of the files in a folder.", 'list_files("sub")', 1, 1)
def list_files(tree: CallTerm, env: Env, folder: Node) -> Node:
    return env.scope.service("list_files")(env.scope, text_in(tree, env, folder, "argument of list_files"))


@function("list_dirs", "folder", "The names of the folders in a folder.", 'list_dirs(".")', 1, 1)
def list_dirs(tree: CallTerm, env: Env, folder: Node) -> Node:
    return env.scope.service("list_folders")(env.scope, text_in(tree, env, folder, "argument of list_dirs"))


# Environment and chance


@function(
    "env", "names...", "A variable of the environment; of several, a map of those that are set.", 'env("HOME")', 1
)
def environment(tree: CallTerm, env: Env, *arguments: Node) -> Node:
    listed = [item for each in arguments for item in (each.items if isinstance(each, ListNode) else [each])]
    names = [text_in(tree, env, each, "a name of env") for each in listed]
    single = len(listed) == 1

    def ask(permit: Permit) -> Node:
        found = permit.variables()
        return env.made_map({name: env.made(found[name]) for name in names if name in found})

    known = env.scope.call("env", ("dynaml env", *names), ask)
    if not single:
        return known
    assert isinstance(known, MapNode)
    if names[0] not in known.entries:
        raise env.failure(WRONG_ARGUMENT, tree, issue=f"environment variable '{names[0]}' is not set")
    return known.entries[names[0]]


@function(
    "rand",
    "[limit or class [, length]]",
    "A random number, one below a limit, a boolean, or letters of a class, `[:alnum:]`. Another one in each run.",
    "rand(1)",
    0,
    2,
)
def rand(tree: CallTerm, env: Env, what: Node | None = None, size: Node | None = None) -> Node:
    key = ("dynaml rand", env.key(tree))
    return env.scope.call("random", key, lambda permit: _random(tree, env, what, size))


def _random(tree: CallTerm, env: Env, what: Node | None, size: Node | None) -> Node:
    import secrets

    value = what.value if isinstance(what, Scalar) else None
    if isinstance(value, bool):
        return env.made(bool(secrets.randbelow(2)))
    if isinstance(value, str):
        count = 1 if size is None else integer_in(tree, env, size, "second argument of rand")
        if count <= 0:
            raise env.failure(WRONG_ARGUMENT, tree, issue="the length of rand must be positive")
        env.meter.make(count)
        letters = _letters(tree, env, value)
        return env.made("".join(secrets.choice(letters) for _ in range(count)))
    if value is None:
        return env.made(secrets.randbelow(LARGEST))
    if not isinstance(value, int) or not value or not -LARGEST < value < LARGEST:
        raise env.failure(WRONG_ARGUMENT, tree, issue="the limit of rand must be an integer other than 0")
    return env.made(secrets.randbelow(value) if value > 0 else -secrets.randbelow(-value))


def _letters(tree: CallTerm, env: Env, pattern: str) -> str:
    """The letters of a character class: what stands in the brackets of a regular expression, with or without them."""
    bracketed = pattern.startswith("[") and pattern.endswith("]") and not NAMED_CLASS.fullmatch(pattern)
    env.meter.make(len(pattern) * 64)
    try:
        allowed = Regexp(f"[{pattern[1:-1] if bracketed else pattern}]")
    except BadPattern as trouble:
        raise env.failure(WRONG_ARGUMENT, tree, issue=str(trouble)) from None
    for letters in (ASCII_LETTERS, OTHER_LETTERS):
        if found := "".join(match.whole() for match in allowed.matches(letters, env.meter)):
            return found
    raise env.failure(WRONG_ARGUMENT, tree, issue="rand needs a class of characters, as [a-z0-9]")
