"""`plait init`: write down in plait.yaml which targets were found, or check that it has all of them."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Command, Option
from plait.apps.cli.console import FAILED, OK, Console, can_answer
from plait.apps.cli.line_diff import differing_lines, painted
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.targets import NOTHING
from plait.core.visible import counted, one_line, visible
from plait.fronts.catalog import proposal as proposed
from plait.report.columns import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.fronts.proposal import TargetProposal
    from plait.workspace import Workspace


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    proposal = proposed(workspace.world())
    writes = bool(proposal.entries) and args.write and not args.check
    if args.format == "json":
        if writes:
            _write(proposal, workspace)
        return _as_data(proposal, writes, args, console)
    if args.check:
        return _checked(proposal, console)
    for one in proposal.questions:
        console.say(one_line(f"not a target: {' '.join(one.files)}: {one.why}"))
    if not proposal.entries:
        console.say(_nothing(proposal))
        return OK
    _show(proposal, console)
    if not writes and not _agreed(proposal, console):
        console.say("nothing was written: plait init --write writes it")
        return OK
    _write(proposal, workspace)
    console.say(f"{proposal.file}: {counted(len(proposal.missing), 'target')}")
    return _proved(args, console) if "exec" in args.allow else OK


def _nothing(proposal: TargetProposal) -> str:
    if not proposal.count:
        return "every stack is a target already, and nothing else was found" if proposal.has_stacks else NOTHING
    return f"{proposal.file} has every target that is found: {counted(proposal.count, 'target')}"


def _show(proposal: TargetProposal, console: Console) -> None:
    """The whole file, or what is added to it."""
    before, after = proposal.texts()
    difference = painted(differing_lines(proposal.file, before, after), console.paint(console.out))
    console.print(difference if proposal.exists else visible(after))
    console.flush()


def _write(proposal: TargetProposal, workspace: Workspace) -> None:
    before, after = proposal.texts()
    if proposal.exists:
        workspace.replace(proposal.file, before.encode(), after.encode())
    else:
        workspace.write({proposal.file: after.encode()})


def _checked(proposal: TargetProposal, console: Console) -> int:
    """Whether plait.yaml has every target that is found."""
    rows = proposal.rows()
    console.print_all([f"{line}\n" for line in columns((name, kind, " ".join(files)) for name, kind, files in rows)])
    if rows:
        console.say(f"{counted(len(rows), 'target')} not in {proposal.file}: plait init --write adds what is missing")
    return FAILED if rows else OK


def _as_data(proposal: TargetProposal, written: bool, args: Namespace, console: Console) -> int:
    from plait.report.data import json_text

    rows = [{"name": name, "kind": kind, "files": files} for name, kind, files in proposal.rows()]
    text = proposal.texts()[1] if proposal.entries and not written else ""
    console.print(json_text({"file": proposal.file, "written": written, "missing": rows, "text": text}))
    return FAILED if rows and args.check else OK


def _agreed(proposal: TargetProposal, console: Console) -> bool:
    """What a person at a terminal says."""
    return console.can_ask() and console.agrees(f"write {proposal.file}?")


def _proved(args: Namespace, console: Console) -> int:
    """What was written, compared with what the tools themselves print."""
    from plait.apps.reviews.verification import text

    workspace: Workspace = workspace_of(args)
    found = workspace.verify(None, None, tools=True)
    console.print(text(found, {"options": {}}, args.reveal))
    return OK if found.equal or found.unsure else FAILED


COMMAND = Command(
    "init",
    "Write plait.yaml from the targets that are found, or add to it those that it does not have.",
    ("plait init", "plait init --write", "plait init --check", "plait init --write --allow exec"),
    run,
    (),
    (
        Option("--write", "write plait.yaml; without it, ask on a terminal, and show it elsewhere"),
        Option("--check", "write nothing; end with status 1 if targets are found that plait.yaml does not have"),
        AS_TEXT,
    ),
    "plait targets, plait help targets",
    writes=lambda args: not args.check and (bool(args.write) or can_answer()),
)
