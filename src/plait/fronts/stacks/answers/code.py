"""The values of a component beside what its Terraform code declares: variables that do not exist, that are set nowhere
or have another type, and outputs that do not exist.

Nothing is evaluated: a value that a function or a template computes is not checked.
"""

from __future__ import annotations

import os
import re
from functools import partial

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.node import ListNode, MapNode, Node, Scalar, hidden
from plait.core.plain import from_plain
from plait.core.source import MASK
from plait.fronts.stacks.answers.schema import kind_of
from plait.fronts.stacks.config.config_functions import decoded
from plait.fronts.stacks.language.manifest_functions import output_calls
from plait.notations.terraform import declarations
from plait.report.catalog import NO_OUTPUT, UNDECLARED_VARIABLE, UNSET_VARIABLE, VARIABLE_TYPE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.path import Path
    from plait.core.source import Source
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.session.arguments import Arguments
    from plait.notations.terraform import Declared

OF_ENV = "TF_VAR_"
GIVEN = re.compile(r"^\s*([A-Za-z_]\w*)\s*=", re.MULTILINE)
FIRST = re.compile(r"\s*\.?([A-Za-z_][\w-]*)")


class DeclaredCode:
    """What the files of one component declare."""

    def __init__(self, repository: Repository, project: Project, folder: str) -> None:
        self.variables, self.outputs = dict[str, Found](), dict[str, Found]()
        self.given: set[str] = set()
        """Variables that files beside the code set."""
        self.whole = True
        """Whether all of the code can be read."""
        for name in project.door.names(folder) if project.door.is_folder(folder) else ():
            path = os.path.join(folder, name)
            if name.endswith(".tf"):
                self._read(project.source(path, repository.session.shown(path)))
            elif name == "terraform.tfvars" or name.endswith(".auto.tfvars"):
                self.given.update(GIVEN.findall(project.source(path, repository.session.shown(path)).text))
            elif name.endswith((".tf.json", ".tfvars.json", ".tofu")):
                self.whole = False

    def _read(self, source: Source) -> None:
        for one in declarations(source.text):
            table = self.variables if one.kind == "variable" else self.outputs
            table[one.name] = (one, Label.at(source, one.at, f"the {one.kind} is declared here"))


Found = tuple["Declared", Label]


class CodeChecks:
    """Compares components with their code; the code of a folder is read once. `texts` has the code, where it is not the
    project of the components."""

    def __init__(self, repository: Repository, texts: Project | None = None) -> None:
        self._repository = repository
        self._project = texts or repository.session.project
        self._codes: dict[str, DeclaredCode] = {}
        self._memory = texts.part() if texts is not None else repository.session.memory

    def code_of(self, component: Component) -> DeclaredCode | None:
        """What the code of a component declares; None where it is not here, or is no Terraform."""
        if component.type != "terraform":
            return None
        folder = component.path
        if folder not in self._codes:
            work = partial(DeclaredCode, self._repository, self._project, folder)
            try:
                self._codes[folder] = self._memory.recall(("code", folder), work)
            except Fault:
                return None
        code = self._codes[folder]
        return code if code.variables or code.outputs else None

    def about(self, component: Component, path: Path) -> str:
        """What the code says about the variable that a value of `vars` sets; empty where it says nothing."""
        code = self.code_of(component) if len(path) == 2 and path[0] == "vars" else None
        found = code.variables.get(str(path[1])) if code is not None else None
        if found is None:
            return ""
        declared, label = found
        default = MASK if declared.sensitive else declared.attributes.get("default", "")
        facts = [declared.type or "any type", f"default {default}" if default else "no default"]
        head = f"variable {declared.name} ({', '.join(facts)}), {label.origin.file}:{label.origin.line}"
        return f"{head}: {declared.description}" if declared.description else head

    def defaults(self, component: Component) -> Iterator[tuple[Path, Node]]:
        """The defaults of the variables that nothing sets for a component. What is no JSON is the text of Terraform."""
        code = self.code_of(component)
        if code is None or not code.whole:
            return
        given = code.given | _set_by_env(component) | set(_keys(component.root.entries.get("vars")))
        for name, (declared, label) in code.variables.items():
            if not declared.required and name not in given:
                source = label.origin.source
                at = declared.places.get("default", declared.at)
                value = from_plain(decoded(declared.attributes["default"]), source, at)
                yield ("vars", name), hidden(value) if declared.sensitive else value

    def check(self, component: Component) -> Iterator[Diagnostic]:
        """Every finding about a component that is deployed."""
        code = self.code_of(component)
        if code is not None and code.whole:
            yield from self._variables(component, code)
        for call in output_calls(component.root):
            if not component.shared.language.has_template(call.rest):
                yield from self._output(component, call.function.read(call.rest), call.node)

    def _variables(self, component: Component, code: DeclaredCode) -> Iterator[Diagnostic]:
        node = component.root.entries.get("vars")
        if not isinstance(node, MapNode):
            return
        name, stack = component.name, component.stack
        own = {str(key) for _, part in component.layers.written.get("vars", ()) for key in _keys(part)}
        for key, value in node.entries.items():
            found = code.variables.get(str(key))
            if found is None:
                if str(key) in own and code.variables:
                    label = Label(node.key_origin(key), length=len(str(key)))
                    yield UNDECLARED_VARIABLE(
                        label, name=str(key), component=name, stack=stack, hint=did_you_mean(str(key), code.variables)
                    )
                continue
            why = mismatch(found[0].type, value)
            if why:
                yield VARIABLE_TYPE(Label(value.origin), found[1], name=str(key), component=name, stack=stack, why=why)
        given = code.given | _set_by_env(component)
        for variable, (declared, label) in code.variables.items():
            if declared.required and variable not in node.entries and variable not in given:
                yield UNSET_VARIABLE(
                    Label(component.layers.own.origin), label, name=variable, component=name, stack=stack
                )

    def _output(self, component: Component, words: Arguments, node: Node) -> Iterator[Diagnostic]:
        """An output that a function reads and the code of the other component does not have."""
        first = FIRST.match(words.expression or "")
        if first is None or "//" in words.expression:
            return
        try:
            name, stack = words.component or component.name, words.stack or component.stack
            other = self._repository.component(name, stack)
        except Fault:
            return
        code = self.code_of(other)
        if code is not None and code.whole and first[1] not in code.outputs:
            yield NO_OUTPUT(
                Label(node.origin), name=first[1], component=other.name, hint=did_you_mean(first[1], code.outputs)
            )


def _set_by_env(component: Component) -> set[str]:
    """The variables that `env` sets: `TF_VAR_name`."""
    return {key.removeprefix(OF_ENV) for key in _keys(component.root.entries.get("env")) if key.startswith(OF_ENV)}


def _keys(node: Node | None) -> list[str]:
    return [str(key) for key in node.entries] if isinstance(node, MapNode) else []


def mismatch(type: str, node: Node) -> str:
    """Why a value does not fit a type of Terraform; empty where it does, or nobody knows."""
    if not isinstance(node, MapNode | ListNode | Scalar) or (isinstance(node, Scalar) and node.value is None):
        return ""
    outer, _, inner = type.partition("(")
    fits = FITS.get(outer)
    if fits is not None and not fits(node):
        return f"the variable is {type}, the value is {kind_of(node)}"
    if inner and outer in ("list", "set", "map") and not inner.startswith(("object", "tuple")):
        held = node.entries.values() if isinstance(node, MapNode) else ()
        items = node.items if isinstance(node, ListNode) else list(held)
        wrong = next((item for item in items if mismatch(inner[:-1], item)), None)
        return f"the variable is {type}, an item is {kind_of(wrong)}" if wrong is not None else ""
    return ""


def _number(node: Node) -> bool:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, str):
        return re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


FITS: dict[str, Callable[[Node], bool]] = {
    "string": lambda node: isinstance(node, Scalar),
    "number": _number,
    "bool": lambda node: isinstance(node, Scalar) and (isinstance(node.value, bool) or node.value in ("true", "false")),
    "list": lambda node: isinstance(node, ListNode),
    "set": lambda node: isinstance(node, ListNode),
    "tuple": lambda node: isinstance(node, ListNode),
    "map": lambda node: isinstance(node, MapNode),
    "object": lambda node: isinstance(node, MapNode),
}
"""By the word of a type, whether a value can be converted to it."""
