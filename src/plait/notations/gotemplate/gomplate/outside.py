"""`env` and `file`: the environment and files of the project, as far as the host gives them."""

from __future__ import annotations

from plait.notations.gotemplate.casts import SPACES
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.gomplate.casts import text
from plait.notations.gotemplate.sprig.paths import expanded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OUTSIDE = FunctionGroup("gomplate outside", "gomplate: env and file")
function = OUTSIDE.function


def _variable(frame: Any, name: str) -> str:
    """A variable of the environment; where it is not set, the text of the file that NAME_FILE names."""
    found = str(frame.host.env(name))
    path = "" if found else str(frame.host.env(f"{name}_FILE"))
    return str(frame.host.read_file(path)).strip(SPACES) if path and frame.host.has_file(path) else found


@function("env.Getenv getenv", "func(interface {}, ...string) string",
          "A variable of the environment, or the text of the file that NAME_FILE names, or a default.",
          '{{ env.Getenv "SURELY_NOT_SET" "none" }}', "none", context=True)  # fmt: skip
def getenv(frame: Any, name: Any, *default: str) -> str:
    return _variable(frame, text(name)) or (default[0] if default else "")


@function("env.ExpandEnv", "func(interface {}) string",
          "A text with $NAME and ${NAME} replaced by the environment's values.",
          '{{ env.ExpandEnv "a${SURELY_NOT_SET}b" }}', "ab", context=True)  # fmt: skip
def expand_env(frame: Any, value: Any) -> str:
    return expanded(text(value), lambda name: _variable(frame, name))


@function("file.Read", "func(interface {}) (string, error)", "The text of a file of the project.", "", "", context=True)
def file_read(frame: Any, path: Any) -> str:
    return str(frame.host.read_file(text(path)))


@function("file.Exists", "func(interface {}) bool", "Whether a file of the project exists.", "", "", context=True)
def file_exists(frame: Any, path: Any) -> bool:
    return bool(frame.host.has_file(text(path)))
