"""What follows from a value's fields is worked out once."""

from dataclasses import dataclass, replace

from kskak.play.state import CachedProperty


@dataclass(frozen=True)
class Square:
    side: int
    asked: list[str]

    @CachedProperty
    def area(self) -> int:
        """Side by side."""
        self.asked.append("area")
        return self.side * self.side


def test_it_is_worked_out_once_and_a_changed_copy_works_it_out_anew():
    asked: list[str] = []
    square = Square(3, asked)
    assert (square.area, square.area) == (9, 9)
    assert asked == ["area"]
    assert replace(square, side=4).area == 16
    assert square == Square(3, asked), "what was worked out is no part of the value"


def test_it_is_documented_like_a_property():
    assert Square.area.__doc__ == "Side by side."
