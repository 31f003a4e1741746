"""The addresses of the explorer, and how each is answered."""

from __future__ import annotations

import asyncio
import json

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from plait.apps.web.assets import KINDS, asset
from plait.apps.web.links import ACROSS, DOCUMENT, MAP, Links
from plait.apps.web.pages.across import across_page
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.frame import Page, framed, problems
from plait.apps.web.pages.map import Filters, cells_data, map_page
from plait.core.diagnostic import PlaitError
from plait.report.catalog import NEVER_SET, NO_COMPONENT, NO_STACK, NO_TARGET, UNKNOWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request

    from plait.apps.web.explorer import Explorer, State
    from plait.apps.web.markup import Html

    Words = Mapping[str, str]
    Pages = Callable[[State, Words], Page]
    Pieces = Callable[[State, Words], Html]

ABSENT = {code.code for code in (NO_STACK, NO_COMPONENT, NO_TARGET, UNKNOWN_PATH, NEVER_SET)}
"""Errors that mean that there is no such page."""
LINKS = Links()
MOST_ROWS = 64
"""How many rows of the map are looked at for one request."""


class ExplorerSite:
    """Answers requests with what the explorer knows. Pages are kept as long as the state that they show."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self._kept: dict[tuple[int, str], Response] = {}

    def application(self) -> Starlette:
        routes = [Route("/assets/{name}", self.asset)]
        routes += [Route("/" if kind == MAP else f"/{kind}", self.page(pages)) for kind, pages in PAGES.items()]
        routes += [Route(f"/{kind}", self.piece(pieces)) for kind, pieces in PIECES.items()]
        routes += [Route("/cells", self.cells)]
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

        def made(state: State, words: Words) -> Response:
            try:
                return HTMLResponse(str(pieces(state, words)))
            except PlaitError as error:
                return HTMLResponse(str(problems(error.diagnostics)), error_page(error).status)

        return self._answered(made)

    def _answered(self, made: Callable[[State, Words], Response]) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            return await self.kept(request, lambda state: made(state, request.query_params))

        return answer

    async def kept(self, request: Request, made: Callable[[State], Response]) -> Response:
        """The answer to a request: the same as before where the state is the same."""
        key = (self.explorer.state.number, str(request.url.path) + "?" + str(request.url.query))
        if key not in self._kept:
            response = await self.ask(made)
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[key] = response
        return self._kept[key]

    async def ask(self, made: Callable[[State], Response]) -> Response:
        return await asyncio.wrap_future(self.explorer.ask(made))

    async def cells(self, request: Request) -> Response:
        """What is known about some rows of the map, as data."""
        targets = request.query_params.getlist("target")[:MOST_ROWS]
        base = request.query_params.get("base", self.explorer.choices.base)

        def made(state: State) -> Response:
            try:
                return _json(cells_data(state, targets, base))
            except PlaitError as error:
                return _json({"error": str(error)}, 422)

        return await self.kept(request, made)


KEPT = 256
"""How many answers are kept."""


def _map(state: State, words: Words) -> Page:
    filters = Filters(words.get("targets", ""), words.get("documents", ""), words.get("show", ""))
    return map_page(state, LINKS, filters)


def _document(state: State, words: Words) -> Page:
    return _view(state, words).page(words.get("path", ""))


def _cards(state: State, words: Words) -> Html:
    return _view(state, words).value(words.get("path", ""))


def _view(state: State, words: Words) -> DocumentView:
    return DocumentView(state, LINKS, words.get("target", ""), words.get("document", ""))


def _across(state: State, words: Words) -> Page:
    return across_page(state, LINKS, words.get("document", ""), words.get("path", ""))


PAGES: dict[str, Pages] = {MAP: _map, DOCUMENT: _document, ACROSS: _across}
PIECES: dict[str, Pieces] = {"cards": _cards}


def error_page(error: PlaitError) -> Page:
    absent = all(found.code in ABSENT for found in error.diagnostics)
    return Page("Error", "", problems(error.diagnostics, "This cannot be shown"), status=404 if absent else 422)


async def not_found(request: Request, error: Exception) -> Response:
    return Response("plait: there is no such page\n", 404, media_type="text/plain")


def _json(data: object, status: int = 200) -> Response:
    return Response(json.dumps(data), status, media_type="application/json")
