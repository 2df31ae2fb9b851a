"""One letter of every kind, with made-up players: for `kskak letters`, the pages and the tests."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import chess

from kskak.cases.case import CaseReason, CaseRefusal
from kskak.cases.case_events import Instance
from kskak.cup import CupStage
from kskak.entries.entry import EntryFault
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, Refusal
from kskak.league.lineups import TeamEntryFault, TeamFinding
from kskak.office.year import TournamentKind, TournamentStep
from kskak.play.evolve_game import replay
from kskak.play.game_state import AccountCharge, Terms
from kskak.regulation.editions import Channel, LeaveType, MoveFault, PauseReason, Regulation, Side
from kskak.statement.account import Account, account
from mail.compose import Letter
from mail.game_letters import card_letters as pl
from mail.game_letters import game_facts as facts
from mail.game_letters.move_letters import ThreadLetter
from mail.game_letters.no_move_letters import NotSent
from mail.game_letters.time_letters import Digest, DigestGame, LeaveTold, RelayedDispatch
from mail.office_letters import bulletins as bl
from mail.office_letters import league_letters as ll
from mail.office_letters import service_letters as service
from mail.office_letters import start_letters
from mail.office_letters.case_letters import (
    CaseDecision,
    CaseFacts,
    CaseNotice,
    CaseWord,
    StartAnnulled,
)
from mail.office_letters.entry_letters import (
    AccountNews,
    EntryLetter,
    EntryNews,
    JoinLetter,
    JoinNews,
    WaysChanged,
)
from mail.outgoing.envelope import Envelope
from mail.text.letter_facts import (
    Dispatch,
    EntrantFacts,
    GroupFacts,
    LetterGame,
    OfficialContact,
    OwnGameFacts,
    PairingFacts,
    Person,
    dispatch_of,
    move_texts,
)

# The cast of the sample letters: two players, their officials and a real game.

LEADER = OfficialContact("Tove Leder", "tl@example.org")
OPERATOR = OfficialContact("Drift & Vagt", "drift@example.org")
WHITE = Person("Åge Hansen", "aage@example.org")
BLACK = Person("Bo Jensen", "bo@example.org")
URL = "https://skak.example.org/partier/4711"
GAME = LetterGame("K-26-01/3", "K-26-01", "K-skak-EMT 2026", WHITE, BLACK, LEADER, url=URL)
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


# The daily letter: with one game that waits, with two, and with none. Not for its order.

SETTINGS = "https://skak.example.org/settings/letters"
SECOND = KEY.replace("abcd", "bcde")


def daily_letters() -> dict[str, Digest]:
    """One of each, by name."""
    now, first = acc(*EVENTS[:3]), acc(*EVENTS[:1])
    said = RelayedDispatch(dispatch(2), now, "Glædelig jul\nfra Åge " + OTHER_KEY)
    waits = DigestGame(GAME, Side.BLACK, now, (said,), KEY)
    fresh = RelayedDispatch(dispatch(0), first, None)
    other = DigestGame(replace(GAME, name="K-26-01/5"), Side.BLACK, first, (fresh,), SECOND)
    own = RelayedDispatch(dispatch(3), acc(*EVENTS), "Hej")
    answered = DigestGame(GAME, Side.BLACK, acc(*EVENTS), (own,), None)
    return {
        "daily": Digest(BLACK, (waits,), SETTINGS, OPERATOR),
        "daily_two": Digest(BLACK, (waits, other), SETTINGS, OPERATOR),
        "daily_none": Digest(BLACK, (answered,), SETTINGS, OPERATOR),
    }


# One letter of each kind about one's own account and about joining. Not for play (below).

_AT = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo("Europe/Copenhagen"))
_URL = "https://skak.example.org/settings/access"
_PAGES = {"confirm": "/join/abc", "waits": "/desk/join", "admitted": "/login/abc", "declined": ""}


def account_letters() -> dict[str, WaysChanged | JoinLetter]:
    """By a name for the tests."""
    return _joining() | {
        f"account_{news.value}": WaysChanged(
            BLACK.name, news, "Min telefon" if news.value[0] != "x" else "k7", _AT, _URL, OPERATOR
        )
        for news in AccountNews
    }


def _joining() -> dict[str, JoinLetter]:
    site = "https://skak.example.org"
    return {
        f"join_{news}": JoinLetter(
            BLACK.name if news is JoinNews.WAITS else "Jógvan á Rógvi",
            news,
            "Jógvan á Rógvi",
            f"{site}{_PAGES[news]}" if _PAGES[news] else "",
            "Nummeret er en andens." if news is JoinNews.DECLINED else "",
            OPERATOR,
        )
        for news in JoinNews
    }


# One of every letter of what stands beside play: cases, silence, the post, the group's end.


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
        "reminder": facts.Reminder(GAME, now, Side.BLACK, dispatch(2), link),
        "reminder_postal": facts.Reminder(GAME, postal, Side.BLACK, dispatch(2), link),
        "reminder_first": facts.Reminder(GAME, acc(), Side.WHITE, None, link),
        "copy": facts.SilenceCopy(
            GAME, now, facts.LeaderCopyKind.REMINDED, Side.BLACK, dispatch(2)
        ),
        "copy_first": facts.SilenceCopy(
            GAME, acc(), facts.LeaderCopyKind.REMINDED, Side.WHITE, None
        ),
        "copy_answered": facts.SilenceCopy(
            GAME, now, facts.LeaderCopyKind.ANSWERED, Side.WHITE, dispatch(2)
        ),
        "told_reminded": facts.SilenceTold(GAME, now, Side.WHITE, facts.SilenceStep.REMINDED),
        "told_leader": facts.SilenceTold(GAME, now, Side.WHITE, facts.SilenceStep.LEADER_TOLD),
        "think_warning": facts.ThinkWarning(GAME, now, Side.BLACK, date(2026, 12, 19), link),
        "think_still": facts.ThinkWarning(GAME, postal, Side.BLACK, None, link),
        "long_think": facts.LongThink(GAME, now, Side.WHITE, Side.BLACK, "På ferie " + OTHER_KEY),
        "long_think_own": facts.LongThink(GAME, now, Side.BLACK, Side.BLACK),
        "control": facts.ControlWarning(GAME, now, Side.BLACK, 3),
        "control_supposed": facts.ControlWarning(GAME, postal, Side.BLACK, 3, date(2026, 12, 5)),
        "copy_postal": facts.SilenceCopy(
            GAME, postal, facts.LeaderCopyKind.REMINDED, Side.BLACK, dispatch(2)
        ),
        "told_postal": facts.SilenceTold(GAME, postal, Side.WHITE, facts.SilenceStep.REMINDED),
        "offline": facts.OfflineReport(GAME, now, Side.BLACK, date(2026, 12, 5)),
        "shorter": facts.LeaveShorter(GAME, now, Side.WHITE, Side.BLACK, *days, date(2027, 1, 10)),
        "given_up": facts.LeaveShorter(GAME, now, None, Side.BLACK, *days, date(2027, 1, 7)),
    }


def postal_letters() -> dict[str, Letter]:
    """One of every letter of a postal game, by name (§ 6.3.5)."""
    terms = replace(TERMS, regulation=Regulation.POSTAL)
    card = ev.CardDates(None, None, date(2026, 12, 2))
    first = ev.MoveSent(Side.WHITE, moves("e2e4"), card, None, Channel.POST)
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 7), MoveFault.ILLEGIBLE)
    now, wrong = account(terms, [first]), account(terms, [first, faulty])
    told = dispatch_of(replay(terms, []).position, first)
    arrived, by = date(2026, 12, 7), date(2026, 12, 10)
    damaged = (Side.BLACK, MoveFault.DAMAGED_IN_POST, arrived, "Åge Hansen", None, by)
    return {
        "card": pl.CardEntered(GAME, now, Side.BLACK, Side.WHITE, "Åge Hansen", told, card),
        "card_own": pl.CardEntered(GAME, now, Side.WHITE, Side.WHITE, "Bo", told, card, arrived),
        "card_end": pl.CardEntered(GAME, now, Side.WHITE, Side.WHITE, "Bo Jensen"),
        "card_faulty": pl.CardFaulty(
            GAME, wrong, Side.BLACK, Side.BLACK, MoveFault.ILLEGIBLE, arrived, "Åge Hansen",
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
    still = ev.GamePaused(date(2027, 1, 2), None, PauseReason.DISPUTE)
    stands = account(TERMS, (*EVENTS[:3], still), date(2027, 1, 11))
    over = account(TERMS, (*EVENTS[:3], ev.PlayerResigned(Side.BLACK, date(2027, 1, 5))))
    late = account(TERMS, EVENTS[:3], date(2027, 6, 1))
    refused = CaseRefusal(CaseReason.TAKEOVER_LATE, until=until)
    return {
        "taken": start_letters.TakeoverStatement(GAME, acc(), Side.WHITE, taken, (0, 7), commands),
        "taken_still": start_letters.TakeoverStatement(
            GAME, stands, Side.BLACK, taken, (1, 0), commands
        ),
        "taken_over": start_letters.TakeoverStatement(
            GAME, over, Side.BLACK, taken, (0, 0), commands
        ),
        "taken_late": start_letters.TakeoverStatement(
            GAME, late, Side.BLACK, taken, (0, 0), commands
        ),
        "taken_postal": start_letters.TakeoverStatement(
            GAME, postal, Side.WHITE, taken, (0, 0), commands
        ),
        "taken_card": start_letters.TakeoverStatement(
            GAME, postal, Side.BLACK, taken, (0, 0), commands
        ),
        "objection_late": start_letters.ObjectionLate(GAME, late, Side.BLACK, refused),
    }


def bulletin_letters() -> dict[str, Letter]:
    """The bulletin, and the letter that it is due (§ 6.4.5.1)."""
    first, last, due = date(2027, 1, 1), date(2027, 3, 31), date(2027, 4, 15)
    group = bl.GroupName("K-26-02", "K-skak-EMT 2026", "Kvalifikationsklassen", URL)
    started = bl.StartedGroupFacts(group, date(2027, 1, 10), LEADER.name, (WHITE.name, BLACK.name))
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
    service.GroupPause("K-26-01", date(2026, 12, 6), date(2026, 12, 8), 21, 7),
    service.GroupPause("K-26-02", date(2026, 12, 8), date(2026, 12, 8), 1, 2),
)


def duty_letters() -> dict[str, Letter]:
    """One of every letter about a finished group (§ 6.4.5)."""
    told = service.Publication(
        "K-26-01", "K-skak-EMT 2026", LEADER, "Europe/Copenhagen", URL,
        date(2027, 2, 1), date(2027, 2, 15), date(2027, 2, 22),
    )  # fmt: skip
    return {
        "published": service.GroupPublished(WHITE.name, told, is_leader=False),
        "published_leader": service.GroupPublished(LEADER.name, told, True, date(2030, 2, 1)),
        "prizes_due": service.PrizesDueFacts(told),
        "readdressed": service.AddressReplaced(BLACK.name, OPERATOR),
        "office_made": service.OfficeChange(
            LEADER.name, BLACK.name, "kc", None, WHITE.name, _CHANGED, False, OPERATOR
        ),
        "office_ended": service.OfficeChange(
            LEADER.name, BLACK.name, "deputy", told.group, WHITE.name, _CHANGED, True, OPERATOR
        ),
        "cup_round": service.RoundReady(
            "Tove Leder", 2026, CupStage.PRELIMINARY, date(2027, 3, 1), URL, OPERATOR
        ),
        "cup_round_semi": service.RoundReady(
            "Tove Leder", 2026, CupStage.SEMIFINAL, date(2027, 3, 1), URL, OPERATOR
        ),
        "outage": service.PauseProposal("Tove Leder", "server", *_AWAY, _PAUSES, URL, OPERATOR),
        "outage_mail": service.PauseProposal(
            "Otto Krag", "mail", *_AWAY, _PAUSES[:1], URL, OPERATOR
        ),
        "year_ahead": year_step(TournamentKind.LEAGUE, TournamentStep.DIVISIONS, 14),
        "year_today": year_step(TournamentKind.SEMIFINAL, TournamentStep.DEADLINE, 0),
        "year_late": year_step(TournamentKind.CUP, TournamentStep.ANNOUNCEMENT, -3),
    }


def year_step(form: TournamentKind, step: TournamentStep, days: int) -> Letter:
    """The controller's letter about a step of his year, so many days ahead (§ 6.1.2)."""
    day = date(2027, 12, 20)
    return service.YearStepFacts("Otto Krag", form, step, 2028, day, days, "6.7.5.1", URL, OPERATOR)


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
        given: dict[str, Any] = {
            "is_valid": False,
            "place": 0,
            "valid": 3,
            "wanted": 7,
            "fee": 20_000,
        }
        return EntryLetter(
            WHITE.name, news, "EMT 2026, kvalifikationsklassen", LEADER, "Europe/Copenhagen",
            URL, date(2027, 2, 1), **(given | more),
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


# One of every letter of a game that is played by mail. Not for post or cases (below).


def _overstepped() -> Account:
    """Black does not answer at all: 40 days run out on 10 January at the earliest."""
    return acc(*EVENTS[:3], on=date(2027, 2, 20))


def _finished() -> tuple[ev.MoveSent, ...]:
    mate = [("e2e4", 30, 11, 2026), ("g7g5", 1, 12, 2026), ("d2d4", 2, 12, 2026)]
    mate += [("f7f6", 3, 12, 2026), ("d1h5", 4, 12, 2026)]
    sides = (Side.WHITE, Side.BLACK)
    return tuple(move(sides[i % 2], u, d, m, y) for i, (u, d, m, y) in enumerate(mate))


def _faulty() -> tuple[Account, AccountCharge]:
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 5), MoveFault.ILLEGAL)
    after = acc(*EVENTS[:3], faulty)
    charge = AccountCharge(Side.BLACK, date(2026, 12, 5), 3, "6.8.6", "illegal")
    return after, charge


LINK = "https://skak.example.org/svar/0123456789abcdef"


def of_a_game() -> dict[str, Letter]:
    """One of every letter of a game, by name."""
    now = acc(*EVENTS[:3])
    return {**_of_moves(now), **_of_time_and_end(now), **of_silence(now, LINK)}


def _of_moves(now: Account) -> dict[str, Letter]:
    faulty, charge = _faulty()
    knight = move_texts(now.state.board, moves("b8c6"))
    return {
        "first_move": facts.FirstMove(GAME, acc(), Side.WHITE),
        "position": facts.PositionLetter(GAME, now, Side.BLACK, dispatch(2)),
        "position_anew": facts.PositionLetter(GAME, acc(), Side.WHITE, None),
        "confirmation": facts.Confirmation(
            GAME, acc(*EVENTS), dispatch(3), ("Jeg ser på serien",)
        ),
        "relay": facts.Relay(GAME, now, dispatch(2), "Glædelig jul\nfra Åge " + OTHER_KEY),
        "repeated": facts.Relay(GAME, now, dispatch(2), is_repeated=True),
        "illegal": facts.NotMade(
            GAME, faulty, Side.BLACK, facts.MailTrouble.ILLEGAL, "2. 7163 2835",
            charge=charge,
            unread=("mon det går",),
        ),
        "ambiguous": facts.NotMade(
            GAME, now, Side.BLACK, facts.MailTrouble.AMBIGUOUS, "Se7",
            candidates=move_texts(now.state.board, moves("g8e7")) + knight,
        ),
        "meant": facts.NotMade(
            GAME, now, Side.BLACK, facts.MailTrouble.WRONG_NUMBER, "1... Sc6",
            candidates=knight, asks=facts.MoveSuggestion(LINK, date(2026, 12, 5)),
        ),
        "refused": facts.NotMade(GAME, now, Side.WHITE, Refusal(Reason.NOT_YOUR_TURN)),
        "ask_back": facts.AskBack(
            GAME, now, Side.BLACK, facts.ConfirmableAction.RESIGN, LINK
        ),
        "held": facts.HeldConfirm(
            GAME, now, Side.BLACK, facts.MailHoldKind.OTHER_ADDRESS, knight,
            date(2026, 12, 6), LINK,
        ),
    }  # fmt: skip


def _of_time_and_end(now: Account) -> dict[str, Letter]:
    over, late = acc(*_finished()), _overstepped()
    mated = dispatch_of(replay(TERMS, _finished()[:4]).position, _finished()[4])
    knight = move_texts(now.state.board, moves("b8c6"))
    return {
        "late_ask": facts.LateAsk(
            GAME, late, Side.WHITE, knight, date(2027, 2, 20), LINK, LINK + "x"
        ),
        "over": facts.GameOver(GAME, over, Side.BLACK, mated),
        "over_leader": facts.GameOver(GAME, over, None, mated),
        "declined": facts.DrawNotice(GAME, now, Side.WHITE, facts.DrawWord.DECLINED),
        "offer-noted": facts.DrawNotice(GAME, now, Side.WHITE, facts.DrawWord.NOTED),
        "draw-claimed": facts.DrawNotice(
            GAME, now, Side.WHITE, facts.DrawWord.CLAIMED
        ),
        "leave_notice": facts.LeaveNotice(
            GAME, now, Side.WHITE, Side.BLACK, date(2027, 1, 8), date(2027, 1, 15),
            LeaveType.PERSONAL,
        ),
        "overstep_late": facts.OverstepWarning(GAME, late, Side.BLACK),
        "overstep_waiting": facts.OverstepWarning(GAME, late, Side.WHITE),
        "overstep_leader": facts.OverstepWarning(GAME, late, None),
        "claim": facts.ClaimFiled(GAME, late, Side.BLACK, Side.WHITE, date(2027, 2, 20)),
        "claim_leader": facts.ClaimFiled(GAME, late, None, Side.WHITE, date(2027, 2, 20)),
        "annulled": facts.AnnulmentNotice(GAME, now, Side.BLACK, (3,)),
        "annulled_leader": facts.AnnulmentNotice(GAME, now, None, (3, 4)),
        "silence": facts.SilenceReport(GAME, now, date(2027, 1, 4)),
    }  # fmt: skip


# One of every letter of the league: schedule, each word about a team.

_DIVISION = ll.DivisionFacts(
    "DIV-1", "Danmarksturneringen 2027", LEADER, "Europe/Copenhagen",
    "https://skak.example.org/league/DIV-1",
)  # fmt: skip
_VALUES: dict[str, str | int | date] = {
    "board": 2,
    "reserve": "Rosa Reserve",
    "replaced": WHITE.name,
    "rating": 1950,
    "replaced_rating": 1900,
    "games": "DIV-1/2, DIV-1/6",
    "first": date(2027, 2, 1),
    "last": date(2027, 2, 14),
    "players": "Anna, Bo, Carl, Dorte",
    "captain": BLACK.name,
    "game": "DIV-1/2",
    "white": WHITE.name,
    "black": BLACK.name,
    "result": "1-0",
    "seed": "abc123",
    "clubs": "Nord, Syd",
}


def _schedule(own: bool) -> ll.DivisionSchedule:
    players = (("Anna", 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700))
    teams = tuple(
        ll.TeamLine(number, club, LEADER, players)
        for number, club in enumerate(("Nordre Skakklub", "Sydhavnens lange klubnavn af 1912"), 1)
    )
    pairing = ll.PairingLine(1, teams[1].club, (True, False, True, False))
    return ll.DivisionSchedule(
        BLACK.name,
        _DIVISION,
        date(2027, 1, 10),
        teams,
        teams[0].club if own else None,
        (pairing,) if own else (),
        (((teams[0].club, teams[1].club),),),
    )


def _entry(news: ll.TeamNews) -> ll.TeamEntryLetter:
    """A team entry that lacks the fee and a leave; refused it says why."""
    ended = news in (ll.TeamNews.REFUSED, ll.TeamNews.WITHDRAWN)
    lacks = (
        TeamFinding(TeamEntryFault.NO_FEE),
        TeamFinding(TeamEntryFault.TWO_CLUBS, (WHITE.name,)),
    )
    return ll.TeamEntryLetter(
        reader=BLACK.name,
        club="Nordre Skakklub",
        season=2028,
        tournament="Danmarksturneringen",
        news=news,
        day=date(2027, 11, 1),
        is_valid=news in (ll.TeamNews.FEE, ll.TeamNews.VALID),
        players=((WHITE.name, 2000), ("Bo", 1900), ("Carl", 1800), ("Dorte", 1700)),
        captain=WHITE.name,
        leader=LEADER,
        zone="Europe/Copenhagen",
        url="https://skak.example.org/team-entry",
        findings=lacks if news is ll.TeamNews.ENTERED else (),
        fee=40_000,
        paragraph="6.7.3.2" if ended else "",
        reason="Spilleren er ikke medlem." if ended else "",
    )


def league_letters() -> dict[str, ll.LeagueLetter]:
    """Every letter of the league by a name of its own."""
    desk = "https://skak.example.org/captain"
    words = {
        f"league_{word.value}": ll.LeagueNotice(
            BLACK.name, _DIVISION, "Nordre Skakklub", word, _VALUES, "Han er syg.", desk
        )
        for word in ll.LeagueWord
    }
    entries = {f"team_{news.value}": _entry(news) for news in ll.TeamNews}
    return (
        words
        | entries
        | {
            "league_schedule": _schedule(own=True),
            "league_schedule_leader": _schedule(own=False),
        }
    )


# One of every letter that is about no single game. Not for a game's (below).


def notices() -> dict[str, Letter]:
    """One of every letter that is about no single game, by name."""
    group = GroupFacts(
        "K-26-01", "K-skak-EMT 2026", "Kvalifikationsklassen", Regulation.EMAIL, 2018, "2011",
        date(2026, 11, 30), LEADER, regulation_url="https://skak.example.org/reglement",
    )  # fmt: skip
    players = (
        EntrantFacts(1, WHITE, "Skakklubben Nord", 1875),
        EntrantFacts(2, BLACK, None, None),
        EntrantFacts(3, Person("Ida Ø. Berg", "relay-3@skak.example.org", True), "Ærø", 2010),
    )
    pairings = (PairingFacts("K-26-01/3", Side.BLACK, 1), PairingFacts("K-26-01/4", Side.WHITE, 3))
    own = OwnGameFacts(GAME, Side.BLACK, True, dispatch(2).plies[-1], KEY, 1, 40, date(2027, 1, 25))
    waiting = OwnGameFacts(GAME, Side.WHITE, False, None, None, 0, 40, None)
    until = datetime(2026, 12, 4, 19, 5, tzinfo=UTC)
    commands = "parti@skak.example.org"
    return {
        "start": service.StartLetter(BLACK, group, players, pairings, commands),
        "status": service.GameListFacts(
            BLACK, (own, waiting), service.GameListRequest.STATUS, commands, OPERATOR
        ),
        "help": service.GameListFacts(BLACK, (), service.GameListRequest.HELP, commands, OPERATOR),
        "unclear": service.GameListFacts(
            BLACK, (own,), service.GameListRequest.UNCLEAR, commands, OPERATOR
        ),
        "delivery": service.DeliveryTrouble(
            LEADER, BLACK, ("K-26-01/3",), date(2026, 12, 5), "550 5.1.1 no such user", True,
            OPERATOR,
        ),
        "sign_in": service.SignIn(BLACK, "https://skak.example.org/ind/abc", until, OPERATOR),
        **_of_leave(),
        **_for_operators(),
        **of_a_case(),
        "to_all": _to_all(),
        "unwritten": service.Unwritten(BLACK, "K-26-01/3", "https://skak.example.org/", OPERATOR),
    }  # fmt: skip


def _to_all() -> service.LeaderLetter:
    return service.LeaderLetter(
        BLACK.name, "K-26-01", "K-skak-EMT 2026", LEADER, LEADER, "Europe/Copenhagen", "Juleferien",
        "Husk, at tiden står stille i juleferien.\n\nGlædelig jul!",
        "https://skak.example.org/groups/K-26-01",
    )  # fmt: skip


def _of_leave() -> dict[str, Letter]:
    days, group = (date(2027, 1, 8), date(2027, 1, 15)), (("K-26-01", LEADER),)
    personal = LeaveType.PERSONAL
    booked = service.LeaveConfirmed(
        BLACK, *days, personal, (*group, ("P-26-02", LEADER)), 27, OPERATOR
    )
    refusal = Refusal(Reason.LEAVE_TOO_SOON, earliest=date(2027, 1, 10))
    changed = replace(booked, groups=group)
    return {
        "leave": booked,
        "leave_shorter": replace(changed, days_left=30, until=date(2027, 1, 10)),
        "leave_given_up": replace(changed, days_left=35, until=date(2027, 1, 7)),
        "leave_special": replace(changed, days_left=None, leave_type=LeaveType.SPECIAL),
        "leave_refused": service.LeaveRefused(BLACK, *days, refusal, OPERATOR, group),
    }


def _for_operators() -> dict[str, Letter]:
    return {
        "alarm": service.OperatorAlert(OPERATOR, service.Alarm.MAIL_DEAD, 2, ("<a@b>", "<c@d>")),
        "report": service.OperatorAlert(
            OPERATOR,
            service.Alarm.MAIL_REPORT,
            6,
            ("jogvan@example.fo: Mít drag",),
            (("held", 1), ("strangers", 2), ("shunted", 1), ("dead", 1), ("bounced", 1)),
        ),
    }


# All sample letters by name. Not for what each says (the modules beside this one).

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
