"""What `plait tidy` does with proposals: it asks for each, saves them as a plan, or applies one."""

from __future__ import annotations

from plait.apps.cli.explanation import brief
from plait.core.node import Scalar, rewrite
from plait.core.source import MASK
from plait.core.visible import counted, one_line
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.console import Console
    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.tidy.proposal import Proposal
    from plait.tidy.tidy import ProvedChanges

QUESTION = "[y]es, [n]o, [a]ll that are left, [q]uit, [w]hy?"
YES, NO, ALL_LEFT, QUIT, WHY = ("y", "yes"), ("", "n", "no"), ("a", "all"), ("q", "quit"), ("w", "why", "?")
SHOWN = 10
"""How many values of targets `why` lists."""


UNUSED_WITH = {"--rename": ("--only", "--move", "--share", "PATH"), "--move": ("--only", "--share")}
"""Words that ask for one certain change, each with those that say nothing about it."""


def check_words(args: Namespace, console: Console) -> None:
    """Refuse words that do not go together, and questions that nobody can answer."""
    if args.interactive and not console.can_ask():
        raise BAD_OPTION.error(
            why="`--interactive` needs a terminal", hint="plait tidy --plan FILE saves the changes for a review"
        )
    if args.plan and (args.write or args.interactive or args.check or args.apply):
        raise BAD_OPTION.error(
            why="`--plan` saves changes and writes none of them", hint="apply it later: plait tidy --apply FILE"
        )
    given = [f"--{name}" for name in ("only", "rename", "move", "share") if getattr(args, name)]
    given += ["PATH"] if args.path else []
    if args.apply and given:
        raise BAD_OPTION.error(
            why=f"`--apply` takes what is changed from the plan, not from {', '.join(given)}",
            hint="take changes out of the plan, or run plait tidy without --apply",
        )
    for one, others in UNUSED_WITH.items():
        unused = [word for word in others if word in given] if one in given else []
        if unused:
            raise BAD_OPTION.error(why=f"`{one}` asks for one change: {', '.join(unused)} cannot choose others")


def asked_for(
    args: Namespace, console: Console, found: ProvedChanges, text: Callable[[Proposal], str]
) -> list[Proposal]:
    """The proposals that the person at the terminal wants, asked one by one."""
    chosen: list[Proposal] = []
    waiting = list(found.proposals)
    while waiting:
        one = waiting[0]
        answer = console.ask(
            one_line(f"{one.where}    {text(one)}    {one.kind}: {one.reason}") + f"\n{QUESTION}"
        ).lower()
        if answer in WHY:
            for line in why(found, one, args.reveal):
                console.say(line)
            continue
        if answer not in (*YES, *NO, *ALL_LEFT, *QUIT):
            console.say(one_line(f"`{answer}` is not an answer: type y, n, a, q or w"))
            continue
        waiting.pop(0)
        if answer in ALL_LEFT:
            return [*chosen, one, *waiting]
        if answer in QUIT:
            return chosen
        if answer in YES:
            chosen.append(one)
    return chosen


def shown_change(found: ProvedChanges, one: Proposal, reveal: bool) -> str:
    """What a proposal is about on one line: its path and its value, masked where results have shown it to be secret."""
    text = one.text or f"{one.path}: {shown_value(found, one, reveal)}"
    return text if reveal else found.masked(text)


def shown_value(found: ProvedChanges, one: Proposal, reveal: bool) -> str:
    """The value that a proposal is about, on one line, as it is written. What is secret is masked value by value: of a
    long line, only the beginning is shown."""

    def leaf(node: Node) -> Node:
        if not isinstance(node, Scalar):
            return node
        if not reveal and found.masked(node.text) != node.text:
            return Scalar(MASK, MASK)
        return Scalar(text, text) if node.tag and (text := f"{node.tag} {node.text}".rstrip()) else node

    text = brief(rewrite(one.value, leaf), reveal)
    return text if reveal else found.masked(text)


def why(found: ProvedChanges, one: Proposal, reveal: bool) -> list[str]:
    """The lines that change, and the values that were compared."""
    from difflib import unified_diff

    lines: list[str] = []
    for name, before, after in found.texts(one, reveal):
        rows = unified_diff(before.splitlines(), after.splitlines(), name, name, "", "", 1, "")
        lines += map(one_line, rows)
    targets = list(dict.fromkeys(target for target, _ in one.places))
    lines.append(f"proved: every result of {counted(len(targets), 'target')} stays: {', '.join(targets[:SHOWN])}")
    return [*lines[:-1], f"{lines[-1]} ..." if len(targets) > SHOWN else lines[-1]]
