"""Bringing ratings up to date: what is pending is calculated, and what rests on it (§ 4.5.4.1).

Readings. K-ratings are the handbook's ratings, made when a group's standing is published; they are
registered that day, as § 4.5.4.1 registers on receipt of the report, and keep the day when a later
ruling changes a result: that day's gains change, and so does everything calculated since. A result
taken back voids the calculation until the group is finished again. A number that people enter in
the register applies from its day; on a day of calculation it overrides the calculated one if it was
entered later. Not for the calculation itself (kskak.rating.calculation) nor for display.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cache, partial

from pydantic import TypeAdapter

from kskak.entries.emt import EmtClass
from kskak.groups.crosstables import GameTermination
from kskak.groups.placing import ScoredGame
from kskak.league.composition import provisional_rating
from kskak.rating.calculation import RatedGroup, RatingExemption, RatingGame, list_exemptions
from kskak.rating.lists import (
    Basis,
    CalculatedTournament,
    FinishedTournament,
    ManualRating,
    Newcomer,
    replay,
)
from kskak.regulation.editions import Result, Side
from server.store import groups as group_rows
from server.store import rating as rating_rows
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.store import Store
from server.store.members import RatingKind, RatingRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.rating import (
    CalculationRow,
    NewCalculation,
    PendingRatingGroup,
    RatedRow,
    ToldRow,
)
from server.usecases.context import Core
from server.usecases.groups.group_file import GroupClass
from server.usecases.groups.group_tables import DecisionEffects, end_of, how_of, ruled_in

# The facts of a finished group that its ratings rest on: players, games, which are not rated.


@dataclass(frozen=True, slots=True)
class GroupRatingGame:
    """A finished game between people by id; ``unrated`` says why it is not rated (§ 4.5.4.2)."""

    white: int
    black: int
    result: Result
    unrated: RatingExemption | None = None


@dataclass(frozen=True, slots=True)
class GroupRatingFacts:
    """A finished group. ``foreign``: known not to be Danish citizens (§ 4.5.5.2).

    ``entered``: the strengths stated on entry to the league (§ 6.7.4.1).
    """

    name: str
    class_: str
    players: tuple[int, ...]
    foreign: tuple[int, ...]
    entered: dict[int, int]
    games: tuple[GroupRatingGame, ...]

    def played(self, *, rated: bool) -> tuple[ScoredGame, ...]:
        """The rated games, or the others; players are named by their ids."""
        return tuple(
            ScoredGame(str(game.white), str(game.black), game.result)
            for game in self.games
            if (game.unrated is None) is rated
        )

    def group(self, ratings: dict[int, int]) -> RatedGroup:
        """The group with the numbers that it was calculated with."""
        named = {str(person): ratings[person] for person in self.players}
        return RatedGroup(named, self.played(rated=True), self.played(rated=False))

    def newcomer(self, person: int, otb: int | None) -> Newcomer:
        """The number without a K-rating (§ 6.7.6.2); a foreigner with no rating: performance first.

        Reading: a class of the championship counts as itself, every other form as Å.
        """
        if otb is not None:
            return Newcomer(otb, Basis.OTB)
        performs = person in self.foreign
        if person in self.entered:
            return Newcomer(self.entered[person], Basis.ENTERED, performs)
        known = {one.value: one for one in EmtClass}
        value = provisional_rating(None, None, known.get(self.class_, EmtClass.OPEN))
        return Newcomer(value, Basis.CLASS, performs)


_adapter = cache(lambda: TypeAdapter(GroupRatingFacts))


def dump_facts(facts: GroupRatingFacts) -> str:
    """Facts as stored text, always the same for the same facts."""
    return _adapter().dump_json(facts).decode()


def load_facts(text: str) -> GroupRatingFacts:
    """Facts from stored text. Raises ValueError for a text that holds none."""
    return _adapter().validate_json(text)


async def turned_in(conn: AsyncConnection, group_id: int) -> tuple[GroupRatingGame, ...]:
    """Games that were played but lost by a withdrawal, and rated as lost (§ 6.2.8, § 4.5.4.2)."""
    ruled = await ruled_in(conn, group_id)
    games = [
        row for row in await game_rows.list_group_games(conn, group_id) if row.result is not None
    ]
    ended = [(row, _ended(row, ruled, False)) for row in games]
    return tuple(
        GroupRatingGame(row.white_id, row.black_id, one.game.result)
        for row, one in ended
        if one.how is GameTermination.WITHDRAWN and one.is_played
    )


async def gather(conn: AsyncConnection, group_id: int) -> GroupRatingFacts:
    """The facts of a finished group, from its games and the standing decisions."""
    group = await group_rows.the_group(conn, group_id)
    games = await game_rows.list_group_games(conn, group_id)
    ruled = await ruled_in(conn, group_id)
    is_team = group.class_ == GroupClass.LEAGUE
    carried = await rating_rows.carried_on(conn, group_id) if is_team else frozenset[int]()
    ended = [_ended(row, ruled, row.id in carried) for row in games]
    reasons = list_exemptions(ended, is_team=is_team)
    in_games = {person for row in games for person in (row.white_id, row.black_id)}
    seats = await group_rows.seats_of(conn, group_id)
    players = tuple(dict.fromkeys(s.person_id for s in seats if s.person_id in in_games))
    players += tuple(sorted(in_games - set(players)))
    people = await person_rows.by_ids(conn, players)
    return GroupRatingFacts(
        name=group.name,
        class_=group.class_,
        players=players,
        foreign=tuple(one for one in players if people[one].citizen is False),
        entered=await rating_rows.entered_ratings(conn, group_id) if is_team else {},
        games=tuple(
            GroupRatingGame(row.white_id, row.black_id, one.game.result, why)
            for row, one, why in zip(games, ended, reasons, strict=True)
        ),
    )


def _ended(row: GameRow, ruled: DecisionEffects, carried_on: bool) -> RatingGame:
    """A ruled result without a decision here was reported from elsewhere: that game was played."""
    assert row.result is not None
    state = row.state()
    how = how_of(row.id, end_of(state), ruled.how)
    return RatingGame(
        ScoredGame(str(row.white_id), str(row.black_id), Result(row.result)),
        None if how is GameTermination.RULED and row.id not in ruled.how else how,
        all(state.clock(side).moves for side in Side),
        carried_on,
    )


# Ratings in chronological order from stored data: who starts with what, what is registered after.

Head = tuple[NewCalculation, GroupRatingFacts]
"""A calculation in force or planned, and what it rests on."""


def replay_calculations(
    heads: Mapping[int, Head], entered: Sequence[ToldRow], before: Sequence[RatedRow]
) -> dict[int, CalculatedTournament]:
    """Replay these calculations in chronological order; the results by group (§ 4.5.4.1).

    ``entered``: all that people entered in the register for these players; ``before``: their
    ratings from earlier tournaments.
    """
    numbers: dict[str, list[ManualRating]] = {}
    over_board: dict[int, list[ToldRow]] = {}
    for said in entered:
        if said.kind == RatingKind.K:
            number = ManualRating(date.fromisoformat(said.on_day), said.value, said.entered_us)
            numbers.setdefault(str(said.person_id), []).append(number)
        else:
            over_board.setdefault(said.person_id, []).append(said)
    known: dict[str, list[ManualRating]] = {}
    for one in before:
        made = ManualRating(date.fromisoformat(one.day), one.rating, one.first_us)
        known.setdefault(str(one.person_id), []).append(made)
    events, groups = [], {}
    for group_id, (row, facts) in heads.items():
        event = FinishedTournament(
            facts.name,
            date.fromisoformat(row.start),
            date.fromisoformat(row.day),
            tuple(str(person) for person in facts.players),
            facts.played(rated=True),
            facts.played(rated=False),
            _newcomers(facts, row, over_board),
            row.first_us,
        )
        events.append(event)
        groups[facts.name] = group_id
    return {groups[one.tournament.name]: one for one in replay(numbers, events, known)}


def _newcomers(
    facts: GroupRatingFacts, row: NewCalculation, over_board: Mapping[int, Sequence[ToldRow]]
) -> dict[str, Newcomer]:
    """What each player would start with without a K-rating (§ 6.7.6.2).

    Reading: the last over-the-board rating on or before the start, else the first until the end.
    """
    found = {}
    for person in facts.players:
        entered = [one for one in over_board.get(person, ()) if one.on_day <= row.day]
        by_then = [one.value for one in entered if one.on_day <= row.start]
        number = by_then[-1] if by_then else next((one.value for one in entered), None)
        found[str(person)] = facts.newcomer(person, number)
    return found


def starts_text(one: CalculatedTournament) -> str:
    """By person: starting number, its basis, what was registered, what it became."""
    found: dict[str, list[int | str | None]] = {}
    for name, start in one.starts.items():
        change = one.changes.get(name)
        end = (None, None) if change is None else (change.registered, change.settled.rating)
        found[name] = [start.rating, start.basis.value, *end]
    return json.dumps(found, separators=(",", ":"))


def rated_rows(group_id: int, row: NewCalculation, one: CalculatedTournament) -> list[RatedRow]:
    """The rows of those who have rated games in a calculation."""
    return [
        RatedRow(
            group_id=group_id,
            person_id=int(name),
            day=row.day,
            first_us=row.first_us,
            games=change.calculation.games,
            before=one.starts[name].rating,
            basis=one.starts[name].basis.value,
            registered=change.registered,
            rating=change.settled.rating,
        )
        for name, change in one.changes.items()
    ]


def build_computed_ratings(
    found: Iterable[CalculatedTournament], entered: Sequence[ToldRow]
) -> tuple[RatingRow, ...]:
    """One rating per person and day, the last; none if a number entered that day overrides it."""
    later: dict[tuple[int, str], int] = {}
    for row in entered:
        if row.kind == RatingKind.K:
            key = (row.person_id, row.on_day)
            later[key] = max(later.get(key, 0), row.entered_us)
    days: dict[tuple[int, str], tuple[list[str], int, int]] = {}
    for one in found:
        for name, change in one.changes.items():
            key = (int(name), change.on.isoformat())
            sources = days[key][0] if key in days else []
            days[key] = ([*sources, change.tournament], change.settled.rating, change.at)
    return tuple(
        RatingRow(
            person, RatingKind.K.value, day, value, False, ", ".join(sources), is_computed=True
        )
        for (person, day), (sources, value, at) in days.items()
        if later.get((person, day), 0) <= at
    )


# Bringing ratings up to date: what is pending is calculated, and what rests on it (§ 4.5.4.1).

BATCH = 100
"""Groups calculated in one transaction, in order of time."""
FIRST_DAY = "0001-01-01"


class CalculationReason(StrEnum):
    """Why something was calculated."""

    FINISHED = "finished"
    """The group was finished and published: § 6.4.5."""
    RESULT = "result"
    """A result has changed since: § 6.4.1-6.4.3."""
    RESTS = "rests"
    """The ratings that it started from, or was added to, have changed: § 4.5.4.1."""
    UNDONE = "undone"
    """A result was taken back and the group is played on."""


@dataclass(slots=True)
class _Plan:
    """One transaction's work: the calculations from a day on, with what has changed."""

    since: str
    facts: dict[int, GroupRatingFacts] = field(default_factory=dict)
    rows: dict[int, CalculationRow] = field(default_factory=dict)
    fresh: dict[int, NewCalculation] = field(default_factory=dict)
    voids: list[NewCalculation] = field(default_factory=list)
    seals: dict[int, str] = field(default_factory=dict)

    @property
    def heads(self) -> dict[int, Head]:
        """The calculations in force or planned, with their facts."""
        return {
            group: (self.fresh.get(group) or self.rows[group], facts)
            for group, facts in self.facts.items()
        }


async def compute(
    core: Core, by: int | None = None, *, everything: bool = False
) -> tuple[str, ...]:
    """Calculate what is pending and what rests on it; ``by`` None: the server itself.

    Returns the groups that were calculated, by name, each once.
    ``everything``: recalculate all of it from the games, as if nothing had been calculated; what
    comes out unchanged is left alone.
    """
    found = await core.store.reading(partial(_pending, core, everything))
    if found is None:
        return ()
    named: dict[str, None] = {}
    for first in range(0, max(len(found), 1), BATCH):
        is_last = first + BATCH >= len(found)
        async with core.store.write() as conn:
            await register_rows.hold(conn)
            only = found[first : first + BATCH]
            part = await rating_rows.list_pending_groups(conn, only, everything=everything)
            since = FIRST_DAY if everything and is_last else None
            named |= dict.fromkeys(await _bring_up_to_date(conn, core, by, part, since))
    return tuple(named)


async def _pending(core: Core, everything: bool) -> list[int] | None:
    """The groups to calculate; None when nothing at all is to be done."""
    async with core.store.read() as conn:
        found = [
            one.group_id
            for one in await rating_rows.list_pending_groups(conn, everything=everything)
        ]
        if not found and not everything and await register_rows.unsettled_since(conn) is None:
            return None
    return found


async def recompute_after_changes(core: Core, by: int | None = None) -> tuple[str, ...]:
    """Recalculate what rests on ratings that were entered, corrected or removed meanwhile."""
    async with core.store.read() as conn:
        if await register_rows.unsettled_since(conn) is None:
            return ()
    async with core.store.write() as conn:
        await register_rows.hold(conn)
        return await _bring_up_to_date(conn, core, by, (), None)


async def _bring_up_to_date(
    conn: AsyncConnection,
    core: Core,
    by: int | None,
    part: Sequence[PendingRatingGroup],
    since: str | None,
) -> tuple[str, ...]:
    """Calculate these and what rests on them, and on ratings changed since; the groups' names."""
    since = since or await register_rows.unsettled_since(conn)
    named = await _write_differences(conn, core, by, await _planned(conn, core, by, part, since))
    await register_rows.mark_ratings_current(conn)
    return named


async def _planned(
    conn: AsyncConnection,
    core: Core,
    by: int | None,
    part: Sequence[PendingRatingGroup],
    since: str | None,
) -> _Plan:
    """What has changed, and every calculation from the first day affected."""
    last = await rating_rows.calculations_of(conn, [one.group_id for one in part])
    plan = _Plan(since or "9999-99-99")
    for one in part:
        kept = last.get(one.group_id)
        in_force = None if kept is None or kept.is_void else kept
        if not one.is_finished:
            assert in_force is not None
            undone = {"is_void": True, "seal": one.seal, "starts": "{}"}
            why = CalculationReason.UNDONE
            plan.voids.append(_again(in_force, core.now_us, by, why, **undone))
            plan.since = min(plan.since, in_force.day)
            continue
        facts = await gather(conn, one.group_id)
        if in_force is not None and load_facts(in_force.facts) == facts:
            plan.seals[in_force.id] = one.seal
            continue
        new = _new(one, kept, facts, core.now_us, by)
        plan.facts[one.group_id], plan.fresh[one.group_id] = facts, new
        plan.since = min(plan.since, new.day)
    await rating_rows.reseal(conn, plan.seals)
    gone = {row.group_id for row in plan.voids}
    for row in await rating_rows.in_force_since(conn, plan.since):
        if row.group_id not in gone:
            plan.rows[row.group_id] = row
            plan.facts.setdefault(row.group_id, load_facts(row.facts))
    return plan


def _new(
    one: PendingRatingGroup,
    kept: CalculationRow | None,
    facts: GroupRatingFacts,
    now_us: int,
    by: int | None,
) -> NewCalculation:
    """A planned calculation; it keeps the day, and the place on that day, of one in force."""
    assert one.published is not None
    in_force = kept if kept is not None and not kept.is_void else None
    return NewCalculation(
        group_id=one.group_id,
        number=1 if kept is None else kept.number + 1,
        is_void=False,
        day=one.published if in_force is None else in_force.day,
        start=one.start,
        first_us=now_us if in_force is None else in_force.first_us,
        seal=one.seal,
        facts=dump_facts(facts),
        starts="{}",
        reason=(CalculationReason.FINISHED if in_force is None else CalculationReason.RESULT).value,
        made_us=now_us,
        made_by=by,
    )


def _again(
    row: NewCalculation, now_us: int, by: int | None, why: CalculationReason, **other: object
) -> NewCalculation:
    """The next calculation of a group after one that is in force."""
    values = {name: getattr(row, name) for name in NewCalculation.__dataclass_fields__}
    values |= {"number": row.number + 1, "reason": why.value, "made_us": now_us, "made_by": by}
    return NewCalculation(**(values | other))


async def _write_differences(
    conn: AsyncConnection, core: Core, by: int | None, plan: _Plan
) -> tuple[str, ...]:
    """Calculate, compare with what is stored, write the difference; the groups' names."""
    people = {person for facts in plan.facts.values() for person in facts.players}
    people |= await rating_rows.computed_since(conn, plan.since)
    entered = await rating_rows.list_entered_ratings(conn, people)
    before = await rating_rows.rated_before(conn, people, plan.since)
    heads = plan.heads
    found = await asyncio.to_thread(replay_calculations, heads, entered, before)
    new: list[NewCalculation] = list(plan.voids)
    rated: list[RatedRow] = []
    for group_id, one in found.items():
        starts = starts_text(one)
        row, kept = heads[group_id]
        facts = dump_facts(kept)
        if group_id not in plan.fresh:
            if (row.starts, row.facts) == (starts, facts):
                continue
            why = CalculationReason.RESTS if row.facts == facts else CalculationReason.RESULT
            row = _again(row, core.now_us, by, why)
        new.append(replace(row, facts=facts, starts=starts))
        rated += rated_rows(group_id, row, one)
    await rating_rows.put_calculations(conn, new, rated)
    put = build_computed_ratings(found.values(), entered)
    await rating_rows.put_computed(conn, people, plan.since, put, core.now_us)
    gone = [load_facts(row.facts).name for row in plan.voids]
    made = {row.group_id for row in new} - {row.group_id for row in plan.voids}
    return (*gone, *(facts.name for group, facts in plan.facts.items() if group in made))


# What entering a rating would change, before it is written: recalculated groups, with numbers.

_AFTER = 3
"""Where a calculation's list of a player's numbers has the resulting rating."""


@dataclass(frozen=True, slots=True)
class RecalculatedGroup:
    """A group that would be recalculated: players with their results before and after the change.

    Either number is None for a player with no rated game in it.
    """

    group: str
    players: tuple[tuple[str, int | None, int | None], ...]


def _key(row: ToldRow) -> tuple[int, str, str]:
    return row.person_id, row.kind, row.on_day


async def moved_by(
    conn: AsyncConnection, new: Sequence[ToldRow], gone: Collection[tuple[int, str, str]] = ()
) -> tuple[RecalculatedGroup, ...]:
    """The groups that these ratings, entered or removed (person, kind, ISO day), would change."""
    days = [row.on_day for row in new] + [day for _, _, day in gone]
    if not days:
        return ()
    since = min(days)
    found = await rating_rows.in_force_since(conn, since)
    heads: dict[int, Head] = {row.group_id: (row, load_facts(row.facts)) for row in found}
    if not heads:
        return ()
    people = {person for _, facts in heads.values() for person in facts.players}
    entered = await rating_rows.list_entered_ratings(conn, people)
    before = await rating_rows.rated_before(conn, people, since)
    replaced = {_key(row) for row in new} | set(gone)
    kept = [row for row in entered if _key(row) not in replaced]
    other = [*kept, *(row for row in new if row.person_id in people)]
    other.sort(key=lambda row: (row.on_day, row.entered_us))
    now = await asyncio.to_thread(replay_calculations, heads, entered, before)
    then = await asyncio.to_thread(replay_calculations, heads, other, before)
    names = await person_rows.by_ids(conn, people)
    moved = []
    for group_id, one in now.items():
        first, second = json.loads(starts_text(one)), json.loads(starts_text(then[group_id]))
        changed = [person for person in first if first[person] != second[person]]
        if changed:
            lines = sorted(
                (names[int(person)].name, first[person][_AFTER], second[person][_AFTER])
                for person in changed
            )
            moved.append(RecalculatedGroup(heads[group_id][1].name, tuple(lines)))
    return tuple(moved)


# Checking that the stored ratings are what recalculating everything gives (§ 4.5.4.1).

LAST_DAY = "9999-99-99"


@dataclass(frozen=True, slots=True)
class Proof:
    """``groups``: how many were recalculated; ``unread``: of these without games, for lack of time.

    ``findings``: whose ratings (a group, or «person 7») and what is wrong.
    """

    groups: int
    unread: int
    findings: tuple[tuple[str, str], ...]


async def prove(
    store: Store, is_late: Callable[[], bool], say: Callable[[int, int], None]
) -> Proof:
    """Recalculate everything and compare. ``say`` is told how many of how many groups are done.

    Once ``is_late``, no more games are read; what is stored is still checked for consistency.
    """
    async with store.read() as conn:
        if await register_rows.unsettled_since(conn) is not None:
            return Proof(0, 0, ())
        kept = await rating_rows.in_force_since(conn, FIRST_DAY)
        heads = {row.group_id: (row, load_facts(row.facts)) for row in kept}
        people = {person for _, facts in heads.values() for person in facts.players}
        entered = await rating_rows.list_entered_ratings(conn, people)
        stored = await rating_rows.rated_before(conn, people, LAST_DAY)
        numbers = await rating_rows.read_computed_ratings(conn)
    found: list[tuple[str, str]] = []
    unread = 0
    for number, (row, facts) in enumerate(heads.values(), 1):
        if is_late():
            unread = len(kept) - number + 1
            break
        if not await _rests_on(store, row, facts):
            found.append((facts.name, "the games that its ratings rest on are others"))
        say(number, len(kept))
    anew = await asyncio.to_thread(replay_calculations, heads, entered, ())
    found += _unlike_groups(kept, anew, stored)
    made = build_computed_ratings(anew.values(), entered)
    wanted = {(one.person_id, one.on_day): (one.value, one.source) for one in made}
    found += [
        (f"person {person}", f"the K-rating of {day} is not what the groups give")
        for person, day in sorted(wanted.keys() | numbers.keys())
        if wanted.get((person, day)) != numbers.get((person, day))
    ]
    return Proof(len(kept), unread, tuple(found))


async def _rests_on(store: Store, row: CalculationRow, facts: GroupRatingFacts) -> bool:
    """Whether a group's games are those of its calculation, or it has or awaits another by now."""
    async with store.read() as conn:
        if await gather(conn, row.group_id) == facts:
            return True
        last = await rating_rows.calculations_of(conn, [row.group_id])
        return last.get(row.group_id) != row or bool(
            await rating_rows.list_pending_groups(conn, [row.group_id])
        )


def _unlike_groups(
    kept: Sequence[CalculationRow],
    anew: dict[int, CalculatedTournament],
    stored: Sequence[RatedRow],
) -> list[tuple[str, str]]:
    """Groups whose players start with, or are registered with, different numbers."""
    by_group: dict[int, set[RatedRow]] = {}
    for one in stored:
        by_group.setdefault(one.group_id, set()).add(one)
    found = []
    for row in kept:
        now, name = anew[row.group_id], load_facts(row.facts).name
        if starts_text(now) != row.starts:
            found.append((name, "its calculation is not what its games give"))
        elif set(rated_rows(row.group_id, row, now)) != by_group.get(row.group_id, set()):
            found.append((name, "its players' ratings are not what its calculation gives"))
    return found
