"""Many files, deep chains, and many processes at once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plait import PlaitError
from tests.cases import PLAIT, environment
from tests.stacks.repository import repository


def test_a_long_chain_of_locals(tmp_path: Path) -> None:
    chain = "".join(f'  l{i}: "{{{{ .locals.l{i - 1} }}}}"\n' for i in range(1, 400))
    text = (
        f"vars: {{stage: dev}}\nlocals:\n  l0: seed\n{chain}components: {{terraform: {{c: {{vars: {{x: "
        f"'{{{{ .locals.l399 }}}}'}}}}}}}}\n"
    )
    assert repository(tmp_path, {"deploy/dev.yaml": text}).component("c", stack="dev").value("vars.x") == "seed"


def test_a_long_chain_of_bases(tmp_path: Path) -> None:
    members = "".join(f"    c{i}: {{metadata: {{inherits: [c{i - 1}]}}, vars: {{n{i}: {i}}}}}\n" for i in range(1, 300))
    text = f"vars: {{stage: dev}}\ncomponents:\n  terraform:\n    c0: {{vars: {{n0: 0}}}}\n{members}"
    found = repository(tmp_path, {"deploy/dev.yaml": text}).component("c299", stack="dev").value("vars")
    assert isinstance(found, dict)
    assert len(found) == 301


def test_imports_that_nest_too_deep(tmp_path: Path) -> None:
    files = {f"catalog/f{i}.yaml": f"import: [catalog/f{i + 1}]\n" for i in range(150)}
    files["catalog/f150.yaml"] = "vars: {}\n"
    files["deploy/dev.yaml"] = "import: [catalog/f0]\nvars: {stage: dev}\n"
    assert [problem.code for problem in repository(tmp_path, files).problems()] == ["PL5001"]


def test_a_broken_manifest_is_told_when_it_is_asked_for(tmp_path: Path) -> None:
    stacks = repository(
        tmp_path,
        {
            "deploy/dev.yaml": "import: [nowhere]\n",
            "deploy/prod.yaml": "vars: {stage: prod}\ncomponents: {terraform: {c: {}}}\n",
        },
    )
    assert stacks.stacks() == ["prod"]
    with pytest.raises(PlaitError, match="stack import not found"):
        stacks.component("c", stack="dev")


@pytest.mark.long
def test_eight_processes_at_once_give_the_same_bytes(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    note = f"# {'why this stack is as it is ' * 30}\n"
    body = "locals: {{a: {i}}}\ncomponents: {{terraform: {{c: {{vars: {{x: '{{{{ .locals.a }}}}', y: [{i}, b]}}}}}}}}\n"
    repository(project, {f"deploy/s{i}.yaml": f"{note}vars: {{stage: s{i}}}\n{body.format(i=i)}" for i in range(30)})
    argv, env = [*PLAIT, "describe", "stacks"], environment(project)
    alone = subprocess.run([*argv, "--no-cache"], cwd=project, env=env, capture_output=True, check=True).stdout
    assert alone.count(b"atmos_component: c\n") == 30
    for _ in ("while they write the cache", "when it is there"):
        running = [subprocess.Popen(argv, cwd=project, env=env, stdout=subprocess.PIPE) for _ in range(8)]
        assert {process.communicate()[0] for process in running} == {alone}
        kept = [path for path in Path(env["XDG_CACHE_HOME"]).rglob("*") if path.is_file()]
        assert b"plait answer" in {path.read_bytes()[:12] for path in kept}
