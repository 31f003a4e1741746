"""Native code with hostile input: a small schema that asks for gigabytes and minutes ends with an ordinary error."""

from __future__ import annotations

import json
import resource
import subprocess
import time
from pathlib import Path

import pytest

from tests.cases import PLAIT, environment
from tests.test_safety import CONFIG

LEVELS = 40
DOUBLING = {
    "$ref": "http://h/d0/",
    "$defs": {
        **{f"d{n}": {"$id": f"http://h/d{n}/", "allOf": [{"$ref": f"http://h/d{n + 1}/"}] * 2} for n in range(LEVELS)},
        f"d{LEVELS}": {"$id": f"http://h/d{LEVELS}/", "type": "object"},
    },
}
STACK = "vars: {stage: dev}\ncomponents: {terraform: {x: {settings: {validation: {v: "
STACK += "{schema_type: jsonschema, schema_path: s.json}}}, vars: {a: 1}}}}\n"
CASES = {
    "validate component": ("component", ["validate", "component", "x", "-s", "dev"]),
    "validate stacks": ("manifest", ["validate", "stacks"]),
    "a query": ("query", ["query", "::a", "q.yaml"]),
}


def prepared(folder: Path, kind: str, schema: object) -> None:
    text = json.dumps(schema)
    if kind == "query":
        (folder / "q.yaml").write_text(f"a: {json.dumps({'eval': {'validate_json': [{}, schema]}})}\n")
        return
    (folder / "stacks/deploy").mkdir(parents=True)
    (folder / "s.json").write_text(text)
    more = "schemas: {jsonschema: {base_path: .}, atmos: {manifest: s.json}}\n" if kind == "manifest" else ""
    (folder / "atmos.yaml").write_text(CONFIG + (more or "schemas: {jsonschema: {base_path: .}}\n"))
    (folder / "stacks/deploy/dev.yaml").write_text(STACK if kind == "component" else "vars: {stage: dev}\n")


@pytest.mark.parametrize(("kind", "words"), CASES.values(), ids=CASES)
def test_a_schema_cannot_exhaust_the_machine(tmp_path: Path, kind: str, words: list[str]) -> None:
    prepared(tmp_path, kind, DOUBLING)
    began = time.monotonic()
    done = subprocess.run(
        [*PLAIT, *words, "--no-cache", "--max-seconds", "5"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "PL500" in done.stderr, done.stderr
    assert "bug in plait" not in done.stderr
    assert time.monotonic() - began < 40
