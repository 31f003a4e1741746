"""Every function's example does what its declaration says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.fronts.project import Project
from plait.fronts.unfurl.asking import ask
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.bounds import numbers_in, printed
from plait.notations.query.context import QuerySettings
from plait.notations.query.data import plain
from plait.notations.query.functions import FUNCTIONS

DOCUMENT = "a: yes-a\nb: yes-b\nc: yes-c\ninputs: {size: 5}\n"
EXPECTED: dict[str, Any] = {
    "if": "yes-b", "and": "yes-b", "or": "yes-a", "not": False,
    "eq": True, "ne": True, "gt": True, "ge": True, "lt": True, "le": True,
    "add": 3, "sub": 1, "mul": 6, "div": 3.5, "truediv": 3.5, "floordiv": 3, "mod": 1, "pow": 256,
    "q": "{{ x }}", "concat": "a-b", "token": "b", "get_env": "/srv", "has_env": True, "get_input": 5,
    "template": "yes-a1", "lookup": "/srv", "validate_json": True, "is_function_defined": True,
    "foreach": {0: {"a": "yes-a", "b": "yes-b", "c": "yes-c", "inputs": {"size": 5}}}, "sensitive": "hush",
    "urljoin": "http://localhost:8080", "to_label": "ab", "to_dns_label": "ab", "to_kubernetes_label": "ab",
    "to_googlecloud_label": "ab", "to_env": {"A": "1", "B": "true"}, "scalar": "500 kB", "scalar_value": 0.006,
    "portspec": {"protocol": "tcp", "source": 80, "source_range": None, "target": 81, "target_range": None},
    "python": "made of None",
}  # fmt: skip
ELSEWHERE = {"file", "tempfile", "abspath", "get_dir", "generate_string", "_generate", "secret", "local", "external"}
"""Paths, random values and providers: see the tests below."""


def asked(
    folder: Path, expression: str, mode: str = "one", settings: QuerySettings | None = None, allow: tuple[str, ...] = ()
) -> Any:
    (folder / "main.yaml").write_text(DOCUMENT, encoding="utf-8")
    expressions = Expressions(settings or QuerySettings(folder=str(folder)))
    document = DirectiveDocument(
        Project(str(folder), guard=Guard(frozenset(allow))), str(folder / "main.yaml"), expressions
    )
    return plain(ask(document, expression, (), mode, ()))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ELSEWHERE])
def test_example(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv")
    (tmp_path / "tools.py").write_text("def make(args):\n    return f'made of {args}'\n")
    example = FUNCTIONS[name].example.replace("a + 1", "SELF.a ~ 1")
    assert asked(tmp_path, f"{{eval: {example}}}", allow=("python",)) == EXPECTED[name]


def test_paths_are_those_of_the_documents_folder(tmp_path: Path) -> None:
    (tmp_path / "motd.txt").write_text("hello\n")
    assert asked(tmp_path, "{eval: {file: motd.txt}}") == str(tmp_path / "motd.txt")
    assert asked(tmp_path, "{eval: {file: motd.txt}, select: contents}") == "hello\n"
    assert asked(tmp_path, "{eval: {abspath: data}}") == str(tmp_path / "data")
    assert asked(tmp_path, "{eval: {get_dir: .}}") == str(tmp_path)


def test_writing_a_file_needs_the_users_word(tmp_path: Path) -> None:
    with pytest.raises(PlaitError, match="write a file"):
        asked(tmp_path, "{eval: {file: new.txt, contents: text}}")
    assert not (tmp_path / "new.txt").exists()
    asked(tmp_path, "{eval: {file: new.txt, contents: text}}", allow=("write",))
    assert (tmp_path / "new.txt").read_text() == "text"
    asked(tmp_path, "{eval: {file: new.json, contents: {a: [1]}}}", allow=("write",))
    assert (tmp_path / "new.json").read_text() == '{\n  "a": [\n    1\n  ]\n}\n'
    name = asked(tmp_path, "{eval: {tempfile: text}}", allow=("write", "files"))
    assert Path(name).read_text() == "text"
    Path(name).unlink()


def test_random_texts_have_the_length_and_letters_that_were_asked_for(tmp_path: Path) -> None:
    assert len(asked(tmp_path, "{eval: {generate_string: {len: 12}}}")) == 12
    assert asked(tmp_path, "{_generate: {preset: number, len: 4}}").isdecimal()
    password = asked(tmp_path, "{_generate: {preset: password, len: 9}}")
    assert any(map(str.isupper, password))
    assert any(map(str.islower, password))
    assert set(asked(tmp_path, "{_generate: {ranges: [[x-z, '-', a-, -b]], len: 40}}")) <= set("xyz-ab")


@pytest.mark.parametrize("name", ["secret", "local", "external"])
def test_a_provider_serves_what_only_others_know(name: str, tmp_path: Path) -> None:
    settings = QuerySettings(providers={name: lambda argument: f"{argument} of {name}"})
    assert asked(tmp_path, f"{{eval: {{{name}: x}}}}", settings=settings) == f"x of {name}"


def test_safe_mode_keeps_to_the_document(tmp_path: Path) -> None:
    safe = QuerySettings(safe=True)
    assert asked(tmp_path, "{eval: {add: [1, 2]}}", settings=safe) == 3
    for expression in ("{get_env: HOME}", "{eval: {file: x}}", "{{ lookup('env', 'HOME') }}", "{{ SELF.__class__ }}"):
        with pytest.raises(PlaitError):
            asked(tmp_path, expression, settings=safe)


def test_without_strictness_a_missing_variable_stays(tmp_path: Path) -> None:
    assert asked(tmp_path, "{{ nope }}", settings=QuerySettings(strict=False)) == "{{ nope }}"
    assert asked(tmp_path, "{eval: '{{ nope }}', strict: false}") == "{{ nope }}"


def test_labels_fit_and_stay_apart(tmp_path: Path) -> None:
    short = asked(tmp_path, "{eval: {to_dns_label: some_long_name_that_goes_on, max: 16}}")
    other = asked(tmp_path, "{eval: {to_dns_label: some_long_name_that_goes_off, max: 16}}")
    assert len(short) == len(other) == 16
    assert short != other


def test_a_digest_keeps_to_the_case_and_the_letters_of_its_label(tmp_path: Path) -> None:
    """Where the case is kept, digests have letters of both cases; where it is not, those that survive it."""
    names = [f"[name, number, {n}]" for n in range(60)]
    kept = [asked(tmp_path, f"{{eval: {{to_label: {name}, max: 12, digestlen: 6, sep: .}}}}") for name in names]
    lower = [asked(tmp_path, f"{{eval: {{to_label: {name}, max: 12, digestlen: 6, case: lower}}}}") for name in names]
    assert len(set(kept)) == len(set(lower)) == 60
    assert any(text[-6:] != text[-6:].lower() for text in kept)
    assert all(text == text.lower() for text in lower)
    assert not any("-" in text for text in kept)


def test_a_one_item_list_stays_a_list(tmp_path: Path) -> None:
    assert asked(tmp_path, "{eval: {template: '{{ [1] }}'}}") == [1]
    assert asked(tmp_path, "{eval: a, foreach: $item}") == ["yes-a"]
    assert asked(tmp_path, "{eval: nowhere, foreach: $item}") == []


def test_each_item_of_a_loop_is_seen_by_its_own_body(tmp_path: Path) -> None:
    doubled = "{eval: $l, vars: {l: [{n: 1}, {n: 2}]}, foreach: {x: {eval: $item::n}, y: {eval: n}}}"
    assert asked(tmp_path, doubled) == [{"x": 1, "y": 1}, {"x": 2, "y": 2}]


def test_a_loop_can_stop_and_skip(tmp_path: Path) -> None:
    body = "{eval: {if: {eq: [{eval: $index}, 1]}, then: $WORD, else: $item}}"
    loop = "{eval: $l, vars: {l: [a, b, c]}, foreach: BODY}".replace("BODY", body)
    assert asked(tmp_path, loop.replace("WORD", "break")) == ["a"]
    assert asked(tmp_path, loop.replace("WORD", "continue")) == ["a", "c"]


L = "vars: {l: [{n: 1, k: x}, {n: 2, k: y}]}"
LANGUAGE: dict[str, Any] = {
    # one value: nothing is null, one is itself, several are a list
    "{eval: nowhere}": None,
    "{eval: nowhere, foreach: {key: $index, value: $item}}": [],
    "{eval: nowhere, select: {key: $index, value: $item}}": None,
    "{eval: {q: []}, foreach: {key: $index, value: $item}}": [{}],
    "{eval: '::a', trace: 1}": "yes-a",
    "::a": "yes-a",
    "{eval: '::inputs::size'}": 5,
    "{ref: '::a'}": "yes-a",
    "{eval: [a, b]}": ["a", "b"],
    "{eval: [{eval: '::a'}, 1]}": ["yes-a", 1],
    "{eval: 7}": 7,
    "{eval: true}": True,
    # what is an expression, and what is data
    "{q: {eval: '::a'}}": {"eval": "::a"},
    "{eval: {q: {x: 1}}}": {"x": 1},
    "{get_input: size}": 5,
    "{get_input: [size, 3]}": 5,
    "{get_input: [nope, 3]}": 3,
    "{q: [{eval: '::a'}, [1]]}": [{"eval": "::a"}, [1]],
    "{eval: {q: [{eval: '::a'}, {b: {eval: '::b'}}]}}": [{"eval": "::a"}, {"b": {"eval": "::b"}}],
    "{eval: '::a', ref: '::b'}": "yes-a",
    # variables
    "{eval: $x, vars: {x: 1}}": 1,
    "{eval: $x, vars: {x: {eval: '::a'}}}": "yes-a",
    "{eval: $x, vars: {x: {y: [{eval: '::b'}]}}}": {"y": ["yes-b"]},
    "{eval: $get_input, vars: {get_input: 3}}": 3,
    "{eval: $y, vars: {x: {eval: '::nowhere::nowhere'}, y: 2}}": 2,
    # loops: a text is a path on the item, a map with `eval` an expression, another map a value with expressions in it
    f"{{eval: $l, {L}, foreach: n}}": [1, 2],
    f"{{eval: $l, {L}, foreach: $item::n}}": [1, 2],
    f"{{eval: $l, {L}, foreach: {{eval: $index}}}}": [0, 1],
    f"{{eval: $l, {L}, foreach: {{eval: $key}}}}": [0, 1],
    f"{{eval: $l, {L}, foreach: {{add: [{{eval: n}}, 1]}}}}": [{"add": [1, 1]}, {"add": [2, 1]}],
    f"{{eval: $l, {L}, foreach: {{eval: {{add: [{{eval: n}}, 1]}}}}}}": [2, 3],
    f"{{eval: $l, {L}, foreach: {{i: {{eval: $index}}}}}}": [{"i": 0}, {"i": 1}],
    f"{{eval: $l, {L}, foreach: '{{{{ 1 + 1 }}}}'}}": [2, 2],
    f"{{eval: $l, {L}, foreach: 5}}": [5, 5],
    f"{{eval: $l, {L}, foreach: {{key: k, value: n}}}}": [{"x": 1, "y": 2}],
    f"{{eval: $l, {L}, foreach: {{value: n}}}}": [1, 2],
    f"{{eval: $l, {L}, foreach: {{key: k}}}}": [{"key": "k"}, {"key": "k"}],
    f"{{eval: $l, {L}, foreach: {{key: k, value: n, more: 1}}}}": [{"key": "k", "value": "n", "more": 1}] * 2,
    f"{{eval: $l, {L}, foreach: {{eval: '$collection::n'}}}}": [[1, 2], [1, 2]],
    "{eval: '::a', foreach: $true}": ["yes-a"],
    "{eval: '::a', select: $true}": "yes-a",
    f"{{eval: $l, {L}, select: n}}": [1, 2],
    "{eval: $l, vars: {l: [{n: 1}]}, select: n}": 1,
    "{eval: '::inputs', select: size}": 5,
    # what must be there
    "{eval: nowhere, strict: false}": None,
    "{eval: '::a', strict: required}": "yes-a",
    "{eval: $x, vars: {x: null}, strict: required}": None,
    "{eval: $x, vars: {x: 1}, strict: notnull}": 1,
}
CALLS: dict[str, Any] = {
    "{if: nowhere, then: '::a', else: '::b'}": "yes-b",
    "{if: nowhere, then: '::b'}": False,
    "{if: '::a', then: '::b'}": "yes-b",
    "{if: '::a', else: '::b'}": True,
    "{and: ['::a', '::b']}": "yes-b",
    "{and: ['::a', {q: 0}, '::b']}": 0,
    "{or: [nowhere, '::b', '::a']}": "yes-b",
    "{or: [nowhere]}": False,
    "{not: nowhere}": True,
    "{eq: [1, 2]}": False,
    "{eq: [1, '1']}": False,
    "{ne: [1, 1]}": False,
    "{gt: [1, 1]}": False,
    "{ge: [1, 1]}": True,
    "{ge: [0, 1]}": False,
    "{lt: [1, 1]}": False,
    "{le: [1, 1]}": True,
    "{le: [2, 1]}": False,
    "{sub: [1, 3]}": -2,
    "{mul: [2, 1.5]}": 3.0,
    "{div: [4, 2]}": 2.0,
    "{floordiv: [-7, 2]}": -4,
    "{mod: [-7, 3]}": 2,
    "{pow: [2, -1]}": 0.5,
    "{concat: [a, 1, null], sep: '-'}": "a-1-None",
    "{concat: a}": "a",
    "{token: [a-b-c, '-', 2]}": "c",
    "{token: [a-b-c, '-', -1]}": "c",
    "{urljoin: [http, h, 80]}": "http://h",
    "{urljoin: [https, h, 443, p]}": "https://h/p",
    "{urljoin: [https, h, 80, /p]}": "https://h:80/p",
    "{urljoin: [http, h, null, a b, 'q=1&r', f g]}": "http://h/a%20b?q%3D1%26r#f%20g",
    "{urljoin: ['', h, 1]}": "//h:1",
    "{urljoin: ['', '', '', p]}": "p",
    "{urljoin: ['', '', 80]}": None,
    "{to_env: {A: 1, B: '${A}2', C: false, D: null, E: '${NOPE_}', F: '${A', G: true}}": {
        "A": "1",
        "B": "12",
        "C": "",
        "E": "",
        "F": "${A",
        "G": "true",
    },
    "{to_env: {A: 1, '-A': x, '-B': y, '+NOPE_': z}}": {"NOPE_": "z"},
    "{to_env: {P_: b, '^P_': a, '^Q_': c}}": {"P_": "a", "Q_": "c"},
    "{to_env: {A: x, B: '${NOPE_|A}', C: '${NOPE_:some text}', D: '\\${A}'}}": {
        "A": "x",
        "B": "x",
        "C": "some text",
        "D": "${A}",
    },
    "{to_env: {'+KNOWN_*':, A_1: x, A_2: y, B: z, '-A_*':}}": {"KNOWN_": "set", "B": "z"},
    "{to_env: {A_1: x, A_2: y, '-!A_1':}}": {"A_1": "x"},
    "{to_env: {PATH: x, A: y, '-*':}}": {"PATH": "x"},
    "{to_env: {PATH: x, '-PATH':}}": {},
    "{to_env: {'^KNOWN_': ''}}": {"KNOWN_": "set"},
    "{to_env: {'^NOPE_': true}}": {"NOPE_": "true"},
    "{scalar_value: 1500 kb, unit: mb}": 2,
    "{scalar_value: 500 kb, unit: mb}": 0.5,
    "{scalar_value: 1500 kb, unit: mb, round: 1}": 1.5,
    "{scalar_value: 1.2 h, unit: m, round: floor}": 72,
    "{scalar_value: 5 b, unit: kib, round: ceil}": 1,
    "{scalar_value: '7'}": 7,
    "{scalar_value: seven}": None,
    "{scalar: many}": None,
    "{scalar: '7'}": None,
    "{scalar: 5*MB}": "5 MB",
    "{floordiv: [{eval: {scalar: 1500 MB}}, 2]}": "750 MB",
    "{portspec: ''}": None,
    "{portspec: 8000-8010/udp}": {
        "protocol": "udp",
        "source": None,
        "source_range": ["8000", "8010"],
        "target": None,
        "target_range": ["8000", "8010"],
    },
    "{portspec: {source: 5}}": {
        "protocol": None,
        "source": 5,
        "source_range": None,
        "target": None,
        "target_range": None,
    },
    "{to_env: {'+KNOWN_': z, X: '${KNOWN_}', '^KNOWN_': w}}": {"KNOWN_": "w:set", "X": "set"},
    "{get_env: [NOPE_, d]}": "d",
    "{get_env: NOPE_}": None,
    "{get_env: [KNOWN_, d]}": "set",
    "{has_env: NOPE_}": False,
    "{lookup: {env: NOPE_}}": "",
    "{lookup: {env: [KNOWN_]}}": "set",
    "{is_function_defined: nowhere}": False,
}
FILTERS: dict[str, Any] = {
    # a replacement as Python's `re` reads it
    r'"abc" | regex_replace("(b)", "<\\1>")': "a<b>c",
    r'"abc" | regex_replace("(?P<x>b)", "<\\g<x>>")': "a<b>c",
    r'"abc" | regex_replace("(a)(b)", "\\2\\1")': "bac",
    r'"abcdefghij" | regex_replace("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)", "\\10\\1x")': "jax",
    r'"abc" | regex_replace("b", "\\n") | length': 3,
    r'"abc" | regex_replace("b", "\\\\")': "a\\c",
    r'"abc" | regex_replace("b", "\\q")': "a\\qc",
    r'"abc" | regex_replace("b", "x\\")': "ax\\c",
    '"aaa" | regex_replace("a", "b", count=2)': "bba",
    '"aAa" | regex_replace("a", "b", ignorecase=true)': "bbb",
    r'"abc" | regex_search("(b)(c)", "\\2", "\\1")': ["c", "b"],
    '"abc" | regex_search("z")': None,
    '"abcb" | regex_findall("b")': ["b", "b"],
    '"abcb" | regex_findall("(b)")': ["b", "b"],
    '"abcb" | regex_findall("(b)(.?)")': [["b", "c"], ["b", ""]],
    # sizes: units are powers of 1024
    "1023 | human_readable": "1023.00 Bytes",
    "1024 | human_readable": "1.00 KB",
    "1048576 | human_readable(isbits=true)": "1.00 Mb",
    '1024 | human_readable(unit="B")': "1024.00 Bytes",
    '2048 | human_readable(unit="k")': "2.00 KB",
    '"1.5 GB" | human_to_bytes': 1610612736,
    '"1K" | human_to_bytes': 1024,
    '"10" | human_to_bytes("M")': 10485760,
    '"1 Kb" | human_to_bytes(isbits=true)': 1024,
    # lists
    "[1, [2, [3, [4]]]] | flatten": [1, 2, 3, 4],
    "[1, [2, [3, [4]]]] | flatten(levels=1)": [1, 2, [3, [4]]],
    "[1, 2] | union([2, 3])": [1, 2, 3],
    "[1, 2] | intersect([2, 3])": [2],
    "[1, 2] | difference([2, 3])": [1],
    "[1, 2] | symmetric_difference([2, 3])": [1, 3],
    "[1, 2] | zip([3]) | list": [[1, 3]],
    "[1, 2] | zip_longest([3], fillvalue=0) | list": [[1, 3], [2, 0]],
    "[1, 2] | product([3]) | list": [[1, 3], [2, 3]],
    "[1, 2] | permutations | list": [[1, 2], [2, 1]],
    "[1, 2, 3] | combinations(2) | list": [[1, 2], [1, 3], [2, 3]],
    '{"a": {"b": 1}} | combine({"a": {"c": 2}})': {"a": {"c": 2}},
    '{"a": {"b": 1}} | combine({"a": {"c": 2}}, recursive=true)': {"a": {"b": 1, "c": 2}},
    # texts and numbers
    '{"b": 1, "a": [1]} | to_nice_json(indent=1)': '{\n "a": [\n  1\n ],\n "b": 1\n}',
    '"1.2.3" is version("1.3", "<")': True,
    '"1.2.3" is version("1.2.3", ">=")': True,
    '"1.2.3" is version("1.2.3", "!=")': False,
    "27 | root(3)": 3.0,
    "9 | root": 3.0,
    "2 | pow(3)": 8.0,
    '"" | ternary(1, 2)': 2,
    "none | ternary(1, 2, 3)": 3,
    '"a" | hash("sha1")': "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
}
NO_FILTERS = {
    r'"abc" | regex_replace("(a)(b)", "\\22")': "there is no group `22`",
    r'"abc" | regex_search("(a)", "x")': "a group is written as",
    '1024 | human_readable(unit="x")': "there is no unit 'x'",
    '1024 | human_readable(unit="")': "there is no unit ''",
    '"1 Kb" | human_to_bytes': "`Kb` is no unit of bytes",
    '"1 KB" | human_to_bytes(isbits=true)': "`KB` is no unit of bits",
    '"x" | human_to_bytes': "`x` does not begin with a number",
    '"1.2.3" | human_to_bytes': "`1.2.3` does not begin with a number",
    '"." | human_to_bytes': "`.` does not begin with a number",
    '"1 Q" | human_to_bytes': "there is no unit `Q`",
}


def test_filters_of_ansible(tmp_path: Path) -> None:
    assert {text: asked(tmp_path, f"{{{{ {text} }}}}") for text in FILTERS} == FILTERS
    for text, said in NO_FILTERS.items():
        with pytest.raises(PlaitError) as caught:
            asked(tmp_path, f"{{{{ {text} }}}}")
        assert said in str(caught.value)


REFUSED = {
    "{eval: {urljoin: [a]}}": "of which the first two are required",
    "{eval: {urljoin: [a, b, c, d, e, f, g]}}": "of which the first two are required",
    "{eval: {to_env: [a]}}": "takes a map of variables",
    "{eval: {lookup: {file: x}}}": "has no plugin `file`",
    "{eval: {eq: [1]}}": "eq",
    "{eval: {add: [1, 2, 3]}}": "add",
    "{eval: nowhere, strict: required}": "nowhere",
    "{eval: nowhere, strict: notnull}": "nowhere",
    "{eval: $x, vars: {x: null}, strict: notnull}": "x",
    "{eval: {ad: [1, 2]}}": "did you mean `add`",
    "{eval: {x: 1, y: 2}}": "`x`, `y`",
    "{eval: {}}": "an empty map",
    "{eval: {add: [1, 2], vars: {}}}": "write it beside `eval`",
    "{eval: {add: [1, 2], var: {}}}": "write it beside `eval`",
}


def test_the_language_around_paths(tmp_path: Path) -> None:
    assert {each: asked(tmp_path, each) for each in LANGUAGE} == LANGUAGE


def test_functions_of_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOWN_", "set")
    assert {each: asked(tmp_path, f"{{eval: {each}}}") for each in CALLS} == CALLS


@pytest.mark.parametrize("expression", REFUSED)
def test_what_the_language_refuses(tmp_path: Path, expression: str) -> None:
    with pytest.raises(PlaitError) as caught:
        asked(tmp_path, expression)
    assert REFUSED[expression] in "".join(f"{each.message} {each.hint}" for each in caught.value.diagnostics)


def test_all_matches_and_whole_values(tmp_path: Path) -> None:
    assert asked(tmp_path, "{eval: '::a'}", "list") == ["yes-a"]
    assert asked(tmp_path, "nowhere", "list") == []
    assert asked(tmp_path, "{x: {eval: '::a'}, y: [{eval: '::b'}], z: a}", "map") == {
        "x": "yes-a", "y": ["yes-b"], "z": "a",
    }  # fmt: skip


def test_expressions_that_nest_too_deep_are_refused(tmp_path: Path) -> None:
    deep = "a"
    for _ in range(200):
        deep = f"{{not: {deep}}}"
    with pytest.raises(PlaitError, match="deeper than"):
        asked(tmp_path, f"{{eval: {deep}}}")
    with pytest.raises(PlaitError, match="deeper than"):
        asked(tmp_path, "a" + "[b" * 500 + "]" * 500)


def test_the_bound_of_a_printed_value_is_no_less_than_its_text_and_not_much_more() -> None:
    shared = ["x" * 9, -(2**70), 2.5e-300]
    values = ["", "é", 0, True, None, 1e22, [], {}, (1,), {"a": [1, {"b": None}]}, [shared, {"c": shared}]]
    assert [len(str(value)) <= printed(value) <= 8 * len(str(value)) + 24 for value in values] == [True] * len(values)
    assert printed([shared, shared]) > 2 * printed(shared)
    assert [numbers_in(text) for text in ("", "%5d", "%3.12s of 7", "%1234567890123d")] == [0, 5, 22, 10**12]
