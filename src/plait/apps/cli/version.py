"""`plait version`: the version, and with `--verbose` what it runs on."""

from __future__ import annotations

import os
import sys

from plait.access.kernel import abilities
from plait.apps.cli import version_text
from plait.apps.cli.command import PRINTING, Command, Option
from plait.apps.cli.console import OK, Console
from plait.version import COMMIT, DOCUMENTATION, SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    if not args.verbose:
        console.print(version_text())
    else:
        from plait.core.native import in_use as reader_in_use

        commit = built_from()
        args.run.confine()
        console.print(version_text().rstrip("\n") + f"{commit}\n")

        console.print(f"Python {sys.version.split()[0]}\nreader: {reader_in_use()}\n")
        console.print("".join(f"{line}\n" for line in enforced()))
        addresses = {"source": SOURCE, "documentation": DOCUMENTATION}
        console.print("".join(f"{name}: {address}\n" for name, address in addresses.items() if address))
    return OK


def built_from() -> str:
    """The commit that this was built from, or that the checkout is at, in brackets; empty where nobody knows."""
    from plait.access.gitfolder import commit_at
    from plait.access.process import PACKAGE

    commit = COMMIT or commit_at(os.path.realpath(os.path.join(PACKAGE, "..", "..")))
    return f" (commit {commit[:12]})" if commit else ""


def enforced() -> list[str]:
    """What the kernel enforces on commands here, or why it does not."""
    return [f"enforced by the kernel: {what}: {why or 'yes'}" for what, why in abilities().items()]


COMMAND = Command(
    "version",
    "Print the version of plait.",
    ("plait version", "plait version --verbose"),
    run,
    options=(
        Option(
            "--verbose",
            "also print the commit, Python's version, the YAML reader, what the kernel enforces, and addresses",
        ),
    ),
    common=PRINTING,
    later=True,
)
