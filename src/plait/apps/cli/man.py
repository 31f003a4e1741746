"""Manual pages, made from the declarations of the commands."""

from __future__ import annotations

from plait.apps.cli.command import Command, described, spelled, usage
from plait.apps.cli.commands import EXIT_STATUSES, GROUPS, load
from plait.version import __version__

ENVIRONMENT = {
    "PLAIT_MAX_SECONDS": "how long a command may compute",
    "PAGER": "the program that shows output longer than the terminal; `cat` for none",
    "NO_COLOR": "no colours",
    "CLICOLOR_FORCE": "colours even where the output is not a terminal",
}
"""The variables that every command reads."""


def man_page(name: str) -> str:
    """The manual page of a command, or of the program where no command is named."""
    return _of_command(load(name)) if name else _of_program()


def page_name(name: str) -> str:
    """The file of a page: `plait-spiff-merge.1`."""
    return "-".join(["plait", *name.split()]) + ".1"


def _of_command(command: Command) -> str:
    words = " ".join(usage(argument) for argument in command.arguments)
    title = page_name(command.name).removesuffix(".1")
    lines = [*_head(title), f"{_text(title)} \\- {_text(command.summary)}", ".SH SYNOPSIS"]
    lines += [f".B plait {_text(command.name)}", _text(f"{words} [OPTIONS]".lstrip())]
    lines += _entries("ARGUMENTS", [(argument.name, argument.help) for argument in command.arguments])
    groups: dict[str, list[tuple[str, str]]] = {}
    for option in command.options:
        groups.setdefault(option.group, []).append((spelled(option), described(option)))
    for heading, entries in groups.items():
        lines += _entries(heading.upper(), entries)
    lines += [".SH EXAMPLES", ".nf", *map(_text, command.examples), ".fi"]
    return "\n".join([*lines, *_tail(command.more)]) + "\n"


def _of_program() -> str:
    lines = [*_head("plait"), r"plait \- merge layered YAML into one configuration and explain every value"]
    lines += [".SH SYNOPSIS", ".B plait", "COMMAND [OPTIONS]"]
    for heading, commands in GROUPS.items():
        lines += _entries(heading.upper(), [(f"plait {name}", about) for name, about in commands.items()])
    lines += _entries("ENVIRONMENT", list(ENVIRONMENT.items()))
    return "\n".join([*lines, *_tail("plait help topics")]) + "\n"


def _head(title: str) -> list[str]:
    return [f'.TH "{title.upper()}" "1" "" "plait {__version__}" "plait"', ".nh", ".ad l", ".SH NAME"]


def _tail(more: str) -> list[str]:
    return [".SH EXIT STATUS", _text(EXIT_STATUSES.removeprefix("Exit status: "))] + (
        [".SH SEE ALSO", _text(more)] if more else []
    )


def _entries(heading: str, entries: list[tuple[str, str]]) -> list[str]:
    if not entries:
        return []
    lines = [f'.SH "{_text(heading)}"']
    for left, right in entries:
        lines += [".TP", f".B {_text(left)}", _text(right)]
    return lines


def _text(text: str) -> str:
    """A text that roff prints as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
