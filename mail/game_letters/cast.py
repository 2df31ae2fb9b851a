"""The cast of the sample letters: two players, their officials and a real game."""

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import chess

from kskak.game import game_events as ev
from kskak.play.evolve_game import replay
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import Account, account
from mail.outgoing.envelope import Envelope
from mail.text.letter_facts import (
    Dispatch,
    LedGroup,
    LetterGame,
    MoveText,
    OfficialContact,
    Person,
    dispatch_of,
    move_texts,
)

SITE = "https://skak.example.org"
LEADER = OfficialContact("Tove Leder", "tl@example.org")
OPERATOR = OfficialContact("Drift & Vagt", "drift@example.org")
WHITE = Person("Åge Hansen", "aage@example.org")
BLACK = Person("Bo Jensen", "bo@example.org")
ZONE = "Europe/Copenhagen"
URL = f"{SITE}/partier/4711"
GAME = LetterGame("K-26-01/3", "K-26-01", "K-skak-EMT 2026", WHITE, BLACK, LEADER, url=URL)
GROUP = LedGroup(GAME.group, GAME.tournament, LEADER, ZONE, f"{SITE}/groups/K-26-01")
TERMS = Terms(GAME.name, Regulation.EMAIL, date(2026, 11, 30), WHITE.name, BLACK.name, None, 2018)
COMMANDS = "parti@skak.example.org"
KEY = "parti+abcdefghijklmnopqrst234567@skak.example.org"
OTHER_KEY = "parti+zzzzzzzzzzzzzzzzzzzz777777@skak.example.org"
SECOND = KEY.replace("abcd", "bcde")
LINK = f"{SITE}/svar/0123456789abcdef"
SAID = f"Glædelig jul\nfra Åge {OTHER_KEY}"
AT = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo(ZONE))


def move(by: Side, uci: str, day: int, month: int = 12, year: int = 2026) -> ev.MoveSent:
    """A move, or several, sent on a day."""
    return ev.MoveSent(by, moves(*uci.split()), date(year, month, day))


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


def so_far() -> Account:
    """The account when Black is to answer the third move."""
    return acc(*EVENTS[:3])


RESULTS = (("Ida Ø. Berg", BLACK.name, "1-0"), (WHITE.name, "Ida Ø. Berg", "1/2-1/2"))
OFFER = replace(E4, offers_draw=True)
"""A first move with an offer that nobody may accept yet (FIDE 5.2)."""


def dispatch_of_offer() -> Dispatch:
    """What that move sent."""
    return dispatch_of(replay(TERMS, ()).position, OFFER)


def by_post() -> Account:
    """The same in a postal game."""
    return account(replace(TERMS, regulation=Regulation.POSTAL), EVENTS[:3])


def overstepped() -> Account:
    """Black does not answer at all: 40 days run out on 10 January at the earliest."""
    return acc(*EVENTS[:3], on=date(2027, 2, 20))


def claimed() -> Account:
    """The same once White has claimed it."""
    claim = ev.OverstepClaimed(Side.WHITE, date(2027, 2, 20), awaits_decision=True)
    return acc(*EVENTS[:3], claim, on=date(2027, 2, 20))


def pressed() -> Account:
    """The account when Black is to move with 3 days left to the control."""
    late, on = move(Side.BLACK, "e7e5", 19, 1, 2027), move(Side.WHITE, "g1f3", 20, 1, 2027)
    return acc(E4, late, on)


def dispatch(index: int) -> Dispatch:
    """What the event of that index sent."""
    return dispatch_of(replay(TERMS, EVENTS[:index]).position, EVENTS[index])


def answers(*texts: str) -> tuple[MoveText, ...]:
    """Answers that Black could give to the third move, one after the other."""
    return move_texts(so_far().state.board, moves(*texts))


ENVELOPE = Envelope(
    sender_name="K-skak",
    sender=COMMANDS,
    to_name=BLACK.name,
    to="bo@example.org",
    message_id="<4711.3.relay@skak.example.org>",
    date=datetime(2026, 12, 4, 18, 5, tzinfo=UTC),
    bounce_to="parti+b-abcdefgh@skak.example.org",
    loop="skak.example.org",
    reply_to=KEY,
    thread_root="<4711@skak.example.org>",
    law=f"{SITE}/regulation",
)
"""Of a letter that the second player gets."""
