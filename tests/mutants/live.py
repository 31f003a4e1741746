"""The functions of this process, by the place where they are written."""

from __future__ import annotations

import gc
import types
from collections import Counter

from tests.mutants.changes import codes_in, key_of


class Functions:
    def __init__(self) -> None:
        self._found: dict[tuple[str, str, int], list[types.FunctionType]] = {}
        gc.unfreeze()  # what is frozen is not listed
        for each in gc.get_objects():
            if isinstance(each, types.FunctionType):
                code = each.__code__
                self._found.setdefault((code.co_filename, code.co_name, code.co_firstlineno), []).append(each)
        gc.freeze()  # forks share what no collector touches

    def knows(self, code: types.CodeType) -> bool:
        return self._key(code) in self._found

    def change(self, code: types.CodeType) -> None:
        """Give the functions of a place other code, and those that it made before, as operators for a table."""
        inside = list(codes_in(code))
        times = Counter(map(key_of, inside))
        for each in inside:
            for function in self._found.get(self._key(each), ()):
                if times[key_of(each)] == 1 and function.__code__.co_freevars == each.co_freevars:
                    function.__code__ = each

    def _key(self, code: types.CodeType) -> tuple[str, str, int]:
        return code.co_filename, code.co_name, code.co_firstlineno
