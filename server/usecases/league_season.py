"""Next season's divisions, composed from the finished ones here (§ 6.7.5.1).

The score is the percentage in games finished by the entry deadline; ratings are those of who
plays now. What was entered, what came out with each team's reason, and the dispensations are
kept. Not for the rule (kskak.compose) nor for starting divisions (start_league.py).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from kskak.compose import compose
from kskak.compose_in import FORMAT, read_teams
from kskak.compose_out import compose_json
from kskak.days import local_day
from kskak.played import percentage
from server.store import groups as group_rows
from server.store import league as rows
from server.store import league_plans as plan_rows
from server.store.instants import from_us
from server.store.league_plans import GrantRow, NewPlan, PlanRow
from server.store.people import PersonRow
from server.usecases.core import Core
from server.usecases.league_lineups import current
from server.usecases.league_views import points_in
from server.usecases.offices import NoSuch, NotAllowed, rights

_RATINGS = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A team of the last season: its score at the deadline and its players' ratings now.

    ``key`` tells it from others, as two teams of a club may be in groups of the 3rd division.
    """

    key: str
    club: str
    last: int
    group: str
    score: Fraction | None
    finished: int
    games: int
    ratings: tuple[int, ...]

    @property
    def document(self) -> dict[str, object]:
        """As kskak-compose/1 has it; a team without a finished game has scored nothing."""
        score = self.score or Fraction(0)
        shown = int(score) if score.denominator == 1 else round(float(score), 4)
        return {
            "club": self.club,
            "last": self.last,
            "group": self.group,
            "score": shown,
            "ratings": list(self.ratings),
        }


@dataclass(frozen=True, slots=True)
class NewTeam:
    """A team that did not play last season."""

    club: str
    ratings: tuple[int, ...]

    @property
    def document(self) -> dict[str, object]:
        """As kskak-compose/1 has it."""
        return {"club": self.club, "last": None, "ratings": list(self.ratings)}


def _candidates(
    conn: Connection, season: int, deadline: date, names: Mapping[int, tuple[str, str]]
) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for division in rows.divisions(conn, season):
        group, zone = names[division.group_id]
        games = rows.games_of(conn, division.group_id)
        for team in rows.teams(conn, division.group_id):
            own = [game for game in games if team.id in (game.white_team, game.black_team)]
            done = [
                game
                for game in own
                if game.ended_us is not None and local_day(from_us(game.ended_us), zone) <= deadline
            ]
            seats = current(rows.boards(conn, [team.id]), team.id)
            found.append(
                Candidate(
                    key=f"{team.id}",
                    club=team.club,
                    last=division.division,
                    group=group,
                    score=percentage(points_in(done, team.id), len(done)),
                    finished=len(done),
                    games=len(own),
                    ratings=tuple(seat.rating for seat in seats),
                )
            )
    return tuple(found)


async def candidates(core: Core, season: int, deadline: date) -> tuple[Candidate, ...]:
    """The teams of a season as they stood on the entry deadline (§ 6.7.5.1)."""
    async with core.store.read() as conn:
        groups = await group_rows.everything(conn)
        names = {group.id: (group.name, group.zone) for group in groups}
        return await conn.run_sync(_candidates, season, deadline, names)


async def last_season(core: Core) -> int | None:
    """The newest season here."""
    async with core.store.read() as conn:
        known = await conn.run_sync(rows.divisions)
    return known[0].season if known else None


async def _controller(core: Core, person: PersonRow) -> None:
    if not (await rights(core, person)).is_kc:
        raise NotAllowed


async def compose_season(
    core: Core,
    person: PersonRow,
    season: int,
    deadline: date,
    entered: tuple[Sequence[str], Sequence[NewTeam]],
) -> int:
    """Compose and keep; the plan's id. ``season`` is the last one, ``entered`` keys and new teams.

    Raises NotAllowed for who is not the controller, NoSuch for a key or team that can't be.
    """
    await _controller(core, person)
    known = {one.key: one for one in await candidates(core, season, deadline)}
    keys, new = entered
    if not set(keys) <= known.keys():
        raise NoSuch("teams")
    teams = [known[key].document for key in keys] + [team.document for team in new]
    document: dict[str, object] = {"format": FORMAT, "teams": teams}
    try:
        composed = compose_json(compose(read_teams(document)))
    except ValueError as error:
        raise NoSuch(str(error)) from error
    plan = NewPlan(
        season=season + 1,
        deadline=deadline.isoformat(),
        entered=json.dumps(document, ensure_ascii=False),
        composed=json.dumps(composed, ensure_ascii=False),
        by_id=person.id,
        at_us=core.now_us,
    )
    return await core.writer.transact(lambda conn: plan_rows.add(conn, plan))


@dataclass(frozen=True, slots=True)
class Line:
    """A team in a plan: the reason for its place, what it rests on, the dispensation if asked."""

    club: str
    by: str
    last: int | None
    score: str
    mean: Fraction
    needs_grant: bool
    grant: GrantRow | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as read: each division with its number; the third in its groups."""

    row: PlanRow
    divisions: tuple[tuple[int, tuple[Line, ...]], ...]

    @property
    def open_grants(self) -> int:
        """Dispensations that nobody has answered."""
        return sum(
            line.needs_grant and line.grant is None for _, lines in self.divisions for line in lines
        )


async def plan(core: Core, plan_id: int) -> Plan | None:
    """A plan by id."""
    async with core.store.read() as conn:
        row = await conn.run_sync(plan_rows.find, plan_id)
        grants = await conn.run_sync(plan_rows.grants, plan_id)
    return None if row is None else _read(row, grants)


def _read(row: PlanRow, grants: Sequence[GrantRow]) -> Plan:
    entered = json.loads(row.entered)["teams"]
    composed = json.loads(row.composed)
    asked = {(one["club"], one["division"]) for one in composed["dispensations"]}
    answered = {(one.club, one.division): one for one in grants}
    left = list(entered)

    def line(placed: Mapping[str, str], division: int) -> Line:
        club = placed["club"]
        team = next(one for one in left if one["club"] == club and _fits(one, placed["by"]))
        left.remove(team)
        score = team.get("score")
        return Line(
            club=club,
            by=placed["by"],
            last=team["last"],
            score="" if score is None else f"{score:g}",
            mean=Fraction(sum(team["ratings"]), _RATINGS),
            needs_grant=(club, division) in asked and "dispensation" in placed["by"],
            grant=answered.get((club, division)),
        )

    first, second = (composed["divisions"][name] for name in ("1", "2"))
    parts = [(1, first), (2, second), *((3, group) for group in composed["divisions"]["3"])]
    return Plan(
        row,
        tuple((number, tuple(line(one, number) for one in part)) for number, part in parts),
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


async def answer_grant(
    core: Core, person: PersonRow, plan_id: int, team: tuple[str, int], answer: tuple[bool, str]
) -> None:
    """Grant or refuse a dispensation, with the reason (§ 6.7.5.1). ``team``: club and division.

    Raises NotAllowed for who neither is controller nor leads a division, NoSuch.
    """
    held = await rights(core, person)
    known = await core.store.look(rows.divisions)
    if not held.is_kc and not any(held.leads(row.group_id) for row in known):
        raise NotAllowed
    found = await plan(core, plan_id)
    asked = found is not None and any(
        line.needs_grant and (line.club, number) == team
        for number, lines in found.divisions
        for line in lines
    )
    if not asked:
        raise NoSuch("dispensation")
    row = GrantRow(plan_id, *team, answer[0], answer[1], person.id, core.now_us)
    await core.writer.transact(lambda conn: plan_rows.grant(conn, row))
