"""Questions that wait for values and are asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.meter import Overrun
from plait.core.scope import Blocked
from plait.workspace import Workspace


def test_a_question_that_never_gets_its_answer_is_ended_early(tmp_path: Path) -> None:
    """Asking again repeats the work of a question: 3 million times would take a quarter of a minute."""
    (tmp_path / "atmos.yaml").write_text("stacks: {base_path: stacks, included_paths: ['*']}\n")
    session = Workspace(str(tmp_path), cache=False).stacks(str(tmp_path)).session
    asked = []

    def question() -> None:
        asked.append(1)
        raise Blocked

    with pytest.raises(Overrun, match="evaluation steps"):
        session.answer(question)
    assert len(asked) < 40_000
