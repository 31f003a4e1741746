"""plait as a library: a merged document that behaves like a mapping of plain values, computed when they are looked at.

    document = plait.merge(["base.yaml", "prod.yaml"])
    document["vars"]["net"]["cidr"]
    document.explain("vars.net.cidr").leaves[0].winner.node.origin

Nothing is shared between documents. A document may be used from several threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from plait.core.diagnostic import Diagnostic
from plait.core.plain import from_plain
from plait.library.answers import blame, diff, edit, lint
from plait.library.data import Data, data_of
from plait.library.merging import Document, ListDocument, merge
from plait.library.repository import DeployedTarget, ResultChange, TargetFolder, TidyProposal, open
from plait.workspace import Workspace

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from plait.fronts.questions import Merged3

__all__ = [
    "Created",
    "DeployedTarget",
    "Document",
    "ListDocument",
    "Regenerated",
    "ReportLine",
    "ResultChange",
    "Stacks",
    "TargetFolder",
    "TidyProposal",
    "blame",
    "create",
    "diff",
    "edit",
    "lint",
    "merge",
    "merge3",
    "open",
    "regenerate",
    "stacks",
]


# Stacks


class Stacks:
    """The stack manifests of a repository, read when they are needed.

    repository = plait.stacks("infra")
    repository.stacks()                                      the names of all stacks
    repository.component("vpc", stack="plat-ue1-prod")["vars"]["cidr"]
    """

    def __init__(self, workspace: Workspace, folder: str, options: dict[str, object]) -> None:
        self._workspace = workspace
        self._stacks = workspace.stacks(folder, None, options)

    def stacks(self) -> list[str]:
        """The names of all stacks, sorted. No function is called for it."""
        return self._stacks.names()

    def component(self, name: str, *, stack: str) -> Document:
        """A component: a lazy document of its sections, which can be explained."""
        return Document(self._workspace, self._stacks.tree(name, stack))

    def describe(self, format: str = "yaml") -> Iterator[str]:
        """Every stack with its components, merged and evaluated: pieces of text, computed while they are taken.

        What had to be left out is in `problems` afterwards.
        """
        return iter(self._stacks.describe_stacks(self._stacks.filter(), self._stacks.shape(format)))

    def locals(self, component: str = "", *, stack: str) -> dict[str, Data]:
        """The locals of a stack's manifest, or those that a component's texts can read: scopes, values, files and
        lines."""
        return cast("dict[str, Data]", self._stacks.locals_data(component, stack))

    def imports(self, file: str) -> list[dict[str, Data]]:
        """The import list of a manifest as it is written, each entry with its options; no file of it is looked for."""
        return cast("list[dict[str, Data]]", self._stacks.written_imports(file))

    def problems(self) -> list[Diagnostic]:
        """What is wrong with manifests that could not be read; questions about other stacks are answered all the
        same."""
        return self._stacks.problems()

    @property
    def counters(self) -> dict[str, int]:
        return self._workspace.counters.as_dict()


def stacks(
    folder: str = ".",
    *,
    templates: bool = True,
    functions: bool = True,
    skip: Iterable[str] = (),
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    budgets: dict[str, int] | None = None,
    cache: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Stacks:
    """The stacks of a folder that has an atmos.yaml.

    `jobs` is how many processes `describe` computes with, 0 for one per free core. With an `executor` of
    `concurrent.futures`, its workers compute, wherever they are.
    """
    elsewhere = None
    if executor is not None:
        from plait.distributed.engines import Engine
        from plait.distributed.remote import RemoteWorkers

        elsewhere = RemoteWorkers(Engine(executor))
    workspace = Workspace(folder, allow=allow, deny=deny, budgets=budgets, cache=cache, jobs=jobs, elsewhere=elsewhere)
    return Stacks(workspace, folder, {"templates": templates, "functions": functions, "skip": list(skip)})


# Generating again


class Options:
    """The flags of a regeneration, by name; what is left out is as it is on the command line."""

    def __init__(self, **given: object) -> None:
        for name, value in given.items():
            setattr(self, name, list(value) if isinstance(value, tuple) else value)


class ReportLine(dict[str, Data]):
    """One line of a report: `path`, `kind`, `old`, `new` and `who`, also as attributes; what is absent is None."""

    @property
    def resource(self) -> Data:
        return self.get("resource")

    @property
    def path(self) -> Data:
        return self.get("path")

    @property
    def kind(self) -> Data:
        return self.get("kind")

    @property
    def old(self) -> Data:
        return self.get("old")

    @property
    def new(self) -> Data:
        return self.get("new")

    @property
    def who(self) -> Data:
        return self.get("who")


def _report(entries: list[dict[str, Data]]) -> list[ReportLine]:
    """The entries of a report as they are for programs: what is there as `old`, what is generated as `new`."""
    return [
        ReportLine({"old": entry.get("existing"), "new": entry.get("generated"), "who": None, **entry})
        for entry in entries
    ]


class Regenerated:
    """What became of a text: `text`, the `report` for programs and its `lines` for people, and how many `conflicts`
    there are."""

    def __init__(self, text: str, entries: list[dict[str, Data]], lines: list[str], conflicts: int) -> None:
        self.text = text
        self.entries = entries
        self.lines = lines
        self.conflicts = conflicts

    @property
    def report(self) -> list[ReportLine]:
        return _report(self.entries)

    def __repr__(self) -> str:
        return f"<plait regenerated: entries {len(self.entries)}, conflicts {self.conflicts}>"


class Created(dict[str, Data]):
    """What `plait create --format json` prints; `report` has its entries as `plait.regenerate` gives them."""

    @property
    def report(self) -> list[ReportLine]:
        return _report(cast("list[dict[str, Data]]", self["report"]))


def _plain(data: object) -> Data:
    return data_of(from_plain(data))


def _set_flags(sets: Iterable[str], values: Mapping[str, object] | None) -> tuple[str, ...]:
    """`--set` as the command line takes it."""
    return (*sets, *(f"{path}={json.dumps(value)}" for path, value in (values or {}).items()))


def regenerate(
    existing: str,
    fresh: str,
    base: str | None = None,
    *,
    set: Mapping[str, object] | None = None,
    sets: Iterable[str] = (),
    take: Iterable[str] = (),
    keep: Iterable[str] = (),
    accept: Iterable[str] = (),
    preserve: Iterable[str] = (),
    lists: Iterable[str] = (),
    owned: Iterable[str] = (),
    overwrite: bool = False,
    prune: bool = False,
    strict: bool = False,
    yes: bool = False,
    absent: str = "add",
    record: str = "",
) -> Regenerated:
    """`existing` brought up to date with `fresh`, keeping what others changed since `base` (None: not known).

    All three are YAML texts, as a tool generates them and people edit them. `set` gives paths their values; `take`,
    `keep` and `accept` decide lines of the report, which the file `record` keeps; `strict` raises if both sides changed
    a field, and `yes` answers what the command would ask.
    """
    options = Options(
        set=_set_flags(sets, set), take=tuple(take), keep=tuple(keep), accept=tuple(accept), preserve=tuple(preserve),
        list=tuple(lists), overwrite=overwrite, prune=prune, strict=strict, yes=yes, absent=absent, record=record,
    )  # fmt: skip
    merged = Workspace().patterns.regenerate_text(existing, fresh, base, options, owned)
    merged.check_strict()
    if record:
        merged.write()
    entries = cast("list[dict[str, Data]]", _plain(merged.data()["report"]))
    return Regenerated(merged.text, entries, merged.lines(), len(merged.plan.conflicts))


def merge3(base: str, ours: str, theirs: str) -> Merged3:
    """Three versions of a YAML text as one: `.text`, with markers around what both sides changed, and `.conflicts`.

    Each conflict has its `path`, and what is there as `base`, `ours` and `theirs`.
    """
    from plait.fronts.questions import merge_texts

    return merge_texts(base, ours, theirs)


def create(
    pattern: str,
    inputs: Mapping[str, object] | None = None,
    output: str = ".",
    *,
    patterns: Iterable[str] = (),
    set: Mapping[str, object] | None = None,
    sets: Iterable[str] = (),
    take: Iterable[str] = (),
    keep: Iterable[str] = (),
    accept: Iterable[str] = (),
    preserve: Iterable[str] = (),
    overwrite: bool = False,
    prune: bool = False,
    strict: bool = False,
    yes: bool = False,
    dry_run: bool = False,
    absent: str = "add",
    tracker: str = "",
    record: str = "",
) -> Created:
    """Run a pattern. Gives what `plait create --format json` prints, with the `report` for programs.

    `set` gives inputs or paths their values; `take`, `keep` and `accept` decide lines of the report. `strict` raises,
    and writes nothing, if both sides changed a field; `yes` answers what the command would ask. `record` is the file
    of the record, if it is not the one beside the files.
    """
    generator = Workspace().patterns
    options = Options(
        set=_set_flags(sets, set), take=tuple(take), keep=tuple(keep), accept=tuple(accept), preserve=tuple(preserve),
        overwrite=overwrite, prune=prune, strict=strict, yes=yes, absent=absent, tracker=tracker,
        record=record,
    )  # fmt: skip
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in (inputs or {}).items()}
    planned = generator.create(generator.pattern(pattern, patterns), options, texts, output)
    planned.check_strict()
    if not dry_run:
        planned.confirm(yes)
        planned.write()
    return Created(cast("dict[str, Data]", _plain(planned.data())))
