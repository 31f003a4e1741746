"""Work in another folder for a while, as after `cd`."""

from __future__ import annotations

import os
from contextlib import contextmanager

from plait.access.environment import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def working_in(folders: list[str]) -> Iterator[None]:
    """Work in a folder until the context ends, with the variables that `cd` of a shell sets; each folder is below the
    one before. Raise NotADirectoryError, with the reason, if this is not possible."""
    before, variables = os.getcwd(), {name: os.environ.get(name) for name in FOLDERS}
    try:
        for folder in folders:
            _enter(folder)
        yield
    finally:
        os.chdir(before)
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _enter(folder: str) -> None:
    here = os.environ.get("PWD", "")
    if not os.path.isabs(here) or os.path.realpath(here) != os.getcwd():
        here = os.getcwd()
    try:
        os.chdir(folder)
    except (OSError, ValueError) as trouble:
        why = trouble.strerror if isinstance(trouble, OSError) else str(trouble)
        raise NotADirectoryError(0, why, folder) from None
    os.environ["OLDPWD"], os.environ["PWD"] = here, os.path.normpath(os.path.join(here, folder))
