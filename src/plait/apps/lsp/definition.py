"""Go to definition: from a value to the line that decides it, and from a name to what it names."""

from __future__ import annotations

from lsprotocol import types

from plait.apps.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_DEFINITION
OPTIONS = None


def answer(session: Session, params: types.DefinitionParams) -> list[types.Location]:
    path = session.path(params.text_document.uri)
    if path is None:
        return []
    authoring = session.answers(path)
    locations: dict[tuple[str, int], types.Location] = {}
    for origin, length in authoring.definitions(path, session.offset(path, params.position)):
        where = session.location(authoring, origin, length)
        if where is not None:
            locations.setdefault((where.uri, origin.at), where)
    return list(locations.values())
