"""Pages that are made from declarations and cases: one for each diagnostic, and the manual pages.

They need nothing but plait itself, so that a wheel can be built from the source alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from plait.apps.cli.commands import COMMANDS
from plait.apps.cli.man import man_page, page_name
from plait.apps.schemas.files import INPUT_FIELDS, PATTERN_FIELDS, PATTERN_NEEDS, SETTINGS, TARGET_FIELDS
from plait.fronts.lint import RULES
from plait.report.catalog import CATALOG, Code
from plait.report.fixes import FIXES

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases"
DOCS = ROOT / "docs"
LEFT_OUT = ("decisions", "images", "style.md")
"""Pages and folders that a wheel does not need."""
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".py": "python", ".json": "json", ".hcl": "hcl"}
SCENE = re.compile(r"SCENE=(\S+) |python scenes/(\w+)\.py$")
CODE = re.compile(r'(?:^|error |warning |"code": ")(PL\d{4})', re.M)
"""A diagnostic in what a command prints: as text, as data, or as a program prints the exception."""
MARKS = ("Chart.yaml", "kustomization.yaml")
LONGEST = 60
"""An example of more lines than this explains too little."""


def installed_pages() -> dict[str, str]:
    """Every page that `plait help` prints, by its place in the wheel."""
    found = {
        f"plait/docs/{path.relative_to(DOCS).as_posix()}": path.read_text(encoding="utf-8")
        for path in sorted(DOCS.rglob("*.md"))
        if path.relative_to(DOCS).parts[0] not in LEFT_OUT
    }
    found["plait/docs/reference/files.md"] = settings_page()
    return found | {f"plait/docs/reference/diagnostics/{code}.md": diagnostic_page(code) for code in CATALOG}


def man_pages() -> dict[str, str]:
    """The manual pages, by their place in the wheel."""
    return {f"share/man/man1/{page_name(name)}": man_page(name) for name in ("", *COMMANDS)}


def diagnostic_page(code: str) -> str:
    """What a diagnostic means, how to fix it, an example that a test runs, and how to silence it where possible."""
    entry = CATALOG[code]
    lines = [f"# {code}: {heading(entry)}", "", f"*{entry.severity}*: {entry.about}", ""]
    rule = next((rule for rule in RULES if rule.code is entry), None)
    lines += [rule.why, ""] if rule is not None else []
    lines += ["## How to fix it", "", FIXES[code], ""]
    lines += example(code) or lint_example(rule)
    if rule is not None:
        silence = f"Silence it with `--ignore {code}`, or with the comment `# plait: ignore {code}` on the line."
        lines += ["## To silence it", "", silence, ""]
    return "\n".join(lines)


def heading(entry: Code) -> str:
    """A message with its placeholders in capitals."""
    return re.sub(r"\{(\w+)[^}]*\}", lambda found: found[1].upper(), entry.message)


def lint_example(rule: object) -> list[str]:
    """The files of a lint rule's own example."""
    files: dict[str, str] = getattr(rule, "example", {})
    lines = ["## Example", ""] if files else []
    for name, text in files.items():
        lines += [f"`{name}`:", "", "```yaml", text.rstrip(), "```", ""]
    return lines


def example(code: str) -> list[str]:
    """The shortest case that shows the code: the command, what it prints with the fix, and the files."""
    found = _examples().get(code)
    if found is None:
        return []
    command, output, files = found[0], found[1], dict(found[2])
    lines = ["## Example", ""]
    scene = SCENE.match(command)
    if scene is not None:
        lines += [_situation(files.pop(f"scenes/{scene[1] or scene[2]}.py")), ""]
        command = command[scene.end() :]
    lines += ["```text", *([f"$ {command}"] if command else []), *output, "```", ""]
    for name, text in files.items():
        lines += [f"`{name}`:", "", f"```{_language(name, text)}", text.rstrip(), "```", ""]
    return lines


def _situation(script: str) -> str:
    """What a scene makes happen, in the words of its first line."""
    return script.partition("\n")[0].strip('"')


def _language(name: str, text: str) -> str:
    if text.startswith("bytes: "):
        return "text"
    return LANGUAGES.get(Path(name).suffix, "text")


@cache
def _examples() -> dict[str, tuple[str, list[str], dict[str, str]]]:
    """For each code, the shortest case with it."""
    best: dict[str, tuple[int, tuple[str, list[str], dict[str, str]]]] = {}
    for path in sorted(CASES.rglob("*.case")):
        files, steps = _parsed(path)
        for command, output in steps:
            concerned = _concerned(files, command, output)
            length = len(output) + sum(text.count("\n") + 3 for text in concerned.values())
            for code in set(CODE.findall("\n".join(output))):
                if length <= LONGEST and (code not in best or length < best[code][0]):
                    best[code] = (length, (command, output, concerned))
    return {code: found for code, (_, found) in best.items()}


def _concerned(files: dict[str, str], command: str, output: list[str]) -> dict[str, str]:
    """The files that the command or its output names, by their paths, else by their last names, and those of a
    chart or a kustomization that the command names; all where none is named."""
    text = "\n".join([command, *output])
    scene = SCENE.match(command)
    script = f"scenes/{scene[1] or scene[2]}.py" if scene is not None else ""
    own = {name: content for name, content in files.items() if not name.startswith("scenes/")}
    targets = tuple(f"{word}/" for word in command.split() if any(f"{word}/{mark}" in files for mark in MARKS))
    named = {name: content for name, content in own.items() if name in text or (targets and name.startswith(targets))}
    named = named or {name: content for name, content in own.items() if Path(name).name in text}
    named |= {script: files[script]} if script else {}
    return named or own


def _parsed(path: Path) -> tuple[dict[str, str], list[tuple[str, list[str]]]]:
    """The files of a case, and its commands with what they print."""
    text = path.read_text(encoding="utf-8")
    head, *sections = re.split(r"^-- (.+) --\n", text, flags=re.M)
    files = dict(zip(sections[::2], sections[1::2], strict=True))
    steps = []
    for step in re.split(r"^\$ ", head, flags=re.M)[1:]:
        command, _, printed = step.partition("\n")
        shown = [line.removeprefix("2> ").removeprefix("2>") for line in printed.rstrip().splitlines()]
        steps.append((command, [line for line in shown if not re.fullmatch(r"exit \d+", line)]))
    return files, steps


def settings_page() -> str:
    """The keys of plait.yaml and pattern.yaml, from their schemas."""
    lines = ["# plait.yaml and pattern.yaml", "", "For editors: `plait schema plait` and `plait schema pattern`.", ""]
    for title, keys in (("plait.yaml", SETTINGS), ("A target of plait.yaml", TARGET_FIELDS)):
        lines += [f"## {title}", "", *_keys(keys)]
    lines += ["## pattern.yaml", "", *_keys({**PATTERN_NEEDS, **PATTERN_FIELDS})]
    return "\n".join([*lines, "## An input of pattern.yaml", "", *_keys(INPUT_FIELDS)])


def _keys(keys: Mapping[str, Mapping[str, object]]) -> list[str]:
    rows = [f"| `{key}` | {_values(schema)} | {schema.get('description', '')} |" for key, schema in keys.items()]
    return ["| key | value | meaning |", "|---|---|---|", *rows, ""]


def _values(schema: Mapping[str, object]) -> str:
    values = schema.get("enum")
    if isinstance(values, list):
        return ", ".join(f"`{value}`" for value in dict.fromkeys(map(str, values)))
    return {"object": "mapping", "array": "list"}.get(str(schema.get("type")), str(schema.get("type", "any")))
