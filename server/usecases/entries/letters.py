"""An outbox row as a letter about an entry (§ 6.4.4). Not for words (office_letters.entries)."""

from kskak.entries.entry import EntryFault
from mail.office_letters.entries import EntryLetter, EntryNews
from server.store.entries import lists as list_rows
from server.store.entries import of_players as entry_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, leader
from server.usecases.core.letter_params import Params, day, text, texts
from server.usecases.entries.views import wanted_on


def _count(params: Params, name: str) -> int:
    value = params.get(name)
    if not isinstance(value, int):
        raise NoLetter(name)
    return value


async def entry_letter(core: Core, reader: PersonRow, params: Params) -> EntryLetter:
    """The letter, with the facts as of when it was queued. Raises NoLetter."""
    async with core.store.read() as conn:
        row = await entry_rows.find(conn, _count(params, "entry"))
        of = None if row is None else await list_rows.find(conn, row.list_id)
        tl = None if of is None else await person_rows.find(conn, of.leader_id)
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
        place=_count(params, "place"),
        valid=_count(params, "valid"),
        wanted=wanted_on(of.event, of.wish),
        faults=tuple(EntryFault(name) for name in texts(params, "faults")),
        closed_by=text(params, "closed_by"),
        fee=of.fee,
        paragraph=text(params, "paragraph"),
        reason=text(params, "reason"),
        how_to_pay=of.how_to_pay,
    )
