"""What `plait tidy` does with proposals: it asks for each, saves them as a plan, or applies one."""

from __future__ import annotations

from plait.core.visible import counted, one_line
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.console import Console
    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Proposal, ProvedChanges

QUESTION = "[y]es, [n]o, [a]ll that are left, [q]uit, [w]hy?"
YES, ALL_LEFT, QUIT, WHY = ("y", "yes"), ("a", "all"), ("q", "quit"), ("w", "why", "?")
SHOWN = 10
"""How many values of targets `why` lists."""


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
            for line in why(found, one):
                console.say(line if args.reveal else found.masked(line))
            continue
        waiting.pop(0)
        if answer in ALL_LEFT:
            return [*chosen, one, *waiting]
        if answer in QUIT:
            return chosen
        if answer in YES:
            chosen.append(one)
    return chosen


def why(found: ProvedChanges, one: Proposal) -> list[str]:
    """The lines that change, and the values that were compared."""
    from difflib import unified_diff

    lines: list[str] = []
    for path, data in found.proof.texts([one]).items():
        file = found.files[path]
        after = data.decode(errors="replace").splitlines()
        lines += [
            one_line(line)
            for line in unified_diff(file.source.text.splitlines(), after, file.name, file.name, "", "", 1, "")
        ]
    targets = list(dict.fromkeys(target for target, _ in one.places))
    lines.append(f"proved: every result of {counted(len(targets), 'target')} stays: {', '.join(targets[:SHOWN])}")
    return [*lines[:-1], f"{lines[-1]} ..." if len(targets) > SHOWN else lines[-1]]
