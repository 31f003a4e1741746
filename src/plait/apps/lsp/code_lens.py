"""Code lenses: what each component, or each section, of a file affects. They are worked out when they are shown."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_CODE_LENS
OPTIONS = types.CodeLensOptions(resolve_provider=True)
WITHOUT_VALUES = ("import", "locals")
"""Sections of manifests that are in no result themselves."""


def answer(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    path = session.path(params.text_document.uri)
    written = session.answers(path).written(path) if path is not None else None
    if path is None or written is None or not session.answers(path).takes_part(path):
        return []
    ranges = session.ranges(path)
    lenses: list[types.CodeLens] = []
    for spot in written.spots():
        is_section = len(spot.path) == (3 if spot.path[:1] == ("components",) else 1) and not spot.is_scalar
        if is_section and spot.path[0] not in WITHOUT_VALUES:
            first, last = (spot.layout.source.position(at)[0] for at in spot.whole_span)
            data = {"uri": params.text_document.uri, "first": first, "last": last}
            lenses.append(types.CodeLens(ranges(*spot.key_span), data=data))
    return lenses
