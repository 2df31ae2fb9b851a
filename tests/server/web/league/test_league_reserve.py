"""A reserve and what follows: the pause ended early, both names in PGN, the captain's copies."""

import re
from datetime import date, timedelta

import pytest

from kskak.game.game_commands import ClaimOverstep
from kskak.regulation.editions import Side
from server.usecases.league.reserves import ReserveInput, ask_reserve, decide_reserve
from tests.fakes.league import address, begin_division, board_game, game_row, team_of
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers


@pytest.fixture
async def league(site: Site) -> Site:
    """Nord and Syd on the first day of their division, 10 January 2027."""
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"))
    site.clock.turn(131)
    return site


async def rosa(league: Site, board: int = 1, *, stops_time: bool = False) -> int:
    """Nord's captain asks for Rosa; the request's id."""
    team = await team_of(league.core, "DIV-1", "Nord")
    captain = await league.person(address("Nord Et"))
    wish = ReserveInput(board, "Rosa Reserve", "rosa@example.org", 1700, "", stop_time=stops_time)
    done = await ask_reserve(league.core, captain, team.id, wish)
    assert isinstance(done, int), done
    return done


async def kinds(league: Site, kind: str) -> dict[str, list[str]]:
    """The letters of a kind by reader: their facts as kept."""
    rows = (await league.written(kind))[::-1]
    found: dict[str, list[str]] = {}
    for name in ("Nord Et", "Nord To", "Syd Et", "Syd To"):
        person = await league.person(address(name))
        found[name] = [row.params for row in rows if row.person_id == person.id]
    return found


async def test_the_captain_starts_the_time_again_before_the_14_days_are_over(league, browsers):
    """§ 6.7.4.3: the day he says so is the last that rests; told to opponent and leader; once."""
    line = await board_game(league.core, "DIV-1", 2, "Nord")
    number = await rosa(league, 2, stops_time=True)
    league.clock.turn(5)
    path = f"/captain/pauses/{number}/end"
    for name in ("syd.et", "nord.to", "tl", "anna"):
        assert (await (await browsers.of(name)).post(path)).status in (403, 404), name
    captain = await browsers.of("nord.et")
    assert "Sæt tiden i gang igen" in (await captain.get("/captain"))[1]
    assert (await captain.post(path)).status == 303
    assert (await captain.post(path)).status == 422
    state = (await game_row(league.core, line.id)).state()
    running = state.running()
    assert running is not None
    start = date(2027, 1, 10)
    days = [state.days_on(running, start + timedelta(n)) for n in (0, 5, 6, 7, 10)]
    assert days == [0, 0, 0, 1, 4], "resting to the 15th, counted from the 16th"
    told = await kinds(league, "league")
    assert '"resumed"' in told["Syd To"][0] + told["Syd To"][-1]
    assert not any('"resumed"' in params for params in told["Syd Et"]), "another board"
    ledger = (await captain.http.get(f"/games/{line.id}/statement.json")).status
    assert ledger == 200


async def test_the_leaders_desk_shows_the_register_and_takes_a_stranger_by_tick_and_reason_alone(
    league: Site, browsers: Browsers
):
    """§ 6.7.3.2: whom the register does not know is let in with eyes open, never by one click."""
    number, leader = await rosa(league), await browsers.of("tl")
    desk, path = "/desk/league/DIV-1", f"/desk/league/DIV-1/reserves/{number}"
    shown = (await leader.get(desk))[1]
    assert "Registret: intet medlem med den mailadresse." in shown and 'name="despite"' in shown
    for fields in ({}, {"note": "Ny"}, {"despite": "1"}):
        answer = await leader.post(path, {"answer": "approve"} | fields)
        assert answer.status == 422 and "Sæt kryds ved, at du har set det" in await answer.text()
    fields = {"answer": "approve", "despite": "1", "note": "Meldt ind i går."}
    assert (await leader.post(path, fields)).status == 303
    shown = (await leader.get(desk))[1]
    assert "indsat efter lov: Registret kender ham ikke" in shown and "Meldt ind i går." in shown


async def test_pgn_of_a_game_that_a_reserve_carried_on_names_both(league: Site, browsers: Browsers):
    """§ 6.7.4.3, § 6.2.9: both names, and from which move; a board without one as always."""
    line = await board_game(league.core, "DIV-1", 1, "Nord")
    team = await team_of(league.core, "DIV-1", "Nord")
    game = await game_row(league.core, line.id)
    for text in ("e4", "e5", "Nf3", "Nc6"):
        await league.play(game, text)
    tl = await league.person("tl@example.org")
    number = await rosa(league, 1)
    await decide_reserve(league.core, tl, number, True, "Nyt medlem.", despite=True)
    for text in ("Lb5", "a6"):
        await league.play(game, text)
    captain = await browsers.of("nord.et")
    text = " ".join((await captain.get("/pgn/DIV-1.pgn"))[1].split())
    text = re.sub(r" \{\[%ccsnt [\d.]{10}\]\}(?: \d\.\.\.)?", "", text)
    nord = Side.WHITE if line.white_team == team.id else Side.BLACK
    tag = f'[{nord.value.title()} "Nord Et / Rosa Reserve"]'
    assert text.count(tag) == 1, text
    from_here = f"{{{nord.value.title()} from here: Rosa Reserve}}"
    move = "3. Bb5" if nord is Side.WHITE else "3... a6"
    assert f"2. Nf3 Nc6 {from_here} 3. Bb5 a6 *" in text or f"{from_here} {move} *" in text
    assert text.count("Rosa") == 2 and '"Nord To"' in text


async def test_the_captain_hears_of_a_claim_against_his_player(league: Site):
    """§ 6.7.6.1, § 6.3.3.5: the claim opens a case; both captains are told, no other player."""
    line = await board_game(league.core, "DIV-1", 2, "Nord")
    game = await game_row(league.core, line.id)
    await league.play(game, "e4", days=0)
    league.clock.turn(60)
    claimed = await game_row(league.core, line.id)
    late = claimed.state().mover
    await league.ask(claimed, late.other, lambda _, by: ClaimOverstep(by))
    told = await kinds(league, "case")
    assert {name: len(rows) for name, rows in told.items()} == {
        "Nord Et": 1, "Nord To": 0, "Syd Et": 1, "Syd To": 0,
    }  # fmt: skip
