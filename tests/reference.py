"""The reference pages, made from the code's own declarations: `python -m tests.reference` writes them."""

from __future__ import annotations

import re
from pathlib import Path

from plait.access.guard import CAPABILITIES, GRANTED
from plait.apps.cli.command import help_of
from plait.apps.cli.commands import EXIT_STATUSES, GROUPS, load
from plait.core.meter import BUDGETS
from plait.fronts.forms import FORMS
from plait.fronts.lint import RULES
from plait.fronts.notations import function_listings as function_table
from plait.fronts.spiff.control import CONTROLS, OPTIONS
from plait.notations.dynaml.declared import DynamlFunction
from plait.notations.dynaml.functions import UNWANTED, all_functions
from plait.notations.dynaml.marks import MARKS, TAG
from plait.notations.gotemplate.atmos import ATMOS
from plait.notations.gotemplate.builtins import BUILTINS
from plait.notations.gotemplate.gomplate.groups import GROUPS as GROUPS_OF_GOMPLATE
from plait.notations.gotemplate.gomplate.refused import REFUSED
from plait.notations.gotemplate.sprig.groups import GROUPS as GROUPS_OF_SPRIG
from plait.profiles.rules import MARKERS, SETTINGS, Listed, Whole
from plait.profiles.table import PROFILES
from plait.report.catalog import CATALOG
from plait.yaml.readers import READERS
from tests.samples import SAMPLES
from tests.stacks.flags import PAGE, page

FOLDER = Path(__file__).parents[1] / "docs" / "reference"


def filled(message: str) -> str:
    """A message as a heading: what differs from case to case in capitals."""
    return re.sub(r"\{(\w+)[^}]*\}", lambda found: found[1].upper(), message.replace("{at}", " at PATH"))


def commands() -> str:
    lines = ["# Commands", "", EXIT_STATUSES, ""]
    for heading, names in GROUPS.items():
        lines += [f"## {heading}", ""]
        for name in names:
            lines += [f"### plait {name}", "", "```text", help_of(load(name)).rstrip(), "```", ""]
    return "\n".join(lines)


def diagnostics() -> str:
    lines = ["# Diagnostics", "", "| code | severity | message | what it means |", "|---|---|---|---|"]
    for code, entry in sorted(CATALOG.items()):
        message = filled(entry.message).replace("|", "\\|")
        row = f'| <a id="{code.lower()}"></a>{code} | {entry.severity} | {message} | {entry.about} |'
        lines.append(row.replace("\n", " "))
    return "\n".join(lines) + "\n"


def functions() -> str:
    lines = ["# Functions", ""]
    for name, listing in function_table().items():
        lines += [f"## {name}", "", "| function | what it does | example |", "|---|---|---|"]
        for row in listing():
            cells = (f"`{row['signature']}`", row["about"], f"`{row['example']}`")
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def gotemplate() -> str:
    lines = ["# Functions of Go templates", "", "Signatures are Go's. Every example is a test.", ""]
    for group in (BUILTINS, *GROUPS_OF_SPRIG, ATMOS, *GROUPS_OF_GOMPLATE):
        lines += [f"## {group.title}", "", "| function | what it does | example | gives |", "|---|---|---|---|"]
        for name, item in sorted(group.functions.items()):
            signature = f"`{name}{item.signature.text.removeprefix('func')}`"
            example = (f"`{item.example}`", f"`{item.output}`" if item.output else "") if item.example else ("", "")
            cells = (signature, item.description, *example)
            shown = (cell.replace("|", "\\|").replace("\r\n", "⏎").replace("\n", "⏎") for cell in cells)
            lines.append("| " + " | ".join(shown) + " |")
        lines.append("")
    lines += ["## Unsupported functions of gomplate", "", "| function | instead |", "|---|---|"]
    lines += [f"| {', '.join(f'`{name}`' for name in names.split())} | {why} |" for names, why in REFUSED.items()]
    return "\n".join([*lines, ""])


def limits() -> str:
    lines = ["# Capabilities and budgets", "", "| capability | allows a file to | by default |", "|---|---|---|"]
    lines += [f"| `{name}` | {what} | {'yes' if name in GRANTED else 'no'} |" for name, what in CAPABILITIES.items()]
    lines += ["", "| budget | default | limits | flag |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {limit:,} | {what} | `--max-{name}` |" for name, (limit, what) in BUDGETS.items()]
    return "\n".join(lines) + "\n"


def _kind(rule: Listed) -> str:
    return "the value" if rule.strategy == "patch-whole" else "lists"


def _how(rule: Listed) -> str:
    return "replaces what is below it" if rule.strategy == "patch-whole" else f"`{rule.strategy}`"


def profiles() -> str:
    lines = [
        "# Profiles",
        "",
        "How `--profile NAME` merges, rule by rule, and what each rule is from. `make judges` compares with the tools:",
        "helm 3.17.2, kubectl 1.32.3 (kustomize 5.5.0), docker compose 2.26.1, omegaconf, hydra-core, ansible-core,",
        "PyYAML and ruamel.yaml as `pyproject.toml` asks for them. Small programs that follow",
        "the rules of helm, kubectl and Compose (`tests/model`) are compared with plait in every run of the tests.",
        "",
    ]
    for profile in PROFILES.values():
        lines += [
            f"## {profile.name}",
            "",
            f"For {profile.about}.",
            "",
            "| what | how | documented in |",
            "|---|---|---|",
        ]
        lines += [
            f"| {name} | `{setting.value}`: {SETTINGS[name][setting.value]} | {setting.cites} |"
            for name, setting in profile.settings.items()
        ]
        lines += [f"| lists at `{rule.path}` | `{rule.strategy}` | {rule.cites} |" for rule in profile.lists]
        for rules in dict.fromkeys(profile.kinds.values()):
            names = ", ".join(kind for (_, kind), others in profile.kinds.items() if others is rules)
            lines += [f"| {_kind(rule)} at `{rule.path}` of {names} | {_how(rule)} | {rule.cites} |" for rule in rules]
        lines += [
            f"| where layers meet at `{form.path}` | {_form(form.form)} | {form.cites} |" for form in profile.forms
        ]
        lines += [f"| `{whole.path}` | {_whole(whole)} | {whole.cites} |" for whole in profile.whole]
        lines += [f"| tag `{tag.tag}` | as `{tag.means}` | {tag.cites} |" for tag in profile.tags]
        lines += [f"| `{word.text}` | {MARKERS[word.what]} | {word.cites} |" for word in profile.words]
        lines += [
            f"| `{'.'.join(rule.path)}` | not followed, with a warning: {rule.instead} | {rule.cites} |"
            for rule in profile.not_followed
        ]
        if profile.differences:
            lines += ["", "Known differences:", "", *(f"* {difference}" for difference in profile.differences)]
        lines.append("")
    return "\n".join([*lines, *_readers()])


def _form(name: str) -> str:
    return " ".join((FORMS[name].__doc__ or "").split()).rstrip(".")


def _whole(whole: Whole) -> str:
    return f"replaced whole where `{whole.field}` differs" if whole.field else "replaced whole, also by null"


def _readers() -> list[str]:
    """What each reader makes of the same plain scalars."""
    lines = [
        "## YAML as each tool reads it",
        "",
        "A profile reads files with the reader of its tool; `--yaml NAME` chooses another. Tests compare each reader",
        "with the program itself.",
        "",
        "| reader | used by | a duplicate key | `2001-12-14` | source |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| `{one.name}` | {one.used_by} | {DUPLICATES[one.duplicates]} | {one.times} | {one.cites} |"
        for one in READERS.values()
    ]
    lines += [
        "",
        "A duplicate key is an error in plait whatever the reader does, and a time is text as it is written.",
        "",
        "| scalar | " + " | ".join(f"`{name}`" for name in READERS) + " |",
        "|---|" + "---|" * len(READERS),
    ]
    for text in SAMPLES:
        meanings = [_meant(one.schema.resolve(text)) for one in READERS.values()]
        if len(set(meanings)) > 1:
            lines.append(f"| `{text}` | " + " | ".join(meanings) + " |")
    return [*lines, ""]


DUPLICATES = {"last": "the last one counts", "error": "an error"}


def _meant(value: object) -> str:
    return "text" if isinstance(value, str) else "null" if value is None else str(value).lower()


def lint() -> str:
    lines = [
        "# Rules of plait lint",
        "",
        "Silence a finding with `--ignore CODE`, or with a comment on one of its lines or the line above:",
    ]
    lines += [
        "`# plait: ignore CODE`, or `# plait: ignore` for everything. `--select CODE` looks for nothing else.",
        "",
    ]
    for rule in RULES:
        code = rule.code
        lines += [f"## {code.code}: {filled(code.message)}", "", f"{code.about} {rule.why}", ""]
        for name, text in rule.example.items():
            lines += ["```yaml", f"# {name}", text.rstrip(), "```", ""]
        lines += [f"To silence it: `--ignore {code.code}`, or `# plait: ignore {code.code}`.", ""]
    return "\n".join(lines)


BEGIN, END = "<!-- made by tests/reference.py from the code -->", "<!-- end -->"


def dynaml() -> str:
    """The page on spiff, with its tables made anew."""
    page = (FOLDER / "../fronts/spiff.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    return before + "\n".join([BEGIN, "", *_dynaml_tables(), END]) + rest.partition(END)[2]


def _table(*heads: str) -> list[str]:
    return ["", "| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _dynaml_tables() -> list[str]:
    lines: list[str] = []
    groups: dict[str, list[DynamlFunction]] = {}
    for each in all_functions().values():
        groups.setdefault(each.group, []).append(each)
    for group, members in groups.items():
        lines += [f"### {group}", *_table("function", "what it gives", "example")]
        lines += [_row(f"`{each.name}({each.arguments})`", each.about, f"`{each.example}`") for each in members]
        lines.append("")
    lines += ["### Marks", *_table("mark", "what it does")]
    lines += [_row(f"`&{mark}`", about) for mark, about in MARKS.items()]
    lines += [_row("`&tag:NAME`", TAG), ""]
    lines += ["### Control keys", *_table("key", "options", "what it gives")]
    options = {each.name: ", ".join(f"`{option}`" for option in each.options) for each in CONTROLS.values()}
    lines += [_row(f"`{each.name}`", options[each.name], each.about) for each in CONTROLS.values()]
    lines += ["", *_table("option", "what it is"), *(_row(f"`{name}`", about) for name, about in OPTIONS.items())]
    lines += ["", "### Not in plait", *_table("functions", "why")]
    whys: dict[str, list[str]] = {}
    for name, why in UNWANTED.items():
        whys.setdefault(why, []).append(f"`{name}`")
    return [*lines, *(_row(", ".join(names), why) for why, names in whys.items()), ""]


PAGES = {
    "../fronts/spiff.md": dynaml,
    "lint.md": lint,
    "profiles.md": profiles,
    "commands.md": commands,
    "diagnostics.md": diagnostics,
    "functions.md": functions,
    "limits.md": limits,
    "gotemplate.md": gotemplate,
}

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
