"""What every form of a review shows: equal changes folded, counts that add up."""

from __future__ import annotations

from collections import Counter

from plait.apps.cli.explanation import brief
from plait.core.node import Known, ListNode, Scalar, Unknown
from plait.core.path import format_path
from plait.core.source import MASK
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.review.finding import Effect
    from plait.review.review import CauseGroup, Review


class ReviewRow:
    """One change of a value, in all the targets that have the same."""

    __slots__ = ("after", "before", "document", "how", "kind", "path", "reads", "targets", "way")

    def __init__(self, effect: Effect, reveal: bool) -> None:
        self.document = effect.document
        self.path = format_path(effect.path)
        self.kind = effect.kind
        self.before = value_text(effect.before, reveal)
        self.after = value_text(effect.after, reveal)
        self.how = _how(effect.before, effect.after) if self.before == self.after else ""
        self.reads = _reads(effect.before, effect.after)
        self.targets: list[str] = []
        self.way = effect.way

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.document, self.path or "(everything)")))

    @property
    def change(self) -> str:
        """The value before and after, on one line."""
        if self.kind == "added":
            return f"added: {self.after}"
        if self.kind == "removed":
            return f"removed: {self.before}"
        if self.kind == "moved":
            return "moved"
        if self.reads:
            return f"{self.after} {self.reads}"
        if self.before == self.after:
            if self.before == MASK:
                return f"{self.before} (changed)"
            return f"{self.before} -> {self.after} ({self.how})"
        return f"{self.before} -> {self.after}"


def value_text(node: Node | None, reveal: bool) -> str:
    return "" if node is None else brief(node, reveal)


def _reads(before: Node | None, after: Node | None) -> str:
    """How a value that is not known changes; empty for any other change."""
    if not isinstance(before, Unknown) or not isinstance(after, Unknown):
        return ""
    old, new = one_line(before.expression), one_line(after.expression)
    if old == new:
        return f"from other inputs of `{new}`"
    old_words, new_words = old.split(" "), new.split(" ")
    while len(old_words) > 1 and len(new_words) > 1 and old_words[0] == new_words[0]:
        del old_words[0], new_words[0]
    while len(old_words) > 1 and len(new_words) > 1 and old_words[-1] == new_words[-1]:
        del old_words[-1], new_words[-1]
    return f"reads `{' '.join(new_words)}` instead of `{' '.join(old_words)}`"


def _how(before: Node | None, after: Node | None) -> str:
    """What differs between two values that look the same on one line."""
    if isinstance(before, Known) and isinstance(after, Known) and before.tag != after.tag:
        return " -> ".join(one_line(node.tag) if node.tag else "no tag" for node in (before, after))
    if _type(before) is not _type(after):
        return "another type"
    return "differs later in the string" if isinstance(before, Scalar) else "differs further inside"


def _type(node: Node | None) -> type:
    return node.value.__class__ if isinstance(node, Scalar) else node.__class__


def folded(group: CauseGroup, reveal: bool) -> list[ReviewRow]:
    """The changes of a cause, equal ones folded into one row, those of the most targets first."""
    rows: dict[tuple[str, ...], ReviewRow] = {}
    known: dict[tuple[object, ...], ReviewRow] = {}
    for effect in group.effects:
        same = (effect.document, effect.path, effect.kind, id(effect.before), id(effect.after))
        if same not in known:
            row = ReviewRow(effect, reveal)
            known[same] = rows.setdefault(
                (row.document, row.path, row.kind, row.before, row.after, row.how, row.reads), row
            )
        row = known[same]
        row.targets.append(effect.target)
        row.way = row.way or effect.way
    return sorted(rows.values(), key=lambda row: (-len(row.targets), row.document, row.path))


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def where(targets: list[str], kind: str) -> str:
    """In which targets a change is, short."""
    return f"in {targets[0]}" if len(targets) == 1 else f"in {count(len(targets), kind)}"


def headline(review: Review) -> str:
    """The whole review in one line."""
    values = count(len(review.values), "value") + (" changes" if len(review.values) == 1 else " change")
    total = f"{len(review.targets)} of {count(review.total, review.kind)}"
    errors = f"{count(len(review.broken), 'new error')}" if review.broken else "0 new errors"
    fixed = f", {count(len(review.fixed), 'error')} fixed" if review.fixed else ""
    return "; ".join(
        [
            f"{values} in {total}",
            count(len(review.groups), "cause"),
            f"{errors}{fixed}",
            *unsure(review),
            *masked(review),
        ]
    )


def masked(review: Review) -> list[str]:
    """How many values are masked because the commit does not have the files that they are made of, and what to do."""
    if not review.masked:
        return []
    files = ", ".join(review.withheld[:FEW]) + (
        f" and {len(review.withheld) - FEW} more" * (len(review.withheld) > FEW)
    )
    verb = "is" if review.masked == 1 else "are"
    return [f"{count(review.masked, 'value')} {verb} masked, not in the commit: {files} (`git add FILE`, or --reveal)"]


def unsure(review: Review) -> list[str]:
    """What was not compared by its values, and why."""
    lines = [
        f"{count(number, 'value')} {'is' if number == 1 else 'are'} compared by expression: {why}"
        for why, number in review.unknown.items()
    ]
    reasons = Counter(reason for _, _, reason, _ in review.not_compared)
    lines += [f"{count(number, 'result')} not compared: {why}" for why, number in reasons.items()]
    unseen = len(review.unseen)
    return [*lines, f"the effect of {count(unseen, 'changed line')} is not known"] if unseen else lines


def not_compared(review: Review) -> list[tuple[str, str]]:
    """The documents that were not compared, each with the message that says why; alike ones of many targets are one
    row."""
    alike: dict[tuple[str, str], list[str]] = {}
    for target, document, _, message in review.not_compared:
        alike.setdefault((document, message), []).append(target)
    rows = ((several(targets, review.kind), document, message) for (document, message), targets in alike.items())
    return [(" ".join(filter(None, (targets, document))), message) for targets, document, message in rows]


def several(targets: list[str], kind: str) -> str:
    """Some targets, the first few by name."""
    more = len(targets) - FEW
    return ", ".join(targets[:FEW]) + (f" and {count(more, f'more {kind}')}:" if more > 0 else "")


FEW = 3
"""How many targets that are alike are named."""


def idle_rows(review: Review) -> list[tuple[str, str]]:
    """The changed lines without effect, each with the reason. Files that nothing reads are one row, as is each file of
    code."""
    rows: dict[tuple[str, str], list[str]] = {}
    for hunk, why in review.idle:
        whole = why == review.unread or hunk.file in review.code
        key = (why, "" if why == review.unread else hunk.file if whole else f"{hunk.place} {id(hunk)}")
        rows.setdefault(key, []).append(hunk.file if whole else hunk.place)
    return [(_files(list(dict.fromkeys(places))), why) for (why, _), places in rows.items()]


def unseen_rows(review: Review, full: bool = False) -> list[tuple[str, str]]:
    """The changed lines whose effect is not known, those with one reason together: the first few, or all of them."""
    rows: dict[str, list[str]] = {}
    for hunk, why in review.unseen:
        rows.setdefault(why, []).append(hunk.place)
    lines = ((list(dict.fromkeys(places)), why) for why, places in rows.items())
    return [(", ".join(places) if full else _files(places, "more line"), why) for places, why in lines]


class ErrorRow:
    """Errors that are alike, in all the targets that have them."""

    __slots__ = ("document", "messages", "places", "targets")

    def __init__(self, document: str, messages: tuple[str, ...], places: str) -> None:
        self.document = document
        self.messages = messages
        self.places = places
        """The changed lines that cause them."""
        self.targets: list[str] = []

    def name(self, kind: str) -> str:
        return " ".join(filter(None, (several(self.targets, kind), self.document)))


def errors_of(effects: list[Effect]) -> list[ErrorRow]:
    """New or fixed errors, equal ones of several targets folded into one row."""
    rows: dict[tuple[str, tuple[str, ...], str], ErrorRow] = {}
    for effect in effects:
        key = (
            effect.document,
            tuple(texts_of(effect.after if effect.kind == "broken" else effect.before)),
            ", ".join(hunk.place for hunk in effect.cause.hunks),
        )
        rows.setdefault(key, ErrorRow(*key)).targets.append(effect.target)
    return list(rows.values())


def _files(names: list[str], noun: str = "more file") -> str:
    more = f" and {count(len(names) - MOST, noun)}" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more


MOST = 5
"""How many files that nothing reads are named."""


def causes_of(group: CauseGroup) -> str:
    """The changed lines of a cause, as `file:line`."""
    return ", ".join(hunk.place for hunk in group.hunks) or "outside the repository"


def remark(group: CauseGroup) -> str:
    """How the cause is known, where that needs saying."""
    if not group.hunks:
        return "no changed line causes this; something outside the repository changed"
    if len(group.hunks) > 1 and group.proof == "together":
        return f"these {len(group.hunks)} changes together"
    return group.proof if group.proof.startswith("by trace") else ""


def texts_of(messages: Node | None) -> list[str]:
    """The messages of a target that cannot be computed: it has a list of them in place of a result."""
    items = messages.items if isinstance(messages, ListNode) else []
    return [item.text for item in items if isinstance(item, Scalar)]
