"""The marks that an expression may begin with: `(( &temporary ))`, `(( &state ( a ) ))`."""

from __future__ import annotations

SIGN = "&"
"""How every mark begins."""
MARKS = {
    "temporary": "There while merging, and not in the result.",
    "local": "Not seen by the documents on the left of its stub, and not in the result.",
    "inject": "Put into the documents on its left, also where they ask for no merge.",
    "default": "Put in only where nothing is defined.",
    "state": "Also written to the file of `--state`.",
    "template": "Not evaluated where it stands; `*name` evaluates it where it is used.",
    "dynamic": "With a template: evaluated anew in each document that it overrides or is put into.",
}
"""The marks, and what each does."""
TAG = "Gives a value a name, read by `NAME::path`; `&tag:*NAME` is for all later documents."


def listing() -> list[dict[str, str]]:
    """The marks, for the editor and for messages."""
    rows = [
        {"signature": f"&{mark}", "about": about, "example": f"(( &{mark} ( a.b ) ))"} for mark, about in MARKS.items()
    ]
    return [*rows, {"signature": "&tag:NAME", "about": TAG, "example": "(( &tag:net ( a.b ) ))"}]
