"""The fixed cast of the letters' tests: two players, their officials and a real game."""

from datetime import date

import chess

from kskak.game import events as ev
from kskak.play.evolve import replay
from kskak.play.state import Terms
from kskak.regulation.quantities import Regulation, Side
from kskak.statement.account import account
from mail.text.facts import Game, Official, Person, dispatch_of

LEADER = Official("Tove Leder", "tl@example.org")
OPERATOR = Official("Drift & Vagt", "drift@example.org")
WHITE = Person("Åge Hansen", "aage@example.org")
BLACK = Person("Bo Jensen", "bo@example.org")
URL = "https://skak.example.org/partier/4711"
GAME = Game("K-26-01/3", "K-26-01", "K-skak-EMT 2026", WHITE, BLACK, LEADER, url=URL)
TERMS = Terms(GAME.name, Regulation.EMAIL, date(2026, 11, 30), WHITE.name, BLACK.name, None, 2018)
KEY = "parti+abcdefghijklmnopqrst234567@skak.example.org"
OTHER_KEY = "parti+zzzzzzzzzzzzzzzzzzzz777777@skak.example.org"


def move(by, uci, day, month=12, year=2026, **more):
    plies = tuple(chess.Move.from_uci(text) for text in uci.split())
    return ev.MoveSent(by, plies, date(year, month, day), **more)


def moves(*texts):
    return tuple(chess.Move.from_uci(text) for text in texts)


E4 = move(Side.WHITE, "e2e4", 30, 11)
E5 = move(Side.BLACK, "e7e5", 2)
NF3 = move(Side.WHITE, "g1f3", 4, proposes=moves("b8c6", "f1b5"), offers_draw=True)
LATE = move(Side.BLACK, "b8c6 f1b5 a7a6", 4, 1, 2027)
EVENTS = (E4, E5, NF3, LATE)


def acc(*events, on=None):
    return account(TERMS, events, on)


def dispatch(index):
    return dispatch_of(replay(TERMS, EVENTS[:index]).position, EVENTS[index])
