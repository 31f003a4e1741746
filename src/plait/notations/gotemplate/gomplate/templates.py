"""`tmpl`: templates rendered inside a template."""

from __future__ import annotations

from plait.notations.gotemplate.errors import CallError, TemplateFault
from plait.notations.gotemplate.execute import Output, run
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.template import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEMPLATES = FunctionGroup("gomplate templates", "gomplate: tmpl")
function = TEMPLATES.function
NESTED = 20
"""How deep templates may render others through `tmpl`: unlike `template`, that takes some of Python's stack."""


def _rendered(frame: Any, program: Any, block: Any, context: Any) -> str:
    """What a block makes, as text."""
    outer = frame.state
    if outer.inner >= NESTED:
        raise CallError(f"templates call each other through `tmpl` more than {NESTED} deep")
    output = Output(outer.meter.budgets.size)
    run(outer.apart(program, output), block, context)
    return output.text()


@function("tmpl.Exec", "func(string, ...interface {}) (string, error)", "What a template that is defined here makes.",
          '{{ define "t" }}<{{ . }}>{{ end }}{{ tmpl.Exec "t" "x" | upper }}', "<X>", context=True)  # fmt: skip
def tmpl_exec(frame: Any, name: str, *context: Any) -> str:
    program = frame.state.program
    block = program.block(name)
    if block is None:
        raise CallError(f'template "{name}" not defined')
    return _rendered(frame, program, block, context[0] if context else frame.root)


@function("tmpl.Inline tpl", "func(...interface {}) (string, error)",
          "A string rendered as a template: [NAME] TEXT [CONTEXT].",
          '{{ tmpl.Inline "<{{ .a }}>" (dict "a" 1) }}', "<1>", context=True)  # fmt: skip
def tmpl_inline(frame: Any, *words: Any) -> str:
    texts = [word for word in words[:2] if word.__class__ is str]
    if not texts or words[0].__class__ is not str or len(words) > len(texts) + 1:
        raise CallError("expected [NAME] TEXT [CONTEXT]")
    context = words[-1] if len(words) > len(texts) else frame.root
    frame.meter.step(len(texts[-1]))
    try:
        program = make(texts[-1], frame.state.program.table, texts[0] if len(texts) > 1 else "inline")
    except TemplateFault as error:
        raise CallError(error.message) from None
    return _rendered(frame, program, program.main, context)
