"""Releases of helmfile, one target for each in each environment."""

from __future__ import annotations

import os
import re

from plait.core.diagnostic import Fault
from plait.core.find import entry, items_of, members_of, word
from plait.core.node import MapNode, Scalar, key_text, with_entries
from plait.core.source import YAML_ENDINGS, Source
from plait.fronts.discovery.argo import filled, flat, matches
from plait.fronts.discovery.found import FoundTarget
from plait.fronts.inline import UNFILLED, unfilled
from plait.fronts.signs import CHART
from plait.fronts.sops import is_encrypted
from plait.yaml.build import Reading
from plait.yaml.load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Key, Node
    from plait.fronts.discovery.repository import RepositoryFiles

NAMES = ("helmfile.yaml", "helmfile.yml", "helmfile.yaml.gotmpl")
FOLDER = "helmfile.d"
ENDINGS = (*YAML_ENDINGS, ".gotmpl")
GIVEN = ("values", "secrets")
"""Where files of values are named; secrets lie above the others. What is encrypted in them stays so."""
DEEPEST = 20
"""Files that are based on each other."""
USUAL = "default"
RAW = re.compile(r"\{\{-?\s*`([^`]*)`\s*-?\}\}")
"""A template that another template writes as it is: helmfile fills it for each release."""
BRACES = re.compile(r"\{\{-?\s*(.*?)\s*-?\}\}", re.S)
CONTROL = re.compile(r"[ \t]*\{\{-?\s*(if|else|end|range|with|define|template|block|\$|/\*)(.*?)-?\}\}[ \t]*\Z", re.S)
"""A line that is only an instruction to the template."""
OPENING = ("if", "range", "with", "define", "block")
COMPARED = re.compile(r"(eq|ne)\s+(\.[\w.]+)\s+[\"`]([^\"`]*)[\"`]\Z")
"""The one condition that is worked out: a word compared with a text."""
RELEASE = "plait_release"
"""Stands for the name of the release that a template is in."""
QUOTED = re.compile(r"\s*\|\s*quote\Z")
READ = re.compile(r"\.(?:Values|StateValues|Environment\.Values)\.([\w.]+)\Z")


def releases_of(repository: RepositoryFiles) -> Iterator[tuple[FoundTarget, str]]:
    """The targets of every helmfile, each with the chart that it claims."""
    parts = [folder for folder in repository.folders if folder.endswith(FOLDER)]
    several = [f"{folder}/{name}" for folder in parts for name in repository.inside(folder)]
    files = [*repository.named(*NAMES), *(name for name in several if name.endswith(ENDINGS))]
    seen = set(files)
    for file in files:  # grows by the files that others name
        inner = [name for name in _named_by(repository, file) if name not in seen]
        seen.update(inner)
        files += inner
        yield from _of_file(repository, file)


def _named_by(repository: RepositoryFiles, file: str) -> Iterator[str]:
    """The files below `helmfiles` of a helmfile, whatever they are called; a folder has files with usual names."""
    folder = os.path.dirname(file)
    for document in _documents(repository, file, {}):
        for item in items_of(document, "helmfiles"):
            named = item.text if isinstance(item, Scalar) else word(item, "path")
            if named and "::" not in named and UNFILLED not in named:
                yield from _at(repository, repository.path(folder, named))


def _at(repository: RepositoryFiles, path: str) -> Iterator[str]:
    """The files that a path or a pattern names."""
    if path in repository.known:
        yield path
    elif any(sign in path for sign in "*?["):
        repository.project.meter.step(len(repository.files))
        yield from (name for name in repository.files if name.endswith(ENDINGS) and matches(name, path))


def _of_file(repository: RepositoryFiles, file: str) -> Iterator[tuple[FoundTarget, str]]:
    folder = os.path.dirname(file)
    environments = _environments(repository, folder, _documents(repository, file, {}))
    several = list(environments) or [USUAL]
    for environment in several:
        values = _values(repository, folder, environments.get(environment))
        words = {f".Values.{path}": value for path, value in values.items()}
        words |= {".Environment.Name": environment, ".Release.Name": RELEASE}
        for document in _documents(repository, file, words):
            for release in items_of(document, "releases"):
                repository.charge()
                made = _release(
                    repository, folder, _inheriting(document, release), environment, len(several) > 1, values
                )
                if made is not None:
                    made[0].told = _value_files(repository, folder, environments.get(environment))
                    yield made


def _documents(repository: RepositoryFiles, file: str, words: dict[str, str]) -> list[Node]:
    """The documents of a helmfile, in which templates are filled as far as the words go."""

    def word_for(match: re.Match[str]) -> str:
        found = _known(QUOTED.sub("", match.group(1)), words)
        return unfilled(match.group(1)) if found is None else found

    text = repository.text(file)
    repository.project.meter.step(len(text) >> 2)  # once for each environment
    plain = BRACES.sub(word_for, RAW.sub(r"\1", _chosen(text, words)))
    name = os.path.relpath(os.path.join(repository.root, file))
    try:
        return load(Source(name, plain, written=Source(name, text)), Reading())
    except Fault:
        return []


def _known(expression: str, words: dict[str, str]) -> str | None:
    """The text of an expression; None where it is not known."""
    compared = COMPARED.match(expression)
    if compared is not None:
        left = _known(compared.group(2), words)
        return None if left is None else str((left == compared.group(3)) is (compared.group(1) == "eq")).lower()
    read = READ.match(expression)
    return words.get(f".Values.{read.group(1)}" if read else expression)


def _chosen(text: str, words: dict[str, str]) -> str:
    """A text without its instructions, and without the lines below a condition that is known to be false."""
    kept: list[str] = []
    below: list[bool | None] = []
    """Whether the lines inside of each block that is open are there; None where that is not known."""
    over: set[int] = set()
    """The blocks of which a part before this one is there."""
    for line in text.split("\n"):
        control = CONTROL.match(line)
        if control is None:
            kept.append("" if False in below else line)
            continue
        kept.append("")
        word, more = control.group(1), control.group(2).strip()
        if word in OPENING:
            below.append(_holds(word, more, words))
        elif word == "else" and below:
            over |= {len(below)} if below[-1] else set()
            below[-1] = False if len(below) in over else _otherwise(below[-1], more, words)
        elif word == "end" and below:
            over.discard(len(below))
            below.pop()
    return "\n".join(kept)


def _holds(word: str, condition: str, words: dict[str, str]) -> bool | None:
    known = _known(condition, words) if word == "if" else None
    return None if known is None else known not in ("", "false", "0")


def _otherwise(before: bool | None, more: str, words: dict[str, str]) -> bool | None:
    """Whether the part after one that is not there, or not known, is there. It may have a condition of its own."""
    if before is None or not more:
        return None if before is None else True
    return _holds("if", more.removeprefix("if").strip(), words)


def _inheriting(document: Node, release: Node) -> Node:
    """A release with the fields of the templates that it inherits from; its own come first."""
    if not isinstance(release, MapNode):
        return release
    fields: dict[Key, Node] = {}
    for item in items_of(release, "inherit"):
        template = entry(document, "templates", word(item, "template"))
        left_out = {one.text for one in items_of(item, "except") if isinstance(one, Scalar)}
        if isinstance(template, MapNode):
            fields |= {key: node for key, node in template.entries.items() if key_text(key) not in left_out}
    return with_entries(release, fields | release.entries) if fields else release


def _environments(
    repository: RepositoryFiles, folder: str, documents: list[Node], above: tuple[str, ...] = ()
) -> dict[str, Node]:
    """The environments that a helmfile lists, or a file that it is based on; `above` are the files that led to it."""
    found: dict[str, Node] = {}
    for document in documents:
        for base in items_of(document, "bases"):
            name = repository.path(folder, base.text) if isinstance(base, Scalar) else ""
            if name in repository.known and name not in above and len(above) < DEEPEST:
                inner = _documents(repository, name, {})
                found |= _environments(repository, os.path.dirname(name), inner, (*above, name))
        found |= members_of(document, "environments")
    return found


def _values(repository: RepositoryFiles, folder: str, environment: Node | None) -> dict[str, str]:
    """The values of an environment, by their dotted paths: they decide which releases are installed."""
    found: dict[str, str] = {}
    for item in _given(environment):
        if isinstance(item, MapNode):
            found |= flat(item)
        elif isinstance(item, Scalar):
            document = repository.document(repository.path(folder, item.text))
            found |= flat(document) if document is not None and not is_encrypted(document) else {}
    return found


def _given(node: Node | None) -> list[Node]:
    """The values of a release or an environment, lowest first: files, and maps of their own."""
    return [item for key in GIVEN for item in items_of(node, key)]


def _value_files(repository: RepositoryFiles, folder: str, environment: Node | None) -> list[str]:
    """The files of values of an environment."""
    named = [item.text for item in _given(environment) if isinstance(item, Scalar)]
    return [file for name in named if (file := repository.path(folder, name)) in repository.known]


def _release(
    repository: RepositoryFiles, folder: str, release: Node, environment: str, several: bool, values: dict[str, str]
) -> tuple[FoundTarget, str] | None:
    condition = word(release, "condition")
    if word(release, "installed") == "false" or (condition and values.get(condition, "false") == "false"):
        return None
    name = word(release, "name")
    chart = word(release, "chart")
    place = repository.path(folder, chart.replace(RELEASE, name))
    is_here = f"{place}/{CHART}" in repository.known
    lenient = word(release, "missingFileHandler") in ("Warn", "Info", "Debug")
    files: dict[str, Node] = {}
    inline: list[Node] = []
    for item in _given(release):
        if isinstance(item, MapNode):
            inline.append(filled(item, lambda text: text.replace(RELEASE, name)))
            continue
        file = repository.path(folder, item.text.replace(RELEASE, name)) if isinstance(item, Scalar) else ""
        if file.endswith(YAML_ENDINGS) and repository.is_expected(file, lenient or UNFILLED in file):
            files[file] = item
    called = f"{name}-{environment}" if several or environment != USUAL else name
    if is_here:
        words = {"release": name, **({"namespace": word(release, "namespace")} if entry(release, "namespace") else {})}
        return FoundTarget("chart", called, [place, *files], release, inline=inline, release=words, named=files), place
    if files:
        return FoundTarget("layers", called, [*files], release, profile="helm", inline=inline, named=files), ""
    return None
