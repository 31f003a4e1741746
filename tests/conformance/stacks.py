"""Stacks: what Atmos's own tests assert, and cases of our own, through the command line and through the parts below
it."""

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

import plait
from plait.apps.cli.run import run
from plait.core.diagnostic import PlaitError
from plait.gotemplate import TemplateError, has_actions, parse, single_reference
from plait.manifests import BadArguments, read_call
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
    """Judge a command; where it fails for an output of a component that was never applied, after applying that, as
    Atmos's own tests do."""
    applied: set[tuple[str, str]] = set()
    while True:
        status, out, err = command(case["command"])
        try:
            return judge(case, status, out, err)
        except AssertionError:
            if re.search(r"https?://\S+ cannot be reached: unknown host name", err):
                raise Skip("needs the network") from None
            if "!terraform.output" in err and "command not found: `" in err:
                raise Skip("needs a terraform binary") from None
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
        look(expect["values"], yaml.load(out, yaml.CSafeLoader))


# Parts


def merge(case: Case) -> Any:
    """Files that import each other's values, merged by the library with functions left as they are written."""
    given = case["input"]
    strategy = given.get("list_merge_strategy") or "replace"
    if strategy == "(no config)":
        raise Skip("a merge without a configuration has no counterpart: there is always a policy")
    return layered([value for value in given["inputs"] if value], strategy)


def layered(inputs: list[Any], strategy: str = "replace", functions: bool = False) -> Any:
    """What becomes of values that one file after the other gives to a component."""
    with tempfile.TemporaryDirectory() as folder:
        stacks = {"base_path": ".", "included_paths": ["top.yaml"], "excluded_paths": []}
        config = {"base_path": ".", "stacks": stacks, "settings": {"list_merge_strategy": strategy}}
        Path(folder, "atmos.yaml").write_text(json.dumps(config), encoding="utf-8")
        for number, value in enumerate(inputs):
            Path(folder, f"l{number}.yaml").write_text(f"vars: {flow(value)}\n", encoding="utf-8")
        names = [f"l{number}" for number in range(len(inputs))]
        top = {"import": names, "components": {"terraform": {"c": {}}}}
        Path(folder, "top.yaml").write_text(json.dumps(top), encoding="utf-8")
        with environment(Path(folder), {}, Path(folder)):
            return plait.stacks(folder, functions=functions).component("c", stack="top").value("vars")


def flow(value: Any) -> str:
    """Plain data as YAML on one line; a map with the one key `__atmos_append__` stands for an `!append` list."""
    if isinstance(value, dict):
        if list(value) == ["__atmos_append__"]:
            return f"!append {flow(value['__atmos_append__'])}"
        return "{" + ", ".join(f"{json.dumps(str(key))}: {flow(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return json.dumps(value)


def deferred_values(case: Case) -> Any:
    given = case["input"]
    values = sorted(given["values"], key=lambda value: value["precedence"])
    found = layered([{"x": value["value"]} for value in values], given.get("list_merge_strategy") or "replace")
    return found.get("x")


def is_post_merge(case: Case) -> Any:
    call = read_call(case["input"]["text"])
    return call is not None and call.deferred


def locals_in(manifest: dict[str, Any], file: str) -> dict[str, Any]:
    """What the library says about the locals of a manifest: `describe locals`. Nothing where it has none."""
    with tempfile.TemporaryDirectory() as folder:
        config = {"base_path": ".", "stacks": {"base_path": ".", "included_paths": [file], "excluded_paths": []}}
        Path(folder, "atmos.yaml").write_text(json.dumps(config), encoding="utf-8")
        path = Path(folder, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(manifest), encoding="utf-8")
        with environment(Path(folder), {}, Path(folder)):
            try:
                return plait.stacks(folder).locals(stack=file)
            except PlaitError as error:
                if [d.code for d in error.diagnostics] == ["PL3231"]:
                    return {"locals": {}, "merged": {}}
                raise


def values(rows: dict[str, Any]) -> dict[str, Any]:
    return {name: row["value"] for name, row in rows.items()}


def locals_resolve(case: Case) -> Any:
    given = case["input"]
    manifest = {
        **(given.get("context") or {}),
        "locals": given.get("parent") or {},
        "terraform": {"locals": given["locals"]},
    }
    return values(locals_in(manifest, given["file"])["merged"])


def section_locals(case: Case) -> Any:
    section = case["input"].get("section")
    if not isinstance(section, dict) or "locals" not in section:
        return case["input"].get("parent")
    return locals_resolve({"input": {**case["input"], "locals": section["locals"]}})


def stack_locals(case: Case) -> Any:
    given = case["input"]
    found = {
        label: values(scope["values"]) for label, scope in locals_in(given["config"], given["file"])["locals"].items()
    }
    shared = found.get("global", {})
    result: dict[str, Any] = {"Global": shared}
    for type in ("terraform", "helmfile", "packer"):
        name = type.capitalize()
        section = given["config"].get(type)
        result[f"Has{name}Locals"] = isinstance(section, dict) and "locals" in section
        result[name] = {**shared, **found.get(type, {})}
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
        "has_actions": lambda: has_actions(text),
        "plain_field_ref": lambda: (
            {"Path": list(path)} if (path := single_reference(parse(text).tree)) is not None else None
        ),
        "exact_field_ref": lambda: single_reference(parse(text).tree) is not None,
    }
    if given["function"] not in questions:
        raise Skip(f"`{given['function']}` has no counterpart")
    return questions[given["function"]]()


def walked(text: str) -> list[tuple[str, ...]]:
    """The fields that a template names, in the order of its text."""
    return [node.names for node in parse(text).tree.walk() if node.kind == "field"]


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
TAGS = {
    "terraform": "!terraform.output",
    "env": "!env",
    "random": "!random",
    "include": "!include",
    "store": "!store",
    "store.get": "!store.get",
    "secret": "!secret",
}


def function_arguments(case: Case) -> Any:
    given = case["input"]
    if given["function"] not in TAGS:
        raise Skip(f"`{given['function']}` has no counterpart")
    call = read_call(f"{TAGS[given['function']]} {given['text']}")
    assert call is not None
    words = call.arguments
    result = {title: getattr(words, name) for name, title in FIELDS.items() if getattr(words, name) not in ("", None)}
    if given["function"].startswith("store"):
        result["Store"] = result.pop("Name")
    if given["function"] == "random":
        result["Values"] = words.values
    if words.default is not None:
        result["Default"] = words.default
    return result


def template_tag(case: Case) -> Any:
    return layered([{"x": case["input"]["text"]}], functions=True)["x"]


def import_section(case: Case) -> Any:
    """The import list of a manifest, before any file of it is looked for."""
    given = case["input"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "atmos.yaml").write_text("base_path: .\n", encoding="utf-8")
        path = Path(folder, given["file"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(given["manifest"]), encoding="utf-8")
        with environment(Path(folder), {}, Path(folder)):
            items = plait.stacks(folder).imports(str(path))
        return [{"Path": item["path"], "NestedImports": item.get("nested_imports", "")} for item in items] or None


UNITS = {
    "merge": merge,
    "merge_deferred": merge,
    "deferred_values": deferred_values,
    "is_post_merge_function": is_post_merge,
    "locals_resolve": locals_resolve,
    "section_locals": section_locals,
    "stack_locals": stack_locals,
    "template_refs": template_refs,
    "function_arguments": function_arguments,
    "template_tag_decode": template_tag,
    "import_section": import_section,
}


def check_unit(case: Case, folder: str) -> None:
    if case["kind"] not in UNITS:
        raise Skip(f"`{case['kind']}` has no counterpart")
    try:
        result = UNITS[case["kind"]](case)
    except (PlaitError, TemplateError, BadArguments) as trouble:
        message = str(trouble)
        assert "error" in case, f"an error: {message}"
        for piece in [*case["error"], *(kind["text"] for kind in case.get("error_kinds", []))]:
            assert piece in message, f"the error lacks {piece!r}: {message}"
        return
    assert "error" not in case, f"expected an error ({case.get('error')}), got {result!r}"
    if "expected" in case:
        expected, found = case["expected"], result
        if case.get("unordered") and isinstance(expected, list) and isinstance(found, list):
            expected, found = sorted(expected), sorted(found)
        assert same(found, expected), f"expected {expected!r}, got {found!r}"
    look([wanted for wanted in case.get("asserts", []) if wanted["on"] == "found"], result is not None)
    look([wanted for wanted in case.get("asserts", []) if wanted["on"] == "result"], result)


def same(found: Any, expected: Any) -> bool:
    return (found or None) == (expected or None) if isinstance(expected, list) and not expected else found == expected


KINDS = {"stacks/unit": check_unit, "stacks/cli": check_cli}
