"""What expressions of dynaml cost, so that limits hold for what grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.meter import Meter
from plait.fronts.project import Project
from plait.fronts.spiff import Spiff
from tests.growth import for_64_more


def work(expression: str, count: int) -> Meter:
    """The meter of a run where `t` is a text of so many letters, `l` a list and `m` a map of so many, N the number."""
    members = ", ".join(f"k{at}: 1" for at in range(count))
    text = f"t: {'x' * count}\nl: {[1] * count}\nm: {{{members}}}\nx: (( {expression.replace('N', str(count))} ))\n"
    Path("template.yml").write_text(text, encoding="utf-8")
    project = Project(".")
    Spiff(project).merge(["template.yml"])
    return project.meter


@pytest.mark.parametrize(
    ("expression", "steps", "size"),
    [
        # a step for each 64 bytes of a text that is made
        ("upper(t)", 1, 64),
        ("hash(t)", 1, 64),
        ("substr(t, 1)", 1, 64),
        ("asjson(t)", 1, 64),
        ("base64(t)", 2, 128),  # longer than what it writes
        ("t t", 2, 128),
        ('format("%s", t)', 1, 64),
        ('format("%q", t)', 1, 64),
        ('format("%Nd", 1)', 1, 64),
        ('format("%.Nf", 1.0)', 1, 64),
        ('rand("[a-z]", N)', 1, 64),
        ('join(t, "a", "b")', 2, 128),
        ('replace(t, "y", "ab")', 1, 64),
        ('replace(t, "x", "ab")', 3, 192),
        ('replace(t, "", "ab")', 3, 192),
        ('replace(t, "x", |s|->"")', 1025, 4672),  # 64 bytes and a call for each
        # 64 bytes for each piece, then two steps and 8 bytes for each item of the list
        ('split("y", t)', 1, 64),
        ('split("x", t)', 201, 4672),
        ('split("", t)', 200, 4608),
        ("split(4, t)", 51, 1216),
        ('split_match("x", t)', 648, 512),
        ("[1 .. N]", 200, 4608),
        # two steps for each item that is looked at, two steps and 8 bytes for each that is made
        ("length(l)", 0, 0),
        ("l.[0]", 0, 0),
        ("element(l, 0)", 128, 0),
        ("contains(l, 2)", 128, 0),
        ("index(l, 2)", 128, 0),
        ("uniq(l)", 128, 0),  # what it makes has one item
        ("reverse(l)", 264, 512),
        ("sort(l)", 264, 512),
        ("compact(l)", 264, 512),
        ("keys(m)", 264, 512),
        ("intersect(l, l)", 392, 512),
        ("l l", 272, 1024),
        ("l.[*]", 200, 512),
        ("m.[*]", 200, 512),
        ("merge(m, m)", 128, 0),
        ('join("-", l)', 130, 128),
        ("asjson(l)", 2, 128),
        ("asyaml(l)", 4, 256),
        # eight steps for a call, one for its item
        ("select[l|x|->false]", 576, 0),
        ("select{m|x|->false}", 576, 0),
        ("sum[l|0|s,x|->s]", 576, 0),
        ("sum[m|0|s,x|->s]", 576, 0),
        ("map[l|x|->x]", 712, 512),
        ("map[m|x|->x]", 712, 512),
        ("map{m|x|->x}", 712, 512),
    ],
)
def test_what_64_more_cost(
    expression: str, steps: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert for_64_more(lambda count: work(expression, count), 256) == [steps, size]
