"""The verdicts of reviews compared with brute force: each changed line undone, everything evaluated again.

    python -m tests.review.brute 1000        # that many random changes, from the first seed on
    python -m tests.review.brute --seed 17   # one of them, with its files and its report

What a review must not say is told by `faults_of`. `known-faults.txt` has the seeds that fail: it may only shrink.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from plait.apps.cli import main
from plait.core.diagnostic import Fault
from plait.core.unknown import presented
from plait.review.compared import comparing
from plait.workspace import Workspace
from plait.yaml.emit import emit_json
from tests.review.repositories import Files, Repository, changed

KNOWN = Path(__file__).with_name("known-faults.txt")
Hunk = dict[str, Any]


def write(folder: Path, files: Files) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def results(folder: Path, files: Files) -> dict[str, str]:
    """What every target gives, document by document, as text; errors by their messages. Of what is not known, only
    that it is."""
    write(folder, files)
    project = Workspace(str(folder), cache=False)
    found: dict[str, str] = {}
    with comparing(project.project):
        for target in project.targets():
            for document, node in target.results():
                key = f"{target.name} {'/'.join(document[1:])}"
                if isinstance(node, Fault):
                    found[key] = "\n".join(one.message for one in node.diagnostics).replace(str(folder), "")
                else:
                    found[key] = emit_json(presented(node), reveal=True, sort_keys=True)
    return found


def reviewed(folder: Path) -> tuple[int, dict[str, Any]]:
    """The status of a review of `old` and `new` in a folder, and its report."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        status = main(["review", str(folder / "old"), str(folder / "new"), "--format", "json", "--no-cache"])
    return status, json.loads(out.getvalue()) if out.getvalue() else {}


def without(files: Files, hunk: Hunk) -> Files:
    """The new files with one hunk undone."""
    lines = files[hunk["file"]].splitlines(keepends=True)
    start = hunk["line"] - 1
    lines[start : start + len(hunk["added"])] = [f"{line}\n" for line in hunk["removed"]]
    return {**files, hunk["file"]: "".join(lines)}


def faults_of(seed: int, folder: Path) -> list[str]:
    """What is wrong with the review of one random change."""
    chance = random.Random(seed)
    repository = Repository(chance)
    new, meets = changed(repository, chance)
    if new == repository.files:
        return []
    write(folder / "old", repository.files)
    write(folder / "new", new)
    status, report = reviewed(folder)
    if not report:
        return [f"no report: status {status}"]
    causes = [(hunk, group) for group in report["causes"] for hunk in group["hunks"]]
    causes += [(hunk, group) for group in (*report["new_errors"], *report["fixed_errors"]) for hunk in group["hunks"]]
    groups = [*report["no_effect"], *report["effect_unknown"], *report["cancelled"], *report["needed"]]
    now = results(folder / "state", new)
    faults = list(_not_mentioned(repository.files, new, [*groups, *(hunk for hunk, _ in causes)]))
    for hunk in report["no_effect"]:
        if results(folder / "state", without(new, hunk)) != now:
            faults.append(f"no effect, and undoing it changes results: {_place(hunk)}")
    alone = {_place(hunk): hunk for hunk, group in causes if group.get("proof") == "alone"}
    unknown = {_place(hunk) for hunk in report["effect_unknown"]}
    for place, hunk in alone.items():
        if place not in unknown and results(folder / "state", without(new, hunk)) == now:
            faults.append(f"a cause, and undoing it changes nothing: {place}")
    if meets and status == 0:
        faults.append("status 0, and a line can reach what is not known")
    if meets and not report["effect_unknown"] and status != 1:
        faults.append("no line is not known, and one can reach what is not known")
    if repository.is_whole and (report["effect_unknown"] or status == 5) and not report["new_errors"]:
        faults.append(f"not known, and everything can be evaluated: {sorted(unknown)}")
    if not meets and status == 5:
        faults.append(f"not known, and no changed line can reach what is: {sorted(unknown)}")
    return faults


def _not_mentioned(old: Files, new: Files, hunks: list[Hunk]) -> list[str]:
    """The changed lines of the new text that no group of the report has."""
    missing = []
    for name in new:
        told = {hunk["line"] + at for hunk in hunks if hunk["file"] == name for at in range(len(hunk["added"]))}
        gone = [line for hunk in hunks if hunk["file"] == name for line in hunk["removed"]]
        before = old[name].splitlines()
        for number, line in enumerate(new[name].splitlines(), 1):
            if line not in before and number not in told:
                missing.append(f"not mentioned: {name}:{number}")
        after = new[name].splitlines()
        missing += [
            f"not mentioned: {name}, removed {line!r}" for line in before if line not in after and line not in gone
        ]
    return missing


def _place(hunk: Hunk) -> str:
    return f"{hunk['file']}:{hunk['line']}"


def known_faults() -> set[int]:
    """The seeds that are known to fail."""
    return {int(line.split()[0]) for line in KNOWN.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()}


def run(words: list[str]) -> int:
    """Try many seeds, or one; the faults that are not known are printed."""
    with tempfile.TemporaryDirectory() as place:
        if words[:1] == ["--seed"]:
            print("\n".join(faults_of(int(words[1]), Path(place))))
            for side in ("old", "new"):
                for path in sorted((Path(place) / side).rglob("*.*")):
                    if path.is_file():
                        print(f"-- {path.relative_to(place)} --\n{path.read_text()}", end="")
            print(json.dumps(reviewed(Path(place))[1], indent=1))
            return 0
        known, found = known_faults(), 0
        for seed in range(int(words[0]) if words else 1_000):
            faults = faults_of(seed, Path(place))
            if faults and seed not in known:
                found += 1
                print(seed, *faults, sep="\n  ")
            if not faults and seed in known:
                print(f"{seed} does not fail any more: take it out of {KNOWN.name}")
        return 1 if found else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
