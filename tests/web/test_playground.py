"""The playground: what its Python answers, and the built page in a real browser, where `make docs` has built it."""

from __future__ import annotations

import html
import json
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from release.examples import DOCS, START, Example, FoundExample, examples, page_examples

from plait.apps.web.playground import FRONTS, Playground
from tests.site import Quiet
from tests.web.test_accessibility import AXE, CHECK
from tests.web.visit import Visit

BUILT = Path(__file__).parents[2] / "site" / "playground"
LINE = re.compile(r'<div class="line[^>]*>(?:<details><summary>)?<code>(.*?)</code>', re.S)
EXAMPLES = [found for page in sorted(DOCS.rglob("*.md")) for found in page_examples(page)]
SHOWN = [
    found for found in EXAMPLES
    if found.command[:2] in (["plait", "merge"], ["plait", "expand"]) and "--path" not in found.command
]  # fmt: skip


def answer(asked: Example | dict[str, Any], folder: Path) -> tuple[Playground, dict[str, Any]]:
    """What the playground says to files, written as the worker of the page writes them."""
    playground, files = Playground(), dict(asked["files"])
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    words = {"profile": "", "target": "", **asked, "files": list(files), "settings": files.get("plait.yaml", "")}
    settings = playground.settings(json.dumps(words))
    if settings:
        (folder / "plait.yaml").write_text(settings, encoding="utf-8")
    return playground, json.loads(playground.show(json.dumps(words)))


def text_of(answered: dict[str, Any]) -> str:
    rows = LINE.findall(answered["result"])
    return "".join(html.unescape(re.sub("<[^>]*>", "", row)) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("found", SHOWN, ids=[found.name for found in SHOWN])
def test_an_example_gives_what_its_page_shows(found: FoundExample, folder: Path) -> None:
    _, answered = answer(found.example, folder)
    if answered["problems"]:  # of values that are not known, the command says that there is nothing to deploy
        errors = [problem["text"] for problem in answered["problems"] if problem["severity"] == "error"]
        assert [code for text in errors for code in re.findall(r"PL\d{4}", text) if code not in found.printed] == []
    else:
        assert text_of(answered) == found.printed


def test_every_example_of_the_pages_has_an_answer(folder: Path) -> None:
    silent = []
    for at, (name, example) in enumerate(examples().items()):
        home = folder / str(at)
        home.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(home)
            _, answered = answer(example, home)
        if not answered["targets"] or not (answered["result"] or answered["problems"]):
            silent.append(name)
    assert silent == []
    assert {example["front"] for example in examples().values()} >= {"layers", "templates", "spiff", "stacks", "unfurl"}


def test_the_layers_of_a_value(folder: Path) -> None:
    playground, _ = answer(START, folder)
    card = playground.piece("/cards?target=result&document=document&path=limits.memory")
    places = re.findall(r'class="place">([^<]*)<', card)
    assert places == ["base.yaml:6", "prod.yaml:2"]
    assert "overridden: later layer" in card


def test_every_value_has_a_place(folder: Path) -> None:
    _, answered = answer(START, folder)
    lines = re.findall(r'<div class="line( key)?".*?(?=<div class="line|$)', answered["result"], re.S)
    places = re.findall(r'class="place"', answered["result"])
    assert len(places) == lines.count("") == 13


def test_an_error_has_its_lines(folder: Path) -> None:
    files = [("a.yaml", "a: 1\nb: !ref c\n"), ("b.yaml", "c: !ref b\n")]
    _, answered = answer({"front": "layers", "files": files}, folder)
    places = [(place["file"], place["line"]) for problem in answered["problems"] for place in problem["places"]]
    assert places == [("a.yaml", 2), ("b.yaml", 1)]
    _, answered = answer({"front": "layers", "files": [("a.yaml", "a: 1\n  b: 2\n")]}, folder)
    assert [(place["file"], place["line"]) for place in answered["problems"][0]["places"]] == [("a.yaml", 2)]


def test_text_of_files_is_never_markup(folder: Path) -> None:
    files = [("<img src=x>.yaml", "a: '<script>alert(1)</script>'\nb: !ref '<b>'\n")]
    _, answered = answer({"front": "layers", "files": files}, folder)
    whole = answered["result"] + "".join(problem["text"] for problem in answered["problems"])
    assert "<script" not in whole
    assert "<img" not in whole
    assert "<b>" not in whole


def test_a_front_says_which_file_it_needs(folder: Path) -> None:
    needed = {name: answer({"front": name, "files": START["files"]}, folder)[1]["needs"] for name in FRONTS}
    assert {name: file for name, file in needed.items() if file} == {
        "stacks": "atmos.yaml",
        "chart": "Chart.yaml",
        "kustomize": "kustomization.yaml",
        "compose": "compose.yaml",
    }


def test_an_own_plait_yaml_is_kept_and_completed(folder: Path) -> None:
    files = [("a.yaml", "l: [1]\n"), ("b.yaml", "l: [2]\n"), ("plait.yaml", "lists: {l: append}")]
    _, answered = answer({"front": "layers", "files": files}, folder)
    assert text_of(answered) == "l:\n- 1\n- 2\n"


# In the browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not (BUILT / "python.snapshot.gz").exists() or shutil.which("chromium") is None:
        pytest.skip("needs the built site and chromium: make services docs")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(BUILT.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/"
    server.shutdown()


class PlaygroundVisit(Visit):
    """The page, ready."""

    def __init__(self, chromium: Any, address: str, fragment: str = "", **options: Any) -> None:
        super().__init__(chromium, address + fragment, **options)
        self.root = address.rpartition("/playground/")[0]
        self.page.wait_for_selector("body[data-answers]")

    def lines(self) -> list[str]:
        return [row.rstrip() for row in self.page.locator("#result .line code").all_inner_texts()]

    def wait_line(self, text: str) -> None:
        self.expect(self.page.locator("#result .line code", has_text=text).first).to_be_visible()


def test_type_see_hover_share_reload(address: str, chromium: Any) -> None:
    visit = PlaygroundVisit(chromium, address, permissions=["clipboard-read", "clipboard-write"])
    page = visit.page
    fetched = len(visit.opened.fetched)
    page.get_by_role("tab", name="prod.yaml").click()
    page.locator("#text").fill("replicas: 7\nextra: <b>\n")
    visit.wait_line("replicas: 7")
    page.locator('#result [data-key="replicas"]').hover()
    visit.expect(page.locator("#card .card")).to_have_count(2)
    visit.expect(page.locator("#card .winner .place")).to_have_text("prod.yaml:1")
    visit.expect(page.locator("#gutter li").first).to_have_class(re.compile("pointed"))
    page.locator('#result [data-key="replicas"] summary').click()
    visit.expect(page.locator('#result [data-key="replicas"] .card')).to_have_count(2)
    page.locator("#text").fill("replicas: !ref nothing\n")
    visit.expect(page.locator("#problems .place")).to_have_text("Go to prod.yaml:1")
    page.locator("#text").fill("replicas: 8\n")
    visit.wait_line("replicas: 8")
    assert page.locator("#problems .place").count() == 0
    page.get_by_role("button", name="Copy link").click()
    visit.expect(page.locator("#live")).to_have_text("the link is copied")
    shared = page.evaluate("() => navigator.clipboard.readText()")
    assert "#state=" in shared
    assert {url.rpartition("/")[2] for url in visit.opened.fetched[fetched:]} <= {"offline.js", "icon.svg"}
    page.reload()
    visit.wait_line("replicas: 8")
    visit.close()
    other = PlaygroundVisit(chromium, shared)
    other.wait_line("replicas: 8")
    other.close()


def test_nothing_can_be_sent_and_it_works_without_a_network(address: str, chromium: Any) -> None:
    visit = PlaygroundVisit(chromium, address)
    elsewhere = "fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => String(error))"
    for place in (visit.page, visit.page.workers[0]):
        assert "Failed to fetch" in place.evaluate(f"() => {elsewhere}")
    refused = [problem for problem in visit.opened.problems if "Content Security Policy" in problem]
    assert len(refused) >= 1
    visit.opened.problems.clear()
    visit.opened.fetched.clear()
    visit.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    visit.context.set_offline(True)
    visit.page.goto(f"{address}#example=fronts/spiff-1")
    visit.page.reload()
    visit.wait_line("url: https://web.example.org")
    visit.context.set_offline(False)
    visit.close()


@pytest.mark.parametrize("example", ["gotemplate-1", "fronts/stacks-1", "tutorials/charts-1", "tutorials/kustomize-1"])
def test_every_front_in_the_browser(address: str, chromium: Any, example: str) -> None:
    visit = PlaygroundVisit(chromium, address, f"#example={example}")
    visit.expect(visit.page.locator("#problems section")).to_have_count(0)
    assert visit.lines()
    visit.close()


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: make services")
@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_axe_finds_nothing_on_a_phone(address: str, chromium: Any, dark: bool) -> None:
    options = {"color_scheme": "dark", "viewport": {"width": 390, "height": 800}} if dark else {}
    visit = PlaygroundVisit(chromium, address, bypass_csp=True, **options)
    visit.page.locator('#result [data-key="replicas"] summary').click()
    visit.expect(visit.page.locator('#result [data-key="replicas"] .card')).to_have_count(2)
    assert visit.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    visit.page.add_script_tag(path=AXE)
    assert visit.page.evaluate(CHECK, {}) == []
    visit.close()


def test_without_javascript_it_says_so(address: str, chromium: Any) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert "needs JavaScript" in page.locator("noscript").inner_text()
    assert not any(page.locator(part).is_visible() for part in ("#controls", "#panes"))
    context.close()
