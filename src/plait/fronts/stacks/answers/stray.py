"""What is written in a manifest and does not do what it seems to: sections that Atmos's published schema does not
have, types of components that nobody documents, keys at the root that nothing reads, and functions that only
atmos.yaml has. Each is named once, where it is written."""

from __future__ import annotations

import re

from plait.core.diagnostic import Diagnostic, Label
from plait.core.find import entry, members_of
from plait.core.node import Key, MapNode, Node
from plait.core.path import format_path
from plait.core.source import Source
from plait.fronts.stacks.assemble.section_layers import FACTS
from plait.fronts.stacks.config import sections
from plait.fronts.stacks.language.manifest_functions import calls_left
from plait.report.catalog import (
    LEFT_AS_TEXT,
    NOT_READ_KEY,
    OTHER_COMPONENT_TYPE,
    OTHER_SECTION,
    SCHEMA,
    UNREAD_KEY,
    UNUSED_LOCAL,
)
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from plait.core.path import Path

STRAY = (OTHER_SECTION.code, OTHER_COMPONENT_TYPE.code, UNREAD_KEY.code, NOT_READ_KEY.code)
UNUSED = (UNREAD_KEY.code, NOT_READ_KEY.code, UNUSED_LOCAL.code)
"""What is said about keys that nothing reads."""
NOT_READ = FACTS | {"overrides", "metadata"}
"""Keys that plait computes itself, and others that are read elsewhere: where they are no sections, nothing reads
them."""
HOLDERS = ("x-", ".", "_")
"""How keys begin that only hold anchors."""
ROOT = (*sections.ROOT, "description", "auth")
"""The keys that the root of a manifest can have, apart from types of components."""
TYPED = ("auth", "secrets", "source", "description", "test", "mocks", "version")
"""Sections that plait reads for all components of a type, although the schema has them only for single ones."""


class StrayKeys:
    """Looks for such keys. `types` are those that the configuration names. A `strict` look takes what the published
    schema refuses as an error; where a repository has a schema of its own, that one decides."""

    def __init__(self, types: Collection[str] = (), strict: bool = True) -> None:
        self._types = frozenset((*sections.TYPES, *types))
        self._strict = strict

    def check(self, root: Node) -> Iterator[Diagnostic]:
        """Every finding about a manifest."""
        yield from self.keys(root)
        for call in reversed(calls_left(root)) if isinstance(root, MapNode) else ():
            yield LEFT_AS_TEXT(Label(call.node.origin, length=len(call.text)), text=call.text)

    def keys(self, root: Node) -> Iterator[Diagnostic]:
        """Those about keys."""
        if not isinstance(root, MapNode):
            return
        given = root.entries.get("components")
        members = given if isinstance(given, MapNode) else MapNode({})
        used = [str(key) for key in members.entries]
        known = dict.fromkeys((*ROOT, *sorted(self._types), *used))
        for key, node in root.entries.items():
            if key not in known:
                yield from _unread(root, key, known)
            elif key in self._types or key in used:
                yield from self._sections(str(key), node, (key,), _of_all(str(key)))
        for type in used:
            yield from self._components(type, members)

    def _components(self, type: str, members: MapNode) -> Iterator[Diagnostic]:
        if type not in self._types:
            where = format_path(("components", type))
            yield OTHER_COMPONENT_TYPE(_label(members, type), path=where, hint=_hint(type, sorted(self._types)))
        own = members.entries.get(type)
        for name, node in own.entries.items() if isinstance(own, MapNode) else ():
            yield from self._sections(type, node, ("components", type, name), _of_one(type))

    def _sections(self, type: str, node: Node, path: Path, known: tuple[str, ...]) -> Iterator[Diagnostic]:
        """The sections of a component, or of all of a type, that are not known."""
        if not isinstance(node, MapNode):
            return
        listed, words = type in sections.COMPONENTS, known or EVERY
        for key in node.entries:
            if key in words:
                continue
            near = nearest(str(key), words, 1)
            where = format_path((*path, key))
            if listed and self._strict and type not in sections.OPEN and key not in sections.TOLERATED:
                hint = f"did you mean `{near[0]}`?" if near else f"available: {', '.join(sorted(words))}"
                yield SCHEMA(_label(node, key), path=where, why="is not known here", hint=hint)
            elif key in NOT_READ:
                yield NOT_READ_KEY(_label(node, key), path=where)
            elif listed or near:
                hint = f"did you mean `{near[0]}`?" if near else "it is merged, inherited and printed as it is"
                yield OTHER_SECTION(_label(node, key), path=where, date=sections.PUBLISHED, hint=hint)


_READ = re.compile(r"\.locals\b(?:\.([A-Za-z_][\w-]*))?")
"""How a template names locals: one of them, or all."""


def unused_locals(root: Node) -> Iterator[Diagnostic]:
    """Locals that nothing in their file reads; none where a template takes them all."""
    if not isinstance(root, MapNode) or not isinstance(root.source, Source):
        return
    read = {found[1] for found in _READ.finditer((root.source.written or root.source).text)}
    for section in _locals(root) if None not in read else ():
        for key in section.entries:
            if str(key) not in read:
                yield UNUSED_LOCAL(_label(section, key), name=str(key), hint="remove it: locals are for one file alone")


def _locals(root: MapNode) -> Iterator[MapNode]:
    """The locals of a file, of its types of components and of its components."""
    types = [entry(root, type) for type in sections.TYPES]
    members = [one for type in members_of(root, "components").values() for one in members_of(type).values()]
    for node in (root, *types, *members):
        section = entry(node, "locals")
        if isinstance(section, MapNode):
            yield section


EVERY = tuple(dict.fromkeys(name for type in sections.TYPES for name in sections.sections_of_type(type)))
"""The sections of all types together."""


OF_ONE = ("metadata", "component")
"""Sections that only a single component can have."""


def _of_one(type: str) -> tuple[str, ...]:
    return sections.sections_of_type(type)


def _of_all(type: str) -> tuple[str, ...]:
    """The sections that a manifest can set for all components of a type; where nobody says which, those of any type."""
    own = sections.sections_of_type(type) if type in sections.COMPONENTS else EVERY
    known = sections.ALL_OF_TYPE.get(type) or tuple(name for name in own if name not in OF_ONE)
    return (*known, *TYPED, *(("overrides",) if type in sections.TYPES else ()))


def _unread(root: MapNode, key: Key, known: Collection[str]) -> Iterator[Diagnostic]:
    """A key at the root that nothing reads, unless it is there to hold anchors."""
    if not str(key).startswith(HOLDERS) and not _is_shared(root, key):
        hint = _hint(str(key), known) or "remove it, or name a key that only holds anchors `x-...`"
        yield UNREAD_KEY(_label(root, key), key=str(key), hint=hint)


_ANCHOR = re.compile(r"(?<=\s)&([^\s,\[\]{}]+)")


def _is_shared(root: MapNode, key: Key) -> bool:
    """Whether an alias repeats what is below a key."""
    source = root.source
    if not isinstance(source, Source) or "&" not in source.text:
        return False
    start = root.key_origin(key).at
    end = min((at for other in root.entries if (at := root.key_origin(other).at) > start), default=len(source.text))
    anchors = _ANCHOR.findall(source.text[start:end])
    return any(re.search(rf"(?<=\s)\*{re.escape(name)}(?=[\s,\]}}]|\Z)", source.text[start:]) for name in anchors)


def _hint(word: str, known: Collection[str]) -> str:
    near = nearest(word, known, 1)
    return f"did you mean `{near[0]}`?" if near else ""


def _label(node: MapNode, key: Key) -> Label:
    return Label(node.key_origin(key), length=len(str(key)))
