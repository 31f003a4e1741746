"""Trust pins what was read: a file that changed asks again, whatever its name."""

from __future__ import annotations

import pytest

from plait.access.door import Door
from plait.access.guard import Guard
from plait.core.node import Node, Scalar, plain_value, text
from plait.core.scope import Denied
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from tests.test_safety import STACK, VPC, Clone

RUNS = 'cmd: (( merge ))\nout: (( exec("sh", "-c", cmd) ))\n'


@pytest.mark.parametrize("name", ["stub.tmpl", "stub.txt", "stub", "stub.yml", "stub.bin"])
def test_a_stub_of_any_name_is_pinned(clone: Clone, name: str) -> None:
    clone.write("t.yml", RUNS)
    clone.write(name, "cmd: echo hello\n")
    clone.plait("trust")
    assert "out: hello" in clone.plait("spiff", "merge", "t.yml", name)[1]
    clone.write(name, f"cmd: touch {clone.out}/ran\n")
    assert f"`{name}` changed since" in clone.refused("spiff", "merge", "t.yml", name, "--explain-errors")
    assert not (clone.out / "ran").exists()


def not_run(clone: Clone, why: str) -> None:
    """A stack that is described has no value where a command would run, and both ways to ask say why and what to do."""
    status, out, err = clone.plait(*VPC)
    assert (status, "out: (computed)" in out) == (0, True)
    strict = clone.refused(*VPC, "--error-mode", "strict")
    for said in (err, strict):
        assert why in said
        assert f"check it, then:  plait trust --allow exec {clone.root}" in said
        assert "--allow exec)" not in said


def test_an_imported_template_is_pinned(clone: Clone) -> None:
    clone.write("atmos.yaml", (clone.root / "atmos.yaml").read_text() + "templates: {settings: {enabled: true}}\n")
    clone.write("stacks/extra.yaml.tmpl", 'vars: {cmd: "echo hello"}\n')
    made = STACK.replace("vpc: {}", "vpc: {vars: {out: '!exec {{ .vars.cmd }}'}}")
    clone.write("stacks/deploy/dev.yaml", f"import: [extra.yaml.tmpl]\n{made}")
    clone.plait("trust")
    assert "hello" in clone.plait(*VPC)[1]
    clone.write("stacks/extra.yaml.tmpl", f'vars: {{cmd: "touch {clone.out}/ran"}}\n')
    not_run(clone, "`stacks/extra.yaml.tmpl` changed since")
    assert not (clone.out / "ran").exists()


def test_an_included_text_is_pinned(clone: Clone) -> None:
    clone.write("atmos.yaml", (clone.root / "atmos.yaml").read_text() + "templates: {settings: {enabled: true}}\n")
    clone.write("stacks/deploy/c.txt", "echo hello\n")
    command = "cmd: !include ./c.txt , out: '!exec {{ .vars.cmd }}'"
    clone.write("stacks/deploy/dev.yaml", STACK.replace("vpc: {}", f"vpc: {{vars: {{{command}}}}}"))
    clone.plait("trust")
    assert "hello" in clone.plait(*VPC)[1]
    clone.write("stacks/deploy/c.txt", f"touch {clone.out}/ran\n")
    not_run(clone, "`stacks/deploy/c.txt` changed since")
    assert not (clone.out / "ran").exists()


def test_text_of_another_revision_is_not_what_was_trusted(clone: Clone) -> None:
    from tests.outside.project import git

    clone.write("t.yml", RUNS)
    clone.write("stub.yml", f"cmd: touch {clone.out}/ran\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    clone.write("stub.yml", "cmd: echo hello\n")
    clone.plait("trust")
    clone.plait("spiff", "merge", "t.yml", "HEAD:stub.yml")
    assert not (clone.out / "ran").exists()


def test_a_file_from_elsewhere_gives_no_command(clone: Clone) -> None:
    """A trusted file asks for another one outside, which nobody pinned: what it holds does not become a command."""
    clone.write("a.yaml", "cmd: !include ../out/c.yaml\nout: !exec echo hello\n")
    (clone.out / "c.yaml").write_text("TOPSECRET\n")
    clone.plait("trust", "--allow", "exec,files")
    assert "was read too, and is not part of" in clone.refused("merge", "a.yaml")
    (clone.out / "c.yaml").write_text("harmless\n")
    assert clone.plait("merge", "a.yaml", "--allow", "exec")[1] == "cmd: harmless\nout: hello\n"


def test_what_one_file_was_told_is_not_told_to_another() -> None:
    """A question is asked once, and who may not ask it does not get the answer."""
    guard = Guard()
    guard.consent = lambda capability, source: None if source.name == "trusted.yaml" else "not trusted"
    evaluator = Evaluator(Door(guard=guard))
    trusted, other = (Scalar("x", "x", Source(name, "x")) for name in ("trusted.yaml", "other.yaml"))
    asked: list[object] = []

    def ask(node: Scalar) -> Node:
        return evaluator.call("exec", ("question",), lambda permit: asked.append(permit) or text("answer"), node)  # type: ignore[func-returns-value]

    with pytest.raises(Denied):
        ask(other)
    assert evaluator.answer_before("exec", ("question",), trusted) is None
    assert plain_value(ask(trusted)) == plain_value(ask(trusted)) == "answer"
    with pytest.raises(Denied):
        ask(other)
    assert len(asked) == 1
    assert evaluator.answer_before("exec", ("question",), trusted) == text("answer")
    assert evaluator.answer_before("exec", ("question",), other) is None
