"""A plan of next season as shown, and the leader's dispensations for it (§ 6.7.5.1).

Refusing a dispensation composes again: the answered plan stays as it was, and a new one replaces it
with the next team asked. Earlier grants hold where they are still asked for. Not for composing the
first time (composing.py) nor for starting the divisions (start.py).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlalchemy import Connection

from server.store.league import divisions as rows
from server.store.league import season_plans as plan_rows
from server.store.league.season_plans import GrantRow, NewPlan, PlanRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.in_turn import in_turn
from server.usecases.core.offices import NoSuch, NotAllowed, may_handle, rights
from server.usecases.league.reserving import NothingToDo
from server.usecases.season.composing import composed_document
from server.usecases.season.views import league_lists

_RATINGS = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A team in a plan: the reason for its place, what it rests on, the dispensation if asked.

    ``entry``: the club's entry, None where the team was written by hand.
    """

    number: int
    club: str
    by: str
    last: int | None
    score: str
    mean: Fraction
    needs_grant: bool
    grant: GrantRow | None
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class NotGiven:
    """A refused dispensation: the team, the division, the answer with its reason."""

    number: int
    club: str
    division: int
    answer: GrantRow | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as shown: each division with its number; the third in its groups.

    ``refused``: refused dispensations that led to it; ``next_id``: the plan that has replaced it;
    ``unplaced``: teams that no division has room for (§ 6.7.3.3).
    """

    row: PlanRow
    divisions: tuple[tuple[int, tuple[Line, ...]], ...]
    refused: tuple[NotGiven, ...] = ()
    next_id: int | None = None
    unplaced: tuple[Line, ...] = ()

    @property
    def open_grants(self) -> int:
        """How many dispensations nobody has answered."""
        return sum(
            line.needs_grant and line.grant is None for _, lines in self.divisions for line in lines
        )

    def asked(self, team: tuple[str, int]) -> Line | None:
        """The team of a club whose dispensation for a division is asked for."""
        club, division = team
        lines = (line for number, part in self.divisions if number == division for line in part)
        return next((line for line in lines if line.needs_grant and line.club == club), None)


async def plan(core: Core, plan_id: int) -> Plan | None:
    """A plan by id."""
    return await core.store.look(lambda conn: plan_in(conn, plan_id))


def plan_in(conn: Connection, plan_id: int) -> Plan | None:
    """The same within a transaction."""
    row = plan_rows.find(conn, plan_id)
    if row is None:
        return None
    refused = tuple(
        NotGiven(number, _club_of(row, number), division, None)
        for number, division in json.loads(row.refused or "[]")
    )
    return replace(
        _read(row, plan_rows.grants(conn, plan_id)),
        refused=_answered(conn, row, refused),
        next_id=plan_rows.next_of(conn, plan_id),
    )


def _club_of(row: PlanRow, number: int) -> str:
    return str(json.loads(row.entered)["teams"][number - 1]["club"])


def _answered(conn: Connection, row: PlanRow, refused: Sequence[NotGiven]) -> tuple[NotGiven, ...]:
    """The refusals with who made them and why, which is stored with the earlier plans."""
    found: dict[tuple[str, int], GrantRow] = {}
    earlier = row.from_plan
    while refused and earlier is not None:
        for answer in plan_rows.grants(conn, earlier):
            if not answer.is_granted:
                found.setdefault((answer.club, answer.division), answer)
        before = plan_rows.find(conn, earlier)
        earlier = None if before is None else before.from_plan
    return tuple(replace(one, answer=found.get((one.club, one.division))) for one in refused)


def _read(row: PlanRow, grants: Sequence[GrantRow]) -> Plan:
    entered = json.loads(row.entered)["teams"]
    entries = json.loads(row.team_entries) if row.team_entries else [None] * len(entered)
    composed = json.loads(row.composed)
    asked = {(one["club"], one["division"]) for one in composed["dispensations"]}
    answered = {(one.club, one.division): one for one in grants}
    left = list(range(1, len(entered) + 1))

    def line(placed: Mapping[str, object], division: int) -> Line:
        club, by = str(placed["club"]), str(placed["by"])
        fits = (n for n in left if entered[n - 1]["club"] == club and _fits(entered[n - 1], by))
        told = placed.get("team")
        number = told if isinstance(told, int) else next(fits)
        left.remove(number)
        team = entered[number - 1]
        score = team.get("score")
        return Line(
            number=number,
            club=club,
            by=by,
            last=team["last"],
            score="" if score is None else f"{score:g}",
            mean=Fraction(sum(team["ratings"]), _RATINGS),
            needs_grant=(club, division) in asked and "dispensation" in by,
            grant=answered.get((club, division)),
            entry=entries[number - 1],
        )

    first, second = (composed["divisions"][name] for name in ("1", "2"))
    parts = [(1, first), (2, second), *((3, group) for group in composed["divisions"]["3"])]
    return Plan(
        row,
        tuple((number, tuple(line(one, number) for one in part)) for number, part in parts),
        unplaced=tuple(line(one, 3) for one in composed.get("unplaced", ())),
    )


_COMES_FROM = {
    "6.7.5 1a": 1,
    "6.7.5 1b": 2,
    "6.7.5 2a": 1,
    "6.7.5 2b": 2,
    "6.7.5 2c": 3,
}


def _fits(team: Mapping[str, object], by: str) -> bool:
    """Whether a team of the club can have its place for this reason: clubs may have several."""
    return by not in _COMES_FROM or team["last"] == _COMES_FROM[by]


async def plans(core: Core) -> tuple[PlanRow, ...]:
    """Every plan, the newest first."""
    return await core.store.look(plan_rows.listed)


@in_turn
async def answer_grant(
    core: Core, person: PersonRow, plan_id: int, team: tuple[str, int], answer: tuple[bool, str]
) -> int:
    """Grant or refuse a dispensation, with the reason (§ 6.7.5.1). ``team``: club and division.

    A refusal, or a grant of what was refused before, composes again. Returns the id of the plan
    now in force. Raises NotAllowed for anyone but the controller and the leaders of a division or
    the league's list, NoSuch, and NothingToDo for a plan that has been replaced.
    """
    await _may_answer(core, person)

    def work(conn: Connection) -> int:
        row = plan_rows.lock(conn, plan_id)
        found = None if row is None else plan_in(conn, plan_id)
        if row is None or found is None:
            raise NoSuch("plan")
        if found.next_id is not None:
            raise NothingToDo
        asked = found.asked(team)
        refused = {(one.number, one.division) for one in found.refused}
        given = GrantRow(plan_id, *team, answer[0], answer[1], person.id, core.now_us)
        if asked is not None:
            plan_rows.grant(conn, given)
            if answer[0]:
                return plan_id
            return _again(conn, found, refused | {(asked.number, team[1])}, (0, given))
        names = (one for one in found.refused if (one.club, one.division) == team)
        undone = next(names, None)
        if undone is None or not answer[0]:
            raise NoSuch("dispensation")
        refused -= {(undone.number, team[1])}
        return _again(conn, found, refused, (undone.number, given))

    return await core.writer.transact(work)


async def _may_answer(core: Core, person: PersonRow) -> None:
    held = await rights(core, person)
    async with core.store.read() as conn:
        known = await conn.run_sync(rows.divisions)
        lists = await league_lists(conn, only_open=False)
    leads = any(held.leads(row.group_id) for row in known)
    if not (held.is_kc or leads or any(may_handle(held, one.id) for one in lists)):
        raise NotAllowed


def _again(
    conn: Connection, old: Plan, refused: set[tuple[int, int]], answered: tuple[int, GrantRow]
) -> int:
    """Compose again with these refusals; earlier grants hold where they are still asked for.

    ``answered``: the answer that led to it, with the team's number if it is a grant.
    """
    answer = answered[1]
    document = json.loads(old.row.entered)
    composed = composed_document(document, refused)
    new = NewPlan(
        season=old.row.season,
        deadline=old.row.deadline,
        entered=old.row.entered,
        composed=json.dumps(composed, ensure_ascii=False),
        by_id=answer.by_id,
        at_us=answer.at_us,
        from_plan=old.row.id,
        refused=json.dumps(sorted(refused)),
        team_entries=old.row.team_entries,
    )
    plan_id = plan_rows.add(conn, new)
    made = plan_in(conn, plan_id)
    assert made is not None
    known = [(line.number, line.grant) for _, lines in old.divisions for line in lines]
    for number, grant in (*known, answered):
        if grant is None or not grant.is_granted:
            continue
        asked = made.asked((grant.club, grant.division))
        if asked is not None and asked.number == number:
            plan_rows.grant(conn, replace(grant, plan_id=plan_id))
    return plan_id
