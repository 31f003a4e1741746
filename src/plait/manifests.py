"""Calls of YAML functions in stack manifests, for Python programs: which text is a call, and what its words are.

    from plait.manifests import read_call

    read_call("!terraform.state vpc prod .id").arguments.stack     # 'prod'

Nothing is evaluated. Words that do not fit the function are a `BadArguments`, with the offset of what is
wrong.
"""

from __future__ import annotations

from plait.fronts.stacks.language.manifest_functions import WrittenCall, read_call
from plait.fronts.stacks.session.arguments import Arguments, BadArguments

__all__ = ["Arguments", "BadArguments", "WrittenCall", "read_call"]
