"""`replacements`: a field of one resource, copied into fields of others."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.fronts.kustomize.fields import flag
from plait.fronts.kustomize.history import History, child, is_absent, own, string
from plait.fronts.kustomize.selecting import Selector, names_one, says_names
from plait.regexp import Regexp
from plait.report.catalog import KUSTOMIZE_FIELD, KUSTOMIZE_NO_MATCH, KUSTOMIZE_NOTHING
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.fronts.kustomize.history import Holder
    from plait.fronts.kustomize.resource import BuiltResource

    Place = tuple[Holder, str | int]

REPLACED = "replaced by"
NAME = "metadata.name"


class Replacement:
    """One entry of `replacements`."""

    def __init__(self, node: Mapping, history: History, retyped: Callable[[str, Scalar], Scalar]) -> None:
        self._node = node
        self._history = history
        self._retyped = retyped
        source = node.entries.get("source")
        targets = node.entries.get("targets")
        if not isinstance(source, Mapping) or not isinstance(targets, Sequence):
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a replacement has a `source` and `targets`")
        self._source = source
        self._targets = [item for item in targets.items if isinstance(item, Mapping)]

    def apply(self, resources: list[BuiltResource]) -> Iterator[Diagnostic]:
        value = self._value(resources)
        for target in self._targets:
            select = target.entries.get("select")
            if not isinstance(select, Mapping):
                raise KUSTOMIZE_FIELD.error(Label(target.origin), why="a target of a replacement has `select`")
            chosen = self._chosen(resources, select, target)
            if not chosen:
                names = [f"{one.kind}/{one.name}" for one in resources]
                near = did_you_mean(f"{word(select, 'kind')}/{word(select, 'name')}", names)
                what = "this target of a replacement"
                yield KUSTOMIZE_NOTHING(Label(select.origin), what=what, hint=near)
            for resource in chosen:
                self._copy(resource, value, target)
                resource.renamed()

    def _value(self, resources: list[BuiltResource]) -> Node:
        found = [one for one in resources if any(names_one(self._source, past) for past in one.ids)]
        if len(found) != 1:
            names = [f"{one.kind}/{one.name}" for one in found or resources]
            if found:
                why, hint = f"the source means {len(found)} resources", f"choose one of: {', '.join(names[:8])}"
            else:
                why = "no resource matches the source"
                hint = did_you_mean(f"{word(self._source, 'kind')}/{word(self._source, 'name')}", names)
            raise KUSTOMIZE_NO_MATCH.error(Label(self._source.origin), why=why, hint=hint)
        path = word(self._source, "fieldPath") or NAME
        places = list(_places(found[0].node, split_path(path), None, self._source))
        node = child(*places[0]) if places else None
        if is_absent(node) or node is None:
            label = Label(self._source.entries.get("fieldPath", self._source).origin)
            hint = _near_field(found[0], path)
            raise KUSTOMIZE_NO_MATCH.error(label, why=f"`{path}` is not in {found[0].kind}/{found[0].name}", hint=hint)
        return self._refined(node)

    def _refined(self, node: Node) -> Node:
        options = self._source.entries.get("options")
        delimiter = word(options, "delimiter")
        if not delimiter:
            return node
        parts = self._scalar(node, options).text.split(delimiter)
        index = _index(options)
        if not 0 <= index < len(parts):
            why = f"`index: {index}`: the value has {len(parts)} parts"
            raise KUSTOMIZE_FIELD.error(Label((options or node).origin), why=why)
        return string(parts[index], node)

    def _scalar(self, node: Node, options: Node | None) -> Scalar:
        if not isinstance(node, Scalar):
            raise KUSTOMIZE_FIELD.error(Label((options or node).origin), why="`delimiter` is for single values")
        return node

    def _chosen(self, resources: list[BuiltResource], select: Mapping, target: Mapping) -> list[BuiltResource]:
        reject = target.entries.get("reject")
        rejects = [item for item in reject.items if isinstance(item, Mapping)] if isinstance(reject, Sequence) else []
        wanted, unwanted = Selector(select), [(Selector(item), item) for item in rejects]
        return [
            one
            for one in resources
            if any(names_one(select, past) for past in one.ids)
            and wanted.suits(one)
            and not any(selector.has_labels and selector.suits(one) for selector, _ in unwanted)
            and not any(says_names(item) and any(names_one(item, past) for past in one.ids) for _, item in unwanted)
        ]

    def _copy(self, resource: BuiltResource, value: Node, target: Mapping) -> None:
        options = target.entries.get("options")
        create = value if flag(options, "create") else None
        paths = target.entries.get("fieldPaths")
        named = [item for item in paths.items if isinstance(item, Scalar)] if isinstance(paths, Sequence) else []
        wanted: list[tuple[str, Node]] = [(item.text, item) for item in named]
        for path, node in wanted or [(NAME, target)]:
            places = list(_places(resource.node, split_path(path), create, node))
            if not places:
                why = f"`{path}` is not in {resource.kind}/{resource.name}"
                hint = _near_field(resource, path) or "`options: {create: true}` makes it"
                raise KUSTOMIZE_NO_MATCH.error(Label(node.origin), why=why, hint=hint)
            for holder, key in places:
                self._write(holder, key, value, options)

    def _write(self, holder: Holder, key: str | int, value: Node, options: Node | None) -> None:
        before = child(holder, key)
        delimiter = word(options, "delimiter")
        if delimiter and before is not None:
            text = _joined(self._scalar(before, options).text, self._scalar(value, options).text, delimiter, options)
            value = string(text, value)
        if isinstance(before, Scalar) and isinstance(value, Scalar):
            made = self._retyped(value.text, before)
            node: Node = Scalar(made.value, made.text, value.source, value.at, None, value.secret)
        else:
            node = own(value, self._history, REPLACED, self._node)
        self._history.put(holder, key, node, REPLACED, self._node, value, reads=(value,))


def _joined(text: str, value: str, delimiter: str, options: Node | None) -> str:
    parts = text.split(delimiter)
    index = _index(options)
    if index < 0:
        parts.insert(0, value)
    elif index >= len(parts):
        parts.append(value)
    else:
        parts[index] = value
    return delimiter.join(parts)


def _index(options: Node | None) -> int:
    field = options.entries.get("index") if isinstance(options, Mapping) else None
    return field.value if isinstance(field, Scalar) and isinstance(field.value, int) else 0


def _near_field(resource: BuiltResource, path: str) -> str:
    steps = split_path(path)
    node: Node | None = resource.node
    for at, step in enumerate(steps):
        found = child(node, step) if isinstance(node, Mapping) else None
        if found is None:
            known = [str(key) for key in node.entries] if isinstance(node, Mapping) else []
            near = did_you_mean(step, known)
            return near if near else f"there is: {', '.join(known[:8])}" if known and at else ""
        node = found
    return ""


# Paths: `spec.template.spec.containers.[name=web].env.0.value`, `metadata.annotations.a\.b/c`, `spec.ports.*.port`


def split_path(path: str) -> list[str]:
    """The steps of a path: dots inside brackets or after a backslash do not count."""
    steps, inside, escaped = [""], False, False
    for letter in path:
        if escaped:
            steps[-1] += letter
            escaped = False
        elif letter == "\\":
            escaped = True
        elif letter == "." and not inside:
            steps.append("")
        else:
            inside = letter == "[" or (inside and letter != "]")
            steps[-1] += letter
    return [step for step in steps if step]


def _places(root: Node, steps: list[str], create: Node | None, asked: Node) -> Iterator[Place]:
    """The fields that a path means, made as `create` is where they are wanted and missing."""
    stack: list[tuple[Node, int]] = [(root, 0)]
    while stack:
        node, at = stack.pop()
        found = list(_step(node, steps, at, create, asked))
        if at == len(steps) - 1:
            yield from found
        else:
            below = [child(holder, key) for holder, key in found]
            stack.extend((one, at + 1) for one in reversed(below) if one is not None)


def _step(node: Node, steps: list[str], at: int, create: Node | None, asked: Node) -> Iterator[Place]:
    step = steps[at]
    if step == "*":
        if isinstance(node, Sequence):
            yield from ((node, number) for number in range(len(node.items)))
        return
    if step.startswith("[") and step.endswith("]"):
        yield from _matching(node, step[1:-1], create, asked)
        return
    if isinstance(node, Mapping):
        if is_absent(node.entries.get(step)) and create is not None:
            node.entries[step] = _empty(steps[at + 1] if at + 1 < len(steps) else "", create)
        if step in node.entries:
            yield node, step
    elif isinstance(node, Sequence) and (step.isdecimal() or step == "-"):
        index = int(step) if step != "-" else len(node.items)
        if index == len(node.items) and create is not None:
            node.items.append(_empty(steps[at + 1] if at + 1 < len(steps) else "", create))
        if index < len(node.items):
            yield node, index


def _matching(node: Node, text: str, create: Node | None, asked: Node) -> Iterator[Place]:
    """Items of a list with a field that a pattern is found in."""
    name, equals, wanted = text.partition("=")
    if not isinstance(node, Sequence) or not equals:
        return
    try:
        pattern = Regexp(wanted)
    except ValueError as trouble:
        raise _bad_pattern(asked, wanted, trouble) from None
    found = [number for number, item in enumerate(node.items) if _fits(item, name, pattern)]
    if not found and create is not None:
        value = string(wanted, create)
        node.items.append(Mapping({name: value}, create.source, create.at) if name else value)
        found = [len(node.items) - 1]
    yield from ((node, number) for number in found)


def _fits(item: Node, name: str, pattern: Regexp) -> bool:
    field = item.entries.get(name) if name and isinstance(item, Mapping) else item if not name else None
    return isinstance(field, Scalar) and pattern.found_in(field.text)


def _empty(next_step: str, create: Node) -> Node:
    """What is made for a step of a path: what the next step needs; for the last one, an empty value of its kind."""
    if not next_step:
        if isinstance(create, Mapping):
            return Mapping({}, create.source, create.at)
        if isinstance(create, Sequence):
            return Sequence([], create.source, create.at)
        return Scalar(None, "", create.source, create.at)
    if next_step.isdecimal() or next_step.startswith("[") or next_step == "-":
        return Sequence([], create.source, create.at)
    return Mapping({}, create.source, create.at)


def _bad_pattern(node: Node, pattern: str, trouble: Exception) -> PlaitError:
    return KUSTOMIZE_FIELD.error(Label(node.origin), why=f"invalid pattern `{pattern}`: {trouble}")
