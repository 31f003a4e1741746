"""What `plait stack set` and `plait stack unset` share: the places with what each would change, the choice, the
write."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Option
from plait.apps.cli.console import OK, UNSURE, USAGE, Console
from plait.apps.cli.explanation import brief
from plait.apps.cli.result_edit import preview, reach_text
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stack_name, stacks_of
from plait.core.path import format_path
from plait.core.visible import visible
from plait.edits.asking import ComponentValue
from plait.fronts.front import label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.edits.value import ResultEdit, Trial
    from plait.fronts.questions import StackQuestions

ARGUMENTS = (
    Argument("COMPONENT", "the component"),
    Argument("PATH", "the value, as vars.size, vars.zones[0], settings.team"),
)
OPTIONS = (
    STACK,
    Option(
        "--at",
        "where to write: a file, FILE:LINE, a layer (component, overrides, base, base:NAME, type, "
        "root), narrowest or where-defined",
        metavar="PLACE",
    ),
    Option("--dry-run", "show the text diff and every value that would change; write nothing"),
    *EVALUATING,
    *CONFIG,
    *WRITING,
)


def component_value(args: Namespace, stacks: StackQuestions) -> ComponentValue:
    """The value that the command names."""
    return ComponentValue(args.run.open_workspace.project, stacks, args.component, stack_name(args), args.path)


def edit(args: Namespace, console: Console, value: Node | None) -> int:
    """Change a value at the place that is named or chosen; without one, show the places."""
    stacks = stacks_of(args)
    found = component_value(args, stacks).edit(value)
    trial = found.chosen(args.at) if args.at else _asked(found, args, console)
    if trial is None:
        return USAGE
    found.check(trial)
    if found.near:
        console.note(f"`{args.path}` is new; {found.near}")
    if args.dry_run:
        console.print(preview(args, found, trial, console.paint(console.out)))
        return UNSURE if trial.not_compared else OK
    if trial.old == trial.new:
        console.say(f"{trial.site.where} has this value already; nothing was written")
        return OK
    found.commit(trial)
    console.say(f"{trial.site.where}: {reach_text(found, trial)}")
    return OK


def _asked(edit: ResultEdit, args: Namespace, console: Console) -> Trial | None:
    """The place that the user chooses; None where there is no terminal to ask, or the answer is none of them."""
    trials = edit.trials()
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text([trial.as_data(args.reveal, ("stack", "component")) for trial in trials]))
        return None
    console.print(_listing(edit, trials, args.reveal))
    console.flush()
    working = [trial for trial in trials if trial.works]
    if not working:
        console.say("no place gives this value; nothing was written")
        return None
    if not console.can_ask():
        console.say("nothing was written: choose a place with --at (a file, a layer, narrowest or where-defined)")
        return None
    answer = console.ask(f"write at which place? [1-{len(working)}, empty for none]")
    if not answer.isdigit() or not 0 < int(answer) <= len(working):
        console.say("nothing was written")
        return None
    return working[int(answer) - 1]


def _listing(edit: ResultEdit, trials: list[Trial], reveal: bool) -> str:
    """The places, the narrowest first, each with what a write there would change; then those that do not give the
    value."""
    now = brief(edit.now, reveal) if edit.now is not None else "not set"
    path = format_path(edit.path)
    lines = [f"{visible(path)} of {label(edit.document, edit.target)} in {edit.target.name}: {now}"]
    width = max((len(trial.site.where) for trial in trials), default=0)
    wide = max((len(trial.site.about) for trial in trials), default=0)
    number = 0
    for trial in trials:
        number += trial.works
        mark = str(number) if trial.works else "-"
        here = "    (defined here)" if trial.site.decides else ""
        lines.append(
            f"  {mark:>2}  {visible(trial.site.where).ljust(width)}  {trial.site.about.ljust(wide)}  "
            f"{visible(trial.obstacle) or reach_text(edit, trial)}{here}"
        )
    return "\n".join(lines) + "\n"
