"""Next season's divisions as composed, and the leader's dispensations (§ 6.7.5.1).

Synchronous. Not for composing (kskak.league.composition).
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from server.store.engine.rows import columns_of, values_of
from server.store.tables.league import league_grants, league_plans


@dataclass(frozen=True, slots=True)
class NewPlan:
    """A composition to store: what was entered and the outcome, both JSON."""

    season: int
    deadline: str
    entered: str
    composed: str
    by_id: int
    at_us: int
    from_plan: int | None = None
    refused: str | None = None
    team_entries: str | None = None


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A stored composition."""

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


def add(conn: Connection, new: NewPlan) -> int:
    """Store a composition and return its id."""
    made = conn.execute(insert(league_plans).values(values_of(new)).returning(league_plans.c.id))
    return int(made.scalar_one())


def find(conn: Connection, plan_id: int) -> PlanRow | None:
    """One composition by id."""
    row = conn.execute(_PLAN.where(league_plans.c.id == plan_id)).one_or_none()
    return None if row is None else PlanRow(*row)


def lock(conn: Connection, plan_id: int) -> PlanRow | None:
    """One composition, locked until the transaction ends: answers are taken one at a time."""
    query = _PLAN.where(league_plans.c.id == plan_id).with_for_update()
    row = conn.execute(query).one_or_none()
    return None if row is None else PlanRow(*row)


def next_of(conn: Connection, plan_id: int) -> int | None:
    """The plan that replaced a plan when it was composed again."""
    query = select(league_plans.c.id).where(league_plans.c.from_plan == plan_id)
    return conn.execute(query.order_by(league_plans.c.id).limit(1)).scalar_one_or_none()


def listed(conn: Connection) -> tuple[PlanRow, ...]:
    """All compositions, newest first."""
    return tuple(PlanRow(*row) for row in conn.execute(_PLAN))


def grant(conn: Connection, row: GrantRow) -> None:
    """Store a dispensation; the latest decision counts."""
    t = league_grants.c
    same = (t.plan_id == row.plan_id) & (t.club == row.club) & (t.division == row.division)
    conn.execute(delete(league_grants).where(same))
    conn.execute(insert(league_grants).values(values_of(row)))


def grants(conn: Connection, plan_id: int) -> tuple[GrantRow, ...]:
    """The dispensations of a plan."""
    rows = conn.execute(_GRANT.where(league_grants.c.plan_id == plan_id))
    return tuple(GrantRow(*row) for row in rows)
