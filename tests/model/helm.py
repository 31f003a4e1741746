"""Values of a chart as helm merges them: the files given with -f with each other, then over the chart's own."""

from __future__ import annotations

from typing import Any

Values = dict[str, Any]


def values(own: Values, *given: Values) -> Values:
    over: Values = {}
    for one in given:
        over = laid_over(over, one)
    return coalesced(own, over)


def laid_over(below: Values, above: Values) -> Values:
    """Maps are merged; anything else replaces, and null is a value like any other."""
    made = dict(below)
    for key, value in above.items():
        both = isinstance(value, dict) and isinstance(made.get(key), dict)
        made[key] = laid_over(made[key], value) if both else value
    return made


def coalesced(own: Values, over: Values) -> Values:
    """Null removes what the chart has, and stays where the chart has nothing; maps are merged, lists replaced."""
    made = {key: value for key, value in own.items() if key not in over or over[key] is not None}
    for key, value in over.items():
        if key in own and value is None:
            continue
        both = isinstance(value, dict) and isinstance(own.get(key), dict)
        made[key] = coalesced(own[key], value) if both else value
    return made
