"""The folder that a question is asked in: its root, its `plait.yaml`, what may be done there, and each file read
once."""

from __future__ import annotations

import os

from plait.access.door import Door, Staged
from plait.access.environment import config_home
from plait.access.guard import Guard
from plait.access.owners import foreign_owner
from plait.access.trace import AccessTrace
from plait.access.unquoted import Unquoted
from plait.core.diagnostic import Diagnostic, Fault, Label, PlaitError, for_each
from plait.core.meter import BUDGETS, Budgets, Clock, Meter
from plait.core.node import Key, MapNode, Node, Scalar, children, key_text
from plait.core.path import PathError, parse_path, split_assignment
from plait.core.policy import STRATEGIES, ListRule, MergePolicy, PlaceRule
from plait.core.source import SENSITIVE, Source
from plait.evaluate.limits import Counters
from plait.fronts.trust import is_trusted
from plait.profiles import profiles
from plait.profiles.rules import SETTINGS as PROFILE_SETTINGS
from plait.report.catalog import BAD_RULE, BAD_SETTING, FOREIGN, UNREADABLE
from plait.report.near import did_you_mean
from plait.yaml.build import Reading, build
from plait.yaml.files import read_source
from plait.yaml.load import load
from plait.yaml.program import Program
from plait.yaml.scan import no_garbage_collection, scan
from plait.yaml.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol, TypeVar

    from plait.access.git import GitAnswer
    from plait.access.workers import Elsewhere
    from plait.keeping.keeper import EarlierAnswer
    from plait.yaml.cache import ParseCache
    from plait.yaml.outline import Pack
    from plait.yaml.remember import Remember
    from plait.yaml.write import Writer

    Files = Mapping[str, bytes | None]
    T = TypeVar("T")

    class Held(Protocol):
        """What a front keeps for the next question."""

        def forget(self, names: Collection[str]) -> bool:
            """Some files have other texts now; False where nothing of it can be used any more."""

        def left(self) -> dict[str, object]:
            """What is kept on the disk beside the answer."""

        def avoids_secrets(self, path: str) -> bool:
            """Whether no question looked at what is marked as sensitive in a file."""


SETTINGS = "plait.yaml"
NOTATIONS = ("dynaml", "gotemplate")
ELSEWHERE = {
    "directives": "`plait expand` reads documents with directives",
    "query": "`plait query` asks such questions",
}
"""Notations that layers can use beside tags, and those that have commands of their own instead."""
FLAG, POLICY_FILE, SETTINGS_FILE, PROFILE = 3, 2, 1, 0
"""Where a list rule was declared: the higher wins."""


class Watch:
    """The names of the files that a project is asked for inside a `with` block."""

    __slots__ = ("outer", "project")

    def __init__(self, project: Project) -> None:
        self.project = project
        self.outer = project.watched

    def __enter__(self) -> set[str]:
        self.project.watched = self.project.door.watched = names = set[str]()
        return names

    def __exit__(self, *_: object) -> None:
        if self.outer is not None and self.project.watched is not None:
            self.outer |= self.project.watched
        self.project.watched = self.project.door.watched = self.outer


class Project:
    """One run in one folder. Each file is read once."""

    def __init__(
        self,
        folder: str = ".",
        *,
        guard: Guard | None = None,
        budgets: dict[str, int] | None = None,
        cache: Remember | None = None,
        progress: Callable[[str], None] | None = None,
        writing: Writing | None = None,
        beside: Project | None = None,
        altered: Files | None = None,
        clock: Clock | None = None,
    ) -> None:
        """`altered` has files, by their real paths, that are to look different here or, with None, not to be there;
        `beside` is a project that has read some of the others; `clock` is that of the same question elsewhere."""
        self.progress = progress
        self.writing = writing
        self.jobs = 1
        """How many processes may compute at the same time."""
        self.elsewhere: Elsewhere | None = None
        """Other machines that compute for this one."""
        self.earlier: EarlierAnswer | None = None
        """An answer to the same question that is not true any more, because some files changed."""
        self.leaving: dict[str, object] | None = None
        """What is kept beside the answer of this run for the next one; None where the answer is not kept."""
        self.held: dict[object, Held] = {}
        """What fronts keep for the next question, by what it is about."""
        self.expected = 0
        """How many files a front is about to read, where it knows."""
        self.trace = AccessTrace()
        self.folder, self.home, repository = self.trace.surroundings(folder)
        """The folder itself and that of plait.yaml; the latter is empty where there is none."""
        if self.home and self.home != self.folder:
            self._check_settings(os.path.join(self.home, SETTINGS))
        is_own = repository and foreign_owner(os.path.join(repository, ".git")) is None
        self.root = repository if is_own else self.home or self.folder
        """The git root of the folder, unless it belongs to another user; else the folder of the settings; else the
        folder itself."""
        self.counters = Counters()
        self.guard = guard or Guard()
        self.door = Door([self.root], self.guard) if altered is None else Staged([self.root], self.guard, altered)
        self.door.trace = self.trace
        self.cache = cache
        self._beside = beside
        self._programs: dict[str, tuple[Source, list[Program]]] = {}
        self.trees: dict[str, tuple[Source, object, list[Node]]] | None = None
        """The documents of files in which nothing is computed, with how they were read: where many questions are asked
        about the same texts. None where they are not kept."""
        self.watched: set[str] | None = None
        self.sources: dict[str, Source] = {}
        """Every file that was read, by its path."""
        self.sensitive: set[Source] = set()
        """The texts in which a value is marked as sensitive."""
        self._parts: dict[Source, Sequence[Program | Pack]] = beside._parts if beside is not None else {}
        self.budgets = Budgets(**(budgets or {}))
        self.meter = Meter(self.budgets, clock)
        self.settings = ProjectSettings.read(self)
        if self.settings.budgets:
            self.meter.lower(self.settings.budgets)
            self.budgets = self.meter.budgets

    @property
    def is_alone(self) -> bool:
        """Whether one process does everything."""
        return self.jobs < 2 and self.elsewhere is None

    def in_tree(self, folder: str, altered: Files | None = None, beside: Project | None = None) -> Project:
        """A project in another tree, or in this one with altered files: with what is allowed and limited here."""
        budgets = {name: getattr(self.budgets, name) for name in BUDGETS}
        return Project(
            folder,
            guard=self.guard,
            budgets=budgets,
            cache=self.cache,
            beside=beside,
            altered=altered,
            clock=self.meter.clock,
        )

    def depend_on(self, other: Project, is_copied: bool) -> None:
        """Let the answer depend on what a question in another tree read. Files that look different there count as they
        are now; what is read in a copy cannot be checked later."""
        if is_copied:
            self.trace.unfollowed.add("another tree")
        self.trace.add(other.trace)
        if any(SENSITIVE in source.text for source in other.sources.values()):
            self.trace.unfollowed.add("a sensitive value")

    def forget(self, changed: Collection[str], altered: Files) -> bool:
        """Let some files have other bytes, by their real paths: what was made of them is made again when it is asked
        for. False where more than their texts may differ: then another project is needed.
        """
        bases = {os.path.basename(name) for name in changed}
        if SETTINGS in bases or not isinstance(self.door, Staged):
            return False
        links, folders = self.trace.looked, {os.path.dirname(name) for name in changed}
        names = {
            name
            for name in (*self.trace.files, *self.sources)
            if ("real", name) in links or (os.path.basename(name) in bases and self._lies_in(name, folders))
            if os.path.realpath(name) in changed
        }
        if not names <= self.sources.keys():
            return False
        self.door.stage(altered)
        self.counters.restart()
        for name in names:
            source = self.sources.pop(name)
            self._programs.pop(name, None)
            if self.trees is not None:
                self.trees.pop(name, None)
            self._parts.pop(source, None)
            self.trace.files.pop(name, None)
            self.meter.feed(-len(source.text))
        self.held = {key: held for key, held in self.held.items() if held.forget(names)}
        return True

    def _lies_in(self, name: str, folders: Container[str]) -> bool:
        """Whether a file that is not a link may be in one of some folders, by their real paths."""
        folder = os.path.dirname(name)
        known = self.trace.looked.get(("real", folder))
        return known is None or known in folders

    def take_over(self, old: Project, changed: Collection[str]) -> None:
        """Use what another project of the same folder read, except files that changed since, by their real paths."""
        bases = {os.path.basename(name) for name in changed}
        kept = {
            name: source
            for name, source in old.sources.items()
            if not ((os.path.basename(name) in bases or os.path.islink(name)) and os.path.realpath(name) in changed)
        }
        same = {*kept.values()}
        self.sources = {**kept, **self.sources}
        self._programs = {**{name: old._programs[name] for name in kept if name in old._programs}, **self._programs}
        self._parts = {source: parts for source, parts in old._parts.items() if source in same}
        self.trace.files = {
            **{name: file for name, file in old.trace.files.items() if name in kept},
            **self.trace.files,
        }
        self.meter.feed(sum(len(source.text) for source in same))

    def shield(self) -> None:
        """Let nothing on the disk depend on a value that is marked as sensitive: a file that holds one counts by its
        stamp, if no question looked at that value; else the answer is not kept."""
        for path, source in self.sources.items():
            if SENSITIVE not in source.text and source not in self.sensitive:
                continue
            file = self.trace.files.pop(path, None)
            if file is not None and file.settled and any(one.avoids_secrets(path) for one in self.held.values()):
                self.trace.stamped[path] = file.stamp
            else:
                self.trace.unfollowed.add("a sensitive value")
        if not self.sensitive <= {*self.sources.values()}:
            self.trace.unfollowed.add("a sensitive value")

    def watching(self) -> Watch:
        """Collects the names of the files that are asked for meanwhile, whether they were read before or not."""
        return Watch(self)

    def read(self, name: str, reading: Callable[[Source], Reading]) -> list[Node]:
        """The documents of a file, read as a front wants them."""
        source, programs = self.programs(name)
        how = reading(source)
        kept = self.trees.get(name) if self.trees is not None else None
        if kept is not None and kept[0] is source and kept[1] == how.meaning:
            return list(kept[2])
        faults = len(how.faults or ())
        with no_garbage_collection():
            trees = for_each(lambda program: build(program, source, how), programs)
        is_plain = not any(program.props for program in programs) and not any(tree.live for tree in trees)
        if self.trees is not None and is_plain and faults == len(how.faults or ()):
            self.trees[name] = (source, how.meaning, list(trees))
        return trees

    def scanned(self, name: str, source: Source, programs: list[Program]) -> None:
        """Take the documents of a text that somebody else has scanned."""
        if name not in self._programs and self.sources.get(name) is source:
            if any(program.secret for program in programs):
                self.sensitive.add(source)
            self._programs[name] = (source, programs)

    def programs(self, name: str) -> tuple[Source, list[Program]]:
        """A file's text and its documents, before any notation has looked at them."""
        if self.watched is not None:
            self.watched.add(name)
        if name not in self._programs:
            source = self.source(name)
            self._programs[name] = (source, self.parsed(source))
        return self._programs[name]

    def each(self, units: Iterable[T], count: int, doing: str) -> Iterator[T]:
        """Units of work, one after the other, with progress messages: `comparing 3 of 20 targets`."""
        verb, _, noun = doing.partition(" ")
        for done, unit in enumerate(units):
            if self.progress is not None:
                self.progress(f"{verb} {done} of {count} {noun}")
            yield unit

    def source(self, name: str, shown: str = "") -> Source:
        """A file's text alone: for one that has to be rendered before it is YAML. `shown` is what reports call it."""
        if self.watched is not None:
            self.watched.add(name)
        source = self.sources.get(name)
        if source is None and self._beside is not None and not self._looks_different(name):
            source = self._beside.sources.get(name)
            self.sources |= {name: source} if source is not None else {}
        if source is None:
            source = self.sources[name] = read_source(name, shown, self.budgets.size, self.door)
            self.meter.feed(len(source.text))
            self.counters.files += 1
            if self.progress is not None:
                of = f" of {self.expected}" if self.expected else ""
                noun = "file" if max(self.counters.files, self.expected) == 1 else "files"
                self.progress(f"reading {self.counters.files}{of} {noun}")
        return source

    def _looks_different(self, name: str) -> bool:
        return isinstance(self.door, Staged) and self.door.is_staged(name)

    def parsed(self, source: Source) -> list[Program]:
        """The documents of a text, from the cache where it has them."""
        cache = self.cache.for_text(source) if self.cache is not None else None
        known = cache.get(source) if cache is not None else None
        return known if known is not None else self._scanned(source, cache)

    def parts(self, source: Source) -> Sequence[Program | Pack]:
        """The same for a front that takes documents apart: see `Outline`."""
        if source.written is not None:  # rendered: no file holds it, and no other run asks for it
            return scan(source, self.budgets.depth)
        if source not in self._parts:
            cache = self.cache.opened() if self.cache is not None else None
            known = cache.parts(source) if cache is not None else None
            self._parts[source] = known if known is not None else self._scanned(source, cache, apart=True)
        return self._parts[source]

    def _scanned(self, source: Source, cache: ParseCache | None, apart: bool = False) -> list[Program]:
        try:
            programs = scan(source, self.budgets.depth)
        except Fault as error:
            raise unquoted(error, source) if isinstance(source, Unquoted) else error from None
        if any(program.secret for program in programs):
            self.sensitive.add(source)
        elif cache is not None:
            cache.put(source, programs, apart)
        return programs

    def writer(self, root: str = "") -> Writer:
        """Writes files below the root of the project, or below another folder that the user named."""
        from plait.yaml.write import Writer

        return Writer(root or self.root, self.writing)

    def repository(self, name: str) -> str | None:
        """The folder of a repository, as files of this project name it."""
        folder = self.settings.repositories.get(name)
        return None if folder is None else os.path.relpath(os.path.join(self.home, folder))

    # What the outside is asked for, through the door

    def admit(self, name: str) -> str:
        """The user names this file or folder on the command line: it may be read, wherever it is."""
        self.door.admit(name)
        return name

    def obeys(self, name: str) -> bool:
        """Whether a file of settings counts that was found above the project, at home, or in the system's own folders.

        A hermetic run obeys none of them. Settings that another user put there are an error, not a choice.
        """
        if self.door.inside(os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))):
            return True
        if self.guard.hermetic:
            return False
        self._check_settings(name)
        self.door.admit(name)
        return True

    def _check_settings(self, name: str) -> None:
        if check_settings(name):
            self.trace.unfollowed.add("settings of another user")

    def check_inside(self, name: str, asker: Node) -> None:
        """A file outside the project needs the capability `files`."""
        self.door.check_inside(name, asker)

    def bytes(self, name: str) -> bytes:
        """What a file holds."""
        return self.door.read(name, self.budgets.size)

    def listing(self, folder: str) -> list[str]:
        """The names in a folder, sorted; none where there is no such folder."""
        return self.door.names(folder) if self.door.is_folder(folder) else []

    def git(self, *words: str, folder: str = "") -> GitAnswer:
        """What git answers in a folder, else in the root of the project. Put `--` before names of files."""
        return self.door.git(*words, folder=folder or self.root)


def notation_problem(name: str) -> tuple[str, str]:
    """Why layers cannot use a notation, and what to do; two empty texts where they can."""
    if name in NOTATIONS:
        return "", ""
    if name in ELSEWHERE:
        return f"layers do not support the notation `{name}`", ELSEWHERE[name]
    return f"unknown notation `{name}`", did_you_mean(name, NOTATIONS) or f"available: {', '.join(NOTATIONS)}"


NONE = "none"
"""The profile that merges as plait does, whatever the names of files say."""


def profile_problem(name: str) -> tuple[str, str]:
    """Why there is no such profile, and what to do; two empty texts where there is."""
    if not name or name == NONE or name in profiles():
        return "", ""
    known = ", ".join([*profiles(), NONE])
    hint = f"profiles of layers: {known}; Atmos's profiles belong to commands about stacks"
    hint = did_you_mean(name, profiles()) or hint
    return f"unknown profile `{name}` for layers", hint


def unquoted(error: PlaitError, source: Source) -> PlaitError:
    """An error about a file outside: where it is, and nothing of what the file holds."""
    labels = [label for found in error.diagnostics for label in found.labels[:1]]
    return UNREADABLE.error(*labels[:1], name=source.name, why="it is not valid YAML")


def check_settings(name: str) -> bool:
    """That settings found above belong to the user, to the system, or are in a folder that the user trusts; whether
    they count because of that trust."""
    owner = foreign_owner(name)
    folder = os.path.dirname(os.path.abspath(name))
    if owner is not None and not is_trusted(folder):
        raise FOREIGN.error(name=name, owner=owner, hint=f"to apply it: plait trust {folder}")
    return owner is not None


class ProjectSettings:
    """What `plait.yaml` says. It can grant nothing."""

    __slots__ = (
        "budgets",
        "keep",
        "kinds",
        "lists",
        "notations",
        "nulls",
        "profile",
        "repositories",
        "review",
        "spiff",
        "targets",
        "yaml",
    )

    def __init__(self) -> None:
        self.notations: tuple[str, ...] = ()
        self.lists: list[PlaceRule] = []
        self.kinds = "replace"
        self.budgets: dict[str, int] = {}
        self.profile = ""
        self.nulls = ""
        self.yaml = ""
        self.repositories: dict[str, str] = {}
        """Folders that includes of documents with directives name, from the root of the project."""
        self.spiff: tuple[str, list[str]] = ("", [])
        """How templates of spiff are read: the dialect, and the features that are on."""
        self.targets: Node | None = None
        self.keep: list[Node] = []
        """Values that `plait tidy` leaves as they are."""
        self.review: Node | None = None
        """As they are written; see `fronts.targets` and `review`."""

    @classmethod
    def read(cls, project: Project) -> ProjectSettings:
        settings = cls()
        name = os.path.join(project.home, SETTINGS)
        shown = os.path.relpath(name)
        name = shown if len(shown) < len(name) else name
        if not project.home or not project.obeys(name):
            return settings
        for document in project.read(name, lambda source: Reading()):
            settings._take(document)
        return settings

    def _take(self, document: Node) -> None:
        if isinstance(document, Scalar) and document.value is None:
            return
        if not isinstance(document, MapNode):
            raise _bad(document, "plait.yaml must be a mapping")
        keys = {
            "notations": self._take_notations,
            "lists": self._take_lists,
            "kinds": self._take_kinds,
            "budgets": self._take_budgets,
            "repositories": self._take_repositories,
            "profile": self._take_profile,
            "nulls": self._take_nulls,
            "yaml": self._take_yaml,
            "targets": self._take_targets,
            "review": self._take_review,
            "keep": self._take_keep,
            "spiff": self._take_spiff,
        }
        diagnostics: list[Diagnostic] = []
        for key, node in document.entries.items():
            try:
                if key not in keys:
                    raise _unknown_setting(document, key, keys)
                keys[str(key)](node)
            except Fault as error:
                diagnostics += error.diagnostics
        if diagnostics:
            raise Fault(*diagnostics)

    def _take_notations(self, node: Node) -> None:
        names = [str(child.value) for _, child in _items(node) if isinstance(child, Scalar)]
        for name in names:
            why, hint = notation_problem(name)
            if why:
                raise BAD_SETTING.error(Label(node.origin), why=why, hint=hint)
        self.notations = tuple(names)

    def _take_lists(self, node: Node) -> None:
        self.lists += list_patterns(node, SETTINGS_FILE)

    def _take_kinds(self, node: Node) -> None:
        if not isinstance(node, Scalar) or node.value not in ("replace", "error"):
            raise _bad(node, "`kinds` is `replace` or `error`")
        self.kinds = str(node.value)

    def _take_profile(self, node: Node) -> None:
        self.profile = node.text if isinstance(node, Scalar) else ""
        why, hint = profile_problem(self.profile)
        if why or not self.profile:
            raise BAD_SETTING.error(Label(node.origin), why=why or "`profile` is the name of one profile", hint=hint)

    def _take_nulls(self, node: Node) -> None:
        self.nulls = _one_of(node, "nulls")

    def _take_yaml(self, node: Node) -> None:
        self.yaml = _one_of(node, "yaml")

    def _take_targets(self, node: Node) -> None:
        self.targets = node

    def _take_spiff(self, node: Node) -> None:
        """`spiff: {dialect: spiff++, features: [control]}`"""
        if not isinstance(node, MapNode) or not set(node.entries) <= {"dialect", "features"}:
            raise _bad(node, "`spiff` has `dialect` and `features`")
        dialect = node.entries.get("dialect")
        if dialect is not None and (not isinstance(dialect, Scalar) or dialect.value not in ("spiff", "spiff++")):
            raise _bad(dialect, "`dialect` is `spiff` or `spiff++`")
        features = node.entries.get("features")
        listed = [] if features is None else [child for _, child in _items(features)]
        for each in listed:
            if not isinstance(each, Scalar) or each.value not in ("control", "interpolation"):
                raise _bad(each, "`features` are `control` and `interpolation`")
        chosen = dialect.text if isinstance(dialect, Scalar) else ""
        self.spiff = (chosen, [each.text for each in listed if isinstance(each, Scalar)])

    def _take_review(self, node: Node) -> None:
        self.review = node

    def _take_keep(self, node: Node) -> None:
        if isinstance(node, MapNode | Scalar):
            raise _bad(node, "`keep` is a list of paths")
        self.keep = [child for _, child in children(node)]

    def _take_repositories(self, node: Node) -> None:
        if not isinstance(node, MapNode) or not all(isinstance(child, Scalar) for child in node.entries.values()):
            raise _bad(node, "`repositories` maps names to folders")
        self.repositories = {
            key_text(key): child.text for key, child in node.entries.items() if isinstance(child, Scalar)
        }

    def _take_budgets(self, node: Node) -> None:
        self.budgets = budgets_of(node)


def budgets_of(node: Node) -> dict[str, int]:
    """The mapping `budgets` of a file of settings."""
    if not isinstance(node, MapNode):
        raise _bad(node, "`budgets` must be a mapping")
    budgets: dict[str, int] = {}
    for key, child in node.entries.items():
        if key not in BUDGETS:
            name = key_text(key)
            hint = did_you_mean(name, BUDGETS) or f"available: {', '.join(BUDGETS)}"
            raise BAD_SETTING.error(Label(child.origin), why=f"unknown budget `{name}`", hint=hint)
        value = child.value if isinstance(child, Scalar) else None
        if not isinstance(value, int) or value is True or value < 1:
            raise _bad(child, f"the budget `{key}` is a whole number above 0")
        budgets[str(key)] = value
    return budgets


def user_settings() -> str:
    """The file of the user's own configuration: `$XDG_CONFIG_HOME/plait/config.yaml`."""
    return os.path.join(config_home(), "plait", "config.yaml")


def configured_budgets() -> dict[str, int]:
    """The budgets of the user's own configuration, which may raise them."""
    name = user_settings()
    if not os.path.isfile(name):
        return {}
    check_settings(name)
    budgets: dict[str, int] = {}
    for document in load(read_source(name), Reading()):
        if not isinstance(document, MapNode):
            raise _bad(document, "config.yaml must be a mapping")
        for key, node in document.entries.items():
            if key != "budgets":
                raise _unknown_setting(document, key, ("budgets",))
            budgets |= budgets_of(node)
    return budgets


def _unknown_setting(document: MapNode, key: Key, keys: Iterable[str]) -> PlaitError:
    name = key_text(key)
    hint = did_you_mean(name, keys) or f"available: {', '.join(keys)}"
    label = Label(document.key_origin(key), length=len(name))
    return BAD_SETTING.error(label, why=f"unknown setting `{name}` in plait.yaml", hint=hint)


def _items(node: Node) -> list[tuple[Key | int, Node]]:
    return list(children(node)) if not isinstance(node, Scalar) else [(0, node)]


def _one_of(node: Node, name: str) -> str:
    """A setting that a profile may have as well."""
    if not isinstance(node, Scalar) or node.text not in PROFILE_SETTINGS[name]:
        raise _bad(node, f"`{name}` is one of {', '.join(PROFILE_SETTINGS[name])}")
    return node.text


def _bad(node: Node, why: str) -> PlaitError:
    return BAD_SETTING.error(Label(node.origin), why=why)


def list_patterns(node: Node, level: int) -> list[PlaceRule]:
    """The list rules of a mapping from patterns to strategies (`jobs: key:name`, or `jobs: {key: name}`)."""
    if not isinstance(node, MapNode):
        raise _bad(node, "`lists` maps patterns to strategies")
    rules = []
    for order, (key, child) in enumerate(node.entries.items()):
        rule = child.text if isinstance(child, Scalar) else _long_form(child)
        rules.append(list_pattern(key_text(key), rule, level, order, Label(child.origin)))
    return rules


def _long_form(node: Node) -> str:
    fields = node.entries.get("key") if isinstance(node, MapNode) else None
    if fields is None:
        raise _bad(node, "a list strategy is a word, or {key: NAME}")
    return "key:" + ",".join(child.text for _, child in _items(fields) if isinstance(child, Scalar))


def list_pattern(pattern: str, rule: str, level: int, order: int, *labels: Label) -> PlaceRule:
    """One list rule."""
    try:
        origin = labels[0].origin if labels else None
        return PlaceRule.at_level(
            level, order, parse_path(pattern, pattern=True), ListRule.parse(rule, STRATEGIES, origin)
        )
    except PathError as trouble:
        raise BAD_RULE.error(*labels, why=f"`{pattern}` is not a path pattern: {trouble.message}") from None
    except ValueError as trouble:
        raise BAD_RULE.error(*labels, why=str(trouble)) from None


def flag_patterns(flags: list[str]) -> list[PlaceRule]:
    """The list rules of `--list PATH=STRATEGY` flags."""
    rules = []
    for order, flag in enumerate(flags):
        pattern, equals, rule = split_assignment(flag)
        label = Label.at(Source(f"--list {flag}", flag, given=True), 0)
        if not equals or not pattern:
            raise BAD_RULE.error(
                label, why=f"`{flag}` is not a list policy", hint="write PATH=STRATEGY, as in jobs=key:name"
            )
        rules.append(list_pattern(pattern, rule, FLAG, order, label))
    return rules


def patterns_of(project: Project, flags: list[str] | None = None, policy_file: str | None = None) -> list[PlaceRule]:
    """The list rules of a run: flags over a policy file over plait.yaml."""
    patterns = list(project.settings.lists)
    if policy_file is not None:
        for document in project.read(project.admit(policy_file), lambda source: Reading()):
            rules = document.entries.get("lists", document) if isinstance(document, MapNode) else document
            patterns += list_patterns(rules, POLICY_FILE)
    return [*patterns, *flag_patterns(flags or [])]


def policy_of(project: Project, flags: list[str] | None = None, policy_file: str | None = None) -> MergePolicy:
    """The policy of a run, where no profile has a say."""
    return MergePolicy(kinds=project.settings.kinds, patterns=patterns_of(project, flags, policy_file))
