"""The version of plait and its addresses, for every room to read."""

__version__ = "0.2.0"
COMMIT = ""
"""The commit that a package or a single file was built from; empty in a checkout, which can tell by itself."""
SOURCE = ""
"""The address of the repository, as in https://HOST/OWNER/plait; empty until it has one."""
DOCUMENTATION = ""
"""The address of the documentation site, ending with `/`; empty until it has one.

These two lines are the only place: the metadata of the package, the README on a package index, the site and the links
in editors are made from them. `make release-check ADDRESS=... SITE=...` sets them for a release without changing this
file (see `release/addresses.py`).
"""
