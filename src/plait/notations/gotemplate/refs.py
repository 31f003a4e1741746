"""Which values a template may read, found from its tree alone; never fewer than it does read.

Every word is followed to what it may stand for: a path from the root (`.`, `$`, variables, `with`, `range`,
parentheses, `index`, `get`, `hasKey`, `pluck`, the argument of a template), or something unknown. A path that starts
with the asked-for name counts even where dot may mean something else by then: better one too many than one missed.

A path that ends in a value is a reference to it; where a whole map is read (printed, passed to a function, tested),
the reference is the map itself.
"""

from __future__ import annotations

from plait.notations.gotemplate import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    Path = tuple[str, ...]
    Paths = frozenset[Path]
    """The paths from the root that a value may be at; empty where it is something computed."""

NOWHERE: Paths = frozenset()
ITEM = "*"
"""A step to an item of a list or map that has no name in the text."""
MAX_PATH = 16
"""How far a path is followed: a template that walks down a list of lists forever reads what is below it."""
_ROOT: Paths = frozenset(((),))
_LOOKUPS = {"index": 0, "get": 0, "hasKey": 0}
"""Functions that look literal keys up in a map, and which argument the map is."""


class References:
    """What a template reads: `paths` by name, and `whole` for the maps that it reads as a whole."""

    __slots__ = ("paths", "steps", "whole")

    def __init__(self) -> None:
        self.paths: dict[Path, None] = {}
        """In the order of the text."""
        self.whole: set[Path] = set()
        self.steps: dict[tuple[Path, int], None] = {}
        """Every name in the text that is a step of a path: the path up to it, and where the name begins."""

    def below(self, prefix: str) -> tuple[str, ...]:
        """The names right below a name of the root, each once, sorted."""
        names = {path[1] for path in self.paths if len(path) > 1 and path[0] == prefix}
        return tuple(sorted(names - {ITEM}))


class _Scope:
    """What dot, `$` and the variables mean at one place of the text."""

    __slots__ = ("dot", "root", "variables")

    def __init__(self, dot: Paths, root: Paths, variables: dict[str, tree.Variable]) -> None:
        self.dot = dot
        self.root = root
        self.variables = variables  # by name, the node that declares it

    def inner(self, dot: Paths | None = None) -> _Scope:
        return _Scope(self.dot if dot is None else dot, self.root, dict(self.variables))


class _Walk:
    """A walk over all that some blocks may run. Each defined template is walked once for each kind of argument; a name
    that several texts define stands for all of them.

    A variable may be anything that is ever assigned to it, so the walk is repeated until nothing new turns up.
    """

    def __init__(
        self, starts: Sequence[tree.Block], defined: dict[str, list[tree.Block]], alike: Container[str] = ()
    ) -> None:
        """`alike` are functions that give a document like the one that is the root."""
        self.starts = starts
        self.defined = defined
        self.alike = alike
        self.references = References()
        self.values: dict[tree.Variable, Paths] = {}
        self.changed = True
        self.seen: set[tuple[str, Paths]] = set()
        self.todo: list[tuple[tree.Block, _Scope]] = []

    def follow(self) -> References:
        while self.changed:
            self.changed = False
            self.seen.clear()
            self.todo.extend((block, _Scope(_ROOT, _ROOT, {})) for block in reversed(self.starts))
            while self.todo:
                block, scope = self.todo.pop()
                for node in block.nodes:
                    self.statement(node, scope)
        return self.references

    def enter(self, name: str, dot: Paths) -> None:
        if (name, dot) not in self.seen:
            self.seen.add((name, dot))
            self.todo.extend((block, _Scope(dot, dot, {})) for block in self.defined.get(name, ()))

    def keep(self, declared: tree.Variable, value: Paths) -> None:
        known = self.values.get(declared, NOWHERE)
        if not value <= known:
            self.values[declared] = known | value
            self.changed = True

    # -- statements

    def statement(self, node: tree.TemplateNode, scope: _Scope) -> None:
        if isinstance(node, tree.Action):
            value = self.pipe(node.pipe, scope)
            if not node.pipe.declares:
                self.use(value)
        elif isinstance(node, tree.TemplateCall):
            value = self.pipe(node.pipe, scope) if node.pipe is not None else NOWHERE
            self.enter(node.name, value)
        elif isinstance(node, tree.Branch):
            self.branch(node, scope)

    def branch(self, node: tree.Branch, outer: _Scope) -> None:
        scope = outer.inner()
        value = self.pipe(node.pipe, scope)
        dot = scope.dot
        if isinstance(node, tree.With):
            dot = value
        else:
            self.use(value)
        if isinstance(node, tree.Range):
            dot = self.below(value, (ITEM,))
            for variable in node.pipe.declares:
                self.assign(variable, dot, scope)
        self.todo.append((node.body, scope.inner(dot)))
        if node.otherwise is not None:
            self.todo.append((node.otherwise, scope.inner()))

    def assign(self, variable: tree.Variable, value: Paths, scope: _Scope) -> None:
        declared = scope.variables.get(variable.names[0])
        if declared is not None:
            self.keep(declared, value)

    # -- values

    def use(self, value: Paths) -> None:
        """A value is read as a whole."""
        for path in value:
            self.note(frozenset((path,)))
            self.references.whole.add(path)

    def note(self, value: Paths) -> None:
        """A value is looked at."""
        for path in sorted(value):
            if path:
                self.references.paths[path] = None

    def pipe(self, node: tree.Pipe, scope: _Scope) -> Paths:
        value: Paths | None = None
        for command in node.commands:
            value = self.command(command, scope, value)
        result = value or NOWHERE
        for variable in node.declares:
            if not node.assigns:
                scope.variables[variable.names[0]] = variable
            self.assign(variable, result, scope)
        return result

    def command(self, node: tree.PipeCommand, scope: _Scope, piped: Paths | None) -> Paths:
        word, args = node.args[0], node.args[1:]
        if isinstance(word, tree.Identifier):
            return self.call(word.text, args, scope, piped)
        for value in (*(self.word(arg, scope) for arg in args), piped or NOWHERE):
            self.use(value)
        return _ROOT if args and self.alike and str(word) in self.alike else self.word(word, scope)

    def word(self, node: tree.TemplateNode, scope: _Scope) -> Paths:
        """What a word may stand for."""
        if isinstance(node, tree.Dot):
            return scope.dot
        if isinstance(node, tree.Field):
            self.note(frozenset((node.names,)))  # as if dot were still the root: never miss one
            return self.named(scope.dot, node.names, node.at + 1)
        if isinstance(node, tree.Variable):
            return self.variable(node, scope)
        if isinstance(node, tree.FieldChain):
            return self.named(self.word(node.node, scope), node.names, node.at + 1)
        if isinstance(node, tree.Pipe):
            return self.pipe(node, scope)
        if isinstance(node, tree.Identifier):
            return self.call(node.text, (), scope, None)
        return NOWHERE

    def variable(self, node: tree.Variable, scope: _Scope) -> Paths:
        name, names, at = node.names[0], node.names[1:], node.at + len(node.names[0]) + 1
        declared = scope.variables.get(name)
        if declared is not None:
            return self.named(self.values.get(declared, NOWHERE), names, at)
        self.note(frozenset((names,)))  # `$` of a template that may be called with the root
        return self.named(scope.root, names, at)

    def named(self, start: Paths, names: Path, at: int) -> Paths:
        """What is below some paths by names that are written one after the other, each after a dot."""
        for count, name in enumerate(names, 1):
            self.references.steps.update(dict.fromkeys(((*path, *names[:count]), at) for path in start))
            at += len(name) + 1
        return self.below(start, names)

    def below(self, start: Paths, names: Iterable[str]) -> Paths:
        value = frozenset((*path, *names)[:MAX_PATH] for path in start)
        self.note(value)
        return value

    def call(self, name: str, args: tuple[tree.TemplateNode, ...], scope: _Scope, piped: Paths | None) -> Paths:
        values = [self.word(arg, scope) for arg in args]
        if piped is not None:
            values.append(piped)
        if name in _LOOKUPS and values:
            return self.lookup(values, args)
        if name == "pluck" and args and isinstance(args[0], tree.String):
            for value in values[1:]:
                self.below(value, (args[0].value,))
            return NOWHERE
        for value in values:
            self.use(value)
        return NOWHERE

    def lookup(self, values: list[Paths], args: tuple[tree.TemplateNode, ...]) -> Paths:
        """`index m "a" "b"`: a path where the keys are literal; else the whole map."""
        for value in values[1:]:
            self.use(value)
        keys: list[str] = []
        for arg in args[1 : len(values)]:
            if not isinstance(arg, tree.String):
                break
            keys.append(arg.value)
            self.references.steps.update(dict.fromkeys(((*path, *keys), arg.at + 1) for path in values[0]))
        if len(keys) == len(values) - 1 and keys:
            return self.below(values[0], keys)
        found = self.below(values[0], keys) if keys else values[0]
        self.use(found)
        return NOWHERE


def references(parsed: tree.ParsedTemplate, alike: Container[str] = ()) -> References:
    """Everything that a template may read. What some functions give that are `alike` counts as read from the root."""
    defined = {name: [block] for name, block in parsed.defined.items()}
    return _Walk([parsed.root], defined | {parsed.name: [parsed.root]}, alike).follow()


def references_of_all(templates: Iterable[tree.ParsedTemplate]) -> References:
    """All that templates may read which know each other, if each of their definitions is called with the root."""
    starts: list[tree.Block] = []
    defined: dict[str, list[tree.Block]] = {}
    for parsed in templates:
        starts += (parsed.root, *parsed.defined.values())
        for name, block in parsed.defined.items():
            defined.setdefault(name, []).append(block)
    return _Walk(starts, defined).follow()


def has_actions(parsed: tree.ParsedTemplate) -> bool:
    """Whether a text is more than text. A definition that nothing uses is not an action."""
    return any(not isinstance(node, tree.PlainText) for node in parsed.root.nodes)


def certain(parsed: tree.ParsedTemplate) -> list[Path]:
    """The paths from the root that a template reads whatever the data are, as long as nothing fails before."""
    paths: dict[Path, None] = {}
    todo: list[tree.TemplateNode] = []
    for node in reversed(parsed.root.nodes):
        if isinstance(node, tree.Action | tree.If | tree.With | tree.Range):
            todo.append(node.pipe)
    while todo:
        node = todo.pop()
        if isinstance(node, tree.Field):
            paths[node.names] = None
        elif isinstance(node, tree.Pipe):
            todo.extend(reversed(node.commands))
        elif isinstance(node, tree.PipeCommand) and not _is_conditional(node):
            todo.extend(reversed(node.args))
    return list(paths)


def _is_conditional(command: tree.PipeCommand) -> bool:
    """Whether a command may leave some of its arguments alone."""
    word = command.args[0]
    return isinstance(word, tree.Identifier) and word.text in ("and", "or")
