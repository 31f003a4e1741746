"""Locals, checked when a file is read: their names, what they refer to, and that no two wait for each other.

Values are computed when somebody asks. Names and cycles are found from the references alone, also in locals that nothing uses.
"""

from __future__ import annotations

import re

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Mapping, Mark, Node, Scalar, Sequence, Suspension
from plait.core.source import Origin
from plait.fronts.stacks.scope import TYPES, FileScope
from plait.report.catalog import BAD_LOCALS, LOCAL_CYCLE, UNDEFINED_LOCAL
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.manifest import File

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
FILE_SCOPED = "Hint: Locals are file-scoped and do not inherit from imported files."


def open_scopes(file: File) -> None:
    """The scopes of a file: the global one, and one for each type whose section has locals."""
    keys = file.outline_keys()
    if "locals" in keys:
        node = file._get("locals")
        file.scope.own = locals_of(node, file.scope.file, file.scope) if node is not None else None
    for type in TYPES:
        own = file.part(type, "locals") if type in keys else None
        if own is not None:
            from plait.fronts.stacks.manifest import context_of

            scope = FileScope(file.run, file.scope.file, file.path, file.scope, type)
            section = file._get(type)
            scope.context = {
                **file.scope.context,
                **(context_of(section, file.scope.context) if isinstance(section, Mapping) else {}),
            }
            scope.own = locals_of(own, file.scope.file, scope)
            file.types[type] = scope


def locals_of(node: Node, file: str, scope: FileScope) -> Mapping:
    """A `locals` section that is a map of identifiers, its expressions written in its own scope."""
    from plait.fronts.stacks.manifest import scoped, without

    if isinstance(node, Scalar) and node.value is None:
        return Mapping({}, node.source, node.at)
    if not isinstance(node, Mapping):
        raise BAD_LOCALS.error(
            Label.of(node), why=f"locals must be a map in {file}", hint="write `locals:` with `name: value` below it"
        )
    for key in node.entries:
        if not IDENTIFIER.match(str(key)):
            raise BAD_LOCALS.error(
                Label(node.key_origin(key), length=len(str(key))),
                why=f'"{key}" is no name for a local in {file}',
                hint="a name has letters, digits, `_` and `-`, and begins with a letter or `_`",
            )
    unset = tuple(str(key) for key, child in node.entries.items() if isinstance(child, Mark))
    made = scoped(without(node, unset), scope)
    assert isinstance(made, Mapping)
    return made


def check_file(file: File) -> None:
    """Names and cycles of a whole file. A file without templates that read locals has nothing to check."""
    text = file.source.text
    if "{{" not in text:
        return
    for scope in (file.scope, *file.types.values()):
        check_scope(scope)
    for key in file.outline_keys():
        if key not in ("components", "locals", "import"):
            node = file._get(key)
            if node is not None:
                check_names(node, file.types.get(key, file.scope), skip="locals" if key in file.types else "")
    for type in file.component_types():
        for name in file.component_names(type):
            whole, scope = file.component_nodes(type, name)
            if scope.label.startswith("component "):
                check_scope(scope)
            check_names(whole, scope, skip="locals")


def check_scope(scope: FileScope) -> None:
    """The locals of one scope: that all they refer to is there, and no cycle."""
    if scope.own is None:
        return
    needs: dict[str, list[str]] = {}
    for name, node in scope.own.entries.items():
        check_names(node, scope, local=str(name))
        used = [
            used for asker, _ in references(node, scope) for used in scope.run.templates.needs(asker.expression.text)
        ]
        needs[str(name)] = [used for used in dict.fromkeys(used) if used in scope.own.entries]
    cycle = find_cycle(needs)
    if cycle:
        raise cycle_error(scope, cycle)


def check_names(node: Node, scope: FileScope, skip: str = "", local: str = "") -> None:
    """That every local a tree reads by name exists in a scope."""
    if scope.ignore_missing or not node.live:
        return
    visible = scope.visible()
    for asker, names in references(node, scope, skip):
        for name in names:
            if name not in visible:
                raise undefined(asker, name, scope, local)


def references(node: Node, scope: FileScope, skip: str = "") -> Iterator[tuple[Suspension, tuple[str, ...]]]:
    """The expressions of a tree that read locals, and which."""
    stack: list[Node] = [node]
    top = node
    while stack:
        at = stack.pop()
        if isinstance(at, Mapping) and at.live:
            stack.extend(child for key, child in reversed(at.entries.items()) if not (at is top and key == skip))
        elif isinstance(at, Sequence) and at.live:
            stack.extend(reversed(at.items))
        elif isinstance(at, Suspension):
            text = at.expression.text
            if "locals" in text and "{{" in text:
                yield at, scope.run.templates.names(text)
            inner = getattr(at.expression, "mapping", None)
            if isinstance(inner, Mapping):
                stack.extend(inner.entries.values())


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
    labels = [Label(scope.own.key_origin(name), f"{name}: {source_of(scope.own.entries[name])}") for name in members]
    lines = [
        f'  {name}: "{source_of(scope.own.entries[name])}"  (line {scope.own.key_origin(name).line})'
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


def source_of(node: Node) -> str:
    """What was written, on one line."""
    if isinstance(node, Suspension):
        return node.expression.text
    if isinstance(node, Scalar):
        return node.text
    return "{...}" if isinstance(node, Mapping) else "[...]"


def undefined(asker: Node, name: str, scope: FileScope, local: str = "") -> PlaitError:
    """The error for a local that is not there: where, what there is instead, and why."""
    near = nearest(name, [str(known) for known in scope.visible()], 1)
    notes = [f'failed to resolve local "{local}" in {scope.file}'] if local else []
    notes.append("Available locals at this scope:")
    rows = [row for inner in scope.chain() for row in _rows(inner)]
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
    """The locals of one scope with their values, or their sources where they have not been computed."""
    rows = []
    for name, node in scope.own.entries.items() if scope.own is not None else ():
        if scope.outer is None or scope.label.startswith("component "):
            label = "global" if scope.outer is None else "component"
        else:
            label = scope.label
        rows.append((f"{name}: {shown(scope, str(name), node)}", label, scope.own.key_origin(name), str(name)))  # type: ignore[union-attr]
    return rows


def shown(scope: FileScope, name: str, node: Node) -> str:
    """A local's value as a report shows it: what is known, else what can be computed without asking the outside, else its source."""
    known = harmless(scope, name, node)
    if isinstance(known, Scalar):
        text = "<sensitive>" if known.secret else known.text
        return f'"{text}"' if isinstance(known.value, str) else text
    if known is not None and isinstance(known, Mapping | Sequence):
        return source_of(known)
    return f'"{source_of(node)}"'


def harmless(scope: FileScope, name: str, node: Node) -> Node | None:
    """A local's value, where it can be computed without asking the outside; None where it cannot, or fails."""
    seen: set[str] = {name}
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, Mapping):
            stack.extend(at.entries.values())
        elif isinstance(at, Sequence):
            stack.extend(at.items)
        elif isinstance(at, Suspension):
            function = getattr(at.expression, "function", None)
            if function is not None and function.tag != "!template":
                return None
            for used in scope.run.templates.names(at.expression.text):
                owner = scope.defining(used)
                if used not in seen and owner is not None and owner.own is not None:
                    seen.add(used)
                    stack.append(owner.own.entries[used])
    found, failures = scope.run.evaluator.finish(node, scope.place.child("locals").child(name))
    return None if failures else found


def defined_elsewhere(name: str, scope: FileScope) -> str:
    """A file that this one imports, directly or not, and that defines the local; empty where there is none."""
    loader = scope.run.loader
    if loader is None:
        return ""
    seen: set[str] = {scope.path}
    queue = loader.written_imports(scope.path)
    for path in queue:  # grows while it is walked
        if path not in seen:
            seen.add(path)
            if name in loader.written_locals(path):
                return scope.run.shown(path)
            queue.extend(loader.written_imports(path))
    return ""


def label_of(asker: Node, what: str) -> Label:
    """The place of a piece of text inside the node that holds it."""
    origin = asker.origin
    found = origin.source.text.find(what, origin.at)
    end = origin.source.text.find("\n\n", origin.at)
    if found < 0 or (0 <= end < found):
        return Label.of(asker)
    return Label.at(origin.source, found, length=len(what))
