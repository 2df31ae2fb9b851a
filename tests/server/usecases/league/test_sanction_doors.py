"""A sanction at every door: one question, asked wherever something may begin (§ 6.4.2).

Group files, divisions with their captains, another captain, reserves; entries and lists ask the
same rule (tests of entries). Organisers check it themselves (Kendelse 97).
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from kskak.entries.entry import EntryFault
from kskak.league.lineups import ReserveFault
from server.store.cases import publications
from server.store.cases.publications import NewSanction
from server.store.play import people as person_rows
from server.store.play.people import NewPerson
from server.store.tables.base import seats
from server.store.tables.cases import cases
from server.store.tables.people import members
from server.usecases.cases.sanctions import find_barred
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.league.divisions import name_captain
from server.usecases.league.reserves import (
    ReserveInput,
    ReserveRefused,
    ask_reserve,
    decide_reserve,
)
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
    shut = {ReserveFault.BARRED, ReserveFault.MEMBERS_ONLY}
    if isinstance(done, ReserveRefused) and (found := shut & {*done.faults}):
        raise NoSuch(found.pop().value)


async def in_quarantine(site: Site) -> None:
    await sanction(site)


async def expelled(site: Site) -> None:
    """From the league, whose doors these are, and from the class of the first group."""
    person = await sanction(site, "expulsion", last=None)
    await begin_division(site.core, "DIV-0", ("Vest", "Øst"), start="2026-08-10")
    division = await team_of(site.core, "DIV-0", "Vest")
    async with site.core.store.write() as conn:
        new = NewSanction(person, 1, "expulsion", division.group_id, FIRST.isoformat(), None)
        await conn.run_sync(lambda sync: publications.add_sanction(sync, [new]))


async def no_member(site: Site) -> None:
    """A net member, who has had the one group of the championship that he may have."""
    person, game = (await site.person(SHUT)).id, await site.game()
    async with site.core.store.write() as conn:
        await conn.execute(insert(members).values(person_id=person, kind="net"))
        await conn.execute(insert(seats).values(group_id=game.group_id, number=9, person_id=person))


async def leaving(site: Site) -> None:
    """An open case in which he leaves the first group."""
    game, person = await site.game(), (await site.person(SHUT)).id
    case = {
        "id": 1, "number": "2026/1", "kind": "withdrawal", "group_id": game.group_id,
        "state": "opened", "instance": "tl", "seq": 1, "head": b"", "is_suspended": False,
        "snapshot": '{"kinds": ["withdrawal"]}', "opened_us": 0, "person_id": person,
    }  # fmt: skip
    async with site.core.store.write() as conn:
        await conn.execute(insert(cases).values(case))


DOORS: dict[str, Door] = {
    "group file": through_a_group_file,
    "division": through_a_division,
    "captain": through_captaincy_of_a_division,
    "new captain": as_another_captain,
    "reserve": as_a_reserve,
}
OPEN = ""
"""A captain plays nothing as such: only what is imposed on him counts."""
TABLE: dict[str, tuple[Door, dict[str, str]]] = {
    "quarantine": (in_quarantine, {
        "group file": "quarantined, § 6.4.2", "division": "quarantined, § 6.4.2",
        "captain": "quarantined, § 6.4.2", "new captain": "barred", "reserve": "barred",
    }),
    "expulsion": (expelled, {
        "group file": "expelled, § 6.4.2", "division": "expelled, § 6.4.2",
        "captain": "expelled, § 6.4.2", "new captain": "barred", "reserve": "barred",
    }),
    "no member": (no_member, {
        "group file": "second_of_non_member, § 6.1", "division": "members_only, § 6.1",
        "captain": OPEN, "new captain": OPEN, "reserve": "members_only",
    }),
    "leaving": (leaving, {
        "group file": "leaving, § 6.2.8", "division": "leaving, § 6.2.8",
        "captain": OPEN, "new captain": OPEN, "reserve": OPEN,
    }),
}  # fmt: skip


@pytest.mark.parametrize(("why", "name"), [(why, name) for why in TABLE for name in DOORS])
async def test_each_door_and_each_reason(site: Site, why: str, name: str) -> None:
    """§ 6.4.2, Kendelse 97: whoever organises asks, at every door.

    A reserve who leaves is asked for, and only the leader's leave lets him in (§ 6.2.8).
    """
    reason, told = TABLE[why]
    await reason(site)
    if not told[name]:
        await DOORS[name](site)
        return
    with pytest.raises((GroupFileError, NoSuch), match=told[name]):
        await DOORS[name](site)


async def test_a_word_of_the_leader_lets_in_who_leaves_and_nobody_else(site: Site) -> None:
    text = group_text("K-26-09").replace("start = 2026-09-01", "start = 2026-11-01")
    text = text.replace("regulation", 'word = "Han har skrevet, at han spiller."\nregulation', 1)
    text += f'\n[[players]]\nname = "Shut Ude"\nemail = "{SHUT}"\n'
    await leaving(site)
    await start_group(site.core, read_group_file(text))
    async with site.core.store.write() as conn:
        await conn.execute(update(cases).values(kind="conduct", snapshot="{}"))
        new = NewSanction((await site.person(SHUT)).id, 1, "quarantine", 1, "2026-09-01", None)
        await conn.run_sync(lambda sync: publications.add_sanction(sync, [new]))
    with pytest.raises(GroupFileError, match="quarantined"):
        await start_group(site.core, read_group_file(text.replace("K-26-09", "K-26-10")))


async def test_a_reserve_who_leaves_waits_for_the_leader_s_leave(site: Site) -> None:
    await leaving(site)
    await begin_division(site.core, "DIV-2", ("Nord", "Syd"), start="2026-08-20")
    team = await team_of(site.core, "DIV-2", "Nord")
    captain, tl = await site.person(address("Nord Et")), await site.person("tl@example.org")
    asked = await ask_reserve(
        site.core, captain, team.id, ReserveInput(4, "Shut Ude", SHUT, 1600, "")
    )
    assert isinstance(asked, int)
    refused = await decide_reserve(site.core, tl, asked, True, "")
    assert isinstance(refused, ReserveRefused) and ReserveFault.LEAVING in refused.faults
    done = await decide_reserve(site.core, tl, asked, True, "Han spiller videre her.", despite=True)
    assert not isinstance(done, ReserveRefused) and done.state == "in"


@pytest.mark.parametrize("name", DOORS)
async def test_every_door_is_open_once_it_is_over(site: Site, name: str) -> None:
    await sanction(site, last=date(2026, 8, 31))
    await DOORS[name](site)
