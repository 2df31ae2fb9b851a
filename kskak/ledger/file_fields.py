"""Reading the files of players, results and teams: typed fields with clear errors (CONTRACTS).

More kinds of field on top of the ledger's. Not for what a file means: see each file's reader.
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from kskak.ledger.ledger_in import Fields

HIGHEST_RATING = 4000
"""No rating on any list is higher; more is a typing error."""
MOST_GAMES = 1000
LONGEST_TEXT = 200


class DataFields(Fields):
    """One JSON object; every error names the object, the field and what to write."""

    def line(self, name: str) -> str:
        """A non-empty text on one line, without surrounding blanks."""
        text = self.text(name).strip() if self.is_set(name) else ""
        if not text or len(text) > LONGEST_TEXT or not text.isprintable():
            raise self.fail(name, f"a text on one line, at most {LONGEST_TEXT} characters")
        return text

    def count(self, name: str, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number within bounds; the default when the field is missing or null."""
        if default is not None and not self.is_set(name):
            return default
        value = self._number(name)
        if value is None or value.denominator != 1 or not lowest <= value <= highest:
            raise self.fail(name, f"a whole number from {lowest} to {highest}")
        return int(value)

    def count_or_none(self, name: str, lowest: int, highest: int) -> int | None:
        """A whole number within bounds, or None when missing or null."""
        return self.count(name, lowest, highest) if self.is_set(name) else None

    def points(self, name: str) -> Fraction:
        """Points: whole and half ones, 0 or more."""
        value = self._number(name)
        if value is None or (2 * value).denominator != 1 or not 0 <= value <= MOST_GAMES:
            raise self.fail(name, "points, as 4 or 4.5")
        return value

    def percent(self, name: str) -> Fraction:
        """A percentage, exactly as written."""
        value = self._number(name)
        if value is None or not 0 <= value <= 100:
            raise self.fail(name, "a percentage from 0 to 100, as 62.5")
        return value

    def flag_or(self, name: str, default: bool) -> bool:
        """True or false; the default when the field is missing or null."""
        return self.flag(name) if self.is_set(name) else default

    def label(self, name: str) -> str | None:
        """A name or number of something, as text; None when missing or null."""
        value = self._values.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.line(name) if self.is_set(name) else None

    def whole_numbers(self, name: str, length: int, highest: int) -> tuple[int, ...]:
        """A list of ``length`` whole numbers, 0 or more."""
        value = self._values.get(name)
        if not isinstance(value, list) or len(value) != length:
            raise self.fail(name, f"a list of {length} whole numbers")
        for item in value:
            if not isinstance(item, int) or isinstance(item, bool) or not 0 <= item <= highest:
                raise self.fail(name, f"{length} whole numbers from 0 to {highest}")
        return tuple(value)

    def objects(self, name: str) -> Iterator["DataFields"]:
        """Each object of a list; ``results`` gives ``result 1``, ``result 2``."""
        value = self._values.get(name)
        if not isinstance(value, list):
            raise self.fail(name, "a list")
        for number, item in enumerate(value, 1):
            yield DataFields(f"{name.removesuffix('s')} {number}", item)

    def object(self, name: str) -> "DataFields":
        """The object of a field."""
        if not isinstance(self._values.get(name), dict):
            raise self.fail(name, "a JSON object")
        return DataFields(name, self._values[name])

    def truth(self, name: str) -> bool:
        """True, or what stands for it: a member may be given by number (§ 6.4.4.1)."""
        value = self._values.get(name)
        if value is not None and not isinstance(value, bool | int | str):
            raise self.fail(name, "true, false or a number")
        return bool(value.strip() if isinstance(value, str) else value)

    def _number(self, name: str) -> Fraction | None:
        """A JSON number exactly as written: 62.5 is five eighths of a hundred, no approximation."""
        value = self._values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if isinstance(value, float) and not abs(value) < 1e9:  # also NaN and infinity
            return None
        return Fraction(str(value))


def not_later(fields: DataFields, name: str, on: date) -> date | None:
    """A date that is not after ``on``, or None when missing or null."""
    day = fields.day_or_none(name)
    if day is not None and day > on:
        raise fields.fail(name, f"a date not after {on.isoformat()}, the day asked about")
    return day
