"""Read the words of a command line by the declaration of a command.

A parser of our own, because every command pays for it: the standard one takes longer to load and to build than a small
merge takes to run. All mistakes of a line are reported together.
"""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.namespace import Namespace, Placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_DIGITS = 18
LEAST = {"1": 1, "?": 0, "*": 0, "+": 1}
"""How many words an argument takes at least, by its count."""
SEVERAL = ("*", "+")
FILES = ("LAYER", "FILE", "TEMPLATE", "STUB", "A", "B", "BASE", "OURS", "THEIRS")
"""Arguments that are files, where `-` is standard input."""
TWICE = "`-` is standard input, which can be read only once"


class WrongUsage(Exception):
    """Words that do not fit a command: one line for each mistake."""


def parse(command: Command, words: list[str]) -> Namespace:
    """The values that the words give; WrongUsage lists what is wrong with them."""
    flags = {flag: option for option in command.options for flag in (*option.flags, option.old)}
    flags.pop("", None)
    mistakes: list[str] = []
    values: dict[str, Any] = {option.name: _default(option) for option in command.options}
    values["renamed"] = renamed(command, words)
    values["command_name"] = command.name
    placed = any(argument.count in SEVERAL for argument in command.arguments)
    others = _read_options(command.name, list(reversed(words)), flags, values, mistakes, placed)
    _share_out(command, others, values, mistakes)
    if mistakes:
        raise WrongUsage("\n".join(mistakes))
    return Namespace(values)


def renamed(command: Command, words: list[str]) -> list[str]:
    """A warning for each option that is called by its old name."""
    old = {option.old: option.flags[-1] for option in command.options if option.old}
    given = {word.partition("=")[0] for word in words} if old else ()
    return [f"warning: `{name}` is called `{new}` now" for name, new in old.items() if name in given]


def _default(option: Option) -> object:
    if option.many:
        return []
    return option.default if option.takes_value else False


def _read_options(
    command: str,
    left: list[str],
    flags: dict[str, Option],
    values: dict[str, Any],
    mistakes: list[str],
    placed: bool,
) -> list[str]:
    """Take the options, with their values, from words in reverse order; return the other words, and at their places the
    values of options that are `placed`."""
    others: list[str] = []
    while left:
        word = left.pop()
        if word == "--":
            return others + left[::-1]
        if not is_option(word):
            others.append(word)
            continue
        flag, equals, text = _split(word, flags)
        option = flags.get(flag)
        if option is None:
            mistakes.append(_unknown(command, flag, text, left, flags))
        elif option.switch and not equals:
            values[option.name] = "true"
        elif option.words > 1:
            _take_words(option, flag, [text] if equals else [], left, values, mistakes)
        elif option.takes_value:
            given = text if equals else _next_value(left)
            if option.metavar.startswith("PATH=") and given and "=" not in given and (more := _next_value(left)):
                mistakes.append(f"`{flag} {given}` has no value: write {flag} {given}={more}")
                continue
            _take_value(option, flag, given, values, mistakes)
            if option.placed and placed:
                others += map(Placed, values[option.name])
                values[option.name] = []
        elif equals:
            mistakes.append(f"`{flag}` takes no value")
        else:
            values[option.name] = True
    return others


def is_option(word: str) -> bool:
    """Whether a word is a flag: `-` is standard input, `-5` a number, and `- a: 1` YAML."""
    return word.startswith("-") and word != "-" and " " not in word.partition("=")[0] and not word[1:2].isdigit()


def _split(word: str, flags: dict[str, Option]) -> tuple[str, str, str]:
    """The flag of a word, and its value: `--path=a`, `-o=a` or `-oa`."""
    if word in flags or word.startswith("--") or word[:2] not in flags:
        return word.partition("=")
    return word[:2], "=", word[2:].removeprefix("=")


def _next_value(left: list[str]) -> str | None:
    return left.pop() if left and not is_option(left[-1]) else None


def _take_value(option: Option, flag: str, text: str | None, values: dict[str, Any], mistakes: list[str]) -> None:
    if text is None:
        wanted = option.metavar or "|".join(option.choices)
        mistakes.append(f"`{flag}` needs a value: {flag} {wanted}")
    elif option.choices and text not in option.choices:
        mistakes.append(f"`{flag}` is one of {', '.join(option.choices)}, not `{text[:40]}`")
    elif option.number and not is_count(text):
        mistakes.append(f"`{flag}`: `{text[:40]}` is not a whole number above 0")
    elif option.many:
        values[option.name].append(text)
    else:
        values[option.name] = int(text) if option.number else text


def _take_words(
    option: Option, flag: str, words: list[str], left: list[str], values: dict[str, Any], mistakes: list[str]
) -> None:
    while len(words) < option.words and (word := _next_value(left)) is not None:
        words.append(word)
    if len(words) < option.words:
        mistakes.append(f"`{flag}` needs {option.words} words: {flag} {option.metavar}")
    values[option.name] = words


def is_count(text: str) -> bool:
    """Whether a text is a number that an option takes: nothing here counts from 0 or below."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0


def _unknown(command: str, flag: str, text: str, left: list[str], flags: dict[str, Option]) -> str:
    from plait.apps.cli.mistaken import option_hint

    hint = option_hint(command, flag, text or (left[-1] if left else ""), flags)
    return f"unknown option `{flag}`" + (f"\n{hint}" if hint else "")


def _share_out(command: Command, words: list[str], values: dict[str, Any], mistakes: list[str]) -> None:
    """Give each argument its words, from left to right; one of several words leaves enough for those after it."""
    arguments = command.arguments
    needed = sum(LEAST[argument.count] for argument in arguments)
    for argument in arguments:
        needed -= LEAST[argument.count]
        spare = max(len(words) - needed, LEAST[argument.count])
        taken, words = _taken(words, spare, argument.count in SEVERAL)
        if len(taken) < LEAST[argument.count]:
            mistakes.append(f"{argument.name} is missing: {argument.help}{_joined(argument, values)}")
        name = argument.name.lower().replace("-", "_")
        values[name] = taken if argument.count in SEVERAL else (taken[0] if taken else None)
    if _streams(arguments, values) > 1:
        mistakes.append(TWICE)
    if not mistakes:  # after an unknown option, it may be the option's value
        mistakes.extend(_unexpected(command.name, word) for word in words[:1])


def _unexpected(command: str, word: str) -> str:
    from plait.apps.cli.mistaken import extra_hint

    hint = extra_hint(command, word)
    return f"unexpected argument `{word}`" + (f"\n{hint}" if hint else "")


def _streams(arguments: tuple[Argument, ...], values: dict[str, Any]) -> int:
    """How many files are to be read from standard input."""
    given = [values[argument.name.lower()] for argument in arguments if argument.name in FILES]
    return sum(one.count("-") if isinstance(one, list) else one == "-" for one in given)


def _joined(argument: Argument, values: dict[str, Any]) -> str:
    """A hint where a path was written together with its value."""
    path, equals, value = str(values.get("path") or "").partition("=") if argument.name == "VALUE" else ("", "", "")
    return f"\nwrite a space instead of `=`: {path} {value}" if equals else ""


def _taken(words: list[str], most: int, several: bool) -> tuple[list[str], list[str]]:
    """The words that an argument takes, and those that are left. What an option gave is only for one of several."""
    if several:
        return words[:most], words[most:]
    at = next((at for at, word in enumerate(words) if most and not isinstance(word, Placed)), None)
    return ([], words) if at is None else ([words[at]], words[:at] + words[at + 1 :])
