"""The folder that a question is asked in: its root, its `plait.yaml`, what may be done there, and each file read
once."""

from __future__ import annotations

import os

from plait.access.door import Door, Staged
from plait.access.environment import config_home
from plait.access.guard import Guard
from plait.access.owners import foreign_owner
from plait.access.trace import LISTING, STAMP, TEXT, VARIABLE, AccessTrace
from plait.access.unquoted import Unquoted
from plait.core.diagnostic import Fault, PlaitError, for_each, remade
from plait.core.meter import BUDGETS, Budgets, Clock, Meter
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text
from plait.core.policy import MergePolicy, PlaceRule
from plait.core.source import SENSITIVE, Source
from plait.evaluate.limits import Counters
from plait.fronts.setting import bad, unknown_key
from plait.fronts.settings import (
    POLICY_FILE,
    SETTINGS,
    UNSET,
    ProjectSettings,
    budgets_of,
    flag_patterns,
    list_patterns,
)
from plait.fronts.trust import is_trusted
from plait.report.catalog import FOREIGN, UNREADABLE
from plait.yaml.build import Reading, build
from plait.yaml.files import read_source
from plait.yaml.program import Program
from plait.yaml.scan import no_garbage_collection, scan, scan_once
from plait.yaml.write_choices import WriteChoices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from plait.access.git import GitAnswer
    from plait.access.trace import Input
    from plait.access.workers import Elsewhere
    from plait.keeping.notes import RunNotes
    from plait.memory.once import Once
    from plait.memory.queries import Queries, RecordedReads, RememberedAnswer
    from plait.yaml.cache import ParseCache
    from plait.yaml.outline import Pack
    from plait.yaml.remember import Remember
    from plait.yaml.writer import Writer

    Files = Mapping[str, bytes | str | None]
    T = TypeVar("T")


PLACED = ("real", "repository", "settings")
"""What is asked about places that a project itself depends on: where links lead, and what is above it."""
PRESENCE = ("file", "exists")
"""What is asked about a name that differs where an unsaved file comes or goes."""


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
        writing: WriteChoices | None = None,
        beside: Project | None = None,
        altered: Files | None = None,
        clock: Clock | None = None,
        apart: bool = False,
    ) -> None:
        """`altered` has files, by their real paths, that are to look different here or, with None, not to be there;
        `beside` is a project that has read some of the others; `clock` is that of the same question elsewhere.
        `apart`: the folder is a tree of its own, whatever is above it."""
        self.progress = progress
        self.writing = writing
        self.jobs = 1
        """How many processes may compute at the same time."""
        self.elsewhere: Elsewhere | None = None
        """Other machines that compute for this one."""
        self.notes: RunNotes | None = None
        """What this run takes from the last one and leaves for the next one; None where its answer is not kept."""
        self.remembers = False
        """Whether questions are asked after something changed, too."""
        self.expected = 0
        """How many files a front is about to read, where it knows."""
        self.trace = AccessTrace()
        if beside is not None:
            self.trace.share(beside.trace)
        self._queries: Queries | None = None
        self._answered: dict[Hashable, Any] = {}
        self.folder, self.home, repository = self.trace.surroundings(folder)
        """The folder itself and that of plait.yaml; the latter is empty where there is none."""
        if apart:
            self.home, repository = self.home if self.home == self.folder else "", ""
        if self.home and self.home != self.folder:
            self._check_settings(os.path.join(self.home, SETTINGS))
        is_own = repository and foreign_owner(os.path.join(repository, ".git")) is None
        self.root = repository if is_own else self.home or self.folder
        """The git root of the folder, unless it belongs to another user; else the folder of the settings; else the
        folder itself."""
        self.counters = Counters()
        self.guard = guard or Guard()
        paths = beside.door.paths if beside is not None else None
        self.door: Door = (
            Door([self.root], self.guard) if altered is None else Staged([self.root], self.guard, altered, paths)
        )
        self.door.trace = self.trace
        self.cache = cache
        self._beside = beside
        self._programs: dict[str, tuple[Source, list[Program]]] = {}
        self._refused: dict[str, tuple[Source, PlaitError]] = {}
        """The files that are not YAML, with what is wrong: they are read once, too."""
        self.trees: dict[str, tuple[Source, object, list[Node]]] | None = None
        """The documents of files in which nothing is computed, with how they were read: where many questions are asked
        about the same texts. None where they are not kept."""
        self.sources: dict[str, Source] = {}
        """Every file that was read, by its path."""
        self.sensitive: set[Source] = set()
        """The texts in which a value is marked as sensitive."""
        self._parts: dict[Source, Sequence[Program | Pack]] = beside._parts if beside is not None else {}
        self.budgets = Budgets(**(budgets or {}))
        self.meter = Meter(self.budgets, clock)
        self.settings = self.settings_in(self.home)
        if self.settings.budgets:
            self.meter.lower(self.settings.budgets)
            self.budgets = self.meter.budgets

    def settings_in(self, home: str) -> ProjectSettings:
        """What the plait.yaml of a folder says; nothing where there is none."""
        name = os.path.join(home, SETTINGS)
        shown = os.path.relpath(name)
        name = shown if len(shown) < len(name) else name
        documents = self.read(name, lambda source: Reading()) if home and self.obeys(name) else ()
        return ProjectSettings.read(documents, self.door, home) if documents else UNSET

    def in_tree(
        self, folder: str, altered: Files | None = None, beside: Project | None = None, apart: bool = False
    ) -> Project:
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
            apart=apart,
        )

    def depend_on(self, other: Project, is_copied: bool) -> None:
        """Let the answer depend on what a question in another tree read. Files that look different there count as they
        are now; what is read in a copy cannot be checked later."""
        if is_copied:
            self.trace.unfollow("another tree")
        self.trace.add(other.trace)
        if any(SENSITIVE in source.text for source in other.sources.values()):
            self.trace.unfollowed.add("a sensitive value")

    def forget(self, changed: Collection[str], moved: Collection[str], differing: set[Input], altered: Files) -> bool:
        """Some files have other bytes, by their real paths, and those in `moved` came or went; `differing` is what else
        has another answer now. What was made of that is made again when it is asked for. False where the project
        itself was made of it: then another one is needed.
        """
        itself = any(asked is None or asked[0] in PLACED for asked in differing)
        if itself or any(os.path.basename(name) == SETTINGS for name in changed) or not isinstance(self.door, Staged):
            return False
        names = self._leading_to(changed, (*self.trace.files, *self.trace.stamped, *self.sources))
        inputs = {*differing, *((TEXT, name) for name in names), *((STAMP, name) for name in names)}
        if moved:
            inputs |= self._places_of(moved)
        self.door.stage(altered)
        self.counters.restart()
        for name in names & self.sources.keys():
            source = self.sources.pop(name)
            self._programs.pop(name, None)
            self._refused.pop(name, None)
            if self.trees is not None:
                self.trees.pop(name, None)
            self._parts.pop(source, None)
            self.meter.feed(-len(source.text))
        self.trace.drop(inputs)
        self.queries.changed(inputs)
        self.remembers = True
        return True

    def _leading_to(self, places: Collection[str], names: Iterable[str]) -> set[str]:
        """Those of some names that lead to one of some files, by their real paths."""
        bases, folders = {os.path.basename(place) for place in places}, {os.path.dirname(place) for place in places}
        links = self.trace.looked
        return {
            name
            for name in names
            if ("real", name) in links or (os.path.basename(name) in bases and self._lies_in(name, folders))
            if os.path.realpath(name) in places
        }

    def _places_of(self, moved: Collection[str]) -> set[Input]:
        """What was asked about files that came or went, by their real paths, and about the folders that they are in."""
        asked = [one for one in self.trace.looked if one[0] in PRESENCE]
        names = self._leading_to(moved, (name for _, name in asked))
        names |= {name for _, name in asked if os.path.islink(name) and os.path.realpath(name) in moved}
        folders = {os.path.dirname(name) for name in moved}
        listings = ((LISTING, folder) for folder in self.trace.folders if os.path.realpath(folder) in folders)
        return {*(one for one in asked if one[1] in names), *listings}

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
            if name not in self.sources
        }
        self.sources.update(kept)  # in place: who decides about trust looks there
        self._programs.update((name, old._programs[name]) for name in kept if name in old._programs)
        self._parts.update((source, old._parts[source]) for source in kept.values() if source in old._parts)
        self.trace.files.update((name, old.trace.files[name]) for name in kept if name in old.trace.files)
        self.meter.feed(sum(len(source.text) for source in {*kept.values()}))

    def shield(self) -> None:
        """Let nothing on the disk depend on a value that is marked as sensitive: an answer for which a file was read
        that holds one is not cached."""
        if self.sensitive or any(SENSITIVE in source.text for source in self.sources.values()):
            self.trace.unfollowed.add("a sensitive value")

    @property
    def queries(self) -> Queries:
        """What is known as long as nothing changes that it depends on."""
        from plait.memory.queries import Queries  # one question needs no memory

        if self._queries is None:
            self._queries = Queries(self.trace)
        return self._queries

    def part(self) -> Once | Queries:
        """Where a front keeps what it may need again: for this question, or as long as nothing changes that it read."""
        from plait.memory.once import Once  # most fronts have nothing to keep

        return self.queries.part() if self.remembers else Once()

    def recording(self) -> RecordedReads:
        """Collects what is asked for meanwhile, whether it was read before or not."""
        from plait.memory.queries import RecordedReads

        return RecordedReads(self.trace)

    def answer(self, question: Hashable, work: Callable[[], object]) -> RememberedAnswer:
        """What some work gives, or gave before, where nothing has changed that it read."""
        self._look_at_variables()
        return self.queries.ask(question, work)

    def about_text(self, question: Hashable, name: str, work: Callable[[], T]) -> T:
        """The answer to a question about the text of one file: the one of the project beside, where that has this
        text."""
        beside = self._like_beside(name)
        known = beside.queries.last(question) if beside is not None else None
        found: T = (known or self.queries.ask(question, work)).answer
        return found

    def _like_beside(self, name: str) -> Project | None:
        """The project beside where it has the same text of a file: what it knows of that text counts here."""
        beside = self._beside
        if beside is None or beside.sources.get(name) is not (source := self.source(name)):
            return None
        if source in beside.sensitive:
            self.sensitive.add(source)
        return beside

    def recall(
        self, question: Hashable, work: Callable[[], T], holds: Callable[[T], bool], kinds: Collection[str]
    ) -> T:
        """The same where it may be the only question: see `Queries.ask`."""
        if self.remembers:
            self._look_at_variables()
            return self.queries.recall(question, work, holds, kinds)
        if question not in self._answered or not holds(self._answered[question]):
            self._answered[question] = work()
        found: T = self._answered[question]
        return found

    def _look_at_variables(self) -> None:
        """Nobody says that a variable has another value."""
        variables = [(VARIABLE, name) for name in self.trace.changed_variables()]
        if variables:
            self.trace.drop(variables)
            self.queries.changed(variables)

    def read(self, name: str, reading: Callable[[Source], Reading], once: bool = False) -> list[Node]:
        """The documents of a file, read as a front wants them. Of one that is read once, only the text is kept."""
        source, programs = self.programs(name, once)
        how = reading(source)
        kept = self.trees.get(name) if self.trees is not None else None
        if kept is not None and kept[0] is source and kept[1] == how.meaning:
            return list(kept[2])
        faults = len(how.faults or ())
        with no_garbage_collection():
            trees = for_each(lambda program: build(program, source, how, self.trees is not None), programs)
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

    def refused(self, name: str, source: Source, error: PlaitError) -> None:
        """Somebody else has found that a text is not YAML."""
        if self.sources.get(name) is source:
            self._refused[name] = (source, error)

    def programs(self, name: str, once: bool = False) -> tuple[Source, list[Program]]:
        """A file's text and its documents, before any notation has looked at them."""
        if self.trace.reads is not None:
            self.trace.note(TEXT, name)
        known = self._programs.get(name)
        if known is None:
            source = self.source(name)
            beside = self._scanned_beside(name, source)
            known = (source, beside if beside is not None else self._found_in(name, source, once))
            if not once:
                self._programs[name] = known
        return known

    def _scanned_beside(self, name: str, source: Source) -> list[Program] | None:
        """The documents of a text that the project beside has scanned; None where it has not."""
        beside = self._like_beside(name)
        known = beside._programs.get(name) if beside is not None else None
        return known[1] if known is not None and known[0] is source else None

    def programs_of(self, source: Source) -> list[Program]:
        """The documents of a text, which may be that of a file that was read before."""
        known = next((programs for one, programs in self._programs.values() if one is source), None)
        return known if known is not None else self.parsed(source)

    def _found_in(self, name: str, source: Source, once: bool) -> list[Program]:
        known = self._refused.get(name)
        if known is not None and known[0] is source:
            raise remade(known[1], known[1].diagnostics)
        try:
            return self._scanned(source, None, scan_once) if once else self.parsed(source)
        except PlaitError as error:
            self._refused[name] = (source, error)
            raise

    def each(self, units: Iterable[T], count: int, doing: str) -> Iterator[T]:
        """Units of work, one after the other, with progress messages: `comparing 3 of 20 targets`."""
        verb, _, noun = doing.partition(" ")
        for done, unit in enumerate(units):
            if self.progress is not None:
                self.progress(f"{verb} {done} of {count} {noun}")
            yield unit

    def source(self, name: str, shown: str = "") -> Source:
        """A file's text alone: for one that has to be rendered before it is YAML. `shown` is what reports call it."""
        if self.trace.reads is not None:
            self.trace.note(TEXT, name)
        source = self.sources.get(name)
        if source is None and self._beside is not None and not self._looks_different(name):
            source = self._beside.sources.get(name)
            if source is not None:
                self.sources[name] = source
                self.meter.feed(len(source.text))
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

    def in_parts(self, source: Source) -> Sequence[Program | Pack]:
        """The same for a front that takes documents apart: see `Outline`."""
        if source.written is not None:  # rendered: no file holds it, and no other run asks for it
            return scan(source, self.budgets.depth)
        if source not in self._parts:
            cache = self.cache.opened() if self.cache is not None else None
            known = self._beside._parts.get(source) if self._beside is not None else None
            known = cache.in_parts(source) if known is None and cache is not None else known
            self._parts[source] = known if known is not None else self._scanned(source, cache, apart=True)
        return self._parts[source]

    def scanned_before(self, name: str, text: str) -> list[Program] | None:
        """The documents of a file, where it had this text when a front took it apart; None where that is not known."""
        source = self.sources.get(name)
        found = self._parts.get(source) if source is not None and source.text == text else None
        programs = [one for one in found or () if isinstance(one, Program)]
        return programs if found is not None and len(programs) == len(found) else None

    def _scanned(
        self,
        source: Source,
        cache: ParseCache | None,
        how: Callable[[Source, int], list[Program]] = scan,
        apart: bool = False,
    ) -> list[Program]:
        try:
            programs = how(source, self.budgets.depth)
        except Fault as error:
            raise unquoted(error, source) if isinstance(source, Unquoted) else error from None
        if any(program.secret for program in programs):
            self.sensitive.add(source)
        elif cache is not None:
            cache.put(source, programs, apart)
        return programs

    def writer(self, root: str = "") -> Writer:
        """Writes files below the root of the project, or below another folder that the user named."""
        from plait.yaml.writer import Writer

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

    def present(self, name: str) -> str:
        """The same for one that has to exist."""
        if not self.door.exists(self.admit(name)):
            raise self.door.missing(name)
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


def user_settings() -> str:
    """The file of the user's own configuration: `$XDG_CONFIG_HOME/plait/config.yaml`."""
    return os.path.join(config_home(), "plait", "config.yaml")


def configured() -> tuple[dict[str, int], list[str]]:
    """The budgets of the user's own configuration, which may raise them, and the capabilities that it allows."""
    name = user_settings()
    if not os.path.isfile(name):
        return {}, []
    check_settings(name)
    budgets: dict[str, int] = {}
    allowed: list[str] = []
    from plait.yaml.load import load  # few users have such a file

    for document in load(read_source(name), Reading()):
        if not isinstance(document, MapNode):
            raise bad(document, "config.yaml must be a mapping")
        for key, node in document.entries.items():
            if key == "budgets":
                budgets |= budgets_of(node)
            elif key == "allow" and isinstance(node, ListNode):
                allowed += [item.text for item in node.items if isinstance(item, Scalar)]
            elif key == "allow":
                raise bad(node, "`allow` in config.yaml must be a list, as in `allow: [env]`")
            else:
                known = ("budgets", "allow")
                raise unknown_key(document, key, known, f"unknown setting `{key_text(key)}` in config.yaml")
    return budgets, allowed


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
