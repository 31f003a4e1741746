"""The explorer as a folder of files, which a browser opens from a disk or any web server hands out."""

from __future__ import annotations

import os

from plait.apps.web.assets import KINDS, asset
from plait.apps.web.links import ACROSS, CHANGE, COMPARE, DOCUMENT, FILE, FILES, LAYERS, MAP, TIDY, FileLinks
from plait.apps.web.markup import h
from plait.apps.web.pages.across import across_page
from plait.apps.web.pages.change import change_page
from plait.apps.web.pages.compare import compare_page, layers_page
from plait.apps.web.pages.document import DocumentView
from plait.apps.web.pages.files import file_page, files_page
from plait.apps.web.pages.frame import Page, framed, problems, unknown_page
from plait.apps.web.pages.map import Filters, map_page
from plait.apps.web.pages.tidy import tidy_page
from plait.core.diagnostic import Fault, NotKnown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.apps.web.explorer import State

BATCH = 64
"""How many pages are written at a time."""
FEW = 12
"""Up to so many targets, each is compared with every other."""
PAGE = 600
"""Steps for one page: the number of pages is refused before the first one is written, where few files ask for very
many."""


def export(state: State, folder: str) -> int:
    """Write all pages into a folder; how many there are."""
    state.patient = True
    links = FileLinks()
    pages = list(_pages(state, links))  # every page has its name before the first one is made
    state.workspace.meter.step(PAGE * len(pages))
    for target in state.targets:
        state.workspace.meter.restart()
        state.survey.uses(target)
    for name in KINDS:
        state.workspace.write_below(folder, {os.path.join(folder, name): asset(name)})
    for start in range(0, len(pages), BATCH):
        files = {os.path.join(folder, name): _text(state, links, made) for name, made in pages[start : start + BATCH]}
        state.workspace.write_below(folder, files)
    return len(pages)


def _text(state: State, links: FileLinks, made: Callable[[], Page]) -> bytes:
    state.workspace.meter.restart()
    try:
        page = made()
    except NotKnown as error:
        page = unknown_page(error)
    except Fault as error:
        page = Page("Error", "", h("h1", "This cannot be shown"), problems(error.diagnostics))
    return framed(page, state, links).encode()


def _pages(state: State, links: FileLinks) -> Iterator[tuple[str, Callable[[], Page]]]:
    """The name of each file, and what makes its page."""
    yield links.add(MAP), lambda: map_page(state, links, Filters())
    yield links.add(FILES), lambda: files_page(state, links)
    if state.choices.base:
        yield links.add(CHANGE), lambda: change_page(state, links, state.choices.base)
    yield links.add(TIDY), lambda: tidy_page(state, links)
    for target in state.targets:
        yield links.add(LAYERS, target=target), lambda target=target: layers_page(state, links, target)  # type: ignore[misc]
    pairs = [(a, b) for a in state.targets for b in state.targets if a != b] if len(state.targets) <= FEW else []
    for first, second in [("", ""), *pairs] if pairs else []:
        yield (
            links.add(COMPARE, **({"a": first, "b": second} if first else {})),
            lambda first=first, second=second: compare_page(state, links, first, second),  # type: ignore[misc]
        )
    read = {file for target in state.targets for file in state.survey.of[target].made_of()}
    for file in sorted(read.intersection(state.survey.links())):
        yield links.add(FILE, name=file), lambda file=file: file_page(state, links, file)  # type: ignore[misc]
    for document in dict.fromkeys(one for target in state.targets for one in state.survey.documents(target)):
        yield links.add(ACROSS, document=document), lambda document=document: across_page(state, links, document, "")  # type: ignore[misc]
    for target in state.targets:
        for document in state.survey.documents(target):
            yield (
                links.add(DOCUMENT, target=target, document=document),
                lambda target=target, document=document: DocumentView(state, links, target, document).page(),  # type: ignore[misc]
            )
