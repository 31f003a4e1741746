"""Why a field of a generated file has its value: pattern, template line, input, owner, and the row of the table that
decided.

What is in the file and what the pattern generates are the two parts of an account (`merging.account`); the table of
three-way merges says which of them is above the other. The rest is layout.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.find import step_into
from plait.core.node import Mark, Node, equal
from plait.core.path import Path, format_path
from plait.core.policy import MergePolicy
from plait.core.role import DEFAULT, EDIT, FLAG, PATTERN, Role, Roles
from plait.core.scope import Place
from plait.evaluate.hops import GENERATED, READS, Hop
from plait.evaluate.near_paths import near_paths
from plait.fronts.patterns.create import Creation, Request
from plait.fronts.patterns.flags import CreateFlags, split_scope
from plait.fronts.patterns.history import Trail
from plait.fronts.patterns.owners import owner_of, owners_of
from plait.fronts.patterns.pattern import Library
from plait.fronts.patterns.plan import ResourceChange
from plait.fronts.patterns.record import NAME, Ledger, of_resource
from plait.fronts.patterns.report import short_value
from plait.fronts.patterns.resources import ResourceDocument, TextFile
from plait.fronts.project import Project
from plait.fronts.typed import typed_path
from plait.merging.account import Account, Tracer
from plait.merging.threeway import OWNED, SAME, SET, DecisionRow, value_at
from plait.report.catalog import UNKNOWN_PATH
from plait.report.columns import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.source import Origin

REASONS = {
    1: "it was set by a flag (--set) or an input",
    2: "--preserve keeps it",
    3: "only the pattern writes it",
    4: "the value here and the generated value are the same",
    5: "unchanged since it was generated, so it follows the pattern",
    6: "unchanged since it was generated, and no longer in the pattern",
    7: "it was changed here, and the pattern did not change: the value here is kept",
    8: "it was deleted here, and the pattern did not change: it stays deleted",
    9: "it was changed here and in the pattern: the value here is kept",
    10: "it was deleted here, and the pattern changed: it stays deleted",
    11: "it was changed here, and the pattern no longer has it: the value here is kept",
    13: "it was added here; the pattern does not have it",
    14: "it is new in the pattern, so it was added",
    15: "it was added here and in the pattern: the value here is kept",
    16: "there is no record of an earlier run: the value here is kept",
    17: "it was missing here",
    18: "there is no record of it, and the pattern does not have it: it is kept",
}
"""Each row of the decision table in words."""


class Why:
    """Everything that is known about one field."""

    __slots__ = (
        "account",
        "base",
        "creation",
        "document",
        "existing",
        "fresh",
        "inputs",
        "owner",
        "path",
        "refusal",
        "row",
    )

    def __init__(self, creation: Creation, change: ResourceChange, path: Path) -> None:
        self.creation = creation
        self.document = change.existing or change.fresh
        self.path = path
        self.existing = value_at(change.existing.node, path) if change.existing is not None else None
        self.fresh = value_at(change.fresh.node, path)
        self.base = value_at(change.base, path)
        if self.existing is None and self.fresh is None and self.base is None:
            raise UNKNOWN_PATH.error(path=format_path(path), hint=_near(self.document.node, path))
        self.row = _row(change, path, creation)
        self.inputs = [name for name in creation.pattern.inputs if self._depends_on(name, change)]
        self.owner = self._owner(change)
        refused = of_resource(creation.remembered.refused, change.fresh) or {}
        self.refusal = next((one for at, one in refused.items() if _overlaps(at, path)), None)
        self.account = self._account()

    @property
    def touched(self) -> str:
        """Who last changed the line, where git knows."""
        place = self.existing.origin if self.existing is not None else None
        return Trail(self.creation.folder.project).last_change(place.file, place.line) if place is not None else ""

    def hop(self) -> Hop | None:
        """The line of the pattern that gave the value, with the inputs that it depends on; None for a value that the
        pattern does not give."""
        if self.existing is None or self.fresh is None or not equal(self.existing, self.fresh):
            return None
        pattern, nodes = self.creation.pattern, self.creation.values.nodes
        inputs = [
            Hop(READS, "input", (name,), None, f"{name} = {short_value(nodes[name])} ({self._giver(name)})")
            for name in self.inputs
        ]
        text = f"{pattern.name} {pattern.version}: {self._template()}"
        return Hop(GENERATED, "pattern", (), self.fresh.origin, text, None, inputs)

    def _account(self) -> Account:
        """Both sides as parts: the one that the table takes is above the other."""
        pattern = self.creation.pattern
        sides = [
            (self.existing, Role(EDIT, self.owner)),
            (self.fresh, Role(PATTERN, f"{pattern.name} {pattern.version}")),
        ]
        present = [(node, role) for node, role in sides if node is not None]
        if not present:  # deleted here, and dropped by the pattern
            assert self.base is not None
            present = [(Mark(self.base.source, self.base.at), Role(EDIT, self.owner)), (self.base, Role(PATTERN))]
        nodes = [node for node, _ in (present if self.row.take == "fresh" else reversed(present))]
        return Tracer(lambda node, _: node, Roles(present)).merge(
            nodes, MergePolicy(), nodes[-1], Place(node=nodes[-1])
        )

    def side(self, kind: str) -> Node | None:
        """What is in the file, or what the pattern generates."""
        if self.account.gone:
            return None
        parts = self.account.parts or (self.account,)
        return next((part.node for part in parts if part.role.kind == kind), None)

    def _depends_on(self, name: str, change: ResourceChange) -> bool:
        if name not in self.creation.values.nodes:
            return False
        made = self.creation.trials.other_value(name, self.creation.values)
        then = made.find(change.fresh) if made is not None else None
        if made is None or then is None:
            return made is not None
        before = value_at(then.node, self.path)
        return before is not self.fresh and (before is None or self.fresh is None or not equal(before, self.fresh))

    def _owner(self, change: ResourceChange) -> str:
        named = owner_of(owners_of(self.document.node), self.path)
        if named:
            return named
        if any(
            _overlaps(path, self.path) for path, _ in of_resource(self.creation.remembered.user, change.fresh) or ()
        ):
            return "user (--set)"
        if self.row is OWNED:
            return "the pattern alone"
        return "plait" if self.row.take == "fresh" or self.row is SAME else "another person or tool"

    # As text and as data

    def lines(self) -> list[str]:
        """The answer as people read it."""
        pattern = self.creation.pattern
        rows = [
            ("here", f"{short_value(self.side(EDIT))}", self._place(self.side(EDIT)), self.touched),
            ("generated", f"{short_value(self.side(PATTERN))}", self._place(self.side(PATTERN)), self._template()),
            ("last time", f"{short_value(self.base)}" if self.creation.plan.record.known else "no record", "", ""),
        ]
        lines = [f"{self.document.label}: {format_path(self.path)}", f"  {short_value(self.existing)}", ""]
        lines += columns(rows, gap=2)
        lines += [f"pattern    {pattern.name} {pattern.version}"]
        lines += [
            f"input      {name} = {short_value(self.creation.values.nodes[name])} ({self._giver(name)})"
            for name in self.inputs
        ]
        if self.refusal is not None:
            lines.append(f"refused    {short_value(self.fresh)} ({self.refusal}); --take or --keep decides")
        return [
            *lines,
            f"owner      {self.owner}",
            f"decided    row {self.row.number}: {REASONS.get(self.row.number, '')}",
        ]

    def data(self) -> dict[str, object]:
        """The same for programs, its values as nodes."""
        data: dict[str, object] = {"resource": self.document.label, "path": format_path(self.path)}
        sides = (("existing", self.side(EDIT)), ("generated", self.side(PATTERN)), ("base", self.base))
        data.update((name, node) for name, node in sides if node is not None)
        data["pattern"] = {"name": self.creation.pattern.name, "version": self.creation.pattern.version}
        data["template"] = self._place(self.fresh)
        values = self.creation.values
        data["inputs"] = [
            {"name": name, "value": values.nodes[name], "from": values.givers[name], "role": self.input_role(name).kind}
            for name in self.inputs
        ]
        winner = self.account.winner
        data["winner"] = {"role": winner.role.kind, "name": winner.role.name, "place": self._place(winner.node)}
        data["decision"] = self.account.decision
        data["owner"] = self.owner
        data["lastChange"] = self.touched
        if self.refusal is not None:
            data["refused"] = {"version": self.refusal.version, "day": self.refusal.day, "by": self.refusal.by}
        data["row"] = self.row.number
        data["reason"] = REASONS.get(self.row.number, "")
        return data

    def _place(self, node: Node | None) -> str:
        return str(node.origin) if node is not None else ""

    def _template(self) -> str:
        if self.fresh is None:
            return ""
        return self.fresh.origin.source.line(self.fresh.origin.line).strip()

    def input_role(self, name: str) -> Role:
        """The role of an input: it was given, or it is a default, perhaps for an environment."""
        giver = self.creation.values.givers[name]
        if giver != DEFAULT:
            return Role(FLAG, giver)
        of_environment = self.creation.pattern.inputs[name].by_environment
        environment = self.creation.values.nodes.get(self.creation.pattern.environment)
        return Role(DEFAULT, short_value(environment) if of_environment else "")

    def _giver(self, name: str) -> str:
        role = self.input_role(name)
        if role.kind == DEFAULT:
            return f"default in {role.name}" if role.name else "default"
        return {"remembered": "given in the last run"}.get(role.name, role.name)


def pattern_line(project: Project, path: Path, origin: Origin, file: str) -> Hop | None:
    """What a value of a file was generated by; None for one that no pattern gave."""
    if origin.source.given or origin.source.written is not None or not path:
        return None
    try:
        found = why(project, format_path(path), file, at=origin)
    except Fault:
        return None  # the pattern is not there any more, or gives something else
    return found.hop() if found is not None else None


def why(project: Project, path: str, file: str, folders: Iterable[str] = (), at: Origin | None = None) -> Why | None:
    """Why a field of a file is what it is; None where nothing remembers that the file was generated. Of several
    resources the one with the value `at` a place."""
    folder = os.path.dirname(file)
    record = os.path.join(folder, NAME)
    if not project.door.is_file(record):
        return None
    if at is None:  # the user named the file
        project.admit(file)
        project.admit(record)
    ledger = Ledger(project.source(record))
    scope, field = split_scope(path)
    steps = typed_path(field)
    documents = TextFile(os.path.basename(file), project.source(file)).documents
    owners = {id(document): ledger.owner(document) for document in documents}
    ours = [document for document in documents if owners[id(document)] and _has(document, steps, at)]
    if not ours:
        return None
    chosen = _chosen(ours, scope, steps, path)
    known = ledger.records[owners[id(chosen)]]
    request = Request(Library(project, folders, file).find(known.pattern), CreateFlags(), folder or ".")
    named = known.inputs.get(request.pattern.instance)
    request.given = [(request.pattern.instance, named, "flag")] if named is not None else []
    creation = Creation(project, request)
    return next((Why(creation, change, steps) for change in creation.plan.changes if _is(change, chosen)), None)


def _has(document: ResourceDocument, path: Path, at: Origin | None) -> bool:
    """Whether a document has the value that is at a place."""
    found = value_at(document.node, path) if at is not None else None
    return at is None or (found is not None and found.at == at.at)


def _near(node: Node, path: Path) -> str:
    """What is similar where a path leads no further."""
    for depth, step in enumerate(path):
        child = step_into(node, step)
        if child is None:
            return near_paths(node, path, depth)
        node = child
    return ""


def _is(change: ResourceChange, document: ResourceDocument) -> bool:
    return document.key in (change.fresh.key, change.existing.key if change.existing is not None else ())


def _chosen(documents: list[ResourceDocument], scope: str, path: Path, asked: str) -> ResourceDocument:
    """The one resource that a path is about."""
    meant = [document for document in documents if not scope or document.called(scope)]
    found = [document for document in meant if value_at(document.node, path) is not None] or (meant if scope else [])
    if len(found) == 1:
        return found[0]
    labels = ", ".join(f"`{document.label}:{format_path(path)}`" for document in found or documents)
    hint = f"choose one: {labels}" if found else f"the file has: {', '.join(document.label for document in documents)}"
    raise UNKNOWN_PATH.error(path=asked, hint=hint)


def _row(change: ResourceChange, path: Path, creation: Creation) -> DecisionRow:
    """The row that decided: that of the line about the field, or of what it is in."""
    rows = [line.entry.row for line in change.lines if _overlaps(line.entry.path, path)]
    if rows:
        return rows[0]
    asked = of_resource(creation.remembered.user, change.fresh) or ()
    if any(_overlaps(path, at) for at, _ in asked):
        return SET
    owned = [wish for wish in creation.plan.instructions.owned if wish == path[: len(wish)]]
    return OWNED if owned else SAME


def _overlaps(a: Path, b: Path) -> bool:
    short = min(len(a), len(b))
    return a[:short] == b[:short]
