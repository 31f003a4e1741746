"""Who has no permit reaches nothing: the door makes permits, and services work with the one that they are given."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plait.access.door import Door
from plait.access.guard import CAPABILITIES, Guard
from plait.access.permit import NotPermitted, Permit
from plait.apps.cli.run import run
from plait.core.node import Scalar
from plait.core.scope import Denied
from tests.outside.permits import ENV, EXEC, NETWORK, NOTHING

ACTIONS = {
    "run": (EXEC, ["true"], 1),
    "get": (NETWORK, "http://127.0.0.1:1/"),
    "post": (NETWORK, "http://127.0.0.1:1/", b"", {}),
    "client": (NETWORK, "redis", "it"),
    "git": (NETWORK, ("--version",), ".", False),
    "variables": (ENV,),
    "variable": (ENV, "HOME"),
    "setting": (ENV, "HOME"),
    "write": (None, "/dev/null", "", "utf-8"),
}
"""Every way to the outside that a permit has: whose permit it needs, and arguments."""


def test_every_way_is_here() -> None:
    assert set(ACTIONS) == {name for name in vars(Permit) if not name.startswith("_")} - {"need", "conceals"}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_permit_goes_no_further_than_it_says(name: str) -> None:
    needed, *arguments = ACTIONS[name]
    for other in (EXEC, NETWORK, ENV, NOTHING):
        if other is not needed:
            with pytest.raises(NotPermitted):
                getattr(other, name)(*arguments)


@pytest.mark.parametrize("capability", sorted(set(CAPABILITIES) - {"env", "random"}))
def test_the_door_makes_no_permit_without_the_guard(capability: str) -> None:
    with pytest.raises(Denied):
        Door().permit(capability, Scalar(None, ""))
    Door(guard=Guard(frozenset({capability}))).permit(capability, Scalar(None, ""))
    with pytest.raises(Denied):
        Door(guard=Guard(frozenset({capability}), hermetic=True)).permit(capability, Scalar(None, ""))


STORES = {
    "aws/ssm": "{region: eu-west-1, read_role_arn: 'arn:aws:iam::1:role/x', endpoint_url: 'http://127.0.0.1:1'}",
    "aws/asm": "{region: eu-west-1, read_role_arn: 'arn:aws:iam::1:role/x'}",
    "redis": "{url: 'redis://127.0.0.1:1'}",
    "vault": "{url: 'http://127.0.0.1:1', role_id: x}",
    "azure/keyvault": "{vault_url: 'http://127.0.0.1:1'}",
    "gsm": "{project_id: x}",
    "artifactory": "{url: 'http://127.0.0.1:1', repo_name: x}",
}


@pytest.mark.parametrize("type", STORES)
def test_a_store_that_is_not_allowed_imports_no_client_and_connects_to_nobody(
    type: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Assuming a role and opening a connection used to happen while a store was made, before anybody had asked."""
    libraries = ("boto3", "redis", "google.auth", "azure.identity")
    for library in libraries:
        monkeypatch.setitem(sys.modules, library, None)  # importing it would fail, and the error would say so
    (tmp_path / "stacks").mkdir()
    (tmp_path / "atmos.yaml").write_text(
        'base_path: .\nstacks: {base_path: stacks, included_paths: ["**/*"], name_pattern: "{stage}"}\n'
        f"stores: {{main: {{type: {type}, options: {STORES[type]}}}}}\n"
    )
    (tmp_path / "stacks/dev.yaml").write_text(
        "vars: {stage: dev}\ncomponents: {terraform: {c: {vars: {x: !store main dev c key}}}}\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["describe", "component", "c", "-s", "dev"]
    assert run(words) == 0
    shown = capsys.readouterr()
    assert "x: (computed)" in shown.out
    assert "1 value is not known: network is not allowed" in shown.err
    assert run([*words, "--error-mode", "strict"]) == 1
    refused = capsys.readouterr().err
    assert "use the network" in refused
    for said in (shown.err, refused):
        assert "needs the package" not in said
