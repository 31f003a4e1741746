"""The proof of a migration: the results of plait for each target, compared with those of the old tool.

Each target is equal, equal up to normalisations that are named and counted, or different. The normalisations: the
order of keys, the text of a number (`1.0` and `1`), and sections that are empty on one side and absent on the other.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from itertools import islice

from plait.access.workers import forked
from plait.core.diagnostic import Fault, Label, NotKnown, masked, spellings, without
from plait.core.node import ListNode, MapNode, Node, Scalar, Unknown, hidden, plain_value, rewrite, secrets_in, text
from plait.core.path import Path, format_path
from plait.core.scope import CommandFailed
from plait.core.source import DATA_ENDINGS, Source
from plait.core.struct import struct
from plait.core.unknown import mistakes_in, overriding, presented
from plait.core.walk import pairs_of
from plait.evaluate.explain import explain
from plait.evaluate.nowhere import NotThere
from plait.fronts.front import DocumentId, NamedWord, label
from plait.merging.diff import ValueDifference, compare
from plait.report.catalog import COMMAND_FAILED, NOT_AN_OUTPUT, ODD_NAME
from plait.report.near import nearest
from plait.review.classes import UNKNOWN, classify, list_above
from plait.review.messages import messages
from plait.yaml.build import Reading
from plait.yaml.emit import emit_json
from plait.yaml.load import load
from plait.yaml.readers import READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from plait.evaluate.explain import Leaf
    from plait.fronts.front import Target
    from plait.fronts.project import Project
    from plait.review.compared import ComparedTargets

    Documents = dict[DocumentId, Node]
    Outputs = Mapping[str, Documents | str]
    """The documents of each target, or why there are none."""

PARTLY = "equal as far as it is known"
UNCOMPARED = "not compared"
EQUAL, NORMALISED, DIFFERENT, MISSING, FAILED = (
    "equal",
    "equal up to normalisation",
    "different",
    "no saved output",
    "error",
)
ACCOUNTS = 200
"""Of a target with more differences than this, ours is not explained value by value."""
ALL_VALUES, USER_VALUES = "COMPUTED VALUES:", "USER-SUPPLIED VALUES:"
"""The first lines that `helm get values` prints."""
PART = "it may be part of what is not known here"
KEY_ORDER, NUMBER_TEXT, EMPTY = "key order", "number text", "empty section"


class VerifyRow:
    """One value that differs: the other tool's, plait's with its account, and the class of the difference."""

    __slots__ = ("account", "difference", "document", "label", "ours", "place", "theirs")

    def __init__(self, document: DocumentId, label: str, place: Path, theirs: Node | None, ours: Node | None) -> None:
        self.document = document
        self.label = label
        """What the document is called in the report."""
        self.place = place
        self.theirs = theirs
        self.ours = ours
        self.account: list[str] = []
        """Where our value comes from, one line for each place."""
        self.difference = UNKNOWN

    @property
    def path(self) -> str:
        return format_path((self.label, *self.place) if self.label else self.place)


class Proof:
    """The findings for one target."""

    __slots__ = ("digest", "errors", "name", "normalised", "rows", "status", "unknown")

    def __init__(self, name: str, status: str, digest: str = "") -> None:
        self.name = name
        self.status = status
        self.digest = digest
        """Of plait's result, as JSON with sorted keys."""
        self.rows: list[VerifyRow] = []
        self.normalised: dict[str, int] = {}
        self.errors: tuple[str, ...] = ()
        self.unknown: list[NotCompared] = []
        """The values of ours that are not known, so that they were not compared."""


@struct
class NotCompared:
    """A value of ours that is not known: its path, what would give it, and why it is not known."""

    path: str
    expression: str
    why: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.path, f"is not compared: {self.why}")))


@struct
class Verification:
    """The findings for all targets, and the data needed to repeat the comparison."""

    verdicts: list[Proof]
    inputs: dict[str, str]
    """The digests of the files that were read, by name."""
    outputs: dict[str, str]
    """The digests of the saved outputs, by name."""

    @property
    def equal(self) -> bool:
        return all(verdict.status in (EQUAL, NORMALISED) for verdict in self.verdicts)

    @property
    def unsure(self) -> bool:
        """Whether nothing is known to differ, but something was not compared."""
        return not self.equal and all(
            verdict.status in (EQUAL, NORMALISED, PARTLY, UNCOMPARED) for verdict in self.verdicts
        )

    @property
    def unknown(self) -> list[NotCompared]:
        return [one for verdict in self.verdicts for one in verdict.unknown]

    def count(self, status: str) -> int:
        return sum(verdict.status == status for verdict in self.verdicts)

    def data(self, version: str, options: dict[str, object], reveal: bool = False) -> dict[str, object]:
        """The report as data, to be kept with the migration and compared later."""
        return {
            "version": 1,
            "plait": version,
            "options": options,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "equal": self.equal,
            "targets": [
                {
                    "name": verdict.name,
                    "status": verdict.status,
                    "digest": verdict.digest,
                    "normalised": verdict.normalised,
                    "errors": list(verdict.errors),
                    "unknown": [
                        {"path": one.path, "expression": one.expression, "reason": one.why} for one in verdict.unknown
                    ],
                    "differences": [
                        {
                            "path": row.path,
                            "theirs": plain_value(row.theirs, reveal) if row.theirs is not None else None,
                            "ours": plain_value(row.ours, reveal) if row.ours is not None else None,
                            "account": row.account,
                            "class": row.difference.kind,
                            "why": row.difference.text,
                            "see": row.difference.see,
                        }
                        for row in verdict.rows
                    ],
                }
                for verdict in self.verdicts
            ],
        }


class Saved:
    """The outputs of the old tool: one file for one target or for all stacks, or a folder with a file for each
    target."""

    def __init__(self, project: Project, place: str) -> None:
        self.project = project
        self.place = project.admit(place)
        self.digests: dict[str, str] = {}

    def documents(self, targets: dict[str, Target]) -> dict[str, Documents]:
        """By target, and for each by document."""
        if self.project.door.is_folder(self.place):
            return self._folder(targets)
        nodes = self._read(self.place, *(targets.values() if len(targets) == 1 else ()))
        if len(targets) != 1 and not all(target.shares_output for target in targets.values()):
            raise NOT_AN_OUTPUT.error(
                name=self.place, why=f"one file cannot be the output of {len(targets)} targets",
                hint="name the target with --target, or save each output as FOLDER/TARGET.yaml",
            )  # fmt: skip
        return _taken(targets, nodes)

    def _folder(self, targets: dict[str, Target]) -> dict[str, Documents]:
        files = {
            os.path.splitext(name)[0]: name
            for name in self.project.door.below(self.place)
            if name.endswith(DATA_ENDINGS)
        }
        unknown = sorted(set(files) - set(targets))
        if unknown and not set(files) & set(targets):
            near = nearest(unknown[0], targets)
            raise NOT_AN_OUTPUT.error(
                name=os.path.join(self.place, files[unknown[0]]),
                why=f"unknown target `{unknown[0]}`",
                hint=f"did you mean `{near[0]}`?" if near else f"the targets are: {', '.join([*targets][:10])}",
            )
        saved: dict[str, Documents] = {}
        for name, target in targets.items():
            if name in files:
                saved |= _taken({name: target}, self._read(os.path.join(self.place, files[name]), target))
        return saved

    def _read(self, name: str, target: Target | None = None) -> list[Node]:
        source = self.project.source(name)
        self.digests[name] = hashlib.sha256(source.text.encode()).hexdigest()
        return documents_of(source, self.project.budgets.depth, target)


def documents_of(source: Source, depth: int, target: Target | None = None) -> list[Node]:
    """The documents of an output, read as the tool of its target reads them: `n` may be a word, or mean no. The line
    that `helm get values` puts before them is not one of them."""
    head, _, rest = source.text.partition("\n")
    if head.strip() == USER_VALUES:
        hint = "save all of them: helm get values --all RELEASE"
        raise NOT_AN_OUTPUT.error(name=source.name, why="it contains only user-supplied values", hint=hint)
    if head.strip() == ALL_VALUES:
        source = Source(source.name, "\n" + rest)
    reader = target.reader if target is not None and target.reader is not None else READERS["1.2"]
    nodes = load(source, Reading(reader.schema, keys=reader.keys), depth=depth)
    if not nodes or (len(nodes) == 1 and isinstance(nodes[0], Scalar)):
        blank = all(isinstance(node, Scalar) and node.value is None for node in nodes)
        why = "it is empty" if blank else "it contains a string, not a mapping"
        labels = [Label(node.origin) for node in nodes]
        raise NOT_AN_OUTPUT.error(*labels, name=source.name, why=why, hint="save what the other tool prints")
    return nodes


def _taken(targets: dict[str, Target], nodes: list[Node]) -> dict[str, Documents]:
    """What the documents of an output are to some targets; without those that it has nothing about."""
    found = {name: target.in_output(nodes) for name, target in targets.items()}
    return {name: documents for name, documents in found.items() if documents is not None}


def verify(compared: ComparedTargets, saved: Outputs, names: list[str], digests: dict[str, str]) -> Verification:
    """Compare these targets with their saved outputs."""
    project = compared.project
    worker = _Worker(compared, saved)
    answers = zip(names, forked(worker.proof, names, project.jobs, project.guard), strict=True)
    verdicts = [
        _proof(compared, name, saved.get(name)) if done is None else _equal(project, name, *done)
        for name, done in project.each(answers, len(names), "comparing targets")
    ]
    inputs = {
        os.path.relpath(name): hashlib.sha256(source.text.encode()).hexdigest()
        for name, source in sorted(project.sources.items())
        if name not in digests
    }
    return Verification(verdicts, inputs, digests)


class _Worker:
    """Finds the targets that are equal, for another process."""

    def __init__(self, compared: ComparedTargets, saved: Outputs) -> None:
        self.compared = compared
        self.saved = saved
        self.project = compared.project
        self._read = len(self.project.sources)
        """How many of the files that were read the other process knows."""

    def proof(self, name: str) -> tuple[str, str, dict[str, int], list[str]] | None:
        """A target that is equal, with the files that were read for it first; None for any other."""
        verdict = _proof(self.compared, name, self.saved.get(name))
        if verdict.status not in (EQUAL, NORMALISED):
            return None
        sources = self.project.sources
        fresh = list(islice(reversed(sources), len(sources) - self._read))
        self._read = len(sources)
        return verdict.status, verdict.digest, verdict.normalised, fresh


def _equal(project: Project, name: str, status: str, digest: str, normalised: dict[str, int], read: list[str]) -> Proof:
    """The findings of a worker."""
    for file in read:
        project.source(file)  # the report names every file that counted
    verdict = Proof(name, status, digest)
    verdict.normalised = normalised
    return verdict


def _proof(compared: ComparedTargets, name: str, theirs: Documents | str | None) -> Proof:
    target = compared.targets[name]
    result = compared.result(name)
    wrong: list[str] = [line for lines in result.errors.values() for line in lines]
    wrong += [line for node in result.documents.values() for line in _mistakes(node, result.tree)]
    if wrong:
        verdict = Proof(name, FAILED)
        verdict.errors = tuple(dict.fromkeys(wrong))
        return verdict
    digest = hashlib.sha256(_canonical(target, result.documents)).hexdigest()
    if theirs is None:
        return Proof(name, MISSING, digest)
    if isinstance(theirs, str):
        verdict = Proof(name, UNCOMPARED, digest)
        verdict.errors = (theirs,)
        return verdict
    verdict = Proof(name, EQUAL, digest)
    for document, (why, _) in result.unknown.items():
        verdict.unknown.append(NotCompared(label(document, target) or "everything", "", why))
    parts = {document: node for document, node in result.documents.items() if isinstance(node, Unknown)}
    verdict.unknown += [NotCompared(label(one, target), node.expression, node.why) for one, node in parts.items()]
    for document in dict.fromkeys([*theirs, *result.documents]):
        if document in result.unknown or document in parts:
            continue
        if parts and document not in result.documents:
            verdict.unknown.append(NotCompared(label(document, target), "", PART))
            continue
        row = VerifyRow(document, label(document, target), (), theirs.get(document), result.documents.get(document))
        _compare(verdict, row)
    if verdict.rows:
        verdict.status = DIFFERENT
        _explain(verdict, compared, theirs, result.documents)
    elif verdict.unknown:
        verdict.status = PARTLY
    elif verdict.normalised:
        verdict.status = NORMALISED
    return verdict


def _mistakes(node: Node, tree: str) -> tuple[str, ...]:
    """What is wrong with the values of a document that could not be computed because of mistakes in the files."""
    found = mistakes_in(node)
    return messages(Fault(*found), tree) if found else ()


def _explain(verdict: Proof, compared: ComparedTargets, theirs: Documents, ours: Documents) -> None:
    """For each value that differs, find where ours comes from and the likely reason for the difference."""
    lists = dict.fromkeys(list_above(row.place) for row in verdict.rows if list_above(row.place) != row.place)
    options = list(compared.trials(verdict.name, lists))
    target = compared.targets[verdict.name]
    for row in verdict.rows:
        row.difference = classify(row.document, row.place, theirs, ours, target.front, options)
        if row.ours is not None and len(verdict.rows) <= ACCOUNTS:
            row.account = _account(target, row)


def _account(target: Target, row: VerifyRow) -> list[str]:
    """Where a value comes from and what it overrides, one line for each place; for a large value, the first few
    places."""
    assert row.ours is not None
    try:
        return [_line(leaf) for leaf in explain(target.tree(row.document), row.place).leaves[:LEAVES]]
    except (Fault, NotThere):  # made by the front itself
        return [] if row.ours.origin.source.given else [str(row.ours.origin)]


def _line(leaf: Leaf) -> str:
    lost = [f"{overriding(reason)} {contribution.node.origin}: {reason}" for contribution, reason in leaf.losers]
    removed = [f"{one.was.node.origin} {one.why}" for one in leaf.removed]
    return "; ".join([str(leaf.winner.node.origin), *lost, *removed])


LEAVES = 3


def _canonical(target: Target, documents: Documents) -> bytes:
    shown = {label(document, target): presented(node) for document, node in documents.items()}
    texts = {name: emit_json(node, sort_keys=True) for name, node in shown.items()}
    return "".join(f"{name}\n{text}" for name, text in sorted(texts.items())).encode()


def _compare(verdict: Proof, whole: VerifyRow) -> None:
    """Add what differs between the two sides of a document."""
    theirs, ours = whole.theirs, whole.ours
    if theirs is None or ours is None:
        if _is_empty(theirs) and _is_empty(ours):
            _add(verdict, EMPTY)
        else:
            verdict.rows.append(whole)
        return
    for difference in _known(verdict, whole, compare(theirs, ours)):
        normalisation = _normalisation(difference)
        if normalisation:
            _add(verdict, normalisation)
        else:
            sides = _alike(difference.before, difference.after)
            verdict.rows.append(VerifyRow(whole.document, whole.label, difference.path, *sides))
    for _ in _reordered(theirs, ours):
        _add(verdict, KEY_ORDER)


def _known(verdict: Proof, whole: VerifyRow, found: Iterable[ValueDifference]) -> Iterator[ValueDifference]:
    """The differences of values that are known; the others are noted. Of one that is partly known, what is merged over
    it is compared: whatever else theirs has there may come from the rest."""
    for difference in found:
        ours = difference.after
        if not isinstance(ours, Unknown):
            yield difference
            continue
        path = format_path((whole.label, *difference.path) if whole.label else difference.path)
        verdict.unknown.append(NotCompared(path, ours.expression, ours.why))
        if ours.known is not None and difference.before is not None:
            for inner in _known(verdict, whole, compare(difference.before, ours.known)):
                if inner.before is not None and inner.after is not None:
                    yield ValueDifference(inner.kind, (*difference.path, *inner.path), inner.before, inner.after)


def _alike(*sides: Node | None) -> list[Node | None]:
    """Both sides of a difference; where one of them is a secret, so is the other: it is the same secret elsewhere."""
    secret = any(side is not None and secrets_in(side) for side in sides)
    return [hidden(side) if secret and side is not None else side for side in sides]


def _add(verdict: Proof, normalisation: str) -> None:
    verdict.normalised[normalisation] = verdict.normalised.get(normalisation, 0) + 1


def _normalisation(difference: ValueDifference) -> str:
    """Why a difference does not count; empty where it does."""
    before, after = difference.before, difference.after
    if (before is None or after is None) and _is_empty(before) and _is_empty(after):
        return EMPTY
    if isinstance(before, Scalar) and isinstance(after, Scalar):
        a, b = before.value, after.value
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (a, b))
        return NUMBER_TEXT if numbers and a == b else ""
    return ""


def _is_empty(node: Node | None) -> bool:
    if isinstance(node, MapNode):
        return not node.entries
    return not node.items if isinstance(node, ListNode) else node is None


def _reordered(theirs: Node, ours: Node) -> Iterator[Path]:
    """The mappings whose keys are in another order."""
    for path, a, b in pairs_of(theirs, ours):
        if isinstance(a, MapNode) and isinstance(b, MapNode):
            common = [key for key in a.entries if key in b.entries]
            if common != [key for key in b.entries if key in a.entries]:
                yield path


def earlier(project: Project, name: str) -> dict[str, object]:
    """A report that was kept."""
    try:
        found = json.loads(project.source(project.admit(name)).text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("version") != 1 or "targets" not in found:
        hint = "keep one with: plait verify ... --format json > report.json"
        raise NOT_AN_OUTPUT.error(name=name, why="it is not a report of plait verify", hint=hint)
    return found


def changes_since(old: dict[str, object], new: dict[str, object]) -> list[str]:
    """The differences from an earlier report, one line each."""
    lines = [
        f"{key}: {_shown(old.get(key))} -> {_shown(new[key])}"
        for key in ("plait", "options")
        if old.get(key) != new[key]
    ]
    for key in ("inputs", "outputs"):
        before, after = dict(old.get(key) or {}), dict(new[key] or {})  # type: ignore[call-overload]
        for name in sorted({*before, *after}):
            if before.get(name) != after.get(name):
                what = "new" if name not in before else "gone" if name not in after else "changed"
                lines.append(f"{key[:-1]} {name}: {what}")
    rows = [_by_name(side) for side in (old, new)]
    for name in sorted({*rows[0], *rows[1]}):
        sides = [row.get(name, {}) for row in rows]
        if sides[0].get("status") != sides[1].get("status"):
            lines.append(f"target {name}: {sides[0].get('status', 'new')} -> {sides[1].get('status', 'gone')}")
        elif sides[0].get("digest") != sides[1].get("digest"):
            lines.append(f"target {name}: its result changed")
    return lines


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _by_name(report: dict[str, object]) -> dict[str, dict[str, object]]:
    targets = report.get("targets")
    return {str(row["name"]): row for row in targets} if isinstance(targets, list) else {}


def outputs_of(project: Project, line: str, targets: dict[str, Target]) -> tuple[dict[str, Documents], dict[str, str]]:
    """The output of the old tool for these targets: it runs once where it prints all of them in one output, else once
    for each. Needs the capability `exec`."""
    if targets and all(target.shares_output for target in targets.values()):
        printed = _printed(project, line, shlex.split(line))
        nodes = documents_of(Source("the output", printed), project.budgets.depth)
        return _taken(targets, nodes), {"stacks": hashlib.sha256(printed.encode()).hexdigest()}
    outputs: dict[str, Documents] = {}
    digests: dict[str, str] = {}
    for name, target in targets.items():
        if target.shares_output:
            continue
        printed = _printed(project, line, _filled(line, target))
        source = Source(f"the output for {target.name}", printed)
        digests[name] = hashlib.sha256(printed.encode()).hexdigest()
        outputs |= _taken({name: target}, documents_of(source, project.budgets.depth, target))
    return outputs, digests


def outputs_of_tools(project: Project, targets: dict[str, Target]) -> tuple[dict[str, Documents | str], dict[str, str]]:
    """What the tool of each target prints for it, or why that is not known."""
    outputs: dict[str, Documents | str] = {}
    digests: dict[str, str] = {}
    for name, target in targets.items():
        commands = target.commands()
        command = next((words for words in commands if project.door.has_program(words[0])), None)
        if command is None:
            programs = " or ".join(f"`{words[0]}`" for words in commands)
            outputs[name] = f"{programs} is not on this machine" if commands else "no command prints it from its files"
            continue
        words = [_checked(word, target, isinstance(word, NamedWord) and word.startswith("-")) for word in command]
        permit = project.door.permit("env", _asker(shlex.join(words)))
        variables = permit.variables(for_program=True)
        try:
            printed = _printed(project, shlex.join(words), words, variables)
        except NotKnown:
            raise
        except Fault as error:
            said = without(error.diagnostics[0].notes[-1], _named_values(project, target, variables))
            outputs[name] = f"`{words[0]}` failed: {said}"
            continue
        digests[name] = hashlib.sha256(printed.encode()).hexdigest()
        named = _named_values(project, target, variables) if permit.conceals else set()
        try:
            nodes = documents_of(Source(f"the output for {name}", printed), project.budgets.depth, target)
        except Fault as error:
            raise masked(error, named) from None
        outputs |= _taken({name: target}, [_without_values(node, named) for node in nodes])
    return outputs, digests


def _named_values(project: Project, target: Target, variables: dict[str, str]) -> set[str]:
    """The values of variables that the files of a target name: a tool fills them in."""
    texts = [project.source(name).text for name in target.made_of() if project.door.is_file(name)]
    named = {name for name in variables if any(name in one for one in texts)}
    return {form for name in named for form in spellings(variables[name]) if len(form) > SHORT}


SHORT = 3
"""Texts of so many letters are in others by chance."""


def _without_values(node: Node, values: set[str]) -> Node:
    """An output in which texts with some values are masked."""

    def leaf(one: Node) -> Node:
        return hidden(one) if isinstance(one, Scalar) and any(value in one.text for value in values) else one

    return rewrite(node, leaf) if values else node


def _asker(line: str) -> Scalar:
    return text(line, Source("--command", line, given=True))


def _printed(project: Project, line: str, command: list[str], variables: dict[str, str] | None = None) -> str:
    try:
        return project.door.run(command, project.budgets.seconds, _asker(line), environment=variables)
    except CommandFailed as failed:
        raise COMMAND_FAILED.error(why=failed.why, notes=(" ".join(command), failed.stderr)) from None


def _filled(line: str, target: Target) -> list[str]:
    """The words of a command, with a target's files and its name in place of `{layers}`, `{name}` and the like."""
    names = target.files
    files = {
        "{layers}": names,
        "{files}": names,
        "{template}": names[:1],
        "{stubs}": names[1:],
        "{document}": names[:1],
        "{name}": [target.name],
    }
    words: list[str] = []
    for word in shlex.split(line):
        if word in files:
            words += (_checked(value, target, value.startswith("-")) for value in files[word])
            continue
        for placeholder, values in files.items():
            if placeholder in word:
                inside = " ".join(_checked(value, target, shlex.quote(value) != value) for value in values)
                word = word.replace(placeholder, inside)
        words.append(word)
    return words


def _checked(value: str, target: Target, bad: bool) -> str:
    """A name of the repository's choice, as a word of a command or as a part of one, which a shell may read."""
    if bad or "\0" in value:
        labels = [Label(origin) for origin in (target.declaration.origin,) if origin is not None]
        raise ODD_NAME.error(*labels, name=value, hint="rename it, or leave the target out: --target")
    return value
