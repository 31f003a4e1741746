"""Templates and stubs of dynaml for the model, and what `plait spiff merge` makes of them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import yaml

from tests.answers import answer, project

KEYS = ["a", "b", "c", "d", "0"]
LINE = re.compile(r"^\t\(\(.*\)\)\tin (\S+)\t([^\t]*)\t", re.M)


class Writer:
    """Random documents: few names, so that references, stubs and cycles meet."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def one(self, *choices: Any) -> Any:
        return self.chance.choice(choices)

    def scalar(self) -> Any:
        return self.one(1, 2, 7, 0, "x", "w", "", True, False, None)

    def path(self) -> str:
        steps = [self.one("a", "b", "c", "d")]
        while self.chance.random() < 0.4:
            steps.append(self.one("a", "b", "c", "[0]", "[1]", "x"))
        return self.one("", "", ".") + ".".join(steps)

    def literal(self) -> str:
        return self.one("1", "2", "-3", '"x"', '"1"', "true", "false", "nil", "[]", "[1, 2]", '["x"]')

    def expression(self, depth: int = 0) -> str:
        if depth > 2 or self.chance.random() < 0.25:
            return self.one(self.path(), self.path(), self.literal())
        part = lambda: self.expression(depth + 1)  # noqa: E731
        made = self.one(
            lambda: f"{part()} || {part()}",
            lambda: f"{part()} // {part()}",
            lambda: f"{part()} {self.one(*'+-*/%')} {part()}",
            lambda: f"{part()} {self.one('==', '!=', '<', '<=', '>', '>=')} {part()}",
            lambda: f"{part()} {self.one('-and', '-or')} {part()}",
            lambda: f"{part()} {part()}",
            lambda: f"( {part()} ) ? {part()} :{part()}",
            lambda: f"!( {part()} )",
            lambda: f'join("{self.one("", "-")}", {part()}, {part()})',
            lambda: f"length( {part()} )",
            lambda: f"keys( {part()} )",
            lambda: f"reverse( {part()} )",
            lambda: f"[ {part()}, {part()} ]",
            lambda: f"map[{part()}|x|-> {self.one('x', 'x + 1', 'x x', 'x || 1')}]",
            lambda: f"map[{part()}|k,x|-> [ k, x ]]",
            lambda: f"select[{part()}|x|-> {self.one('x', 'x > 1', 'x == 1')}]",
            lambda: f"sum[{part()}|0|s,x|-> s + x]",
            lambda: f".f( {part()} )",
            lambda: f"( {self.merge()} )",
        )()
        return made if self.chance.random() < 0.4 else f"( {made} )"

    def merge(self) -> str:
        return self.one("merge", "merge", "merge || 1", f"merge {self.one('a', 'b', 'c.a')}", "merge required")

    def node(self, depth: int = 0) -> Any:
        roll = self.chance.random()
        if depth < 3 and roll < 0.35:
            return self.map(depth)
        if depth < 3 and roll < 0.55:
            return self.list(depth)
        if roll < 0.8:
            made = self.expression(self.one(0, 1, 2, 2))
            return f"(( {made} ))" if self.chance.random() < 0.5 else f"(( ( {made} ) || {self.literal()} ))"
        return self.scalar()

    def map(self, depth: int) -> Any:
        made = {key: self.node(depth + 1) for key in self.chance.sample(KEYS, self.chance.randrange(4))}
        if self.chance.random() < 0.3:
            made["<<"] = f"(( {self.one(self.merge(), self.path(), 'merge replace', f'{self.path()} || nil')} ))"
        return made

    def list(self, depth: int) -> Any:
        made: list[Any] = [self.item(depth) for _ in range(self.chance.randrange(4))]
        if self.chance.random() < 0.3:
            made.insert(self.chance.randrange(len(made) + 1), {"<<": f"(( {self.one(self.merge(), self.path())} ))"})
        return made

    def item(self, depth: int) -> Any:
        if self.chance.random() < 0.5:
            name = self.one("x", "w", "z")
            return {"name": name, **{key: self.node(depth + 2) for key in self.chance.sample(KEYS, 2)}}
        return self.node(depth + 1)

    def document(self) -> Any:
        made = {key: self.node(1) for key in self.chance.sample(KEYS, self.chance.randrange(2, 6))}
        if self.chance.random() < 0.6:
            made["f"] = f"(( &temporary ( |x|-> {self.one('x + 1', 'x x', 'x', 'a', 'x == 1')} ) ))"
        return made

    def stub(self) -> Any:
        """Mostly data: a stub must be complete."""
        made = {key: self.node(1) for key in self.chance.sample(KEYS, self.chance.randrange(1, 5))}
        return made if self.chance.random() < 0.2 else without_expressions(made)


def without_expressions(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_expressions(part) for key, part in value.items() if key != "<<"}
    if isinstance(value, list):
        return [without_expressions(part) for part in value if not (isinstance(part, dict) and list(part) == ["<<"])]
    return 5 if isinstance(value, str) and value.startswith("((") else value


def documents(seed: int) -> list[Any]:
    writer = Writer(Random(seed))
    return [writer.document(), *(writer.stub() for _ in range(writer.chance.randrange(3)))]


def merged_by_plait(texts: list[Any]) -> Any:
    """The manifest; for an error, the number of the document that is not complete and the paths in it."""
    files = {f"{number}.yml": yaml.safe_dump(text, width=1000) for number, text in enumerate(texts)}
    with project(files):
        status, out, err = answer(["spiff", "merge", *files])
    if not status:
        return yaml.safe_load(out)
    lines = unresolved(err)
    assert len({file for file, _ in lines}) == 1, err
    return int(min(lines)[0].removesuffix(".yml")), {path for _, path in lines}


def unresolved(report: str) -> set[tuple[str, str]]:
    """The file and the path of each node that has no value."""
    return set(LINE.findall(report))


def typed(value: Any) -> Any:
    """An answer in which 1 and true differ, and the order of keys does not count."""
    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    return [typed(part) for part in value] if isinstance(value, list) else (type(value).__name__, value)
