"""The playground of the documentation site: plait itself, run by the page in the browser, over files that only the page
has. `playground/worker.js` writes them into the folder of this process and asks; there is no server."""

from __future__ import annotations

import json
import os
from urllib.parse import parse_qsl

from plait.apps.web.explorer import Choices, State
from plait.apps.web.links import Links
from plait.apps.web.markup import fragment, h
from plait.apps.web.pages.document import DocumentView, section_order
from plait.apps.web.pages.frame import problems
from plait.core.diagnostic import Fault, PlaitError
from plait.core.source import DATA_ENDINGS
from plait.core.unknown import mistakes_in
from plait.fronts.catalog import check_stacks
from plait.report.render import in_order, render_one
from plait.report.unknown import not_known_here, unknown_in
from plait.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.apps.web.markup import Html
    from plait.core.diagnostic import Diagnostic
    from plait.evaluate.tree import Tree
    from plait.fronts.blame import Blame
    from plait.survey.survey import Survey

    Settings = dict[str, object]

RESULT = "result"
"""The name of the target that the files of the page are."""
SETTINGS = "plait.yaml"


# How the files of the page become a target: by what plait.yaml would say. Where the page has one, it is used as it is.


def _layers(files: list[str], profile: str) -> Settings:
    """Layers, merged by the rules that were chosen or, as `plait merge` does, by those that their names ask for."""
    layers = [name for name in files if name.endswith(DATA_ENDINGS)]
    recognised = None if profile else Workspace(cache=False).recognised(layers)
    profile = recognised.profile if recognised is not None else profile
    return {"name": RESULT, "layers": layers, **({"profile": profile} if profile else {})}


def _template(files: list[str], profile: str) -> Settings:
    return {"name": RESULT, "template": files[0], "stubs": files[1:]}


def _document(files: list[str], profile: str) -> Settings:
    return {"name": RESULT, "document": files[0], "evaluate": True}


def _chart(files: list[str], profile: str) -> Settings:
    folder = os.path.dirname(next(name for name in files if os.path.basename(name) == "Chart.yaml"))
    beside = [name for name in files if name.endswith(DATA_ENDINGS) and not _is_below(name, folder)]
    return {"name": RESULT, "chart": folder or ".", **({"values": beside} if beside else {})}


def _is_below(name: str, folder: str) -> bool:
    return not folder or name.startswith(f"{folder}/")


def _says(text: str, key: str) -> bool:
    """Whether a text of YAML has a key at the top."""
    return any(line.startswith(f"{key}:") for line in text.splitlines())


class PlayFront:
    """A way to read the files: what it is called, a file that it needs, and the target that it makes of them; None for
    files that say themselves what they are. `order` says what the order of the files means."""

    __slots__ = ("make", "needs", "notations", "order", "profiles", "title")

    def __init__(
        self,
        title: str,
        make: Callable[[list[str], str], Settings] | None = None,
        needs: str = "",
        order: str = "",
        notations: tuple[str, ...] = (),
        profiles: bool = False,
    ) -> None:
        self.title = title
        self.order = order
        self.profiles = profiles
        self.make = make
        self.needs = needs
        self.notations = notations

    def settings(self, files: list[str], profile: str, own: str) -> str:
        """What plait.yaml says for these files: what the page's own one says, and the target that is not in there."""
        named = [name for name in files if name != SETTINGS]
        if self.make is None or not named or self.missing(files):
            return own
        told: Settings = {"targets": [self.make(named, profile)]}
        if self.notations:
            told["notations"] = list(self.notations)
        rows = [f"{key}: {json.dumps(value)}\n" for key, value in told.items() if not _says(own, key)]
        return "".join([own, "" if own.endswith("\n") or not own else "\n", *rows])

    def told(self) -> dict[str, object]:
        """What the page knows about it."""
        return {"title": self.title, "order": self.order, "profiles": self.profiles}

    def missing(self, files: list[str]) -> str:
        """The file that is needed and not there."""
        return "" if any(os.path.basename(name) == self.needs for name in files) else self.needs


LOWEST = "lowest layer first"
FRONTS = {
    "layers": PlayFront("Layers", _layers, order=LOWEST, profiles=True),
    "templates": PlayFront("Layers with Go templates", _layers, order=LOWEST, notations=("gotemplate",)),
    "spiff": PlayFront("spiff: a template and its stubs", _template, order="the template, then its stubs"),
    "stacks": PlayFront("Stacks with atmos.yaml", needs="atmos.yaml"),
    "chart": PlayFront("Helm chart with values", _chart, needs="Chart.yaml", order=LOWEST),
    "kustomize": PlayFront("Kustomizations", needs="kustomization.yaml"),
    "compose": PlayFront("Compose project", needs="compose.yaml"),
    "unfurl": PlayFront("Unfurl: a document with directives", _document, order="the document, then what it includes"),
    "folder": PlayFront("What plait finds in the files"),
}


# Pages


class TabLinks(Links):
    """Places are lines in the tabs of the page, and parts of the answer are asked of the worker. There is nothing
    else to go to."""

    def page(self, kind: str, **words: str) -> str:
        return super().page(kind, **words) if kind in ("cards", "section") else ""

    def document(self, target: str, document: str, path: str = "") -> str:
        return "#"

    def file(self, name: str, line: int = 0) -> str:
        return f"#{name}:{line}"


class FilesState(State):
    """The files of the page, read once."""

    def __init__(self, workspace: Workspace, survey: Survey) -> None:
        super().__init__(workspace, None, survey, Choices(), 1)

    def tree(self, target: str, document: str) -> Tree:
        return self.survey.tree(target, document)


class ResultView(DocumentView):
    """One document of the answer; what it found wrong is remembered."""

    def __init__(self, state: State, target: str, document: str) -> None:
        super().__init__(state, TabLinks(), target, document)
        self.blames: list[Blame] = []

    def all_sections(self, alone: bool) -> Html:
        """All its sections, below its name where there are others."""
        head = None if alone else h("h2", self.document, class_="document")
        return fragment(head, *(self.section(name, "") for name in sorted(self.sections(), key=section_order)))

    def rows(self, blame: Blame, section: str, opened: str) -> Iterator[Html]:
        self.blames.append(blame)
        return super().rows(blame, section, opened)

    def actions(self, path: str) -> Html:
        return fragment()

    def wrong(self) -> list[Diagnostic]:
        """The values that could not be computed, and those that are not known here."""
        values = [(blame.value, blame.path) for blame in self.blames]
        unknown = [found for value, path in values for found in unknown_in(value, path)]
        return [*(finding for value, _ in values for finding in mistakes_in(value)), *not_known_here(unknown)]


class Playground:
    """The last files of the page, and answers about them. Questions and answers are JSON."""

    def __init__(self) -> None:
        self._state: FilesState | None = None

    def settings(self, asked: str) -> str:
        """The plait.yaml to write beside the files of a question."""
        question = json.loads(asked)
        return FRONTS[question["front"]].settings(question["files"], question["profile"], question["settings"])

    def show(self, asked: str) -> str:
        """The result, each line with the place that it comes from, as markup; and what is wrong, as data."""
        question = json.loads(asked)
        missing = FRONTS[question["front"]].missing(question["files"])
        if missing:
            return json.dumps(_answer(needs=missing))
        try:
            return json.dumps(self._shown(question["target"]))
        except PlaitError as error:
            return json.dumps(_answer(wrong=error.diagnostics))

    def _shown(self, wanted: str) -> dict[str, object]:
        workspace = Workspace(cache=False)
        survey = workspace.survey()
        self._state = FilesState(workspace, survey)
        names = survey.targets()
        if not names:
            check_stacks(workspace.world())
            return _answer()
        target = wanted if wanted in names else names[0]
        survey.of[target].documents()  # an error that concerns the whole is the answer
        views = [ResultView(self._state, target, document) for document in survey.documents(target)]
        markup = fragment(*(view.all_sections(len(views) == 1) for view in views))
        return _answer(names, target, markup, [found for view in views for found in view.wrong()])

    def piece(self, address: str) -> str:
        """A part of the answer by its address: the layers of a value, or a section that was folded."""
        kind, _, query = address.lstrip("/").partition("?")
        words = dict(parse_qsl(query, keep_blank_values=True))
        assert self._state is not None
        view = ResultView(self._state, words["target"], words["document"])
        try:
            made = view.value(words.get("path", "")) if kind == "cards" else view.section_body(words["name"])
        except Fault as error:
            made = problems(error.diagnostics)
        return str(made)


def _answer(
    names: list[str] | None = None,
    target: str = "",
    markup: Html | None = None,
    wrong: list[Diagnostic] | tuple[Diagnostic, ...] = (),
    needs: str = "",
) -> dict[str, object]:
    return {
        "targets": names or [],
        "target": target,
        "result": str(markup) if markup is not None else "",
        "problems": [_problem(one) for one in in_order(wrong)],
        "needs": needs,
    }


def _problem(found: Diagnostic) -> dict[str, object]:
    places = [
        {"file": label.origin.file, "line": label.origin.line, "column": label.origin.column}
        for label in found.labels
        if not label.origin.source.given
    ]
    return {"severity": found.severity, "text": str(h("pre", render_one(found).strip())), "places": places}
