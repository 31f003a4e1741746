"""Random documents as generators write them, with comments, and random changes of them."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

NAMES = ["app", "db", "cache", "proxy", "init", "warm", "migrate", "wait-db", "log", "mail"]
KEYS = ["image", "replicas", "size", "zone", "mode", "limits", "labels", "path", "weight", "owner"]


class Commented:
    """A value with a comment beside or above it."""

    def __init__(self, value: Any, comment: str, above: bool) -> None:
        self.value, self.comment, self.above = value, comment, above


def scalar(chance: random.Random) -> Any:
    name, number = chance.choice(NAMES), chance.randint(0, 9)
    return chance.choice([chance.randint(0, 999), name, f"{name}:{number}.0", number > 4, "", f"{number}"])


def fields(chance: random.Random, depth: int, count: int = 4) -> dict[str, Any]:
    return {key: value(chance, depth) for key in chance.sample(KEYS, chance.randint(1, count))}


def value(chance: random.Random, depth: int) -> Any:
    what = chance.random() if depth else 0.0
    if what < 0.45:
        made: Any = scalar(chance)
    elif what < 0.65:
        made = fields(chance, depth - 1)
    elif what < 0.85:
        made = [{"name": name, **fields(chance, depth - 1, 3)} for name in chance.sample(NAMES, chance.randint(1, 5))]
    else:
        made = [scalar(chance) for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.12:
        return Commented(made, f"note {chance.randint(0, 99)}", chance.random() < 0.5)
    return made


def document(chance: random.Random, name: str) -> dict[str, Any]:
    steps = [{"name": one, **fields(chance, 1, 2)} for one in chance.sample(NAMES, 4)]
    about = {"apiVersion": "example.com/v1", "kind": chance.choice(["Thing", "App"]), "metadata": {"name": name}}
    return {**about, "spec": {**fields(chance, 3), "steps": steps}}


def documents(chance: random.Random) -> list[dict[str, Any]]:
    return [document(chance, name) for name in chance.sample(NAMES, chance.randint(1, 3))]


# As text


def text_of(docs: list[dict[str, Any]]) -> str:
    return "---\n".join("\n".join(lines(doc, "")) + "\n" for doc in docs)


def lines(data: dict[str, Any], pad: str) -> list[str]:
    out: list[str] = []
    for key, child in data.items():
        out += under(f"{pad}{key}:", child, pad)
    return out


def under(head: str, child: Any, pad: str) -> list[str]:
    """A value after what names it."""
    plain, above, beside = child, [], ""
    if isinstance(child, Commented):
        plain = child.value
        above = [f"{pad}# {child.comment}"] if child.above else []
        beside = "" if child.above else f"  # {child.comment}"
    if isinstance(plain, dict) and plain:
        return [*above, head + beside, *lines(plain, pad + "  ")]
    if isinstance(plain, list) and plain:
        return [*above, head + beside, *(line for item in plain for line in item_lines(item, pad))]
    return [*above, f"{head} {json.dumps(plain)}{beside}"]


def item_lines(item: Any, pad: str) -> list[str]:
    if not isinstance(item, dict):
        return [f"{pad}- {json.dumps(item)}"]
    first, *rest = lines(item, pad + "  ")
    return [f"{pad}- {first.strip()}", *rest]


# Changes


def containers(data: Any) -> list[Any]:
    plain = data.value if isinstance(data, Commented) else data
    found = [plain] if isinstance(plain, dict | list) else []
    for child in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        found += containers(child)
    return found


def changed(chance: random.Random, docs: list[dict[str, Any]], edits: int, moves: bool = True) -> list[dict[str, Any]]:
    """The same documents after some edits; with `moves`, items in another order among them."""
    made = copy.deepcopy(docs)
    for _ in range(edits):
        spec = chance.choice(made)["spec"]
        change(chance, chance.choice(containers(spec)), moves)
    return made


def change(chance: random.Random, at: Any, moves: bool) -> None:
    if isinstance(at, dict):
        change_map(chance, at)
    else:
        change_list(chance, at, moves)


def change_map(chance: random.Random, at: dict[str, Any]) -> None:
    what = chance.random()
    keys = [key for key in at if key not in ("name", "steps")]
    if what < 0.4 or not keys:
        new = [key for key in KEYS if key not in at]
        if new:
            entries = [*at.items()]
            entries.insert(chance.randint(1, len(entries)) if entries else 0, (chance.choice(new), value(chance, 1)))
            at.clear()
            at.update(entries)
    elif what < 0.6 and len(at) > 2:
        del at[chance.choice(keys)]
    else:
        at[chance.choice(keys)] = scalar(chance)


def change_list(chance: random.Random, at: list[Any], moves: bool) -> None:
    named = bool(at) and isinstance(at[0], dict)
    what = chance.random()
    if what < 0.5 or len(at) < 2:
        new = [name for name in NAMES if name not in [item["name"] for item in at]] if named else NAMES
        if new:
            name = chance.choice(new)
            at.insert(chance.randint(0, len(at)), {"name": name, **fields(chance, 1, 2)} if named else name)
    elif what < 0.75:
        at.pop(chance.randrange(len(at)))
    elif moves:
        at.insert(chance.randrange(len(at)), at.pop(chance.randrange(len(at))))
