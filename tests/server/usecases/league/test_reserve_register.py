"""§ 6.7.3.2, § 6.7.4.3: a reserve's club and strength are the register's; a pause is had once."""

from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import insert

from kskak.regulation.editions import Side
from server.store import divisions as division_rows
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, PersonRow
from server.store.tables.people import clubs, members
from server.usecases.league.divisions import division_desk, division_view
from server.usecases.league.reserves import (
    ReserveInput,
    ReserveRefused,
    ask_reserve,
    decide_reserve,
    end_pause,
)
from tests.fakes.league import address, begin_division, board_game, game_row, team_of
from tests.fakes.site import Site, close_site, open_site

JOGVAN, SUNE = "jogvan@example.fo", "sune@example.org"


@pytest.fixture
async def league(tmp_path: Path):
    """Nord and Syd on their first day; Jógvan is a member of Nord, Sune of Syd."""
    site = await open_site(tmp_path)
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    site.clock.turn(131)
    async with site.core.store.write() as conn:
        for number, club in ((1, "Nord"), (2, "Syd")):
            await conn.execute(insert(clubs).values(id=number, name=club))
        for name, email, k, club in (("Jógvan á Rógvi", JOGVAN, 1750, 1), ("Sune", SUNE, 2400, 2)):
            new = NewPerson(name=name, email=email, created_us=0, k_rating=k, rating=1600)
            person = await person_rows.add_person(conn, new)
            await conn.execute(insert(members).values(person_id=person, kind="club", club_id=club))
    yield site
    await close_site(site)


async def ask(league: Site, email: str, rating: int | None, board: int = 4, **more: object):
    """Nord's captain asks; the request's id or the faults."""
    team = await team_of(league.core, "DIV-1", "Nord")
    captain = await league.person(address("Nord Et"))
    wish = ReserveInput(board, "En Reserve", email, rating, "Syg", **more)
    done = await ask_reserve(league.core, captain, team.id, wish)
    return done.faults if isinstance(done, ReserveRefused) else done


async def decide(league: Site, number: int, approves: bool, note: str = "", **more: bool):
    tl = await league.person("tl@example.org")
    done = await decide_reserve(league.core, tl, number, approves, note, **more)
    return done.faults if isinstance(done, ReserveRefused) else done


async def test_the_board_of_the_report_syds_master_for_nord_with_an_invented_rating(league: Site):
    """Syd's K 2400 asked for by Nord as 1750: every lie is named, and nothing is kept."""
    faults = await ask(league, SUNE, 1750)
    assert set(faults) == {"too_strong", "other_club", "other_rating"}
    assert set(await ask(league, SUNE.upper(), None)) == {"too_strong", "other_club"}
    assert await ask(league, SUNE, None, asks_leave=True) == ("too_strong",), "no leave for that"
    async with league.core.store.read() as conn:
        assert await conn.run_sync(division_rows.list_waiting_reserves, None) == ()


async def test_the_registers_number_counts_and_need_not_be_said(league: Site):
    assert await ask(league, JOGVAN, 1751) == ("other_rating",)
    number = await ask(league, JOGVAN, None)
    row = await decide(league, number, True)
    assert (row.club, row.rating, row.state, row.against) == ("Nord", 1750, "in", "")


async def test_the_number_of_the_day_of_the_decision_counts(league: Site):
    """1750 when asked; too strong for board 4 (1700 + 100) when the leader looks."""
    number = await ask(league, JOGVAN, None)
    async with league.core.store.write() as conn:
        person = await person_rows.by_email(conn, JOGVAN)
        facts = {name: getattr(person, name) for name in PersonRow.__slots__}
        await person_rows.change(conn, PersonRow(**(facts | {"k_rating": 1801})))
    assert await decide(league, number, True, "Ja", despite=True) == ("too_strong",)


async def test_another_clubs_member_plays_by_express_leave_with_a_reason_alone(league: Site):
    number = await ask(league, SUNE, None, board=4, asks_leave=True)
    assert number == ("too_strong",)
    async with league.core.store.write() as conn:
        person = await person_rows.by_email(conn, SUNE)
        facts = {name: getattr(person, name) for name in PersonRow.__slots__}
        await person_rows.change(conn, PersonRow(**(facts | {"k_rating": 1700})))
    assert await ask(league, SUNE, None) == ("other_club",)
    number = await ask(league, SUNE, None, asks_leave=True)
    assert await decide(league, number, True) == ("other_club",), "one click is none"
    assert await decide(league, number, True, "Ja") == ("other_club",)
    assert await decide(league, number, True, " ", despite=True) == ("other_club",)
    row = await decide(league, number, True, "Syd er nedlagt.", despite=True)
    assert (row.state, row.against, row.note) == ("in", "other_club", "Syd er nedlagt.")


async def test_who_is_in_no_register_needs_the_leaders_eyes_and_a_rating(league: Site):
    """§ 6.7.3.2: more than one click; the desk shows members of that name."""
    assert await ask(league, "ny@example.org", None) == ("no_rating",)
    team = await team_of(league.core, "DIV-1", "Nord")
    captain = await league.person(address("Nord Et"))
    wish = ReserveInput(4, "Sune", "sune.ny@example.org", 1750, "Syg")
    number = await ask_reserve(league.core, captain, team.id, wish)
    view = await division_view(league.core, "DIV-1")
    fit = (await division_desk(league.core, view)).fits[number]
    assert [(one.name, one.k_rating) for one in fit.namesakes] == [("Sune", 2400)]
    assert fit.faults == ("not_in_register",) and fit.needs_leave
    assert await decide(league, number, True) == ("not_in_register",)
    row = await decide(league, number, True, "Meldt ind i går.", despite=True)
    assert row.against == "not_in_register"


async def test_a_membership_that_has_ended_is_none(league: Site):
    async with league.core.store.write() as conn:
        person = await person_rows.by_email(conn, JOGVAN)
        ended = members.update().where(members.c.person_id == person.id)
        await conn.execute(ended.values(until="2027-01-09"))
    number = await ask(league, JOGVAN, None)
    assert await decide(league, number, True) == ("not_in_register",)
    async with league.core.store.write() as conn:
        await conn.execute(ended.values(until="2027-01-10"))
    assert (await decide(league, number, True)).state == "in", "its last day counts"


async def rested(league: Site, board: int = 4) -> tuple[int, int]:
    """Days that rest in the ledger of a board's first game, and how many pauses they are of."""
    line = await board_game(league.core, "DIV-1", board, "Nord")
    booked = (await game_row(league.core, line.id)).state().bookings
    spans = [(one.booked.first, one.booked.last) for one in booked]
    return sum((last - first).days + 1 for first, last in spans), len(spans)


async def test_asking_again_and_again_never_stops_the_time_for_more_than_14_days(league: Site):
    """§ 6.7.4.3: four times 14 days stood in the ledger."""
    for _ in range(3):
        number = await ask(league, JOGVAN, None, stop_time=True)
        league.clock.turn(4)
        await decide(league, number, False, "Ikke ham.")
        league.clock.turn(3)
    assert await rested(league) == (14, 3), "5 + 5 + 4: what is left"
    assert await ask(league, JOGVAN, None, stop_time=True) == ("pause_used",)
    assert isinstance(await ask(league, JOGVAN, None), int), "without a pause he may be asked for"


async def test_a_refused_request_lets_the_time_run_from_the_day_after(league: Site):
    number = await ask(league, JOGVAN, None, stop_time=True)
    line = await board_game(league.core, "DIV-1", 4, "Nord")
    league.clock.turn(2)
    await decide(league, number, False, "Ikke ham.")
    state = (await game_row(league.core, line.id)).state()
    running = state.running()
    assert running is not None and state.clock(Side.WHITE).total == 0
    days = [state.days_on(running, date(2027, 1, day)) for day in (12, 13, 14)]
    assert days == [0, 0, 1], "resting from the 10th to the 12th, sent the 14th: one day"
    again = await ask(league, JOGVAN, None, stop_time=True)
    async with league.core.store.read() as conn:
        rows = await conn.run_sync(division_rows.list_waiting_reserves, None)
    assert [(row.id, row.pause_first, row.pause_last) for row in rows] == [
        (again, "2027-01-12", "2027-01-23")
    ], "the day that rested twice counts once"


async def test_the_captain_who_ended_a_pause_has_the_rest_and_another_change_its_own(league: Site):
    number = await ask(league, JOGVAN, None, stop_time=True)
    league.clock.turn(9)
    captain = await league.person(address("Nord Et"))
    await end_pause(league.core, captain, number)
    await decide(league, number, False, "Nej.")
    league.clock.turn(1)
    await ask(league, JOGVAN, None, stop_time=True)
    assert await rested(league) == (14, 2)
    await ask(league, "ny@example.org", 1750, board=3, stop_time=True)
    assert await rested(league, 3) == (14, 1)
