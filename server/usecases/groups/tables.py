"""A group's table from stored data: results, how they came about, who left; and final standing.

§ 6.4.5.1, § 6.5.2-6.5.4, § 6.2.8. Read-only. Not for the order (kskak.groups.group_table), nor
for layout.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from kskak.cases.decisions import Decision
from kskak.cases.events import CaseKind
from kskak.cases.state import CaseState
from kskak.cup.course import CupStage
from kskak.entries.consequences import CupRight, consequences, cup_rights_won
from kskak.entries.cup_rights import CupRound, Stage
from kskak.game.events import ResultRuled
from kskak.groups.group_table import (
    GroupTable,
    How,
    TableGame,
    TablePlayer,
    Tie,
    group_table,
    rules_of_class,
)
from kskak.groups.honours import Award, cup_champion, danish_champion, shared_prizes
from kskak.groups.ladder import Placed
from kskak.groups.ladder_individual import RuleSet
from kskak.groups.played import Played
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Result
from mail.office_letters.bulletin_facts import FinalStanding
from server.memory import kept
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow
from server.store.cup import rounds as cup_rows
from server.store.cup.rounds import GroupRound
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import prizes as prize_rows
from server.store.groups import titles as title_rows
from server.store.groups.groups_and_seats import GroupRow, SeatRow
from server.store.groups.titles import TieRow
from server.store.play import games_together
from server.store.play import people as person_rows
from server.store.play.games_together import TableRow
from server.usecases.core.case_record import readable
from server.usecases.groups.ends import ends_of, how_of

_HOW = {CaseKind.WITHDRAWAL: How.WITHDRAWN, CaseKind.ADJUDICATION: How.ADJUDICATED}


@dataclass(frozen=True, slots=True)
class Ruled:
    """The effects of standing decisions in a group: people by id, games by id."""

    left: frozenset[int]
    lost_prize: frozenset[int]
    how: dict[int, How]


def standing_decisions(state: CaseState) -> tuple[Decision, ...]:
    """The decisions of a case whose effects stand, restored ones included (§ 6.4.3)."""
    kept = [row.decision for row in state.decided if row.decision.ref not in state.annulled]
    again = {ref for decision in kept for ref in decision.restores}
    return (*(state.decisions[ref] for ref in sorted(again)), *kept)


async def ruled_in(conn: AsyncConnection, group_id: int) -> Ruled:
    """Standing withdrawals, adjudications and other rulings in a group (§ 6.2.7, § 6.2.8)."""
    return (await ruled_in_all(conn, [group_id]))[group_id]


async def ruled_in_all(conn: AsyncConnection, group_ids: Sequence[int]) -> dict[int, Ruled]:
    """The same for several groups."""
    found: dict[int, list[tuple[CaseRow, Decision]]] = {group_id: [] for group_id in group_ids}
    for case in await case_rows.listed(conn, group_ids=list(group_ids)):
        state = readable(await case_rows.events_of(conn, case.id))
        if state is None:
            continue
        found[case.group_id] += [(case, decision) for decision in standing_decisions(state)]
    return {group_id: _ruled(decided) for group_id, decided in found.items()}


def _ruled(decided: Iterable[tuple[CaseRow, Decision]]) -> Ruled:
    left: set[int] = set()
    lost: set[int] = set()
    how: dict[int, How] = {}
    for case, decision in decided:
        kind = CaseKind(case.kind)
        lost.update(decision.prizes_lost)
        if kind is CaseKind.WITHDRAWAL and case.person_id is not None:
            left.add(case.person_id)
        for order in decision.games:
            if isinstance(order.effect, ResultRuled):
                how[order.game] = _HOW.get(kind, How.RULED)
    return Ruled(frozenset(left), frozenset(lost), how)


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a group beyond its class: its round, how its tie was settled."""

    round: GroupRound | None = None
    tie: Tie | None = None

    @property
    def is_cup_final(self) -> bool:
        """Whether it is the final of a cup (§ 6.6.1.5)."""
        return self.round is not None and self.round.stage == CupStage.FINAL

    @property
    def rights(self) -> CupRound | None:
        """The round in terms of the EMT's rights; the preliminary one gives none (§ 6.6.2.1)."""
        if self.round is None or self.round.stage == CupStage.PRELIMINARY:
            return None
        return CupRound(Stage(self.round.stage), self.round.entries, self.round.is_semi_held)


async def kinds_in(
    conn: AsyncConnection, groups: Sequence[GroupRow], seats: Mapping[int, Sequence[SeatRow]]
) -> dict[int, Kind]:
    """The round of a cup group (§ 6.6.1.1); of a DM group, its play-off or agreement (§ 6.5.2)."""
    found = {group.id: Kind() for group in groups}
    cups = [group.id for group in groups if group.class_ == "cup"]
    for group_id, of_cup in (await cup_rows.rounds_of(conn, cups)).items():
        found[group_id] = Kind(round=of_cup)
    titles = [group.id for group in groups if group.class_ == "DM"]
    for settled in await title_rows.ties_of(conn, titles):
        found[settled.group_id] = await _settled(conn, settled, seats[settled.group_id])
    return found


async def _settled(conn: AsyncConnection, settled: TieRow, seats: Iterable[SeatRow]) -> Kind:
    if settled.playoff_id is None:
        return Kind(tie=Tie(agreed=True))
    numbers = {seat.person_id: str(seat.number) for seat in seats}
    rows = await group_rows.crosstable(conn, settled.playoff_id)
    played = [
        Played(numbers[row.white_id], numbers[row.black_id], Result(row.result))
        for row in rows
        if row.result is not None
    ]
    return Kind(tie=Tie(tuple(played) if len(played) == len(rows) else ()))


Met = tuple[int, int, int, str | None, How | None]
"""A game in its table: its id, White, Black, its result and how that came about."""


@kept(2 << 20, lambda rules, seats, left, games, tie: 2000 + 400 * (len(seats) + len(games)))
def _made(
    rules: RuleSet,
    seats: tuple[SeatRow, ...],
    left: frozenset[int],
    games: tuple[Met, ...],
    tie: Tie | None,
) -> GroupTable:
    """Cached: a table depends on these alone, and is viewed far more often than a game ends."""
    numbers = {seat.person_id: seat.number for seat in seats}
    players = tuple(
        TablePlayer(seat.number, seat.name, seat.club, seat.person_id in left) for seat in seats
    )
    told = (
        TableGame(
            *(game, numbers[white], numbers[black]),
            *(None if result is None else Result(result), how),
        )
        for game, white, black, result, how in games
    )
    return group_table(rules, players, tuple(told), tie)


@dataclass(frozen=True, slots=True)
class TableView:
    """A group's table, with the seats (people by number) and the games behind it.

    ``how``: how the results came about that were not played to the end, by game.
    """

    table: GroupTable
    seats: tuple[SeatRow, ...]
    games: tuple[TableRow, ...]
    ruled: Ruled
    how: Mapping[int, How | None]
    kind: Kind = Kind()

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
    games = await games_together.in_tables(conn, ids)
    ends = await ends_of(conn, chain.from_iterable(games.values()))
    ruled = await ruled_in_all(conn, ids)
    kinds = await kinds_in(conn, groups, seats)
    found = {}
    for group in groups:
        own, rows, kind = ruled[group.id], games[group.id], kinds[group.id]
        how = {
            row.id: how_of(row.id, ends[row.id], own.how) if row.id in ends else None
            for row in rows
        }
        met = tuple((row.id, row.white_id, row.black_id, row.result, how[row.id]) for row in rows)
        rules = rules_of_class(group.class_, is_cup_final=kind.is_cup_final)
        table = _made(rules, seats[group.id], own.left, met, kind.tie)
        found[group.id] = TableView(table, seats[group.id], rows, own, how, kind)
    return found


async def standing_in(
    conn: AsyncConnection, group: GroupRow, view: TableView
) -> FinalStanding | None:
    """The final standing of a finished group; None while it is played (§ 6.4.5.1).

    Reading of § 6.5.2: the register of members says who is a Danish citizen; anyone it does not
    expressly call a non-citizen counts as one.
    """
    if view.finished_us is None:
        return None
    table = view.table
    people = await person_rows.by_ids(conn, [seat.person_id for seat in view.seats])
    citizens = {str(s.number) for s in view.seats if people[s.person_id].citizen is not False}
    placed = [Placed(line.place, str(line.player.number), line.decided_by) for line in table.lines]
    lost = {str(s.number) for s in view.seats if s.person_id in view.ruled.lost_prize}
    money = shared_prizes(placed, await prize_rows.of_group(conn, group.id), lost)
    ended: date = local_day(from_us(view.finished_us), group.zone)
    return FinalStanding(
        table=table,
        awards=_awards(group.class_, view.kind, placed, citizens)
        or await _decided_by(conn, group, view),
        consequences=consequences(group.class_, table, ended),
        cup_rights=_cup_rights(view, ended),
        prizes=tuple((int(name), share) for name, share in money.items()),
        lost_prize=tuple(sorted(int(name) for name in lost)),
    )


def _awards(
    group_class: str, kind: Kind, placed: list[Placed], citizens: set[str]
) -> tuple[Award, ...]:
    """The title won in the group: the DM's, or the cup's in its final."""
    if group_class == "DM":
        return (danish_champion(placed, citizens),)
    return (cup_champion(placed),) if kind.is_cup_final else ()


async def _decided_by(
    conn: AsyncConnection, playoff: GroupRow, view: TableView
) -> tuple[Award, ...]:
    """The DM title decided by a finished play-off, by the play-off's numbers (§ 6.5.2)."""
    if playoff.class_ != "playoff":
        return ()
    tie = await title_rows.tie_by_playoff(conn, playoff.id)
    group = None if tie is None else await group_rows.find(conn, tie.group_id)
    if group is None:
        return ()
    won = await table_in(conn, group)
    standing = await standing_in(conn, group, won)
    people = {str(seat.number): seat.person_id for seat in won.seats}
    own = {seat.person_id: str(seat.number) for seat in view.seats}
    return tuple(
        replace(award, holders=tuple(own[people[holder]] for holder in award.holders))
        for award in (() if standing is None else standing.awards)
        if all(people[holder] in own for holder in award.holders)
    )


def _cup_rights(view: TableView, ended: date) -> tuple[CupRight, ...]:
    rights = view.kind.rights
    return () if rights is None else cup_rights_won(rights, view.table, ended)
