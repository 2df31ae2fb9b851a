"""The year's dates close when the server has seen their deed (§ 6.1.2)."""

from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import insert

from kskak.office.year import SeasonStep, TournamentKind, TournamentStep, YearAction, YearActionKind
from server.store import books as book_rows
from server.store import cup as cup_rows
from server.store import divisions as division_rows
from server.store.cases.cases import CaseRow
from server.store.cup import DrawRow
from server.store.desk_lists import DeskGameRow
from server.store.engine.rows import values_of
from server.store.tables.tournaments import cup_draws
from server.usecases.desks.desk_overview import by_player, by_urgency, load_controller_overview
from server.usecases.entries.player_entering import change_list
from server.usecases.office import change, read_progress, year_of
from tests.fakes.entries import Federation
from tests.fakes.league import begin_division


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


# One line a silent player, however many of his games wait for him (§ 6.3.4).


LINE = DeskGameRow(
    1, "K/1", "K", "Anna Ager", "Bo Berg", "Bo Berg", None, None, None, "2026-09-01", 7, 8, 8, b""
)


def test_40_players_and_203_games_are_40_lines_with_the_longest_silence_first() -> None:
    lines = [
        replace(LINE, game_id=n, to_move_id=n % 40 + 1, to_move=f"P{n % 40}") for n in range(1, 204)
    ]
    found = by_player(lines)
    assert len(found) == 40
    assert sum(len(one.games) for one in found) == 203
    assert (found[0].person_id, found[0].name) == (2, "P1")


def test_a_line_has_the_longest_silence_and_the_first_notice() -> None:
    games = (
        replace(LINE, since=date(2026, 10, 3), told_us=None),
        replace(LINE, game_id=2, since=date(2026, 9, 20), told_us=9),
        replace(LINE, game_id=3, since=None, told_us=5),
    )
    (one,) = by_player(games)
    assert (one.since, one.told_us) == (date(2026, 9, 1), 5)
    (quiet,) = by_player(games[:1])
    assert (quiet.since, quiet.told_us) == (date(2026, 10, 3), None)


def test_games_in_which_it_is_nobodys_move_stand_alone() -> None:
    lines = [replace(LINE, game_id=n, to_move_id=None, to_move=None) for n in (1, 2)]
    assert [(one.person_id, len(one.games)) for one in by_player(lines)] == [(None, 1)] * 2


# The order of the cases on a desk.


NOW = 1_000


def case(number: int, *, due: int | None = None, opened: int = 0, at_rest: bool = False) -> CaseRow:
    """An open case."""
    return CaseRow(
        id=number, number=f"2026/{number}", kind="overstep", group_id=1, game_id=1, person_id=1,
        state="opened", instance="leader", seq=1, head=b"", snapshot="{}", is_suspended=at_rest,
        due_us=due, opened_us=opened, closed_us=None, group="K", tl_id=1, zone="UTC", game="K/1",
        person="Þóra Ødegård",
    )  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
def test_what_waits_for_the_official_stands_before_what_waits_for_the_parties(turned: bool) -> None:
    cases = [
        case(1, due=NOW + 9),
        case(2, due=NOW + 1, at_rest=True),
        case(3, opened=5),
        case(4, opened=3),
        case(5, due=NOW, opened=7, at_rest=True),
        case(6, due=NOW - 1, opened=4),
    ]
    found = by_urgency(cases[::-1] if turned else cases, NOW)
    assert [one.id for one in found] == [5, 2, 4, 6, 3, 1], "at rest before what the server found"
