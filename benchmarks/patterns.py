"""Patterns: generating thousands of resources again, against the time that PyYAML needs to read what is on disk."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from pathlib import Path

from benchmarks.measure import LONG, PLAIT, Report, command_cpu, command_peak, interleaved, reading_cpu

HEAD = """\
name: many
version: 1.0.0
inputs:
  memory: {type: integer, default: 128}
  names: {type: list, default: []}
"""
RESOURCE = """\
{{- range $i := until PER }}
{{- if $i }}
---
{{- end }}
apiVersion: lambda.aws.upbound.io/v1beta1
kind: Function
metadata:
  name: function-FILE-{{ $i }}
  labels:
    app: wall
    env: dev
    plait.dev/version: "1.0.0"
spec:
  forProvider:
    region: us-east-1
    runtime: python3.12
    memorySize: {{ $.memory }}
    timeout: 10
    handler: api.handler
    packageType: Zip
    s3Bucket: wall-artifacts
    s3Key: function-{{ $i }}.zip
    roleRef:
      name: role-{{ $i }}
    environment:
    - variables:
        TABLE: wall-messages
        SOURCE: wall.api
    ports:
    - name: http
      port: 80
    - name: admin
      port: 8080
    tags:
      app: wall
      cost-center: none
{{- end }}
"""
UNCHANGED = ((5_000, 1.2, 100), *([(20_000, 1.2, 300)] if LONG else []))
"""How many resources: the times of CSafeLoader and the megabytes that generating them again may take."""
EDITED = ("memorySize: 128", "timeout: 10", "region: us-east-1", "cost-center: none", "port: 8080")


def pattern(folder: Path, files: int, per: int) -> Path:
    """A pattern that makes `files` times `per` resources."""
    home = folder / "patterns" / "many"
    (home / "resources").mkdir(parents=True)
    (home / "pattern.yaml").write_text(HEAD)
    for file in range(files):
        text = RESOURCE.replace("PER", str(per)).replace("FILE", str(file)).lstrip("\n")
        (home / "resources" / f"part-{file:02}.yaml").write_text(text)
    return home.parent


def edit_a_tenth(folder: Path) -> None:
    """Somebody changes a tenth of the fields: two or three of the 23 of each resource."""
    chance = random.Random(5)
    for file in sorted(folder.glob("part-*.yaml")):
        text = file.read_text()
        for field in EDITED:
            text = re.sub(re.escape(field), lambda found: found[0] + ("1" if chance.random() < 0.46 else ""), text)
        file.write_text(text)


def generated(folder: Path, files: int, per: int) -> tuple[list[str], Path]:
    """A folder that was generated once, and the command that generates it again."""
    out = folder / "out"
    argv = [
        PLAIT,
        "create",
        "many",
        "--patterns",
        str(pattern(folder, files, per)),
        "--output-dir",
        str(out),
        "--no-cache",
    ]
    command_cpu(argv)
    return argv, out


def prepared(folder: Path, files: int, per: int) -> tuple[list[str], Path]:
    """The same, and somebody edited it."""
    argv, out = generated(folder, files, per)
    edit_a_tenth(out)
    return argv, out


def again(argv: list[str], out: Path, *more: str) -> float:
    """Generate into a copy, so that every round finds the same files."""
    copy = out.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(out, copy)
    return command_cpu([copy.as_posix() if word == str(out) else word for word in argv] + list(more))


def peak(argv: list[str], out: Path) -> float:
    """Megabytes that generating into a copy needs at its peak."""
    copy = out.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(out, copy)
    return command_peak([copy.as_posix() if word == str(out) else word for word in argv])


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        argv, out = prepared(folder, 50, 100)
        (folder / "tenth").mkdir()
        small, small_out = prepared(folder / "tenth", 5, 100)
        (folder / "none").mkdir()
        empty, empty_out = prepared(folder / "none", 1, 1)
        files = sorted(map(str, out.glob("part-*.yaml")))
        took = interleaved(
            {
                "load": lambda: reading_cpu(files),
                "again": lambda: again(argv, out),
                "moved": lambda: again(argv, out, "--memory", "256"),
                "small": lambda: again(small, small_out),
                "empty": lambda: again(empty, empty_out),
            }
        )
        fields = sum(Path(file).read_text().count(": ") for file in files)
        counters = {"resources": 5000, "files": len(files), "fields": fields}
        report("regenerating 5,000 resources / CSafeLoader", took["again"] / took["load"], 4, **counters)
        report(
            "the same, and an input moves a field of each / CSafeLoader",
            took["moved"] / took["load"],
            4,
        )
        grown = (took["again"] - took["empty"]) / (took["small"] - took["empty"])
        report("ten times as many resources take", grown, 12)
        report("regenerating 5,000 resources, MB at its peak", peak(argv, out), 300)
        if LONG:
            (folder / "many").mkdir()
            report("regenerating 20,000 resources, MB at its peak", peak(*prepared(folder / "many", 200, 100)), 300)
        nothing_changed(report, folder)


def nothing_changed(report: Report, folder: Path) -> None:
    """Generating again what nobody edited. 20,000 resources are for `PLAIT_BENCH_LONG=1` only."""
    for count, times, megabytes in UNCHANGED:
        (folder / f"same-{count}").mkdir()
        argv, out = generated(folder / f"same-{count}", count // 100, 100)
        files = sorted(map(str, out.glob("part-*.yaml")))
        took = interleaved(
            {"load": lambda files=files: reading_cpu(files),  # type: ignore[misc]
             "again": lambda argv=argv: command_cpu(argv)}, 3,  # type: ignore[misc]
        )  # fmt: skip
        row = f"generating {count:,} resources again, nothing changed"
        report(f"{row} / CSafeLoader", took["again"] / took["load"], times, seconds=round(took["again"], 2))
        report(f"{row}, MB", command_peak(argv), megabytes)
