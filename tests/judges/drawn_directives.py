"""Random documents with merge directives: some data, then directives that refer to parts of it.

What plait does differently on purpose (docs/fronts/unfurl.md) is not drawn: `raw`, lists in two maps that are merged,
directives in items of lists that others bring in, names of maps with directives.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import yaml

KEYS = ["p", "q", "r", "s", "t"]
WORDS = ["whiteout", "nullout", "replace", "merge", "error"]
SCALARS = [1, 2, "x", "y", True, False, 1.5, "", "long text"]

Steps = tuple[Any, ...]


class DrawnDocument:
    """The files of one document; `main.yaml` is expanded."""

    def __init__(self, seed: int) -> None:
        self._random = random = Random(seed)
        self._lists = 0
        self._names: list[str] = []
        self._main = {key: self._map(2) for key in random.sample(["a", "b", "c", "d"], random.randint(2, 4))}
        included = random.choice([[], [], ["one.yaml"], ["one.yaml", "two.yaml"]])
        parts = {name: self._map(2, 1) for name in included}
        self._direct(self._main, included)
        for at, part in enumerate(parts.values()):
            if self._often(0.5):
                self._direct(part, included[at + 1 :])
        whole = {"main.yaml": self._main, **parts}
        self.is_relative = any(str(step).startswith("+.") for part in whole.values() for step in self._keys(part))
        self.files = {name: yaml.safe_dump(content, sort_keys=False) for name, content in whole.items()}

    def _often(self, share: float) -> bool:
        return self._random.random() < share

    def _map(self, depth: int, least: int = 0) -> dict[str, Any]:
        keys = self._random.sample(KEYS, self._random.randint(least, 3))
        drawn: dict[str, Any] = dict(self._entry(key, depth) for key in keys)
        if self._often(0.2) and all(not isinstance(value, dict | list) for value in drawn.values()):
            self._names.append(f"N{len(self._names)}")
            drawn["+&"] = self._names[-1]
        return drawn

    def _entry(self, key: str, depth: int) -> tuple[str, Any]:
        if depth and self._often(0.6):
            return key, self._map(depth - 1)
        if self._often(0.85):
            return key, self._random.choice(SCALARS)
        self._lists += 1
        items = [f"item{self._lists}", *self._random.sample(SCALARS, self._random.randint(0, 2))]
        return f"list{self._lists}", items

    def _walk(self, node: Any, path: Steps = ()) -> Iterator[tuple[Steps, Any]]:
        yield path, node
        for step, child in (
            node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        ):
            if not str(step).startswith("+"):
                yield from self._walk(child, (*path, step))

    def _keys(self, part: dict[str, Any]) -> list[str]:
        return [key for _, node in self._walk(part) if isinstance(node, dict) for key in node]

    def _direct(self, top: dict[str, Any], included: list[str]) -> None:
        """Put directives into some maps, and in the place of some values."""
        spots = [(path, node) for path, node in self._walk(top) if "+&" not in (node if isinstance(node, dict) else {})]
        for path, node in self._random.choices(spots, k=self._random.randint(1, 4)):
            key = self._key(path if top is self._main else None)
            if isinstance(node, dict):
                if included and self._often(0.25):
                    node[self._random.choice(["+include", "+include2"])] = self._random.choice(included)
                elif key:
                    node[key] = None
                if self._often(0.15):
                    node["+%"] = self._random.choice(WORDS)
            elif key and not isinstance(node, list) and isinstance(path[-1], str):
                holder = top
                for step in path[:-1]:
                    holder = holder[step]
                holder[path[-1]] = {key: None}
        for _, node in spots:
            if isinstance(node, dict):
                items = list(node.items())
                self._random.shuffle(items)
                node.clear()
                node.update(items)

    def _key(self, at: Steps | None) -> str:
        """A directive for some part of the main document; a relative one for a place in it."""
        if self._names and self._often(0.2):
            return f"+*{self._random.choice(self._names)}"
        parts = [path for path, node in self._walk(self._main) if path and (isinstance(node, dict) or self._often(0.2))]
        if not parts:
            return ""
        path = self._random.choice(parts)
        if at is None or self._often(0.5):
            return "+/" + "/".join(map(str, path))
        same = next((n for n, (one, other) in enumerate(zip(at, path, strict=False)) if one != other), len(path))
        same = min(same, len(at))
        return f"+{'.' * (len(at) - same + 1)}/" + "/".join(map(str, path[same:])) if path[same:] else ""
