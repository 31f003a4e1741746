"""How other tools merge their files: one profile for each of them, and nothing but data.

A profile is a set of rules, each with the place in the tool's documentation that says so. `plait merge --profile
NAME` and `profile: NAME` in plait.yaml choose one; flags and other settings of plait.yaml still win over it.
"""

from __future__ import annotations

from plait.profiles.rules import Form, Listed, Profile, Setting

__all__ = ["Form", "Listed", "Profile", "Setting", "profiles"]


def profiles() -> dict[str, Profile]:
    """All profiles by their names. The table is loaded for those who name one."""
    from plait.profiles.table import PROFILES

    return PROFILES
