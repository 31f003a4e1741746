"""Values merged as helm merges them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from plait.core.diagnostic import Fault
from plait.core.node import plain_value
from plait.workspace import Workspace
from plait.yaml.readers import READERS
from tests.judges import said, seeds
from tests.judges.helm import Refused, helm_values
from tests.samples import SAMPLES

PAIRS, AT_ONCE = 1000, 50
LEAVES = (None, None, None, 1, 0, "x", "", True, False, 1.5, "null", "~")


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth == 0 or kind < 0.45:
        return chance.choice(LEAVES)
    if kind < 0.6:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(3))]
    return _map(chance, depth - 1)


def _map(chance: random.Random, depth: int) -> dict[str, Any]:
    return {key: _value(chance, depth) for key in chance.sample("abcd", chance.randrange(4))}


def plait_values(folder: Path, texts: list[str], sets: Sequence[str] = (), **relatives: list[str]) -> Any:
    names = []
    for number, text in enumerate(texts):
        names.append(str(folder / f"layer-{number}.yaml"))
        Path(names[-1]).write_text(text, encoding="utf-8")
    workspace = Workspace(str(folder), cache=False)
    bundle = workspace.layers(names, workspace.merge_options(profile="helm"), sets=sets, relatives=relatives)
    return plain_value(workspace.value(bundle.members[0].tree), reveal=True)


@pytest.mark.parametrize("seed", seeds(PAIRS // AT_ONCE))
def test_generated_values_merge_as_helm_merges_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    layers = [{f"case{number}": _map(chance, 3) for number in range(AT_ONCE)} for _ in range(2 + seed % 3)]
    texts = [json.dumps(layer) for layer in layers]
    assert plait_values(tmp_path, texts) == helm_values(tmp_path, texts)


@pytest.mark.parametrize("seed", seeds(40))
def test_values_at_the_top_merge_as_helm_merges_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    texts = [json.dumps(_map(chance, 2)) for _ in range(2 + seed % 3)]
    assert plait_values(tmp_path, texts) == helm_values(tmp_path, texts)


def test_scalars_are_read_as_helm_reads_them(tmp_path: Path) -> None:
    chance = random.Random(7)
    odd = {"".join(chance.choices("0123456789+-._:eExXobB", k=chance.randrange(1, 7))) for _ in range(400)}
    texts = [text for text in (*SAMPLES, *sorted(odd)) if is_scalar(text)]
    layer = "".join(f"k{number}: {text}\n" for number, text in enumerate(texts))
    wanted = helm_values(tmp_path, [layer])
    read = [READERS["go-yaml-2"].schema.resolve(text) for text in texts]
    assert [(text, _as_json(value)) for text, value in zip(texts, read, strict=True)] == [
        (text, _as_json(wanted[f"k{number}"])) for number, text in enumerate(texts)
    ]


def _as_json(value: Any) -> Any:
    """helm's numbers go through JSON: all of them are floats there."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def is_scalar(text: str) -> bool:
    try:
        return isinstance(yaml.compose(f"a: {text}", yaml.SafeLoader).value[0][1], yaml.ScalarNode)
    except yaml.YAMLError:
        return False


@pytest.mark.parametrize("key", ["yes", "n", "010", "1.50", "0x1F", '"yes"', "12:30", "1e3", "1e21"])
def test_keys_are_read_as_helm_reads_them(key: str, tmp_path: Path) -> None:
    layer = f"{key}: 1\n"
    assert plait_values(tmp_path, [layer]) == helm_values(tmp_path, [layer])


def _for_chart(chance: random.Random, *subcharts: str) -> dict[str, Any]:
    """Values of a chart: some for its subcharts, some for all of them."""
    values = _map(chance, 2)
    values.update({name: {**_map(chance, 2), "global": _map(chance, 1)} for name in subcharts if chance.random() < 0.7})
    return {**values, "global": _map(chance, 1)} if chance.random() < 0.6 else values


def _write_chart(folder: Path, name: str, values: Any, *subcharts: str) -> None:
    (folder / "templates").mkdir(parents=True)
    needs = [{"name": one, "version": "0.1.0", "repository": ""} for one in subcharts]
    about = {"apiVersion": "v2", "name": name, "version": "0.1.0", **({"dependencies": needs} if needs else {})}
    (folder / "Chart.yaml").write_text(json.dumps(about), encoding="utf-8")
    (folder / "values.yaml").write_text(json.dumps(values), encoding="utf-8")
    printed = f"metadata: {{name: {name}}}\nvalue: {{{{ .Values | toJson | quote }}}}\n"
    (folder / "templates" / "printed.yaml").write_text(f"apiVersion: v1\nkind: Printed\n{printed}", encoding="utf-8")


def _by_chart(documents: Iterable[Any]) -> dict[str, Any]:
    return {one["metadata"]["name"]: json.loads(one["value"]) for one in documents if one}


@pytest.mark.parametrize("seed", seeds(30))
def test_values_of_subcharts_merge_as_helm_merges_them(seed: int, tmp_path: Path) -> None:
    chance, top = random.Random(seed), tmp_path / "top"
    _write_chart(top, "top", _for_chart(chance, "one", "two"), "one", "two")
    _write_chart(top / "charts/one", "one", _for_chart(chance, "deep"), "deep")
    _write_chart(top / "charts/one/charts/deep", "deep", _for_chart(chance))
    _write_chart(top / "charts/two", "two", _for_chart(chance))
    files = [tmp_path / f"values-{number}.yaml" for number in range(chance.randrange(3))]
    for file in files:
        file.write_text(json.dumps(_for_chart(chance, "one", "two")), encoding="utf-8")
    done = said("helm", "template", "top", str(top), *(word for file in files for word in ("-f", str(file))))
    wanted = "refused" if done.returncode else _by_chart(yaml.safe_load_all(done.stdout))
    target = Workspace(str(tmp_path), cache=False).in_folder(str(top), [str(file) for file in files])
    assert target is not None
    found = _or_refused(lambda: _by_chart(plain_value(one, reveal=True) for one in target.rendered()))
    assert found == wanted


FLAGS = (
    *(
        "a.d=1.10",
        "a.d=yes",
        "a.d=true",
        "a.d=True",
        "a.d=null",
        "a.d=NULL",
        "a=1,z=2",
        "l={x,y}",
        "l={}",
        "l={1,null}",
    ),
    *("a.d=007", "a.d=0", "a.d=1e3", "a.d=-5", "a.d=+5", "a.d=", r"a.d=x\,y", r"a\.d=1", "q=x=y", "q= x ", "nope=null"),
    *("u[0]=7", "u[1].x=3", "u[3]=9", "u[0].y=1", "u[1]=null", "n[1].x=9", "n[0][1]=3", "n[+1]=1", "q[0]=1,q[1]=2"),
    *("m=null", "k=null", "k.l=null", "m.q.t=null", "x.y={a,b},x.z=1", "q=12:30", "q=~", "q=1.0", "q={a}b=1", "q=a}b"),
    *("q", "a.d.e=1", "z.y=1", "u.c=1", "k[0]=1", "q[-1]=1", "q[70000]=1", "q={a,b", "q..r=1", "q[0=1", "q[x]=1"),
    *("k=null,k.z=1", "q={b}c", "u[0][0]=1", "q[0]b=1", "v.z=1"),
)
JSONS = ('a.d={"x":1}', 'l=[1,"2",null]', "a.d=null", 'a.d="x",z=3', "q=", 'm={"s":1}', 'm.q={"s":1}', "k={}", "k.l={}")
JSONS = (*JSONS, 'u[1]={"n":1}', "a.d=x", "q=NaN", "q=1e400", 'q={"a":1}x')
LITERALS = (
    "a.d=x,y={z}",
    r"a\.d=1",
    r"a.d=x\,y",
    "u[1].x=3",
    "a.d=",
    "q",
    "q= x = y ",
    "q[0][1]=null",
    "z=true",
    "q[x]=1",
)
FILES = (
    "a.d={x,y}",
    "a.d=",
    "q={x,nope}",
    "q={}",
    "q={x}",
    "q={x,}",
    "q={x",
    "q={x},z=y",
    "q=,z=x",
    "q",
    "q={x}y",
    "u[0]=",
)
FILES = (*FILES, "u[1].x=y", "q[0]={x,y}", "q={ x}", "z=null", "q={x,y},", "q=x,", "a.d.e=x", "q[1]=x")
OWN = "a: {b: [1, {c: 2}], d: x}\nz: 1\nm: {p: 1, q: {r: 2}}\n"
OVER = "k: {l: 5, m: {o: 1}}\nm: {q: {t: 3}}\nu: [1, {x: 2}]\nv: null\n"


@pytest.mark.parametrize(
    ("option", "flag"),
    [
        *(("--set", one) for one in FLAGS),
        *(("--set-string", one) for one in FLAGS[:12]),
        *(("--set-json", one) for one in JSONS),
        *(("--set-literal", one) for one in LITERALS),
        *(("--set-file", one) for one in FILES),
    ],
)
def test_flags_set_values_as_helm_sets_them(
    option: str, flag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x", "y"):
        (tmp_path / name).write_text(f"text of {name}\n", encoding="utf-8")
    assert _or_refused(lambda: plait_values(tmp_path, [OWN, OVER], **{PARAMETERS[option]: [flag]})) == _or_refused(
        lambda: helm_values(tmp_path, [OWN, OVER], option, flag)
    )


PARAMETERS = {
    "--set": "sets",
    "--set-string": "strings",
    "--set-json": "jsons",
    "--set-literal": "literals",
    "--set-file": "files_set",
}


def _or_refused(answer: Callable[[], Any]) -> Any:
    try:
        return answer()
    except (Refused, Fault):
        return "refused"
