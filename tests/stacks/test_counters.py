"""The work that questions do: it does not vary with the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.fronts.stacks.answers.listing import Listing
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.layers import Siblings
from plait.workspace import Workspace
from tests.stacks.repository import repository

CATALOG = """
components:
  terraform:
    base:
      metadata: {type: abstract}
      vars: {home: !exec 'echo x >> calls; echo home'}
"""
MANIFEST = """
import: [catalog/base]
vars: {{stage: {stage}}}
locals: {{token: !exec 'echo y >> calls; echo token'}}
components:
  terraform:
    a: {{metadata: {{inherits: [base]}}, vars: {{t: "{{{{ .locals.token }}}}"}}}}
    b: {{metadata: {{inherits: [base]}}, vars: {{t: "{{{{ .locals.token }}}}", u: "x-{{{{ .locals.token }}}}"}}}}
"""


def files() -> dict[str, str]:
    stages = {f"deploy/{stage}.yaml": MANIFEST.format(stage=stage) for stage in ("dev", "prod")}
    return {"catalog/base.yaml": CATALOG, **stages}


def test_names_call_no_function_and_read_each_file_once(tmp_path: Path) -> None:
    stacks = repository(tmp_path, files(), allow=["exec"])
    assert stacks.stacks() == ["dev", "prod"]
    assert stacks.counters["calls"] == 0
    assert stacks.counters["files"] == 4  # with atmos.yaml


def test_a_function_in_a_local_is_called_once_however_many_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stacks = repository(tmp_path, files(), allow=["exec"])
    for component in ("a", "b"):
        assert stacks.component(component, stack="dev").value("vars.t") == "token"
    assert stacks.component("b", stack="dev").value("vars.u") == "x-token"
    assert (tmp_path / "calls").read_text() == "y\n"
    assert stacks.component("a", stack="dev").value("vars.home") == "home"
    assert stacks.component("b", stack="dev").value("vars.home") == "home"
    assert (tmp_path / "calls").read_text() == "y\nx\n"


def test_one_component_is_evaluated_and_what_it_reads(tmp_path: Path) -> None:
    stacks = repository(tmp_path, files(), allow=["exec"])
    assert stacks.component("a", stack="dev").value("vars.stage") == "dev"
    assert stacks.counters["forced"] == 0


@pytest.mark.parametrize(
    ("words", "made"),
    [({}, 4), ({"stack": "dev"}, 2), ({"stack": "d*"}, 2), ({"type": "abstract"}, 2), ({"type": "all"}, 6)],
)
def test_a_list_puts_together_only_the_components_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: dict[str, str], made: int
) -> None:
    repository(tmp_path, files(), allow=["exec"])
    stacks = Workspace(str(tmp_path), cache=False).stacks(str(tmp_path))
    stacks.names()
    found: list[str] = []
    build = Component.__init__

    def counted(self: Component, siblings: Siblings, name: str) -> None:
        found.append(name)
        build(self, siblings, name)

    monkeypatch.setattr(Component, "__init__", counted)
    assert len(Listing(stacks.repository, stacks.chosen(**words)).rows("instances")) == len(found) == made
