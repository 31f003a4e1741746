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

from plait.core.diagnostic import Fault, Label
from plait.core.find import word
from plait.core.glob import GlobError, is_pattern
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text, text
from plait.fronts.front import Declaration
from plait.fronts.globbed import glob_files
from plait.report.catalog import BAD_SETTING, TARGET_EMPTY
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.fronts.project import Project

    Discovered = Callable[[], Iterator[Declaration]]

KINDS = {
    "layers": "LAYER, ...",
    "template": "a spiff template, with `stubs`",
    "document": "FILE",
    "files": "GLOB, ...",
    "pattern": "NAME, with `inputs`",
    "chart": "FOLDER, with `values`",
    "kustomization": "FOLDER",
    "compose": "FILE, ..., with `profiles`, `interpolate` and `env-files`",
}
"""What a target may be made of."""
FOLDERS = ("chart", "kustomization")
"""Those that are a folder."""
EXAMPLE = "write them as in `targets: [{name: prod, layers: [base.yaml, prod.yaml]}]`"
RELEASE = (
    "release",
    "namespace",
    "kube-version",
    "api-versions",
    "include-crds",
    "skip-tests",
    "no-hooks",
    "is-upgrade",
)
"""What helm's flags say of a chart."""
COMPOSE = ("profiles", "interpolate", "env-files")
"""What flags of docker compose say of a project."""
FROM = "from"
"""What names the file that declares targets of another tool."""
OPTIONS = ("name", FROM, "for", "stubs", "values", "evaluate", "inputs", "profile", *RELEASE, *COMPOSE)


def declared(project: Project, discovered: Discovered) -> Iterator[Declaration]:
    """The targets that a project's plait.yaml declares. `discovered` finds those that manifests of other tools
    declare."""
    return iter({one.name: one for one in DeclaredFinder(project, discovered).find()}.values())


class DeclaredFinder:
    """Finds the targets of one plait.yaml."""

    def __init__(self, project: Project, discovered: Discovered) -> None:
        self.project = project
        self.discovered = discovered
        self.base = project.home or project.root
        """The folder of plait.yaml, from which the files of targets are named."""

    def find(self) -> Iterator[Declaration]:
        node = self.project.settings.targets
        if node is None:
            return
        if not isinstance(node, ListNode):
            raise _bad(node, "`targets` must be a list", EXAMPLE)
        wrong: list[Diagnostic] = []
        for entry in node.items:
            try:
                yield from self._made(entry)
            except Fault as fault:
                wrong += fault.diagnostics
        if wrong:
            raise Fault(*wrong)

    def _made(self, entry: Node) -> Iterator[Declaration]:
        fields = {key_text(key): child for key, child in entry.entries.items()} if isinstance(entry, MapNode) else {}
        if FROM in fields:
            yield from self._discovered(entry, fields)
            return
        kinds = [kind for kind in KINDS if kind in fields]
        name = fields.get("name")
        if len(kinds) != 1 or not isinstance(name, Scalar):
            why = f"a target has a `name` and one of {', '.join(f'`{kind}`' for kind in KINDS)}"
            raise _bad(entry, why, EXAMPLE)
        for key, child in fields.items():
            if key not in (*KINDS, *OPTIONS):
                raise _bad(child, f"unknown key `{key}` of a target", did_you_mean(key, (*KINDS, *OPTIONS)))
        of_folder = kinds[0] in FOLDERS
        patterns = [
            *_texts(None if of_folder else fields[kinds[0]]),
            *_texts(fields.get("stubs")),
            *_texts(fields.get("values")),
        ]
        loop = fields.get("for")
        variants = self._variants(loop) if loop is not None else [{}]
        evaluate = fields.get("evaluate")
        for variables in variants:
            named = [_filled(pattern, variables) for pattern in patterns]
            files = self._files_of(kinds[0], named, entry)
            called = _filled(name.text, variables)
            if loop is not None and called == name.text:
                called = "-".join([name.text, *variables.values()])
            parameters = {
                "evaluate": isinstance(evaluate, Scalar) and evaluate.value is True,
                "inputs": _inputs(fields.get("inputs"), variables),
                "pattern": named[0] if kinds[0] == "pattern" else "",
                **{kind: _filled(_texts(fields[kind])[0], variables) for kind in FOLDERS if kind == kinds[0]},
                "release": _words(RELEASE, fields, variables),
                "project": _words(COMPOSE, fields, variables),
                "profile": word(entry, "profile"),
            }
            yield Declaration(kinds[0], called, self.base, files, entry, parameters)

    def _discovered(self, entry: Node, fields: dict[str, Node]) -> Iterator[Declaration]:
        """The targets that a file declares, or one of them."""
        wrong = next((key for key in fields if key not in (FROM, "name")), "")
        if wrong:
            raise _bad(fields[wrong], f"a target with `from` has no `{wrong}`: the file says it", "remove it")
        file = os.path.realpath(os.path.join(self.base, word(entry, FROM)))
        found = [one for one in self.discovered() if file in map(os.path.realpath, one.told)]
        name = word(entry, "name")
        chosen = [one for one in found if not name or one.name == name]
        if not chosen:
            what = f"`{word(entry, FROM)}` declares no target" + (f" `{name}`" if name else "")
            names = [one.name for one in found]
            raise _bad(entry, what, did_you_mean(name, names) or "plait targets lists what there is without plait.yaml")
        yield from chosen

    def _variants(self, loop: Node) -> list[dict[str, str]]:
        """The values of the variables of `for`: what stands for the wildcards in the names of the files that match."""
        if not isinstance(loop, MapNode):
            raise _bad(loop, '`for` maps variables to globs, as in `for: {env: "env/*.yaml"}`')
        rows: list[dict[str, str]] = [{}]
        for key, child in loop.entries.items():
            pattern = child.text if isinstance(child, Scalar) else ""
            if not any(sign in pattern for sign in "*?[{") or pattern.count("*") > 1:
                raise _bad(child, "the glob of a variable has one `*`, or another wildcard, as in `c[0-9].yaml`")
            before, after = _fixed(pattern)
            values = [name[before : len(name) - after] for name in self._files(pattern, child)]
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


def _texts(node: Node | None) -> list[str]:
    """The words of a list, or the only one."""
    if node is None:
        return []
    items = node.items if isinstance(node, ListNode) else [node]
    if not all(isinstance(item, Scalar) for item in items):
        raise _bad(node, "the files of a target are names or globs")
    return [item.text for item in items if isinstance(item, Scalar)]


def _inputs(node: Node | None, variables: dict[str, str]) -> dict[str, Node]:
    """The inputs of a pattern, with the variables of `for` filled in."""
    if node is None:
        return {}
    if not isinstance(node, MapNode):
        raise _bad(node, "`inputs` maps the inputs of a pattern to values")
    inputs: dict[str, Node] = {}
    for key, child in node.entries.items():
        if isinstance(child, Scalar) and isinstance(child.value, str):
            child = text(_filled(child.text, variables), child.source, child.at)
        inputs[key_text(key)] = child
    return inputs


def _words(names: tuple[str, ...], fields: dict[str, Node], variables: dict[str, str]) -> dict[str, Any]:
    """The words of flags of a tool, with the variables of `for` filled in."""
    words: dict[str, Any] = {}
    for name in names:
        node = fields.get(name)
        if isinstance(node, ListNode):
            words[name.replace("-", "_")] = [_filled(word, variables) for word in _texts(node)]
        elif isinstance(node, Scalar):
            is_flag = isinstance(node.value, bool)
            words[name.replace("-", "_")] = node.value if is_flag else _filled(node.text, variables)
    return words


def _filled(template: str, variables: dict[str, str]) -> str:
    for name, value in variables.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _fixed(pattern: str) -> tuple[int, int]:
    """How many letters of a glob stand before its first wildcard, and how many after its last."""
    first = min(at for sign in "*?[{" if (at := pattern.find(sign)) >= 0)
    last = max(pattern.rfind(sign) for sign in "*?]}")
    return first, len(pattern) - 1 - last


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return BAD_SETTING.error(Label(node.origin), why=why, hint=hint)
