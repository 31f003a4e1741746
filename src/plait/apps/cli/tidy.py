"""`plait tidy`: changes of the files that leave every result of every target as it is."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Argument, Command, Option
from plait.apps.cli.console import FAILED, OK, UNSURE, Console
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.targets import NOTHING
from plait.apps.cli.tidying import asked_for, check_words, shown_change, shown_value
from plait.core.visible import counted, one_line
from plait.fronts.catalog import check_stacks
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from plait.apps.cli.namespace import Namespace
    from plait.tidy.proposal import Proposal
    from plait.tidy.tidy import ProvedChanges
    from plait.workspace import Workspace

KINDS = ("redundant", "hoist", "unused", "push-down")
HALF, ALL = 50, 100
"""What fewer than half of the users have, and others override, would move back and forth."""
ASKED = ("path", "only", "rename", "move", "to", "share")
"""The words that decide what is proposed."""
PLANNED = ("kind", "file", "line", "path", "value", "reason", "targets")
"""What a plan says of each change."""
SIMPLER = 3
"""The exit status of `--check` where something can be simpler."""


def run(args: Namespace, console: Console) -> int:
    check_words(args, console)
    workspace = workspace_of(args)
    plan = workspace.tidy_plans.read(args.apply) if args.apply else None
    if plan is not None:
        args = args.replaced(**plan.asked)
    _check(args)
    found = _found(args, workspace)
    if not found.count:
        check_stacks(workspace.world())
        console.say(NOTHING)
        return OK
    if plan is not None:
        found.proposals, found.others = plan.chosen(found.proposals), []
    if args.plan:
        return _save(found, args, workspace, console)
    rounds = [found] if args.interactive or plan is not None else found.rounds()
    writes = bool(args.write or plan) and not args.check
    if args.format == "json":
        written = found.write_rounds(rounds) if writes else []
        _print_data(rounds, written, args, console)
    else:
        console.print(listing(rounds, args.reveal))
        console.flush()
        if args.interactive and not args.check:
            chosen = asked_for(args, console, found, lambda one: shown_change(found, one, args.reveal))
            written = found.write(chosen)
        else:
            chosen = [proposal for one in rounds for proposal in one.proposals]
            written = found.write_rounds(rounds) if writes else []
        _say(found, len(chosen), written, console)
    if found.asked:
        return OK if found.proposals else FAILED
    if not args.check:
        return OK
    return SIMPLER if found.proposals else UNSURE if found.failing else OK


def _check(args: Namespace) -> None:
    """Refuse words that do not go together."""
    if bool(args.move) != bool(args.to):
        raise BAD_OPTION.error(why="`--move` and `--to` belong together", hint="write --move PATH --to FILE")
    if args.share is not None and not HALF < args.share <= ALL:
        more = "more than 100 percent" if args.share > ALL else "not more than half of the users of a layer"
        raise BAD_OPTION.error(why=f"`--share {args.share}` is {more}", hint="name a number from 51 to 100")


def _save(found: ProvedChanges, args: Namespace, workspace: Workspace, console: Console) -> int:
    """Write a plan of what was proved; none where nothing was."""
    console.print(listing([found], args.reveal))
    if not found.proposals:
        console.say(f"{args.plan} was not written: there is nothing to apply")
        return FAILED if found.asked else OK
    shown = [
        {**row, "value": shown_change(found, one, False)}
        for row, one in zip(_rows(found, found.proposals, False), found.proposals, strict=True)
    ]
    changes = [{name: row[name] for name in PLANNED} for row in shown]
    asked = {word: value for word in ASKED if (value := getattr(args, word)) not in (None, [])}
    workspace.tidy_plans.save(args.plan, asked, changes)
    them = "it" if len(changes) == 1 else "them"
    console.say(f"{args.plan} has {counted(len(changes), 'change')}; plait tidy --apply {args.plan} writes {them}")
    return OK


def _found(args: Namespace, workspace: Workspace) -> ProvedChanges:
    if args.rename:
        return workspace.renaming(*args.rename)
    if args.move:
        return workspace.tidying.moving(args.path, args.move, args.to)
    return workspace.tidying.proposals(args.path, args.only, args.share or ALL)


def listing(rounds: Sequence[ProvedChanges], reveal: bool) -> str:
    """Every proposal with its reason, and those that are found when the others are made; then what is not proved, with
    what is in the way."""
    table: list[tuple[str, str, str, list[str]]] = []
    for number, found in enumerate(rounds):
        table.append((f"{'then ' if number else ''}{_head(found)}", "", "", []))
        rows = [(one, f"{one.kind}: {one.reason}") for one in found.proposals]
        rows += [
            (one, found.masked(f"not written: {one.obstacle}")) for one in (found.others if found is rounds[-1] else ())
        ]
        for one, why in rows:
            table.append((one.where, shown_change(found, one, reveal), why, list(map(found.masked, one.more))))
    widths = [max((len(row[column]) for row in table if row[1]), default=0) for column in (0, 1)]
    lines = []
    for where, text, why, more in table:
        lines.append(f"{where.ljust(widths[0])}    {text.ljust(widths[1])}    {why}" if text else where)
        lines += [f"  {line}" for line in more]
    return "".join(f"{one_line(line)}\n" for line in lines)


def _head(found: ProvedChanges) -> str:
    many = counted(len(found.proposals), "change")
    keeps = "keeps" if len(found.proposals) == 1 else "keep"
    some = f"{found.count - len(found.failing)} of " if found.failing else ""
    targets = some + counted(found.count, "target")
    if not found.proposals:
        return "nothing is proved" if found.asked else f"nothing can be simpler in {targets}"
    return f"{many} {keeps} every result of {targets}{found.alike} (proved)"


def _say(found: ProvedChanges, count: int, written: list[str], console: Console) -> None:
    if found.failing:
        console.say(
            f"not compared: {counted(len(found.failing), 'target')} with errors: {', '.join(found.failing[:10])}"
        )
    if written:
        console.say(f"{counted(count, 'change')} in {counted(len(written), 'file')}")
    elif found.proposals:
        how = "--write applies it" if found.asked else "plait tidy --write applies them; --only KIND chooses"
        console.say(f"nothing was written: {how}")
    if found.is_last:
        console.say(f"what they make simpler is not looked for in {found.count} targets: run it again after them")


def _print_data(rounds: Sequence[ProvedChanges], written: list[str], args: Namespace, console: Console) -> None:
    from plait.report.data import json_text

    first, last = rounds[0], rounds[-1]
    rows = [
        {**row, **({"round": number} if number > 1 else {})}
        for number, one in enumerate(rounds, 1)
        for row in _rows(one, one.proposals, args.reveal)
    ]
    rows += _rows(last, last.others, args.reveal)
    console.print(json_text({"targets": first.count, "written": written, "failing": first.failing, "proposals": rows}))


def _rows(found: ProvedChanges, several: list[Proposal], reveal: bool) -> list[dict[str, object]]:
    return [
        {
            "kind": one.kind,
            "file": one.file.name,
            "line": one.line,
            "path": one.path,
            "value": shown_value(found, one, reveal),
            "reason": one.reason,
            **({"details": [found.masked(line) for line in one.more]} if one.more else {}),
            "targets": list(dict.fromkeys(target for target, _ in one.places)),
            "proved": not one.obstacle,
            **({"why": found.masked(one.obstacle)} if one.obstacle else {}),
        }
        for one in several
    ]


COMMAND = Command(
    "tidy",
    "Find changes of the files that leave every result of every target as it is, and prove each.",
    (
        "plait tidy",
        "plait tidy env/ --only redundant",
        "plait tidy --write",
        "plait tidy --check",
        "plait tidy --plan plan.json",
        "plait tidy --apply plan.json",
        "plait tidy --rename net.cidr range",
        "plait tidy --move net.cidr --to base.yaml",
    ),
    run,
    (Argument("PATH", "files or folders that may be changed; default: all", "*"),),
    (
        Option("--write", "write what was proved; without it, only show it"),
        Option("--interactive", "ask for each change, and write those that you want"),
        Option("--only", f"only this kind: {', '.join(KINDS)}", metavar="KIND", many=True),
        Option(
            "--rename", "give the key at PATH another name, and everything that reads it", metavar="PATH KEY", words=2
        ),
        Option(
            "--move", "move the value at PATH into another file, or out of the files that are named", metavar="PATH"
        ),
        Option("--to", "the file that --move moves a value into", metavar="FILE"),
        Option(
            "--share",
            "also move a value that PERCENT of the users of a layer set alike, or override; default: 100",
            metavar="PERCENT",
            number=True,
        ),
        Option("--plan", "save what was proved to a file that can be reviewed and applied later", metavar="FILE"),
        Option("--apply", "write the changes of a plan; refused if its files have changed", metavar="FILE"),
        Option(
            "--check",
            f"write nothing; status {SIMPLER} if something can be simpler, {UNSURE} if a target could not be tried",
        ),
        AS_TEXT,
    ),
    "plait help targets",
    writes=lambda args: bool(args.plan or ((args.write or args.interactive or args.apply) and not args.check)),
)
