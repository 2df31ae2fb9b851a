"""The year's dates close when the server has seen their deed (§ 6.1.2)."""

import pytest
from sqlalchemy import insert

from kskak.office.year import SeasonStep, TournamentKind, TournamentStep, YearAction, YearActionKind
from server.store import books as book_rows
from server.store import cup as cup_rows
from server.store import divisions as division_rows
from server.store.cup import DrawRow
from server.store.engine.rows import values_of
from server.store.engine.store import Store
from server.store.tables.tournaments import cup_draws
from server.usecases.desks.desk_overview import load_controller_overview
from server.usecases.entries.player_entering import change_list
from server.usecases.office import change, read_progress, year_of
from tests.fakes.entries import Federation, federation
from tests.fakes.league import begin_division


@pytest.fixture
async def fed(store: Store) -> Federation:
    """The lists of 2026, on 2 November 2026."""
    return await federation(store)


async def item(
    fed: Federation, form: TournamentKind, step: TournamentStep, year: int = 2026
) -> SeasonStep:
    found = await year_of(fed.core, fed.people["kaj"], year)
    return next(i for i in found.items if (i.form, i.step) == (form, step))


async def test_lists_close_their_announcement_and_being_closed_their_deadline(fed: Federation):
    assert (await item(fed, TournamentKind.DM, TournamentStep.ANNOUNCEMENT)).is_done
    assert (await item(fed, TournamentKind.EMT, TournamentStep.ANNOUNCEMENT)).is_done
    assert not (await item(fed, TournamentKind.DM, TournamentStep.DEADLINE)).is_done
    await change_list(fed.core, fed.people["kaj"], fed.lists["DM"].id, is_open=False)
    assert (await item(fed, TournamentKind.DM, TournamentStep.DEADLINE)).is_done
    assert not (await item(fed, TournamentKind.DM, TournamentStep.START)).is_done
    open_steps = [(i.form, i.step) for i in (await load_controller_overview(fed.core)).steps]
    assert (TournamentKind.LEAGUE, TournamentStep.ANNOUNCEMENT) in open_steps, (
        "no list of the league is open"
    )
    assert (TournamentKind.DM, TournamentStep.DEADLINE) not in open_steps


async def test_the_controller_opens_a_closed_date_again_and_it_stays_open(fed: Federation):
    kaj = fed.people["kaj"]
    again = YearAction(
        TournamentKind.DM, 2026, TournamentStep.ANNOUNCEMENT, YearActionKind.REOPENED
    )
    changed = await change(fed.core, kaj, again)
    assert isinstance(changed, SeasonStep) and not changed.is_done
    assert not (await item(fed, TournamentKind.DM, TournamentStep.ANNOUNCEMENT)).is_done


async def test_a_round_a_composition_and_a_division_are_seen(fed: Federation):
    kaj, now = fed.people["kaj"].id, fed.core.now_us
    async with fed.core.store.write() as conn:
        opened = {"edition": 2026, "list_id": fed.lists["cup"].id, "opened_by": kaj}
        cup = await cup_rows.add(conn, **opened, created_us=now)
        draw = DrawRow(cup, "preliminary", "s", "2026-10-01", 3, "", kaj, now)
        await conn.execute(insert(cup_draws).values(values_of(draw)))
        plan = {"season": 2027, "deadline": "2026-12-13", "entered": "{}", "composed": "{}"}
        plan |= {"by_id": kaj, "at_us": now}
        await conn.run_sync(division_rows.add_plan, plan)
        seen = await book_rows.read_season_evidence(conn, "DM")
        assert (seen.drawn, seen.composed) == ({(2026, "preliminary")}, {2027})
        seen = await read_progress(conn)
    assert seen.composed == {2027} and seen.begun == {(TournamentKind.CUP, 2026)} and not seen.sent
    assert (await item(fed, TournamentKind.CUP, TournamentStep.START)).is_done
    assert (await item(fed, TournamentKind.LEAGUE, TournamentStep.DIVISIONS)).is_done
    await begin_division(fed.core, "DIV-1", ("Nord", "Syd"))
    async with fed.core.store.read() as conn:
        seen = await read_progress(conn)
    (season,) = {season for form, season in seen.begun if form is TournamentKind.LEAGUE}
    assert season not in seen.sent, "the captains' letters have not gone"
