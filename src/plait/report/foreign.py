"""Paths as other tools write them, and what plait calls the same place: JSONPath, JSON Pointer, kubectl, Helm."""

from __future__ import annotations

from plait.core.path import Path, Step, format_path

VALUES = ".Values."
ROOT = "$"
WAYS = "paths have keys, dots and numbers, as in a.b[0]"


def rewritten(text: str) -> str:
    """The path that a text in the notation of another tool means; empty for one in plait's own."""
    body = text.strip()
    if body.startswith("{") and body.endswith("}"):
        body = body[1:-1]
    if body.startswith((VALUES, VALUES[1:])):
        return body.removeprefix(VALUES).removeprefix(VALUES[1:])
    if body.startswith(ROOT) and body[1:2] in ("", ".", "["):
        return body[1:].removeprefix(".").replace("['", '["').replace("']", '"]')
    if "/" in body and not set(body) & set(".[:\"'"):
        return format_path(_pointer(body))
    if ":" in body and not set(body) & set("./[\"'"):
        return format_path(part for part in body.split(":") if part)
    return body.removeprefix(".") if body != text.strip() else ""


def _pointer(text: str) -> Path:
    """The steps of a JSON Pointer, `/a/0/b`, or of one without its first slash."""
    steps: list[Step] = []
    for part in text.strip("/").split("/"):
        steps.append(int(part) if part.isdecimal() else part.replace("~1", "/").replace("~0", "~"))
    return tuple(steps)


def path_hint(text: str) -> str:
    """A hint for a path that leads nowhere because it is written as in another tool; else empty."""
    meant = rewritten(text)
    return f"write it as `{meant}`: {WAYS}" if meant else ""
