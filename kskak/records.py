"""``dataclass`` as in the standard library, made cheaper where it is frozen and has slots.

There are eleven hundred such classes. The library compiles six functions for each, which took a
third of a server's start; here only ``__init__`` is compiled and the other five are shared. It
also stores each field past the guard of ``__setattr__`` by the slot's own door, which makes a
record a third faster. Nothing else differs, and type checkers are told it is the library's.
Not for classes with other options, which get the library's own.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")
_FACTORY = object()
"""The default of a field whose default is made anew each time."""


def _setattr(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _getstate(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    key = self.__compared__
    return key(self) == key(other)


def _hash(self: Any) -> int:
    return hash(self.__compared__(self))


_SHARED = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}


def _init(cls: type, fields: tuple["dataclasses.Field[Any]", ...]) -> Callable[..., None]:
    """``__init__``: its parameters by position first, then those by name only."""
    known: dict[str, object] = {"_FACTORY": _FACTORY}
    heads: dict[bool, list[str]] = {False: [], True: []}
    body: list[str] = []
    for field in fields:
        name, value = field.name, field.name
        known[f"_set_{name}"] = getattr(cls, name).__set__
        if field.default is not dataclasses.MISSING:
            known[f"_is_{name}"] = field.default
            heads[bool(field.kw_only)].append(f"{name}=_is_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_new_{name}"] = field.default_factory
            heads[bool(field.kw_only)].append(f"{name}=_FACTORY")
            value = f"_new_{name}() if {name} is _FACTORY else {name}"
        else:
            heads[bool(field.kw_only)].append(name)
        body.append(f" _set_{name}(self, {value})")
    named = ["*", *heads[True]] if heads[True] else []
    head = ", ".join(["self", *heads[False], *named])
    exec(f"def __init__({head}):\n" + ("\n".join(body) or " pass"), known)
    made: Any = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {field.name: field.type for field in fields} | {"return": None}
    return made  # type: ignore[no-any-return]


def _record(cls: type[T], **options: bool) -> type[T]:
    own = set(cls.__dict__)
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__
    made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, **options)(cls)
    fields = dataclasses.fields(made)  # type: ignore[arg-type]  # it is one now
    names = [field.name for field in fields if field.compare] or ["__class__"]
    methods = _SHARED | {"__init__": _init(made, fields), "__compared__": attrgetter(*names)}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False, **options):
        """The standard library's decorator, with its options."""

        def make(cls):
            if frozen and slots and not options and not hasattr(cls, "__post_init__"):
                return _record(cls, kw_only=kw_only)
            kind = dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, **options)
            return kind(cls)

        return make if cls is None else make(cls)
