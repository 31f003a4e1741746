"""Stacks: what Atmos's own tests assert, and cases of our own, through the command line and through the parts below it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import yaml

from plait.apps.cli.run import run
from plait.core.diagnostic import PlaitError
from plait.core.node import Mapping, Mark, Node, Scalar, Sequence, Suspension, plain_value
from plait.core.policy import ListRule, MergePolicy
from plait.core.source import Source
from plait.fronts.project import Project
from plait.fronts.stacks.assemble.assembly import Assembly
from plait.fronts.stacks.config.finder import Flags
from plait.fronts.stacks.config.functions import decoded
from plait.fronts.stacks.ground import arguments
from plait.fronts.stacks.ground.ground import Ground
from plait.fronts.stacks.ground.nodes import node_of
from plait.fronts.stacks.ground.policies import list_rule
from plait.fronts.stacks.language.functions import function_in, is_deferred
from plait.fronts.stacks.language.scope import FileScope
from plait.fronts.stacks.read.file import File
from plait.fronts.stacks.read.items import read_items
from plait.fronts.stacks.read.locals import check_scope, locals_of
from plait.merging.combine import combine
from plait.notations.gotemplate import tree
from plait.notations.gotemplate.errors import TemplateError
from plait.notations.gotemplate.parse import parse as parse_template
from plait.notations.gotemplate.template import single_reference
from plait.report.render import render
from plait.yaml.build import build
from plait.yaml.scan import scan
from tests.conformance import Skip

Case = dict[str, Any]
MISSING = object()


# Looking at results


def at(value: Any, path: list[Any]) -> Any:
    for step in path:
        if isinstance(step, str) and step.startswith(".") and isinstance(value, dict):
            value = value.get(step[1:], MISSING)
        elif isinstance(value, dict):
            value = value.get(step, MISSING)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return MISSING
        if value is MISSING:
            return MISSING
    return value


KINDS_OF = {"map": dict, "list": list, "string": str, "number": (int, float), "bool": bool}


def empty(value: Any) -> bool:
    return value is MISSING or value is None or value in ("", [], {}, 0, False)


def holds(op: str, value: Any, expected: Any) -> bool:
    checks = {
        "equal": lambda: value is not MISSING and value == expected,
        "len": lambda: value is not MISSING and len(value or ()) == expected,
        "type": lambda: (
            isinstance(value, KINDS_OF[expected]) and not (expected == "number" and isinstance(value, bool))
        ),
        "contains": lambda: value is not MISSING and expected in value,
        "not_contains": lambda: value is MISSING or expected not in value,
        "null": lambda: value is None,
        "not_null": lambda: value is not MISSING and value is not None,
        "empty": lambda: empty(value),
        "not_empty": lambda: not empty(value),
        "exists": lambda: value is not MISSING,
        "absent": lambda: value is MISSING,
    }
    return checks[op]()


def look(asserts: list[Case], result: Any) -> None:
    for wanted in asserts:
        found = at(result, wanted["path"])
        assert holds(wanted["op"], found, wanted.get("value")), (
            f"{wanted}: found {found if found is not MISSING else 'nothing'!r}"
        )


# Commands


@contextlib.contextmanager
def environment(folder: Path, extra: dict[str, str], inside: Path) -> Any:
    before, cwd = dict(os.environ), os.getcwd()
    home = folder / "home"
    home.mkdir(exist_ok=True)
    os.environ.update(
        ATMOS_CLI_CONFIG_PATH=str(inside),
        ATMOS_GIT_ROOT_BASEPATH="false",
        HOME=str(home),
        PLAIT_ALLOW="exec,network,files",
    )
    os.environ.update({name: str(home / name) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")})
    os.environ.update({key: str(value) for key, value in extra.items()})
    os.chdir(inside)
    try:
        yield
    finally:
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(before)


def command(words: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = run(words)
        except SystemExit as end:
            status = int(end.code or 0)
    return status, out.getvalue(), err.getvalue()


def check_cli(case: Case, folder: str) -> None:
    with tempfile.TemporaryDirectory() as work:
        inside = Path(work) / "scenarios" / case["scenario"]
        shutil.copytree(Path(folder) / "scenarios" / case["scenario"], inside)
        components = Path(folder) / "components"
        if components.is_dir():
            shutil.copytree(components, Path(work) / "components")
        inside = inside / case.get("subdir", "") if case.get("subdir") else inside
        with environment(Path(work), case.get("env") or {}, inside):
            judge_provisioned(case)


def judge_provisioned(case: Case) -> None:
    """Judge a command; where it fails for an output of a component that was never applied, after applying that, as Atmos's own tests do."""
    applied: set[tuple[str, str]] = set()
    while True:
        status, out, err = command(case["command"])
        try:
            return judge(case, status, out, err)
        except AssertionError:
            if re.search(r"https?://\S+ cannot be reached: nobody knows the host's name", err):
                raise Skip("needs the network") from None
            wanted = (
                set(re.findall(r"the component `(\S+)` in the stack `(\S+)` is not provisioned yet", err))
                if "!terraform.output" in err
                else set()
            )
            if not wanted - applied:
                raise
        for component, stack in wanted - applied:
            apply(component, stack)
        applied |= wanted


def apply(component: str, stack: str) -> None:
    """Make terraform apply a component, with its variables, in its workspace."""
    binary = shutil.which("terraform") or shutil.which("tofu")
    if binary is None:
        raise Skip("needs a terraform binary")
    status, out, err = command(["describe", "component", component, "-s", stack, "-f", "json", "-q", "."])
    assert not status, err
    told = json.loads(out)
    code = told["component_info"]["component_path"]
    if not any(re.search(r'^output\s+"', file.read_text(), re.MULTILINE) for file in Path(code).glob("*.tf")):
        raise Skip(f"the code of `{component}` among the cases declares no outputs, so that none can be applied")
    variables = Path(code).resolve() / "plait.tfvars.json"
    variables.write_text(json.dumps(told["vars"]))
    steps = [
        ["init", "-input=false"],
        ["workspace", "select", "-or-create", told["workspace"]],
        ["apply", "-auto-approve", "-input=false", f"-var-file={variables}"],
    ]
    for step in steps:
        done = subprocess.run(
            [binary, *step], cwd=code, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
        )
        assert not done.returncode, f"terraform {step[0]}: {done.stderr}"


def judge(case: Case, status: int, out: str, err: str) -> None:
    expect = case["expect"]
    assert status == expect.get("exit_code", 0), f"exit status {status}: {err or out}"
    for name, text in (("stdout", out), ("stderr", err)):
        for pattern in expect.get(name) or []:
            assert re.search(pattern, text, re.MULTILINE), f"{name} lacks {pattern!r}: {text}"
        for pattern in expect.get(f"{name}_not") or []:
            assert not re.search(pattern, text, re.MULTILINE), f"{name} has {pattern!r}"
    for piece in [*(expect.get("error_contains") or []), *(kind["text"] for kind in expect.get("error_kinds") or [])]:
        assert piece in err, f"the error lacks {piece!r}: {err}"
    golden = expect.get("golden_stdout")
    if golden:
        dropped = [re.compile(pattern) for pattern in case.get("ignore_lines") or []]

        def kept(text: str) -> list[str]:
            return [line for line in text.rstrip("\n").split("\n") if not any(rule.search(line) for rule in dropped)]

        assert kept(out) == kept(golden), f"expected {golden!r}, got {out!r}"
    if expect.get("values"):
        look(expect["values"], yaml.safe_load(out))


# Parts


class Bench:
    """A repository of one line, for questions about a part."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        Path(self.folder.name, "atmos.yaml").write_text("base_path: .\n", encoding="utf-8")
        self.ground = Ground(Project(self.folder.name), self.folder.name)
        self.language = Assembly(self.ground, Flags()).language

    def scope(self, file: str, outer: FileScope | None = None, label: str = "global") -> FileScope:
        return FileScope(self.language, file, file, outer, label)

    def node(self, value: Any, scope: FileScope) -> Node:
        source = Source(scope.file, json.dumps(value))
        return build(scan(source)[0], source, self.language.reading(scope))


@contextlib.contextmanager
def bench() -> Any:
    before = os.environ.pop("ATMOS_CLI_CONFIG_PATH", None)
    made = Bench()
    try:
        yield made
    finally:
        made.folder.cleanup()
        if before is not None:
            os.environ["ATMOS_CLI_CONFIG_PATH"] = before


def merge(case: Case) -> Any:
    given = case["input"]
    strategy = given.get("list_merge_strategy") or "replace"
    if strategy == "(no config)":
        raise Skip("a merge without a configuration has no counterpart: there is always a policy")
    rule = list_rule(strategy)
    with bench() as made:
        scope = made.scope("test.yaml")
        parts = [appended(made.node(value, scope)) for value in given["inputs"] if value is not None and value != {}]
        node = combine(parts, MergePolicy(rule)) if parts else Mapping({})
        return plain_value(at_rest(node), reveal=True)


def at_rest(node: Node) -> Node:
    """What is known of a merge before any function is evaluated: of a merge that waits, its highest known part."""
    if isinstance(node, Mapping):
        return Mapping({key: at_rest(child) for key, child in node.entries.items() if not isinstance(child, Mark)})
    if isinstance(node, Sequence):
        return Sequence([at_rest(item) for item in node.items])
    if isinstance(node, Suspension):
        return Scalar(node.expression.text, node.expression.text)
    for part in reversed(getattr(node, "parts", ())):
        if not isinstance(part, Suspension):
            return at_rest(part)
    return at_rest(node.parts[-1]) if getattr(node, "parts", ()) else node


def appended(node: Node) -> Node:
    """A map with the one key `__atmos_append__` stands for an `!append` list."""
    if isinstance(node, Mapping):
        inner = node.entries.get("__atmos_append__")
        if len(node.entries) == 1 and isinstance(inner, Sequence):
            return Sequence([appended(item) for item in inner.items], rule=ListRule("append"))
        return Mapping({key: appended(child) for key, child in node.entries.items()}, live=node.live)
    if isinstance(node, Sequence):
        return Sequence([appended(item) for item in node.items], live=node.live)
    return node


def deferred_values(case: Case) -> Any:
    given = case["input"]
    strategy = given.get("list_merge_strategy") or "replace"
    rule = list_rule(strategy)
    values = sorted(given["values"], key=lambda value: value["precedence"])
    if not values:
        return None
    parts = [node_of(value["value"], Source("test"), 0) for value in values]
    return plain_value(combine(parts, MergePolicy(rule)), reveal=True)


def is_post_merge(case: Case) -> Any:
    return is_deferred(case["input"]["text"])


def resolved(
    made: Bench, section: Any, scope: FileScope, parent: dict[str, Any] | None, context: dict[str, Any] | None
) -> Any:
    """The locals of a section with those of its parent below them."""
    outer = made.scope(scope.file)
    outer.open(locals_of(made.node(parent or {}, outer), scope.file, outer), {})
    scope.outer = outer
    context_nodes = {name: made.node(value, scope) for name, value in (context or {}).items()}
    scope.open(locals_of(made.node(section, scope), scope.file, scope), context_nodes)
    return made.ground.answer(lambda: values(made, scope))


def values(made: Bench, scope: FileScope) -> Any:
    check_scope(scope)
    return {str(name): made.ground.plain(node, scope.place) for name, node in scope.visible().items()}


def locals_resolve(case: Case) -> Any:
    given = case["input"]
    with bench() as made:
        return resolved(made, given["locals"], made.scope(given["file"]), given.get("parent"), given.get("context"))


def section_locals(case: Case) -> Any:
    given = case["input"]
    section, parent = given.get("section"), given.get("parent")
    with bench() as made:
        if not isinstance(section, dict) or "locals" not in section:
            return parent
        return resolved(made, section["locals"], made.scope(given["file"]), parent, given.get("context"))


def stack_locals(case: Case) -> Any:
    given = case["input"]
    with bench() as made:
        path = Path(made.folder.name, given["file"])
        path.write_text(json.dumps(given["config"]), encoding="utf-8")
        file = File(made.language, str(path), path.stem)
        made.ground.answer(file.open)

        def seen(scope: FileScope) -> Any:
            return made.ground.answer(lambda: values(made, scope))

        result: dict[str, Any] = {"Global": seen(file.scope)}
        for type in ("terraform", "helmfile", "packer"):
            name = type.capitalize()
            result[f"Has{name}Locals"] = type in file.types
            result[name] = seen(file.types.get(type, file.scope))
        return result


def template_refs(case: Case) -> Any:
    given = case["input"]
    text = given["template"]
    questions = {
        "field_refs": lambda: [{"Path": list(path)} for path in dict.fromkeys(walked(text))] or None,
        "field_refs_by_prefix": lambda: (
            list(dict.fromkeys(path[1] for path in walked(text) if len(path) > 1 and path[0] == given["prefix"]))
            or None
        ),
        "all_field_refs_by_prefix": lambda: (
            list(
                dict.fromkeys(
                    ".".join(path[1:]) for path in walked(text) if len(path) > 1 and path[0] == given["prefix"]
                )
            )
            or None
        ),
        "has_actions": lambda: bool(_actions(text)),
        "exact_field_ref": lambda: single_reference(parse_template(text)) is not None,
    }
    if given["function"] not in questions:
        raise Skip(f"`{given['function']}` has no counterpart")
    return questions[given["function"]]()


def walked(text: str) -> list[tuple[str, ...]]:
    parsed = parse_template(text)
    return [
        node.names
        for block in (parsed.root, *parsed.defined.values())
        for node in block.walk()
        if isinstance(node, tree.Field)
    ]


def _actions(text: str) -> bool:
    from plait.notations.gotemplate.refs import has_actions

    return "{{" in text and has_actions(parse_template(text))


FIELDS = {
    "name": "Name",
    "default": "Default",
    "component": "Component",
    "stack": "Stack",
    "expression": "Expression",
    "key": "Key",
    "path": "Path",
    "query": "Query",
}
GRAMMARS = {
    "terraform": arguments.component_output, "env": arguments.one_or_two, "random": arguments.numbers, "include": arguments.path_and_query,
    "store": arguments.stored, "store.get": arguments.stored_key, "secret": arguments.secret,
}  # fmt: skip


def function_arguments(case: Case) -> Any:
    given = case["input"]
    if given["function"] not in GRAMMARS:
        raise Skip(f"`{given['function']}` has no counterpart")
    words = GRAMMARS[given["function"]](given["text"])
    result = {title: getattr(words, name) for name, title in FIELDS.items() if getattr(words, name) not in ("", None)}
    if given["function"].startswith("store"):
        result["Store"] = result.pop("Name")
    if given["function"] == "random":
        result["Values"] = words.values
    if words.default is not None:
        result["Default"] = words.default
    return result


def template_tag(case: Case) -> Any:
    found = function_in(case["input"]["text"])
    assert found is not None
    return decoded(found[0].read(found[1]).name)


def import_section(case: Case) -> Any:
    given = case["input"]
    with bench() as made:
        scope = made.scope(given["file"])
        section = given["manifest"].get("import")
        node = made.node(section, scope) if "import" in given["manifest"] else None
        items = read_items(node, scope)
        return [{"Path": item.path, "NestedImports": item.nested} for item in items] or None


UNITS = {
    "merge": merge, "merge_deferred": merge, "deferred_values": deferred_values, "is_post_merge_function": is_post_merge,
    "locals_resolve": locals_resolve, "section_locals": section_locals, "stack_locals": stack_locals, "template_refs": template_refs,
    "function_arguments": function_arguments, "template_tag_decode": template_tag, "import_section": import_section,
}  # fmt: skip


def check_unit(case: Case, folder: str) -> None:
    if case["kind"] not in UNITS:
        raise Skip(f"`{case['kind']}` has no counterpart")
    try:
        result = UNITS[case["kind"]](case)
    except (PlaitError, TemplateError, arguments.BadArguments) as trouble:
        said = render(trouble.diagnostics) if isinstance(trouble, PlaitError) else str(trouble)
        assert "error" in case, f"an error: {said}"
        for piece in [*case["error"], *(kind["text"] for kind in case.get("error_kinds", []))]:
            assert piece in said, f"the error lacks {piece!r}: {said}"
        return
    assert "error" not in case, f"expected an error ({case.get('error')}), got {result!r}"
    if "expected" in case:
        expected, found = case["expected"], result
        if case.get("unordered") and isinstance(expected, list) and isinstance(found, list):
            expected, found = sorted(expected), sorted(found)
        assert same(found, expected), f"expected {expected!r}, got {found!r}"
    look([wanted for wanted in case.get("asserts", []) if wanted["on"] == "result"], result)


def same(found: Any, expected: Any) -> bool:
    return (found or None) == (expected or None) if isinstance(expected, list) and not expected else found == expected


KINDS = {"stacks/unit": check_unit, "stacks/cli": check_cli}
