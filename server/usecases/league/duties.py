"""The league's dated duty: schedule and line-ups to the captains before the start (§ 6.7.4.2).

The players' start and first-move letters go out with them, so that a change of boards before that
day disturbs nobody. Not for what the letters say (mail.office_letters.league).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import Connection

from mail.office_letters.league_facts import LeagueWord
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.league import desk as desk_rows
from server.store.league import divisions as rows
from server.store.league.desk import ReserveRow
from server.store.league.divisions import TeamRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.usecases.core.context import Core, poster_of, today_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.groups.start_common import start_letters


async def is_due(core: Core) -> bool:
    """Whether any division's letters are due."""
    return bool(await _waiting(core))


async def _waiting(core: Core) -> tuple[int, ...]:
    today = today_of(core).isoformat()
    async with core.store.read() as conn:
        return await conn.run_sync(rows.letters_waiting, today)


async def daily(core: Core) -> None:
    """Send what is due, once, at whatever hour the poller runs."""
    for group_id in await _waiting(core):
        async with core.store.deciding() as conn:
            division = await conn.run_sync(rows.division, group_id)
            if division is not None and division.letters_us is None:
                await send_letters(core, conn, group_id)


async def send_letters(core: Core, conn: AsyncConnection, group_id: int) -> None:
    """Send schedule and line-ups to captains and leader, start letters to the players."""
    group = await group_rows.find(conn, group_id)
    assert group is not None
    seats = await group_rows.seats_of(conn, group_id)
    games = await game_rows.of_group(conn, group_id)
    teams = await conn.run_sync(rows.teams, group_id)
    poster, unique = poster_of(core), f"{group.name}.{core.now_us}"
    told = dict.fromkeys([*(team.captain_id for team in teams), group.tl_id])
    params: dict[str, object] = {"group": group_id}
    letters = [poster.to_person(Kind.LEAGUE_SCHEDULE, p, unique, params) for p in told]
    letters += start_letters(core, group.name, [seat.person_id for seat in seats], games)
    await outbox_rows.enqueue(conn, letters)
    await conn.run_sync(lambda c: rows.set_division(c, group_id, letters_us=core.now_us))


@dataclass(frozen=True, slots=True)
class LeagueDuties:
    """League work awaiting a leader: reserves to judge, letters with their day."""

    reserves: tuple[tuple[ReserveRow, str, str], ...]
    letters: tuple[tuple[str, date], ...]

    @property
    def count(self) -> int:
        """How many."""
        return len(self.reserves) + len(self.letters)


def waiting_for(conn: Connection, groups: Iterable[int] | None) -> LeagueDuties:
    """What awaits the leader of these groups; None: of all. Reserves come with group and club."""
    own = None if groups is None else frozenset(groups)
    asked: list[tuple[ReserveRow, str, str]] = []
    for row in desk_rows.waiting(conn, own):
        team = rows.team(conn, row.team_id)
        assert team is not None
        asked.append((row, desk_rows.group_of(conn, team.group_id)[0], team.club))
    letters = [
        (desk_rows.group_of(conn, row.group_id)[0], date.fromisoformat(row.letters_on))
        for row in rows.divisions(conn)
        if row.letters_us is None and (own is None or row.group_id in own)
    ]
    return LeagueDuties(tuple(asked), tuple(letters))


@dataclass(frozen=True, slots=True)
class Told:
    """What happened to a team; ``unique`` distinguishes it from others of its kind."""

    team: TeamRow
    word: LeagueWord
    unique: str
    text: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


def league_letters(core: Core, told: Told, people: Iterable[int]) -> list[NewOutbox]:
    """One letter to each person named, even if named twice."""
    poster = poster_of(core)
    params: dict[str, object] = {"team": told.team.id, "word": told.word.value, "text": told.text}
    params |= told.values
    unique = f"{told.team.id}.{told.unique}"
    return [
        poster.to_person(Kind.LEAGUE, person, unique, params) for person in dict.fromkeys(people)
    ]
