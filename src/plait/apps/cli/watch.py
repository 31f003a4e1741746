"""`plait watch`: run a command again whenever something changes that it read."""

from __future__ import annotations

import gc
import io
import os
from functools import partial
from time import sleep

from plait.access.process import Interrupts
from plait.access.trace import stamp_now
from plait.apps.cli.command import PRINTING, Argument, Command, Option, always
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.console import OK, USAGE, Console
from plait.apps.cli.run import answered, find, read_words
from plait.report.catalog import BAD_OPTION
from plait.report.lines import differing
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.access.trace import AccessTrace
    from plait.apps.cli.namespace import Namespace

PAUSE = 0.5
"""Seconds between two looks at the disk, where the system does not report changes."""
QUIET = 0.15
"""Seconds without a change after which the command runs again: programs often write several files at once."""
SHOWN = 5
"""How many changed files are named."""
REFUSED = {
    *("apply", "cache clear", "completion", "create", "help", "lsp", "patterns new", "regenerate", "schema", "serve"),
    *("set", "stack set", "stack unset", "trust", "unset", "version", "watch"),
}
"""Commands that write, or that no change of a file can make answer differently."""


def run(args: Namespace, console: Console) -> int:
    name, words = find(args.command)
    if name is None:
        raise BAD_OPTION.error(why=f"unknown command `{words[0]}`", hint=did_you_mean(words[0], COMMANDS))
    if name in REFUSED:
        why = f"`{' '.join(args.command[:2])}` cannot be watched"
        raise BAD_OPTION.error(why=why, hint="watch a command that reads, as in: plait watch describe stacks -s dev")
    args.run.stop_timer()
    try:
        with Interrupts() as interrupts:
            return _watched(name, words, console, args.diff, interrupts)
    except KeyboardInterrupt:
        console.say("stopped")
        return OK


def _watched(name: str, words: list[str], console: Console, diff: bool, interrupts: Interrupts) -> int:
    """Run the command, wait, and run it again, until the user interrupts it."""
    before: str | None = None
    while True:
        inner = read_words(load(name), words)
        if inner is None:
            return USAGE
        out = io.StringIO()
        if answered(load(name), inner, Console(out, console.err, console.color), words) == 130:
            raise KeyboardInterrupt
        text = out.getvalue()
        console.print(text if before is None or not diff else difference(before, text))
        console.flush()
        before = text
        trace = _trace(inner)
        if trace is None:
            return USAGE
        del inner
        gc.collect()
        changed = once_quiet(partial(_changes, trace), _looks(trace, interrupts))
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        console.say(f"changed: {', '.join(map(os.path.relpath, changed[:SHOWN]))}{more}")


def _trace(args: Namespace) -> AccessTrace | None:
    """What a command that has run depended on; None where it did not come so far as to read anything."""
    replayed, workspace = args.run.replayed, args.run.workspace
    return replayed if replayed is not None or workspace is None else workspace.project.trace


def _changes(trace: AccessTrace) -> list[str]:
    """The names of everything that a command asked for and that is different now."""
    return [*trace.changed_files(), *trace.changed_places()]


def once_quiet(changes: Callable[[], list[str]], looks: Iterator[object]) -> list[str]:
    """Wait for a change, and then until nothing changes any more; the names of what changed."""
    found: list[str] = []
    for _ in looks:
        found = changes()
        if found:
            break
    state: object = None
    while state != (state := [(name, stamp_now(name)) for name in found]):
        sleep(QUIET)
        found = changes()
    return found


def _looks(trace: AccessTrace, interrupts: Interrupts) -> Iterator[object]:
    """Iterates once for each possible change: when the system reports one, or at regular intervals."""
    folders = sorted({os.path.dirname(os.path.abspath(name)) for name in trace.files} | {*trace.folders})
    try:
        from watchfiles import watch
    except ImportError:
        while True:
            interrupts.check()
            sleep(PAUSE)
            yield None
    existing = [folder for folder in folders if os.path.isdir(folder)]
    often = int(PAUSE * 1000)
    for changes in watch(*existing, recursive=False, debounce=50, step=20, rust_timeout=often, yield_on_timeout=True):
        interrupts.check()
        yield changes


def difference(before: str, after: str) -> str:
    """What changed between two answers, as lines with `-` and `+`; empty where nothing did."""
    lines = differing(before, after, "before", "after")
    shown = ("@@" if line.startswith("@@") else line.rstrip("\n") for line in list(lines)[2:])
    return "".join(f"{line}\n" for line in shown)


COMMAND = Command(
    "watch",
    "Run a command, and run it again whenever something changes that it read, listed or looked for. Ctrl-C ends it.",
    ("plait watch describe component vpc -s plat-ue1-prod", "plait watch --diff merge base.yaml prod.yaml"),
    run,
    (Argument("COMMAND", "the command with its arguments", "+"),),
    (Option("--diff", "after the first answer, print what changed instead of all of it"),),
    common=PRINTING,
    asks_git=always,
)
