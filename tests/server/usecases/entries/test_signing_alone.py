"""The DM led by the controller: who must sign, and one who holds both offices (§ 6.5.2.2 f)."""

import pytest

from kskak.entries.emt import EmtClass
from kskak.entries.entry import Discretion, EntryRefusal, Signature, is_let_in
from server.store.engine.store import Store
from server.store.entries import EntryRow
from server.store.play.people import Office
from server.usecases import rights as offices
from server.usecases.entries import entry_actions
from server.usecases.entries.entry_judging import entry_page
from server.usecases.entries.player_entering import change_list
from server.usecases.rights import NotAllowed
from tests.fakes.entries import Federation, federation

WHY = "Han er dansk seniormester."


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Kaj, the controller, leads the DM himself; Ane asks to be let in."""
    made = await federation(store)
    await change_list(made.core, made.people["kaj"], made.lists["DM"].id, leader="kaj@example.org")
    await made.player("ane")
    return made


async def entered(fed: Federation) -> EntryRow:
    return await fed.enter("ane", "DM", asks=True)


async def missing(fed: Federation, entry: EntryRow) -> dict[str, tuple[str, ...]]:
    page = await entry_page(fed.core, fed.people["kaj"], entry.id)
    return {office.value: names for office, names in page.signers.items()}


async def let_in(fed: Federation, by: str, entry: EntryRow, **more: bool) -> EntryRow:
    done = await entry_actions.let_in(fed.core, fed.people[by], entry.id, WHY, **more)
    assert isinstance(done, EntryRow), done
    return done


async def test_it_says_who_else_must_sign(fed: Federation):
    entry, kaj = await entered(fed), fed.people["kaj"]
    assert await missing(fed, entry) == {"tl": (kaj.name,), "kc": (kaj.name,)}
    assert (await let_in(fed, "kaj", entry)).state == "waiting"
    assert await missing(fed, entry) == {"kc": ()}, "nobody else: appoint one, or accept"
    await offices.appoint(fed.core, kaj, fed.people["ole"].id, Office.KC)
    assert await missing(fed, entry) == {"kc": (fed.people["ole"].name,)}
    await let_in(fed, "ole", entry)
    assert await missing(fed, entry) == {}


async def test_who_holds_both_offices_may_sign_for_both_with_a_word(fed: Federation):
    entry = await entered(fed)
    await let_in(fed, "kaj", entry)
    await let_in(fed, "kaj", entry, for_both=True)
    page = await entry_page(fed.core, fed.people["kaj"], entry.id)
    assert [(row.office, row.reason) for row in page.view.rulings] == [("tl", WHY), ("both", WHY)]
    assert "decision" not in page.view.waits and page.signers == {}
    assert await entry_actions.let_in(fed.core, fed.people["kaj"], entry.id, WHY, for_both=True)


async def test_nobody_signs_for_an_office_that_he_does_not_hold(fed: Federation):
    await change_list(fed.core, fed.people["kaj"], fed.lists["DM"].id, leader="tove@example.org")
    entry = await entered(fed)
    for name in ("tove", "kaj"):
        await let_in(fed, name, entry, for_both=True)
    page = await entry_page(fed.core, fed.people["kaj"], entry.id)
    assert [row.office for row in page.view.rulings] == ["tl", "kc"], "each signs for his own"


async def test_of_many_only_those_are_let_in_whose_class_is_not_open(fed: Federation):
    open_to = await fed.enter("ane", "K")
    done = await entry_actions.let_in(fed.core, fed.people["kaj"], open_to.id, WHY, if_shut=True)
    assert isinstance(done, EntryRefusal)


def test_one_person_in_one_office_signs_once():
    """§ 6.5.2.2 f: two offices, or one who says that he holds both."""
    leader = Discretion("6.5.2.2 f", Signature.LEADER, 1)
    alone = Discretion("6.5.2.2 f", Signature.BOTH, 1)
    assert not is_let_in(EmtClass.DM, (leader, Discretion("6.5.2.2 f", Signature.CONTROLLER, 1)))
    assert is_let_in(EmtClass.DM, (alone,)) and not is_let_in(EmtClass.DM, (leader,))


# Offices named before anybody is in the register (§ 6.1.1, § 6.4.3).


async def test_the_controller_names_the_board_and_his_deputy_but_ends_only_his_own(fed: Federation):
    kaj, core = fed.people["kaj"], fed.core
    async with core.store.deciding() as conn:
        text = "Nina Nævn <nina@example.org>; ole@example.org"
        found = await offices.find_or_add_officials(core, conn, text)
        assert found is not None and [one.name for one in found] == ["Nina Nævn", "Ole"]
        assert await offices.find_or_add_officials(core, conn, "Nina, ingen@example.org") is None
        assert await offices.find_or_add_officials(core, conn, "ingen@example.org") is None
    nina = await offices.appoint(core, kaj, found[0].id, Office.BOARD)
    deputy = await offices.appoint(core, kaj, found[1].id, Office.KC)
    with pytest.raises(NotAllowed):
        await offices.appoint(core, kaj, found[1].id, Office.ADMIN)
    assert nina.id is not None and deputy.id is not None
    with pytest.raises(NotAllowed):
        await offices.dismiss(core, kaj, nina.id)
    await offices.dismiss(core, kaj, deputy.id)
