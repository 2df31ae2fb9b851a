"""A group's table from stored data: results, how they came about, who left; and final standing.

§ 6.4.5.1, § 6.5.2-6.5.4, § 6.2.8. Read-only. Not for the order (kskak.groups.crosstables), nor
for layout.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from kskak.cases.case import CaseState
from kskak.cases.case_events import CaseKind, Decision
from kskak.cases.consequences import HALF_RULE
from kskak.cup import CupStage
from kskak.entries.access import consequences, cup_rights_won
from kskak.entries.rights import CupFinalStage, CupRightRound
from kskak.game.game_events import ResultRuled
from kskak.groups.crosstables import (
    GameTermination,
    GroupCrosstable,
    GroupTableGame,
    TablePlayer,
    Tie,
    group_table,
    rules_of_class,
)
from kskak.groups.placing import (
    Award,
    RankingPlace,
    RankingRules,
    ScoredGame,
    cup_champion,
    danish_champion,
    shared_prizes,
)
from kskak.play.game_state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.editions import Ending, OverstepFinding, Result
from mail.office_letters.bulletins import FinalStanding
from server.machine import cached_by_size
from server.store import cup as cup_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.cases.publications import EndedGroup
from server.store.cup import GroupRound
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.group_results import TieRow
from server.store.groups import GroupRow, SeatRow
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.game_lists import TableGameRow
from server.usecases.games.case_opening import readable
from server.usecases.play.game_views import ByHead

# How a game's result came about, where it was not played to its end: what a table marks.

_TIME = (OverstepFinding.CLAIMED, OverstepFinding.CONTINUED)


@dataclass(frozen=True, slots=True)
class End:
    """What ended a game, and what was found about an overstep; None: nothing, or none."""

    ended: Ending | None = None
    overstep: OverstepFinding | None = None


def end_of(state: GameState) -> End:
    """What a game's state says of its end."""
    late = state.overstep
    return End(state.ended, None if late is None else late.finding)


_ENDS = ByHead(end_of)


def how_of(game_id: int, end: End, ruled: Mapping[int, GameTermination]) -> GameTermination | None:
    """How an ended game's result came about; ``ruled``: of standing decisions, by game."""
    if end.ended is Ending.RULING:
        return ruled.get(game_id, GameTermination.RULED)
    return GameTermination.TIME if end.overstep in _TIME else None


# A group's table from stored data: results, how they came about, who left; and final standing.

_HOW = {
    CaseKind.WITHDRAWAL: GameTermination.WITHDRAWN,
    CaseKind.ADJUDICATION: GameTermination.ADJUDICATED,
}


@dataclass(frozen=True, slots=True)
class DecisionEffects:
    """The effects of standing decisions in a group: people by id, games by id."""

    left: frozenset[int]
    lost_prize: frozenset[int]
    how: dict[int, GameTermination]


def list_decisions_in_force(state: CaseState) -> tuple[Decision, ...]:
    """The decisions of a case whose effects stand, restored ones included (§ 6.4.3)."""
    kept = [row.decision for row in state.decided if row.decision.ref not in state.annulled]
    again = {ref for decision in kept for ref in decision.restores}
    return (*(state.decisions[ref] for ref in sorted(again)), *kept)


async def ruled_in(conn: AsyncConnection, group_id: int) -> DecisionEffects:
    """Standing withdrawals, adjudications and other rulings in a group (§ 6.2.7, § 6.2.8)."""
    return (await ruled_in_all(conn, [group_id]))[group_id]


async def ruled_in_all(
    conn: AsyncConnection, group_ids: Sequence[int]
) -> dict[int, DecisionEffects]:
    """The same for several groups."""
    found: dict[int, list[tuple[CaseRow, Decision]]] = {group_id: [] for group_id in group_ids}
    for case in await case_rows.list_cases(conn, group_ids=list(group_ids)):
        state = readable(await case_rows.list_events(conn, case.id))
        if state is None:
            continue
        found[case.group_id] += [(case, decision) for decision in list_decisions_in_force(state)]
    return {group_id: _ruled(decided) for group_id, decided in found.items()}


LEAVING = "6.2.8"


def _ruled(decided: Iterable[tuple[CaseRow, Decision]]) -> DecisionEffects:
    left: set[int] = set()
    lost: set[int] = set()
    how: dict[int, GameTermination] = {}
    for case, decision in decided:
        kind = CaseKind(case.kind)
        leaves = any(one.paragraph == LEAVING for one in decision.grounds)
        if CaseKind.WITHDRAWAL in case.kinds and leaves:
            kind = CaseKind.WITHDRAWAL  # announced in a case about the player's silence
        lost.update(decision.prizes_lost)
        if kind is CaseKind.WITHDRAWAL and case.person_id is not None:
            left.add(case.person_id)
        counted = {one.game: one.person for one in decision.grounds if one.paragraph == HALF_RULE}
        left.update(person for person in counted.values() if person is not None)
        for order in decision.games:
            if isinstance(order.effect, ResultRuled):
                is_left = order.game in counted
                usual = _HOW.get(kind, GameTermination.RULED)
                how[order.game] = GameTermination.WITHDRAWN if is_left else usual
    return DecisionEffects(frozenset(left), frozenset(lost), how)


@dataclass(frozen=True, slots=True)
class GroupContext:
    """What is known of a group beyond its class: its round, how its tie was settled."""

    round: GroupRound | None = None
    tie: Tie | None = None

    @property
    def is_cup_final(self) -> bool:
        """Whether it is the final of a cup (§ 6.6.1.5)."""
        return self.round is not None and self.round.stage == CupStage.FINAL

    @property
    def rights(self) -> CupRightRound | None:
        """The round in terms of the EMT's rights; the preliminary one gives none (§ 6.6.2.1)."""
        if self.round is None or self.round.stage == CupStage.PRELIMINARY:
            return None
        return CupRightRound(
            CupFinalStage(self.round.stage), self.round.entries, self.round.is_semi_held
        )


async def kinds_in(
    conn: AsyncConnection, groups: Sequence[GroupRow], seats: Mapping[int, Sequence[SeatRow]]
) -> dict[int, GroupContext]:
    """The round of a cup group (§ 6.6.1.1); of a DM group, its play-off or agreement (§ 6.5.2)."""
    found = {group.id: GroupContext() for group in groups}
    cups = [group.id for group in groups if group.class_ == "cup"]
    for group_id, of_cup in (await cup_rows.rounds_of(conn, cups)).items():
        found[group_id] = GroupContext(round=of_cup)
    titles = [group.id for group in groups if group.class_ == "DM"]
    for settled in await result_rows.ties_of(conn, titles):
        found[settled.group_id] = await _build_group_context(conn, settled, seats[settled.group_id])
    return found


async def _build_group_context(
    conn: AsyncConnection, settled: TieRow, seats: Iterable[SeatRow]
) -> GroupContext:
    if settled.playoff_id is None:
        return GroupContext(tie=Tie(agreed=True))
    numbers = {seat.person_id: str(seat.number) for seat in seats}
    rows = (await game_lists.in_tables(conn, [settled.playoff_id]))[settled.playoff_id]
    played = [
        ScoredGame(numbers[row.white_id], numbers[row.black_id], Result(row.result))
        for row in rows
        if row.result is not None
    ]
    return GroupContext(tie=Tie(tuple(played) if len(played) == len(rows) else ()))


Met = tuple[int, int, int, str | None, GameTermination | None, bool]
"""A game in its table: id, White, Black, the result, how that came about, whether it was played."""


@cached_by_size(
    1 << 20, lambda rules, seats, left, games, tie: 2000 + 400 * (len(seats) + len(games))
)
def _build_crosstable(
    rules: RankingRules,
    seats: tuple[SeatRow, ...],
    left: frozenset[int],
    games: tuple[Met, ...],
    tie: Tie | None,
) -> GroupCrosstable:
    """Cached: a table depends on these alone, and is viewed far more often than a game ends."""
    numbers = {seat.person_id: seat.number for seat in seats}
    players = tuple(
        TablePlayer(seat.number, seat.name, seat.club, seat.person_id in left) for seat in seats
    )
    told = (
        GroupTableGame(
            *(game, numbers[white], numbers[black]),
            *(None if result is None else Result(result), how, is_played),
        )
        for game, white, black, result, how, is_played in games
    )
    return group_table(rules, players, tuple(told), tie)


@dataclass(frozen=True, slots=True)
class TableView:
    """A group's table, with the seats (people by number) and the games behind it.

    ``how``: how the results came about that were not played to the end, by game.
    """

    table: GroupCrosstable
    seats: tuple[SeatRow, ...]
    games: tuple[TableGameRow, ...]
    ruled: DecisionEffects
    how: Mapping[int, GameTermination | None]
    kind: GroupContext = GroupContext()

    @property
    def finished(self) -> int:
        """How many of its games have ended."""
        return sum(row.result is not None for row in self.games)

    @property
    def finished_us(self) -> int | None:
        """When the last game ended; None while any is running."""
        ends = [row.ended_us for row in self.games if row.ended_us is not None]
        return max(ends) if self.table.is_finished and ends else None


async def table_in(conn: AsyncConnection, group: GroupRow) -> TableView:
    """A group's table as of now."""
    return (await tables_in(conn, [group]))[group.id]


async def tables_in(conn: AsyncConnection, groups: Sequence[GroupRow]) -> dict[int, TableView]:
    """The same for several groups, by id, with as many queries as for one."""
    ids = [group.id for group in groups]
    seats = await group_rows.seats_of_all(conn, ids)
    games = await game_lists.in_tables(conn, ids)
    over = (row for row in chain.from_iterable(games.values()) if row.result is not None)
    ends = await _ENDS.of(conn, {row.id: row.head for row in over})
    ruled = await ruled_in_all(conn, ids)
    kinds = await kinds_in(conn, groups, seats)
    found = {}
    for group in groups:
        own, rows = ruled[group.id], games[group.id]
        how = {
            row.id: how_of(row.id, ends[row.id], own.how) if row.id in ends else None
            for row in rows
        }
        found[group.id] = _view(group, seats[group.id], rows, own, how, kinds[group.id])
    return found


def _view(
    group: GroupRow,
    seats: tuple[SeatRow, ...],
    rows: tuple[TableGameRow, ...],
    ruled: DecisionEffects,
    how: Mapping[int, GameTermination | None],
    kind: GroupContext,
) -> TableView:
    met = tuple(
        (row.id, row.white_id, row.black_id, row.result, how[row.id], row.ply > 0) for row in rows
    )
    rules = rules_of_class(group.class_, is_cup_final=kind.is_cup_final)
    table = _build_crosstable(rules, seats, ruled.left, met, kind.tie)
    return TableView(table, seats, rows, ruled, how, kind)


def change_results(
    group: GroupRow,
    view: TableView,
    results: Mapping[int, Result | None],
    now_us: int,
    left: frozenset[int] = frozenset(),
    lost_prize: frozenset[int] = frozenset(),
) -> TableView:
    """The table as it would be with other results, and with who then had left (§ 6.2.8)."""
    rows = tuple(
        replace(row, result=results[row.id], ended_us=row.ended_us or now_us)
        if row.id in results
        else row
        for row in view.games
    )
    ruled = replace(
        view.ruled, left=view.ruled.left | left, lost_prize=view.ruled.lost_prize | lost_prize
    )
    return _view(group, view.seats, rows, ruled, view.how, view.kind)


async def read_final_standing(
    conn: AsyncConnection, group: GroupRow, view: TableView
) -> FinalStanding | None:
    """The final standing of a finished group; None while it is played (§ 6.4.5.1).

    § 6.5.2: the register of members says who is a Danish citizen; nobody is taken for one.
    """
    if view.finished_us is None:
        return None
    table = view.table
    people = await person_rows.by_ids(conn, [seat.person_id for seat in view.seats])
    citizens = {str(s.number): people[s.person_id].citizen for s in view.seats}
    placed = [
        RankingPlace(line.place, str(line.player.number), line.decided_by) for line in table.lines
    ]
    lost = {str(s.number) for s in view.seats if s.person_id in view.ruled.lost_prize}
    money = shared_prizes(placed, await result_rows.prizes_of_group(conn, group.id), lost)
    ended: date = local_day(from_us(view.finished_us), group.zone)
    rights = view.kind.rights
    return FinalStanding(
        table=table,
        awards=_awards(group.class_, view.kind, placed, citizens)
        or await _decided_by(conn, group, view),
        consequences=consequences(group.class_, table, ended),
        cup_rights=cup_rights_won(rights, view.table, ended) if rights else (),
        prizes=tuple((int(name), share) for name, share in money.items()),
        lost_prize=tuple(sorted(int(name) for name in lost)),
    )


def _awards(
    group_class: str,
    kind: GroupContext,
    placed: list[RankingPlace],
    citizens: Mapping[str, bool | None],
) -> tuple[Award, ...]:
    """The title won in the group: the DM's, or the cup's in its final."""
    if group_class == "DM":
        danes = {name for name, known in citizens.items() if known}
        unknown = {name for name, known in citizens.items() if known is None}
        playoff = None if kind.tie is None or kind.tie.agreed else kind.tie.playoff
        return (danish_champion(placed, danes, unknown, playoff),)
    return (cup_champion(placed),) if kind.is_cup_final else ()


async def _decided_by(
    conn: AsyncConnection, playoff: GroupRow, view: TableView
) -> tuple[Award, ...]:
    """The DM title decided by a finished play-off, by the play-off's numbers (§ 6.5.2)."""
    if playoff.class_ != "playoff":
        return ()
    tie = await result_rows.tie_by_playoff(conn, playoff.id)
    group = None if tie is None else await group_rows.find(conn, tie.group_id)
    if group is None:
        return ()
    won = await table_in(conn, group)
    standing = await read_final_standing(conn, group, won)
    people = {str(seat.number): seat.person_id for seat in won.seats}
    own = {seat.person_id: str(seat.number) for seat in view.seats}
    return tuple(
        replace(award, holders=tuple(own[people[holder]] for holder in award.holders))
        for award in (() if standing is None else standing.awards)
        if all(people[holder] in own for holder in award.holders)
    )


# When to publish a finished group, again if a ruling changed it (§ 6.4.5, § 6.4.3).


def unpublished_since(one: EndedGroup) -> date | None:
    """The day of the last result not yet published; None when everything is.

    A ruling on the day of publication or later may have changed a result: publish again.
    """
    last = local_day(from_us(one.ended_us), one.zone)
    if one.published is None or one.published < last.isoformat():
        return last
    ruled = None if one.ruled_us is None else local_day(from_us(one.ruled_us), one.zone)
    is_new = ruled is not None and ruled > last and one.published <= ruled.isoformat()
    return ruled if is_new else None


async def resting_groups(conn: AsyncConnection) -> set[int]:
    """The groups with a game suspended by a case, whether or not the game has ended.

    A case that can't be read holds its own group.
    """
    held, resting = set[int](), set[int]()
    for case in await case_rows.everything(conn, is_suspended=True):
        state = readable(await case_rows.list_events(conn, case.id))
        if state is None:
            resting.add(case.group_id)
        else:
            held |= set(state.suspended)
    games = await game_rows.load_many(conn, held) if held else ()
    return resting | {game.group_id for game in games}
