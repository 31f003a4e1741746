"""Finds which places of a component a change of files can reach.

A value of `vars`, `settings` or `env` that is written as it is depends only on what the layers write at its place,
above it or below it. An expression depends on what it names, too: its own place is one that then may differ. So two
changes of different places of a component do not meet, and what each of them does is known without undoing it.
"""

from __future__ import annotations

import re

from plait.core.node import Key, MapNode, Node
from plait.core.path import ANYWHERE, NOWHERE, is_near
from plait.fronts.stacks.answers.reach import imports_first, members_outline, outline_of
from plait.fronts.stacks.assemble.section_layers import BACKENDS, PLAIN, WORDS
from plait.fronts.stacks.config.sections import TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from plait.core.path import Path, Places
    from plait.core.source import Source
    from plait.fronts.stacks.answers.reach import ChangeReach, Entry
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.language.scope import Language
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.yaml.outline import Outline
    from plait.yaml.program import Program

    ByEntry = dict[Entry | None, Places]
    """Places by the entry that they are in; None for those outside all entries."""
    Differences = dict[Entry | None, Places | None]
    """The same; None instead of the places where they are not known."""

DECIDING = ("list_merge_strategy", "templates", "spacelift", "atlantis")
"""The settings that affect more than their own place."""
ASSEMBLING = frozenset[Key]((*BACKENDS, *WORDS, "metadata", "component"))
"""What decides how a component is put together."""
NAMED = (*PLAIN, "locals")
"""What a template may read here; what else it names may be made of anything."""
MADE = ("workspace", "spacelift_stack", "atlantis_project")
"""Facts that patterns make of variables: they are expressions, and no text says what they read."""
OF_OTHERS = ("!labels", "!tags")
"""Functions that read more of a component than their text names."""
WORD = re.compile(r"[A-Za-z_][\w-]*")
NO_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
"""Keys that may not be texts."""
ACTION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
LITERAL = re.compile(r"""\"(?:\\.|[^\"\\])*\"|`[^`]*`|'(?:\\.[^']*|[^'\\])'""")
VARIABLE = re.compile(r"\$\w+(?:\.\w+)*")
CHAIN = re.compile(r"(?<![\w)])\$?((?:\.[A-Za-z_]\w*)+)")
LEFT_OVER = re.compile(r"[\"`'$]|\.(?!\d)")
"""What no chain, no variable and no literal has; a quote, where a literal contains the end of an action."""


def differences(before: Source, after: Source, depth: int) -> Differences | None:
    """The places at which two texts of a manifest differ, by the entries that they are in; None for an entry that
    differs in more than plain values, and None instead of all that if a text cannot be taken apart."""
    old, new = outline_of(before, depth), outline_of(after, depth)
    if old is None or new is None:
        return None
    found: dict[Entry | None, set[Path]] = {}
    other: set[Entry | None] = set()
    for path, parts in _differing(old, new):
        entry = (path[1], path[2]) if path[0] == "components" and len(path) > 2 else None
        place = path[3:] if entry is not None else path[1:] if path[0] in TYPES else path
        if is_plain(place) and all(map(is_written, parts)):
            found.setdefault(entry, set()).add(path[3:] if entry is not None else path)
        else:
            other.add(entry)
    return {**{entry: tuple(places) for entry, places in found.items()}, **dict.fromkeys(other)}


def is_plain(place: tuple[str, ...]) -> bool:
    """Whether nothing but the values at a place depends on what is written there, apart from expressions."""
    return len(place) > 1 and place[0] in PLAIN and not (place[0] == "settings" and place[1] in DECIDING)


def _differing(old: Outline, new: Outline) -> Iterator[tuple[tuple[str, ...], list[Program]]]:
    """The deepest keys in which two mappings differ, with what is written there."""
    work: list[tuple[tuple[str, ...], Outline, Outline]] = [((), old, new)]
    while work:
        path, a, b = work.pop()
        for key in dict.fromkeys((*a.places, *b.places)):
            parts = [side.part(key) for side in (a, b) if key in side]
            if len(parts) == 2 and _columns(parts[0]) == _columns(parts[1]):
                continue
            low, high, place = a.below(key), b.below(key), (*path, key)
            names = place[0] == "components" and len(place) < 3  # of types and entries: no keys of a component
            if low is None or high is None or not (names or all(map(_is_word, (*low.places, *high.places)))):
                yield place, parts
            elif [one for one in low.places if one in high] != [one for one in high.places if one in low]:
                yield place, parts  # in another order
            else:
                work.append((place, low, high))


def _columns(program: Program) -> tuple[object, ...]:
    return list(program.kinds), list(program.texts), program.props


def _is_word(key: str) -> bool:
    return WORD.fullmatch(key) is not None and key.lower() not in NO_WORDS


def is_written(program: Program) -> bool:
    """Whether a value is what is written: it has no tag, no function and no template."""
    return not program.props and not any(text and ("{{" in text or text[:1] == "!") for text in program.texts)


# What expressions read


def names_read(source: Source, depth: int) -> ByEntry | None:
    """What the templates of a manifest name, by the entries that they are in; None if it cannot be taken apart."""
    if any(word in source.text for word in OF_OTHERS):
        return {None: ANYWHERE}
    if "{{" not in source.text and "\\" not in source.text:
        return {}
    outline = outline_of(source, depth)
    if outline is None:
        return None
    found: ByEntry = {}
    for key in outline.places:
        types = outline.below(key) if key == "components" else None
        if types is None:
            found[None] = (*found.get(None, ()), *named_in(outline.part(key).texts))
        for type in types.places if types is not None else ():
            members = types.below(type) if types is not None else None
            if members is None:
                return None
            found |= {(type, name): names for name in members.places if (names := named_in(members.part(name).texts))}
    return found


def may_name(source: Source) -> Places:
    """What the templates of a manifest may name; seen from its text, which is not read for that."""
    return ANYWHERE if any(word in source.text for word in ("\\", *OF_OTHERS)) else named_in([source.text])


def places_naming(source: Source, entry: Entry, places: Iterable[Path], depth: int) -> Places | None:
    """Where the templates in an entry are that name one of some places; None where one of them may decide more than the
    value at its place."""
    members = members_outline(source, entry[0], depth)
    work: list[tuple[Path, Outline | None]] = [((), members.below(entry[1]) if members is not None else None)]
    found: list[Path] = []
    for above, outline in work:  # grows while it is walked
        if outline is None:
            return None
        for key in outline.places:
            lower, place = outline.below(key), (*above, key)
            if lower is not None and all(map(_is_word, lower.places)):
                work.append((place, lower))
            else:
                named = named_in(outline.part(key).texts)
                found += [place] if any(is_near(named, one) for one in places) else []
    return tuple(found) if all(is_plain(tuple(map(str, place))) for place in found) else None


def named_in(texts: Iterable[str | None]) -> Places:
    """What the templates in some texts name; everything where that cannot be seen."""
    found: set[Path] = set()
    for text in texts:
        for action in ACTION.findall(text) if text and "{{" in text else ():
            rest = VARIABLE.sub(" ", LITERAL.sub(" ", action))
            chains = [tuple(chain[1:].split(".")) for chain in CHAIN.findall(rest)]
            if "{{" in action or LEFT_OVER.search(CHAIN.sub(" ", rest)) or any(one[0] not in NAMED for one in chains):
                return ANYWHERE
            found.update(chains)
        if text and "{{" in ACTION.sub("", text):
            return ANYWHERE
    return tuple(found)


def is_simple(language: Language) -> bool:
    """Whether the texts of manifests show what is computed in them."""
    settings = language.settings
    return settings.delimiters == ("{{", "}}") and settings.evaluations == 1 and not settings.key_delimiter


def live_places(component: Component) -> Places:
    """The places of a component with expressions; all of it where one of them decides how it is put together."""
    root = component.root
    layers = component.layers
    above = (layers.typed, layers.written) if component.framed is None else (layers.typed,)  # it writes none of these
    if any(part.live for parts in above for name in ASSEMBLING & parts.keys() for _, part in parts[name]):
        return ANYWHERE
    settings = root.entries.get("settings")
    if not isinstance(settings, MapNode) or "templates" in settings.entries:
        return ANYWHERE
    found: list[Path] = []
    work: list[tuple[Path, Node]] = [((str(key),), node) for key, node in root.entries.items() if node.live]
    for path, node in work:  # grows while it is walked
        if path[0] not in PLAIN and path[0] not in MADE:
            return ANYWHERE
        if isinstance(node, MapNode):
            work += [((*path, key), child) for key, child in node.entries.items() if child.live]
        elif len(path) < 2 and path[0] in PLAIN:
            return ANYWHERE
        else:
            found.append(path)
    return tuple(found)


class ComponentPlaces:
    """What is known of a component once it was put together: where its expressions are, and what they name. Components
    that are alike in this share one."""

    __slots__ = ("_apart", "_reached", "live", "named")

    def __init__(self, live: Places, named: Places) -> None:
        self.live = live
        self.named = named
        self._reached: dict[Places, Places] = {}
        self._apart: dict[Places, bool] = {}

    def reached(self, places: Places) -> Places:
        """The places that may differ where the layers differ at some."""
        if not places or self.live is ANYWHERE:
            return ANYWHERE if places else NOWHERE
        found = self._reached.get(places)
        if found is None:
            found = self._reached[places] = (*places, *self.live) if self.live and self._names(places) else places
        return found

    def is_apart(self, places: Places) -> bool:
        """Whether no expression is at one of some places, or names one."""
        found = self._apart.get(places)
        if found is None:
            is_live = self.live is ANYWHERE or any(is_near(self.live, place) for place in places)
            found = self._apart[places] = not is_live and not self._names(places)
        return found

    def _names(self, places: Places) -> bool:
        """Whether an expression may name one of some places."""
        return any(path[0] in MADE for path in self.live) or any(is_near(self.named, place) for place in places)


class StackPlaces:
    """The places that a change reaches in a stack: for all components of a type, and in single entries."""

    __slots__ = ("_by_type", "entries", "root")

    def __init__(self, root: Places, entries: dict[Entry, Places]) -> None:
        self.root = root
        self.entries = entries
        self._by_type: dict[str, Places] = {}

    def wanted(self, type: str, entries: frozenset[Entry]) -> Places:
        """Those of a component with some entries."""
        found = self._by_type.get(type)
        if found is None:
            own = [path if path[0] in PLAIN else path[1:] for path in self.root if path[0] in (*PLAIN, type)]
            found = self._by_type[type] = tuple(own)
        if self.entries.keys().isdisjoint(entries):
            return found
        return (*found, *(path for entry in entries for path in self.entries.get(entry, NOWHERE)))


class ReachedPlaces:
    """The places that changes reach in the stacks of one repository."""

    def __init__(self, reach: ChangeReach, beside: ReachedPlaces | None = None) -> None:
        """`beside` are those of the same repository with other texts of some files."""
        self._reach = reach
        self._repository = reach.repository
        self._depth = reach.repository.session.project.budgets.depth
        self._simple = is_simple(reach.repository.index.shared.language)
        self._read: dict[Source, ByEntry | None] = beside._read if beside is not None else {}
        self._joined: dict[tuple[int, ...], ByEntry] = beside._joined if beside is not None else {}
        """What several of them name, by their identities."""
        self._named: dict[Manifest, ByEntry | None] = {}
        self._components: dict[tuple[Places, Places], ComponentPlaces] = {}

    def of(self, stack: str, changed: Mapping[str, Differences | None]) -> StackPlaces | None:
        """The places that some changed files reach in a stack; None where they may reach anything."""
        if not self._simple or not self._reach.settings.isdisjoint(changed):
            return None
        root: dict[Path, None] = {}
        entries: dict[Entry, Places] = {}
        for manifest in self._repository.manifests_of(stack):
            closure = self._reach.closure(manifest)
            if closure.reading:
                return None
            for name in closure.files.intersection(changed):
                places = changed[name]
                if places is None or name in closure.rendered:
                    return None
                for entry, some in places.items():
                    if some is None:
                        return None
                    if entry is None:
                        root |= dict.fromkeys(some)
                    else:
                        entries[entry] = (*entries.get(entry, NOWHERE), *some)
        return StackPlaces(tuple(root), entries)

    def component(self, component: Component, entries: Iterable[Entry]) -> ComponentPlaces:
        """What is known of a component that was put together of some entries."""
        live, by_entry = live_places(component), self._named_in(component.manifest)
        if by_entry is None:
            named = ANYWHERE
        else:
            found = {path: None for one in (None, *entries) for path in by_entry.get(one, NOWHERE)}
            named = tuple(found)
        known = self._components.get((live, named))
        if known is None:
            known = self._components[live, named] = ComponentPlaces(live, named)
        return known

    def names_stay(self, stack: str, places: StackPlaces) -> bool:
        """Whether stacks have the names that they have, where values outside entries differ: no name is made of one of
        them, nor is an expression outside entries."""
        read = self._repository.index.namer.reads
        root = [path if path[0] in PLAIN else path[1:] for path in places.root]
        if read is None or any(is_near(tuple(read), path) for path in root):
            return False
        for manifest in self._repository.manifests_of(stack):
            named = self._named_in(manifest)
            if named is None or any(is_near(named.get(None, NOWHERE), path) for path in root):
                return False
        return True

    def _named_in(self, manifest: Manifest) -> ByEntry | None:
        """What the templates of a manifest and of all that it imports name."""
        for one in imports_first(manifest, self._named):
            below = [self._named[imported] for imported in one.imports]
            self._named[one] = self._all_named([self._names_in(one.file.source), *below])
        return self._named[manifest]

    def _all_named(self, read: list[ByEntry | None]) -> ByEntry | None:
        """What the templates of several files name; None if it is not known of one."""
        some = {id(names): names for names in read if names}
        if None in read or len(some) < 2:
            return None if None in read else next(iter(some.values()), {})
        if (*some,) not in self._joined:
            self._joined[*some,] = _joined(some.values())
        return self._joined[*some,]

    def _names_in(self, source: Source) -> ByEntry | None:
        if source not in self._read:
            self._read[source] = names_read(source, self._depth)
        return self._read[source]


def _joined(read: Iterable[ByEntry]) -> ByEntry:
    found: dict[Entry | None, dict[Path, None]] = {}
    for entry, paths in (one for names in read for one in names.items()):
        found.setdefault(entry, {}).update(dict.fromkeys(paths))
    return {entry: tuple(paths) for entry, paths in found.items()}
