"""What happens to an entry: fee, proof, discretion, refusal, withdrawal (§ 6.4.4.1, § 6.5.3.2 e).

Each deed locks the entry's list, is recorded with who and when, is reported to the player, and
starts the class's next group if that makes 7 valid entries. Nobody handles their own entry. Not for
making an entry (player_entering.py).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from kskak.entries.entry import (
    EntryFault,
    EntryProblem,
    EntryRefusal,
    EntryState,
    Signature,
    discretion_for,
)
from kskak.office.books import BookEntry, EntryKind
from kskak.regulation.days import has_been
from mail.office_letters.entry_letters import EntryNews
from server.store import books as book_rows
from server.store import player_entries as entry_rows
from server.store.engine.connection import AsyncConnection
from server.store.play.people import PersonRow
from server.store.player_entries import OPEN_STATES, EntryRow, ListRow, NewEntryRuling
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_judging import judge_stored_entry, read_wish
from server.usecases.entries.entry_letter_facts import notify_player
from server.usecases.entries.next_group import start_all, start_next
from server.usecases.groups.group_file import StartedGroup
from server.usecases.office.books import new_entry, tidy
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in

# Books a fee that the leader received into the tournament's account (§ 6.1.2, § 6.4.4.1).


class Paid(Protocol):
    """An entry, a player's or a team's, with its fee."""

    @property
    def id(self) -> int:
        """Its number among its kind."""

    @property
    def fee_day(self) -> str | None:
        """The ISO day on which the fee came."""

    @property
    def fee_by(self) -> int | None:
        """Who received it."""


async def book_fee(core: Core, conn: AsyncConnection, of: ListRow, paid: Paid, party: str) -> None:
    """Book the fee of ``party``'s entry; does nothing without a fee, or if already booked."""
    if paid.fee_day is None or paid.fee_by is None or not of.fee:
        return
    entry = BookEntry(
        tournament=of.tournament,
        kind=EntryKind.FEE,
        day=date.fromisoformat(paid.fee_day),
        ore=of.fee,
        party=party,
        text=of.name,
    )
    key = f"{type(paid).__name__}.{paid.id}"
    await book_rows.add(conn, [new_entry(tidy(entry), paid.fee_by, core.now_us, key)])


# What happens to an entry: fee, proof, discretion, refusal, withdrawal (§ 6.4.4.1, § 6.5.3.2 e).

Outcome = EntryRow | EntryRefusal


@dataclass(frozen=True, slots=True)
class _Held:
    """An entry whose list is locked until the transaction ends."""

    conn: AsyncConnection
    row: EntryRow
    of: ListRow
    rights: Rights

    @property
    def is_over(self) -> bool:
        """Whether the entry is closed for good."""
        return self.row.state not in OPEN_STATES


@asynccontextmanager
async def _held(
    core: Core, by: PersonRow, entry_id: int, *, official: bool = True
) -> AsyncIterator[_Held]:
    """Raises NoSuch if ``by`` may not know of the entry, NotAllowed if ``by`` may not act."""
    async with core.store.deciding() as conn:
        first = await entry_rows.find_entry(conn, entry_id)
        held = await rights_in(conn, by, core.now_us)
        if first is None:
            raise NoSuch("entry")
        is_own, handles = first.person_id == by.id, may_handle(held, first.list_id)
        if not (is_own or handles or held.is_admin):
            raise NoSuch("entry")
        if not handles and not (is_own and not official):
            raise NotAllowed
        if official and is_own:
            raise NotAllowed
        of = await entry_rows.lock(conn, first.list_id)
        row = await entry_rows.find_entry(conn, entry_id)
        assert of is not None and row is not None
        yield _Held(conn, row, of, held)


async def judge_entry_again(
    core: Core, conn: AsyncConnection, of: ListRow, entry_id: int, news: EntryNews
) -> EntryRow:
    """Judge an entry again, tell the player, start a group if one is now full (§ 6.5.1.1)."""
    row = await entry_rows.find_entry(conn, entry_id)
    assert row is not None
    judged = await judge_stored_entry(conn, row, today_of(core))
    values: dict[str, object] = {"state": judged.state.value}
    is_new = judged.state is EntryState.VALID and row.state != EntryState.VALID
    if is_new:
        values["since_day"] = max(row.entered_day, row.fee_day or row.entered_day)
    await entry_rows.change_entry(conn, entry_id, values)
    row = await entry_rows.find_entry(conn, entry_id)
    assert row is not None
    await notify_player(core, conn, row, news, judged)
    if is_new:
        await start_all(core, conn, of)
        row = await entry_rows.find_entry(conn, entry_id)
        assert row is not None
    return row


async def record_fee(core: Core, by: PersonRow, entry_id: int, on: date) -> Outcome:
    """Record the day the leader received the fee; the entry is valid only with it (§ 6.4.4.1)."""
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return EntryRefusal((EntryProblem.OVER,))
        if not has_been(on, today_of(core)):
            return EntryRefusal((EntryProblem.FEE_DAY,))
        if held.row.fee_day is not None:
            return held.row  # recorded before: the first day stands
        values = {"fee_day": on.isoformat(), "fee_by": by.id, "fee_us": core.now_us}
        await entry_rows.change_entry(held.conn, entry_id, values)
        row = await entry_rows.find_entry(held.conn, entry_id)
        assert row is not None
        await book_fee(core, held.conn, held.of, row, row.player)
        return await judge_entry_again(core, held.conn, held.of, entry_id, EntryNews.FEE)


async def see_proof(core: Core, by: PersonRow, entry_id: int) -> Outcome:
    """Record that the leader has seen proof of the player's right (§ 6.5.3.2 b-d)."""
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return EntryRefusal((EntryProblem.OVER,))
        if held.row.proof_us is not None:
            return held.row
        values = {"proof_by": by.id, "proof_us": core.now_us}
        await entry_rows.change_entry(held.conn, entry_id, values)
        return await judge_entry_again(core, held.conn, held.of, entry_id, EntryNews.VALID)


async def confirm_number(core: Core, by: PersonRow, entry_id: int, number: str) -> Outcome:
    """Record the player's membership number, found by an official (§ 6.4.4.1)."""
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return EntryRefusal((EntryProblem.OVER,))
        if not number.strip():
            return EntryRefusal((EntryFault.NO_MEMBERSHIP,))
        await entry_rows.change_entry(held.conn, entry_id, {"member": number.strip()})
        return await judge_entry_again(core, held.conn, held.of, entry_id, EntryNews.VALID)


async def let_in(core: Core, by: PersonRow, entry_id: int, reason: str) -> Outcome:
    """Let the player into the class at discretion (§ 6.5.3.2 e; the DM: § 6.5.2.2 f).

    The list's leader signs as leader, the controller as controller. For the DM both must sign,
    and one person signs only once.
    """
    async with _held(core, by, entry_id) as held:
        paragraph = discretion_for(read_wish(held.row.event, held.row.wish))
        if held.is_over:
            return EntryRefusal((EntryProblem.OVER,))
        if paragraph is None:
            return EntryRefusal((EntryProblem.NO_DISCRETION,))
        if not reason.strip():
            return EntryRefusal((EntryProblem.NO_REASON,))
        leads = held.rights.leads_list(held.of.id)
        office = Signature.LEADER if leads else Signature.CONTROLLER
        known = (await entry_rows.rulings_of(held.conn, [entry_id])).get(entry_id, ())
        if any(row.by_id == by.id and row.paragraph == paragraph for row in known):
            return held.row
        new = NewEntryRuling(entry_id, paragraph, office.value, by.id, reason, core.now_us)
        await entry_rows.rule(held.conn, new)
        return await judge_entry_again(core, held.conn, held.of, entry_id, EntryNews.VALID)


async def refuse(core: Core, by: PersonRow, entry_id: int, paragraph: str, reason: str) -> Outcome:
    """Refuse an entry with the paragraph and a reason; the player is told both (§ 6.4.4)."""
    async with _held(core, by, entry_id) as held:
        if held.is_over:
            return EntryRefusal((EntryProblem.OVER,))
        if not reason.strip() or not paragraph.strip():
            return EntryRefusal((EntryProblem.NO_REASON,))
        told = {"paragraph": paragraph, "reason": reason}
        return await _end(core, held, EntryState.REFUSED, by, told)


async def withdraw(core: Core, by: PersonRow, entry_id: int) -> Outcome:
    """Withdraw an entry before it becomes a place, by the player or an official."""
    async with _held(core, by, entry_id, official=False) as held:
        if held.is_over:
            return EntryRefusal((EntryProblem.OVER,))
        return await _end(core, held, EntryState.WITHDRAWN, by, {})


async def _end(
    core: Core, held: _Held, state: EntryState, by: PersonRow, told: dict[str, str]
) -> EntryRow:
    values = {**told, "state": state.value, "decided_by": by.id, "decided_us": core.now_us}
    await entry_rows.change_entry(held.conn, held.row.id, values)
    row = await entry_rows.find_entry(held.conn, held.row.id)
    assert row is not None
    await notify_player(core, held.conn, row, EntryNews(state.value))
    return row


async def start_by_leader(core: Core, by: PersonRow, list_id: int) -> StartedGroup | EntryRefusal:
    """Start the next group now, at the leader's click; the DM's too. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        held = await rights_in(conn, by, core.now_us)
        of = await entry_rows.lock(conn, list_id)
        if of is None:
            raise NoSuch("list")
        if not may_handle(held, list_id):
            raise NotAllowed
        return await start_next(core, conn, of)


async def daily(core: Core) -> None:
    """Judge waiting entries again; each list in which one is now valid, in one transaction."""
    async with core.store.read() as conn:
        ids = [row.id for row in await entry_rows.everything(conn)]
        waiting = await entry_rows.on_lists(conn, ids, [EntryState.WAITING.value])
        now_valid = {row.list_id for row in waiting if await _is_valid(core, conn, row)}
    for list_id in ids:
        if list_id in now_valid:
            await _judge_list_again(core, list_id)


async def _is_valid(core: Core, conn: AsyncConnection, row: EntryRow) -> bool:
    return (await judge_stored_entry(conn, row, today_of(core))).state is EntryState.VALID


async def _judge_list_again(core: Core, list_id: int) -> None:
    async with core.store.deciding() as conn:
        of = await entry_rows.lock(conn, list_id)
        assert of is not None
        for row in await entry_rows.on_lists(conn, [list_id], [EntryState.WAITING.value]):
            if await _is_valid(core, conn, row):
                await judge_entry_again(core, conn, of, row.id, EntryNews.VALID)
