"""What Argo CD deploys: Applications, and the Applications that an ApplicationSet makes."""

from __future__ import annotations

import os
import re

from plait.core.find import entry, items_of, members_of, word
from plait.core.glob import Glob, GlobError
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text, rewrite
from plait.core.plain import from_plain
from plait.core.source import DATA_ENDINGS
from plait.core.walk import leaf_nodes, leaves_of
from plait.fronts.deployed import EVALUATED, GROUP, INLINE, unapplied_fields
from plait.fronts.discovery.found import FoundTarget, ObjectParts
from plait.fronts.discovery.repository import is_kind
from plait.fronts.inline import unfilled
from plait.fronts.signs import CHART

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.path import Path
    from plait.fronts.discovery.repository import RepositoryFiles

    Fill = Callable[[str], str]
    Words = dict[str, str]

BRACES = re.compile(r"\{\{-?\s*(.*?)\s*-?\}\}")
INDEX = re.compile(r"index\s+\.path\.segments\s+(\d+)\Z|\.?path\[(\d+)\]\Z")
PIPE = re.compile(r"\s*\|\s*")
WORDS = "file of the words"
"""Where the file that words come from is kept among them."""


def applications_of(repository: RepositoryFiles, file: str) -> Iterator[tuple[FoundTarget, str]]:
    """The targets that the manifests of a file declare, each with the folder that it claims."""
    for document in repository.documents(file):
        if is_kind(document, GROUP, "Application"):
            yield from _sources(repository, document, document, _same)
        elif is_kind(document, GROUP, "ApplicationSet"):
            template = entry(document, "spec", "template")
            for words in _all_words(repository, items_of(document, "spec", "generators")):
                for target, folder in _sources(repository, document, template, _filler(words)):
                    target.told = [file for file in [words.get(WORDS)] if file]
                    yield target, folder


def _same(text: str) -> str:
    return text


def generated(repository: RepositoryFiles, document: Node) -> list[Node]:
    """The Applications that an ApplicationSet makes, as far as that is known. One that words do not fill completely
    has them, too: functions that are not known here may read them."""
    template = entry(document, "spec", "template")
    if template is None:
        return []
    found: list[Node] = []
    for words in _all_words(repository, items_of(document, "spec", "generators")):
        made = filled(template, _filler(words))
        is_filled = not any(isinstance(leaf, Scalar) and "{{" in leaf.text for leaf in leaf_nodes(made))
        if isinstance(made, MapNode) and not is_filled:
            made = made.but(entries={**made.entries, "words": from_plain(words)})
        found.append(made)
    return found


def knows_generators(document: Node) -> bool:
    """Whether all that an ApplicationSet makes is known: no generator asks a cluster or a server."""
    generators = items_of(document, "spec", "generators")
    generators += [inner for one in generators for inner in items_of(one, "matrix", "generators")]
    return all(isinstance(one, MapNode) and one.entries.keys() <= {"list", "git", "matrix"} for one in generators)


def application_parts(repository: RepositoryFiles, application: Node) -> ObjectParts:
    """What of an Application is evaluated as a target, and what it names beside that."""
    found = ObjectParts()
    sources: list[tuple[Path, Node]] = [
        (("spec", "sources", at), one) for at, one in enumerate(items_of(application, "spec", "sources"))
    ]
    one = entry(application, "spec", "source")
    for place, source in sources or ([(("spec", "source"), one)] if one is not None else []):
        _add_source(repository, source, place, found)
    if found.fields:
        found.fields |= {("metadata", "name"), ("spec", "destination", "namespace")}
        found.is_changed = bool(list(unapplied_fields(application)))
    return found


def _add_source(repository: RepositoryFiles, source: Node, place: Path, found: ObjectParts) -> None:
    """Add what is evaluated of a source of an Application, and what it names."""
    path = repository.path(word(source, "path"))
    is_here = bool(word(source, "path")) and "{{" not in path
    if is_here and f"{path}/{CHART}".lstrip("/") in repository.known:
        found.fields |= {(*place, "path"), *((*place, "helm", key) for key in EVALUATED)}
    elif is_here and repository.kustomization(path):
        found.fields |= {(*place, "path")}
    elif is_here:
        is_deep = word(source, "directory", "recurse") == "true" or entry(source, "plugin") is not None
        found.folders.append((path, is_deep))
    if word(source, "chart"):
        found.files += _files(repository, source, "", _same)


# The sources of an application


def _sources(
    repository: RepositoryFiles, document: Node, application: Node | None, fill: Fill
) -> Iterator[tuple[FoundTarget, str]]:
    name = fill(word(application, "metadata", "name"))
    namespace = fill(word(application, "spec", "destination", "namespace"))
    sources = items_of(application, "spec", "sources") or [
        one for one in [entry(application, "spec", "source")] if one is not None
    ]
    deployed = [source for source in sources if word(source, "path") or word(source, "chart")]
    for source in deployed:
        path = repository.path(fill(word(source, "path")))
        called = name if len(deployed) == 1 else f"{name}-{os.path.basename(path) or fill(word(source, 'chart'))}"
        made = _source(repository, document, source, path, fill, called, namespace)
        if made is not None:
            yield made, path


def _source(
    repository: RepositoryFiles, document: Node, source: Node, path: str, fill: Fill, name: str, namespace: str
) -> FoundTarget | None:
    """A source as a target; None where it is not in this repository, or has nothing to merge or build."""
    is_here = bool(word(source, "path")) and "{{" not in path
    if is_here and f"{path}/{CHART}".lstrip("/") in repository.known:
        release = fill(word(source, "helm", "releaseName")) or fill(word(document, "metadata", "name"))
        words = {"release": release if "{{" not in release else name, **({"namespace": namespace} if namespace else {})}
        files = _files(repository, source, path, fill)
        if next(iter(files), "") == repository.path(path, "values.yaml"):
            del files[next(iter(files))]
        return FoundTarget(
            "chart", name, [path or ".", *files], document,
            inline=_inline(source, fill), release=words, named=files,
        )  # fmt: skip
    if is_here and repository.kustomization(path):
        return FoundTarget("kustomization", name, [path or "."], document)
    if word(source, "chart"):
        files = _files(repository, source, "", fill)
        if files:
            inline = _inline(source, fill)
            return FoundTarget("layers", name, [*files], document, profile="helm", inline=inline, named=files)
    return None


def _files(repository: RepositoryFiles, source: Node, path: str, fill: Fill) -> dict[str, Node]:
    """The values files of a source, as paths from the root, each with what names it; those that are not there only
    where that is an error."""
    lenient = word(source, "helm", "ignoreMissingValueFiles") == "true"
    found: dict[str, Node] = {}
    for item in items_of(source, "helm", "valueFiles"):
        name = fill(item.text) if isinstance(item, Scalar) else ""
        if name.startswith("$"):
            file = repository.path(name.partition("/")[2])
        else:
            file = repository.path(name.lstrip("/")) if name.startswith("/") else repository.path(path, name)
        if "://" not in name and repository.is_expected(file, lenient or bool(word(source, "chart"))):
            found[file] = item
    return found


def _inline(source: Node, fill: Fill) -> list[Node]:
    """Values that are written in the manifest, the lowest first, filled; what cannot be filled is not known."""
    found = [node for key in INLINE if (node := entry(source, "helm", key)) is not None]
    parameters = entry(source, "helm", "parameters")
    found += [parameters] if isinstance(parameters, ListNode) and parameters.items else []
    if fill is _same:
        return found
    return [filled(node, lambda text: BRACES.sub(lambda left: unfilled(left.group(1)), fill(text))) for node in found]


# Generators


def _all_words(repository: RepositoryFiles, generators: list[Node]) -> Iterator[Words]:
    """The words of every application that generators make; none of those that ask a cluster or a server."""
    for generator in generators:
        for words in _words(repository, generator):
            repository.charge()
            yield words


def _words(repository: RepositoryFiles, generator: Node) -> Iterator[Words]:
    more = {
        f"values.{name}": node.text
        for name, node in members_of(generator, "git", "values").items()
        if isinstance(node, Scalar)
    }
    for element in items_of(generator, "list", "elements"):
        yield flat(element)
    for folder in _folders(repository, items_of(generator, "git", "directories")):
        yield {**_place(folder), **more}
    for file in _matching(repository, items_of(generator, "git", "files")):
        document = repository.document(file)
        for one in document.items if isinstance(document, ListNode) else [document]:
            words = flat(one) if one is not None else {}
            yield {
                **words,
                **_place(os.path.dirname(file)),
                "path.filename": os.path.basename(file),
                **more,
                WORDS: file,
            }
    inner = items_of(generator, "matrix", "generators")
    if len(inner) == 2:
        for first in _words(repository, inner[0]):
            for second in _words(repository, filled(inner[1], _filler(first))):
                yield {**first, **second}


def filled(node: Node, fill: Fill) -> Node:
    """A part of a template with other texts."""

    def leaf(one: Node) -> Node:
        text = fill(one.text) if isinstance(one, Scalar) else ""
        return Scalar(text, text, one.source, one.at) if isinstance(one, Scalar) and text != one.text else one

    return rewrite(node, leaf)


def _folders(repository: RepositoryFiles, entries: list[Node]) -> list[str]:
    """The folders that the directories of a generator match."""
    wanted = [(word(one, "path"), word(one, "exclude") == "true") for one in entries]
    folders = sorted(folder for folder in repository.folders if folder)
    return [
        folder
        for folder in folders
        if any(matches(folder, pattern) for pattern, without in wanted if not without)
        and not any(matches(folder, pattern) for pattern, without in wanted if without)
    ]


def _matching(repository: RepositoryFiles, entries: list[Node]) -> list[str]:
    """The files that a generator matches."""
    wanted = [(word(one, "path"), word(one, "exclude") == "true") for one in entries]
    return [
        file
        for file in repository.files
        if any(matches(file, pattern) for pattern, without in wanted if not without)
        and not any(matches(file, pattern) for pattern, without in wanted if without)
        and file.endswith(DATA_ENDINGS)
    ]


def matches(path: str, pattern: str) -> bool:
    """Whether a path matches a glob in which `*` is a part of one name, and `**` any number of folders."""
    try:
        return Glob(pattern.strip("/")).matches(path)
    except GlobError:
        return False


# Words in templates


def flat(node: Node) -> Words:
    """The scalars of a map by their dotted paths."""
    found: Words = {}
    for path, one in leaves_of(node):
        if path and isinstance(one, Scalar) and not any(isinstance(step, int) for step in path):
            found[".".join(key_text(step) for step in path if not isinstance(step, int))] = one.text
    return found


def _place(folder: str) -> Words:
    """What a folder is called in templates."""
    name = os.path.basename(folder)
    normal = re.sub(r"[^a-z0-9.-]", "-", name.lower())
    words = {"path": folder, "path.path": folder, "path.basename": name, "path.basenameNormalized": normal}
    return {**words, **{f"path.segments.{number}": part for number, part in enumerate(folder.split("/"))}}


def _filler(words: Words) -> Fill:
    """Fills the braces of a text with words; braces that say anything else stay."""

    def replaced(match: re.Match[str]) -> str:
        name, *functions = PIPE.split(match.group(1))
        index = INDEX.match(name)
        key = f"path.segments.{index.group(1) or index.group(2)}" if index else name.lstrip(".")
        value = words.get(key)
        if value is None or any(one not in ("quote", "lower", "upper", "toString") for one in functions):
            return match.group(0)
        value = value.lower() if "lower" in functions else value.upper() if "upper" in functions else value
        return f'"{value}"' if "quote" in functions else value

    return lambda text: BRACES.sub(replaced, text) if "{{" in text else text
