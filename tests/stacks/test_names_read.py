"""What templates read is seen from their texts: a value that becomes another one names what differs."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from plait import PlaitError
from plait.core.path import is_near
from plait.core.source import Source
from plait.fronts.stacks.answers.reached import may_name, names_read
from tests.examples import examples
from tests.stacks.repository import repository

CONFIG = """\
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{ .vars.stage }}"}
templates: {settings: {enabled: true, sprig: {enabled: true}}}
"""
PLACE = ("vars", "c")
"""What differs."""
WORDS = (
    *('"text"', '"}}"', "`}}`", "'\"'", "'\\''", '"\\""', '`"`', '"it\'s"', "`'`", "1", ".5"),
    *(".vars.c", "$.vars.c", "(.vars).c", '(index .vars "c")', '(index . "vars").c', ".settings.d", "$x", "$x.c"),
)
"""What `print` prints: literals of every kind, and values."""
ACTIONS = (
    '{{/* " */}}',
    "{{- /* }} */ -}}",
    "{{ $x := .vars }}",
    "{{ $x := .settings }}",
    "{{ with .vars }}{{ .c }}{{ end }}",
    "'",
    '"',
)
printed = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(
    lambda words: f"{{{{ print {' '.join(words)} }}}}"
)
templates = st.lists(st.one_of(printed, st.sampled_from(ACTIONS)), min_size=1, max_size=4).map("".join)


def manifest(texts: list[str], value: str, quoted: bool) -> str:
    """A stack with a component for each template."""
    written = [json.dumps(text) if quoted else "'" + text.replace("'", "''") + "'" for text in texts]
    lines = [f"vars: {{stage: dev, c: {value}}}", "settings: {d: same}", "components:", "  terraform:"]
    return "\n".join([*lines, *(f"    t{at}: {{vars: {{x: {text}}}}}" for at, text in enumerate(written)), ""])


def values(folder: Path, text: str, count: int) -> list[object]:
    stacks = repository(folder, {"deploy/dev.yaml": text}, CONFIG)
    found: list[object] = []
    for at in range(count):
        try:
            found.append(stacks.component(f"t{at}", stack="dev").value("vars.x"))
        except PlaitError as error:
            found.append(str(error))
    return found


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(templates, min_size=1, max_size=6), st.booleans())
@example(['{{ print "}}" .vars.c }}', "{{ print `}}` .vars.c }}", "{{ print '\"' .vars.c '\"' }}"], False)
@example(['{{ print "}}" .vars.c }}', "{{ print '\"' .vars.c '\"' }}"], True)
def test_what_differs_is_named(texts: list[str], quoted: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        before, after = (manifest(texts, value, quoted) for value in ("one", "two"))
        pairs = zip(*(values(Path(place), text, len(texts)) for text in (before, after)), strict=True)
        source = Source("dev.yaml", before)
        named = names_read(source, 100)
        for at, (old, new) in enumerate(pairs):
            if old != new:
                assert named is None or is_near(named.get(("terraform", f"t{at}"), ()), PLACE), texts[at]
                assert is_near(may_name(source), PLACE), texts[at]
