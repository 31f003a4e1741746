"""ComposeVariables of Compose files: `${NAME:-default}` and its relatives, and the files that give them values."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Node, Scalar, rewrite
from plait.fronts.compose.nodes import like
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import PlaitError
    from plait.core.source import Source
    from plait.fronts.project import Project

ENV = ".env"
"""The file of variables beside a Compose file."""
OPERATORS = (":-", ":?", ":+", "-", "?", "+")


class ComposeVariables:
    """The variables that a project may use: those of the environment that files may read, and below them those of env
    files."""

    def __init__(self, project: Project, values: dict[str, str] | None = None, outside: bool = True) -> None:
        self.project = project
        self.values = values or {}
        self.outside = outside and not project.guard.hermetic

    def find(self, name: str, asker: Node) -> tuple[str | None, bool]:
        """A value, and whether it is masked where the values of this run go; None where there is none."""
        if self.outside:
            permit = self.project.door.permit("env", asker)
            self.project.trace.variable(name)
            value = permit.variable(name)
            if value is not None:
                return value, permit.conceals
        return self.values.get(name), False

    def with_files(self, files: Iterable[str]) -> ComposeVariables:
        """The same with the variables of env files, of which the last is the strongest."""
        made = ComposeVariables(self.project, dict(self.values), self.outside)
        for file in files:
            if self.project.door.is_file(file):
                made.values.update(env_values(self.project.source(file), made))
        return made


def interpolated(node: Node, variables: ComposeVariables) -> Node:
    """A tree with the values of variables in its texts."""

    def leaf(one: Node) -> Node:
        if not isinstance(one, Scalar) or not isinstance(one.value, str) or "$" not in one.value:
            return one
        filled = _Filled(one, variables)
        made = like(one, filled.text(one.value))
        made.secret = made.secret or filled.concealed
        return made

    return rewrite(node, leaf)


class _Filled:
    """Fills the variables of one text."""

    def __init__(self, node: Node, variables: ComposeVariables) -> None:
        self.node = node
        self.variables = variables
        self.concealed = False
        """Whether something of it is masked where the values of this run go."""

    def lookup(self, name: str) -> str | None:
        value, concealed = self.variables.find(name, self.node)
        self.concealed = self.concealed or concealed
        return value

    def text(self, template: str) -> str:
        out: list[str] = []
        at = 0
        while at < len(template):
            dollar = template.find("$", at)
            if dollar < 0:
                out.append(template[at:])
                break
            out.append(template[at:dollar])
            piece, at = self._piece(template, dollar + 1)
            out.append(piece)
        return "".join(out)

    def _piece(self, template: str, at: int) -> tuple[str, int]:
        """What is written after a dollar sign, and where the text goes on."""
        if template[at : at + 1] == "$":
            return "$", at + 1
        if template[at : at + 1] == "{":
            end = _closing(template, at)
            if end < 0:
                raise self.wrong(f"`{template}` has a `${{` that is not closed")
            return self._braced(template[at + 1 : end]), end + 1
        name = _name(template[at:])
        return (self.lookup(name) or "") if name else "$", at + len(name)

    def _braced(self, inner: str) -> str:
        name = _name(inner)
        rest = inner[len(name) :]
        operator = next((one for one in OPERATORS if rest.startswith(one)), "")
        if not name or (rest and not operator):
            raise self.wrong(f"`${{{inner}}}` is not understood")
        value, word = self.lookup(name), rest[len(operator) :]
        is_set = value is not None and (bool(value) or not operator.startswith(":"))
        kind = operator[-1:]
        if kind == "+":
            return self.text(word) if is_set else ""
        if is_set or not kind:
            return value or ""
        if kind == "?":
            raise self.wrong(f"the variable `{name}` must be set: {self.text(word) or 'no value'}")
        return self.text(word)

    def wrong(self, why: str) -> PlaitError:
        hint = "set it in .env, with --env-file, or in the environment"
        return COMPOSE.error(Label(self.node.origin), why=why, hint=hint if "must be set" in why else "")


def _name(text: str) -> str:
    """The name of a variable at the beginning of a text."""
    end = 0
    while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end] if not text[:1].isdigit() else ""


def _closing(template: str, at: int) -> int:
    """Where the brace at a place is closed; -1 where it is not."""
    depth = 0
    for place in range(at, len(template)):
        if template[place] == "{" and template[place - 1] == "$":
            depth += 1
        elif template[place] == "}":
            depth -= 1
            if not depth:
                return place
    return -1


def env_values(source: Source, variables: ComposeVariables, raw: bool = False) -> dict[str, str]:
    """The variables of an env file; its lines may use those above them. A name without a value is taken from outside
    where that has one. Values of a `raw` file are as they are written."""
    known = ComposeVariables(variables.project, dict(variables.values), variables.outside)
    found: dict[str, str] = {}
    filled = _Filled(Scalar(source.text, source.text, source, 0), known)
    for name, words in _lines(source.text):
        value = filled.lookup(name) if words is None else words if raw else _value(words, filled)
        if value is not None:
            found[name] = known.values[name] = value
    return found


def _value(raw: str, filled: _Filled) -> str:
    if raw[:1] == "'":
        return _quoted(raw, "'")
    if raw[:1] == '"':
        return filled.text(_quoted(raw, '"').replace("\\n", "\n").replace('\\"', '"'))
    return filled.text(raw.split(" #", 1)[0].strip())


def _lines(text: str) -> Iterator[tuple[str, str | None]]:
    for line in text.splitlines():
        words = line.strip().removeprefix("export ").strip()
        if not words or words.startswith("#"):
            continue
        ends = [at for at in (words.find("="), words.find(":")) if at > 0]
        at = min(ends, default=len(words))
        yield words[:at].strip(), words[at + 1 :].strip() if ends else None


def _quoted(raw: str, quote: str) -> str:
    end = raw.find(quote, 1)
    return raw[1:end] if end > 0 else raw[1:]
