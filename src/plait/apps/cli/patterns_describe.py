"""`plait patterns describe`: what a pattern makes, its inputs, and the fields it owns."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command
from plait.apps.cli.console import OK, Console
from plait.apps.cli.create import FORM, SEARCH, answered
from plait.apps.cli.opening import workspace_of
from plait.core.node import Node, plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    def work() -> int:
        from plait.yaml.printing import data_text

        patterns = workspace_of(args).patterns
        about = patterns.describe(patterns.pattern(args.pattern, args.patterns))
        console.print(data_text(about, args.format) if args.format != "text" else _text(about))
        return OK

    return answered(args, console, work)


def _text(about: dict[str, Any]) -> str:
    lines = [f"{about['name']} {about['version']}", f"  {about['description']}".rstrip(), "", "Inputs:"]
    inputs: list[dict[str, object]] = about["inputs"]
    width = max((len(str(item["name"])) for item in inputs), default=0)
    for item in inputs:
        details = [str(item.get("description", "")), *(f"{key}: {_value(item[key])}" for key in DETAILS if key in item)]
        lines.append(f"  --{str(item['name']).ljust(width)}  {'; '.join(filter(None, details))}")
    lines += ["", "Files:", *(f"  {name}" for name in about["files"])]
    if about["owned"]:
        lines += ["", "Fields that only the pattern writes:", *(f"  {path}" for path in about["owned"])]
    lines += ["", f"Example: {about['example']}"]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    value = plain_value(value) if isinstance(value, Node) else value
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(item)}" for key, item in value.items())
    if isinstance(value, list):
        return "/".join(map(_value, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


DETAILS = ("type", "required", "default", "enum", "pattern", "minimum", "maximum")

COMMAND = Command(
    "patterns describe",
    "Show what a pattern generates, and which inputs it takes.",
    ("plait patterns describe serverless-event-app", "plait patterns describe web-service --format json"),
    run,
    (Argument("PATTERN", "its name"),),
    (SEARCH, FORM),
    "plait create PATTERN --help",
)
