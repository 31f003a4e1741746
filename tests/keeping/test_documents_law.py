"""The law of kept answers for merged targets and expanded documents: whatever happens to the files, a kept answer is
what a fresh run prints, byte for byte, with its warnings, its errors and its exit status.

`make keeping SECONDS=600` tries more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from plait.apps.cli.command import never
from plait.apps.cli.commands import COMMANDS as ALL_COMMANDS
from plait.apps.cli.commands import load
from tests.examples import examples
from tests.keeping import test_law
from tests.keeping.commands import Outcome, run_here
from tests.keeping.histories import SECRET, CommandHistory, run_histories

pytestmark = pytest.mark.long

LAYERS = ("base.yaml", "env/prod.yaml")
COMMANDS = [
    ("merge", *LAYERS),
    ("merge", *LAYERS, "--notation", "gotemplate"),
    ("merge", *LAYERS, "--format", "json", "--lint"),
    ("merge", *LAYERS, "--origins"),
    ("merge", "base.yaml", "missing/other.yaml"),
    ("merge", "HEAD:base.yaml", "env/prod.yaml"),
    ("merge", "--target", "app-prod"),
    ("merge", "--target", "filled"),
    ("merge", "--target", "document"),
    ("merge", "--target", "made"),
    ("render", "app-prod"),
    ("render", "filled", "--origins"),
    ("render", "--format", "json"),
    ("explain", "a", *LAYERS),
    ("explain", "a", "base.yaml"),
    ("explain", "out", "--spiff", "template.yml", "stub.yml"),
    ("blame", *LAYERS, "--gone"),
    ("layers", *LAYERS),
    ("why-not", "a", "base.yaml", *LAYERS),
    ("lint", *LAYERS),
    ("lint",),
    ("get", "base.yaml", "a"),
    ("get", "base.yaml", "**.x", "--format", "json"),
    ("get", "nowhere.yaml", "env/prod.yaml"),
    ("diff", *LAYERS),
    ("diff", "env", "folder"),
    ("spiff", "merge", "template.yml", "stub.yml"),
    ("spiff", "merge", "template.yml", "stub.yml", "more.yml", "--explain-errors"),
    ("spiff", "diff", "template.yml", "stub.yml"),
    ("expand", "main.yaml"),
    ("expand", "main.yaml", "--evaluate"),
    ("expand", "main.yaml", "--evaluate", "--path", "a", "--format", "json"),
    ("review", "HEAD"),
    ("review", "HEAD", "--format", "json"),
    ("query", "own::x", "main.yaml"),
    ("query", "{get_env: WHERE}", "main.yaml"),
    ("query", "{file: part.yaml}", "main.yaml", "--mode", "list"),
]
NAMES = ["base.yaml", "env/prod.yaml", "template.yml", "stub.yml", "main.yaml", "part.yaml", "plait.yaml"]
NAMES += ["patterns/queue/resources/queue.yaml"]
OTHERS = ["env/dev.yaml", "more.yml", "other.yaml", "nowhere.yaml", "folder/prod.yaml", ".plait-meta.yaml"]
KEYS = ["a", "b", "own", "list"]
VALUES = ["1", "two", "[p, q]", "{x: 1}", "{x: 2, y: 3}", "null", "!env WHERE none", "!ref a", "'{{ .b }}'", "yes"]
VALUES += ["'{{ env \"WHO\" }}'", "!include part.yaml", "!append [r]"]
RARE = [f"!sensitive {SECRET}", "'{{ now | date \"2006\" }}'", "!env PASSWORD none", "!exec echo 1", "!unset"]
RARE += ["!ref nowhere", "*no", "!include ../outside.yaml", "ENC[x]", "!env NOWHERE"]
DYNAML = ["(( merge ))", "(( a ))", "(( b.x ))", "(( concat a b ))", "(( merge || 3 ))", "(( a || 1 ))", "4", "{x: 5}"]
QUERIES = ["{get_env: WHERE}", "{eval: own::x}", "'{{ \"a\" | upper }}'", "{file: part.yaml}", "{x: 1}", "[1, 2]"]
QUERIES += ["{generate_string: {len: 4}}", "{lookup: {env: WHO}}"]
SETTINGS = [
    "targets: [{name: 'app-{e}', layers: [base.yaml, 'env/{e}.yaml'], for: {e: 'env/*.yaml'}},\n"
    "  {name: filled, template: template.yml, stubs: [stub.yml]}, {name: document, document: main.yaml},\n"
    "  {name: made, pattern: queue, inputs: {size: 3}}]\n",
    "targets: [{name: app-prod, layers: ['env/*.yaml']}, {name: filled, files: ['*.yml']}]\n",
    "notations: [gotemplate]\nlists: {list: append}\n",
    "nonsense: 1\n",
    "kinds: error\n",
]
VARIABLES = {"WHERE": ["", "here"], "WHO": ["", "exec"], "PASSWORD": ["", SECRET]}
PATTERN = "name: queue\nversion: 1.0.0\ndescription: d\ninputs: {size: {type: integer, default: 2}}\n"


def test_every_command_whose_answers_are_kept_is_among_them() -> None:
    kept = {name for name in ALL_COMMANDS if load(name).kept is not never}
    words = [*COMMANDS, *test_law.COMMANDS]
    assert {" ".join(one[:2]) if " ".join(one[:2]) in kept else one[0] for one in words} == kept


def mapping(draw: Random, values: list[str]) -> str:
    names = draw.sample(KEYS, draw.randrange(1, len(KEYS)))
    return "".join(f"{name}: {draw.choice(RARE if draw.random() < 0.05 else values)}\n" for name in names)


def document(draw: Random) -> str:
    head = draw.choice(["", "+include: part.yaml\n", "+?include: other.yaml\n", "m: {+/own: }\n"])
    return head + mapping(draw, [*QUERIES, "1", "{x: 1}", "{+include: part.yaml}", "{+/own: , y: 2}"])


def resource(draw: Random) -> str:
    extra = draw.choice(["", ", now: {{ now }}", ', env: {{ env "WHO" }}', ", x: !ref inputs.size"])
    return f"apiVersion: v1\nkind: Queue\nmetadata: {{name: q}}\nspec: {{size: {{{{ .size }}}}{extra}}}\n"


def content(seed: int, name: str) -> str:
    """The text of a file, made from one number: drawing every word of it would take most of the time."""
    draw = Random(seed)
    if draw.random() < 0.03:
        return "broken: [\n"
    if name == "plait.yaml":
        return SETTINGS[0] if draw.random() < 0.6 else draw.choice(SETTINGS)
    if name.startswith("patterns"):
        return resource(draw)
    if name == "main.yaml":
        return document(draw)
    if name == "template.yml":
        return mapping(draw, DYNAML) + "out: (( a || own || 7 ))\n"
    text = mapping(draw, VALUES if name != "stub.yml" else ["1", "two", "{x: 1}", "(( b || 2 ))"])
    return text + ("# a comment\n" if draw.random() < 0.2 else "") + (f"---\n{text}" if draw.random() < 0.05 else "")


class DocumentHistory(CommandHistory):
    """A folder of layers, templates, documents and targets."""

    files = (*OTHERS, *NAMES)
    commands = COMMANDS

    def begin(self) -> None:
        for name in NAMES:
            self.put(name, content(self.number(), name))
        self.put("patterns/queue/pattern.yaml", PATTERN)
        (self.top / "outside.yaml").write_text("x: 1\n", encoding="utf-8")
        self.commit()
        self.patch.chdir(self.folder)

    def changes(self) -> list[Callable[[], object]]:
        own = [self.edit, self.edit, self.edit, self.add, self.set_some_variable, self.set_some_variable]
        own += [self.configure_user]
        return [*super().changes(), *own, *own]

    def edit(self) -> None:
        name = self.draw.choice(NAMES)
        self.note(name)
        self.put(name, content(self.number(), name))

    def add(self) -> None:
        name = self.draw.choice(OTHERS)
        self.note(name)
        self.put(name, content(self.number(), name))

    def set_some_variable(self) -> None:
        name = self.draw.choice(sorted(VARIABLES))
        self.set_another(name, VARIABLES[name])

    def configure_user(self) -> None:
        path = self.home / "xdg_config_home/plait/config.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = self.draw.choice(["", "budgets: {depth: 20}\n", "budgets: {depth: 2}\n"])
        path.write_text(text, encoding="utf-8")
        self.stamp(path)

    def answer(self, words: tuple[str, ...]) -> Outcome:
        return run_here(*words)


REVIEWS = [("review", "HEAD"), ("review", "HEAD~1", "--full"), ("review", "main", "--format", "json")]
DECLARED = """targets:
- {name: 'app-{e}', layers: [base.yaml, 'env/{e}.yaml'], for: {e: 'env/*.yaml'}}
- {name: filled, template: template.yml, stubs: [stub.yml]}
- {name: chart, chart: chart, values: [values.yaml]}
- {name: built, kustomization: built}
- {name: made, pattern: queue, inputs: {size: 3}}
"""
RESOURCE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata:\n  a: %s\n"
TREE = {
    "plait.yaml": DECLARED,
    "base.yaml": "a: 1\nb: two\nown: {x: 1}\n",
    "env/prod.yaml": "a: 2\nlist: [p, q]\n",
    "env/dev.yaml": "# of dev\nb: 3\nown: {y: !env WHERE none}\n",
    "template.yml": "a: 1\nout: (( merge || a ))\n",
    "stub.yml": "out: two\nb: 1\n",
    "values.yaml": "a: 1\nb: two\n",
    "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
    "chart/values.yaml": "a: 3\nb: 1\n",
    "chart/templates/map.yaml": RESOURCE % ("{{ .Values.b }}", "{{ .Values.a | quote }}"),
    "built/kustomization.yaml": "resources: [map.yaml]\nnamePrefix: p-\n",
    "built/map.yaml": RESOURCE % ("m", "1"),
    "patterns/queue/pattern.yaml": PATTERN,
    "patterns/queue/resources/queue.yaml": RESOURCE % ("q", "{{ .size }}"),
}
LINES = ["a: 1", "b: two", "b: 1", "a: 2", "  a: 1", "own: {x: 2}", "# a comment", "a: !ref b", "list: [r]"]


class DocumentReviewHistory(DocumentHistory):
    """Targets of several fronts, and reviews of lines that are edited one after the other."""

    files = tuple(TREE)
    commands = REVIEWS

    def begin(self) -> None:
        for name, text in TREE.items():
            self.put(name, text)
        (self.top / "outside.yaml").write_text("x: 1\n", encoding="utf-8")
        self.commit()
        self.patch.chdir(self.folder)
        self.edit_line()

    def changes(self) -> list[Callable[[], object]]:
        edits = [self.edit_line, self.edit_line, self.edit_line, self.move_lines]
        return [*edits, *edits, *edits, self.commit, self.draw.choice(super().changes())]

    def edit_line(self) -> None:
        """A line with a key becomes another one with that key, or a line is added."""
        name, line = self.draw.choice(sorted(TREE)), self.draw.choice(LINES)
        self.note((name, line))
        lines = self.text(name).splitlines()
        key = line.partition(":")[0] + ":"
        at = next((at for at, one in enumerate(lines) if one.startswith(key)), len(lines))
        if at < len(lines) or line[:1] != " ":
            self.put(name, "\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n")

    def move_lines(self) -> None:
        name = self.draw.choice(sorted(TREE))
        self.note(name)
        self.put(name, f"# {self.number()}\n" * self.draw.randrange(3) + self.text(name))

    def text(self, name: str) -> str:
        path = self.folder / name
        with suppress(OSError):
            return path.read_text(encoding="utf-8")
        return ""


def test_kept_findings_of_a_review_are_those_of_a_fresh_one() -> None:
    run_histories(DocumentReviewHistory, examples(3))


def test_a_kept_answer_is_what_a_fresh_run_prints() -> None:
    run_histories(DocumentHistory, examples(7))
