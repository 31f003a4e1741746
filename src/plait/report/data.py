"""Answers of commands as JSON, for programs and for whoever reads it on a terminal."""

from __future__ import annotations

import json

from plait.core.visible import in_json


def json_text(data: object) -> str:
    """A document of JSON; no character of it deceives a reader."""
    return in_json(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"
