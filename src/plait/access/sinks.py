"""Where values leave plait, and what becomes of them there, by where they came from: one table.

A value is as secret as what it was made of, so what is decided for an origin also holds for everything that was
computed from it.
"""

from __future__ import annotations

TERMINAL, OUTPUT, REPORT, CACHE, COMMAND = "a terminal", "a file or a pipe", "a report", "the cache", "a command"
"""Where values go. A report is made to be published: a review, a proof, SARIF, an exported site."""
WRITTEN, UNPINNED, UNCOMMITTED, ENVIRONMENT, OUTSIDE, SECRET = (
    "a file",
    "a file that changed since it was trusted",
    "a file that the commit does not have",
    "the environment",
    "a server or a command",
    "a secret",
)
"""Where values come from."""
SHOWN, ESCAPED, MASKED, KEPT, FORGOTTEN, GIVEN, REFUSED = (
    "shown",
    "escaped",
    "masked",
    "kept",
    "not kept",
    "given",
    "refused",
)
RULES = {
    TERMINAL: {
        WRITTEN: ESCAPED,
        UNPINNED: ESCAPED,
        UNCOMMITTED: ESCAPED,
        ENVIRONMENT: ESCAPED,
        OUTSIDE: ESCAPED,
        SECRET: MASKED,
    },
    OUTPUT: {WRITTEN: SHOWN, UNPINNED: SHOWN, UNCOMMITTED: SHOWN, ENVIRONMENT: SHOWN, OUTSIDE: SHOWN, SECRET: MASKED},
    REPORT: {
        WRITTEN: ESCAPED,
        UNPINNED: ESCAPED,
        UNCOMMITTED: MASKED,
        ENVIRONMENT: MASKED,
        OUTSIDE: ESCAPED,
        SECRET: MASKED,
    },
    CACHE: {WRITTEN: KEPT, UNPINNED: KEPT, UNCOMMITTED: KEPT, ENVIRONMENT: KEPT, OUTSIDE: FORGOTTEN, SECRET: FORGOTTEN},
    COMMAND: {WRITTEN: GIVEN, UNPINNED: REFUSED, UNCOMMITTED: GIVEN, ENVIRONMENT: GIVEN, OUTSIDE: GIVEN, SECRET: GIVEN},
}
"""What becomes of a value from an origin, by the sink. Variables that may be credentials are not read at all unless the
user allows them by name; of others, the cache keeps a digest. `--reveal` shows what is masked."""


def is_masked(sink: str, origin: str) -> bool:
    """Whether values from an origin are masked where they go."""
    return RULES[sink][origin] == MASKED


def is_escaped(sink: str) -> bool:
    """Whether what is printed is escaped. A printed text is of many values, so the most careful rule counts."""
    return ESCAPED in RULES[sink].values()


def is_kept(origin: str) -> bool:
    """Whether the cache keeps what was computed from an origin."""
    return RULES[CACHE][origin] == KEPT


def is_given(origin: str) -> bool:
    """Whether a command gets values from an origin."""
    return RULES[COMMAND][origin] == GIVEN
