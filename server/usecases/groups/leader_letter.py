"""A leader's letter to everybody in a group: shown as it will read, then sent once (§ 6.1.1).

It goes to those with a seat or a running game, to the leader, and to whoever writes it. Not for
its wording (mail/office_letters/service_letters.py).
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import quote

from sqlalchemy import Connection

from kskak.regulation.editions import Regulation, RuleSet, rules_of
from mail.office_letters.service_letters import LeaderLetter
from mail.outgoing.blocks import as_text
from mail.text.catalogue import Words
from mail.text.letter_facts import LedGroup
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import AnyRow
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.play import game_lists
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, in_turn, poster_of
from server.usecases.groups.group_file import GroupClass, GroupFile, GroupFileError
from server.usecases.letter_facts import NoLetter, Params, day, leader, loads, number, text
from server.usecases.rights import NoSuch, NotAllowed, Rights, rights, rights_in


@dataclass(frozen=True, slots=True)
class LeaderLetterDraft:
    """What the leader has typed. ``key``: the form's; the same one is sent only once."""

    subject: str
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class LeaderLetterSample:
    """A letter as its first reader in a language gets it."""

    reader: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class LeaderLetterPreview:
    """``letters``: one in each language; ``readers``: how many get it."""

    letters: tuple[LeaderLetterSample, ...]
    readers: int


async def _readers(conn: AsyncConnection, group: GroupRow, by: PersonRow) -> tuple[PersonRow, ...]:
    """Who gets it: players by number, then those who took games over, the leader, the writer."""
    seats = await group_rows.seats_of(conn, group.id)
    games = (await game_lists.list_games_by_group(conn, [group.id]))[group.id]
    playing = [p for game in games if game.result is None for p in (game.white_id, game.black_id)]
    ids = dict.fromkeys([*(seat.person_id for seat in seats), *playing, group.tl_id, by.id])
    found = await person_rows.by_ids(conn, tuple(ids))
    return tuple(found[one] for one in ids if one in found)


async def _may_write(conn: AsyncConnection, core: Core, by: PersonRow, group: GroupRow) -> None:
    if not (await rights_in(conn, by, core.now_us)).speaks_for(group.id):
        raise NotAllowed


async def preview(
    core: Core, by: PersonRow, group: GroupRow, draft: LeaderLetterDraft
) -> LeaderLetterPreview:
    """The letter as it will be sent, once in each of its readers' languages. Raises NotAllowed."""
    async with core.store.read() as conn:
        await _may_write(conn, core, by, group)
        readers = await _readers(conn, group, by)
        leads = await person_rows.find_person(conn, group.tl_id)
    assert leads is not None
    shown: dict[str, LeaderLetterSample] = {}
    for reader in readers:
        words = Words.reaching(reader.lang)
        if words.lang not in shown:
            letter = _letter(core, reader, group, (by, leads), (draft.subject, draft.text))
            written = letter.preview(words)
            shown[words.lang] = LeaderLetterSample(
                reader.name, written.subject, as_text(written, words.lang)
            )
    return LeaderLetterPreview(tuple(shown.values()), len(readers))


@in_turn
async def send(core: Core, by: PersonRow, group: GroupRow, draft: LeaderLetterDraft) -> int:
    """Send it to everybody; nothing if it was sent already. Raises NotAllowed."""
    params: dict[str, object] = {"group": group.name, "by": by.id}
    params |= {"subject": draft.subject, "text": draft.text}
    poster, unique = poster_of(core), f"{group.id}.{by.id}.{draft.key}"
    async with core.store.write() as conn:
        await _may_write(conn, core, by, group)
        readers = await _readers(conn, group, by)
        letters = [poster.to_person(LeaderLetter, one.id, unique, params) for one in readers]
        await outbox_rows.enqueue(conn, letters)
    return len(letters)


@loads(LeaderLetter)
async def _to_all(core: Core, reader: PersonRow, params: Params) -> LeaderLetter:
    """The letter to one of its readers. Raises NoLetter when group or writer is gone."""
    async with core.store.read() as conn:
        group = await group_rows.by_name(conn, text(params, "group"))
        by = await person_rows.find_person(conn, number(params, "by"))
        leads = None if group is None else await person_rows.find_person(conn, group.tl_id)
    if group is None or by is None or leads is None:
        raise NoLetter("no such group or writer")
    if "outage" in params:
        rules = rules_of(Regulation(group.regulation))
        typed = _of_outage(Words.reaching(reader.lang), rules, params)
    else:
        typed = (text(params, "subject"), text(params, "text"))
    return _letter(core, reader, group, (by, leads), typed)


def _of_outage(words: Words, rules: RuleSet, params: Params) -> tuple[str, str]:
    """Subject and text about the days that an outage cost, which do not count (§ 6.8.5)."""
    days = {"first": words.day(day(params, "first")), "last": words.day(day(params, "last"))}
    span = "day" if params["first"] == params["last"] else "days"
    what = words(f"letters.outage.what.{text(params, 'outage')}")
    sentence = words(f"letters.outage.text.{span}", what=what, **days, **rules.cited)
    return words("letters.outage.subject"), sentence


def _letter(
    core: Core,
    reader: PersonRow,
    group: GroupRow,
    people: tuple[PersonRow, PersonRow],
    typed: tuple[str, str],
) -> LeaderLetter:
    """``people``: who writes, and who leads the group; ``typed``: the subject and the text."""
    (by, leads), (subject, body) = people, typed
    url = core.url(f"/groups/{quote(group.name)}")
    led = LedGroup(group.name, group.tournament, leader(leads), group.zone, url)
    return LeaderLetter(reader.name, led, leader(by), subject, body)


# Whether everybody may follow a tournament's running games: set at the start or on the desk.


@dataclass(frozen=True, slots=True)
class FollowingView:
    """What a desk shows: whether following is on, for which groups, and its history.

    ``groups``: names by id, the group asked about included; ``spells``: its own, newest first.
    """

    is_on: bool
    groups: dict[int, str]
    spells: tuple[AnyRow, ...]
    has_programs: bool
    """Whether programs may move in the group (Kendelse 120)."""

    def may_switch(self, held: Rights) -> bool:
        """Whether these rights cover every group of the tournament (§ 6.1.1)."""
        return all(held.speaks_for(one) for one in self.groups)


async def following_of(conn: AsyncConnection, group_id: int) -> FollowingView:
    """The current setting for a group."""
    together = await conn.run_sync(group_rows.together_with, group_id)
    spells = await group_rows.spells_of(conn, group_id)
    is_on = any(one.until_us is None for one in spells)
    is_shut = await conn.run_sync(group_rows.is_shut_to_programs, group_id)
    return FollowingView(is_on, together, spells, not is_shut)


async def switch(core: Core, by: PersonRow, group_id: int, *, is_on: bool) -> tuple[str, ...]:
    """Open a group's tournament to followers from now on, or close it; return the groups' names.

    For those of ``_set``. Repeating it changes nothing. Raises NoSuch, NotAllowed.
    """
    now = core.now_us

    def work(conn: Connection, together: Collection[int]) -> None:
        if is_on:
            group_rows.begin(conn, together, now, by.id)
        else:
            group_rows.end(conn, together, now, by.id)

    return await _set(core, by, group_id, work)


async def let_programs(core: Core, by: PersonRow, group_id: int, *, may: bool) -> tuple[str, ...]:
    """Let programs move in a group's tournament, or not; return the groups' names.

    Help is allowed as long as the player sends each move himself (Kendelse 120); a leader may shut
    out programs that send moves by a token. For those of ``_set``. Raises NoSuch, NotAllowed.
    """
    since = None if may else core.now_us
    return await _set(
        core, by, group_id, lambda conn, these: group_rows.shut_to_programs(conn, these, since)
    )


async def _set(
    core: Core, by: PersonRow, group_id: int, do: Callable[[Connection, Collection[int]], None]
) -> tuple[str, ...]:
    """Set something for all groups of a tournament; their names.

    For the leader of all its groups, a deputy or the controller, but never for someone who plays in
    one (§ 6.1.1). Raises NoSuch, NotAllowed.
    """
    held = await rights(core, by)

    def work(conn: Connection) -> tuple[str, ...]:
        together = group_rows.together_with(conn, group_id)
        if not together:
            raise NoSuch("group")
        if not all(held.speaks_for(one) for one in together):
            raise NotAllowed
        do(conn, together)
        return tuple(together.values())

    return await core.writer.transact(work)


async def begin_with(core: Core, conn: AsyncConnection, file: GroupFile, group_id: int) -> None:
    """Apply the setting in the file at a group's start; a division inherits its season's.

    Raises GroupFileError when a division would differ from those already begun.
    """
    is_on = bool(file.live)
    if file.group_class is GroupClass.LEAGUE:
        others = [
            one
            for one in await group_rows.list_season_divisions(conn, file.start.year)
            if one != group_id
        ]
        holds = bool(await group_rows.find_public_groups(conn, others))
        if others and file.live is not None and file.live is not holds:
            raise GroupFileError(
                f"live: is {str(holds).lower()} in the season's other divisions; write the same, "
                "or leave it out"
            )
        is_on = is_on or holds
    if is_on:
        await conn.run_sync(group_rows.begin, (group_id,), core.now_us, None)
