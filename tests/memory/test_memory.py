"""The laws of the memory, with a toy: files of numbered parts, and questions that follow one part to the next.

Whatever happens to the files, an answer is the same with and without the memory; and nothing is computed again unless
something differs that the answer read.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plait.memory.memory import Memory

Texts = dict[str, tuple[int, ...]]
Place = tuple[str, int]

FILES = ("a", "b")
SIZE = 3
texts = st.fixed_dictionaries({name: st.tuples(*[st.integers(0, 5)] * SIZE) for name in FILES})


class Files:
    """One state: the parts of each file."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def difference(self, other: Files) -> set[Place]:
        """From the bottom: the parts that differ of the files that do."""
        differing = [name for name in FILES if self.texts[name] != other.texts[name]]
        return {(name, at) for name in differing for at in range(SIZE) if self.texts[name][at] != other.texts[name][at]}


def followed(texts: Texts, start: Place) -> tuple[int, frozenset[Place]]:
    """The sum of the parts on a way: each part says which one comes next; and the parts that were read."""
    total, seen, at = 0, set[Place](), start
    while at not in seen:
        seen.add(at)
        value = texts[at[0]][at[1]]
        total += value
        at = (FILES[value % len(FILES)], value % SIZE)
    return total, frozenset(seen)


@given(st.lists(texts, min_size=2, max_size=6), st.lists(st.sampled_from([("a", 0), ("b", 1)]), min_size=1, max_size=8))
def test_any_history_gives_the_same_answers(history: list[Texts], questions: list[Place]) -> None:
    memory, read = Memory(), dict[Place, list[tuple[Files, frozenset[Place]]]]()
    for texts in history:
        state = Files(texts)
        for start in questions:
            truth, places = followed(texts, start)
            known = memory.recall(start, state)
            same = [one for one, seen in read.get(start, ()) if seen.isdisjoint(state.difference(one))]
            assert (known is not None) == bool(same), "an answer is reused where all that it read is the same"
            if known is None:
                memory.keep(start, truth, state, lambda differing, places=places: not places.isdisjoint(differing))
                read.setdefault(start, []).append((state, places))
            else:
                assert known.answer == truth


def test_a_part_that_was_not_read_stops_the_wave() -> None:
    memory = Memory()
    before, after = Files({"a": (0, 1, 1), "b": (1, 1, 1)}), Files({"a": (0, 1, 5), "b": (1, 1, 1)})
    memory.keep("sum", 0, before, lambda differing: ("a", 0) in differing)
    found = memory.recall("sum", after)
    assert found is not None
    assert found.answer == 0
    assert memory.reused == 1
    assert memory.recall("sum", Files({"a": (3, 1, 1), "b": (1, 1, 1)})) is None
    assert memory.recall("other", before) is None
