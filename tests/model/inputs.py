"""Generated inputs: layers with everything that can be written in them, as text."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

KEYS = st.sampled_from(["a", "b", "c", "name"])
NAMES = st.sampled_from(["x", "y", "z"])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([1.0, 2.5]), st.sampled_from(["", "x", "y", "1"])
).map(lambda value: json.dumps(value))
STEPS = st.sampled_from([".a", ".b", ".c", ".name", "[0]", "[1]", "[-1]", "[name=x]", "[name=y]"])
PATHS = st.tuples(st.sampled_from("abc"), st.lists(STEPS, max_size=2).map("".join)).map("".join)
REFS = PATHS.map(lambda path: f'!ref "{path}"')
LIST_TAGS = st.sampled_from(["", "", "", "!append ", "!prepend ", "!replace ", "!merge-by:name ", "!Other "])
STRATEGIES = st.sampled_from(["replace", "append", "prepend", "index", "set", "key:name", "key:name,a=1"])
PATTERN_STEPS = st.sampled_from(["a", "b", "c", "*", "**", "[0]", "[1]", "[name=x]", "[*]"])


def listed(items: list[str]) -> str:
    return f"[{', '.join(items)}]"


def mapped(entries: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"


def _named(inner: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Items with names of their own, and now and then one that is not as it should be."""
    item = st.tuples(NAMES, st.dictionaries(st.sampled_from("abc"), inner, max_size=2))
    made = st.lists(item, max_size=3, unique_by=lambda drawn: drawn[0]).map(
        lambda items: [mapped({"name": name, **rest}) for name, rest in items]
    )
    return st.one_of(made, made, made, st.tuples(made, inner).map(lambda drawn: [*drawn[0], drawn[1]]))


def _containers(words: bool) -> Any:
    def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        items = st.one_of(st.lists(inner, max_size=3), _named(inner))
        removed = st.one_of(inner, inner, st.just("!unset ")) if words else inner
        maps = st.dictionaries(KEYS, removed, max_size=3).map(mapped)
        if not words:
            return st.one_of(items.map(listed), maps)
        with_holes = st.lists(removed, max_size=3).map(listed)
        tagged = st.tuples(LIST_TAGS, items.map(listed)).map("".join)
        headed = items.map(lambda drawn: listed(["!merge-by name", *drawn]))
        return st.one_of(tagged, maps, maps, with_holes, headed, maps.map(lambda text: f"!replace {text}"))

    return deeper


def values(words: bool = True, refs: bool = True) -> st.SearchStrategy[str]:
    """Values, with merge tags and references."""
    leaves = st.one_of(SCALARS, SCALARS, REFS) if refs else SCALARS
    return st.recursive(leaves, _containers(words), max_leaves=6)


def layer(value: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A map at the top, of few keys, so that layers meet."""
    inner = st.one_of(value, value, value, st.just("!unset "))
    return st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3).map(mapped)


PATTERNS = st.lists(PATTERN_STEPS, min_size=1, max_size=4).map(
    lambda steps: "".join(step if step.startswith("[") else f".{step}" for step in steps).removeprefix(".")
)
LISTS = st.lists(
    st.tuples(PATTERNS.filter(lambda pattern: not pattern.startswith("[")), STRATEGIES),
    max_size=3,
    unique_by=lambda rule: rule[0],
)


RESOURCES = st.lists(
    st.tuples(
        st.sampled_from(["v1", "apps/v1", "apps/v2"]),
        st.sampled_from(["Service", "Deployment"]),
        st.sampled_from(["{name: x}", "{name: y}", "{name: x, namespace: n}", "{}"]),
        st.dictionaries(st.sampled_from("ab"), SCALARS, max_size=2).map(mapped),
    ).map(lambda drawn: mapped(dict(zip(["apiVersion", "kind", "metadata", "spec"], drawn, strict=True)))),
    max_size=3,
)
FILES = st.one_of(
    RESOURCES, RESOURCES, st.lists(st.one_of(layer(values(words=False, refs=False)), st.just("")), max_size=3)
).map("\n---\n".join)
"""Files with several documents."""


@st.composite
def keyed_lists(draw: st.DrawFn) -> list[str]:
    """Layers that hold one list of named items, each with a list of its own."""
    inner = st.lists(st.sampled_from(["1", "2", "{name: x, b: 1}", "{name: y}", "null"]), max_size=2)
    tagged = st.tuples(LIST_TAGS, inner.map(listed)).map("".join)
    item = st.tuples(NAMES, st.one_of(tagged, tagged, st.just("null"), st.just("!unset ")))
    items = st.lists(item, max_size=3, unique_by=lambda drawn: drawn[0]).map(
        lambda items: listed([mapped({"name": name, "b": value}) for name, value in items])
    )
    lists = st.tuples(LIST_TAGS, items).map("".join)
    return [mapped({"a": one}) for one in draw(st.lists(lists, min_size=2, max_size=4))]


ITEM_LISTS = st.lists(
    st.tuples(
        st.sampled_from(["a", "a[0].b", "a[1].b", "a[name=x].b", "a.*.b", "**.b", "**", "a[*].b[0]", "*"]), STRATEGIES
    ),
    max_size=4,
    unique_by=lambda rule: rule[0],
)
