"""An outbox row as a letter about an entry (§ 6.4.4). Not for words (office_letters.entries)."""

from kskak.entries.entry import EntryFault, EntryState, closed_by
from mail.office_letters.entry_letters import EntryLetter, EntryNews
from server.store import player_entries as entry_rows
from server.store.engine.connection import AsyncConnection
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import EntryRow
from server.usecases.context import Core, poster_of
from server.usecases.entries.entry_judging import EntryJudgement, read_wish
from server.usecases.entries.entry_views import wanted_on
from server.usecases.letter_facts import NoLetter, Params, day, leader, loads, number, text, texts

# The letters about entries as outbox rows: what happened, and where the player stands (§ 6.4.4).


async def place_on_list(conn: AsyncConnection, row: EntryRow) -> tuple[int, int]:
    """A valid entry's number on its list, and how many valid entries there are; 0: not valid."""
    rows = await entry_rows.on_lists(conn, [row.list_id], [EntryState.VALID.value])
    ids = [one.id for one in rows]
    return (ids.index(row.id) + 1 if row.id in ids else 0), len(ids)


async def notify_player(
    core: Core,
    conn: AsyncConnection,
    row: EntryRow,
    news: EntryNews,
    judged: EntryJudgement | None = None,
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
        "closed_by": closed_by(read_wish(row.event, row.wish), judged.answer if judged else None),
        "day": row.fee_day or row.entered_day,
        "paragraph": row.paragraph or "",
        "reason": row.reason or "",
    }
    unique = f"{row.id}.{news.value}.{core.now_us}"
    letter = poster_of(core).to_person(EntryLetter, row.person_id, unique, params)
    await outbox_rows.enqueue(conn, [letter])


# An outbox row as a letter about an entry (§ 6.4.4). Not for words (office_letters.entries).


@loads(EntryLetter)
async def _entry_letter(core: Core, reader: PersonRow, params: Params) -> EntryLetter:
    """The letter, with the facts as of when it was queued. Raises NoLetter."""
    async with core.store.read() as conn:
        row = await entry_rows.find_entry(conn, number(params, "entry"))
        of = None if row is None else await entry_rows.find_list(conn, row.list_id)
        tl = None if of is None else await person_rows.find_person(conn, of.leader_id)
    if row is None or of is None or tl is None:
        raise NoLetter("no such entry")
    return EntryLetter(
        reader=reader.name,
        news=EntryNews(text(params, "news")),
        list_name=of.name,
        leader=leader(tl),
        zone=core.settings.clock.zone,
        url=core.url("/enter"),
        day=day(params, "day"),
        is_valid=params.get("is_valid") is True,
        place=number(params, "place"),
        valid=number(params, "valid"),
        wanted=wanted_on(of.event, of.wish),
        faults=tuple(EntryFault(name) for name in texts(params, "faults")),
        closed_by=text(params, "closed_by"),
        fee=of.fee,
        paragraph=text(params, "paragraph"),
        reason=text(params, "reason"),
        how_to_pay=of.how_to_pay,
    )
