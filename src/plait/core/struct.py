"""A class that is only fields, written as their list: for classes that a run makes few of. Where thousands are made
(nodes, tokens, steps of a path) `__init__` is written out, because Python is faster at that."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar, dataclass_transform

    T = TypeVar("T")

else:

    def dataclass_transform() -> Callable[[T], T]:
        """What type checkers know by this name; nothing when plait runs, for `typing` takes long to load."""
        return lambda decorator: decorator


@dataclass_transform()
def struct(cls: type[T]) -> type[T]:
    """The class with its annotated names as slots, and an `__init__` that takes them in their order."""
    names = tuple(cls.__annotations__)
    space = dict(cls.__dict__)
    defaults = {name: space.pop(name) for name in names if name in space}
    del space["__dict__"], space["__weakref__"]
    space.update(__slots__=names, __init__=_init(cls.__name__, names, defaults))
    return type(cls.__name__, cls.__bases__, space)


def _init(title: str, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    def complete(values: tuple[object, ...], named: dict[str, object]) -> tuple[object, ...]:
        rest = names[len(values) :]
        given = {**defaults, **named}
        if len(values) > len(names) or not named.keys() <= set(rest) or not given.keys() >= set(rest):
            raise TypeError(f"{title} takes {', '.join(names)}; got {len(values)} values and {', '.join(named)}")
        return (*values, *(given[name] for name in rest))

    def __init__(self: object, *values: object, **named: object) -> None:
        if named or len(values) != len(names):
            values = complete(values, named)
        for name, value in zip(names, values, strict=True):
            setattr(self, name, value)

    return __init__
