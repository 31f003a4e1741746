"""Changes that a run of thousands of examples found, each held against all laws of a review."""

from __future__ import annotations

import pytest

from tests.review.laws import Files, hold

LAYERS: Files = {"plait.yaml": "targets: [{name: a, layers: [b.yaml, a.yaml]}]\n", "b.yaml": "{}\n"}
STACKS: Files = {
    "atmos.yaml": "base_path: .\n"
    "stacks: {base_path: stacks, included_paths: ['deploy/*'], name_pattern: '{stage}'}\n"
    "components: {terraform: {base_path: components}}\n",
    "stacks/catalog/vpc.yaml": "components: {terraform: {vpc: {vars: {size: 1}}}}\n",
    "stacks/deploy/prod.yaml": "import: [catalog/vpc]\nvars: {stage: prod}\ncomponents: {terraform: {vpc: {}}}\n",
    "components/app/main.tf": "# app\n",
    "components/vpc/terraform.tfstate.d/prod/terraform.tfstate": '{"version": 4, "outputs": {"id": {"value": "x"}}}',
}
STATE = "components:\n  terraform:\n    app:\n      vars:\n        id: !terraform.state vpc prod id\n"
FOUND: dict[str, tuple[Files, Files]] = {
    "a hunk that alone gives an error": (
        {**LAYERS, "a.yaml": "a: !ref c\nc: 0\nd: 1\n"},
        {**LAYERS, "a.yaml": "d: 1\n"},
    ),
    "an item with a name in a list that has other items with the hunk reverted": (
        {**LAYERS, "a.yaml": "b: [1, 2]\nc: [{name: q}, {name: p, v: 2}]\nd: 0\ne: !ref c\n", "b.yaml": "c: [1, 2]\n"},
        {**LAYERS, "a.yaml": "b: [1, 2]\nd: 0\ne: [{name: p, v: 1}]\n", "b.yaml": "c: [1, 2]\n"},
    ),
    "a manifest that is emptied: its import alone would be another stack": (
        {**STACKS, "stacks/deploy/dev.yaml": "import: [catalog/vpc]\nvars: {stage: dev}\n"},
        {
            **STACKS,
            "stacks/deploy/dev.yaml": "import: [catalog/vpc]\nvars: {stage: dev}\n",
            "stacks/deploy/prod.yaml": "",
        },
    ),
    "a stack that reads the state of a stack that the change does not touch": (
        {**STACKS, "stacks/deploy/dev.yaml": f"vars: {{stage: dev}}\n{STATE}"},
        {**STACKS, "stacks/deploy/dev.yaml": f"vars: {{stage: dev}}\n{STATE}", "components/app/main.tf": ""},
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_laws_hold(name: str) -> None:
    hold(FOUND[name])
