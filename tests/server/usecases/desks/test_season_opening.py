"""A season's lists: what fills the rows, and that all that is wanted opens or nothing does.

A season is the last one a year on. A list's season is the year in its name, else in its
tournament's, else in its groups'; no column says it.
"""

from dataclasses import replace
from datetime import date

from kskak.office.year import (
    SeasonListKind,
    TournamentKind,
    TournamentStep,
    YearAction,
    YearActionKind,
    YearFault,
)
from server.store import cup as cup_rows
from server.store import entries as entry_rows
from server.usecases.cup.cup_rounds import CupFault, CupRequest, open_cup
from server.usecases.desks.season_opening import (
    SeasonListFault,
    SeasonRow,
    SeasonView,
    open_season,
    season_view,
)
from server.usecases.entries.player_entering import ListFault, change_list
from server.usecases.office import change, year_of
from tests.fakes.entries import Federation
from tests.fakes.machinery.each import each

DM, K, LEAGUE = "emt-DM-email", "emt-K-email", "league-league-email"
CUP, SEMI, THEME = "cup-preliminary-email", "cup-semi-email", "theme-theme-email"
WHY = "Sæsonen"


def standard(kind: SeasonListKind, season: int) -> tuple[str, str]:
    return f"{kind.wish} {season}", f"{kind.event} {season}"


async def view(fed: Federation, season: int = 2027) -> SeasonView:
    return await season_view(fed.core, fed.people["kaj"], season, standard)


async def rows(fed: Federation, season: int = 2027) -> dict[str, SeasonRow]:
    return {row.key: row for row in (await view(fed, season)).rows}


def wanted(row: SeasonRow, **changed: object) -> SeasonRow:
    return replace(row, asked=replace(row.asked, **changed), days=dict(row.days))


async def opened(fed: Federation, *asked: SeasonRow, season: int = 2027, why: str = WHY) -> object:
    return await open_season(fed.core, fed.people["kaj"], season, asked, why)


async def names(fed: Federation) -> set[str]:
    async with fed.core.store.read() as conn:
        return {row.name for row in await entry_rows.everything(conn)}


async def test_a_row_is_the_newest_list_of_its_kind_a_year_on(fed: Federation):
    found = await rows(fed)
    asked = found[K].asked
    # «Liste K» has no year, but its tournament is of 2026.
    assert (asked.name, asked.tournament, asked.prefix) == (
        "Liste K 2027", "K-skak-EMT 2027", "K-27",
    )  # fmt: skip
    assert (asked.leader, asked.fee) == ("tove@example.org", 10_000)
    assert found[K].source == "Liste K" and found[K].opened is None
    assert found[LEAGUE].source == ""
    league = found[LEAGUE].asked
    assert (league.name, league.prefix) == ("league 2027", "H-27")
    assert league.leader == "kaj@example.org", "until another is named"
    ticked = {key for key, row in found.items() if row.is_wanted}
    assert THEME not in ticked and {DM, K, LEAGUE, CUP, SEMI} <= ticked


async def test_this_years_lists_are_shown_as_open(fed: Federation):
    found = await rows(fed, 2026)
    assert found[K].opened == fed.lists["K"]
    assert found[LEAGUE].opened is None and not found[LEAGUE].is_wanted, "it began in January"


async def test_a_list_without_a_year_is_open_for_any_season_until_it_is_closed(fed: Federation):
    (row,) = [row for key, row in (await rows(fed)).items() if key == LEAGUE]
    await opened(fed, wanted(row, name="Hold", tournament="Hold", prefix="H"))
    assert (await rows(fed, 2026))[LEAGUE].opened is not None
    made = (await rows(fed))[LEAGUE].opened
    assert made is not None
    await change_list(fed.core, fed.people["kaj"], made.id, is_open=False)
    again = (await rows(fed))[LEAGUE]
    assert again.opened is None
    assert (again.asked.name, again.asked.prefix) == ("Hold 2027", "H-27")


async def test_days_that_were_moved_last_time_are_moved_again(fed: Federation):
    kaj = fed.people["kaj"]
    moved = YearAction(
        TournamentKind.DM,
        2026,
        TournamentStep.START,
        YearActionKind.MOVED,
        date(2026, 9, 8),
        "Ferie",
    )
    await change(fed.core, kaj, moved)
    assert (await rows(fed))[DM].days[TournamentStep.START] == date(2027, 9, 8)
    assert (await rows(fed))[CUP].days == {
        TournamentStep.START: date(2027, 10, 1), TournamentStep.DEADLINE: date(2027, 9, 3),
    }  # fmt: skip
    assert (await rows(fed))[K].days == {}
    await opened(fed, wanted((await rows(fed))[DM]))
    plan = await year_of(fed.core, kaj, 2027)
    (start,) = [
        i for i in plan.items if (i.form, i.step) == (TournamentKind.DM, TournamentStep.START)
    ]
    assert (start.day, start.reason) == (date(2027, 9, 8), WHY)


async def test_one_press_opens_lists_cup_and_semi_final(fed: Federation):
    found = await rows(fed)
    made = await opened(fed, *(wanted(row) for row in found.values() if row.is_wanted))
    assert isinstance(made, tuple) and len(made) == len(found) - 1
    again = await rows(fed)
    assert all(again[key].opened for key in found if key != THEME)
    async with fed.core.store.read() as conn:
        cup = await cup_rows.find(conn, edition=2027)
    assert cup is not None and again[CUP].cup == cup.id
    semi = again[SEMI].opened
    assert semi is not None and cup.semi_list_id == semi.id


@each(
    "key changed fault",
    (LEAGUE, {"leader": "ingen@example.org"}, ListFault.LEADER),
    (LEAGUE, {"name": "Liste K"}, ListFault.NAME_TAKEN),
    (LEAGUE, {"name": "Liste K 2027"}, ListFault.NAME_TAKEN),
    (K, {"prefix": "M-26"}, ListFault.PREFIX_TAKEN),
    (K, {"fee": -1}, ListFault.FEE),
)
async def test_one_fault_opens_nothing_and_names_its_row(fed, key, changed, fault):
    found, before = await rows(fed), await names(fed)
    asked = [wanted(row, **(changed if row.key == key else {})) for row in found.values()]
    assert await opened(fed, *asked) == SeasonListFault(key, fault)
    assert await names(fed) == before


async def test_a_day_that_may_not_be_and_a_cup_that_is_open_open_nothing(fed: Federation):
    kaj, before = fed.people["kaj"], await names(fed)
    dm = wanted((await rows(fed))[DM])
    dm.days[TournamentStep.START] = date(2027, 10, 1)
    late = await opened(fed, dm)
    assert isinstance(late, SeasonListFault) and late.action is not None
    assert (late.key, late.fault) == (DM, YearFault.DM_MONTH)
    assert late.action.step is TournamentStep.START
    dm.days[TournamentStep.START] = date(2027, 9, 2)
    mute = await opened(fed, dm, why=" ")
    assert isinstance(mute, SeasonListFault) and mute.fault is YearFault.NO_REASON
    await open_cup(fed.core, kaj, CupRequest(2027, fed.lists["cup"].id))
    cup = wanted((await rows(fed))[CUP])
    assert await opened(fed, dm, cup) == SeasonListFault(CUP, CupFault.EDITION_TAKEN)
    assert await names(fed) == before
