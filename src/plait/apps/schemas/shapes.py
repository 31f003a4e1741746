"""The parts that schemas are made of."""

from __future__ import annotations

Schema = dict[str, object]

ANY: Schema = {}
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
MAPPING: Schema = {"type": "object"}


def about(schema: Schema, description: str) -> Schema:
    """A schema with what editors show."""
    return {**schema, "description": description}


def one_of(*values: object) -> Schema:
    return {"enum": list(values)}


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def many(items: Schema, least: int = 0) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def mapping_of(values: Schema) -> Schema:
    """A mapping from any name to values of one kind."""
    return {"type": "object", "additionalProperties": values}


def record(required: dict[str, Schema], optional: dict[str, Schema] | None = None, more: bool = False) -> Schema:
    """A mapping with known keys; `more`: it may have others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        **({} if more else {"additionalProperties": False}),
    }


TEXTS = many(TEXT)
