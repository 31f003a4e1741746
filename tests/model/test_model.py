"""plait equals the models, over a few inputs in every run of the suite."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.model.properties import PROPERTIES

EXAMPLES = 30
FEWER = {"stacks": 15, "compose files": 15, "helm values": 15}
"""Examples of what takes longer."""


@pytest.mark.parametrize("name", PROPERTIES)
def test_plait_equals_the_model(name: str) -> None:
    settings(settings.get_profile("suite"), max_examples=FEWER.get(name, EXAMPLES))(PROPERTIES[name])()
