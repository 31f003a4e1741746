"""What can follow on a command line: the words that a shell offers, from the declarations and from the project."""

from __future__ import annotations

import io
import json
import sys

from plait.access.working import working_in
from plait.apps.cli.arguments import is_option
from plait.apps.cli.command import HELP_FLAGS, Argument, Command, Option
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.folder import FLAGS, split_folders
from plait.core.source import DATA_ENDINGS, YAML_ENDINGS
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FILES = ":files"
"""Says that the shell completes the name of a file itself."""
MOST = 500
FEW_FILES = 20


class Line:
    """A command line up to the cursor: what is typed, and what the word at the cursor begins with."""

    def __init__(self, words: list[str]) -> None:
        self.typed, self.current = words[1:-1], words[-1] if len(words) > 1 else ""
        count = next((n for n in (2, 1) if " ".join(self.typed[:n]) in COMMANDS and len(self.typed) >= n), 0)
        self.name = " ".join(self.typed[:count])
        self.command: Command | None = load(self.name) if count else None
        self.options: dict[str, Option] = {}
        if self.command is not None:
            self.options = {flag: option for option in self.command.options for flag in option.flags}
        self.values: dict[str, list[str]] = {}
        self.arguments: list[str] = []
        self.waiting: Option | None = None
        self._read(self.typed[count:])

    def _read(self, words: list[str]) -> None:
        """Sort the words into options with their values, and arguments; an option may wait for its value."""
        for word in words:
            if self.waiting is not None:
                self.values.setdefault(self.waiting.name, []).append(word)
                self.waiting = None
            elif is_option(word):
                flag, equals, value = word.partition("=")
                option = self.options.get(flag)
                if option is not None and equals:
                    self.values.setdefault(option.name, []).append(value)
                elif option is not None and option.takes_value and not option.switch:
                    self.waiting = option
            else:
                self.arguments.append(word)

    def argument(self) -> Argument | None:
        """The argument that the word at the cursor belongs to."""
        declared = self.command.arguments if self.command is not None else ()
        at = len(self.arguments)
        if at < len(declared):
            return declared[at]
        return declared[-1] if declared and declared[-1].count in ("*", "+") else None

    def one(self, name: str) -> str:
        return next(iter(self.values.get(name, [])), "")


def candidates(words: list[str]) -> list[str]:
    """The words that can be at the end of a line, each with its meaning after a tab."""
    if words[-2:-1] and words[-2] in FLAGS:
        return [FILES]
    folders, typed = split_folders(words[:-1])
    try:
        with working_in(folders):
            return _candidates(Line([*typed, *words[-1:]]))
    except NotADirectoryError:
        return []


def _candidates(line: Line) -> list[str]:
    if line.waiting is not None:
        return _begun(_offered(_values(line, line.waiting)), line.current)
    if line.command is None:
        return _begun(_commands(line), line.current)
    if line.current.startswith("--") and "=" in line.current:
        flag, _, line.current = line.current.partition("=")
        option = line.options.get(flag)
        begun = _begun(_offered(_values(line, option)), line.current) if option is not None else []
        return [f"{flag}={one}" for one in begun if one != FILES]
    if line.current.startswith("-"):
        flags = {flag: option.help for flag, option in line.options.items()} | dict.fromkeys(HELP_FLAGS, "this help")
        return _begun(flags, line.current)
    argument = line.argument()
    below = _commands(line) if not line.arguments else {}
    found = _arguments(line, argument) if argument is not None else {}
    return _begun({**below, **_offered(found)}, line.current)


def _begun(candidates: dict[str, str], current: str) -> list[str]:
    chosen = [name for name in candidates if name == FILES or name.startswith(current)][:MOST]
    return [f"{name}\t{one_line(candidates[name])}" if candidates[name] else name for name in chosen]


def _offered(candidates: dict[str, str]) -> dict[str, str]:
    """Without the names, which a repository chooses, that a terminal could obey or plait would read as an option. The
    scripts quote all others for their shells."""
    return {name: what for name, what in candidates.items() if one_line(name) == name and not name.startswith("-")}


def _commands(line: Line) -> dict[str, str]:
    """The next words of commands that begin as the line does."""
    typed = [word for word in line.typed if not is_option(word)]
    commands: dict[str, str] = {}
    for name, about in COMMANDS.items():
        words = name.split()
        if words[: len(typed)] == typed and len(words) > len(typed):
            rest = words[len(typed)]
            commands.setdefault(rest, about if len(words) == len(typed) + 1 else "")
    return commands


# Values of options, by the name of the option or of its value


def _values(line: Line, option: Option) -> dict[str, str]:
    if option.choices:
        return dict.fromkeys(option.choices, "")
    by_name = OPTIONS.get(option.name)
    if by_name is not None:
        return by_name(line)
    return {FILES: ""} if option.metavar in ("FILE", "DIR", "FOLDER") else {}


def _arguments(line: Line, argument: Argument) -> dict[str, str]:
    source = ARGUMENTS.get(argument.name)
    return source(line) if source is not None else {FILES: ""}


def _fixed(*names: str) -> Callable[[Line], dict[str, str]]:
    return lambda line: dict.fromkeys(names, "")


def _stacks(line: Line) -> dict[str, str]:
    return {row["stack"]: "" for row in _asked(["list", "stacks", *_places(line)])}


def _components(line: Line) -> dict[str, str]:
    stack = ["-s", line.one("stack")] if line.one("stack") else []
    rows = _asked(["list", "instances", *stack, *_places(line)])
    return {row["component"]: "" for row in rows if not row.get("abstract")}


def _targets(line: Line) -> dict[str, str]:
    return {row["name"]: row["kind"] for row in _asked(["targets"])}


def _patterns(line: Line) -> dict[str, str]:
    return {row["name"]: row["description"].partition(".")[0] for row in _asked(["patterns", "list"])}


def _capabilities(line: Line) -> dict[str, str]:
    from plait.access.guard import CAPABILITIES

    return dict(CAPABILITIES)


def _topics(line: Line) -> dict[str, str]:
    from plait.access.pages import page_names
    from plait.report.catalog import CATALOG

    codes = {code: entry.about for code, entry in CATALOG.items()} if line.current.upper().startswith("PL") else {}
    return {**{name.partition(" ")[0]: "" for name in COMMANDS}, **dict.fromkeys(page_names(), "a page"), **codes}


def _schemas(line: Line) -> dict[str, str]:
    from plait.apps.cli.schema import table

    return {name: what for name, (what, _, _) in table().items()}


def _notations(line: Line) -> dict[str, str]:
    from plait.fronts.notations import function_listings as function_table

    return dict.fromkeys(function_table(), "")


def _places(line: Line) -> list[str]:
    """The options that say where a repository of stacks is."""
    names = ("base_path", "config_path")
    return [f"--{name.replace('_', '-')}={line.one(name)}" for name in names if line.one(name)]


# Paths


def _paths(line: Line) -> dict[str, str]:
    """The paths one level below what is typed, in what the line names: a component, a target, files."""
    depth = _depth(line.current)
    paths: dict[str, str] = {}
    for root in _documents(line):
        stack: list[tuple[str, object, int]] = [("", root, 0)]
        while stack and len(paths) < MOST:
            path, value, level = stack.pop()
            if path and level >= depth:
                paths[path] = "" if isinstance(value, dict | list) else str(value)[:40]
            if level <= depth and (not path or line.current.startswith(path) or path.startswith(line.current)):
                stack += [(inner, child, level + 1) for inner, child in reversed(_children(path, value))]
    return paths


def _depth(text: str) -> int:
    return 1 + text.count(".") + text.count("[")


def _children(path: str, value: object) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        plain = [(key, child) for key, child in value.items() if not set(".[]\"' ") & set(key)]
        return [(f"{path}.{key}" if path else key, child) for key, child in plain]
    if isinstance(value, list):
        return [(f"{path}[{at}]", child) for at, child in enumerate(value)]
    return []


def _documents(line: Line) -> list[object]:
    if line.name.endswith(" component") or line.name.startswith("stack "):
        component = next(iter(line.arguments), "")
        stack = line.one("stack")
        return _all(["describe", "component", component, "-s", stack, *_places(line)]) if component and stack else []
    if line.one("target"):
        return _all(["merge", "--target", line.one("target")])
    typed = [word for word in line.arguments if word.endswith(DATA_ENDINGS)]
    return [document for name in typed or _files_here() for document in _all(["merge", name])]


def _files_here() -> list[str]:
    """The YAML files of this folder: `plait explain PATH` is completed before its files are typed."""
    from plait.access.pages import names_in

    return [name for name in names_in(".") if name.endswith(YAML_ENDINGS)][:FEW_FILES]


def _assignments(line: Line) -> dict[str, str]:
    return {f"{path}=": value for path, value in _paths(line).items()}


def _path_of_pair(line: Line) -> dict[str, str]:
    """A path, where the pairs before it are whole; a value is the user's."""
    return _paths(line) if len(line.arguments) % 2 else {}


# Asking


def _asked(words: list[str]) -> list[dict[str, str]]:
    """The rows that a command prints; none where it fails."""
    found = next(iter(_all(words)), [])
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _all(words: list[str]) -> list[object]:
    from plait.apps.cli.run import run

    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        status = run([*words, "--format", "json"])
        text = sys.stdout.getvalue()
    finally:
        sys.stdout, sys.stderr = out, err
    try:
        return [json.loads(text)] if not status else []
    except ValueError:
        return []


OPTIONS: dict[str, Callable[[Line], dict[str, str]]] = {
    "stack": _stacks,
    "target": _targets,
    "allow": _capabilities,
    "deny": _capabilities,
    "path": _paths,
    "set": _assignments,
    "list": _assignments,
    "notation": _fixed("dynaml", "gotemplate"),
    "profile": _fixed("helm", "kubernetes", "compose", "ansible", "ansible-merge", "hydra", "none"),
    "nulls": _fixed("keep", "delete", "error", "defaults", "ignore"),
    "yaml": _fixed("1.2", "1.1", "go-yaml-2", "go-yaml-3", "compose-go", "pyyaml", "omegaconf", "ruamel"),
    "documents": _fixed("layers", "pair"),
    "jobs": _fixed("auto"),
}
"""Where the values of an option come from, by its name."""
ARGUMENTS: dict[str, Callable[[Line], dict[str, str]]] = {
    "PATH": _paths,
    "PATH-AND-VALUE": _path_of_pair,
    "EXPR": _fixed(),
    "COMPONENT": _components,
    "PATTERN": _patterns,
    "NOTATION": _notations,
    "SHELL": _fixed("bash", "zsh", "fish", "powershell"),
    "WORD": _topics,
    "NAME": _schemas,
    "VALUE": _fixed(),
    "STACK": _stacks,
}
"""Where an argument comes from, by its name; all others are files."""
