"""Random histories of a generated folder, and the law that every run of them must keep.

A history has a pattern that its author changes, inputs that its user changes, and files that other people edit.
After each run the files are compared with `expected`, which states the law of the specification for plain data,
without any code of plait: what others changed stays; what nobody touched follows the pattern; an input that was
given in the run decides the scalar leaves that it moves; an item is written whole or not at all; an item whose key
an input moves is the same item.

`python -m tests.patterns.histories 10000` runs that many histories of ten runs; `--first N` begins at another seed.
"""

from __future__ import annotations

import copy
import difflib
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from plait.core.path import Keyed
from plait.workspace import Workspace
from tests.patterns.seeds import Broken, own_folder, run_seeds

RUNS = 10
KEYS = {"env": "name", "ports": "containerPort", "rules": "name"}
"""The lists whose items have a key."""
MISSING: Any = type("Missing", (), {"__repr__": lambda self: "missing", "__bool__": lambda self: False})()
WORDS = ["alpha", "beta", "gamma", "delta", "omega", "one", "two", "six"]


# The pattern: a tree of literals, inputs, maps, lists and optional fields


class Leaf:
    """A literal, or the value of an input."""

    def __init__(self, value: object = None, name: str = "") -> None:
        self.value, self.name = value, name

    def data(self, inputs: dict[str, Any]) -> Any:
        return inputs[self.name] if self.name else self.value

    def shown(self) -> str:
        return f"{{{{ .{self.name} }}}}" if self.name else json.dumps(self.value)


class Item:
    """An item of a list with a key; `when` is the input that it depends on. The object itself is its identity."""

    def __init__(self, fields: dict[str, Any], when: str = "") -> None:
        self.fields, self.when = fields, when


class Optional:
    """A field that is there while an input is true."""

    def __init__(self, when: str, body: Any) -> None:
        self.when, self.body = when, body


def data_of(body: Any, inputs: dict[str, Any]) -> Any:
    """What the pattern generates, as plain data."""
    if isinstance(body, Leaf):
        return body.data(inputs)
    if isinstance(body, Optional):
        return data_of(body.body, inputs) if inputs[body.when] else MISSING
    if isinstance(body, Item):
        return data_of(body.fields, inputs) if not body.when or inputs[body.when] else MISSING
    if isinstance(body, list):
        made = [data_of(item, inputs) for item in body]
        made = [item for item in made if item is not MISSING]
        return made if made or not body else None  # a template without any item left writes nothing, which is null
    made = {key: data_of(child, inputs) for key, child in body.items()}
    return {key: child for key, child in made.items() if child is not MISSING}


def template_of(body: dict[str, Any], depth: int = 0) -> list[str]:
    """The same as the lines of a template."""
    pad, lines = "  " * depth, []
    for key, child in body.items():
        optional = isinstance(child, Optional)
        inner = child.body if optional else child
        lines += [f"{{{{- if .{child.when} }}}}"] if optional else []
        if isinstance(inner, Leaf):
            lines.append(f"{pad}{key}: {inner.shown()}")
        elif isinstance(inner, dict):
            lines += [f"{pad}{key}:", *template_of(inner, depth + 1)] if inner else [f"{pad}{key}: {{}}"]
        else:
            lines += [f"{pad}{key}:", *_list_lines(inner, depth)] if inner else [f"{pad}{key}: []"]
        lines += ["{{- end }}"] if optional else []
    return lines


def _list_lines(items: list[Any], depth: int) -> list[str]:
    pad, lines = "  " * depth, []
    for item in items:
        if isinstance(item, Leaf):
            lines.append(f"{pad}- {item.shown()}")
            continue
        first, *rest = template_of(item.fields, depth + 1)
        block = [f"{pad}- {first.strip()}", *rest]
        lines += [f"{{{{- if .{item.when} }}}}", *block, "{{- end }}"] if item.when else block
    return lines


class Pattern:
    """What the author of the pattern changes between runs."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.version = 1
        self.written = 0
        self.count = 0
        self.defaults: dict[str, Any] = {
            "size": 1,
            "level": "info",
            "port": 80,
            "probe": True,
            "extra": False,
            "app": "wall",
        }
        self.renamed: dict[str, str] = {}
        self.resources = {f"r{number}": self._resource() for number in range(chance.randint(1, 3))}

    def fresh_name(self, word: str = "f") -> str:
        self.count += 1
        return f"{word}{self.count}"

    def named(self, name: str) -> str:
        """An input under the name that it has now."""
        return next(now for now in self.defaults if now.startswith(name))

    def leaf(self) -> Leaf:
        if self.chance.random() < 0.45:
            return Leaf(
                name=self.chance.choice([name for name in self.defaults if not name.startswith(("probe", "extra"))])
            )
        return Leaf(self.chance.choice([self.chance.randint(0, 9), self.chance.choice(WORDS), True]))

    def _resource(self) -> dict[str, Any]:
        names = [
            name for name in self.defaults if isinstance(self.defaults[name], int) and self.defaults[name] is not True
        ]
        key = Leaf(name=self.chance.choice([name for name in names if self.defaults[name] is not False]))
        return {
            "size": self.leaf(),
            "tags": {self.fresh_name(): self.leaf() for _ in range(self.chance.randint(1, 3))},
            "env": [self.env_item() for _ in range(self.chance.randint(1, 3))],
            "ports": [
                Item({"name": Leaf(self.fresh_name("p")), "containerPort": key, "weight": self.leaf()}),
                Item({"name": Leaf(self.fresh_name("p")), "containerPort": Leaf(9000 + self.count)}),
            ],
            "probe": Optional("probe", {"path": Leaf("/"), "period": self.leaf(), "deep": {"wait": self.leaf()}}),
            "block": [Item({"variables": {self.fresh_name("V"): self.leaf(), self.fresh_name("V"): self.leaf()}})],
            "plain": [Leaf(self.chance.choice(WORDS)) for _ in range(2)],
        }

    def env_item(self) -> Item:
        return Item({"name": Leaf(self.fresh_name("E")), "value": self.leaf(), "more": {"deep": self.leaf()}},
                    self.chance.choice(["", "", "", self.named("extra")]))  # fmt: skip

    # What changes

    def change(self) -> None:
        self.version += 1
        body = self.chance.choice(list(self.resources.values()))
        what = self.chance.choice([self._move_default, self._move_literal, self._remove_field, self._add_field,
                                   self._remove_item, self._add_item, self._rename_input])  # fmt: skip
        what(body)

    def _move_default(self, body: dict[str, Any]) -> None:
        name = self.chance.choice(list(self.defaults))
        self.defaults[name] = other_value(self.chance, self.defaults[name])

    def _move_literal(self, body: dict[str, Any]) -> None:
        body["size"] = Leaf(self.chance.randint(10, 99))
        tags = body["tags"]
        if tags:
            tags[self.chance.choice(list(tags))] = self.leaf()

    def _remove_field(self, body: dict[str, Any]) -> None:
        if body["tags"]:
            del body["tags"][self.chance.choice(list(body["tags"]))]
        else:
            body.pop("probe", None)

    def _add_field(self, body: dict[str, Any]) -> None:
        body["tags"][self.fresh_name()] = self.leaf()

    def _remove_item(self, body: dict[str, Any]) -> None:
        items = body["env"]
        if items:
            items.remove(self.chance.choice(items))

    def _add_item(self, body: dict[str, Any]) -> None:
        body["env"].insert(self.chance.randint(0, len(body["env"])), self.env_item())

    def _rename_input(self, body: dict[str, Any]) -> None:
        """An input gets another name; the old one is declared."""
        old = self.chance.choice(list(self.defaults))
        new = old.rstrip("x") + "x" * (len(old) - len(old.rstrip("x")) + 1)
        self.defaults = {new if name == old else name: value for name, value in self.defaults.items()}
        self.renamed = {name: before for name, before in self.renamed.items() if name != old}
        self.renamed[new] = old
        for resource in self.resources.values():
            _rename(resource, old, new)

    # As files

    def write(self, folder: Path) -> None:
        if self.written == self.version:
            return
        self.written = self.version
        home = folder / "patterns" / "app"
        shutil.rmtree(home, ignore_errors=True)
        (home / "resources").mkdir(parents=True)
        inputs = {
            name: {
                "type": TYPES[type(value)],
                "default": value,
                **({"renamed-from": self.renamed[name]} if name in self.renamed else {}),
            }
            for name, value in self.defaults.items()
        }
        about = {"name": "app", "version": f"{self.version}.0.0", "inputs": inputs}
        lists = {"spec.env": "key:name", "spec.ports": "key:containerPort"}
        (home / "pattern.yaml").write_text(json.dumps({**about, "lists": lists}))
        documents = [
            "\n".join(["apiVersion: v1", "kind: Thing", "metadata:", f"  name: {name}", "spec:", *template_of(body, 1)])
            for name, body in self.resources.items()
        ]
        (home / "resources" / "made.yaml").write_text("\n---\n".join(documents) + "\n")


TYPES = {int: "integer", str: "string", bool: "boolean"}


def _rename(body: Any, old: str, new: str) -> None:
    """Every use of an input under its new name; leaves are shared, so each is renamed in place."""
    children = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    for child in children:
        if isinstance(child, Leaf):
            child.name = new if child.name == old else child.name
        elif isinstance(child, Optional | Item):
            child.when = new if child.when == old else child.when
            _rename(child.body if isinstance(child, Optional) else child.fields, old, new)
        else:
            _rename(child, old, new)


def other_value(chance: random.Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return chance.choice(WORDS) + str(chance.randint(0, 9)) if isinstance(value, str) else chance.randint(100, 999)


# Other people


def edit(chance: random.Random, resource: dict[str, Any]) -> None:
    """One edit by somebody else."""
    spec = resource.get("spec") or {}
    chance.choice([_tune, _tune, _tune, _add, _delete, _reorder, _delete_item, _edit_item, _rename_item])(chance, spec)


def _containers(data: Any) -> list[Any]:
    found = [data] if isinstance(data, dict) else []
    for child in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        found += _containers(child)
    return found


def _tune(chance: random.Random, spec: dict[str, Any]) -> None:
    places = [
        (at, key)
        for at in _containers(spec)
        for key in at
        if not isinstance(at[key], dict | list) and key not in KEYS.values()
    ]
    if places:
        at, key = chance.choice(places)
        at[key] = chance.choice([chance.randint(1000, 1999), f"theirs-{chance.randint(0, 99)}", None])


def _add(chance: random.Random, spec: dict[str, Any]) -> None:
    chance.choice(_containers(spec))[f"theirs{chance.randint(0, 99)}"] = chance.choice([1, "x", {"a": 1}])


def _delete(chance: random.Random, spec: dict[str, Any]) -> None:
    places = [(at, key) for at in _containers(spec) for key in at if key not in KEYS.values()]
    if places:
        at, key = chance.choice(places)
        del at[key]


def _lists(spec: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    return [(name, spec[name]) for name in ("env", "ports") if isinstance(spec.get(name), list) and spec[name]]


def _reorder(chance: random.Random, spec: dict[str, Any]) -> None:
    for _, items in _lists(spec):
        chance.shuffle(items)


def _delete_item(chance: random.Random, spec: dict[str, Any]) -> None:
    for _, items in _lists(spec)[:1]:
        items.pop(chance.randrange(len(items)))


def _edit_item(chance: random.Random, spec: dict[str, Any]) -> None:
    found = _lists(spec)
    if found:
        _, items = chance.choice(found)
        chance.choice(items)[f"hers{chance.randint(0, 9)}"] = chance.randint(0, 9)


def _rename_item(chance: random.Random, spec: dict[str, Any]) -> None:
    found = _lists(spec)
    if found:
        name, items = chance.choice(found)
        chance.choice(items)[KEYS[name]] = (
            f"R{chance.randint(0, 10**6)}" if name == "env" else chance.randint(20000, 60000)
        )


# The law, for plain data


class Law:
    """What a run must make of one resource.

    `moves` are the changed inputs; each has the resource as it would be without it.
    """

    def __init__(self, identities: dict[tuple[str, Any], Any], without: dict[str, Any], given: set[str]) -> None:
        self.identities = identities
        self.without = without
        self.given = given
        self.kept: list[tuple[tuple[Any, ...], set[str]]] = []
        self.refused: list[tuple[tuple[Any, ...], Any]] = []
        """What the pattern wanted and did not get: where, and what it was before. The next run begins with that."""
        self.set: list[tuple[Any, ...]] = []

    def movers(self, fresh: Any, path: tuple[Any, ...]) -> set[str]:
        """The changed inputs without which the value at a path would be another."""
        last = name_of(path)
        return {name for name, tree in self.without.items() if not same(reach(tree, path), fresh, last)}

    def merge(self, base: Any, here: Any, fresh: Any, path: tuple[Any, ...], fresh_path: tuple[Any, ...]) -> Any:
        name = name_of(path)
        if same(here, fresh, name) or same(fresh, base, name):
            return here
        if same(here, base, name):
            return fresh
        kinds = {type(side) for side in (base, here, fresh) if side is not MISSING}
        deleted = here is MISSING and kinds == {dict} and base is not MISSING and fresh is not MISSING
        if deleted or (here is not MISSING and kinds == {dict} and not (base is MISSING and fresh is MISSING)):
            return self._maps(base, here, fresh, path, fresh_path)
        if kinds == {list} and name in KEYS and (here is not MISSING or base is not MISSING):
            return self._items(base, here, fresh, path, fresh_path, KEYS[name])
        if (
            kinds == {list}
            and name == "block"
            and all(len(side) == 1 for side in (base, here, fresh) if side is not MISSING)
            and here is not MISSING
            and fresh is not MISSING
        ):
            return [self.merge({} if base is MISSING else base[0], here[0], fresh[0], (*path, 0), (*fresh_path, 0))]
        movers = self.movers(fresh, fresh_path)
        scalars = not any(isinstance(side, dict | list) or side is MISSING for side in (base, here, fresh))
        if scalars and movers & self.given:
            self.set.append(path)
            return fresh
        self.kept.append((path, movers))
        self.refused.append((fresh_path, base))
        return here

    def _maps(self, base: Any, here: Any, fresh: Any, path: tuple[Any, ...], fresh_path: tuple[Any, ...]) -> Any:
        b, f = base or {}, fresh or {}
        made = {}
        e = here or {}
        for key in [*e, *(key for key in f if key not in e)]:
            sides = (b.get(key, MISSING), e.get(key, MISSING), f.get(key, MISSING))
            made[key] = self.merge(*sides, (*path, key), (*fresh_path, key))
        made = {key: value for key, value in made.items() if value is not MISSING}
        return made if made or (here is not MISSING and (fresh is not MISSING or not here)) else MISSING

    def _items(
        self, base: Any, here: Any, fresh: Any, path: tuple[Any, ...], fresh_path: tuple[Any, ...], key: str
    ) -> Any:
        b, e, f = ({item[key]: item for item in side or ()} for side in (base, here, fresh))
        moved = {old: new for old, new in self._moved(b, f, path).items() if new not in e}
        made = []
        for name in dict.fromkeys([*e, *f, *b]):
            if name in moved.values():
                continue
            target = moved.get(name, name)
            sides = b.get(name, MISSING), e.get(name, MISSING), f.get(target, MISSING)
            made.append(self._item(*sides, (*path, name), (*fresh_path, target)))
        made = [item for item in made if item is not MISSING]
        return made if made or here is not MISSING else MISSING

    def _item(self, base: Any, here: Any, fresh: Any, path: tuple[Any, ...], fresh_path: tuple[Any, ...]) -> Any:
        if here is not MISSING and fresh is not MISSING:
            return self.merge(base, here, fresh, path, fresh_path)
        if same(here, base):
            return fresh
        if not same(fresh, base) and not same(fresh, here):
            self.kept.append((path, self.movers(fresh, fresh_path)))
            self.refused.append((fresh_path, base))
        return here

    def _moved(self, base: dict[Any, Any], fresh: dict[Any, Any], path: tuple[Any, ...]) -> dict[Any, Any]:
        """Items under another key than last time, because of an input: with the inputs of last time they had their
        old key."""
        before, then, now = (
            {item: key for (which, *at, key), item in self.identities.items() if which == side and tuple(at) == path}
            for side in ("base", "then", "fresh")
        )
        pairs = {old: now[item] for item, old in before.items() if item in now and then.get(item) == old != now[item]}
        return {old: new for old, new in pairs.items() if new not in base and old not in fresh and old in base}


def agreed(fresh: Any, refused: list[tuple[tuple[Any, ...], Any]]) -> Any:
    """What was generated, with what it was before wherever the pattern did not get what it wanted."""
    made = {"": copy.deepcopy(fresh)}
    for path, base in refused:
        _put(made, ("", *path), copy.deepcopy(base))
    return made[""]


def _put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    name = ""
    for step in path[:-1]:
        if isinstance(data, dict):
            data[step] = data.get(step, MISSING) if isinstance(data.get(step, MISSING), dict | list) else {}
            data, name = data[step], step
        else:
            data, name = next(item for at, item in enumerate(data) if item.get(KEYS.get(name), at) == step), ""
    last = path[-1]
    if isinstance(data, dict):
        data.pop(last, None)
        data.update({} if value is MISSING else {last: value})
        return
    data[:] = [item for at, item in enumerate(data) if item.get(KEYS.get(name), at) != last]
    key = {KEYS[name]: last} if name in KEYS else {}  # an input may have moved the key
    data.extend([] if value is MISSING else [{**value, **key}])


def name_of(path: tuple[Any, ...]) -> str:
    """The key under which something stands."""
    return path[-1] if path and isinstance(path[-1], str) else ""


def same(a: Any, b: Any, name: str = "") -> bool:
    """Equal, where the order of keys and of items with a key does not count, and 1 is not True."""
    return repr(_ordered(a, name)) == repr(_ordered(b, name))


def _ordered(data: Any, name: str = "") -> Any:
    if isinstance(data, dict):
        return {key: _ordered(data[key], key) for key in sorted(data)}
    if isinstance(data, list):
        items = [_ordered(item) for item in data]
        return sorted(items, key=lambda item: str(item.get(KEYS[name]))) if name in KEYS else items
    return data


def reach(data: Any, path: tuple[Any, ...]) -> Any:
    name = ""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step, MISSING)
        elif isinstance(data, list):
            key = KEYS.get(name)
            data = next(
                (item for at, item in enumerate(data) if (item.get(key) == step if key else at == step)), MISSING
            )
        else:
            return MISSING
        name = step if isinstance(step, str) else ""
    return data


# A history


class History:
    """Ten runs, with everything that happens between them."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.pattern = Pattern(self.chance)
        self.given: dict[str, Any] = {}
        self.base: dict[str, Any] = {}
        self.base_identities: dict[tuple[Any, ...], Any] = {}
        self.log: list[str] = []
        self.patterns: Any = None
        self.declared: Any = None
        self.loaded = 0

    def run(self) -> None:
        for number in range(RUNS):
            if number:
                self._between_runs()
            self._generate(first=not number)

    def _between_runs(self) -> None:
        chance = self.chance
        if chance.random() < 0.4:
            before = dict(self.pattern.renamed)
            self.pattern.change()
            new = {now: old for now, old in self.pattern.renamed.items() if before.get(now) != old}
            self.given = {
                next((now for now, old in new.items() if old == name), name): value
                for name, value in self.given.items()
            }
        here = self.read()
        for _ in range(chance.choice([0, 1, 1, 2, 3])):
            if here:
                edit(chance, here[chance.choice(list(here))])
        if here and chance.random() < 0.04:
            del here[chance.choice(list(here))]
        if chance.random() < 0.8:
            self._write(here)

    def read(self) -> dict[str, Any]:
        found = {}
        for file in sorted((self.folder / "out").glob("[!.]*.yaml")):
            for document in yaml.load_all(file.read_text(), yaml.CSafeLoader):
                if document is not None:
                    name = document["metadata"]["name"]
                    if name in found:
                        raise Broken(f"{name} is there twice")
                    found[name] = document
        return found

    def _write(self, here: dict[str, Any]) -> None:
        """As an editor or a formatter would: sorted or not, in one file or in two."""
        parts = [dict(list(here.items())[:1]), dict(list(here.items())[1:])] if self.chance.random() < 0.2 else [here]
        for name, part in zip(("made.yaml", "split.yaml"), [*parts, {}], strict=False):
            text = (
                yaml.dump_all(part.values(), Dumper=yaml.CSafeDumper, sort_keys=self.chance.random() < 0.3)
                if part
                else ""
            )
            path = self.folder / "out" / name
            if text:
                path.write_text(text)
            elif path.exists():
                path.unlink()

    def _generate(self, first: bool) -> None:
        chance, pattern = self.chance, self.pattern
        given = {name: other_value(chance, value) if chance.random() < 0.7 else self.given.get(name, value)
                 for name, value in pattern.defaults.items() if chance.random() < 0.25}  # fmt: skip
        forget = [
            name for name in self.given if name in pattern.defaults and name not in given and chance.random() < 0.08
        ]
        before = {**pattern.defaults, **{name: value for name, value in self.given.items() if name in pattern.defaults}}
        self.given = {**{name: value for name, value in self.given.items() if name not in forget}, **given}
        now = {**pattern.defaults, **{name: value for name, value in self.given.items() if name in pattern.defaults}}
        here = {} if first else self.read()
        self.log.append(f"version {pattern.version} given {given} forget {forget} before {before}")
        pattern.write(self.folder)
        lines = self._create(given, forget)
        after = self.read()
        fresh = {name: data_of(body, now) for name, body in pattern.resources.items()}
        changed = [name for name in now if not same(before[name], now[name])]
        identities = self._identities(now)
        base, undecided = dict(fresh), set()
        for name in fresh:
            if first:
                self._equal(after.get(name, {}).get("spec"), fresh[name], name)
                continue
            without = {n: data_of(pattern.resources[name], {**now, n: before[n]}) for n in changed}
            known = {("base", *key[1:]): value for key, value in self.base_identities.items() if key[0] == name}
            known |= {("fresh", *key[1:]): value for key, value in identities.items() if key[0] == name}
            known |= {("then", *key[1:]): value for key, value in self._identities(before).items() if key[0] == name}
            law = Law(known, without, set(given))
            self._check(name, here, fresh[name], after, law, lines)
            base[name] = agreed(fresh[name], law.refused)
            undecided |= {(name, path[:1]) for path, _ in law.refused
                          if not same(reach(base[name], path), reach(fresh[name], path), name_of(path))}  # fmt: skip
        self.base, self.base_identities = base, identities
        self._check_no_duplicates(after)
        if self.chance.random() < 0.4:
            self._again(given, undecided)

    def _identities(self, now: dict[str, Any]) -> dict[tuple[Any, ...], Any]:
        return {
            (name, field, data_of(item, now)[KEYS[field]]): id(item)
            for name, body in self.pattern.resources.items()
            for field in ("env", "ports")
            for item in body.get(field, ())
            if data_of(item, now) is not MISSING
        }

    def _create(self, given: dict[str, Any], forget: list[str]) -> list[Any]:
        if self.patterns is None or self.pattern.written != self.loaded:
            self.patterns, self.loaded = Workspace().patterns, self.pattern.written
            self.declared = self.patterns.pattern("app", [str(self.folder / "patterns")])
        options = type("Options", (), {"forget": forget})()
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
        planned = self.patterns.create(self.declared, options, texts, str(self.folder / "out"))
        planned.write()
        lines: list[Any] = planned.plan.lines
        return lines

    def _check(
        self, name: str, here: dict[str, Any], fresh: Any, after: dict[str, Any], law: Law, lines: list[Any]
    ) -> None:
        if name not in here:
            if name in after:
                raise Broken(f"{name} was deleted, and is back")
            return
        existing = here[name].get("spec", MISSING)
        wanted = law.merge(self.base[name], existing, fresh, (), ())
        self._equal(after[name].get("spec", MISSING), wanted, name)
        mine = [line for line in lines if line.document.short == name]
        for path, movers in law.kept:
            near = [line for line in mine if line.conflict and _near(_plain(line.entry.path), path)]
            if not near:
                raise Broken(f"{name}: nothing is reported for the conflict at {path}")
            if movers and not any(movers & set(line.entry.inputs) for line in near):
                raise Broken(f"{name}: the conflict at {path} does not name {movers}")
        for path in law.set:
            if not any(line.kind == "set" and _plain(line.entry.path) == path for line in mine):
                raise Broken(f"{name}: {path} is not reported as set")

    def _equal(self, after: Any, wanted: Any, name: str) -> None:
        if not same(after, wanted):
            raise Broken(f"{name} is\n{yaml.safe_dump(after)}and should be\n{yaml.safe_dump(wanted)}")

    def _check_no_duplicates(self, after: dict[str, Any]) -> None:
        for name, document in after.items():
            for field, items in _lists(document.get("spec") or {}):
                names = [item[KEYS[field]] for item in items]
                if len(set(names)) != len(names):
                    raise Broken(f"{name}: {field} has an item twice: {names}")

    def _again(self, given: dict[str, Any], undecided: set[Any]) -> None:
        """The second identical run changes no byte, and reports the conflicts that nobody decided."""
        before = {file.name: file.read_bytes() for file in (self.folder / "out").iterdir()}
        lines = self._create(given, [])
        after = {file.name: file.read_bytes() for file in (self.folder / "out").iterdir()}
        for name in {*before, *after}:
            if before.get(name) != after.get(name):
                sides = (side.get(name, b"").decode().splitlines() for side in (before, after))
                raise Broken("the second run changed something:\n" + "\n".join(difflib.unified_diff(*sides, name)))
        told = {
            (line.document.short, _plain(line.entry.path)[:1]) for line in lines if line.conflict and line.entry.path
        }
        if told != undecided:
            raise Broken(f"the second run reports the conflicts {told}, and not {undecided}")


def _plain(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """A reported path as the law spells it, below `spec`."""
    steps = [step.values[0] if isinstance(step, Keyed) else step for step in path[1:]]
    return tuple(int(step) if isinstance(step, str) and step.isdigit() else step for step in steps)


def _near(reported: tuple[Any, ...], path: tuple[Any, ...]) -> bool:
    """The line is about the field, about what it lies in, or about something in it."""
    short = min(len(reported), len(path))
    return reported[:short] == path[:short]


def run_history(seed: int) -> None:
    """One history; the seed and what happened are in the error."""
    with own_folder() as folder:
        history = History(seed, folder)
        try:
            history.run()
        except Exception as error:
            log = "\n".join(history.log)
            raise Broken(f"seed {seed}, run {len(history.log)}: {error}\n{log}") from error


if __name__ == "__main__":
    sys.exit(run_seeds(f"histories of {RUNS} runs", run_history))
