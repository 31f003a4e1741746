"""The pages of a review and of a verification in a real browser: they open, can be searched, and no text becomes script
or markup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plait.apps.cli import main
from tests.browser import opened
from tests.web.test_accessibility import AXE, CHECK

HOSTILE = "<img src=x onerror=alert(1)></code></script><script>alert(2)</script>`|[x](javascript:alert(3))::error::"
SETTINGS = "targets: [{name: a, layers: [a.yaml]}]\n"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for side, number in (("old", 1), ("new", 2)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "plait.yaml").write_text(SETTINGS)
        (tmp_path / side / "a.yaml").write_text(
            f"size: {number}\nother: {number}\npassword: !sensitive hunter{number}\n'{HOSTILE}': '{HOSTILE} {number}'\n"
        )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rendered(form: str, capsys: pytest.CaptureFixture[str]) -> str:
    main(["review", "old", "new", "--format", form])
    return capsys.readouterr().out


def test_the_page_in_a_browser(folders: Path, chromium: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = rendered("html", capsys)
    assert "hunter" not in text
    (folders / "page.html").write_text(text, encoding="utf-8")
    with opened(chromium, folders / "page.html") as found:
        page = found.page
        assert page.inner_text("h1").startswith("4 values change in 1 of 1 target")
        assert page.locator("details:visible").count() == 5  # four causes, and the layers of the target
        page.fill("input", "size")
        assert page.locator("details:visible").count() == 1
        assert page.locator("tbody tr:visible").count() == 1
        page.fill("input", "")
        assert page.locator("details:visible").count() == 5
        assert page.locator("tr:visible", has_text="size").locator("del, ins").all_inner_texts() == ["1", "2"]
        page.get_by_role("button", name="Fold", exact=True).click()
        assert page.locator("details[open]").count() == 0
        page.get_by_role("button", name="Unfold").click()
        assert page.locator("details[open]").count() == 5
        assert page.locator(".layered .card").all_inner_texts()[0].startswith("a.yaml\nchanged\n")
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1
        assert found.problems == []
        assert found.fetched == [(folders / "page.html").as_uri()]


@pytest.mark.long
@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: make services")
@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_axe_finds_nothing_in_a_report(
    folders: Path, chromium: Any, capsys: pytest.CaptureFixture[str], dark: bool
) -> None:
    (folders / "page.html").write_text(rendered("html", capsys), encoding="utf-8")
    options = {"color_scheme": "dark", "viewport": {"width": 390, "height": 800}} if dark else {}
    page = chromium.new_page(bypass_csp=True, **options)
    page.goto((folders / "page.html").as_uri())
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    page.add_script_tag(path=AXE)
    assert page.evaluate(CHECK, {}) == []
    page.close()


def test_the_page_of_a_verification_in_a_browser(
    folders: Path, chromium: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folders / "new")
    saved = f"size: 1\nother: 2\npassword: !sensitive hunter1\n'{HOSTILE}': '{HOSTILE} 1'\n"
    (folders / "saved.yaml").write_text(saved, encoding="utf-8")
    assert main(["verify", "--against", "../saved.yaml", "--format", "html"]) == 1
    text = capsys.readouterr().out
    assert "hunter" not in text
    (folders / "page.html").write_text(text, encoding="utf-8")
    with opened(chromium, folders / "page.html") as found:
        page = found.page
        assert page.inner_text("h1") == "1 target: 1 different"
        assert page.locator("tbody tr:visible").count() == 3
        page.fill("input", "size")
        assert page.locator("tbody tr:visible").all_inner_texts() == ["size\t1\t2\ta.yaml:1:7\treason unknown"]
        page.fill("input", "nothing has this")
        assert page.locator("details:visible").count() == 0
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1
        assert found.problems == []
        assert found.fetched == [(folders / "page.html").as_uri()]


def test_markdown_stays_in_its_table(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = rendered("markdown", capsys)
    assert text.startswith("## plait review: ")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "alert" in line]
    assert len(rows) == 2
    for row in rows:
        ticks = row.count("``")
        assert ticks > 0
        assert ticks % 2 == 0
        assert row.replace("\\|", "").count("|") == row.replace("\\|", "").count(" | ") + 2


def test_annotations_are_one_line_each(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = rendered("github", capsys).splitlines()
    assert len(lines) == 5
    assert all(line.startswith(("::notice file=a.yaml,line=", "::notice::")) for line in lines)
