"""A team entry's fee, permission for two clubs, refusal, withdrawal (§ 6.4.4.1, § 6.7.3).

Each deed locks the entry's list, is recorded with who and when, and told to captain and entrant. No
official handles an entry of his own club, or of his own team. Not for making one (entering.py).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date

from kskak.entries.admission import EntryState
from kskak.league.team_entry import TeamFault, TeamFinding
from kskak.regulation.days import has_been
from mail.office_letters.league_facts import TeamNews
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import team_entries as rows
from server.store.entries.team_entries import SeatRow, TeamEntryRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, may_handle, rights_in
from server.usecases.entries.fee_books import book_fee
from server.usecases.season.entering import TeamRefused, clubs_of
from server.usecases.season.entry_letters import tell_team
from server.usecases.season.judging import book_of, named, season_of

Outcome = TeamEntryRow | TeamRefused
_OVER = TeamRefused((TeamFinding(TeamFault.OVER),))


@dataclass(frozen=True, slots=True)
class _Held:
    """An entry whose list is locked until the transaction ends."""

    conn: AsyncConnection
    row: TeamEntryRow
    seats: tuple[SeatRow, ...]

    @property
    def is_over(self) -> bool:
        """Whether the entry is closed."""
        return self.row.state not in rows.OPEN_STATES


@asynccontextmanager
async def _held(
    core: Core, by: PersonRow, entry_id: int, *, official: bool = True
) -> AsyncIterator[_Held]:
    """Lock an entry. Raises NoSuch if ``by`` may not know of it, NotAllowed if not act on it."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        first = await rows.find(conn, entry_id)
        if first is None:
            raise NoSuch("entry")
        handles = may_handle(held, first.list_id)
        is_own = first.club_id in {club.id for club in await clubs_of(conn, by)}
        if not (handles or is_own or held.is_admin):
            raise NoSuch("entry")
        await list_rows.lock(conn, first.list_id)
        row = await rows.find(conn, entry_id)
        seats = (await rows.seats_of(conn, [entry_id])).get(entry_id, ())
        assert row is not None
        is_party = by.id == row.captain_id or by.id in {seat.person_id for seat in seats}
        acts = (is_own or handles) if not official else handles and not (is_own or is_party)
        if not acts:
            raise NotAllowed
        yield _Held(conn, row, seats)


async def settle(
    core: Core, conn: AsyncConnection, entry_id: int, news: TeamNews | None
) -> TeamEntryRow:
    """Judge an entry again and tell what it lacks; ``news`` None: only if its state changes."""
    row = await rows.find(conn, entry_id)
    assert row is not None
    today = today_of(core)
    season = await season_of(conn, today)
    assert season is not None
    book = await book_of(conn, season, today)
    found = book.findings(row)
    state = EntryState.WAITING if found else EntryState.VALID
    is_new = row.state != state
    await rows.change(conn, entry_id, {"state": state.value})
    row = await rows.find(conn, entry_id)
    assert row is not None
    said = news or (TeamNews.VALID if is_new else None)
    if said is not None:
        await tell_team(core, conn, row, said, named(found, book))
    return row


async def _settle_others(core: Core, held: _Held) -> None:
    """Judge the waiting entries again: the one gone may have stood in their way (§ 6.7.3.2)."""
    for row in await rows.of_season(held.conn, held.row.season, (EntryState.WAITING.value,)):
        await settle(core, held.conn, row.id, None)


async def record_team_fee(core: Core, by: PersonRow, entry_id: int, on: date) -> Outcome:
    """Record the day of the fee, without which the entry is not valid (§ 6.4.4.1).

    Raises NoSuch for a day that has not been.
    """
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return _OVER
        if not has_been(on, today_of(core)):
            raise NoSuch("day")
        if held.row.fee_day is not None:
            return held.row  # recorded before: the first day stands
        values = {"fee_day": on.isoformat(), "fee_by": by.id, "fee_us": core.now_us}
        await rows.change(held.conn, entry_id, values)
        row = await rows.find(held.conn, entry_id)
        of = await list_rows.find(held.conn, held.row.list_id)
        assert row is not None and of is not None
        await book_fee(core, held.conn, of, row, row.club)
        return await settle(core, held.conn, entry_id, TeamNews.FEE)


async def give_leave(core: Core, by: PersonRow, entry_id: int, player: int, reason: str) -> Outcome:
    """Let a player of the team play for two clubs, as leader, with the reason (§ 6.7.3.2).

    Raises NoSuch for anyone not on the team, or without a reason.
    """
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return _OVER
        if player not in {seat.person_id for seat in held.seats}:
            raise NoSuch("player")
        if not reason.strip():
            raise NoSuch("reason")
        values = {"leave_by": by.id, "leave_us": core.now_us, "leave_reason": reason.strip()}
        await rows.change_seat(held.conn, entry_id, player, values)
        return await settle(core, held.conn, entry_id, TeamNews.LEAVE)


async def refuse_team(
    core: Core, by: PersonRow, entry_id: int, paragraph: str, reason: str
) -> Outcome:
    """Refuse a team entry with the paragraph and a reason. Raises NoSuch without them."""
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return _OVER
        if not reason.strip() or not paragraph.strip():
            raise NoSuch("reason")
        told = {"paragraph": paragraph.strip(), "reason": reason.strip()}
        return await _end(core, held, by, EntryState.REFUSED, told)


async def withdraw_team(
    core: Core, by: PersonRow, entry_id: int, *, official: bool = False
) -> Outcome:
    """Withdraw a team entry before its division starts: by the club, or an official for it."""
    async with _held(core, by, entry_id, official=official) as held:
        if held.is_over:
            return _OVER
        return await _end(core, held, by, EntryState.WITHDRAWN, {})


async def _end(
    core: Core, held: _Held, by: PersonRow, state: EntryState, told: dict[str, str]
) -> TeamEntryRow:
    values: dict[str, object] = {**told, "state": state.value}
    values |= {"decided_by": by.id, "decided_us": core.now_us}
    await rows.change(held.conn, held.row.id, values)
    await rows.free_individuals(held.conn, held.row.id)
    row = await rows.find(held.conn, held.row.id)
    assert row is not None
    await tell_team(core, held.conn, row, TeamNews(state.value))
    await _settle_others(core, held)
    return row
