"""`plait schema`: the JSON Schema of a file that people write, or of what a command prints."""

from __future__ import annotations

from plait.apps.cli.command import PRINTING, Argument, Command
from plait.apps.cli.console import OK, Console
from plait.report.catalog import BAD_OPTION
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.apps.schemas.shapes import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def run(args: Namespace, console: Console) -> int:
    name = " ".join(args.name)
    if not name:
        console.print(listing())
        return OK
    from plait.report.data import json_text

    console.print(json_text(schema_of(name)))
    return OK


def table() -> dict[str, tuple[str, int, Schema]]:
    """Every schema, by name: what it describes, its version, and itself."""
    from plait.apps.schemas.files import FILES_OF_PEOPLE
    from plait.apps.schemas.outputs import OUTPUTS

    return {**{name: (what, 1, schema) for name, (what, schema) in FILES_OF_PEOPLE.items()}, **OUTPUTS}


def schema_of(name: str) -> Schema:
    """A schema with its dialect, name and version."""
    schemas = table()
    if name not in schemas:
        hint = did_you_mean(name, schemas) or "`plait schema` lists them"
        raise BAD_OPTION.error(why=f"unknown schema `{name}`", hint=hint)
    what, version, schema = schemas[name]
    identity = f"urn:plait:{name.replace(' ', '-')}:{version}"
    return {"$schema": DIALECT, "$id": identity, "title": f"plait {name}, version {version}: {what}", **schema}


def listing() -> str:
    rows = {f"plait schema {name}": (what, version) for name, (what, version, _) in table().items()}
    width = max(map(len, rows))
    return "".join(f"{name.ljust(width)}  {version}  {what}\n" for name, (what, version) in rows.items())


COMMAND = Command(
    "schema",
    "Print the JSON Schema of plait.yaml, of pattern.yaml, or of what a command prints with --format json.",
    ("plait schema", "plait schema plait > plait.schema.json", "plait schema explain", "plait schema describe locals"),
    run,
    (Argument("NAME", "plait, pattern, diagnostics or a command; without one, all are listed", "*"),),
    common=PRINTING,
)
