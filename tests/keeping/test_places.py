"""What a plain value that differs reaches: which components are put together again for the answer of a fresh run."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait.workspace
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.layers import Siblings
from tests.keeping.commands import run, write

CATALOG = """\
vars: {region: one, unused: 1}
settings: {level: info, size: 1, limits: {cpu: 1, memory: 2}}
terraform:
  vars: {typed: 1}
components:
  terraform:
    plain: {vars: {size: 1}}
    named: {vars: {text: "{{ .settings.level }}-x"}}
    heir: {metadata: {inherits: [named]}, vars: {own: 1}}
    below: {vars: {memory: "{{ .settings.limits.memory }}"}}
    data: {vars: {limits: !template '{{ toJson .settings.limits }}'}}
    again: {vars: {first: "{{ .settings.level }}", second: "{{ .vars.first }}"}}
    all: {vars: {all: "{{ toJson .settings }}"}}
    over: {vars: {region: "{{ .settings.level }}"}}
    type: {metadata: {component: "{{ .settings.level }}"}}
    deciding: {backend_type: "{{ .settings.level }}", vars: {size: 2}}
  helmfile:
    chart: {vars: {typed: 2}}
"""
FILES = {
    "catalog/base.yaml": CATALOG,
    "deploy/dev.yaml": "import: [catalog/base]\nvars: {stage: dev}\n",
    "deploy/prod.yaml": "import: [catalog/base]\nvars: {stage: prod, region: two}\nsettings: {size: 9}\n",
}
EVERY = frozenset(("plain", "named", "heir", "below", "data", "again", "all", "over", "type", "deciding", "chart"))
DECIDING = frozenset(("all", "again", "over", "type", "deciding"))
"""Those in which `settings.level` decides more than the value at the place of one template."""
NONE: frozenset[str] = frozenset()

EDITS = {
    "nothing names it": ("unused: 1", "unused: 2", NONE),
    "it is new": ("unused: 1", "unused: 1, new: 2", NONE),
    "it is gone": (", unused: 1", "", NONE),
    "an entry writes a template over it": ("region: one", "region: three", frozenset(("over",))),
    "of one type": ("typed: 1", "typed: 3", NONE),
    "of an entry": ("plain: {vars: {size: 1}}", "plain: {vars: {size: 3}}", NONE),
    "of an entry that others inherit from": ('"{{ .settings.level }}-x"', '"{{ .settings.level }}-x", more: 1', NONE),
    "templates name it": ("level: info", "level: debug", DECIDING),
    "templates name it, and it is gone": ("level: info, ", "", DECIDING),
    "templates name the map above": ("memory: 2", "memory: 3", frozenset(("all",))),
    "an empty map": ("limits: {cpu: 1, memory: 2}", "limits: {}", EVERY),
    "only all settings are named": ("size: 1, limits", "size: 2, limits", frozenset(("all",))),
    "null": ("unused: 1", "unused: null", EVERY),
    "a list": ("unused: 1", "unused: [1, 2]", NONE),
    "it is computed": ("unused: 1", "unused: !env NOWHERE 1", EVERY),
    "a template": ("unused: 1", 'unused: "{{ .vars.stage }}"', EVERY),
    "a template of an entry": ('"{{ .settings.level }}-x"', '"{{ .settings.level }}-y"', frozenset(("named", "heir"))),
    "what stacks are called": ("vars: {region: one", "vars: {stage: test, region: one", EVERY),
    "how lists are merged": ("level: info", "level: info, list_merge_strategy: append", EVERY),
    "another order": ("region: one, unused: 1", "unused: 1, region: one", EVERY),
}
"""What is written, what is written instead, and the components that are put together again for `describe stacks`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(plait.workspace, "WORTHWHILE", 0)
    place = tmp_path / "repository"
    place.mkdir()
    write(place, FILES)
    return place


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the components that were put together."""
    found: list[str] = []
    put_together = Component.__init__

    def counted(self: Component, siblings: Siblings, name: str) -> None:
        found.append(name)
        put_together(self, siblings, name)

    monkeypatch.setattr(Component, "__init__", counted)
    return found


def after(folder: Path, made: list[str], old: str, new: str, words: tuple[str, ...]) -> set[str]:
    """The components that a command puts together after a change; in any case it says what a fresh run says."""
    assert CATALOG.count(old) == 1
    run(folder, *words)
    write(folder, {"catalog/base.yaml": CATALOG.replace(old, new)})
    fresh = run(folder, *words, fresh=True)
    made.clear()
    assert run(folder, *words) == fresh
    return set(made)


@pytest.mark.parametrize(("old", "new", "expected"), EDITS.values(), ids=EDITS)
def test_which_components_are_put_together(
    old: str, new: str, expected: frozenset[str], folder: Path, made: list[str]
) -> None:
    assert after(folder, made, old, new, ("describe", "stacks")) == expected


@pytest.mark.parametrize("words", [("list", "instances"), ("validate", "stacks")], ids=" ".join)
@pytest.mark.parametrize(("old", "new", "expected"), EDITS.values(), ids=EDITS)
def test_answers_without_values_need_no_more(
    old: str, new: str, expected: frozenset[str], folder: Path, made: list[str], words: tuple[str, ...]
) -> None:
    assert after(folder, made, old, new, words) <= expected
