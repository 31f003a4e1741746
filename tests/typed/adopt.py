"""A program as a team writes it, with the public names of plait alone: it reads a repository, says where values come
from, changes one, and merges what two people wrote. The type checker reads it strictly, and a test runs it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping

import plait


def values_of(folder: str) -> dict[str, plait.Data]:
    """Return the number of replicas of each target."""
    repository: plait.TargetFolder = plait.open(folder)
    return {name: repository.target(name).value("replicas") for name in repository.targets()}


def places_of(target: plait.DeployedTarget, path: str) -> list[str]:
    """Return where the values at a path are written, and what they override."""
    explained: plait.Explained = target.explain(path)
    leaves: list[plait.Leaf] = explained.leaves
    return [place(leaf.winner) for leaf in leaves] + [place(lost) for leaf in leaves for lost, _ in leaf.losers]


def place(part: plait.Contribution) -> str:
    origin: plait.Origin = part.node.origin
    return f"{origin.file}:{origin.line}"


def scaled(target: plait.DeployedTarget, replicas: int) -> list[plait.ResultChange]:
    return target.set("replicas", replicas)


def merged(layers: Iterable[plait.Layer]) -> dict[str, plait.Data]:
    """Return layers as a real dictionary. Anything but a mapping at the root is an error."""
    document: plait.Document | plait.ListDocument = plait.merge(layers)
    if not isinstance(document, plait.Document):
        raise TypeError("a mapping is wanted")
    return document.plain()


def labels_of(view: plait.View) -> Mapping[str, plait.View]:
    return view if isinstance(view, plait.DocumentMap) else {}


def conflicts(base: str, ours: str, theirs: str) -> list[tuple[str, str | None, str | None]]:
    result: plait.Merged3 = plait.merge3(base, ours, theirs)
    found: list[plait.MergeConflict] = result.conflicts
    return [(one.path, one.ours, one.theirs) for one in found]


def trouble(layer: plait.Layer) -> list[str]:
    """Return what is wrong with a layer."""
    try:
        plait.merge([layer]).text()
    except plait.PlaitError as error:
        diagnostics: Iterable[plait.Diagnostic] = error.diagnostics
        return [f"{one.code} {label.origin.line}" for one in diagnostics for label in one.labels]
    return []


def main(folder: str) -> None:
    prod = plait.open(folder).target("prod")
    again: plait.Regenerated = plait.regenerate("a: 1\nmine: 2\n", "a: 3\n", "a: 1\n")
    report = {
        "before": values_of(folder), "places": places_of(prod, "replicas"),
        "changes": [change.after for change in scaled(prod, 5)], "after": values_of(folder),
        "merged": merged([{"a": {"b": 1}}, "a: {c: [2]}\n"]),
        "labels": sorted(labels_of(plait.merge("x: {y: 1}\n")["x"])),
        "conflicts": [list(one) for one in conflicts("a: 1\n", "a: 2\n", "a: 3\n")], "trouble": trouble("a: !ref b\n"),
        "again": again.text, "findings": [one.code for one in plait.lint(["a: [1, 2]\n", "a: [3]\n"])],
        "differences": [one.path for one in plait.diff("a: 1\n", "a: 2\n")],
    }  # fmt: skip
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
