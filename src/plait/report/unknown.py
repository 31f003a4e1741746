"""What is said about values that could not be computed: how many are not known and why, with one of them as an example;
and whose values have mistakes."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.node import Overlay
from plait.core.path import format_path
from plait.core.unknown import unknown_values
from plait.core.visible import counted, one_line
from plait.report.catalog import DENIED, VALUES_UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Failure, Node, Unknown
    from plait.core.path import Path


LONG = 80
"""How much of an expression is shown beside its place."""


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


def unknown_in(root: Node | None, above: Path = (), owner: str = "") -> list[UnknownValue]:
    """The values of a finished tree that are not known, of one that is at a path."""
    found = unknown_values(root) if root is not None else ()
    return [UnknownValue((*above, *path), value, owner) for path, value in found]


def unknown_data(values: list[UnknownValue]) -> list[dict[str, object]]:
    """The same as data: where each value is, what would give it, and why it is not known."""
    return [
        {
            "path": format_path(one.path),
            **({"of": one.owner.removeprefix(" of ")} if one.owner else {}),
            "file": (origin := one.value.origin).file,
            "line": origin.line,
            "column": origin.column,
            "expression": one.value.expression,
            "reason": one.value.why,
        }
        for one in values
    ]


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


def nothing_to_deploy(error: Fault) -> Fault:
    """The error of a result that is deployed: it names every value that is not known, by what they need."""
    groups: dict[tuple[str, str, str], list[tuple[Diagnostic, UnknownValue]]] = {}
    refused: set[Diagnostic] = set()
    for value in error.unknown:
        assert isinstance(value, UnknownValue)
        for reason in value.value.diagnostics[:1]:
            groups.setdefault((reason.code, reason.message, reason.hint), []).append((reason, value))
        refused.update(value.value.diagnostics)
    wrong = [finding for finding in error.diagnostics if finding not in refused]
    return Fault(*wrong, *map(_refusal, groups.values()))


def _refusal(found: list[tuple[Diagnostic, UnknownValue]]) -> Diagnostic:
    """One reason, with the place of every value that needs it, and what reads these values."""
    places: dict[tuple[object, int], UnknownValue] = {}
    readers: list[str] = []
    for reason, value in found:
        place = (reason.labels[0] if reason.labels else Label(value.value.origin)).origin
        own = value.value.origin
        if (own.source, own.at) == (place.source, place.at) and (own.source, own.at) not in places:
            places[own.source, own.at] = value
        else:
            readers.append(value.where)
    reason = found[0][0]
    count = f"{len(found)} values are" if len(found) > 1 else "1 value is"
    message = f"{count} not known, so there is nothing to deploy: {reason.message}"
    notes = [f"also not known: {', '.join(readers)}"] if readers else []
    labels = tuple(_place(value, alone=len(places) == 1) for value in places.values()) or reason.labels
    return Diagnostic(reason.code, message, labels, (*reason.notes, *notes), reason.hint, reason.severity)


def _place(value: UnknownValue, alone: bool) -> Label:
    """The place of a value; where it is one of several, their lines are not shown, so it says what is written."""
    written = value.value.expression
    text = value.where if alone else f"{value.where}: {one_line(written)[:LONG]}"
    return Label(value.value.origin, text, len(written))


class FailedValue:
    """A value that a mistake in the files prevents, its path, what it is a value of, and what is written there."""

    __slots__ = ("owner", "path", "value", "written")

    def __init__(self, path: Path, value: Failure, owner: str, written: Node | None) -> None:
        self.path = path
        self.value = value
        self.owner = owner
        self.written = written

    @property
    def where(self) -> str:
        """The place in words."""
        return f"{format_path(self.path) or 'the whole'}{self.owner}"

    def holds(self, label: Label) -> int:
        """Where the text of the value that a label is in begins, or -1."""
        parts = self.written.parts if isinstance(self.written, Overlay) else (self.written,)
        place = label.origin
        return max((one.at for one in parts if one and one.source is place.source and one.at <= place.at), default=-1)


def wrong_here(values: list[FailedValue]) -> list[Diagnostic]:
    """Each mistake once, with the value that it is in: other values may need that one."""
    found: dict[Diagnostic, list[FailedValue]] = {}
    for value in values:
        for finding in value.value.diagnostics:
            found.setdefault(finding, []).append(value)
    return [_owned(*one) for one in found.items()]


def _owned(finding: Diagnostic, values: list[FailedValue]) -> Diagnostic:
    if not finding.labels:
        return finding.also_noting(f"at {values[0].where}")
    label, *others = finding.labels
    best = max(values, key=lambda value: value.holds(label))
    said = best.where if best.holds(label) >= 0 else f"needed by {values[0].where}"
    more = len({value.owner for value in values}) - 1
    notes = [f"the same in {counted(more, 'other component')}"] if more else []
    if label.text:
        return finding.also_noting(said, *notes)
    named = Label(label.origin, said, label.length)
    return Diagnostic(
        finding.code, finding.message, (named, *others), (*finding.notes, *notes), finding.hint, finding.severity
    )
