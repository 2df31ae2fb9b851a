"""A fixed cast and one of every letter, built from real events of a real game."""

from datetime import UTC, date, datetime

import pytest

from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.play.account_log import Charge
from kskak.play.evolve import replay
from kskak.regulation.quantities import Fault, LeaveType, Regulation, Side
from mail.game_letters import facts as lt
from mail.office_letters import notice_facts as nt
from mail.outgoing.envelope import Envelope
from mail.text.facts import Entrant, Group, OwnGame, Pairing, Person, dispatch_of, move_texts
from tests.mail.letters.account import account_letters
from tests.mail.letters.beside_play import (
    duty_letters,
    entry_letters,
    of_a_case,
    of_silence,
    postal_letters,
    takeovers,
    thread_letters,
)
from tests.mail.letters.cast import (
    BLACK,
    EVENTS,
    GAME,
    KEY,
    LEADER,
    OPERATOR,
    OTHER_KEY,
    TERMS,
    WHITE,
    acc,
    dispatch,
    move,
    moves,
)
from tests.mail.letters.daily import daily_letters
from tests.mail.letters.league import league_letters


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
    return tuple(move(sides[i % 2], u, d, m, y) for i, (u, d, m, y) in enumerate(mate))


def _faulty():
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 5), Fault.ILLEGAL)
    after = acc(*EVENTS[:3], faulty)
    charge = Charge(Side.BLACK, date(2026, 12, 5), 3, "6.8.6", "illegal")
    return after, charge


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
        "meant": lt.NotMade(
            GAME, now, Side.BLACK, lt.Trouble.WRONG_NUMBER, "1... Sc6",
            candidates=d2d4, asks=lt.Meant(link, date(2026, 12, 5)),
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
        **of_silence(now, link),
    }  # fmt: skip


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
        **of_a_case(),
        "unwritten": nt.Unwritten(BLACK, "K-26-01/3", "https://skak.example.org/", OPERATOR),
        "alarm": nt.OperatorAlert(OPERATOR, nt.Alarm.MAIL_DEAD, 2, ("<a@b>", "<c@d>")),
        "report": nt.OperatorAlert(
            OPERATOR,
            nt.Alarm.MAIL_REPORT,
            6,
            ("jogvan@example.fo: Mít drag",),
            (("held", 1), ("strangers", 2), ("shunted", 1), ("dead", 1), ("bounced", 1)),
        ),
    }


GAME_LETTERS = of_a_game() | postal_letters() | takeovers()
NOTICES = (
    notices()
    | duty_letters()
    | league_letters()
    | entry_letters()
    | thread_letters()
    | daily_letters()
    | account_letters()
)
