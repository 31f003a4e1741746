"""Paths of queries: places of lists and texts, filters and tests, the first match, variables, the tree around."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.context import QuerySettings
from plait.notations.query.data import plain

DOCUMENT = """
t: text
l: [{name: x, v: 1, on: true}, {name: y, v: 2, on: false}, {name: z, v: 2.5}]
m: {p: {k: 1}, r: [1, [2, 3]], "7": seven, 8: eight}
"""
PATHS: dict[str, Any] = {
    # places, from the front and from the back; nothing outside
    "::l::0::v": 1, "::l::-1::name": "z", "::l::-3::name": "x", "::l::3": None, "::l::-4": None,
    "::t::0": "t", "::t::3": "t", "::t::-4": "t", "::t::1": "e", "::t::4": None, "::t::-5": None, "::t::x": None,
    "::m::7": "seven", "::m::8": "eight", "::m::r::1::0": 2, "::m::r::1::2": None, "::m::p::k::z": None,
    # the key of each item; a text is read as the kind of the value that it is compared with
    "::l::name": ["x", "y", "z"], "::l::v=2": 2, "::l::name=y": "y", "::l::name!=y": ["x", "z"],
    "::l::[v=2]::name": "y", "::l::[v=2.5]::name": "z", "::l::[v!=2]::name": ["x", "z"],
    "::l::[!v=2]::name": ["x", "z"], "::l::[on=true]::name": "x", "::l::[on=false]::name": "y",
    "::l::[on=yes]::name": None, "::l::[on]::name": ["x", "y"], "::l::[!on]::name": "z",
    "::l::[v=2][name=y]::name": "y", "::l::[v=2][name=x]::name": None,
    # the first match in which the rest finds something
    "::l::v?": 1, "::l::on?": True, "::l::[v!=1]?::name": "y", "::l::[v!=1]::name?": "y",
    # the tree around
    "::m::p::*": 1, "::t::*": None, "::m::p::..::7": "seven", "::m::p::.name": "p", "::m::p::.root::t": "text",
    "::m::p::.parents::.name": ["root", "m"], "::m::p::.ancestors::.name": ["p", "m", "root"],
    "::m::.children::.name": "p", "::m::.descendants::.name": ["m", "p"], "::m::p::.::k": 1, "::t::.name": None,
}  # fmt: skip
WITH_VARIABLES: dict[str, Any] = {
    "{eval: $l, vars: {l: [1, 2]}}": [1, 2],
    "{eval: '$l?', vars: {l: [1, 2]}}": [1, 2],  # the variable is one match
    "{eval: '$l::v', vars: {l: [{v: 1}, {v: 2}]}}": [1, 2],
    "{eval: '$l::v?', vars: {l: [{v: 1}, {v: 2}]}}": 1,
    "{eval: '::m::$k::k', vars: {k: p}}": 1,
    "{eval: '::m::$k', vars: {k: [p]}}": None,
    "{eval: '::l::$i', vars: {i: true}}": None,
    "{eval: '::l::[v=$n]::name', vars: {n: 2}}": "y",
    "{eval: '::l::[v!=$n]::name', vars: {n: 2}}": ["x", "z"],
}


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.yaml").write_text(DOCUMENT, encoding="utf-8")
    document = DirectiveDocument(Project("."), "main.yaml", Expressions(QuerySettings(folder=".")))
    expected = {f'{{eval: "{path}"}}': value for path, value in PATHS.items()} | WITH_VARIABLES
    assert {text: plain(ask(document, text, (), "one", ())) for text in expected} == expected
