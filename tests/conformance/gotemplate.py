"""Go templates: output, kind of error, printed tree and references against what Go says."""

from __future__ import annotations

import re
from typing import Any

from plait.gotemplate import Host, ParseError, TemplateError, builtins, field_refs, parse, sprig
from plait.notations.gotemplate.lex import Lexer
from plait.notations.gotemplate.parse import parse as parse_tree

Case = dict[str, Any]
EVERYTHING = frozenset(("env", "random", "network", "files"))


def _table(case: Case) -> Any:
    return sprig() if case.get("sprig") else builtins()


def _delimiters(case: Case) -> tuple[str, str] | None:
    return tuple(case["delims"]) if case.get("delims") else None  # type: ignore[return-value]


def _rendered(case: Case) -> str | TemplateError:
    try:
        template = parse(case["template"], functions=_table(case), name="tpl", delimiters=_delimiters(case))
        output = template.render(case.get("data"), missing=case.get("missingkey") or "default", host=Host(EVERYTHING))
    except TemplateError as trouble:
        return trouble
    return output.encode("utf-8", "surrogateescape").decode("utf-8", "replace")  # cases are JSON, which is UTF-8


GO_ERROR = re.compile(r'template: [^:]*:(\d+)(?::\d+)?: (?:executing "(?:[^"\\]|\\.)*" at <.*?>: )?(.*)', re.DOTALL)
"""The line and the text of an error as Go prints it."""


def same_error(found: TemplateError, expected: Case) -> None:
    """The text of an error, whole, and its line. Go also prints the expression, which our reports show in the text."""
    match = GO_ERROR.fullmatch(expected["message"])
    assert match, expected["message"]
    # the expression may itself contain `>: `, so the text is also compared with the end of Go's message
    whole = found.message == match[2] or expected["message"].endswith(f">: {found.message}")
    assert whole, f"expected the error {match[2]!r}, got {found.message!r}"
    assert found.line == int(match[1]), f"expected line {match[1]}, got {found.line}: {found}"


def check_exec(case: Case, folder: str) -> None:
    found, expected = _rendered(case), case.get("error")
    if expected is None:
        assert found == case["output"], f"expected {case['output']!r}, got {found!s}"
    else:
        assert isinstance(found, TemplateError), f"expected an error ({expected['message']}), got {found!r}"
        assert found.kind == expected["kind"], f"expected a {expected['kind']} error, got {found.kind}: {found}"
        same_error(found, expected)


def _printed(case: Case) -> str | ParseError:
    try:
        lexer = Lexer(*(_delimiters(case) or ("", "")))
        return str(parse_tree(case["template"], "tpl", _table(case).functions, lexer))
    except ParseError as trouble:
        return trouble


def check_parse(case: Case, folder: str) -> None:
    found = _printed(case)
    if "tree" in case:
        assert found == case["tree"], f"expected {case['tree']!r}, got {found!s}"
    else:
        assert isinstance(found, ParseError), f"expected an error, got {found!r}"
        same_error(found, case["error"])


def _referred(case: Case) -> list[str] | ParseError:
    try:
        return sorted(field_refs(case["template"], case["prefix"]))
    except ParseError as trouble:
        return trouble


def check_refs(case: Case, folder: str) -> None:
    found = _referred(case)
    if "refs" in case:
        assert found == sorted(set(case["refs"])), f"expected {case['refs']}, got {found!s}"
    else:
        assert isinstance(found, ParseError), f"expected an error, got {found!r}"
        same_error(found, case["error"])


KINDS = {"gotemplate/exec": check_exec, "gotemplate/parse": check_parse, "gotemplate/refs": check_refs}
