"""The readings that answer a dispute over time, each with what a decision by it leads to.

§ 6.3.2-6.3.5, § 6.4.1, Kendelse 38, 59, 107. Each is tried as in what_if.py and carried out on
trial by the same engine, so that one which no decision could reach is not offered. Not for
choosing among them, nor for their words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from kskak.cases import what_if as what_if_rules
from kskak.cases.aftermath import aftermath, keep_days
from kskak.cases.case import CaseRefusal, CaseState
from kskak.cases.case_events import ClaimedDate, ClaimedDateKind
from kskak.cases.what_if import GameOutcome, effects_from
from kskak.game import game_events as ev
from kskak.play.events_in_force import dispatches, in_force
from kskak.play.game_state import AccountLine, Terms
from kskak.reflection import TimeOverstep, sending_day
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import OverstepFinding, Regulation, Result, Side
from kskak.statement.account import Account, account


class ReadingKind(StrEnum):
    """What a reading goes by."""

    POSTMARK = "postmark"
    RECEIPT = "receipt"
    STATED = "stated"
    COUNTED = "counted"
    """The day in the account; no card says another."""
    ARRIVED = "arrived"
    """An illegible postmark read as the day the card came (Kendelse 107)."""
    IN_TIME = "in_time"
    """The last day on which the dispatch would have been in time."""
    SPOILED = "spoiled"
    """A faulty move is the post's fault (Kendelse 59)."""
    UNCHARGED = "uncharged"
    """Penalty days, or what led to them, are left out."""
    UNSENT = "unsent"
    """No move was sent in time."""
    CLAIMED = "claimed"
    """A day that somebody in the case says it happened (Kendelse 107)."""
    LAPSED = "lapsed"
    """A claim that did not come with the answer is late, and the game goes on (§ 6.8.7)."""
    NOT_RECEIVED = "not_received"
    """The move to answer counts as received on the day of the decision (§ 6.8.2)."""


_UNDECIDED = frozenset({GameOutcome.WHITE_OVERSTEPPED, GameOutcome.BLACK_OVERSTEPPED})
_BOTH_LOSE = {Regulation.POSTAL: ("6.3.3.4",), Regulation.EMAIL: ("6.3.3.4", "6.8.1")}
"""By e-mail it is a reading that § 6.3.3.4 holds, as § 6.8.1 applies what fits; § 6.8.7 may be read
to let a late claim lapse."""
_OTHER = {ReadingKind.SPOILED: "6.3.5", ReadingKind.UNCHARGED: "6.4.1", ReadingKind.LAPSED: "6.8.7"}
_CHARGING = ev.DaysCharged | ev.OpponentReminded | ev.LeaderTold


@dataclass(frozen=True, slots=True)
class Figure:
    """Days used of a limit, at a control move."""

    by: Side
    used: int
    limit: int
    move: int


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer. ``supposed``, ``result`` and ``resume`` are what a decision by it orders.

    ``ply`` and ``day``: the dispatch and the day it counts as sent; None if it is not about one.
    """

    kind: ReadingKind
    figure: Figure
    outcome: GameOutcome
    totals: tuple[int, int]
    """White's and Black's days in all, once it is decided so."""
    paragraphs: tuple[str, ...]
    ply: int | None = None
    day: date | None = None
    supposed: tuple[what_if_rules.Supposition, ...] = ()
    result: Result | None = None
    resume: date | None = None
    claimed: ClaimedDate | None = None


@dataclass(frozen=True, slots=True)
class _Dispute:
    """A game in dispute on a day: whose time it is, and the row it is about, None if unsent."""

    terms: Terms
    events: tuple[ev.Event, ...]
    on: date
    now: Account
    by: Side
    row: AccountLine | None

    @property
    def ply(self) -> int | None:
        """Where the dispatch begins: its dates stand in the row of its last own move."""
        if self.row is None:
            return None
        return max(ply for ply in dispatches(self.events) if ply <= self.row.ply)

    @property
    def sent(self) -> ev.MoveSent | None:
        """The dispatch."""
        ply = self.ply
        found = None if ply is None else self.events[dispatches(self.events)[ply]]
        return found if isinstance(found, ev.MoveSent) else None


def readings(
    terms: Terms,
    events: Sequence[ev.Event],
    disputed: frozenset[int],
    on: date,
    claimed: Iterable[ClaimedDate] = (),
) -> tuple[Reading, ...]:
    """The readings of a dispute over time, the account's own first; empty if nothing is in doubt.

    ``disputed``: the plies in dispute; the one where the limit was passed counts, else the last.
    ``claimed``: the days that those in the case say something happened; without another dispatch
    in dispute they are about the one whose day is nearest.
    """
    dates = tuple(dict.fromkeys(claimed))
    about = _about(terms, tuple(events), disputed, on, dates)
    if about is None:
        return ()
    found = [_decide_by_reading(about, *candidate) for candidate in _candidates(about)]
    said = [
        replace(reading, claimed=one)
        for one in dates
        if (candidate := _claim_candidate(about, one, found)) is not None
        and (reading := _decide_by_reading(about, *candidate)) is not None
    ]
    return tuple(reading for reading in (*found[:1], *said, *found[1:]) if reading is not None)


def is_unclaimed(state: CaseState, found: Account) -> bool:
    """Whether a case is about an overstep that nobody has claimed (§ 6.3.3.5).

    The opponent is then asked; without a claim nothing is lost.
    """
    over, claims = found.overstep, (*state.claims, *state.claims_decided)
    is_open = over is not None and over.finding is OverstepFinding.OPEN
    return is_open and not claims and state.opened.claimant is None


def _claim_candidate(
    about: _Dispute, one: ClaimedDate, found: Sequence[Reading | None]
) -> "_Candidate | None":
    """The reading by a claimed day, unless one of the others has it already."""
    row, ply = about.row, about.ply
    if row is None or ply is None or row.dates.sent is None:
        return None
    if one.kind is ClaimedDateKind.RECEIVED:
        supposed: what_if_rules.Supposition = what_if_rules.ReceivedOn(ply, one.day)
        is_known = one.day == row.dates.received
    else:
        supposed = what_if_rules.SentOn(ply, one.day)
        is_known = one.day in {other.day for other in found if other is not None}
    return None if is_known else (ReadingKind.CLAIMED, one.day, (supposed,))


def _about(
    terms: Terms,
    events: tuple[ev.Event, ...],
    disputed: frozenset[int],
    on: date,
    claimed: Sequence[ClaimedDate],
) -> _Dispute | None:
    now = account(terms, events, on)
    over = now.overstep
    rows = [row for row in now.rows if row.ply in disputed and row.dates.sent is not None]
    if over is not None:
        late = (row for row in now.rows if row.by is over.by and row.total > over.limit)
        row = next((row for row in late if row.dates.sent is not None), None)
        return _Dispute(terms, events, on, now, over.by, row)
    if not rows and claimed:
        near = claimed[-1].day
        dated = [(row.dates.sent, row) for row in now.rows if row.dates.sent is not None]
        nearest = min(dated, key=lambda one: (abs(one[0] - near), -one[1].ply), default=None)
        rows = [] if nearest is None else [nearest[1]]
    return _Dispute(terms, events, on, now, rows[-1].by, rows[-1]) if rows else None


_Candidate = tuple[ReadingKind, date | None, tuple[what_if_rules.Supposition, ...]]


def _candidates(about: _Dispute) -> Iterator[_Candidate]:
    """The account's own reading, then the others, each day once."""
    sent, row, ply = about.sent, about.row, about.ply
    if sent is None or row is None or ply is None or row.dates.sent is None:
        yield ReadingKind.UNSENT, None, ()
        yield from _charges(about)
        if about.now.state.mover is about.by:
            yield ReadingKind.NOT_RECEIVED, about.on, ()
        return
    counted = row.dates.sent
    days = _list_card_days(about, sent.sent, row) if isinstance(sent.sent, ev.CardDates) else {}
    yield days.pop(counted, ReadingKind.COUNTED), counted, ()
    if not days:
        days = dict(_in_time(about, ply, row))
    for day, kind in days.items():
        yield kind, day, (what_if_rules.SentOn(ply, day),)
    yield from _charges(about)
    over = about.now.overstep
    is_late = over is not None and over.finding is OverstepFinding.CONTINUED
    if is_late and about.terms.regulation is Regulation.EMAIL:
        totals = (about.now.state.clock(side).total for side in Side)
        yield ReadingKind.LAPSED, None, (what_if_rules.TotalsCounted(*totals),)


def _list_card_days(
    about: _Dispute, card: ev.CardDates, row: AccountLine
) -> dict[date, ReadingKind]:
    """The days on which a card may count as sent (§ 6.3.2, Kendelse 38, 107)."""
    kinds = ReadingKind
    answers = (one.dates.received for one in about.now.rows if one.ply > row.ply)
    came = next((day for day in answers if day is not None), about.now.state.receipt)
    if card.postmark is not None or (came is not None and came <= sending_day(card)):
        came = None
    days = ((came, kinds.ARRIVED), (card.stated, kinds.STATED),
            (card.receipt, kinds.RECEIPT), (card.postmark, kinds.POSTMARK))  # fmt: skip
    return {day: kind for day, kind in days if day is not None}


def _in_time(about: _Dispute, ply: int, row: AccountLine) -> Iterator[tuple[date, ReadingKind]]:
    """The last day before the counted one on which the dispatch would have been in time."""
    first, day = row.dates.received, row.dates.sent
    while about.now.overstep is not None and first and day and day > first:
        day -= ONE_DAY
        tried = what_if_rules.what_if(
            about.terms, about.events, (what_if_rules.SentOn(ply, day),), about.on
        )
        if isinstance(tried, what_if_rules.Impossible):
            return
        if tried.after.overstep is None or tried.after.overstep.by is not about.by:
            yield day, ReadingKind.IN_TIME
            return


def _charges(about: _Dispute) -> Iterator[_Candidate]:
    """The latest faulty move and the latest penalty of the late side, as if they cost nothing."""
    entries = in_force(about.events)[::-1]
    faulty = [i for i, one in entries if isinstance(one, ev.FaultySent) and one.by is about.by]
    charged = [
        i
        for i, one in entries
        if isinstance(one, _CHARGING) and (one.by is about.by) is isinstance(one, ev.DaysCharged)
    ]
    for kind, found in ((ReadingKind.SPOILED, faulty), (ReadingKind.UNCHARGED, charged)):
        for entry in found[:1]:
            out = (
                what_if_rules.SpoiledByPost(entry)
                if kind is ReadingKind.SPOILED
                else what_if_rules.EntryOut(entry)
            )
            tried = what_if_rules.what_if(about.terms, about.events, (out,), about.on)
            if not isinstance(tried, what_if_rules.Impossible) and not tried.is_same:
                yield kind, None, (out,)


def _decide_by_reading(
    about: _Dispute,
    kind: ReadingKind,
    day: date | None,
    supposed: tuple[what_if_rules.Supposition, ...],
) -> Reading | None:
    """A reading as a decision by it leaves the game; None if no decision can."""
    terms, events, on = about.terms, about.events, about.on
    tried = what_if_rules.what_if(terms, events, supposed, on)
    if isinstance(tried, what_if_rules.Impossible):
        return None
    carried = effects_from(terms, events, supposed, tried, on)
    effects = carried.effects
    result, resume = _end(about, kind, tried.after)
    if result is not None:
        effects = (*effects, ev.ResultRuled(result, on, "", ""))
    if resume is not None:
        effects = (*effects, ev.GameResumed(resume))
        kept = None if kind is ReadingKind.NOT_RECEIVED else keep_days(terms, events, effects, on)
        effects = effects if kept is None else (*effects, kept)
    ruled = [ev.RulingApplied("trial", effect) for effect in dict.fromkeys(effects)]
    ends = aftermath(terms, events, ruled, on)
    if isinstance(ends, CaseRefusal) or ends.outcome in _UNDECIDED:
        return None
    over, after = _overstep(about, tried.after), account(terms, [*events, *ruled], on)
    if result is not None and over is not None:
        figure = Figure(over.by, over.used, over.limit, over.move)
    else:
        figure = _figure(about, after, tried.after)
    numbers = _paragraphs(about, kind, is_lost=result is not None)
    if ends.outcome is GameOutcome.BOTH_LOSE:
        limit = about.terms.rules.paragraphs.control
        numbers = (limit, *_BOTH_LOSE[about.terms.regulation])
    decided = (figure, ends.outcome, totals_of(after), numbers)
    return Reading(kind, *decided, about.ply, day, supposed, result, resume)


def totals_of(found: Account) -> tuple[int, int]:
    """White's and Black's days in all, without those of a move that is not sent."""
    return found.state.white.total, found.state.black.total


def _overstep(about: _Dispute, after: Account) -> TimeOverstep | None:
    """The overstep in dispute, if it stands; not what ran out while the case lay there."""
    over = after.overstep if about.row is None else after.state.overstep
    return over if over is not None and over.by is about.by else None


def _end(about: _Dispute, kind: ReadingKind, after: Account) -> tuple[Result | None, date | None]:
    """The result that a reading leads to, or the day on which a halted game goes on."""
    if after.state.result is not None:
        return None, None
    if kind is ReadingKind.NOT_RECEIVED:
        return None, about.on
    if _overstep(about, after) is not None:
        return Result.won_by(about.by.other), None
    return None, about.on if about.now.overstep is not None else None


def _figure(about: _Dispute, decided: Account, tried: Account) -> Figure:
    """Days used of the limit at the disputed dispatch, or on the move not sent."""
    row = about.row
    if row is None:
        state, live, running = decided.state, decided.live, decided.running
        is_on = running is not None and running.by is about.by and live is not None
        used = live.total if is_on and live else state.clock(about.by).total
        return Figure(about.by, used, state.limit_of(about.by), state.next_control(about.by))
    assert about.sent is not None and about.ply is not None
    own = [one for one in tried.rows if one.by is about.by]
    used = next(one.total for one in own if one.ply == row.ply)
    earlier = about.events[: dispatches(about.events)[about.ply]]
    before = account(about.terms, earlier, about.on).state
    limit, control = before.limit_after(about.sent.plies), before.next_control(about.by)
    return Figure(about.by, used, limit, control)


def _paragraphs(about: _Dispute, kind: ReadingKind, *, is_lost: bool) -> tuple[str, ...]:
    named = about.terms.rules.paragraphs
    first = _OTHER.get(kind, named.sending)
    rest = (named.control, named.loses) if is_lost else (named.control,)
    return rest if kind is ReadingKind.UNSENT else (first, *rest)


# The rulings of the Union's handbook that a server can follow, found by what is in dispute.


@dataclass(frozen=True, slots=True)
class Precedent:
    """A ruling of the Appeals Board; ``about``: kinds of cases, and of readings it decided for.

    ``against``: kinds of readings that it decided against. ``facts`` and ``decided``: its words, ""
    for the handbook's, which are in the catalogues.
    """

    number: str
    year: int
    about: frozenset[str]
    against: frozenset[str] = frozenset()
    facts: str = ""
    decided: str = ""

    @property
    def key(self) -> str:
        """Its name in the catalogue."""
        return f"r{self.number}"


def _ruling(number: str, year: int, about: str, against: str = "") -> Precedent:
    return Precedent(number, year, frozenset(about.split()), frozenset(against.split()))


PRECEDENTS = (
    _ruling("12", 1973, "leave silence withdrawal"),
    _ruling("38", 1977, "postmark overstep", "stated in_time"),
    _ruling("42", 1977, "conduct withdrawal silence"),
    _ruling("47b", 1978, "other"),
    _ruling("49", 1978, "result conduct"),
    _ruling("59", 1978, "spoiled faulty"),
    _ruling("97", 1987, "conduct"),
    _ruling("103", 1987, "days overstep"),
    _ruling("107", 1987, "arrived claimed overstep days", "stated"),
    _ruling("116", 1988, "other board"),
    _ruling("120", 1989, "conduct"),
    _ruling("133", 1992, "result"),
    _ruling("135", 1993, "conduct withdrawal silence"),
    _ruling("139", 1993, "takeover adjudication"),
)
"""In order of number. Readings: those on other play bear on a correspondence case by their
principle; ``board``: on any that is before the Board."""


ON_CARDS = frozenset({"38", "59", "107"})
"""On postmarks and what the post spoils: they bear on games by card alone (§ 6.3.2, § 6.8.1)."""


def precedents_for(
    topics: Iterable[str],
    regulation: Regulation = Regulation.POSTAL,
    among: Iterable[Precedent] = PRECEDENTS,
) -> tuple[Precedent, ...]:
    """The rulings that bear on any of the topics in games under a regulation."""
    wanted, is_by_card = frozenset(topics), regulation is Regulation.POSTAL
    fit = (one for one in among if is_by_card or one.number not in ON_CARDS)
    return tuple(one for one in fit if one.about & wanted)


def precedents_against(
    reading: str, rivals: Iterable[str], regulation: Regulation = Regulation.POSTAL
) -> tuple[Precedent, ...]:
    """The rulings that decided against a kind of reading and for one of its rivals."""
    return tuple(one for one in precedents_for(rivals, regulation) if reading in one.against)
