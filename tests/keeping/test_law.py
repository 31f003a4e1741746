"""The law of kept answers: whatever happens to a repository, a kept answer is what a fresh run prints, byte for byte.

`make keeping SECONDS=600` tries more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import chdir
from random import Random

import pytest

from tests.examples import examples
from tests.keeping.commands import Outcome, run, run_here
from tests.keeping.histories import SECRET, CommandHistory, kept_texts, run_histories

pytestmark = pytest.mark.long

COMMANDS = [
    ("describe", "stacks"),
    ("describe", "stacks"),
    ("describe", "stacks"),
    ("describe", "stacks", "--format", "json"),
    ("describe", "stacks", "-s", "dev", "--sections", "vars,settings"),
    ("list", "stacks"),
    ("list", "instances"),
    ("list", "instances", "--type", "all", "--columns", "component,stack,vars.a"),
    ("list", "vars"),
    ("list", "components", "--format", "json"),
    ("list", "vars", "web"),
    ("list", "settings", "web"),
    ("list", "values", "db"),
    ("list", "metadata"),
    ("list", "dependencies"),
    ("list", "sources"),
    ("describe", "stacks", "--include-empty-stacks", "--components", "web,db"),
    ("describe", "component", "web", "-s", "dev"),
    ("describe", "component", "db", "-s", "prod", "--format", "json"),
    ("describe", "dependents", "db", "-s", "dev"),
    ("describe", "locals", "-s", "dev"),
    ("describe", "config"),
    ("describe", "workflows"),
    ("explain", "component", "web", "-s", "dev", "vars"),
    ("blame", "component", "web", "-s", "dev"),
    ("validate", "stacks"),
    ("validate", "stacks"),
    ("describe", "affected", "--base", "HEAD"),
    ("list", "affected", "--base", "HEAD"),
    ("review", "HEAD"),
]
AFFECTED = [
    ("describe", "affected", "--base", "HEAD"),
    ("describe", "affected", "--base", "main", "--include-settings"),
    ("describe", "affected", "--base", "HEAD~1", "--exclude-locked"),
    ("list", "affected", "--base", "HEAD"),
]
REVIEWS = [
    ("review", "HEAD"),
    ("review", "HEAD", "--full"),
    ("review", "main", "--format", "markdown"),
    ("review", "HEAD~1", "--format", "json"),
    ("review", "HEAD", "--target", "dev", "--proofs", "2"),
]
LAYERS = ["env/base.yaml", "env/more.yaml", "env/dev.yaml"]
MIXED = [
    ("merge", "--target", "app"),
    ("merge", "--target", "app", "--format", "json"),
    ("blame", "--target", "app"),
    ("explain", "a", "--target", "app"),
    ("layers", "--target", "app"),
    ("lint", "--target", "app"),
    ("why-not", "a", "env/base.yaml", "--target", "app"),
    ("merge", "env/base.yaml", "env/dev.yaml"),
    ("blame", "env/base.yaml", "env/dev.yaml"),
    ("render", "app"),
    ("targets",),
    ("lint",),
    ("review", "HEAD"),
    ("review", "HEAD", "--format", "json"),
]
SPREAD = [("describe", "stacks"), ("validate", "stacks"), ("list", "instances"), ("list", "vars")]
"""Questions that several processes share."""
NAMES = ["catalog/base.yaml", "catalog/more.yaml", "mixins/all.yaml", "deploy/dev.yaml", "deploy/prod.yaml"]
OTHERS = ["deploy/extra.yaml", "catalog/base.yaml.tmpl", "catalog/more.yml", "mixins/two.yaml", "deploy/sub/deep.yaml"]
VALUES = ["1", "two", "[a, b]", "{x: 1}", "{x: 2, y: 3}", "!env WHERE none", "'{{ .vars.stage }}'"]
VALUES += ["'{{ env \"WHO\" }}'", "null", "{x: [1, {y: 2}], 'on': b}", '"two\\nlines\\n"']
VALUES += ["'{{ .vars.a }}'", "'{{ .settings.b | upper }}-x'", "!template '{{ toJson .settings.a }}'"]
RARE = ["!include data.yaml", "!git.branch", f"!sensitive {SECRET}", "'{{ now | date \"2006\" }}'", "!exec echo 1"]
RARE += ["'{{ .vars.nowhere.x }}'", "*no", "!unset"]
IMPORTS = ["catalog/base", "catalog/more", "mixins/all", "mixins/*", "catalog/missing", "mixins/two"]
COMPONENTS = ["base", "other", "web", "db"]
BACKENDS = ["{s3: {}}", "{s3: {}, gcs: {}}"]
CONFIG = """base_path: "./"
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], %s}
templates: {settings: {enabled: true}}
settings: {terminal: {tab_width: %d}}
"""
STAGE = "import: [catalog/base, catalog/more]\nvars: {{stage: {}}}\n"
ENTRIES = """components:
  terraform:
    base:
      metadata: {type: abstract}
      vars: {a: 1, b: two}
    web:
      metadata: {inherits: [base]}
      vars: {b: 1}
      settings: {a: 1}
    db:
      metadata: {inherits: [base]}
      vars: {c: 1}
    other:
      vars: {a: two}
"""
CONFIGS = {
    "name": 'name_template: "{{ .vars.stage }}"',
    "pattern": 'name_pattern: "{stage}"',
    "excluded": 'name_template: "{{ .vars.stage }}", excluded_paths: ["deploy/extra.yaml"]',
    "broken": "name_template: [",
}


def mapping(found: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in found.items()) + "}"


def variables(draw: Random, sound: bool = False) -> dict[str, str]:
    names = draw.sample(["a", "b"] if sound else ["a", "b", "stage"], draw.randrange(3))
    return {name: draw.choice(RARE if draw.random() < (0.01 if sound else 0.1) else VALUES) for name in names}


def component(draw: Random, name: str, sound: bool = False) -> str:
    lines = [f"    {name}:"]
    metadata = {"type": "abstract"} if name in ("base", "other") and draw.random() < 0.5 else {}
    base = draw.choice(COMPONENTS[: COMPONENTS.index(name) + 1] if sound else ["base", "other", "web", name, name])
    if base != name:
        metadata["inherits"] = f"[{base}]"
    lines += [f"      metadata: {mapping(metadata)}"] if metadata else []
    lines += [f"      vars: {mapping(variables(draw, sound))}"]
    lines += [f"      settings: {mapping(variables(draw, sound))}"] if draw.random() < 0.5 else []
    lines += ["      # a comment"] if draw.random() < 0.2 else []
    if draw.random() < 0.1:  # one that nothing uses is a finding
        lines += [f"      backend_type: {draw.choice(['s3', 'gcs'])}", f"      backend: {draw.choice(BACKENDS)}"]
    return "\n".join(lines)


def manifest(seed: int, name: str, soundness: float = 0.8) -> str:
    draw = Random(seed)
    lines: list[str] = []
    sound = draw.random() < soundness  # else imports and bases may be missing, or lead back
    wanted = draw.sample(IMPORTS[:3] if draw.random() < 0.8 else IMPORTS, draw.randrange(3))
    wanted = ["catalog/base", *wanted] if name.startswith("deploy") and draw.random() < 0.8 else wanted
    if sound:
        below = ["catalog/base", "catalog/more"] if name.startswith("deploy") else []
        wanted = [*below[: draw.choice([1, 2])], *["mixins/all"][: draw.randrange(2)]]
    if wanted and not name.startswith("mixins"):
        lines.append(f"import: [{', '.join(dict.fromkeys(wanted))}]")
    stage = name.split("/")[-1].split(".")[0]
    root = {**variables(draw, sound), **({"stage": stage} if name.startswith("deploy") else {})}
    lines += [f"vars: {mapping(root)}"] if root else []
    lines += [f"{name}: {mapping(variables(draw, sound))}" for name in ("settings", "env") if draw.random() < 0.5]
    lines += [f"terraform: {{vars: {mapping(variables(draw, sound))}}}"] if draw.random() < 0.2 else []
    lines += [f"locals: {{l: {draw.choice(['1', 'x'])}}}"] if draw.random() < 0.5 else []
    chosen = COMPONENTS if sound and name == NAMES[0] else draw.sample(COMPONENTS, draw.randrange(4))
    entries = [component(draw, one, sound) for one in chosen]
    lines += ["components:", "  terraform:", *entries] if entries else []
    if draw.random() < (1 - soundness) / 10:
        lines.append("broken: [")
    return "\n".join(lines) + "\n"


class StackHistory(CommandHistory):
    """A repository of stacks."""

    files = tuple(f"stacks/{name}" for name in (*OTHERS, *NAMES))
    commands = COMMANDS
    spread = SPREAD
    soundness = 0.8
    """How many of the manifests have nothing wrong."""

    def begin(self) -> None:
        self.configured("name", 2)
        for name in NAMES:
            self.put_new(name)
        self.put("stacks/data.yaml", "vars: {a: 1}\n")
        self.commit()

    def changes(self) -> list[Callable[[], object]]:
        own = [self.edit_one_value, self.edit_one_value, self.edit_one_value, self.edit, self.edit, self.add_entry]
        own += [self.add, self.configure, self.settle, self.set_some_variable, self.change_included_file]
        return [*super().changes(), *own, *own]

    def edit(self) -> None:
        name = self.draw.choice(NAMES)
        self.note(name)
        self.put_new(name)

    def put_new(self, name: str) -> None:
        self.put(f"stacks/{name}", manifest(self.number(), name, self.soundness))

    def edit_one_value(self) -> None:
        name, old, new = self.draw.choice(NAMES), self.draw.choice(VALUES[:4]), self.draw.choice(VALUES)
        self.note((name, old, new))
        text = self.text(name)
        if text:
            self.put(f"stacks/{name}", text.replace(f": {old}", f": {new}", 1))

    def add_entry(self) -> None:
        name, one, seed = self.draw.choice(NAMES[:3]), self.draw.choice(COMPONENTS), self.number()
        self.note((name, one))
        text = self.text(name) or "components:\n  terraform:\n"
        if "  terraform:\n" in text and f"    {one}:\n" not in text:
            self.put(f"stacks/{name}", text + component(Random(seed), one, sound=seed % 5 > 0) + "\n")

    def add(self) -> None:
        name = self.draw.choice(OTHERS)
        self.note(name)
        self.put_new(name)

    def text(self, name: str) -> str:
        path = self.folder / "stacks" / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def configure(self) -> None:
        self.configured(self.draw.choice(sorted(CONFIGS)), self.draw.choice([2, 4]))

    def configured(self, kind: str, width: int) -> None:
        self.note(kind)
        self.put("atmos.yaml", CONFIG % (CONFIGS[kind], width))

    def settle(self) -> None:
        self.put_or_delete("plait.yaml", self.draw.choice(["budgets: {depth: 50}\n", "nonsense: 1\n", "", ""]))

    def set_some_variable(self) -> None:
        self.set_another(self.draw.choice(["WHERE", "WHERE", "WHO", "ATMOS_STACK"]), ["", "here", "dev"])

    def change_included_file(self) -> None:
        text = self.draw.choice(["vars: {a: 1}\n", "vars: {b: 2}\n", ""])
        for name in ("stacks/data.yaml", "stacks/catalog/data.yaml"):
            self.put_or_delete(name, text)

    def answer(self, words: tuple[str, ...]) -> Outcome:
        return run(self.folder, *words)


class AffectedHistory(StackHistory):
    """The same about what differs from a revision: small edits, one after the other, and other revisions."""

    commands = AFFECTED
    soundness = 0.98

    def begin(self) -> None:
        super().begin()
        self.edit_one_value()

    def changes(self) -> list[Callable[[], object]]:
        edits = [self.edit_one_value, self.edit_one_value, self.add_entry, self.move_lines, self.edit]
        return [*edits, *edits, *edits, *edits, self.commit, self.check_out, self.draw.choice(super().changes())]

    def move_lines(self) -> None:
        """A comment at the top moves everything below it."""
        name = self.draw.choice(NAMES)
        self.note(name)
        self.put(f"stacks/{name}", f"# {self.number()}\n" * self.draw.randrange(3) + self.text(name))


class EntriesHistory(AffectedHistory):
    """The same where little else differs than plain values of components, of which the texts say what they were."""

    def begin(self) -> None:
        super().begin()
        for name in NAMES:
            stage = name.removeprefix("deploy/").removesuffix(".yaml")
            self.put(f"stacks/{name}", STAGE.format(stage) + ENTRIES if stage in ("dev", "prod") else ENTRIES)
        self.commit()

    def changes(self) -> list[Callable[[], object]]:
        return [*[self.edit_an_entry] * 8, self.edit_one_value, self.move_lines, self.commit]

    def edit_an_entry(self) -> None:
        """The plain values of one component are others: their texts say what differs."""
        name = self.draw.choice(NAMES)
        lines = self.text(name).splitlines(keepends=True)
        rows = [at for at, line in enumerate(lines) if line.startswith(("      vars: {", "      settings: {"))]
        if rows:
            at, keys = self.draw.choice(rows), self.draw.sample(["a", "b", "c"], self.draw.randrange(4))
            values = {key: self.draw.choice(["x", "true", str(self.number()), *VALUES[:3]]) for key in keys}
            self.note((name, at, values))
            lines[at] = f"{lines[at].partition('{')[0]}{mapping(values)}\n"
            self.put(f"stacks/{name}", "".join(lines))


class ReviewHistory(AffectedHistory):
    """The same about reviews: findings are kept target by target."""

    commands = REVIEWS


class MixedHistory(StackHistory):
    """A repository that has stacks, and targets in plait.yaml that are merged from layers."""

    files = (*StackHistory.files, *LAYERS)
    commands = [*MIXED, *MIXED, *COMMANDS]  # noqa: RUF012

    def begin(self) -> None:
        super().begin()
        self.declare()
        for name in LAYERS:
            self.edit_layer(name)
        self.commit()

    def changes(self) -> list[Callable[[], object]]:
        own = [self.edit_some_layer, self.edit_some_layer, self.declare, self.edit_one_value, self.edit]
        return [*super().changes(), *own, *own, *own]

    def settle(self) -> None:
        self.declare()

    def declare(self) -> None:
        """The targets: each with layers in another order, one of them perhaps missing."""
        rows = [f"- {{name: {name}, layers: [{', '.join(self.draw.sample(LAYERS, 2))}]}}" for name in ("app", "dev")]
        self.put("plait.yaml", "targets:\n" + "\n".join(rows[: self.draw.choice([1, 1, 1, 2])]) + "\n")

    def edit_some_layer(self) -> None:
        name = self.draw.choice(LAYERS)
        self.note(name)
        self.edit_layer(name)

    def edit_layer(self, name: str) -> None:
        values = {key: self.draw.choice([*VALUES[:5], "!ref b", "!unset"]) for key in ("a", "b", "c")}
        self.put(name, "\n".join(f"{key}: {value}" for key, value in values.items()) + "\n")

    def answer(self, words: tuple[str, ...]) -> Outcome:
        with chdir(self.folder):
            return run_here(*words)


def test_kept_answers_about_layers_beside_stacks_are_those_of_a_fresh_run() -> None:
    run_histories(MixedHistory, examples(4))


def test_kept_findings_of_a_review_are_those_of_a_fresh_one() -> None:
    run_histories(ReviewHistory, examples(3))


def test_kept_rows_of_a_comparison_are_those_of_a_fresh_run() -> None:
    run_histories(AffectedHistory, examples(3))


def test_rows_of_components_of_which_only_plain_values_differ_are_those_of_a_fresh_run() -> None:
    run_histories(EntriesHistory, examples(3))


def test_a_kept_answer_is_what_a_fresh_run_prints() -> None:
    run_histories(StackHistory, examples(4))


def test_what_is_kept_can_be_searched() -> None:
    """Else the law could not find a secret."""
    history = StackHistory(1)
    with history.clean:
        history.begin()
        history.put(
            "stacks/deploy/dev.yaml", f"vars: {{stage: dev, a: {SECRET}}}\ncomponents: {{terraform: {{web: {{}}}}}}\n"
        )
        history.answer(("describe", "stacks"))
        assert any(SECRET.encode() in text for _, text in kept_texts(history.home))
