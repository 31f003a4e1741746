"""What written values do in all targets: needed, the same as what is below them, or overridden wherever they are.

Many documents have keys that are made of the same written parts: a catalog that two hundred stacks import. What such a
key does is worked out once, for the first of these documents (`Alike`), and the others only add their names to it. Keys
that one part alone brings are found again together, by the part (`KeyGroup`).
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, partial
from itertools import chain as several

from plait.access.trace import RealPaths
from plait.core.diagnostic import Fault
from plait.core.node import Deferred, ListNode, MapNode, Scalar, equal, same_scalar
from plait.core.source import Computed
from plait.merging.account import ACCOUNT, DUPLICATE, WINS, Tracer
from plait.survey.survey import looked_at
from plait.tidy.alike import Alike, KeyGroup, KeyLayout, MapPart
from plait.tidy.merged import Merged, is_single

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from plait.core.node import Key, Node
    from plait.core.path import Path, Step
    from plait.core.policy import MergePolicy
    from plait.core.source import Origin, Source
    from plait.evaluate.tree import Tree
    from plait.fronts.front import Target, World
    from plait.merging.account import Account, Dropped
    from plait.tidy.alike import KeyNames

    Spot = tuple[str, int]
    """A file and the offset of a value in it."""


INSIDE = "\0"
"""What is between the path of a file and the offset of a value in it: no path has it."""


class ValueRole:
    """What a written value does in documents that are alike: which equal value it overrides, or what overrides it."""

    __slots__ = ("alike", "over", "path", "under")

    def __init__(self, alike: Alike, path: Path, over: Node | None, under: Node | None) -> None:
        self.alike = alike
        self.path = path
        """From the part of a document that `alike` names."""
        self.over = over
        self.under = under


class ValueUse:
    """What one written value does: in which targets, and beside which other values. Asked when all were looked at."""

    __slots__ = ("_over", "_places", "_targets", "_under", "is_overridden", "needed", "repeats", "roles")

    def __init__(self) -> None:
        self.needed = False
        """Whether a result has it, and would not have the same without it."""
        self.repeats = False
        """Whether an equal value is right below it in a target."""
        self.is_overridden = False
        """Whether another value overrides it in a target."""
        self.roles: list[ValueRole] = []
        self._over: dict[str, Origin] | None = None
        self._under: dict[str, Origin] | None = None
        self._places: list[tuple[str, Path]] | None = None
        self._targets: list[str] | None = None

    @property
    def below(self) -> list[Origin]:
        """The equal values right below it."""
        return [role.over.origin for role in self.roles if role.over is not None]

    @property
    def over(self) -> dict[str, Origin]:
        """The equal values right below it, by target."""
        if self._over is None:
            self._over = self._by_target((role.alike, role.over) for role in self.roles)
        return self._over

    @property
    def under(self) -> dict[str, Origin]:
        """The values that override it, by target."""
        if self._under is None:
            self._under = self._by_target((role.alike, role.under) for role in self.roles)
        return self._under

    @staticmethod
    def _by_target(rows: Iterable[tuple[Alike, Node | None]]) -> dict[str, Origin]:
        origins = ((alike, node.origin) for alike, node in rows if node is not None)
        return {target: origin for alike, origin in origins for target in alike.targets}

    @property
    def places(self) -> list[tuple[str, Path]]:
        """The values of targets that it has to do with."""
        if self._places is None:
            rows = ((role, place) for role in self.roles for place in role.alike.targets_at)
            self._places = [(target, (*at, *role.path)) for role, (target, at) in rows]
        return self._places

    @property
    def sections(self) -> Iterator[tuple[str, Step | None]]:
        """The targets that have to do with it, each with the first step to the value there, if there is one."""
        for role in self.roles:
            for target, at in role.alike.targets_at:
                path = at or role.path
                yield target, path[0] if path else None

    def first_in(self, sections: Mapping[str, tuple[str, ...]]) -> bool | None:
        """Whether the first place of it is in one of the given sections of its target; None where no sections of that
        target are given, or it is in none."""
        for role in self.roles:
            for target, at in role.alike.targets_at:
                path, given = at or role.path, sections.get(target)
                return path[0] in given if given is not None and path else None
        return None

    @property
    def targets(self) -> list[str]:
        if self._targets is None:
            self._targets = list(dict.fromkeys(target for role in self.roles for target in role.alike.targets))
        return self._targets


class ValueUses:
    """The uses of all written values in all targets of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.uses: dict[str, dict[int, ValueUse]] = {}
        """By the file, and by the offset of the value in it."""
        self.files: dict[str, str] = {}
        """The files that values come from: where each is, and how reports name it."""
        self.texts: dict[str, tuple[str, Source]] = {}
        """Texts of single values that values come from, with the file that each is in."""
        self.shared: set[str] = set()
        """Those that others may read too, who are no targets here."""
        self.failing: list[str] = []
        """Targets that cannot be read."""
        self.looks = 0
        """How often it was worked out what a key of a document is made of."""
        self.accounts = 0
        """How often that needed an account."""
        self.known: dict[tuple[object, ...], Alike] = {}
        """Keys of documents, by their place and the identities of their parts."""
        self._parts: dict[int, dict[int, MapPart]] = {}
        """Maps that documents are merged from, by the identities of the policies and their own."""
        self._written: set[tuple[int, int]] = set()
        """Those of them that one text has, by the identity of the text and their offset."""
        self._shapes: dict[KeyNames, int] = {}
        """The keys of such maps, each with a number: many have the same."""
        self._layouts: dict[tuple[int, ...], KeyLayout] = {}
        """How the keys of maps with such numbers lie over each other."""
        self._rules: dict[int, tuple[MergePolicy | None, int, bool]] = {}
        """Policies, by their identities, each with the number that it has in common with those that merge alike, and
        whether the highest of single values wins below it."""
        self._numbers: dict[object, int] = {}
        """What policies have in common that merge alike, each with its number."""
        self._seen: dict[tuple[int, str], tuple[Node, str]] = {}
        """Parts of documents, by their identities and names, each with the last target that has it."""
        self._places: dict[int, tuple[Source, str, dict[int, ValueUse]]] = {}
        """Where files are and the uses of their values, by the identity of their source, which is kept with it."""
        self.paths = RealPaths()
        """Where all of them lead."""
        self._named: dict[tuple[object, str, str], str] = {}
        """The same by their names, as all targets of a kind in a folder mean them."""
        self.looked = 0
        """How many targets were looked at."""

    def steps(self) -> Iterator[None]:
        """Look at one target after the other."""
        targets = self.world.targets
        for address in targets.names():
            self.world.project.meter.next_part()
            if not self._look(address, targets[address]):
                self.failing.append(address)
            self.looked += 1
            yield
        for target in targets:
            self.shared |= target.published(self.files)
        self.shared |= {path for path, (file, _) in self.texts.items() if file in self.shared}

    def _look(self, address: str, target: Target) -> bool:
        """Look at the documents of a target, as far as they can be read; whether there is one."""
        looked: list[bool] = []
        for opened in several(_computed_from(target), target.looked_at()):
            try:
                _DocumentLook(self, address, target, opened()).look()
                looked.append(True)
            except Fault:
                looked.append(False)
        return any(looked) or not looked

    def is_seen(self, address: str, name: str, node: Node) -> bool:
        """Whether a part that nothing in a document can change was looked at for another document of the target, by the
        same name."""
        if node.live:
            return False
        key = (id(node), name)
        seen = key in self._seen and self._seen[key][1] == address
        self._seen[key] = (node, address)
        return seen

    def maps(self, nodes: list[Node], policy: MergePolicy | None) -> tuple[list[MapPart], KeyLayout] | None:
        """The maps that a map is merged from, and how their keys lie over each other; None where one is not plain."""
        known = self._parts.get(id(policy))
        if known is None:
            known = self._parts[id(policy)] = {}
        found: list[MapPart] = []
        shapes: list[int] = []
        for node in nodes:
            part = known.get(id(node))
            if part is None:
                part = known[id(node)] = MapPart(node, policy)
                part.shape = self._shapes.setdefault(part.names, len(self._shapes))
            if not part.is_plain:
                return None
            found.append(part)
            shapes.append(part.shape)
        key = tuple(shapes)
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = KeyLayout([part.names for part in found])
        return found, layout

    def is_first(self, part: MapPart) -> bool:
        """Whether a part is a map that one text has, and no document before has it."""
        node = part.node
        if isinstance(node.source, Computed) or (isinstance(node, MapNode) and node.parts):
            return False
        spot = (id(node.source), node.at)
        is_new = spot not in self._written
        self._written.add(spot)
        return is_new

    def rules(self, policy: MergePolicy | None) -> tuple[int, bool]:
        """The number that a policy has in common with those that merge alike, and whether the highest of single values
        wins."""
        known = self._rules.get(id(policy))
        if known is None:
            is_plain = policy is None or (policy.uniform and not policy.strict)
            number = self._numbers.setdefault(_rules(policy), len(self._numbers))
            known = self._rules[id(policy)] = (policy, number, is_plain)
        return known[1:]

    def use(self, target: Target, node: Node) -> ValueUse | None:
        """The use of a written value; None for one that nobody wrote."""
        known = self._places.get(id(node.source))
        if known is None:
            known = self._opened(target, node.source)
            if known is None:
                return None
        use = known[2].get(node.at)
        if use is None:
            use = known[2][node.at] = ValueUse()
        return use

    def _opened(self, target: Target, source: Source | Computed) -> tuple[Source, str, dict[int, ValueUse]] | None:
        """The file of a text, with the uses of its values; None for one that nobody wrote."""
        if isinstance(source, Computed) or source.given or (source.written is not None and source.value_at is None):
            return None
        file = self.place(target, source.name)
        self.files.setdefault(file, source.name)
        if source.value_at is not None:
            file = self._text(file, source)
        known = self._places[id(source)] = (source, file, self.uses.setdefault(file, {}))
        return known

    def place(self, target: Target, file: str) -> str:
        """Where a file is that a target names."""
        key = (target.__class__, target.declaration.folder, file)
        if key not in self._named:
            self._named[key] = self.paths.real(target.place_of(file))
        return self._named[key]

    def _text(self, file: str, source: Source) -> str:
        """What the text of a value is known by: it is looked at like a file of its own."""
        path = f"{file}{INSIDE}{source.value_at}"
        self.texts[path] = (file, source)
        return path

    def spot(self, origin: Origin) -> Spot | None:
        """Where a value is that was looked at; None for one that nobody wrote."""
        known = self._places.get(id(origin.source))
        return (known[1], origin.at) if known is not None else None


class _DocumentLook:
    """One look at a document, from the top down. Plain maps and single values are paired here, as a merge does it; all
    else is asked of its account."""

    def __init__(self, uses: ValueUses, address: str, target: Target, tree: Tree) -> None:
        self.uses = uses
        self.address = address
        self.target = target
        self.tree = tree

    @cached_property
    def tracer(self) -> Tracer:
        return Tracer(self.tree.force, meter=self.tree.evaluator.meter)

    @cached_property
    def _root(self) -> Account:
        return self.tree.account()

    def look(self) -> None:
        tree = self.tree
        names, root = looked_at(self.target, tree), tree.root
        if tree.tells_more or tree.matched or root.__class__ is not MapNode:
            for path in [(name,) for name in names] if names else [()]:
                self._whole(path)
        elif not names:
            merged = tree.policy is not None and len(tree.layers) > 1
            if not self.uses.is_seen(self.address, "", root):
                whole = Merged(root, tree.top, tree.layers, tree.policy) if merged else Merged.of(root, tree.top)
                self._part((), whole)
        else:
            assert isinstance(root, MapNode)
            self._sections(Merged.of(root, tree.top), [(name, root.entries.get(name)) for name in names])

    def _sections(self, top: Merged, rows: Iterable[tuple[str, Node | None]]) -> None:
        """Look at some sections of the document, one by one; single words are looked at as keys of all of it."""
        words: dict[Key, list[Node]] = {}
        sections: list[tuple[str, Node]] = []
        for name, node in rows:
            if node is not None and not self.uses.is_seen(self.address, name, node):
                if isinstance(node, Scalar):
                    words[name] = [node]
                else:
                    sections.append((name, node))
        if words:
            self._keys((), top, words)
        for name, node in sections:
            self._part((name,), Merged.of(node, None, (top, name)))

    def _whole(self, path: Path) -> None:
        """Look at a part of the document by its account."""
        account = self._root.children.get(path[0]) if path else self._root
        if account is not None:
            alike = Alike()
            alike.targets_at.append((self.address, path))
            self._account((), account, alike)

    def _part(self, path: Path, merged: Merged) -> None:
        """Look at a part of the document: key by key where it is made of plain maps, and so are maps in it."""
        found = self._as_maps(merged)
        if found is None:
            self._whole(path)
            return
        stack = [(path, merged, found)]
        while stack:
            at, one, (parts, layout) = stack.pop()
            here = (self.address, at)
            for number, others in layout.alone:
                part = parts[number]
                group = part.groups.get((at, others))
                if group is None:
                    self._alone(at, one, part, others)
                else:
                    group.add(here)
                    if group.again:
                        self._keys(at, one, {name: part.nodes(name) for name in group.again})
            if layout.several:
                stack += self._shared(at, one, parts, layout)

    def _as_maps(self, merged: Merged) -> tuple[list[MapPart], KeyLayout] | None:
        """The parts of a map that is merged of plain maps key by key, and how their keys lie over each other; None for
        anything else."""
        policy = merged.policy
        found = self.uses.maps(merged.values, policy) if policy is None or policy.word is None else None
        if found is None:
            return None
        return found if merged.has_keys(found[1].names) else None

    def _as_known_maps(self, merged: Merged) -> tuple[list[MapPart], KeyLayout] | None:
        """The same, where some of the maps may have to be computed."""
        if _are_maps(merged.parts):
            return self._as_maps(merged)
        merged.force(self.tracer)
        if any(value.live for value in merged.values):
            return None
        return self._as_maps(merged)

    def _shared(
        self, path: Path, merged: Merged, parts: list[MapPart], layout: KeyLayout
    ) -> list[tuple[Path, Merged, tuple[list[MapPart], KeyLayout]]]:
        """Look at the keys that several parts have; those that are plain maps are left."""
        is_uniform = merged.policy is None or merged.policy.uniform
        rows: dict[Key, list[Node]] = {}
        left: list[tuple[Path, Merged, tuple[list[MapPart], KeyLayout]]] = []
        for name, numbers in layout.several:
            nodes: list[Node] = []
            for at in numbers:
                entries = parts[at].entries
                if entries is not None:
                    nodes.append(entries[name])
                else:
                    nodes += parts[at].nodes(name)
            if is_uniform and _may_be_maps(nodes):
                below = merged.below(name, nodes)
                inner = self._as_known_maps(below)
                if inner is not None:
                    left.append(((*path, name), below, inner))
                    continue
            rows[name] = nodes
        if rows:
            self._keys(path, merged, rows)
        return left[::-1]

    def _alone(self, path: Path, merged: Merged, part: MapPart, others: frozenset[Key]) -> None:
        """Look at the keys of a part, without `others`, once for all documents that have them so."""
        names = [name for name in part.names if name not in others] if others else part.names
        group = part.groups[path, others] = KeyGroup()
        if self.uses.is_first(part):
            self._first(path, merged, part, names, group)
        else:
            self._again(path, merged, {name: part.nodes(name) for name in names}, group)

    def _first(self, path: Path, merged: Merged, part: MapPart, names: Iterable[Key], group: KeyGroup) -> None:
        """Look at the keys of a written map for the first time: no document before has one of them. Single values are
        alike in whatever documents have the map so."""
        here, single = (self.address, path), Alike()
        for name in names:
            nodes = part.nodes(name)
            if nodes[0].__class__ is Scalar or _is_one(nodes[0]):
                self._only((name,), nodes[0], single)
            else:
                alike = Alike()
                self._merged((name,), merged.below(name, nodes), alike)
                alike.targets_at.append(here)
                group.take(name, nodes, alike)
            self.uses.looks += 1
        single.targets_at.append(here)
        group.alikes.append(single)
        group.last = here

    def _again(self, path: Path, merged: Merged, alone: dict[Key, list[Node]], group: KeyGroup) -> None:
        """Look at the keys of a part of which other documents may have some."""
        for (name, nodes), alike in zip(alone.items(), self._keys(path, merged, alone), strict=True):
            group.take(name, nodes, alike)
        group.last = (self.address, path)

    def _keys(self, path: Path, merged: Merged, rows: dict[Key, list[Node]]) -> list[Alike]:
        """A key that is made of the same parts as in another document only gets this target; what is known of each."""
        known, policy, here = self.uses.known, merged.policy, (self.address, path)
        same, is_plain = self.uses.rules(policy)
        found: list[Alike] = []
        for name, parts in rows.items():
            key = (path, name, same, *map(_identity, parts))
            alike = known.get(key)
            if alike is None:
                known[key] = own = alike = Alike((policy, *parts))
                if self._at_once((name,), parts, is_plain, alike):
                    self.uses.looks += 1
                else:
                    self._merged((name,), merged.below(name, parts), alike)
            elif alike.has_equals and any(node.live for node in parts):
                own = Alike()  # what is equal there need not be equal here
                self._merged((name,), merged.below(name, parts), own)
            else:
                own = alike
            own.targets_at.append(here)
            found.append(alike)
        return found

    def _at_once(self, path: Path, parts: list[Node], is_plain: bool, alike: Alike) -> bool:
        """Look at what one part wrote as a whole, and at single values of which the highest wins; whether it is one of
        these."""
        if len(parts) == 1:
            if not _is_one(parts[0]):
                return False
            self._only(path, parts[0], alike)
            return True
        if not is_plain or not _are_scalars(parts):
            return False
        self._scalars(path, parts, parts, alike)
        return True

    def _merged(self, path: Path, merged: Merged, alike: Alike) -> None:
        """Look at everything that is merged at a place; `path` is relative to the part of the document."""
        self.uses.looks += 1
        stack = [(path, merged)]
        while stack:
            at, one = stack.pop()
            if len(one.parts) > 1:
                one.force(self.tracer)
            rows = one.rows()
            if rows:
                stack.extend(self._deeper(at, one, rows, alike))
            elif one.is_single:
                self._only(at, one.parts[0], alike)
            elif one.is_scalar:
                self._scalars(at, one.parts, one.values, alike)
            else:
                self._account(at, self.tracer.merge(one.parts, one.policy or WINS, one.node, one.place), alike)

    def _deeper(self, at: Path, merged: Merged, rows: dict[Key, list[Node]], alike: Alike) -> list[tuple[Path, Merged]]:
        """Look at the keys of a map as far as that is done at once; those that are left."""
        _, is_plain = self.uses.rules(merged.policy)
        left: list[tuple[Path, Merged]] = []
        for name, parts in rows.items():
            if not self._at_once((*at, name), parts, is_plain, alike):
                left.append(((*at, name), merged.below(name, parts)))
        return left[::-1]

    def _account(self, path: Path, account: Account, alike: Alike) -> None:
        self.uses.accounts += 1
        for at, value in _values(path, account):
            self._leaf(at, value, alike)
        for at, drops in account.removed(path):
            for drop in drops:
                twin = _twin(account, at[len(path) : -1], drop) if drop.reason == DUPLICATE else None
                if twin is not None:
                    self._repeated(at, drop.part.winner.node, twin, alike)
                else:
                    by = drop.by.winner.node if drop.by is not None else drop.part.node
                    self._lost(at, drop.part.winner.node, by, alike)

    def _leaf(self, path: Path, value: Account, alike: Alike) -> None:
        decides, losers = value.winner, [drop.part.winner for drop in value.losers]
        count = 0
        while count < len(losers) and not losers[count].gone and equal(losers[count].known, decides.known):
            count += 1
        nodes = [one.node for one in reversed(losers)]
        self._over_each_other(path, [*nodes, decides.node], len(losers) - count, alike)

    def _scalars(self, path: Path, parts: list[Node], values: list[Node], alike: Alike) -> None:
        """Single values, of which the highest wins: as they are written, and as they are known."""
        lowest = len(values) - 1
        decides = values[lowest]
        while lowest and (same_scalar(values[lowest - 1], decides) or equal(values[lowest - 1], decides)):
            lowest -= 1
        self._over_each_other(path, parts, lowest, alike)

    def _over_each_other(self, path: Path, parts: list[Node], lowest: int, alike: Alike) -> None:
        """Values of which the highest wins. Those from `lowest` on are equal: the lowest of them is needed, and the
        others are not. What is below them loses."""
        highest = len(parts) - 1
        self._only(path, parts[lowest], alike)
        for at in range(highest, lowest, -1):
            self._repeated(path, parts[at], parts[at - 1], alike)
        for at in range(lowest - 1, -1, -1):
            self._lost(path, parts[at], parts[highest], alike)

    def _only(self, path: Path, node: Node, alike: Alike) -> None:
        """A value that nothing above or below it makes unnecessary."""
        use = self.uses.use(self.target, node)
        if use is not None:
            use.needed = True
            use.roles.append(ValueRole(alike, path, None, None))

    def _repeated(self, path: Path, node: Node, under: Node, alike: Alike) -> None:
        """A value that is equal to one right below it."""
        use = self.uses.use(self.target, node)
        if use is not None:
            use.repeats = True
            use.roles.append(ValueRole(alike, path, under, None))
        alike.has_equals = True

    def _lost(self, path: Path, node: Node, by: Node, alike: Alike) -> None:
        use = self.uses.use(self.target, node)
        if use is not None:
            use.is_overridden = True
            use.roles.append(ValueRole(alike, path, None, by))


def _are_maps(nodes: list[Node]) -> bool:
    """Whether all of some parts are known maps."""
    for node in nodes:  # noqa: SIM110  every key asks
        if node.__class__ is not MapNode:
            return False
    return True


def _are_scalars(nodes: list[Node]) -> bool:
    """Whether all of some parts are known single values."""
    for node in nodes:  # noqa: SIM110  every key asks
        if node.__class__ is not Scalar:
            return False
    return True


def _may_be_maps(nodes: list[Node]) -> bool:
    """Whether all of some parts are maps, as far as they are known."""
    for node in nodes:  # noqa: SIM110  every key asks
        if node.__class__ is not MapNode and not isinstance(node, Deferred):
            return False
    return True


def _is_one(part: Node) -> bool:
    """Whether one part that wrote a value is no map, and decides all of it."""
    return part.__class__ is not MapNode and is_single(part)


def _identity(node: Node) -> tuple[int, int] | int:
    """What nodes have in common that are the same written value: two targets may have read a file each."""
    source = node.source
    return id(node) if isinstance(source, Computed) or source.given else (id(source), node.at)


def _rules(policy: MergePolicy | None) -> object:
    """What policies have in common that merge alike."""
    if policy is None or not policy.uniform:
        return id(policy)
    return (policy.default, policy.kinds, policy.word, policy.order, policy.nulls)


def _computed_from(target: Target) -> Iterator[Callable[[], Tree]]:
    """What the documents of a target are computed from, where that is merged before."""
    with suppress(Fault):  # reported with the documents
        yield from (partial(_same, tree) for tree, _ in target.computed_from())


def _same(tree: Tree) -> Tree:
    return tree


def _twin(account: Account, path: Path, drop: Dropped) -> Node | None:
    """The item that a list had already, where it has each once."""
    held = account.find(path)
    items = held.known.items if held is not None and isinstance(held.known, ListNode) else ()
    return next((item for item in items if equal(item, drop.part.known)), None)


def _is_built(account: Account) -> bool:
    """Whether a list that was not merged was put together item by item: what is in it overrides something."""
    return account.tracer.__class__ is not Tracer and any(leaf.losers for _, leaf in account.leaves())


def _values(path: Path, account: Account) -> Iterator[tuple[Path, Account]]:
    """The values at or below a place that are decided as a whole: a list that is not merged is one of them."""
    stack = [(path, account)]
    while stack:
        at, one = stack.pop()
        account.tracer.meter.step(ACCOUNT + len(at))
        below = [(step, child) for step, child in one.children.items() if not child.gone]
        if one.gone:
            continue
        if not below or (isinstance(one.known, ListNode) and (one.losers or not (one.parts or _is_built(one)))):
            yield at, one
        else:
            stack.extend(((*at, step), child) for step, child in reversed(below))
