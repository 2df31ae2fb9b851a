"""§ 6.5.2.1: a postal list asks for postal addresses at entry, and its group starts with them."""

from dataclasses import replace

import pytest

from kskak.entries.entry import EntryProblem, EntryRefusal
from kskak.regulation.editions import Regulation
from server.store.engine.store import Store
from server.store.entries import EntryRow
from server.store.play import people as person_rows
from server.store.play.people import AddressRow
from server.usecases.entries.entry_actions import start_by_leader
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.groups.group_file import StartedGroup, read_group_file
from server.usecases.letters import start_letter
from server.usecases.starts.start_group import start_group
from tests.fakes.entries import Federation, federation
from tests.fakes.site import group_text

NAMES = ("anna", "bo", "carl", "dorte", "eva", "finn", "gunnvør")


@pytest.fixture
async def fed(store: Store) -> Federation:
    """A postal list of class K; nothing starts by itself."""
    made = await federation(store, entries={"starts_itself": False})
    made.lists["post"] = await made.open_list(
        made.people["kaj"], "Brev 2026", "emt K", "B-26", "tove",
        regulation=Regulation.POSTAL, fee=None, how_to_pay="",
    )  # fmt: skip
    for name in NAMES:
        await made.player(name)
    return made


async def _address(fed: Federation, name: str) -> str:
    async with fed.core.store.read() as conn:
        found = await person_rows.postal_addresses_of(conn, [fed.people[name].id])
    return found[fed.people[name].id].text if found else ""


async def test_without_an_address_the_entry_is_refused_and_with_one_it_is_kept(fed: Federation):
    assert await fed.ask("anna", "post") == EntryRefusal((EntryProblem.NO_ADDRESS,))
    assert await fed.ask("anna", "post", address=" \n ") == EntryRefusal((EntryProblem.NO_ADDRESS,))
    long = await fed.ask("anna", "post", address="x" * 301)
    assert long == EntryRefusal((EntryProblem.ADDRESS,))
    assert isinstance(await fed.ask("anna", "post", address=" Gade 1\n\n8000  Aarhus "), EntryRow)
    assert await _address(fed, "anna") == "Gade 1\n8000 Aarhus"
    again = await fed.ask("anna", "post", is_second=True)
    assert isinstance(again, EntryRow), "an address that is known need not be said again"


async def test_by_mail_no_address_is_asked_for_and_none_is_kept(fed: Federation):
    assert isinstance(await fed.ask("bo", "K", address="Gade 2"), EntryRow)
    assert await _address(fed, "bo") == ""


async def test_an_official_does_not_write_over_the_players_own_word(fed: Federation):
    bo, tove = fed.people["bo"], fed.people["tove"]
    asked = EntryRequest(fed.lists["post"].id, EntryStatement(), bo.id, address="Efter kortet 3")
    assert isinstance(await enter(fed.core, tove, asked), EntryRow)
    assert await _address(fed, "bo") == "Efter kortet 3"
    second = replace(asked, is_second=True, address="Fejl 9")
    assert isinstance(await enter(fed.core, tove, second), EntryRow)
    assert await _address(fed, "bo") == "Efter kortet 3"


async def test_a_postal_group_waits_for_the_last_address_and_its_letter_has_them_all(fed):
    tove = fed.people["tove"]
    for number, name in enumerate(NAMES):
        entry = EntryRequest(
            fed.lists["post"].id, EntryStatement(), fed.people[name].id, fee=fed.clock.today,
            address=f"Vej {number}\n100 Tórshavn",
        )  # fmt: skip
        made = await enter(fed.core, tove, entry)
        assert isinstance(made, EntryRow) and made.state == "valid"
    async with fed.core.store.write() as conn:
        await person_rows.forget_postal_address(conn, [fed.people["gunnvør"].id])
    refused = await start_by_leader(fed.core, tove, fed.lists["post"].id)
    assert refused == EntryRefusal((EntryProblem.NO_ADDRESSES,), who=("Gunnvør",))
    async with fed.core.store.write() as conn:
        row = AddressRow(fed.people["gunnvør"].id, "Gøta 6", 0)
        await person_rows.keep_postal_address(conn, row)
    started = await start_by_leader(fed.core, tove, fed.lists["post"].id)
    assert isinstance(started, StartedGroup) and started.notes == ()
    letter = await start_letter(fed.core, fed.people["anna"], started.name)
    told = {one.person.name: one.postal_address for one in letter.players}
    assert told["Gunnvør"] == "Gøta 6" and told["Bo"] == "Vej 1, 100 Tórshavn"
    assert letter.group.paper_url == fed.core.url("/regulation.pdf"), "§ 6.5.2.1: on paper"


def _file(name: str, regulation: str) -> str:
    """The two of the file are nobody of the federation."""
    text = group_text(name, regulation)
    return text.replace("anna@", "anna.a@").replace("bent@", "bent.b@")


async def test_who_starts_a_postal_group_from_a_file_is_asked_for_the_addresses(fed: Federation):
    text = _file("P-26-01", "postal")
    started = await start_group(fed.core, read_group_file(text))
    assert started.notes == (
        "address: none is known of Anna Andersen, Bent Bæk; cards can't be sent to them: "
        "ask them for it",
    )
    by_mail = await start_group(fed.core, read_group_file(_file("E-26-01", "email")))
    assert by_mail.notes == ()
