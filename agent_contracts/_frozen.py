# SPDX-License-Identifier: MIT
"""The base of all frozen dataclasses here: once made, an object stays as it is."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import wraps
from types import MappingProxyType
from typing import Any, NoReturn, Self


class Frozen:
    """A frozen dataclass with slots that is its own copy and can be pickled."""

    __slots__ = ()
    _setters = MappingProxyType[str, Callable[[Any, Any], None]]({})

    def __init_subclass__(cls) -> None:
        """Close the ways by which a frozen dataclass still lets an object be changed.

        It runs twice for each class, since `slots=True` makes the class anew: first without
        and then with the methods that `dataclass` has written.
        """
        super().__init_subclass__()
        cls.__setstate__ = _finished  # type: ignore[attr-defined]
        if "__init__" in cls.__dict__:
            names: tuple[str, ...] = cls.__slots__
            cls.__init__ = _once(cls.__init__, names[0])  # type: ignore[method-assign]
            # those of dataclass raise a TypeError for names that are no field
            cls.__setattr__ = cls.__delattr__ = _finished  # type: ignore[assignment,method-assign]
            # what object.__setattr__ does, in half the time
            cls._setters = MappingProxyType({name: getattr(cls, name).__set__ for name in names})

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self)._made, tuple(getattr(self, name) for name in self._setters)

    @classmethod
    def _made(cls, *values: Any) -> Self:
        """Return a new object of values that were checked before, in the order of the fields."""
        self = object.__new__(cls)
        for set_field, value in zip(cls._setters.values(), values, strict=True):
            set_field(self, value)
        return self

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


def _finished(self: Frozen, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"{type(self).__name__} objects cannot be changed")


def _once(init: Callable[..., None], first_field: str) -> Callable[..., None]:
    @wraps(init)
    def initialize(self: Frozen, *args: object, **values: object) -> None:
        if hasattr(self, first_field):
            _finished(self)
        init(self, *args, **values)

    return initialize
