"""What can be recognised, and how it is opened: one table of finders, one of fronts.

This is the only place that knows how anything is recognised. A finder is asked with a world and yields declarations; a
front opens a declaration of its kind. Each is loaded when it is needed.
"""

from __future__ import annotations

import os
from functools import cache, partial
from importlib import import_module

from plait.core.source import YAML_ENDINGS
from plait.fronts.front import SETTINGS, Declaration, Target, World
from plait.fronts.signs import CHART, COMPOSE_FILES, FOLDERS, KUSTOMIZATIONS, PATTERN, fitting
from plait.fronts.stacks.config.search import NAMES
from plait.fronts.structure import FileStructure
from plait.fronts.targets import declared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Source
    from plait.fronts.deployed import DeployedObject
    from plait.fronts.discovery.found import TargetQuestion
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import Changes, DocumentId, Given
    from plait.fronts.project import Project
    from plait.fronts.proposal import TargetProposal
    from plait.fronts.unit import ManifestFolder

    Find = Callable[[World], Iterator[Declaration]]
    Open = Callable[[World, Declaration], Target]


class TargetFinder:
    """A way to recognise targets. `names` are the files that it looks for."""

    __slots__ = ("find", "is_root", "kind", "names")

    def __init__(self, names: tuple[str, ...], find: Find, kind: str = "", is_root: bool = True) -> None:
        """`kind` is that of all that it finds, where there is only one. `is_root`: whether these files are at the root
        of a project."""
        self.names = names
        self.is_root = is_root
        self.find = find
        self.kind = kind


def _stacks(world: World) -> Iterator[Declaration]:
    folder = stacks_folder(world)
    if folder:
        from plait.fronts.stacks.answers.target import stacks_of

        yield from stacks_of(world, folder)


def check_stacks(world: World) -> None:
    """That there is a stack where there is an atmos.yaml, for questions that found no target."""
    folder = stacks_folder(world)
    if folder:
        from plait.fronts.stacks.answers.repository import check_any
        from plait.fronts.stacks.answers.target import opened_at

        check_any(opened_at(world, folder).repository)


def _declared(world: World) -> Iterator[Declaration]:
    if world.project.settings.targets is not None:
        yield from declared(world.project, partial(_found, world))


def _declares(world: World) -> bool:
    """Whether plait.yaml says what the targets are. One above the project may have targets of other projects only."""
    project = world.project
    if project.settings.targets is None:
        return False
    return project.door.inside(os.path.realpath(project.home or project.root)) or any(True for _ in _declared(world))


def _found(world: World) -> Iterator[Declaration]:
    """What manifests of other tools declare and names suggest."""
    from plait.fronts.discovery.discover import declarations

    yield from declarations(world)


def _discovered(world: World) -> Iterator[Declaration]:
    """The same where plait.yaml does not say what the targets are. Beside stacks, without what is a part of them."""
    if not _declares(world):
        yield from _beside_stacks(world)


def _beside_stacks(world: World) -> Iterator[Declaration]:
    own = _stack_folders(world)
    yield from (one for one in _found(world) if not _is_below(own, (*one.parameters.get("told", ()), *one.paths)))


def _stack_folders(world: World) -> list[str]:
    """The folders of manifests and components, with a slash: what is in there is deployed by stacks."""
    folder = stacks_folder(world)
    if not folder:
        return []
    from plait.fronts.stacks.answers.target import opened_at

    return [os.path.join(os.path.relpath(one, world.project.root), "") for one in opened_at(world, folder).own_folders]


def _is_below(folders: list[str], files: Iterable[str]) -> bool:
    return any(os.path.join(file, "").startswith(folder) for folder in folders for file in files)


SIGNS = (*KUSTOMIZATIONS, CHART, *COMPOSE_FILES, "helmfile.yaml", "ansible.cfg")
"""Files that targets without plait.yaml are recognised by, beside the words in manifests."""
FINDERS = (
    TargetFinder(NAMES, _stacks, "stack"),
    TargetFinder((SETTINGS,), _declared),
    TargetFinder(SIGNS, _discovered, is_root=False),
)
"""Everything that is recognised, in the order in which targets are listed."""


def _front(module: str, name: str) -> Open:
    """A front by its module and its kind of target, loaded when something of that kind is opened."""

    def opened(world: World, declaration: Declaration) -> Target:
        made: Target = getattr(import_module(f"plait.fronts.{module}"), name)(world, declaration)
        return made

    return opened


FRONTS: dict[str, Open] = {
    "stack": _front("stacks.answers.target", "StackTarget"),
    "layers": _front("layered", "LayeredTarget"),
    "template": _front("spiff.target", "TemplateTarget"),
    "document": _front("unfurl.target", "DirectiveTarget"),
    "files": _front("layered", "ResourceFiles"),
    "pattern": _front("patterns.target", "PatternTarget"),
    "chart": _front("charts.target", "ChartTarget"),
    "kustomization": _front("kustomize.target", "KustomizationTarget"),
    "compose": _front("compose.target", "ComposeTarget"),
}
"""How a declaration is opened, by its kind."""


class FrontCatalog:
    """The tables above, as a world asks them."""

    def find(self, world: World, without: Collection[str] = ()) -> Iterator[Declaration]:
        """Everything that a folder declares, without some kinds."""
        for finder in FINDERS:
            if finder.kind in without and finder.kind:
                continue
            known = [one for one in world.recalled if one.kind == finder.kind]
            yield from known or finder.find(world)

    def open(self, world: World, declaration: Declaration) -> Target:
        return FRONTS[declaration.kind](world, declaration)

    def places(self, target: Target, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        from plait.fronts.places import in_files  # most questions write nothing

        return in_files(target, document, path)


CATALOG = FrontCatalog()


def world_of(
    project: Project,
    tree: str = "",
    given: Given | None = None,
    beside: World | None = None,
    changes: Changes | None = None,
) -> World:
    """The world of a project: see `World`."""
    return World(project, CATALOG, tree=tree, given=given, beside=beside, changes=changes)


def listed(world: World) -> list[dict[str, object]]:
    """Every target as data: what it is called, its kind, its files, and the place that says so; then the questions."""
    targets = world.targets
    rows = [_row(world, address, targets[address].declaration) for address in targets.names()]
    for one in questions(world):
        rows.append({"name": one.name, "kind": one.kind, "files": one.files, "from": None, "ambiguous": one.why})
    return rows


def _row(world: World, address: str, declared: Declaration) -> dict[str, object]:
    parameters = declared.parameters
    folder = parameters.get(declared.kind) if declared.kind in FOLDERS.values() else None
    files = [folder, *declared.files] if folder and folder not in declared.files else declared.files
    row: dict[str, object] = {"name": address, "kind": declared.kind}
    if declared.kind == "layers" and parameters.get("profile"):
        row["profile"] = parameters["profile"]
    places = [_place(world, node) for node in parameters.get("inline", ())]
    inline = {"inline": places} if places else {}
    return {
        **row,
        "files": files,
        "from": _place(world, declared.node) if declared.node is not None else None,
        **inline,
    }


def _place(world: World, node: Node) -> str:
    origin = node.origin
    return f"{os.path.relpath(origin.file, world.project.root)}:{origin.line}"


def questions(world: World) -> list[TargetQuestion]:
    """What could be read in two ways: no command uses it as a target."""
    return _questions(world) if not _declares(world) else []


def _questions(world: World) -> list[TargetQuestion]:
    from plait.fronts.discovery.discover import discovered

    own = _stack_folders(world)
    return [one for one in discovered(world).questions if not _is_below(own, one.files)]


def deployed_objects(world: World, changed: Iterable[str]) -> list[DeployedObject]:
    """The objects of Argo CD and Flux that are not evaluated, or not all of them: of all manifests where targets are
    searched for, else of the changed files."""
    objects_of = import_module("plait.fronts.discovery.objects").objects_of
    return list(objects_of(world, changed))


def proposal(world: World) -> TargetProposal:
    """What plait.yaml would have to say so that it has every target that is found."""
    from plait.fronts.proposal import TargetProposal

    declared, found, has_stacks = list(_declared(world)), list(_beside_stacks(world)), bool(stacks_folder(world))
    return TargetProposal(world.project, declared, found, _questions(world), has_stacks)


def alone(project: Project, kind: str, path: str) -> Declaration | None:
    """A file on its own as the only one of a target; None for a kind whose files mean nothing on their own."""
    if kind not in ALONE:
        return None
    found = [] if project.settings.profile else list(fitting(project, path))
    words = {"profile": found[0].profile} if len(found) == 1 else {}
    return Declaration(kind, os.path.basename(path), os.path.dirname(path), [path], None, words)


# What an editor asks about files


NAMED = {SETTINGS: "settings", PATTERN: "pattern", **dict.fromkeys(NAMES, "configuration")}
"""How files with a name of their own are read."""
STRUCTURES = {
    "settings": ("structure", "SettingsStructure"),
    "pattern": ("patterns.structure", "PatternStructure"),
    "stacks": ("stacks.config.structure", "ManifestStructure"),
}
"""What places of a kind of file mean: the module and the class that say it."""
SCHEMAS = {"stacks": "manifest", "configuration": "config"}
"""The schemas that come with plait, of files that are not plait's own."""


def file_kind_by_name(path: str) -> str:
    """How a file is read that has a name of its own; empty for any other."""
    return NAMED.get(os.path.basename(path), "")


@cache
def structure_of(kind: str) -> FileStructure:
    """What the places of a kind of file mean."""
    if kind not in STRUCTURES:
        return FileStructure()
    module, name = STRUCTURES[kind]
    made: FileStructure = getattr(import_module(f"plait.fronts.{module}"), name)()
    return made


def schema_of(kind: str) -> dict[str, Any]:
    """The schema of a kind of file; empty where none comes with plait."""
    if kind not in SCHEMAS:
        return {}
    from plait.fronts.stacks.answers.schema import shipped

    return shipped(SCHEMAS[kind])


def manifest_folder(
    world: World, real: Callable[[str], str], path_of: Callable[[Source], str]
) -> ManifestFolder | None:
    """The manifests that belong together here; None where there are none. `real` gives the real path of a file,
    `path_of` that of a text."""
    folder = stacks_folder(world)
    if not folder:
        return None
    from plait.fronts.stacks.answers.authored import StackManifests

    return StackManifests(world.project, folder, real, path_of)


ALONE = ("layers", "template", "document")


def in_folder(project: Project, kind: str, path: str, files: list[str], words: Given | None = None) -> Declaration:
    """A folder or file that is a target by itself, with files that the command line adds, and what else it says."""
    name, given = os.path.basename(os.path.abspath(path)), (path, *files)
    if kind != "compose":
        return Declaration(kind, name, "", files, None, {kind: path}, given)
    from plait.fronts.compose.files import project_files

    if not project.door.is_folder(path):
        above = os.path.basename(os.path.dirname(os.path.abspath(path)))
        return Declaration(kind, above, "", [path, *files], given=given)
    env_files: Any = (words or {}).get("compose", {}).get("env_files", ())
    own = [os.path.join(path, one) for one in project_files(project, path, env_files)]
    return Declaration(kind, name, "", [*own, *files], None, {"start": path}, given)


def marks() -> tuple[str, ...]:
    """The files that targets are recognised by: where one is added, other things may be found."""
    return tuple(name for finder in FINDERS for name in finder.names)


def roots() -> tuple[str, ...]:
    """Those that make a folder a project of its own."""
    return tuple(name for finder in FINDERS for name in finder.names if finder.is_root)


def is_root(file: str) -> bool:
    """Whether a file decides where a project is and how it is read."""
    return os.path.basename(file) in roots()


def decides(world: World, file: str) -> bool:
    """Whether what a file says may decide which targets there are; the file is a path from the root of the tree."""
    found = world.opened.get("discovery")
    if found is None:
        return False
    repository = found.repository
    return bool(repository.consulted(os.path.relpath(os.path.join(world.tree, file), repository.root)))


def stacks_folder(world: World) -> str:
    """The folder of the atmos.yaml that applies: the nearest one from the working folder up to the folder of
    plait.yaml, else up to the root of the tree; empty if there is none."""
    project = world.project
    tree = os.path.realpath(world.tree)
    last = project.home or tree
    at = project.folder
    while not any(project.door.is_file(os.path.join(at, name)) for name in NAMES):
        above = os.path.dirname(at)
        if at in (last, tree, above):
            return ""
        at = above
    return at


def yaml_files(project: Project) -> list[str]:
    """The YAML files below the root of a project."""
    from plait.fronts.discovery.repository import RepositoryFiles

    return [name for name in RepositoryFiles(project).files if name.endswith(YAML_ENDINGS)]
