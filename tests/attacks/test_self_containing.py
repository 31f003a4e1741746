"""Values that contain themselves: whatever prints or copies one ends with an error at the line of that action, in
little time, and comparing or merging them ends."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from plait.apps.cli.run import run

MAKERS = {
    "a map": '$d := dict }}{{ $_ := set $d "d" $d',
    "a list in a map": '$d := dict }}{{ $_ := set $d "d" (list 1 $d)',
    "two maps": '$d := dict }}{{ $e := dict "d" $d }}{{ $_ := set $d "e" $e',
    "wide": '$d := dict "a" (list 1 2 3) "b" 1 }}{{ range until 40 }}{{ $_ := set $d (printf "k%d" .) $d }}{{ end }}'
            '{{ $_ := 1',
    "deep": '$d := dict }}{{ $e := $d }}{{ range until 500 }}{{ $n := dict "up" $e }}{{ $e = $n }}{{ end }}'
            '{{ $_ := set $d "x" $e',
    "merged": '$d := dict "a" (dict) }}{{ $_ := merge $d.a (dict "up" $d)',
    "of the values": '$d := .Values }}{{ $_ := set $d "me" $d',
}  # fmt: skip
PRINTERS = [
    "toYaml $d", "toYamlPretty $d", "toJson $d", "mustToJson $d", "toPrettyJson $d", "mustToPrettyJson $d",
    "toRawJson $d", "toToml $d", "quote $d", "squote $d", "print $d", "println $d", "$d", "toString $d", 'cat "x" $d',
    'join "," (list $d)', "html (print $d)", "sha256sum (toJson $d)", 'tpl (toYaml $d) .', "deepCopy $d",
    'toYaml (list 1 $d)', "fromYaml (toYaml $d)", 'urlquery (print $d)', 'js (print $d)', "toStrings (list $d)",
    *(f'printf "%{verb}" $d' for verb in ("v", "+v", "#v", "s", "d", "q", "x", "X", "t", "f", "e", "c", "U", "b", "o")),
]  # fmt: skip
ENDING = ["eq (len $d) 1", "deepEqual $d $d", "not (deepEqual $d (dict))", 'hasKey $d "x"', "kindOf $d", 'empty $d',
          "(merge (dict) $d) | kindOf", "(mergeOverwrite $d $d) | kindOf", "omit $d `a` | kindOf"]  # fmt: skip
"""What does not print the value."""
NOTATIONS = ["toJson $d", "data.ToJSON $d", 'data.ToJSONPretty " " $d', "data.ToYAML $d", "data.ToTOML $d",
             "conv.ToString $d", "toYaml $d", "$d"]  # fmt: skip
"""The same in templates of values, which have gomplate's functions."""


@pytest.fixture
def chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c/templates").mkdir(parents=True)
    (tmp_path / "c/Chart.yaml").write_text("apiVersion: v2\nname: c\nversion: 1.0.0\n")
    (tmp_path / "c/values.yaml").write_text("a: 1\nb: {c: [1, 2]}\npw: !sensitive hush-hush\n")
    return tmp_path / "c/templates/a.yaml"


def rendered(chart: Path, make: str, show: str, words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The status and what is printed, in little CPU time."""
    chart.write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  v: |-\n    {{ "
        + make + " }}\n    {{ " + show + " }}\n"
    )  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    status = run(words.split())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 8
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("show", PRINTERS)
@pytest.mark.parametrize("what", MAKERS)
def test_a_value_that_contains_itself_is_an_error_where_it_is_printed(
    what: str, show: str, chart: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = rendered(chart, MAKERS[what], show, "render c --no-cache", capsys)
    assert status == 1, text
    assert "contains itself" in text
    assert "a.yaml:7" in text


@pytest.mark.parametrize("show", ["toYaml $d", "toJson $d", "$d", 'printf "%v" $d', "deepCopy $d"])
@pytest.mark.parametrize("words", ["render c --origins", "explain --target c **", "lint c"])
def test_who_traces_values_finds_it_too(words: str, show: str, chart: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = rendered(chart, MAKERS["two maps"], show, words, capsys)
    assert (status, "contains itself" in text) == (1, True), text


@pytest.mark.parametrize("show", ENDING)
@pytest.mark.parametrize("what", MAKERS)
def test_what_does_not_print_it_ends(what: str, show: str, chart: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Functions that get a copy of their arguments say why there is none."""
    status, text = rendered(chart, MAKERS[what], show, "render c --no-cache", capsys)
    assert status == 0 or "contains itself" in text, text


def test_values_that_share_parts_are_no_cycle(chart: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make = '$a := dict "x" (list 1 2) }}{{ $d := dict "l" (list $a $a $a) "m" $a'
    assert rendered(chart, make, "toJson $d", "render c", capsys)[0] == 0
    doubling = '$d := dict "x" 1 }}{{ range until 60 }}{{ $d = dict "a" $d "b" $d }}{{ end }}{{ $_ := 1'
    for show in ("toYaml $d", "toJson $d", "$d", 'printf "%v" $d', "deepCopy $d", "toToml $d"):
        status, text = rendered(chart, doubling, show, "render c", capsys)
        assert (status, "parts" in text or "limit" in text or "PL50" in text) == (1, True), text
    status, text = rendered(chart, doubling, "deepEqual $d (deepCopy $d.a.a.a)", "render c", capsys)
    assert status == 1, "what would be copied is counted"


@pytest.mark.parametrize("show", NOTATIONS)
def test_templates_of_stacks(show: str, chart: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("atmos.yaml").write_text(
        "base_path: .\nstacks: {base_path: stacks, included_paths: ['*.yaml'], name_template: '{{ .vars.stage }}'}\n"
        "templates: {settings: {enabled: true, gomplate: {enabled: true}, sprig: {enabled: true}}}\n"
    )
    Path("stacks").mkdir()
    value = '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ ' + show + " }}"
    Path("stacks/dev.yaml").write_text(
        f"vars: {{stage: dev}}\ncomponents:\n  terraform:\n    x:\n      vars:\n        v: '{value}'\n"
    )
    status = run(["describe", "component", "x", "-s", "dev"])
    printed = "".join(capsys.readouterr())
    assert (status, "contains itself" in printed, "dev.yaml:6" in printed) == (1, True, True), printed
