"""Names as they are compared: «Jensen, Åse», «AASE JENSEN» and «Åse Jensen» are the same.

And which texts may be names. For finding people and for recognising the same game in two files.
Not for showing names.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_LETTERS = str.maketrans({"ø": "o", "å": "a", "ö": "o", "ä": "ae", "ß": "ss", "đ": "d", "ł": "l"})
_DIGRAPHS = (("aa", "a"), ("oe", "o"))
"""Danish letters as they are written where they are not available."""


_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the writing around: a name with one shows another name than it is."""


def is_line(text: str) -> bool:
    """Whether a text is on one line, without control characters and without what turns it.

    Joiners are left: names are written with them in Persian and in Indian languages.
    """
    return not any(
        char in _TURNING or unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in text
    )


def plain(text: str) -> str:
    """Lower-case letters without accents, digits and single spaces; nothing else."""
    small = unicodedata.normalize("NFC", text).casefold().translate(_LETTERS)
    bare = unicodedata.normalize("NFKD", small).replace("æ", "ae")
    kept = "".join(
        char if char.isalnum() else " " for char in bare if not unicodedata.combining(char)
    )
    for two, one in _DIGRAPHS:
        kept = kept.replace(two, one)
    return " ".join(kept.split())


@dataclass(frozen=True, slots=True)
class Name:
    """A name split into its parts. ``given`` may be initials, or nothing."""

    given: tuple[str, ...]
    last: str

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(text: str) -> "Name":
        """«Åse Marie Jensen» or «Jensen, Åse Marie»."""
        last, comma, given = text.partition(",")
        words = [*plain(given).split(), *plain(last).split()] if comma else plain(text).split()
        return Name(tuple(words[:-1]), words[-1] if words else "")

    @property
    def key(self) -> str:
        """The whole name: the same for the same name in full."""
        return " ".join((*self.given, self.last))

    @property
    def short(self) -> str:
        """First initial and last name: the same for a name and its initials."""
        return f"{self.given[0][:1] if self.given else ''} {self.last}"

    def agrees(self, other: "Name") -> bool:
        """Whether both can be one person's: equal last names, no conflicting given names."""
        pairs = zip(self.given, other.given, strict=False)
        return self.last == other.last and all(_alike(one, two) for one, two in pairs)


def _alike(one: str, two: str) -> bool:
    is_initial = len(one) == 1 or len(two) == 1
    return one == two or (is_initial and one[:1] == two[:1])
