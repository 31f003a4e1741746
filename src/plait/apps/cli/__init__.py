"""The entry point of the command line: help and version at once; anything else loads the command that runs."""

from __future__ import annotations

import sys

from plait import __version__
from plait.apps.cli.commands import COMMANDS, EXIT_STATUSES, GROUPS


def main(argv: list[str] | None = None) -> int:
    """Run one command. Returns its exit status."""
    words = sys.argv[1:] if argv is None else argv
    if words[:1] == ["help"] and len(words) > 1:
        words = [*words[1:], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        sys.stdout.write(overview())
        return 0 if words else 2
    if words[0] in ("-V", "--version", "version"):
        sys.stdout.write(version("--verbose" in words))
        return 0
    from plait.apps.cli.run import run

    return run(words)


def version(verbose: bool) -> str:
    """The version, and with `--verbose` what it runs on."""
    if not verbose:
        return f"plait {__version__}\n"
    from plait.workspace import reader_in_use

    return f"plait {__version__}\nPython {sys.version.split()[0]}\nreader: {reader_in_use()}\n"


def overview() -> str:
    """What `plait --help` shows, without loading anything."""
    width = max(map(len, COMMANDS))
    lines = ["plait merges layered YAML into one configuration and can say where every value came from.", ""]
    lines += ["  plait merge base.yaml prod.yaml", "  plait explain vars.net base.yaml prod.yaml"]
    for heading, commands in GROUPS.items():
        lines += ["", f"{heading}:"]
        lines += [f"  {name.ljust(width)}  {summary}" for name, summary in commands.items()]
    lines += ["", "plait COMMAND --help tells more. " + EXIT_STATUSES]
    return "\n".join(lines) + "\n"
