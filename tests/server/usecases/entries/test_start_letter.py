"""§ 6.5.2.1: what the start letter of a group that a waiting list started leads to.

Not for: the letter's words (tests/mail/letters) nor the list itself (test_waiting_lists.py).
"""

import pytest
from sqlalchemy import update

from server.settings import SettingsError, settings_from
from server.store.engine.store import Store
from server.store.tables.base import groups
from server.usecases.entries import entry_actions
from server.usecases.letters import start_letter
from server.web.desks.desk_pages import link_addresses
from tests.fakes.entries import START, Federation, federation
from tests.fakes.machinery.each import rows

SITE = "https://skak.example.org"
BOOK = "https://skak.example.org/handbook.pdf#page=6"


@pytest.fixture
async def told(store: Store) -> Federation:
    """A federation whose settings say where the regulation stands."""
    return await federation(store, web={"public_url": SITE}, groups={"regulation_url": BOOK})


async def test_6_5_2_1_a_group_of_a_list_encloses_the_regulation_of_the_settings(told: Federation):
    """§ 6.5.2.1: "tillige med et eksemplar af reglementet"; a list has no field for it."""
    for number in range(7):
        await told.player(f"p{number}")
        row = await told.enter(f"p{number}")
        await entry_actions.record_fee(told.core, told.people["tove"], row.id, START)
    assert (await told.group("K-26-01")).regulation_url == BOOK
    anybody = told.people["p0"]
    assert (await start_letter(told.core, anybody, "K-26-01")).group.regulation_url == BOOK
    async with told.core.store.write() as conn:
        await conn.execute(update(groups).values(regulation_url=None))
    letter = await start_letter(told.core, anybody, "K-26-01")
    assert letter.group.regulation_url == f"{SITE}/regulation", "the server's own pages of it"


@rows(
    "path address",
    ("/groups/Å-26-01", f"{SITE}/groups/%C3%85-26-01"),
    ("/groups/K 26", f"{SITE}/groups/K%2026"),
    ("/desk/kc/year?year=2026", f"{SITE}/desk/kc/year?year=2026"),
    ("/login/a-b_c", f"{SITE}/login/a-b_c"),
)
async def test_an_address_in_a_letter_is_a_link_to_its_end(told, path, address):
    """The open class has a letter in its groups' names at which mail programs end a link."""
    assert told.core.url(path) == address
    assert f'href="{address.removeprefix(SITE)}"' in link_addresses(f"Se {address}\n", SITE)


def test_an_address_of_the_regulation_is_one():
    with pytest.raises(SettingsError, match=r"groups\.regulation_url"):
        settings_from({"groups": {"regulation_url": "reglement.pdf"}})
