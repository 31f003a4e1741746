"""Open the workspace that the words of a command describe, and find what its operands mean there."""

from __future__ import annotations

import os

from plait.access.environment import variable
from plait.access.sinks import REPORT
from plait.apps.cli.console import standard_console
from plait.apps.cli.namespace import Operands, Placed
from plait.core.source import DATA_ENDINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.access.workers import Elsewhere
    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.front import Given, Target
    from plait.fronts.layers import Bundle, MergeOptions
    from plait.workspace import Workspace

GRACE = 2
"""Seconds that the meter has to end a run before the timer does."""


def patience(seconds: float) -> float:
    """When the timer goes off that backs up the meter."""
    return seconds * 1.25 + GRACE


def setting(args: Namespace, name: str) -> str:
    """A variable of the environment that stands for an option; a hermetic run has none."""
    return "" if args.hermetic else variable(name)


def form_of(args: Namespace) -> str:
    """The format of the output."""
    return "json" if getattr(args, "json", False) else str(args.format)


def workspace_of(args: Namespace, folder: str = ".", remembers: bool = False, with_operands: bool = True) -> Workspace:
    """The workspace that a command's common options describe; it becomes that of the run, and so do the operands, which
    are found in it. A command that runs for long `remembers`."""
    from plait.workspace import Workspace
    from plait.yaml.write_choices import WriteChoices

    budgets = {name[4:]: value for name, value in vars(args).items() if name.startswith("max_") and value is not None}
    run = args.run
    shown = run.console.progress if run.console is not None else None
    workspace = Workspace(
        folder,
        allow=args.allow,
        deny=args.deny,
        budgets=budgets,
        cache=not args.no_cache,
        progress=shown.tell if shown is not None else None,
        hermetic=args.hermetic,
        jobs=jobs_of(args),
        elsewhere=_elsewhere(args),
        publishes=run.publishes,
        reveals=args.reveal,
        is_personal=_is_personal(args),
        remembers=remembers,
        writing=WriteChoices(getattr(args, "in_place", False), getattr(args, "journal", None) or "", _teller(args)),
    )
    run.workspace = workspace
    project = workspace.project
    project.notes = run.notes
    if project.guard.sink == REPORT:
        project.trace.variable("CI")
    if run.timer is not None:
        run.timer.extend(patience(project.meter.budgets.seconds))
        project.meter.clock.renew = run.timer.restart
    if with_operands and hasattr(args, "layer"):
        run.operands = operands_of(args, workspace)
    return workspace


def _elsewhere(args: Namespace) -> Elsewhere | None:
    """The other machines that a command names."""
    if not getattr(args, "executor", None):
        return None
    from plait.distributed.engines import connect
    from plait.distributed.remote import RemoteWorkers

    workers = args.run.elsewhere = RemoteWorkers(connect(args.executor))
    return workers


def jobs_of(args: Namespace) -> int:
    """How many processes may compute at the same time; 0 for as many as there are cores."""
    given = getattr(args, "jobs", None)
    if given in (None, "auto"):
        return 0 if given else 1
    from plait.access.workers import MOST_JOBS

    if not given.isdecimal() or not 1 <= int(given[:9]) <= MOST_JOBS:
        from plait.report.catalog import BAD_OPTION

        why = f"`--jobs {given}` is not a number of processes"
        raise BAD_OPTION.error(why=why, hint=f"give a number from 1 to {MOST_JOBS}, or auto for one process per core")
    return int(given)


def operands_of(args: Namespace, workspace: Workspace) -> Operands:
    """What a command names: layers as files, a target by its name, or a folder that is a target by itself."""
    target = getattr(args, "target", None)
    if bool(target) == bool(args.layer):
        from plait.report.catalog import BAD_OPTION

        why = "give layers or a target, not both" if target else "no layers given"
        raise BAD_OPTION.error(why=why, hint="name the files, lowest first, or a target with --target")
    layers = folder_first(args.layer)
    said = given_of(args)
    if not target and (getattr(args, "spiff", False) or getattr(args, "front", "") == "spiff"):
        return Operands([], workspace.template(layers, said.get("template")))
    if not target and "template" in said:
        from plait.report.catalog import BAD_OPTION

        raise BAD_OPTION.error(why="--dialect and --features are for spiff templates", hint="add --spiff")
    if not target:
        folder = workspace.in_folder(layers[0], layers[1:], said)
        check_fitting(args, folder)
        return Operands(layers) if folder is None else Operands([], folder)
    found = workspace.targets(said).find(target)
    check_fitting(args, found)
    if found.kind not in READ_AS_LAYERS or found.declaration.parameters.get("profile"):
        return Operands([], found)
    return Operands(found.readable)


def folder_first(words: list[str]) -> list[str]:
    """The layers in the order of the command line; a folder is the first, for -f gives files to it."""
    named = next((word for word in words if not isinstance(word, Placed)), "")
    return [named, *(word for word in words if word is not named)] if os.path.isdir(named) else words


CHART_WORDS = (
    *("release", "namespace", "kube_version", "api_versions"),
    *("include_crds", "skip_tests", "no_hooks", "is_upgrade", "show_only"),
)
"""The options that say how a chart is rendered."""


COMPOSE_WORDS = ("interpolate", "env_file", "compose_profile")
LAYER_WORDS = ("list", "policy", "notation", "documents", "profile", "nulls", "yaml")
FITTING = {
    "chart": ("a chart", CHART_WORDS, "name the folder of a chart, or leave it out"),
    "compose": ("a Compose project", COMPOSE_WORDS, "plait render FILE reads a Compose project"),
}
"""Options that say something only to targets of one kind, and what to do elsewhere."""


def check_fitting(args: Namespace, target: Target | None) -> None:
    """Report an option that says nothing to what was named: it would be ignored without a word."""
    kind = target.kind if target is not None else "layers"
    is_layers = kind in READ_AS_LAYERS
    wrong = [(name, what, hint) for other, (what, names, hint) in FITTING.items() if other != kind for name in names]
    wrong += [(name, "layers", "leave it out") for name in LAYER_WORDS if not is_layers]
    for name, what, hint in wrong:
        if getattr(args, name, None):
            from plait.report.catalog import BAD_OPTION

            named = "these are layers" if is_layers else f"`{args.target or args.layer[0]}` is of the kind {kind}"
            raise BAD_OPTION.error(why=f"--{name.replace('_', '-')} is for {what}, and {named}", hint=hint)


def given_of(args: Namespace) -> Given:
    """What the options of a command say to fronts."""
    words = {name: value for name in CHART_WORDS if (value := getattr(args, name, None))}
    given = {name: values for name, values in {"sets": args.set, **_relatives(args)}.items() if values}
    flags = {"interpolate": args.interpolate, "env_files": args.env_file, "profiles": args.compose_profile}
    spiff = {name: value for name in ("dialect", "features") if (value := getattr(args, name, None))}
    kinds: Given = {
        "chart": {**words, "flags": given} if given else words,
        "template": spiff,
        "compose": {name: value for name, value in flags.items() if value},
    }
    return {kind: said for kind, said in kinds.items() if said}


def _relatives(args: Namespace) -> dict[str, list[str]]:
    """The flags of helm that set values, apart from --set."""
    flags = {"strings": args.set_string, "jsons": args.set_json, "files_set": args.set_file}
    return {**flags, "literals": args.set_literal}


PATH_AS_OPTION = ("merge", "blame")
"""Commands that print all layers, or what --path names."""
READ_AS_LAYERS = ("layers", "files")
"""Kinds of targets whose files are read as the options of a command say."""


def opened(args: Namespace) -> Target | None:
    """The target that a command names, unless it is one of layers, which are read as its options say."""
    return args.run.operands.target


def _is_personal(args: Namespace) -> bool:
    """Whether a report goes to the terminal of who wrote the files, and not to the log of a machine."""
    console = args.run.console
    return getattr(args, "format", "") == "text" and console is not None and console.out.isatty() and not variable("CI")


def _teller(args: Namespace) -> Callable[[Diagnostic], None]:
    """Reports warnings of a write immediately, whatever the command does next."""
    return lambda diagnostic: standard_console(args.color).report([diagnostic], args.format)


def layered(args: Namespace, workspace: Workspace) -> Bundle:
    """The layers that a command names, merged as its options say."""
    target = opened(args)
    if target is not None:
        from plait.report.catalog import BAD_OPTION

        hint = f"plait render {args.target} prints it, plait explain PATH --target {args.target} explains it"
        raise BAD_OPTION.error(
            why=f"this command reads layers, and the target `{args.target}` is a {target.kind}", hint=hint
        )
    _check_first(args, workspace)
    options = merge_options_of(args, workspace)
    words = {"sets": args.set, "create": args.create, "relatives": _relatives(args)}
    return workspace.layers(args.run.operands.layers, options, **words, declared=bool(getattr(args, "target", None)))


def _check_first(args: Namespace, workspace: Workspace) -> None:
    """A path before the layers, where other commands have it, is no missing file."""
    layers = args.run.operands.layers
    if args.command_name not in PATH_AS_OPTION or len(layers) < 2:
        return
    first, *others = layers
    is_file = "/" in first or ":" in first or first == "-" or first.endswith(DATA_ENDINGS)
    if not is_file and not workspace.project.door.exists(first):
        from plait.report.catalog import NO_FILE

        hint = f"for the value at a path: plait {args.command_name} {' '.join(others)} --path {first}"
        raise NO_FILE.error(name=first, hint=hint)


def merge_options_of(args: Namespace, workspace: Workspace) -> MergeOptions:
    """How layers are read and merged, as a command's options say."""
    return workspace.merge_options(
        lists=args.list,
        policy_file=args.policy,
        notations=args.notation,
        documents=args.documents,
        profile=args.profile or _recognised(args, workspace),
        nulls=args.nulls,
        yaml=args.yaml,
    )


def _recognised(args: Namespace, workspace: Workspace) -> str:
    """The profile that the names of files ask for, told once; a command that writes needs it to be explicit."""
    operands = args.run.operands
    if operands.profile is None:
        found = workspace.recognised(operands.layers) if not getattr(args, "target", None) else None
        operands.profile = found.profile if found is not None else ""
        guessed = found if found is not None and not found.is_set else None
        if guessed is not None and writes_file(args):
            from plait.report.catalog import BAD_OPTION

            why = f"these layers would be merged as {guessed.tool} does: {guessed.why}"
            hint = f"a file is written only if that is explicit: add --profile {guessed.profile} or --profile none"
            raise BAD_OPTION.error(why=why, hint=hint)
        if guessed is not None and args.run.console is not None:
            args.run.console.say(guessed.note)
    return operands.profile


def writes_file(args: Namespace) -> bool:
    """Whether a command writes its answer to a file."""
    return getattr(args, "output", None) not in (None, "", "-")


def check_order(workspace: Workspace, file: str, others: Iterable[str], command: str, folders: bool = False) -> None:
    """Report a file and a path in the wrong order instead of a missing file. With `folders`, a folder will do, too."""
    door = workspace.project.door
    other = next(filter(door.exists if folders else door.is_file, others), "")
    if file != "-" and ":" not in file and not door.exists(file) and other:
        from plait.report.catalog import BAD_OPTION

        kind = "a file" if door.is_file(other) else "a folder"
        why = f"file not found: `{file}`, but `{other}` is {kind}: the arguments may be in the wrong order"
        raise BAD_OPTION.error(why=why, hint=f"the order is: {command}".format(file=other, path=file))
