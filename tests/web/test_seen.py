"""The values that a search looks through: quickly seen, they are those that the accounts of the documents have."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.core.source import UNKNOWN
from plait.evaluate.tree import Tree
from plait.survey.seen import Seer
from plait.survey.survey import Survey, looked_at
from plait.workspace import Workspace
from plait.yaml.emit import emit_json
from tests.examples import examples
from tests.model.repositories import repositories, written
from tests.model.stacks import Data
from tests.web.shop import write_shop

RICH = {
    "stacks/catalog/rich.yaml": """locals: {name: rich}
components:
  terraform:
    base:
      metadata: {type: abstract}
      vars:
        empty: {}
        none: []
        items: [{name: a, size: 1}, {name: b, size: 2}]
        names: [a, b]
        gone: 1
        sub: {gone: 2, kept: 3, empty: {}}
        made: "{{ .locals.name }}-{{ .vars.stage }}"
        tags: {a: "{{ .vars.stage }}", b: plain}
        anchored: &x {one: 1, two: [1, 2]}
        alias: *x
        nothing: null
    rich:
      metadata: {inherits: [base]}
      vars:
        empty: {}
        none: []
        items: [{name: a, size: 5}]
        names: [c]
        gone: !unset ""
        sub: {gone: !unset "", empty: {}}
        listed: ["{{ .vars.stage }}", {deep: "{{ .vars.names }}"}]
        bad: !template '{{ fail "no size" }}'
        outside: !exec echo hi
    other:
      metadata: {inherits: [base]}
      vars: {empty: {}}
""",
    "stacks/deploy/x.yaml": """import: [defaults, mixins/dev, catalog/rich]
vars: {environment: x, stage: y}
components: {terraform: {rich: {vars: {names: [d], items: [{name: b, z: 1}], tags: {a: over}}}}}
""",
}


def accounted(tree: Tree, names: tuple[str, ...]) -> list[tuple[object, ...]]:
    """The same values, from the account of the whole document."""
    found: list[tuple[object, ...]] = []
    for path, leaf in tree.account().leaves():
        if path[0] in names:
            value, failures = tree.evaluator.finish(leaf.node, leaf.place)
            origin = leaf.winner.node.origin
            where = "" if origin.source.given or origin.source is UNKNOWN else f"{origin.file}:{origin.line}"
            found.append((path, failures[0].diagnostics[0].message if failures else emit_json(value), where))
    return sorted(found, key=repr)


def seen(seer: Seer, tree: Tree, names: tuple[str, ...]) -> list[tuple[object, ...]]:
    values = [one for section in seer.sections(tree, names) for one in section]
    shown = [(one.path, one.error if one.value is None else emit_json(one.value), one.where) for one in values]
    return sorted(shown, key=repr)


def check(survey: Survey) -> int:
    """Compare all documents of a repository; how many values they have."""
    seer, count = Seer(), 0
    for target in survey.of:
        for document in target.documents():
            tree = target.tree(document)
            names = looked_at(target, tree)
            expected = accounted(tree, names)
            assert seen(seer, tree, names) == expected, document
            count += len(expected)
    return count


@given(repositories(), st.sampled_from(["replace", "append", "merge"]))
@settings(max_examples=examples(12), deadline=None)
def test_what_is_seen_is_what_accounts_have(files: dict[str, Data], strategy: str) -> None:
    with written(files, strategy):
        workspace = Workspace(".", cache=False)
        try:
            check(workspace.survey())
        finally:
            workspace.close()


@pytest.mark.parametrize("strategy", ["replace", "append", "merge"])
def test_expressions_lists_marks_and_mistakes_are_seen_as_accounts_have_them(
    strategy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = {"stacks/defaults.yaml": f"settings: {{list_merge_strategy: {strategy}, team: platform}}\n"}
    monkeypatch.chdir(write_shop(tmp_path, {**RICH, **lists}))
    workspace = Workspace(".", cache=False)
    assert check(workspace.survey()) > 200
    workspace.close()
