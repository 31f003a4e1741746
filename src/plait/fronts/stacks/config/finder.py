"""The files of a configuration: where they are found, what they import, and how they merge.

A flag wins over the environment, the environment over the files, the files over the defaults. Keys that plait has no
use for (running terraform, vendoring, auth, workflows) are kept and ignored.
"""

from __future__ import annotations

import os
import re

from plait.access.environment import config_home, home_folder
from plait.core.diagnostic import Label, PlaitError, for_each
from plait.core.find import entry
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.plain import from_plain
from plait.core.policy import MergePolicy
from plait.core.role import DEFAULT, ENVIRONMENT
from plait.core.source import YAML_ENDINGS, Source
from plait.fronts.stacks.ask.remote import RemoteImport
from plait.fronts.stacks.config.config import Config
from plait.fronts.stacks.config.config_functions import ConfigFile
from plait.fronts.stacks.config.dotted import expanded
from plait.fronts.stacks.config.keys import DEFAULTS, EDITIONS, LISTS, VARIABLES
from plait.fronts.stacks.config.search import Search, nothing_found, split
from plait.fronts.stacks.session.git import GitRepository
from plait.fronts.stacks.session.globs import is_pattern, matching_files
from plait.merging.combine import combine
from plait.profiles import profiles
from plait.report.catalog import BAD_CONFIG
from plait.report.near import did_you_mean
from plait.services.remote import is_remote
from plait.yaml.build import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.ask.include import Includes
    from plait.fronts.stacks.ask.remote import RemoteImports
    from plait.fronts.stacks.config.search import ConfigFlags, ConfigPlace
    from plait.fronts.stacks.session.session import StackSession

Row = dict[str, object]
PREFIX = "ATMOS_"
"""The prefix of environment variables that are settings of stacks."""
AS_DEFAULTS = from_plain(DEFAULTS, Source("the defaults", given=True, role=DEFAULT))
"""The defaults, which apply if no file, variable or flag sets a value: the lowest part of a configuration."""
FOLDERS = [keys for keys in VARIABLES.values() if keys[-1] == "base_path"]
"""The keys that name a folder of the project."""
DEPTH = 10
"""How many imports of configuration files may lead from one to the next."""
EDITION = re.compile(r"\d{4}(-\d{2}){0,2}")
OF_REPOSITORY = "at the root of the git repository"
AUTOMATIC = ("atmos.d", ".atmos.d")
"""Folders beside a configuration file whose files are merged without being named."""


def _rolled_back(parts: list[Node]) -> list[Node]:
    """The defaults before those that Atmos changed after the edition that a configuration is pinned to."""
    maps = [part.entries for part in reversed(parts) if isinstance(part, MapNode) and "edition" in part.entries]
    named = maps[0]["edition"] if maps else None
    edition = str(named.value) if isinstance(named, Scalar) and named.value else ""
    if not edition:
        return []
    if not EDITION.fullmatch(edition):
        hint = "write a date: 2026, 2026-01 or 2026-01-15, in quotes"
        raise BAD_CONFIG.error(Label(named.origin), why=f"`edition: {edition}` is not a date", hint=hint)  # type: ignore[union-attr]
    last = {4: f"{edition}-12-31", 7: f"{edition}-31"}.get(len(edition), edition)
    source = Source(f"the edition {edition}", given=True, role=DEFAULT)
    return [from_plain(_nested(path, old), source) for date, path, old in EDITIONS if date > last]


class Finder:
    """Reads the files of a configuration and merges them, the lowest first."""

    def __init__(self, session: StackSession, flags: ConfigFlags, remote: RemoteImports, includes: Includes) -> None:
        self.session = session
        self.flags = flags
        self.remote = remote
        self.includes = includes
        self.cwd = session.folder
        self.environment = session.project.door.environment_named(PREFIX)
        """The variables that are settings of stacks."""
        self._repository = GitRepository.around(self.cwd, session.project)
        """The git repository around the working folder."""
        self.places = Search(session, flags, self.environment, self._repository).places
        self.steps: list[tuple[str, str]] = []
        """The files that were merged, the lowest first, each with the reason."""
        self.policy = MergePolicy(kinds=session.project.settings.kinds)

    def config(self) -> Config:
        files = [place for place in self.places if not place.why_not]
        if not files:
            raise nothing_found(self.places)
        folder = os.path.dirname(os.path.abspath(files[-1].file))
        self.session.project.door.add_root(folder)  # the configuration that was chosen: its folder is the project
        parts = [node for name in self._of_repository(files) for node in self.layers_of(name, OF_REPOSITORY, 1)]
        parts += [node for place in files for node in self.layers_of(place.file, place.what)]
        parts += [node for name, file in self._profiles(folder, parts) for node in self.layers_of(file, name, 1)]
        parts += self._given()
        tree = combine([AS_DEFAULTS, *_rolled_back(parts), *parts], self.policy)
        assert isinstance(tree, MapNode)
        config = Config(self.session, tree, folder, {file for file, _ in self.steps})
        config.base_path = self.base_path(config)
        config.stacks_path = os.path.normpath(os.path.join(config.base_path, config.text("stacks", "base_path")))
        for_each(lambda keys: self._check_folder(config, keys), FOLDERS)
        return config

    def _check_folder(self, config: Config, keys: tuple[str, ...]) -> None:
        """That a folder which the configuration names does not belong to git."""
        node = entry(config.tree, *keys)
        if isinstance(node, Scalar):
            inner = node.text if len(keys) > 1 else ""
            self.session.project.door.check_not_of_git(os.path.join(config.base_path, inner), node)

    def layers_of(self, file: str, why: str, depth: int = 0) -> list[Node]:
        """The parts of a file, the lowest first: its imports, the file itself, and the files of the automatic folders
        beside it."""
        own = self.document(file)
        shown = self.session.shown(file)
        named = self._imports(own.entries.get("import"), file) if depth < DEPTH else []
        below = [node for name in named for node in self.layers_of(name, f"imported by {shown}", depth + 1)]
        self.steps.append((file, why))
        beside = [] if depth else self._beside(os.path.dirname(file))
        above = [node for name in beside for node in self.layers_of(name, f"beside {shown}", 1)]
        return [*below, expanded(own), *above]

    def document(self, file: str) -> MapNode:
        """A configuration file as it is written."""
        written = ConfigFile(self.session, file, self.includes)
        source = self.session.project.source(file, written.file)
        programs = self.session.documents(source)
        node = build(programs[0], source, written.reading()) if programs else MapNode({}, source)
        if isinstance(node, Scalar) and node.value is None:
            return MapNode({}, source)
        if not isinstance(node, MapNode):
            raise BAD_CONFIG.error(
                Label(node.origin),
                why=f"{written.file} contains a {node.kind}, not a map",
                hint="write sections: `stacks:`, `components:`, ...",
            )
        return node

    def _imports(self, node: Node | None, file: str) -> list[str]:
        """The files that a configuration file imports: of its own folder, or of another repository."""
        files: list[str] = []
        for item in node.items if isinstance(node, ListNode) else []:
            path = str(item.value) if isinstance(item, Scalar) else ""
            if is_remote(path):
                files += self._fetched(RemoteImport(item, path))
                continue
            self.remote.check_inside(file, path, item)
            self.session.project.door.check_not_of_git(os.path.join(os.path.dirname(file), path), item)
            files += self.remote.kept_inside(file, self._matching(os.path.dirname(file), path), item)
        return files

    def _fetched(self, wanted: RemoteImport) -> list[str]:
        return self.session.answer(lambda: self.remote.find(wanted, wanted.path, self._matching))

    def _matching(self, folder: str, path: str) -> list[str]:
        """The configuration files that a path means, from a folder."""
        full = os.path.normpath(os.path.join(folder, path))
        if is_pattern(path):
            return matching_files(self.session.project, folder, path)
        return [found for found in (full, full + ".yaml", full + ".yml") if self.session.project.door.is_file(found)][
            :1
        ]

    def _beside(self, folder: str) -> list[str]:
        files: list[str] = []
        for inside in (os.path.join(folder, name) for name in AUTOMATIC):
            names = [name for name in self.session.project.door.below(inside) if name.endswith(YAML_ENDINGS)]
            files += [os.path.join(inside, name) for name in sorted(names, key=lambda name: (name.count("/"), name))]
        return files

    def _of_repository(self, files: list[ConfigPlace]) -> list[str]:
        """The automatic folders at the top of the git repository, where no configuration file is beside them."""
        repository = self._repository
        if repository is None or any(os.path.dirname(place.file) == repository.root for place in files):
            return []
        return self._beside(repository.root)

    def _profiles(self, folder: str, parts: list[Node]) -> list[tuple[str, str]]:
        """The files of the requested profiles, in order. `parts` is the configuration below them."""
        variable = self.environment.get("ATMOS_PROFILE")
        given = self.flags.profile or ([variable] if variable else [])
        names = [word for several in given for word in split(several)]
        places = self._profile_places(folder, parts) if names else []
        return [(f"profile `{name}`", file) for name in names for file in self._profile(name, places)]

    def _profile(self, name: str, places: list[str]) -> list[str]:
        """The files of a profile: those of its folder, or the one file that is called after it."""
        for path in (os.path.join(place, name) for place in places):
            if self.session.project.door.is_folder(path):
                inner = self.session.project.door.below(path)
                return [os.path.join(path, file) for file in inner if file.endswith(YAML_ENDINGS)]
            single = [path + suffix for suffix in YAML_ENDINGS if self.session.project.door.is_file(path + suffix)]
            if single:
                return single[:1]
        raise self._no_profile(name, places)

    def _profile_places(self, folder: str, parts: list[Node]) -> list[str]:
        """The folders that are searched for profiles; the first that has one wins."""
        tree = combine(parts, self.policy)
        base: object = None
        if isinstance(tree, MapNode) and "profiles" in tree.entries:
            base = Config(self.session, tree, folder, set()).get("profiles", "base_path")
        places = [os.path.join(folder, base)] if isinstance(base, str) and base else []
        places += [os.path.join(folder, ".atmos", "profiles"), *self._personal()]
        return [*places, os.path.join(folder, "profiles")]

    def _personal(self) -> list[str]:
        """The folder of the user's own profiles; a hermetic run has none."""
        project = self.session.project
        folder = os.path.join(config_home(), "atmos", "profiles")
        return [project.admit(folder)] if project.door.is_folder(folder) and not project.guard.hermetic else []

    def _no_profile(self, name: str, places: list[str]) -> PlaitError:
        if name in profiles():
            why = f"`{name}` is a profile for layers; commands about stacks take the profiles of Atmos"
            return BAD_CONFIG.error(why=why, hint=f"plait merge --profile {name} merges layers as {name} does")
        there = sorted(
            {os.path.splitext(found)[0] for place in places for found in self.session.project.listing(place)}
        )
        hint = did_you_mean(name, there) or (
            f"available: {', '.join(there)}" if there else "a profile is a folder of YAML files, or NAME.yaml"
        )
        return BAD_CONFIG.error(
            why=f"unknown profile `{name}`", notes=tuple(f"looked in {place}" for place in places), hint=hint
        )

    # The account

    def account(self) -> list[Row]:
        """Every place that was searched: the files that were merged, the lowest first, and those that were not, with
        the reason."""
        rows: list[Row] = [_row(why, self.session.shown(file)) for file, why in self.steps]
        rows += [_row(f"sets {'.'.join(path)}", variable) for variable, path in self._variables()]
        rows += [_row("sets base_path", "--base-path")] if self.flags.base_path else []
        rows += [_row(f"sets {'.'.join(path)}", "a flag") for path in self.flags.values]
        return rows + [_row(one.what, self._shown(one), one.why_not) for one in self.places if one.why_not]

    def _shown(self, place: ConfigPlace) -> str:
        home = home_folder()
        name = os.path.join(self.cwd, place.name)
        return f"~{name[len(home) :]}" if name.startswith(home + os.sep) else self.session.shown(name)

    def _variables(self) -> list[tuple[str, tuple[str, ...]]]:
        """The variables of the environment that set a key."""
        return [(name, path) for name, path in VARIABLES.items() if self.environment.get(name)]

    def _given(self) -> list[Node]:
        """The values set by environment variables, and over them those set by flags."""
        nodes: list[Node] = []
        for variable, path in self._variables():
            if path != ("base_path",):
                value = self.environment[variable]
                plain: object = split(value) if variable in LISTS else value
                nodes.append(from_plain(_nested(path, plain), Source(variable, value, given=True, role=ENVIRONMENT), 0))
        for path, plain in self.flags.values.items():
            nodes.append(from_plain(_nested(path, plain), Source("a flag", str(plain), given=True), 0))
        return nodes

    def base_path(self, config: Config) -> str:
        """Where the repository is: see the docs for what a path without a dot means."""
        flag = self.flags.base_path or self.environment.get("ATMOS_BASE_PATH", "")
        found = self._base_path(config, flag)
        return self.session.project.admit(found) if flag else found

    def _base_path(self, config: Config, flag: str) -> str:
        path = flag or config.text("base_path")
        if os.path.isabs(path):
            return os.path.normpath(path)
        if path.split("/", 1)[0] in (".", ".."):
            return os.path.normpath(os.path.join(self.cwd if flag else config.folder, path))
        if self.environment.get("ATMOS_GIT_ROOT_BASEPATH", "").lower() != "false":
            repository = self._repository
            if repository is not None and self.session.project.door.is_folder(os.path.join(repository.root, path)):
                return os.path.normpath(os.path.join(repository.root, path))
        for folder in (self.cwd, config.folder):
            if self.session.project.door.is_folder(os.path.join(folder, path)):
                return os.path.normpath(os.path.join(folder, path))
        return os.path.normpath(os.path.join(config.folder, path))


def _row(what: str, source: str, why_not: str = "") -> Row:
    return {"source": source, "as": what, "read": not why_not, **({"why_not": why_not} if why_not else {})}


def _nested(path: tuple[str, ...], value: object) -> object:
    for step in reversed(path):
        value = {step: value}
    return value
