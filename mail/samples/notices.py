"""One of every letter that is about no single game. Not for a game's (play.py)."""

from dataclasses import replace
from datetime import UTC, date, datetime

from kskak.game.refusals import Reason, Refusal
from kskak.regulation.quantities import LeaveType, Regulation, Side
from mail.compose import Letter
from mail.office_letters import notice_facts as nt
from mail.office_letters.leader_letter import LeaderLetter
from mail.samples.beside_play import of_a_case
from mail.samples.cast import BLACK, GAME, KEY, LEADER, OPERATOR, WHITE, dispatch
from mail.text.facts import Entrant, Group, OwnGame, Pairing, Person


def notices() -> dict[str, Letter]:
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
    until = datetime(2026, 12, 4, 19, 5, tzinfo=UTC)
    commands = "parti@skak.example.org"
    return {
        "start": nt.StartLetter(BLACK, group, players, pairings, commands),
        "status": nt.GameList(BLACK, (own, waiting), nt.Asked.STATUS, commands, OPERATOR),
        "help": nt.GameList(BLACK, (), nt.Asked.HELP, commands, OPERATOR),
        "unclear": nt.GameList(BLACK, (own,), nt.Asked.UNCLEAR, commands, OPERATOR),
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
        **_of_leave(),
        **_for_operators(),
        **of_a_case(),
        "to_all": _to_all(),
        "unwritten": nt.Unwritten(BLACK, "K-26-01/3", "https://skak.example.org/", OPERATOR),
    }


def _to_all() -> LeaderLetter:
    return LeaderLetter(
        BLACK.name,
        "K-26-01",
        "K-skak-EMT 2026",
        LEADER,
        LEADER,
        "Europe/Copenhagen",
        "Juleferien",
        "Husk, at tiden står stille i juleferien.\n\nGlædelig jul!",
        "https://skak.example.org/groups/K-26-01",
    )


def _of_leave() -> dict[str, Letter]:
    days, group = (date(2027, 1, 8), date(2027, 1, 15)), (("K-26-01", LEADER),)
    personal = LeaveType.PERSONAL
    booked = nt.LeaveConfirmed(BLACK, *days, personal, (*group, ("P-26-02", LEADER)), 27, OPERATOR)
    refusal = Refusal(Reason.LEAVE_TOO_SOON, earliest=date(2027, 1, 10))
    changed = replace(booked, groups=group)
    return {
        "leave": booked,
        "leave_shorter": replace(changed, days_left=30, until=date(2027, 1, 10)),
        "leave_given_up": replace(changed, days_left=35, until=date(2027, 1, 7)),
        "leave_special": replace(changed, days_left=None, leave_type=LeaveType.SPECIAL),
        "leave_refused": nt.LeaveRefused(BLACK, *days, refusal, OPERATOR, group),
    }


def _for_operators() -> dict[str, Letter]:
    return {
        "alarm": nt.OperatorAlert(OPERATOR, nt.Alarm.MAIL_DEAD, 2, ("<a@b>", "<c@d>")),
        "report": nt.OperatorAlert(
            OPERATOR,
            nt.Alarm.MAIL_REPORT,
            6,
            ("jogvan@example.fo: Mít drag",),
            (("held", 1), ("strangers", 2), ("shunted", 1), ("dead", 1), ("bounced", 1)),
        ),
    }
