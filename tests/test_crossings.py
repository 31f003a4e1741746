"""How often one question crosses from one file of the package to another: a counter of how scattered its path is.

The limit is the goal: half of what it was once. It leaves room for a few calls. Where it is exceeded, look at the calls
in their order: questions about the keys of one map belong in one call. See docs/decisions/0061-floors-of-stacks.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from plait.apps.cli import main
from plait.core import native

PACKAGE = str(Path(__file__).parents[1] / "src" / "plait") + "/"
LIMIT = 612
"""516 in the answer itself, five of which say what the `component` and the metadata of a component are; two ask
afterwards which values are mistakes, and report them; two make objects that are only fields (`core/struct.py`); three
list the imports when they are looked at; ten clean the paths of patterns as Atmos does, ask of which types sections
are, and whether the component is deployed, on which its settings depend."""
PYTHON_READER = 50
"""How many more there may be where the native reader was not built."""
FILES = {
    "atmos.yaml": """\
base_path: "."
components: {terraform: {base_path: components/terraform}}
stacks:
  base_path: stacks
  included_paths: ["**/*"]
  excluded_paths: ["catalog/**/*"]
  name_template: "{{ .vars.stage }}"
""",
    "stacks/catalog/vpc.yaml": """\
components:
  terraform:
    vpc:
      vars: {cidr: 10.0.0.0/16, zones: [a, b], name: base}
""",
    "stacks/prod.yaml": """\
import: [catalog/vpc]
vars: {stage: prod}
components:
  terraform:
    vpc:
      vars: {name: main, tags: {team: net}}
""",
}


class Crossings:
    """Counts calls from one file of the package into another."""

    def __init__(self) -> None:
        self.found: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or frame.f_back is None:
            return
        caller, callee = frame.f_back.f_code.co_filename, frame.f_code.co_filename
        if caller != callee and caller.startswith(PACKAGE) and callee.startswith(PACKAGE):
            self.found[caller[len(PACKAGE) :], callee[len(PACKAGE) :]] += 1


def test_describing_a_component_crosses_between_files_at_most_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    question = ["describe", "component", "vpc", "-s", "prod"]
    assert main(question) == 0  # modules are loaded, and the cache is written
    crossings = Crossings()
    sys.setprofile(crossings)
    try:
        assert main(question) == 0
    finally:
        sys.setprofile(None)
    assert "cidr: 10.0.0.0/16" in capsys.readouterr().out
    total = sum(crossings.found.values())
    limit = LIMIT if native.scan is not None else LIMIT + PYTHON_READER
    assert 0 < total <= limit, f"{total}: {crossings.found.most_common(8)}"
