"""Cases of the systems plait serves, kept outside the project as data: one runner, one adapter per kind.

An adapter module (`tests/conformance/FOLDER.py`) has `KINDS`, a table from a kind (`spiff/merge`) to a function that
takes a case and the folder it lies in. The function returns where the case is right, and raises `AssertionError`
with the reason, or `Skip`, where it is not.
"""


class Skip(Exception):
    """A case that cannot be decided here, and why."""
