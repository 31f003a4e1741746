"""What `terraform output -json` (or `tofu`) prints for a component."""

from __future__ import annotations

import os

from plait.access.environment import variables
from plait.access.trouble import Missing
from plait.core.diagnostic import NotKnown, PlaitError
from plait.core.scope import CommandFailed, NoCommand
from plait.report.catalog import NO_OUTPUTS, NOT_PROVISIONED_YET
from plait.services.state import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from plait.core.scope import Permit

SECONDS = 120


def outputs(permit: Permit, command: str, folder: str, workspace: str, env: Mapping[str, str], what: str) -> Outputs:
    """The outputs of the code in a folder, in a workspace. `Missing` where it has none yet."""
    import json

    if not os.path.isdir(folder):
        raise NO_OUTPUTS.error(what=what, why=f"folder not found: {folder}", hint="see components.terraform.base_path")
    words = [*command.split(), "output", "-json", "-no-color"]
    output = _printed(permit, words, folder, _environment(workspace, env), what)

    def bad(why: str) -> PlaitError:
        return NO_OUTPUTS.error(what=what, why=why)

    try:
        rows = json.loads(output)
    except (ValueError, RecursionError):
        raise bad(f"`{command} output -json` printed no JSON") from None
    if not isinstance(rows, dict):
        raise bad(f"`{command} output -json` printed no map")
    if not rows:
        raise Missing(NOT_PROVISIONED_YET(what=what, hint="apply it first, or give a default with `//`"))
    return Outputs.of(rows, bad)


def _environment(workspace: str, env: Mapping[str, str]) -> dict[str, str]:
    """The variables of this process, without the workspace that somebody has chosen in the shell, and those of the
    component."""
    own = {name: value for name, value in variables().items() if name != "TF_WORKSPACE"}
    chosen = {"TF_WORKSPACE": workspace} if workspace not in ("", "default") else {}
    return {**own, **env, "TF_IN_AUTOMATION": "1", "TF_INPUT": "0", **chosen}


def _printed(permit: Permit, words: list[str], folder: str, env: dict[str, str], what: str) -> str:
    try:
        return permit.run(words, SECONDS, folder, env)
    except NoCommand:
        hint = "install it, or name another with components.terraform.command"
        raise NotKnown(NO_OUTPUTS(what=what, why=f"command not found: `{words[0]}`", hint=hint)) from None
    except CommandFailed as failed:
        trouble = failed
    if "exit status" not in trouble.why:
        raise NotKnown(NO_OUTPUTS(what=what, why=trouble.why)) from None
    lines = [line.strip(" \u2502\u2577\u2575|") for line in trouble.stderr.splitlines()]
    notes = tuple(line for line in lines if line)[:4]
    first = any("init" in line for line in notes)
    hint = f"in {folder}: {words[0]} init" if first else f"to see the error, run: cd {folder} && {' '.join(words[:3])}"
    why = trouble.why.removeprefix("it ended with ")
    raise NotKnown(NO_OUTPUTS(what=what, why=why, notes=notes, hint=hint))
