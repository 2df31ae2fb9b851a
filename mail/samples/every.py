"""All sample letters by name. Not for what each says (the modules beside this one)."""

from mail.compose import Letter
from mail.samples.account import account_letters
from mail.samples.beside_play import (
    bulletin_letters,
    duty_letters,
    entry_letters,
    postal_letters,
    takeovers,
    thread_letters,
)
from mail.samples.daily import daily_letters
from mail.samples.league import league_letters
from mail.samples.notices import notices
from mail.samples.play import of_a_game

GAME_LETTERS: dict[str, Letter] = {**of_a_game(), **postal_letters(), **takeovers()}
"""Letters about one game."""
NOTICES: dict[str, Letter] = {
    **notices(),
    **duty_letters(),
    **bulletin_letters(),
    **league_letters(),
    **entry_letters(),
    **thread_letters(),
    **daily_letters(),
    **account_letters(),
}
"""Letters about no game, or several."""
