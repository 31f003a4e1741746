"""Targets: what people deploy, named once in plait.yaml, so that nobody repeats lists of files.

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

A target of layers takes globs; `for` makes one target for each file that a pattern matches. `template` with `stubs` is merged
as spiff does, `document` is expanded with its directives, and `files` are resources as they are (generated ones, for instance).
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.glob import Glob, GlobError, is_pattern, literal_prefix
from plait.core.node import Mapping, Node, Scalar, Sequence, key_text
from plait.core.resource import Identity
from plait.fronts.layers import LayerReader
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from plait.fronts.unfurl.documents import Directives
from plait.report.catalog import BAD_SETTING, NO_TARGET, TARGET_EMPTY
from plait.report.near import did_you_mean
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.diagnostic import PlaitError

KINDS = {"layers": "LAYER, ...", "template": "a spiff template, with `stubs`", "document": "FILE", "files": "GLOB, ..."}
"""What a target may be made of."""
OPTIONS = ("name", "for", "stubs", "evaluate")


class Target:
    """One thing that people deploy: how it is made, and of which files, from the folder of plait.yaml."""

    __slots__ = ("evaluate", "files", "kind", "name", "node")

    def __init__(self, name: str, kind: str, files: list[str], node: Node, evaluate: bool = False) -> None:
        self.name = name
        self.kind = kind
        self.files = files
        self.node = node
        self.evaluate = evaluate

    def __repr__(self) -> str:
        return f"Target({self.name}: {self.kind} {self.files})"


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
            raise _bad(node, "`targets` is a list of mappings with a `name`")
        for entry in node.items:
            yield from self._made(entry)

    def _made(self, entry: Node) -> Iterator[Target]:
        fields = {key_text(key): child for key, child in entry.entries.items()} if isinstance(entry, Mapping) else {}
        kinds = [kind for kind in KINDS if kind in fields]
        name = fields.get("name")
        if len(kinds) != 1 or not isinstance(name, Scalar):
            raise _bad(entry, f"a target has a `name` and one of {', '.join(f'`{kind}`' for kind in KINDS)}")
        for key, child in fields.items():
            if key not in (*KINDS, *OPTIONS):
                raise _bad(child, f"unknown key `{key}` of a target", did_you_mean(key, (*KINDS, *OPTIONS)))
        patterns = [*_texts(fields[kinds[0]]), *_texts(fields.get("stubs"))]
        loop = fields.get("for")
        variants = self._variants(loop) if loop is not None else [{}]
        evaluate = fields.get("evaluate")
        for variables in variants:
            files = [file for pattern in patterns for file in self._files(_filled(pattern, variables), entry)]
            called = _filled(name.text, variables)
            if loop is not None and called == name.text:
                called = "-".join([name.text, *variables.values()])
            yield Target(called, kinds[0], files, entry, isinstance(evaluate, Scalar) and evaluate.value is True)

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
            found = [name[len(before) : len(name) - len(after)] for name in self._matching(pattern)]
            if not found:
                raise TARGET_EMPTY.error(Label.of(child), pattern=pattern)
            rows = [{**row, key_text(key): value} for row in rows for value in found]
        return rows

    def _files(self, pattern: str, entry: Node) -> list[str]:
        if not is_pattern(pattern):
            return [pattern]
        try:
            found = self._matching(pattern)
        except GlobError as trouble:
            raise _bad(entry, f"cannot read the pattern `{pattern}`: {trouble}") from None
        if not found:
            raise TARGET_EMPTY.error(Label.of(entry), pattern=pattern)
        return found

    def _matching(self, pattern: str) -> list[str]:
        return sorted(glob_files(self.project, self.base, pattern))

    def find(self, name: str) -> Target:
        target = self.known.get(name)
        if target is None:
            hint = did_you_mean(name, self.known) or (
                f"there are: {', '.join(self.known)}" if self.known else "declare it under `targets` in plait.yaml"
            )
            raise NO_TARGET.error(name=name, hint=hint)
        return target

    def names(self, target: Target) -> list[str]:
        """The files of a target, as they are opened from the working folder."""
        return [os.path.relpath(os.path.join(self.base, name)) for name in target.files]

    def documents(self, target: Target) -> dict[str, Callable[[], Node]]:
        """The documents of a target by label, each evaluated when it is asked for."""
        return READERS[target.kind](self.project, target, self.names(target))


def _layers(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    bundle = LayerReader(project).bundle(names)
    single = len(bundle.members) == 1 and bundle.members[0].group.identity is None
    return {"" if single else member.group.label: member.tree.value for member in bundle.members}


def _spiff(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    return {"": lambda: Spiff(project).merge([project.admit(name) for name in names])[0]}


def _document(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    documents = {name: Directives(project).document(name, evaluate=target.evaluate) for name in names}
    return {name if len(names) > 1 else "": document.expanded for name, document in documents.items()}


def _resources(project: Project, target: Target, names: list[str]) -> dict[str, Callable[[], Node]]:
    found: dict[str, Callable[[], Node]] = {}
    for name in names:
        for number, node in enumerate(project.read(project.admit(name), lambda source: Reading()), 1):
            identity = Identity.of(node)
            label = identity.label if identity is not None else f"{os.path.basename(name)}#{number}"
            found[label] = lambda node=node: node  # type: ignore[misc]
    return found


READERS = {"layers": _layers, "template": _spiff, "document": _document, "files": _resources}


def glob_files(project: Project, folder: str, pattern: str) -> Iterator[str]:
    """The files below a folder that match a pattern."""
    glob = Glob(pattern)
    base = literal_prefix(pattern)
    for name in project.files_below(os.path.join(folder, base)):
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


def _filled(text: str, variables: dict[str, str]) -> str:
    for name, value in variables.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return BAD_SETTING.error(Label.of(node), why=why, hint=hint)
