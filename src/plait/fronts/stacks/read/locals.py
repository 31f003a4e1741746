"""Checks locals when a file is read: their names, their references, and that there are no cycles.

Values are computed on demand. Names and cycles are checked from the references alone, even in locals that nothing uses.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.find import entry
from plait.core.node import Key, ListNode, MapNode, Mark, Node, Scalar, Suspension
from plait.core.source import Origin
from plait.fronts.stacks.language.keys import TemplatedKeys, scoped
from plait.fronts.stacks.language.manifest_functions import ManifestCall
from plait.fronts.stacks.language.scope import CONTEXT, FileScope
from plait.fronts.stacks.read.elsewhere import defined_elsewhere
from plait.fronts.stacks.session.nodes import source_text
from plait.report.catalog import BAD_LOCALS, LOCAL_CYCLE, UNDEFINED_LOCAL
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
FILE_SCOPED = "Hint: Locals are file-scoped and do not inherit from imported files."


def without_keys(node: MapNode, keys: tuple[str, ...]) -> MapNode:
    """A mapping without some of its keys."""
    if not any(key in node.entries for key in keys):
        return node
    kept: dict[Key, Node] = {key: child for key, child in node.entries.items() if key not in keys}
    marks = tuple(mark for mark, key in zip(node.marks, node.entries, strict=False) if key not in keys)
    return MapNode(kept, node.source, node.at, node.tag, any(child.live for child in kept.values()), marks)


def context_of(section: Node, below: dict[str, Node]) -> dict[str, Node]:
    """The data that templates in the locals of an inner section may read: its own settings, vars and env over the outer
    ones."""
    context = dict(below)
    for name in CONTEXT:
        own, outer = entry(section, name), below.get(name)
        if isinstance(own, MapNode) and isinstance(outer, MapNode):
            context[name] = MapNode({**outer.entries, **own.entries}, own.source, own.at, None, own.live or outer.live)
        elif own is not None:
            context[name] = own
    return context


def locals_of(node: Node, file: str, scope: FileScope) -> MapNode:
    """A `locals` section that is a map of identifiers, its expressions written in its own scope."""
    if isinstance(node, Scalar) and node.value is None:
        return MapNode({}, node.source, node.at)
    if not isinstance(node, MapNode):
        raise BAD_LOCALS.error(
            Label(node.origin),
            why=f"locals must be a map in {file}",
            hint="write `locals:` with `name: value` below it",
        )
    for key in node.entries:
        if not IDENTIFIER.match(str(key)):
            raise BAD_LOCALS.error(
                Label(node.key_origin(key), length=len(str(key))),
                why=f'"{key}" is not a valid name for a local in {file}',
                hint="a name has letters, digits, `_` and `-`, and begins with a letter or `_`",
            )
    unset = tuple(str(key) for key, child in node.entries.items() if isinstance(child, Mark))
    made = scoped(without_keys(node, unset), scope)
    assert isinstance(made, MapNode)
    return made


def scope_errors(scope: FileScope) -> list[Diagnostic]:
    """The errors in the locals of one scope: undefined names, or a cycle."""
    diagnostics: list[Diagnostic] = []
    needs: dict[str, list[str]] = {}
    for name, node in scope.own.entries.items() if scope.own is not None else ():
        diagnostics += name_errors(node, scope, local=str(name))
        used = [
            used
            for asker, _ in references(node, scope)
            for used in scope.language.templates.needs(asker.expression.text)
        ]
        needs[str(name)] = [used for used in dict.fromkeys(used) if scope.own is not None and used in scope.own.entries]
    cycle = find_cycle(needs)
    return [*diagnostics, *cycle_error(scope, cycle).diagnostics] if cycle else diagnostics


def name_errors(node: Node, scope: FileScope, skip: str = "", local: str = "") -> list[Diagnostic]:
    """The locals that a tree reads by name and that do not exist in a scope."""
    if scope.ignore_missing or not node.live:
        return []
    visible = scope.visible()
    return [
        diagnostic
        for asker, names in references(node, scope, skip)
        for name in names
        if name not in visible
        for diagnostic in undefined(asker, name, scope, local).diagnostics
    ]


def references(node: Node, scope: FileScope, skip: str = "") -> Iterator[tuple[Suspension, tuple[str, ...]]]:
    """The expressions of a tree that read locals, and which."""
    stack: list[Node] = [node]
    top = node
    while stack:
        at = stack.pop()
        if isinstance(at, MapNode) and at.live:
            stack.extend(child for key, child in reversed(at.entries.items()) if not (at is top and key == skip))
        elif isinstance(at, ListNode) and at.live:
            stack.extend(reversed(at.items))
        elif isinstance(at, Suspension):
            text = at.expression.text
            if "locals" in text and "{{" in text:
                yield at, scope.language.templates.names(text)
            if isinstance(at.expression, TemplatedKeys):
                stack.extend(at.expression.mapping.entries.values())


def find_cycle(needs: dict[str, list[str]]) -> list[str]:
    """Names that wait for each other, the first one again at the end; from sorted names, without recursion."""
    done: set[str] = set()
    for start in sorted(needs):
        path: list[str] = []
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in done:
            path, stack = [start], [(start, iter(sorted(needs[start])))]
        while stack:
            name, below = stack[-1]
            step = next(below, None)
            if step is None:
                done.add(name)
                stack.pop()
                path.pop()
            elif step in path:
                return [*path[path.index(step) :], step]
            elif step not in done:
                path.append(step)
                stack.append((step, iter(sorted(needs[step]))))
    return []


def cycle_error(scope: FileScope, cycle: list[str]) -> PlaitError:
    assert scope.own is not None
    members = cycle[:-1]
    labels = [Label(scope.own.key_origin(name), f"{name}: {source_text(scope.own.entries[name])}") for name in members]
    lines = [
        f'  {name}: "{source_text(scope.own.entries[name])}"  (line {scope.own.key_origin(name).line})'
        for name in sorted(members)
    ]
    notes = (
        f"failed to resolve {scope.label} locals",
        "",
        "Dependency cycle detected:",
        f"  {' → '.join(cycle)}",
        "",
        "Referenced locals:",
        *lines,
    )
    hint = (
        f"Fix the circular dependency in '{scope.file}'\nEnsure locals don't reference each other in a cycle\n"
        f"Use 'plait describe locals --stack {scope.file}' to inspect locals"
    )
    return LOCAL_CYCLE.error(*labels, file=scope.file, notes=notes, hint=hint)


def undefined(asker: Node, name: str, scope: FileScope, local: str = "") -> PlaitError:
    """The error for an undefined local: the place, the available locals, and the reason."""
    near = nearest(name, [str(known) for known in scope.visible()], 1)
    notes = [f'failed to resolve local "{local}" in {scope.file}'] if local else []
    notes.append("Available locals at this scope:")
    rows = [row for inner in chain_of(scope) for row in _rows(inner)]
    width = max((len(text) for text, *_ in rows), default=0)
    for text, label, origin, known in rows:
        meant = "   ← Did you mean this?" if near and known == near[0] else ""
        notes.append(f"  - {text.ljust(width)}    {label.ljust(9)}  {origin.file}:{origin.line}{meant}")
    if not rows:
        notes.append("  (none)")
    elsewhere = defined_elsewhere(name, scope)
    hint = FILE_SCOPED
    if near:
        hint += "\nHint: Check for typos in local variable names."
    if elsewhere:
        hint = (
            f'Hint: "{name}" is defined in {elsewhere} but locals do not\ninherit across files. '
            "Consider using vars or settings if cross-file sharing\nis needed."
        )
    return UNDEFINED_LOCAL.error(
        label_of(asker, f".locals.{name}"), name=name, file=scope.file, notes=tuple(notes), hint=hint
    )


def _rows(scope: FileScope) -> list[tuple[str, str, Origin, str]]:
    """The locals of one scope that can be used, with their values, or their sources where they have not been
    computed."""
    rows = []
    for name, node in scope.own.entries.items() if scope.own is not None else ():
        if fails(scope, str(name)):
            continue
        if scope.outer is None or is_of_component(scope):
            label = "global" if scope.outer is None else "component"
        else:
            label = scope.label
        rows.append((f"{name}: {local_text(scope, str(name), node)}", label, scope.own.key_origin(name), str(name)))  # type: ignore[union-attr]
    return rows


def fails(scope: FileScope, name: str) -> bool:
    """Whether a local reads an undefined local, directly or through others."""
    seen: set[str] = set()
    stack = [(scope, name)]
    while stack:
        at, one = stack.pop()
        if one not in seen and at.own is not None:
            seen.add(one)
            for _, names in references(at.own.entries[one], at):
                owners = [(defining_scope(at, used), used) for used in names]
                if any(owner is None for owner, _ in owners):
                    return True
                stack += [(owner, used) for owner, used in owners if owner is not None]
    return False


def local_text(scope: FileScope, name: str, node: Node) -> str:
    """A local's value as reports show it: the known value, else the value if it can be computed without external data,
    else its source."""
    known = harmless(scope, name, node)
    if isinstance(known, Scalar):
        text = "<sensitive>" if known.secret else known.text
        return f'"{text}"' if isinstance(known.value, str) else text
    if known is not None and isinstance(known, MapNode | ListNode):
        return source_text(known)
    return f'"{source_text(node)}"'


def harmless(scope: FileScope, name: str, node: Node) -> Node | None:
    """A local's value, if it can be computed without external data; None if it cannot, or fails."""
    seen: set[str] = {name}
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, MapNode):
            stack.extend(at.entries.values())
        elif isinstance(at, ListNode):
            stack.extend(at.items)
        elif isinstance(at, Suspension):
            if isinstance(at.expression, ManifestCall) and at.expression.function.tag != "!template":
                return None
            for used in scope.language.templates.names(at.expression.text):
                owner = defining_scope(scope, used)
                if used not in seen and owner is not None and owner.own is not None:
                    seen.add(used)
                    stack.append(owner.own.entries[used])
    found, failures = scope.session.evaluator.finished(node, scope.place.child("locals").child(name))
    return None if failures else found


def label_of(asker: Node, what: str) -> Label:
    """The place of a piece of text inside the node that holds it."""
    origin = asker.origin
    found = origin.source.text.find(what, origin.at)
    end = origin.source.text.find("\n\n", origin.at)
    if found < 0 or (0 <= end < found):
        return Label(asker.origin)
    return Label.at(origin.source, found, length=len(what))


# Scopes


def is_of_component(scope: FileScope) -> bool:
    """Whether it is the scope of one component's own locals."""
    return scope.label.startswith("component ")


def defining_scope(scope: FileScope, name: str) -> FileScope | None:
    """The scope that a name is defined in, as seen from another."""
    return next((one for one in reversed(chain_of(scope)) if one.own is not None and name in one.own.entries), None)


def chain_of(scope: FileScope) -> list[FileScope]:
    """A scope and those around it, the outermost first."""
    scopes: list[FileScope] = []
    at: FileScope | None = scope
    while at is not None:
        scopes.append(at)
        at = at.outer
    return scopes[::-1]
