"""`plait set`: give places of a file other values; every other byte stays as it is."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option, unless_trying
from plait.apps.cli.console import OK, USAGE, Console, check_order, workspace_of
from plait.apps.cli.expanded import EXPANDED, edit, wanted
from plait.apps.cli.get import DOCUMENT
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.core.source import Source
    from plait.report.render import Paint

EDITING = (
    DOCUMENT,
    Option("--dry-run", "show what would change, and write nothing"),
    Option(
        "--at",
        "what to do with a value that comes from an alias: change it at its anchor, or only here",
        choices=("refuse", "anchor", "here"),
        default="refuse",
    ),
    *WRITING,
)


def run(args: Namespace, console: Console) -> int:
    from plait.workspace import read_path, read_value

    if len(args.path_and_value) % 2:
        console.say(
            f"plait set: the path `{args.path_and_value[-1]}` has no value\nplait set --help shows how it is used"
        )
        return USAGE
    workspace = workspace_of(args)
    check_order(workspace, args.file, args.path_and_value, "plait set {file} {path} VALUE")
    editor = workspace.editor
    words = iter(args.path_and_value)
    pairs: list[tuple[str, Node]] = [
        (path, read_value(text, args.string, path)) for path, text in zip(words, words, strict=True)
    ]
    if wanted(args):
        return edit(args, console, [(read_path(path), value) for path, value in pairs])
    notes: list[str] = []

    def how(source: Source) -> str:
        notes.extend(editor.type_notes(source, pairs, args.document - 1))
        return editor.set(source, pairs, create=args.create, document=args.document - 1, aliases=args.at)

    status = change(args, console, how)
    for note in notes:
        console.say(f"note: {note}")
    return status


def change(args: Namespace, console: Console, how: Callable[[Source], str]) -> int:
    """Change the file, or show what that would do; what came from standard input goes to standard output."""
    before, after = args.workspace.editor.change(args.file, how, dry=args.dry_run)
    if args.dry_run:
        shown = [text if args.reveal else args.workspace.editor.shown(args.file, text) for text in (before, after)]
        console.print(painted(differing_lines(args.file, *shown), console.paint(console.out)))
        if before != after and shown[0] == shown[1]:
            console.say("only sensitive values change; --reveal shows them")
    elif args.file == "-":
        console.print(after)
    return OK


def differing_lines(name: str, before: str, after: str) -> str:
    """The lines that differ, as version control shows them."""
    from difflib import unified_diff

    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), one_line(name), one_line(name)
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


LINE_STYLES = {"+": "hint", "-": "mark", "@": "place"}


def painted(difference: str, paint: Paint) -> str:
    """The lines that differ, in colours where they are on."""
    if not paint.on:
        return difference
    lines = difference.splitlines(keepends=True)
    return "".join(
        f"{paint(style, line.rstrip())}\n" if (style := LINE_STYLES.get(line[:1])) else line for line in lines
    )


COMMAND = Command(
    "set",
    "Set values in a file. Only the text of these values changes.",
    (
        "plait set app.yaml server.port 8080",
        "plait set app.yaml 'jobs[name=web].instances' 4 version 1.10 --string",
        "plait set app.yaml labels.tier web --create --dry-run",
        "plait set all.yaml Deployment/web:spec.replicas 4",
        "plait set --expanded main.yaml services.web.port 8080 --where",
    ),
    run,
    (
        Argument("FILE", "a YAML file; - is standard input, and the result goes to standard output"),
        Argument("PATH-AND-VALUE", "a path and its new value, as YAML; several pairs are set together", "+"),
    ),
    (
        Option("--string", "take values as text, not as YAML"),
        Option("--create", "add what is missing of a path"),
        *EDITING,
        *EXPANDED,
    ),
    "plait get --help, plait unset --help, plait help editing, plait help unfurl",
    writes=unless_trying,
)
