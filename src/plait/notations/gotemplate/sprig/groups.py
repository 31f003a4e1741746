"""All groups of Sprig's functions."""

from __future__ import annotations

from plait.notations.gotemplate.sprig.crypto import CRYPTO
from plait.notations.gotemplate.sprig.dates import DATES
from plait.notations.gotemplate.sprig.dicts import DICTS
from plait.notations.gotemplate.sprig.encoding import ENCODING
from plait.notations.gotemplate.sprig.lists import LISTS
from plait.notations.gotemplate.sprig.numbers import NUMBERS
from plait.notations.gotemplate.sprig.paths import PATHS
from plait.notations.gotemplate.sprig.patterns import PATTERNS
from plait.notations.gotemplate.sprig.reflection import REFLECTION
from plait.notations.gotemplate.sprig.strings import STRINGS
from plait.notations.gotemplate.sprig.versions import VERSIONS

GROUPS = (STRINGS, NUMBERS, LISTS, DICTS, REFLECTION, ENCODING, DATES, PATTERNS, VERSIONS, PATHS, CRYPTO)
"""In the order of the reference page."""
