"""The daily letter: with one game that waits, with two, and with none. Not for its order."""

from dataclasses import replace

from kskak.regulation.quantities import Side
from mail.game_letters.digest import Digest, DigestGame, Passed
from mail.samples.cast import BLACK, EVENTS, GAME, KEY, OPERATOR, OTHER_KEY, acc, dispatch

SETTINGS = "https://skak.example.org/settings/letters"
SECOND = KEY.replace("abcd", "bcde")


def daily_letters() -> dict[str, Digest]:
    """One of each, by name."""
    now, first = acc(*EVENTS[:3]), acc(*EVENTS[:1])
    said = Passed(dispatch(2), now, "Glædelig jul\nfra Åge " + OTHER_KEY)
    waits = DigestGame(GAME, Side.BLACK, now, (said,), KEY)
    fresh = Passed(dispatch(0), first, None)
    other = DigestGame(replace(GAME, name="K-26-01/5"), Side.BLACK, first, (fresh,), SECOND)
    own = Passed(dispatch(3), acc(*EVENTS), "Hej")
    answered = DigestGame(GAME, Side.BLACK, acc(*EVENTS), (own,), None)
    return {
        "daily": Digest(BLACK, (waits,), SETTINGS, OPERATOR),
        "daily_two": Digest(BLACK, (waits, other), SETTINGS, OPERATOR),
        "daily_none": Digest(BLACK, (answered,), SETTINGS, OPERATOR),
    }
