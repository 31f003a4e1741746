"""A run that is planned and not written yet; and regenerating files that any tool makes."""

from __future__ import annotations

import os

from plait.core.node import Node, secrets_in
from plait.core.path import Path
from plait.core.source import MASK, Source
from plait.fronts.patterns.comments import merge_comments
from plait.fronts.patterns.decisions import accepted_of, pins_note, refused_of
from plait.fronts.patterns.disk import Folder, today, user_name, yaml_files
from plait.fronts.patterns.flags import CreateFlags, instructions_of, pinned
from plait.fronts.patterns.history import Trail, generated_by_commit
from plait.fronts.patterns.plan import LOST, Plan, PlanLine
from plait.fronts.patterns.record import Ledger, Record, Refusal
from plait.fronts.patterns.report import counts, loss_lines, plan_data, plural, report_lines, summary
from plait.fronts.patterns.resources import BOM, TextFile, is_text
from plait.fronts.patterns.texts import planned_texts
from plait.fronts.project import Project
from plait.merging.threeway import KEPT
from plait.report.catalog import CONFLICTS, IMPLAUSIBLE, NOT_CONFIRMED
from plait.report.lines import difference
from plait.yaml.load import shown_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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

    def check_strict(self) -> None:
        """Raise where `--strict` stops the run."""
        if self.flags.strict and self.plan.conflicts:
            count = plural(len(self.plan.conflicts), "conflict")
            names = tuple(line.name for line in self.plan.conflicts)
            raise CONFLICTS.error(count=count, notes=names, hint="decide them with take or keep, or leave out strict")

    def check_plausible(self) -> None:
        """Raise where what is generated lacks so much that it is probably wrong, unless the user said yes."""
        why = self.plan.implausible() if self.plan.record.known and not self.flags.yes else ""
        if why:
            hint = "nothing was written; look at what the generator gives, or add --yes"
            raise IMPLAUSIBLE.error(why=why, hint=hint)

    def confirm(self, yes: bool) -> None:
        """Raise where edits would be lost that nobody agreed to."""
        if self.flags.overwrite and self.lost and not yes:
            count, losses = plural(len(self.lost), "change"), tuple(self.losses())
            raise NOT_CONFIRMED.error(count=count, notes=losses, hint="add --yes, or leave out --overwrite")

    def texts(self) -> dict[str, str | None]:
        """Every file that changes."""
        return planned_texts(self.plan)

    def refused(self, before: Record) -> dict[str, dict[Path, Refusal]]:
        """What this run, or an earlier one, wanted and did not get."""
        project, folder = self.folder.project, self.folder.path

        def refusal(base: Node | None) -> Refusal:
            return Refusal(base, self.version, today(project), user_name(project, folder))

        return refused_of(self.plan, before, refusal)

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
        self.folder = Folder(project, folder, names, only=None if whole else names, record=flags.record)
        record = Record.of_texts(_texts(project, base, names)) if base else Record()
        if flags.tracker == "git" and not base:
            record = generated_by_commit(self.folder, "", names)
        self.decided = Decided(project, flags, self.folder)
        self.decided.add_to(record)
        instructions = instructions_of(flags, pins=self.decided.pins)
        instructions.glance = project.meter.glance
        self.plan = Plan(self.folder.texts, _texts(project, fresh, names), record, instructions)
        self.check_plausible()
        merge_comments(self.plan)

    @property
    def notes(self) -> list[str]:
        return [pins_note(self.decided.pins)] if self.decided.pins else []

    def texts(self) -> dict[str, str | None]:
        """Every file that changes, with the file of the decisions."""
        return {**planned_texts(self.plan), **self.decided.texts(self.plan, self.refused(self.decided.record))}


TEXT, TEXT_FILE = "the text", "the text.yaml"
"""What all sides of a merge in memory are called, so that they are the same file: without an ending, one of lines."""


class RegeneratedText(Planned):
    """A text that was generated again, in memory: what is there, what is generated now, and what was generated last."""

    def __init__(
        self, project: Project, sides: tuple[str, str, str | None], flags: CreateFlags, owned: Iterable[str]
    ) -> None:
        self.flags = flags
        self.folder = Folder(project, os.path.dirname(flags.record), only=(), record=flags.record)
        existing, fresh, base = (side if side is None else side.removeprefix(BOM) for side in sides)
        assert existing is not None
        assert fresh is not None
        self.before, self.mark = existing, BOM if (sides[0] or "").startswith(BOM) else ""
        written = [Source(TEXT, side) for side in (existing, fresh, base) if side and side.strip()]
        self.name = TEXT if written and all(is_text(TEXT, source) for source in written) else TEXT_FILE
        record = Record.of_texts([self._file("base", base)]) if base is not None else Record()
        self.decided = Decided(project, flags, self.folder)
        self.decided.add_to(record)
        instructions = instructions_of(flags, owned=owned, pins=self.decided.pins)
        self.plan = Plan([self._file("existing", existing)], [self._file("fresh", fresh)], record, instructions)
        self.check_plausible()
        merge_comments(self.plan)

    def _file(self, side: str, text: str) -> TextFile:
        return TextFile(self.name, Source(f"the {side} text", text))

    @property
    def text(self) -> str:
        """What becomes of the text."""
        return self.mark + (planned_texts(self.plan).get(self.name, self.before) or "")

    def texts(self) -> dict[str, str | None]:
        """The file of the decisions, where there is one."""
        return self.decided.texts(self.plan, self.refused(self.decided.record))

    def lines(self) -> list[str]:
        return report_lines(self.plan)


class Decided:
    """The decisions about files of another generator, in the file that `--record` names."""

    def __init__(self, project: Project, flags: CreateFlags, folder: Folder) -> None:
        self.flags = flags
        self.name, self.ledger = "", Ledger()
        if flags.record:
            project.admit(flags.record)
            self.name, self.ledger = folder.record, folder.ledger
        self.record = self.ledger.records.get(INSTANCE) or Record()
        self.pins = pinned(flags, self.record.pins)

    def add_to(self, record: Record) -> None:
        """Let a run know of them."""
        record.accepted, record.taken = self.record.accepted, self.record.taken
        record.refused = self.record.refused if record.known else {}

    def texts(self, plan: Plan, refused: dict[str, dict[Path, Refusal]]) -> dict[str, str | None]:
        """The file, with the decisions of a run."""
        if not self.name:
            return {}
        record = Record(pattern=INSTANCE)
        record.accepted, record.refused = accepted_of(plan), refused
        record.pins, record.taken = self.pins, sorted(set(self.flags.take)) or self.record.taken
        return {self.name: self.ledger.text({INSTANCE: record})}


INSTANCE = "regenerate"
"""What the file of decisions calls the files of another generator."""


def _texts(project: Project, path: str, names: list[str]) -> list[TextFile]:
    """The texts of a folder, or of one file under the name of the file it stands for."""
    if project.door.is_folder(path):
        return [TextFile(name, project.source(os.path.join(path, name))) for name in yaml_files(project, path)]
    return [TextFile(names[0], project.source(path))]
