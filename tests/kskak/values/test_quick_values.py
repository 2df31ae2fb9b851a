"""A value without the guard is otherwise the library's frozen one. Not for which values have it."""

from dataclasses import dataclass as guarded
from dataclasses import replace

from kskak.values.quick_values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Quick:
    """A game's number and plies."""

    game: int
    plies: tuple[str, ...] = ()


@guarded(frozen=True, slots=True, kw_only=True)
class Guarded:
    """The same."""

    game: int
    plies: tuple[str, ...] = ()


def test_it_is_equal_hashed_changed_and_shown_by_its_fields():
    one, same = Quick(game=7, plies=("e2e4",)), Quick(game=7, plies=("e2e4",))
    assert one == same and hash(one) == hash(Guarded(game=7, plies=("e2e4",)))
    assert replace(one, game=8) != one and repr(one) == "Quick(game=7, plies=('e2e4',))"
    assert not hasattr(one, "__dict__")


def test_what_may_change_is_not_hashed():
    @dataclass(slots=True)
    class Changing:
        game: int

    assert Changing.__hash__ is None
