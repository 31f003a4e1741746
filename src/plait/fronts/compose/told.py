"""What variables tell Compose about a project: which files it has, its profiles, its name, where variables come from.

They are those of the environment and, below them, those of env files. One that the environment has without a value
hides that of the files.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.node import Scalar, text
from plait.core.source import Source
from plait.fronts.compose.nodes import like
from plait.fronts.compose.variables import ENV, ComposeVariables
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.diagnostic import PlaitError
    from plait.core.node import Node
    from plait.fronts.project import Project

PREFIX = "COMPOSE_"
FILE, SEPARATOR, PROFILES, NAME = "COMPOSE_FILE", "COMPOSE_PATH_SEPARATOR", "COMPOSE_PROFILES", "COMPOSE_PROJECT_NAME"
ENV_FILES, NO_ENV_FILE = "COMPOSE_ENV_FILES", "COMPOSE_DISABLE_ENV_FILE"
BOOLEANS = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}
UNSET = "\0"
"""What no variable of the environment can be."""
NAME_HINT = "use lowercase letters, digits, `-` and `_`, and begin with a letter or a digit"


def variables_told(project: Project, files: Iterable[str]) -> ComposeVariables:
    """The variables of env files, of which those are asked for that speak to Compose."""
    return ComposeVariables(project).with_files(files, only=PREFIX)


def env_files(project: Project, folders: Iterable[str]) -> list[str]:
    """The env files where nobody names any: those of COMPOSE_ENV_FILES, which are in the first folder, else `.env` of
    each folder, the strongest last."""
    door, places = project.door, list(dict.fromkeys(folders))
    named = door.environment(ENV_FILES)
    if named:
        return [project.admit(os.path.join(places[0], name)) for name in named.split(",")]
    off = door.environment(NO_ENV_FILE, UNSET)
    if off != UNSET and off not in BOOLEANS:
        raise COMPOSE.error(
            why=f"{NO_ENV_FILE} is `{off}`, which is not true or false", hint="set it to true, or unset it"
        )
    beside = [os.path.join(folder, ENV) for folder in reversed(places)]
    return [] if BOOLEANS.get(off) else [file for file in beside if door.is_file(file)]


def told(variables: ComposeVariables, name: str) -> Scalar | None:
    """A variable that speaks to Compose; None where it is not set."""
    own = variables.project.door.environment(name, UNSET)
    return variables.values.get(name) if own == UNSET else text(own, Source(name, own, given=True))


def profiles(variables: ComposeVariables) -> list[str]:
    """The profiles that are on where nobody names any."""
    return [name.strip() for name in _word(variables, PROFILES).split(",") if name.strip()]


def files(variables: ComposeVariables) -> list[str]:
    """The Compose files; none where no variable names them. Where the environment does, it has the separator, too."""
    door = variables.project.door
    named, separator = door.environment(FILE), door.environment(SEPARATOR)
    if not named:
        named, separator = _word(variables, FILE), _word(variables, SEPARATOR)
    return named.split(separator or os.pathsep) if named else []


def _word(variables: ComposeVariables, name: str) -> str:
    found = told(variables, name)
    return "" if found is None else found.text


# The name


def project_name(root: Node, variables: ComposeVariables, said: Node | None, folder: str) -> Scalar:
    """What a project is called: as COMPOSE_PROJECT_NAME says, else as its files do, else like its folder."""
    given = told(variables, NAME)
    if given is not None and given.text:
        if given.text != normal_name(given.text):
            raise _no_name(given, f"`{given.text}` is not the name of a project", NAME_HINT)
        return given
    words = said.text if isinstance(said, Scalar) else ""
    name = normal_name(words or folder)
    if not name:
        hint = f"set {NAME}, or `name` in the Compose file"
        raise _no_name(said or root, "the project has no name", hint)
    return said if isinstance(said, Scalar) and words == name else like(said if words and said else root, name)


def normal_name(words: str) -> str:
    """A text without what no name of a project may have."""
    letters = (letter for letter in words.lower() if letter.isascii() and (letter.isalnum() or letter in "_-"))
    return "".join(letters).lstrip("_-")


def _no_name(node: Node, why: str, hint: str) -> PlaitError:
    shown = "this is not the name of a project" if isinstance(node, Scalar) and node.secret else why
    return COMPOSE.error(Label(node.origin), why=shown, hint=hint)
