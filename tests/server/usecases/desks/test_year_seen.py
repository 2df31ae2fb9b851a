"""The year's dates close when the server has seen their deed (§ 6.1.2)."""

import pytest
from sqlalchemy import insert

from kskak.office.year import Deed, DeedKind, Form, Item, Step
from server.store.cup import rounds as cup_rows
from server.store.cup.rounds import DrawRow, NewCup
from server.store.engine.rows import values_of
from server.store.engine.store import Store
from server.store.league import season_plans as plan_rows
from server.store.league.season_plans import NewPlan
from server.store.office import year as year_rows
from server.store.tables.cup import cup_draws
from server.usecases.desks.overview import beside
from server.usecases.entries.lists import change_list
from server.usecases.office.year import change, year_of
from server.usecases.office.year_seen import seen_in
from tests.fakes.entries import Federation, federation
from tests.fakes.league import begin_division


@pytest.fixture
async def fed(store: Store) -> Federation:
    """The lists of 2026, on 2 November 2026."""
    return await federation(store)


async def item(fed: Federation, form: Form, step: Step, year: int = 2026) -> Item:
    found = await year_of(fed.core, fed.people["kaj"], year)
    return next(i for i in found.items if (i.form, i.step) == (form, step))


async def test_lists_close_their_announcement_and_being_closed_their_deadline(fed: Federation):
    assert (await item(fed, Form.DM, Step.ANNOUNCEMENT)).is_done
    assert (await item(fed, Form.EMT, Step.ANNOUNCEMENT)).is_done
    assert not (await item(fed, Form.DM, Step.DEADLINE)).is_done
    await change_list(fed.core, fed.people["kaj"], fed.lists["DM"].id, is_open=False)
    assert (await item(fed, Form.DM, Step.DEADLINE)).is_done
    assert not (await item(fed, Form.DM, Step.START)).is_done
    open_steps = [(i.form, i.step) for i in (await beside(fed.core)).steps]
    assert (Form.LEAGUE, Step.ANNOUNCEMENT) in open_steps, "no list of the league is open"
    assert (Form.DM, Step.DEADLINE) not in open_steps


async def test_the_controller_opens_a_closed_date_again_and_it_stays_open(fed: Federation):
    kaj = fed.people["kaj"]
    again = Deed(Form.DM, 2026, Step.ANNOUNCEMENT, DeedKind.REOPENED)
    changed = await change(fed.core, kaj, again)
    assert isinstance(changed, Item) and not changed.is_done
    assert not (await item(fed, Form.DM, Step.ANNOUNCEMENT)).is_done


async def test_a_round_a_composition_and_a_division_are_seen(fed: Federation):
    kaj, now = fed.people["kaj"].id, fed.core.now_us
    async with fed.core.store.write() as conn:
        cup = await cup_rows.add(conn, NewCup(2026, fed.lists["cup"].id, None, kaj, now))
        draw = DrawRow(cup, "preliminary", "s", "2026-10-01", 3, "", kaj, now)
        await conn.execute(insert(cup_draws).values(values_of(draw)))
        plan = NewPlan(2027, "2026-12-13", "{}", "{}", kaj, now)
        await conn.run_sync(plan_rows.add, plan)
        seen = await year_rows.begun(conn, "DM")
        assert (seen.drawn, seen.composed) == ({(2026, "preliminary")}, {2027})
        seen = await seen_in(conn)
    assert seen.composed == {2027} and seen.begun == {(Form.CUP, 2026)} and not seen.sent
    assert (await item(fed, Form.CUP, Step.START)).is_done
    assert (await item(fed, Form.LEAGUE, Step.DIVISIONS)).is_done
    await begin_division(fed.core, "DIV-1", ("Nord", "Syd"))
    async with fed.core.store.read() as conn:
        seen = await seen_in(conn)
    (season,) = {season for form, season in seen.begun if form is Form.LEAGUE}
    assert season not in seen.sent, "the captains' letters have not gone"
