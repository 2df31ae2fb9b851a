"""What entries that came to nothing stated goes after 12 months, and who only ever entered."""

from datetime import date, timedelta

import pytest

from server.store import entries as entry_rows
from server.store.play import people as person_rows
from server.usecases.desks import readiness
from server.usecases.entries import entry_actions
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.register.member_import import MemberEditRequest, edit_member
from tests.fakes.entries import START, Federation

BORN = date(1951, 2, 3)
STATED = EntryStatement(member="4711", born=BORN, proof="K-24-01")
YEAR_ON = date(2027, 11, 2)


async def _entered(fed: Federation, name: str) -> int:
    """Somebody whom the register does not know the birth date of enters; the entry's id."""
    await fed.player(name, birth=None, member=None)
    return (await fed.enter(name, stated=STATED)).id


async def _kept(fed: Federation, name: str) -> tuple[str | None, bool]:
    """The birth date of a player's entry, and whether his address is still there."""
    async with fed.core.store.read() as conn:
        (row,) = await entry_rows.entries_of(conn, fed.people[name].id)
        person = await person_rows.find_person(conn, fed.people[name].id)
    assert person is not None
    return row.born, person.email == f"{name}@example.org"


async def _pass_to(fed: Federation, day: date) -> None:
    fed.clock.go(day)
    await readiness.daily(fed.core)


@pytest.mark.both_engines
async def test_who_was_never_seated_is_forgotten_12_months_after_his_last_entry_ended(fed):
    """REGULATION, "Personal data": birth date, number, proof and address."""
    for name in ("gone", "waits"):
        entry = await _entered(fed, name)
        if name == "gone":
            done = await entry_actions.withdraw(fed.core, fed.people["gone"], entry)
            assert isinstance(done, entry_rows.EntryRow)
    await _pass_to(fed, YEAR_ON)
    assert await _kept(fed, "gone") == (BORN.isoformat(), True), "the last day of the 12 months"
    await _pass_to(fed, YEAR_ON + timedelta(1))
    assert await _kept(fed, "gone") == (None, False)
    async with fed.core.store.read() as conn:
        (row,) = await entry_rows.entries_of(conn, fed.people["gone"].id)
    assert (row.member, row.proof, row.state) == (None, "", "withdrawn"), "the entry itself stays"
    assert await _kept(fed, "waits") == (BORN.isoformat(), True), "his entry may become a place"


async def test_a_members_entry_forgets_what_it_stated_and_the_member_stays(fed: Federation):
    entry = await _entered(fed, "anna")
    edit = MemberEditRequest(
        fed.people["anna"].id, {"number": "99", "kind": "individual"}, "ny", "web"
    )
    assert (await edit_member(fed.core, fed.people["kaj"], edit)).person_id is not None
    assert await entry_actions.withdraw(fed.core, fed.people["anna"], entry)
    assert START < YEAR_ON
    await _pass_to(fed, YEAR_ON + timedelta(1))
    assert await _kept(fed, "anna") == (None, True)
