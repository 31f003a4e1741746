"""Files of SOPS: read through `sops` where it may be run, usable without it, never changed.

The command here is a stand-in.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.apps.cli import main

SECRET = """\
# who may log in
user: admin
password: ENC[AES256_GCM,data:Zz1,type:str]
keys:
- ENC[AES256_GCM,data:Zz2,type:str]
sops:
  mac: ENC[AES256_GCM,data:x,type:str]
  version: 3.9.0
"""
STAND_IN = """\
#!/bin/sh
[ "$1" = --decrypt ] || exit 9
[ -e "$PWD/no-key" ] && { echo "no key" >&2; exit 128; }
sed -e 's/ENC.*Zz1.*/hunter2/' -e 's/ENC.*Zz2.*/one/' -e '/^sops:/,$d' "$5"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "secrets.yaml").write_text(SECRET)
    (tmp_path / "base.yaml").write_text("user: x\nsize: 1\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sops").write_text(STAND_IN)
    (tmp_path / "bin" / "sops").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main([*words, "--no-cache"])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")


def test_without_sops_values_are_called_encrypted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "merge", "base.yaml", "secrets.yaml", "--allow", "exec")
    assert out == "user: admin\nsize: 1\npassword: (encrypted)\nkeys:\n- (encrypted)\n"


@pytest.mark.usefixtures("installed")
def test_without_permission_nothing_is_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "password: (encrypted)" in run(capsys, "merge", "base.yaml", "secrets.yaml")[1]


@pytest.mark.usefixtures("installed")
def test_decrypted_values_are_secrets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "merge", "base.yaml", "secrets.yaml", "--allow", "exec")
    assert out == "user: admin\nsize: 1\npassword: <sensitive>\nkeys:\n- <sensitive>\n"
    _, out, _ = run(capsys, "merge", "secrets.yaml", "--allow", "exec", "--reveal", "--path", "keys")
    assert out == "- one\n"
    _, out, _ = run(capsys, "explain", "password", "base.yaml", "secrets.yaml", "--allow", "exec")
    assert "secrets.yaml:3:11" in out
    assert "hunter2" not in out


@pytest.mark.usefixtures("installed")
def test_a_key_that_is_missing_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "no-key").touch()
    status, _, err = run(capsys, "merge", "secrets.yaml", "--allow", "exec")
    assert status == 1
    assert "PL2008" in err


def test_an_edit_leaves_encrypted_values_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "set", "secrets.yaml", "user", "root")
    assert (folder / "secrets.yaml").read_text() == SECRET.replace("admin", "root")


@pytest.mark.parametrize("allowed", [(), ("--allow", "exec")])
@pytest.mark.usefixtures("installed")
def test_untouched_values_are_written_back_as_they_were_encrypted(
    folder: Path, capsys: pytest.CaptureFixture[str], allowed: tuple[str, ...]
) -> None:
    (folder / "over.yaml").write_text("user: root\ncopy: !ref password\n")
    assert run(capsys, "merge", "base.yaml", "secrets.yaml", "over.yaml", "-o", "out.yaml", *allowed) == (0, "", "")
    hidden = "<sensitive>" if allowed else "(encrypted)"
    assert (
        (folder / "out.yaml").read_text()
        == f"""\
user: root
size: 1
password: ENC[AES256_GCM,data:Zz1,type:str]
keys:
- ENC[AES256_GCM,data:Zz2,type:str]
copy: {hidden}
sops:
  mac: ENC[AES256_GCM,data:x,type:str]
  version: 3.9.0
"""
    )


@pytest.mark.usefixtures("installed")
def test_a_changed_value_needs_no_section(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "over.yaml").write_text("password: !unset\nkeys: [y]\n")
    run(capsys, "merge", "secrets.yaml", "over.yaml", "-o", "out.yaml", "--allow", "exec")
    assert (folder / "out.yaml").read_text() == "user: admin\nkeys:\n- y\n"


def test_two_encrypted_files_cannot_be_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "more.yaml").write_text(SECRET.replace("password", "token").replace("keys", "more"))
    status, _, err = run(capsys, "merge", "secrets.yaml", "more.yaml", "-o", "out.yaml")
    assert status == 1
    assert "error PL2009" in err
    assert "secrets.yaml:2:1" in err
    assert "more.yaml:2:1" in err
    assert not (folder / "out.yaml").exists()


def test_a_key_called_sops_is_only_a_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own.yaml").write_text("sops: {image: x}\n")
    assert run(capsys, "merge", "own.yaml")[1] == "sops:\n  image: x\n"
