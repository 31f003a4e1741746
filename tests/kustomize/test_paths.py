"""Paths as kustomizations name them."""

from __future__ import annotations

import os

from hypothesis import given
from hypothesis import strategies as st

from plait.fronts.kustomize.kustomization import from_folder

PATHS = st.lists(st.sampled_from(["a", "b", "..", "."]), max_size=4).map(
    lambda steps: os.path.normpath("/".join(steps))
)


@given(PATHS, PATHS)
def test_a_path_as_a_folder_names_it(path: str, folder: str) -> None:
    assert from_folder(path, folder) == os.path.relpath(path, folder)
    path, folder = (os.path.normpath(f"/{one}") for one in (path, folder))
    assert from_folder(path, folder) == os.path.relpath(path, folder)
