"""What prevents the removal of an account, and the removal itself.

Ledgers, results, ratings and names in tables stay: they belong to the tournaments. Not for what is
removed long after a tournament (retention.py), whose rules apply to the rest.
"""

from dataclasses import dataclass

from sqlalchemy import and_, delete, func, or_, select, update

from server.store.account.retention import forget_contacts
from server.store.engine.connection import AsyncConnection
from server.store.entries.of_players import OPEN_STATES
from server.store.mail.outbox import OutboxState
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables.all_tables import metadata
from server.store.tables.base import (
    confirmations,
    games,
    groups,
    idempotency,
    inbox,
    outbox,
    people,
    seats,
)
from server.store.tables.cases import cases, offices, publications
from server.store.tables.entries import entries, entry_lists
from server.store.tables.league import league_reserves
from server.store.tables.team_entries import team_entries

SUBSCRIPTIONS = ("bulletin_readers", "club_admins")
"""Tables whose rows are removed with the account, besides those of ``forget_contacts``."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a person is still needed for. ``objections_until``: an ISO day not yet past."""

    games: tuple[GameRow, ...]
    cases: int
    objections_until: str | None
    offices: int
    entries: int

    @property
    def is_free(self) -> bool:
        """Whether nothing prevents removal."""
        counted = len(self.games) + self.cases + self.offices + self.entries
        return counted == 0 and self.objections_until is None


async def standing(conn: AsyncConnection, person_id: int, today: str, now_us: int) -> Standing:
    """What prevents removal on a day (ISO)."""
    seated = select(seats.c.group_id).where(seats.c.person_id == person_id)
    own = select(games.c.id).where(
        or_(games.c.white_id == person_id, games.c.black_id == person_id)
    )
    about = or_(cases.c.person_id == person_id, cases.c.game_id.in_(own), cases.c.game_id.is_(None))
    disputes = select(func.count()).select_from(cases)
    disputes = disputes.where(cases.c.closed_us.is_(None), cases.c.group_id.in_(seated), about)
    until = select(func.max(publications.c.objections_until)).where(
        publications.c.group_id.in_(seated), publications.c.objections_until >= today
    )
    waits = select(func.count()).select_from(entries)
    waits = waits.where(entries.c.person_id == person_id, entries.c.state.in_(OPEN_STATES))
    teams = select(func.count()).select_from(team_entries)
    teams = teams.where(
        team_entries.c.captain_id == person_id, team_entries.c.state.in_(OPEN_STATES)
    )
    return Standing(
        games=await game_rows.of_person(conn, person_id, running=True),
        cases=int((await conn.execute(disputes)).scalar_one()),
        objections_until=(await conn.execute(until)).scalar_one(),
        offices=await _offices(conn, person_id, now_us),
        entries=sum([int((await conn.execute(query)).scalar_one()) for query in (waits, teams)]),
    )


async def _offices(conn: AsyncConnection, person_id: int, now_us: int) -> int:
    """Offices held, running games in groups led, open lists led, and a role beyond player."""
    lasts = or_(offices.c.to_us.is_(None), offices.c.to_us > now_us)
    held = select(func.count()).select_from(offices)
    held = held.where(offices.c.person_id == person_id, lasts)
    led = select(func.count()).select_from(groups.join(games, games.c.group_id == groups.c.id))
    led = led.where(groups.c.tl_id == person_id, games.c.result.is_(None))
    lists = select(func.count()).select_from(entry_lists)
    lists = lists.where(entry_lists.c.leader_id == person_id, entry_lists.c.is_open)
    role = select(func.count()).select_from(people)
    role = role.where(people.c.id == person_id, people.c.role != "player")
    queries = (held, led, lists, role)
    return sum([int((await conn.execute(query)).scalar_one()) for query in queries])


async def forget(conn: AsyncConnection, person_id: int) -> None:
    """Remove contact data, mails, credentials and subscriptions; needs one transaction."""
    await forget_contacts(conn, [person_id])
    mine = update(people).where(people.c.id == person_id)
    await conn.execute(mine.values(email_proved_us=None, citizen=None))
    came = update(inbox).where(inbox.c.person_id == person_id)
    await conn.execute(came.values(raw=b"", mail_from="", rcpt_to="", peer="", note=None))
    went = update(outbox).where(outbox.c.person_id == person_id)
    await conn.execute(went.values(raw=None, to_addr="", params="{}"))
    unsent = and_(outbox.c.person_id == person_id, outbox.c.state == OutboxState.QUEUED.value)
    await conn.execute(update(outbox).where(unsent).values(state=OutboxState.DEAD.value))
    reserve = update(league_reserves).where(league_reserves.c.person_id == person_id)
    await conn.execute(reserve.values(email=""))
    kept = [metadata.tables[name] for name in SUBSCRIPTIONS]
    for table in (confirmations, idempotency, *kept):
        await conn.execute(delete(table).where(table.c.person_id == person_id))
