"""`replacements`: a field of one resource, copied into fields of others."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.fields import flag
from plait.fronts.kustomize.history import History, child, is_absent, own, place, string
from plait.fronts.kustomize.kustomization import READER
from plait.fronts.kustomize.selecting import Selector, names_one, says_names
from plait.regexp import Regexp
from plait.report.catalog import KUSTOMIZE_FIELD, KUSTOMIZE_NO_MATCH, KUSTOMIZE_NOTHING
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.core.node import Value
    from plait.fronts.kustomize.history import Holder
    from plait.fronts.kustomize.resource import BuiltResource

    Place = tuple[Holder, str | int]

REPLACED = "replaced by"
NAME = "metadata.name"
MADE = "kustomize:made"
"""The tag of a value that was made to be set."""


class Replacement:
    """One entry of `replacements`."""

    def __init__(self, node: MapNode, history: History) -> None:
        self._node = node
        self._history = history
        source = node.entries.get("source")
        targets = node.entries.get("targets")
        if not isinstance(source, MapNode) or not isinstance(targets, ListNode):
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a replacement has a `source` and `targets`")
        self._source = source
        self._targets = [item for item in targets.items if isinstance(item, MapNode)]

    def apply(self, resources: list[BuiltResource]) -> Iterator[Diagnostic]:
        value = self._value(resources)
        for target in self._targets:
            select = target.entries.get("select")
            if not isinstance(select, MapNode):
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
        asked = self._source.entries.get("fieldPath", self._source)
        node = _source_place(found[0].node, split_path(path), asked)
        if is_absent(node) or node is None or _is_empty(node):
            label = Label(asked.origin)
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

    def _chosen(self, resources: list[BuiltResource], select: MapNode, target: MapNode) -> list[BuiltResource]:
        reject = target.entries.get("reject")
        rejects = [item for item in reject.items if isinstance(item, MapNode)] if isinstance(reject, ListNode) else []
        wanted, unwanted = Selector(select), [(Selector(item), item) for item in rejects]
        return [
            one
            for one in resources
            if any(names_one(select, past) for past in one.ids)
            and wanted.suits(one)
            and not any(selector.has_labels and selector.suits(one) for selector, _ in unwanted)
            and not any(says_names(item) and any(names_one(item, past) for past in one.ids) for _, item in unwanted)
        ]

    def _copy(self, resource: BuiltResource, value: Node, target: MapNode) -> None:
        options = target.entries.get("options")
        create = value if flag(options, "create") else None
        paths = target.entries.get("fieldPaths")
        named = [item for item in paths.items if isinstance(item, Scalar)] if isinstance(paths, ListNode) else []
        wanted: list[tuple[str, Node]] = [(item.text, item) for item in named]
        for path, node in wanted or [(NAME, target)]:
            found = list(places(resource.node, split_path(path), create, node))
            if not found:
                why = f"`{path}` is not in {resource.kind}/{resource.name}"
                hint = _near_field(resource, path) or "`options: {create: true}` makes it"
                raise KUSTOMIZE_NO_MATCH.error(Label(node.origin), why=why, hint=hint)
            for holder, key in found:
                self._write(holder, key, value, options)

    def _write(self, holder: Holder, key: str | int, value: Node, options: Node | None) -> None:
        before = child(holder, key)
        delimiter = word(options, "delimiter")
        if delimiter and before is not None:
            text = _joined(self._scalar(before, options).text, self._scalar(value, options).text, delimiter, options)
            value = string(text, value)
        if isinstance(before, Scalar):
            text = value.text if isinstance(value, Scalar) else ""
            made = before_typed(text, before, self._node)
            node: Node = Scalar(made, text, value.source, value.at, None, isinstance(value, Scalar) and value.secret)
        else:
            node = own(value, self._history, REPLACED, self._node)
        self._history.put(holder, key, node, REPLACED, self._node, value, reads=(value,))


def before_typed(text: str, before: Scalar, asked: Node) -> Value:
    """A text in the place of a value, which keeps its type; what was made for it has the type of the text."""
    if isinstance(before.value, str):
        return text
    value = READER.schema.resolve(text)
    if before.tag == MADE:
        return value
    if isinstance(before.value, float) and type(value) is int:
        return float(value)
    if type(value) is not type(before.value):
        labels = (Label(asked.origin), Label(before.origin, f"`{before.text}` is here"))
        why = f"`{text}` cannot replace a value of another type"
        raise KUSTOMIZE_FIELD.error(*labels, why=why, hint="put the old value in quotes")
    return value


def _is_empty(node: Node) -> bool:
    return (isinstance(node, MapNode) and not node.entries) or (isinstance(node, ListNode) and not node.items)


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
    field = options.entries.get("index") if isinstance(options, MapNode) else None
    return field.value if isinstance(field, Scalar) and isinstance(field.value, int) else 0


def _near_field(resource: BuiltResource, path: str) -> str:
    steps = split_path(path)
    node: Node | None = resource.node
    for at, step in enumerate(steps):
        found = child(node, step) if isinstance(node, MapNode) else None
        if found is None:
            known = [str(key) for key in node.entries] if isinstance(node, MapNode) else []
            near = did_you_mean(step, known)
            return near if near else f"there is: {', '.join(known[:8])}" if known and at else ""
        node = found
    return ""


# Paths: `spec.template.spec.containers.[name=web].env.0.value`, `metadata.annotations.a\.b/c`, `spec.ports.*.port`


def split_path(path: str) -> list[str]:
    """The steps of a path. A dot after a backslash does not count, nor one in brackets; brackets around a name that has
    dots are taken off."""
    steps: list[str] = []
    for step in path.removeprefix(".").split("."):
        last = steps[-1] if steps else ""
        if last.endswith("\\"):
            steps[-1] = f"{last[:-1]}.{step}"
        elif last.startswith("[") and not last.endswith("]"):
            steps[-1] = f"{last}.{step}"
        else:
            steps.append(step)
    return [step.strip("[]") if "." in step and step.startswith("[") and "=" not in step else step for step in steps]


def _source_place(root: Node, steps: list[str], asked: Node) -> Node | None:
    """The field that a path of a source means: items of lists by an exact value, the first one; `-` is the last."""
    node: Node | None = root
    for step in (step.strip() for step in steps if step.strip()):
        if step == "*":
            raise KUSTOMIZE_FIELD.error(Label(asked.origin), why="a source is one field, and `*` means several")
        if node is None or is_absent(node):
            return None
        if _is_index(step) or step == "-" or _is_match(step):
            node = _source_item(_listed(node, step, asked), step)
        else:
            node = _mapped(node, step, asked).entries.get(step)
    return node


def _source_item(node: ListNode, step: str) -> Node | None:
    if _is_match(step):
        name, _, wanted = step[1:-1].partition("=")
        return next((item for item in node.items if _text(item, name) == wanted), None)
    return child(node, len(node.items) - 1 if step == "-" else int(step)) if node.items else None


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdecimal()


def _is_match(step: str) -> bool:
    return step.startswith("[") and step.endswith("]") and "=" in step


def _listed(node: Node, step: str, asked: Node) -> ListNode:
    if not isinstance(node, ListNode):
        raise KUSTOMIZE_FIELD.error(Label(asked.origin), why=f"`{step}` is for lists, and there is a {node.kind}")
    return node


def _mapped(node: Node, step: str, asked: Node) -> MapNode:
    if not isinstance(node, MapNode):
        raise KUSTOMIZE_FIELD.error(Label(asked.origin), why=f"`{step}` is for mappings, and there is a {node.kind}")
    return node


def places(root: Node, steps: list[str], create: Node | None, asked: Node) -> Iterator[Place]:
    """The fields that a path of a target means, made as `create` is where they are wanted and missing."""
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
    if is_absent(node) and create is None:
        return
    if step == "*":
        every = _listed(node, step, asked)
        yield from ((every, number) for number in range(len(every.items)))
    elif step.startswith("[") and step.endswith("]"):
        yield from _matching(_listed(node, step, asked), step, create, asked)
    else:
        holder: Holder = _listed(node, step, asked) if _is_index(step) else _mapped(node, step, asked)
        key = int(step) if isinstance(holder, ListNode) else step
        is_end = not isinstance(holder, ListNode) or key == len(holder.items)
        if child(holder, key) is None and create is not None and is_end:
            place(holder, key, _empty(steps[at + 1] if at + 1 < len(steps) else "", create))
        if child(holder, key) is not None:
            yield holder, key


def _matching(node: ListNode, step: str, create: Node | None, asked: Node) -> Iterator[Place]:
    """Items of a list with a field that a pattern is found in."""
    name, equals, wanted = step[1:-1].partition("=")
    if not equals:
        why = f"`{step}` does not say which items of the list"
        raise KUSTOMIZE_FIELD.error(Label(asked.origin), why=why, hint="write a field and its value: [name=web]")
    try:
        pattern = Regexp(wanted)
    except ValueError as trouble:
        raise _bad_pattern(asked, wanted, trouble) from None
    found = [number for number, item in enumerate(node.items) if _fits(item, name, pattern)]
    if not found and create is not None:
        value = string(wanted, create)
        node.items.append(MapNode({name: value}, create.source, create.at) if name else value)
        found = [len(node.items) - 1]
    yield from ((node, number) for number in found)


def _fits(item: Node, name: str, pattern: Regexp) -> bool:
    found = _text(item, name)
    return found is not None and pattern.found_in(found)


def _text(item: Node, name: str) -> str | None:
    """The text of a field of an item, or of the item itself."""
    field = item.entries.get(name) if name and isinstance(item, MapNode) else item if not name else None
    return field.text if isinstance(field, Scalar) else None


def _empty(next_step: str, create: Node) -> Node:
    """What is made for a step of a path: what the next step needs; for the last one, an empty value of its kind."""
    if not next_step:
        if isinstance(create, MapNode):
            return MapNode({}, create.source, create.at)
        if isinstance(create, ListNode):
            return ListNode([], create.source, create.at)
        return Scalar(None, "", create.source, create.at, MADE)
    if _is_index(next_step) or (next_step.startswith("[") and next_step.endswith("]")):
        return ListNode([], create.source, create.at)
    return MapNode({}, create.source, create.at)


def _bad_pattern(node: Node, pattern: str, trouble: Exception) -> PlaitError:
    return KUSTOMIZE_FIELD.error(Label(node.origin), why=f"invalid pattern `{pattern}`: {trouble}")
