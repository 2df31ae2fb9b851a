"""Entering a tournament: by the player, or by an official on the player's behalf (§ 6.4.4.1).

An entry is accepted unless something bars it that no fee, proof or decision can remedy; then it is
refused with each paragraph and nothing is saved. Not for what officials do with it later
(deeds.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.entries.admission import (
    EntryProblem,
    EntryRefusal,
    EntryState,
    closed_by,
    lacks_address,
    may_be_doubled,
    refusing,
)
from kskak.entries.entry import EntryFault, Wish
from kskak.regulation.days import has_been, is_birth
from kskak.regulation.quantities import Regulation
from mail.office_letters.entries import EntryNews
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.entries.lists import ListRow
from server.store.entries.of_players import OPEN_STATES, EntryRow, NewEntry
from server.store.play import postal_addresses as address_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, may_handle, rights_in
from server.usecases.entries.fee_books import book_fee
from server.usecases.entries.judging import Judged, Knowledge, Stated, judge, knowledge, wish_of
from server.usecases.entries.next_group import start_all
from server.usecases.entries.outbox import tell
from server.usecases.postal.addresses import AddressTooLong, keep_in, tidy


@dataclass(frozen=True, slots=True)
class Asking:
    """A requested entry.

    ``player`` None: whoever asks. ``asks``: the player wants an official's decision where no rule
    opens the class (§ 6.5.3.2 e, § 6.5.2.2 f). ``is_second``: the player knows of being on the
    list already (§ 6.5.1.2). ``fee`` is the day the leader received it. ``key`` identifies a form
    sent twice. ``address``: where cards to the player go, for a list played by post.
    """

    list_id: int
    stated: Stated
    player: int | None = None
    asks: bool = False
    is_second: bool = False
    fee: date | None = None
    key: str | None = None
    address: str = ""


@dataclass(frozen=True, slots=True)
class _Acceptable:
    """An entry that nothing refuses, with what is known of it."""

    wanted: ListRow
    person: Knowledge
    judged: Judged


async def enter(core: Core, by: PersonRow, asked: Asking) -> EntryRow | EntryRefusal:
    """Accept or refuse an entry; a repeated form returns its entry. Raises NoSuch, NotAllowed."""
    async with core.store.deciding() as conn:
        wanted = await list_rows.lock(conn, asked.list_id)
        found = await _looked_at(core, conn, by, asked, wanted)
        if not isinstance(found, _Acceptable):
            return found
        await _keep_address(core, conn, found.wanted, by, found.person.person.id, asked.address)
        return await _keep(core, conn, by, found.wanted, found.person, asked, found.judged)


async def try_out(core: Core, by: PersonRow, asked: Asking) -> Judged | EntryRow | EntryRefusal:
    """What entering would come to, without doing it. Raises NoSuch, NotAllowed."""
    async with core.store.read() as conn:
        wanted = await list_rows.find(conn, asked.list_id)
        found = await _looked_at(core, conn, by, asked, wanted)
    return found.judged if isinstance(found, _Acceptable) else found


async def _looked_at(
    core: Core, conn: AsyncConnection, by: PersonRow, asked: Asking, wanted: ListRow | None
) -> _Acceptable | EntryRow | EntryRefusal:
    player = by.id if asked.player is None else asked.player
    held = await rights_in(conn, by, core.now_us)
    is_official = player != by.id
    if is_official and not (wanted is not None and may_handle(held, wanted.id)):
        raise NotAllowed
    if wanted is None:
        raise NoSuch("list")
    if asked.fee is not None and not is_official:
        raise NotAllowed  # nobody receives their own fee
    if asked.key and (known := await entry_rows.by_form(conn, player, asked.key)):
        return known
    person = await knowledge(conn, player, today_of(core))
    if person is None:
        raise NoSuch("person")
    wish = wish_of(wanted.event, wanted.wish)
    judged = judge(person, wish, asked.stated, fee=asked.fee)
    problem = _problem(core, wanted, wish, person, asked)
    problem = problem or await _of_address(conn, wanted, player, asked)
    against = _against(judged, asked, is_official)
    if problem is not None or against:
        first = () if problem is None else (problem,)
        return EntryRefusal((*first, *against), closed_by(wish, judged.answer))
    return _Acceptable(wanted, person, judged)


def _problem(
    core: Core, wanted: ListRow, wish: Wish, person: Knowledge, asked: Asking
) -> EntryProblem | None:
    if not wanted.is_open:
        return EntryProblem.CLOSED
    if asked.fee is not None and not has_been(asked.fee, today_of(core)):
        return EntryProblem.FEE_DAY
    if asked.stated.born is not None and not is_birth(asked.stated.born, today_of(core)):
        return EntryProblem.BORN
    stands = any(row.list_id == wanted.id and row.state in OPEN_STATES for row in person.entries)
    if not stands:
        return None
    if not may_be_doubled(wish):
        return EntryProblem.ONCE
    return None if asked.is_second else EntryProblem.ALREADY


async def _of_address(
    conn: AsyncConnection, wanted: ListRow, player: int, asked: Asking
) -> EntryProblem | None:
    """Why the address won't do: a postal group's start letter names the players' addresses."""
    try:
        stated = tidy(asked.address)
    except AddressTooLong:
        return EntryProblem.ADDRESS
    kept = (await address_rows.of_people(conn, [player])).get(player)
    address = stated or (kept.text if kept else "")
    is_lacking = lacks_address(Regulation(wanted.regulation), address)
    return EntryProblem.NO_ADDRESS if is_lacking else None


async def _keep_address(
    core: Core, conn: AsyncConnection, wanted: ListRow, by: PersonRow, player: int, text: str
) -> None:
    """An address from the player replaces the old one; an official's only fills a gap."""
    stated = tidy(text)
    if wanted.regulation != Regulation.POSTAL or not stated:
        return
    if by.id == player or not await address_rows.of_people(conn, [player]):
        await keep_in(core, conn, player, stated)


def _against(judged: Judged, asked: Asking, is_official: bool) -> tuple[EntryFault, ...]:
    """What refuses it; so does a closed class, unless a decision is wanted or an official asks."""
    closed = (EntryFault.NOT_OPEN,) if EntryFault.NOT_OPEN in judged.faults else ()
    return (*refusing(judged.faults), *(() if asked.asks or is_official else closed))


async def _keep(
    core: Core,
    conn: AsyncConnection,
    by: PersonRow,
    wanted: ListRow,
    person: Knowledge,
    asked: Asking,
    judged: Judged,
) -> EntryRow:
    stated, today = asked.stated, today_of(core).isoformat()
    is_paid = asked.fee is not None
    new = NewEntry(
        list_id=wanted.id,
        person_id=person.person.id,
        form_key=asked.key,
        entered_day=today,
        entered_by=by.id,
        created_us=core.now_us,
        member=stated.member,
        club=stated.club,
        born=stated.born.isoformat() if stated.born else None,
        otb_rating=stated.otb_rating,
        k_rating=stated.k_rating,
        proof=stated.proof,
        asks=asked.asks,
        fee_day=asked.fee.isoformat() if asked.fee else None,
        fee_by=by.id if is_paid else None,
        fee_us=core.now_us if is_paid else None,
        state=judged.state.value,
        since_day=today if judged.state is EntryState.VALID else None,
    )
    row = await entry_rows.find(conn, await entry_rows.add(conn, new))
    assert row is not None
    await book_fee(core, conn, wanted, row, row.player)
    await tell(core, conn, row, EntryNews.ENTERED, judged)
    if judged.state is EntryState.VALID:
        await start_all(core, conn, wanted)
        row = await entry_rows.find(conn, row.id)
        assert row is not None
    return row
