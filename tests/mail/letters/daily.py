"""The daily letter: with one game that waits, with two, and with none; and what each says."""

from dataclasses import replace

from kskak.regulation.quantities import Side
from mail.game_letters.digest import Digest, DigestGame, Passed
from tests.mail.letters.cast import BLACK, EVENTS, GAME, KEY, OPERATOR, OTHER_KEY, acc, dispatch

SETTINGS = "https://skak.example.org/settings/letters"
SECOND = KEY.replace("abcd", "bcde")

SAYS_OF_THE_DAY = {
    "daily": ["Du er i trækket i 1 parti, hvor", "Åge Hansen sendte 2. 7163 (Sf3) den 4. december",
              "serien 2... 2836 3. 6125", "tilbyder remis", "Glædelig jul", "remis ja",
              "25. januar 2027", "brugt 1 dag af 40 dage", KEY, SETTINGS, "§ 6.3.1"],
    "daily_two": ["Du er i trækket i 2 partier", "K-26-01/3: Sort - Åge Hansen",
                  "K-26-01/5: Sort - Åge Hansen", "Hvert parti har sin egen adresse", KEY, SECOND,
                  "disse linjer til adressen herunder"],
    "daily_none": ["du er ikke i trækket", "Du sendte 2... 2836 3. 6125 1716", "18 dage"],
}  # fmt: skip


def daily_letters():
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
