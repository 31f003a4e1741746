"""Any sequence of edits leaves the findings of a fresh start, and only what depends on an edit is computed again."""

from __future__ import annotations

import random
import resource
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from plait.authoring.session import Authoring
from plait.workspace import Workspace
from tests.lsp.conftest import EXAMPLES

EDITS = 60
"""In the suite; `python -m tests.lsp.test_edits 10000` makes as many as it is told, in each repository."""
PIECES = (
    "\n", " ", "x", ":", "- ", "{{ .locals.prefix }}", "'", '"', "[", "]", "!ref a", "&a", "*a", "#",
    "  vars: {a: 1}\n", "inherits: [nobody]", "\t", "é", "😀", "\r\n", "import:\n- nowhere\n",
    "metadata: {type: abstract}",
)  # fmt: skip


def every_finding(authoring: Authoring, path: str) -> list[str]:
    """All that is wrong, as text."""
    found = [*authoring.check_text(path), *authoring.troubles()]
    near, rest = authoring.order(path)
    for unit in (*near, *rest):
        found += authoring.check(unit)
    found += authoring.disagreements()
    return sorted({str(finding.diagnostic) for finding in found})


def edited(text: str, chance: random.Random) -> str:
    """A text after something was typed or removed somewhere."""
    at = chance.randrange(len(text) + 1)
    if chance.random() < 0.4:
        return text[:at] + text[at + chance.randrange(1, 20) :]
    return text[:at] + chance.choice(PIECES) + text[at:]


def run(folder: Path, edits: int, seed: int) -> None:
    """Make edits in all files of a folder, and take some back; compare with fresh starts."""
    chance = random.Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".yaml", ".yml"))
    authoring = Workspace(str(folder), cache=False).authoring()
    texts: dict[str, str] = {}
    for number in range(edits):
        if number % 1000 == 999:
            print(f"{number + 1} edits, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB", flush=True)
        path = str(chance.choice(files))
        if chance.random() < 0.3 or len(texts) > 3:
            path = chance.choice([*texts] or [path])
            texts.pop(path, None)
            authoring.edit(path, None)
        else:
            texts[path] = edited(texts.get(path) or Path(path).read_text(), chance)
            authoring.edit(path, texts[path])
        found = every_finding(authoring, path)
        if number % 10 == 9:
            fresh = Workspace(str(folder), cache=False).authoring()
            for name, text in texts.items():
                fresh.edit(name, text)
            assert found == every_finding(fresh, path), (number, texts)


@pytest.mark.parametrize("name", ["stacks", "review/after", "affected"])
def test_random_edits_find_what_a_fresh_start_finds(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / name, folder)
    run(folder, EDITS, seed=len(name))


def test_only_what_depends_on_an_edit_is_computed_again(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLES / "stacks", folder)
    authoring = Workspace(str(folder), cache=False).authoring()
    path = folder / "stacks/deploy/prod.yaml"
    every_finding(authoring, str(path))
    everything = authoring.project.counters.forced
    authoring.edit(str(path), path.read_text().replace("8192", "4096"))
    every_finding(authoring, str(path))
    one_component = authoring.project.counters.forced
    authoring.edit(str(path), path.read_text().replace("environment: ue1", "environment: uw2"))
    every_finding(authoring, str(path))
    assert 0 < one_component < authoring.project.counters.forced < everything


if __name__ == "__main__":
    for repository in ("stacks", "review/after", "affected"):
        with tempfile.TemporaryDirectory() as place:
            copy = Path(place) / "repository"
            shutil.copytree(EXAMPLES / repository, copy)
            run(copy, int(sys.argv[1]), seed=7)
