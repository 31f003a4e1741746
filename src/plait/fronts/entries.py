"""The entries of `targets` in plait.yaml: their keys, and what each of them may be. What they mean is in `targets`."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label, for_each
from plait.core.glob import GlobError, is_pattern
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text
from plait.fronts.globbed import glob_files
from plait.fronts.setting import bad, named, profile_problem, unknown_key
from plait.report.catalog import BAD_SETTING, TARGET_EMPTY
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.access.door import Door
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Key

EXAMPLE = "write them as in `targets: [{name: prod, layers: [base.yaml, prod.yaml]}]`"
KINDS = ("layers", "template", "document", "files", "pattern", "chart", "kustomization", "compose")
"""What a target may be made of."""
SEVERAL = ("layers", "files", "compose")
"""Those that have several files."""
FOLDERS = ("chart", "kustomization")
"""Those that are a folder."""
FLAGS = ("include-crds", "skip-tests", "no-hooks", "is-upgrade")
RELEASE = ("release", "namespace", "kube-version", "api-versions", *FLAGS)
"""What helm's flags say of a chart."""
COMPOSE = ("profiles", "interpolate", "env-files")
"""What flags of docker compose say of a project."""
FROM = "from"
"""What names the file that declares targets of another tool."""
OF_ONE_KIND = {
    "profile": "layers",
    "stubs": "template",
    "evaluate": "document",
    "inputs": "pattern",
    "values": "chart",
    **dict.fromkeys(RELEASE, "chart"),
    **dict.fromkeys(COMPOSE, "compose"),
}
"""The options that only one kind of target has."""
OPTIONS = ("name", FROM, "for", *OF_ONE_KIND)


def listed(targets: Node | None) -> list[Node]:
    """The entries."""
    if targets is not None and not isinstance(targets, ListNode):
        raise bad(targets, "`targets` must be a list", EXAMPLE)
    return [] if targets is None else list(targets.items)


def check_entry(entry: Node, names: dict[tuple[str, str], Node]) -> None:
    """That a target is written as it must be; `names` has those of the targets above it."""
    at_once(lambda: _check_shape(entry), lambda: _check_name(entry, names))


def at_once(*checks: Callable[[], object]) -> None:
    """Make some checks; the errors of all come together."""
    for_each(lambda check: check(), checks)


def kind_of(entry: MapNode) -> str:
    """What a target is made of."""
    return next((kind for kind in KINDS if kind in entry.entries), FROM)


def words(node: Node | None) -> list[Scalar]:
    """The items of a list, or the only one."""
    items = node.items if isinstance(node, ListNode) else [node]
    return [item for item in items if isinstance(item, Scalar)]


def file_words(entry: MapNode) -> list[Scalar]:
    """What names the files of a target, in their order."""
    own = entry.entries.get(kind_of(entry)) if kind_of(entry) not in FOLDERS else None
    return [word for node in (own, entry.entries.get("stubs"), entry.entries.get("values")) for word in words(node)]


def wrong_entries(targets: Node | None, door: Door, folder: str) -> Iterator[Diagnostic]:
    """All that is wrong in the targets of plait.yaml, without what they mean: also globs that no file matches."""
    names: dict[tuple[str, str], Node] = {}

    def check(entry: Node) -> None:
        at_once(lambda: check_entry(entry, names), lambda: _check_globs(entry, door, folder))

    try:
        for_each(check, listed(targets))
    except Fault as fault:
        yield from fault.diagnostics


def _check_globs(entry: Node, door: Door, folder: str) -> None:
    if isinstance(entry, MapNode) and kind_of(entry) != "pattern":
        loop = entry.entries.get("for")
        variables = loop.entries if isinstance(loop, MapNode) else {}
        holes = [f"{{{key_text(key)}}}" for key in variables]
        fixed = [word for word in file_words(entry) if not any(hole in word.text for hole in holes)]
        globs = [*fixed, *(child for child in variables.values() if isinstance(child, Scalar))]
        for_each(lambda word: matching(word.text, word, door, folder, variables), globs)


def matching(pattern: str, asker: Node, door: Door, folder: str, variables: Iterable[Key]) -> list[str]:
    """The files that a word of a target means."""
    if not is_pattern(pattern):
        return [pattern]
    try:
        found = sorted(glob_files(door, folder, pattern))
    except GlobError as trouble:
        raise bad(asker, f"cannot read the pattern `{pattern}`: {trouble}") from None
    if not found:
        raise TARGET_EMPTY.error(Label(asker.origin), pattern=pattern, hint=_why_none(pattern, variables))
    return found


def _why_none(pattern: str, variables: Iterable[Key]) -> str:
    inner = pattern.partition("{")[2].partition("}")[0]
    if not inner.isidentifier():
        return "files are named from the folder of plait.yaml"
    example = f'as in `for: {{{inner}: "env/*.yaml"}}`'
    return (
        did_you_mean(f"{{{inner}}}", [f"{{{key_text(key)}}}" for key in variables])
        or f"`{inner}` is no variable: declare it, {example}"
    )


def _check_shape(entry: Node) -> None:
    if not isinstance(entry, MapNode):
        raise bad(entry, _needed(), EXAMPLE)
    if FROM in entry.entries:
        _check_from(entry)
        return
    kinds = [kind for kind in KINDS if kind in entry.entries]
    wrong: list[Diagnostic] = []
    if len(kinds) != 1 or "name" not in entry.entries:
        wrong += bad(entry, _needed(), EXAMPLE if not kinds else "").diagnostics
    try:
        for_each(lambda key: _check_field(entry, key, kinds), entry.entries)
    except Fault as fault:
        wrong += fault.diagnostics
    if wrong:
        raise Fault(*wrong)


def _needed() -> str:
    return f"a target has a `name` and one of {', '.join(f'`{kind}`' for kind in KINDS)}"


def _check_from(entry: MapNode) -> None:
    for key, child in entry.entries.items():
        name = key_text(key)
        if name not in (FROM, "name"):
            raise bad(child, f"a target with `from` has no `{name}`: the file says it", "remove it")
        named(child, f"`{name}` is one name")


def _check_name(entry: Node, names: dict[tuple[str, str], Node]) -> None:
    """That no other target of the kind has the name."""
    name = entry.entries.get("name") if isinstance(entry, MapNode) and FROM not in entry.entries else None
    if not isinstance(entry, MapNode) or not isinstance(name, Scalar):
        return
    first = names.setdefault((kind_of(entry), name.text), name)
    if first is not name:
        labels = Label(name.origin), Label(first.origin)
        why = f"two targets are named `{name.text}`"
        raise BAD_SETTING.error(*labels, why=why, hint="give one of them another name")


def _check_field(entry: MapNode, key: Key, kinds: list[str]) -> None:
    name, node = key_text(key), entry.entries[key]
    if name not in (*KINDS, *OPTIONS):
        raise unknown_key(entry, key, (*KINDS, *OPTIONS), f"unknown key `{name}` of a target")
    kind = OF_ONE_KIND.get(name)
    if kind is not None and kinds and kind not in kinds:
        label = Label(entry.key_origin(key), length=len(name))
        why = f"`{name}` is for a target with `{kind}`, and this one has `{kinds[0]}`"
        raise BAD_SETTING.error(label, why=why, hint="remove it")
    SHAPES[name](node, name)


def _one(node: Node, name: str) -> None:
    named(node, f"`{name}` is one {'folder' if name in FOLDERS else 'file' if name in KINDS else 'name'}")


def _pattern(node: Node, name: str) -> None:
    named(node, "`pattern` is the name of one pattern")


def _some(node: Node, name: str) -> None:
    items = node.items if isinstance(node, ListNode) else [node]
    if not items and name in SEVERAL:
        raise bad(node, f"`{name}` names no file")
    for_each(lambda item: named(item, f"`{name}` has names{' or globs of files' if name in FILES else ''}"), items)


def _flag(node: Node, name: str) -> None:
    if not isinstance(node, Scalar) or not isinstance(node.value, bool):
        raise bad(node, f"`{name}` is true or false")


def _profile(node: Node, name: str) -> None:
    why, hint = profile_problem(named(node, "`profile` is the name of one profile"))
    if why:
        raise bad(node, why, hint)


def _inputs(node: Node, name: str) -> None:
    if not isinstance(node, MapNode):
        raise bad(node, "`inputs` maps the inputs of a pattern to values")


def _loop(node: Node, name: str) -> None:
    if not isinstance(node, MapNode):
        raise bad(node, '`for` maps variables to globs, as in `for: {env: "env/*.yaml"}`')
    for_each(_variable, node.entries.values())


def _variable(node: Node) -> None:
    pattern = node.text if isinstance(node, Scalar) else ""
    if not any(sign in pattern for sign in "*?[{") or pattern.count("*") > 1:
        raise bad(node, "the glob of a variable has one `*`, or another wildcard, as in `c[0-9].yaml`")


FILES = ("layers", "files", "compose", "stubs", "values", "env-files")
SHAPES: dict[str, Callable[[Node, str], None]] = {
    **dict.fromkeys(("name", FROM, *KINDS, "release", "namespace", "kube-version"), _one),
    **dict.fromkeys((*FILES, "profiles", "api-versions"), _some),
    **dict.fromkeys((*FLAGS, "evaluate", "interpolate"), _flag),
    "pattern": _pattern,
    "profile": _profile,
    "inputs": _inputs,
    "for": _loop,
}
"""What each key of a target may be."""
