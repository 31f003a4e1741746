"""`plait create`: explicit resources from a pattern, again and again, keeping what others changed in them."""

from __future__ import annotations

from plait.apps.cli.arguments import WrongUsage, is_option, parse
from plait.apps.cli.command import JOBS, WRITING, Argument, Command, Option, always, unless_trying
from plait.apps.cli.console import FAILED, OK, USAGE, Console
from plait.apps.cli.line_diff import painted
from plait.apps.cli.opening import workspace_of
from plait.core.diagnostic import Fault, PlaitError
from plait.core.visible import one_line
from plait.report.catalog import BAD_OPTION, CHANGED_SINCE, NOT_CONFIRMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.questions import Input, Pattern, Planned, PlannedAgain

FORM = Option(
    "--format", "output format", choices=("text", "json", "yaml"), default="text", group="Output", old="--output"
)
KEEPING = (
    Option(
        "--set",
        "an input, or a field: PATH=VALUE, Kind/name:PATH=VALUE",
        metavar="NAME=VALUE",
        many=True,
        group="Changing",
    ),
    Option("--overwrite", "discard other people's changes; asks first", group="Changing"),
    Option(
        "--yes", "do not ask: discard changes, prune changed resources, take an implausible output", group="Changing"
    ),
    Option("--preserve", "keep what is there, even when overwriting", metavar="PATH", many=True, group="Changing"),
    Option(
        "--accept",
        "the same as --keep",
        metavar="PATH",
        many=True,
        group="Changing",
    ),
    Option(
        "--take",
        "decide a line of the report: take what is generated; PATH:3-5 for lines of a text",
        metavar="PATH",
        many=True,
        group="Changing",
    ),
    Option(
        "--keep",
        "decide a line of the report: keep what is there, until the pattern changes the field",
        metavar="PATH",
        many=True,
        group="Changing",
    ),
    Option("--pin", "leave a field to others in all later runs, too", metavar="PATH", many=True, group="Changing"),
    Option("--unpin", "end a pin", metavar="PATH", many=True, group="Changing"),
    Option("--prune", "remove resources that are no longer generated, if nobody changed them", group="Changing"),
    Option("--strict", "end with 3, and write nothing, if both sides changed a field", group="Changing"),
    Option(
        "--absent",
        "what to do with a missing field if there is no record",
        choices=("add", "keep"),
        default="add",
        group="Changing",
    ),
    Option(
        "--tracker",
        "where the record of the last run is kept",
        choices=("sidecar", "annotations", "git", "diff"),
        group="Changing",
    ),
    Option(
        "--list",
        "which field identifies the items of a list, as in spec.rules=key:host",
        metavar="PATH=RULE",
        many=True,
        group="Changing",
    ),
    Option("--dry-run --diff", "show what would change, and write nothing", group="Output"),
    Option("--check", "write nothing, and end with 3 if a file would change", group="Output"),
    Option("--full", "show every line of a long report", group="Output"),
    FORM,
    *WRITING,
)
"""The options of every command that generates again."""

SEARCH = Option("--patterns", "also look for patterns here", metavar="DIR", many=True, group="Patterns")


def run(args: Namespace, console: Console) -> int:
    return answered(args, console, lambda: _create(args, console))


def answered(args: Namespace, console: Console, work: Callable[[], int]) -> int:
    """Do it; an error is reported in the form of the output and ends with its status."""
    try:
        return work()
    except PlaitError as error:
        console.report(error.diagnostics, args.format)
        return max(map(status_of, error.diagnostics), default=FAILED)


CONFLICT = 3
STATUSES = {
    "PL3601": 4,
    "PL3637": CONFLICT,
    "PL3638": CONFLICT,
    "PL3639": CONFLICT,
    "PL361": USAGE,
    "PL363": USAGE,
    "PL9002": FAILED,
    "PL9": USAGE,
}
"""Codes, or what they begin with, that do not end with 1: no such pattern, what waits for an option, and input that
cannot be used."""


def status_of(diagnostic: Diagnostic) -> int:
    statuses = [status for start, status in STATUSES.items() if diagnostic.code.startswith(start)]
    return statuses[0] if statuses else FAILED


def _create(args: Namespace, console: Console) -> int:
    patterns = workspace_of(args).patterns
    if args.show or args.drift:
        return _look(args, console)
    if args.all:
        return _all_again(args, console)
    if args.pattern is None:
        raise BAD_OPTION.error(why="PATTERN is missing", hint="`plait patterns list` shows the patterns")
    pattern = patterns.pattern(args.pattern, args.patterns)
    given = {name: value for name, value in vars(args).items() if name in _names(pattern) and value is not None}
    if args.interactive:
        given = {**given, **_ask_for_inputs(pattern, given, console)}
    inputs = {_names(pattern)[name]: value for name, value in given.items()}
    return finish(lambda: patterns.create(pattern, args, inputs, args.output_dir, args.spec or ""), args, console)


def _look(args: Namespace, console: Console) -> int:
    """What the record holds, or what others changed since: without running the pattern."""
    from plait.yaml.printing import data_text

    instance = next((f for name, f in vars(args).items() if name == "name" and f is not None), "")
    found = workspace_of(args).patterns.generated(args.output_dir, args.pattern or "", instance, args.patterns)
    if args.format != "text":
        console.print(data_text([one.drift_data() if args.drift else one.data() for one in found], args.format))
        return OK
    for one in found:
        console.print("".join(f"{line}\n" for line in (one.drift_lines() if args.drift else one.lines())))
    return OK


def _all_again(args: Namespace, console: Console) -> int:
    """Every recorded instance, generated again: all of a round are planned before one of them is written."""
    if args.set or args.spec or args.forget:
        raise BAD_OPTION.error(why="--all takes no inputs", hint="leave out --set, --spec and --forget")
    patterns = workspace_of(args).patterns
    many = patterns.again(args.output_dir, args.pattern or "", args, args.patterns, console.out.isatty())
    status, reports = OK, []
    for places in many.rounds:
        planned = list(many.planned(places))
        _check_losses([line for one in planned for line in one.losses], args)
        for one in planned:
            if not (one.status or args.dry_run or args.check):
                one.write(many.project)
            status = max(status, one.end_status)
            reports.append(_told(one, args, console))
    if args.format != "text":
        from plait.yaml.printing import data_text

        console.print(data_text(reports, args.format))
    return status


def _check_losses(losses: list[str], args: Namespace) -> None:
    if args.overwrite and not args.yes and losses and not (args.dry_run or args.check):
        count = f"{len(losses)} change{'' if len(losses) == 1 else 's'}"
        raise NOT_CONFIRMED.error(count=count, notes=tuple(losses), hint="add --yes, or leave out --overwrite")


def _told(one: PlannedAgain, args: Namespace, console: Console) -> dict[str, object]:
    """Report on one of many instances; for programs, what there is to report about it."""
    if args.format == "text":
        console.print(f"{one.place.title}:\n{painted(one.difference, console.paint(console.out))}{one.report}")
        last = one.refusal or ("Nothing was written." if args.dry_run or args.check else one.summary)
        console.print("".join(f"{line}\n" for line in (last, one.counts) if line))
    return {"folder": one.place.folder, "instance": one.place.key, "result": one.data}


TRIES = 5
"""How often a run starts again because another one wrote meanwhile."""


def finish(plan: Callable[[], Planned], args: Namespace, console: Console) -> int:
    """Plan, confirm what must be confirmed, write, and report.

    Where another process wrote meanwhile, repeat all of it.
    """
    for left in range(TRIES - 1, -1, -1):
        planned = plan()
        if planned.status or args.dry_run or args.check:
            break
        if args.prune and not args.yes and planned.plan.edited_orphans and _agrees_to_prune(planned, console):
            args.yes = True
            planned = plan()
        if args.overwrite and not args.yes and planned.lost and not _confirmed(planned, console):
            console.say("nothing was written")
            return FAILED
        try:
            planned.write()
            break
        except Fault as error:
            if error.diagnostics[0].code != CHANGED_SINCE.code or not left:
                raise
    _report(planned, args, console)
    return planned.end_status


def _report(planned: Planned, args: Namespace, console: Console) -> None:
    from plait.yaml.printing import data_text

    if args.format != "text":
        console.print(data_text(planned.data(), args.format))
        return
    if args.dry_run:
        console.print(painted(planned.difference(args.reveal), console.paint(console.out)))
    console.print(planned.report(blame=console.out.isatty()))
    if planned.status:
        console.say(planned.refusal)
    elif args.dry_run or args.check:
        console.print(f"Nothing was written ({'--dry-run' if args.dry_run else '--check'}).\n")
    else:
        console.print(f"{planned.summary}\n")
    console.print(f"{planned.counts}\n" if planned.counts else "")


def _agrees_to_prune(planned: Planned, console: Console) -> bool:
    """Ask on a terminal whether resources go that somebody changed; elsewhere they stay."""
    names = [line.name for line in planned.plan.edited_orphans]
    listed = "".join(f"  {name}\n" for name in names)
    return console.can_ask() and console.agrees(f"{listed}Remove what is changed here and no longer generated?")


def _confirmed(planned: Planned, console: Console) -> bool:
    """Ask on a terminal, listing what would be lost; elsewhere `--yes` must say it."""
    count = f"{len(planned.lost)} change{'' if len(planned.lost) == 1 else 's'}"
    if not console.can_ask():
        raise NOT_CONFIRMED.error(
            count=count, notes=tuple(planned.losses()), hint="add --yes, or leave out --overwrite"
        )
    listed = "".join(f"{line}\n" for line in planned.losses())
    return console.agrees(f"{listed}Discard {count}?")


# Inputs as flags


def grow(command: Command, words: list[str]) -> Command:
    """The command with the inputs of the pattern that the words name as flags."""
    from plait.workspace import Workspace

    pattern = Workspace().patterns.pattern_of_words(words)
    if pattern is None:
        return command if WITHOUT_PATTERN & set(words) else _with_unread(command, words)
    taken = {flag for option in command.options for flag in option.flags}
    flags = [_flag(item, pattern) for item in pattern.inputs.values() if item.flag not in taken]
    return command.with_options(*flags)


WITHOUT_PATTERN = {"--all", "--show", "--drift"}
"""The options of runs that need no pattern."""


def _with_unread(command: Command, words: list[str]) -> Command:
    """The command with all flags of the words, where they name a pattern that cannot be read: which flags it has is not
    known, and the error is about its name."""
    known = {flag for option in command.options for flag in option.flags}
    after = dict(zip(words, [*words[1:], "--"], strict=False))
    unread = [
        Option(flag, "", metavar="" if is_option(after[word]) and "=" not in word else "VALUE")
        for word in after
        if is_option(word) and (flag := word.partition("=")[0]).startswith("--") and flag not in known
    ]
    grown = command.with_options(*unread)
    try:
        return grown if parse(grown, words).pattern is not None else command
    except WrongUsage:
        return command


def _flag(item: Input, pattern: Pattern) -> Option:
    parts = [item.description or item.kind, *(["/".join(item.choices)] if item.enum else [])]
    parts.append(
        "required" if item.required else f"default {item.shown_default}" if item.default is not None else "optional"
    )
    return Option(item.flag, ", ".join(parts), metavar=item.kind.upper(), group=f"Inputs of {pattern.name}")


def _names(pattern: Pattern) -> dict[str, str]:
    """Where the parsed words keep each input."""
    return {name.replace("-", "_"): name for name in pattern.inputs}


def _ask_for_inputs(pattern: Pattern, given: dict[str, str], console: Console) -> dict[str, str]:
    """Ask for every input that was not given; an empty answer takes the default."""
    if not console.can_ask():
        raise BAD_OPTION.error(why="--interactive needs a terminal", hint="give the inputs as flags, or with --spec")
    answers: dict[str, str] = {}
    for place, name in _names(pattern).items():
        if place not in given:
            answer = console.ask(f"{one_line(_question(pattern.inputs[name]))}:")
            if answer:
                answers[place] = answer
    return answers


def _question(item: Input) -> str:
    choices = f" ({'/'.join(item.choices)})" if item.enum else ""
    default = f" [{item.shown_default}]" if item.default is not None else ""
    return f"{item.name}{choices}{default}" + (f" - {item.description}" if item.description else "")


COMMAND = Command(
    "create",
    "Generate resources from a pattern. Changes that others made to them are kept.",
    (
        "plait create serverless-event-app --env dev --account 123456789012",
        "plait create serverless-event-app --env dev --account 123456789012 --set timeout=30",
        "plait create web-service --name shop --image registry.example/shop:1.4 --output-dir k8s --dry-run",
        "plait create --all --output-dir deploy --jobs auto",
    ),
    run,
    (Argument("PATTERN", "its name; `plait patterns list` shows them", "?"),),
    (
        *KEEPING,
        SEARCH,
        Option("--spec --spec-file", "a YAML file with inputs", metavar="FILE", group="Patterns"),
        Option(
            "--forget",
            "forget what an earlier run was given: the value of an input, or of a field that was set by its path",
            metavar="NAME|PATH",
            many=True,
            group="Patterns",
        ),
        Option("--downgrade", "use a pattern that is older than the recorded one", group="Patterns"),
        Option("--without-record", "go on where the record was lost and git has it", group="Patterns"),
        Option("--show", "show pattern, version, inputs and what is preserved; generate nothing", group="Patterns"),
        Option("--drift", "show what others changed since the last run, and who; generate nothing", group="Patterns"),
        Option(
            "--all", "generate every recorded instance again, also in the folders below --output-dir", group="Patterns"
        ),
        JOBS,
        Option("--interactive", "ask for the inputs that are not given", group="Patterns"),
        Option("--output-dir", "where the files go", metavar="DIR", default=".", group="Output"),
    ),
    "plait patterns describe PATTERN, plait help patterns",
    grow=grow,
    writes=unless_trying,
    asks_git=always,
)
