"""ComposeVariables of Compose files: `${NAME:-default}` and its relatives, and the files that give them values."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import MapNode, Node, Scalar, children, key_text, mask_of, rewrite, secrecy_of
from plait.fronts.compose.envfile import raw_rows, rows
from plait.fronts.compose.nodes import like
from plait.fronts.identities import A_KEY, visible
from plait.report.catalog import COMPOSE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.diagnostic import PlaitError
    from plait.core.source import Source
    from plait.fronts.project import Project

ENV = ".env"
"""The file of variables beside a Compose file."""
NESTED = 50
"""How deep defaults of variables may be in each other."""
OPERATORS = (":-", ":?", ":+", "-", "?", "+")


class ComposeVariables:
    """The variables that a project may use: those of the environment that files may read, and below them those of env
    files."""

    def __init__(self, project: Project, values: dict[str, Scalar] | None = None) -> None:
        self.project = project
        self.values = values or {}
        """Those of env files, with their lines; one is secret where it is masked where the values of this run go."""
        self.own: dict[str, Scalar] = {}
        """What Compose itself says, stronger than all others, of all projects that belong together."""
        self.masked: set[str] = set()
        """The values of the environment that are masked, of all projects that belong together."""

    def fresh(self, values: dict[str, Scalar] | None = None) -> ComposeVariables:
        """Variables of a project that belongs to this one."""
        made = ComposeVariables(self.project, values)
        made.masked, made.own = self.masked, self.own
        return made

    def copy(self) -> ComposeVariables:
        return self.fresh({**self.values})

    def below(self, other: ComposeVariables) -> ComposeVariables:
        """These, and above them those of another project."""
        return self.fresh({**self.values, **other.values})

    def find(self, name: str, asker: Node) -> tuple[str | None, bool | str]:
        """A value, and what `Scalar.secret` is of it; None where there is none."""
        if not self.project.guard.hermetic and name not in self.own:
            permit = self.project.door.permit("env", asker)
            self.project.trace.variable(name)
            value = permit.variable(name)
            if value is not None:
                self.masked |= {value} if permit.conceals and value else set()
                return value, permit.conceals
        found = self.own.get(name) or self.values.get(name)
        return (None, False) if found is None else (found.text, found.secret)

    def with_files(self, files: Iterable[str], only: str = "") -> ComposeVariables:
        """The same with the variables of env files, of which the last is the strongest. `only`: how the names begin
        that are asked for; what is wrong with others counts for nothing."""
        made = self.copy()
        for file in files:
            made.values.update(env_values(self.project.source(file), made, only=only))
        return made


def interpolated(node: Node, variables: ComposeVariables) -> Node:
    """A tree with the values of variables in its texts."""

    def leaf(one: Node) -> Node:
        if not isinstance(one, Scalar) or not isinstance(one.value, str) or "$" not in one.value:
            return one
        filled = _Filled(one, variables)
        made = like(one, filled.whole(one.value))
        made.secret = mask_of(made.secret, filled.concealed)
        return made

    return rewrite(node, leaf)


def check_keys(root: Node, masked: set[str]) -> None:
    """That no key is made of a value that is masked: an item as `${NAME}=x` becomes a key."""
    nodes = [root] if masked else []
    for node in nodes:
        nodes += [child for _, child in children(node)]
        if isinstance(node, MapNode):
            for key, child in node.entries.items():
                if any(value in key_text(key) for value in masked):
                    raise visible(Label(child.origin), A_KEY)


class _Filled:
    """Fills the variables of one text."""

    def __init__(self, node: Node, variables: ComposeVariables) -> None:
        self.node = node
        self.variables = variables
        self.concealed: bool | str = False
        """What `Scalar.secret` is of the text."""

    def lookup(self, name: str) -> str | None:
        value, concealed = self.variables.find(name, self.node)
        self.concealed = mask_of(self.concealed, concealed)
        if value is not None:
            self.variables.project.meter.make(len(value), Label(self.node.origin))
        return value

    def whole(self, template: str) -> str:
        """A text with its variables filled in."""
        if template.count("${") > NESTED and _depth(template) > NESTED:
            raise self.wrong(f"variables are nested more than {NESTED} deep")
        return self.text(template)

    def text(self, template: str) -> str:
        self.variables.project.meter.step(len(template))
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
        if is_set != (kind == "+"):  # the word is not needed; Compose refuses it even so where it makes no sense
            _Checked(self.node, self.variables).text(word)
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


class _Checked(_Filled):
    """Looks at a text whose variables are not needed, as if each of them were set."""

    def lookup(self, name: str) -> str:
        return "set"


def _name(text: str) -> str:
    """The name of a variable at the beginning of a text."""
    end = 0
    while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end] if not text[:1].isdigit() else ""


def _depth(template: str) -> int:
    """How deep braces are nested."""
    depth = deepest = 0
    for letter in template:
        depth += (letter == "{") - (letter == "}")
        deepest = max(deepest, depth)
    return deepest


def _closing(template: str, at: int) -> int:
    """Where the brace at a place is closed; -1 where it is not. As in Compose, each brace of the line counts, but not
    one right after another; where they do not match, the last one of the line closes it."""
    line = template.find("\n", at)
    last = template.rfind("}", at, line if line >= 0 else len(template))
    depth, place = 0, at
    while place <= last:
        if template[place] == "}":
            depth -= 1
            if not depth:
                return place
        elif template[place] == "{":
            depth += 1
            place += 1
        place += 1
    return last


def env_values(
    source: Source, variables: ComposeVariables, raw: bool = False, only: str = ""
) -> Iterator[tuple[str, Scalar]]:
    """The variables of an env file; its lines may use those above them. A name without a value is taken from outside
    where that has one. Values of a `raw` file are as they are written."""
    known = variables.copy()
    for name, words, fills, at in raw_rows(source) if raw else rows(source):
        try:
            text = name if words is None else words
            place = Scalar(text, text, source, at, None, secrecy_of(source))
            value = _env_value(place, words is None, fills, known)
        except Fault:
            if name.startswith(only):
                raise
            continue
        if value is not None:
            known.values[name] = value
            yield name, value


def _env_value(node: Scalar, is_name: bool, fills: bool, known: ComposeVariables) -> Scalar | None:
    filled = _Filled(node, known)
    value = filled.lookup(node.text) if is_name else filled.whole(node.text) if fills else node.text
    secret = mask_of(filled.concealed, node.secret)
    return None if value is None else Scalar(value, value, node.source, node.at, None, secret)
