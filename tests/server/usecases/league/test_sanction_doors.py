"""A sanction at every door: one question, asked wherever something may begin (§ 6.4.2).

Group files, divisions with their captains, another captain, reserves; entries and lists ask the
same rule (tests of entries). Organisers check it themselves (Kendelse 97).
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import insert

from kskak.entries.entry import EntryFault
from kskak.league.lineups import ReserveFault
from server.store.cases import publications
from server.store.cases.publications import NewSanction
from server.store.play import people as person_rows
from server.store.play.people import NewPerson
from server.store.tables.cases import cases
from server.usecases.cases.sanctions import find_barred
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.league.divisions import name_captain
from server.usecases.league.reserves import ReserveInput, ReserveRefused, ask_reserve
from server.usecases.rights import NoSuch
from server.usecases.starts.start_group import start_group
from tests.fakes.league import address, begin_division, division_text, players_of, team_of
from tests.fakes.site import Site, close_site, group_text, open_site

SHUT = "shut@example.org"
FIRST, LAST = date(2026, 9, 1), date(2026, 12, 31)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A group in September 2026, and Shut Ude, who is in it no more than anybody."""
    opened = await open_site(tmp_path)
    async with opened.core.store.write() as conn:
        await person_rows.add_person(conn, NewPerson(name="Shut Ude", email=SHUT, created_us=0))
    yield opened
    await close_site(opened)


async def sanction(site: Site, kind: str = "quarantine", *, last: date | None = LAST) -> int:
    """Shut Ude's sanction in a case of the first group (a K group: EMT); his number."""
    game, person = await site.game(), (await site.person(SHUT)).id
    case = {
        "id": 1, "number": "2026/1", "kind": "conduct", "group_id": game.group_id,
        "state": "decided", "instance": "tl", "seq": 1, "head": b"", "snapshot": "{}",
        "is_suspended": False, "opened_us": 0,
    }  # fmt: skip
    new = NewSanction(person, 1, kind, game.group_id, FIRST.isoformat(), last and last.isoformat())
    async with site.core.store.write() as conn:
        await conn.execute(insert(cases).values(case))
        await conn.run_sync(lambda sync: publications.add_sanction(sync, [new]))
    return person


async def asked(site: Site, person: int, form: str, on: date) -> dict[int, EntryFault]:
    return await site.core.store.look(lambda conn: find_barred(conn, [person], form, on))


async def test_the_question_on_both_sides_of_each_bound(site: Site) -> None:
    """From the first day to the last, in every form; not before, not after, not once annulled."""
    person = await sanction(site)
    for form in ("emt", "cup", "league", "theme"):
        for on in (FIRST, LAST):
            assert await asked(site, person, form, on) == {person: EntryFault.QUARANTINED}
        for on in (date(2026, 8, 31), date(2027, 1, 1)):
            assert await asked(site, person, form, on) == {}
    annulled = (1, person, FIRST.isoformat(), site.core.now_us)
    await site.core.store.transact(lambda conn: publications.annul(conn, *annulled))
    assert await asked(site, person, "emt", FIRST) == {}


async def test_an_expulsion_is_from_its_own_form_and_a_warning_from_nothing(site: Site) -> None:
    person = await sanction(site, "expulsion", last=None)
    assert await asked(site, person, "emt", LAST) == {person: EntryFault.EXPELLED}
    assert await asked(site, person, "league", LAST) == {}


async def test_who_is_dead_begins_nothing(site: Site) -> None:
    person = (await site.person(SHUT)).id
    told = {"person_id": person, "day": "2026-09-01", "by_id": person, "at_us": 1}
    await site.core.store.transact(lambda conn: publications.record_death(conn, **told))
    assert await asked(site, person, "cup", FIRST) == {person: EntryFault.DEAD}


Door = Callable[[Site], Awaitable[object]]


async def through_a_group_file(site: Site) -> None:
    text = group_text("K-26-09").replace("start = 2026-09-01", "start = 2026-11-01")
    text += f'\n[[players]]\nname = "Shut Ude"\nemail = "{SHUT}"\n'
    await start_group(site.core, read_group_file(text))


async def through_a_division(site: Site) -> None:
    teams = {"Nord": ("Shut", *players_of("Nord")[1:]), "Syd": players_of("Syd")}
    text = division_text("DIV-9", teams, start="2026-12-10", captains={"Nord": address("Nord To")})
    await start_group(
        site.core, read_group_file(text.replace('name = "Shut"', 'name = "Shut Ude"'))
    )


async def through_captaincy_of_a_division(site: Site) -> None:
    teams = {club: players_of(club) for club in ("Nord", "Syd")}
    text = division_text("DIV-8", teams, start="2026-12-10", captains={"Nord": SHUT})
    named = f'captain = "{SHUT}"\ncaptain_name = "Shut Ude"'
    await start_group(site.core, read_group_file(text.replace(f'captain = "{SHUT}"', named)))


async def as_another_captain(site: Site) -> None:
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"), start="2026-10-01")
    team, tl = await team_of(site.core, "DIV-1", "Nord"), await site.person("tl@example.org")
    await name_captain(site.core, tl, team.id, SHUT, "Ny kaptajn")


async def as_a_reserve(site: Site) -> None:
    await begin_division(site.core, "DIV-2", ("Nord", "Syd"), start="2026-08-20")
    team = await team_of(site.core, "DIV-2", "Nord")
    captain = await site.person(address("Nord Et"))
    wish = ReserveInput(4, "Shut Ude", SHUT, 1600, "Syg")
    done = await ask_reserve(site.core, captain, team.id, wish)
    if isinstance(done, ReserveRefused) and ReserveFault.BARRED in done.faults:
        raise NoSuch("barred")


DOORS: dict[str, tuple[Door, type[Exception], str]] = {
    "group file": (through_a_group_file, GroupFileError, "Shut Ude (quarantined, § 6.4.2)"),
    "division": (through_a_division, GroupFileError, "Shut Ude (quarantined, § 6.4.2)"),
    "captain": (through_captaincy_of_a_division, GroupFileError, "Shut Ude (quarantined"),
    "new captain": (as_another_captain, NoSuch, "barred"),
    "reserve": (as_a_reserve, NoSuch, "barred"),
}


@pytest.mark.parametrize("name", DOORS)
async def test_every_door_is_closed_in_a_quarantine_and_open_without(site: Site, name: str) -> None:
    """§ 6.4.2, Kendelse 97: whoever organises, at every door."""
    door, fault, told = DOORS[name]
    await sanction(site)
    with pytest.raises(fault) as raised:
        await door(site)
    assert told in str(raised.value)


@pytest.mark.parametrize("name", DOORS)
async def test_every_door_is_open_once_it_is_over(site: Site, name: str) -> None:
    await sanction(site, last=date(2026, 8, 31))
    await DOORS[name][0](site)
