"""A pattern: a folder with `pattern.yaml` (what it is, its inputs, what it owns) and templates of resources.

pattern.yaml
resources/compute.yaml      Go templates that write YAML; plait's tags work too. Becomes `compute.yaml`
environments/prod.yaml      optional: layers that are merged over the resources in that environment
"""

from __future__ import annotations

import os
import re

from plait.core.diagnostic import Label, PlaitError, for_each
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, key_text
from plait.core.path import PathError, parse_path
from plait.core.policy import ListRule
from plait.core.source import YAML_ENDINGS
from plait.fronts.patterns.inputs import KINDS, Input
from plait.fronts.project import Project
from plait.fronts.signs import PATTERN
from plait.regexp import BadPattern, Regexp
from plait.report.catalog import BAD_PATTERN, NO_PATTERN
from plait.report.near import did_you_mean
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


FILE = PATTERN
VARIABLE = "PLAIT_PATTERNS"
PACKAGED = os.path.join(os.path.dirname(__file__), "library")
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*\Z")
_INPUT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")


class Pattern:
    """What a `pattern.yaml` says."""

    __slots__ = (
        "author",
        "description",
        "environment",
        "files",
        "folder",
        "inputs",
        "instance",
        "lists",
        "name",
        "owned",
        "project",
        "renamed",
        "version",
    )

    def __init__(self, project: Project, folder: str) -> None:
        self.project = project
        self.folder = folder
        self.name = os.path.basename(os.path.abspath(folder))
        self.version = ""
        self.description = ""
        self.author = ""
        self.environment = "env"
        self.instance = "name"
        """The input that tells one instance of the pattern from another; a pattern without it has one in each
        folder."""
        self.inputs: dict[str, Input] = {}
        self.files: dict[str, str] = {}
        self.owned: list[str] = []
        self.lists: dict[str, str] = {}
        self.renamed: dict[str, str] = {}

    @classmethod
    def read(cls, project: Project, folder: str) -> Pattern:
        """The pattern of a folder, checked."""
        pattern = cls(project, folder)
        source = project.source(os.path.join(folder, FILE))
        programs = scan(source)
        root = build(programs[0], source, Reading()) if programs else None
        if not isinstance(root, MapNode):
            raise BAD_PATTERN.error(
                Label.at(source, 0), why="pattern.yaml must be a mapping", hint="begin with `name:` and `version:`"
            )
        _take_all(pattern, root, FIELDS, "pattern.yaml")
        for needed in ("name", "version"):
            if needed not in root.entries:
                raise BAD_PATTERN.error(Label(root.origin), why=f"pattern.yaml has no `{needed}`")
        pattern._find_files(root)
        return pattern

    def _find_files(self, root: Node) -> None:
        """Without `files`, each template becomes a file of its name."""
        folder = os.path.join(self.folder, "resources")
        if not self.files:
            names = self.project.listing(folder)
            templates = [name for name in names if name.removesuffix(".tmpl").endswith(YAML_ENDINGS)]
            self.files = {name.removesuffix(".tmpl"): f"resources/{name}" for name in templates}
        if not self.files:
            raise BAD_PATTERN.error(
                Label(root.origin), why="the pattern has no templates", hint="put them into resources/"
            )
        for name, template in self.files.items():
            if os.path.isabs(name) or ".." in name.split("/"):
                raise BAD_PATTERN.error(Label(root.origin), why=f"`{name}` is outside the output folder")
            if ".git" in name.lower().split("/"):
                raise BAD_PATTERN.error(
                    Label(root.origin), why=f"`{name}` is in the folder of git, where patterns cannot write"
                )
            if not self.project.door.is_file(os.path.join(self.folder, template)):
                raise BAD_PATTERN.error(Label(root.origin), why=f"template not found: `{template}`")

    def input_name(self, name: str) -> str:
        """The input that has or once had a name; nothing where the pattern has no such input."""
        if name in self.inputs:
            return name
        return next((now for now, declared in self.inputs.items() if name in declared.renamed_from), "")

    @property
    def own_files(self) -> list[str]:
        """The files that the pattern is made of, relative to its folder."""
        names = self.project.listing(os.path.join(self.folder, "environments"))
        return [FILE, *self.files.values(), *(f"environments/{name}" for name in names if name.endswith(".yaml"))]

    def layer(self, environment: str) -> str | None:
        """The file with the layers of an environment, where there is one."""
        name = os.path.join(self.folder, "environments", f"{environment}.yaml")
        return name if environment and "/" not in environment and self.project.door.is_file(name) else None


# Reading pattern.yaml: a table of what may stand there


def _take_all(target: object, node: MapNode, table: dict[str, Callable[..., None]], where: str) -> None:
    def take_one(entry: tuple[Key, Node]) -> None:
        key, child = entry
        name = key_text(key)
        take = table.get(name)
        if take is None:
            hint = did_you_mean(name, table) or f"available: {', '.join(table)}"
            label = Label(node.key_origin(key), length=len(name))
            raise BAD_PATTERN.error(label, why=f"{where} has no field `{name}`", hint=hint)
        take(target, child)

    for_each(take_one, node.entries.items())


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return BAD_PATTERN.error(Label(node.origin), why=why, hint=hint)


def _text(field: str) -> Callable[[object, Node], None]:
    def take(target: object, node: Node) -> None:
        if not isinstance(node, Scalar) or node.value is None:
            raise _bad(node, f"`{field}` must be a string")
        setattr(target, field, node.text)

    return take


def _take_name(pattern: Pattern, node: Node) -> None:
    if not isinstance(node, Scalar) or not _NAME.match(node.text):
        raise _bad(node, "a pattern's name is made of small letters, digits and dashes")
    if node.text != pattern.name:
        raise _bad(
            node, f"the pattern is named `{node.text}`, but its folder is `{pattern.name}`", "give both the same name"
        )


def _take_inputs(pattern: Pattern, node: Node) -> None:
    def take_one(entry: tuple[Key, Node]) -> None:
        key, child = entry
        name = key_text(key)
        if not _INPUT_NAME.match(name):
            raise _bad(child, f"`{name}` cannot be the name of an input", "use letters, digits, `.`, `-` and `_`")
        pattern.inputs[name] = _input(name, child)

    for_each(take_one, _entries(node, "`inputs` maps names to what they are"))


def _input(name: str, node: Node) -> Input:
    declared = Input(name)
    if not isinstance(node, MapNode):
        raise _bad(node, f"the input `{name}` is described by a mapping", "as in {type: string, default: x}")
    _take_all(declared, node, INPUT_FIELDS, f"the input `{name}`")
    if declared.required and declared.default is not None:
        raise _bad(node, f"the input `{name}` is required and has a default", "leave out one of them")
    _check_default(declared)
    return declared


def _check_default(declared: Input) -> None:
    default = declared.default
    if default is None:
        return
    for value in default.entries.values() if declared.by_environment and isinstance(default, MapNode) else [default]:
        why = declared.complaint(declared.read(value))
        if why:
            raise _bad(value, f"invalid default for `{declared.name}`: {why}")


def _take_type(declared: Input, node: Node) -> None:
    if not isinstance(node, Scalar) or node.value not in KINDS:
        raise _bad(node, "unknown type", f"available: {', '.join(KINDS)}")
    declared.kind = str(node.value)


def _take_required(declared: Input, node: Node) -> None:
    if not isinstance(node, Scalar) or not isinstance(node.value, bool):
        raise _bad(node, "`required` is true or false")
    declared.required = node.value


def _take_old_names(declared: Input, node: Node) -> None:
    names = node.items if isinstance(node, ListNode) else [node]
    texts = [name.value for name in names if isinstance(name, Scalar) and isinstance(name.value, str)]
    if len(texts) < len(names):
        raise _bad(node, "`renamed-from` is the name that the input had, or a list of names")
    declared.renamed_from = texts


def _take_default(declared: Input, node: Node) -> None:
    declared.default = node


def _take_enum(declared: Input, node: Node) -> None:
    if not isinstance(node, ListNode) or not node.items:
        raise _bad(node, "`enum` is a list of values")
    declared.enum = list(node.items)


def _take_pattern(declared: Input, node: Node) -> None:
    try:
        declared.pattern = node.text if isinstance(node, Scalar) else ""
        Regexp(declared.pattern)
    except BadPattern as trouble:
        raise _bad(node, str(trouble)) from None


def _bound(field: str) -> Callable[[Input, Node], None]:
    def take(declared: Input, node: Node) -> None:
        if not isinstance(node, Scalar) or node.value.__class__ not in (int, float):
            raise _bad(node, f"`{field}` is a number")
        setattr(declared, field, node.value)

    return take


def _take_files(pattern: Pattern, node: Node) -> None:
    for key, child in _entries(node, "`files` maps output files to templates"):
        if not isinstance(child, Scalar) or not isinstance(child.value, str):
            raise _bad(child, "a file is made by one template", "as in compute.yaml: resources/compute.yaml")
        pattern.files[key_text(key)] = child.value


def _take_owned(pattern: Pattern, node: Node) -> None:
    if not isinstance(node, ListNode):
        raise _bad(node, "`owned` is a list of paths")
    for item in node.items:
        pattern.owned.append(_check_path(item))


def _check_path(node: Node) -> str:
    path = node.text if isinstance(node, Scalar) else ""
    try:
        parse_path(path, pattern=True)
    except PathError as trouble:
        raise _bad(node, f"invalid path: {trouble.message}") from None
    return path


def _take_lists(pattern: Pattern, node: Node) -> None:
    for key, child in _entries(node, "`lists` maps paths to rules"):
        try:
            rule = ListRule.parse(child.text if isinstance(child, Scalar) else "")
            parse_path(key_text(key), pattern=True)
        except PathError as trouble:
            raise _bad(child, f"invalid path `{key_text(key)}`: {trouble.message}") from None
        except ValueError as trouble:
            raise _bad(child, str(trouble)) from None
        pattern.lists[key_text(key)] = str(rule)


def _take_renamed(pattern: Pattern, node: Node) -> None:
    for key, child in _entries(node, "`renamed-from` maps new names to old ones"):
        if not isinstance(child, Scalar):
            raise _bad(child, "a resource was called `Kind/name`")
        pattern.renamed[key_text(key)] = child.text


def _entries(node: Node, why: str):  # type: ignore[no-untyped-def]
    if not isinstance(node, MapNode):
        raise _bad(node, why)
    return node.entries.items()


FIELDS: dict[str, Callable[..., None]] = {
    "name": _take_name,
    "version": _text("version"),
    "description": _text("description"),
    "author": _text("author"),
    "environment": _text("environment"),
    "instance": _text("instance"),
    "inputs": _take_inputs,
    "files": _take_files,
    "owned": _take_owned,
    "lists": _take_lists,
    "renamed-from": _take_renamed,
}
INPUT_FIELDS: dict[str, Callable[..., None]] = {
    "type": _take_type,
    "description": _text("description"),
    "example": _text("example"),
    "required": _take_required,
    "renamed-from": _take_old_names,
    "default": _take_default,
    "enum": _take_enum,
    "pattern": _take_pattern,
    "minimum": _bound("minimum"),
    "maximum": _bound("maximum"),
}


# Finding patterns


def _above(project: Project, file: str) -> list[str]:
    """The folders in which the patterns of a generated file may be: beside it and further up, in the project."""
    found: list[str] = []
    while file and os.path.dirname(file) != file:
        file = os.path.dirname(file)
        place = os.path.join(file, "patterns")
        if os.path.commonpath([os.path.abspath(place), project.folder]) == project.folder:
            found.append(place)
    return found


class Library:
    """The patterns that can be found, first come first: in `folders`, `PLAIT_PATTERNS`, `./patterns`, the folders
    `patterns` above a generated `file`, and the package."""

    def __init__(self, project: Project, folders: Iterable[str] = (), file: str = "") -> None:
        self.project = project
        named = [folder for folder in project.door.environment(VARIABLE).split(os.pathsep) if folder]
        said = [*map(project.present, folders), *map(project.admit, named)]
        self.places = [*dict.fromkeys((*said, "patterns", *_above(project, file))), project.admit(PACKAGED)]
        self.folders: dict[str, str] = {}
        """The folder of each, by name."""
        for place in self.places:
            for name in project.listing(place):
                if project.door.is_file(os.path.join(place, name, FILE)):
                    self.folders.setdefault(name, os.path.join(place, name))

    def find(self, name: str) -> Pattern:
        """The pattern of a name."""
        if name not in self.folders:
            hint = did_you_mean(name, self.folders) or f"available: {', '.join(sorted(self.folders)) or 'none'}"
            places = [place if place != PACKAGED else "those that come with plait" for place in self.places]
            raise NO_PATTERN.error(name=name, notes=(f"looked in: {', '.join(places)}",), hint=hint)
        return Pattern.read(self.project, self.folders[name])
