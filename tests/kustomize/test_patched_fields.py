"""What kustomize merges instead of replacing it: `patched_fields.yaml` has it from kustomize's own OpenAPI."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from plait.profiles.kubernetes import KNOWN_TO_KUSTOMIZE, fields_of, kustomize_type

GROUPS = yaml.load(Path(__file__).with_name("patched_fields.yaml").read_bytes(), yaml.CSafeLoader)


def patched(type: str, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The fields of a type that are patched in a way of their own, with the strategy and what tells the items apart."""
    for field in fields_of(type).values():
        if field.strategy:
            yield f"{prefix}{field.name}", f"{field.strategy} {','.join(field.keys)}".strip()
        if field.type:
            yield from patched(field.type, f"{prefix}{field.name}.")


def test_every_kind_that_kustomize_knows_has_the_fields_of_its_openapi() -> None:
    wanted = {tuple(kind.split()): group["fields"] for group in GROUPS for kind in group["kinds"]}
    assert wanted.keys() == KNOWN_TO_KUSTOMIZE
    assert {kind: dict(patched(kustomize_type(*kind))) for kind in wanted} == wanted
