"""What all tests of the explorer share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests; each opens windows of its own."""
    with browser() as found:
        yield found
