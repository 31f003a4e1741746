"""A Compose project as a target: what `docker compose config` prints."""

from __future__ import annotations

import os
from contextlib import suppress

from plait.core.diagnostic import Fault, for_each
from plait.core.find import entry, word
from plait.core.node import MapNode, Scalar, rewrite
from plait.core.path import format_path
from plait.evaluate.tree import Tree
from plait.fronts.checks import unknown_keys
from plait.fronts.compose.commands import cut_commands
from plait.fronts.compose.consistent import check_order, check_resources, check_services
from plait.fronts.compose.loading import ComposeReader
from plait.fronts.compose.model import check, enabled, left_out, normal
from plait.fronts.compose.nodes import has_variable, is_text, like
from plait.fronts.compose.paths import rebased, relative
from plait.fronts.compose.places import as_wanted, form_at, in_result, path_in_file, value_at
from plait.fronts.compose.told import NAME, env_files, project_name, told, variables_told
from plait.fronts.compose.told import profiles as profiles_told
from plait.fronts.compose.typed import typed
from plait.fronts.compose.variables import ComposeVariables, check_keys
from plait.fronts.editing import Editor
from plait.fronts.front import DocumentId, NamedWord, Target, lines_of
from plait.fronts.typed import typed_path
from plait.profiles import profiles
from plait.yaml.readers import READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.front import World


class ComposeTarget(Target):
    """The services of a Compose project and what they need: one document."""

    front = "compose"
    reader = READERS["compose-go"]
    schema = reader.schema
    stacked = True

    @property
    def words(self) -> dict[str, Any]:
        """What plait.yaml and the command line say of the project."""
        own = {**self.declaration.parameters.get("project", {}), **self.world.given.get("compose", {})}
        return {key: [value] if isinstance(value, str) else value for key, value in own.items()}

    @property
    def folder(self) -> str:
        """The folder of the project, from the working folder: that of its first file."""
        return os.path.dirname(self.files[0]) if self.files else self.declaration.folder

    def commands(self) -> list[list[str]]:
        profiles = [word for name in self.words.get("profiles", ()) for word in ("--profile", NamedWord(name))]
        given = [word for name in self._env_files for word in ("--env-file", NamedWord(name))]
        plain = [] if self.words.get("interpolate") else ["--no-interpolate"]
        words = [*self._named_files(), *profiles, *given, "config", *plain]
        return [["docker-compose", *words], ["docker", "compose", *words]]

    @property
    def _variables(self) -> ComposeVariables:
        """Those of env files; where variables are not filled, those that speak to Compose are enough."""
        admitted = self.project.admit if self._names_env_files else self.admitted
        start = self.declaration.parameters.get("start", self.folder)
        files = for_each(admitted, self._env_files) or env_files(self.project, [start, self.folder])
        if self.words.get("interpolate"):
            return ComposeVariables(self.project).with_files(files)
        return variables_told(self.project, files)

    @property
    def _profiles(self) -> list[str]:
        """The profiles that are on."""
        return list(self.words.get("profiles") or profiles_told(self._variables))

    def _reader(self) -> ComposeReader:
        if not self.words.get("interpolate"):
            return ComposeReader(self.project)
        variables = self._variables
        reader = ComposeReader(self.project, variables)
        said = reader.name(self.readable)
        variables.own = {NAME: project_name(said or MapNode({}), variables, said, self._folder_name)}
        return reader

    @property
    def _folder_name(self) -> str:
        return os.path.basename(os.path.abspath(self.folder))

    @property
    def _names_env_files(self) -> bool:
        """Whether the user does, not the declaration."""
        return "env_files" in self.world.given.get("compose", {})

    @property
    def _env_files(self) -> list[str]:
        """The files of variables, as they are opened from the working folder."""
        base = "" if self._names_env_files else self.declaration.folder
        return [os.path.relpath(os.path.join(base, name)) for name in self.words.get("env_files", ())]

    def steering(self, file: str) -> set[int]:
        """The lines of services that a profile turns off."""
        services = entry(self._reader().merged(self.readable, self.folder), "services")
        off = left_out(services, self._profiles)
        return {line for service in off.values() for line in lines_of(service, file)}

    def _made(self, reader: ComposeReader) -> Node:
        root = rebased(reader.merged(self.readable, self.folder), ".")
        root, said = enabled(root, self._profiles), entry(root, "name")
        if reader.variables is not None:
            return normal(root, reader.variables.own[NAME])
        if told(self._variables, NAME) is None and said is not None and has_variable(word(said)):
            return normal(root, said)
        return normal(root, project_name(root, self._variables, said, self._folder_name))

    def _root(self) -> Node:
        reader = self._reader()
        root = self._made(reader)
        check(root)
        check_order(root)
        check_resources(root)
        if reader.variables is None:
            return root
        root = typed(root, reader, self.folder)
        check_services(root)
        check_keys(root, reader.variables.masked)
        return root

    def trees(self) -> dict[DocumentId, Tree]:
        return {self.id(): Tree(self._root(), self.evaluator)}

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        if os.path.realpath(file) in map(os.path.realpath, self.files):
            yield "", self._tree_as_far_as_known()

    def _tree_as_far_as_known(self) -> Tree:
        """Its document; where something in it is wrong, what can be read of it beside that."""
        try:
            return self.tree(self.id())
        except Fault as error:
            with suppress(Fault):
                return Tree(self._made(ComposeReader(self.project, forgiving=True)), self.evaluator)
            raise error

    def findings(self) -> list[Diagnostic]:
        return super().findings() or self.warnings()

    def warnings(self) -> list[Diagnostic]:
        root = self.tree(self.id()).root
        return [*unknown_keys(root, profiles()["compose"]), *cut_commands(root)]

    def in_output(self, nodes: list[Node]) -> dict[DocumentId, Node] | None:
        """Compose prints paths in full; here they are from the folder of the project."""
        top = os.path.abspath(self.folder)

        def leaf(node: Node) -> Node:
            words = word(node)
            if not is_text(node) or not (words == top or words.startswith(f"{top}/")):
                return node
            return like(node, relative(os.path.relpath(words, top)))

        return {self.id(): rewrite(node, leaf) for node in nodes[:1] if isinstance(node, MapNode)}

    # Values that the files have in another form

    def value_in(self, world: World, document: DocumentId, path: Path) -> Node | None:
        whole = super().value_in(world, document, ())
        return value_at(whole, path) if whole is not None else None

    def in_result(self, document: DocumentId, path: Path) -> Path:
        return in_result(self.tree(document).root, path)

    def wanted(self, document: DocumentId, path: Path, value: Node) -> Node:
        return as_wanted(self.tree(document).root, path, value)

    def path_in(self, at: int, path: Path) -> Path | None:
        editor = Editor(self.project)
        trees = editor.trees_of(editor.source(self.files[at]))
        return path_in_file(trees[0], self.tree(self.id()).root, path) if trees else path

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        for site in super().places(document, self.in_result(document, path)):
            site.form = form_at(site, path)
            yield site

    def chosen(self, address: str) -> tuple[Tree, str]:
        tree, path = super().chosen(address)
        return tree, format_path(in_result(tree.root, typed_path(path, pattern=True))) if path else path

    @property
    def remover(self) -> Scalar:
        return Scalar(None, "null", tag="!reset")

    def place_words(self, at: int, count: int) -> str:
        return f"Compose file {at + 1} of {count}" if count > 1 else "the Compose file"
