"""The laws of saving: what was edited is what expanding the saved text gives, and no edit changes no byte."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.core.node import Node, equal
from plait.fronts.unfurl.edit import edited
from plait.fronts.unfurl.restore import saved
from tests.unfurl.documents import changes, document_of, documents, flow, included, text_of

QUICK = settings(max_examples=int(os.environ.get("PLAIT_EXAMPLES", "120")), deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(data=st.data(), document=documents, other=included, style=flow, shared=st.booleans())
def test_expanding_what_was_saved_gives_what_was_edited(data: st.DataObject, document: object, other: object, style: object, shared: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        loaded = document_of(Path(name), text_of(document, style, shared), text_of(other, None))
        try:
            root = loaded.expanded()
        except PlaitError:
            assume(False)
        wanted = root
        for _ in range(data.draw(st.integers(1, 3))):
            wanted = edited(wanted, [data.draw(changes(wanted))])
        text = saved(loaded, wanted)
        assert equal(loaded.with_text(text).expanded(), wanted)


@QUICK
@given(document=documents, other=included, style=flow, shared=st.booleans())
def test_no_edit_changes_no_byte(document: object, other: object, style: object, shared: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        text = text_of(document, style, shared)
        loaded = document_of(Path(name), text, text_of(other, None))
        try:
            root = loaded.expanded()
        except PlaitError:
            assume(False)
        assert saved(loaded, root) == text
        assert saved(loaded, loaded.with_text(text).expanded()) == text


@QUICK
@given(document=documents, other=included, shared=st.booleans())
def test_what_is_worked_out_at_its_own_place_is_the_same_where_it_lands(document: object, other: object, shared: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        text = text_of(document, None, shared)
        outcomes: list[Node | None] = []
        for shared_after in (0, 1, 10**6):
            loaded = document_of(Path(name), text, text_of(other, None))
            loaded.shared_after = shared_after
            try:
                outcomes.append(loaded.expanded())
            except PlaitError:
                outcomes.append(None)
        last = outcomes[-1]
        assert all(made is last is None or (made is not None and last is not None and equal(made, last)) for made in outcomes)
