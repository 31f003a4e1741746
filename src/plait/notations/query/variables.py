"""Variables of an environment, made by rules: `to_env`.

| rule | what it does |
|---|---|
| `NAME: text` | sets it; `${OTHER}` in the text is exchanged |
| `+NAME:`, `+NAME: text` | copies it from the environment; where it is not there, sets it |
| `-NAME:` | takes away what earlier rules made |
| `^NAME: /bin` | copies it with something before it, as for PATH; where it is not there, sets it |

After `+`, `-` and `^` the name may be a pattern (`AWS_*`), and `!` before it means all others.
"""

from __future__ import annotations

import os
import re

from plait.core.glob import Glob
from plait.notations.query.bounds import printed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from plait.core.meter import Meter

    Variables = dict[str, str]

REFERENCE = re.compile(r"(\\+)?\$\{([\w|]+)(:.+?)?\}")
"""`${NAME}`, `${NAME|OTHER}` or `${NAME:instead}`; a backslash before it keeps it as it is."""


def variables_by_rules(rules: Mapping[Any, Any], outer: Variables, meter: Meter) -> Variables:
    """The variables that some rules make in an environment, one rule after the other."""
    made: Variables = {}
    for key, value in rules.items():
        name = str(key)
        meter.make(_size(value, made, outer))
        rule = RULES.get(name[:1])
        if rule is None:
            _set(made, name, value, outer)
        else:
            meter.step(len(outer) + len(made))
            rule(made, name[1:], value, outer)
    return made


def _set(made: Variables, name: str, value: object, outer: Variables) -> None:
    """Where it has no value, nothing is set."""
    if value is not None:
        made[name] = substituted(_text(value), {**outer, **made})


def _text(value: object) -> str:
    return ("true" if value else "") if isinstance(value, bool) else str(value)


def _matching(pattern: str, names: Variables) -> list[str]:
    is_other = pattern.startswith("!")
    glob = Glob(pattern.removeprefix("!"))
    return [name for name in names if glob.matches(name) is not is_other]


def _copy(made: Variables, pattern: str, value: object, outer: Variables) -> None:
    found = _matching(pattern, outer)
    made.update({name: outer[name] for name in found})
    if not found:
        _set(made, pattern.removeprefix("!"), value, outer)


def _prepend(made: Variables, pattern: str, value: object, outer: Variables) -> None:
    _copy(made, pattern, value, outer)
    if value:
        made.update({name: f"{_text(value)}{os.pathsep}{outer[name]}" for name in _matching(pattern, outer)})


def _remove(made: Variables, pattern: str, value: object, outer: Variables) -> None:
    named = pattern.removeprefix("!")
    for name in _matching(pattern, made):
        if name not in NEEDED or named in NEEDED:
            del made[name]


RULES: dict[str, Callable[[Variables, str, object, Variables], None]] = {"+": _copy, "-": _remove, "^": _prepend}
NEEDED = frozenset(
    {
        *("ASDF_DATA_DIR", "CURL_CA_BUNDLE", "PATH", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "REQUESTS_CA_BUNDLE"),
        *("SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV"),
    }
)
"""Programs hardly run without these: no pattern takes them away, only a rule that names one of them."""


def _size(value: object, made: Variables, outer: Variables) -> int:
    """How long variables can become: each `${NAME}` in a text stands for the longest of the others."""
    text = value if isinstance(value, str) else ""
    longest = max((len(each) for each in (*made.values(), *outer.values())), default=0)
    return printed(value) * (1 + len(outer)) + text.count("${") * longest + 8 * len(made)


def substituted(text: str, variables: Variables) -> str:
    """A text in which references are exchanged: for the first variable that there is, for what is given instead, or
    for nothing."""

    def value(match: re.Match[str]) -> str:
        slashes, names, instead = match[1], match[2], match[3]
        if slashes:
            return match[0][max(len(slashes) - 1, 1) :]
        found = (variables[name] for name in names.split("|") if name in variables)
        return next(found, instead[1:] if instead else "")

    return REFERENCE.sub(value, text)
