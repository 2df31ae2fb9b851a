"""Samples of every kind of letter, with made-up players: for `kskak letters` and the tests."""

from mail.compose import LETTERS
from mail.game_letters.letter_parts import GameLetter, Letter

GAME_LETTERS: dict[str, GameLetter] = {}
"""Letters about one game, by name."""
NOTICES: dict[str, Letter] = {}
"""Letters about no game, or several."""

for _kind in LETTERS.values():
    for _name, _letter in _kind.samples().items():
        if isinstance(_letter, GameLetter):
            GAME_LETTERS[_name] = _letter
        else:
            NOTICES[_name] = _letter
