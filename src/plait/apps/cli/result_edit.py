"""`plait set --target` and `plait unset --target`: a value of a target, written in the file that should have it, with
the places where it could be written and what each would change."""

from __future__ import annotations

from plait.apps.cli.command import Option
from plait.apps.cli.console import OK, UNSURE, Console
from plait.apps.cli.explanation import brief
from plait.apps.cli.line_diff import differing_lines, painted
from plait.apps.cli.opening import workspace_of
from plait.core.path import format_path
from plait.core.visible import counted, one_line, visible
from plait.edits.asking import edit_at
from plait.report.catalog import NO_PLACE_WORKS, REACHES_OTHERS, SEVERAL_VALUES
from plait.report.columns import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.edits.effects import ValueChange
    from plait.edits.value import ResultEdit, Trial
    from plait.report.render import Paint

BY_TARGET = (
    Option("--target", "change a value of a target, in the file that should have it", metavar="NAME", group="Targets"),
    Option(
        "--at",
        "where to write: a file, FILE:LINE, a layer, narrowest (the default) or where-defined",
        metavar="PLACE",
        group="Targets",
    ),
    Option("--only-here", "refuse a place where other targets would change too", group="Targets"),
)


def edit_target(args: Namespace, console: Console, path: str, value: Node | None) -> int:
    """Change a value of a target at the place that is named, or at the one that reaches the least."""
    workspace = workspace_of(args)
    target = workspace.targets().find(args.target)
    edit = edit_at(target, path, value)
    trials = edit.trials()
    trial = edit.chosen(args.at) if args.at else _narrowest(edit, trials)
    edit.check_new(getattr(args, "create", False))
    edit.check(trial)
    if args.only_here:
        _check_reach(edit, trial)
    return _finish(args, console, edit, trials, trial)


def _finish(args: Namespace, console: Console, edit: ResultEdit, trials: list[Trial], trial: Trial) -> int:
    is_new = trial.old != trial.new
    if is_new and not args.dry_run:
        edit.commit(trial)
    status = UNSURE if args.dry_run and trial.not_compared else OK
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text(_data(edit, trials, trial, args)))
        return status
    if args.dry_run:
        console.print(listing(edit, trials, trial, args.reveal))
        console.print(preview(args, edit, trial, console.paint(console.out)))
        return status
    console.say(listing(edit, trials, trial, args.reveal).rstrip("\n"))
    done = reach_text(edit, trial) if is_new else "has this value already; nothing was written"
    console.say(f"{visible(trial.site.where)}: {done}")
    return OK


def _data(edit: ResultEdit, trials: list[Trial], trial: Trial, args: Namespace) -> dict[str, object]:
    """What was chosen and what could have been, for programs."""
    return {
        "target": edit.address,
        "document": edit.label,
        "path": format_path(edit.path),
        "written": not args.dry_run and trial.old != trial.new,
        "chosen": trial.as_data(args.reveal),
        "places": [one.as_data(args.reveal) for one in trials],
    }


def _narrowest(edit: ResultEdit, trials: list[Trial]) -> Trial:
    """The place that reaches the least. A field that several values make has no such place: people choose one."""
    working = [trial for trial in trials if trial.works]
    if not working:
        several = len({trial.site.value for trial in trials}) > 1
        notes = tuple(_obstacle(trial, several) for trial in trials)
        hint = "--at takes FILE, FILE:LINE, a layer or where-defined; plait explain shows what it is made of"
        raise NO_PLACE_WORKS.error(path=format_path(edit.path), notes=notes, hint=hint)
    values = list(dict.fromkeys(trial.site.value for trial in working))
    if len(values) > 1:
        choices = tuple(f"{trial.site.where}    {trial.site.value}" for trial in working)
        raise SEVERAL_VALUES.error(
            path=format_path(edit.path), values=", ".join(values), notes=choices, hint="choose one with --at FILE:LINE"
        )
    return working[0]


def _obstacle(trial: Trial, several: bool) -> str:
    """Why a place does not do; where several values make a field, with the one that it is a place of."""
    site = trial.site
    words = (site.where, site.value, site.about) if several else (site.where, site.about)
    return "    ".join((*words, trial.obstacle))


def _check_reach(edit: ResultEdit, trial: Trial) -> None:
    others = [name for name in trial.targets if edit.address != name]
    if others:
        raise REACHES_OTHERS.error(
            where=trial.site.where,
            count=counted(len(others), "other target"),
            notes=tuple(others[:10]),
            hint="choose a file that only this target reads, or leave out --only-here",
        )


# Words


def listing(edit: ResultEdit, trials: list[Trial], chosen: Trial, reveal: bool) -> str:
    """What the value is and where that is decided; then the places, the narrowest first, each with what a write there
    would change."""
    now = brief(edit.now, reveal) if edit.now is not None else "not set"
    decides = next((f", decided by {visible(trial.site.where)}" for trial in trials if trial.site.decides), "")
    name = " in ".join(filter(None, (edit.label, edit.target.name)))
    lines = [f"{visible(format_path(edit.path))} of {visible(name)}: {now}{decides}"]
    rows = columns([(one.site.where, one.site.about, one.obstacle or reach_text(edit, one)) for one in trials], gap=2)
    lines += [f"{'>' if trial is chosen else ' '} {row}" for trial, row in zip(trials, rows, strict=True)]
    return "\n".join(lines) + "\n"


def reach_text(edit: ResultEdit, trial: Trial) -> str:
    """`1 value`, `38 values in 12 of 200 targets`."""
    count, _, values = trial.reach
    every = edit.target.world.targets
    values_text = counted(values, "value")
    if len(every) < 2 or not count:
        return values_text
    return f"{values_text} in {count} of {counted(len(every), every.kind)}"


def preview(args: Namespace, edit: ResultEdit, trial: Trial, paint: Paint) -> str:
    """The difference of the text, and every value that changes."""
    editor = args.run.open_workspace.editor
    shown = [text if args.reveal else editor.shown(trial.site.file, text) for text in (trial.old, trial.new)]
    lines = [
        painted(differing_lines(trial.site.file, *shown), paint),
        f"{reach_text(edit, trial)}:\n" if trial.changes else "no value changes\n",
    ]
    rows = [(one.target, one.document, format_path(one.path), change_text(one, args.reveal)) for one in trial.changes]
    lines += [f"  {row}\n" for row in columns(rows, gap=2)]
    unsure = [(f"{target} {document}".rstrip(), one_line(why)) for target, document, why in trial.not_compared]
    lines += ["not compared:\n", *(f"  {row}\n" for row in columns(unsure, gap=2))] if unsure else []
    return "".join(lines)


def change_text(change: ValueChange, reveal: bool) -> str:
    """A value before and after, on one line."""
    before, after = (None if node is None else brief(node, reveal) for node in (change.before, change.after))
    if before is None:
        return f"added: {after}"
    return f"removed: {before}" if after is None else f"{before} -> {after}"
