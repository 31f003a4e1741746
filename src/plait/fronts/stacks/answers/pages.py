"""Writes all stacks as text, stack by stack; text that many components share is created once.

The output for a large repository is tens of megabytes. Most of it is settings and imports that the components of a
stack share. The bytes are the same as those of printing the whole tree.
"""

from __future__ import annotations

from functools import partial
from itertools import chain

from plait.core import native
from plait.core.diagnostic import Diagnostic, Fault
from plait.core.node import (
    COMPUTED,
    Container,
    Failure,
    Key,
    ListNode,
    MapNode,
    Mark,
    Node,
    Scalar,
)
from plait.core.node import text as text_node
from plait.fronts.stacks.answers.describe import DescribeFilter, is_empty, printed_section
from plait.fronts.stacks.answers.kept_components import KeptComponents
from plait.fronts.stacks.answers.repository import Repository, check_any, members_named, owners
from plait.fronts.stacks.answers.spread import spread
from plait.fronts.stacks.answers.unknown import hidden_of, hidden_parts, hidden_stacks
from plait.fronts.stacks.answers.values import known_value
from plait.fronts.stacks.assemble.components import Component, chain_of, places_of
from plait.fronts.stacks.session.session import around
from plait.yaml.emit import Style, block, emit_json, key_inline, value_text
from plait.yaml.texts import known_texts
from plait.yaml.words import inline_text, is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from plait.core.scope import Place
    from plait.fronts.stacks.answers.kept_components import Bases, Placed, Placements, Reused
    from plait.fronts.stacks.answers.reach import Entry
    from plait.fronts.stacks.assemble.components import Member
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.fronts.stacks.session.session import StackSession
    from plait.yaml.texts import KnownTexts

    M = TypeVar("M", bound=Member)
    T = TypeVar("T")
    Types = dict[str, dict[str, list[str]]]
    """The pieces of the text of each component, by type and name."""

OWN = frozenset(("vars", "workspace"))
"""Sections that two components rarely share, so that their texts are not stored; those of other sections are."""
DEPTH = 4
"""How deep a section is: stack, components, type, component."""
STACK_HEADS, HEADS, ENDS = 2, 2, 1
"""How many pieces precede the types of a stack, the components of a type and a component, and how many follow a map."""
TEXTS = "texts"
SPLIT = 3
"""How many levels of an unshared section are searched for parts that other components share."""


WINDOW = 8
"""How many stacks ask the outside at a time."""
LONG = 400
"""A shared text of this length is not copied: the pieces of a page refer to it."""
ENTRY = 300
"""The memory that a stored text needs in addition to its characters."""
ROOM = 32_000_000
"""About how many bytes of shared texts are stored at a time."""


class Heads(dict[str, str]):
    """Keys at one depth, each with the text before it and its colon, created once."""

    def __init__(self, pages: Pages, depth: int) -> None:
        super().__init__()
        self.pages = pages
        self.depth = depth

    def __missing__(self, key: str) -> str:
        head = self[key] = self.pages.head(key, self.depth)
        return head


class Pages:
    """Writes stacks in one format, in pieces. Formats differ in how they write keys, values and ends.

    The text after a key begins with a space or a line end.
    """

    between = ""
    """The text between two members of a map."""

    def __init__(self, style: Style, chosen: DescribeFilter, include_empty: bool) -> None:
        self.style = style
        self._chosen = chosen
        self._include_empty = include_empty
        self._heads = [Heads(self, depth) for depth in range(DEPTH + SPLIT + 1)]
        self._lines: list[dict[object, str]] = [{} for _ in self._heads]
        """The lines of single values, by key and value."""
        self._known: list[KnownTexts] = [{} for _ in self._heads]
        """The texts of nodes with their keys."""
        self._long: set[int] = set()
        """The identities of those texts that stay pieces of their own."""
        depths = range(len(self._heads))
        self._begins, self._ends = [*map(self.begin, depths)], [*map(self.end, depths)]
        self._tables = (
            *(self._heads, self._lines, self._known, self._begins, self._ends),
            *(self.between, DEPTH + SPLIT),
        )
        self._orders: dict[tuple[str, tuple[Key, ...]], list[Key]] = {}
        self._room = ROOM
        self._kept: KeptComponents | None = None
        self._bases: dict[Entry, Bases] = {}
        """The bases of the components that were computed for the last stack."""
        self._types: Types | None = None
        """The components of the last stack; None if their parts are not known."""

    def pieces(self, repository: Repository, question: dict[str, object]) -> Iterator[str]:
        """The selected stacks, sorted, as pieces of text that are created while they are consumed."""
        return chain.from_iterable(self._by_stack(repository, question))

    def _by_stack(self, repository: Repository, question: dict[str, object]) -> Iterator[list[str]]:
        """The pieces of each stack, then those after the last one."""
        notes = repository.session.project.notes
        kept = self._kept = KeptComponents(repository, TEXTS) if notes is not None else None
        named = partial(names_by_manifest, repository, self._chosen)
        names = chosen_names(repository, self._chosen) if kept is None or self._chosen.stack else kept.names(named)
        reused = {name: kept.find(name) if kept is not None else None for name in names}
        fresh = [name for name in names if reused[name] is None]
        texts = spread(repository, fresh, partial(self.texts, repository), question)
        hidden = set(hidden_stacks(repository, self._chosen.stack))
        before, empty, count = self.begin(0), True, 0
        for name in sorted({*names, *hidden}):
            found, self._types, self._bases = reused.get(name), None, {}
            reports = reported(repository)
            if name in hidden:
                text = self._hidden(repository, name)
            else:
                text = next(texts) if found is None else self._renewed(name, found, repository)
            if not text:
                continue
            head = before + self._heads[0][name]
            yield [head.lstrip("\n") if empty else head, *text]
            if kept is not None and name not in hidden:
                if reported(repository) == reports and not has_broken(repository, name):
                    kept.keep(name, count + 1, count + 1 + len(text), self._placed(found), found)
                else:  # errors and warnings are found again
                    kept.leave_out()
            count += 1 + len(text)
            before, empty = self.between, False
        if kept is not None:
            kept.leave({"count": count + 2})
        if empty and (problems := repository.problems(self._chosen.stack)):
            raise Fault(*problems)
        yield [self.empty("{}", 0) if empty else self.end(0), "\n"]

    def texts(self, repository: Repository, names: list[str], asking: bool) -> Iterator[list[str]]:
        """The text of each stack in pieces, without its name; empty for a stack with nothing to show."""
        each = partial(members_named, repository)
        for name, components in zip(names, ahead(repository, names, self._chosen, asking, each), strict=True):
            types = self._types = self.stack(repository, name, components)
            yield self._stack_pieces(types) if types or self._chosen.empty_stacks else []

    def _hidden(self, repository: Repository, name: str) -> list[str]:
        """The text of a stack of which only the file is known, and maybe the names of its components."""
        types = self.stack(repository, name, ())
        return self._stack_pieces(types) if types else [self._word(COMPUTED, 0)]

    def _renewed(self, name: str, reused: Reused, repository: Repository) -> list[str]:
        """The text of a stack, with only some of its components recomputed."""
        if not reused.touched or self._kept is None:
            return reused.pieces()
        self._kept.read_left_out(name)
        types = self.stack(repository, name, members_named(repository, name, reused.touched))
        made = {(type, member): pieces for type, members in types.items() for member, pieces in members.items()}
        patched = reused.patched(made, self._bases)
        if patched is not None:
            return patched
        self._types = types
        for (type, member), pieces in reused.same().items():
            types.setdefault(type, {})[member] = pieces
        return self._stack_pieces(types) if types or self._chosen.empty_stacks else []

    def _placed(self, reused: Reused | None) -> Placements | None:
        """The components of the last stack, and where their pieces are; None where that is not known."""
        known = reused.bases() if reused is not None else {}
        if self._types is None:
            return reused.rows if reused is not None else None
        return layout(self._types, {**known, **self._bases})

    def stack(self, repository: Repository, name: str, components: Iterable[Member]) -> Types:
        """The components of one stack, by type and name, each as the pieces of its text. A word stands for one that
        cannot be shown."""

        def pieces(member: Member, asked: list[Member]) -> list[str]:
            if self._kept is not None:
                self._bases[member.type, member.name] = tuple(chain_of(member))
            return self.component(repository, member, asked)

        types = by_type(repository, self._chosen.among(components), pieces)
        for hidden in hidden_of(hidden_parts(repository), name, self._chosen):
            types.setdefault(hidden.type, {})[hidden.name] = [self._word(hidden.word, DEPTH - 1)]
        return types

    def _word(self, word: str, depth: int) -> str:
        return self.scalar(text_node(word), depth)

    def _stack_pieces(self, types: dict[str, dict[str, list[str]]]) -> list[str]:
        members = [(type, self.map(sorted(found.items()), 3)) for type, found in sorted(types.items())]
        return self.map([("components", self.map(members, 2))] if types else [], 1)

    def map(self, members: Iterable[tuple[str, list[str]]], depth: int) -> list[str]:
        """A map whose keys are at this depth, of members that are pieces already."""
        heads = self._heads[depth]
        out: list[str] = []
        before = self.begin(depth)
        for key, text in members:
            out += (before, heads[key], *text)
            before = self.between
        return [*out, self.end(depth)] if out else [self.empty("{}", depth)]

    def component(self, repository: Repository, member: Member, asked: list[Member]) -> list[str]:
        """The sections of a component; a long text that others share stays a piece of its own. The component is added
        to `asked`."""
        if isinstance(member, Component):
            member = repository.whole(member)
        asked.append(member)
        pieces = self._looked_up(member)
        if not pieces[0] and not any(pieces):
            return [self.empty("{}", DEPTH)]
        pieces[-1] += self._ends[DEPTH]
        if self.between:
            first = next(at for at, text in enumerate(pieces) if text)
            pieces[first] = self.begin(DEPTH) + pieces[first][len(self.between) :]
        return pieces

    def _looked_up(self, component: Member) -> list[str]:
        """The text of the sections that are shown, in order, in pieces: every second one is long and shared."""
        entries = component.root.entries
        pieces: list[str] = []
        run: list[str] = []
        shared = self._long
        for text in self._sections(self._order(entries, component.type), entries, evaluated(component, self._chosen)):
            if len(text) > LONG and id(text) in shared:
                pieces += ("".join(run), text)
                run = []
            else:
                run.append(text)
        return [*pieces, "".join(run)]

    def _order(self, entries: Iterable[Key], type: str) -> list[Key]:
        """Those of some names of sections of a component of a type that are shown, sorted."""
        names = tuple(entries)
        known = self._orders.get((type, names))
        if known is None:
            shown = [name for name in names if self._chosen.shows(name, type)]
            known = self._orders[type, names] = sorted(shown, key=str)
        return known

    def _sections(
        self, names: list[Key], entries: dict[Key, Node], computed: dict[Key, Node] | None = None
    ) -> list[str]:
        """The text of each of some sections, with the values that were computed; known already if others have the same
        section, too."""
        missing: list[int] = []
        texts = known_texts(names, entries, self._known[DEPTH], missing)
        for at in missing:
            texts[at] = self._section(str(names[at]), entries[names[at]], computed or {})
        return texts

    def _section(self, name: str, node: Node, computed: dict[Key, Node]) -> str:
        """A section with its name, and before it what is between two of them; an empty string if it is left out."""
        own = name in OWN or node.live
        found = as_shown(name, computed.get(name, node), self._include_empty)
        text = self.between + self.line(name, found, DEPTH, own) if found is not None else ""
        if not own:
            self._remember(name, node, text, DEPTH)
        return text

    def _remember(self, key: str, node: Node, text: str, depth: int) -> None:
        """Keep the text of a node that others may have too. When there are too many, all are dropped."""
        self._room -= ENTRY + len(text)
        if self._room < 0:
            self._forget()
        if len(text) > LONG:
            self._long.add(id(text))
        table = self._known[depth]
        if key not in table:
            table[key] = {}
        table[key][id(node)] = (node, text)

    def _forget(self) -> None:
        for lines in self._lines:
            lines.clear()
        for known in self._known:
            known.clear()
        self._long.clear()
        self._room = ROOM

    def line(self, key: str, node: Node, depth: int, own: bool) -> str:
        """A key at this depth with its value.

        Of a value that only one component has, the parts may still be shared.
        """
        head = self._heads[depth][key]
        if node.__class__ is not Scalar:
            split = isinstance(node, MapNode) and node.entries and (own or node.parts) and depth < DEPTH + SPLIT
            return head + (self.split_map(node, depth + 1) if split else self.container(node, depth))  # type: ignore[arg-type]
        if own or node.secret or node.tag is not None:
            return head + self.scalar(node, depth)
        value = node.value
        word = (key, value) if value.__class__ is str else (key, value.__class__, node.text)
        line = self._lines[depth].get(word)
        if line is None:
            line = self._lines[depth][word] = head + self.scalar(node, depth)
            self._room -= ENTRY + len(line)
        return line

    def split_map(self, node: MapNode, depth: int) -> str:
        """A map with a separate text for each part: parts merged for this component are its own, other parts may be
        shared."""
        if native.split_map is not None:
            text = native.split_map(node, depth, self._tables, self._member)
            if text is not None:
                return text
        entries = node.entries
        try:
            keys: list[Key] = sorted(entries)  # type: ignore[type-var]
        except TypeError:  # keys of several kinds
            return self.container(node, depth - 1)
        missing: list[int] = []
        texts = known_texts(keys, entries, self._known[depth], missing)
        for at in missing:
            child = entries[keys[at]]
            texts[at] = self._member(str(keys[at]), child, depth, isinstance(child, Container) and bool(child.parts))
        return f"{self.begin(depth)}{self.between.join(texts)}{self.end(depth)}"

    def _member(self, key: str, node: Node, depth: int, own: bool) -> str:
        """A line whose text is not known."""
        text = self.line(key, node, depth, own)
        if not own:
            self._remember(key, node, text, depth)
        return text

    def head(self, key: str, depth: int) -> str:
        """A key at this depth, with its colon."""
        raise NotImplementedError

    def begin(self, depth: int) -> str:
        """The text before the members of a map whose keys are at this depth."""
        return ""

    def end(self, depth: int) -> str:
        """The text after the members of a map."""
        return ""

    def empty(self, brackets: str, depth: int) -> str:
        """A container without members, whose keys would be at this depth."""
        return f" {brackets}" if depth else brackets

    def scalar(self, node: Scalar, depth: int) -> str:
        raise NotImplementedError

    def container(self, node: Node, depth: int) -> str:
        """A container after a key at this depth."""
        raise NotImplementedError


class YamlPages(Pages):
    """Blocks."""

    def head(self, key: str, depth: int) -> str:
        pad = "\n" + " " * (depth * self.style.indent)
        inline = key_inline(key, self.style)
        return f"{pad}{inline}:" if inline is not None else f"{pad}? {inline_text(key, self.style.prefer)}{pad}:"

    def _word(self, word: str, depth: int) -> str:
        return f" {word}" if is_word(word) and not self.style.always else super()._word(word, depth)

    def scalar(self, node: Scalar, depth: int) -> str:
        value = node.value
        if value.__class__ is str and is_word(value) and node.tag is None and not node.secret and not self.style.always:
            return f" {value}"
        return f" {value_text(node, depth * self.style.indent, self.style.indent, self.style)}"

    def container(self, node: Node, depth: int) -> str:
        if is_empty(node):
            return self.empty("{}" if isinstance(node, MapNode) else "[]", depth + 1)
        column = depth * self.style.indent + (self.style.dash if isinstance(node, ListNode) else self.style.indent)
        return f"\n{' ' * column}{block(node, column, self.style)}"


class JsonPages(Pages):
    """Braces."""

    between = ","

    def head(self, key: str, depth: int) -> str:
        return "\n" + "  " * (depth + 1) + emit_json(Scalar(key, key)).rstrip("\n") + ":"

    def begin(self, depth: int) -> str:
        return " {" if depth else "{"

    def end(self, depth: int) -> str:
        return f"\n{'  ' * depth}}}"

    def scalar(self, node: Scalar, depth: int) -> str:
        return " " + emit_json(node, reveal=self.style.reveal).rstrip("\n")

    def container(self, node: Node, depth: int) -> str:
        text = emit_json(node, reveal=self.style.reveal, sort_keys=True).rstrip("\n")
        return " " + text.replace("\n", "\n" + "  " * (depth + 1))


def reported(repository: Repository) -> int:
    """The number of errors and warnings so far."""
    return len(repository.broken) + repository.session.trace.reports


def has_broken(repository: Repository, stack: str) -> bool:
    """Whether something of a stack has an error. It may have been found long before, with the name of another stack."""
    broken = {owner[0] for owner in repository.broken}
    return bool(broken) and not broken.isdisjoint(owners(repository, stack) or ())


def layout(types: Types, bases: dict[Entry, Bases]) -> Placements:
    """Where the pieces of each component are among those of its stack."""
    rows: list[Placed] = []
    at = STACK_HEADS
    for type, members in sorted(types.items()):
        at += HEADS
        for name, pieces in sorted(members.items()):
            at += HEADS
            rows.append((type, name, bases.get((type, name)), at, len(pieces)))
            at += len(pieces)
        at += ENDS
    return tuple(rows)


def by_type(
    repository: Repository, components: Iterable[M], make: Callable[[M, list[Member]], T]
) -> dict[str, dict[str, T]]:
    """The result of `make` for each component of a stack, by type and name. A component with errors is recorded,
    and has none. The values computed for the components are dropped at the end: of those that `make` adds to a list."""
    made: dict[str, dict[str, T]] = {}
    evaluator = repository.session.evaluator
    asked: list[Member] = []
    mark = evaluator.mark()
    for component in components:
        try:
            made.setdefault(component.type, {})[component.name] = make(component, asked)
        except Fault as error:
            repository.broken.component(component.manifest.name, component.type, component.name, error)
    places = places_of(asked)
    evaluator.forget(places, mark)
    for place in places:
        place.release()
    return made


def ahead(
    repository: Repository, names: list[str], chosen: DescribeFilter, asking: bool, each: Callable[[str], Iterable[M]]
) -> Iterator[Iterable[M | Component]]:
    """The components of each stack, as `each` gives them.

    If they need external data, the calls for several stacks are started before the first result is awaited.
    """
    if not asking:
        for name in repository.session.project.each(names, len(names), "evaluating stacks"):
            yield each(name)
        return
    evaluator = repository.session.evaluator
    for at in range(0, len(names), WINDOW):
        mark = evaluator.mark()
        batch = [list(chosen.among(repository.components_named(name))) for name in names[at : at + WINDOW]]
        members = [component for components in batch for component in components]
        evaluator.begin(task for component in members for task in _wanted(component, chosen))
        yield from batch
        evaluator.forget({component.place for component in members}, mark)


def names_by_manifest(repository: Repository, chosen: DescribeFilter) -> dict[Manifest, list[str]]:
    """The names of the stacks that a filter may show, for each manifest; a stack may be named by its file."""
    names: dict[Manifest, list[str]] = {}
    check_any(repository)
    for manifest in repository.manifests():
        found = repository.names_of(manifest)
        if not found and chosen.empty_stacks:
            found = [repository.session.answer(partial(repository.index.name_of_empty, manifest))]
        names[manifest] = [name for name in found if chosen.stack in ("", name, manifest.name)]
    return names


def chosen_names(repository: Repository, chosen: DescribeFilter) -> list[str]:
    """The names of the stacks that a filter may show, sorted."""
    return sorted({name for names in names_by_manifest(repository, chosen).values() for name in names})


def _wanted(component: Component, chosen: DescribeFilter) -> Iterator[tuple[Node, Place]]:
    """The sections of a component that are shown and have something to compute."""
    for name, node in component.root.entries.items():
        if node.live and chosen.shows(name, component.type):
            yield node, component.place.child(name)


def evaluated(component: Member, chosen: DescribeFilter, keep: bool = False) -> dict[Key, Node]:
    """Those sections of a component that are shown and have something to compute, computed. With `keep`, values that
    are not known stay what they are."""
    entries = component.root.entries
    found: dict[Key, Node] = {}
    problems: list[Diagnostic] = []
    for name, node in [entry for entry in entries.items() if entry[1].live] if component.root.live else ():
        if chosen.shows(name, component.type):
            try:
                found[name] = _section(component, name, node, keep)
            except Fault as error:
                problems += error.diagnostics
    if problems:
        raise Fault(*problems)
    return found


def as_shown(name: str, node: Node, include_empty: bool) -> Node | None:
    """A section as it is printed; None for one that is left out."""
    if isinstance(node, Mark):
        return None  # unset
    node = printed_section(name, node)
    return node if node.__class__ is Scalar or include_empty or not is_empty(node) else None


def sections_of(component: Member, chosen: DescribeFilter, include_empty: bool, keep: bool = False) -> dict[str, Node]:
    """The sections of a component that are shown, evaluated. With `keep`, values that are not known stay what they
    are."""
    computed = evaluated(component, chosen, keep)
    sections: dict[str, Node] = {}
    for name, node in component.root.entries.items():
        if not chosen.shows(name, component.type):
            continue
        found = computed.get(name, node)
        section = found if found.__class__ is Scalar else as_shown(str(name), found, include_empty)
        if section is not None:
            sections[str(name)] = section
    return sections


def _section(component: Member, name: Key, node: Node, keep: bool) -> Node:
    """A section with all values computed; in a map, only the deferred values are evaluated."""
    session, root = component.shared.session, component.root
    if not isinstance(node, MapNode):
        return session.complete(node, component.place.child(name), keep)
    entries = dict(node.entries)
    problems: list[Diagnostic] = []
    for key, child in node.entries.items():
        if not child.live:
            continue
        value = known_value(session, child, root)
        if value is None or value.live:
            place = component.place.child(name).child(key)
            value, failed = _value(session, session.evaluator.force(child, place) if value is None else value, place)
            if isinstance(value, Mark):
                del entries[key]
                continue
            if failed:
                try:
                    value = around(session, value, place, keep)
                except Fault as error:
                    problems += error.diagnostics
        entries[key] = value
    if problems:
        raise Fault(*dict.fromkeys(problems))
    return node.but(entries=entries, live=False)


def _value(session: StackSession, value: Node, place: Place) -> tuple[Node, tuple[Failure, ...]]:
    """A value, finished, and the failures in it."""
    return session.evaluator.finish(value, place) if value.live and not isinstance(value, Mark) else (value, ())
