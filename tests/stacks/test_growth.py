"""Depth and sharing: long chains and diamonds cost steps that grow with the files, never with the ways through them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plait
from plait.evaluate.engine import Evaluator
from plait.merging.account import Account
from plait.workspace import Workspace
from tests.frames import few_frames
from tests.stacks.repository import CONFIG, repository

STAGE = "vars: {stage: dev}\n"


def steps_of_chain(folder: Path, length: int) -> int:
    for index in range(length):
        text = f"x: !include f{index + 1}.yaml .x\n" if index < length - 1 else "x: 1\n"
        (folder / f"f{index}.yaml").write_text(text, encoding="utf-8")
    files = {"deploy/dev.yaml": f"{STAGE}components: {{terraform: {{c: {{vars: {{a: !include f0.yaml .x}}}}}}}}\n"}
    stacks = repository(folder, files)
    assert stacks.component("c", stack="dev").value("vars.a") == 1
    return stacks.counters["steps"]


def test_files_that_include_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with few_frames():
        assert steps_of_chain(tmp_path, 1000) <= 4 * 1000


def diamonds(levels: int) -> dict[str, str]:
    """Imports and base components that are reached in two ways at every level."""
    files = {}
    bases = []
    for level in range(levels):
        below = level < levels - 1
        for side in "ab":
            head = f"import: [c/a{level + 1}, c/b{level + 1}]\n" if below else ""
            files[f"c/{side}{level}.yaml"] = (
                f"{head}vars: {{k: {side}{level}, {side}: {level}}}\noverrides: {{vars: {{o{side}: {level}}}}}\n"
            )
            inherits = f", inherits: [a{level + 1}, b{level + 1}]" if below else ""
            bases.append(
                f"    {side}{level}: {{metadata: {{type: abstract{inherits}}}, vars: {{{side}{level}: {level}}}}}\n"
            )
    own = "    c: {metadata: {inherits: [a0, b0]}, vars: {z: 1}}\n"
    files["deploy/dev.yaml"] = f"import: [c/a0, c/b0]\n{STAGE}components:\n  terraform:\n{''.join(bases)}{own}"
    return files


def test_diamonds_of_twenty_two_levels(tmp_path: Path) -> None:
    repository(tmp_path, diamonds(22))
    stacks = Workspace(str(tmp_path), cache=False).stacks(str(tmp_path))
    component = stacks.component("c", "dev")
    assert len(component.layers.chain) == 44
    assert component.layers.chain[-2:] == ["b1", "b0"]  # the bases of b0 apply over a0
    for provenance in (True, False):
        assert "b0" in stacks.describe_component("c", "dev", stacks.shape(query="" if provenance else "."), provenance)
    account = stacks.tree("c", "dev").account().find(("vars", "k"))
    assert account is not None
    assert account.winner.node.origin.file.endswith("c/b0.yaml")
    assert len(account.losers) == 43


def test_no_run_inside_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, imports, structure, includes and other components that have to be computed are waited for in the
    engine's tables."""
    running: list[bool] = []
    run = Evaluator.run

    def once(self: Evaluator, *words: object, **options: object) -> None:
        assert not running, "a run inside a run"
        running.append(True)
        try:
            run(self, *words, **options)  # type: ignore[arg-type]
        finally:
            running.pop()

    monkeypatch.setattr(Evaluator, "run", once)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts.yaml").write_text("base: {name: one, kind: abstract}\nstage: dev\n", encoding="utf-8")
    files = {
        "catalog/one.yaml": "settings: {version: '{{ \"v1\" }}'}\n",
        "catalog/v1/x.yaml": "components: {terraform: {one: {metadata: {type: !include facts.yaml "
        ".base.kind}, vars: {n: 1}}}}\n",
        "deploy/dev.yaml": """
import: [catalog/one, 'catalog/{{ .settings.version }}/x']
vars: {stage: !include facts.yaml .stage}
components:
  terraform:
    two: {metadata: {inherits: [!include facts.yaml .base.name]}, vars: {m: '{{ .vars.n }}'}}
    three: {vars: {all: '{{ (atmos.Component "two" "dev").vars.m }}', part: !include facts.yaml .base}}
""",
    }
    stacks = repository(tmp_path, files)
    three = stacks.component("three", stack="dev")
    assert three.value("vars.all") == "1"
    assert three.value("vars.part.kind") == "abstract"
    assert stacks.stacks() == ["dev"]


def test_a_key_of_the_configuration_that_nobody_asks_for_is_not_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    token = "env: {TOKEN: !exec 'echo asked >> asked; echo token'}\nstores: {x: !exec 'echo asked >> asked'}\n"
    files = {"deploy/dev.yaml": f"{STAGE}components: {{terraform: {{c: {{}}}}}}\n"}
    stacks = repository(tmp_path, files, CONFIG + token, allow=["exec"])
    assert stacks.stacks() == ["dev"]
    assert not (tmp_path / "asked").exists()
    assert stacks.component("c", stack="dev").value("env.TOKEN") == "token"
    assert (tmp_path / "asked").read_text(encoding="utf-8") == "asked\n"


def test_the_tellers_agree(tmp_path: Path) -> None:
    """`explain`, provenance comments and `sources` name the same file and line for every leaf."""
    files = {
        "catalog/app.yaml": "settings: {deep: {a: 1, b: 2}}\ncomponents: {terraform: {base: {metadata: "
        "{type: abstract}, vars: {x: 1, l: [1, 2], t: '{{ .vars.stage }}'}}}}\n",
        "deploy/dev.yaml": f"import: [catalog/app]\n{STAGE}settings: {{deep: {{b: 3}}}}\nterraform: "
        f"{{backend_type: s3, backend: {{s3: {{bucket: b}}}}}}\noverrides: {{vars: {{x: 9}}}}\n"
        "components: {terraform: {c: {metadata: {inherits: [base]}, env: {E: 1}}}}\n",
    }
    repository(tmp_path, files, CONFIG + "env: {E: 0, F: 2}\n")
    stacks = Workspace(str(tmp_path), cache=False).stacks(str(tmp_path))
    account = stacks.tree("c", "dev").account()
    text = stacks.describe_component("c", "dev", stacks.shape(), True)
    for section in ("vars", "settings", "env", "backend"):
        place = account.find((section,))
        assert place is not None
        for path, leaf in place.leaves():
            origin = leaf.winner.node.origin
            if not origin.source.given and "atmos.yaml" not in origin.file:
                file = origin.file.partition("stacks/")[2]
                line = next(line for line in text.splitlines() if line.strip().startswith(_line_of(path, leaf)))
                assert line.endswith(f"{file}:{origin.line}"), (section, path, line)
    sources = plait.stacks(str(tmp_path)).component("c", stack="dev")
    assert sources.value("vars.x") == 9
    rows = json.loads(stacks.describe_component("c", "dev", stacks.shape("json", ".sources"), False))
    files_of_env = [row["stack_file"] for row in rows["env"]["E"]["stack_dependencies"]]
    assert files_of_env[0] == "deploy/dev"
    assert files_of_env[1].endswith("atmos.yaml")
    assert [row["stack_file"] for row in rows["backend"]["bucket"]["stack_dependencies"]] == ["deploy/dev"]
    assert [row["stack_file"] for row in rows["vars"]["x"]["stack_dependencies"]] == ["deploy/dev", "catalog/app"]


def _line_of(path: tuple[object, ...], leaf: Account) -> str:
    return f"{path[-1]}:" if not isinstance(path[-1], int) else f"- {leaf.known.text}"  # type: ignore[attr-defined]
