"""Judges an entry by the rules, with all the server knows of the player (§ 6.4.4.1, § 6.5.3.2).

Readings: a rating in the register takes precedence over one that the entry states; a membership
number in the register need not be stated. Not for saving an entry (player_entering.py).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from kskak.cases.case_events import Sanction
from kskak.entries.access import access
from kskak.entries.emt import EmtClass, Score
from kskak.entries.entry import (
    CupEntry,
    Discretion,
    EntrantStatus,
    Entry,
    EntryFault,
    EntryState,
    EntryWait,
    OtherEntry,
    Signature,
    Wish,
    after_discretion,
    entry_faults,
    is_proved,
    is_readmitted,
    start_faults,
    waits_for,
)
from kskak.entries.rights import (
    ClassEligibility,
    CupFinalStage,
    CupRightRound,
    IccfTournament,
    PlayerProfile,
    PlayerResult,
    ResultHistory,
)
from kskak.groups.placing import RankingRules, ScoredGame, Table, placing, points_of
from kskak.regulation.days import local_day
from kskak.regulation.editions import EMT, Result
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.cases import cases as case_rows
from server.store.cases import publications as publication_rows
from server.store.cup import GroupRound
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us, to_us
from server.store.entries import OPEN_STATES, EntryRow, EntryRuling, ListRow, PastResultRow
from server.store.groups import GroupRow
from server.store.play import game_lists
from server.store.play import people as person_rows
from server.store.play.game_lists import TableGameRow
from server.store.play.people import Office, PersonRow
from server.usecases.cases.sanctions import ONE_GROUP, find_barred, sanction_of
from server.usecases.context import Core, today_of
from server.usecases.games.game_units import start_of_day
from server.usecases.rights import NoSuch, Rights, holders_in, may_handle, read_entrants, rights_in

# A player's record as the access rules need it: past results entered, own groups as played.

_CLASSES = {one.value: one for one in EmtClass}


@dataclass(frozen=True, slots=True)
class Participation:
    """A result with its name and where it is from: an official's source, or a group of ours."""

    result: PlayerResult
    name: str
    source: str
    group: str | None = None
    past_id: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """All that is known; ``groups`` counts the player's EMT and cup groups.

    ``cup_running``: those of the cup before its final that are still played (§ 6.6.1.2).
    """

    on: date
    participations: tuple[Participation, ...]
    groups: int
    cup_running: int

    @property
    def record(self) -> ResultHistory:
        """The results alone, as the rules take them."""
        return ResultHistory(self.on, tuple(one.result for one in self.participations))


async def _read_records(
    conn: AsyncConnection, people: Collection[int], on: date
) -> dict[int, PlayerRecord]:
    """Players' records as seen from a day; the number of queries does not grow with them."""
    past: dict[int, list[Participation]] = {one: [] for one in people}
    for row in await entry_rows.past_results_of(conn, *people):
        past[row.person_id].append(_past(row))
    judged = {*_CLASSES, CUP_JUDGING}
    of = {
        person: [group for group in found if group.class_ in judged]
        for person, found in (await group_rows.groups_of_people(conn, people)).items()
    }
    ids = sorted({group.id for found in of.values() for group in found})
    rounds = await cup_rows.rounds_of(conn, ids)
    tables = await game_lists.in_tables(conn, ids)
    played = {
        person: [(group, rounds.get(group.id), tables[group.id]) for group in found]
        for person, found in of.items()
    }
    return {one: _record(on, one, past[one], played[one]) for one in people}


def _record(
    on: date,
    person_id: int,
    past: list[Participation],
    played: Sequence[tuple[GroupRow, GroupRound | None, tuple[TableGameRow, ...]]],
) -> PlayerRecord:
    """One player's record; numbered from 1, oldest finish first."""
    counted = sum(isinstance(one.result.event, EmtClass | CupRightRound) for one in past)
    own: list[Participation] = []
    running = 0
    for group, cup, rows in played:
        event = _event(group, cup)
        if event is not None:
            own.append(_own(group, event, rows, person_id))
        is_final = isinstance(event, CupRightRound) and event.stage is CupFinalStage.FINAL
        if group.class_ == CUP_JUDGING and not is_final:
            running += any(row.result is None for row in rows)
    found = sorted(past + own, key=lambda one: (one.result.finished or date.max, one.name))
    listed = tuple(
        replace(one, result=replace(one.result, number=number))
        for number, one in enumerate(found, 1)
    )
    return PlayerRecord(on, listed, counted + len(played), running)


def _past(row: PastResultRow) -> Participation:
    event: EmtClass | CupRightRound | IccfTournament
    match row.event:
        case "emt":
            event = EmtClass(row.wish)
        case "cup":
            event = CupRightRound(CupFinalStage(row.wish), row.entries, row.semi_held)
        case _:
            event = IccfTournament(row.wish)
    score = Score(Fraction(row.halves, 2), row.games, row.unfinished, row.place)
    return Participation(
        PlayerResult(0, event, score, row.finished), row.name, row.source, past_id=row.id
    )


def _event(group: GroupRow, cup: GroupRound | None) -> EmtClass | CupRightRound | None:
    """What a group of ours counts as for rights; the cup's first round gives none (§ 6.6.2.1)."""
    if group.class_ != CUP_JUDGING:
        return _CLASSES[group.class_]
    if cup is None or cup.stage not in set(CupFinalStage):
        return None
    return CupRightRound(CupFinalStage(cup.stage), cup.entries, cup.is_semi_held)


def _own(
    group: GroupRow, event: EmtClass | CupRightRound, rows: tuple[TableGameRow, ...], person_id: int
) -> Participation:
    """A player's result so far in a group of the server (§ 6.5.1.2)."""
    mine = [row for row in rows if person_id in (row.white_id, row.black_id)]
    unfinished = sum(row.result is None for row in mine)
    ended = [row.ended_us for row in rows]
    finished = None
    if all(us is not None for us in ended):
        finished = local_day(from_us(max(us or 0 for us in ended)), group.zone)
    played = tuple(
        ScoredGame(str(row.white_id), str(row.black_id), Result(row.result))
        for row in rows
        if row.result is not None
    )
    names = tuple(dict.fromkeys(str(one) for row in rows for one in (row.white_id, row.black_id)))
    points = points_of(names, played)
    own = points.get(str(person_id), Fraction(0))
    place = None
    if finished is not None and isinstance(event, CupRightRound):
        # In the cup by its whole ladder, which decides the places in the DM (§ 6.6.1.5, § 6.6.2.2).
        table = placing(Table(RankingRules.CUP_FINAL, names, played))
        place = next(row.place for row in table if row.name == str(person_id))
    elif finished is not None:  # in the EMT 1 for all who share the most points (§ 6.5.3.2 a)
        place = 1 + sum(other > own for other in points.values())
    score = Score(own, max(len(mine), 1), unfinished, place)
    return Participation(PlayerResult(0, event, score, finished), group.name, "", group.name)


EMT_EVENT, CUP_JUDGING = "emt", "cup"


def read_wish(event: str, wish: str) -> Wish:
    """What a list is for. ValueError for an unknown event or wish."""
    if event == EMT_EVENT:
        return EmtClass(wish)
    return CupEntry(wish) if event == CUP_JUDGING else OtherEntry(event)


@dataclass(frozen=True, slots=True)
class EntryStatement:
    """What an entry states in addition to the register (§ 6.4.4.1)."""

    member: str | None = None
    club: str | None = None
    born: date | None = None
    otb_rating: int | None = None
    k_rating: int | None = None
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a player on a day: register, record, sanctions, entries; ``is_leaving``:
    a case is open in which he leaves a group (§ 6.2.8)."""

    on: date
    person: PersonRow
    is_registered: bool
    """Whether the register has a membership that stands, with or without its number (§ 6.1)."""
    is_shut_out: bool
    """Whether it has one that gives no entry, with or without its number (§ 6.1, § 1.3.10)."""
    history: PlayerRecord
    sanctions: tuple[Sanction, ...]
    entries: tuple[EntryRow, ...]
    is_leaving: bool = False

    @property
    def told(self) -> EntryStatement:
        """What the player stated last: the register may not have it yet."""
        newest = next((row for row in self.entries if row.state != EntryState.REFUSED), None)
        return EntryStatement() if newest is None else stated_of(newest)

    @property
    def record(self) -> tuple[Participation, ...]:
        """The player's results, the oldest finish first."""
        return self.history.participations

    @property
    def answers(self) -> dict[EmtClass, ClassEligibility]:
        """Which classes are open to the player, by what was stated last."""
        return self.answers_to(self.told)

    def is_member(self, stated: EntryStatement) -> bool:
        """Whether the player is a member, by the register or a stated number (§ 6.1)."""
        has_number = bool(self.person.member or stated.member)
        return self.is_registered or (has_number and not self.is_shut_out)

    def answers_to(
        self, stated: EntryStatement, is_readmitted: bool = False
    ) -> dict[EmtClass, ClassEligibility]:
        """Which classes are open to the player (§ 6.5.3.2), let in again if no member (§ 6.1)."""
        player = PlayerProfile(
            name=self.person.name,
            is_member=is_readmitted or self.is_member(stated),
            is_citizen=self.person.citizen is not False,
            otb_rating=_known(self.person.rating, stated.otb_rating),
            k_rating=_known(self.person.k_rating, stated.k_rating),
        )
        return access(player, self.history.record)


def _known(own: int | None, stated: int | None) -> int | None:
    return stated if own is None else own


@dataclass(frozen=True, slots=True)
class EntryJudgement:
    """What is missing or in the way, and what the class's rules say; ``case``: whose decision has
    let a valid entry be judged anew."""

    faults: tuple[EntryFault, ...]
    answer: ClassEligibility | None
    case: str = ""

    @property
    def state(self) -> EntryState:
        """Valid when nothing is missing (§ 6.4.4.1)."""
        return EntryState.WAITING if self.faults else EntryState.VALID


async def knowledge(conn: AsyncConnection, person_id: int, on: date) -> Knowledge | None:
    """What is known of a player; None when there is no such person."""
    return (await _read_knowledge(conn, [person_id], on)).get(person_id)


async def _read_knowledge(
    conn: AsyncConnection, ids: Collection[int], on: date
) -> dict[int, Knowledge]:
    """The same of many, by id; the number of queries does not grow with them."""
    people = await person_rows.by_ids(conn, ids)
    members = await member_rows.by_ids(conn, people)
    records = await _read_records(conn, people, on)
    entrants = await conn.run_sync(read_entrants)
    leavers = {row.person_id for row in await conn.run_sync(case_rows.list_leavers, people)}
    sanctions, own = defaultdict[int, list[Sanction]](list), defaultdict[int, list[EntryRow]](list)
    for row in await publication_rows.list_person_sanctions(conn, *people):
        sanctions[row.person_id].append(sanction_of(row))
    for entry in await entry_rows.entries_of(conn, *people):
        own[entry.person_id].append(entry)
    return {
        one: Knowledge(
            on=on,
            person=person,
            is_registered=members[one].is_member(on, entrants),
            is_shut_out=members[one].is_shut_out(on, entrants),
            history=records[one],
            sanctions=tuple(sanctions[one]),
            entries=tuple(own[one]),
            is_leaving=one in leavers,
        )
        for one, person in people.items()
    }


def find_entrant_status(
    known: Knowledge,
    wish: Wish,
    stated: EntryStatement,
    own: int | None,
    given: Sequence[Discretion],
) -> EntrantStatus:
    """The player's standing for a wish; ``own`` is the entry itself, which does not count."""
    others = [row for row in known.entries if row.id != own and row.is_open]
    groups = known.history.groups + sum(row.event in ONE_GROUP for row in others)
    answers = known.answers_to(stated, is_readmitted(given))
    return EntrantStatus(
        on=known.on,
        access=answers[wish] if isinstance(wish, EmtClass) else None,
        groups_before=0 if is_readmitted(given) else groups,
        cup_groups=known.history.cup_running + sum(row.event == CUP_JUDGING for row in others),
        sanctions=known.sanctions,
        is_leaving=known.is_leaving,
    )


def judge(
    known: Knowledge,
    wish: Wish,
    stated: EntryStatement,
    *,
    fee: date | None,
    is_proof_seen: bool = False,
    own: int | None = None,
    given: Sequence[Discretion] = (),
) -> EntryJudgement:
    """Judge an entry by the rules as of the day of ``known`` (§ 6.4.4.1, § 6.5.3.2, § 6.6.1)."""
    before = find_entrant_status(known, wish, stated, own, given)
    person = known.person
    proved = before.access is not None and is_proved(before.access, person.rating is not None)
    entry = Entry(
        wish=wish,
        member_number=person.member or stated.member,
        club=person.club or stated.club,
        born=date.fromisoformat(person.birth) if person.birth else stated.born,
        fee_received=fee,
        has_proof=is_proof_seen or proved,
        k_rating=_known(person.k_rating, stated.k_rating),
        is_k_registered=person.k_rating is not None,
        is_registered=known.is_registered,
    )
    found = after_discretion(entry_faults(entry, before), wish, given)
    return EntryJudgement(found, before.access)


def read_discretions(rulings: Sequence[EntryRuling]) -> tuple[Discretion, ...]:
    """Officials' decisions, as the rules take them."""
    return tuple(Discretion(row.paragraph, Signature(row.office), row.by_id) for row in rulings)


def stated_of(row: EntryRow) -> EntryStatement:
    """What a saved entry states."""
    born = date.fromisoformat(row.born) if row.born else None
    return EntryStatement(row.member, row.club, born, row.otb_rating, row.k_rating, row.proof)


async def judge_stored_entry(conn: AsyncConnection, row: EntryRow, on: date) -> EntryJudgement:
    """The same for a saved entry, as of a day."""
    return (await _judge_stored(conn, [row], on))[row.id]


async def _judge_stored(
    conn: AsyncConnection, rows: Sequence[EntryRow], on: date
) -> dict[int, EntryJudgement]:
    """The same for many, by id, in as many queries as for one. Of a valid one a right that has
    lapsed since is still its right (§ 6.4.4.1, reading)."""
    known = await _read_knowledge(conn, {row.person_id for row in rows}, on)
    ruled = await entry_rows.rulings_of(conn, [row.id for row in rows])
    judged = {
        row.id: judge(
            known[row.person_id],
            read_wish(row.event, row.wish),
            stated_of(row),
            fee=date.fromisoformat(row.fee_day) if row.fee_day else None,
            is_proof_seen=row.proof_us is not None,
            own=row.id,
            given=read_discretions(ruled.get(row.id, ())),
        )
        for row in rows
    }
    for row in rows:
        is_shut = judged[row.id].faults == (EntryFault.NOT_OPEN,)
        if is_shut and row.state == EntryState.VALID and _since(row) < on:
            judged |= await _judge_stored(conn, [row], _since(row))
    return judged


def _since(row: EntryRow) -> date:
    return date.fromisoformat(row.since_day or row.entered_day)


async def judge_again(
    core: Core, conn: AsyncConnection, rows: Collection[EntryRow]
) -> dict[int, EntryJudgement]:
    """How some entries are judged today that wait, or that are judged otherwise than they stand.

    A valid one is judged once a decision was made in a group of its player; by id.
    """
    zone, valid = core.settings.clock.zone, [row for row in rows if row.state == EntryState.VALID]
    since = {row.id: to_us(start_of_day(_since(row), zone)) for row in valid}
    ruled: dict[int, tuple[int, str]] = {}
    if since:
        people = {row.person_id for row in valid}
        ruled = await case_rows.last_rulings(conn, people, min(since.values()))
    asked = [
        row
        for row in rows
        if row.state == EntryState.WAITING
        or (row.id in since and ruled.get(row.person_id, (-1, ""))[0] >= since[row.id])
    ]
    judged = await _judge_stored(conn, asked, today_of(core)) if asked else {}
    return {
        row.id: replace(judged[row.id], case=ruled[row.person_id][1] if row.id in since else "")
        for row in asked
        if row.state == EntryState.WAITING or judged[row.id].state is not EntryState.VALID
    }


async def find_changed(
    core: Core, conn: AsyncConnection, rows: Collection[EntryRow]
) -> dict[int, tuple[str, str] | None]:
    """Those of some open entries that are judged otherwise than they stand, by id; why, by its
    paragraph and case, where that was valid (§ 6.4.3)."""
    judged = await judge_again(core, conn, rows)
    return {
        row.id: ("6.4.3", judged[row.id].case) if judged[row.id].case else None
        for row in rows
        if row.id in judged and judged[row.id].state != row.state
    }


async def judge_start(conn: AsyncConnection, row: EntryRow, on: date) -> tuple[EntryFault, ...]:
    """What keeps a valid entry out of the group that starts now (§ 6.5.1.2, § 6.4.2).

    A discretionary decision for the player outweighs a threatened relegation (§ 6.5.3.2 e).
    """
    known = await knowledge(conn, row.person_id, on)
    assert known is not None
    wish, stated = read_wish(row.event, row.wish), stated_of(row)
    # Other waiting entries are not groups yet: only what was played counts.
    given = read_discretions((await entry_rows.rulings_of(conn, [row.id])).get(row.id, ()))
    alone = find_entrant_status(replace(known, entries=()), wish, stated, row.id, given)
    found = start_faults(known.is_member(stated), wish, alone)
    barred = await conn.run_sync(find_barred, [row.person_id], row.event, on)
    if is_readmitted(given):
        barred = {one: why for one, why in barred.items() if why.paragraph != "6.1"}
    return after_discretion(tuple(dict.fromkeys((*barred.values(), *found))), wish, given)


# Views for before and after an entry: open classes with reasons, lists, desks.


@dataclass(frozen=True, slots=True)
class ListView:
    """A list with its numbers; ``wanted`` valid entries start a group, 0: the leader does."""

    row: ListRow
    leader: PersonRow
    valid: int
    waiting: int
    wanted: int


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry with what it waits for; ``place`` its number among the valid ones, 0: none."""

    row: EntryRow
    judged: EntryJudgement | None
    rulings: tuple[EntryRuling, ...]
    place: int
    valid: int
    wanted: int

    @property
    def faults(self) -> tuple[EntryFault, ...]:
        """What it lacks."""
        return () if self.judged is None else self.judged.faults

    @property
    def waits(self) -> tuple[EntryWait, ...]:
        """What it waits for."""
        return waits_for(self.faults)


def wanted_on(event: str, wish: str) -> int:
    """How many valid entries start a group automatically (§ 6.5.1.1); 0: a person starts it."""
    return EMT.group if event == EMT_EVENT and wish != EmtClass.DM else 0


async def classes_view(core: Core, viewer: PersonRow, person_id: int) -> Knowledge:
    """Which classes are open, and what that rests on (§ 6.5.3.2).

    For the player, or an official looking at any player. Raises NoSuch for anybody else.
    """
    async with core.store.read() as conn:
        if person_id != viewer.id:
            held = await rights_in(conn, viewer, core.now_us)
            if not (held.is_kc or held.is_leader or held.is_admin):
                raise NoSuch("person")
        known = await knowledge(conn, person_id, today_of(core))
    if known is None:
        raise NoSuch("person")
    return known


async def lists_view(
    core: Core, *, only_open: bool = True, ids: Collection[int] | None = None
) -> tuple[ListView, ...]:
    """The lists with their numbers."""
    async with core.store.read() as conn:
        rows = await entry_rows.everything(conn, only_open=only_open, ids=ids)
        valid = await entry_rows.counts(conn, EntryState.VALID.value)
        waiting = await entry_rows.counts(conn, EntryState.WAITING.value)
        leaders = await person_rows.by_ids(conn, {row.leader_id for row in rows})
    return tuple(
        ListView(
            row,
            leaders[row.leader_id],
            valid.get(row.id, 0),
            waiting.get(row.id, 0),
            wanted_on(row.event, row.wish),
        )
        for row in rows
    )


async def entries_of(core: Core, person_id: int) -> tuple[EntryView, ...]:
    """A player's own entries, the newest first."""
    async with core.store.read() as conn:
        rows = await entry_rows.entries_of(conn, person_id)
        return await view_entries(conn, core, rows)


async def view_entries(
    conn: AsyncConnection, core: Core, rows: Collection[EntryRow]
) -> tuple[EntryView, ...]:
    """Entries with what they wait for; the number of queries does not grow with them."""
    rulings = await entry_rows.rulings_of(conn, [row.id for row in rows])
    lists = {row.list_id for row in rows}
    judged = await judge_again(core, conn, rows)
    valid, places = Counter[int](), {}
    for one in await entry_rows.on_lists(conn, lists, [EntryState.VALID.value]):
        valid[one.list_id] += 1
        places[one.id] = valid[one.list_id]
    return tuple(
        EntryView(
            row,
            judged.get(row.id),
            rulings.get(row.id, ()),
            places.get(row.id, 0),
            valid[row.list_id],
            wanted_on(row.event, row.wish),
        )
        for row in rows
    )


@dataclass(frozen=True, slots=True)
class EntryDesk:
    """An official's lists, and their waiting and valid entries (§ 6.4.4.1)."""

    lists: tuple[ListView, ...]
    waiting: tuple[EntryView, ...]
    valid: tuple[EntryView, ...]


def _mine(held: Rights) -> frozenset[int] | None:
    return None if held.is_kc or held.is_admin or held.leads_all else held.lists


async def waiting_count(core: Core, held: Rights) -> int:
    """How many entries wait on a person's lists, players' and teams', as shown on the desk."""
    mine = _mine(held)
    counts = await core.store.query(entry_rows.waiting_counts)
    return sum(n for list_id, n in counts.items() if mine is None or list_id in mine)


async def entry_desk(core: Core, held: Rights) -> EntryDesk:
    """The leader's own lists; the controller and the administrator see all (§ 6.1.2)."""
    mine = _mine(held)
    lists = await lists_view(core, only_open=False, ids=mine)
    async with core.store.read() as conn:
        rows = await entry_rows.on_lists(conn, mine, list(OPEN_STATES))
        views = await view_entries(conn, core, rows)
    of = {state: tuple(one for one in views if one.row.state == state) for state in OPEN_STATES}
    return EntryDesk(lists, of[EntryState.WAITING], of[EntryState.VALID])


@dataclass(frozen=True, slots=True)
class EntryPage:
    """One entry for an official, with the player's classes; ``may_act``: the viewer decides."""

    view: EntryView
    of: ListRow
    person: PersonRow
    answer: ClassEligibility | None
    record: tuple[Participation, ...]
    may_act: bool
    names: dict[int, str]
    signers: dict[Signature, tuple[str, ...]]
    """For the DM: the offices that have not signed, and who can sign in each (§ 6.5.2.2 f)."""


async def entry_page(core: Core, viewer: PersonRow, entry_id: int) -> EntryPage:
    """An entry of a list that the viewer leads or oversees. Raises NoSuch for anybody else."""
    async with core.store.read() as conn:
        row = await entry_rows.find_entry(conn, entry_id)
        held = await rights_in(conn, viewer, core.now_us)
        of = None if row is None else await entry_rows.find_list(conn, row.list_id)
        if row is None or of is None or not (may_handle(held, of.id) or held.is_admin):
            raise NoSuch("entry")
        known = await knowledge(conn, row.person_id, today_of(core))
        assert known is not None
        (view,) = await view_entries(conn, core, [row])
        judged = await judge_stored_entry(conn, row, today_of(core))
        ids = [row.entered_by, row.fee_by, row.proof_by, row.decided_by]
        people = await person_rows.by_ids(conn, [one for one in ids if one is not None])
        signers = await _signers(core, conn, of, view) if row.wish == EmtClass.DM else {}
    return EntryPage(
        view=view,
        of=of,
        person=known.person,
        answer=judged.answer,
        record=known.record,
        may_act=may_handle(held, of.id) and row.person_id != viewer.id,
        names={one.id: one.name for one in people.values()},
        signers=signers,
    )


async def _signers(
    core: Core, conn: AsyncConnection, of: ListRow, view: EntryView
) -> dict[Signature, tuple[str, ...]]:
    """Who can still sign for the DM, by office: nobody who has signed, nor the player himself."""
    held = await holders_in(conn, core.now_us)
    leader = await person_rows.find_person(conn, of.leader_id)
    over_all = (one for one in held if one.id and one.group_id is None)
    leaders = [
        leader,
        *(one.person for one in over_all if one.office in (Office.TL, Office.DEPUTY)),
    ]
    controllers = [one.person for one in held if one.office is Office.KC]
    signed = {row.office for row in view.rulings}
    gone = {view.row.person_id, *(row.by_id for row in view.rulings)}
    return {
        office: tuple({one.id: one.name for one in people if one and one.id not in gone}.values())
        for office, people in ((Signature.LEADER, leaders), (Signature.CONTROLLER, controllers))
        if not signed & {office, Signature.BOTH}
    }
