"""§ 6.4.4.1, § 6.5.1.1: from an entry to a group: fee, place on the list, lots, no doubles."""

import asyncio
import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import func, insert, select, update

from kskak.entries.entry import EntryProblem, EntryRefusal
from kskak.groups.schedule import draw_lots, seed_of_lots
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.entries import EntryRow, PastResult
from server.store.play import people as person_rows
from server.store.tables.base import games, groups
from server.store.tables.cases import cases
from server.usecases.cases.case_decisions import annul_start
from server.usecases.entries import entry_actions
from server.usecases.entries.player_entering import add_result
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group
from tests.fakes.entries import IN_K, START, Federation
from tests.fakes.site import group_text


async def _news(fed: Federation, name: str) -> list[str]:
    mine = [row for row in await fed.written() if row.person_id == fed.people[name].id]
    return [json.loads(row.params).get("news", row.kind) for row in mine]


async def _seven(fed: Federation, paid: int = 7) -> list[EntryRow]:
    """Seven players enter K; the fees of the first are recorded."""
    rows = []
    for number in range(7):
        await fed.player(f"p{number}")
        rows.append(await fed.enter(f"p{number}"))
    for row in rows[:paid]:
        await entry_actions.record_fee(fed.core, fed.people["tove"], row.id, START)
    return rows


async def _find(fed: Federation, row: EntryRow) -> EntryRow:
    async with fed.core.store.read() as conn:
        found = await entry_rows.find_entry(conn, row.id)
    assert found is not None
    return found


async def _groups(fed: Federation) -> list[str]:
    async with fed.core.store.read() as conn:
        return sorted(row.name for row in await group_rows.everything(conn))


async def test_an_entry_is_valid_from_the_day_the_leader_has_the_fee(fed: Federation):
    await fed.player("anna")
    row = await fed.enter("anna")
    assert (row.state, row.fee_day, row.since_day) == ("waiting", None, None)
    fed.clock.wait(days=10)
    paid = await entry_actions.record_fee(
        fed.core, fed.people["tove"], row.id, START + timedelta(9)
    )
    assert (paid.state, paid.fee_day, paid.fee_by) == (
        "valid", "2026-11-11", fed.people["tove"].id,
    )  # fmt: skip
    assert paid.since_day == "2026-11-11" and paid.fee_us == fed.core.now_us
    assert await _news(fed, "anna") == ["entered", "fee"]


async def test_a_fee_of_tomorrow_is_refused_and_a_second_one_changes_nothing(fed: Federation):
    await fed.player("anna")
    row, tove = await fed.enter("anna"), fed.people["tove"]
    early = await entry_actions.record_fee(fed.core, tove, row.id, START + timedelta(1))
    assert early == EntryRefusal((EntryProblem.FEE_DAY,))
    await entry_actions.record_fee(fed.core, tove, row.id, START)
    again = await entry_actions.record_fee(fed.core, tove, row.id, START - timedelta(3))
    assert again.fee_day == START.isoformat()
    assert await _news(fed, "anna") == ["entered", "fee"]


async def test_the_seventh_valid_entry_starts_the_group_with_recorded_lots(fed: Federation):
    rows = await _seven(fed, paid=6)
    assert await _groups(fed) == []
    done = await entry_actions.record_fee(fed.core, fed.people["tove"], rows[6].id, START)
    assert (done.state, done.group) == ("placed", "K-26-01")
    assert {(await _find(fed, row)).state for row in rows} == {"placed"}
    async with fed.core.store.read() as conn:
        group = await group_rows.by_name(conn, "K-26-01")
        assert group is not None and group.seed is not None and group.is_drawn
        seats = [seat.person_id for seat in await group_rows.seats_of(conn, group.id)]
        count = (await conn.execute(select(func.count()).select_from(games))).scalar_one()
    people = [fed.people[f"p{number}"] for number in range(7)]
    assert group.seed.endswith(seed_of_lots(b"", [one.name for one in people])), "by the names"
    order = draw_lots(group.seed, [f"{one.name} <{one.email}>" for one in people])
    assert seats == [people[index].id for index in order]
    assert count == 21 and group.tl_id == fed.people["tove"].id
    assert group.start == (START + timedelta(fed.core.settings.entries.start_days)).isoformat()
    for number in range(7):
        assert (await _news(fed, f"p{number}")).count("start") == 1


async def test_first_come_first_served_by_the_day_of_the_fee(fed: Federation):
    """§ 6.5.1.1: eight are in line; who paid last waits on as number 1."""
    fed = await federation_without_start(fed)
    rows = []
    for number in range(8):
        await fed.player(f"p{number}")
        rows.append(await fed.enter(f"p{number}"))
    fed.clock.wait(days=20)
    for number, row in enumerate(rows):
        on = START + timedelta(15 if number == 2 else number)
        await entry_actions.record_fee(fed.core, fed.people["tove"], row.id, on)
    assert await _groups(fed) == []
    await entry_actions.start_by_leader(fed.core, fed.people["tove"], fed.lists["K"].id)
    assert [row.id for row in rows if (await _find(fed, row)).state == "valid"] == [rows[2].id]


async def federation_without_start(fed: Federation) -> Federation:
    """The same database, where the leader's click starts a group."""
    settings = fed.core.settings.model_copy(
        update={"entries": fed.core.settings.entries.model_copy(update={"starts_itself": False})}
    )
    core = type(fed.core)(
        fed.core.store, fed.core.writer, fed.core.clock, settings, fed.core.secret
    )
    return Federation(core, fed.clock, fed.people, fed.lists)


async def test_where_it_is_set_so_the_leader_starts_the_group(fed: Federation):
    fed = await federation_without_start(fed)
    tove, wanted = fed.people["tove"], fed.lists["K"].id
    rows = await _seven(fed, paid=6)
    few = await entry_actions.start_by_leader(fed.core, tove, wanted)
    assert few == EntryRefusal((EntryProblem.TOO_FEW,))
    await entry_actions.record_fee(fed.core, tove, rows[6].id, START)
    assert await _groups(fed) == []
    started = await entry_actions.start_by_leader(fed.core, tove, wanted)
    assert started.name == "K-26-01"
    again = await entry_actions.start_by_leader(fed.core, tove, wanted)
    assert again == EntryRefusal((EntryProblem.TOO_FEW,))
    assert await _groups(fed) == ["K-26-01"]


async def test_the_same_form_twice_at_once_is_one_entry(fed: Federation):
    await fed.player("anna")
    rows = await asyncio.gather(*(fed.enter("anna", key="form-1") for _ in range(3)))
    assert len({row.id for row in rows}) == 1
    assert await _news(fed, "anna") == ["entered"]


async def test_nobody_leads_the_group_he_plays_in(fed: Federation):
    """§ 6.1.1: the leader is on his own list; the group waits for another leader."""
    kaj, tove = fed.people["kaj"], fed.people["tove"]
    await add_result(fed.core, kaj, tove.id, IN_K)
    rows = await _seven(fed, paid=0)
    own = await fed.enter("tove")
    for row in [own, *rows[:6]]:
        await entry_actions.record_fee(fed.core, kaj, row.id, START)
    assert await _groups(fed) == []
    told = await entry_actions.start_by_leader(fed.core, tove, fed.lists["K"].id)
    assert told == EntryRefusal((EntryProblem.LEADER_PLAYS,))


async def test_the_dm_is_started_by_its_leader_for_september_and_once_a_year(fed: Federation):
    """§ 6.5.1.1, § 6.5.2, § 6.5.2.1: five players, a double round; the next is a year later."""
    in_m = PastResult("emt", "M", "M-24-01", date(2026, 1, 2), 10, 6, "K-skakbladet 2026/1")
    for number in range(5):
        await fed.player(f"p{number}", in_m)
        row = await fed.enter(f"p{number}", "DM")
        await entry_actions.record_fee(fed.core, fed.people["tove"], row.id, START)
    assert await _groups(fed) == []
    started = await entry_actions.start_by_leader(fed.core, fed.people["tove"], fed.lists["DM"].id)
    assert started.games == 20
    async with fed.core.store.read() as conn:
        (group,) = await group_rows.everything(conn)
    assert (group.start, group.is_double) == ("2027-09-01", True)


async def test_a_start_that_fails_leaves_the_list_as_it_was(fed: Federation, monkeypatch):
    """All in one transaction: no group without its entries, no fee without the group."""
    rows = await _seven(fed, paid=6)

    async def broken(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(entry_rows, "place_entries", broken)
    with pytest.raises(RuntimeError):
        await entry_actions.record_fee(fed.core, fed.people["tove"], rows[6].id, START)
    assert await _groups(fed) == []
    assert (await _find(fed, rows[6])).fee_day is None
    async with fed.core.store.read() as conn:
        assert (await conn.execute(select(func.count()).select_from(groups))).scalar_one() == 0


async def test_a_fee_is_recorded_even_where_no_group_can_be_made(fed: Federation):
    """A name that no group file takes: the seventh fee stands, the leader's click says why not."""
    rows = await _seven(fed, paid=6)
    async with fed.core.store.write() as conn:
        odd = replace(fed.people["p0"], name="P0 ")
        await person_rows.change(conn, odd)
    paid = await entry_actions.record_fee(fed.core, fed.people["tove"], rows[6].id, START)
    assert isinstance(paid, EntryRow) and paid.state == "valid"
    assert await _groups(fed) == []
    told = await entry_actions.start_by_leader(fed.core, fed.people["tove"], fed.lists["K"].id)
    assert told == EntryRefusal((EntryProblem.NOT_MADE,))


async def test_a_group_taken_back_gives_its_entries_back_to_the_list(fed: Federation):
    rows = await _seven(fed)
    group = await fed.group("K-26-01")
    await annul_start(fed.core, fed.people["tove"], group.id, "Fejl")
    assert {(await _find(fed, row)).state for row in rows} == {"valid"}
    started = await entry_actions.start_by_leader(fed.core, fed.people["tove"], fed.lists["K"].id)
    assert started.name == "K-26-01"


async def _leaves(fed: Federation, person: int, state: str = "opened") -> None:
    """A case in which a player leaves a group, begun or as it then stands."""
    if "K-25-09" not in await _groups(fed):
        await start_group(fed.core, read_group_file(group_text("K-25-09")))
    async with fed.core.store.write() as conn:
        case = {
            "id": 1, "number": "2026/1", "kind": "withdrawal", "group_id": 1, "state": state,
            "instance": "tl", "seq": 1, "head": b"", "snapshot": '{"kinds": ["withdrawal"]}',
            "is_suspended": False, "opened_us": 0, "person_id": person,
        }  # fmt: skip
        known = await case_rows.everything(conn, id=1)
        await conn.execute(
            update(cases).values(state=state) if known else insert(cases).values(case)
        )


@pytest.mark.both_engines
async def test_6_2_8_who_leaves_a_group_is_in_no_next_one_without_a_word(fed: Federation):
    """§ 6.2.8 (reading): the others go on; a word lets him in, with its reason."""
    rows = await _seven(fed, paid=6)
    await _leaves(fed, rows[0].person_id)
    await entry_actions.record_fee(fed.core, fed.people["tove"], rows[6].id, START)
    assert (await _find(fed, rows[0])).state == "waiting" and "K-26-01" not in await _groups(fed)
    done = await entry_actions.let_in(fed.core, fed.people["tove"], rows[0].id, "Han er rask igen.")
    assert isinstance(done, EntryRow) and done.state == "placed"


@pytest.mark.both_engines
async def test_6_2_8_once_his_case_is_decided_the_entry_is_valid_again(fed: Federation):
    rows = await _seven(fed, paid=6)
    await _leaves(fed, rows[0].person_id)
    await entry_actions.record_fee(fed.core, fed.people["tove"], rows[6].id, START)
    await _leaves(fed, rows[0].person_id, "decided")
    await entry_actions.daily(fed.core)
    assert (await _find(fed, rows[0])).state == "placed"
