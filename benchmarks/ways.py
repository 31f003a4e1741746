"""How far a question goes through the code: distinct functions, and changes from one room to another, on the way of
tiny inputs; and how many lines there are. `python -m benchmarks.ways` prints the table of ARCHITECTURE.md.

A function counts once, however often it is called. A change of room is a call from a function of one room to one of
another, each pair of functions once.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType

PACKAGE = Path(__file__).parents[1] / "src" / "plait"
FILES = {
    "a.yaml": "a: 1\nb: {c: 2}\n",
    "b.yaml": "a: 2\nb: {d: !ref a}\n",
    "template.yml": "a: (( merge ))\nb: (( a ))\n",
    "stub.yml": "a: 1\n",
    "atmos.yaml": 'stacks: {base_path: stacks, name_pattern: "{stage}"}\ncomponents: {terraform: {base_path: .}}\n',
    "stacks/dev.yaml": "vars: {stage: dev}\ncomponents: {terraform: {vpc: {vars: {cidr: 10.0.0.0/8}}}}\n",
}
QUESTIONS = {
    "merge": ("merge", "a.yaml", "b.yaml"),
    "spiff merge": ("spiff", "merge", "template.yml", "stub.yml"),
    "describe component": ("describe", "component", "vpc", "-s", "dev"),
    "review": ("review", "HEAD"),
}


def room(code: CodeType) -> str:
    """The room that a function is in; empty for one that is not ours."""
    path = code.co_filename
    if not path.startswith(str(PACKAGE)):
        return ""
    return path[len(str(PACKAGE)) + 1 :].split("/")[0]


def way(words: tuple[str, ...]) -> tuple[int, int]:
    """The distinct functions that a command runs, and the calls among them that lead to another room."""
    from plait.apps.cli import main

    functions: set[CodeType] = set()
    crossings: set[tuple[CodeType, CodeType]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not frame.f_code.co_flags & CO_OPTIMIZED or not room(frame.f_code):
            return  # the bodies of modules and classes are no functions
        functions.add(frame.f_code)
        above = frame.f_back
        while above is not None and not room(above.f_code):
            above = above.f_back
        if above is not None and room(above.f_code) != room(frame.f_code):
            crossings.add((above.f_code, frame.f_code))

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        sys.setprofile(note)
        try:
            main([*words, "--no-cache"])
        finally:
            sys.setprofile(None)
    return len(functions), len(crossings)


def lines() -> int:
    return sum(len(file.read_bytes().splitlines()) for file in PACKAGE.rglob("*.py"))


def repository(folder: Path) -> None:
    """The files as a commit, and one changed value since."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    person = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    for words in (("init", "-q"), ("add", "-A"), (*person, "commit", "-q", "-m", "one")):
        subprocess.run(["git", *words], cwd=folder, check=True)
    (folder / "stacks/dev.yaml").write_text(FILES["stacks/dev.yaml"].replace("/8", "/9"))


def table() -> str:
    """Each command in a process of its own, as users run it."""
    rows = ["| question | distinct functions | changes of room |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as place:
        repository(Path(place))
        for words in QUESTIONS.values():
            command = [sys.executable, __file__, *words]
            counts = subprocess.run(command, cwd=place, check=True, capture_output=True, text=True).stdout
            rows.append(f"| `plait {' '.join(words)}` | {' | '.join(counts.split())} |")
    return "\n".join([*rows, "", f"`src/plait` has {lines():,} lines."]) + "\n"


if __name__ == "__main__":
    words = tuple(sys.argv[1:])
    sys.stdout.write(" ".join(f"{number:,}" for number in way(words)) if words else table())
