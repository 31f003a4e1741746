"""What the command line and the library ask about patterns: one object, one method for each question."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Node, text
from plait.core.source import Source
from plait.fronts.patterns.create import Creation, Request
from plait.fronts.patterns.drift import Generated, generated_in
from plait.fronts.patterns.flags import CreateFlags, yaml_value
from plait.fronts.patterns.inputs import Input, resolve
from plait.fronts.patterns.many import ManyAgain
from plait.fronts.patterns.pattern import FILE, PACKAGED, Library, Pattern
from plait.fronts.patterns.regenerate import RegeneratedText, Regeneration
from plait.fronts.patterns.render import PatternRenderer
from plait.fronts.patterns.why import Why, pattern_line, why
from plait.fronts.project import Project
from plait.report.catalog import BAD_PATTERN, NOT_GENERATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.path import Path
    from plait.core.source import Origin
    from plait.evaluate.hops import Hop

STARTER = {
    FILE: """\
name: {name}
version: 0.1.0
description: What it makes, in one sentence.

inputs:
  name:
    description: the name of everything it makes
    required: true
    pattern: ^[a-z][a-z0-9-]*$
    example: hello
  env:
    description: the environment
    enum: [dev, prod]
    default: dev
  size:
    description: how much of it
    type: integer
    default: {{dev: 1, prod: 3}}
""",
    "resources/config.yaml": """\
# Go templates over the inputs write the YAML.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{{{ .name }}}}
data:
  environment: {{{{ .env }}}}
  size: {{{{ .size | quote }}}}
""",
    "environments/prod.yaml": """\
# Merged over the resources it names, in prod only.
kind: ConfigMap
data:
  replicated: "yes"
""",
}
"""A small pattern that works."""


class Patterns:
    """Patterns, and generating again, in one project."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def pattern(self, name: str, folders: Iterable[str] = ()) -> Pattern:
        return Library(self.project, folders).find(name)

    def pattern_of_words(self, words: list[str]) -> Pattern | None:
        """The pattern that a command line names, wherever it is in it; None where there is none, or it is invalid."""
        folders = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "--patterns"]
        folders += [word.partition("=")[2] for word in words if word.startswith("--patterns=")]
        try:
            library = Library(self.project, folders)
            return next((library.find(word) for word in words if word in library.folders), None)
        except Fault:  # the command itself reports it
            return None

    def known(self, folders: Iterable[str] = ()) -> list[dict[str, object]]:
        """Every pattern that can be found."""
        patterns: list[dict[str, object]] = []
        library = Library(self.project, folders)
        for name, folder in sorted(library.folders.items()):
            pattern = library.find(name)
            where = "comes with plait" if folder.startswith(PACKAGED) else folder
            patterns.append(
                {"name": name, "version": pattern.version, "description": pattern.description, "from": where}
            )
        return patterns

    def describe(self, pattern: Pattern) -> dict[str, object]:
        """What a pattern is, as data."""
        return {
            "name": pattern.name,
            "version": pattern.version,
            "description": pattern.description,
            "author": pattern.author,
            "inputs": [_described(item) for item in pattern.inputs.values()],
            "files": list(pattern.files),
            "owned": pattern.owned,
            "lists": pattern.lists,
            "example": " ".join(
                ["plait create", pattern.name, *(f"{i.flag} {i.sample}" for i in pattern.inputs.values() if i.required)]
            ),
        }

    def create(
        self, pattern: Pattern, options: object, inputs: dict[str, str], output: str = ".", spec: str = ""
    ) -> Creation:
        """A run of a pattern, planned. `inputs` are texts, as flags give them; `options` has the flags by name."""
        request = Request(pattern, CreateFlags.taken_from(options), output, spec)
        request.given = [*_given(pattern, inputs), *request.given]
        return Creation(self.project, request)

    def again(
        self, output: str, pattern: str, options: object, folders: Iterable[str] = (), blame: bool = False
    ) -> ManyAgain:
        """Every instance that was generated below a folder, of one pattern or of all, to be generated again."""
        return ManyAgain(self.project, output, pattern, CreateFlags.taken_from(options), folders, blame)

    def regenerate(self, target: str, fresh: str, base: str, options: object) -> Regeneration:
        """The same for files that another tool generates."""
        return Regeneration(self.project, target, fresh, base, CreateFlags.taken_from(options))

    def regenerate_text(
        self, existing: str, fresh: str, base: str | None, options: object, owned: Iterable[str] = ()
    ) -> RegeneratedText:
        """The same for one text, in memory; only the decisions are in a file, where `record` names one."""
        return RegeneratedText(self.project, (existing, fresh, base), CreateFlags.taken_from(options), owned)

    def generated(
        self, output: str, pattern: str = "", instance: str = "", folders: Iterable[str] = ()
    ) -> list[Generated]:
        """What was generated into a folder before, and what others changed since; nothing is generated."""
        return generated_in(self.project, output, pattern, instance, folders)

    def why(self, path: str, file: str) -> Why | None:
        """Why a field of a generated file is what it is; None for a file that nothing here generated."""
        return why(self.project, path, file)

    def line_of(self, path: Path, origin: Origin, file: str) -> Hop | None:
        """The line of a pattern that a value of a file was generated by; None for one that no pattern gave."""
        return pattern_line(self.project, path, origin, file)

    def new(self, name: str, into: str) -> list[str]:
        """A folder with a small pattern in it; the names of its files."""
        folder = os.path.join(into, name)
        if self.project.door.exists(folder):
            raise BAD_PATTERN.error(why=f"`{folder}` already exists", hint="choose another name")
        files: dict[str, bytes | None] = {
            os.path.join(folder, path): written.format(name=name).encode() for path, written in STARTER.items()
        }
        return self.project.writer(".").write(files)

    def check(self, pattern: Pattern) -> list[dict[str, object]]:
        """Try a pattern with sample inputs in every environment; what each gives."""
        generator = PatternRenderer(self.project, pattern)
        environment = pattern.inputs.get(pattern.environment)
        tried: list[dict[str, object]] = []
        for place in environment.choices if environment is not None and environment.enum else [""]:
            given = [(item.name, item.trial, "flag") for item in pattern.inputs.values() if item.required]
            given += [(pattern.environment, text(place), "flag")] if place else []
            values = resolve(pattern.inputs, given, pattern.environment)
            made = generator.generate(values)
            counts = [len(one.documents) for one in made]
            shown = f"{pattern.environment}={place}" if place else ""
            tried.append({"inputs": shown, "resources": sum(counts), "files": len(made)})
        if not any(item["resources"] for item in tried):
            raise NOT_GENERATED.error(why="the pattern generates no resources")
        return tried


def _given(pattern: Pattern, inputs: dict[str, str]) -> list[tuple[str, Node, str]]:
    """Flags as nodes: a text as it was typed, everything else as YAML."""
    given: list[tuple[str, Node, str]] = []
    for name, value in inputs.items():
        label = f"--{name} {value}"
        typed = name in pattern.inputs and pattern.inputs[name].kind == "string"
        given.append(
            (name, text(value, Source(label, value, given=True)) if typed else yaml_value(value, label), "flag")
        )
    return given


def _described(item: Input) -> dict[str, object]:
    """An input as data; what is not declared is left out."""
    data: dict[str, object] = {"name": item.name, "type": item.kind}
    if item.description:
        data["description"] = item.description
    data["required"] = item.required
    if item.default is not None:
        data["default"] = item.default
    if item.enum:
        data["enum"] = list(item.enum)
    bounds = (("pattern", item.pattern or None), ("minimum", item.minimum), ("maximum", item.maximum))
    data.update((key, value) for key, value in bounds if value is not None)
    return data
