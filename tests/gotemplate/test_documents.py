"""Templates over documents: only what is looked at is evaluated, and what comes out knows where it comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait.core.expression import Expression
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension, text
from plait.core.source import UNKNOWN
from plait.gotemplate import parse


class Watched(Expression):
    """An expression that notes when it is asked."""

    def __init__(self, name: str, value: Node, asked: list[str]) -> None:
        self.text = name
        self.value = value
        self.asked = asked

    def evaluate(self, scope: object) -> Node:
        self.asked.append(self.text)
        return self.value


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def data(asked: list[str]) -> MapNode:
    def later(name: str, value: Node) -> Node:
        return Suspension(Watched(name, value, asked), UNKNOWN, 0)

    settings = {
        "x": later("x", text("eks")),
        "y": later("y", text("why")),
        "l": later("l", ListNode([later("l0", text("a"))])),
    }
    return MapNode({"settings": later("settings", MapNode(dict(settings))), "n": Scalar(3, "3")})


def reveal(node: Node) -> Node:
    return node.expression.evaluate(None) if isinstance(node, Suspension) else node  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("template", "output", "opened"),
    [
        ("{{ .settings.x }}", "eks", ["settings", "x"]),
        ("{{ .settings.x }}{{ .settings.x }}", "ekseks", ["settings", "x"]),
        ('{{ index .settings "y" }}', "why", ["settings", "y"]),
        ('{{ get .settings "y" | upper }}', "WHY", ["settings", "y"]),
        ('{{ hasKey .settings "y" }}', "true", ["settings"]),
        ("{{ len .settings }}{{ keys .settings | sortAlpha }}", "3[l x y]", ["settings"]),
        ("{{ with .settings }}{{ .x }}{{ end }}", "eks", ["settings", "x"]),
        ("{{ if .n }}{{ .n }}{{ else }}{{ .settings.x }}{{ end }}", "3", []),
        ('{{ or .n .settings.x }}{{ .n | default "d" }}', "33", []),
        ("{{ range .settings.l }}{{ . }}{{ end }}", "a", ["settings", "l", "l0"]),
        ('{{ pick .settings "x" | toJson }}', '{"x":"eks"}', ["settings", "x"]),
        ('{{ dig "x" "none" .settings }}', "eks", ["settings", "x"]),
        ("{{ toJson .settings }}", '{"l":["a"],"x":"eks","y":"why"}', ["l", "l0", "settings", "x", "y"]),
        ('{{ $_ := set (dict) "a" 1 }}{{ .n }}', "3", []),
        (
            '{{ $_ := set .settings "x" 2 }}{{ .settings.x }}{{ .settings.y }}',
            "2why",
            ["l", "l0", "settings", "x", "y"],
        ),
    ],
)
def test_only_what_is_looked_at(data: MapNode, asked: list[str], template: str, output: str, opened: list[str]) -> None:
    for _ in range(2):  # a second rendering starts afresh
        asked.clear()
        assert parse(template).render(data, reveal=reveal) == output
        assert sorted(asked) == sorted(opened)


def test_data_of_the_caller_stay_as_they_are() -> None:
    data = {"m": {"a": 1}, "l": [1]}
    assert parse('{{ $_ := set .m "a" 2 }}{{ $_ := merge .m (dict "b" 3) }}{{ .m }}').render(data) == "map[a:2 b:3]"
    assert data == {"m": {"a": 1}, "l": [1]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plait.yaml").write_text("notations: [gotemplate]\n")
    return tmp_path


def merged(folder: Path, document: str, **options: object) -> plait.Document:
    (folder / "a.yaml").write_text(document)
    return plait.merge(["a.yaml"], **options)  # type: ignore[arg-type]


def test_templates_over_functions_and_templates(folder: Path) -> None:
    found = merged(
        folder, 'a: !ref b\nb: "{{ .c }}-x"\nc: "{{ .d.e | upper }}"\nd: {e: low}\nbroken: "{{ fail \\"no\\" }}"\n'
    )
    assert found["a"] == "LOW-x"


def test_one_reference_keeps_its_type(folder: Path) -> None:
    found = merged(folder, 'n: 3\nm: {a: [1]}\nx: "{{ .n }}"\ny: "{{ $.m }}"\nz: "{{ .n }}."\n')
    assert (found["x"], found.value("y"), found["z"]) == (3, {"a": [1]}, "3.")


def test_a_template_that_waits_for_itself(folder: Path) -> None:
    with pytest.raises(plait.PlaitError, match="circular reference"):
        merged(folder, 'a: "{{ .b }}x"\nb: "{{ .a }}x"\n').value()


def test_a_chain_of_templates_needs_no_stack(folder: Path) -> None:
    links = "".join(f'  k{i}: "{{{{ .chain.k{i - 1} }}}}."\n' for i in range(3000, 0, -1))
    assert merged(folder, f"chain:\n{links}  k0: seed\n").value("chain.k3000") == "seed" + "." * 3000


def test_the_origin_names_the_template_and_what_it_read(folder: Path) -> None:
    document = 'settings: {region: eu, zone: b}\nname: "{{ .settings.region }}-web"\nall: "{{ toJson .settings }}"\n'
    winner = merged(folder, document).explain("name").leaves[0].winner
    assert winner.expression == "{{ .settings.region }}-web"
    assert [read.path for read in winner.reads] == [("settings", "region")]
    winner = merged(folder, document).explain("all").leaves[0].winner
    assert sorted(read.path for read in winner.reads) == [("settings", "region"), ("settings", "zone")]


def test_chance_is_drawn_once(folder: Path) -> None:
    document = 'a: "{{ randAlphaNum 20 }}{{ .b }}"\nb: "{{ .c }}"\nc: "{{ uuidv4 }}"\n'
    found = merged(folder, document)
    assert found["a"] == found["a"]
    assert len(found["a"]) == 56
    assert found["a"].endswith(found["b"])


def test_the_network_must_be_allowed(folder: Path) -> None:
    with pytest.raises(plait.PlaitError, match="PL4001"):
        merged(folder, "a: '{{ getHostByName \"127.0.0.1\" }}'\n").value()
    found = merged(folder, "a: '{{ getHostByName \"127.0.0.1\" }}'\n", allow=["network"])
    assert found["a"] == "127.0.0.1"


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ("a: x {{ .none }}\n", "a.yaml:1:9"),
        ("a: 'x {{ .none }}'\n", "a.yaml:1:10"),
        ("a:\n  - |\n    one\n    {{ .none }}\n", "a.yaml:4:8"),
        ("a: >-\n  one\n\n  {{ .none }}\n", "a.yaml:1:4"),  # a folded text is not in the file as it is
        ('a: "\\x41 {{ .none }}"\n', "a.yaml:1:4"),
    ],
)
def test_errors_point_into_the_file(folder: Path, document: str, place: str) -> None:
    with pytest.raises(plait.PlaitError) as caught:
        merged(folder, document).value()
    assert str(caught.value.diagnostics[0].labels[0].origin) == place


def test_text_with_braces_that_is_no_template_passes(folder: Path) -> None:
    assert merged(folder, "a: '{{/* only a comment */}}'\nb: '{ {x} }'\n").value() == {
        "a": "{{/* only a comment */}}",
        "b": "{ {x} }",
    }
