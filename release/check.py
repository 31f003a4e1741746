"""`make release-check`: what must hold before a release, step by step; the first that does not ends it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from release.addresses import VARIABLES, addresses, commit
from release.limits import clone_faults

ROOT = Path(__file__).resolve().parents[1]


def version() -> str:
    text = (ROOT / "src" / "plait" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    return found[1] if found else ""


def tree_is_clean() -> str:
    done = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    return "there are changes that are not committed" if done.stdout.strip() else ""


def changelog_has_the_version() -> str:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (\S+)$", text, re.M)
    if first is None or first[1] != version():
        return f"CHANGELOG.md begins with {first[1] if first else 'nothing'}, and plait is {version()}"
    return ""


def tag_is_free() -> str:
    done = subprocess.run(
        ["git", "tag", "--list", f"v{version()}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return f"the tag v{version()} is there already" if done.stdout.strip() else ""


def addresses_are_set() -> str:
    if "Source" in addresses():
        return ""
    return "the project has no address: make release-check ADDRESS=https://HOST/OWNER/plait [SITE=https://HOST/plait/]"


def versions_are_one() -> str:
    extension = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))["version"]
    return f"editors/vscode is {extension}, and plait is {version()}" if extension != version() else ""


def reviews_install_this_version() -> str:
    """The action and the GitLab template review with the plait that they were released with."""
    for name in ("action.yml", "docs/gitlab.yml"):
        found = set(re.findall(r"(?<![\d.])\d+\.\d+\.\d+\b", (ROOT / name).read_text(encoding="utf-8")))
        if found != {version()}:
            return f"{name} gets {', '.join(sorted(found)) or 'any version'}, and plait is {version()}"
    return ""


def addresses_answer() -> str:
    """Whether the addresses that the package names are there: until they are, it must not be published."""
    for url in addresses().values():
        try:
            with urlopen(url, timeout=30):
                pass
        except OSError as trouble:
            return f"{url} does not answer: {trouble}"
    return ""


RUN: dict[str, tuple[str, ...]] = {
    "podman": ("podman run --rm IMAGE version",),
    "docker": ("docker run --rm IMAGE version",),
    "buildah": (
        "buildah from --pull-never --name plait-release-check IMAGE",
        "buildah run plait-release-check -- /opt/plait/plait version",
        "buildah rm plait-release-check",
    ),
}
"""How each builder of containers runs what it built."""


def container_builds() -> str:
    tool = next(filter(shutil.which, RUN), None)
    if tool is None:
        return f"building the container needs {', '.join(RUN)}"
    image = f"plait:{version()}"
    told = {variable: os.environ.get(variable, "") for variable in VARIABLES.values()} | {"PLAIT_COMMIT": commit()}
    given = [f"--build-arg={name}={value}" for name, value in told.items()]
    commands = [[tool, "build", *given, "--file", "Containerfile", "--tag", image, "."]]
    commands += [line.replace("IMAGE", image).split() for line in RUN[tool]]
    return next(filter(None, (runs(*argv) for argv in commands)), "")


def runs(*argv: str) -> str:
    done = subprocess.run(argv, cwd=ROOT, check=False)
    return f"{' '.join(argv)} ends with {done.returncode}" if done.returncode else ""


STEPS = {
    "the tree is clean": tree_is_clean,
    "the tracked files keep the limits": lambda: "; ".join(clone_faults(ROOT)),
    "the changelog has the version": changelog_has_the_version,
    "the tag is free": tag_is_free,
    "versions agree": versions_are_one,
    "reviews install this version": reviews_install_this_version,
    "addresses are set": addresses_are_set,
    "addresses answer": addresses_answer,
    "tests": lambda: runs("make", "test"),
    "tests without the native reader": lambda: runs("make", "test-python"),
    "our own cases reach what conformance reaches": lambda: runs("make", "reach"),
    "two minutes of fuzzing": lambda: runs("make", "fuzz-short"),
    "the native reader under AddressSanitizer": lambda: runs("make", "sanitize"),
    "the package installs and works": lambda: runs("make", "package"),
    "the site builds": lambda: runs("make", "docs"),
    "the container builds": container_builds,
}


def main(names: list[str]) -> int:
    """Every step, or those that are named."""
    for name, step in STEPS.items():
        if names and name not in names:
            continue
        print(f"{name} ...", flush=True)
        trouble = step()
        if trouble:
            print(f"not ready: {trouble}", file=sys.stderr)
            return 1
    ready = f"plait {version()} is ready: git tag v{version()}, and push it"
    print(ready if not names else f"passed: {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
