"""A cup as it stands: its rounds with tables, who advances and why, what comes next (§ 6.6.1).

Read-only; the number of queries does not grow with the groups. Not for drawing a round
(cup_rounds.py) nor for presentation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kskak.cup import (
    CupStage,
    RankedPlayer,
    Seat,
    count_empty_places,
    final_places,
    final_seats,
    group_sizes,
    list_next_candidates,
    plan,
    semifinal_seats,
    who_goes_on,
)
from kskak.entries.entry import EntryState
from kskak.groups.crosstables import (
    GroupCrosstable,
    GroupTableGame,
    TablePlayer,
    group_table,
    rules_of_class,
)
from kskak.regulation.editions import CUP, Result
from server.store import cup as cup_rows
from server.store import groups as group_rows
from server.store import player_entries as entry_rows
from server.store.cup import CupGroup, CupRow, DrawRow, PlaceRow
from server.store.engine.connection import AsyncConnection
from server.store.groups import CrosstableGameRow, SeatRow
from server.store.player_entries import EntryRow
from server.usecases.groups.group_tables import ruled_in_all

FINAL_MOST = 2
"""Lowest place in a semi-final that may advance: winners and perhaps runners-up (§ 6.6.1.3)."""
ORDER = tuple(CupStage)


@dataclass(frozen=True, slots=True)
class RoundGroup:
    """A group of a round with its table; people by number."""

    group: CupGroup
    table: GroupCrosstable
    people: Mapping[int, int]

    @property
    def ranked(self) -> tuple[RankedPlayer, ...]:
        """Its players by place, as the cup's course takes them."""
        return tuple(
            RankedPlayer(
                str(self.people[line.player.number]), line.place, line.points, line.player.has_left
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
        """How many places the first round had: what the DM's places depend on (§ 6.6.2.2)."""
        return len(self.rounds[0].places) if self.rounds else 0

    @property
    def newcomers(self) -> tuple[EntryRow, ...]:
        """Those who enter at the semi-final and did not play the first round (§ 6.6.1.6)."""
        played = self.rounds[0].people if self.rounds else frozenset()
        return tuple(row for row in self.direct if row.person_id not in played)

    @property
    def people(self) -> frozenset[int]:
        """Everybody who has had a place in the cup."""
        return frozenset(person for one in self.rounds for person in one.people)


@dataclass(frozen=True, slots=True)
class Prospect:
    """A round that could be drawn now: how many advance from each group, and who would play.

    ``places``: by the rule or as chosen; ``count_empty_places``: places for the leader to fill
    (§ 6.6.1.6).
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
    direct = [str(row.person_id) for row in facts.newcomers] if _is_first(last) else []
    ranked = last.ranked
    if stage is CupStage.SEMIFINAL:
        made = plan(len(ranked), len(direct))
        chosen = places or made.advancing
        seats = semifinal_seats(who_goes_on(ranked, chosen), direct)
        empty = count_empty_places(len(seats))
        groups = (len(seats) + empty) // CUP.group
        return Prospect(stage, chosen, seats, empty, groups, _final_of(groups))
    most = CUP.most_advancing if _is_first(last) else FINAL_MOST
    chosen = places or final_places(ranked, most, len(direct))
    seats = final_seats(who_goes_on(ranked, chosen), direct)
    return Prospect(stage, chosen, seats, 0, 1, len(seats))


def _final_of(semifinals: int) -> int:
    """How many the final would have after this many semi-finals, ignoring ties (§ 6.6.1.3)."""
    return min(
        (semifinals * each for each in range(1, FINAL_MOST + 1)),
        key=lambda size: abs(size - CUP.final),
    )


def _is_first(one: Round) -> bool:
    return one.stage is CupStage.PRELIMINARY


def next_stages(facts: CupFacts) -> tuple[CupStage, ...]:
    """Which rounds may be drawn now: after the first one the leader may cancel the semi-final.

    Empty while a group is being played, and after the final (§ 6.6.1.1).
    """
    last = facts.last
    if last is None:
        return (CupStage.PRELIMINARY,)
    if not last.is_over or last.stage is CupStage.FINAL:
        return ()
    return ORDER[ORDER.index(last.stage) + 1 :]


def proposal(facts: CupFacts, taken: Sequence[Seat]) -> tuple[int, ...]:
    """The people whom the leader might consider first for filling up (§ 6.6.1.6)."""
    last = facts.last
    found = () if last is None else list_next_candidates(last.ranked, taken)
    return tuple(int(player) for player in found)


def cut_of(facts: CupFacts) -> tuple[int, ...] | None:
    """The sizes of the first round's groups with the current entries (§ 6.6.1.1)."""
    return group_sizes(len(facts.entered))


async def facts_in(conn: AsyncConnection, row: CupRow) -> CupFacts:
    """A cup as of now."""
    lists = [one for one in (row.list_id, row.semi_list_id) if one is not None]
    valid = await entry_rows.on_lists(conn, lists, [EntryState.VALID.value])
    groups = await cup_rows.groups_of(conn, row.id)
    tables = await _tables(conn, groups)
    places = await cup_rows.places_of(conn, row.id)
    rounds = tuple(
        Round(
            draw,
            tuple(tables[one.group_id] for one in groups if one.stage == draw.stage),
            tuple(one for one in places if one.stage == draw.stage and one.group_id is not None),
            tuple(one for one in places if one.stage == draw.stage and one.group_id is None),
        )
        for draw in sorted(
            await cup_rows.draws(conn, row.id), key=lambda one: ORDER.index(CupStage(one.stage))
        )
    )
    return CupFacts(
        row,
        rounds,
        tuple(one for one in valid if one.list_id == row.list_id),
        tuple(one for one in valid if one.list_id == row.semi_list_id),
    )


async def _tables(conn: AsyncConnection, groups: Sequence[CupGroup]) -> dict[int, RoundGroup]:
    """All groups' tables; how each result came about is for the group's own page to show."""
    ids = [one.group_id for one in groups]
    seats = await group_rows.seats_of_all(conn, ids)
    games = await group_rows.crosstables(conn, ids)
    ruled = await ruled_in_all(conn, ids)
    return {
        one.group_id: _table(
            one, seats[one.group_id], games[one.group_id], ruled[one.group_id].left
        )
        for one in groups
    }


def _table(
    group: CupGroup,
    seats: Sequence[SeatRow],
    games: Sequence[CrosstableGameRow],
    left: frozenset[int],
) -> RoundGroup:
    numbers = {seat.person_id: seat.number for seat in seats}
    players = [
        TablePlayer(seat.number, seat.name, seat.club, seat.person_id in left) for seat in seats
    ]
    listed = [
        GroupTableGame(
            row.game_id,
            numbers[row.white_id],
            numbers[row.black_id],
            None if row.result is None else Result(row.result),
        )
        for row in games
    ]
    rules = rules_of_class("cup", is_cup_final=group.stage == CupStage.FINAL)
    people = {number: person for person, number in numbers.items()}
    return RoundGroup(group, group_table(rules, players, listed), people)
