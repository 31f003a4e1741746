"""What a worker sends is read as JSON: nothing of it can run here, and one that lies gives a clear sentence."""

from __future__ import annotations

import marshal
import pickle
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from plait.distributed.evidence import Evidence
from plait.distributed.plain import packed, unpacked
from tests.test_safety import CONFIG

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.tuples(st.text()), inner) | st.tuples(inner, inner),
    max_leaves=20,
)


@given(plain)
def test_what_travels_comes_back(data: object) -> None:
    assert unpacked(packed(data)) == data


@pytest.mark.parametrize(
    "data", [marshal.dumps(compile("0", "x", "exec")), pickle.dumps({1: 2}), b"\xff", b"[", "text", None]
)
def test_anything_else_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="the answer"):
        unpacked(data)


def test_evidence_cannot_ask_git_for_something() -> None:
    forged = Evidence(
        {"files": {}, "failed": [], "folders": {}, "looked": [], "variables": {}, "unfollowed": []}
    ).plain()
    Evidence.read(forged)
    with pytest.raises(ValueError, match="asks more"):
        Evidence.read({**forged, "looked": [("git", "/\0-c\0alias.x=!id", b"")]})
    with pytest.raises(ValueError, match="no evidence"):
        Evidence.read({**forged, "files": []})


class Lying(Executor):
    """Workers that send something else."""

    _max_workers = 2

    def __init__(self, sent: object) -> None:
        self.sent = sent

    def submit(self, function: Any, /, *words: Any, **named: Any) -> Any:
        class Answer:
            result = staticmethod(lambda timeout=None: self.sent)

        return Answer()


@pytest.mark.parametrize("sent", [marshal.dumps(([None], {})), b"{}", 7, packed(([("x", (1, 2, 3))], {}))], ids=str)
def test_a_worker_that_lies_changes_nothing(tmp_path: Path, sent: object, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stacks/deploy").mkdir(parents=True)
    (tmp_path / "atmos.yaml").write_text(CONFIG)
    for number in range(4):
        text = f"vars: {{stage: s{number}}}\ncomponents: {{terraform: {{x: {{vars: {{n: {number}}}}}}}}}\n"
        (tmp_path / f"stacks/deploy/s{number}.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert "".join(plait.stacks(".", executor=Lying(sent)).describe("json")) == "".join(
        plait.stacks(".").describe("json")
    )
