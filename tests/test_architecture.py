"""The import table of ARCHITECTURE.md, held against the code; no circles; imports inside functions only where they
are listed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "plait"

APPS = ("apps", "workspace.py", "library/", "__init__.py", "__main__.py")
"""Surfaces: each question loads what it needs, so that all of them start fast."""
HEAVY = (
    "plait.access.archives",
    "plait.access.copies",
    "plait.access.permit",
    "plait.core.floats",
    "plait.core.glob",
    "plait.core.plain",
    "plait.core.size",
    "plait.core.unknown",
    "plait.core.walk",
    "plait.evaluate.cycles",  # for an error that few runs have
    "plait.evaluate.engine",  # where something is computed
    "plait.evaluate.finish",  # the same
    "plait.evaluate.hops",
    "plait.evaluate.near_paths",
    "plait.fronts.entries",
    "plait.fronts.sops",  # where a file is encrypted
    "plait.fronts.spiff.diff",
    "plait.memory.once",  # where stacks are asked about
    "plait.memory.queries",  # where a second question is asked
    "plait.merging.align",  # where lists are merged
    "plait.report.near",
    "plait.report.unknown",
    "plait.yaml.patch",  # where an edit is more than another word
    "plait.yaml.load",  # where a file is read beside the layers
    "plait.yaml.spelling",
    "plait.access.checkout",
    "plait.access.commands",
    "plait.access.process_pool",
    "plait.access.git",
    "plait.access.http",
    "plait.report.installing",  # for an error that few runs have
    "plait.distributed",
    "plait.fronts.stacks.answers",
    "plait.fronts.unfurl.asking",
    "plait.fronts.unfurl.documents",
    "plait.fronts.unfurl.expressions",
    "plait.fronts.unfurl.working",
    "plait.notations.gotemplate",
    "plait.notations.tags",
    "plait.merging.account",
    "plait.notations.hcl",
    "plait.notations.query",
    "plait.notations.yq",
    "plait.regexp",
    "plait.fronts.charts.target",
    "plait.fronts.compose",
    "plait.fronts.shaping",  # only a profile, or a rule for nulls, needs it
    "plait.fronts.discovery.discover",
    "plait.fronts.discovery.repository",
    "plait.fronts.proposal",
    "plait.fronts.kustomize.target",
    "plait.fronts.helm_set",
    "plait.fronts.layered",
    "plait.fronts.lint",
    "plait.fronts.patterns.interface",
    "plait.fronts.patterns.merge3",
    "plait.fronts.patterns.target",
    "plait.fronts.places",
    "plait.fronts.spiff.interface",
    "plait.fronts.spiff.target",
    "plait.fronts.stacks.answers.rendered",  # few values that are asked about are rendered
    "plait.fronts.unfurl.target",
    "plait.review.idle",
    "plait.review.ways",
    "plait.services",
    "plait.yaml.reader12",
    "plait.profiles.table",
    "plait.access.commands",
    "plait.yaml.cache",
    "plait.yaml.emit",
    "plait.yaml.events",
    "plait.yaml.hints",
    "plait.yaml.writer",
    "plait.yaml.hints",
)
"""Modules that a function may import: large ones that most commands do not need, such as languages, services, the
network, archives, and the code behind single questions."""


# The table


def table() -> dict[str, set[str]]:
    """Who may import whom, as ARCHITECTURE.md says it: rows of `| room | what it is | may import |`."""
    rooms: dict[str, set[str]] = {}
    for line in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and (PACKAGE / cells[0].rstrip("/")).exists() and cells[0] not in rooms:
            names = {name.strip().strip("`").rstrip("/") for name in cells[2].split(",")}
            rooms[cells[0].rstrip("/")] = names - {"nothing", ""}
    return rooms


TABLE = table()
FLOORS = sorted((room for room in TABLE if "/" in room), key=len, reverse=True)


def room_of(file: Path) -> str:
    """The room of a file: the floor that it lies in, else its folder at the top, or the file itself."""
    path = file.relative_to(PACKAGE).as_posix()
    floor = next((floor for floor in FLOORS if path.startswith(floor + "/")), None)
    return floor or path.partition("/")[0]


def allowed(room: str, target: Path) -> bool:
    """Whether a file of a room may import another file."""
    inner = room_of(target)
    if inner == room:
        return True
    if "/" not in room:
        return inner.partition("/")[0] in (TABLE[room] | {room})
    front = room.rpartition("/")[0]
    if "/" in inner:
        return inner.rpartition("/")[0] == front and inner.rpartition("/")[2] in TABLE[room]
    top = room.partition("/")[0]
    return inner in TABLE[top] or (inner == top and target.parent == PACKAGE / top)


# The imports


class Import:
    """One import of a file of ours."""

    def __init__(self, target: Path, name: str, line: int, inside: bool) -> None:
        self.target = target
        self.name = name
        self.line = line
        self.inside = inside
        """Whether it stands in a function."""

    def __str__(self) -> str:
        return f"{self.name} (line {self.line})"


@cache
def file_of(name: str) -> Path | None:
    """The file of a module, or of a package's head."""
    path = PACKAGE.joinpath(*name.split(".")[1:])
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def statements(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """All statements, and whether each is inside a function. Expressions, most of a tree, are not looked at."""
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, inside = todo.pop()
        yield node, inside
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            below = getattr(node, field, ())
            todo += [(child, inside) for child in below] if isinstance(below, list) else ()


def modules(node: ast.stmt) -> list[str]:
    """The modules that a statement imports: a name may be a module of the package that it is taken from."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom) or not node.module or node.level:
        return []
    inner = [f"{node.module}.{alias.name}" for alias in node.names]
    found = [name for name in inner if node.module.startswith("plait") and file_of(name) is not None]
    return found if len(found) == len(inner) else [node.module, *found]


@cache
def imports(file: Path) -> tuple[Import, ...]:
    """The files of ours that a file imports: at the top, for typing, and inside functions. Expressions have none."""
    found: list[Import] = []
    for node, inside in statements(parsed(file)):
        for name in modules(node) if isinstance(node, ast.Import | ast.ImportFrom) else ():
            target = file_of(name) if name.partition(".")[0] == "plait" else None
            if target is not None and target != PACKAGE / "__init__.py":
                found.append(Import(target, name, node.lineno, inside))
    return tuple(found)


FILES = sorted(PACKAGE.rglob("*.py"))


def naming(*words: str) -> Iterator[tuple[Path, ast.Module]]:
    """The files in whose text one of the words is, each as a tree."""
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        if any(word in text for word in words):
            yield file, parsed(file)


def shown(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def circles() -> list[list[Path]]:
    """Files that import each other, directly or not: the strongly connected parts of more than one file.

    Without recursion.
    """
    numbers: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[Path]] = []
    for start in FILES:
        work = [(start, iter(imports(start)))] if start not in numbers else []
        while work:
            file, rest = work[-1]
            if file not in numbers:
                numbers[file] = low[file] = len(numbers)
                stack.append(file)
            step = next(rest, None)
            if step is not None:
                if step.target not in numbers:
                    work.append((step.target, iter(imports(step.target))))
                elif step.target in stack:
                    low[file] = min(low[file], numbers[step.target])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[file])
            if low[file] == numbers[file]:
                part = stack[stack.index(file) :]
                del stack[stack.index(file) :]
                found += [part] if len(part) > 1 else []
    return found


# The tests


def test_every_room_is_in_the_table() -> None:
    assert {room_of(file) for file in FILES} - {"__init__.py"} - set(TABLE) == set()
    assert set(TABLE) - {room_of(file) for file in FILES} == set()


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_has_a_head_that_says_what_it_is(floor: str) -> None:
    head = ast.get_docstring(parsed(PACKAGE / floor / "__init__.py")) or ""
    assert "may" in head
    assert "import" in head


def test_imports_follow_the_table() -> None:
    wrong = [
        f"{room_of(file)} may not import {found}: {shown(file)}"
        for file in FILES
        if room_of(file) != "__init__.py"
        for found in imports(file)
        if not allowed(room_of(file), found.target)
    ]
    assert wrong == []


def test_there_are_no_circles() -> None:
    found = [", ".join(sorted(shown(file) for file in circle)) for circle in circles()]
    assert not found, f"these import each other: {'; '.join(found)}"


def test_imports_inside_functions_are_listed() -> None:
    hidden = [
        f"{shown(file)} imports {one} inside a function"
        for file in FILES
        for one in imports(file)
        if one.inside and not shown(file).startswith(APPS) and not one.name.startswith(HEAVY)
    ]
    assert hidden == []


def test_notations_do_not_import_each_other() -> None:
    for file in sorted((PACKAGE / "notations").rglob("*.py")):
        own = file.relative_to(PACKAGE / "notations").parts[0]
        for one in imports(file):
            parts = one.target.relative_to(PACKAGE).parts
            if parts[0] == "notations" and len(parts) > 1 and parts[1] != "__init__.py":
                assert parts[1] == own, f"{shown(file)}: {one}"


# The stacks front


def public_members(node: ast.ClassDef) -> set[str]:
    """The methods and attributes of a class that others may use."""
    names = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    for item in ast.walk(node):
        if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store) and isinstance(item.value, ast.Name):
            names |= {item.attr} if item.value.id == "self" else set()
    return {name for name in names if not name.startswith("_")}


STACKS = sorted((PACKAGE / "fronts" / "stacks").rglob("*.py"))
FACADE = "StackQuestions"
"""The one object that surfaces ask has a member for each question."""


PROTOCOL = next(
    public_members(node)
    for node in parsed(PACKAGE / "fronts" / "front.py").body
    if isinstance(node, ast.ClassDef) and node.name == "Target"
)
"""What every target answers: see `fronts/front.py`."""


def test_no_class_of_stacks_is_a_hub() -> None:
    for node in (node for file in STACKS for node in ast.walk(parsed(file))):
        if isinstance(node, ast.ClassDef) and node.name != FACADE:
            members = public_members(node) - PROTOCOL
            assert len(members) <= 15, f"{node.name} has {len(members)} public members: {', '.join(sorted(members))}"


def test_functions_of_stacks_are_short() -> None:
    lengths = []
    for file in STACKS:
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno is not None
                lengths.append(node.end_lineno - node.lineno + 1)
    lengths.sort()
    assert lengths[len(lengths) * 9 // 10] < 20
    assert lengths[len(lengths) // 2] <= 10


# A front is a door

ABOVE = ("review", "survey", "edits", "authoring", "workspace.py", "library", "apps")
"""The rooms that ask fronts: by the protocol, and by nothing that is inside the folder of a front."""
PROTOCOL_FILES = {
    *(
        "front",
        "signs",
        "catalog",
        "project",
        "living",
        "proposal",
        "counterparts",
        "deployed",
    ),  # targets and what they are asked about
    *("unit", "findings", "trail", "structure", "globbed"),  # what an editor asks
    *("origins", "blame", "editing", "typed", "typed_values", "notations", "shown", "touched"),  # any file, any tree
    *("layers", "lint", "sops", "trust"),  # what a workspace is asked about files that no target names
    "questions",  # what only one front is asked
}
"""The files directly in `fronts` that may be imported from above."""


def test_nothing_above_looks_into_a_front() -> None:
    found: dict[str, set[str]] = {}
    for file in FILES:
        if room_of(file) in ABOVE:
            names = {one.name.removeprefix("plait.fronts.") for one in imports(file) if ".fronts." in one.name}
            looked = {name for name in names if name not in PROTOCOL_FILES}
            found |= {shown(file): looked} if looked else {}
    assert found == {}


# Names


def test_public_classes_have_names_of_their_own() -> None:
    """A name means one thing: no two public classes of the package share it."""
    homes: dict[str, list[str]] = {}
    for file, tree in naming("class "):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(shown(file))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


# Where is ...?


def places() -> list[tuple[str, str]]:
    """The files and names of the last table of ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Where is ...?")[2]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ") and "`" in line]
    return [(row[1].strip().strip("`"), name) for row in rows for name in row[2].split("`")[1::2]]


@pytest.mark.parametrize(("file", "name"), places())
def test_what_the_table_names_is_there(file: str, name: str) -> None:
    body: list[ast.stmt] = parsed(PACKAGE / file).body
    for step in name.split("."):
        found = [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == step]
        assert found, f"{file} has no {name}"
        body = found[0].body


def test_the_table_of_places_is_read() -> None:
    assert len(places()) > 10


# The door

CALLS = {
    "__import__",
    "os.readlink",
    "os.read",
    "os.pread",
    "os.preadv",
    "os.stat",
    "os.lstat",
    "os.fwalk",
    "os.symlink",
    "os.link",
    "os.fork",
    "os.forkpty",
    "os.execv",
    "os.execve",
    "os.execvp",
    "os.execvpe",
    "os.spawnv",
    "os.spawnve",
    "os.posix_spawnp",
    "os.startfile",
    "os.environb",
    "os.putenv",
    "os.sendfile",
    "codecs.open",
    "tokenize.open",
    "shutil.copy",
    "shutil.copyfile",
    "shutil.move",
    "open",
    "os.open",
    "os.fdopen",
    "os.scandir",
    "os.listdir",
    "os.walk",
    "os.environ",
    "os.getenv",
    "os.system",
    "os.popen",
    "os.posix_spawn",
    "io.open",
    "shutil.copytree",
    "sys.stdin",
}
MODULES = {
    *(
        "pathlib",
        "mmap",
        "fileinput",
        "linecache",
        "tarfile",
        "zipfile",
        "ftplib",
        "smtplib",
        "asyncio",
        "multiprocessing",
        "ctypes",
        "pty",
    ),
    *(
        "webbrowser",
        "runpy",
        "pickle",
        "sqlite3",
        "requests",
        "httpx",
        "urllib3",
        "plait.access.commands",
        "plait.access.http",
        "plait.access.permit",
    ),
    "subprocess",
    "socket",
    "ssl",
    "http.client",
    "urllib.request",
    "urllib.error",
    "glob",
    "plait.access.raw",
    "jsonschema_rs",
}
"""What only the room `access` may use: everything that reaches a file, a command, the network or the environment."""
ALLOWED: dict[str, set[str]] = {
    "apps/cli/commands.py": {"__import__"},
    "apps/cli/console.py": {"sys.stdin"},
    "apps/cli/serve.py": {"socket"},
    "apps/lsp/background.py": {"asyncio"},
    "apps/web/assets.py": {"read_bytes"},
    "apps/web/live.py": {"asyncio"},
    "apps/web/server.py": {"socket", "asyncio"},
    "apps/web/site.py": {"asyncio"},
    "keeping/code.py": {"os.scandir"},
    "keeping/store.py": {"open", "os.open", "os.pread"},
    "notations/gotemplate/host.py": {"os.environ", "open", "socket"},
    "schemas.py": {"jsonschema_rs"},
    "fronts/unfurl/loading.py": {"read_text"},
    "yaml/cache.py": {"os.pread"},
    "yaml/folder.py": {"open", "os.open", "os.scandir"},
    "yaml/journal.py": {"open", "os.open", "os.stat"},
    "yaml/lock.py": {"os.open"},
    "core/native.py": {"os.environ"},
    "yaml/state.py": {"os.open", "os.environ", "os.link", "os.lstat", "os.read", "os.stat"},
    "yaml/step.py": {"open", "os.open", "os.link", "os.stat"},
    "yaml/writer.py": {"open", "os.open"},
}
"""Modules that may use one of these, and which: a prompt; the explorer, which listens, and opens the browser; the host
of templates that are used as a Python library, which asks for permission itself; schemas, which fetch nothing; the
cache and the writer of the user's own files. Everything else asks for a permit."""


METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "rglob", "urlopen"}
"""Methods of paths that open or list, whatever the path is called."""


def reaches_out(file: Path) -> set[str]:
    """What a module uses that only the door may use."""
    found: set[str] = set()
    calls: set[str] = set()
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
            found.update({f"{node.value.id}.{node.attr}"} if isinstance(node.value, ast.Name) else ())
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return (found & (CALLS | MODULES | METHODS) - {"open", "__import__"}) | (calls & CALLS)


def test_only_the_door_reaches_out() -> None:
    found = {shown(file): reaches_out(file) for file in FILES if not shown(file).startswith("access/")}
    assert {name: uses for name, uses in found.items() if uses} == ALLOWED, "ask the door (src/plait/access) instead"


# What is asked by name


FOREIGN = {
    "access/child.py",
    "schemas.py",
    "access/copies.py",
    "access/door.py",
    "access/modules.py",
    "access/owners.py",
    "access/process.py",
    "access/raw.py",
    "access/workers.py",
    "distributed/engines.py",
    "library/inputs.py",
    "library/targets.py",
    "notations/query/jinja.py",
    "notations/query/templates.py",
    "services/aws.py",
    "yaml/step.py",
}
"""Modules that ask objects of other people whether they have something: the system, open files, Python's imports,
Jinja2, boto. So does whoever asks which flags a command has (`args`)."""


def asked_by_name(file: Path, tree: ast.Module) -> list[str]:
    """Where a module asks an object for an attribute by name, or tells mypy to look away when it does."""
    text = file.read_text(encoding="utf-8")
    found = [f"line {n}" for n, line in enumerate(text.splitlines(), 1) if "ignore[" in line and "attr-defined" in line]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            of_flags = isinstance(node.args[0], ast.Name) and node.args[0].id == "args"
            found += [f"line {node.lineno}"] if isinstance(node.args[1], ast.Constant) and not of_flags else []
    return found


def test_what_is_asked_of_our_own_objects_is_declared() -> None:
    files = naming("getattr", "hasattr", "attr-defined")
    asking = {shown(file): lines for file, tree in files if (lines := asked_by_name(file, tree))}
    assert {name: lines for name, lines in asking.items() if name not in FOREIGN} == {}
    assert set(asking) >= FOREIGN, "a module that no longer asks needs no line in FOREIGN"


# Budgets

EVERYTHING = {"PlaitError", "TemplateError"}
"""What also catches a used-up budget."""
AT_THE_EDGE = {
    "access/workers.py": 1,  # the process that asked works it out itself, with its own meter
    "apps/cli/create.py": 1,
    "apps/cli/run.py": 1,
    "apps/cli/spiff_diff.py": 1,
    "apps/lsp/server.py": 1,
    "apps/lsp/session.py": 2,
    "apps/web/explorer.py": 1,  # work in advance, with a meter that starts anew
    "apps/web/playground.py": 1,
    "apps/web/site.py": 3,
    "library/merging.py": 2,
    "review/shares.py": 2,  # as in workers.py
    "yaml/load.py": 1,  # a text that cannot be read within a budget of its own: everything in doubt is masked
}
"""The places that answer a used-up budget instead of passing it on. `authoring` restarts the meter with each question
of an editor, and shows a used-up budget like any other finding."""
REMAKING = {
    "placed",
    "masked",
    "concealed",
    "masking",
    "remade",
    "like",
    "chained",
    "failed",
    "_bad_template",
    "unquoted",
}
"""What makes an error of the same kind."""


def catches_everything(node: ast.AST) -> bool:
    """Whether it is a handler, or a call of `suppress`, that also catches a used-up budget."""
    if isinstance(node, ast.ExceptHandler):
        kinds = [node.type] if node.type else []
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "suppress":
        kinds = node.args
    else:
        return False
    return any(isinstance(name, ast.Name) and name.id in EVERYTHING for kind in kinds for name in ast.walk(kind))


def passes_on(handler: ast.ExceptHandler) -> bool:
    """Whether a handler ends by raising the same error again, or one of the same kind."""
    last = handler.body[-1]
    if not isinstance(last, ast.Raise) or any(isinstance(n, ast.Return | ast.Continue) for n in ast.walk(handler)):
        return False
    if last.exc is None:
        return True
    names = {call.func for call in ast.walk(last.exc) if isinstance(call, ast.Call)}
    return bool({name.id if isinstance(name, ast.Name) else getattr(name, "attr", "") for name in names} & REMAKING)


FOR_THE_EDITOR = ("fronts/unit.py", "fronts/stacks/answers/authored.py")
"""What an editor asks goes on whatever happens, as in the room `authoring`."""


def test_a_used_up_budget_is_not_collected_with_other_errors() -> None:
    """`except Fault` is for those who go on; whoever catches every `PlaitError` raises it again, or is at the edge."""
    found: dict[str, int] = {}
    for file, tree in naming(*EVERYTHING):
        if room_of(file) == "authoring" or shown(file) in FOR_THE_EDITOR:
            continue
        for node in ast.walk(tree):
            if catches_everything(node) and not (isinstance(node, ast.ExceptHandler) and passes_on(node)):
                found[shown(file)] = found.get(shown(file), 0) + 1
    assert found == AT_THE_EDGE


def test_an_error_is_a_fault_or_ends_the_run() -> None:
    """Nobody makes a plain `PlaitError`: it would slip through handlers of faults."""
    makers = [
        f"{shown(file)}:{node.lineno}"
        for file, tree in naming("PlaitError(")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "PlaitError"
    ]
    assert not makers
