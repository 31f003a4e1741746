"""What is said about values that are not known: how many there are and why, with one of them as an example."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.path import format_path
from plait.core.unknown import unknown_values
from plait.report.catalog import DENIED, VALUES_UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node, Unknown
    from plait.core.path import Path


class UnknownValue:
    """A value that is not known, its path, and what it is a value of, in words."""

    __slots__ = ("owner", "path", "value")

    def __init__(self, path: Path, value: Unknown, owner: str = "") -> None:
        self.path = path
        self.value = value
        self.owner = owner

    @property
    def where(self) -> str:
        """The place in words."""
        return f"{format_path(self.path) or 'the whole'}{self.owner}"


def unknown_in(root: Node | None, above: Path = ()) -> list[UnknownValue]:
    """The values of a finished tree that are not known, of one that is at a path."""
    return [UnknownValue((*above, *path), value) for path, value in unknown_values(root)] if root is not None else []


def not_known_here(values: list[UnknownValue]) -> list[Diagnostic]:
    """One warning for each reason for which values are not known, with the first of these values."""
    reasons: dict[str, list[UnknownValue]] = {}
    for found in {(one.owner, one.path): one for one in values}.values():
        reasons.setdefault(found.value.why, []).append(found)
    return [_warning(why, found) for why, found in reasons.items()]


def _warning(why: str, found: list[UnknownValue]) -> Diagnostic:
    first = found[0]
    label = Label(first.value.origin, first.where, len(first.value.expression))
    count = f"{len(found)} values are" if len(found) > 1 else "1 value is"
    reason = first.value.diagnostics[0]
    is_denied, has_advice = reason.code == DENIED.code, why.endswith(")")
    told = is_denied or has_advice or reason.message.endswith(why)
    hint = "" if is_denied and has_advice else reason.hint
    return VALUES_UNKNOWN(label, count=count, why=why, notes=() if told else (reason.message,), hint=hint)
