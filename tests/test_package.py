"""What a wheel holds and says: help, pages and manual pages for somebody who has nothing else.

`make package` builds, installs and uses it; this is the part that takes no environment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from release import capture, check
from release.addresses import addressed, addresses, commit, published, web_address
from release.described import DESCRIPTION, INSTALL, index_readme
from release.package import VERSIONS
from release.pages import diagnostic_page, installed_pages, man_pages

from plait.access.pages import page_names, page_text
from plait.apps.cli.command import help_of
from plait.apps.cli.commands import COMMANDS, load
from plait.apps.cli.help import answer, plain
from plait.apps.lsp.diagnostics import page_of
from plait.report.catalog import CATALOG
from plait.version import DOCUMENTATION

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MORE = re.compile(r"plait help ([\w/-]+)")


def test_one_install_has_what_users_run() -> None:
    """Extras are for outside services and engines; what developers need is no public extra."""
    names = [re.split("[<>=]", one)[0] for one in PROJECT["dependencies"]]
    assert names == ["PyYAML", "jinja2", "jsonschema-rs", "pygls", "starlette", "uvicorn"]
    extras = {"redis", "aws", "gcp", "azure", "dask", "ray", "crypto", "watch"}
    assert set(PROJECT["optional-dependencies"]) == extras
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    assert set(groups) == {"dev", "bench", "profiles", "services", "docs", "package"}


def test_every_claimed_python_has_its_classifier_and_its_wheel() -> None:
    classifiers = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert tuple(classifiers) == VERSIONS
    wheels = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]["build"]
    assert wheels.split() == [f"cp{version.replace('.', '')}-*" for version in VERSIONS]
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"


def test_what_the_build_runs_is_there() -> None:
    """The build makes manual pages from the declarations of the commands, which may import what plait needs."""
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert PROJECT["dependencies"][0] in required  # PyYAML; the declarations import no other package
    pinned = (ROOT / "release" / "tools" / "build.txt").read_text().lower()
    assert all(f"\n{re.split('[<>=]', one)[0].lower()}==" in pinned for one in required)


def test_versions_are_the_same_everywhere() -> None:
    assert check.versions_are_one() == ""


def test_a_checkout_links_to_the_pages_beside_it() -> None:
    assert page_of("PL2101", DOCUMENTATION).startswith(DOCUMENTATION or "file:///")


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://host.example/me/plait.git", "https://host.example/me/plait"),
        ("https://name:token@host.example/me/plait/", "https://host.example/me/plait"),
        ("git@host.example:me/plait.git", "https://host.example/me/plait"),
        ("ssh://git@host.example:2222/me/plait", "https://host.example/me/plait"),
        ("http://host.example/me/plait", ""),
        ("/srv/git/plait.git", ""),
        ("../plait", ""),
        ("", ""),
    ],
)
def test_a_build_by_hand_links_to_where_the_clone_came_from(remote: str, address: str) -> None:
    assert web_address(remote) == address


def test_the_description_and_how_to_install_come_from_one_source() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = index_readme(readme)
    assert INSTALL["repository"] in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for text in (readme, (ROOT / "docs" / "index.md").read_text(encoding="utf-8")):
        assert f"plait {DESCRIPTION[0].lower()}{DESCRIPTION[1:]}." in text
    assert f"site_description: {DESCRIPTION}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "pipx install plait " in shown
    assert "on Windows, plait runs in WSL" in shown
    assert "not on a package index" not in shown
    with pytest.raises(ValueError, match=r"README\.md"):
        index_readme("# plait\n")


def test_a_build_is_given_its_addresses() -> None:
    given = {"PLAIT_ADDRESS": "https://host.example/me/plait/", "PLAIT_SITE": "https://docs.example"}
    assert addresses(given) == {
        "Documentation": "https://docs.example/",
        "Source": "https://host.example/me/plait",
        "Changelog": "https://host.example/me/plait/blob/main/CHANGELOG.md",
        "Issues": "https://host.example/me/plait/issues",
    }
    names: dict[str, str] = {}
    exec(addressed(given), names)
    assert names["COMMIT"] == commit()
    assert (names["SOURCE"], names["DOCUMENTATION"]) == ("https://host.example/me/plait", "https://docs.example/")
    page = "https://docs.example/reference/diagnostics/PL2101.html"
    assert page_of("PL2101", names["DOCUMENTATION"]) == page
    alone = addresses({"PLAIT_ADDRESS": "https://host.example/me/plait"})
    assert alone["Documentation"] == "https://host.example/me/plait/tree/main/docs"


@pytest.mark.parametrize("url", ["host.example/plait", 'https://host.example/"', "https://host.example/a b", "-"])
def test_an_address_is_checked(url: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        addresses({"PLAIT_ADDRESS": url})


def test_a_release_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAIT_ADDRESS", raising=False)
    assert "ADDRESS=" in check.addresses_are_set()
    monkeypatch.setenv("PLAIT_ADDRESS", "https://host.example/plait")
    assert check.addresses_are_set() == ""


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ([], ":"),
        (["ADDRESS=https://a.example"], "https://a.example:"),
        (["ADDRESS=https://a.example", "SITE=https://b.example"], "https://a.example:https://b.example"),
        (["PLAIT_SITE=https://b.example"], ":https://b.example"),
    ],
)
def test_make_hands_the_addresses_on(given: list[str], seen: str) -> None:
    rule = "--eval=shown: ; @echo $$PLAIT_ADDRESS:$$PLAIT_SITE"
    done = subprocess.run(
        ["make", rule, "shown", *given], cwd=ROOT, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == (seen, "")


def test_the_changelog_begins_with_the_version() -> None:
    assert check.changelog_has_the_version() == ""


def test_links_of_the_readme_are_files_of_the_repository() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)", published(text, "https://host.example/plait"))
    ours = [re.sub(r"^https://host.example/plait/(blob|raw)/main/|#.*$", "", link) for link in links]
    assert len(ours) > 10
    assert [name for name in ours if not (ROOT / name).exists()] == []
    assert re.findall(r"\]\((?!https:)", published(text, "")) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_points_to_pages_that_are_installed(name: str) -> None:
    installed = {re.sub(r"^plait/docs/(fronts/)?|\.md$", "", place) for place in installed_pages()}
    text = help_of(load(name))
    assert "docs/" not in load(name).more
    assert [topic for topic in MORE.findall(text) if topic not in {*installed, "topics", *COMMANDS, *CATALOG}] == []


@pytest.mark.parametrize("topic", page_names())
def test_every_topic_is_text_for_a_terminal(topic: str) -> None:
    shown = answer(topic)
    assert plain(page_text(page_names()[topic])) in shown
    assert "```" not in shown
    assert "](" not in re.sub(r"`[^`]*`|^ {4}.*$", "", shown, flags=re.M)


def test_every_diagnostic_has_a_page_with_an_example() -> None:
    for code in CATALOG:
        page = diagnostic_page(code)
        assert page.startswith(f"# {code}: ")
        assert "## Example" in page, f"add a case that shows {code} to tests/cases/diagnostics"
        assert CATALOG[code].about in answer(code.lower())


def test_manual_pages_have_no_mistakes() -> None:
    pages = man_pages()
    assert len(pages) == len(COMMANDS) + 1
    if shutil.which("groff") is None:
        pytest.skip("needs groff")
    checked = "".join(pages.values())
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=checked, capture_output=True, text=True)
    assert done.stderr == ""


def test_the_picture_of_the_terminal_shows_what_plait_prints() -> None:
    assert capture.FILE.read_text(encoding="utf-8") == capture.picture(), "run: python -m release.capture"


POSIX_ONLY = ("fcntl", "grp", "pwd", "resource", "termios")
"""Modules that Python does not have on Windows."""


@pytest.mark.parametrize("words", [["version"], ["--help"], ["merge", "a.yaml"], ["lsp"], ["nonsense"], []])
def test_on_windows_every_command_says_what_to_do(words: list[str], tmp_path: Path) -> None:
    """Python as it is on Windows, as far as plait can tell."""
    code = (
        f"import sys; sys.platform = 'win32'; sys.modules.update(dict.fromkeys({POSIX_ONLY!r}));"
        f"sys.argv[1:] = {words!r}; from plait.__main__ import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "WSL" in done.stderr
