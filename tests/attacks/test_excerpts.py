"""What is marked as secret is masked in the lines that errors show, also of a text that is not YAML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.source import Source
from plait.report.render import render
from plait.yaml.build import Reading
from plait.yaml.load import load
from tests.test_safety import Clone

BROKEN = {
    "a second colon": "pw: !sensitive TOPSECRET: w0rd\n",
    "an open quote": 'pw: !sensitive "TOPSECRET\n',
    "an open quote of several lines": 'pw: !sensitive "a\n  TOPSECRET: b\nz: 1\n',
    "an open quote that goes on at the left": 'pw: !sensitive "a\nTOPSECRET: b: c\nz: 1\n',
    "an open bracket": "k: !sensitive [TOPSECRET, b\nz: 1\n",
    "an open brace": "k: !sensitive {u: TOPSECRET, b\nz: 1\n",
    "on the next line": "k: !sensitive\n  u: TOPSECRET: x\nz: 1\n",
    "in a list at the left": "k: !sensitive\n- a\n- b: TOPSECRET: x\nz: 1\n",
    "deeper in a list at the left": "k: !sensitive\n- a:\n    b: TOPSECRET: x\nz: 1\n",
    "in a flow mapping": "{a: 1, k: !sensitive\nTOPSECRET: b: c}\n",
    "the whole document": "--- !sensitive\na: TOPSECRET: x\n",
    "with an anchor": "pw: &a !sensitive TOPSECRET: w0rd\n",
    "in the verbatim form": "pw: !<!sensitive> TOPSECRET: w0rd\n",
    "by a handle": "%TAG !s! !sens\n---\npw: !s!itive TOPSECRET: w0rd\n",
    "with a tab": "k: !sensitive\n\tu: TOPSECRET\n",
    "as a plain value of several lines": "k: !sensitive a\n  TOPSECRET: x\nz: 1\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_an_error_of_syntax_shows_no_secret(clone: Clone, text: str) -> None:
    clone.write("a.yaml", text)
    said = ""
    for words in (("merge",), ("lint",), ("expand",), ("merge", "--format", "json"), ("get",)):
        said += clone.refused(words[0], "a.yaml", *words[1:], "--no-cache")
    assert "quotes: " not in said, "advice to quote the tag would make a plain text of it"


@pytest.mark.parametrize("text", ["a: 1\na: !sensitive TOPSECRET\n", "x: *nowhere\npw: !sensitive TOPSECRET\n"])
def test_no_other_error_shows_it(clone: Clone, text: str) -> None:
    clone.write("a.yaml", text)
    clone.refused("merge", "a.yaml", "--no-cache")


def test_a_line_that_is_not_marked_is_still_shown() -> None:
    with pytest.raises(PlaitError) as error:
        load(Source("a.yaml", "pw: !sensitive x\nhere: a: b\n"), Reading())
    assert "here: a: b" in render(error.value.diagnostics)


MASKED = {  # M is what stands for a secret
    "a: 1\nk: !sensitive x\nz: 1\n": "a: 1\nk: M\nz: 1\n",
    "a: 1\nk: !sensitive\n  x: y\n\n  w\nz: 1\n": "a: 1\nk: M\nM\n\nM\nz: 1\n",
    "a: 1\nk: !sensitive\n- x\n- y\nz: 1\n": "a: 1\nk: M\nM\nM\nz: 1\n",
    "a:\n  k: !sensitive x\n   more\n  z: 1\nb: 2": "a:\n  k: M\nM\n  z: 1\nb: 2",
    "a:\n- !sensitive x\n- z\n": "a:\n- M\n- z\n",
    'k: !sensitive "x\n y" z\nz: 1\n': "k: M\nM\nz: 1\n",
    "k: !sensitive [x,\ny]\nz: 1\n": "k: M\nM\nz: 1\n",
    "k: !sensitive [x,\ny\nz: 1\n": "k: M\nM\nM\n",
    "{a: !sensitive x,\nb: 1}\nz: 1\n": "{a: M\nM\nM\n",
    "{a: 1}\nk: !sensitive x\nz: 1": "{a: 1}\nk: M\nz: 1",
    "k: !sensitive 'x'\nl: 'y\nz: 1\n": "k: M\nM\nz: 1\n",
    "--- !sensitive\nx\nz: 1\n": "--- M\nM\nM\n",
    "%TAG ! x\n---\na: 1\n": "M\nM\nM\n",
    "a: 1\nk: !sensitive x\nz: 1\nm: !sensitive y\nn: 1\n": "a: 1\nk: M\nz: 1\nm: M\nn: 1\n",
}


@pytest.mark.parametrize("text", MASKED)
def test_what_is_masked_of_a_text_that_cannot_be_read_and_what_is_not(text: str) -> None:
    """All that could belong to a marked value, and nothing else."""
    source = Source("a.yaml", text)
    source.conceal_unread()
    assert source.shown() == MASKED[text].replace("M", "<sensitive>")


BETWEEN = [" ", ' "', " '", " [", " {", "\n", "\n  ", "\n- ", "\n\n ", " &a ", " >\n  ", " |\n  ", " [{'", "\n  - {"]


@given(st.text(alphabet=st.sampled_from("a:\n\"'[]{},-! |>#&*%"), max_size=20), st.sampled_from(BETWEEN))
def test_no_way_to_break_a_text_shows_it(broken: str, between: str) -> None:
    """Whatever follows the tag: either the text can be read, or the report does not show what is behind it."""
    source = Source("a.yaml", f"k: !sensitive{between}TOPSECRET{broken}\n")
    said = ""
    try:
        load(source, Reading())
    except PlaitError as error:
        said = render(error.diagnostics)
    assert "TOPSECRET" not in said


def test_the_text_of_a_file_with_secrets_is_one(clone: Clone) -> None:
    clone.write("s.txt", "pw: !sensitive TOPSECRET\n")
    clone.write("raw.yaml", "raw: !include.raw s.txt\nagain: !ref raw\n")
    assert clone.plait("merge", "raw.yaml")[1] == "raw: <sensitive>\nagain: <sensitive>\n"
    vars = "r: !include.raw ./s.txt , t: '{{ file.Read \"s.txt\" }}'"
    clone.write("atmos.yaml", (clone.root / "atmos.yaml").read_text() + "templates: {settings: {enabled: true}}\n")
    clone.write("stacks/deploy/s.txt", "pw: !sensitive TOPSECRET\n")
    clone.write(
        "stacks/deploy/dev.yaml", f"vars: {{stage: dev}}\ncomponents: {{terraform: {{vpc: {{vars: {{{vars}}}}}}}}}\n"
    )
    status, out, err = clone.plait("describe", "component", "vpc", "-s", "dev")
    assert status == 0, err
    assert "TOPSECRET" not in out + err
    assert out.count("<sensitive>") == 2
