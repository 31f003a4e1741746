"""The explorer around values that are not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.apps.cli.run import run as main

ATMOS = 'base_path: .\nstacks: {base_path: stacks, included_paths: ["*"]}\n'
PROD = """\
components:
  terraform:
    api: {vars: {size: 1, id: !exec echo hi}}
    job: {metadata: {inherits: [!exec echo api]}, vars: {size: 2}}
"""


def test_a_page_of_something_unknown_says_why_and_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "atmos.yaml").write_text(ATMOS)
    (tmp_path / "stacks" / "prod.yaml").write_text(PROD)
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--export", "site"]) == 0
    (job,) = (tmp_path / "site").glob("value-prod-job-*.html")
    text = job.read_text()
    assert "This is not known here" in text
    assert "running commands is not allowed (--allow exec)" in text
    assert "PL4001" not in text
    (api,) = (tmp_path / "site").glob("value-prod-api-*.html")
    assert "(computed)" in api.read_text()


def test_what_may_override_something_is_not_counted_as_an_override(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "low.yaml").write_text("a: {k: 3}\nb: 1\n")
    (tmp_path / "high.yaml").write_text("a: !exec echo hi\nb: 2\n")
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--export", "site", "low.yaml", "high.yaml"]) == 0
    text = (tmp_path / "site" / "index.html").read_text()
    assert "2 values, 1 overrides others" in text
    assert "may override 1 layer" in text
    assert "may be overridden: not known whether it is merged" in text
