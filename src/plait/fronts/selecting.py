"""The names of targets, and those that a command names."""

from __future__ import annotations

from plait.report.catalog import NO_TARGET
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from plait.core.diagnostic import PlaitError

SAME_NAME = " (target)"
"""What follows the name of a target of plait.yaml where a stack has the same name."""


def beside_stacks(targets: Iterable[str], stacks: Collection[str]) -> dict[str, str]:
    """The names that targets of plait.yaml have beside some stacks, each with its name in plait.yaml."""
    return {f"{name}{SAME_NAME}" if name in stacks else name: name for name in targets}


def own_name(name: str) -> str:
    """The name that a target has in plait.yaml."""
    return name.removesuffix(SAME_NAME)


def selected(names: Collection[str], only: Collection[str]) -> list[str]:
    """Those of these targets that are wanted, in their order; all of them where none is named. A name that a stack and
    a target share means both."""
    unknown = sorted(set(only).difference(names))
    if unknown:
        raise no_target(unknown[0], names)
    return [name for name in names if not only or name in only or own_name(name) in only]


def no_target(name: str, known: Collection[str]) -> PlaitError:
    """What is reported for a name that is not among these."""
    available = f"available: {', '.join(known)}" if known else "declare it under `targets` in plait.yaml"
    return NO_TARGET.error(name=name, hint=did_you_mean(name, known) or available)
