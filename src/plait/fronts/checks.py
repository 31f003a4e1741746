"""What is wrong with a layer although it is valid YAML: a text where a map belongs, a template that was not
rendered."""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label
from plait.core.node import ListNode, MapNode, Node, Scalar, children
from plait.core.path import Keyed, Path, format_path
from plait.core.policy import PlaceRule, distinct_positions
from plait.core.source import Origin, Source
from plait.fronts.settings import FLAG
from plait.report.catalog import BAD_LAYER, BAD_RULE, NOT_FOLLOWED, UNKNOWN_TO_TOOL, YAML_SYNTAX, Code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.profiles import Profile
    from plait.profiles.rules import NotFollowed

KINDS = {"mapping": "a map", "sequence": "a list", "scalar": "a single value"}
OTHER_FORMATS = (".toml", ".ini", ".properties", ".tf", ".tfvars", ".hcl", ".xml")


def check_layers(documents: Iterable[tuple[str, Node]]) -> None:
    """Reject layers that are probably mistakes, and report all of them."""
    documents = list(documents)
    sources = {node.source for _, node in documents if isinstance(node.source, Source)}
    suspect = {source for source in sources if "{{" in source.text}
    diagnostics = [one for name, node in documents for one in (*_texts(name, node), *_templates(node, suspect))]
    diagnostics = diagnostics or list(_mixed(documents))
    if diagnostics:
        raise Fault(*diagnostics)


def _texts(name: str, node: Node) -> Iterator[Diagnostic]:
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.tag is not None or not node.text:
        return
    source = node.source
    assert isinstance(source, Source)
    from plait.yaml.hints import advise_on_text

    advice = advise_on_text(source.text, node.at)
    why = f"`{name}` is a string, not a map or a list" + (f": {advice.why}" if advice.why else "")
    other = source.name.endswith(OTHER_FORMATS)
    hint = "plait reads YAML and JSON: convert the file first" if other else advice.hint
    yield BAD_LAYER(Label.at(source, advice.at, length=advice.length), why=why, hint=hint)


def _templates(node: Node, suspect: set[Source]) -> Iterator[Diagnostic]:
    """`{{ .Values.x }}` without quotes: YAML reads a map whose key is a map. `suspect` are the sources with such
    braces."""
    source = node.source
    if not isinstance(source, Source) or source not in suspect:
        return
    from plait.core.walk import nodes_of

    for at in nodes_of(node, lambda one: () if _is_unbuilt(one) or _has_template(one) else children(one)):
        if not _is_unbuilt(at) and _has_template(at):
            from plait.yaml.hints import TEMPLATE

            why = "this looks like a template, not like YAML"
            yield YAML_SYNTAX(Label.at(source, at.at, length=2), why=why, hint=TEMPLATE)


def _is_unbuilt(node: Node) -> bool:
    """Whether a node is a map that is not built yet: no key in it is a map."""
    return isinstance(node, MapNode) and node.is_unbuilt


def _has_template(node: Node) -> bool:
    return isinstance(node, MapNode) and any(_is_template(key) for key in node.entries)


def _is_template(key: object) -> bool:
    if not isinstance(key, MapNode) or not isinstance(key.source, Source):
        return False
    return key.source.text.startswith("{{", key.at - 1)


def _mixed(documents: list[tuple[str, Node]]) -> Iterator[Diagnostic]:
    """A list among maps, or a map among lists."""
    known = [(name, node) for name, node in documents if isinstance(node, MapNode | ListNode | Scalar)]
    for name, node in known[1:]:
        first, lowest = known[0]
        if node.kind != lowest.kind and not (isinstance(node, MapNode | ListNode) and _replaces(node)):
            why = f"`{name}` is {KINDS[node.kind]}, and `{first}` is {KINDS[lowest.kind]}"
            hint = (
                "check the order and the names of the layers; `--- !replace` at the top of a file "
                "replaces everything below"
            )
            yield BAD_LAYER(Label(lowest.origin), Label(node.origin), why=why, hint=hint)


def _replaces(node: MapNode | ListNode) -> bool:
    return node.alone if isinstance(node, MapNode) else node.rule is not None


def not_followed(documents: Iterable[Node], profile: Profile | None) -> list[Diagnostic]:
    """Keys that the profile's tool acts on, and plait does not, each with what to do instead."""
    if profile is None:
        return []
    sources: dict[Source, list[NotFollowed]] = {}
    found: list[Diagnostic] = []
    for document in documents:
        source = document.source
        if not isinstance(source, Source):
            continue
        if source not in sources:  # a file may have thousands of documents, and its text is searched once
            sources[source] = [rule for rule in profile.not_followed if rule.path[-1].rstrip("*") in source.text]
        found += [
            NOT_FOLLOWED(Label(at, "", len(key)), profile=profile.name, key=key, hint=rule.instead)
            for rule in sources[source]
            for key, at in _keys_at(document, rule.path)
        ]
    return found


OWN_KEYS = "x-"
"""What begins a key that a tool leaves to its users."""


def unknown_keys(document: Node, profile: Profile) -> Iterator[Diagnostic]:
    """Keys of a document that the profile's tool does not have, in the maps whose keys are known."""
    from plait.report.near import did_you_mean

    for pattern, known in profile.keys.items():
        for node in maps_at(document, pattern):
            for key in node.entries:
                if str(key) not in known and not str(key).startswith(OWN_KEYS):
                    where = f"the key `{key}`" + (f" in `{pattern[-1]}`" if pattern and pattern[-1] != "*" else "")
                    hint = did_you_mean(str(key), known) or "remove it, or begin it with `x-` if it is your own"
                    label = Label(node.key_origin(key), "", len(str(key)))
                    yield UNKNOWN_TO_TOOL(label, tool=profile.name, what=where, hint=hint)


def maps_at(node: Node, pattern: tuple[str, ...]) -> Iterator[MapNode]:
    """The maps of a document at a path; in it, `*` is any key or item."""
    if pattern and pattern[0] == "*" and isinstance(node, ListNode):
        for item in node.items:
            yield from maps_at(item, pattern[1:])
    if not isinstance(node, MapNode):
        return
    if not pattern:
        yield node
        return
    for key in node.entries if pattern[0] == "*" else [key for key in node.entries if key == pattern[0]]:
        yield from maps_at(node.entries[key], pattern[1:])


def _keys_at(document: Node, pattern: tuple[str, ...]) -> Iterator[tuple[str, Origin]]:
    """The keys of a document that a pattern means, and where they are written."""
    stack: list[tuple[Node, tuple[str, ...]]] = [(document, ())]
    while stack:
        node, path = stack.pop()
        for step, child in children(node):
            below = (*path, str(step))
            if isinstance(node, MapNode) and _fits(below, pattern):
                yield str(step), node.key_origin(step)  # type: ignore[arg-type]
            elif pattern[0] == "**" or len(below) < len(pattern):
                stack.append((child, below))


def _fits(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if pattern[0] == "**":
        return _fits_step(path[-1], pattern[-1])
    return len(path) == len(pattern) and all(map(_fits_step, path, pattern))


def _fits_step(step: str, pattern: str) -> bool:
    """Whether a step is the one that a pattern names; a pattern that ends in `*` names all that begin so."""
    return step.startswith(pattern[:-1]) if pattern.endswith("*") else step == pattern


def check_rules(patterns: Iterable[PlaceRule], documents: list[Node]) -> None:
    """Refuse a `--list` that names no list of any layer. Rules in files apply to many merges, so this check does not
    cover them."""
    given = [pattern for pattern in patterns if pattern.weight[0] == FLAG]
    if given and not any(document.live for document in documents):
        unused = [one for pattern in given if (one := unused_rule(pattern, documents, BAD_RULE)) is not None]
        if unused:
            raise Fault(*unused)


def _names_items(pattern: PlaceRule) -> bool:
    return any(isinstance(step, Keyed) for step in pattern.path)


def unused_rule(pattern: PlaceRule, documents: list[Node], code: Code) -> Diagnostic | None:
    """What there is to say about a list rule that matches no list of any document; None where it matches one."""
    from plait.report.near import did_you_mean

    if _names_items(pattern):
        return None
    lists: dict[str, None] = {}
    stack: list[tuple[Node, list[PlaceRule], Path]] = [
        (document, list(pattern.unfolded()), ()) for document in documents
    ]
    while stack:
        node, states, path = stack.pop()
        if isinstance(node, ListNode):
            if any(not state.path for state in states):
                return None
            lists[format_path(path)] = None
        for step, child in children(node):
            below = (one for state in states if state.path for one in state.after(step))
            after = distinct_positions(left for one in below for left in one.unfolded())
            stack.append((child, after, (*path, step)))
    name, rule = format_path(pattern.path), f"{format_path(pattern.path)}={pattern.rule}"
    flag = pattern.weight[0] == FLAG
    label = Label.at(Source(f"--list {rule}" if flag else f"lists: {rule}", rule, given=flag), 0, length=len(name))
    hint = did_you_mean(name, lists) or (
        f"there are lists at {', '.join(list(lists)[:8])}" if lists else "no layer has a list"
    )
    return code(label, name=name, why=f"no layer has a list at `{name}`", hint=hint)
