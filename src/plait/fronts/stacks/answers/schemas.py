"""Schemas that a repository brings for files of any kind (`schemas` of atmos.yaml), and that of atmos.yaml itself."""

from __future__ import annotations

import json
import os
from functools import partial

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.fronts.stacks.answers.schema import CONFIG, Checker, shipped
from plait.fronts.stacks.session.globs import matching_files
from plait.report.catalog import BAD_CONFIG, NO_SCHEMA_CHECK, NO_SCHEMA_FILE
from plait.report.installing import how_to_install
from plait.report.near import nearest
from plait.report.render import in_order
from plait.schemas import BadSchema
from plait.yaml.build import Reading
from plait.yaml.load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Node
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.config.config import Config
    from plait.fronts.stacks.session.session import StackSession


class Validated:
    """The findings of a check, and how many schemas were used."""

    __slots__ = ("checked", "findings")

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self.checked = 0


def file_below(session: StackSession, config: Config, *parts: str) -> str:
    """The file that a path of the configuration means: below the base path, or as it is; empty where there is none."""
    path = os.path.join(*filter(None, parts))
    for folder in (config.base_path, config.folder):
        full = os.path.normpath(os.path.join(folder, path))
        if session.project.door.is_file(full):
            return full
    return ""


def checker_of(path: str, name: str, session: StackSession, what: str = "the manifest") -> Checker:
    """What checks data against the schema in a file."""
    try:
        schema = json.loads(session.project.bytes(path))
        return Checker(schema, session.project.meter, what)
    except BadSchema as trouble:
        raise BAD_CONFIG.error(why=f"the schema `{name}` cannot be used: {trouble}") from None
    except (ValueError, RecursionError) as trouble:
        raise BAD_CONFIG.error(why=f"the schema `{name}` cannot be read: {trouble}") from None


def checked_by(validated: Validated, check: Callable[[], list[Diagnostic]]) -> None:
    """Add what a check finds; where `jsonschema_rs` is not installed, that the check was not made."""
    try:
        validated.findings += check()
        validated.checked += 1
    except ImportError:
        validated.findings.append(NO_SCHEMA_CHECK(how=how_to_install("schema")))


# The configuration


def validate_config(config: Config) -> list[Diagnostic]:
    """The effective configuration against the schema of its keys.

    A key that looks like a slip of a known one is reported.
    """
    schema = shipped(CONFIG)
    outcome = Validated()
    checked_by(outcome, lambda: Checker(schema, None, "the configuration").check(config.tree))
    found, known = outcome.findings, schema["properties"]
    assert isinstance(known, dict)
    for key in config.tree.entries:
        near = nearest(str(key), known, 1) if key not in known else []
        if near:
            label = Label(config.tree.key_origin(key), length=len(str(key)))
            found.append(BAD_CONFIG(label, why=f"unknown key `{key}`", hint=f"did you mean `{near[0]}`?"))
    return in_order(found)


# Files of any kind


def validate_files(repository: Repository, only: str, wanted: Callable[[str], bool]) -> Validated:
    """The files that the entries of `schemas` in atmos.yaml match and that are wanted, each against its schema."""
    config, session = repository.index.shared.config, repository.session
    found = Validated()
    rows = config.get("schemas")
    names = (
        [name for name, row in rows.items() if isinstance(row, dict) and "schema" in row]
        if isinstance(rows, dict)
        else []
    )
    if only and only not in names:
        near = nearest(only, names, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"schemas with files: {', '.join(names) or '(none)'}"
        raise BAD_CONFIG.error(why=f"no schema `{only}` with files is configured", hint=hint)
    for name in [only] if only else names:
        try:
            _check_files(config, session, name, found, wanted)
        except Fault as error:
            found.findings += error.diagnostics
    found.findings = in_order(found.findings)
    return found


def _check_files(
    config: Config, session: StackSession, name: str, validated: Validated, wanted: Callable[[str], bool]
) -> None:
    path = config.text("schemas", name, "schema")
    full = file_below(session, config, path) if "://" not in path else ""
    if not full:
        hint = "a schema elsewhere is not fetched: save it as a file" if "://" in path else ""
        raise NO_SCHEMA_FILE.error(name=path, hint=hint)
    patterns = config.texts("schemas", name, "matches")
    matching = (one for pattern in patterns for one in matching_files(session.project, config.base_path, pattern))
    for file in filter(wanted, dict.fromkeys(matching)):
        source = session.project.source(file, session.shown(file))
        for tree in load(source, Reading()):
            checked_by(validated, partial(_check_tree, full, path, session, tree))


def _check_tree(schema: str, name: str, session: StackSession, tree: Node) -> list[Diagnostic]:
    return checker_of(schema, name, session, "the file").check(tree)
