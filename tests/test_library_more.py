"""The rest of the library: layers of every kind, types, printing, pickling, and the questions that are answered at
once."""

from __future__ import annotations

import copy
import dataclasses
import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import plait
from plait.apps.cli import main

BASE = "name: shop\nport: 80\ntags: [a, b]\ndb: {host: x, size: 1}\n"
PROD = "port: 8080\ndb: {host: y}\n"


@dataclasses.dataclass
class Database:
    host: str
    size: float = 0.0


@dataclasses.dataclass
class Shop:
    name: str
    port: int
    db: Database
    tags: list[str] = dataclasses.field(default_factory=list)
    note: str | None = None


def test_layers_are_paths_texts_dicts_and_files(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    file = tmp_path / "base.yaml"
    assert plait.merge(str(file))["port"] == 80
    assert plait.merge(file)["port"] == 80
    assert plait.merge(BASE)["port"] == 80
    assert plait.merge({"a": {"b": 1}})["a"]["b"] == 1
    assert plait.merge(io.StringIO(BASE))["port"] == 80
    with file.open() as opened:
        assert plait.merge([opened, PROD, {"port": 1}]).value() == {
            "name": "shop", "port": 1, "tags": ["a", "b"], "db": {"host": "y", "size": 1},
        }  # fmt: skip
    document = plait.merge([file, ("override", {"port": 2}), io.BytesIO(b"name: x\n")])
    assert document.explain("port").leaves[0].winner.node.origin.file == "override"
    with pytest.raises(TypeError, match="not int"):
        plait.merge([1])
    with pytest.raises(TypeError, match="plain data"):
        plait.merge({"a": object()})


def test_a_list_at_the_root_is_a_list() -> None:
    document = plait.merge("- 1\n- {a: 2}\n")
    assert isinstance(document, plait.ListDocument)
    assert len(document) == 2
    assert document[0] == 1
    assert document.to_dict() == [1, {"a": 2}]
    assert repr(document) == "<plait document: a list of 2>"


def test_a_layer_deeper_than_the_stack_of_python() -> None:
    deep: object = "end"
    for _ in range(1500):
        deep = {"a": [deep]}
    with pytest.raises(plait.PlaitError, match="PL5001: nested deeper than"):
        plait.merge([deep])
    ring: dict[str, object] = {}
    ring["a"] = ring
    with pytest.raises(ValueError, match="a layer contains itself"):
        plait.merge([ring])


def test_errors_say_where_and_what_next(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("net: {cidr: 1}\nx: !ref net.cdir\n")
    with pytest.raises(plait.PlaitError) as caught:
        plait.merge(tmp_path / "a.yaml").value()
    assert str(caught.value).splitlines()[1] == f"  {tmp_path}/a.yaml:2:4"
    assert "did you mean `net.cidr`" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_printing_shows_something_useful() -> None:
    document = plait.merge([("base", BASE), ("prod", PROD)])
    assert repr(document) == "<plait document: name, port, tags, db>"
    assert str(document).startswith("name: shop\nport: 8080\n")
    assert str(document.explain("port")) == "port: 8080    prod:1:7    overrides 80 (base:2:7)"
    assert "<td>port</td><td>8080</td><td>prod:1:7</td>" in document._repr_html_()
    assert "&lt;b&gt;" in plait.merge("a: <b>\n")._repr_html_()
    assert {"merge", "diff", "lint", "edit", "blame"} <= set(dir(plait))


def test_a_document_as_a_dataclass() -> None:
    shop = plait.merge([BASE, PROD]).as_type(Shop)
    assert shop == Shop("shop", 8080, Database("y", 1.0), ["a", "b"])
    with pytest.raises(plait.PlaitError) as caught:
        plait.merge([("base", BASE), ("bad", "port: many\ndb: {hots: 1, host: 2}\nname: null\n")]).as_type(Shop)
    told = str(caught.value)
    assert "PL9007: `port` does not fit int: `many` is not of type int\n  bad:1:7" in told
    assert "`db.hots` does not fit Database: there is no such field\n  bad:2:12\n  did you mean `host`" in told
    assert "`db.host` does not fit str" in told
    with pytest.raises(plait.PlaitError, match="`db` does not fit Shop: the value is missing"):
        plait.merge("name: a\nport: 1\n").as_type(Shop)


def test_a_document_as_a_pydantic_model() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", name=(str, ...), port=(int, ...), tags=(list[int], []))
    assert plait.merge("name: a\nport: 1\n").as_type(model).port == 1
    with pytest.raises(plait.PlaitError) as caught:
        plait.merge([("values.yaml", BASE)]).as_type(model)
    assert "`tags[0]` does not fit Model" in str(caught.value)
    assert "values.yaml:3:8" in str(caught.value)


def test_copies_and_pickles(tmp_path: Path) -> None:
    file = tmp_path / "base.yaml"
    file.write_text(BASE)
    document = plait.merge([file, {"port": 1}], sets=["name=other"], folder=str(tmp_path))
    assert copy.copy(document) is document
    assert copy.deepcopy(document) is document
    kept = pickle.dumps(document)
    file.write_text("gone: true\n")
    again = pickle.loads(kept)
    assert again.value() == {"name": "other", "port": 1, "tags": ["a", "b"], "db": {"host": "x", "size": 1}}


def test_parts_and_explanations_are_pickled_and_copied() -> None:
    document = plait.merge("a: {b: !ref c, l: [1, {x: 2}]}\nc: 3\n")
    for make in (copy.copy, copy.deepcopy, lambda part: pickle.loads(pickle.dumps(part))):
        made = make(document["a"])
        assert type(made) is dict
        assert made == {"b": 3, "l": [1, {"x": 2}]}
        assert type(make(document["a"]["l"])) is list
    why = document.explain("a.b")
    assert str(pickle.loads(pickle.dumps(why))) == str(why) == str(copy.deepcopy(why))


def test_one_document_in_many_threads() -> None:
    text = "".join(f"k{n}: !ref k{n + 1}\n" for n in range(200)) + "k200: 7\n"
    document = plait.merge(text)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda n: document[f"k{n % 200}"], range(800))) == {7}


def test_diff() -> None:
    found = plait.diff([("a", BASE)], plait.merge([("a", BASE), ("b", PROD)]))
    assert [(one.path, one.kind, one.before, one.after, one.after_at) for one in found] == [
        ("port", "changed", 80, 8080, "b:1:7"),
        ("db.host", "changed", "x", "y", "b:2:12"),
    ]


def test_lint_and_blame() -> None:
    assert [one.code for one in plait.lint([("a", BASE), ("b", "prot: 1\n")], select=["PL2306"])] == ["PL2306"]
    lines = plait.blame([("a", BASE), ("b", PROD)])
    assert [str(line) for line in lines][1] == "port: 8080 (b:1:7, overrides a:2:7)"
    assert len(lines) == 6


def test_edit_changes_one_span(tmp_path: Path) -> None:
    file = tmp_path / "app.yaml"
    file.write_text("# top\nserver:   {port: 80}  # why\nold: 1\n")
    assert plait.edit(str(file), {"server.port": 81}, dry_run=True).startswith("# top\nserver:   {port: 81}  # why")
    plait.edit(str(file), {"server.port": 82, "server.tags": ["a"]}, unset=["old"], create=True)
    assert file.read_text() == "# top\nserver:   {port: 82, tags: [a]}  # why\n"


def test_the_text_of_a_document_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = "n: no\nc: 1:30\nd: 2024-01-01\n~: x\nm:\n  ~: 1\n"
    (tmp_path / "a.yaml").write_text(written)
    assert plait.merge(tmp_path / "a.yaml").text() == written
    for options in ([], ["--yaml", "1.1"]):
        assert main(["merge", str(tmp_path / "a.yaml"), *options]) == 0
        assert plait.merge(tmp_path / "a.yaml", yaml="".join(options[1:])).text() == capsys.readouterr().out


def test_keys_that_a_dict_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("[x, y]: list\n{k: 1}: map\n~: nothing\n")
    document = plait.merge(tmp_path / "a.yaml")
    assert list(document) == ["[x, 'y']", "{k: 1}", "~"]
    assert document.to_dict() == {"[x, 'y']": "list", "{k: 1}": "map", "~": "nothing"}
    assert document["{k: 1}"] == "map"
    (tmp_path / "b.yaml").write_text("a:\n  1: x\n  '1': y\n")
    clash = plait.merge(tmp_path / "b.yaml")
    with pytest.raises(plait.PlaitError, match=r"duplicate key `1`\n.*b.yaml:2:3\n.*b.yaml:3:3\n"):
        clash.to_dict()
    with pytest.raises(plait.PlaitError, match=r"b.yaml:2:3\n"):
        list(clash["a"])
    assert clash.text() == "a:\n  1: x\n  '1': y\n"


def test_blame_and_lint_take_the_options_of_merge(tmp_path: Path) -> None:
    (tmp_path / "low.yaml").write_text("jobs: [{name: web, n: 1}]\n")
    (tmp_path / "high.yaml").write_text("jobs: [{name: web, n: 2}]\n")
    (tmp_path / "rules.yaml").write_text("jobs: key:name\n")
    layers = [tmp_path / "low.yaml", tmp_path / "high.yaml"]
    paths = [one.path for one in plait.blame(layers, policy=str(tmp_path / "rules.yaml"), folder=str(tmp_path))]
    assert paths == ["jobs[name=web].name", "jobs[name=web].n"]
    codes = [one.code for one in plait.lint(layers, policy=str(tmp_path / "rules.yaml"), folder=str(tmp_path))]
    assert "PL2301" not in codes
    assert "PL2301" in [one.code for one in plait.lint(layers, folder=str(tmp_path))]


def test_answers_say_what_they_are_when_they_are_printed() -> None:
    answer = plait.merge([("low.yaml", "a: 1\n"), ("high.yaml", "a: 2\n")]).explain("a")
    assert repr(answer.leaves) == "[<a: 2 from high.yaml:1:4>]"
    assert repr(answer.parts) == "[<high.yaml:1:4 2>]"
    assert answer.parts == [answer.leaves[0].winner], "what it came through is told of both"
    computed = plait.merge([("a.yaml", "a: !ref b\nb: 3\n")]).explain("a")
    assert repr(computed.leaves) == "[<a: 3 from a.yaml:1:4>]"
    assert repr(computed.parts) == "[<a.yaml:1:4 '!ref b'>]"


def test_what_an_expression_reads_is_named_once() -> None:
    for expression, expected in (("b", ["b"]), ("b b", ["b"]), ("b c", ["b", "c"]), ("b c b", ["b", "c"])):
        document = plait.merge(f"a: (( {expression} ))\nb: 3\nc: 4\n", notations=["dynaml"])
        assert [".".join(map(str, read.path)) for read in document.explain("a").parts[0].reads] == expected


def test_no_answer_shows_a_secret_when_it_is_printed(tmp_path: Path) -> None:
    texts = [
        f"pw: !sensitive {word}\nread: !ref pw\nmap: {{list: [!sensitive {word}]}}\n" for word in ("hunter1", "hunter2")
    ]
    low, high = (plait.merge(text) for text in texts)
    both = plait.merge([("low.yaml", texts[0]), ("high.yaml", texts[1])])
    explained = [both.explain(path) for path in ("", "pw", "read", "map", "map.list[0]")]
    lists = [
        plait.diff(low, high),
        plait.blame(texts[1]),
        *(some for one in explained for some in (one.leaves, one.parts)),
    ]
    answers = [low, both, both["map"], *explained, *lists, *(one for some in lists for one in some)]
    html = [one._repr_html_() for one in (low, both, *explained)]
    printed = [*map(str, answers), *map(repr, answers), *html, *(str(one.ways()) for one in explained)]
    assert [text for text in printed if "hunter" in text] == []
    assert both.value()["pw"] == "hunter2"
    assert "pw: <sensitive>" in str(explained[0])


def test_the_typed_program_uses_every_public_function() -> None:
    program = (Path(__file__).parent / "typed" / "program.py").read_text()
    names = {name for name in plait.__all__ if name.islower() and not name.startswith("_")}
    assert [name for name in sorted(names) if f"plait.{name}" not in program] == []


def test_a_value_of_a_target_is_written_only_where_it_has_an_effect_and_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plait.yaml").write_text("targets:\n- {name: dev, layers: [base.yaml, dev.yaml]}\n")
    (tmp_path / "base.yaml").write_text("size: 1\nnet: {cidr: x}\n")
    (tmp_path / "dev.yaml").write_text("size: 2\nfirst: !ref net.cidr\n")
    target = plait.open().target("dev")
    with pytest.raises(plait.PlaitError) as caught:
        target.set("size", 3, at="base.yaml")
    said = "PL3254: writing at base.yaml:1 would not set `size`: overridden by dev.yaml:1"
    assert str(caught.value).splitlines() == [said, "  choose a place in a higher layer with --at"]
    with pytest.raises(plait.PlaitError, match="would break"):
        target.set("net", "all", at="base.yaml")
    assert (tmp_path / "base.yaml").read_text() == "size: 1\nnet: {cidr: x}\n"
    assert [(change.path, change.before, change.after) for change in target.set("size", 3)] == [("size", 2, 3)]
    assert (tmp_path / "dev.yaml").read_text() == "size: 3\nfirst: !ref net.cidr\n"
    assert [(change.path, change.kind) for change in target.unset("size", at="dev.yaml")] == [("size", "removed")]
    assert (tmp_path / "dev.yaml").read_text() == "size: !unset\nfirst: !ref net.cidr\n"


def test_kinds_of_proposals_have_names(tmp_path: Path) -> None:
    (tmp_path / "plait.yaml").write_text("targets:\n- {name: dev, layers: [base.yaml, dev.yaml]}\n")
    (tmp_path / "base.yaml").write_text("port: 80\n")
    (tmp_path / "dev.yaml").write_text("port: 80\nname: a\n")
    found = plait.open(str(tmp_path))
    assert [one.kind for one in found.tidy(only="redundant")] == ["redundant"]
    assert found.tidy(only=["dead", "hoist"]) == []
    with pytest.raises(plait.PlaitError, match="did you mean `unused`"):
        found.tidy(only="unusd")
