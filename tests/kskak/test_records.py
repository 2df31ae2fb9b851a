"""A record behaves as the standard library's frozen dataclass does. Not for what records hold."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from kskak import records
from kskak.game.commands import SendMoves
from kskak.regulation.quantities import Side


def _kinds(made: "type[dataclass]") -> tuple[type, type, type]:
    @made(frozen=True, slots=True)
    class Base:
        """A record with every kind of default."""

        a: int
        b: "str" = "Þóra"
        c: list[int] = field(default_factory=list)
        d: float = field(default=0.5, compare=False, repr=False)

    @made(frozen=True, slots=True)
    class Child(Base):
        """One that inherits, overrides a default and has one function of its own."""

        b: str = "Jákup"
        e: int = 3

        def __repr__(self) -> str:
            return f"child {self.a}"

    @made(frozen=True, slots=True, kw_only=True)
    class Named:
        """One whose fields are given by name."""

        a: int
        b: int = 2

    return Base, Child, Named


OURS, THEIRS = _kinds(records.dataclass), _kinds(dataclass)


def _told(kinds: tuple[type, type, type]) -> list[object]:
    base, child, named = kinds
    one, other = base(1, c=[2]), base(1, "Þóra", [2], d=9.0)
    return [
        repr(one), repr(child(1)), repr(named(a=1)), one == other, one == base(2), one == child(1),
        one == 1, replace(one, a=5) == base(5, c=[2]), replace(one, a=5).c is one.c,
        hash(named(a=1)) == hash(named(a=1)), base(1).c is base(1).c, child(1).e, child(1).b,
        dataclasses.asdict(one), base.__match_args__, child.__match_args__, named.__match_args__,
        base.__slots__, child.__slots__, hasattr(one, "__dict__"), copy.deepcopy(one) == one,
        copy.copy(one) == one, str(inspect.signature(named)), [*inspect.signature(base).parameters],
        base.__init__.__qualname__.rpartition(".")[2], [f.name for f in dataclasses.fields(child)],
    ]  # fmt: skip


def test_a_record_is_what_the_library_makes() -> None:
    assert _told(OURS) == _told(THEIRS)


@pytest.mark.parametrize("kinds", [OURS, THEIRS])
def test_a_record_refuses_change_and_wrong_calls(kinds: tuple[type, type, type]) -> None:
    base, child, named = kinds
    one = base(1)
    for made in (lambda: base(), lambda: base(1, f=2), lambda: named(1), lambda: hash(one)):
        with pytest.raises(TypeError):
            made()
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        one.a = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del one.a


def test_a_record_travels_between_processes() -> None:
    said = SendMoves(Side.WHITE, 3, ())
    assert pickle.loads(pickle.dumps(said)) == said
    assert isinstance(SendMoves.__hash__(said), int) and records.dataclass is not dataclass
