"""Requested reserves, the leader's changes, captains' reports; next season's plans."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, select, update

from server.store.engine.rows import columns_of, one_of, row_insert, rows_of, values_of
from server.store.tables.base import groups, seats
from server.store.tables.tournaments import (
    league_changes,
    league_grants,
    league_plans,
    league_reports,
    league_reserves,
    league_teams,
)

# Requested reserves, the leader's changes, captains' reports (§ 6.7.4.3).


class ReserveState(StrEnum):
    """The state of a requested reserve."""

    ASKED = "asked"
    IN = "in"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class NewReserve:
    """A requested reserve. The pause's days are ISO."""

    team_id: int
    board: int
    replaced_id: int
    name: str
    email: str
    club: str
    rating: int
    reason: str
    asked_by: int
    asked_us: int
    pause_first: str | None
    pause_last: str | None
    state: str


@dataclass(frozen=True, slots=True)
class ReserveRow(NewReserve):
    """A stored reserve."""

    id: int
    person_id: int | None
    decided_by: int | None
    decided_us: int | None
    note: str | None
    against: str


class ChangeKind(StrEnum):
    """What a leader changes about a team."""

    ORDER = "order"
    CAPTAIN = "captain"


@dataclass(frozen=True, slots=True)
class LeagueChangeRow:
    """A recorded change: names before and after, and why."""

    id: int
    team_id: int
    kind: str
    before: str
    after: str
    reason: str
    by_id: int
    at_us: int


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A captain's report of a result."""

    id: int
    game_id: int
    team_id: int
    result: str
    note: str
    by_id: int
    at_us: int


_RESERVE = select(*columns_of(ReserveRow, league_reserves)).order_by(league_reserves.c.id)
_CHANGE = select(*columns_of(LeagueChangeRow, league_changes)).order_by(league_changes.c.id)
_REPORT = select(*columns_of(ReportRow, league_reports)).order_by(league_reports.c.id.desc())


def add_reserve(conn: Connection, new: NewReserve) -> int:
    """Store a request for a reserve and return its id."""
    return int(conn.execute(row_insert(league_reserves, values_of(new))).scalar_one())


def reserve(conn: Connection, reserve_id: int, *, lock: bool = False) -> ReserveRow | None:
    """One reserve by id; ``lock``: for deciding about it."""
    query = _RESERVE.where(league_reserves.c.id == reserve_id)
    return one_of(ReserveRow, conn.execute(query.with_for_update() if lock else query))


def reserves(conn: Connection, team_ids: Collection[int]) -> tuple[ReserveRow, ...]:
    """The reserves some teams asked for, oldest first."""
    return rows_of(
        ReserveRow, conn.execute(_RESERVE.where(league_reserves.c.team_id.in_(list(team_ids))))
    )


def list_waiting_reserves(
    conn: Connection, group_ids: Iterable[int] | None
) -> tuple[ReserveRow, ...]:
    """Reserves awaiting a decision by the leaders of these groups; None: of all."""
    query = _RESERVE.where(league_reserves.c.state == ReserveState.ASKED.value)
    if group_ids is not None:
        own = select(league_teams.c.id).where(league_teams.c.group_id.in_(group_ids))
        query = query.where(league_reserves.c.team_id.in_(own))
    return rows_of(ReserveRow, conn.execute(query))


def set_reserve(conn: Connection, reserve_id: int, **values: object) -> None:
    """Change columns of a reserve."""
    conn.execute(update(league_reserves).where(league_reserves.c.id == reserve_id).values(values))


def add_change(conn: Connection, **values: object) -> None:
    """Record what a leader changed."""
    conn.execute(insert(league_changes).values(values))


def changes(conn: Connection, team_ids: Collection[int]) -> tuple[LeagueChangeRow, ...]:
    """The changes to some teams, oldest first."""
    query = _CHANGE.where(league_changes.c.team_id.in_(list(team_ids)))
    return rows_of(LeagueChangeRow, conn.execute(query))


def add_report(conn: Connection, **values: object) -> None:
    """Store a captain's report."""
    conn.execute(insert(league_reports).values(values))


def reports(conn: Connection, team_ids: Collection[int]) -> tuple[ReportRow, ...]:
    """What the captains of some teams reported, newest first."""
    return rows_of(
        ReportRow, conn.execute(_REPORT.where(league_reports.c.team_id.in_(list(team_ids))))
    )


def add_seat(conn: Connection, group_id: int, person_id: int) -> None:
    """Add a seat after the others for a reserve, unless they already have one."""
    own = select(seats.c.number, seats.c.person_id).where(seats.c.group_id == group_id)
    known = {row[1]: row[0] for row in conn.execute(own)}
    if person_id not in known:
        number = max(known.values(), default=0) + 1
        row = {"group_id": group_id, "number": number, "person_id": person_id}
        conn.execute(insert(seats).values(row))


def swap_seats(conn: Connection, group_id: int, moved: dict[int, int]) -> None:
    """Put other people on the same numbers: ``moved`` maps old person to new."""
    query = select(seats.c.number, seats.c.person_id).where(seats.c.group_id == group_id)
    for number, person_id in conn.execute(query).all():
        if person_id in moved:
            which = (seats.c.group_id == group_id) & (seats.c.number == number)
            conn.execute(update(seats).where(which).values(person_id=moved[person_id]))


def group_of(conn: Connection, group_id: int) -> tuple[str, int, str]:
    """A group's name, leader and zone."""
    query = select(groups.c.name, groups.c.tl_id, groups.c.zone).where(groups.c.id == group_id)
    name, tl_id, zone = conn.execute(query).one()
    return str(name), int(tl_id), str(zone)


# Next season's divisions as composed, and the leader's dispensations (§ 6.7.5.1).


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A stored composition: what was entered and the outcome, both JSON."""

    id: int
    season: int
    deadline: str
    entered: str
    composed: str
    by_id: int
    at_us: int
    from_plan: int | None
    refused: str | None
    team_entries: str | None


@dataclass(frozen=True, slots=True)
class GrantRow:
    """A dispensation granted or refused, and why."""

    plan_id: int
    club: str
    division: int
    is_granted: bool
    reason: str
    by_id: int
    at_us: int


_PLAN = select(*columns_of(PlanRow, league_plans)).order_by(league_plans.c.id.desc())
_GRANT = select(*columns_of(GrantRow, league_grants))


def add(conn: Connection, values: dict[str, object]) -> int:
    """Store a composition and return its id."""
    return int(conn.execute(row_insert(league_plans, values)).scalar_one())


def find(conn: Connection, plan_id: int, *, lock: bool = False) -> PlanRow | None:
    """One composition; ``lock``: answers are taken one at a time until the transaction ends."""
    query = _PLAN.where(league_plans.c.id == plan_id)
    return one_of(PlanRow, conn.execute(query.with_for_update() if lock else query))


def next_of(conn: Connection, plan_id: int) -> int | None:
    """The plan that replaced a plan when it was composed again."""
    query = select(league_plans.c.id).where(league_plans.c.from_plan == plan_id)
    return conn.execute(query.order_by(league_plans.c.id).limit(1)).scalar_one_or_none()


def list_plans(conn: Connection) -> tuple[PlanRow, ...]:
    """All compositions, newest first."""
    return rows_of(PlanRow, conn.execute(_PLAN))


def grant(conn: Connection, row: GrantRow) -> None:
    """Store a dispensation; the latest decision counts."""
    t = league_grants.c
    same = (t.plan_id == row.plan_id) & (t.club == row.club) & (t.division == row.division)
    conn.execute(delete(league_grants).where(same))
    conn.execute(insert(league_grants).values(values_of(row)))


def grants(conn: Connection, plan_id: int) -> tuple[GrantRow, ...]:
    """The dispensations of a plan."""
    return rows_of(GrantRow, conn.execute(_GRANT.where(league_grants.c.plan_id == plan_id)))
