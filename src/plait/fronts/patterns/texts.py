"""From a plan to the texts of files: edits in place, new resources at the end, and not a byte more.

A document that needs no edit keeps its text as it is, so a file in which nothing happens stays byte-equal.
"""

from __future__ import annotations

from plait.core.node import Node
from plait.fronts.patterns.plan import Change, Plan
from plait.fronts.patterns.resources import Document, Text
from plait.merging.threeway import Edit
from plait.yaml.emit import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def planned_texts(plan: Plan) -> dict[str, str | None]:
    """The new text of every file that changes; None for one that has nothing left."""
    changed: dict[int, str | None] = {id(document): None for document in plan.pruned}
    new: dict[str, list[Change]] = {}
    for change in plan.changes:
        if change.existing is not None and change.edits:
            changed[id(change.existing)] = edited(change.existing, change.edits, change.node)
        elif change.state == "created":
            new.setdefault(change.fresh.text.name, []).append(change)
    texts: dict[str, str | None] = {}
    for text in plan.existing:
        if any(id(document) in changed for document in text.documents) or text.name in new:
            texts[text.name] = _rewritten(text, changed, new.pop(text.name, []))
    whole = {text.name: text for text in plan.fresh}
    for name, changes in new.items():
        texts[name] = _new_file(whole[name], changes)
    return texts


def _rewritten(text: Text, changed: dict[int, str | None], new: list[Change]) -> str | None:
    """A file on disk with some documents changed or taken out, and new ones behind them."""
    source, at, out, left = text.source.text, 0, [], len(text.documents)
    for document in text.documents:
        if id(document) in changed:
            after = changed[id(document)]
            out.append(source[at : document.start])
            out.append(after or "")
            left -= after is None
            at = document.end
    result = "".join([*out, source[at:]])
    if not left and not new:
        return None if not result.strip() else result
    return _appended(result, [_new_text(change) for change in new], left > 0)


def _appended(text: str, documents: Iterable[str], anything: bool) -> str:
    """Documents behind what is there, each after a separator unless nothing stands before it."""
    for document in documents:
        if text and not text.endswith("\n"):
            text += "\n"
        last = text.rstrip().rsplit("\n", 1)[-1]
        text += document if not anything or last == "---" else f"---\n{document}"
        anything = True
    return text


def _new_file(text: Text, changes: list[Change]) -> str:
    """A file that is not there yet: as it was generated where all of it is new."""
    if len(changes) == len(text.documents) and not any(change.edits for change in changes):
        return text.source.text
    return _appended("", [_new_text(change) for change in changes], False)


def _new_text(change: Change) -> str:
    text = edited(change.fresh, change.edits, change.node) if change.edits else change.fresh.text.source.text[change.fresh.start : change.fresh.end]
    text = text if text.endswith("\n") else text + "\n"
    return text[4:] if text.startswith("---\n") else text


def edited(document: Document, edits: list[Edit], node: Node) -> str:
    """A document's text with its edits made in place."""
    text = document.text.source.text[document.start : document.end]
    head = "---\n" if text.startswith("---") else ""
    return head + emit(node, reveal=True)
