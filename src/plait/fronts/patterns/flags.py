"""The flags of `create` and `regenerate`, and what they instruct a run to do."""

from __future__ import annotations

import re

from plait.core.diagnostic import Label
from plait.core.node import Node, text
from plait.core.path import Path, PathError, parse_path
from plait.core.source import Source
from plait.fronts.patterns.instructions import FieldFlag, Instructions, VerdictFlag
from plait.fronts.patterns.kinds import FLAG, PATTERN
from plait.fronts.settings import list_pattern
from plait.report.catalog import BAD_OPTION, BAD_PATH, BAD_RULE, NOT_PINNED
from plait.report.near import did_you_mean
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.policy import PlaceRule

MEANINGLESS = ("append", "prepend")
"""List rules that say how lists are joined, and nothing about which item is which."""


DECISIONS = {"take": "take", "keep": "keep", "accept": "keep"}
"""The options that decide a line of the report, and what they decide."""


class CreateFlags:
    """The flags that `create` and `regenerate` share, as they were given."""

    __slots__ = (
        "absent",
        "accept",
        "check",
        "downgrade",
        "dry_run",
        "forget",
        "full",
        "keep",
        "list",
        "overwrite",
        "pin",
        "preserve",
        "prune",
        "record",
        "set",
        "strict",
        "take",
        "tracker",
        "unpin",
        "without_record",
        "yes",
    )

    def __init__(self) -> None:
        self.set: list[str] = []
        self.preserve: list[str] = []
        self.accept: list[str] = []
        self.take: list[str] = []
        self.keep: list[str] = []
        self.list: list[str] = []
        self.forget: list[str] = []
        self.pin: list[str] = []
        self.unpin: list[str] = []
        self.record = ""
        self.absent = "add"
        self.tracker = ""
        self.overwrite = self.prune = self.strict = self.dry_run = self.check = self.yes = False
        self.full = self.downgrade = self.without_record = False

    @classmethod
    def taken_from(cls, options: object) -> CreateFlags:
        """The flags of parsed options; what they leave out is as it is by default."""
        flags = cls()
        for name in cls.__slots__:
            value = getattr(options, name, None)
            if value is not None:
                setattr(flags, name, value)
        return flags


def instructions_of(
    flags: CreateFlags,
    *,
    sets: Iterable[str] | None = None,
    owned: Iterable[str] = (),
    lists: dict[str, str] | None = None,
    renamed: dict[str, str] | None = None,
    inputs: Iterable[str] = (),
    pins: Iterable[str] = (),
) -> Instructions:
    """What flags and a pattern ask for."""
    return Instructions(
        sets=[read_set(flag) for flag in (flags.set if sets is None else sets)],
        preserve=[_field("--preserve", flag) for flag in flags.preserve],
        pins=[_field("--pin", flag) for flag in pins],
        verdicts=[_verdict(action, flag) for action in DECISIONS for flag in getattr(flags, action)],
        owned=[_path(path, Label(text(path).origin)) for path in owned],
        lists=[*_declared(lists or {}), *_list_flags(flags.list)],
        list_paths=[_field("--list", split_setting(flag)[0], f"--list {flag}") for flag in flags.list],
        overwrite=flags.overwrite,
        keep_absent=flags.absent == "keep",
        prune=flags.prune,
        prune_edited=flags.prune and flags.yes,
        tracker=flags.tracker,
        renamed=renamed,
        inputs=inputs,
    )


def pinned(flags: CreateFlags, before: Iterable[str]) -> list[str]:
    """The paths that are left to others for good: those of earlier runs, and what this run adds and ends."""
    known = [*before]
    for path in flags.unpin:
        if path not in known and path not in flags.pin:
            label = Label.at(Source(f"--unpin {path}", path, given=True), 0)
            hint = did_you_mean(path, known) or f"pinned: {', '.join(known) or 'nothing'}"
            raise NOT_PINNED.error(label, path=path, hint=hint)
    return [path for path in dict.fromkeys([*known, *flags.pin]) if path not in flags.unpin]


def split_setting(flag: str) -> tuple[str, str, str]:
    """`path`, `=`, `value`, at the first `=` outside brackets and quotes."""
    depth, quote = 0, ""
    for at, letter in enumerate(flag):
        if quote or letter in "\"'":
            quote = ("" if letter == quote else quote) if quote else letter
        else:
            depth += {"[": 1, "]": -1}.get(letter, 0)
            if letter == "=" and not depth:
                return flag[:at], "=", flag[at + 1 :]
    return flag, "", ""


def read_set(flag: str) -> FieldFlag:
    """`PATH=VALUE` or `Kind/name:PATH=VALUE`; the value is YAML."""
    name, equals, value = split_setting(flag)
    if not equals:
        label = Label.at(Source(f"--set {flag}", flag, given=True), 0)
        raise BAD_OPTION.error(label, why=f"`--set {flag}` has no `=`", hint="write --set PATH=VALUE")
    field = _field("--set", name, f"--set {flag}")
    field.value = option_value(value, f"--set {flag}")
    return field


def option_value(value: str, option: str, forget: str = "") -> Node:
    """The value of `--set`, which must not be empty: nothing is not a value."""
    if not value:
        label = Label.at(Source(option, option, given=True), 0)
        hint = f'write "" for an empty text or null; --forget {forget} goes back to the default' if forget else ""
        raise BAD_OPTION.error(
            label, why=f"`{option}` has no value", hint=hint or 'write "" for an empty text, or null'
        )
    return yaml_value(value, option)


def yaml_value(value: str, name: str) -> Node:
    """A value that was given on the command line."""
    source = Source(name, value, given=True)
    programs = scan(source)
    return build(programs[0], source, Reading()) if programs else text("", source)


_LINES = re.compile(r"(.*):(\d+)(?:-(\d+))?", re.DOTALL)


def _verdict(action: str, flag: str) -> VerdictFlag:
    """`PATH`, `Kind/name:PATH`, `FILE`; with lines of a text, as in `PATH:3-5`."""
    lines = _LINES.fullmatch(flag)
    name = lines[1] if lines is not None else flag
    first = int(lines[2]) if lines is not None else 0
    last = int(lines[3] or first) if lines is not None else 0
    field = _field(f"--{action}", name, f"--{action} {flag}")
    return VerdictFlag(DECISIONS[action], name, field, (first, last))


def _field(option: str, flag: str, name: str = "") -> FieldFlag:
    label = Label.at(Source(name or f"{option} {flag}", flag, given=True), 0)
    scope, path = split_scope(flag)
    return FieldFlag(scope, _path(path, label), label)


def split_scope(flag: str) -> tuple[str, str]:
    """`Kind/name` and the path, where there is a colon before any bracket or quote."""
    head, colon, rest = flag.partition(":")
    return (head, rest) if colon and not any(sign in head for sign in "[\"'") else ("", flag)


def _path(path: str, label: Label) -> Path:
    try:
        steps = parse_path(path, pattern=True)
    except PathError as trouble:
        raise BAD_PATH.error(label, path=path, why=trouble.message) from None
    if not steps:
        raise BAD_PATH.error(label, path=path, why="it is empty")
    return steps


def _declared(lists: dict[str, str]) -> list[PlaceRule]:
    return [_rule(path, rule, PATTERN, order) for order, (path, rule) in enumerate(lists.items())]


def _list_flags(flags: Iterable[str]) -> list[PlaceRule]:
    rules = []
    for order, flag in enumerate(flags):
        path, equals, rule = split_setting(flag)
        if not equals:
            label = Label.at(Source(f"--list {flag}", flag, given=True), 0)
            raise BAD_RULE.error(
                label, why=f"`{flag}` is not a list rule", hint="write PATH=RULE, as in spec.rules=key:host"
            )
        rules.append(_rule(path, rule, FLAG, order))
    return rules


def _rule(path: str, rule: str, level: int, order: int) -> PlaceRule:
    label = Label.at(Source(f"--list {path}={rule}", f"{path}={rule}", given=True), 0)
    made = list_pattern(path, rule, level, order, label)
    if made.rule.strategy in MEANINGLESS:
        why = f"`{rule}` does not identify items"
        raise BAD_RULE.error(label, why=why, hint="use key:NAME, set, index or replace")
    return made
