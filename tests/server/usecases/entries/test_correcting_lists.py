"""A list that is open can be corrected by the controller: name, tournament, fee (§ 6.1.2)."""

from server.store import entries as entry_rows
from server.store.entries import ListRow
from server.usecases import office
from server.usecases.entries import entry_actions
from server.usecases.entries.player_entering import MOST_FEE, ListFault, correct_list
from tests.fakes.entries import START, Federation
from tests.fakes.machinery.each import each

Right = tuple[str, str, int]
RIGHT: Right = ("K-klassen", "EMT 2026", 12_500)


async def corrected(fed: Federation, by: str, list_id: int, new: Right) -> ListRow | ListFault:
    """What comes of the list's new name, tournament and fee."""
    named = dict(zip(("name", "tournament", "fee"), new, strict=True))
    return await correct_list(fed.core, fed.people[by], list_id, **named)


async def test_a_correction_is_for_the_fees_to_come(fed: Federation):
    await fed.player("ane")
    await fed.player("bo")
    kaj, rows = fed.people["kaj"], [await fed.enter("ane"), await fed.enter("bo")]
    await entry_actions.record_fee(fed.core, kaj, rows[0].id, START)
    made = await corrected(fed, "kaj", fed.lists["K"].id, RIGHT)
    assert isinstance(made, ListRow)
    assert (made.name, made.tournament, made.fee) == ("K-klassen", "EMT 2026", 12_500)
    assert (made.prefix, made.leader_id) == ("K-26", fed.people["tove"].id), "as they were"
    await entry_actions.record_fee(fed.core, kaj, rows[1].id, START)
    found = [
        (li.entry.tournament, li.entry.ore) for li in (await office.books_for(fed.core, kaj)).lines
    ]
    assert sorted(found) == [("EMT 2026", 12_500), ("K-skak-EMT 2026", 10_000)]
    same = await corrected(fed, "kaj", fed.lists["K"].id, RIGHT)
    assert same == made, "its own name is not taken"


@each(
    "new fault",
    (("", "EMT", 0), ListFault.NAME),
    (("Liste M", "EMT", 0), ListFault.NAME_TAKEN),
    (("K", "E\nMT", 0), ListFault.TOURNAMENT),
    (("K", "EMT", MOST_FEE + 1), ListFault.FEE),
)
async def test_a_faulty_correction_changes_nothing(fed: Federation, new: Right, fault: ListFault):
    row = fed.lists["K"]
    assert await corrected(fed, "kaj", row.id, new) == fault
    async with fed.core.store.read() as conn:
        assert await entry_rows.find_list(conn, row.id) == row
