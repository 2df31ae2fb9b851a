"""Progress of groups, results of players, clubs with their players and teams: for everybody."""

import re

import pytest
from sqlalchemy import insert, update

from server.store.tables.base import games, people
from server.store.tables.people import clubs
from tests.fakes.league import begin_division, board_game, team_of
from tests.fakes.many import copies
from tests.fakes.site import Site
from tests.server.web.conftest import Browser, Browsers

RESULTS = ("1-0", "0-1", "1/2-1/2")


@pytest.fixture
async def club(site: Site) -> int:
    """Anna's club, which has a page; Grete is a member who has never played."""
    async with site.core.store.write() as conn:
        made = await conn.execute(
            insert(clubs).values(name="Nordre Skakklub").returning(clubs.c.id)
        )
        number = int(made.scalar_one())
        row = {"name": "Grete Gran", "email": "grete@example.org", "club": "Nordre Skakklub"}
        await conn.execute(insert(people).values(**row, created_us=0, rating=1500))
    return number


async def _mate(site: Site, name: str) -> None:
    for text in ("f3", "e5", "g4", "Dh4"):
        await site.play(await site.game(name), text, days=0)


async def test_a_group_says_how_many_games_of_each_round_are_over(site: Site, stranger: Browser):
    text = (await stranger.get("/groups/K-26-01"))[1]
    assert "0 af 3 partier er slut" in text and "Seneste resultat" not in text
    site.clock.turn(4)
    game = await site.game()
    await _mate(site, game.name)
    text = (await stranger.get("/groups/K-26-01"))[1]
    assert "1 af 3 partier er slut" in text and "Seneste resultat: 5. september 2026." in text
    assert f"{game.round}. runde: 1 af 1" in text
    assert 'class="used" width="33"' in text and 'class="used" width="100"' in text
    tove = await site.person("tove@example.org")
    assert f'href="/players/{tove.id}">{tove.name}</a>' in text


async def test_a_players_results_are_told_by_group_and_opponent(browsers: Browsers, site: Site):
    """Won, drawn, lost for either colour; both may lose (§ 6.3.3.4)."""
    anna, bent = [await site.person(f"{name}@example.org") for name in ("anna", "bent")]
    results = ("1-0", "1-0", "0-1", "1/2-1/2", "0-0")
    await site.core.store.transact(lambda conn: copies(conn, "K-26-01/2", range(1, 6), results))
    visitor = await browsers.stranger()
    for person, counts, points in ((anna, "2 – 1 – 2", "2½ af 5"), (bent, "1 – 1 – 3", "1½ af 5")):
        text = (await visitor.get(f"/players/{person.id}"))[1]
        assert text.count(counts) == 2 and text.count(points) == 2, "by group and by opponent"
        other = bent if person is anna else anna
        assert f'href="/players/{other.id}"' in text
        running = text[text.index('id="running"') : text.index('id="ended"')]
        assert "K-26-01/2" in running and "/games/" not in running, "moves are not public yet"
    text = (await (await browsers.of("anna")).get(f"/players/{anna.id}"))[1]
    assert f'href="/games/{(await site.game()).id}">i gang' in text
    assert "example.org" not in text


async def test_a_player_with_many_games_has_them_by_the_page(browsers: Browsers, site: Site):
    anna = await site.person("anna@example.org")
    await site.core.store.transact(lambda conn: copies(conn, "K-26-01/2", range(1, 61), RESULTS))
    visitor, seen, path = await browsers.stranger(), [], f"/players/{anna.id}"
    while path:
        _, text = await visitor.get(path)
        seen += re.findall(r">K-26-01/2-(\d+)</td>", text)
        found = re.search(r'href="(\?page=\d+)#ended" rel="next"', text)
        path = f"/players/{anna.id}{found[1]}" if found else ""
    assert seen == [str(n) for n in range(60, 0, -1)]
    assert (await visitor.get(f"/players/{anna.id}?page=99"))[0] == 200


async def test_a_club_names_who_plays_and_nobody_else(browsers: Browsers, site: Site, club: int):
    anna = await site.person("anna@example.org")
    async with site.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.id == anna.id).values(k_rating=1912))
    visitor = await browsers.stranger()
    status, text = await visitor.get(f"/clubs/{club}")
    assert status == 200 and "1 K-skakspiller" in text
    assert f'href="/players/{anna.id}">Anna Andersen' in text and ">1912<" in text
    assert "Gennemsnitligt K-ratingtal: 1912." in text
    assert "Grete" not in text and "Bent" not in text and "@example.org" not in text
    for path in (f"/players/{anna.id}", "/groups/K-26-01", "/clubs"):
        assert f'href="/clubs/{club}">Nordre Skakklub' in (await visitor.get(path))[1], path
    for path in ("/clubs/999", "/clubs/" + "9" * 17):
        assert (await visitor.get(path))[0] == 404


async def test_who_is_in_the_register_only_is_found_by_officials_and_himself(browsers, site):
    """A number tried in the address tells nobody who is a member of the Union."""
    grethe = await site.admit("Grethe Gran", email="grethe@example.org")
    path = f"/players/{grethe.id}"
    for browser in (await browsers.stranger(), await browsers.of("anna")):
        status, text = await browser.get(path)
        assert status == 404 and "Grethe" not in text
    for browser in (await browsers.of("tove"), await browsers.of("grethe")):
        assert (await browser.get(path))[0] == 200
    for name in ("anna", "tove"):
        named = await site.person(f"{name}@example.org")
        assert (await (await browsers.stranger()).get(f"/players/{named.id}"))[0] == 200


async def test_the_clubs_are_found_from_the_foot_of_every_page_and_beside_the_lists(stranger):
    for path in ("/", "/groups/K-26-01", "/about", "/nowhere"):
        assert '<a href="/clubs">Klubber</a>' in (await stranger.get(path))[1], path
    for path in ("/ratings", "/league"):
        text = (await stranger.get(path))[1]
        assert '<a href="/clubs">Klubber</a>' in text[text.index("<main") : text.index("</main>")]


async def test_a_clubs_team_is_there_with_points_and_matches(browsers, site, club):
    """§ 6.7.4.5: a match of four boards is won by more points, and counts when all are over."""
    await begin_division(site.core, "DIV-1", ("Nordre Skakklub", "Syd"))
    visitor = await browsers.stranger()
    team = await team_of(site.core, "DIV-1", "Nordre Skakklub")
    for board, has_won in ((1, True), (2, True), (3, False), (4, True)):
        text = (await visitor.get(f"/clubs/{club}"))[1]
        assert "0 vundet, 0 uafgjort, 0 tabt" in text, "not before the last board"
        line = await board_game(site.core, "DIV-1", board, "Nordre Skakklub")
        result = "1-0" if (line.white_team == team.id) is has_won else "0-1"
        async with site.core.store.write() as conn:
            done = {"result": result, "to_move_id": None, "ended_us": site.core.now_us}
            await conn.execute(update(games).where(games.c.id == line.id).values(**done))
    text = (await visitor.get(f"/clubs/{club}"))[1]
    assert 'data-l="Point">3<' in text and "4 af 4 slut" in text
    assert "1 vundet, 0 uafgjort, 0 tabt" in text
    text = (await visitor.get("/league/DIV-1"))[1]
    assert f'href="/clubs/{club}">Nordre Skakklub' in text and "4 af 4 partier er slut" in text
    found = re.search(r'href="#(m-\d+-\d+)"', text)
    assert found and f'<li id="{found[1]}">' in text
    board = text[text.index('id="boards"') :]
    assert re.search(r'<th scope="row"><a href="/players/\d+">', board)
