"""Permits of a user who allows everything, for services that are tested without a project."""

from __future__ import annotations

from plait.access.door import Door
from plait.access.guard import CAPABILITIES, Guard
from plait.access.permit import Permit
from plait.core.node import Scalar


def permit(capability: str) -> Permit:
    return Door(guard=Guard(frozenset(CAPABILITIES))).permit(capability, Scalar(None, ""))


EXEC, NETWORK, ENV, NOTHING = permit("exec"), permit("network"), permit("env"), permit("")
