"""A season of the league through the whole server: two divisions, a reserve, the end, the next.

§ 6.7.4.2 (letters before the start), § 6.7.4.3 (reserve and pause), § 6.7.4.5 (lots), § 6.7.4.6,
§ 6.7.5.1 (next season), § 6.7.6.1 (the captain). On both databases.
"""

import re
from datetime import date

from kskak.game.game_commands import Resign
from kskak.regulation.editions import Result, Side
from mail.incoming.parse_mail import parse
from server.store.cases import cases as case_rows
from server.usecases.league.divisions import DivisionView, report_result
from server.usecases.play.game_requests import GameRequest, GameRequestOutcome, ask
from server.usecases.rights import rights
from tests.fakes.league import address, begin_division, board_game, game_row, team_of, view_of
from tests.fakes.machinery.browser import browser
from tests.fakes.told_once import scene
from tests.fakes.world import KC, TL, World

CAPTAIN, PLAYER, OPPONENT = address("Nord Et"), address("Nord To"), address("Syd To")
RESERVE = "rosa.reserve@example.org"
CAST = tuple(
    address(f"{club} {board}")
    for club in ("Nord", "Syd", "Ost", "Vest")
    for board in ("Et", "To", "Tre", "Fire")
)


async def _league(world: World) -> None:
    await begin_division(world.core, "DIV-1", ("Nord", "Syd"))
    await begin_division(world.core, "DIV-2", ("Ost", "Vest"), division=2)
    await world.pump()


league = scene(_league)
"""Two divisions of two clubs, started in November to begin on 10 January."""


async def view(world: World, name: str = "DIV-1") -> DivisionView:
    return await view_of(world.core, name)


async def resign(world: World, game_id: int, side: Side) -> None:
    """The player of a side resigns."""
    game = await game_row(world.core, game_id)
    asked = GameRequest(game_id, game.person_of(side), "web", lambda _, by: Resign(by))
    answer = await ask(world.core, asked)
    assert isinstance(answer, GameRequestOutcome) and answer.refusal is None


async def test_the_captains_get_schedule_and_lineups_14_days_before_the_start(league):
    """§ 6.7.4.2, boundary on both sides; of the division nobody hears before that day."""
    await league.wait_until(date(2026, 12, 26))
    assert {row.kind for row in await league.outbox()} <= {"year_step"}, "the controller's own year"
    await league.wait_until(date(2026, 12, 27))
    (schedule,) = [row for row in league.letters(CAPTAIN) if "rundeskema" in row.said]
    assert "Nord To (1900)" in schedule.said
    assert re.search(r"1\. Syd +[hs]   [hs]   [hs]   [hs]", schedule.text)
    assert len(await league.outbox("league_schedule")) == 6, "four captains, the leader twice"
    assert len(await league.outbox("start")) == 16
    await league.wait_until(date(2026, 12, 29))
    assert len(await league.outbox("league_schedule")) == 6
    held = await rights(league.core, await league.person(CAPTAIN))
    assert held.captain == {(await view(league)).group.id}
    assert not (await rights(league.core, await league.person(PLAYER))).captain
    await league.assert_whole(CAST)


async def asked_for_rosa(league: World) -> None:
    """The captain asks for Rosa on board 2 and stops the time."""
    team = await team_of(league.core, "DIV-1", "Nord")
    async with browser(league) as page:
        await page.sign_in(CAPTAIN)
        desk = await page.get("/captain")
        fields = {"board": "2", "name": "Rosa Reserve", "email": RESERVE, "rating": "1950"}
        await page.submit(desk, f"/captain/{team.id}/reserve", pause="1", **fields)
    await league.pump()


async def answered(league: World, who: str, answer: str) -> None:
    """The leader answers the only request."""
    async with browser(league) as page:
        await page.sign_in(who)
        desk = await page.get("/desk/league/DIV-1")
        await page.submit(
            desk, "/desk/league/DIV-1/reserves/1", answer=answer, note="Velkommen.", despite="1"
        )
    await league.pump()


async def test_a_reserve_takes_over_after_a_pause_and_plays_on(league: World) -> None:
    """§ 6.7.4.3: asked, time stopped and told at once, approved, carried on by the reserve."""
    await league.wait_until(date(2027, 1, 15))
    line = await board_game(league.core, "DIV-1", 2, "Nord")
    await asked_for_rosa(league)
    kinds = await league.kinds(line.id)
    assert kinds == ["GamePaused"]
    assert "standset tiden" in league.letters(OPPONENT)[-1].said
    asked = [letter.said for letter in league.letters(TL)]
    assert any("vil indsætte Rosa Reserve (1950) for Nord To (1900)" in said for said in asked)
    await answered(league, TL, "approve")
    rosa = await league.person(RESERVE)
    row = await game_row(league.core, line.id)
    assert rosa.id in (row.white_id, row.black_id)
    assert "overtager for Nord To" in league.letters(OPPONENT)[-1].said
    told = " ".join(letter.said for letter in league.letters(RESERVE))
    assert "DIV-1/" in told, "she gets her games with their addresses"
    days = (await game_row(league.core, line.id)).state()
    running = days.running()
    assert running is not None
    assert days.days_on(running, date(2027, 1, 29)) == days.days_on(running, date(2027, 1, 15))
    seats = (await view(league)).team_of((await team_of(league.core, "DIV-1", "Nord")).id).boards[1]
    assert [(seat.name, seat.to_us is None) for seat in seats] == [
        ("Nord To", False),
        ("Rosa Reserve", True),
    ]
    await league.assert_whole((*CAST, RESERVE))


async def play_out(league: World, name: str, winners: tuple[str, ...]) -> None:
    """Every game ends; ``winners`` are the clubs that win boards 1 to 4."""
    found = await view(league, name)
    clubs = {team.team.id: team.team.club for team in found.teams}
    for game in found.games:
        winner = winners[game.board - 1]
        loser = Side.BLACK if clubs[game.white_team] == winner else Side.WHITE
        await resign(league, game.id, loser)
    await league.pump()


async def test_a_finished_season_has_a_champion_and_gives_the_next_its_divisions(league):
    """§ 6.7.4.6, § 6.7.5.1: scores of 75 % and 25 %; Ost rises, Syd falls; reasons are kept."""
    await league.wait_until(date(2027, 1, 12))
    await play_out(league, "DIV-1", ("Nord", "Nord", "Nord", "Syd"))
    await play_out(league, "DIV-2", ("Ost", "Ost", "Ost", "Vest"))
    assert (await view(league)).champion == "Nord"
    assert not (await view(league)).needs_lots
    async with browser(league) as page:
        await page.sign_in(KC)
        form = await page.get("/desk/league-plans")
        await page.submit(form, "/desk/league-plans", new="Midt: 1500 1400 1300 1200")
        plan = await page.get("/desk/league-plans/1")
        await page.submit(
            plan, "/desk/league-plans/1/grant", club="Midt", answer="grant", reason="Nok plads."
        )
        plan = await page.get("/desk/league-plans/1")
    text = plan.text
    assert "rykker op i 1. division" in text
    assert "bliver i 1. division" in text
    assert "dispensation givet" in text
    await league.assert_whole(CAST)


async def test_level_to_the_end_the_leader_draws_lots_with_a_kept_seed(league: World) -> None:
    """§ 6.7.4.5: all level; the recorded seed gives the order, once."""
    await league.wait_until(date(2027, 1, 12))
    found = await view(league)
    for game in found.games:
        # Nord wins boards 1 and 4, Syd 2 and 3: 2-2, and 5-5 by weight.
        clubs = {team.team.id: team.team.club for team in found.teams}
        winner = "Nord" if game.board in (1, 4) else "Syd"
        loser = Side.BLACK if clubs[game.white_team] == winner else Side.WHITE
        await resign(league, game.id, loser)
    await league.pump()
    assert (await view(league)).needs_lots
    async with browser(league) as page:
        await page.sign_in(TL)
        desk = await page.get("/desk/league/DIV-1")
        await page.submit(desk, "/desk/league/DIV-1/lots")
    drawn = await view(league)
    assert not drawn.needs_lots and drawn.row.lots_seed
    assert [row.place for row in drawn.clubs.rows] == [1, 2]
    assert drawn.champion == drawn.clubs.rows[0].name
    async with browser(league) as stranger:
        shown = (await stranger.get("/league/DIV-1")).text
    assert drawn.row.lots_seed in shown and "Det skete den 12. januar 2027" in shown
    assert f"rækkefølgen blev {', '.join(drawn.lots)}" in shown


async def test_two_reports_that_differ_ask_both_players_in_one_case(league: World) -> None:
    """§ 6.2.6, § 6.7.4.4: the leader has one line with both letters; the game's page says so."""
    await league.wait_until(date(2027, 1, 12))
    nord, syd = [await team_of(league.core, "DIV-1", club) for club in ("Nord", "Syd")]
    found = await board_game(league.core, "DIV-1", 2, "Nord")
    game = await game_row(league.core, found.id)
    captains = [await league.person(address(f"{club} Et")) for club in ("Nord", "Syd")]
    for captain, team, result, note in (
        (captains[0], nord, Result.WHITE_WINS, "Han opgav i telefonen."),
        (captains[1], syd, Result.WHITE_WINS, ""),
    ):
        await report_result(league.core, captain, team.id, game.id, result, note)
    async with league.core.store.read() as conn:
        assert await case_rows.everything(conn) == (), "they agree"
    await report_result(league.core, captains[1], syd.id, game.id, Result.DRAW, "Aftalt remis.")
    await report_result(league.core, captains[1], syd.id, game.id, Result.DRAW, "Igen.")
    await league.pump()
    async with league.core.store.read() as conn:
        (case,) = await case_rows.everything(conn)
    assert (case.kind, case.games) == ("result", (game.id,))
    for player in (game.white_id, game.black_id):
        (letter,) = [row for row in await league.outbox("case") if row.person_id == player]
        text = parse(bytes(letter.raw or b"")).text
        assert "Udtal dig senest:" in text and "Nord: 1-0" in text and "Syd: 1/2-1/2" in text
    async with browser(league) as page:
        await page.sign_in(TL)
        desk = (await page.get("/desk")).html
        assert desk.count(f"/desk/cases/{case.number}") == 1
        shown = await page.get(f"/desk/cases/{case.number}")
        assert "Han opgav i telefonen." in shown.text and "Aftalt remis." in shown.text
        assert "Nord: 1-0" in shown.text and "Syd: 1/2-1/2" in shown.text
        assert "De to indberetninger er forskellige" in (await page.get(f"/games/{game.id}")).text
    assert (await game_row(league.core, game.id)).result is None
