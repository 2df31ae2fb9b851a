"""A cup as it stands: its rounds with tables, who advances and why, what may come next (§ 6.6.1).

For its pages, its leader's desk, and the dated duty that its next round can be drawn (§ 6.6.3).
Reading: a round is over when its last game is, and its list is final when the 14 days for
objections to the last of its groups' results are over (§ 6.4.5). Read-only but for the duty's
letter; the number of queries does not grow with the groups. Not for opening a cup or drawing a
round (cup_rounds.py).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise

from kskak.cases.consequences import (
    CaseConsequence,
    ConsequenceKind,
    Surroundings,
    find_contradictions,
)
from kskak.cases.holdings import Holding, HoldingKind
from kskak.cup import (
    CupQualification,
    CupStage,
    RankedPlayer,
    Seat,
    count_empty_places,
    final_places,
    final_seats,
    group_sizes,
    is_start_month,
    list_next_candidates,
    plan,
    semifinal_seats,
    who_goes_on,
)
from kskak.entries.entry import EntryFault, EntryState
from kskak.entries.rights import dm_places
from kskak.groups.crosstables import GroupCrosstable
from kskak.groups.placing import Title
from kskak.league.composition import provisional_rating
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import CUP
from mail.office_letters.bulletins import CupAdvance
from mail.office_letters.service_letters import RoundReady
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.cup import CupGroup, CupRow, DrawRow, PlaceRow
from server.store.engine.connection import AsyncConnection
from server.store.entries import EntryRow, ListRow
from server.store.group_results import TitleRow
from server.store.groups import GroupRow
from server.store.mail import due_work as due_rows
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.cases.sanctions import find_barred
from server.usecases.context import Core, poster_of, today_of
from server.usecases.groups.group_tables import TableView, tables_in
from server.usecases.letter_facts import Params, day, loads, number, official, text
from server.usecases.rights import NoSuch, Rights, may_handle

CUP_FORM = "cup"
ORDER = tuple(CupStage)
Key = tuple[str, int]
"""A group's name and a person."""


@dataclass(frozen=True, slots=True)
class RoundGroup:
    """A group of a round with its table."""

    group: CupGroup
    view: TableView

    @property
    def table(self) -> GroupCrosstable:
        """Its players by place."""
        return self.view.table

    @property
    def people(self) -> dict[int, int]:
        """The players' ids by number."""
        return {seat.number: seat.person_id for seat in self.view.seats}

    @property
    def ranked(self) -> tuple[RankedPlayer, ...]:
        """Its players by place, as the cup's course takes them."""
        people = self.people
        return tuple(
            RankedPlayer(
                str(people[line.player.number]), line.place, line.points, line.player.has_left
            )
            for line in self.table.lines
        )


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was drawn: lot, groups, places, and who did not advance to it."""

    draw: DrawRow
    groups: tuple[RoundGroup, ...]
    places: tuple[PlaceRow, ...]
    declined: tuple[PlaceRow, ...]

    @property
    def stage(self) -> CupStage:
        """Which round it is."""
        return CupStage(self.draw.stage)

    @property
    def is_over(self) -> bool:
        """Whether all its groups are finished."""
        return all(one.group.is_over for one in self.groups)

    @property
    def ranked(self) -> dict[str, tuple[RankedPlayer, ...]]:
        """Its groups' players by place, by the groups' names."""
        return {one.group.name: one.ranked for one in self.groups}

    @property
    def mean_strengths(self) -> dict[str, int]:
        """Each group's mean strength as dealt, by its name (§ 6.6.1.2); none after a free draw."""
        found = {}
        for one in self.groups:
            dealt = [place for place in self.places if place.group_id == one.group.group_id]
            known = [place.strength for place in dealt if place.strength is not None]
            if known:
                found[one.group.name] = round(sum(known) / len(known))
        return found

    @property
    def people(self) -> frozenset[int]:
        """Everybody who had a place in it."""
        return frozenset(place.person_id for place in self.places)


@dataclass(frozen=True, slots=True)
class CupFacts:
    """A cup, its rounds so far, and the valid entries of its two lists."""

    row: CupRow
    rounds: tuple[Round, ...]
    entered: tuple[EntryRow, ...]
    direct: tuple[EntryRow, ...]

    @property
    def last(self) -> Round | None:
        """The newest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def entries(self) -> int:
        """How many took part in the first round: what the DM's places depend on (§ 6.6.2.2)."""
        return len(self.rounds[0].people) if self.rounds else 0

    @property
    def other_count(self) -> tuple[int, int, int] | None:
        """Places, and the DM's by them and by people, where the reading decides (§ 6.6.2.2)."""
        places = len(self.rounds[0].places) if self.rounds else 0
        by_places, by_people = dm_places(places), dm_places(self.entries)
        return None if by_places == by_people else (places, by_places, by_people)

    @property
    def newcomers(self) -> tuple[EntryRow, ...]:
        """Those who enter at the semi-final and did not play the first round (§ 6.6.1.6)."""
        played = self.rounds[0].people if self.rounds else frozenset()
        return tuple(row for row in self.direct if row.person_id not in played)

    def with_view(self, group_id: int, view: TableView) -> "CupFacts":
        """The same with another table of one group: as a ruling would leave it."""
        rounds = tuple(
            replace(
                one,
                groups=tuple(
                    replace(each, view=view, group=replace(each.group, finished=view.finished))
                    if each.group.group_id == group_id
                    else each
                    for each in one.groups
                ),
            )
            for one in self.rounds
        )
        return replace(self, rounds=rounds)

    @property
    def people(self) -> frozenset[int]:
        """Everybody who has had a place in the cup."""
        return frozenset(person for one in self.rounds for person in one.people)


@dataclass(frozen=True, slots=True)
class Prospect:
    """A round that could be drawn now: how many advance from each group, and who would play.

    ``places``: by the rule or as chosen; ``lacking``: places for the leader to fill (§ 6.6.1.6).
    """

    stage: CupStage
    places: int
    seats: tuple[Seat, ...]
    lacking: int
    groups: int
    final: int


def prospect(facts: CupFacts, stage: CupStage, places: int | None = None) -> Prospect:
    """What the next round would be, after the one that is over (§ 6.6.1.3, § 6.6.1.6).

    ``places`` None: as many as bring the final nearest to 11.
    """
    last = facts.last
    assert last is not None, "the first round is composed from entries"
    is_first, ranked = last.stage is CupStage.PRELIMINARY, last.ranked
    direct = [str(row.person_id) for row in facts.newcomers] if is_first else []
    if stage is CupStage.SEMIFINAL:
        chosen = places or plan(len(ranked), len(direct)).advancing
        seats = semifinal_seats(who_goes_on(ranked, chosen), direct)
        empty = count_empty_places(len(seats))
        groups = (len(seats) + empty) // CUP.group
        # ignoring ties (§ 6.6.1.3)
        sizes = [groups * each for each in range(1, CUP.most_finalists + 1)]
        final = min(sizes, key=lambda size: abs(size - CUP.final))
        return Prospect(stage, chosen, seats, empty, groups, final)
    most = CUP.most_advancing if is_first else CUP.most_finalists
    chosen = places or final_places(ranked, most, len(direct))
    seats = final_seats(who_goes_on(ranked, chosen), direct)
    return Prospect(stage, chosen, seats, 0, 1, len(seats))


def next_stages(facts: CupFacts) -> tuple[CupStage, ...]:
    """Which rounds may be drawn now: after the first one the leader may cancel the semi-final.

    Empty while a group is being played, and after the final (§ 6.6.1.1).
    """
    last = facts.last
    if last is None:
        return (CupStage.PRELIMINARY,)
    return ORDER[ORDER.index(last.stage) + 1 :] if last.is_over else ()


def strength_of(row: EntryRow, person: PersonRow) -> int:
    """The strength for dealing: the register's rating, before that of the entry (§ 6.6.1.2)."""
    own = row.k_rating if person.k_rating is None else person.k_rating
    return provisional_rating(own, row.otb_rating if person.rating is None else person.rating)


def usual_start(core: Core) -> date:
    """The day of a start that nobody chose: the letters arrive before it (§ 6.5.2.1)."""
    return today_of(core) + timedelta(days=core.settings.entries.start_days)


async def facts_in(conn: AsyncConnection, row: CupRow) -> CupFacts:
    """A cup as of now."""
    lists = [one for one in (row.list_id, row.semi_list_id) if one is not None]
    valid = await entry_rows.on_lists(conn, lists, [EntryState.VALID.value])
    groups = await cup_rows.groups_of(conn, row.id)
    known = await group_rows.with_ids(conn, [one.group_id for one in groups])
    tables = await tables_in(conn, known)
    places = await cup_rows.places_of(conn, row.id)
    rounds = tuple(
        Round(
            draw,
            tuple(
                RoundGroup(one, tables[one.group_id]) for one in groups if one.stage == draw.stage
            ),
            tuple(one for one in places if one.stage == draw.stage and one.group_id is not None),
            tuple(one for one in places if one.stage == draw.stage and one.group_id is None),
        )
        for draw in await cup_rows.draws(conn, row.id)
    )
    return CupFacts(
        row,
        rounds,
        tuple(one for one in valid if one.list_id == row.list_id),
        tuple(one for one in valid if one.list_id == row.semi_list_id),
    )


@dataclass(frozen=True, slots=True)
class CupLine:
    """A cup in the list, with its winners."""

    row: CupRow
    winners: tuple[TitleRow, ...]


@dataclass(frozen=True, slots=True)
class CupView:
    """A cup: its rounds, the rounds that could be drawn now, the names behind the numbers."""

    facts: CupFacts
    leader: PersonRow
    next: tuple[CupStage, ...]
    prospects: tuple[Prospect, ...]
    names: dict[int, str]
    winners: tuple[TitleRow, ...]
    changed: tuple[CaseConsequence, ...] = ()
    """What the results have changed in a round since it was drawn."""
    undrawn: tuple[str, ...] = ()
    """Groups of the cup's year that are running although nothing has been drawn here yet."""

    def gone_on(self, index: int) -> dict[Key, Seat]:
        """Who advanced from a round, or would by the rule: by group and person (§ 6.6.1.3)."""
        rounds = self.facts.rounds
        if index + 1 == len(rounds):
            seats = self.prospects[0].seats if self.prospects else ()
            return {(seat.group, int(seat.player)): seat for seat in seats if seat.group}
        names = {one.group.group_id: one.group.name for one in rounds[index].groups}
        return {
            (group, place.person_id): Seat(
                str(place.person_id), CupQualification(place.way), group, place.from_place
            )
            for place in rounds[index + 1].places
            if (group := names.get(place.from_group_id or 0)) is not None
        }


@dataclass(frozen=True, slots=True)
class CupEntrant:
    """A valid entry to the first round with the strength it is dealt by (§ 6.6.1.2)."""

    person_id: int
    name: str
    strength: int
    is_rated: bool


@dataclass(frozen=True, slots=True)
class CupDesk:
    """A cup for its leader: entrants by strength, the groups' sizes, whom to consider adding.

    ``played`` are on the list of the semi-final although they played the first round.
    """

    view: CupView
    entrants: tuple[CupEntrant, ...]
    sizes: tuple[int, ...] | None
    proposed: tuple[int, ...]
    played: tuple[str, ...]
    is_in_season: bool
    may_draw: bool
    final_since: date | None = None
    """From when the results that the next round rests on are final (§ 6.4.5)."""
    is_early: bool = False
    """Whether they may still be objected to."""
    leavers: Mapping[int, CaseRow] = field(default_factory=dict)
    """The undecided cases of those who have said that they leave (§ 6.2.8)."""
    barred: Mapping[int, EntryFault] = field(default_factory=dict)
    """Who went on but may not begin, and why (§ 6.4.2)."""

    @property
    def proposed_names(self) -> tuple[str, ...]:
        """The first ten of them."""
        return tuple(self.view.names[person] for person in self.proposed[:10])


async def cup_list(core: Core) -> tuple[CupLine, ...]:
    """All cups, the newest first."""
    async with core.store.read() as conn:
        cups = await cup_rows.everything(conn)
        won = await result_rows.everything(conn, Title.CUP_CHAMPION.value)
    return tuple(
        CupLine(cup, tuple(row for row in won if row.edition == cup.edition)) for cup in cups
    )


async def trophy(core: Core) -> tuple[TitleRow, ...]:
    """The names on the trophy, the newest year first (§ 6.6.1.5)."""
    return await core.store.query(result_rows.everything, Title.CUP_CHAMPION.value)


async def cup_view(core: Core, *, edition: int | None = None, cup_id: int | None = None) -> CupView:
    """A cup by its year or its id. Raises NoSuch."""
    async with core.store.read() as conn:
        row = await cup_rows.find(conn, cup_id, edition=edition)
        if row is None:
            raise NoSuch("cup")
        return await _view(conn, row, today_of(core))


async def _view(conn: AsyncConnection, row: CupRow, on: date) -> CupView:
    facts = await facts_in(conn, row)
    leader = await person_rows.find_person(conn, row.leader_id)
    assert leader is not None
    won = await result_rows.everything(conn, Title.CUP_CHAMPION.value)
    stages = next_stages(facts)
    names = {one.person_id: one.player for part in facts.rounds for one in part.places}
    return CupView(
        facts,
        leader,
        stages,
        tuple(prospect(facts, stage) for stage in stages if stage is not CupStage.PRELIMINARY),
        names | {one.person_id: one.player for one in (*facts.entered, *facts.direct)},
        tuple(one for one in won if one.edition == row.edition),
        find_changed_places(facts, on),
        () if facts.rounds else await group_rows.undrawn_cups(conn, row.edition),
    )


async def advance_of(core: Core, conn: AsyncConnection, group: GroupRow) -> CupAdvance | None:
    """Who goes on from a finished group, or would by the rule until the next round is drawn.

    § 6.6.1.3. None for the final, and for what is no round of a cup of the server.
    """
    own = (await cup_rows.rounds_of(conn, [group.id])).get(group.id)
    cup = None if own is None else await cup_rows.find(conn, own.cup_id)
    if own is None or cup is None or own.stage == CupStage.FINAL:
        return None
    view = await _view(conn, cup, today_of(core))
    rounds = view.facts.rounds
    at = next(index for index, one in enumerate(rounds) if one.stage == own.stage)
    if not rounds[at].is_over:
        return CupAdvance(None)
    gone, later = view.gone_on(at), [one.stage for one in rounds[at + 1 :]]
    stages = later or [one.stage for one in view.prospects]
    people = next(one.people for one in rounds[at].groups if one.group.group_id == group.id)
    asked = (() if later else people.values(), CUP_FORM, today_of(core))
    out = await conn.run_sync(lambda sync: find_barred(sync, *asked, plays=False))
    going = [number for number, who in people.items() if (group.name, who) in gone]
    barred = tuple(number for number in going if people[number] in out)
    new = {it.person for it in view.changed if it.kind is ConsequenceKind.NEWLY_EARNED}
    changed = tuple(number for number, who in people.items() if who in new)
    return CupAdvance(stages[0], tuple(going), barred, changed)


async def round_over(conn: AsyncConnection, group_id: int) -> tuple[int, ...]:
    """The other groups of the cup's round that a group has just ended; else none (§ 6.6.3)."""
    drawn = await conn.run_sync(cup_rows.groups_drawn_with, group_id)
    own = (await cup_rows.rounds_of(conn, [group_id])).get(group_id)
    groups = () if own is None else await cup_rows.groups_of(conn, own.cup_id)
    is_over = all(one.is_over for one in groups if one.group_id in drawn)
    return tuple(one for one in drawn if one != group_id) if is_over else ()


async def cup_desk(core: Core, held: Rights, cup_id: int) -> CupDesk:
    """A cup for its officials. Raises NoSuch for anybody else."""
    async with core.store.read() as conn:
        row = await cup_rows.find(conn, cup_id)
        if row is None or not (may_handle(held, row.list_id) or held.is_admin):
            raise NoSuch("cup")
        view = await _view(conn, row, today_of(core))
        facts, entered = view.facts, () if view.facts.rounds else view.facts.entered
        people = await person_rows.by_ids(conn, {one.person_id for one in entered})
        seats = {int(seat.player) for one in view.prospects for seat in one.seats}
        leavers = await conn.run_sync(case_rows.list_leavers, seats | people.keys())
        asked = (seats, CUP_FORM, today_of(core))
        barred = await conn.run_sync(lambda sync: find_barred(sync, *asked, plays=False))
        groups = facts.last.groups if facts.last else ()
        final = await final_since(conn, [one.group.group_id for one in groups])
    entrants = [
        CupEntrant(
            one.person_id,
            one.player,
            strength_of(one, people[one.person_id]),
            (people[one.person_id].k_rating or one.k_rating) is not None,
        )
        for one in entered
    ]
    proposed: tuple[str, ...] = ()
    if facts.last and view.prospects:
        proposed = list_next_candidates(facts.last.ranked, view.prospects[0].seats)
    return CupDesk(
        view=view,
        entrants=tuple(sorted(entrants, key=lambda one: -one.strength)),
        sizes=group_sizes(len(facts.entered)),
        proposed=tuple(map(int, proposed)),
        played=tuple(one.player for one in facts.direct if one not in facts.newcomers),
        is_in_season=is_start_month(usual_start(core).month),
        may_draw=may_handle(held, row.list_id) and held.person_id not in facts.people,
        final_since=final,
        is_early=bool(groups) and (final is None or final > today_of(core)),
        leavers={one.person_id: one for one in leavers if one.person_id is not None},
        barred=barred,
    )


@dataclass(frozen=True, slots=True)
class CupsDesk:
    """The cups that an official leads, and the lists that a new one may be opened on (§ 6.1.2)."""

    cups: tuple[CupLine, ...]
    lists: tuple[ListRow, ...]
    semi_lists: tuple[ListRow, ...]


async def cups_desk(core: Core, held: Rights) -> CupsDesk:
    """The leader's own cups; the controller and the administrator see all."""
    lines = await cup_list(core)
    lists = await core.store.query(entry_rows.everything)
    used = {number for one in lines for number in (one.row.list_id, one.row.semi_list_id)}
    free = [one for one in lists if one.event == "cup" and one.id not in used]
    return CupsDesk(
        tuple(one for one in lines if may_handle(held, one.row.list_id) or held.is_admin),
        tuple(one for one in free if one.wish == CupStage.PRELIMINARY),
        tuple(one for one in free if one.wish == CupStage.SEMIFINAL),
    )


@dataclass(frozen=True, slots=True)
class RoundDue:
    """A cup whose next round can be drawn ``since`` a day; ``stage`` is the round that is over."""

    cup: CupRow
    stage: CupStage
    since: date

    @property
    def duty(self) -> str:
        """The name of its letter among the duties."""
        return f"cup.{self.cup.id}.{self.stage.value}"


async def final_since(conn: AsyncConnection, group_ids: Sequence[int]) -> date | None:
    """From when nobody may object to a round's results any more; None while that is not known.

    § 6.4.5: the day after the term of the last of its groups to be published.
    """
    until = await cup_rows.objections_until(conn, group_ids)
    if not until or len(until) < len(group_ids):
        return None
    return date.fromisoformat(max(until.values())) + ONE_DAY


async def is_final(conn: AsyncConnection, facts: CupFacts, today: date) -> bool:
    """Whether the results that the next round rests on are final; none before the first round."""
    if facts.last is None:
        return True
    since = await final_since(conn, [one.group.group_id for one in facts.last.groups])
    return since is not None and since <= today


def find_changed_places(facts: CupFacts, today: date) -> tuple[CaseConsequence, ...]:
    """Who has a place in a round that the results no longer give, and who has none (§ 6.6.1.3).

    A ruling may have changed them since the draw. Empty while a group of the round before is
    being played again.
    """
    drawn, earned = set[Holding](), set[Holding]()
    for before, after in pairwise(facts.rounds):
        if before.is_over:
            kept = (*after.places, *after.declined)
            drawn |= {
                _hold(facts, before, int(row.person_id), row.from_group, row.from_place)
                for row in kept
                if row.from_group
            }
            added = {row.person_id for row in after.places if not row.from_group}
            earned |= {one for one in list_places(facts, before.stage) if one.person not in added}
    now = Surroundings(today, holdings=frozenset(drawn), earned=frozenset(earned))
    return find_contradictions(now)


def list_places(facts: CupFacts, stage: str) -> set[Holding]:
    """Who goes on from a round that is over, by its results: as drawn, else by the rule."""
    before = next(one for one in facts.rounds if one.stage == stage)
    if not before.is_over or before.stage is CupStage.FINAL:
        return set()
    going: Sequence[Seat]
    if before is facts.rounds[-1]:
        going = prospect(facts, next_stages(facts)[0]).seats
    else:
        after = facts.rounds[facts.rounds.index(before) + 1]
        going = who_goes_on(before.ranked, after.draw.places)
        going = final_seats(going) if after.stage is CupStage.FINAL else going
    return {
        _hold(facts, before, int(one.player), one.group, one.place) for one in going if one.group
    }


def _hold(
    facts: CupFacts, before: Round, person: int, group: str | None, place: int | None
) -> Holding:
    """A place in the round after one; in the semi-final one for each group it was won in."""
    rest = facts.rounds[facts.rounds.index(before) + 1 :]
    begins = date.fromisoformat(rest[0].draw.start) if rest else None
    stage = rest[0].stage if rest else ORDER[ORDER.index(before.stage) + 1]
    of = stage.value if stage is CupStage.FINAL else f"{stage.value} {group}"
    number = facts.row.id
    return Holding(HoldingKind.CUP_PLACE, person, of, CUP_FORM, begins, group or "", place, number)


async def rounds_due(conn: AsyncConnection, today: date) -> tuple[RoundDue, ...]:
    """The cups whose list of players is final, by the cup's number."""
    newest = {draw.cup_id: CupStage(draw.stage) for draw in await cup_rows.draws(conn)}
    found = []
    for cup in await cup_rows.everything(conn) if newest else ():
        stage = newest.get(cup.id, CupStage.FINAL)
        if stage is CupStage.FINAL:
            continue
        groups = [one for one in await cup_rows.groups_of(conn, cup.id) if one.stage == stage]
        since = await final_since(conn, [one.group_id for one in groups])
        if since is not None and all(one.is_over for one in groups):
            found.append(RoundDue(cup, stage, since))
    return tuple(sorted((one for one in found if one.since <= today), key=lambda one: one.cup.id))


async def due_for(conn: AsyncConnection, held: Rights, today: date) -> tuple[RoundDue, ...]:
    """Those for an official: the cup's leader, the controller, or an administrator (read-only)."""
    found = await rounds_due(conn, today)
    return tuple(one for one in found if held.is_admin or may_handle(held, one.cup.list_id))


async def list_changed_cups(
    conn: AsyncConnection, held: Rights, today: date
) -> list[tuple[CupRow, date]]:
    """An official's cups with a round, begun on that day, that the results would swap places in."""
    drawn = Counter(draw.cup_id for draw in await cup_rows.draws(conn))
    found = []
    for cup in await cup_rows.everything(conn) if drawn else ():
        is_mine = held.is_admin or may_handle(held, cup.list_id)
        if drawn[cup.id] < 2 or not is_mine:
            continue
        changed = find_changed_places(await facts_in(conn, cup), today)
        days = [one.holding.begins for one in changed if one.holding and one.holding.begins]
        days = [day for day in days if day >= today]
        if days:
            found.append((cup, min(days)))
    return found


async def is_due(core: Core) -> bool:
    """True if a leader must be written to."""
    async with core.store.read() as conn:
        done = await due_rows.days_done(conn)
        return any(one.duty not in done for one in await rounds_due(conn, today_of(core)))


async def daily(core: Core) -> None:
    """Write to the leader of each such cup, once per round, in the transaction that records it."""
    async with core.store.write() as conn:
        for one in await rounds_due(conn, today_of(core)):
            # "told" in place of a day: it is written once per round, whenever that is
            if await due_rows.take(conn, one.duty, "told", core.now_us):
                params: dict[str, object] = {
                    "cup": one.cup.id, "edition": one.cup.edition, "stage": one.stage.value,
                    "since": one.since.isoformat(),
                }  # fmt: skip
                letter = poster_of(core).to_person(RoundReady, one.cup.leader_id, one.duty, params)
                await outbox_rows.enqueue(conn, [letter])


@loads(RoundReady)
async def _round_letter(core: Core, reader: PersonRow, params: Params) -> RoundReady:
    """The cup's next round can be drawn (§ 6.6.3)."""
    stage, url = CupStage(text(params, "stage")), core.url(f"/desk/cups/{number(params, 'cup')}")
    edition, since = number(params, "edition"), day(params, "since")
    return RoundReady(reader.name, official(core), edition, stage, since, url)
