"""LayoutMembers of containers are worked out one by one, in any order, with the places that they have together."""

from __future__ import annotations

import random
from unittest.mock import patch

import pytest

from plait.core.node import Scalar
from plait.core.source import Source
from plait.yaml.edits import Delete, Replace
from plait.yaml.layout import Layout, LayoutMembers, Member, lay_out
from plait.yaml.patch import apply

TEXTS = [
    "- \n- \n- a\n-\n-\n",
    "{a: , b: 1, c}\n",
    "a:\nb:\n  c:\n? d\n: e\n? \n: 2\nf: 1\n",
    "[1, 2,3 , {x: y}, [], {}]\n",
    "- - 1\n  -\n- ? k\n  : v\n- k2:\n- # none\n- last\n",
    "a: !t\nb: &x\nc: [*x, y]\n# d\n\nd: |\n  text\n\n\ne: 'a'\n",
    "? [a, b]\n: 1\n? |\n  k\n: v\n-1: x\n",
]


def told(member: Member) -> tuple[int, ...]:
    return member.position, member.key, member.value, member.start, member.mark


def containers(layout: Layout) -> list[int]:
    return [step for step in range(len(layout.kinds)) if layout.is_container(step)]


@pytest.mark.parametrize("text", TEXTS)
def test_members_in_any_order(text: str) -> None:
    (layout,) = lay_out(Source("t", text))
    for step in containers(layout):
        together = [told(member) for member in layout.members(step)]
        for seed in range(5):
            order = list(range(len(together)))
            random.Random(seed).shuffle(order)
            alone = LayoutMembers(layout, step)
            assert [told(alone[at]) for at in order] == [together[at] for at in order]
        assert [told(member) for member in layout.members(step)[-2:]] == together[-2:]


@pytest.mark.parametrize("key", ["k0", "k77", "k4999"])
@pytest.mark.parametrize("change", ["replace", "delete"])
def test_an_edit_works_out_few_of_many_members(key: str, change: str) -> None:
    text = "".join(f"k{number}:\n  a: {number}\n  b: [1, 2]\n" for number in range(5000))
    edit = Replace((key, "a"), Scalar(7, "7")) if change == "replace" else Delete((key,))
    with patch.object(LayoutMembers, "_work_out", autospec=True, side_effect=LayoutMembers._work_out) as worked_out:
        apply(Source("t", text), [edit])
    assert worked_out.call_count < 200
