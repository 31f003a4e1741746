"""yq expressions, as `--query` and YAML functions take them: `.vars.zones[0] // "none"`, `.[] | select(.on) | .name`.

A subset of mikefarah's yq v4 that reads: paths, pipes, alternatives, comparisons, arithmetic, `select`, `map`,
`keys`, and the functions of the table in `functions`. Nothing is assigned. Values are plain Python data; an
expression gives any number of results.
"""

from plait.notations.yq.evaluate import query, results
from plait.notations.yq.parse import YqError

__all__ = ["YqError", "query", "results"]
