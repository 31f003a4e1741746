"""Go templates with Sprig, on their own.

    from plait.gotemplate import parse

    parse("{{ .name | upper | quote }}").render({"name": "web"})     # '"WEB"'

`parse` refuses what Go refuses; `field_refs` and `has_actions` look at a text without knowing any function.
"""

from __future__ import annotations

from plait.notations.gotemplate.errors import BudgetError, ExecError, ParseError, TemplateError
from plait.notations.gotemplate.execute import Budget
from plait.notations.gotemplate.function import Function, Table
from plait.notations.gotemplate.host import Host
from plait.notations.gotemplate.public import field_refs, has_actions, parse
from plait.notations.gotemplate.tables import builtins, sprig
from plait.notations.gotemplate.template import Rendered, Template, single_reference

__all__ = [
    "Budget",
    "BudgetError",
    "ExecError",
    "Function",
    "Host",
    "ParseError",
    "Rendered",
    "Table",
    "Template",
    "TemplateError",
    "builtins",
    "field_refs",
    "has_actions",
    "parse",
    "single_reference",
    "sprig",
]
