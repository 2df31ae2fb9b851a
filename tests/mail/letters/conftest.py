"""A fixed cast and one of every letter, built from real events of a real game."""

from dataclasses import replace
from datetime import UTC, date, datetime

import chess
import pytest

from kskak import events as ev
from kskak.decisions import Instance
from kskak.game import replay
from kskak.log import Charge
from kskak.quantities import Channel, Fault, LeaveType, Regulation, Side
from kskak.refusals import Reason, Refusal
from kskak.state import Terms
from kskak.statement import account
from mail import duty_letters as dl
from mail import letters as lt
from mail import notices as nt
from mail import postal_letters as pl
from mail.case_letters import CaseDecision, CaseFacts, CaseNotice, CaseWord, StartAnnulled
from mail.envelope import Envelope
from mail.facts import (
    Entrant,
    Game,
    Group,
    Official,
    OwnGame,
    Pairing,
    Person,
    dispatch_of,
    move_texts,
)

from .silence_letters import of_silence

LEADER = Official("Tove Leder", "tl@example.org")
OPERATOR = Official("Drift & Vagt", "drift@example.org")
WHITE = Person("Åge Hansen", "aage@example.org")
BLACK = Person("Bo Jensen", "bo@example.org")
URL = "https://skak.example.org/partier/4711"
GAME = Game("K-26-01/3", "K-26-01", "K-skak-EMT 2026", WHITE, BLACK, LEADER, url=URL)
TERMS = Terms(GAME.name, Regulation.EMAIL, date(2026, 11, 30), WHITE.name, BLACK.name, None, 2018)
KEY = "parti+abcdefghijklmnopqrst234567@skak.example.org"
OTHER_KEY = "parti+zzzzzzzzzzzzzzzzzzzz777777@skak.example.org"


def _move(by, uci, day, month=12, year=2026, **more):
    plies = tuple(chess.Move.from_uci(text) for text in uci.split())
    return ev.MoveSent(by, plies, date(year, month, day), **more)


def moves(*texts):
    return tuple(chess.Move.from_uci(text) for text in texts)


E4 = _move(Side.WHITE, "e2e4", 30, 11)
E5 = _move(Side.BLACK, "e7e5", 2)
NF3 = _move(Side.WHITE, "g1f3", 4, proposes=moves("b8c6", "f1b5"), offers_draw=True)
LATE = _move(Side.BLACK, "b8c6 f1b5 a7a6", 4, 1, 2027)
EVENTS = (E4, E5, NF3, LATE)


def acc(*events, on=None):
    return account(TERMS, events, on)


def dispatch(index):
    return dispatch_of(replay(TERMS, EVENTS[:index]).position, EVENTS[index])


@pytest.fixture
def envelope():
    return Envelope(
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


def _overstepped():
    """Black does not answer at all: 40 days run out on 10 January at the earliest."""
    return acc(*EVENTS[:3], on=date(2027, 2, 20))


def _finished():
    mate = [("e2e4", 30, 11, 2026), ("g7g5", 1, 12, 2026), ("d2d4", 2, 12, 2026)]
    mate += [("f7f6", 3, 12, 2026), ("d1h5", 4, 12, 2026)]
    sides = (Side.WHITE, Side.BLACK)
    return tuple(_move(sides[i % 2], u, d, m, y) for i, (u, d, m, y) in enumerate(mate))


def _faulty():
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 5), Fault.ILLEGAL)
    after = acc(*EVENTS[:3], faulty)
    charge = Charge(Side.BLACK, date(2026, 12, 5), 3, "6.8.6", "illegal")
    return after, charge


def _postal():
    """The same moves in a postal game, where silence costs days (§ 6.3.4)."""
    return account(replace(TERMS, regulation=Regulation.POSTAL), EVENTS[:3])


def of_a_game():
    """One of every letter of a game, by name."""
    now = acc(*EVENTS[:3])
    faulty, charge = _faulty()
    over = acc(*_finished())
    late = _overstepped()
    link = "https://skak.example.org/svar/0123456789abcdef"
    d2d4 = move_texts(now.state.board, moves("b8c6"))
    mated = dispatch_of(replay(TERMS, _finished()[:4]).position, _finished()[4])
    return {
        "first_move": lt.FirstMove(GAME, acc(), Side.WHITE),
        "confirmation": lt.Confirmation(GAME, acc(*EVENTS), dispatch(3), ("Jeg ser på serien",)),
        "relay": lt.Relay(GAME, now, dispatch(2), "Glædelig jul\nfra Åge " + OTHER_KEY),
        "repeated": lt.Relay(GAME, now, dispatch(2), is_repeated=True),
        "illegal": lt.NotMade(
            GAME, faulty, Side.BLACK, lt.Trouble.ILLEGAL, "2. 7163 2835", charge=charge,
            unread=("mon det går",),
        ),
        "ambiguous": lt.NotMade(
            GAME, now, Side.BLACK, lt.Trouble.AMBIGUOUS, "Se7",
            candidates=move_texts(now.state.board, moves("g8e7")) + d2d4,
        ),
        "refused": lt.NotMade(GAME, now, Side.WHITE, Refusal(Reason.NOT_YOUR_TURN)),
        "ask_back": lt.AskBack(GAME, now, Side.BLACK, lt.Question.RESIGN, link),
        "held": lt.HeldConfirm(
            GAME, now, Side.BLACK, lt.Held.OTHER_ADDRESS, d2d4, date(2026, 12, 6), link
        ),
        "late_ask": lt.LateAsk(GAME, late, Side.WHITE, d2d4, date(2027, 2, 20), link, link + "x"),
        "over": lt.GameOver(GAME, over, Side.BLACK, mated),
        "over_leader": lt.GameOver(GAME, over, None, mated),
        "declined": lt.DrawNotice(GAME, now, Side.WHITE, lt.DrawWord.DECLINED),
        "offer-noted": lt.DrawNotice(GAME, now, Side.WHITE, lt.DrawWord.NOTED),
        "draw-claimed": lt.DrawNotice(GAME, now, Side.WHITE, lt.DrawWord.CLAIMED),
        "leave_notice": lt.LeaveNotice(
            GAME, now, Side.WHITE, Side.BLACK, date(2027, 1, 8), date(2027, 1, 15),
            LeaveType.PERSONAL,
        ),
        "overstep_late": lt.OverstepWarning(GAME, late, Side.BLACK),
        "overstep_waiting": lt.OverstepWarning(GAME, late, Side.WHITE),
        "overstep_leader": lt.OverstepWarning(GAME, late, None),
        "claim": lt.ClaimFiled(GAME, late, Side.BLACK, Side.WHITE, date(2027, 2, 20)),
        "claim_leader": lt.ClaimFiled(GAME, late, None, Side.WHITE, date(2027, 2, 20)),
        "silence": lt.SilenceReport(GAME, now, date(2027, 1, 4)),
        **of_silence(GAME, (now, acc(), _postal()), dispatch(2), link),
    }  # fmt: skip


def _of_a_case():
    """One of every letter of a case: each word, a decision of each instance."""
    case = CaseFacts(
        "2026/12", "K-26-01", LEADER, "@overstep_black", ("6.3.3.1", "6.8.7"),
        (WHITE.name, BLACK.name), ("K-26-01/3",), "Europe/Copenhagen",
        "https://skak.example.org/cases/1", "parti@skak.example.org",
    )  # fmt: skip
    until = date(2027, 3, 1)
    said = "Jeg var syg.\nDet er godtgjort."
    words = {
        f"case_{word.value}": CaseNotice(BLACK, case, word, False, WHITE.name, said, until)
        for word in CaseWord
    }
    ruled = "Det lægges til grund: kortet er stemplet den 25/10.\n\nBegrundelse: § 6.3.2."
    decisions = {
        f"decided_{instance.value}": CaseDecision(
            BLACK, case, "2026/12/1", instance, ruled, True, instance.above, 21,
            50000 if instance is Instance.CONTROLLER else None,
        )
        for instance in Instance
    }  # fmt: skip
    server = CaseNotice(WHITE, case, CaseWord.OPENED, True, None)
    annulled = StartAnnulled(BLACK, "K-26-01", LEADER, "Europe/Copenhagen", "En spiller for lidt.")
    return words | decisions | {"case_of_server": server, "start_annulled": annulled}


def notices():
    """One of every letter that is about no single game, by name."""
    group = Group(
        "K-26-01", "K-skak-EMT 2026", "Kvalifikationsklassen", Regulation.EMAIL, 2018, "2011",
        date(2026, 11, 30), LEADER, regulation_url="https://skak.example.org/reglement",
    )  # fmt: skip
    players = (
        Entrant(1, WHITE, "Skakklubben Nord", 1875),
        Entrant(2, BLACK, None, None),
        Entrant(3, Person("Ida Ø. Berg", "relay-3@skak.example.org", True), "Ærø", 2010),
    )
    pairings = (Pairing("K-26-01/3", Side.BLACK, 1), Pairing("K-26-01/4", Side.WHITE, 3))
    own = OwnGame(GAME, Side.BLACK, True, dispatch(2).plies[-1], KEY, 1, 40, date(2027, 1, 25))
    waiting = OwnGame(GAME, Side.WHITE, False, None, None, 0, 40, None)
    days = date(2027, 1, 8), date(2027, 1, 15)
    until = datetime(2026, 12, 4, 19, 5, tzinfo=UTC)
    commands = "parti@skak.example.org"
    return {
        "start": nt.StartLetter(BLACK, group, players, pairings, commands),
        "status": nt.GameList(BLACK, (own, waiting), nt.Asked.STATUS, commands, OPERATOR),
        "help": nt.GameList(BLACK, (), nt.Asked.HELP, commands, OPERATOR),
        "unclear": nt.GameList(BLACK, (own,), nt.Asked.UNCLEAR, commands, OPERATOR),
        "leave": nt.LeaveConfirmed(
            BLACK,
            *days,
            LeaveType.PERSONAL,
            (("K-26-01", LEADER), ("P-26-02", LEADER)),
            27,
            OPERATOR,
        ),
        "leave_shorter": nt.LeaveConfirmed(
            BLACK,
            *days,
            LeaveType.PERSONAL,
            (("K-26-01", LEADER),),
            30,
            OPERATOR,
            date(2027, 1, 10),
        ),
        "leave_given_up": nt.LeaveConfirmed(
            BLACK,
            *days,
            LeaveType.PERSONAL,
            (("K-26-01", LEADER),),
            35,
            OPERATOR,
            date(2027, 1, 7),
        ),
        "leave_special": nt.LeaveConfirmed(
            BLACK, *days, LeaveType.SPECIAL, (("K-26-01", LEADER),), None, OPERATOR
        ),
        "leave_refused": nt.LeaveRefused(
            BLACK,
            *days,
            Refusal(Reason.LEAVE_TOO_SOON, earliest=date(2027, 1, 10)),
            OPERATOR,
            (("K-26-01", LEADER),),
        ),
        "delivery": nt.DeliveryTrouble(
            LEADER,
            BLACK,
            ("K-26-01/3",),
            date(2026, 12, 5),
            "550 5.1.1 no such user",
            True,
            OPERATOR,
        ),
        "sign_in": nt.SignIn(BLACK, "https://skak.example.org/ind/abc", until, OPERATOR),
        **_of_a_case(),
        "alarm": nt.OperatorAlert(OPERATOR, nt.Alarm.MAIL_DEAD, 2, ("<a@b>", "<c@d>")),
    }


def postal_letters():
    """One of every letter of a postal game, by name (§ 6.3.5)."""
    terms = replace(TERMS, regulation=Regulation.POSTAL)
    card = ev.Card(None, None, date(2026, 12, 2))
    first = ev.MoveSent(Side.WHITE, moves("e2e4"), card, None, Channel.POST)
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 7), Fault.ILLEGIBLE)
    now, wrong = account(terms, [first]), account(terms, [first, faulty])
    told = dispatch_of(replay(terms, []).position, first)
    arrived, by = date(2026, 12, 7), date(2026, 12, 10)
    damaged = (Side.BLACK, Fault.DAMAGED_IN_POST, arrived, "Åge Hansen", None, by)
    return {
        "card": pl.CardEntered(GAME, now, Side.BLACK, Side.WHITE, "Åge Hansen", told, card),
        "card_own": pl.CardEntered(GAME, now, Side.WHITE, Side.WHITE, "Bo", told, card, arrived),
        "card_end": pl.CardEntered(GAME, now, Side.WHITE, Side.WHITE, "Bo Jensen"),
        "card_faulty": pl.CardFaulty(
            GAME, wrong, Side.BLACK, Side.BLACK, Fault.ILLEGIBLE, arrived, "Åge Hansen",
            wrong.charges[-1], by,
        ),
        "card_damaged": pl.CardFaulty(GAME, now, Side.WHITE, *damaged),
        "card_damaged_leader": pl.CardFaulty(GAME, now, None, *damaged),
        "damaged_due": pl.DamagedDue(GAME, now, Side.WHITE, arrived, by),
        "email_offered": pl.EmailWord(GAME, now, Side.WHITE, Side.BLACK, True, False),
        "email_agreed": pl.EmailWord(GAME, now, Side.WHITE, Side.BLACK, True, True),
        "email_declined": pl.EmailWord(GAME, now, Side.WHITE, Side.BLACK, False, False),
        "result_asked": pl.ResultAsked(GAME, now, Side.WHITE, arrived, 8),
    }  # fmt: skip


def duty_letters():
    """One of every letter about a finished group (§ 6.4.5)."""
    told = dl.Publication(
        "K-26-01", "K-skak-EMT 2026", LEADER, "Europe/Copenhagen", URL,
        date(2027, 2, 1), date(2027, 2, 15), date(2027, 2, 22),
    )  # fmt: skip
    return {
        "published": dl.GroupPublished(WHITE.name, told, is_leader=False),
        "published_leader": dl.GroupPublished(LEADER.name, told, True, date(2030, 2, 1)),
        "prizes_due": dl.PrizesDue(told),
    }


GAME_LETTERS = of_a_game() | postal_letters()
NOTICES = notices() | duty_letters()
