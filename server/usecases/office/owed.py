"""What is owed and by whom: fees not received, deposits held, prizes to be sent (§ 6.1.2, § 6.4.3).

Read from entries, cases and publications each time; none of it is in the books before it moves.
Not for the accounts themselves (books.py).
"""

from dataclasses import dataclass
from enum import StrEnum

from kskak.entries.admission import EntryState
from kskak.office.year_account import open_deposits
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import of_players, team_entries
from server.store.office import books as rows
from server.usecases.core.case_record import readable_events


class Owing(StrEnum):
    """Who owes what: the first to us, the others by us."""

    FEE = "fee"
    DEPOSIT_HELD = "deposit_held"
    DEPOSIT_DUE = "deposit_due"
    PRIZES = "prizes"


@dataclass(frozen=True, slots=True)
class Owed:
    """Something owed. ``ore`` None: not stated; ``path``: where it is dealt with."""

    what: Owing
    party: str
    of: str
    ore: int | None
    path: str

    @property
    def is_ours(self) -> bool:
        """Whether it is we who owe it, or may come to."""
        return self.what is not Owing.FEE


async def owed_in(conn: AsyncConnection) -> tuple[Owed, ...]:
    """All that is owed: to us first, then by us. A fixed number of queries."""
    return (*await _fees(conn), *await _deposits(conn), *await _prizes(conn))


async def _fees(conn: AsyncConnection) -> list[Owed]:
    lists = {row.id: row for row in await list_rows.everything(conn, only_open=False)}
    waiting = EntryState.WAITING.value
    players = await of_players.on_lists(conn, None, [waiting])
    found = [
        Owed(Owing.FEE, row.player, row.list_name, lists[row.list_id].fee, "/desk/entries")
        for row in players
        if not row.fee_day
    ]
    teams = await team_entries.waiting(conn)
    return found + [
        Owed(
            Owing.FEE,
            row.club,
            lists[row.list_id].name,
            lists[row.list_id].fee,
            "/desk/team-entries",
        )
        for row in teams
        if not row.fee_day
    ]


async def _deposits(conn: AsyncConnection) -> list[Owed]:
    events: dict[str, list[rows.CaseEventOf]] = {}
    for row in await rows.deposit_events(conn):
        events.setdefault(row.number, []).append(row)
    held = {number: open_deposits(readable_events(of_case)) for number, of_case in events.items()}
    names = await rows.names_of(conn, {one.person for some in held.values() for one in some})
    return [
        Owed(
            Owing.DEPOSIT_DUE if one.is_due else Owing.DEPOSIT_HELD,
            names.get(one.person, "?"),
            number,
            one.ore,
            f"/desk/cases/{number}",
        )
        for number, some in held.items()
        for one in some
    ]


async def _prizes(conn: AsyncConnection) -> list[Owed]:
    return [
        Owed(Owing.PRIZES, "", row.group, None, "/desk/kc/economy#prizes")
        for row in await rows.prizes_open(conn)
    ]
