"""Records which parts of manifests an answer used, and checks whether they are unchanged.

To answer a question about one component, plait builds its entry, the entries of its bases, and the root sections. Of
everything else in the same files, it reads only the names. So when a file changes, the answer stays valid if the parts
it used are in the same places with the same text, the names are the same, and the file can still be read.
"""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault
from plait.core.source import SENSITIVE, Source
from plait.fronts.stacks.answers.reach import parts_of
from plait.fronts.stacks.config.sections import TYPES
from plait.fronts.stacks.session.trace import OPENED, WHOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from plait.fronts.stacks.assemble.assembly import Assembly
    from plait.fronts.stacks.session.trace import Part
    from plait.keeping.keeper import EarlierAnswer

    Parts = dict[Part, tuple[int, int, str]]

    class KeptParts(TypedDict):
        """The manifests of an answer: the parts of each that were built, and their texts."""

        read: dict[str, list[Part]]
        texts: dict[str, str]


HIDING = ("%", "!<")
"""Characters with which a tag can be written in another way."""
DECIDING = ("components", "overrides", *TYPES)
"""Sections of a component that the name of its stack may depend on."""


def parts_read(assembly: Assembly) -> KeptParts:
    """The texts of the manifests that were read, with the parts that were built; manifests that were built completely
    are left out."""
    project = assembly.session.project
    taken = _taken_apart(assembly)
    texts = {path: project.sources[path].text for path in taken if project.sources[path] not in project.sensitive}
    texts = {path: text for path, text in texts.items() if SENSITIVE not in text}  # no secret is written
    return {"read": {path: sorted(taken[path], key=str) for path in texts}, "texts": texts}


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


def still_true(assembly: Assembly, earlier: EarlierAnswer) -> KeptParts | None:
    """The record to store of the parts that the cached answer used, if none of them changed; otherwise None."""
    if "parts" not in earlier.more or earlier.more["status"]:
        return None
    kept: KeptParts = earlier.more["parts"]
    read, texts = kept["read"], kept["texts"]
    for path in earlier.changed:
        if path not in read or not _is_same(assembly, path, texts[path], read[path]):
            return None
    sources = assembly.session.project.sources
    return {"read": read, "texts": {**texts, **{path: sources[path].text for path in earlier.changed}}}


def _is_same(assembly: Assembly, path: str, text: str, read: list[Part]) -> bool:
    """Whether some parts of a file are as they were in an earlier text of it, and all others have the same names."""
    session = assembly.session
    try:
        file = session.answer(partial(assembly.index.manifests.loader.file, path))
    except Fault:
        return False
    now = session.project.source(path)
    depth = session.project.budgets.depth
    old, new = (parts_of(source, depth) for source in (Source(now.name, text), now))
    if old is None or new is None or list(old) != list(new) or file.is_rendered:
        return False
    return all(old.get(part) == new.get(part) for part in read) and _decides(assembly, old) == _decides(assembly, new)


def _decides(assembly: Assembly, parts: Parts) -> bool:
    """Whether the name of a stack may depend on a part of a file."""
    mentions = assembly.index.namer.mentions
    texts = [text for part, (_, _, text) in parts.items() if isinstance(part, tuple) or part.split(".")[0] in DECIDING]
    return mentions is None or mentions.found_in("".join(texts))
