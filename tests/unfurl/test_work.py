"""What expressions and templates of Jinja2 cost, so that limits hold for what grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.meter import Meter
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.context import QuerySettings
from plait.notations.query.data import plain
from tests.growth import for_64_more


def work(expression: str, count: int) -> Meter:
    """The meter of a run where `t` is a text of so many letters, `l` a list and `m` a map of so many, N the number."""
    members = ", ".join(f"k{at}: 1" for at in range(count))
    Path("main.yaml").write_text(f"t: {'x' * count}\nl: {[1] * count}\nm: {{{members}}}\n", encoding="utf-8")
    project = Project(".")
    document = DirectiveDocument(project, "main.yaml", Expressions(QuerySettings(folder=".")))
    plain(ask(document, expression.replace("N", str(count)), (), "one", ()))
    return project.meter


@pytest.mark.parametrize(
    ("expression", "steps", "size"),
    [
        # what is only found costs nothing more
        ("{eval: ::t}", 0, 0),
        ("{eval: ::l}", 0, 0),
        ("{eval: ::m::k1}", 0, 0),
        ("{eval: {not: {eval: ::l}}}", 0, 0),
        # a step for each 64 bytes of a text; one that is written into another may need two bytes for a letter
        ("{eval: {eq: [{eval: ::t}, b]}}", 1, 64),
        ("{eval: {add: [{eval: ::t}, b]}}", 1, 64),
        ("{eval: {mul: [ab, N]}}", 2, 128),
        ('{eval: {mod: ["%Nd", 3]}}', 1, 64),
        ("{eval: {concat: [{eval: ::t}, b]}}", 2, 128),
        ("{eval: {concat: [a, b], sep: {eval: ::t}}}", 2, 128),
        ("{eval: {token: [{eval: ::t}, y, 0]}}", 16, 1024),
        ("{eval: {to_label: {eval: ::t}}}", 4, 256),
        # 8 bytes for an item of a list, 4 steps for one that becomes a node
        ("{eval: {mul: [[1], N]}}", 264, 512),
        ("{eval: ::l, foreach: $item}", 4352, 0),
    ],
)
def test_what_64_more_cost_in_an_expression(
    expression: str, steps: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert for_64_more(lambda count: work(expression, count), 256) == [steps, size]


@pytest.mark.parametrize(
    ("template", "steps", "size"),
    [
        # a text is made, printed, and read as YAML: 64 bytes and a step, twice, and a step for each letter
        ("{{ 't' * N }}", 66, 128),
        ("{{ SELF.t | upper }}", 66, 128),
        ("{{ SELF.t.upper() }}", 66, 128),
        ("{{ SELF.t[1:] }}", 66, 128),
        ("{{ SELF.t | indent(2) }}", 66, 128),
        ("{{ 'a'.center(N) }}", 66, 128),
        ("{{ 'a'.rjust(N) }}", 66, 128),
        ("{{ 'a'.zfill(N) }}", 66, 128),
        ("{{ '%Nd' % 3 }}", 66, 128),
        ("{{ SELF.t ~ SELF.t }}", 132, 256),
        ("{{ SELF.t | replace('x', 'ab') }}", 133, 320),
        ("{{ SELF.t | replace('', 'ab') }}", 198, 384),  # before each letter
        ("{{ SELF.t.replace('', 'ab') }}", 198, 384),
        ("{{ SELF.t | truncate(9) }}", 1, 64),
        ("{{ SELF.t == 'y' }}", 0, 0),
        ("{{ 2 ** N }}", 0.5, 0),  # a quarter of a step for 64 bits, when it is computed and when it is printed
        # values are looked through as they would be printed
        ("{{ SELF.t | hash('md5') }}", 36, 256),
        ("{{ SELF.l | to_json }}", 274, 1152),
        ("{{ SELF.l | to_nice_yaml }}", 316, 3840),
        ("{{ SELF.t | regex_replace('x', 'y') }}", 677, 384),
        # items
        ("{{ SELF.l[0] }}", 0, 0),
        ("{{ SELF.l | length }}", 200, 512),
        ("{{ SELF.l | unique }}", 200, 512),
        ("{{ SELF.l | sort }}", 456, 512),
        ("{{ SELF.l | join('-') }}", 455, 960),
        ("{{ SELF.l | batch(2) | list }}", 428, 768),
        ("{{ SELF.l | map('string') | list }}", 2064, 1344),
        ("{{ '-'.join(SELF.l | map('string')) }}", 1804, 1088),
        ("{{ SELF.l | batch(N) | list }}", 400, 1024),
        ("{{ SELF.l | slice(2) | list }}", 200, 512),
        ("{{ SELF.l | flatten }}", 620, 768),
        ("{{ SELF.m | items | list }}", 656, 1024),
        ("{{ SELF.t | tojson }}", 109, 832),
        ("{{ SELF.l + SELF.l }}", 1040, 1024),
        ("{{ SELF.l | union(SELF.l) }}", 728, 1536),
        ("{{ SELF.l | product([1]) | list }}", 836, 2304),
        ("{{ SELF.l | zip(SELF.l) | list }}", 1184, 2048),
        ("{{ SELF.t | list }}", 281, 64),
        ("{{ SELF.t.split('x') }}", 272, 1024),
        ("{{ range(N) | list }}", 464, 1024),
        ("{% for x in range(N) %}{% endfor %}", 72, 512),
    ],
)
def test_what_64_more_cost_in_a_template(
    template: str, steps: float, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    expression = f'{{eval: {{template: "{template}"}}}}'
    assert for_64_more(lambda count: work(expression, count), 256) == [steps, size]
