"""The kinds of words in expressions, found in small steps: the same as all at once, whatever the steps are."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.authoring import tokens as module
from plait.authoring.mentions import mentions_in
from plait.authoring.session import Authoring
from plait.authoring.tokens import TYPES
from plait.workspace import Workspace

TEXTS = {
    "base.yaml": "net: &n {a: 1, b: !ref net.a, c: [!ref net.b, !ref settings.x]}\nother: *n\n"
    "text: |\n  a\n  b\nsettings:\n  x: !expr net.a + settings.y\n  y: 2\nlast: !ref settings.x\n",
    "t.yml": 'a: 1\nb: (( join(",", a, c.d) ))\nc:\n  d: (( a + b ))\n  e: >\n'
    "    (( concat(\n    a, c.d) ))\nf: [(( a )), (( c.e ))]\n",
    "plait.yaml": "targets:\n- {name: prod, layers: [base.yaml]}\n",
}


def at_once(authoring: Authoring, file: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """Every word is compared with every other one."""
    written, text = authoring.written(file), authoring.source(file).text
    assert written is not None
    mentions = mentions_in(written.walk(), authoring.kind_of(file))
    found = {(*one.span, TYPES[one.kind]) for one in mentions if one.kind in TYPES and start <= one.span[0] <= end}
    chosen: list[tuple[int, int, str]] = []
    for one in sorted(found, key=lambda one: (one[1] - one[0], one[0])):
        if (
            one[0] < one[1]
            and "\n" not in text[one[0] : one[1]]
            and not any(a < one[1] and one[0] < b for a, b, _ in chosen)
        ):
            chosen.append(one)
    return sorted(chosen)


@pytest.mark.parametrize("each", [1, 2, 5, 400])
def test_words_in_steps_are_those_of_the_whole_text(each: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "EACH", each)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    workspace = Workspace(".", cache=False)
    authoring = workspace.authoring()
    for name in ("base.yaml", "t.yml"):
        path, size = str((tmp_path / name).resolve()), len(TEXTS[name])
        for start, end in ((0, 10**9), (0, size // 2), (size // 2, size), (size // 3, size // 3 + 20)):
            parts = list(authoring.tokens(path, start, end))
            expected = at_once(authoring, path, start, end)
            assert [one for part in parts for one in part] == expected
            assert expected or end - start == 20
        assert len(parts) > 1 or each == 400
    workspace.close()
