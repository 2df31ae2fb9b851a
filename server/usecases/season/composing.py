"""Next season's divisions, composed from the finished ones here (§ 6.7.5.1).

The score is the percentage in games finished by the entry deadline; ratings are those of the
current players. The teams entered, the outcome with each team's reason, and the dispensations are
stored. Teams come from the clubs' entries, or are entered by hand. Not for the rule
(kskak.league.composition), for answering dispensations (below) nor for starting divisions
(season_start.py).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import chain
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection

from kskak.entries.entry import EntryState
from kskak.game.game_commands import is_near
from kskak.groups.placing import percentage
from kskak.league.composition import (
    BY_LEADER,
    FORMAT,
    PlacementReason,
    compose,
    compose_json,
    read_teams,
)
from kskak.league.lineups import has_club_ended, is_team_of
from kskak.regulation.days import local_day
from kskak.regulation.editions import LEAGUE
from server.store import divisions as division_rows
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.divisions import GrantRow, PlanRow
from server.store.engine.rows import from_us
from server.store.play.people import PersonRow
from server.usecases.context import Core, in_turn, today_of
from server.usecases.league.division_start import current
from server.usecases.league.divisions import points_in
from server.usecases.league.reserves import NothingToDo
from server.usecases.rights import NoSuch, NotAllowed, may_handle, rights
from server.usecases.season.season_views import league_lists
from server.usecases.season.team_entering import book_of, season_of


@dataclass(frozen=True, slots=True)
class CompositionCandidate:
    """A team of the last season: its score at the deadline and its players' ratings now.

    ``key`` identifies it, since two teams of a club may be in groups of the 3rd division.
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
        """The team in kskak-compose/1; without a finished game its score is 0."""
        score = self.score or Fraction(0)
        shown = int(score) if score.denominator == 1 else round(float(score), 4)
        return {
            "club": self.club,
            "last": self.last,
            "group": self.group,
            "score": shown,
            "ratings": list(self.ratings),
        }


Newcomer = tuple[str, Sequence[int]]
"""A team that did not play last season: its club and its players' ratings."""


def _candidates(
    conn: Connection, season: int, deadline: date, names: Mapping[int, tuple[str, str]]
) -> tuple[CompositionCandidate, ...]:
    found: list[CompositionCandidate] = []
    divisions = division_rows.divisions(conn, season)
    ids = [division.group_id for division in divisions]
    teams, games = division_rows.teams(conn, *ids), division_rows.list_division_games(conn, *ids)
    boards = division_rows.boards(conn, [team.id for team in teams])
    for division in divisions:
        group, zone = names[division.group_id]
        for team in (one for one in teams if one.group_id == division.group_id):
            own = [game for game in games if team.id in (game.white_team, game.black_team)]
            done = [
                game
                for game in own
                if game.ended_us is not None and local_day(from_us(game.ended_us), zone) <= deadline
            ]
            seats = current(boards, team.id)
            found.append(
                CompositionCandidate(
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


async def candidates(core: Core, season: int, deadline: date) -> tuple[CompositionCandidate, ...]:
    """The teams of a season as they stood on the entry deadline, of clubs that last (§ 6.7.5.1)."""
    async with core.store.read() as conn:
        groups = await group_rows.everything(conn)
        names = {group.id: (group.name, group.zone) for group in groups}
        found = await conn.run_sync(_candidates, season, deadline, names)
        ended = await member_rows.list_ended_clubs(conn)
    return tuple(one for one in found if not has_club_ended(one.club, ended))


async def last_season(core: Core) -> int | None:
    """The newest season here."""
    known = await core.store.look(division_rows.divisions)
    return known[0].season if known else None


async def _controller(core: Core, person: PersonRow) -> None:
    if not (await rights(core, person)).is_kc:
        raise NotAllowed


def _check(deadline: date, today: date) -> None:
    if not is_near(deadline, today):
        raise NoSuch("deadline")


def composed_document(
    document: Mapping[str, object], refused: Iterable[tuple[int, int]] = ()
) -> dict[str, object]:
    """The divisions from a kskak-compose/1 document, each team with its number and its reason.

    Raises ValueError for a document that can't be composed.
    """
    return compose_json(compose(read_teams(document), frozenset(refused)))


@in_turn
async def compose_season(
    core: Core,
    person: PersonRow,
    season: int,
    deadline: date,
    entered: tuple[Sequence[str], Sequence[Newcomer]],
) -> int:
    """Compose and store; the plan's id. ``season``: the last one; ``entered``: keys and new teams.

    Raises NotAllowed for anyone but the controller, NoSuch for an invalid key or team, and for a
    deadline more than a year away.
    """
    await _controller(core, person)
    _check(deadline, today_of(core))
    known = {one.key: one for one in await candidates(core, season, deadline)}
    keys, new = entered
    if not set(keys) <= known.keys():
        raise NoSuch("teams")
    teams = [known[key].document for key in keys]
    teams += [{"club": club, "last": None, "ratings": list(ratings)} for club, ratings in new]
    return await _compose(core, person, (season + 1, deadline), teams, None)


@in_turn
async def compose_open_season(core: Core, person: PersonRow, deadline: date | None = None) -> int:
    """Compose the season now open for entry, from its valid entries; the plan's id.

    Scores are as of the deadline, the year plan's unless another is given; ratings are those of
    the entered players. Raises NotAllowed, and NoSuch where no entry is valid, or for a deadline
    more than a year away.
    """
    await _controller(core, person)
    today = today_of(core)
    _check(deadline or today, today)
    async with core.store.read() as conn:
        season = await season_of(conn, today)
        if season is None:
            raise NoSuch("season")
        book = await book_of(conn, season, today)
    valid = [row for row in book.entries if row.state == EntryState.VALID]
    if not valid:
        raise NoSuch("entries")
    day = deadline or season.deadline or today
    last = max((one.season for one in book.last.values()), default=season.year - 1)
    known = {one.key: one for one in await candidates(core, last, day)}
    teams = []
    for row in valid:
        now: dict[str, object] = {
            "club": row.club,
            "ratings": [book.rating(seat) for seat in book.seats[row.id]],
        }
        back = known.get(str(row.continues))
        is_back = back is not None and is_team_of(back.club, row.club)
        # A returning team keeps its score; name and ratings are those entered.
        teams.append((back.document if back and is_back else {"club": "", "last": None}) | now)
    ids = [row.id for row in valid]
    return await _compose(core, person, (season.year, day), teams, ids)


async def _compose(
    core: Core,
    person: PersonRow,
    about: tuple[int, date],
    teams: Sequence[Mapping[str, object]],
    entries: Sequence[int] | None,
) -> int:
    season, deadline = about
    document: dict[str, object] = {"format": FORMAT, "teams": list(teams)}

    def work(conn: Connection) -> int:
        try:
            return _store_plan(
                conn, json.dumps(document, ensure_ascii=False), None, season=season,
                deadline=deadline.isoformat(), by_id=person.id, at_us=core.now_us,
                team_entries=None if entries is None else json.dumps(list(entries)),
            )  # fmt: skip
        except ValueError as error:
            raise NoSuch(str(error)) from error

    return await core.writer.transact(work)


def _store_plan(
    conn: Connection, entered: str, refused: Collection[tuple[int, int]] | None, **about: object
) -> int:
    """Compose and store; the plan's id. ValueError for teams that can't be composed."""
    composed = composed_document(json.loads(entered), refused or ())
    stored = {
        "entered": entered,
        "composed": json.dumps(composed, ensure_ascii=False),
        "refused": None if refused is None else json.dumps(sorted(refused)),
    }
    return division_rows.add_plan(conn, stored | about)


# A plan of next season as shown, and the leader's dispensations for it (§ 6.7.5.1).


@dataclass(frozen=True, slots=True)
class SeasonPlanLine:
    """A team in a plan: the reason for its place, what it rests on, the dispensation if asked.

    ``entry``: the club's entry, None where the team was written by hand; ``ways``: the places that
    the leader can give a team without one, each division with its reason.
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
    ways: tuple[Mapping[str, Any], ...] = ()

    @property
    def strength(self) -> tuple[float, Fraction]:
        """By what § 6.7.5.1 tells teams apart: score, then mean rating."""
        return float(self.score or 0), self.mean

    def is_qualified(self, division: int) -> bool:
        """Whether it has qualified for the 1st or 2nd division (§ 6.7.5.1)."""
        if division == 1:
            return self.by == PlacementReason.SECOND_FROM_FIRST
        lowest = {1: 0, 2: LEAGUE.stay, 3: LEAGUE.rise}
        return self.last is not None and self.strength[0] >= lowest[self.last]

    def has_way(self, club: str, division: int) -> bool:
        """Whether it is the club's, and the leader can give it a place in the division."""
        return self.club == club and any(way["division"] == division for way in self.ways)


@dataclass(frozen=True, slots=True)
class NotGiven:
    """A refused dispensation: the team, the division, the answer with its reason."""

    number: int
    club: str
    division: int
    answer: GrantRow | None


@dataclass(frozen=True, slots=True)
class SeasonPlanView:
    """A plan as shown: each division with its number; the third in its groups.

    ``refused``: refused dispensations that led to it; ``next_id``: the plan that has replaced it;
    ``unplaced``: teams that no division has room for (§ 6.7.3.3), or alone in theirs.
    """

    row: PlanRow
    divisions: tuple[tuple[int, tuple[SeasonPlanLine, ...]], ...]
    refused: tuple[NotGiven, ...] = ()
    next_id: int | None = None
    unplaced: tuple[SeasonPlanLine, ...] = ()

    def cut(self, division: int) -> tuple[SeasonPlanLine, SeasonPlanLine] | None:
        """The weakest team in a division by right, and the strongest qualified one left out."""
        right = [line for n, part in self.divisions if n == division for line in part]
        below = [line for n, part in self.divisions if n > division for line in part]
        inside = [line for line in right if not line.needs_grant]
        out = [line for line in below if line.is_qualified(division)]
        if not inside or not out or division > 2:
            return None
        strength = attrgetter("strength")
        return min(inside, key=strength), max(out, key=strength)

    @property
    def asking(self) -> tuple[tuple[str, int], ...]:
        """The clubs and divisions of the dispensations that nobody has answered."""
        return tuple(
            (line.club, number)
            for number, lines in self.divisions
            for line in lines
            if line.needs_grant and line.grant is None
        )

    @property
    def open_grants(self) -> int:
        """How many they are."""
        return len(self.asking)

    def asked(self, team: tuple[str, int]) -> SeasonPlanLine | None:
        """The team of a club whose dispensation for a division is asked for."""
        club, division = team
        lines = (line for number, part in self.divisions if number == division for line in part)
        return next((line for line in lines if line.needs_grant and line.club == club), None)


async def plan(core: Core, plan_id: int) -> SeasonPlanView | None:
    """A plan by id."""
    return await core.store.look(lambda conn: plan_in(conn, plan_id))


def plan_in(conn: Connection, plan_id: int) -> SeasonPlanView | None:
    """The same within a transaction."""
    row = division_rows.find_plan(conn, plan_id)
    if row is None:
        return None
    entered = json.loads(row.entered)["teams"]
    refused = tuple(
        NotGiven(number, str(entered[number - 1]["club"]), division, None)
        for number, division in json.loads(row.refused or "[]")
    )
    return replace(
        _read(row, division_rows.grants(conn, plan_id)),
        refused=_answered(conn, row, refused),
        next_id=division_rows.next_plan(conn, plan_id),
    )


def _answered(conn: Connection, row: PlanRow, refused: Sequence[NotGiven]) -> tuple[NotGiven, ...]:
    """The refusals with who made them and why, which is stored with the earlier plans."""
    found: dict[tuple[str, int], GrantRow] = {}
    earlier = row.from_plan
    while refused and earlier is not None:
        for answer in division_rows.grants(conn, earlier):
            if not answer.is_granted:
                found.setdefault((answer.club, answer.division), answer)
        before = division_rows.find_plan(conn, earlier)
        earlier = None if before is None else before.from_plan
    return tuple(replace(one, answer=found.get((one.club, one.division))) for one in refused)


def _read(row: PlanRow, grants: Sequence[GrantRow]) -> SeasonPlanView:
    entered = json.loads(row.entered)["teams"]
    entries = json.loads(row.team_entries) if row.team_entries else [None] * len(entered)
    composed = json.loads(row.composed)
    asked = {(one["club"], one["division"]) for one in composed["dispensations"]}
    answered = {(one.club, one.division): one for one in grants}

    def line(placed: Mapping[str, Any], division: int) -> SeasonPlanLine:
        club, by = str(placed["club"]), str(placed["by"])
        number: int = placed["team"]
        team = entered[number - 1]
        score = team.get("score")
        return SeasonPlanLine(
            number=number,
            club=club,
            by=by,
            last=team["last"],
            score="" if score is None else f"{score:g}",
            mean=Fraction(sum(team["ratings"]), LEAGUE.boards),
            needs_grant=(club, division) in asked and by in BY_LEADER,
            grant=answered.get((club, division)),
            entry=entries[number - 1],
            ways=tuple(placed.get("ways", ())),
        )

    first, second = (composed["divisions"][name] for name in ("1", "2"))
    parts = [(1, first), (2, second), *((3, group) for group in composed["divisions"]["3"])]
    return SeasonPlanView(
        row,
        tuple((number, tuple(line(one, number) for one in part)) for number, part in parts),
        unplaced=tuple(line(one, 3) for one in composed.get("unplaced", ())),
    )


async def plans(core: Core) -> tuple[PlanRow, ...]:
    """Every plan, the newest first."""
    return await core.store.look(division_rows.list_plans)


@in_turn
async def answer_grant(
    core: Core, person: PersonRow, plan_id: int, team: tuple[str, int], answer: tuple[bool, str]
) -> int:
    """Grant or refuse a dispensation, with the reason (§ 6.7.5.1). ``team``: club and division.

    A refusal, or a grant of what was refused before or to a team without a place, composes again.
    Returns the id of the plan now in force. Raises NotAllowed for anyone but the controller and the
    leaders of a division or the league's list, NoSuch, and NothingToDo for a plan that has been
    replaced.
    """
    await _may_answer(core, person)

    def work(conn: Connection) -> int:
        row = division_rows.find_plan(conn, plan_id, lock=True)
        found = None if row is None else plan_in(conn, plan_id)
        if found is None:
            raise NoSuch("plan")
        if found.next_id is not None:
            raise NothingToDo
        asked = found.asked(team)
        refused = {(one.number, one.division) for one in found.refused}
        given = GrantRow(plan_id, *team, answer[0], answer[1], person.id, core.now_us)
        if asked is not None:
            division_rows.add_grant(conn, given)
            if answer[0]:
                return plan_id
            return _again(conn, found, refused | {(asked.number, team[1])}, (0, given))
        names = (one.number for one in found.refused if (one.club, one.division) == team)
        without = (line.number for line in found.unplaced if line.has_way(*team))
        number = next(chain(names, without), None)
        if number is None or not answer[0]:
            raise NoSuch("dispensation")
        return _again(conn, found, refused - {(number, team[1])}, (number, given))

    return await core.writer.transact(work)


async def _may_answer(core: Core, person: PersonRow) -> None:
    held = await rights(core, person)
    async with core.store.read() as conn:
        known = await conn.run_sync(division_rows.divisions)
        lists = await league_lists(conn, only_open=False)
    leads = any(held.leads(row.group_id) for row in known)
    if not (held.is_kc or leads or any(may_handle(held, one.id) for one in lists)):
        raise NotAllowed


def _again(
    conn: Connection,
    old: SeasonPlanView,
    refused: set[tuple[int, int]],
    answered: tuple[int, GrantRow],
) -> int:
    """Compose again with these refusals; earlier grants hold where they are still asked for.

    ``answered``: the answer that led to it, with the team's number if it is a grant.
    """
    answer, row = answered[1], old.row
    document = json.loads(row.entered)
    if answered[0] in {line.number for line in old.unplaced}:
        document["teams"][answered[0] - 1]["granted"] = answer.division
    entered = json.dumps(document, ensure_ascii=False)
    plan_id = _store_plan(
        conn, entered, refused, season=row.season, deadline=row.deadline,
        by_id=answer.by_id, at_us=answer.at_us, from_plan=row.id, team_entries=row.team_entries,
    )  # fmt: skip
    made = plan_in(conn, plan_id)
    assert made is not None
    known = [(line.number, line.grant) for _, lines in old.divisions for line in lines]
    for number, grant in (*known, answered):
        if grant is None or not grant.is_granted:
            continue
        asked = made.asked((grant.club, grant.division))
        if asked is not None and asked.number == number:
            division_rows.add_grant(conn, replace(grant, plan_id=plan_id))
    return plan_id
