"""plait's own front: layers of YAML, later ones win, tags compute, everything deep-merges.

layers = Layers(Project("."))
bundle = layers.bundle(["base.yaml", "prod.yaml"], sets=["vars.size=3"])
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Diagnostic, Fault, Label, PlaitError, for_each
from plait.core.find import entry_key, item_index, step_into
from plait.core.lazy import once
from plait.core.meter import like
from plait.core.node import Deferred, Failure, Key, ListNode, MapNode, Mark, Node, Parts, Scalar, text, whole_text
from plait.core.path import Keyed, Path, PathError, Step, format_path, parse_path, split_assignment
from plait.core.policy import OF_TOOLS, ListRule, MergePolicy, PlaceRule
from plait.core.resource import IDENTITY, Identity
from plait.core.scope import Place
from plait.core.source import Computed, Origin, Source
from plait.evaluate.nowhere import NotThere
from plait.evaluate.tree import Tree
from plait.fronts.checks import check_layers, check_rules, not_followed
from plait.fronts.documents import DocumentGroup, choose, grouped, is_empty
from plait.fronts.file_services import file_services
from plait.fronts.notations import recogniser
from plait.fronts.project import Project, patterns_of
from plait.fronts.revisions import read_revisions
from plait.fronts.services import shared_services
from plait.fronts.setting import NONE, profile_problem
from plait.fronts.settings import PROFILE, notation_problem
from plait.fronts.typed import is_foreign
from plait.merging.combine import combine, misplaced, replacing
from plait.profiles import Profile, profiles
from plait.profiles.rules import SETTINGS as PROFILE_SETTINGS
from plait.report.catalog import BAD_OPTION, BAD_PATH, UNKNOWN_PATH
from plait.yaml.build import Reading, build
from plait.yaml.files import read_source
from plait.yaml.readers import READERS
from plait.yaml.scan import scan
from plait.yaml.schema import Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from plait.core.scope import Scope
    from plait.evaluate.engine import Evaluator

    Read = TypeVar("Read")
    Relatives = dict[str, list[str]]
    Lay = Callable[[list[tuple[str, list[Node]]]], list[tuple[str, list[Node]]]]

KEEP = "keep"
"""What becomes of a null in a layer unless somebody says otherwise: it is a value."""
INCLUDED, BUILT = 16_384, 8
"""What a value that is a file costs, in bytes, and what each character of the file adds: it is built for each place."""


class LayerScope:
    """The file an expression was written in, the file that included it, and where."""

    __slots__ = ("by", "file", "parent")

    def __init__(self, file: str, parent: LayerScope | None = None, by: Node | None = None) -> None:
        self.file = file
        self.parent = parent
        self.by = by

    def sibling(self, name: str) -> str:
        """A name as it is meant in this file: relative to its folder."""
        return os.path.normpath(os.path.join(os.path.dirname(self.file), name))

    def chain(self) -> list[str]:
        files, scope = [], self
        while True:
            files.append(scope.file)
            if scope.parent is None:
                return files
            scope = scope.parent


class MergeOptions:
    """How layers are read and merged: what flags, plait.yaml and a profile say together.

    `patterns` are the list rules that were declared; those of the profile are weaker.
    """

    __slots__ = ("_policies", "documents", "kinds", "notations", "nulls", "patterns", "profile", "reader")

    def __init__(
        self,
        patterns: Iterable[PlaceRule] = (),
        kinds: str = "replace",
        notations: Iterable[str] = (),
        documents: str = "",
        profile: Profile | None = None,
        nulls: str = "",
        yaml: str = "",
    ) -> None:
        self.patterns = tuple(patterns)
        self.kinds = kinds
        self.notations = tuple(notations)
        self.documents = documents or ("pair" if profile is not None and profile.setting("documents") == "pair" else "")
        self.profile = profile
        self.nulls = nulls or (profile.setting("nulls") if profile is not None else KEEP)
        self.reader = READERS[yaml or (profile.setting("yaml") if profile is not None else "1.2")]
        self._policies: dict[tuple[str, str], MergePolicy] = {}

    def policy(self, identity: Identity | None = None) -> MergePolicy:
        """How a document is merged; a resource also by what the profile knows of its kind."""
        kind = (identity.group, identity.kind) if identity is not None else ("", "")
        if kind not in self._policies:
            self._policies[kind] = self._policy(*kind)
        return self._policies[kind]

    def _policy(self, group: str, kind: str) -> MergePolicy:
        if self.profile is None:
            return MergePolicy(kinds=self.kinds, patterns=self.patterns, nulls=self.nulls)
        listed = self.profile.lists_of(group, kind)
        weaker = [
            PlaceRule.at_level(
                PROFILE, order, parse_path(one.path, pattern=True), ListRule.parse(one.strategy, OF_TOOLS)
            )
            for order, one in enumerate(listed)
        ]
        return MergePolicy(kinds=self.kinds, patterns=(*weaker, *self.patterns), nulls=self.nulls)


def merge_options(
    project: Project,
    lists: Iterable[str] = (),
    policy_file: str | None = None,
    notations: Iterable[str] = (),
    documents: str = "",
    profile: str = "",
    nulls: str = "",
    yaml: str = "",
) -> MergeOptions:
    """What the flags say, over what plait.yaml says."""
    settings = project.settings
    for name in notations:
        why, hint = notation_problem(name)
        if why:
            raise BAD_OPTION.error(why=why, hint=hint)
    chosen = profile or settings.profile
    why, hint = profile_problem(chosen)
    if why:
        raise BAD_OPTION.error(why=why, hint=hint)
    for flag, value in (("nulls", nulls), ("yaml", yaml)):
        if value and value not in PROFILE_SETTINGS[flag]:
            raise BAD_OPTION.error(why=f"--{flag} is one of {', '.join(PROFILE_SETTINGS[flag])}, not `{value}`")
    return MergeOptions(
        patterns_of(project, list(lists), policy_file),
        settings.kinds,
        tuple(notations) or settings.notations,
        documents,
        profiles().get(chosen) if chosen and chosen != NONE else None,
        nulls or settings.nulls,
        yaml or settings.yaml,
    )


class MergedDocument:
    """One merged document: the tree, what it is called, and how it was merged."""

    __slots__ = ("group", "policy", "tree")

    def __init__(self, group: DocumentGroup, tree: Tree, policy: MergePolicy) -> None:
        self.group = group
        self.tree = tree
        self.policy = policy

    def narrowed(self, path: Path) -> MergedDocument:
        """The same with one value alone: what each document has on the way to it, merged."""
        found = [narrowed(document, path) for document in self.group.documents]
        documents = [one for one in found if one is not None]
        group = DocumentGroup(self.group.number, self.group.identity, documents)
        root = combine(documents, self.policy) if documents else MapNode({})
        return MergedDocument(group, Tree(root, self.tree.evaluator, documents, self.policy), self.policy)


def narrowed(node: Node, path: Path) -> Node | None:
    """A tree without everything that is beside the way to a value; None where the way ends before."""
    spine: list[tuple[MapNode, Key, int]] = []
    for step in path:
        if not isinstance(node, MapNode) or step not in node.entries:
            return None
        key: Key = step  # type: ignore[assignment]
        marks = dict(zip(node.entries, node.marks, strict=False))
        spine.append((node, key, marks.get(key, node.at)))
        node = node.entries[key]
    for around, key, mark in reversed(spine):
        node = around.but(entries={key: node}, marks=(mark,))
    return node


class Bundle:
    """What layers give: one document, or several where the layers hold several that belong together."""

    __slots__ = ("encrypted", "foreign", "members", "notes", "schema")

    def __init__(
        self,
        members: list[MergedDocument],
        schema: Schema,
        encrypted: list[Node],
        notes: list[Diagnostic],
        foreign: Iterable[tuple[str, Node]] = (),
    ) -> None:
        self.members = members
        self.schema = schema
        """The version of YAML that the layers were read as."""
        self.encrypted = encrypted
        """The documents of SOPS among the layers, as they are written."""
        self.notes = notes
        """What plait leaves in the result although the tool of the profile acts on it."""
        self.foreign = list(foreign)
        """The tags of plait that the layers have, where the tool of a profile does not know them."""

    def check(self) -> None:
        """Compute everything: all errors come at once."""
        for_each(lambda member: member.tree.value(), self.members)

    def narrowed(self, path: Path) -> Bundle:
        """The same with one value alone of each document, where nothing is to be computed."""
        members = [member.narrowed(path) for member in self.members]
        return Bundle([member for member in members if member.group.documents], self.schema, [], [])

    def choose(self, path: str) -> tuple[MergedDocument, str]:
        """The document that a path means, and the rest of the path."""
        group, rest = choose([member.group for member in self.members], path)
        return self.members[group.number - 1], rest


class LayerReader:
    """Reads layers in a project and merges them under a policy."""

    def __init__(self, project: Project, options: MergeOptions | None = None) -> None:
        self.project = project
        self.options = options or merge_options(project)
        tags = self.options.profile.tags if self.options.profile is not None else ()
        self.tags = {tag.tag: tag.means for tag in tags}
        """The profile's own tags, and the tags of plait that ask for the same."""
        self._included_trees: dict[tuple[Node, str], Node] = {}
        self.lowest = ""
        """The layer below all others, in which null removes nothing."""
        self.encrypted: list[Node] = []
        """The documents of SOPS that were read."""
        self.foreign: list[tuple[str, Node]] = []
        """The tags of plait in layers that are merged as another tool merges them."""
        self._faults: list[Diagnostic] | None = None
        """Collects what is wrong in texts of layers while they are read; a failure is in its place."""

    def bundle(
        self,
        names: Iterable[str],
        sets: Iterable[str] = (),
        create: bool = False,
        relatives: Relatives | None = None,
        laid: Lay | None = None,
    ) -> Bundle:
        """The layers merged, lowest first. An empty file adds nothing. `relatives` are helm's other flags that set;
        `laid` changes the documents of the files before they are merged, or adds some."""
        names = list(names)
        flags = {"sets": list(sets), **(relatives or {})}
        self._check_flags(flags)
        self.lowest = names[0] if names else ""
        read_revisions(self.project, names)
        layers, faults = self._read_all(names)
        layers = laid(layers) if laid is not None else layers
        if not faults:
            return self._bundle(layers, flags, create)
        try:
            self._bundle(layers, flags, create).check()
        except Fault as error:
            faults += error.diagnostics
        raise Fault(*dict.fromkeys(faults))

    def _read_all(self, names: list[str]) -> tuple[list[tuple[str, list[Node]]], list[Diagnostic]]:
        """The documents of all layers, and what is wrong in them. Where some cannot be read, the errors of all come
        at once."""
        faults = self._faults = []
        try:
            return for_each(lambda name: (name, self.read(name)), names), faults
        except Fault as unread:
            raise Fault(*faults, *unread.diagnostics) from None
        finally:
            self._faults = None

    @property
    def _sets_as_helm(self) -> bool:
        profile = self.options.profile
        return profile is not None and profile.setting("set") == "helm"

    def _check_flags(self, flags: dict[str, list[str]]) -> None:
        """That flags which only helm has are given where values are set as helm sets them."""
        if not self._sets_as_helm and any(flags[name] for name in flags if name != "sets"):
            why = "--set-string, --set-json, --set-file and --set-literal set values as helm does"
            raise BAD_OPTION.error(why=why, hint="add --profile helm, or use --set PATH=VALUE")

    def _bundle(self, layers: list[tuple[str, list[Node]]], flags: dict[str, list[str]], create: bool) -> Bundle:
        check_layers((name, document) for name, documents in layers for document in documents if not is_empty(document))
        check_rules(self.options.patterns, [document for _, documents in layers for document in documents])
        groups = grouped(layers, self.options.documents)
        if self._sets_as_helm and any(flags.values()):
            self._set_as_helm(groups, flags)
            flags = {"sets": []}
        evaluator = once(self.evaluator)
        notes = not_followed((document for _, documents in layers for document in documents), self.options.profile)
        members = [self._merged(group, evaluator) for group in groups]
        bundle = Bundle(members, self.options.reader.schema, self.encrypted, notes, self.foreign)
        for flag in flags["sets"]:
            path, equals, value = split_assignment(flag)
            member, path = bundle.choose(path)
            root = self.set(member, path + equals + value, create)
            member.tree = Tree(root, evaluator, [root])
        return bundle

    def _set_as_helm(self, groups: list[DocumentGroup], flags: dict[str, list[str]]) -> None:
        """One more layer for each value that flags set, above those of the files."""
        from plait.fronts.helm_set import with_flags  # only where a flag asks for it

        lowest, *files = groups[0].documents or [MapNode({})]
        groups[0].documents = [lowest, *with_flags(files, **flags, read=self.text_of)]

    def text_of(self, name: str) -> str:
        """The text of a file that a flag names."""
        return self.project.source(self.project.admit(name)).text

    def made(self, documents: list[Node]) -> Bundle:
        """Documents that are made already, each a tree of its own."""
        evaluator = once(self.evaluator)
        members = [
            MergedDocument(
                DocumentGroup(number, Identity.of(document), [document]), Tree(document, evaluator), MergePolicy()
            )
            for number, document in enumerate(documents, 1)
        ]
        return Bundle(members, self.options.reader.schema, [], [])

    def _merged(self, group: DocumentGroup, evaluator: Callable[[], Evaluator]) -> MergedDocument:
        policy = self.options.policy(group.identity)
        profile = self.options.profile
        nulls = self.options.nulls
        if profile is not None or nulls != KEEP:
            from plait.fronts.shaping import shaped

            group.documents = shaped(group.documents, profile, nulls, policy)
        documents = group.documents
        root = combine(documents, policy) if documents else MapNode({})
        if isinstance(root, Mark):
            root = Failure((misplaced(root),)) if root.rule else MapNode({})
        matched = IDENTITY if group.identity is not None else None
        return MergedDocument(group, Tree(root, evaluator, documents, policy, matched=matched), policy)

    def evaluator(self) -> Evaluator:
        """A run that can do what this front's expressions may ask for."""
        from plait.evaluate.engine import Evaluator  # many merges have no expressions

        return Evaluator(
            self.project.door,
            self.project.meter,
            {
                "include": self.include,
                "include_raw": self.include_raw,
                "parse_output": self.parse_output,
                **shared_services(self.project),
                **(file_services(self.project, self.documents_in) if "dynaml" in self.options.notations else {}),
            },
            self.project.counters,
        )

    def documents_in(self, written: str, name: str) -> list[Node]:
        """The documents of a text that an expression reads."""
        source = Source(name, written)
        reading = self.reading(LayerScope(name))
        return [build(program, source, reading) for program in self.project.parsed(source)]

    def read(self, name: str, parent: LayerScope | None = None, by: Node | None = None) -> list[Node]:
        """The documents of a file; what SOPS encrypted is decrypted where that is possible and allowed."""
        documents = self.project.read(name, lambda source: self.reading(LayerScope(name, parent, by)))
        if not any(isinstance(one, MapNode) and "sops" in one.entries for one in documents):
            return documents
        from plait.fronts.sops import is_encrypted, opened  # few files are encrypted

        self.encrypted += filter(is_encrypted, documents)
        return opened(self.project, name, documents)

    def reading(self, scope: LayerScope) -> Reading:
        markers, marked = recogniser(self.options.notations, scope)
        return Reading(
            schema=self.options.reader.schema,
            text_keys=self.options.reader.name != "1.2" and self.options.reader.keys is None,
            keys=self.options.reader.keys,
            tagged=lambda tag, node: self.recognise(tag, node, scope),
            markers=markers,
            marked=marked,
            signs=markers,
            nodes=self.project.budgets.nodes,
            faults=self._faults,
        )

    def recognise(self, tag: str, node: Node, scope: LayerScope) -> Node:
        """What a tagged node means; a tag of the profile means a tag of plait, whatever value has it."""
        means = self.tags.get(tag)
        if means == "!unset":
            return Mark(node.source, node.at)
        if means == "!replace" and isinstance(node, Scalar) and node.value is not None:
            return text(node.text, node.source, node.at)  # a tag of its own makes a text of any single value
        from plait.notations.tags import FUNCTIONS, WORDS, recognise

        if means is None and self.options.profile is not None and (tag in FUNCTIONS or tag in WORDS):
            self.foreign.append((tag, node))
        return recognise(means or tag, node, scope)

    # What expressions may ask of this front

    def include(self, scope: Scope, name: str, path: str) -> Node:
        """A file, or a part of it, as a value. What it holds is evaluated where it lands."""
        file = self._included(scope, name)
        written = scope.written
        assert isinstance(written, LayerScope)
        key = (scope.node, file)
        node = self._included_trees.get(key)
        if node is None:  # an expression that waits starts again, and must find the same tree
            documents = self._or_placed(scope, lambda: self.read(file, written, scope.node))
            scope.meter.make(INCLUDED + len(self.project.source(file).text) * BUILT)
            node = documents[0] if documents else Scalar(None, "")
            if self.options.nulls != KEEP and written.chain()[-1] != self.lowest:
                from plait.fronts.shaping import as_override

                node = as_override(node, self.options.nulls)
            self._included_trees[key] = node
        return self._part(scope, node, _path(path, scope.node)) if path else node

    def _part(self, scope: Scope, node: Node, path: Path) -> Node:
        """A part of an included document: through what is written there, without evaluating its neighbours."""
        for depth, step in enumerate(path):
            node = scope.known(node, scope.place)
            child = step_into(node, step)
            if child is None:
                raise NotThere(node, path, depth).at(scope.node)
            node = child
        return node

    def include_raw(self, scope: Scope, name: str) -> Node:
        """The text of a file."""
        file = self._included(scope, name)
        source = self._or_placed(
            scope, lambda: read_source(file, size_limit=self.project.budgets.size, door=self.project.door)
        )
        return whole_text(source, Source(file))

    @staticmethod
    def _or_placed(scope: Scope, read: Callable[[], Read]) -> Read:
        """What reading a file gives; an error also names the file that asked for it."""
        try:
            return read()
        except PlaitError as error:
            asked = Label(scope.node.origin, "wanted here" if error.diagnostics[0].labels else "")
            raise like(error, *(diagnostic.also_at(asked) for diagnostic in error.diagnostics)) from None

    def _included(self, scope: Scope, name: str) -> str:
        written = scope.written
        assert isinstance(written, LayerScope)
        file = written.sibling(name)
        self.project.check_inside(file, scope.node)
        around: LayerScope | None = written
        ring = [scope.node]
        while around is not None and around.file != file:
            ring += [around.by] if around.by is not None else []
            around = around.parent
        if around is not None:
            from plait.evaluate.cycles import PART_OF_IT, cycle_failure

            raise Fault(*cycle_failure([(node, Place()) for node in reversed(ring)], PART_OF_IT).diagnostics)
        return file

    def parse_output(self, node: Node, output: str) -> Node:
        """What a command printed: JSON is data, everything else is text."""
        source = Source(f"the output of {node.origin}", output)
        if output[:1] in ("{", "[") and (tree := _json(source)) is not None:
            return tree
        return text(output, Computed(node.text if isinstance(node, Scalar) else "", node.source, node.at), node.at)

    # --set

    def set(self, member: MergedDocument, flag: str, create: bool) -> Node:
        """The tree with one value given by a flag. The path must be there, unless it may be created."""
        name, equals, value = split_assignment(flag)
        source = Source(f"--set {flag}", flag, given=True)
        asker = text(flag, source, 0)
        if not equals:
            path_text, colon, rest = flag.partition(":")
            written = f"{path_text}={rest.strip()}" if colon else "PATH=VALUE"
            raise BAD_PATH.error(Label(asker.origin), path=flag, why="there is no `=`", hint=f"write --set {written}")
        path = _path(name, asker)
        self._check_single(member.tree, flag, value, asker)
        if not create or is_foreign(member.tree.root, path):
            self._must_exist(member.tree, path, asker)
        return _placed(member.tree.root, path, self._value(value, flag), member.policy, source)

    def _check_single(self, tree: Tree, flag: str, value: str, asker: Node) -> None:
        """Report values that are separated by commas, as helm takes them, where the second is one of the tree: it would
        become text of the first."""
        _, comma, rest = value.partition(",")
        name, equals, _ = split_assignment(rest)
        if not comma or not equals or value[0] in "\"'[{":
            return
        try:
            tree.find(parse_path(name))
        except (Fault, NotThere, PathError):
            return
        begun = flag[: len(flag) - len(comma + rest)]
        hint = f"write --set {begun} --set {rest}; or, if it is a text, put the value in quotes"
        raise BAD_OPTION.error(Label(asker.origin), why="--set gives one value, and this gives several", hint=hint)

    def _value(self, value: str, flag: str) -> Node:
        """A flag's value is YAML."""
        source = Source(f"--set {flag}", value, given=True)
        programs = scan(source, self.project.budgets.depth)
        return build(programs[0], source, self.reading(LayerScope("."))) if programs else text("", source)

    def _must_exist(self, tree: Tree, path: Path, asker: Node) -> None:
        try:
            tree.find(path)
        except Fault:
            return  # it is there, and fails: all the more reason to give a value
        except NotThere as nowhere:
            trouble = nowhere.labelled(Label(asker.origin)).diagnostics[0]
            hint = "\n".join(filter(None, (trouble.hint, "--create adds missing parts of the path")))
            raise UNKNOWN_PATH.error(Label(asker.origin), path=format_path(path), hint=hint) from None


def _path(name: str, asker: Node) -> Path:
    try:
        return parse_path(name.removeprefix("."))
    except PathError as trouble:
        raise BAD_PATH.error(Label(asker.origin), path=name, why=trouble.message) from None


def _json(source: Source) -> Node | None:
    import json  # only where a command was run

    try:
        json.loads(source.text)
    except ValueError:
        return None
    return build(scan(source)[0], source, Reading())


def _placed(root: Node, path: Path, node: Node, policy: MergePolicy, source: Source) -> Node:
    """The tree with a node put at a path, its history kept: the flag is one more part, above all others."""
    spine: list[tuple[Node, Step, MergePolicy]] = []
    at = root
    for depth, step in enumerate(path):
        if isinstance(at, Deferred | Scalar | Failure):
            part = _nested(path[depth:], node, source)
            return _rebuilt(spine, combine([at, part], policy), part, source)
        _check_step(at, path, depth, source)
        spine.append((at, step, policy))
        policy = policy.child(step)
        child = step_into(at, step)
        if child is None:
            node = _item(step, _nested(path[depth + 1 :], node, source), source)
            break
        at = child
    return _rebuilt(spine, node, replacing(node), source)


def _check_step(at: Node, path: Path, depth: int, source: Source) -> None:
    """That a step can lead into a container: a number into a map, or past the end of a list, cannot."""
    step = path[depth]
    if isinstance(at, MapNode) and isinstance(step, int | Keyed) and entry_key(at, step) is None:
        why = f"`{format_path(path[:depth]) or 'the document'}` is a map, not a list"
        raise BAD_PATH.error(Label(Origin(source, 0)), path=format_path(path), why=why)
    if isinstance(at, ListNode) and isinstance(step, int) and step_into(at, step) is None and step != len(at.items):
        why = f"the next item of `{format_path(path[:depth])}` is [{len(at.items)}]"
        raise BAD_PATH.error(Label(Origin(source, 0)), path=format_path(path), why=why)


def _nested(path: Path, node: Node, source: Source) -> Node:
    """A value below a path that is not there yet: `[0]` begins a list, `[name=web]` a list with that item."""
    for depth in reversed(range(len(path))):
        step = path[depth]
        if isinstance(step, int) and step != 0:
            why = f"this begins a list, and its first item is [0], not [{step}]"
            raise BAD_PATH.error(Label(Origin(source, 0)), path=split_assignment(source.text)[0], why=why)
        if isinstance(step, int | Keyed):
            node = ListNode([_item(step, node, source)], source, 0, None, node.live)
        else:
            node = MapNode({step: node}, source, 0, None, node.live)  # type: ignore[dict-item]
    return node


def _item(step: Step, node: Node, source: Source) -> Node:
    """A new item of a list: with the fields that the step names it by."""
    if not isinstance(step, Keyed):
        return node
    named = zip(step.names, step.values, strict=True)
    fields: dict[Key, Node] = {name: text(value, source) for name, value in named if name}
    inner = node.entries if isinstance(node, MapNode) else {}
    return MapNode({**fields, **inner}, source, 0, None, node.live)


def _rebuilt(spine: list[tuple[Node, Step, MergePolicy]], node: Node, part: Node, source: Source) -> Node:
    """The containers above a new node, each with the flag as one more part."""
    for container, step, policy in reversed(spine):
        live = container.live or node.live
        if isinstance(container, MapNode):
            key = entry_key(container, step)
            name = key if key is not None else str(step)
            entries = {**container.entries, name: node}
            part = MapNode({name: part}, source, 0, None, node.live)
            parts = Parts((container, part))
            parts.policy = policy
            node = MapNode(entries, container.source, container.at, container.tag, live, parts=parts)
        else:
            assert isinstance(container, ListNode)
            index = item_index(container, step)
            items = list(container.items) if index is not None else [*container.items, node]
            items[index if index is not None else -1] = node
            node = ListNode(items, container.source, container.at, container.tag, live)
            part = replacing(node)
    return node
