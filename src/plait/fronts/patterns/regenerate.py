"""A run that is planned and not written yet; and regenerating files that any tool makes."""

from __future__ import annotations

import os

from plait.core.node import secrets_in
from plait.core.source import MASK
from plait.fronts.patterns.comments import merge_comments
from plait.fronts.patterns.disk import Folder, yaml_files
from plait.fronts.patterns.flags import CreateFlags, instructions_of
from plait.fronts.patterns.history import Trail, generated_by_commit
from plait.fronts.patterns.plan import LOST, Plan, PlanLine
from plait.fronts.patterns.record import Record
from plait.fronts.patterns.report import counts, loss_lines, plan_data, report_lines, summary
from plait.fronts.patterns.resources import TextFile
from plait.fronts.patterns.texts import planned_texts
from plait.fronts.project import Project
from plait.merging.threeway import KEPT
from plait.report.lines import difference
from plait.yaml.load import shown_text

OK, CONFLICT = 0, 3
"""How a run ends that finds nothing wrong."""


class Planned:
    """A run that is planned and not written yet. `folder` is where it writes to."""

    plan: Plan
    flags: CreateFlags
    folder: Folder
    version = ""

    @property
    def lost(self) -> list[PlanLine]:
        """The edits that `--overwrite` discards, deletions among them."""
        return [line for line in self.plan.lines if line.kind in LOST]

    def losses(self) -> list[str]:
        """The same as lines of text."""
        self._name_authors(Trail(self.folder.project))
        return loss_lines(self.plan)

    @property
    def status(self) -> int:
        """3 for conflicts under `--strict`, and under `--check` for any file that would change."""
        stopped = (self.flags.strict and self.plan.conflicts) or (self.flags.check and planned_texts(self.plan))
        return CONFLICT if stopped else OK

    @property
    def end_status(self) -> int:
        """How the run ends once all is written that can be: 3 where something has to be written by hand."""
        return self.status or (CONFLICT if any(change.is_left for change in self.plan.changes) else OK)

    @property
    def _state(self) -> str:
        """The status in a word, for programs."""
        if self.flags.strict and self.plan.conflicts:
            return "conflict"
        if self.status == OK and self.end_status != OK:
            return "incomplete"
        return "success" if self.status == OK else "not up to date"

    @property
    def refusal(self) -> str:
        """Why nothing was written, where `status` is not 0."""
        if self.flags.strict and self.plan.conflicts:
            count = len(self.plan.conflicts)
            return f"{count} conflict{'' if count == 1 else 's'}; nothing was written (--strict)"
        return f"not up to date: {', '.join(planned_texts(self.plan))}; nothing was written (--check)"

    def texts(self) -> dict[str, str | None]:
        """Every file that changes."""
        return planned_texts(self.plan)

    def write(self) -> list[str]:
        """Write all of it, or nothing; the names of the files that changed."""
        return self.folder.write(self.texts())

    def report(self, blame: bool = False) -> str:
        """The report for people."""
        trail = Trail(self.folder.project)
        self._name_authors(trail)
        told = (lambda line: self._blame(line, trail)) if blame else None
        lines = report_lines(self.plan, self.version, told, self.flags.full)
        lines += ["", *self.notes] if lines and self.notes else self.notes
        return "".join(f"{line}\n" for line in ([*lines, ""] if lines else []))

    @property
    def notes(self) -> list[str]:
        """What there is to say about the run itself."""
        return []

    @property
    def summary(self) -> str:
        return summary(self.plan)

    @property
    def counts(self) -> str:
        """The last line of the report: conflicts, kept and replaced edits; nothing where there are none."""
        return counts(self.plan)

    def data(self) -> dict[str, object]:
        """The same for programs."""
        self._name_authors(Trail(self.folder.project))
        data = plan_data(self.plan, self._state)
        return {**data, "notes": self.notes} if self.notes else data

    def difference(self, reveal: bool = False) -> str:
        """What would change, as a difference of texts; the record is left out, and secrets are masked."""
        before = {text.name: text.source.text for text in self.folder.texts}
        secrets = set() if reveal else self._secrets()
        out: list[str] = []
        for name, after in planned_texts(self.plan).items():
            old, new = (_shown(name, text, secrets) for text in (before.get(name, ""), after or ""))
            names = (f"a/{name}" if name in before else "/dev/null", f"b/{name}" if after is not None else "/dev/null")
            out.append(difference(old, new, *names))
        return "".join(out)

    def _secrets(self) -> set[str]:
        """The texts of secrets, on whichever side one is marked."""
        found = (change.resource.fresh.node for change in self.plan.changes)
        here = (change.existing.node for change in self.plan.changes if change.existing is not None)
        return {secret.text for node in (*found, *here) for secret in secrets_in(node) if secret.text}

    def _name_authors(self, trail: Trail) -> None:
        """Say of each edit that is replaced who made it, where git knows."""
        for line in self.plan.lines:
            node = line.entry.existing if line.replaces and not line.who else None
            if node is not None:
                line.who = trail.author(self.folder.where(line.document.text.name), node.origin.line)

    def _blame(self, line: PlanLine, trail: Trail) -> str:
        """Who last changed what was kept."""
        node = line.entry.existing
        if node is None or line.kind not in KEPT:
            return ""
        author = trail.last_change(self.folder.where(line.document.text.name), node.origin.line)
        return f"   {author}" if author else ""


def _shown(name: str, text: str, secrets: set[str]) -> str:
    """A text with masks for what is marked in it, and for what is a secret on another side."""
    text = shown_text(name, text) if secrets else text
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


class Regeneration(Planned):
    """Files that another tool generates: what it made last (`base`), what it makes now (`fresh`), what is there."""

    def __init__(self, project: Project, target: str, fresh: str, base: str, flags: CreateFlags) -> None:
        self.flags = flags
        for name in filter(None, (target, fresh, base)):
            project.admit(name)
        whole = project.door.is_folder(fresh)
        names = yaml_files(project, fresh) if whole else [os.path.basename(target)]
        folder = target if whole else os.path.dirname(target)
        self.folder = Folder(project, folder, names, only=None if whole else names)
        record = Record.of_texts(_texts(project, base, names)) if base else Record()
        if flags.tracker == "git" and not base:
            record = generated_by_commit(self.folder, "", names)
        instructions = instructions_of(flags)
        instructions.glance = project.meter.glance
        self.plan = Plan(self.folder.texts, _texts(project, fresh, names), record, instructions)
        merge_comments(self.plan)


def _texts(project: Project, path: str, names: list[str]) -> list[TextFile]:
    """The texts of a folder, or of one file under the name of the file it stands for."""
    if project.door.is_folder(path):
        return [TextFile(name, project.source(os.path.join(path, name))) for name in yaml_files(project, path)]
    return [TextFile(names[0], project.source(path))]
