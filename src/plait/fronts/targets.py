"""Targets: what people deploy, named once in plait.yaml, so that lists of files are not repeated.

    targets:
    - name: prod
      layers: [base.yaml, prod.yaml]
    - name: "app-{env}"
      layers: [base.yaml, "env/{env}.yaml"]
      for: {env: "env/*.yaml"}
    - name: cf
      template: deployment.yml
      stubs: [infrastructure.yml, prod.yml]
    - name: service
      document: service.yaml
    - name: generated
      files: "deploy/*.yaml"
    - name: "queue-{env}"
      pattern: queue
      inputs: {name: jobs, env: "{env}"}
      for: {env: "env/*.yaml"}

A target of layers takes globs; `for` makes one target for each file that a pattern matches. `template` with `stubs` is
merged as spiff does, `document` is expanded with its directives, `files` are resources as they are, and `pattern` is
what a pattern of the folder `patterns`, or one that comes with plait, generates for some inputs.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault, Label
from plait.core.glob import Glob, GlobError, is_pattern, literal_prefix
from plait.core.node import Mapping, Node, Scalar, Sequence, key_text, text
from plait.core.resource import Identity
from plait.fronts.layers import LayerReader
from plait.fronts.patterns.inputs import Values, resolve
from plait.fronts.patterns.pattern import FILE, PACKAGED, Pattern
from plait.fronts.patterns.render import PatternRenderer
from plait.fronts.project import Project
from plait.fronts.selecting import no_target
from plait.fronts.spiff import Spiff
from plait.fronts.spiff.cascade import cascade
from plait.fronts.unfurl.documents import Directives
from plait.report.catalog import BAD_SETTING, NO_PATTERN, TARGET_EMPTY
from plait.report.near import did_you_mean
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import TypeVar

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.evaluate.tree import Tree
    from plait.fronts.layers import Bundle

    T = TypeVar("T")

KINDS = {
    "layers": "LAYER, ...",
    "template": "a spiff template, with `stubs`",
    "document": "FILE",
    "files": "GLOB, ...",
    "pattern": "NAME, with `inputs`",
}
"""What a target may be made of."""
WHOLE = "document"
"""What the only document of a target is called."""
EXAMPLE = "write them as in `targets: [{name: prod, layers: [base.yaml, prod.yaml]}]`"
OPTIONS = ("name", "for", "stubs", "evaluate", "inputs")


class Target:
    """One thing that people deploy: how it is made, and of which files, from the folder of plait.yaml."""

    __slots__ = ("evaluate", "files", "inputs", "kind", "name", "node")

    def __init__(self, name: str, kind: str, files: list[str], node: Node, evaluate: bool = False) -> None:
        self.inputs: dict[str, Node] = {}
        """Of a pattern."""
        self.name = name
        self.kind = kind
        self.files = files
        self.node = node
        self.evaluate = evaluate

    def __repr__(self) -> str:
        return f"Target({self.name}: {self.kind} {self.files})"


class HeldDocuments:
    """The documents of a target, as far as they were evaluated, for the next question to a project that lives."""

    __slots__ = ("_files", "_nodes", "_project", "documents")

    def __init__(self, project: Project) -> None:
        self.documents: dict[str, Callable[[], Node]] = {}
        self._project = project
        self._files: set[str] = set()
        """The files that they were made of so far."""
        self._nodes: dict[str, Node] = {}

    def is_true(self) -> bool:
        """Whether nothing else than files was asked for, apart from variables that have the same values still."""
        trace = self._project.trace
        return not trace.unfollowed and not any(trace.changed_variables())

    def evaluated(self, label: str) -> Callable[[], Node]:
        def value() -> Node:
            if label not in self._nodes:
                self._nodes[label] = self.watched(self.documents[label])
            self._report()
            return self._nodes[label]

        return value

    def watched(self, work: Callable[[], T]) -> T:
        """The result of some work, which depends on every file that is read meanwhile."""
        with self._project.watching() as files:
            try:
                return work()
            finally:
                self._files |= files

    def _report(self) -> None:
        """Whoever collects the names of files gets those of an answer that is not computed again, too."""
        if self._project.watched is not None:
            self._project.watched |= self._files

    def forget(self, names: Collection[str]) -> bool:
        return self._files.isdisjoint(names)

    def left(self) -> dict[str, object]:
        return {}

    def avoids_secrets(self, path: str) -> bool:
        return False


class Targets:
    """The targets that a project's plait.yaml declares."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.base = project.home or project.root
        """The folder of plait.yaml, from which the files of targets are named."""
        self.known = {target.name: target for target in self._declared()}

    def _declared(self) -> Iterator[Target]:
        node = self.project.settings.targets
        if node is None:
            return
        if not isinstance(node, Sequence):
            raise _bad(node, "`targets` must be a list", EXAMPLE)
        wrong: list[Diagnostic] = []
        for entry in node.items:
            try:
                yield from self._made(entry)
            except Fault as fault:
                wrong += fault.diagnostics
        if wrong:
            raise Fault(*wrong)

    def _made(self, entry: Node) -> Iterator[Target]:
        fields = {key_text(key): child for key, child in entry.entries.items()} if isinstance(entry, Mapping) else {}
        kinds = [kind for kind in KINDS if kind in fields]
        name = fields.get("name")
        if len(kinds) != 1 or not isinstance(name, Scalar):
            why = f"a target has a `name` and one of {', '.join(f'`{kind}`' for kind in KINDS)}"
            raise _bad(entry, why, EXAMPLE)
        for key, child in fields.items():
            if key not in (*KINDS, *OPTIONS):
                raise _bad(child, f"unknown key `{key}` of a target", did_you_mean(key, (*KINDS, *OPTIONS)))
        patterns = [*_texts(fields[kinds[0]]), *_texts(fields.get("stubs"))]
        loop = fields.get("for")
        variants = self._variants(loop) if loop is not None else [{}]
        evaluate = fields.get("evaluate")
        for variables in variants:
            files = self._files_of(kinds[0], [_filled(pattern, variables) for pattern in patterns], entry)
            called = _filled(name.text, variables)
            if loop is not None and called == name.text:
                called = "-".join([name.text, *variables.values()])
            target = Target(called, kinds[0], files, entry, isinstance(evaluate, Scalar) and evaluate.value is True)
            target.inputs = _inputs(fields.get("inputs"), variables)
            yield target

    def _variants(self, loop: Node) -> list[dict[str, str]]:
        """The values of the variables of `for`: what stands for `*` in the names of the files that match."""
        if not isinstance(loop, Mapping):
            raise _bad(loop, '`for` maps variables to globs, as in `for: {env: "env/*.yaml"}`')
        rows: list[dict[str, str]] = [{}]
        for key, child in loop.entries.items():
            pattern = child.text if isinstance(child, Scalar) else ""
            before, star, after = pattern.partition("*")
            if not star or "*" in after:
                raise _bad(child, "the glob of a variable has one `*`")
            names = self._files(pattern, child)
            values = [name[len(before) : len(name) - len(after)] for name in names]
            if not values:
                raise TARGET_EMPTY.error(Label(child.origin), pattern=pattern)
            rows = [{**row, key_text(key): value} for row in rows for value in values]
        return rows

    def _files_of(self, kind: str, patterns: list[str], entry: Node) -> list[str]:
        """The files that a target is made of, from the folder of plait.yaml."""
        if kind != "pattern":
            return [file for pattern in patterns for file in self._files(pattern, entry)]
        return [f"patterns/{name}/{file}" for name in patterns for file in self._matching_in(f"patterns/{name}")]

    def _matching_in(self, folder: str) -> list[str]:
        return sorted(self.project.door.below(os.path.join(self.base, folder)))

    def _files(self, pattern: str, entry: Node) -> list[str]:
        if not is_pattern(pattern):
            return [pattern]
        try:
            found = self._matching(pattern)
        except GlobError as trouble:
            raise _bad(entry, f"cannot read the pattern `{pattern}`: {trouble}") from None
        if not found:
            raise TARGET_EMPTY.error(Label(entry.origin), pattern=pattern)
        return found

    def _matching(self, pattern: str) -> list[str]:
        return sorted(glob_files(self.project, self.base, pattern))

    def find(self, name: str) -> Target:
        target = self.known.get(name)
        if target is None:
            raise no_target(name, self.known)
        return target

    def names(self, target: Target) -> list[str]:
        """The files of a target, as they are opened from the working folder."""
        return [os.path.relpath(os.path.join(self.base, name)) for name in target.files]

    def generated(self, target: Target) -> Bundle:
        """The resources that a pattern makes, as if nothing had been generated before."""
        pattern = self.pattern(target)
        made = PatternRenderer(self.project, pattern).generate(self.inputs(target, pattern))
        return LayerReader(self.project).made([document.node for file in made for document in file.documents])

    def pattern(self, target: Target) -> Pattern:
        """The pattern that a target is made of."""
        return _pattern(self.project, target, self.base)

    def inputs(self, target: Target, pattern: Pattern) -> Values:
        """What the pattern is given: the inputs of the target, and the defaults of the others."""
        given = [(name, node, "plait.yaml") for name, node in target.inputs.items()]
        return resolve(pattern.inputs, given, pattern.environment)

    def trees(self, target: Target) -> dict[str, Tree]:
        """The documents of a target by label, as trees that can be explained; none for files that are taken as they
        are."""
        made = TREES.get(target.kind)
        return made(self, target) if made is not None else {}

    def documents(self, target: Target) -> dict[str, Callable[[], Node]]:
        """The documents of a target by label, each evaluated when it is asked for. A project that lives keeps what it
        evaluated until a file of it changes."""
        held = self.project.held.get(("target", target.name))
        if not isinstance(held, HeldDocuments) or not held.is_true():
            held = HeldDocuments(self.project)
            held.documents = held.watched(lambda: self._documents(target))
            self.project.held["target", target.name] = held
        return {label: held.evaluated(label) for label in held.documents}

    def _documents(self, target: Target) -> dict[str, Callable[[], Node]]:
        if target.kind == "pattern":
            return {label: tree.partial for label, tree in self.trees(target).items()}
        return READERS[target.kind](self.project, target, self.names(target))


def _layers(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    return by_label(LayerReader(project).bundle(names))


def trees_by_label(bundle: Bundle) -> dict[str, Tree]:
    """The merged documents of layers; a single one that is not a resource has no label."""
    single = len(bundle.members) == 1 and bundle.members[0].group.identity is None
    return {"" if single else member.group.label: member.tree for member in bundle.members}


def by_label(bundle: Bundle) -> dict[str, Callable[[], Node]]:
    """The same, each evaluated when it is asked for; a value that cannot be computed does not hide the others."""
    return {label: tree.partial for label, tree in trees_by_label(bundle).items()}


def _spiff(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    return {"": lambda: Spiff(project).merge([project.admit(name) for name in names])[0]}


def _document(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    documents = {name: Directives(project).document(name, evaluate=target.evaluate) for name in names}
    return {name if len(names) > 1 else "": document.expanded for name, document in documents.items()}


def _resources(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    resources: dict[str, Callable[[], Node]] = {}
    for name in names:
        for number, node in enumerate(project.read(project.admit(name), lambda source: Reading()), 1):
            identity = Identity.of(node)
            label = identity.label if identity is not None else f"{os.path.basename(name)}#{number}"
            resources[label] = lambda node=node: node  # type: ignore[misc]
    return resources


def _pattern(project: Project, target: Target, base: str) -> Pattern:
    """The pattern of a target: one of the project, else one that comes with plait."""
    name = _texts(target.node.entries["pattern"])[0] if isinstance(target.node, Mapping) else ""
    project.door.add_root(PACKAGED)
    for folder in (os.path.relpath(os.path.join(base, "patterns", name)), os.path.join(PACKAGED, name)):
        if project.door.is_file(os.path.join(folder, FILE)):
            return Pattern.read(project, folder)
    known = [*project.listing(os.path.join(base, "patterns")), *project.listing(PACKAGED)]
    raise NO_PATTERN.error(
        name=name, notes=("looked in: patterns, those that come with plait",), hint=did_you_mean(name, known)
    )


READERS = {"layers": _layers, "template": _spiff, "document": _document, "files": _resources}


def _layer_trees(targets: Targets, target: Target) -> dict[str, Tree]:
    return trees_by_label(LayerReader(targets.project).bundle(targets.names(target)))


def _stub_trees(targets: Targets, target: Target) -> dict[str, Tree]:
    return {"": cascade(targets.project, targets.names(target))}


def _document_trees(targets: Targets, target: Target) -> dict[str, Tree]:
    names, front = targets.names(target), Directives(targets.project)
    return {name if len(names) > 1 else "": front.document(name, evaluate=target.evaluate).tree for name in names}


def _generated_trees(targets: Targets, target: Target) -> dict[str, Tree]:
    return {member.group.label: member.tree for member in targets.generated(target).members}


TREES = {
    "layers": _layer_trees,
    "template": _stub_trees,
    "document": _document_trees,
    "pattern": _generated_trees,
}
"""How a target that can be explained is read."""


def glob_files(project: Project, folder: str, pattern: str) -> Iterator[str]:
    """The files below a folder that match a pattern."""
    glob = Glob(pattern)
    base = literal_prefix(pattern)
    for name in project.door.below(os.path.join(folder, base)):
        file = f"{base}/{name}" if base else name
        if glob.matches(file):
            yield file


def _texts(node: Node | None) -> list[str]:
    if node is None:
        return []
    items = node.items if isinstance(node, Sequence) else [node]
    if not all(isinstance(item, Scalar) for item in items):
        raise _bad(node, "the files of a target are names or globs")
    return [item.text for item in items if isinstance(item, Scalar)]


def _inputs(node: Node | None, variables: dict[str, str]) -> dict[str, Node]:
    """The inputs of a pattern, with the variables of `for` filled in."""
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        raise _bad(node, "`inputs` maps the inputs of a pattern to values")
    inputs: dict[str, Node] = {}
    for key, child in node.entries.items():
        if isinstance(child, Scalar) and isinstance(child.value, str):
            child = text(_filled(child.text, variables), child.source, child.at)
        inputs[key_text(key)] = child
    return inputs


def _filled(template: str, variables: dict[str, str]) -> str:
    for name, value in variables.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return BAD_SETTING.error(Label(node.origin), why=why, hint=hint)
