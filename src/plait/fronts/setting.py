"""One value of plait.yaml: what is wrong with it."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import MapNode, Node, Scalar, key_text
from plait.profiles import profiles
from plait.report.catalog import BAD_SETTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.diagnostic import PlaitError
    from plait.core.node import Key

NONE = "none"
"""The profile that merges as plait does, whatever the names of files say."""


def bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return BAD_SETTING.error(Label(node.origin), why=why, hint=hint)


def unknown_key(node: MapNode, key: Key, known: Iterable[str], why: str) -> PlaitError:
    """The error of a key that means nothing, at the key."""
    from plait.report.near import did_you_mean

    name = key_text(key)
    label = Label(node.key_origin(key), length=len(name))
    return BAD_SETTING.error(label, why=why, hint=did_you_mean(name, known) or f"available: {', '.join(known)}")


def named(node: Node, why: str) -> str:
    """The text of a value that is a name; an error where it is a map, a list or nothing."""
    if not isinstance(node, Scalar) or node.value is None or not node.text:
        raise bad(node, why)
    return node.text


def profile_problem(name: str) -> tuple[str, str]:
    """Why there is no such profile, and what to do; two empty texts where there is."""
    if not name or name == NONE or name in profiles():
        return "", ""
    from plait.report.near import did_you_mean

    known = ", ".join([*profiles(), NONE])
    hint = f"profiles of layers: {known}; Atmos's profiles belong to commands about stacks"
    hint = did_you_mean(name, profiles()) or hint
    return f"unknown profile `{name}` for layers", hint
