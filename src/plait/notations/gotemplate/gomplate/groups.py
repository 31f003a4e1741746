"""All groups of gomplate's functions."""

from __future__ import annotations

from plait.notations.gotemplate.gomplate.chance import CHANCE
from plait.notations.gotemplate.gomplate.checks import CHECKS
from plait.notations.gotemplate.gomplate.collections import COLLECTIONS
from plait.notations.gotemplate.gomplate.conversions import CONVERSIONS
from plait.notations.gotemplate.gomplate.crypto import CRYPTO
from plait.notations.gotemplate.gomplate.data import DATA
from plait.notations.gotemplate.gomplate.network import NETWORK
from plait.notations.gotemplate.gomplate.numbers import NUMBERS
from plait.notations.gotemplate.gomplate.outside import OUTSIDE
from plait.notations.gotemplate.gomplate.paths import PATHS
from plait.notations.gotemplate.gomplate.patterns import PATTERNS
from plait.notations.gotemplate.gomplate.strings import STRINGS
from plait.notations.gotemplate.gomplate.templates import TEMPLATES
from plait.notations.gotemplate.gomplate.times import TIMES

GROUPS = (
    STRINGS, CONVERSIONS, COLLECTIONS, DATA, NUMBERS, CHECKS, PATTERNS, PATHS, TIMES, CRYPTO, CHANCE, NETWORK,
    TEMPLATES, OUTSIDE,
)  # fmt: skip
"""In the order of the reference page."""
