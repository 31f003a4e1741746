"""Run one command: find it, parse its arguments, and turn every outcome into an exit status."""

from __future__ import annotations

import gc
import os
import sys

from plait.access.environment import variable
from plait.access.process import OutOfTime, Timer, silence
from plait.access.sinks import SECRET, is_kept
from plait.apps.cli.arguments import WrongUsage, parse
from plait.apps.cli.command import HELP_FLAGS, Command, help_of
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.console import FAILED, OK, USAGE, Console, NotPrinted, columns, for_terminal, standard_console
from plait.apps.cli.opening import form_of, patience
from plait.core.diagnostic import Diagnostic, PlaitError
from plait.core.meter import DEFAULTS, Overrun
from plait.core.visible import counted
from plait.report.catalog import CATALOG, NO_MEMORY, NOT_DONE, SYSTEM, TOO_DEEP, TOO_SLOW, UNWRITABLE
from plait.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.access.pager import Screen
    from plait.apps.cli.namespace import Namespace
    from plait.keeping.keeper import Keeper
    from plait.keeping.notes import RunNotes
    from plait.workspace import Workspace


WHY = "--why-computed"
SWITCHES = (
    "--pager",
    "--no-pager",
    "--no-color",
    "--strict",
    "--reveal",
    "--no-cache",
    "--hermetic",
    "--verbose",
    "--quiet",
    "--diff",
    WHY,
)
"""Flags without a value that may be before a command, as in Atmos."""
PAGED = {
    *("merge", "explain", "blame", "lint", "layers", "why-not", "get", "diff", "review", "verify", "targets", "spiff"),
    *("expand", "query", "patterns", "describe", "list", "validate", "functions", "schema", "help"),
}
"""The first words of commands that print an answer: one longer than the terminal is shown in the user's pager."""
FITTED = ("explain", "blame", "layers", "why-not", "diff", "review", "targets", "patterns", "list")
SENTENCES = ("explain", "layers", "why-not", "review")
FOR_PEOPLE = ("text", "table")
"""Commands that print tables for people, and the formats in which they do: rows are fitted to the terminal.
`SENTENCES`: what these print at the margin is never a line of a document."""
WATCH = "watch"
MASKED = "sensitive values are masked as `<sensitive>`; --reveal prints them"


def run(words: list[str], own: bool = False) -> int:
    """Run the command that the first words name, with the others as its arguments, and return its exit status. `own`:
    the process ends with it."""
    gc.disable()  # a command is short, makes many objects and hardly any garbage
    name, rest = find(words)
    if name is None:
        return _no_command(rest)
    if name == WATCH:
        rest = [*rest[: (at := _leading(rest))], "--", *rest[at:]]  # what follows belongs to another command
    command = load(name)
    if command.grow is not None:
        command = command.grow(command, rest)
    if any(word in HELP_FLAGS for word in rest):
        sys.stdout.write(_help(command))
        return OK
    args = read_words(command, rest)
    if args is None:
        return USAGE
    args.run.is_own_process = own
    color = "never" if getattr(args, "no_color", None) == "true" else args.color
    color = "always" if getattr(args, "force_color", None) == "true" else color
    screen = screen_for(command, args) if sys.stdout.isatty() else None
    console = standard_console(color) if screen is None else Console(screen.out, screen.err, color)
    console.quiet = args.quiet
    undone = [one for one in command.options if one.undone and getattr(args, one.name) not in (None, [], "false")]
    if undone:
        console.report([NOT_DONE(flag=one.flags[-1], why=one.undone) for one in undone])
    try:
        return answered(command, args, console, rest)
    finally:
        if screen is not None:
            screen.close()


def _help(command: Command) -> str:
    """The help of a command, as wide as the terminal is."""
    if not sys.stdout.isatty():
        return help_of(command)
    from plait.apps.cli.fitting import filled

    return for_terminal(filled(help_of(command), columns(sys.stdout)))


def answered(command: Command, args: Namespace, console: Console, words: list[str]) -> int:
    """Run a command whose words were read; print its earlier answer where that is kept and still true."""
    if not command.kept(args) or args.no_cache or args.reveal:
        status = execute(command, args, console)
        if getattr(args, "why_computed", False):
            console.say("computed: no cached answer is used here")
        return status
    return kept(command, args, console, [command.name, *(word for word in words if word != WHY)])


def screen_for(command: Command, args: Namespace) -> Screen | None:
    """The terminal, for a command that prints an answer: with the user's pager, and tables that fit."""
    first = command.name.partition(" ")[0]
    if first not in PAGED:
        return None
    from plait.access.pager import Screen, pager_command

    return Screen(sys.stdout, sys.stderr, pager_command() if wants_pager(args) else [], fit_for(first, args))


def fit_for(first: str, args: Namespace) -> Callable[[str], str] | None:
    """How the output of a command is fitted to the terminal: tables by their cells, pages of the help as prose."""
    help_page = first == "help" and not args.man
    if not help_page and (first not in FITTED or form_of(args) not in FOR_PEOPLE):
        return None
    from plait.apps.cli.fitting import filled, fitted

    width, prose = columns(sys.stdout), first in SENTENCES
    return lambda text: filled(text, width) if help_page else fitted(text, width, prose)


def wants_pager(args: Namespace) -> bool:
    """Whether long output may be shown in a pager: not with `--no-pager`, or `--pager=false` as in Atmos."""
    return not getattr(args, "no_pager", False) and getattr(args, "pager", None) not in ("false", "off", "0")


def kept(command: Command, args: Namespace, console: Console, words: list[str]) -> int:
    """The answer of an earlier run where it is still true; else run the command, and keep its answer."""
    from plait.keeping.question import Recording, has_answer, question_of

    question = question_of(__version__, words, console.terminals())
    recording = Recording(lambda: keeper_of(question))
    recorded = Console(*recording.streams(console.out, console.err), console.color)
    recorded.quiet = console.quiet
    again = replaying(command, recording.keeper(), console) if has_answer(question) else command.run
    notes = args.run.notes = new_notes()
    try:
        outcome = executed(command, args, recorded, again)
        workspace = args.run.workspace
        if outcome.is_answer and workspace is not None and (is_kept(SECRET) or not recorded.masked):
            recording.keep(outcome.status, workspace.followed(), notes.left)
        if args.why_computed:
            console.say(why_computed(notes, workspace))
        return outcome.status
    finally:
        recording.close()


def why_computed(notes: RunNotes, workspace: Workspace | None) -> str:
    """Say why an answer was computed, or that it was not; and why it is not cached."""
    if notes.why is None:
        return "not computed: the answer of an earlier run holds"
    reused = f"; the answers about {counted(notes.reused, notes.reused_of)} are as before" if notes.reused else ""
    reasons = sorted(workspace.project.trace.unfollowed) if workspace is not None else []
    unkept = f"; not kept: {', '.join(reasons)}" if reasons else ""
    return f"computed: {notes.why}{reused}{unkept}"


def new_notes() -> RunNotes:
    from plait.keeping.notes import RunNotes

    return RunNotes()


def keeper_of(question: bytes) -> Keeper:
    from plait.keeping.keeper import Keeper

    return Keeper(question)


def replaying(command: Command, keeper: Keeper, console: Console) -> Callable[[Namespace, Console], int]:
    """A command that prints its earlier answer on the console where that is still true, and else runs."""

    def run(args: Namespace, recorded: Console) -> int:
        status = keeper.replay(console.out, console.err)
        notes = args.run.notes
        assert notes is not None
        notes.why = keeper.why
        if status is not None:
            args.run.replayed = keeper.trace
            return status
        notes.earlier = keeper.outdated()
        return command.run(args, recorded)

    return run


def find(words: list[str]) -> tuple[str | None, list[str]]:
    """The command's name, of two words or one, and what follows it; flags may be before it."""
    flags = _leading(words)
    words, before = words[flags:], words[:flags]
    for count in (2, 1):
        name = " ".join(words[:count])
        if name in COMMANDS and len(words) >= count:
            return name, [*before, *words[count:]]
    return None, words or before


def _leading(words: list[str]) -> int:
    """How many words before the command are flags and their values."""
    count = 0
    while count < len(words) and words[count].startswith("-"):
        count += 1 if "=" in words[count] or words[count] in SWITCHES else 2
    return min(count, len(words))


def _no_command(words: list[str]) -> int:
    from plait.apps.cli.mistaken import unfinished_command, unknown_command

    below = [name for name in COMMANDS if name.startswith(words[0] + " ")]
    standard_console().say(unfinished_command(words, below) if below else unknown_command(words, COMMANDS))
    return OK if below and any(word in HELP_FLAGS for word in words) else USAGE


def read_words(command: Command, words: list[str]) -> Namespace | None:
    """The values that the words give, or None after saying what is wrong with them."""
    try:
        args = parse(command, words)
        for warning in args.renamed:
            standard_console().say(warning)
        return args
    except WrongUsage as wrong:
        standard_console().say(f"plait {command.name}: {wrong}\nsee `plait {command.name} --help`")
        return None


class RunEnd:
    """How a run ended: its exit status, and whether what it printed is its whole answer."""

    __slots__ = ("is_answer", "status")

    def __init__(self, status: int, is_answer: bool = False) -> None:
        self.status = status
        self.is_answer = is_answer


def execute(command: Command, args: Namespace, console: Console) -> int:
    """Run the command and turn every exception into a clear error."""
    return executed(command, args, console, command.run).status


def executed(command: Command, args: Namespace, console: Console, run: Callable[[Namespace, Console], int]) -> RunEnd:
    """The same with another way to run it."""
    if args.run.is_own_process:
        from plait.core import native  # which prints of help need not load

        if native.large_pages is not None:
            native.large_pages()
    seconds = _seconds(args)
    args.run.console = console
    args.run.publishes = command.publishes(args)
    ends: list[Callable[[], None]] = []
    args.run.confine = lambda: ends.append(_confined(command, args))
    try:
        with Timer(patience(seconds)) as args.run.timer:
            if not command.later:
                args.run.confine()
            status = run(args, console)
            if console.masked:
                console.note(MASKED)
            if told := what_a_report_masks(args):
                console.note(told)
            if args.verbose is True and (read := what_was_read(args)):
                console.note(read)
            console.flush()
            _close(args)
        return RunEnd(status, True)
    except PlaitError as error:
        console.report(error.diagnostics, form_of(args), command.writes(args))
        _close(args)
        return RunEnd(USAGE if all(map(is_usage, error.diagnostics)) else FAILED, not isinstance(error, Overrun))
    except BrokenPipeError:
        silence(console.out.fileno())
        return RunEnd(OK)
    except NotPrinted as trouble:
        silence(console.out.fileno())
        console.report([UNWRITABLE(name="standard output", why=str(trouble))], form_of(args))
    except OSError as trouble:
        console.report([_unnoticed(trouble)], form_of(args))
    except OutOfTime:
        console.report([TOO_SLOW(limit=seconds, hint="--max-seconds raises the limit")], form_of(args))
    except RecursionError:
        hint = "files that name each other, or values in each other, make a chain that is too long"
        console.report([TOO_DEEP(limit=sys.getrecursionlimit(), hint=hint)], form_of(args))
    except MemoryError:
        args.run.workspace = None  # what it holds is needed to say so
        console.report([NO_MEMORY(hint="process fewer files or values at a time")], form_of(args))
    except KeyboardInterrupt:
        console.say("stopped")
        return RunEnd(130)
    finally:
        if args.run.elsewhere is not None:
            args.run.elsewhere.close()
        for end in ends:
            end()
    return RunEnd(FAILED)


def what_a_report_masks(args: Namespace) -> str:
    """The files that a report masks because the commit does not have them, and what to do; empty where there are
    none."""
    workspace = args.run.workspace
    committed = workspace.project.guard.committed if workspace is not None else None
    if committed is None or not committed.masked:
        return ""
    names = sorted({os.path.relpath(real) for real in committed.masked})
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    if committed.is_personal:
        return f"not in the commit: {shown}; a report that is published masks what is made of it"
    return f"masked because the commit does not have it: {shown} (`git add FILE`, or --reveal)"


def what_was_read(args: Namespace) -> str:
    """What a command read, for `--verbose`; empty for one that reads nothing."""
    workspace = args.run.workspace
    if workspace is None:
        return "the answer of an earlier run still holds" if args.run.replayed is not None else ""
    count = workspace.counters.files
    return f"{count} file{'s' * (count != 1)} read; the project is {workspace.project.root}"


def _confined(command: Command, args: Namespace) -> Callable[[], None]:
    """Let the kernel hold this process to what the command may do, if the process is its own."""
    if not args.run.is_own_process:
        return lambda: None
    from plait.apps.cli.confine import confined

    return confined(command, args)


def _seconds(args: Namespace) -> int:
    """How long the command may compute, as the user sets it."""
    given = variable("PLAIT_MAX_SECONDS")
    return (
        getattr(args, "max_seconds", None)
        or (int(given) if given.isdecimal() and len(given) < 10 else 0)
        or DEFAULTS.seconds
    )


def _unnoticed(trouble: OSError) -> Diagnostic:
    """An error of the system that was not expected where it happened: at least its file is named."""
    names = [os.fsdecode(name) for name in (trouble.filename, trouble.filename2) if isinstance(name, str | bytes)]
    return SYSTEM(name=" and ".join(names) or "a file", why=trouble.strerror or trouble.__class__.__name__)


def _close(args: Namespace) -> None:
    """Let the workspace that a command asked remember what it read."""
    if args.run.workspace is not None:
        args.run.workspace.close()


def is_usage(diagnostic: Diagnostic) -> bool:
    """Whether the words on the command line are at fault, rather than a file."""
    return CATALOG[diagnostic.code].usage and all(label.origin.source.given for label in diagnostic.labels)
