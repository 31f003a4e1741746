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
    "DeployedTarget",
    "Document",
    "ListDocument",
    "Regenerated",
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


class Regenerated:
    """What became of a text: `text`, and the report, as `entries` for programs and `lines` for people."""

    def __init__(self, text: str, entries: list[dict[str, Data]], lines: list[str], conflicts: int) -> None:
        self.text = text
        self.entries = entries
        self.lines = lines
        self.conflicts = conflicts

    def __repr__(self) -> str:
        return f"<plait regenerated: entries {len(self.entries)}, conflicts {self.conflicts}>"


def _plain(data: object) -> Data:
    return data_of(from_plain(data))


def regenerate(
    existing: str,
    fresh: str,
    base: str | None = None,
    *,
    sets: Iterable[str] = (),
    preserve: Iterable[str] = (),
    lists: Iterable[str] = (),
    owned: Iterable[str] = (),
    overwrite: bool = False,
    prune: bool = False,
    absent: str = "add",
) -> Regenerated:
    """`existing` brought up to date with `fresh`, keeping what others changed since `base` (None: not known).

    All three are YAML texts, as a tool generates them and people edit them.
    """
    options = Options(
        set=tuple(sets), preserve=tuple(preserve), list=tuple(lists), overwrite=overwrite, prune=prune, absent=absent
    )
    merged = Workspace().patterns.regenerate_text(existing, fresh, base, options, owned)
    entries = cast("list[dict[str, Data]]", _plain(merged.entries()))
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
    sets: Iterable[str] = (),
    preserve: Iterable[str] = (),
    accept: Iterable[str] = (),
    overwrite: bool = False,
    prune: bool = False,
    strict: bool = False,
    dry_run: bool = False,
    absent: str = "add",
    tracker: str = "",
) -> dict[str, Data]:
    """Run a pattern. Gives what `plait create --format json` prints; under `strict`, nothing is written if both sides
    changed a field."""
    generator = Workspace().patterns
    options = Options(
        set=tuple(sets),
        preserve=tuple(preserve),
        accept=tuple(accept),
        overwrite=overwrite,
        prune=prune,
        strict=strict,
        absent=absent,
        tracker=tracker,
    )
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in (inputs or {}).items()}
    planned = generator.create(generator.pattern(pattern, patterns), options, texts, output)
    if not dry_run and planned.status == 0:
        planned.write()
    return cast("dict[str, Data]", _plain(planned.data()))
