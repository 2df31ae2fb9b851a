"""One of every letter of what stands beside play: cases, silence, the post, the group's end.

Not for play by mail (play.py).
"""

from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from kskak.cases.decisions import Instance
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cup.course import CupStage
from kskak.entries.entry import EntryFault
from kskak.game import events as ev
from kskak.game.refusals import Reason, Refusal
from kskak.office.year import Form, Step
from kskak.play.evolve import replay
from kskak.regulation.quantities import Channel, Fault, LeaveType, PauseReason, Regulation, Side
from kskak.statement.account import Account, account
from mail.compose import Letter
from mail.game_letters import cards as pl
from mail.game_letters import silence_facts as sl
from mail.game_letters.delayed import NotSent
from mail.game_letters.leave import LeaveTold
from mail.game_letters.thread import ThreadLetter
from mail.office_letters import bulletin_facts as bl
from mail.office_letters import duties as dl
from mail.office_letters import takeover as tl
from mail.office_letters.cases import CaseDecision, CaseFacts, CaseNotice, CaseWord, StartAnnulled
from mail.office_letters.entries import EntryLetter, EntryNews
from mail.samples.cast import (
    BLACK,
    EVENTS,
    GAME,
    LEADER,
    OPERATOR,
    OTHER_KEY,
    TERMS,
    URL,
    WHITE,
    acc,
    dispatch,
    moves,
)
from mail.text.facts import dispatch_of


def of_a_case() -> dict[str, Letter]:
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
    captain = CaseNotice(WHITE, case, CaseWord.SAID, True, BLACK.name, said, is_captain=True)
    annulled = StartAnnulled(BLACK, "K-26-01", LEADER, "Europe/Copenhagen", "En spiller for lidt.")
    return {
        **words, **decisions,
        "case_of_server": server, "case_of_team": captain, "start_annulled": annulled,
    }  # fmt: skip


def of_silence(now: Account, link: str) -> dict[str, Letter]:
    """One of every letter that time itself causes."""
    days = date(2027, 1, 8), date(2027, 1, 15)
    postal = account(replace(TERMS, regulation=Regulation.POSTAL), EVENTS[:3])
    return {
        "reminder": sl.Reminder(GAME, now, Side.BLACK, dispatch(2), link),
        "reminder_postal": sl.Reminder(GAME, postal, Side.BLACK, dispatch(2), link),
        "reminder_first": sl.Reminder(GAME, acc(), Side.WHITE, None, link),
        "copy": sl.SilenceCopy(GAME, now, sl.Copied.REMINDED, Side.BLACK, dispatch(2)),
        "copy_first": sl.SilenceCopy(GAME, acc(), sl.Copied.REMINDED, Side.WHITE, None),
        "copy_answered": sl.SilenceCopy(GAME, now, sl.Copied.ANSWERED, Side.WHITE, dispatch(2)),
        "told_reminded": sl.SilenceTold(GAME, now, Side.WHITE, sl.Step.REMINDED),
        "told_leader": sl.SilenceTold(GAME, now, Side.WHITE, sl.Step.LEADER_TOLD),
        "think_warning": sl.ThinkWarning(GAME, now, Side.BLACK, date(2026, 12, 19), link),
        "think_still": sl.ThinkWarning(GAME, postal, Side.BLACK, None, link),
        "long_think": sl.LongThink(GAME, now, Side.WHITE, Side.BLACK, "På ferie " + OTHER_KEY),
        "long_think_own": sl.LongThink(GAME, now, Side.BLACK, Side.BLACK),
        "control": sl.ControlWarning(GAME, now, Side.BLACK, 3),
        "control_supposed": sl.ControlWarning(GAME, postal, Side.BLACK, 3, date(2026, 12, 5)),
        "copy_postal": sl.SilenceCopy(GAME, postal, sl.Copied.REMINDED, Side.BLACK, dispatch(2)),
        "told_postal": sl.SilenceTold(GAME, postal, Side.WHITE, sl.Step.REMINDED),
        "offline": sl.OfflineReport(GAME, now, Side.BLACK, date(2026, 12, 5)),
        "shorter": sl.LeaveShorter(GAME, now, Side.WHITE, Side.BLACK, *days, date(2027, 1, 10)),
        "given_up": sl.LeaveShorter(GAME, now, None, Side.BLACK, *days, date(2027, 1, 7)),
    }


def postal_letters() -> dict[str, Letter]:
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
        "card_corrected": pl.CardCorrected(
            GAME, now, Side.BLACK, "Åge Hansen", told, told, card
        ),
        "card_void": pl.CardCorrected(GAME, now, Side.WHITE, "Åge Hansen"),
        "damaged_due": pl.DamagedDue(GAME, now, Side.WHITE, arrived, by),
        "email_offered": pl.EmailWord(GAME, now, Side.WHITE, Side.BLACK, True, False),
        "email_agreed": pl.EmailWord(GAME, now, Side.WHITE, Side.BLACK, True, True),
        "email_declined": pl.EmailWord(GAME, now, Side.WHITE, Side.BLACK, False, False),
        "address": pl.AddressChanged(GAME, now, Side.WHITE, Side.BLACK),
        "address_leader": pl.AddressChanged(GAME, now, None, Side.BLACK),
        "result_asked": pl.ResultAsked(GAME, now, Side.WHITE, arrived, 8),
    }  # fmt: skip


def takeovers() -> dict[str, Letter]:
    """The statement of a game that runs, is over, went over its time; and a late objection."""
    taken, until = ev.TakenOver(date(2027, 1, 11)), date(2027, 1, 25)
    commands = "parti@skak.example.org"
    postal = account(replace(TERMS, regulation=Regulation.POSTAL), EVENTS[:3])
    still = ev.Paused(date(2027, 1, 2), None, PauseReason.DISPUTE)
    stands = account(TERMS, (*EVENTS[:3], still), date(2027, 1, 11))
    over = account(TERMS, (*EVENTS[:3], ev.Resigned(Side.BLACK, date(2027, 1, 5))))
    late = account(TERMS, EVENTS[:3], date(2027, 6, 1))
    refused = CaseRefusal(CaseReason.TAKEOVER_LATE, until=until)
    return {
        "taken": tl.Statement(GAME, acc(), Side.WHITE, taken, (0, 7), commands),
        "taken_still": tl.Statement(GAME, stands, Side.BLACK, taken, (1, 0), commands),
        "taken_over": tl.Statement(GAME, over, Side.BLACK, taken, (0, 0), commands),
        "taken_late": tl.Statement(GAME, late, Side.BLACK, taken, (0, 0), commands),
        "taken_postal": tl.Statement(GAME, postal, Side.WHITE, taken, (0, 0), commands),
        "taken_card": tl.Statement(GAME, postal, Side.BLACK, taken, (0, 0), commands),
        "objection_late": tl.ObjectionLate(GAME, late, Side.BLACK, refused),
    }


def bulletin_letters() -> dict[str, Letter]:
    """The bulletin, and the letter that it is due (§ 6.4.5.1)."""
    first, last, due = date(2027, 1, 1), date(2027, 3, 31), date(2027, 4, 15)
    group = bl.GroupName("K-26-02", "K-skak-EMT 2026", "Kvalifikationsklassen", URL)
    started = bl.StartedGroup(group, date(2027, 1, 10), LEADER.name, (WHITE.name, BLACK.name))
    note = bl.DecisionNote("2027/3/1", ("6.8.6",), "En gentagelse, der mangler, koster ingen dage.")
    bulletin = bl.Bulletin(
        4, first, last, due, date(2027, 4, 29), OPERATOR, URL, "Godt nytår!",
        (started,), (), (), (note,),
    )  # fmt: skip
    return {
        "bulletin": bl.BulletinMail(bulletin, f"{URL}.pdf", URL),
        "bulletin_due": bl.BulletinDue("Otto Krag", OPERATOR, first, last, due, URL),
    }


_CHANGED = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo("Europe/Copenhagen"))


_AWAY = (_CHANGED, _CHANGED.replace(day=9, hour=7))
_PAUSES = (
    dl.GroupPause("K-26-01", date(2026, 12, 6), date(2026, 12, 8), 21, 7),
    dl.GroupPause("K-26-02", date(2026, 12, 8), date(2026, 12, 8), 1, 2),
)


def duty_letters() -> dict[str, Letter]:
    """One of every letter about a finished group (§ 6.4.5)."""
    told = dl.Publication(
        "K-26-01", "K-skak-EMT 2026", LEADER, "Europe/Copenhagen", URL,
        date(2027, 2, 1), date(2027, 2, 15), date(2027, 2, 22),
    )  # fmt: skip
    return {
        "published": dl.GroupPublished(WHITE.name, told, is_leader=False),
        "published_leader": dl.GroupPublished(LEADER.name, told, True, date(2030, 2, 1)),
        "prizes_due": dl.PrizesDue(told),
        "readdressed": dl.Readdressed(BLACK.name, OPERATOR),
        "office_made": dl.OfficeChange(
            LEADER.name, BLACK.name, "kc", None, WHITE.name, _CHANGED, False, OPERATOR
        ),
        "office_ended": dl.OfficeChange(
            LEADER.name, BLACK.name, "deputy", told.group, WHITE.name, _CHANGED, True, OPERATOR
        ),
        "cup_round": dl.RoundReady(
            "Tove Leder", 2026, CupStage.PRELIMINARY, date(2027, 3, 1), URL, OPERATOR
        ),
        "cup_round_semi": dl.RoundReady(
            "Tove Leder", 2026, CupStage.SEMIFINAL, date(2027, 3, 1), URL, OPERATOR
        ),
        "outage": dl.PauseProposal("Tove Leder", "server", *_AWAY, _PAUSES, URL, OPERATOR),
        "outage_mail": dl.PauseProposal("Otto Krag", "mail", *_AWAY, _PAUSES[:1], URL, OPERATOR),
        "year_ahead": year_step(Form.LEAGUE, Step.DIVISIONS, 14),
        "year_today": year_step(Form.SEMIFINAL, Step.DEADLINE, 0),
        "year_late": year_step(Form.CUP, Step.ANNOUNCEMENT, -3),
    }


def year_step(form: Form, step: Step, days: int) -> Letter:
    """The controller's letter about a step of his year, so many days ahead (§ 6.1.2)."""
    day = date(2027, 12, 20)
    return dl.YearStep("Otto Krag", form, step, 2028, day, days, "6.7.5.1", URL, OPERATOR)


def thread_letters() -> dict[str, Letter]:
    """A message without a move; its words are another's, and may hold anything."""
    said = "Glædelig jul!\n\nPS: jeg er på ferie til den 3/1."
    days, games = (date(2027, 1, 8), date(2027, 1, 15)), (GAME, replace(GAME, name="K-26-01/9"))
    told = NotSent(
        WHITE.name, GAME, dispatch(2).plies, said, Refusal(Reason.STALE), False, True, URL
    )
    return {
        "thread": ThreadLetter(WHITE.name, GAME, BLACK.name, said, URL),
        "not_sent": told,
        "leave_told": LeaveTold(LEADER, BLACK.name, *days, LeaveType.PERSONAL, None, games),
        "leave_told_shorter": LeaveTold(
            LEADER, BLACK.name, *days, LeaveType.PERSONAL, date(2027, 1, 10), games
        ),
        "not_sent_theirs": replace(told, message="", is_to_move=False),
        "not_sent_over": replace(told, why=Refusal(Reason.GAME_OVER), is_over=True),
    }


def entry_letters() -> dict[str, Letter]:
    """One of every letter about an entry (§ 6.4.4)."""

    def letter(news: EntryNews, **more: Any) -> EntryLetter:
        facts: dict[str, Any] = {
            "is_valid": False,
            "place": 0,
            "valid": 3,
            "wanted": 7,
            "fee": 20_000,
        }
        return EntryLetter(
            WHITE.name, news, "EMT 2026, kvalifikationsklassen", LEADER, "Europe/Copenhagen",
            URL, date(2027, 2, 1), **(facts | more),
        )  # fmt: skip

    every = tuple(EntryFault)
    return {
        "entry_made": letter(EntryNews.ENTERED, faults=every),
        "entry_asked": letter(EntryNews.ENTERED, faults=(EntryFault.NOT_OPEN,)),
        "entry_paid": letter(EntryNews.FEE, is_valid=True, place=3),
        "entry_dm": letter(EntryNews.VALID, is_valid=True, place=3, wanted=0),
        "entry_waits": letter(EntryNews.WAITS, faults=(EntryFault.NOT_OPEN,), closed_by="6.5.1.2"),
        "entry_refused": letter(EntryNews.REFUSED, paragraph="6.4.2", reason="Karantæne."),
        "entry_withdrawn": letter(EntryNews.WITHDRAWN),
    }
