"""A leader's letter to everybody in a group: shown as it will read, then sent once (§ 6.1.1).

It goes to those with a seat or a running game, to the leader, and to whoever writes it. Not for
its wording (mail/office_letters/leader_letter.py).
"""

from dataclasses import dataclass
from urllib.parse import quote

from mail.office_letters.leader_letter import LeaderLetter, write
from mail.outgoing.rendering import as_text
from mail.text.words import Words
from server.store.engine.connection import AsyncConnection
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.play import games_together
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.in_turn import in_turn
from server.usecases.core.letter_facts import NoLetter, leader
from server.usecases.core.letter_params import Params, day, text
from server.usecases.core.offices import NotAllowed, rights_in
from server.usecases.core.outbox_letters import Kind


@dataclass(frozen=True, slots=True)
class Draft:
    """What the leader has typed. ``key``: the form's; the same one is sent only once."""

    subject: str
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A letter as its first reader in a language gets it."""

    reader: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """``letters``: one in each language; ``readers``: how many get it."""

    letters: tuple[Shown, ...]
    readers: int


async def _readers(conn: AsyncConnection, group: GroupRow, by: PersonRow) -> tuple[PersonRow, ...]:
    """Who gets it: players by number, then those who took games over, the leader, the writer."""
    seats = await group_rows.seats_of(conn, group.id)
    games = (await games_together.of_groups(conn, [group.id]))[group.id]
    playing = [p for game in games if game.result is None for p in (game.white_id, game.black_id)]
    ids = dict.fromkeys([*(seat.person_id for seat in seats), *playing, group.tl_id, by.id])
    found = await person_rows.by_ids(conn, tuple(ids))
    return tuple(found[one] for one in ids if one in found)


async def _may_write(conn: AsyncConnection, core: Core, by: PersonRow, group: GroupRow) -> None:
    if not (await rights_in(conn, by, core.now_us)).speaks_for(group.id):
        raise NotAllowed


async def preview(core: Core, by: PersonRow, group: GroupRow, draft: Draft) -> Preview:
    """The letter as it will be sent, once in each of its readers' languages. Raises NotAllowed."""
    async with core.store.read() as conn:
        await _may_write(conn, core, by, group)
        readers = await _readers(conn, group, by)
        leads = await person_rows.find(conn, group.tl_id)
    assert leads is not None
    shown: dict[str, Shown] = {}
    for reader in readers:
        words = Words.reaching(reader.lang)
        if words.lang not in shown:
            letter = _letter(core, reader, group, (by, leads), (draft.subject, draft.text))
            written = write(letter, words)
            shown[words.lang] = Shown(reader.name, written.subject, as_text(written, words.lang))
    return Preview(tuple(shown.values()), len(readers))


@in_turn
async def send(core: Core, by: PersonRow, group: GroupRow, draft: Draft) -> int:
    """Send it to everybody; nothing if it was sent already. Raises NotAllowed."""
    params: dict[str, object] = {"group": group.name, "by": by.id}
    params |= {"subject": draft.subject, "text": draft.text}
    poster, unique = poster_of(core), f"{group.id}.{by.id}.{draft.key}"
    async with core.store.write() as conn:
        await _may_write(conn, core, by, group)
        readers = await _readers(conn, group, by)
        letters = [poster.to_person(Kind.TO_ALL, one.id, unique, params) for one in readers]
        await outbox_rows.enqueue(conn, letters)
    return len(letters)


async def to_all(core: Core, reader: PersonRow, params: Params) -> LeaderLetter:
    """The letter to one of its readers. Raises NoLetter when group or writer is gone."""
    by_id = params.get("by")
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, text(params, "group"))
        by = await person_rows.find(conn, by_id) if isinstance(by_id, int) else None
        leads = None if group is None else await person_rows.find(conn, group.tl_id)
    if group is None or by is None or leads is None:
        raise NoLetter("no such group or writer")
    if "outage" in params:
        typed = _of_outage(Words.reaching(reader.lang), params)
    else:
        typed = (text(params, "subject"), text(params, "text"))
    return _letter(core, reader, group, (by, leads), typed)


def _of_outage(words: Words, params: Params) -> tuple[str, str]:
    """Subject and text about the days that an outage cost, which do not count (§ 6.8.5)."""
    days = {"first": words.day(day(params, "first")), "last": words.day(day(params, "last"))}
    span = "day" if params["first"] == params["last"] else "days"
    what = words(f"letters.outage.what.{text(params, 'outage')}")
    told = words(f"letters.outage.text.{span}", what=what, **days)
    return words("letters.outage.subject"), told


def _letter(
    core: Core,
    reader: PersonRow,
    group: GroupRow,
    people: tuple[PersonRow, PersonRow],
    typed: tuple[str, str],
) -> LeaderLetter:
    """``people``: who writes, and who leads the group; ``typed``: the subject and the text."""
    (by, leads), (subject, told) = people, typed
    return LeaderLetter(
        reader=reader.name,
        group=group.name,
        tournament=group.tournament,
        by=leader(by),
        leader=leader(leads),
        zone=group.zone,
        subject=subject,
        text=told,
        url=core.url(f"/groups/{quote(group.name)}"),
    )
