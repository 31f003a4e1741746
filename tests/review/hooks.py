"""`make hooks`: the hooks of `.pre-commit-hooks.yaml`, run by pre-commit itself in a project of their own.

pre-commit clones this repository at its last commit and installs it with pip: that takes a network and half a minute,
so it is not among the tests.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
GIT = ("git", "-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false")
CONFIGURATION = f"""\
repos:
- repo: {ROOT}
  rev: REVISION
  hooks:
  - id: plait-lint
  - id: plait-validate-stacks
  - id: plait-regenerate
    args: [--base, old, --fresh, new, deploy]
"""
GOOD = {
    "plait.yaml": "targets: [{name: a, layers: [base.yaml, a.yaml]}]\n",
    "base.yaml": "size: 1\n",
    "a.yaml": "size: 2\n",
    "atmos.yaml": "stacks: {base_path: stacks, included_paths: ['*.yaml'], name_pattern: '{stage}'}\n",
    "stacks/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {vpc: {vars: {cidr: 10.0.0.0/8}}}}\n",
    "old/x.yaml": "replicas: 1\n",
    "new/x.yaml": "replicas: 1\n",
    "deploy/x.yaml": "replicas: 1\n",
}
BAD: dict[tuple[str, ...], dict[str, str]] = {
    ("plait-lint",): {"base.yaml": "jobs: [{name: a}, {name: b}, {name: c}]\n", "a.yaml": "jobs: [{name: a}]\n"},
    ("plait-lint", "plait-validate-stacks"): {"stacks/dev.yaml": "import: [nowhere]\n"},
    ("plait-regenerate",): {"new/x.yaml": "replicas: 2\n"},
}
"""A change, by the hooks that must refuse it; lint looks at stacks, too."""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def git(folder: Path, *words: str) -> str:
    return subprocess.run([*GIT, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def failing(folder: Path) -> set[str]:
    """The hooks that fail in a folder."""
    git(folder, "add", "-A")
    argv = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never", "--verbose"]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    failed, last = set(), ""
    for line in done.stdout.splitlines():
        last = "Failed" if line.endswith("Failed") else last if line.startswith("- ") else ""
        if last and line.startswith("- hook id: "):
            failed.add(line.removeprefix("- hook id: "))
    return failed


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        revision = git(ROOT, "rev-parse", "HEAD")
        write(folder, {**GOOD, ".pre-commit-config.yaml": CONFIGURATION.replace("REVISION", revision)})
        git(folder, "init", "-q", "-b", "main", ".")
        found = {"a sound project": (failing(folder), set[str]())}
        for hooks, files in BAD.items():
            write(folder, files)
            found[f"what {' and '.join(hooks)} refuses"] = (failing(folder), set(hooks))
            write(folder, GOOD)
        for name in ("plait.yaml", "atmos.yaml", "stacks/dev.yaml"):
            (folder / name).unlink()
        found["lint where there are no targets"] = (failing(folder) & {"plait-lint"}, set())
    wrong = {name: pair for name, pair in found.items() if pair[0] != pair[1]}
    for name, (got, expected) in found.items():
        print(f"{name}: {', '.join(sorted(got)) or 'nothing'} failed, {', '.join(expected) or 'nothing'} should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
