"""The entry point of the command line: help and version at once; anything else loads the command that runs."""

from __future__ import annotations

import sys

from plait.apps.cli.commands import COMMANDS, EXIT_STATUSES, GROUPS
from plait.version import __version__


def main(argv: list[str] | None = None, own: bool = False) -> int:
    """Run one command. Returns its exit status. `own` says that the process has nothing else to do: the kernel may
    limit it."""
    words = sys.argv[1:] if argv is None else argv
    if any(word.startswith(("-C", "--chdir")) for word in words):
        from plait.apps.cli.folder import run_in_folder, split_folders

        if split_folders(words)[0]:
            return run_in_folder(words, lambda rest: main(rest, own))
    if not words or words in (["-h"], ["--help"], ["help"]):
        sys.stdout.write(fitting_overview() if sys.stdout.isatty() else overview())
        return 0 if words else 2
    if words in (["-V"], ["--version"], ["version"]):
        sys.stdout.write(version_text())
        return 0
    if words[0] in ("-V", "--version"):
        words = ["version", *words[1:]]
    from plait.apps.cli.run import run

    return run(words, own)


def fitting_overview() -> str:
    """The same for a terminal as narrow as it may be."""
    from plait.apps.cli.console import columns
    from plait.apps.cli.fitting import filled

    return filled(overview(), columns(sys.stdout))


def version_text() -> str:
    """What `plait --version` prints."""
    return f"plait {__version__}\n"


def overview() -> str:
    """What `plait --help` shows, without loading anything."""
    width = max(map(len, COMMANDS))
    lines = ["plait merges layered YAML files into one configuration and shows where every value comes from.", ""]
    lines += ["  plait merge base.yaml prod.yaml", "  plait explain vars.net base.yaml prod.yaml"]
    for heading, commands in GROUPS.items():
        lines += ["", f"{heading}:"]
        lines += [f"  {name.ljust(width)}  {summary}" for name, summary in commands.items()]
    lines += ["", "plait COMMAND --help describes a command, plait help topics lists the pages. " + EXIT_STATUSES]
    return "\n".join(lines) + "\n"
