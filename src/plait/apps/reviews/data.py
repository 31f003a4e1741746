"""A review as data, and in the forms that code hosts read: JSON, SARIF, GitHub annotations."""

from __future__ import annotations

from plait.apps.reviews.rows import count, folded, headline, not_compared, remark, texts_of, unsure
from plait.core.node import plain_value
from plait.core.path import format_path
from plait.core.visible import one_line
from plait.report.data import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.review.finding import Effect
    from plait.review.hunks import Hunk
    from plait.review.review import CauseGroup, Review

VERSION = 1
UNKNOWN = ("target", "document", "path", "expression", "reason")
"""What is said of a value that was compared by its expression."""


def render_json(review: Review, reveal: bool) -> str:
    data = {
        "version": VERSION,
        "base": review.label,
        "summary": {
            "text": headline(review),
            "values": len(review.values),
            "targets_changed": len(review.targets),
            "targets": review.total,
            "target_kind": review.kind,
            "causes": len(review.groups),
            "new_errors": len(review.broken),
            "fixed_errors": len(review.fixed),
            "guarded": review.guarded,
            "unknown": [{"reason": why, "values": number} for why, number in review.unknown.items()],
            "not_compared": len(review.not_compared),
        },
        "causes": [_group(review, group, reveal) for group in review.groups],
        "new_errors": [_error(effect) for effect in review.broken],
        "fixed_errors": [_error(effect) for effect in review.fixed],
        "no_effect": [{**_hunk(hunk), "reason": why} for hunk, why in review.idle],
        "effect_unknown": [{**_hunk(hunk), "reason": why} for hunk, why in review.unseen],
        "not_compared": [
            {"target": target, "document": document, "reason": why, "error": message}
            for target, document, why, message in review.not_compared
        ],
        "unknown": [dict(zip(UNKNOWN, row, strict=True)) for row in review.by_expression],
        "cancelled": [_hunk(hunk) for hunk in review.cancelling],
        "needed": [{**_hunk(hunk), "targets": targets} for hunk, targets in review.needed.items()],
    }
    return json_text(data)


def _hunk(hunk: Hunk) -> dict[str, object]:
    old, new = hunk.shown
    return {
        "file": hunk.file,
        "line": hunk.line,
        "old_line": hunk.old_line,
        "removed": [line.rstrip("\n") for line in old],
        "added": [line.rstrip("\n") for line in new],
        "summary": hunk.summary,
        "whole_file": hunk.whole or None,
    }


def _group(review: Review, group: CauseGroup, reveal: bool) -> dict[str, object]:
    return {
        "hunks": [_hunk(hunk) for hunk in group.hunks],
        "proof": group.proof,
        "protected": review.protected(group),
        "targets": group.targets,
        "values": [_value(effect, reveal) for effect in group.effects],
    }


def _value(effect: Effect, reveal: bool) -> dict[str, object]:
    place = {"target": effect.target, "document": effect.document, "path": format_path(effect.path)}
    return {**place, **effect.difference.as_data(reveal)}


def _error(effect: Effect) -> dict[str, object]:
    node = effect.after or effect.before
    return {
        "target": effect.target,
        "document": effect.document,
        "errors": plain_value(node) if node is not None else [],
        "hunks": [_hunk(hunk) for hunk in effect.cause.hunks],
    }


def render_sarif(review: Review, reveal: bool) -> str:
    """The causes as results of a code scanner, each at its changed line."""
    results = [
        {
            "ruleId": "plait/review/protected" if review.protected(group) else "plait/review/change",
            "level": "error" if review.protected(group) else "note",
            "message": {"text": message(review, group, reveal)},
            "locations": [_location(hunk) for hunk in group.hunks],
        }
        for group in review.groups
    ]
    results += [
        {
            "ruleId": "plait/review/new-error",
            "level": "error",
            "message": {"text": f"{effect.target}: {_first_error(effect)}"},
            "locations": [_location(hunk) for hunk in effect.cause.hunks],
        }
        for effect in review.broken
    ]
    results += [
        {
            "ruleId": "plait/review/effect-unknown",
            "level": "warning",
            "message": {"text": f"effect not known: {why}"},
            "locations": [_location(hunk)],
        }
        for hunk, why in review.unseen
    ]
    results += [
        {
            "ruleId": "plait/review/not-compared",
            "level": "warning",
            "message": {"text": f"{name} was not compared: {why}"},
        }
        for name, why in not_compared(review)
    ]
    if review.unknown:
        text = f"plait review: {'; '.join(unsure(review))}"
        results.append({"ruleId": "plait/review/not-compared", "level": "note", "message": {"text": text}})
    rules = ("change", "protected", "new-error", "effect-unknown", "not-compared")
    driver = {"name": "plait", "rules": [{"id": f"plait/review/{name}"} for name in rules]}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    document = {"version": "2.1.0", "$schema": schema, "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json_text(document)


def _location(hunk: Hunk) -> dict[str, object]:
    region = {"startLine": hunk.line, "endLine": hunk.line + max(0, len(hunk.new) - 1)}
    return {"physicalLocation": {"artifactLocation": {"uri": hunk.file}, "region": region}}


def _first_error(effect: Effect) -> str:
    return next(iter(texts_of(effect.after)), "an error")


def message(review: Review, group: CauseGroup, reveal: bool) -> str:
    """A cause in one sentence."""
    rows = folded(group, reveal)
    first = f"{rows[0].name}: {rows[0].change}" if rows else ""
    more = f" and {count(len(rows) - 1, 'more change')}" if len(rows) > 1 else ""
    guards = "".join(f" [protected: {guard}]" for guard in review.protected(group))
    size = f"{count(len(group.effects), 'value')} in {count(len(group.targets), review.kind)}"
    return f"changes {size}: {first}{more}{guards}{f' ({remark(group)})' if remark(group) else ''}"


def render_github(review: Review, reveal: bool) -> str:
    """Annotations at the causing lines, as GitHub's runners read them from a log."""
    lines = []
    for group in review.groups:
        level = "error" if review.protected(group) else "notice"
        for hunk in group.hunks:
            lines.append(_annotation(level, hunk, message(review, group, reveal)))
    for effect in review.broken:
        for hunk in effect.cause.hunks:
            lines.append(_annotation("error", hunk, f"{effect.target}: {_first_error(effect)}"))
    lines += [_annotation("warning", hunk, f"effect not known: {why}") for hunk, why in review.unseen]
    lines += [f"::warning::{_escaped(f'{name} was not compared: {why}')}" for name, why in not_compared(review)]
    return "".join(f"{line}\n" for line in [*lines, f"::notice::{_escaped(headline(review))}"])


def _annotation(level: str, hunk: Hunk, text: str) -> str:
    file = _escaped(hunk.file).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} file={file},line={hunk.line}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return one_line(text).replace("%", "%25")
