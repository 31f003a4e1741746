"""Without the tool that judges a file of tests, there is nothing to collect: one line tells that it was skipped, not
hundreds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.judges import judge

JUDGES = {
    "test_compose.py": "docker-compose",
    "test_helm.py": "helm",
    "test_helm_charts.py": "helm",
    "test_kubectl.py": "kubectl",
    "test_drawn.py": "kubectl",
    "test_kustomizations.py": "kubectl",
    "test_kustomize.py": "kubectl",
    "test_unfurl.py": "unfurl/bin/unfurl",
}


class Judged(pytest.Module):
    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        judge(JUDGES[self.path.name])
        yield from super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    return Judged.from_parent(parent, path=module_path)
