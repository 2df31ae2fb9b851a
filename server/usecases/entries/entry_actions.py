"""What happens to an entry: fee, proof, discretion, refusal, withdrawal (§ 6.4.4.1, § 6.5.3.2 e).

Each deed locks the entry's list, is recorded with who and when, is reported to the player, and
starts the class's next group if that makes 7 valid entries. Nobody handles their own entry. What
the law has alike for a player's entry and a team's is said once, in ``EntryActions``. Not for
making an entry (player_entering.py).
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

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
from server.store.player_entries import EntryRow, EntryRuling, ListRow
from server.store.team_entries import TeamEntryRow
from server.usecases.context import Core, today_of
from server.usecases.entries.entry_judging import judge_stored_entry, read_wish
from server.usecases.entries.entry_letter_facts import notify_player
from server.usecases.entries.next_group import lock_list, start_all, start_next
from server.usecases.groups.group_file import StartedGroup
from server.usecases.office.books import new_entry, tidy
from server.usecases.rights import NoSuch, NotAllowed, Rights, may_handle, rights_in

# What the law has alike for a player's entry and a team's (§ 6.1.2, § 6.4.4.1).

AnyEntry = TypeVar("AnyEntry", EntryRow, TeamEntryRow)
AnyRefusal = TypeVar("AnyRefusal")


async def book_fee(
    core: Core, conn: AsyncConnection, of: ListRow, paid: EntryRow | TeamEntryRow
) -> None:
    """Book the fee that the leader received into the tournament's account (§ 6.1.2, § 6.4.4.1).

    Does nothing without a fee, or if already booked.
    """
    if paid.fee_day is None or paid.fee_by is None or not of.fee:
        return
    entry = BookEntry(
        tournament=of.tournament,
        kind=EntryKind.FEE,
        day=date.fromisoformat(paid.fee_day),
        ore=of.fee,
        party=paid.party,
        text=of.name,
    )
    key = f"{type(paid).__name__}.{paid.id}"
    await book_rows.add(conn, [new_entry(tidy(entry), paid.fee_by, core.now_us, key)])


def entered(
    core: Core, by: PersonRow, day: str, fee: str | None, state: EntryState
) -> dict[str, object]:
    """What is stored of any new entry: its ISO day, who made it, and who received its fee."""
    return {
        "entered_day": day,
        "entered_by": by.id,
        "created_us": core.now_us,
        "fee_day": fee,
        "fee_by": None if fee is None else by.id,
        "fee_us": None if fee is None else core.now_us,
        "state": state.value,
    }


@dataclass(frozen=True, slots=True)
class HeldEntry(Generic[AnyEntry]):
    """An entry whose list is locked until the transaction ends, and the rights of who holds it."""

    conn: AsyncConnection
    row: AnyEntry
    of: ListRow
    rights: Rights


class EntryActions(ABC, Generic[AnyEntry, AnyRefusal]):
    """Fee, refusal and withdrawal; how each is stored, judged and told is the entry's own."""

    @abstractmethod
    async def find(self, conn: AsyncConnection, entry_id: int) -> AnyEntry | None:
        """The entry."""

    @abstractmethod
    async def change(self, conn: AsyncConnection, entry_id: int, **values: object) -> AnyEntry:
        """Change columns of the entry."""

    @abstractmethod
    async def is_own(self, conn: AsyncConnection, by: PersonRow, row: AnyEntry) -> bool:
        """Whether somebody entered it, or speaks for who did."""

    @abstractmethod
    async def is_party(self, conn: AsyncConnection, by: PersonRow, row: AnyEntry) -> bool:
        """Whether it is about somebody, who then never handles it."""

    @abstractmethod
    def refusal(self, problem: EntryProblem) -> AnyRefusal:
        """How an action is refused. Raises NoSuch where a form's field is wrong."""

    @abstractmethod
    async def judge_again(self, core: Core, held: HeldEntry[AnyEntry], news: str) -> AnyEntry:
        """Judge it again, and tell the news."""

    @abstractmethod
    async def tell_end(self, core: Core, conn: AsyncConnection, row: AnyEntry) -> None:
        """Tell that it was refused or withdrawn, and free what it tied up."""

    @asynccontextmanager
    async def held(
        self, core: Core, by: PersonRow, entry_id: int, *, official: bool = True
    ) -> AsyncIterator[HeldEntry[AnyEntry]]:
        """Lock an entry. Raises NoSuch if ``by`` may not know of it, NotAllowed if not act on it.

        ``official``: an action that nobody takes on what is their own.
        """
        async with core.store.deciding() as conn:
            rights = await rights_in(conn, by, core.now_us)
            first = await self.find(conn, entry_id)
            if first is None:
                raise NoSuch("entry")
            handles = may_handle(rights, first.list_id)
            is_own = await self.is_own(conn, by, first)
            if not (handles or is_own or rights.is_admin):
                raise NoSuch("entry")
            of = await entry_rows.find_list(conn, first.list_id, lock=True)
            row = await self.find(conn, entry_id)
            assert of is not None and row is not None
            is_concerned = is_own or await self.is_party(conn, by, row)
            if not (handles and not is_concerned if official else is_own or handles):
                raise NotAllowed
            yield HeldEntry(conn, row, of, rights)

    async def record_fee(
        self, core: Core, by: PersonRow, entry_id: int, on: date
    ) -> AnyEntry | AnyRefusal:
        """Record the day the leader received the fee; it is valid only with it (§ 6.4.4.1)."""
        async with self.held(core, by, entry_id) as held:
            if not held.row.is_open:
                return self.refusal(EntryProblem.OVER)
            if not has_been(on, today_of(core)):
                return self.refusal(EntryProblem.FEE_DAY)
            if held.row.fee_day is not None:
                return held.row  # recorded before: the first day stands
            paid = {"fee_day": on.isoformat(), "fee_by": by.id, "fee_us": core.now_us}
            row = await self.change(held.conn, entry_id, **paid)
            await book_fee(core, held.conn, held.of, row)
            return await self.judge_again(core, held, EntryNews.FEE)

    async def refuse(
        self, core: Core, by: PersonRow, entry_id: int, paragraph: str, reason: str
    ) -> AnyEntry | AnyRefusal:
        """Refuse an entry with the paragraph and a reason, both of which are told (§ 6.4.4)."""
        async with self.held(core, by, entry_id) as held:
            if not held.row.is_open:
                return self.refusal(EntryProblem.OVER)
            if not reason.strip() or not paragraph.strip():
                return self.refusal(EntryProblem.NO_REASON)
            told = {"paragraph": paragraph.strip(), "reason": reason.strip()}
            return await self._end(core, by, held, EntryState.REFUSED, **told)

    async def withdraw(
        self, core: Core, by: PersonRow, entry_id: int, *, official: bool = False
    ) -> AnyEntry | AnyRefusal:
        """Withdraw an entry before it becomes a place: by whose it is, or an official for them."""
        async with self.held(core, by, entry_id, official=official) as held:
            if not held.row.is_open:
                return self.refusal(EntryProblem.OVER)
            return await self._end(core, by, held, EntryState.WITHDRAWN)

    async def _end(
        self, core: Core, by: PersonRow, held: HeldEntry[AnyEntry], state: EntryState, **told: str
    ) -> AnyEntry:
        row = await self.change(
            held.conn, held.row.id, state=state.value, decided_by=by.id, decided_us=core.now_us,
            **told,
        )  # fmt: skip
        await self.tell_end(core, held.conn, row)
        return row


# What happens to a player's entry: besides, proof and discretion (§ 6.5.3.2 b-e).

Outcome = EntryRow | EntryRefusal


class PlayerEntryActions(EntryActions[EntryRow, EntryRefusal]):
    """The actions on a player's entry."""

    async def find(self, conn: AsyncConnection, entry_id: int) -> EntryRow | None:
        return await entry_rows.find_entry(conn, entry_id)

    async def change(self, conn: AsyncConnection, entry_id: int, **values: object) -> EntryRow:
        return await entry_rows.change_entry(conn, entry_id, **values)

    async def is_own(self, conn: AsyncConnection, by: PersonRow, row: EntryRow) -> bool:
        return row.person_id == by.id

    async def is_party(self, conn: AsyncConnection, by: PersonRow, row: EntryRow) -> bool:
        return row.person_id == by.id

    def refusal(self, problem: EntryProblem) -> EntryRefusal:
        return EntryRefusal((problem,))

    async def judge_again(self, core: Core, held: HeldEntry[EntryRow], news: str) -> EntryRow:
        return await judge_entry_again(core, held.conn, held.of, held.row.id, EntryNews(news))

    async def tell_end(self, core: Core, conn: AsyncConnection, row: EntryRow) -> None:
        await notify_player(core, conn, row, EntryNews(row.state))


_ACTIONS = PlayerEntryActions()
record_fee, refuse, withdraw = _ACTIONS.record_fee, _ACTIONS.refuse, _ACTIONS.withdraw


async def see_proof(core: Core, by: PersonRow, entry_id: int) -> Outcome:
    """Record that the leader has seen proof of the player's right (§ 6.5.3.2 b-d)."""
    async with _ACTIONS.held(core, by, entry_id) as held:
        if not held.row.is_open:
            return EntryRefusal((EntryProblem.OVER,))
        if held.row.proof_us is not None:
            return held.row
        await entry_rows.change_entry(held.conn, entry_id, proof_by=by.id, proof_us=core.now_us)
        return await _ACTIONS.judge_again(core, held, EntryNews.VALID)


async def confirm_number(core: Core, by: PersonRow, entry_id: int, number: str) -> Outcome:
    """Record the player's membership number, found by an official (§ 6.4.4.1)."""
    async with _ACTIONS.held(core, by, entry_id) as held:
        if not held.row.is_open:
            return EntryRefusal((EntryProblem.OVER,))
        if not number.strip():
            return EntryRefusal((EntryFault.NO_MEMBERSHIP,))
        await entry_rows.change_entry(held.conn, entry_id, member=number.strip())
        return await _ACTIONS.judge_again(core, held, EntryNews.VALID)


async def let_in(core: Core, by: PersonRow, entry_id: int, reason: str) -> Outcome:
    """Let the player into the class at discretion (§ 6.5.3.2 e; the DM: § 6.5.2.2 f).

    The list's leader signs as leader, the controller as controller. For the DM both must sign,
    and one person signs only once.
    """
    async with _ACTIONS.held(core, by, entry_id) as held:
        paragraph = discretion_for(read_wish(held.row.event, held.row.wish))
        if not held.row.is_open:
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
        ruling = EntryRuling(paragraph, office.value, by.id, reason, core.now_us, by.name)
        await entry_rows.rule(held.conn, entry_id, ruling)
        return await _ACTIONS.judge_again(core, held, EntryNews.VALID)


async def judge_entry_again(
    core: Core, conn: AsyncConnection, of: ListRow, entry_id: int, news: EntryNews
) -> EntryRow:
    """Judge an entry again, tell the player, start a group if one is now full (§ 6.5.1.1)."""
    row = await entry_rows.the_entry(conn, entry_id)
    judged = await judge_stored_entry(conn, row, today_of(core))
    values: dict[str, object] = {"state": judged.state.value}
    is_new = judged.state is EntryState.VALID and row.state != EntryState.VALID
    if is_new:
        values["since_day"] = max(row.entered_day, row.fee_day or row.entered_day)
    row = await entry_rows.change_entry(conn, entry_id, **values)
    await notify_player(core, conn, row, news, judged)
    if is_new:
        await start_all(core, conn, of)
    return await entry_rows.the_entry(conn, entry_id)


async def start_by_leader(core: Core, by: PersonRow, list_id: int) -> StartedGroup | EntryRefusal:
    """Start the next group now, at the leader's click; the DM's too. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        of = await lock_list(core, conn, by, list_id)
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
        of = await entry_rows.find_list(conn, list_id, lock=True)
        assert of is not None
        for row in await entry_rows.on_lists(conn, [list_id], [EntryState.WAITING.value]):
            if await _is_valid(core, conn, row):
                await judge_entry_again(core, conn, of, row.id, EntryNews.VALID)
