"""`plait verify`: the proof that your files give the same result under plait."""

from __future__ import annotations

from plait import __version__
from plait.apps.cli.command import Command, Option
from plait.apps.cli.console import FAILED, OK, Console, workspace_of
from plait.apps.cli.explain import brief
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Proof, Verification

FORMATS = ("text", "markdown", "json", "html")


def run(args: Namespace, console: Console) -> int:
    if bool(args.against) == bool(args.command):
        raise BAD_OPTION.error(
            why="verify needs saved outputs or a command",
            hint="--against FOLDER, or --command 'spiff merge {template} {stubs}'",
        )
    workspace = workspace_of(args)
    found = workspace.verify(args.against, args.command, args.target)
    options: dict[str, object] = {"against": args.against, "command": args.command}
    data = workspace.verification_data(found, __version__, options, args.reveal)
    console.print(rendered(found, data, args))
    if args.report:
        for line in workspace.verification_changes(args.report, data):
            console.say(line)
    return OK if found.equal else FAILED


def rendered(found: Verification, data: dict[str, object], args: Namespace) -> str:
    if args.format == "json":
        import json

        return json.dumps(data, indent=2, ensure_ascii=False, sort_keys=False) + "\n"
    return {"text": text, "markdown": markdown, "html": html}[args.format](found, args.reveal)


def headline(found: Verification) -> str:
    parts = {status: found.count(status) for status in dict.fromkeys(v.status for v in found.verdicts)}
    total = len(found.verdicts)
    return f"{total} target{'' if total == 1 else 's'}: " + ", ".join(f"{n} {status}" for status, n in parts.items())


def lines_of(verdict: Proof, reveal: bool) -> list[str]:
    """What is to say about one target."""
    lines = [
        f"{name}: {count} place{'' if count == 1 else 's'} normalised" for name, count in verdict.normalised.items()
    ]
    lines += list(verdict.errors)
    for row in verdict.rows:
        theirs, ours = (brief(node, reveal) if node is not None else "(absent)" for node in (row.theirs, row.ours))
        hint = f"    [{row.kind}: {row.hint}]" if row.hint else ""
        lines.append(f"{row.path or '(everything)'}    theirs: {theirs}    ours: {ours}{hint}")
    return lines


def text(found: Verification, reveal: bool) -> str:
    lines = [headline(found)]
    for verdict in found.verdicts:
        details = lines_of(verdict, reveal)
        if verdict.status != "equal":
            lines += ["", f"{verdict.name}: {verdict.status}", *(f"  {line}" for line in details)]
    return "\n".join(lines) + "\n"


def markdown(found: Verification, reveal: bool) -> str:
    lines = [f"## plait verify: {headline(found)}", "", "| target | status | digest |", "|---|---|---|"]
    lines += [f"| `{v.name}` | {v.status} | `{v.digest[:16]}` |" for v in found.verdicts]
    for verdict in found.verdicts:
        details = lines_of(verdict, reveal)
        if details:
            lines += ["", f"### {verdict.name}", "", "```", *(line.replace("```", "'''") for line in details), "```"]
    lines += ["", f"Input files: {len(found.inputs)}. Saved outputs: {len(found.outputs)}."]
    return "\n".join(lines) + "\n"


def html(found: Verification, reveal: bool) -> str:
    from html import escape

    rows = "".join(
        f"<tr><td>{escape(v.name)}</td><td>{escape(v.status)}</td>"
        f"<td><pre>{escape(chr(10).join(lines_of(v, reveal)))}</pre></td></tr>"
        for v in found.verdicts
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    style = "body{font:15px system-ui;margin:2rem;color-scheme:light dark}td{vertical-align:top;padding:.4rem 1rem}"
    head = (
        '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{policy}"><title>plait verify</title><style>{style}</style>'
    )
    return (
        "<!doctype html>\n<html "
        f'lang="en"><head>{head}</head><body><h1>{escape(headline(found))}</h1><table>{rows}</table></body></html>\n'
    )


COMMAND = Command(
    "verify",
    "Compare what plait gives for each target with the outputs of the tool you come from.",
    (
        "plait verify --against saved-outputs/",
        "plait verify --against stacks.json --format markdown",
        "plait verify --command 'spiff merge {template} {stubs}' --allow exec",
        "plait verify --against saved-outputs/ --report last.json",
    ),
    run,
    (),
    (
        Option("--against", "saved outputs: FOLDER/TARGET.yaml, or one file", metavar="PLACE"),
        Option(
            "--command", "run the old tool; {layers}, {template}, {stubs} and {document} are the files", metavar="LINE"
        ),
        Option("--target", "only these targets or stacks", metavar="NAME", many=True),
        Option("--report", "an earlier report (JSON): say what changed since", metavar="FILE"),
        Option("--format", "text, markdown, json or html", choices=FORMATS, default="text", group="Output"),
    ),
    "docs/migrate.md",
)
