"""Output of commands: data to standard output, everything else to standard error."""

from __future__ import annotations

import atexit
import os
import sys
from itertools import compress, repeat
from operator import contains
from time import monotonic

from plait.access.environment import variable
from plait.access.sinks import OUTPUT, REPORT, TERMINAL, is_escaped
from plait.apps.cli.namespace import Placed
from plait.core.source import DATA_ENDINGS, MASK
from plait.core.visible import on_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from plait.access.workers import Elsewhere
    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.front import Given, Target
    from plait.fronts.layers import Bundle, MergeOptions
    from plait.report.render import Paint
    from plait.workspace import Workspace

CLEAR = "\r\x1b[K"
OK, FAILED, USAGE, UNSURE, BUG = 0, 1, 2, 5, 70
"""Exit statuses: success; errors in the input, or differences found; wrong usage, or nothing to compare; something
changed that could not be compared; a bug in plait."""


class NotPrinted(Exception):
    """Standard output cannot be written, and why."""


class Console:
    """Two streams, and whether they are coloured."""

    def __init__(self, out: TextIO, err: TextIO, color: str = "auto") -> None:
        self.out = out
        self.err = err
        self.color = color
        self.masked = False
        """Whether something printed contains a mask instead of a secret."""
        self.quiet = False
        """Whether notes and warnings are left out."""
        self.progress = Progress(sys.stderr) if sys.stderr.isatty() else None

    def paint(self, stream: TextIO) -> Paint:
        from plait.report.render import Paint

        return Paint(coloured(self.color, stream.isatty()), width_of(stream))

    def terminals(self) -> tuple[int, int]:
        """How wide the terminals are, 0 for other streams: with the options and the environment, this decides the
        colours and where lines of a report are broken."""
        return width_of(self.out), width_of(self.err)

    def print(self, text: str) -> None:
        self.print_all([text])

    def print_all(self, pieces: list[str]) -> None:
        """Print texts in order. A text that occurs several times is checked for masks once."""
        once = dict(zip(map(id, pieces), pieces, strict=True)).values()
        self.masked = self.masked or any(MASK in text for text in compress(once, map(contains, once, repeat(MASK[0]))))
        if self.progress is not None:
            self.progress.stop()
        if is_escaped(_sink(self.out)):
            pieces = [for_terminal(text) for text in pieces]
        try:
            self.out.writelines(pieces)
        except BrokenPipeError:
            raise
        except OSError as trouble:
            raise NotPrinted(trouble.strerror or str(trouble)) from None

    def flush(self) -> None:
        try:
            self.out.flush()
        except BrokenPipeError:
            raise
        except OSError as trouble:
            raise NotPrinted(trouble.strerror or str(trouble)) from None

    def say(self, text: str) -> None:
        """A text for people, broken between words where the terminal is too narrow for it."""
        if width_of(self.err):
            from plait.report.wrap import sentence

            text = "\n".join(part for line in text.split("\n") for part in sentence(line, width_of(self.err)))
        self._tell(text + "\n")

    def note(self, text: str) -> None:
        """Something to know beside the answer; nothing with `--quiet`."""
        self.confirm(f"note: {text}")

    def confirm(self, text: str) -> None:
        """What a command did; nothing with `--quiet`."""
        if not self.quiet:
            self.say(text)

    def _tell(self, text: str) -> None:
        if self.progress is not None:
            self.progress.clear()
        self.err.write(for_terminal(text) if is_escaped(_sink(self.err)) else text)

    def can_ask(self) -> bool:
        """Whether somebody sees a question and can answer it."""
        return can_answer() and self.err.isatty()

    def ask(self, question: str) -> str:
        """What the person at the terminal answers."""
        self._tell(f"{question} ")
        self.err.flush()
        return sys.stdin.readline().strip()

    def agrees(self, question: str) -> bool:
        return self.ask(f"{question} [y/N]").lower() in ("y", "yes")

    def report(self, diagnostics: Iterable[Diagnostic], form: str = "yaml", writes: bool = False) -> None:
        """Findings, as text for people or as JSON."""
        diagnostics = [one for one in diagnostics if not self.quiet or one.severity == "error"]
        if not diagnostics:
            return
        from plait.report.render import render, to_data

        if form == "json":
            from plait.report.data import json_text

            self._tell(json_text({"diagnostics": to_data(diagnostics)}))
        else:
            self._tell(render(diagnostics, self.paint(self.err), writes) + self._more(diagnostics))

    def _more(self, diagnostics: list[Diagnostic]) -> str:
        """Where a person at a terminal finds more about the findings."""
        codes = list(dict.fromkeys(one.code for one in diagnostics))
        return f"more: plait help {codes[0]}\n" if self.err.isatty() and codes else ""


def can_answer() -> bool:
    """Whether somebody types what this program reads."""
    return sys.stdin.isatty()


def _sink(stream: TextIO) -> str:
    return TERMINAL if stream.isatty() else OUTPUT


def for_terminal(text: str) -> str:
    """Everything that is printed on a terminal: only colours of ours are not escaped."""
    from plait.report.render import CODES

    return on_terminal(text, CODES)


def coloured(choice: str, terminal: bool) -> bool:
    """Whether output is coloured: as the option says, else as the environment says, else on a terminal that can."""
    if choice != "auto":
        return choice == "always"
    if variable("NO_COLOR"):
        return False
    if variable("CLICOLOR_FORCE") not in ("", "0"):
        return True
    return terminal and variable("TERM") != "dumb" and variable("CLICOLOR") != "0"


class Progress:
    """What a command is doing, on a terminal, once it takes longer than a second; cleared when it is done."""

    PATIENCE, PAUSE = 1.0, 0.1

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.began = monotonic()
        self.next = self.began + self.PATIENCE
        self.shown = False
        self.step = ""
        """What is being counted; a new step has a time of its own."""

    def tell(self, text: str) -> None:
        now = monotonic()
        if now < self.next:
            return
        self.next = now + self.PAUSE
        if not self.shown:
            self.shown = True
            atexit.register(self.clear)
        text = f"{text}{self._left(text, now)}"
        self.stream.write(f"{CLEAR}{text[: columns(self.stream) - 1]}")
        self.stream.flush()

    def _left(self, text: str, now: float) -> str:
        """How long the rest takes, if it goes on as before; empty where that is not known yet."""
        step = text.translate(DIGITS)
        if step != self.step:
            self.step, self.began = step, now
        words = text.split()
        at = next((n for n in range(1, len(words) - 1) if words[n] == "of" and words[n + 1].strip("()").isdigit()), 0)
        done = words[at - 1].strip("()")
        if not at or not done.isdigit() or not int(done) or now - self.began < self.PATIENCE:
            return ""
        seconds = (now - self.began) / int(done) * (int(words[at + 1].strip("()")) - int(done))
        return f", about {duration(seconds)} left"

    def stop(self) -> None:
        """The answer is being printed: show no more progress."""
        self.clear()
        self.next = float("inf")

    def clear(self) -> None:
        if self.shown:
            self.stream.write(CLEAR)
            self.stream.flush()


DIGITS = str.maketrans("", "", "0123456789")


def duration(seconds: float) -> str:
    """A time for people: 5 s, 3 min."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def width_of(stream: TextIO) -> int:
    """How wide a stream is that is a terminal; 0 for any other."""
    return columns(stream) if stream.isatty() else 0


def columns(stream: TextIO) -> int:
    """How wide a terminal is."""
    from plait.access.pager import terminal_size

    try:
        return terminal_size(stream.fileno())[0]
    except (OSError, ValueError, AttributeError):  # a stream of a test
        return 80


GRACE = 2
"""Seconds that the meter has to end a run before the timer does."""


def patience(seconds: float) -> float:
    """When the timer goes off that backs up the meter."""
    return seconds * 1.25 + GRACE


def setting(args: Namespace, name: str) -> str:
    """A variable of the environment that stands for an option; a hermetic run has none."""
    return "" if args.hermetic else variable(name)


def workspace_of(args: Namespace, folder: str = ".", remembers: bool = False) -> Workspace:
    """The workspace that a command's common options describe. A command that runs for long `remembers`."""
    from plait.workspace import Workspace
    from plait.yaml.write_choices import WriteChoices

    budgets = {name[4:]: value for name, value in vars(args).items() if name.startswith("max_") and value is not None}
    console = getattr(args, "console", None)
    progress = console.progress.tell if console is not None and console.progress is not None else None
    workspace = Workspace(
        folder,
        allow=args.allow,
        deny=args.deny,
        budgets=budgets,
        cache=not args.no_cache,
        progress=progress,
        hermetic=args.hermetic,
        jobs=jobs_of(args),
        elsewhere=_elsewhere(args),
        publishes=getattr(args, "publishes", False),
        reveals=args.reveal,
        is_personal=_is_personal(args),
        remembers=remembers,
        writing=WriteChoices(getattr(args, "in_place", False), getattr(args, "journal", None) or "", _teller(args)),
    )
    args.workspace = workspace
    project = workspace.project
    project.notes = getattr(args, "notes", None)
    if project.guard.sink == REPORT:
        project.trace.variable("CI")
    if getattr(args, "timer", None) is not None:
        args.timer.extend(patience(project.meter.budgets.seconds))
        project.meter.clock.renew = args.timer.restart
    if hasattr(args, "layer"):
        args.layer = layers_of(args, workspace)
    return workspace


def _elsewhere(args: Namespace) -> Elsewhere | None:
    """The other machines that a command names."""
    if not getattr(args, "executor", None):
        return None
    from plait.distributed.engines import connect
    from plait.distributed.remote import RemoteWorkers

    workers = args.elsewhere = RemoteWorkers(connect(args.executor))
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


def layers_of(args: Namespace, workspace: Workspace) -> list[str]:
    """The layers that a command names: as files, or by the name of a target; a folder may be a target by itself."""
    target = getattr(args, "target", None)
    if bool(target) == bool(args.layer):
        from plait.report.catalog import BAD_OPTION

        why = "give layers or a target, not both" if target else "no layers given"
        raise BAD_OPTION.error(why=why, hint="name the files, lowest first, or a target with --target")
    layers = folder_first(args.layer)
    said = given_of(args)
    if not target and (getattr(args, "spiff", False) or getattr(args, "front", "") == "spiff"):
        args.opened = workspace.template(layers, said.get("template"))
        return []
    if not target and "template" in said:
        from plait.report.catalog import BAD_OPTION

        raise BAD_OPTION.error(why="--dialect and --features are for spiff templates", hint="add --spiff")
    if not target:
        args.opened = workspace.in_folder(layers[0], layers[1:], said) if args.layer else None
        check_fitting(args, args.opened)
        return [] if args.opened is not None else layers
    found = workspace.targets(said).find(target)
    check_fitting(args, found)
    if found.kind not in READ_AS_LAYERS or found.declaration.parameters.get("profile"):
        args.opened = found
        return []
    return found.readable


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
    found: Target | None = getattr(args, "opened", None)
    return found


def _is_personal(args: Namespace) -> bool:
    """Whether a report goes to the terminal of who wrote the files, and not to the log of a machine."""
    console = getattr(args, "console", None)
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
    return workspace.layers(args.layer, options, **words, declared=bool(getattr(args, "target", None)))


def _check_first(args: Namespace, workspace: Workspace) -> None:
    """A path before the layers, where other commands have it, is no missing file."""
    if args.command_name not in PATH_AS_OPTION or len(args.layer) < 2:
        return
    first, *others = args.layer
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
    if not hasattr(args, "recognised"):
        found = workspace.recognised(args.layer) if not getattr(args, "target", None) else None
        args.recognised = found.profile if found is not None else ""
        guessed = found if found is not None and not found.is_set else None
        if guessed is not None and writes_file(args):
            from plait.report.catalog import BAD_OPTION

            why = f"these layers would be merged as {guessed.tool} does: {guessed.why}"
            hint = f"a file is written only if that is explicit: add --profile {guessed.profile} or --profile none"
            raise BAD_OPTION.error(why=why, hint=hint)
        if guessed is not None:
            args.console.say(guessed.note)
    profile: str = args.recognised
    return profile


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


def standard_console(color: str = "auto") -> Console:
    return Console(sys.stdout, sys.stderr, color)
