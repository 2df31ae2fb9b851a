"""Next season's divisions, composed from the finished ones here (§ 6.7.5.1).

The score is the percentage in games finished by the entry deadline; ratings are those of the
current players. The teams entered, the outcome with each team's reason, and the dispensations are
stored. Teams come from the clubs' entries, or are entered by hand. Not for the rule
(kskak.league.composition), for answering dispensations (plans.py) nor for starting divisions
(start.py).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from kskak.entries.admission import EntryState
from kskak.game.lawful_days import is_near
from kskak.groups.played import percentage
from kskak.league.composition import compose
from kskak.league.composition_file import FORMAT, compose_json, read_teams
from kskak.league.team_entry import club_key
from kskak.regulation.days import local_day
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.league import divisions as rows
from server.store.league import season_plans as plan_rows
from server.store.league.season_plans import NewPlan
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.in_turn import in_turn
from server.usecases.core.offices import NoSuch, NotAllowed, rights
from server.usecases.league.lineups import current
from server.usecases.league.views import points_in
from server.usecases.season.judging import book_of, season_of


@dataclass(frozen=True, slots=True)
class Candidate:
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


@dataclass(frozen=True, slots=True)
class NewTeam:
    """A team that did not play last season."""

    club: str
    ratings: tuple[int, ...]

    @property
    def document(self) -> dict[str, object]:
        """The team in kskak-compose/1."""
        return {"club": self.club, "last": None, "ratings": list(self.ratings)}


def _candidates(
    conn: Connection, season: int, deadline: date, names: Mapping[int, tuple[str, str]]
) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    divisions = rows.divisions(conn, season)
    ids = [division.group_id for division in divisions]
    teams, games = rows.teams(conn, *ids), rows.games_of(conn, *ids)
    boards = rows.boards(conn, [team.id for team in teams])
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
    entered: tuple[Sequence[str], Sequence[NewTeam]],
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
    teams = [known[key].document for key in keys] + [team.document for team in new]
    return await _compose(core, person, (season + 1, deadline), teams, None)


@in_turn
async def compose_entered(core: Core, person: PersonRow, deadline: date | None = None) -> int:
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
        ratings = tuple(book.rating(seat) for seat in book.seats[row.id])
        back = known.get(str(row.continues))
        is_back = back is not None and club_key(back.club) == club_key(row.club)
        new = NewTeam(row.club, ratings).document
        teams.append({**back.document, **_now(new)} if back and is_back else new)
    ids = [row.id for row in valid]
    return await _compose(core, person, (season.year, day), teams, ids)


def _now(new: Mapping[str, object]) -> dict[str, object]:
    """Name and ratings as entered, for a returning team that keeps its score."""
    return {name: new[name] for name in ("club", "ratings")}


async def _compose(
    core: Core,
    person: PersonRow,
    about: tuple[int, date],
    teams: Sequence[Mapping[str, object]],
    entries: Sequence[int] | None,
) -> int:
    season, deadline = about
    document: dict[str, object] = {"format": FORMAT, "teams": list(teams)}
    try:
        composed = composed_document(document)
    except ValueError as error:
        raise NoSuch(str(error)) from error
    plan = NewPlan(
        season=season,
        deadline=deadline.isoformat(),
        entered=json.dumps(document, ensure_ascii=False),
        composed=json.dumps(composed, ensure_ascii=False),
        by_id=person.id,
        at_us=core.now_us,
        team_entries=None if entries is None else json.dumps(list(entries)),
    )
    return await core.writer.transact(lambda conn: plan_rows.add(conn, plan))
