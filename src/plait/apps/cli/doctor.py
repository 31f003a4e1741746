"""`plait doctor`: what is installed, enforced, allowed, cached and recognised here, on one screen for a bug report."""

from __future__ import annotations

import os
import platform
import sys

from plait.access.guard import GRANTED
from plait.access.kernel import abilities
from plait.apps.cli.command import Argument, Command, Option
from plait.apps.cli.console import FAILED, OK, Console
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.targets import NOTHING
from plait.apps.cli.version import built_from
from plait.core.diagnostic import Fault
from plait.core.visible import one_line
from plait.fronts.catalog import listed
from plait.keeping.folder import cache_folder, contents
from plait.report.catalog import BAD_OPTION, NO_FILE
from plait.report.installing import PACKAGES
from plait.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Workspace

MEGABYTE = 1_000_000
MODULES = {"jsonschema-rs": "jsonschema_rs", "google-auth": "google.auth", "azure-identity": "azure.identity"}
"""What is imported of packages whose modules have another name."""


def run(args: Namespace, console: Console) -> int:
    return checked(args, console) if args.check else print_facts(args, console)


def checked(args: Namespace, console: Console) -> int:
    """The questions of `--check`: first those to commands, which limit themselves, then this process asks."""
    from plait.apps.cli.checking import Check

    check = Check(args.folder or ".")
    try:
        status, _, trouble = check.find()
    except FileNotFoundError:
        raise NO_FILE.error(name=check.folder) from None
    except OSError as error:
        why = f"`{check.folder}` cannot be opened as a folder: {error.strerror}"
        raise BAD_OPTION.error(why=why, hint="name the folder whose targets are asked about") from None
    if status:
        console.say(trouble.rstrip())
        return status
    if not check.targets:
        console.say(NOTHING)
        return OK
    check.ask()
    args.run.confine()
    check.library(workspace_of(args, check.folder))
    differs = any(one.difference for one in check.made)
    _print(console, args.format, check.data(), check.lines())
    if differs:
        console.say("this is a bug in plait; please report it with what `plait doctor` prints")
    return FAILED if differs else OK


def print_facts(args: Namespace, console: Console) -> int:
    commit = built_from()
    args.run.confine()
    workspace = workspace_of(args, args.folder or ".")
    workspace.project.present(args.folder or ".")
    found = facts(workspace, commit)
    width = max(map(len, found))
    _print(console, args.format, found, (f"{name.ljust(width)}  {_shown(value)}" for name, value in found.items()))
    return OK


def _print(console: Console, form: str, data: Mapping[str, object], lines: Iterable[str]) -> None:
    if form == "json":
        from plait.report.data import json_text

        console.print(json_text(data))
    else:
        console.print("".join(f"{one_line(line)}\n" for line in lines))


def facts(workspace: Workspace, commit: str) -> dict[str, str | list[str]]:
    """Everything that a report of a bug should say, by what it is about. Nothing of it is a value of a file."""
    from plait.core.native import in_use as reader_in_use

    kernel = [f"{what}: {why or 'yes'}" for what, why in abilities().items()]
    return {
        "plait": f"{__version__}{commit}",
        "Python": f"{platform.python_version()} on {platform.system()} {platform.release()} {platform.machine()}",
        "installed in": _short(sys.prefix),
        "reader": reader_in_use(),
        "enforced by the kernel": kernel,
        "can be used": [part for part in PACKAGES if _has(part)],
        "not installed": [part for part in PACKAGES if not _has(part)],
        "project": _short(workspace.project.root),
        "recognised": _targets(workspace),
        "allowed": _allowed(workspace),
        "trusted": _trusted(workspace.project.root),
        "cache": _cache(),
    }


def _shown(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "; ".join(value) or "nothing"


def _short(path: str) -> str:
    """A path without the name of the user."""
    home = os.path.expanduser("~")
    return f"~{path.removeprefix(home)}" if os.path.isabs(home) and path.startswith(os.path.join(home, "")) else path


def _has(part: str) -> bool:
    """Whether the packages of a part are installed."""
    from importlib.util import find_spec

    names = [package.partition(">")[0].partition("[")[0] for package in PACKAGES[part]]
    try:
        return all(find_spec(MODULES.get(name, name)) is not None for name in names)
    except ModuleNotFoundError:  # of `google.auth`, `google`
        return False


def _targets(workspace: Workspace) -> list[str]:
    """How many targets of each kind there are; an error of the settings instead."""
    try:
        kinds = [str(row["kind"]) for row in listed(workspace.world())]
    except Fault as error:
        return [f"{error.diagnostics[0].code}: {error.diagnostics[0].message}"]
    return [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)] or ["no targets"]


def _allowed(workspace: Workspace) -> list[str]:
    names = sorted(workspace.project.guard.allowed)
    return [f"{name} (default)" if name in GRANTED else name for name in names]


def _trusted(root: str) -> list[str]:
    from plait.fronts.trust import read_trust

    around = {folder: allow for folder, allow in read_trust().items() if f"{root}/".startswith(f"{folder}/")}
    return [f"{_short(folder)}: {', '.join(allow)}" for folder, allow in around.items()]


def _cache() -> str:
    found = contents().values()
    count, size = sum(row[0] for row in found), sum(row[1] for row in found)
    return f"{count} file{'s' * (count != 1)}, {size / MEGABYTE:.1f} MB in {_short(cache_folder())}"


COMMAND = Command(
    "doctor",
    "Show what is installed, enforced, allowed, cached and recognised here: paste it into a report of a bug.",
    ("plait doctor", "plait doctor --check", "plait doctor --check infra"),
    run,
    (Argument("FOLDER", "the folder to ask about (default: this one)", "?"),),
    (
        Option(
            "--check",
            "ask about targets here in several ways (cached, in Python, in two processes, one by one, explained), and "
            "compare the answers; exit status 1 where one differs",
        ),
    ),
    more="plait help safety",
    later=True,
)
