"""What can be typed at a place: names of files, components and locals, paths, functions, and keys."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from plait.authoring.cursor import Cursor
from plait.authoring.schema import Schema, keys_at, values_at
from plait.authoring.state import TEMPLATE
from plait.authoring.symbols import Symbols
from plait.core.diagnostic import PlaitError
from plait.core.node import Known, MapNode, Node, Scalar, key_text
from plait.core.path import Path
from plait.core.struct import struct
from plait.evaluate.nowhere import NotThere
from plait.fronts.catalog import structure_of
from plait.fronts.notations import words_of
from plait.fronts.structure import COMPONENT, INPUT
from plait.fronts.trail import SpotTrail
from plait.yaml.places import WrittenSpot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.authoring.templates import TemplateValues
    from plait.fronts.unit import Result

SEEN = ("Values", "Release", "Chart", "Files", "Capabilities", "Template", "Subcharts")
"""What every template of a chart sees."""
FILE, NAME, KEY, FUNCTION, VALUE = "file", "name", "key", "function", "value"


@struct
class Suggestion:
    """One thing that can be typed: how it is written, what it is, and what replaces the last `length` characters."""

    label: str
    kind: str
    detail: str = ""
    about: str = ""
    length: int = 0


class Completion:
    """What can be typed at one place."""

    def __init__(self, symbols: Symbols, file: str, cursor: Cursor, schema: Schema, templates: TemplateValues) -> None:
        """`schema` is that of the file; empty where there is none."""
        self._templates = templates
        self.schema = schema
        self.symbols = symbols
        self.authoring = symbols.authoring
        self.file = file
        self.kind = self.authoring.kind_of(file)
        self.cursor = cursor

    def suggestions(self) -> list[Suggestion]:
        """Everything that fits, each once."""
        for fits in (
            self._asked,
            self._in_template,
            self._in_dynaml,
            self._after_tag,
            self._in_query,
            self._named,
            self._listed,
            self._keys,
        ):
            found = fits()
            if found is not None:
                return list({one.label: one for one in found}.values())
        return []

    # Languages

    def _in_template(self) -> Iterable[Suggestion] | None:
        inside = self.cursor.inside("{{", "}}")
        if inside is None or self.kind == "configuration":
            return None
        word = _tail(r"[\w.$]*", inside)
        if self.kind == TEMPLATE:
            return self._in_chart(word)
        if self.kind == "rendered" and word.startswith("."):
            return self._inputs(len(word) - 1)
        if _tail(r"\)[\w.]*", inside):
            return self._of_answer(inside, word)
        if word.startswith(".locals."):
            return self._locals(word[len(".locals.") :])
        if word.startswith("."):
            *steps, last = word[1:].split(".")
            tops = [Suggestion("locals", NAME, length=len(last))] if not steps else []
            return [*tops, *self._below(tuple(steps), len(last))]
        return _functions("gotemplate", len(word))

    def _in_chart(self, word: str) -> Iterable[Suggestion]:
        """What a template of a chart sees: the keys of its values, and functions."""
        top, values, rest = word.rpartition("Values.")
        *steps, last = rest.split(".")
        if values and (not top or top.endswith(".")):
            members = self._templates.members(self.file, tuple(steps))
            return [Suggestion(name, VALUE, _shown(node), length=len(last)) for name, node in members]
        if word.startswith((".", "$.")):
            length = len(word.rpartition(".")[2])
            return [Suggestion(name, NAME, length=length) for name in SEEN] if word.count(".") == 1 else []
        return _functions("gotemplate", len(word))

    def _in_dynaml(self) -> Iterable[Suggestion] | None:
        inside = self.cursor.inside("((", "))")
        if inside is None or self.kind not in ("template", "layers"):
            return None
        mark = _tail(r"&[\w:]*", inside)
        if mark:
            return _functions("dynaml", len(mark), "&")
        word = _tail(r"[\w.\-]*", inside)
        *steps, last = word.lstrip(".").split(".")
        return [*self._written_below(tuple(steps), len(last)), *(_functions("dynaml", len(last)) if not steps else ())]

    def _after_tag(self) -> Iterable[Suggestion] | None:
        before = self.cursor.before
        tag = re.search(r"(?:^|[\s\[{,])(![\w.\-]*)\Z", before)
        if tag is not None:
            return self._tags(len(tag[1]))
        call = re.search(r"(?:^|\s)(!\S+)\s+([^\s]*)\Z", before)
        if call is None:
            return None
        if call[1] == "!ref":
            *steps, last = call[2].split(".")
            return self._below(tuple(steps), len(last))
        if call[1] in ("!include", "!include.raw"):
            return self._files(len(call[2]))
        return self._components("terraform", len(call[2])) if call[1] in OUTPUTS else None

    def _in_query(self) -> Iterable[Suggestion] | None:
        """The keys at the path of a query of a document, `::a::b`."""
        query = re.search(r"(?:^|\s)::([\w.\-]+(?:::[\w.\-]+)*::)?([\w.\-]*)\Z", self.cursor.before)
        if query is None or self.kind != "document":
            return None
        return self._below(tuple((query[1] or "").split("::")[:-1]), len(query[2]))

    def _inputs(self, length: int) -> Iterator[Suggestion]:
        """The inputs of the pattern that a template belongs to."""
        for name, about, _ in self.symbols.inputs(self.file):
            yield Suggestion(name, NAME, INPUT, about, length)

    def _of_answer(self, inside: str, word: str) -> Iterator[Suggestion]:
        """The values of the component that `(atmos.Component "NAME" "STACK")` asks for."""
        asked = re.search(ANSWER, inside)
        tree = self.authoring.stacks.tree(*asked.groups()) if asked is not None and self.authoring.stacks else None
        if tree is not None:
            *steps, last = word.lstrip(".").split(".")
            for node in _value(tree.value, tuple(steps)):
                yield from _children(node, len(last))

    def _asked(self) -> Iterable[Suggestion] | None:
        """The component or the stack that `atmos.Component "COMPONENT" "STACK"` names, or the stack of
        `!terraform.output COMPONENT STACK OUTPUT`."""
        name = re.search(ASKED_COMPONENT, self.cursor.before)
        if name is not None:
            return self._components("terraform", len(name[1]))
        stacks = (re.search(pattern, self.cursor.before) for pattern in ASKED_STACK)
        return next((self._stacks(len(found[1])) for found in stacks if found is not None), None)

    def _tags(self, length: int) -> Iterator[Suggestion]:
        if self.kind == "stacks":
            for row in words_of("stacks"):
                yield Suggestion(_word(row), FUNCTION, row["signature"], row["about"], length)
            return
        yield from _functions("tags", length)

    def _locals(self, typed: str) -> Iterator[Suggestion]:
        written = self.authoring.written(self.file)
        for scope in structure_of(self.kind).scopes(self.cursor.path):
            spot = written.find(scope) if written is not None else None
            for child in spot.below() if spot is not None else ():
                yield Suggestion(str(child.path[-1]), NAME, child.detail, ".".join(map(str, scope)), len(typed))

    # Names of manifests

    def _named(self) -> Iterable[Suggestion] | None:
        path, length = self.cursor.path, len(self.cursor.word)
        for where, names in self._places().items():
            if re.fullmatch(where, "/".join(map(str, path))):
                return names(length)
        return None

    def _places(self) -> dict[str, Callable[[int], Iterable[Suggestion]]]:
        """What is named where, by the path of a manifest or of plait.yaml."""
        if self.kind == "settings":
            return {r"targets/\d+/(layers|stubs|template|document)(/\d+)?": self._files}
        if self.kind != "stacks":
            return {}
        type = str(self.cursor.path[1]) if len(self.cursor.path) > 1 else ""
        return {
            r"import/\d+(/path)?": self._imports,
            r"components/[^/]+/.+/metadata/component": lambda length: self._folders(type, length),
            r"components/[^/]+/.+/(metadata/inherits(/\d+)?|component|dependencies/components/\d+/\w+)": (
                lambda length: self._components(type, length)
            ),
            r".*/stack": self._stacks,
        }

    def _imports(self, length: int) -> Iterator[Suggestion]:
        stacks = self.authoring.stacks
        base = stacks.base if stacks is not None else self.authoring.folder
        for name in self.authoring.manifests():
            if name != self.file:
                yield Suggestion(os.path.relpath(name, base).partition(".")[0], FILE, length=length)

    def _components(self, type: str, length: int) -> Iterator[Suggestion]:
        for name in self.authoring.manifests():
            written = self.authoring.written(name)
            members = written.find(("components", type)) if written is not None else None
            for spot in members.below() if members is not None else ():
                found = structure_of("stacks").defines(spot.path)
                if found is not None and found[0] == COMPONENT:
                    yield Suggestion(found[1], NAME, os.path.relpath(name, self.authoring.folder), length=length)

    def _folders(self, type: str, length: int) -> Iterator[Suggestion]:
        stacks = self.authoring.stacks
        if stacks is not None:
            folder = stacks.code_folder(type)
            for name in self.authoring.project.listing(folder):
                yield Suggestion(name, FILE, length=length)

    def _stacks(self, length: int) -> Iterator[Suggestion]:
        stacks = self.authoring.stacks
        for name in stacks.names() if stacks is not None else ():
            yield Suggestion(name, NAME, length=length)

    def _files(self, length: int) -> Iterator[Suggestion]:
        """The files and folders of the folder that is typed already."""
        typed = self.cursor.before[len(self.cursor.before) - length :].rpartition("/")[0]
        folder = os.path.join(os.path.dirname(self.file), typed)
        for name in self.authoring.project.listing(folder):
            if os.path.join(folder, name) != self.file:
                yield Suggestion(os.path.join(typed, name), FILE, length=length)

    # Keys

    def _listed(self) -> Iterable[Suggestion] | None:
        """The values that the schema lists for a place."""
        values = [] if self.cursor.key else values_at(self.schema, self.cursor.path)
        return [Suggestion(value, VALUE, length=len(self.cursor.word)) for value in values] or None

    def _keys(self) -> Iterable[Suggestion] | None:
        if not self.cursor.key:
            return None
        length = len(self.cursor.word)
        controls = self._controls(length)
        suggestions = [*controls, *self._lower(length), *self._of_schema(length), *self._overridable(length)]
        for one in suggestions:
            one.label += ":" if one.kind == KEY else ""
        return suggestions

    def _controls(self, length: int) -> Iterator[Suggestion]:
        """The keys that decide what a map of a template becomes, where the beginning of one is typed."""
        for one in (
            _functions("dynaml", length, "<<") if self.kind == "template" and self.cursor.word[:1] == "<" else ()
        ):
            yield Suggestion(one.label, KEY, "", one.about, length)

    def _lower(self, length: int) -> Iterator[Suggestion]:
        """The keys that the result has here: what lower layers write. The value that is being typed hides it in the
        result, so the layers are asked as well."""
        spot = self._nearest(self.cursor.path)
        if spot is None:
            return
        below = self.cursor.path[len(spot.path) :]
        found = [(one, (*(one.path if one.path is not None else spot.path), *below)) for one in self._results(spot)]
        values = [node for one, path in found for node in _value(one.tree.value, path)]
        for node in (*values, *(node for one, path in found for node in _written_at(one, path))):
            if isinstance(node, MapNode):
                for key, child in node.entries.items():
                    yield Suggestion(key_text(key), KEY, _shown(child), "a lower layer has it", length)

    def _results(self, spot: WrittenSpot) -> Iterator[Result]:
        """The results in which what is written at a place may have a part; those that cannot be made are left out."""
        written = self.authoring.written(self.file)
        if written is None:
            return
        trail = SpotTrail(self.file, written, spot, self.authoring.path_of)
        for unit in self.authoring.units_of(self.file):
            with suppress(PlaitError):
                yield from unit.results(trail)

    def _nearest(self, path: Path) -> WrittenSpot | None:
        """The innermost thing on a path that is written."""
        written = self.authoring.written(self.file)
        document = written.document_at(self.cursor.offset) if written is not None else 0
        depths = range(len(path), -1, -1)
        found = (written.find(path[:depth], document) for depth in depths) if written is not None else ()
        return next((spot for spot in found if spot is not None), None)

    def _of_schema(self, length: int) -> Iterator[Suggestion]:
        for name, about in keys_at(self.schema, self.cursor.path):
            yield Suggestion(name, KEY, "", about, length)

    def _overridable(self, length: int) -> Iterator[Suggestion]:
        """The components that other manifests define, where the name of one is typed."""
        if self.kind == "stacks" and len(self.cursor.path) == 2 and self.cursor.path[0] == "components":
            for one in self._components(str(self.cursor.path[1]), length):
                yield Suggestion(one.label, KEY, one.detail, length=length)

    # Paths

    def _below(self, steps: Path, length: int) -> Iterator[Suggestion]:
        """The keys of the results at a path from their roots."""
        spot = self._nearest(self.cursor.path)
        for result in self._results(spot) if spot is not None else ():
            for node in _value(result.tree.value, steps):
                yield from _children(node, length)

    def _written_below(self, steps: Path, length: int) -> Iterator[Suggestion]:
        """The keys that the text itself has at a path from its root."""
        written = self.authoring.written(self.file)
        spot = written.find(steps) if written is not None else None
        for child in spot.below() if spot is not None else ():
            if isinstance(child.path[-1], str):
                yield Suggestion(child.path[-1], VALUE, child.detail, length=length)


ASKED_COMPONENT = r"""atmos\.Component\s+\\?["`]([^"`\s]*)\Z"""
ANSWER = r"""\(\s*atmos\.Component\s+\\?["`]([^"`]*)\\?["`]\s+\\?["`]([^"`]*)\\?["`]\s*\)[\w.]*\Z"""
"""A question about another component whose names are written out, and what is read of the answer."""
OUTPUTS = ("!terraform.output", "!terraform.state")
ASKED_STACK = (
    r"(?:^|\s)!terraform\.(?:output|state)\s+\S+\s+([^\s]*)\Z",
    r"""atmos\.Component\s+\\?["`][^"`]*["`]\s+\\?["`]([^"`\s]*)\Z""",
)
"""Where the name of a stack is typed."""


def _written_at(result: Result, path: Path) -> Iterator[Node]:
    """What is written for a path of a result, also where something else is in the result."""
    with suppress(PlaitError):
        account = result.account
        for depth, step in enumerate(path):
            lower = account.step(step) if not account.gone else None
            if lower is None:
                nodes = (find(part.node, path[depth:]) for part in account.everything_written())
                yield from (node for node in nodes if node is not None)
                return
            account = lower
        yield from (part.node for part in account.everything_written())


def find(node: Node, path: Path) -> Node | None:
    """What a map has at a path of keys; None where it has nothing there."""
    for step in path:
        found = node.entries.get(step) if isinstance(node, MapNode) and isinstance(step, str) else None
        if found is None:
            return None
        node = found
    return node


def _value(ask: Callable[[Path], Node], path: Path) -> Iterator[Node]:
    try:
        yield ask(path)
    except (PlaitError, NotThere):
        return


def _children(node: Node, length: int) -> Iterator[Suggestion]:
    for key, child in node.entries.items() if isinstance(node, MapNode) else ():
        yield Suggestion(key_text(key), VALUE, _shown(child), length=length)


def _shown(node: Node) -> str:
    if isinstance(node, Scalar):
        return "<sensitive>" if node.secret else node.text.partition("\n")[0][:40]
    return node.kind if isinstance(node, Known) else ""


def _tail(pattern: str, text: str) -> str:
    found = re.search(pattern + r"\Z", text)
    return found[0] if found is not None else ""


def _word(row: dict[str, str]) -> str:
    return re.split(r"[ (]", row["signature"], maxsplit=1)[0]


def _functions(notation: str, length: int, beginning: str = "") -> Iterator[Suggestion]:
    """The functions of a notation, or its words that begin with a sign."""
    for row in words_of(notation):
        name = _word(row)
        if name.startswith(beginning) if beginning else name[:1] not in SIGNS:
            yield Suggestion(name, FUNCTION, row["signature"], f"{row['about']}\n\n{row['example']}", length)


SIGNS = ("&", "<")
"""How words of dynaml begin that are no functions."""


def function_help(name: str, kind: str) -> tuple[str, str, str] | None:
    """The signature, the meaning and an example of a function, mark or control key that a text of some kind has."""
    for notation in (*(("stacks",) if kind == "stacks" else ()), "tags", "gotemplate", "dynaml"):
        for row in words_of(notation):
            if _word(row) == name:
                return row["signature"], row["about"], row["example"]
    return None
