"""Records which parts of manifests an answer used, and checks whether they are unchanged.

To answer a question about one component, plait builds its entry, the entries of its bases, and the root sections. Of
everything else in the same files, it reads only the names. So when a file changes, the answer stays valid if the parts
it used are in the same places with the same text, the names are the same, and the file can still be opened.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.source import SENSITIVE, Source
from plait.fronts.stacks.answers.reach import differs_unread, parts_of
from plait.fronts.stacks.read.mentions import Mentions
from plait.fronts.stacks.session.trace import OPENED, WHOLE
from plait.keeping.notes import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from plait.fronts.project import Project
    from plait.fronts.stacks.assemble.assembly import Assembly
    from plait.fronts.stacks.session.trace import Part

    class KeptParts(TypedDict):
        """The manifests of an answer: the parts of each that were built, their texts, and the values that names of
        stacks are made of, where they are known."""

        read: dict[str, list[Part]]
        texts: dict[str, str]
        naming: list[tuple[str, ...]] | None


HIDING = ("%", "!<")
"""Characters with which a tag can be written in another way."""


def parts_read(assembly: Assembly) -> KeptParts:
    """The texts of the manifests that were read, with the parts that were built; manifests that were built completely
    are left out."""
    project = assembly.session.project
    taken = _taken_apart(assembly) if not assembly.language.settings.key_delimiter else {}
    texts = {path: project.sources[path].text for path in taken if project.sources[path] not in project.sensitive}
    texts = {path: text for path, text in texts.items() if SENSITIVE not in text}  # no secret is written
    read = {path: sorted(taken[path], key=str) for path in texts}
    return {"read": read, "texts": texts, "naming": assembly.index.namer.reads}


def _taken_apart(assembly: Assembly) -> dict[str, set[Part]]:
    """The manifests that were built only in part, by path, each with the parts that were built."""
    trace, project = assembly.session.trace, assembly.session.project
    others = assembly.config.files.union(*trace.files.values())
    return {
        path: parts
        for path, parts in trace.parts.items()
        if OPENED in parts and parts.isdisjoint((WHOLE, "components")) and path in project.sources
        if path not in others
    }


def avoids_secrets(assembly: Assembly, path: str) -> bool:
    """Whether nothing was built from the parts of a manifest that are marked as sensitive."""
    source = assembly.session.project.sources[path]
    taken = _taken_apart(assembly).get(path)
    if taken is None or any(sign in source.text for sign in HIDING) or SENSITIVE not in source.text:
        return False
    parts = parts_of(source, assembly.session.project.budgets.depth)
    return parts is not None and not any(SENSITIVE in parts[part][2] for part in taken if part in parts)


def is_true_still(project: Project) -> bool:
    """Whether the answer of the earlier run read nothing of what differs in the manifests that changed. Then this run
    depends on what that one did, and leaves the same for the next."""
    notes = project.notes
    assert notes is not None
    assert notes.earlier is not None
    earlier, kept = notes.earlier, notes.earlier.more[PARTS]
    mentions = Mentions(kept["naming"]) if kept["naming"] is not None else None
    texts, depth = dict(kept["texts"]), project.budgets.depth
    for path in earlier.changed:
        try:
            now = project.source(path) if path in texts else None
        except Fault:
            return False
        if now is None or SENSITIVE in now.text:
            return False
        if not differs_unread(Source(now.name, texts[path]), now, kept["read"][path], mentions, depth):
            return False
        texts[path] = now.text
    project.trace.add(earlier.lasting())
    project.meter.feed(sum(map(len, texts.values())))
    notes.left = {PARTS: {**kept, "texts": texts}}
    return True
