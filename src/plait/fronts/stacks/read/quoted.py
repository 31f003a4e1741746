"""Templates inside of quoted texts, as Atmos renders them in a file that is YAML before it is rendered: it reads the
file, and renders what it writes anew. So in `"{{ if eq .size \\"s\\" }}"` the quotes of the template are those of YAML.
"""

from __future__ import annotations

from plait.core.lazy import LazyPattern
from plait.yaml.program import TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from plait.yaml.program import Program

QUOTED = {'"': LazyPattern(r'(?s:"(?:[^"\\]|\\.)*")'), "'": LazyPattern(r"'(?:[^']|'')*'")}
"""A quoted text, by the sign that it begins with."""
ESCAPED = {'"': LazyPattern(r"\\([\"\\/])"), "'": LazyPattern(r"'(')")}
"""What stands for the sign that it ends with, by the same."""
ACTION = LazyPattern(r"\{\{(.*?)( -)?\}\}")


def actions_read(text: str, program: Program) -> str:
    """A text in which the actions inside of quoted texts are what they mean, each as long as it is written."""
    pieces: list[str] = []
    done = 0
    for kind, at in zip(program.kinds, program.ats, strict=True):
        sign = text[at : at + 1]
        match = QUOTED[sign].match(text, at) if kind == TEXT and at >= done and sign in QUOTED else None
        if match is not None and "{{" in match[0]:
            pieces += (text[done:at], ACTION.compiled().sub(lambda action, sign=sign: _read(action, sign), match[0]))  # type: ignore[misc]
            done = match.end()
    return "".join((*pieces, text[done:]))


def _read(action: re.Match[str], sign: str) -> str:
    inner = ESCAPED[sign].compiled().sub(r"\1", action[1])
    return "{{" + inner.ljust(len(action[1])) + (action[2] or "") + "}}"
