"""The addresses of the explorer, and how each is answered."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from plait.apps.web.assets import KINDS, asset
from plait.apps.web.edits import Writes, wanted_change
from plait.apps.web.links import ACROSS, CHANGE, COMPARE, DOCUMENT, FILE, FILES, LAYERS, MAP, SEARCH, TIDY, Links
from plait.apps.web.live import Live
from plait.apps.web.markup import Html, h
from plait.apps.web.pages.across import across_page
from plait.apps.web.pages.change import change_page, one_trial, trials
from plait.apps.web.pages.compare import compare_page, layers_page
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.files import file_page, file_text, files_page
from plait.apps.web.pages.frame import Page, framed, problems, unknown_page
from plait.apps.web.pages.map import Filters, cells_data, map_page
from plait.apps.web.pages.overview import differences, picture
from plait.apps.web.pages.search import search_page
from plait.apps.web.pages.tidy import tidy_page
from plait.core.diagnostic import Fault, NotKnown, PlaitError
from plait.report.catalog import NO_COMPONENT, NO_FILE, NO_STACK, NO_TARGET, UNKNOWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request

    from plait.apps.web.explorer import Explorer, State

    Words = Mapping[str, str]
    Pages = Callable[[State, Words], Page]
    Pieces = Callable[[State, Words], Html]

ABSENT = {code.code for code in (NO_FILE, NO_STACK, NO_COMPONENT, NO_TARGET, UNKNOWN_PATH)}
"""Errors that mean that there is no such page."""
LINKS = Links()
MOST_ROWS = 64
"""How many rows of the map are looked at for one request."""


class ExplorerSite:
    """Answers requests with what the explorer knows. Pages are kept as long as the state that they show."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.live = Live(explorer)
        self.writes = Writes()
        self._kept: dict[tuple[int, str], Response] = {}

    def application(self) -> Starlette:
        routes = [Route("/assets/{name}", self.asset)]
        routes += [Route("/" if kind == MAP else f"/{kind}", self.page(pages)) for kind, pages in PAGES.items()]
        routes += [Route(f"/{kind}", self.piece(pieces)) for kind, pieces in PIECES.items()]
        routes += [Route("/cells", self.cells), Route("/events", self.events)]
        routes += [Route(f"/{kind}", self.posted(kind), methods=["POST"]) for kind in ("write", "undo")]
        return Starlette(routes=routes, exception_handlers={404: not_found})

    async def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in KINDS:
            return Response("plait: there is no such file\n", 404, media_type="text/plain")
        return Response(asset(name), media_type=KINDS[name], headers={"cache-control": "no-cache"})

    def page(self, pages: Pages) -> Callable[[Request], object]:
        """A whole page; errors are a page, too."""

        def made(state: State, words: Words) -> Response:
            try:
                page = pages(state, words)
            except PlaitError as error:
                page = error_page(error)
            return HTMLResponse(framed(page, state, LINKS), page.status)

        return self._answered(made)

    def piece(self, pieces: Pieces) -> Callable[[Request], object]:
        """A part of a page, which the script of the page puts into its place."""

        return self._answered(lambda state, words: _piece(lambda: pieces(state, words)))

    def _answered(self, made: Callable[[State, Words], Response]) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            return await self.kept(request, lambda state: made(state, request.query_params))

        return answer

    async def kept(self, request: Request, made: Callable[[State], Response]) -> Response:
        """The answer to a request: the same as before where the state is the same."""
        address = f"{request.url.path}?{request.url.query}"

        def once(state: State) -> Response:
            key = (state.number, address)
            if key not in self._kept:
                if len(self._kept) >= KEPT:
                    self._kept.clear()
                answer = made(state)
                if UNFINISHED in bytes(answer.body):
                    return answer
                self._kept[key] = answer
            return self._kept[key]

        return await asyncio.wrap_future(self.explorer.ask(once))

    def posted(self, kind: str) -> Callable[[Request], object]:
        """A change that a form asks for."""
        made = {"write": self.writes.write, "undo": self.writes.undo}[kind]

        async def answer(request: Request) -> Response:
            body = await _body(request)
            if body is None:
                return Response("plait: this form is too long\n", 413, media_type="text/plain")
            words = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
            return await asyncio.wrap_future(self.explorer.ask(lambda state: _piece(lambda: made(state, words))))

        return answer

    async def events(self, request: Request) -> Response:
        return self.live.stream()

    async def cells(self, request: Request) -> Response:
        """What is known about some rows of the map, as data."""
        targets = request.query_params.getlist("target")[:MOST_ROWS]
        base = request.query_params.get("base", self.explorer.choices.base)

        def made(state: State) -> Response:
            try:
                return _json(_cells_answer(state, targets, base))
            except PlaitError as error:
                return _json({"cells": {}, "error": error.diagnostics[0].message})

        return await self.kept(request, made)


def _cells_answer(state: State, targets: list[str], base: str) -> dict[str, object]:
    """What is known about some rows; where git does not know the revision, why nothing is compared."""
    try:
        return {"cells": cells_data(state, targets, base), "error": ""}
    except Fault as error:
        return {"cells": cells_data(state, targets), "error": error.diagnostics[0].message}


UNFINISHED = b" data-more"
"""What an answer has that is not complete yet. One with a text that happens to have it is only not kept."""
LONGEST_FORM = 1_000_000
KEPT = 256
"""How many answers are kept."""


async def _body(request: Request) -> bytes | None:
    """What a client sent; None where it is too long. One that goes away before the end has sent nothing."""
    body = bytearray()
    with suppress(ClientDisconnect):
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST_FORM:
                return None
        return bytes(body)
    return b""


def _piece(made: Callable[[], Html]) -> Response:
    try:
        return HTMLResponse(str(made()))
    except PlaitError as error:
        return HTMLResponse(str(problems(error.diagnostics)), error_page(error).status)


def _map(state: State, words: Words) -> Page:
    base = words.get("base", state.choices.base)
    filters = Filters(words.get("targets", ""), words.get("documents", ""), words.get("show", ""), base)
    return map_page(state, LINKS, filters)


def _document(state: State, words: Words) -> Page:
    name = "\n".join(words.get(word, "") for word in ("target", "document", "path"))
    title, text = state.kept_page(name, lambda: _view(state, words).page(words.get("path", "")).texts)
    return Page(title, MAP, Html(text))


def _cards(state: State, words: Words) -> Html:
    return _view(state, words).value(words.get("path", ""))


def _section(state: State, words: Words) -> Html:
    return _view(state, words).section_body(words.get("name", ""))


def _view(state: State, words: Words) -> DocumentView:
    return DocumentView(state, LINKS, words.get("target", ""), words.get("document", ""))


def _across(state: State, words: Words) -> Page:
    return across_page(state, LINKS, words.get("document", ""), words.get("path", ""))


def _files(state: State, words: Words) -> Page:
    return files_page(state, LINKS, words.get("find", ""), words.get("folder", ""))


def _file(state: State, words: Words) -> Page:
    return file_page(state, LINKS, words.get("name", ""))


def _fates(state: State, words: Words) -> Html:
    return file_text(state, LINKS, words.get("name", ""))


def _change(state: State, words: Words) -> Page:
    return change_page(state, LINKS, words.get("base", state.choices.base))


def _layers(state: State, words: Words) -> Page:
    return layers_page(state, LINKS, words.get("target", ""))


def _compare(state: State, words: Words) -> Page:
    return compare_page(state, LINKS, words.get("a", ""), words.get("b", ""))


def _search(state: State, words: Words) -> Page:
    return search_page(state, LINKS, words.get("find", ""))


def _differences(state: State, words: Words) -> Html:
    return differences(state, LINKS)


def _picture(state: State, words: Words) -> Html:
    return picture(state, LINKS, words.get("target", ""))


def _tidy(state: State, words: Words) -> Page:
    return tidy_page(state, LINKS)


def _try(state: State, words: Words) -> Html:
    return trials(state, LINKS, wanted_change(words))


def _trial(state: State, words: Words) -> Html:
    return one_trial(state, LINKS, wanted_change(words), words.get("file", ""), words.get("place", ""))


PAGES: dict[str, Pages] = {
    MAP: _map, DOCUMENT: _document, ACROSS: _across, FILES: _files, FILE: _file, CHANGE: _change,
    LAYERS: _layers, COMPARE: _compare, TIDY: _tidy, SEARCH: _search,
}  # fmt: skip
PIECES: dict[str, Pieces] = {
    "cards": _cards, "section": _section, "fates": _fates, "try": _try, "trial": _trial,
    "differences": _differences, "picture": _picture,
}  # fmt: skip


def error_page(error: PlaitError) -> Page:
    if isinstance(error, NotKnown):
        return unknown_page(error)
    absent = all(found.code in ABSENT for found in error.diagnostics)
    title = "There is no such page" if absent else "This cannot be shown"
    back = h("p", h("a", "To the map", href=LINKS.page(MAP))) if absent else None
    return Page(title, "", h("h1", title), problems(error.diagnostics), back, status=404 if absent else 422)


async def not_found(request: Request, error: Exception) -> Response:
    return Response("plait: there is no such page\n", 404, media_type="text/plain")


def _json(data: object, status: int = 200) -> Response:
    return Response(json.dumps(data), status, media_type="application/json")
