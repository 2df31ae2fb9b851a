"""A division's ratings: each player over all its boards, a reserve's games left out.

§ 4.5.2.1, § 4.5.4.2, § 6.7.4.3, § 6.7.6.2.
"""

from datetime import date

from kskak.game.game_events import PlayerResigned
from kskak.regulation.editions import Side
from server.usecases.league.reserves import ReserveInput, ask_reserve, decide_reserve
from server.usecases.rating.rating_views import calculation
from tests.fakes.desk import desk_of
from tests.fakes.league import address, begin_division, board_game, game_row, team_of
from tests.fakes.ratings import ends, next_day
from tests.fakes.told_once import scene
from tests.fakes.world import TL, World

NAME = "DIV-1"
RESERVE = "rosa.reserve@example.org"


async def _league(world: World) -> None:
    await begin_division(world.core, NAME, ("Nord", "Syd"))
    world.clock.go(date(2027, 1, 10))
    await world.pump()


league = scene(_league, date(2026, 12, 27))
"""Two clubs meet on four boards; the letters have gone, all may move."""


async def test_a_division_is_one_tournament_and_a_reserves_game_is_not_rated(league):
    """Boards 1 to 3 as they were played; on board 4 Rosa carries Nord's game on and wins."""
    core = league.core
    game = await board_game(core, NAME, 4, "Nord")
    row = await game_row(core, game.id)
    names = {row.white_id: row.white, row.black_id: row.black}
    async with desk_of(league) as desk:
        mover = address(names[row.white_id])
        await desk.call(mover, "POST", f"/games/{row.id}/moves", {"text": "e4"})
    league.clock.wait(days=1)
    team = await team_of(core, NAME, "Nord")
    captain = await league.person(address("Nord Et"))
    wish = ReserveInput(4, "Rosa Reserve", RESERVE, 1710, "Sygdom", "Nord")
    asked = await ask_reserve(core, captain, team.id, wish)
    assert isinstance(asked, int), asked
    leader = await league.person(TL)
    await decide_reserve(core, leader, asked, True, "Nyt medlem.", despite=True)
    league.clock.wait(days=1)
    rosa = (await league.person(RESERVE)).id
    for board in (1, 2, 3, 4):
        one = await game_row(core, (await board_game(core, NAME, board, "Nord")).id)
        nord = Side.WHITE if one.white.startswith(("Nord", "Rosa")) else Side.BLACK
        await ends(league, one, PlayerResigned(nord.other, league.clock.today))
    await next_day(league)
    view = await calculation(core, name=NAME)
    assert view is not None and view.row is not None
    steps = {one.calculation.name: one for one in view.players}
    assert {one.calculation.method.value for one in view.players} == {"difference"}
    assert steps["Nord Et"].basis.value == "registered"
    assert (steps["Nord Et"].rating, steps["Syd Et"].rating) == (2010, 1985), "K 20; past 2000"
    assert (steps["Nord Tre"].rating, steps["Syd Tre"].rating) == (1815, 1785)
    assert steps["Rosa Reserve"].rating is None
    assert steps["Rosa Reserve"].basis.value == "entered"
    assert "Nord Fire" not in steps
    ((white, black, reason),) = [(g.white, g.black, g.unrated) for g in view.unrated]
    assert rosa in (white, black)
    assert reason == "reserve"
