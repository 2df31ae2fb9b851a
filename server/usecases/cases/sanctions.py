"""Sanctions with their terms: foreseen before a decision, saved with it, shown after (§ 4.1.19).

A second warning is a quarantine; the decider, the letter's readers and the player see that, with
its days, before and after. Not for whether one is deserved (§ 6.4.2) nor for the rule
(kskak.cases.case_events).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import Connection

from kskak.cases.case import SERVER, CaseReason, CaseRefusal, CaseStage, CaseState, NoteAnnulled
from kskak.cases.case_events import (
    CaseOpened,
    Decision,
    DecisionCited,
    ImposedSanction,
    Sanction,
    SanctionKind,
    SanctionOrder,
    effects,
    find_last_register_day,
    impose,
    is_in_register,
    is_quarantined,
    warning_until,
)
from kskak.cases.consequences import CaseConsequence, ConsequenceKind
from kskak.cases.decide_case import apply_case_events
from kskak.cases.holdings import Holding, HoldingKind
from kskak.entries.emt import EmtClass
from kskak.entries.entry import EntryFault, event_of, find_bans
from kskak.game.game_events import LeaderTold
from kskak.league.lineups import TeamEntryFault
from kskak.ledger.ledger_files import HIGHEST_RATING
from kskak.ledger.stored_events import load_event
from kskak.regulation.days import local_day
from kskak.regulation.editions import Regulation, Side, rules_of
from mail.office_letters.entry_letters import EntryNews
from mail.office_letters.league_letters import LeagueNotice, LeagueWord, TeamEntryLetter
from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.cases import cases as case_rows
from server.store.cases import holdings as holding_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow
from server.store.cases.publications import NewSanction, SanctionRow
from server.store.divisions import (
    ChangeKind,
    LeagueBoardRow,
    LeagueTeamRow,
    NewReserve,
    ReserveState,
)
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow, from_us
from server.store.mail import batch as batch_rows
from server.store.members import MemberRow
from server.store.play import people as person_rows
from server.store.play.people import Office, PersonRow
from server.usecases.cases.case_transaction import CaseOutcome, CaseRefusedError, act_in
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import readable
from server.usecases.rights import Rights, read_entrants, rights_in

# Decisions of other cases that a new one annuls or restores (§ 6.4.1-6.4.3).

_DECIDED = (CaseStage.DECIDED, CaseStage.APPEALED, CaseStage.FINAL)


def read_case_number(ref: str) -> str:
    """The case number that a decision's name begins with: «2026/7» for «2026/7/1»."""
    return ref.rpartition("/")[0]


async def add_cited_decisions(
    core: Core, case: CaseRow, state: CaseState, named: Iterable[str]
) -> CaseState | CaseRefusal:
    """The case with the named decisions of other cases brought in; nothing is saved."""
    foreign = [ref for ref in dict.fromkeys(named) if ref not in state.known]
    if not foreign:
        return state
    found: list[Decision] = []
    async with core.store.read() as conn:
        for ref in foreign:
            other = await case_rows.by_number(conn, read_case_number(ref))
            if other is None or other.id == case.id or other.group_id != case.group_id:
                return CaseRefusal(CaseReason.UNKNOWN_DECISION)
            known = readable(await case_rows.list_events(conn, other.id))
            if known is None or ref not in known.decisions or ref in known.annulled:
                return CaseRefusal(CaseReason.UNKNOWN_DECISION)
            found += _rests_on(known, ref)
    new = (one for one in dict.fromkeys(found) if one.ref not in state.known)
    today = core.today(case.zone)
    return apply_case_events(state, tuple(DecisionCited(today, one) for one in new))


def _rests_on(state: CaseState, ref: str) -> Iterator[Decision]:
    """A decision, after those whose effects it restores."""
    decision = state.known[ref]
    for earlier in decision.restores:
        yield from _rests_on(state, earlier)
    yield decision


def note_elsewhere(
    conn: Connection, core: Core, done: CaseOutcome, now: datetime
) -> tuple[int, ...]:
    """Record in the other cases what the latest decision annulled there.

    Sanctions go too. Returns who is concerned there; raises Refused if one was annulled meanwhile.
    """
    latest = done.state.latest
    assert latest is not None
    concerned: list[int] = []
    for ref in latest.annuls:
        if ref in done.state.decisions or ref in done.before.annulled:
            continue
        known = case_rows.by_number_in(conn, read_case_number(ref))
        if known is None:
            raise CaseRefusedError(CaseRefusal(CaseReason.UNKNOWN_DECISION))
        other = case_rows.lock(conn, known)
        steps = [(NoteAnnulled(ref, latest.ref), SERVER)]
        noted = act_in(conn, core, other, steps, now, done.state.decided[-1].by)
        concerned += sorted(noted.state.may_appeal)
        for order in done.state.known[ref].sanctions:
            since = done.state.known[ref].on.isoformat()
            publication_rows.annul(conn, other.id, order.person, since, core.now_us)
    return tuple(concerned)


async def annullable(core: Core, case: CaseRow, state: CaseState) -> tuple[Decision, ...]:
    """The standing decisions of the group's other cases that affect games of this one."""
    mine = set(state.opened.games)
    found: list[Decision] = []
    async with core.store.read() as conn:
        for other in await case_rows.list_cases(conn, group_ids=[case.group_id]):
            if other.id == case.id or other.state not in _DECIDED:
                continue
            known = readable(await case_rows.list_events(conn, other.id))
            if known is None:
                continue
            found += [
                row.decision
                for row in known.decided
                if row.decision.ref not in known.annulled
                and mine & effects(row.decision, known.known).keys()
            ]
    return tuple(sorted(found, key=lambda decision: (decision.on, decision.ref)))


# Sanctions with their terms: foreseen before a decision, saved with it, shown after (§ 4.1.19).


def read_form(group_class: str) -> str:
    """The form of tournament of a group's class: emt, cup, league, theme."""
    return event_of(EmtClass(group_class)) if group_class in set(EmtClass) else group_class


def find_barred(
    conn: Connection, people: Iterable[int], form: str, on: date, *, plays: bool = True
) -> dict[int, EntryFault]:
    """Whom of some people nothing may begin for on a day, and why: the question of every door.

    § 6.4.2; organisers check it themselves, as the Board ruled. The dead begin nothing (§ 6.2.8).
    Who plays is also asked whether the register knows that he is no member who may enter (§ 6.1:
    the league and themes are for members, others have one group of the EMT or the cup), and whether
    a case is open in which he leaves a group; there a word of the leader's is enough (§ 6.2.8).
    ``plays`` False: as captain (reading).
    """
    ids = tuple(dict.fromkeys(people))
    found = dict.fromkeys(publication_rows.list_dead(conn, ids), EntryFault.DEAD)
    for person, register in _registers(conn, ids).items():
        for ban in find_bans(register, form, on):
            found.setdefault(person, ban)
    if not plays:
        return found
    entrants, known = read_entrants(conn), member_rows.with_ids(conn, ids)
    strangers = {one.id for one in known.values() if one.is_stranger(on, entrants)}
    out = dict.fromkeys(strangers, EntryFault.MEMBERS_ONLY)
    if form in ONE_GROUP:
        played = group_rows.find_seated(conn, strangers, [*EmtClass, "cup"])
        out = dict.fromkeys(played, EntryFault.SECOND_OF_NON_MEMBER)
    leaving = (one.person_id for one in case_rows.list_leavers(conn, ids))
    out |= {one: EntryFault.LEAVING for one in leaving if one is not None and one not in out}
    return out | found


OF_DEEDS = frozenset({EntryFault.DEAD, EntryFault.QUARANTINED, EntryFault.EXPELLED})
"""What bars a captain too, and who was drawn before."""
ONE_GROUP = ("emt", "cup")
"""The forms of tournament in which a non-member may be in one group (§ 6.1)."""


def _registers(conn: Connection, people: Collection[int]) -> dict[int, list[Sanction]]:
    """The sanctions in force of some people, of each oldest first."""
    found: dict[int, list[Sanction]] = {}
    for row in publication_rows.list_sanctions_in_force(conn, people):
        found.setdefault(row.person_id, []).append(sanction_of(row))
    return found


def sanction_of(row: SanctionRow) -> Sanction:
    """A sanction of the register as the domain's type."""
    end, zone, form = row.season_end_us, row.zone or "UTC", row.group_class
    return Sanction(
        kind=SanctionKind(row.kind),
        first=date.fromisoformat(row.from_day),
        last=None if row.to_day is None else date.fromisoformat(row.to_day),
        season_end=None if end is None else local_day(from_us(end), zone),
        is_annulled=row.annulled_us is not None,
        event=None if form is None else read_form(form),
    )


def orders_of(decision: Decision, known: Mapping[str, Decision]) -> tuple[SanctionOrder, ...]:
    """The sanctions in force by a decision: those it restores, then its own."""
    again = (order for ref in decision.restores for order in orders_of(known[ref], known))
    return (*again, *decision.sanctions)


Forecast = tuple[SanctionOrder, ImposedSanction]
"""A sanction as ordered, and what it becomes given the player's register on the day."""


def foreseen(
    orders: Iterable[SanctionOrder], registers: Mapping[int, Iterable[Sanction]], on: date
) -> tuple[Forecast, ...]:
    """What sanctions imposed on a day become, each given those before it (§ 4.1.19)."""
    known = {person: list(found) for person, found in registers.items()}
    found = []
    for order in orders:
        register = known.setdefault(order.person, [])
        imposed = impose(register, order.kind, on, order.months)
        register.append(Sanction(imposed.kind, imposed.first, imposed.last))
        found.append((order, imposed))
    return tuple(found)


async def foresee(core: Core, decision: Decision, state: CaseState) -> tuple[Forecast, ...]:
    """What a decision's sanctions will become; those it annuls itself do not count."""
    orders = orders_of(decision, state.known)
    gone = {(read_case_number(ref), state.known[ref].on.isoformat()) for ref in decision.annuls}
    registers: dict[int, list[Sanction]] = {}
    async with core.store.read() as conn:
        for person in dict.fromkeys(order.person for order in orders):
            kept = await publication_rows.list_person_sanctions(conn, person)
            registers[person] = [
                sanction_of(row) for row in kept if (row.case, row.from_day) not in gone
            ]
    return foreseen(orders, registers, decision.on)


def take_effect(conn: Connection, done: CaseOutcome, now_us: int) -> None:
    """Remove annulled sanctions, add restored and new ones, with durations (§ 6.4.2, § 4.1.19)."""
    latest = done.state.latest
    assert latest is not None
    known = done.state.known
    for ref in latest.annuls:  # for those of other cases see below
        for order in orders_of(known[ref], known) if ref in done.state.decisions else ():
            since = known[ref].on.isoformat()
            publication_rows.annul(conn, done.case.id, order.person, since, now_us)
    orders = orders_of(latest, known)
    registers = _registers(conn, {order.person for order in orders})
    new = [
        NewSanction(
            order.person,
            done.case.id,
            imposed.kind.value,
            done.case.group_id,
            imposed.first.isoformat(),
            None if imposed.last is None else imposed.last.isoformat(),
        )
        for order, imposed in foreseen(orders, registers, latest.on)
    ]
    publication_rows.add_sanction(conn, new)


def lighten(conn: Connection, follows: Iterable[CaseConsequence], now_us: int) -> None:
    """Sanctions in other cases as they are without the annulled one they grew from (§ 4.1.19)."""
    for one in follows:
        number = case_rows.by_number_in(conn, one.case) if one.becomes else None
        if number is None or one.becomes is None or one.person is None:
            continue
        case, first = case_rows.lock(conn, number), one.becomes.first.isoformat()
        publication_rows.annul(conn, case.id, one.person, first, now_us)
        last = None if one.becomes.last is None else one.becomes.last.isoformat()
        kind = one.becomes.kind.value
        publication_rows.add_sanction(
            conn, [NewSanction(one.person, case.id, kind, case.group_id, first, last)]
        )


# A team of the league that is drawn and has not begun: who follows who is barred (§ 6.4.2, § 6.7).


def name_heirs(conn: Connection, held: Iterable[Holding], on: date) -> tuple[Holding, ...]:
    """What a case may take of what people hold, with who would follow them in a team that is drawn:
    the next in order whom nothing bars, of a reserve the first who is not much stronger (§ 6.7.4.3,
    reading). An administrator's office is none of its business."""
    own = (replace(one, form=read_form(one.form)) for one in held if one.of != Office.ADMIN)
    return tuple(replace(one, heir=_find_heir(conn, one, on)) for one in own)


def _find_heir(conn: Connection, one: Holding, on: date) -> int | None:
    is_board = one.kind is HoldingKind.BOARD
    if one.begins is None or not (is_board or one.kind is HoldingKind.CAPTAIN):
        return None
    ids = division_rows.list_heirs(conn, one.number, not is_board)
    barred = find_barred(conn, ids, "league", max(on, one.begins), plays=is_board)
    free = [person for person in ids if person not in barred and person != one.person]
    if is_board and free:
        seat, most = _find_board(conn, one.number, one.person)
        known = member_rows.with_ids(conn, free)
        free = [person for person in free if strength_of(known[person]) <= seat.rating + most]
    return next(iter(free), None)


def strength_of(row: MemberRow) -> int:
    """The K-rating, else the one over the board (§ 6.7.6.2); who has none is stronger than all."""
    return next((one for one in (row.k_rating, row.rating) if one is not None), HIGHEST_RATING)


def _find_board(conn: Connection, team_id: int, person: int) -> tuple[LeagueBoardRow, int]:
    """A person's board in a team, and how much stronger a reserve may be there."""
    team = division_rows.team(conn, team_id)
    division = None if team is None else division_rows.division(conn, team.group_id)
    assert division is not None
    seats = division_rows.boards(conn, [team_id])
    now = (seat for seat in seats if seat.to_us is None and seat.person_id == person)
    return next(now), division.stronger_by


_Said = tuple[LeagueWord, dict[str, object]]
"""What a letter about a team says, and with which values."""


def write_league_letters(
    conn: Connection,
    core: Core,
    team: LeagueTeamRow,
    news: tuple[LeagueWord, str],
    people: Iterable[int],
    *,
    text: str = "",
    **values: object,
) -> None:
    """Write one letter about a team to each person named, even if named twice.

    ``news``: what happened, and what tells it from others of its kind.
    """
    poster, (word, unique) = poster_of(core), news
    params: dict[str, object] = {"team": team.id, "word": word.value, "text": text} | values
    unique = f"{team.id}.{unique}"
    told = dict.fromkeys(people)
    letters = [poster.to_person(LeagueNotice, person, unique, params) for person in told]
    batch_rows.write_outbox(conn, letters)


def take_holdings(
    conn: Connection, core: Core, follows: Iterable[CaseConsequence], by: tuple[int, str]
) -> None:
    """Take what a sanction takes, by whom and in which case; in a drawn team the next in order
    follows: as captain at once; as reserve he waits for the leader, as any other (§ 6.7.4.3).
    Captain, leader and the new captain are told."""
    taken, (person, case) = [one.holding for one in follows if one.holding and one.takes], by
    why: dict[str, object] = {"paragraph": SANCTIONS, "reason": case}
    holding_rows.end_holdings(
        conn, taken, core.now_us, why | {"decided_by": person, "decided_us": core.now_us}
    )
    entered = {(one.number, one.person) for one in taken if one.begins is None and one.is_in_team}
    for number, who in sorted(entered):
        _tell_entered(conn, core, number, who, case)
    for one in taken:
        team = division_rows.team(conn, one.number) if one.heir and one.begins else None
        if team is None or one.heir is None:
            continue
        people = person_rows.with_ids(conn, [one.person, one.heir])
        pair = people[one.person], people[one.heir]
        is_captain = one.kind is HoldingKind.CAPTAIN
        do = _hand_captaincy if is_captain else _ask_reserve
        word, said = do(conn, core, team, pair, by)
        told: tuple[int, ...] = (one.person, one.heir) if is_captain else (team.captain_id,)
        told = (*told, division_rows.leader_of(conn, team.group_id))
        news = word, f"{case}.{one.kind.value}.{one.person}"
        write_league_letters(conn, core, team, news, told, text=case, **said)


def _tell_entered(conn: Connection, core: Core, entry_id: int, barred: int, case: str) -> None:
    """Tell an entered team's captain and who entered it, or its first player, why it waits."""
    row, players = entry_rows.read_team(conn, entry_id)
    assert row is not None
    told = {row.captain_id, row.entered_by} - {barred}
    told = told or {*[one for one in players if one != barred][:1]}
    name = person_rows.with_ids(conn, [barred])[barred].name
    params: dict[str, object] = {
        "entry": row.id, "news": EntryNews.WAITS.value, "day": row.entered_day,
        "faults": [[TeamEntryFault.QUARANTINED.value, [name]]], "paragraph": SANCTIONS,
        "reason": case,
    }  # fmt: skip
    poster, unique = poster_of(core), f"{row.id}.{case}.{barred}"
    letters = [poster.to_person(TeamEntryLetter, one, unique, params) for one in sorted(told)]
    batch_rows.write_outbox(conn, letters)


def give_back(
    conn: Connection, core: Core, follows: Iterable[CaseConsequence], by: tuple[int, str]
) -> None:
    """Give back what an annulled sanction took (§ 6.4.3): an entry waits in its place and is judged
    within the day, as a team's; a captain is captain again, a reserve not yet let in is refused.
    Of what can't be given back in a drawn team captain and leader are told."""
    back = [
        (one.kind is ConsequenceKind.GIVEN_BACK, one.holding)
        for one in follows
        if one.holding and one.kind in (ConsequenceKind.GIVEN_BACK, ConsequenceKind.NOT_BACK)
    ]
    done = set[tuple[int, str]]()
    holding_rows.restore(conn, [one for is_free, one in back if is_free], core.now_us)
    for is_free, one in back:
        is_drawn = one.begins and one.is_in_team
        team = division_rows.team(conn, one.number) if is_drawn else None
        if team is None:
            continue
        told, what = {team.captain_id}, f"freed.{one.person}"
        if is_free:
            told, what = {team.captain_id, one.person}, f"back.{one.kind.value}.{one.person}"
        name = person_rows.with_ids(conn, [one.person])[one.person].name
        freed = LeagueWord.FREED, {"replaced": name}
        found = _give_back_in(conn, core, team, one, by) if is_free else freed
        if found is not None and (team.id, what) not in done:
            done.add((team.id, what))
            people = (*sorted(told), division_rows.leader_of(conn, team.group_id))
            news = found[0], f"{by[1]}.{what}"
            write_league_letters(conn, core, team, news, people, text=by[1], **found[1])


def _give_back_in(
    conn: Connection, core: Core, team: LeagueTeamRow, one: Holding, by: tuple[int, str]
) -> _Said | None:
    """A captaincy or a board of a drawn team; None where nothing changes by it."""
    if one.kind is HoldingKind.BOARD:
        return _refuse_reserve(conn, core, team, one.person, by)
    people = person_rows.with_ids(conn, {one.person, team.captain_id})
    pair = people[team.captain_id], people[one.person]
    return None if len(people) == 1 else _hand_captaincy(conn, core, team, pair, by)


_Pair = tuple[PersonRow, PersonRow]
"""Who is barred, and who follows him."""


def _hand_captaincy(
    conn: Connection, core: Core, team: LeagueTeamRow, pair: _Pair, by: tuple[int, str]
) -> _Said:
    old, new = pair
    division_rows.hand_captaincy(conn, team, new.id, by[0], core.now_us)
    division_rows.add_change(
        conn, team_id=team.id, kind=ChangeKind.CAPTAIN.value, before=old.name, after=new.name,
        reason=by[1], by_id=by[0], at_us=core.now_us,
    )  # fmt: skip
    return LeagueWord.CAPTAIN, {"captain": new.name}


def _ask_reserve(
    conn: Connection, core: Core, team: LeagueTeamRow, pair: _Pair, by: tuple[int, str]
) -> _Said:
    old, new = pair
    seat, _ = _find_board(conn, team.id, old.id)
    rating = strength_of(member_rows.with_ids(conn, [new.id])[new.id])
    asked = NewReserve(
        team.id, seat.board, old.id, new.name, new.email, team.club, rating, by[1], by[0],
        core.now_us, None, None, ReserveState.ASKED,
    )  # fmt: skip
    division_rows.add_reserve(conn, asked)
    return LeagueWord.RESERVE_ASKED, {
        "board": seat.board, "reserve": new.name, "replaced": old.name, "rating": rating,
        "replaced_rating": seat.rating,
    }  # fmt: skip


def _refuse_reserve(
    conn: Connection, core: Core, team: LeagueTeamRow, person: int, by: tuple[int, str]
) -> _Said | None:
    """Refuse the reserve that was asked for by the same case, unless somebody has decided of it."""
    for row in division_rows.reserves(conn, [team.id]):
        if (row.state, row.replaced_id, row.reason) == (ReserveState.ASKED, person, by[1]):
            division_rows.set_reserve(
                conn, row.id, state=ReserveState.REFUSED.value, email="", note=by[1],
                decided_by=by[0], decided_us=core.now_us,
            )  # fmt: skip
            return LeagueWord.RESERVE_REFUSED, {"board": row.board, "reserve": row.name}
    return None


@dataclass(frozen=True, slots=True)
class SanctionView:
    """A sanction in the register; ``until``: the last day it counts, if known.

    ``was_warning``: a warning that § 4.1.19 turned into a quarantine.
    """

    row: SanctionRow
    until: date | None
    was_warning: bool

    @property
    def first(self) -> date:
        """The first day."""
        return date.fromisoformat(self.row.from_day)

    @property
    def last(self) -> date | None:
        """The last day of a quarantine."""
        return None if self.row.to_day is None else date.fromisoformat(self.row.to_day)


async def records_in(
    conn: AsyncConnection, people: Iterable[int], today: date
) -> dict[int, tuple[SanctionView, ...]]:
    """What the register shows for some people on a day; people without entries are left out."""
    found: dict[int, tuple[SanctionView, ...]] = {}
    for person in dict.fromkeys(people):
        in_register = [
            await _record(conn, row)
            for row in await publication_rows.list_person_sanctions(conn, person)
            if is_in_register(sanction_of(row), today)
        ]
        if in_register:
            found[person] = tuple(in_register)
    return found


async def _record(conn: AsyncConnection, row: SanctionRow) -> SanctionView:
    sanction = sanction_of(row)
    if sanction.kind is not SanctionKind.QUARANTINE:
        return SanctionView(row, warning_until(sanction), False)
    kinds = _ordered_kinds(readable(await case_rows.list_events(conn, row.case_id)), row)
    was_warning = SanctionKind.WARNING in kinds and SanctionKind.QUARANTINE not in kinds
    return SanctionView(row, find_last_register_day(sanction), was_warning)


def _ordered_kinds(state: CaseState | None, row: SanctionRow) -> set[SanctionKind]:
    """What the decisions of the day of a sanction ordered for its player."""
    if state is None:
        return set()
    made = (one.decision for one in state.decided if one.decision.on.isoformat() == row.from_day)
    orders = (order for one in made for order in orders_of(one, state.known))
    return {order.kind for order in orders if order.person == row.person_id}


async def own_records(core: Core, person: int) -> tuple[SanctionView, ...]:
    """What the register shows for a person today; the caller checks who is asking."""
    today = core.today(core.settings.clock.zone)
    found = await core.store.query(records_in, [person], today)
    return found.get(person, ())


async def own_quarantines(core: Core, person: int) -> tuple[SanctionView, ...]:
    """The quarantines that keep a person out of what begins today."""
    today = core.today(core.settings.clock.zone)
    own = await own_records(core, person)
    return tuple(one for one in own if is_quarantined([sanction_of(one.row)], today))


# A person's record for officials: sanctions, cases, decisions and silences, the newest first.

SANCTIONS, AUTOMATIC = "6.4.2", "4.1.19"


class PersonRecordKind(StrEnum):
    """What a line of the record is about, in the order that things happen on one day."""

    SILENCE = "silence"
    CASE = "case"
    DECISION = "decision"
    WARNING = "warning"
    QUARANTINE = "quarantine"
    EXPULSION = "expulsion"


_ORDER = tuple(PersonRecordKind)


@dataclass(frozen=True, slots=True)
class PersonRecordLine:
    """One line: the day, what happened, by which paragraphs, and what to open.

    ``number``: the case's; ``case``: the case itself if the reader may open it; ``until``: the
    last day of a quarantine.
    """

    on: date
    what: PersonRecordKind
    paragraphs: tuple[str, ...]
    number: str | None = None
    case: CaseRow | None = None
    game: AnyRow | None = None
    until: date | None = None


_Known = dict[int, tuple[CaseRow, CaseState, bool]]
"""Cases with their states, by id, and whether the reader may open them."""


async def person_record(
    core: Core, viewer: PersonRow, person_id: int
) -> tuple[PersonRecordLine, ...] | None:
    """The record as the viewer may see it; None: not at all."""
    today = core.today(core.settings.clock.zone)
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        if not held.is_official or viewer.id == person_id:
            return None
        imposed = await publication_rows.list_person_sanctions(conn, person_id)
        known = await _build_known_record(conn, held, person_id, imposed)
        leads = any(held.leads(group) for group in await case_rows.groups_of(conn, person_id))
        judges = any(opens and person_id in s.may_appeal for _, s, opens in known.values())
        if not (held.is_kc or held.is_admin or leads or (held.is_board and judges)):
            return None
        silences = await case_rows.silences(conn, person_id)
    found = [
        *(_sanction(row, known) for row in imposed if is_in_register(sanction_of(row), today)),
        *(one for row, s, opens in known.values() if opens for one in _case(row, s, person_id)),
        *(line for one in silences for line in _silence(one, person_id, held)),
    ]
    return tuple(sorted(found, key=lambda one: (one.on, _ORDER.index(one.what)), reverse=True))


async def _build_known_record(
    conn: AsyncConnection, held: Rights, person_id: int, imposed: tuple[SanctionRow, ...]
) -> _Known:
    near = {case.id: case for case in await case_rows.cases_near(conn, person_id)}
    ids = near.keys() | {row.case_id for row in imposed}
    near |= {case.id: case for case in await case_rows.everything(conn, id=ids - near.keys())}
    histories = await case_rows.events_of_all(conn, near.keys())
    return {
        case_id: (near[case_id], state, held.reads_case(near[case_id], state.may_appeal))
        for case_id, found in histories.items()
        if (state := readable(found)) is not None
    }


def _case(case: CaseRow, state: CaseState, person_id: int) -> list[PersonRecordLine]:
    """How a case began and each decision in it, if he is a party, concerned or sanctioned."""
    named = {order.person for one in state.decided for order in one.decision.sanctions}
    if person_id not in {case.person_id, *state.opened.parties, *named}:
        return []
    happened: list[tuple[CaseOpened | Decision, PersonRecordKind]] = [
        (state.opened, PersonRecordKind.CASE),
        *((one.decision, PersonRecordKind.DECISION) for one in state.decided),
    ]
    return [
        PersonRecordLine(one.on, kind, one.paragraphs, case.number, case) for one, kind in happened
    ]


def _sanction(row: SanctionRow, known: _Known) -> PersonRecordLine:
    """A sanction; one that grew out of a second warning says by which paragraph."""
    case, state, opens = known.get(row.case_id, (None, None, False))
    ordered = _ordered_kinds(state, row)
    grew = bool(ordered) and SanctionKind(row.kind) not in ordered
    return PersonRecordLine(
        on=date.fromisoformat(row.from_day),
        what=PersonRecordKind(row.kind),
        paragraphs=(SANCTIONS, AUTOMATIC) if grew else (SANCTIONS,),
        number=row.case,
        case=case if opens else None,
        until=None if row.to_day is None else date.fromisoformat(row.to_day),
    )


def _silence(row: AnyRow, person_id: int, held: Rights) -> list[PersonRecordLine]:
    """A silence, if it was he who did not answer, in a game that the reader may watch."""
    event = load_event(row.body)
    assert isinstance(event, LeaderTold)
    side = Side.WHITE if row.white_id == person_id else Side.BLACK
    if event.by is side or not held.may_watch(row.game_id, row.group_id):
        return []
    rule = (rules_of(Regulation(row.regulation)).paragraphs.silence,)
    return [PersonRecordLine(event.on, PersonRecordKind.SILENCE, rule, game=row)]
