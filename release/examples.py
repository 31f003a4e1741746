"""The examples of the playground: one to begin with, and those of the documentation, with the files of their pages."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(?P<kind>\w+)(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.M | re.S)
HEADING = re.compile(r"^#+ (.*)$", re.M)
LARGEST = 20_000
"""Characters of an example: it is in the page, and should be read."""


class Example(TypedDict):
    """Files, how they are read, and what of them is shown."""

    group: str
    title: str
    front: str
    profile: str
    target: str
    files: list[tuple[str, str]]


class FoundExample:
    """An example of a page: its name, where the block of its command ends, and what that command printed."""

    def __init__(self, name: str, end: int, command: list[str], printed: str, example: Example) -> None:
        self.name = name
        self.end = end
        self.command = command
        self.printed = printed
        self.example = example


BASE = """\
name: shop
region: eu-central-1
replicas: 1
image: {name: shop/web, tag: "1.4"}
labels: {app: !ref name, zone: !ref region}
limits: {cpu: 1, memory: 512}
ports:
- {name: http, port: 80}
"""
PROD = """\
replicas: 3
limits: {memory: 2048}
ports:
- !merge-by name
- {name: https, port: 443}
"""
START: Example = {
    "group": "Start",
    "title": "Two layers",
    "front": "layers",
    "profile": "",
    "target": "",
    "files": [("base.yaml", BASE), ("prod.yaml", PROD)],
}


RELATED = {
    "fronts/charts.md": "tutorials/charts-1",
    "fronts/kustomize.md": "tutorials/kustomize-1",
    "explorer.md": "fronts/stacks-1",
    "comparison.md": "start",
    "explanation/semantics.md": "explanation/merging-1",
}
"""Pages that have no example of their own, and one that shows what they are about."""


def examples() -> dict[str, Example]:
    """Every example by its name."""
    found = [one for page in sorted(DOCS.rglob("*.md")) for one in page_examples(page)]
    return {"start": START, **{one.name: one.example for one in found}}


def page_examples(page: Path) -> list[FoundExample]:
    """The examples of a page, in order."""
    text = page.read_text(encoding="utf-8")
    files: dict[str, str] = {}
    found: list[FoundExample] = []
    changed = False
    for block in BLOCK.finditer(text):
        info = dict(word.split("=", 1) for word in block["info"].split() if "=" in word)
        if "title" in info:
            files[info["title"]] = block["body"]
        if block["kind"] != "console":
            continue
        if "in" in info:
            files, changed = _folder(ROOT / info["in"]), False
        commands = _commands(block["body"])
        shown = None if changed else _first_shown(commands, files)
        changed = changed or not all(SHOWS.match(shlex.join(command)) for command, _ in commands)
        if shown is None and changed and not found:
            shown = ([], "", _found([], files))  # what the page begins with
        if shown is None or shown[2] is None or sum(len(one) for _, one in shown[2]["files"]) > LARGEST:
            continue
        command, printed, example = shown
        name = f"{page.relative_to(DOCS).with_suffix('').as_posix()}-{len(found) + 1}"
        titles = HEADING.findall(text, 0, block.start())
        example["group"], example["title"] = titles[0], titles[-1]
        found.append(FoundExample(name, block.end(), command, printed, example))
    return found


def _first_shown(
    commands: list[tuple[list[str], str]], files: dict[str, str]
) -> tuple[list[str], str, Example | None] | None:
    """The first command of a block that the playground can show."""
    for command, printed in commands:
        example = _read_as(command, files)
        if example is not None:
            return command, printed, example
        if not SHOWS.match(shlex.join(command)):
            return None
    return None


SHOWS = re.compile(r"plait (merge|explain|blame|layers|lint|targets|render|spiff|describe|list|get|diff|why-not)\b")
"""Commands that leave the files as they are."""


def _folder(folder: Path) -> dict[str, str]:
    names = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in names}


def _commands(body: str) -> list[tuple[list[str], str]]:
    """The commands of a block, each with what it prints."""
    found: list[tuple[list[str], str]] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((_words(line[2:]), ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command, posix=True)
    except ValueError:
        return [command]


def _read_as(command: list[str], files: dict[str, str]) -> Example | None:
    """What the playground shows for a command; None for one that it cannot show."""
    for kind, read in READERS.items():
        if command[: len(kind)] == list(kind):
            return read(command[len(kind) :], files)
    return None


def _layers(words: list[str], files: dict[str, str]) -> Example | None:
    named, options = _split(words, ("--profile", "--notation", "--target", "--path"))
    if options is None:
        return None
    if "--target" in options:
        return None if named else _found([options["--target"]], files)
    notation = options.get("--notation", "gotemplate")
    if not named or any(name not in files for name in named) or notation != "gotemplate":
        return None
    front = "templates" if "--notation" in options else "layers"
    beside = [name for name in files if name not in named and not _is_layer(name)]
    return _example(front, [*named, *beside], files, options.get("--profile", ""))


def _explained(words: list[str], files: dict[str, str]) -> Example | None:
    """`plait explain PATH LAYER...`"""
    return _layers(words[1:], files) if words and words[0] not in files else None


def _spiff(words: list[str], files: dict[str, str]) -> Example | None:
    named, options = _split(words, ())
    if options is None or not named or any(name not in files for name in named):
        return None
    return _example("spiff", named, files)


def _expanded(words: list[str], files: dict[str, str]) -> Example | None:
    """`plait expand FILE`"""
    named, options = _split(words, ("--path",))
    if options is None or len(named) != 1 or named[0] not in files:
        return None
    return _example("unfurl", [*named, *(name for name in files if name not in named)], files)


def _described(words: list[str], files: dict[str, str]) -> Example | None:
    """`plait describe component NAME -s STACK`"""
    if "atmos.yaml" not in files or len(words) != 3 or words[1] != "-s":
        return None
    return _example("stacks", list(files), files, target=words[2])


def _found(words: list[str], files: dict[str, str]) -> Example | None:
    """`plait render TARGET`, and `plait targets`."""
    named, options = _split(words, ("--path",))
    fronts = {SIGNS[sign] for name in files if (sign := name.rpartition("/")[2]) in SIGNS}
    if "targets:" in files.get("plait.yaml", ""):
        fronts.add("folder")
    if not fronts or options is None or len(named) > 1 or any("/" in name for name in named):
        return None
    target = "".join(named).strip(".")
    return _example(fronts.pop() if len(fronts) == 1 else "folder", list(files), files, target=target)


SIGNS = {
    "Chart.yaml": "folder",
    "atmos.yaml": "stacks",
    "kustomization.yaml": "kustomize",
    "compose.yaml": "compose",
}
"""How files are read, by a file that says so."""


READERS = {
    ("plait", "merge"): _layers,
    ("plait", "blame"): _layers,
    ("plait", "layers"): _layers,
    ("plait", "explain"): _explained,
    ("plait", "spiff", "merge"): _spiff,
    ("plait", "expand"): _expanded,
    ("plait", "describe", "component"): _described,
    ("plait", "render"): _found,
    ("plait", "targets"): _found,
}
"""How the files of a command are read, by its first words."""


def _split(words: list[str], known: tuple[str, ...]) -> tuple[list[str], dict[str, str] | None]:
    """Names, and options with their values; None for options that are not known."""
    names: list[str] = []
    options: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            names.append(word)
        elif word in known:
            options[word] = next(left, "")
        else:
            return names, None
    return names, options


def _is_layer(name: str) -> bool:
    return name.endswith((".yaml", ".yml", ".json")) and name != "plait.yaml"


def _example(front: str, names: list[str], files: dict[str, str], profile: str = "", target: str = "") -> Example:
    made = [(name, files[name]) for name in names]
    return {"group": "", "title": "", "front": front, "profile": profile, "target": target, "files": made}
