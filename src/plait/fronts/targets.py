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
    - name: local
      compose: [compose.yaml, compose.override.yaml]
      profiles: [debug]
    - name: "shop-{env}"
      chart: charts/shop
      values: [env/base.yaml, "env/{env}.yaml"]
      release: shop
      namespace: "{env}"
      for: {env: "env/*.yaml"}
    - name: prod
      kustomization: overlays/prod
    - from: argocd/apps.yaml

A target of layers takes globs; `for` makes one target for each file that a pattern matches. `template` with `stubs` is
merged as spiff does, `document` is expanded with its directives, `files` are resources as they are, `pattern` is what a
pattern of the folder `patterns`, or one that comes with plait, generates for some inputs, `chart` is what helm
renders for some values, `kustomization` what kustomize builds from a folder, and `compose` what docker compose makes of
its files. `from` means what a manifest of another tool declares: all of it or, with a `name`, one target of it.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text, text
from plait.fronts.entries import (
    COMPOSE,
    FOLDERS,
    FROM,
    RELEASE,
    check_entry,
    file_words,
    kind_of,
    listed,
    matching,
    words,
)
from plait.fronts.front import Declaration
from plait.fronts.setting import bad
from plait.report.catalog import OUTSIDE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Key
    from plait.fronts.project import Project

    Discovered = Callable[[], Iterator[Declaration]]


def declared(project: Project, discovered: Discovered) -> Iterator[Declaration]:
    """The targets that a project's plait.yaml declares. `discovered` finds those that manifests of other tools
    declare."""
    return iter({one.address: one for one in DeclaredFinder(project, discovered).find()}.values())


class DeclaredFinder:
    """Finds the targets of one plait.yaml."""

    def __init__(self, project: Project, discovered: Discovered) -> None:
        self.project = project
        self.discovered = discovered
        self.base = project.home or project.root
        """The folder of plait.yaml, from which the files of targets are named."""
        self._is_own = project.door.inside(os.path.realpath(self.base))
        """Whether plait.yaml is in the project. One in a folder above may declare targets of other projects, too: those
        that read what this one may not read are none of its targets."""

    def find(self) -> Iterator[Declaration]:
        wrong: list[Diagnostic] = []
        names: dict[tuple[str, str], Node] = {}
        for entry in listed(self.project.settings.targets):
            try:
                check_entry(entry, names)
                if isinstance(entry, MapNode):
                    yield from filter(self._is_ours, self._made(entry))
            except Fault as fault:
                wrong += [one for one in fault.diagnostics if self._is_own or one.code != OUTSIDE.code]
        if wrong:
            raise Fault(*wrong)

    def _is_ours(self, made: Declaration) -> bool:
        return self._is_own or all(self.project.door.allows(os.path.join(self.base, path)) for path in made.paths)

    def _made(self, entry: MapNode) -> Iterator[Declaration]:
        kind, fields = kind_of(entry), {key_text(key): child for key, child in entry.entries.items()}
        if kind == FROM:
            yield from self._discovered(entry)
            return
        loop, name, evaluate = fields.get("for"), word(entry, "name"), fields.get("evaluate")
        for variables in self._variants(loop) if isinstance(loop, MapNode) else [{}]:
            called = _filled(name, variables)
            if loop is not None and called == name:
                called = "-".join([name, *variables.values()])
            files = self._named(kind, entry, variables)
            folder = {kind: _filled(word(entry, kind), variables)} if kind in FOLDERS else {}
            parameters = {
                "evaluate": isinstance(evaluate, Scalar) and evaluate.value is True,
                "inputs": _inputs(fields.get("inputs"), variables),
                "pattern": _filled(word(entry, kind), variables) if kind == "pattern" else "",
                **folder,
                "release": _words(RELEASE, fields, variables),
                "project": _words(COMPOSE, fields, variables),
                "profile": word(entry, "profile"),
            }
            named = {os.path.normpath(file): node for file, node in files}
            named |= {os.path.normpath(one): fields[kind] for one in folder.values()}
            more = words(fields.get("env-files"))
            named |= {os.path.normpath(_filled(node.text, variables)): node for node in more}
            names = [file for file, _ in files]
            yield Declaration(kind, called, self.base, names, entry, parameters, named=named)

    def _discovered(self, entry: MapNode) -> Iterator[Declaration]:
        """The targets that a file declares, or one of them."""
        path = os.path.join(self.base, word(entry, FROM))
        self.project.door.check_there(os.path.relpath(path), entry.entries[FROM], "either")
        file = os.path.realpath(path)
        found = [one for one in self.discovered() if file in map(os.path.realpath, one.told)]
        name = word(entry, "name")
        chosen = [one for one in found if not name or one.name == name]
        if not chosen:
            what = f"`{word(entry, FROM)}` declares no target" + (f" `{name}`" if name else "")
            names = [one.name for one in found]
            raise bad(entry, what, did_you_mean(name, names) or "plait targets lists what there is without plait.yaml")
        yield from chosen

    def _variants(self, loop: MapNode) -> list[dict[str, str]]:
        """The values of the variables of `for`: what stands for the wildcards in the names of the files that match."""
        rows: list[dict[str, str]] = [{}]
        for key, child in loop.entries.items():
            before, after = _fixed(child.text if isinstance(child, Scalar) else "")
            values = [name[before : len(name) - after] for name in self._files(child, {}, loop.entries)]
            rows = [{**row, key_text(key): value} for row in rows for value in values]
        return rows

    def _named(self, kind: str, entry: MapNode, variables: dict[str, str]) -> list[tuple[str, Node]]:
        """The files that a target is made of, from the folder of plait.yaml, and what names each."""
        if kind != "pattern":
            return [(file, node) for node in file_words(entry) for file in self._files(node, variables, variables)]
        folder = f"patterns/{_filled(word(entry, kind), variables)}"
        below = sorted(self.project.door.below(os.path.join(self.base, folder)))
        return [(f"{folder}/{file}", entry.entries[kind]) for file in below]

    def _files(self, node: Node, variables: dict[str, str], known: Iterable[Key]) -> list[str]:
        pattern = _filled(node.text if isinstance(node, Scalar) else "", variables)
        return matching(pattern, node, self.project.door, self.base, known)


def _inputs(node: Node | None, variables: dict[str, str]) -> dict[str, Node]:
    """The inputs of a pattern, with the variables of `for` filled in."""
    inputs: dict[str, Node] = {}
    for key, child in node.entries.items() if isinstance(node, MapNode) else ():
        if isinstance(child, Scalar) and isinstance(child.value, str):
            child = text(_filled(child.text, variables), child.source, child.at)
        inputs[key_text(key)] = child
    return inputs


def _words(names: tuple[str, ...], fields: dict[str, Node], variables: dict[str, str]) -> dict[str, Any]:
    """The words of flags of a tool, with the variables of `for` filled in."""
    made: dict[str, Any] = {}
    for name in names:
        node = fields.get(name)
        if isinstance(node, ListNode):
            made[name.replace("-", "_")] = [_filled(one.text, variables) for one in words(node)]
        elif isinstance(node, Scalar):
            is_flag = isinstance(node.value, bool)
            made[name.replace("-", "_")] = node.value if is_flag else _filled(node.text, variables)
    return made


def _filled(template: str, variables: dict[str, str]) -> str:
    for name, value in variables.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _fixed(pattern: str) -> tuple[int, int]:
    """How many letters of a glob stand before its first wildcard, and how many after its last."""
    first = min(at for sign in "*?[{" if (at := pattern.find(sign)) >= 0)
    last = max(pattern.rfind(sign) for sign in "*?]}")
    return first, len(pattern) - 1 - last
