"""Titles: recorded when a group is published, or entered with their source (§ 6.5.2, § 6.6.1.5).

A result that is changed and published again changes the title; the earlier one stays on
record. Not for who earns one (kskak.groups.honours) nor for a tied first place (title_ties.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import partial

from kskak.groups.honours import Title
from kskak.regulation.days import local_day
from server.store.engine.connection import AsyncConnection
from server.store.engine.types import from_us
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import titles as rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.groups.titles import NewTitle, TitleRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.core.offices import NoSuch, NotAllowed, rights_in
from server.usecases.cup.opening import FIRST_YEAR
from server.usecases.groups.tables import TableView, standing_in, table_in
from server.usecases.league.views import view_in

PARAGRAPHS = {
    Title.DANISH_CHAMPION: "6.5.2",
    Title.CUP_CHAMPION: "6.6.1.5",
    Title.TEAM_CHAMPION: "6.7.4.6",
}
LONGEST_NAME, LONGEST_SOURCE = 120, 1000


async def settle_all(core: Core) -> None:
    """Check the titles of all published groups that give one against their results: once a day.

    DM groups, cup finals and 1st divisions are few a year; this way a later ruling that changes a
    result changes its title too. Read while nobody waits; what has changed is settled one by one.
    """
    for group_id in await core.store.reading(partial(_changed, core)):
        async with core.store.deciding() as conn:
            await settle(core, conn, group_id)


async def _changed(core: Core) -> list[int]:
    """The groups whose titles are not those on record."""
    async with core.store.read() as conn:
        groups = await rows.groups_with_titles(conn)
        return [one for one in groups if (await _titles(core, conn, one)) is not None]


async def settle(core: Core, conn: AsyncConnection, group_id: int) -> None:
    """Record the title of a finished DM, cup final or division (§ 6.5.2, § 6.6.1.5, § 6.7.4.6).

    No title while it awaits a play-off or lots, or while a game is being played again.
    """
    changed = await _titles(core, conn, group_id)
    if changed is not None:
        stood, won = changed
        await rows.remove(conn, [row.id for row in stood], None, core.now_us)
        await rows.add(conn, won)


async def _titles(
    core: Core, conn: AsyncConnection, group_id: int
) -> tuple[tuple[TitleRow, ...], list[NewTitle]] | None:
    """The titles on record and those won; None when they are the same."""
    group = await group_rows.find(conn, group_id)
    assert group is not None
    if group.class_ == "league":
        won = await _won_by_club(core, conn, group)
    else:
        won = await _won(core, conn, group, await table_in(conn, group))
    stood = await rows.of_group(conn, group.id)
    is_same = [_bearer(one) for one in won] == [_bearer(row) for row in stood]
    return None if is_same else (stood, won)


def _bearer(one: NewTitle | TitleRow) -> tuple[str, int | str | None, bool]:
    return one.title, one.person_id or one.name, one.is_shared


async def _won_by_club(core: Core, conn: AsyncConnection, group: GroupRow) -> list[NewTitle]:
    """The team champion, unless lots must be drawn first (§ 6.7.4.5-6.7.4.6)."""
    view = await conn.run_sync(view_in, group)
    if view is None or view.champion is None:
        return []
    last = max(game.ended_us or 0 for game in view.games)
    return [
        NewTitle(
            title=Title.TEAM_CHAMPION.value,
            edition=view.row.season,
            person_id=None,
            name=view.champion,
            group_id=group.id,
            is_shared=False,
            paragraph=PARAGRAPHS[Title.TEAM_CHAMPION],
            day=local_day(from_us(last), group.zone).isoformat(),
            source="",
            entered_by=None,
            at_us=core.now_us,
        )
    ]


async def _won(
    core: Core, conn: AsyncConnection, group: GroupRow, view: TableView
) -> list[NewTitle]:
    standing = await standing_in(conn, group, view)
    if standing is None or view.finished_us is None:
        return []
    people = {str(seat.number): seat.person_id for seat in view.seats}
    cup = view.kind.round
    edition = date.fromisoformat(group.start).year if cup is None else cup.edition
    return [
        NewTitle(
            title=award.title.value,
            edition=edition,
            person_id=people[holder],
            name=None,
            group_id=group.id,
            is_shared=len(award.holders) > 1,
            paragraph=award.paragraph,
            day=local_day(from_us(view.finished_us), group.zone).isoformat(),
            source="",
            entered_by=None,
            at_us=core.now_us,
        )
        for award in standing.awards
        if award.awaits is None
        for holder in award.holders
    ]


class TitleFault(StrEnum):
    """What is wrong with a title that is to be entered."""

    EDITION = "edition"
    NAME = "name"
    SOURCE = "source"
    TWICE = "twice"


@dataclass(frozen=True, slots=True)
class OldTitle:
    """A title from before the server, held by a registered person or known by name alone."""

    title: Title
    edition: int
    source: str
    person_id: int | None = None
    name: str = ""
    is_shared: bool = False


async def enter_title(core: Core, by: PersonRow, told: OldTitle) -> int | TitleFault:
    """Enter a title with its source, as controller; its number. Raises NotAllowed, NoSuch."""
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc or told.person_id == by.id:
            raise NotAllowed  # nobody enters their own title
        if told.person_id is not None and await person_rows.find(conn, told.person_id) is None:
            raise NoSuch("person")
        fault = _fault(told, today_of(core))
        if fault is None and _stands(told, await rows.everything(conn, told.title.value)):
            fault = TitleFault.TWICE
        if fault is not None:
            return fault
        new = NewTitle(
            title=told.title.value,
            edition=told.edition,
            person_id=told.person_id,
            name=None if told.person_id is not None else told.name.strip(),
            group_id=None,
            is_shared=told.is_shared,
            paragraph=PARAGRAPHS[told.title],
            day=None,
            source=told.source.strip(),
            entered_by=by.id,
            at_us=core.now_us,
        )
        return (await rows.add(conn, [new]))[0]


def _fault(told: OldTitle, today: date) -> TitleFault | None:
    name, source = told.name.strip(), told.source.strip()
    is_named = 0 < len(name) <= LONGEST_NAME and name.isprintable()
    checks = (
        (TitleFault.EDITION, FIRST_YEAR <= told.edition <= today.year),
        (TitleFault.NAME, told.person_id is not None or is_named),
        (TitleFault.SOURCE, 0 < len(source) <= LONGEST_SOURCE),
    )
    return next((fault for fault, is_good in checks if not is_good), None)


def _stands(told: OldTitle, known: Sequence[TitleRow]) -> bool:
    """Whether a year's title is on record already: the holder's own, or one that is not shared."""
    name = " ".join(told.name.split()).casefold()
    return any(
        row.edition == told.edition
        and (
            not (told.is_shared and row.is_shared)
            or (told.person_id is not None and row.person_id == told.person_id)
            or (told.person_id is None and " ".join(row.name.split()).casefold() == name)
        )
        for row in known
    )


async def remove_title(core: Core, by: PersonRow, title_id: int) -> None:
    """Remove an entered title; it stays on record. Raises NotAllowed, NoSuch.

    A title won here follows the results of its group and can't be removed.
    """
    async with core.store.deciding() as conn:
        if not (await rights_in(conn, by, core.now_us)).is_kc:
            raise NotAllowed
        found = await rows.find(conn, title_id)
        if found is None or found.group_id is not None:
            raise NoSuch("title")
        await rows.remove(conn, [title_id], by.id, core.now_us)


async def all_titles(core: Core) -> dict[Title, tuple[TitleRow, ...]]:
    """Every title with its holders, the newest year first."""
    async with core.store.read() as conn:
        found = await rows.everything(conn)
    return {one: tuple(row for row in found if row.title == one) for one in Title}
