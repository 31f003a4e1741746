"""Schemas of a repository: they read no other document, and cost what the meter allows."""

from __future__ import annotations

import os
import resource
import select
from pathlib import Path

import pytest

from plait.core.meter import Budgets, Meter, Overrun
from plait.schemas import BadSchema, Validator, visits


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "file://$FILE"},
        {"properties": {"a": {"$ref": "file://$FILE#/definitions/x"}}},
        {"$id": "file://$FILE", "$ref": "other.json"},
        {"$ref": "http://localhost:9/x.json"},
        {"$ref": "ftp://localhost/x.json"},
        {"$ref": "other.json"},
        {"$schema": "file://$FILE"},
    ],
    ids=str,
)
def test_no_other_document_is_read(tmp_path: Path, schema: object) -> None:
    file = tmp_path / "outside.json"
    file.write_text('{"const": "TOPSECRET", "definitions": {"x": {"const": "TOPSECRET"}}}')
    with pytest.raises(BadSchema, match=r"another document|meta-schema") as caught:
        Validator(_with(schema, str(file)), Meter())
    assert "TOPSECRET" not in str(caught.value)


def test_the_child_keeps_nothing_open() -> None:
    """A pipe that another program reads until its end would not end as long as the child lives."""
    reading, writing = os.pipe()
    validator = Validator({"type": "string"}, Meter())
    os.close(writing)
    ready = select.poll()
    ready.register(reading, select.POLLIN)
    assert ready.poll(20_000)
    assert os.read(reading, 1) == b""
    os.close(reading)
    assert validator.accepts("a")


def test_a_process_with_many_open_files_asks_its_child() -> None:
    """The meter was blamed: "more than 256,000,000 bytes of values"."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    many: list[int] = []
    try:
        for _ in range(1100):
            many.append(os.open(os.devnull, os.O_RDONLY))  # those that were opened are closed below
        assert Validator({"type": "string"}, Meter()).accepts("a")
    finally:
        for one in many:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _with(schema: object, file: str) -> object:
    if isinstance(schema, dict):
        return {key: _with(value, file) for key, value in schema.items()}
    return schema.replace("$FILE", file) if isinstance(schema, str) else schema


def doubling(keyword: str, way: str) -> tuple[object, object]:
    """Thirty rules, each of which asks the next one twice."""
    rules: dict[str, object] = {"a30": {"type": "string"}}
    anchors = way == "anchor"
    for number in range(30):
        reference = f"#a{number + 1}" if anchors else f"#/definitions/a{number + 1}"
        rules[f"a{number}"] = {keyword: [{"$ref": reference}] * 2}
    if anchors:
        rules = {name: {"$anchor": name, **rule} for name, rule in rules.items() if isinstance(rule, dict)}
    return {"definitions": rules, "$ref": "#a0" if anchors else "#/definitions/a0"}, 1


def growing_with_the_data() -> tuple[object, object]:
    data: object = 1
    for _ in range(40):
        data = {"a": data}
    return {"type": "object", "properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}, data


BOMBS = {
    **{
        f"{keyword} by {way}": doubling(keyword, way)
        for keyword in ("allOf", "anyOf", "oneOf")
        for way in ("pointer", "anchor")
    },
    "the data": growing_with_the_data(),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_schema_that_multiplies_is_refused_before_it_is_used(name: str) -> None:
    schema, data = BOMBS[name]
    validator = Validator(schema, Meter(Budgets()))
    with pytest.raises(Overrun, match="evaluation steps"):
        validator.accepts(data)


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}, {"not": {"$ref": "#"}}])
def test_a_schema_of_itself_ends(schema: object) -> None:
    assert visits(schema, {"a": [1]}, Meter())[0] < 4


def test_an_honest_schema_is_counted_once() -> None:
    schema = {
        "definitions": {"port": {"type": "integer"}, "host": {"properties": {"port": {"$ref": "#/definitions/port"}}}},
        "additionalProperties": {"oneOf": [{"$ref": "#/definitions/host"}, {"type": "null"}]},
    }
    data = {f"h{number}": {"port": number} for number in range(50)}
    total, once = visits(schema, data, Meter())
    assert total == once > 50 * 5
    assert Validator(schema, Meter()).accepts(data)
    assert not Validator(schema, Meter()).accepts({"h": {"port": "x"}})
