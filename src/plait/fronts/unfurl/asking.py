"""Asking a document: an expression, at a path, with variables, in one of the three ways."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Key, MapNode, Node, Scalar, Suspension
from plait.core.node import text as scalar
from plait.core.path import Path, PathError, format_path, parse_path
from plait.core.source import Computed, Source
from plait.core.unknown import fault_of
from plait.evaluate.nowhere import NotThere
from plait.fronts.unfurl.expressions import Expressions
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.language import QueryExpression
from plait.report.catalog import BAD_OPTION, UNKNOWN_PATH
from plait.report.foreign import rewritten
from plait.report.near import did_you_mean
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

OF_ALL = "--mode list gives all matches, also if there are none"


def ask(document: DirectiveDocument, expression: str, at: Path, mode: str, variables: tuple[str, ...]) -> Node:
    """The finished answer."""
    expressions = document.notations
    assert expressions is not None
    try:
        _, place = document.tree.find(at)
    except NotThere as nowhere:
        trouble = nowhere.labelled().diagnostics[0]
        raise UNKNOWN_PATH.error(path=format_path(at), hint=trouble.hint) from None
    question = read_expression(expression, expressions)
    given = _variables(variables, expressions)
    asked = QueryExpression(question, expressions.tree, place, mode, expressions.settings, given)
    answer = document.evaluator.answer(Suspension(asked, question.source, 0), place)
    value, failures = document.evaluator.finish(answer, place)
    if failures:
        raise fault_of(failures)
    if mode == "one" and _is_missing(value, question):
        raise UNKNOWN_PATH.error(path=expression, asked="", hint=_near(document, at, expression))
    return value


def _is_missing(value: Node, question: Node) -> bool:
    """Whether a path expression matched nothing: its answer is null, and no document says so."""
    if not isinstance(question, Scalar) or question.text.lstrip().startswith("{"):
        return False
    is_null = isinstance(value, Scalar) and value.value is None
    return is_null and isinstance(value.source, Computed) and value.source.source is question.source


def _near(document: DirectiveDocument, at: Path, expression: str) -> str:
    """The expression for a path of plait or of another tool; the last key as it was meant; else how to ask for all
    matches."""
    meant = _as_expression(document, expression)
    if meant:
        return f"write it as `{meant}`"
    *above, last = expression.removeprefix("::").split("::")
    try:
        holder = document.tree.find((*(() if expression.startswith("::") else at), *above))[0]
    except NotThere:
        return OF_ALL
    names = holder.entries if isinstance(holder, MapNode) else ()
    return did_you_mean(last, names) or OF_ALL


def _as_expression(document: DirectiveDocument, text: str) -> str:
    """A path that is written as in plait or in another tool and leads somewhere, as an expression; else empty."""
    try:
        steps = parse_path(rewritten(text) or text) if "::" not in text else ()
        document.tree.find(steps)
    except (PathError, NotThere):
        return ""
    return "::".join(map(str, steps))


def read_expression(text: str, expressions: Expressions) -> Node:
    """What the user typed: a path expression, or a map with `eval` or a call in YAML."""
    source = Source("the expression", text, given=True)
    if text.lstrip()[:1] in ("{", "[") and not text.lstrip().startswith(("{{", "{%")) and not _is_filter(text):
        markers, marked = expressions.marked(None)
        reading = Reading(markers=markers, marked=marked, closed=lambda node: expressions.closed(node, None))
        programs = scan(source)
        return build(programs[0], source, reading)
    return scalar(text, source)


def _is_filter(text: str) -> bool:
    """Whether a text that begins with a bracket is a path expression (`[a=1]::b`) and no YAML list."""
    return text.lstrip().startswith("[") and ("::" in text or "=" in text or "," not in text)


def _variables(flags: tuple[str, ...], expressions: Expressions) -> MapNode:
    entries: dict[Key, Node] = {}
    for flag in flags:
        name, equals, value = flag.partition("=")
        source = Source(f"--var {flag}", value, given=True)
        if not equals or not name:
            raise BAD_OPTION.error(Label.at(source, 0), why=f"`--var {flag}` has no `=`", hint="write --var NAME=VALUE")
        programs = scan(source)
        reading = Reading(closed=lambda node: expressions.closed(node, None))
        entries[name] = (
            build(programs[0], source, reading) if programs else build(scan(Source("", "''"))[0], source, reading)
        )
    return MapNode(entries, live=any(node.live for node in entries.values()))
