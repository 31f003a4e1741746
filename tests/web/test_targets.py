"""Pages of the explorer: of a repository with stacks and with targets of plait.yaml, and the drawing of files."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from threading import Event
from urllib.parse import urlencode

import pytest

from plait.apps.cli.run import read_words
from plait.apps.cli.serve import COMMAND, explorer_of
from plait.apps.web.explorer import State
from plait.apps.web.pages import search, tidy
from plait.workspace import Workspace
from tests.web.serving import ExplorerServer, serving
from tests.web.shop import FILES, commit, write_shop
from tests.web.test_safety import asked

MORE = {
    "plait.yaml": "targets:\n- {name: dev, layers: [base.yaml]}\n- {name: live, layers: [base.yaml, live.yaml]}\n",
    "base.yaml": "port: 80\nhost: a\n",
    "live.yaml": "host: b\n",
}


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_shop(tmp_path, MORE))
    commit(tmp_path)
    (tmp_path / "base.yaml").write_text("port: 81\nhost: a\n")
    return tmp_path


def page(server: ExplorerServer, address: str, /, **words: str) -> str:
    """The text of a page, without its markup."""
    answer = complete(server, f"{address}?{urlencode(words)}").replace("<wbr>", "")
    return " ".join(re.sub(r"<[^>]*>", " ", answer).split())


def complete(server: ExplorerServer, address: str) -> str:
    """A page that has counted everything: one request counts for a moment, then it says that there is more."""
    status, text = asked(server, address)
    while " data-more" in text:
        status, text = asked(server, address)
    assert status == 200
    return text


def test_layers_and_two_targets_beside_each_other(both: Path) -> None:
    with serving() as server:
        shown = page(server, "/layers", target="live")
        assert shown.index("live.yaml decides 1 value") < shown.index("base.yaml decides 1 value, 1 overridden")
        beside = page(server, "/compare", a="dev", b="live")
        assert "1 value differs" in beside
        assert "host a base.yaml:2 b live.yaml:1" in beside
        assert "Every value is the same" in page(server, "/compare", a="dev", b="dev")
        assert "not set" in page(server, "/compare", a="live", b="eu-dev")
        stack = page(server, "/layers", target="eu-prod")
        order = ["deploy/eu/prod", "catalog/api", "catalog/service", "catalog/network", "mixins/prod", "defaults"]
        assert order == sorted(order, key=lambda name: stack.index(f"stacks/{name}.yaml decides"))


CHART = {
    "plait.yaml": "targets:\n- {name: dev, chart: web}\n- {name: live, chart: web, values: live.yaml}\n",
    "live.yaml": "replicas: 4\nimage: {tag: v2}\nbudget: true\nkey: !sensitive hunter3\n",
    "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    "web/values.yaml": "replicas: 1\nimage: {name: shop, tag: v1}\nbudget: false\nkey: !sensitive hunter2\n",
    "web/templates/web.yaml": "kind: Pod\nmetadata: {name: '{{ .Release.Name }}-web'}\nspec:\n"
    '  replicas: {{ .Values.replicas }}\n  image: "{{ .Values.image.name }}:{{ .Values.image.tag }}"\n'
    "  key: {{ .Values.key }}\n{{- if .Values.budget }}\n---\nkind: PodDisruptionBudget\nmetadata: {name: web}\n"
    "{{- end }}\n",
}


def test_two_targets_of_a_chart_differ_by_the_values_that_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_shop(tmp_path, CHART))
    with serving() as server:
        shown = page(server, "/compare", a="dev", b="live")
        files = page(server, "/files")
    template, own, live = (f"{name}.yaml:" for name in ("web/templates/web", "web/values", "live"))
    rows = [
        f"spec.replicas 1 {template}4 reads values.replicas 1 {own}1 4 {template}4 reads values.replicas 4 {live}1",
        f"spec.image shop:v1 {template}5 reads values.image.tag v1 {own}2 shop:v2 {template}5 "
        f"reads values.image.tag v2 {live}2",
        f"PodDisruptionBudget/web not set because values.budget false {own}3 {{kind: PodDisruptionBudget",
        f"because values.budget true {live}3",
    ]
    assert [row for row in rows if row not in shown] == [], shown
    assert "hunter" not in shown
    assert "web/values.yaml 2 6 4" in files, "values for templates are counted, too"
    assert "live.yaml 1 4" in files


def test_search_finds_paths_and_values_of_all_targets_and_no_secret(both: Path) -> None:
    (both / "live.yaml").write_text("host: b\nkey: !sensitive hunter2\n")
    with serving() as server:
        shown = page(server, "/search", find="HOST")
        assert "host a in dev base.yaml:2 b in live live.yaml:1" in shown
        assert "host b in live live.yaml:1" in page(server, "/search", find="b document host")
        memory = page(server, "/search", find="api memory")
        assert "1 path" in memory
        assert "api: vars.memory 1024 in eu-dev , us-dev , us-prod stacks/catalog/api.yaml:8 4096 in eu-prod" in memory
        assert "key <sensitive> in live" in unescape(page(server, "/search", find="key"))
        assert "No path and no value has these words." in page(server, "/search", find="hunter2")


def test_search_goes_on_where_it_stopped(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PATIENCE", 0.0)
    with serving() as server:
        first = asked(server, "/search?find=host")[1]
        assert re.search("looked at [0-9]+ of 16 documents so far", first)
        assert "<progress" in first
        monkeypatch.setattr(search, "PATIENCE", 1e9)
        assert "so far" not in asked(server, "/search?find=host")[1]


def test_no_question_waits_for_more_than_a_step_of_a_search(both: Path) -> None:
    explorer = explorer_of(read_words(COMMAND, ["--no-cache"]))  # type: ignore[arg-type]
    seen: list[int] = []
    done = Event()

    def look(state: State) -> None:
        state.gathered.seek(["host"], state.instances)
        seen.append(sum(state.gathered.is_known(*one) for one in state.instances))
        if seen[-1] < 16:
            explorer.ask(look)
        else:
            done.set()

    explorer.ask(look)
    assert done.wait(300)
    explorer.close()
    assert seen == [0, *range(17)]


def test_what_could_be_simpler_is_looked_for_between_the_questions(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (both / "live.yaml").write_text("host: b\nport: 81\n")
    monkeypatch.setattr(tidy, "PATIENCE", 1e9)
    with serving() as server:
        whole = page(server, "/tidy")
    monkeypatch.setattr(tidy, "PATIENCE", 0.0)
    explorer = explorer_of(read_words(COMMAND, ["--no-cache"]))  # type: ignore[arg-type]
    looked: list[int] = []
    done = Event()

    def look(state: State) -> None:
        found = state.simpler.look(0)
        looked.append(found.first.uses.looked if found.first.uses is not None else -1)
        done.set() if found.rounds is not None else explorer.ask(look)

    explorer.ask(look)
    assert done.wait(300)
    explorer.close()
    steps = [number for number in looked if number >= 0]
    assert steps[:8] == [0, *range(7)], "another question waits for one target"
    with serving() as server:
        assert "looked at 0 of 6 targets so far" in asked(server, "/tidy")[1]
        assert page(server, "/tidy") == whole


def test_files_of_the_command_line_are_layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text("host: a\nport: 80\n")
    (tmp_path / "prod.yaml").write_text("host: b\n")
    with serving("base.yaml", "prod.yaml") as server:
        shown = page(server, "/")
        assert "host : b overrides 1 layer prod.yaml:1" in shown
        assert "port : 80 base.yaml:2" in shown
        layers = page(server, "/layers", target="the result")
        assert layers.index("prod.yaml decides 1 value") < layers.index("base.yaml decides 1 value, 1 overridden")
        (tmp_path / "prod.yaml").write_text("host: another\n")
        server.explorer.ask(lambda state: server.explorer.refresh()).result()
        assert "host : another" in page(server, "/")


def test_a_folder_without_targets_says_what_was_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/x.yaml").write_text("a: 1\n")
    with serving() as server:
        shown = page(server, "/")
        assert "There are no targets in this folder" in shown
        assert "What the folder has 1 YAML file sub/x.yaml" in shown
        assert "plait serve base.yaml prod.yaml" in shown
        for name in ("plait.yaml", "sub/a b.yaml", "sub/plait.yaml"):
            (tmp_path / name).write_text("{}\n")
        server.explorer.ask(lambda state: server.explorer.refresh()).result()
        shown = unescape(page(server, "/"))
        assert "plait serve 'sub/a b.yaml' sub/x.yaml" in shown
        assert "Folders with a configuration of their own plait serve -C sub" in shown
        assert "No path and no value has these words." in page(server, "/search", find="a")


def test_what_could_be_simpler_is_shown_and_not_written(both: Path) -> None:
    text = "# the shop\nhost: b\nport: 81\n"
    (both / "live.yaml").write_text(text)
    with serving("--edit") as server:
        shown = page(server, "/tidy")
        assert "live.yaml:3 port: 81" in shown
        assert "-port: 81" in shown
        assert "every result of live stays" in shown
        assert "plait tidy --write" in shown
    assert (both / "live.yaml").read_text() == text


def test_one_map_for_both_and_the_way_to_a_value(both: Path) -> None:
    with serving("--base", "HEAD") as server:
        shown = page(server, "/")
        assert "6 targets, 5 documents" in shown
        assert '"live",[[4,4]]' in shown
        cells = asked(server, "/cells?target=live&target=eu-dev")[1]
        assert '"live": {"document": [2, 1, [], 1]}' in cells
        assert "live.yaml:1 layer wins b" in page(server, "/value", target="live", document="document", path="host")
        assert "memory : 1024" in page(server, "/value", target="eu-dev", document="api")
        assert "wins in 2 targets" in page(server, "/file", name="base.yaml")
        assert "live.yaml" in page(server, "/files")
        change = asked(server, "/change?base=HEAD")[1]
        assert 'href="/value?target=dev&amp;document=document&amp;path=port"' in change


def test_a_value_of_a_target_is_tried_written_and_taken_back(both: Path) -> None:
    wish = {"target": "live", "document": "document", "path": "port", "value": "443"}
    with serving("--edit") as server:
        shown = page(server, "/try", **wish)
        narrow = shown.index("live.yaml:1 layer 2 of 2 changes 1 value in live")
        assert narrow < shown.index("base.yaml:1 layer 1 of 2 changes 2 values in 2 targets")
        assert "+port: 443" in shown
        own = f"http://127.0.0.1:{server.port}"
        written = asked(server, "/write", "POST", urlencode({**wish, "file": "live.yaml", "place": "port"}), Origin=own)
        assert written[0] == 200
        assert (both / "live.yaml").read_text() == "host: b\nport: 443\n"
        assert asked(server, "/undo", "POST", "number=1", Origin=own)[0] == 200
        assert (both / "live.yaml").read_text() == MORE["live.yaml"]
        stack = {"target": "eu-prod", "document": "web", "path": "vars.memory", "value": "1"}
        assert "eu/prod.yaml:16 this component changes 1 value in eu-prod" in page(server, "/try", **stack)


def test_a_target_and_a_stack_of_the_same_name_have_pages_of_their_own(both: Path) -> None:
    (both / "plait.yaml").write_text(MORE["plait.yaml"].replace("name: live", "name: eu-dev"))
    with serving("--edit", "--target", "eu-dev") as server:
        assert "2 targets, 4 documents" in page(server, "/")
        assert "memory : 1024" in page(server, "/value", target="stack:eu-dev", document="api")
        assert "host : b" in page(server, "/value", target="layers:eu-dev", document="document")
        wish = {"target": "layers:eu-dev", "document": "document", "path": "port", "value": "443"}
        assert "live.yaml:1 layer 2 of 2 changes 1 value in layers:eu-dev" in page(server, "/try", **wish)


TWO_TYPES = {
    "atmos.yaml": 'stacks: {base_path: stacks, included_paths: ["?.yaml"], name_template: "{{ .vars.stage }}"}\n',
    "stacks/shared.yaml": "vars:\n  tier: low\n",
    "stacks/a.yaml": "import: [shared]\nvars: {stage: dev}\ncomponents: {terraform: {app: {vars: {x: 1}}}}\n",
    "stacks/b.yaml": "import: [shared]\nvars: {stage: dev}\ncomponents: {helmfile: {app: {vars: {x: 2}}}}\n",
}
"""Two manifests of one stack, with components of two types that have one name."""


@pytest.fixture
def types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in TWO_TYPES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_types_with_one_name_have_pages_of_their_own(types: Path) -> None:
    with serving("--edit") as server:
        assert "1 stack, 2 components" in page(server, "/")
        assert "x : 1" in page(server, "/value", target="dev", document="terraform/app")
        assert "x : 2" in page(server, "/value", target="dev", document="helmfile/app")
        wish = {"target": "dev", "document": "helmfile/app", "path": "vars.tier", "value": "high"}
        shown = page(server, "/try", **wish)
        assert "stacks/shared.yaml:2 all components changes 2 values in dev" in shown


@pytest.mark.parametrize("folder", ["stacks", "."])
def test_a_subfolder_of_a_repository_shows_all_of_it(types: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(types / folder)
    with serving() as server:
        assert "1 stack, 2 components" in page(server, "/")
        assert "x : 1" in page(server, "/value", target="dev", document="terraform/app")
        assert "stacks/shared.yaml" in page(server, "/files")


def test_the_editor_tells_two_types_with_one_name_apart(types: Path) -> None:
    authoring = Workspace(".", cache=False).authoring()
    pointed = authoring.point("stacks/shared.yaml", TWO_TYPES["stacks/shared.yaml"].index("low"))
    assert pointed is not None
    labels = [value.result.label for value in authoring.values(pointed)]
    assert labels == ["terraform/app in dev", "helmfile/app in dev"]


def test_one_failing_value_leaves_the_others_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = (
        FILES["stacks/catalog/web.yaml"]
        + '        bad: !template "{{ fail `no size` }}"\n        also: {deep: !template "{{ fail `no` }}"}\n'
    )
    monkeypatch.chdir(write_shop(tmp_path, {"stacks/catalog/web.yaml": broken}))
    with serving() as server:
        shown = page(server, "/value", target="eu-dev", document="web")
        assert "image : registry.shop.example/web:7.0" in shown
        assert "bad : # error calling fail: no size error computed stacks/catalog/web.yaml:9" in shown
        assert "deep : # error calling fail: no error" in shown
        status, cards = asked(server, "/cards?target=eu-dev&document=web&path=vars.bad")
        assert (status, "web.yaml:9:" in cards) == (422, True)
        opened = page(server, "/value", target="eu-dev", document="web", path="vars.bad")
        assert "error PL3234: error calling fail: no size stacks/catalog/web.yaml:9:" in opened


def test_a_revision_that_git_does_not_know(both: Path) -> None:
    with serving() as server:
        cells = json.loads(asked(server, "/cells?target=live&base=nope")[1])
        assert cells["cells"] == {"live": {"document": [2, 1, [], 0]}}
        assert "`nope`" in cells["error"]
        status, text = asked(server, "/change?base=nope")
        assert (status, 'value="nope"' in text) == (422, True)
        assert "git does not know this revision" in text


def test_the_drawing_shows_what_wins_most_and_what_is_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = FILES["stacks/deploy/eu/dev.yaml"].replace("mixins/dev", "mixins/old, mixins/dev")
    write_shop(tmp_path, {"stacks/mixins/old.yaml": "vars: {stage: old}\n", "stacks/deploy/eu/dev.yaml": own})
    monkeypatch.chdir(tmp_path)
    with serving() as server:
        text = complete(server, "/files")
        boxes = dict(re.findall(r'<a href="/file\?name=([^"]*)" class="box ([a-z]+)"', text))
        assert [name for name, kind in boxes.items() if kind == "dead"] == ["stacks/mixins/old.yaml"]
        assert boxes["stacks/defaults.yaml"] == "many"
        rows = re.findall(r'<tr data-key="([^"]*)"', text)
        assert (rows[0], rows[-1]) == ("stacks/defaults.yaml", "stacks/mixins/old.yaml")
        assert "overridden everywhere" in page(server, "/file", name="stacks/mixins/old.yaml")


def test_of_a_path_with_many_values_search_shows_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(10):
        (tmp_path / f"{number}.yaml").write_text(f"size: {number}\n")
    rows = (f"- {{name: t{number}, layers: [{number}.yaml]}}\n" for number in range(10))
    (tmp_path / "plait.yaml").write_text(f"targets:\n{''.join(rows)}")
    with serving() as server:
        shown = page(server, "/search", find="size")
        assert "7 in t7 7.yaml:1 and 2 more values" in shown
        assert "8 in t8 8.yaml:1" in page(server, "/search", find="size 8")
