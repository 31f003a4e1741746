"""What both sides of a change say about the states between them, as a table: of a stack, with one hunk undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.core.path import ANYWHERE, Places, format_path
from plait.review.causes import ProofBudget
from plait.review.review import Reviewer
from tests.review.laws import Files, change_of, opened

ATMOS = """\
base_path: ""
stacks: {base_path: stacks, included_paths: ["orgs/*"], name_pattern: "{stage}"}
components: {terraform: {base_path: components}}
"""
STACK = "import: [catalog/one, catalog/two]\nvars:\n  stage: a\n"


def entries(**components: str) -> str:
    """Components, each with its section of variables and what else it says."""
    texts = (f"    {name}: {{{text}}}\n" for name, text in components.items())
    return "components:\n  terraform:\n" + "".join(texts)


def repository(one: str = "", two: str = "", stack: str = STACK, atmos: str = ATMOS) -> Files:
    manifests = {"catalog/one": one, "catalog/two": two, "orgs/a": stack}
    return {"atmos.yaml": atmos, **{f"stacks/{name}.yaml": text for name, text in manifests.items()}}


ONE, TWO = entries(c0="vars: {x: 1}"), entries(c1="vars: {x: 1}")
ALL = "others */*!, c0 */*!, c1 */*!"
Told = tuple[str | None, str]
ROWS: dict[str, tuple[Files, Files, dict[str, Told]]] = {
    "each in its own component": (
        repository(ONE, TWO),
        repository(ONE.replace("1}", "2}"), TWO.replace("1}", "2}")),
        {"one.yaml:3": ("", "c0 vars.x/"), "two.yaml:3": ("", "c1 vars.x/")},
    ),
    "a scalar of one component in two files": (
        repository(ONE, ONE + "    c1: {vars: {x: 1}}\n"),
        repository(ONE.replace("1}", "2}"), ONE.replace("1}", "2}") + "    c1: {vars: {x: 1}}\n"),
        {"one.yaml:3": ("", "c0 vars.x/vars.x!"), "two.yaml:3": ("", "c0 vars.x/vars.x!")},
    ),
    "a list of one component in two files": (
        repository(ONE.replace("1}", "[1]}"), ONE.replace("1}", "[1]}") + "    c1: {vars: {x: 1}}\n"),
        repository(ONE.replace("1}", "[2]}"), ONE.replace("1}", "[2]}") + "    c1: {vars: {x: 1}}\n"),
        {"one.yaml:3": ("c0", "c0 vars.x/vars.x!"), "two.yaml:3": ("c0", "c0 vars.x/vars.x!")},
    ),
    "expressions": (
        repository(entries(c0="vars: {x: 1}", c1="vars: {x: 1, y: '{{ .vars.x }}'}"), entries(c1="vars: {x: 1}")),
        repository(entries(c0="vars: {x: 2}", c1="vars: {x: 2, y: '{{ .vars.x }}'}"), entries(c1="vars: {x: 2}")),
        {
            "one.yaml:3": ("", "c0 vars.x/"),
            "one.yaml:4": ("c1", "c1 */*!"),
            "two.yaml:3": ("c1", "c1 */*!"),
        },
    ),
    "an expression at the place": (
        repository(entries(c0="vars: {x: 1}"), entries(c0="vars: {x: '{{ .vars.y }}', y: 1}")),
        repository(entries(c0="vars: {x: 2}"), entries(c0="vars: {x: '{{ .vars.y }}', y: 2}")),
        {"one.yaml:3": ("c0", "c0 */*!"), "two.yaml:3": ("c0", "c0 */*!")},
    ),
    "an expression that reads what only one changes": (
        repository(entries(c0="vars: {x: 1, y: 1}"), ONE, STACK + entries(c0="vars: {z: '{{ .vars.y }}'}")),
        repository(
            entries(c0="vars: {x: 2, y: 2}"), ONE.replace("1}", "2}"), STACK + entries(c0="vars: {z: '{{ .vars.y }}'}")
        ),
        {"one.yaml:3": ("c0", "c0 */*!"), "two.yaml:3": ("", "c0 vars.x/*!")},
    ),
    "what each inherits": (
        repository(
            entries(b="metadata: {type: abstract}, vars: {x: 1}", c0="vars: {y: 1}"), entries(c1="vars: {y: 1}")
        ),
        repository(
            entries(b="metadata: {type: abstract}, vars: {x: 1}", c0="metadata: {inherits: [b]}"),
            entries(c1="metadata: {inherits: [b]}"),
        ),
        {"one.yaml:4": ("", "c0 */"), "two.yaml:3": ("", "c1 */")},
    ),
    "a new component in each": (
        repository(ONE, TWO),
        repository(ONE + "    n0: {vars: {x: 1}}\n", TWO + "    n1: {vars: {x: 1}}\n"),
        {"one.yaml:4": (None, f"{ALL}, n0 */*!, n1 */*!"), "two.yaml:4": (None, f"{ALL}, n0 */*!, n1 */*!")},
    ),
    "the name of the stack": (
        repository("vars: {y: 1}\n" + ONE, TWO),
        repository("vars: {y: 1, stage: a}\n" + ONE, TWO, STACK.replace("stage:", "level:")),
        {"one.yaml:1": (None, ALL), "a.yaml:3": (None, ALL)},
    ),
    "the settings": (
        repository(ONE, TWO),
        repository(ONE.replace("1}", "2}"), TWO, atmos=ATMOS.replace("base_path: components", "base_path: code")),
        {"atmos.yaml:3": ("c0", "c0 */vars.x!, c1 */"), "one.yaml:3": ("", "c0 vars.x/*!")},
    ),
    "a component that fails": (
        repository(ONE, entries(c1="vars: 1")),
        repository(ONE.replace("1}", "2}"), entries(c1="vars: 2")),
        {"one.yaml:3": ("", "c0 vars.x/"), "two.yaml:3": ("", "c1 */")},
    ),
    "the stack fails": (
        repository(ONE, TWO, STACK.replace(": a", ": orgs/a")),
        repository(ONE.replace("1}", "2}"), TWO, STACK.replace(": a", ": orgs/a") + "components: 1\n"),
        {"one.yaml:3": (None, ALL), "a.yaml:4": (None, ALL)},
    ),
    "the stack failed": (
        repository(ONE, TWO, STACK.replace(": a", ": orgs/a") + "components: 1\n"),
        repository(ONE.replace("1}", "2}"), TWO, STACK.replace(": a", ": orgs/a")),
        {"one.yaml:3": (None, ALL), "a.yaml:4": (None, ALL)},
    ),
}


"""The files before and after; for each hunk, with that one undone, the components that have to be evaluated (None where
the stack may not be there), and those that may differ: the places at which they may from the new side, and from the old
one, `*` for all, and `!` where some of both meet."""


def places(some: Places) -> str:
    return "*" if some == ANYWHERE else "+".join(map(format_path, some))


@pytest.mark.parametrize("name", ROWS)
def test_what_is_known_about_a_stack(name: str, tmp_path: Path) -> None:
    before, after, expected = ROWS[name]
    change = change_of(before, after, tmp_path)
    reviewer = Reviewer(change, opened, set(), ProofBudget(100))
    answers = reviewer.answers[reviewer.both(next(iter(reviewer.after.targets.names()))).name]
    found: dict[str, Told] = {}
    for hunk in change.hunks:
        state = frozenset((hunk,))
        known = answers.known(state)
        missing = None if known is None else " ".join(sorted(name for _, name in known.missing))
        documents = {document for _, _, result in answers.sides for document in result.ids()}
        reached = answers.places(state, sorted(documents))
        told = [
            f"{document.name or 'others'} {places(new)}/{places(old)}{'!' if meets else ''}"
            for document, (new, old, meets) in reached.items()
        ]
        found[hunk.place.rpartition("/")[2]] = (missing, ", ".join(told))
    assert found == expected
    change.close()
