"""The file in which continuous integration collects the outputs of a step, as `$GITHUB_OUTPUT` names it."""

from __future__ import annotations

import os


def append_outputs(name: str, values: dict[str, str]) -> None:
    """Append `KEY=VALUE` lines to a file; no value has several lines. A link is not followed."""
    lines = "".join(f"{key}={value.replace(chr(10), ' ')}\n" for key, value in values.items())
    handle = os.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, lines.encode())
    finally:
        os.close(handle)
