"""Whose configuration files apply: like git's safe directories, files of other users are not trusted."""

from __future__ import annotations

import os


def trusted_owners() -> frozenset[int]:
    """The user, the system, and who became root with sudo."""
    if not hasattr(os, "geteuid"):
        return frozenset()
    me = os.geteuid()
    sudo = os.environ.get("SUDO_UID", "") if me == 0 else ""
    return frozenset({me, 0, *([int(sudo)] if sudo.isdecimal() else [])})


def foreign_owner(name: str) -> int | None:
    """The user that a file or folder belongs to, where that is another user; a link counts as itself."""
    owners = trusted_owners()
    if not owners:
        return None
    owner = os.lstat(name).st_uid
    return None if owner in owners else owner
