"""A division beside the groups: its bulletin, its start letters on paper, its results' page.

§ 6.4.5.1, § 6.7.4.2, § 6.7.4.5: clubs are placed, not the players of four boards among each other.
"""

import re
from datetime import date

import aiohttp
import pytest

from kskak.game.game_commands import Resign
from mail.office_letters.bulletins import bulletin_page
from mail.outgoing import blocks as b
from mail.text.catalogue import Words
from server.api.groups import GroupTable
from server.usecases.letters import start_letter
from server.usecases.play.game_requests import GameRequest, GameRequestOutcome, ask
from server.usecases.results import bulletins
from server.usecases.results.bulletins import BulletinEditRequest, freeze_bulletin, thaw_bulletin
from tests.fakes.league import address, begin_division, game_row, view_of
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.told_once import scene
from tests.fakes.world import KC, TL, World


async def _league(world: World) -> None:
    await begin_division(world.core, "DIV-1", ("Nord", "Syd"))
    world.clock.go(date(2027, 1, 11))
    await world.pump()


league = scene(_league, date(2027, 1, 9))
"""Two clubs, their division begun on 10 January 2027."""


async def resigned(world: World, boards: tuple[int, ...]) -> None:
    """White resigns on some boards."""
    for line in (await view_of(world.core, "DIV-1")).games:
        if line.board in boards:
            game = await game_row(world.core, line.id)
            asked = GameRequest(game.id, game.white_id, "web", lambda _, by: Resign(by))
            answer = await ask(world.core, asked)
            assert isinstance(answer, GameRequestOutcome) and answer.refusal is None
    await world.pump()


async def level(world: World) -> None:
    """Nord wins boards 1 and 4, Syd 2 and 3: 2-2, and 5-5 by weight."""
    view = await view_of(world.core, "DIV-1")
    clubs = {team.team.id: team.team.club for team in view.teams}
    for line in view.games:
        winner = "Nord" if line.board in (1, 4) else "Syd"
        game = await game_row(world.core, line.id)
        loser = game.black_id if clubs[line.white_team] == winner else game.white_id
        await ask(world.core, GameRequest(game.id, loser, "web", lambda _, by: Resign(by)))
    await world.pump()


async def told(world: World) -> tuple[list[b.Block], str]:
    """The bulletin of January as a page: its blocks, and their text."""
    kc = await world.person(KC)
    draft = await bulletins.draft(world.core, kc)
    edit = BulletinEditRequest(draft.row.number, date(2027, 1, 1), date(2027, 1, 31), "", {})
    assert await bulletins.save(world.core, kc, edit) is None
    draft = await bulletins.draft(world.core, kc)
    assert thaw_bulletin(freeze_bulletin(draft.bulletin)) == draft.bulletin
    blocks = list(bulletin_page(draft.bulletin, Words.load("da")).blocks)
    return blocks, " ".join(
        one if isinstance(one, str) else one.text
        for one in blocks
        if isinstance(one, str | b.Heading)
    )


@rows("boards heading", ((1, 2), "Grupper i gang"), ((1, 2, 3, 4), "Grupper, der er færdigspillet"))
async def test_a_bulletin_tells_a_division_by_teams_matches_and_boards(league, boards, heading):
    """§ 6.4.5.1, § 6.7.4.5: clubs are placed; no player above one of another board."""
    await resigned(league, boards)
    league.clock.go(date(2027, 1, 12))
    await league.pump()
    blocks, text = await told(league)
    is_over = len(boards) == 4  # single games are left out under a complete table
    assert heading in text and text.count(" 0–1") == (0 if is_over else len(boards))
    teams, *tables = [one for one in blocks if isinstance(one, b.Grid)]
    assert sorted(row[1] for row in teams.rows) == ["Nord", "Syd"]
    assert [len(table.rows) for table in tables] == [2, 2, 2, 2], "a table a board"
    assert all(row[0] in ("1", "2") for table in tables for row in table.rows), "no places"
    (bullets,) = [one for one in blocks if isinstance(one, b.Bullets)][-1:]
    score = "1–1 (2 i gang)" if len(boards) == 2 else "2–2"
    assert bullets.points == (f"1. runde: Nord – Syd {score}",)
    (link,) = [one for one in blocks if isinstance(one, b.LinkLine)]
    async with browser(league) as stranger:
        page = await stranger.get(link.url[link.url.index("/groups/") :])
        assert page.status == 200 and "Nord – Syd" in page.text
        results = await stranger.get("/results/DIV-1")
        assert results.status == 200 and "Sonneborn" not in results.text


async def test_a_start_letter_names_a_players_own_board_and_to_the_leader_everybody(league):
    """§ 6.7.4.2: addresses and colours of his board alone; who leads it sees all of them."""
    player = await league.person(address("Nord To"))
    letter = await start_letter(league.core, player, "DIV-1")
    assert {entrant.person.name for entrant in letter.players} == {"Nord To", "Syd To"}
    numbers = {entrant.number for entrant in letter.players}
    assert {n for _, games in letter.rounds for game in games for n in game} == numbers
    letter = await start_letter(league.core, await league.person(TL), "DIV-1")
    assert len(letter.players) == 8
    assert sum(len(games) for _, games in letter.rounds) == 4


async def test_the_results_letter_tells_each_club_its_place_and_what_its_score_is_worth(league):
    """§ 6.4.5, § 6.7.5.1: to the players and captains of both; half the points stay."""
    await level(league)
    for line in (await view_of(league.core, "DIV-1")).games:
        assert (await game_row(league.core, line.id)).result is not None
    league.clock.go(date(2027, 1, 12))
    await league.pump()
    said = " ".join(league.letters(address("Nord To"))[-1].said.split())
    assert "Nord blev nr. 1 af 2 med 2 point" in said
    assert "Med 50 procent står holdet til at blive i 1. division (§ 6.7.5.1)" in said
    assert "tilmeldes igen; efter årsplanen senest den 13. december 2027" in said
    captain = (await view_of(league.core, "DIV-1")).teams[1].captain.email
    assert "Syd blev nr. 1 af 2" in " ".join(league.letters(captain)[-1].said.split())
    sent = await league.outbox("published")
    assert len(sent) == len({row.person_id for row in sent}), "once to each"


@pytest.mark.both_engines
async def test_a_divisions_prizes_go_to_clubs_and_stand_in_its_results(league: World) -> None:
    """§ 6.4.5.1, § 6.7.4.5: level to the end they share, after the lots each has his own."""
    await level(league)
    league.clock.go(date(2027, 1, 12))
    await league.pump()
    async with browser(league) as page:
        await page.sign_in(TL)
        results = await page.get("/results/DIV-1")
        amounts = {"act": "amounts", "amounts": "500; 200"}
        form = results.forms[-1]
        results = await page.post("/results/DIV-1", form.fields | amounts)
        assert results.text.count("350") == 2 and "trækkes lod" in results.text
        desk = await page.get("/desk/league/DIV-1")
        await page.submit(desk, "/desk/league/DIV-1/lots")
        results = await page.get("/results/DIV-1")
    view = await view_of(league.core, "DIV-1")
    winner, second = (row.name for row in view.clubs.rows)
    assert re.search(f"Præmie: {winner}, 500.*Præmie: {second}, 200", results.text)
    assert view.row.lots_seed and view.row.lots_seed in results.text
    answer = await asked_by_api(league, f"/api/v1/groups/{view.group.id}")
    table = GroupTable.model_validate(answer)
    assert (table.rows, table.prizes, table.rules.value) == ([], [], "league")
    assert table.division is not None and table.division.lots_seed == view.row.lots_seed
    assert [row.club for row in table.division.teams] == [winner, second]
    assert [one.amount for one in table.division.prizes] == [50_000, 20_000]
    assert [len(board) for board in table.division.boards] == [2, 2, 2, 2]
    (match,) = table.division.matches
    assert (match.points, match.running) == ([2, 2], 0)


async def asked_by_api(world: World, path: str) -> object:
    """What a stranger's program gets."""
    url = f"http://127.0.0.1:{world.server.web_port}{path}"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        assert answer.status == 200
        return await answer.json()
