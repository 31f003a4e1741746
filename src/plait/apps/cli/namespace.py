"""What a command is given: the values of its arguments and options."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Placed(str):
    """A word that an option gave, among those that are given without one."""

    __slots__ = ()


class Namespace:
    """The values of a command's arguments and options, as attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...
