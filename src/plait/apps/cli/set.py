"""`plait set`: give places of a file other values; every other byte stays as it is."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option, unless_trying
from plait.apps.cli.console import OK, USAGE, Console
from plait.apps.cli.expanded import EXPANDED, edit, wanted
from plait.apps.cli.get import DOCUMENT
from plait.apps.cli.line_diff import differing_lines, painted
from plait.apps.cli.opening import check_order, workspace_of
from plait.apps.cli.result_edit import BY_TARGET, edit_target
from plait.core.path import format_path, split_assignment
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.editing import Editor

SOME = 5
"""How many paths are named when they were changed."""
SHOWN = 12
"""How many other places of a change are named."""
ALIASES = ("refuse", "anchor", "here")
EDITING = (
    DOCUMENT,
    Option("--dry-run", "show what would change, and write nothing"),
    Option(
        "--alias",
        "what to do with a value that comes from an alias: change it at its anchor, or only here",
        choices=ALIASES,
        default="",
    ),
    *BY_TARGET,
    *WRITING,
)


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.typed import typed_path
    from plait.fronts.typed_values import typed_value

    given = [args.file, *args.path_and_value] if args.target else args.path_and_value
    if len(given) % 2:
        console.say(f"plait set: {_without_value(args.file, given)}\nsee `plait set --help`")
        return USAGE
    if args.target:
        path, text = one_value(given, 2)
        return edit_target(args, console, path, typed_value(text, args.string, path))
    aliases = alias_of(args, console)
    workspace = workspace_of(args)
    check_order(workspace, args.file, args.path_and_value, "plait set {file} {path} VALUE")
    editor = workspace.editor
    words = iter(args.path_and_value)
    pairs: list[tuple[str, Node]] = [
        (path, typed_value(text, args.string, path)) for path, text in zip(words, words, strict=True)
    ]
    if wanted(args):
        return edit(args, console, [(typed_path(path), value) for path, value in pairs])
    notes: list[str] = []

    def how(source: Source) -> str:
        notes.extend(editor.type_notes(source, pairs, args.document - 1))
        return editor.set(source, pairs, create=args.create, document=args.document - 1, aliases=aliases)

    status = change(args, console, editor, how, "set", [path for path, _ in pairs])
    for note in notes:
        console.note(f"{note}")
    return status


def _without_value(file: str, given: list[str]) -> str:
    """What is said of a path without a value: it may be written with the value, as in helm's flags."""
    path, equals, value = split_assignment(given[-1])
    meant = (
        f"\nwrite a space instead of `=`: plait set {file} {path.strip()} {value.strip()}"
        if equals and len(given) == 1
        else ""
    )
    return f"the path `{given[-1]}` has no value{meant}"


def one_value(words: list[str], count: int) -> list[str]:
    """The words of a command that changes one value of a target."""
    if len(words) != count:
        why = "with --target, one value is changed at a time"
        raise BAD_OPTION.error(why=why, hint="run the command once for each value")
    return words


def alias_of(args: Namespace, console: Console) -> str:
    """What to do with a value that comes from an alias. `--at` was the name of this option."""
    if args.only_here or (args.at and args.at not in ALIASES):
        flag = "--only-here" if args.only_here else f"--at {args.at}"
        raise BAD_OPTION.error(why=f"`{flag}` needs --target", hint="without a target, only the named file is changed")
    if args.at:
        console.say(f"warning: `--at {args.at}` is called `--alias {args.at}` now")
    return args.alias or args.at or ALIASES[0]


def change(
    args: Namespace, console: Console, editor: Editor, how: Callable[[Source], str], did: str, paths: list[str]
) -> int:
    """Change the file at some paths and say so, or show what that would do; what came from standard input goes to
    standard output. What changes with them, because it refers to an anchor there, is told."""
    others: list[str] = []

    def noted(source: Source) -> str:
        text = how(source)
        if "*" in source.text:
            also = editor.also_changed(source, text, paths, args.document - 1)
            others.extend(format_path(path) for path in also)
        return text

    before, after = editor.change(args.file, noted, dry=args.dry_run)
    if others:
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        console.note(f"this also changes {', '.join(others[:SHOWN])}{more}, by aliases")
    if args.dry_run:
        shown = [text if args.reveal else editor.shown(args.file, text) for text in (before, after)]
        console.print(painted(differing_lines(args.file, *shown), console.paint(console.out)))
        if before != after and shown[0] == shown[1]:
            console.say("only sensitive values change; --reveal shows them")
    elif args.file == "-":
        console.print(after)
    elif before == after:
        console.confirm(f"{args.file}: nothing changed, it says so already")
    else:
        named = ", ".join(paths) if len(paths) <= SOME else f"{len(paths)} values"
        console.confirm(f"{args.file}: {did} {named}")
    return OK


COMMAND = Command(
    "set",
    "Set values in a file. Only the text of these values changes.",
    (
        "plait set app.yaml server.port 8080",
        "plait set app.yaml 'jobs[name=web].instances' 4 version 1.10 --string",
        "plait set app.yaml labels.tier web --create --dry-run",
        "plait set all.yaml Deployment/web:spec.replicas 4",
        "plait set --target prod Deployment/web:spec.replicas 4",
        "plait set --expanded main.yaml services.web.port 8080 --where",
    ),
    run,
    (
        Argument(
            "FILE", "a YAML file, unless a target is given; - is standard input, and the result goes to standard output"
        ),
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
