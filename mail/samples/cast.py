"""The cast of the sample letters: two players, their officials and a real game.

Not for a letter itself.
"""

from dataclasses import replace
from datetime import UTC, date, datetime

import chess

from kskak.game import events as ev
from kskak.play.evolve import replay
from kskak.play.state import Terms
from kskak.regulation.quantities import Regulation, Side
from kskak.statement.account import Account, account
from mail.outgoing.envelope import Envelope
from mail.text.facts import Dispatch, Game, Official, Person, dispatch_of

LEADER = Official("Tove Leder", "tl@example.org")
OPERATOR = Official("Drift & Vagt", "drift@example.org")
WHITE = Person("Åge Hansen", "aage@example.org")
BLACK = Person("Bo Jensen", "bo@example.org")
URL = "https://skak.example.org/partier/4711"
GAME = Game("K-26-01/3", "K-26-01", "K-skak-EMT 2026", WHITE, BLACK, LEADER, url=URL)
TERMS = Terms(GAME.name, Regulation.EMAIL, date(2026, 11, 30), WHITE.name, BLACK.name, None, 2018)
KEY = "parti+abcdefghijklmnopqrst234567@skak.example.org"
OTHER_KEY = "parti+zzzzzzzzzzzzzzzzzzzz777777@skak.example.org"


def move(by: Side, uci: str, day: int, month: int = 12, year: int = 2026) -> ev.MoveSent:
    """A move, or several, sent on a day."""
    plies = tuple(chess.Move.from_uci(text) for text in uci.split())
    return ev.MoveSent(by, plies, date(year, month, day))


def moves(*texts: str) -> tuple[chess.Move, ...]:
    """Moves of UCI."""
    return tuple(chess.Move.from_uci(text) for text in texts)


E4 = move(Side.WHITE, "e2e4", 30, 11)
E5 = move(Side.BLACK, "e7e5", 2)
NF3 = replace(move(Side.WHITE, "g1f3", 4), proposes=moves("b8c6", "f1b5"), offers_draw=True)
LATE = move(Side.BLACK, "b8c6 f1b5 a7a6", 4, 1, 2027)
EVENTS = (E4, E5, NF3, LATE)


def acc(*events: ev.Event, on: date | None = None) -> Account:
    """The account after these events."""
    return account(TERMS, events, on)


def dispatch(index: int) -> Dispatch:
    """What the event of that index sent."""
    return dispatch_of(replay(TERMS, EVENTS[:index]).position, EVENTS[index])


ENVELOPE = Envelope(
    sender_name="K-skak",
    sender="parti@skak.example.org",
    to_name=BLACK.name,
    to="bo@example.org",
    message_id="<4711.3.relay@skak.example.org>",
    date=datetime(2026, 12, 4, 18, 5, tzinfo=UTC),
    bounce_to="parti+b-abcdefgh@skak.example.org",
    loop="skak.example.org",
    reply_to=KEY,
    thread_root="<4711@skak.example.org>",
)
"""Of a letter that the second player gets."""
