"""How much work `plait tidy` does: it grows with the files, not with the number of targets that read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.review.compared import comparing
from plait.tidy.looking import ValueUses
from plait.workspace import Workspace

KEYS = 30


def layers(folder: Path, count: int) -> None:
    """Targets that share a base of many keys; each has one key of its own."""
    (folder / "env").mkdir(parents=True)
    (folder / "plait.yaml").write_text(
        'targets:\n- {name: "{env}", layers: [base.yaml, "env/{env}.yaml"], for: {env: "env/*.yaml"}}\n'
    )
    (folder / "base.yaml").write_text("".join(f"k{number}: {number}\n" for number in range(KEYS)))
    for number in range(count):
        (folder / "env" / f"e{number}.yaml").write_text(f"k0: 0\nown: {number}\n")


def stacks(folder: Path, count: int, components: int = 1) -> None:
    """Stacks that import a catalog of components with many values, and set one of them."""
    (folder / "stacks" / "catalog").mkdir(parents=True)
    (folder / "stacks" / "deploy").mkdir()
    (folder / "atmos.yaml").write_text(
        'stacks: {base_path: stacks, included_paths: ["deploy/*"], name_template: "{{ .vars.stage }}"}\n'
    )
    values = "".join(f"        k{number}: {number}\n" for number in range(KEYS))
    names = [f"c{number}" for number in range(components)]
    bases = "".join(f"    {name}/base:\n      metadata: {{type: abstract}}\n      vars:\n{values}" for name in names)
    (folder / "stacks/catalog/c.yaml").write_text(f"components:\n  terraform:\n{bases}")
    own = "".join(f"    {name}: {{metadata: {{inherits: [{name}/base]}}, vars: {{k0: 0}}}}\n" for name in names)
    for number in range(count):
        text = f"import: [catalog/c]\nvars: {{stage: s{number}}}\ncomponents:\n  terraform:\n{own}"
        (folder / "stacks" / "deploy" / f"s{number}.yaml").write_text(text)


@pytest.mark.parametrize("make", [layers, stacks])
def test_what_targets_share_is_looked_at_once(tmp_path: Path, make: object) -> None:
    looks = {}
    for count in (4, 24):
        folder = tmp_path / str(count)
        make(folder, count)  # type: ignore[operator]
        project = Workspace(str(folder), cache=False)
        with comparing(project.project):
            uses = ValueUses(project.world())
            for _ in uses.steps():
                pass
        looks[count] = uses.looks
        assert uses.accounts == 0, "plain maps and values need no account"
        shared = [use for rows in uses.uses.values() for use in rows.values() if len(use.targets) == count]
        assert len(shared) >= KEYS - 1, "every target is named for what it shares"
    own = (looks[24] - looks[4]) / 20
    assert own <= 5, "a target costs what only it has"
    assert looks[24] < KEYS + 24 * 5


@pytest.mark.parametrize("make", [layers, stacks])
def test_proposals_that_hold_are_proved_in_one_try(tmp_path: Path, make: object) -> None:
    make(tmp_path / "repository", 12)  # type: ignore[operator]
    found = Workspace(str(tmp_path / "repository"), cache=False).tidying.proposals()
    assert len(found.proposals) >= 12
    assert found.proof.tried == 1
