"""The letters about entries as outbox rows: what happened, and where the player stands (§ 6.4.4).

Written in the same transaction as what happened, with the facts of that moment. The start itself
is announced by the start letter (§ 6.5.2.1). Not for words (mail.office_letters.entries).
"""

from kskak.entries.admission import EntryState, closed_by
from mail.office_letters.entries import EntryNews
from server.store.engine.connection import AsyncConnection
from server.store.entries import of_players as entry_rows
from server.store.entries.of_players import EntryRow
from server.store.mail import outbox as outbox_rows
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.entries.judging import Judged, wish_of


async def place_on_list(conn: AsyncConnection, row: EntryRow) -> tuple[int, int]:
    """A valid entry's number on its list, and how many valid entries there are; 0: not valid."""
    rows = await entry_rows.on_lists(conn, [row.list_id], [EntryState.VALID.value])
    ids = [one.id for one in rows]
    return (ids.index(row.id) + 1 if row.id in ids else 0), len(ids)


async def tell(
    core: Core, conn: AsyncConnection, row: EntryRow, news: EntryNews, judged: Judged | None = None
) -> None:
    """Tell the player what happened to the entry; ``judged`` names what it still waits for."""
    place, valid = await place_on_list(conn, row)
    params: dict[str, object] = {
        "entry": row.id,
        "news": news.value,
        "is_valid": row.state == EntryState.VALID,
        "place": place,
        "valid": valid,
        "faults": [] if judged is None else [fault.value for fault in judged.faults],
        "closed_by": closed_by(wish_of(row.event, row.wish), judged.answer if judged else None),
        "day": row.fee_day or row.entered_day,
        "paragraph": row.paragraph or "",
        "reason": row.reason or "",
    }
    unique = f"{row.id}.{news.value}.{core.now_us}"
    letter = poster_of(core).to_person(Kind.ENTRY, row.person_id, unique, params)
    await outbox_rows.enqueue(conn, [letter])
