"""Templates that call each other by name, as all files of a chart do.

A set is made of texts, in an order: where two define the same name, the later one is meant, unless it is blank. Each
template keeps its own text, so that errors name the file they are in.
"""

from __future__ import annotations

from plait.notations.gotemplate.compile import CompiledTemplate
from plait.notations.gotemplate.errors import BudgetError, CallError, TemplateFault
from plait.notations.gotemplate.execute import DEPTH, LineMap, Output, RenderState, TracedOutput, run
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.template import Rendered, make
from plait.notations.gotemplate.tree import PlainText
from plait.notations.gotemplate.values import MISSING, Reader
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from plait.core.meter import Meter
    from plait.notations.gotemplate.compile import CompiledBlock
    from plait.notations.gotemplate.function import Table
    from plait.notations.gotemplate.host import Host
    from plait.notations.gotemplate.template import Template
    from plait.notations.gotemplate.tree import Block

INCLUDED = 16
"""Steps for beginning with a template that is included."""


class TemplateSet:
    """Templates by name, and the names that each of them defines."""

    __slots__ = ("_owners", "members", "table")

    def __init__(self, table: Table, below: TemplateSet | None = None) -> None:
        """`below` has the templates that this set begins with."""
        self.table = table
        self.members: dict[str, SetMember] = dict(below.members) if below is not None else {}
        """The texts by name."""
        self._owners: dict[str, SetMember] = dict(below._owners) if below is not None else {}

    def add(self, template: Template) -> SetMember:
        """One more text. What it defines replaces what is there under the same name, unless it is blank."""
        member = SetMember(template, self)
        self.members[template.name] = self._owners[template.name] = member
        for name, block in template.tree.defined.items():
            if name not in self._owners or not _is_blank(block):
                self._owners[name] = member
        return member

    def owner(self, name: str) -> SetMember | None:
        """The text that defines a name."""
        return self._owners.get(name)

    @property
    def defined(self) -> Iterable[str]:
        return self._owners


def _is_blank(block: Block) -> bool:
    return all(isinstance(node, PlainText) and not node.text.strip() for node in block.nodes)


class SetMember:
    """A template of a set: it finds the names of the whole set."""

    __slots__ = ("called_from", "made_of", "name", "set", "template", "text")

    def __init__(self, template: CompiledTemplate, of: TemplateSet) -> None:
        self.called_from: Any = None
        """Of a text of the data: the place of the template that renders it."""
        self.made_of: Iterable[Any] = ()
        """Of a text of the data: what it was made from."""
        self.template = template
        self.name = template.name
        self.text = template.text
        self.set = of

    @property
    def table(self) -> Table:
        return self.template.table

    @property
    def defined(self) -> Iterable[str]:
        """The names that can be called."""
        return self.set.defined

    def owner(self, name: str) -> SetMember:
        """The text that defines a name; this one where none does."""
        return self.set.owner(name) or self

    def block(self, name: str) -> CompiledBlock | None:
        """A template of the set by its name."""
        owner = self.set.owner(name)
        return owner.template.block(name) if owner is not None else None

    def render(self, root: Any, host: Host, meter: Meter, reader: Reader, missing: str = "zero") -> Rendered:
        """The text that this template makes of its data, with the line that wrote each of its lines. Maps in the data
        may be changed by it."""
        output = TracedOutput(meter.budgets.size, self.text)
        state = RenderState(self, missing, host, meter, reader, output, DEPTH)
        try:
            run(state, self.template.main, root)
        except RecursionError:
            raise BudgetError("the expressions nest too deeply", self.text, 0, name=self.name) from None
        return Rendered(output.text(), LineMap(output))


SETS = FunctionGroup("sets", "Templates of a chart")


@SETS.function(
    "include", "func(string, interface {}) (string, error)", "What a template of the chart makes, as a value.",
    "", "", lazy=True, context=True,
)  # fmt: skip
def include(frame: Any, name: str, data: Any) -> str:
    program = frame.state.program
    block = program.block(name)
    if block is None:
        wrong = CallError(f'template: no template "{name}" associated with template "gotpl"')
        wrong.hint = did_you_mean(name, program.defined)
        raise wrong
    return _made(frame, program.owner(name), block, data)


@SETS.function(
    "tpl", "func(string, interface {}) (interface {}, error)", "A text rendered as a template of the chart.",
    "", "", lazy=True, context=True,
)  # fmt: skip
def tpl(frame: Any, text: str, data: Any) -> str:
    if "{{" not in text:
        return text
    program = frame.state.program
    frame.meter.step(len(text))
    try:
        template = make(text, program.table, program.name)
    except TemplateFault as error:
        raise CallError(f"cannot parse template {text!r}: {error.message}") from None
    return _made(frame, joined(template, program.set), template.main, data).replace("<no value>", "")


def joined(template: Template, of: TemplateSet) -> SetMember:
    """A template that sees a set, and of which the set sees nothing."""
    return SetMember(template, of) if not template.tree.defined else TemplateSet(of.table, of).add(template)


def _made(frame: Any, program: SetMember, block: CompiledBlock, data: Any) -> str:
    """What a block makes of some data, as a text of its own."""
    outer = frame.state
    outer.meter.step(INCLUDED)
    output = Output(outer.meter.budgets.size)
    run(outer.apart(program, output), block, MISSING if data is None else data)
    return output.text()
