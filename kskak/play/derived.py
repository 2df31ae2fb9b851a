"""What follows from a value's fields, worked out once: for values that nothing changes.

Like ``functools.cached_property``, which takes a lock at the first asking before Python 3.12;
a move asks a state of ten such things. Not for anything whose fields may change.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class derived(Generic[T]):  # noqa: N801  used as a decorator, as property is
    """A property whose value the object keeps; two threads may both work it out, alike."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, value: None, kind: type) -> "derived[T]": ...

    @overload
    def __get__(self, value: object, kind: type) -> T: ...

    def __get__(self, value: object | None, kind: type) -> "T | derived[T]":
        if value is None:
            return self
        found = value.__dict__[self._name] = self._work(value)
        return found
