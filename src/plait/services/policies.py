"""Policies in Rego, which the program `opa` evaluates: the messages of the rule `errors` in the package `atmos`."""

from __future__ import annotations

import json

from plait.access.environment import variables
from plait.core.diagnostic import NotKnown
from plait.core.scope import CommandFailed, NoCommand
from plait.report.catalog import BAD_POLICY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.scope import Permit

PROGRAM = "opa"
RULE = "data.atmos.errors"
OLDER = "--v0-compatible"
"""Rules without `if` and `contains` are allowed, as in Atmos. A program before 1.0 does not know the word."""
NEEDED = ("PATH", "HOME", "TMPDIR")
"""The variables that the program gets: a policy can read its environment."""


def policy_errors(permit: Permit, files: Iterable[str], data: object, seconds: float) -> list[str]:
    """What the policies in some files have against the data. Raises `NotKnown` where they cannot be asked."""
    given = json.dumps(data)
    words = [f"--data={file}" for file in files]
    try:
        try:
            printed = _printed(permit, [OLDER, *words], given, seconds)
        except CommandFailed as failed:
            if OLDER not in failed.stderr:
                raise
            printed = _printed(permit, words, given, seconds)
    except NoCommand:
        missing = NotKnown(BAD_POLICY(why=f"the program `{PROGRAM}` is not installed"))
        missing.why = f"the program `{PROGRAM}` is not installed"
        raise missing from None
    except CommandFailed as failed:
        raise BAD_POLICY.error(why=failed.why, notes=tuple(failed.stderr.splitlines()[:4])) from None
    return _messages(printed)


def _printed(permit: Permit, words: list[str], given: str, seconds: float) -> str:
    own = variables()
    environment = {name: own[name] for name in NEEDED if name in own}
    command = [PROGRAM, "eval", "--format=json", "--stdin-input", *words, RULE]
    return permit.run(command, seconds, None, environment, given)


def _messages(printed: str) -> list[str]:
    """The messages in what the program prints: a list, or nothing where no policy has the rule."""
    try:
        answer = json.loads(printed)
        found = answer["result"][0]["expressions"][0]["value"]
    except (ValueError, RecursionError, KeyError, IndexError, TypeError):
        found = None
    if not isinstance(found, list):
        raise BAD_POLICY.error(why="no rule `errors` in the package `atmos` gives a list of messages")
    return [one if isinstance(one, str) else json.dumps(one) for one in found]
