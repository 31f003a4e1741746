"""What a JSON Schema says about a place of a file: which keys it may have, which values, and what they mean."""

from __future__ import annotations

from plait.core.path import Path

Schema = dict[str, object]
DEEP = 8
"""How many references in a row are followed."""


def keys_at(schema: Schema, path: Path) -> list[tuple[str, str]]:
    """The keys that a map at a path may have, each with what it means."""
    found = _at(schema, path)
    properties = found.get("properties") if found is not None else None
    return [(name, _about(schema, below)) for name, below in properties.items()] if isinstance(properties, dict) else []


def values_at(schema: Schema, path: Path) -> list[str]:
    """The values that are allowed at a path, where they are listed."""
    found = _at(schema, path)
    values = found.get("enum") if found is not None else None
    return [str(value) for value in values] if isinstance(values, list) else []


def about_key(schema: Schema, path: Path) -> str:
    """What the key at the end of a path means; empty where the schema does not say."""
    return dict(keys_at(schema, path[:-1])).get(str(path[-1]), "") if path else ""


def _at(schema: Schema, path: Path) -> Schema | None:
    at: object = schema
    for step in path:
        at = _stepped(schema, at, step)
    return _resolved(schema, at)


def _stepped(schema: Schema, at: object, step: object) -> object:
    found = _resolved(schema, at)
    if found is None:
        return None
    if isinstance(step, int):
        return found.get("items")
    properties = found.get("properties")
    below = properties.get(step) if isinstance(properties, dict) else None
    return below if below is not None else found.get("additionalProperties")


def _resolved(schema: Schema, at: object) -> Schema | None:
    """A part of a schema with its reference followed, and of several kinds the one that holds others."""
    for _ in range(DEEP):
        if not isinstance(at, dict):
            return None
        if "$ref" in at:
            found: object = schema
            for step in str(at["$ref"]).removeprefix("#/").split("/"):
                found = found.get(step) if isinstance(found, dict) else None
            at = found
        elif "properties" not in at and isinstance(several := at.get("oneOf") or at.get("anyOf"), list):
            at = next((one for one in several if isinstance(one, dict) and not HOLDING.isdisjoint(one)), None)
        else:
            return at
    return None


HOLDING = frozenset(("properties", "additionalProperties", "items", "$ref"))
"""What a schema of a map or a list has, or of something that may be one."""


def _about(schema: Schema, below: object) -> str:
    own = below.get("description") if isinstance(below, dict) else None
    found = _resolved(schema, below)
    return str(own or (found.get("description", "") if found is not None else ""))
