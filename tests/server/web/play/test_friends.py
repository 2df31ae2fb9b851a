"""Friendly games by challenge and invitation, and letters about those whom one follows."""

import re
from datetime import timedelta

import pytest
from aiohttp import ClientResponse
from sqlalchemy import select

from kskak.groups.schedule import draw_lots
from mail.office_letters.start_letters import ChallengeLetter, FollowedLetter, StartLetter
from server.store import groups as group_rows
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import Office
from server.store.tables.cases import publications
from server.store.tables.people import rating_calculations
from server.usecases.rating import computing
from server.usecases.results import publishing
from server.usecases.starts import friends
from tests.fakes.machinery.each import each
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers

OPEN = {"rules": "email", "colour": "white", "fen": "", "word": ""}
THEME = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2"


@pytest.fixture
async def site(site: Site) -> Site:
    """With a controller, who hears what there is to hear."""
    await officials(site)
    return site


async def _deed(browser: Browser, number: int, deed: str) -> ClientResponse:
    return await browser.post(f"/friends/{number}", {"deed": deed})


async def _games(site: Site, name: str) -> tuple[GameRow, ...]:
    async with site.core.store.read() as conn:
        group = await group_rows.by_name(conn, name)
        return () if group is None else await game_rows.list_group_games(conn, group.id)


async def test_a_challenge_by_letter_becomes_a_game_on_the_board(site, browsers, stranger):
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    him = await site.person("bent@example.org")
    assert f'href="/friends?to={him.id}"' in (await anna.get(f"/players/{him.id}"))[1]
    assert "Udfordr Bent Bæk" in (await anna.get(f"/friends?to={him.id}"))[1]
    asked = OPEN | {"to": str(him.id), "colour": "black", "fen": THEME, "word": "Kongegambit?"}
    for _ in range(2):
        assert (await anna.post("/friends", asked)).headers["Location"] == "/friends?done=sent"
    (letter,) = await site.written(ChallengeLetter.kind)
    assert letter.person_id == him.id
    mail = await site.composed(letter)
    text = mail.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    assert mail["Subject"] == "Anna Andersen udfordrer dig til et venskabsparti"
    for said in ("Kongegambit?", THEME, "hvid", "40 dage til 10 træk", "/friends"):
        assert said in " ".join(text.split()), said
    assert "Du er udfordret til et venskabsparti" in (await bent.get("/"))[1]
    soren = await browsers.of("soren")
    assert "Kongegambit" not in (await soren.get("/friends"))[1]
    for who, status in ((anna, 403), (soren, 403)):
        assert (await _deed(who, 1, "accept")).status == status
    answer = await _deed(bent, 1, "accept")
    (game,) = await _games(site, "V-1")
    assert answer.headers["Location"] == f"/games/{game.id}"
    assert (game.white, game.black, game.fen) == ("Bent Bæk", "Anna Andersen", THEME)
    assert {row.person_id for row in await site.written(StartLetter.kind)} >= {
        game.white_id, game.black_id
    }  # fmt: skip
    assert (await _deed(bent, 1, "accept")).status == 422, "taken: a second press begins no other"
    assert len(await _games(site, "V-1")) == 1
    page = (await anna.get(f"/games/{game.id}"))[1]
    assert 'id="move-form"' in page and "leave-group" not in page
    group = (await stranger.get("/groups/V-1"))[1]
    assert "Venskabsparti 2026" in group and "uden turneringsleder" in group
    page = (await anna.get(f"/games/{game.id}"))[1]
    assert "K-skak chefen" in page and "urneringsleder" not in page


async def test_colours_are_drawn_as_all_lots_are(site: Site, browsers: Browsers, stranger: Browser):
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    assert (await anna.post("/friends", OPEN | {"colour": "any"})).status == 303
    assert (await _deed(bent, 1, "accept")).status == 303
    async with site.core.store.read() as conn:
        drawn = await group_rows.by_name(conn, "V-1")
    assert drawn is not None and drawn.seed, "whoever has the names draws the colours again"
    order = draw_lots(drawn.seed, [f"{n} <{a}@example.org>" for n, a in (
        ("Anna Andersen", "anna"), ("Bent Bæk", "bent"))])  # fmt: skip
    (other,) = await _games(site, "V-1")
    assert other.white == ("Anna Andersen", "Bent Bæk")[order[0]]
    assert drawn.seed in (await stranger.get("/groups/V-1"))[1]


async def test_an_invitation_goes_to_the_first_and_is_neither_rated_nor_published(
    site: Site, browsers: Browsers, stranger: Browser
):
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    assert (await anna.post("/friends", OPEN)).status == 303
    assert await site.written(ChallengeLetter.kind) == []
    shown = (await bent.get("/friends"))[1]
    assert "Anna Andersen har hvid" in shown and 'value="refuse"' not in shown
    assert (await _deed(bent, 1, "refuse")).status == 403, "it is not his to decline"
    assert (await _deed(bent, 1, "accept")).status == 303
    (game,) = await _games(site, "V-1")
    await site.play(game, "e4")
    assert (await bent.post(f"/games/{game.id}/end/resign", {"key": "r"})).status == 303
    site.clock.turn(40)
    await publishing.daily(site.core)
    await computing.compute(site.core)
    player = (await bent.get(f"/players/{game.white_id}"))[1]
    assert "V-1" in player and "Ratingtal" in player
    async with site.core.store.read() as conn:
        (group,) = [one for one in await group_rows.everything(conn) if one.name == "V-1"]
    kaj = await browsers.of("kaj")
    for address in ("/results/V-1", "/ratings/V-1"):
        assert "Endelig stilling" not in (await kaj.get(address))[1]
    assert "V-1" not in (await stranger.get("/tournaments"))[1]
    async with site.core.store.read() as conn:
        kept = select(publications.c.group_id).union(select(rating_calculations.c.group_id))
        assert group.id not in set((await conn.execute(kept)).scalars())
    assert group.tl_id == (await site.person("kaj@example.org")).id
    for desk in ("/desk", "/desk/kc"):
        assert "V-1" not in (await kaj.get(desk))[1], "nobody leads it: only its cases are heard"
    assert bool(group.seed) is False, "White was chosen, not drawn"


@each(
    "fields at said",
    ({"fen": "vrøvl"}, "fen", "ikke en stilling"),
    ({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, "fen", "allerede slut"),
    ({"word": "a\nb"}, "word", "én linje"),
    ({"to": "1"}, "challenge", "Vælg en anden"),
    ({"to": "999999"}, "challenge", "Vælg en anden"),
    ({"to": "frida"}, "challenge", "Vælg en anden"),
)
async def test_what_is_wrong_with_a_challenge_is_said_and_the_rest_stays(
    site: Site, browsers: Browsers, fields: dict[str, str], at: str, said: str
):
    anna = await browsers.of("anna")
    await site.admit("frida")
    people = {"1": "anna", "frida": "frida"}
    sent = OPEN | {"word": "Hej"} | fields
    if (name := people.get(fields.get("to", ""))) is not None:
        sent["to"] = str((await site.person(f"{name}@example.org")).id)
    answer = await anna.post("/friends", sent)
    page = await answer.text()
    assert answer.status == 422 and re.search(f'id="{at}-fault"[^>]*>[^<]*{said}', page), page
    assert "word" in fields or 'value="Hej"' in page
    assert (await anna.post("/friends", OPEN | {"rules": "blitz"})).status == 400


async def test_who_declines_withdraws_asks_too_often_or_may_not_play(site, browsers):
    anna, bent = await browsers.of("anna"), await browsers.of("bent")
    him = (await site.person("bent@example.org")).id
    await anna.post("/friends", OPEN | {"to": str(him)})
    assert (await _deed(bent, 1, "refuse")).headers["Location"] == "/friends?done=declined"
    newest = next(one for one in await site.written(ChallengeLetter.kind) if one.person_id != him)
    assert (await site.composed(newest))["Subject"] == "Bent Bæk vil ikke spille lige nu"
    assert (await _deed(bent, 1, "accept")).status == 422
    for colour in ("white", "black", "any"):
        assert (await anna.post("/friends", OPEN | {"colour": colour})).status == 303
    assert (await _deed(anna, 2, "withdraw")).headers["Location"] == "/friends?done=withdrawn"
    assert (await _deed(anna, 77, "withdraw")).status == 404
    assert (await anna.post("/friends", OPEN | {"rules": "postal"})).status == 303
    many = await anna.post("/friends", OPEN | {"fen": THEME})
    assert many.status == 422 and "allerede 5 udfordringer" in await many.text()
    async with site.core.store.write() as conn:
        dead = await conn.run_sync(friends.rows.find_same, friends.NewChallenge(
            him, None, "email", "any", None, "", 0))  # fmt: skip
    assert dead is None
    kaj = await browsers.of("kaj")
    day = site.clock.now().date() - timedelta(days=1)
    await kaj.post(f"/desk/members/{him}/death", {"died": day.isoformat(), "sure": "1"})
    barred = await bent.post("/friends", OPEN)
    assert barred.status in (401, 403, 422, 303) and await _games(site, "V-3") == ()


async def test_where_the_controller_plays_another_hears_it_and_where_nobody_can_none_begins(
    site: Site, browsers: Browsers
):
    kaj, anna = await browsers.of("kaj"), await browsers.of("anna")
    assert (await kaj.post("/friends", OPEN)).status == 303
    answer = await _deed(anna, 1, "accept")
    assert answer.status == 422 and "Ingen kan afgøre en tvist" in await answer.text()
    await site.admit("adam", Office.ADMIN)
    assert (await _deed(anna, 1, "accept")).status == 303
    async with site.core.store.read() as conn:
        group = await group_rows.by_name(conn, "V-1")
    assert group is not None and group.tl_id == (await site.person("adam@example.org")).id


async def test_a_follower_gets_one_letter_a_day_when_something_has_ended(site, browsers):
    soren, bent = await browsers.of("soren"), await browsers.of("bent")
    game = await site.game()
    for whom in ({"player": str(game.white_id)}, {"group": "K-26-01"}):
        for _ in range(2):
            assert (await soren.post("/friends/follow", whom | {"deed": "on"})).status == 303
    assert (await bent.post("/friends/follow", {"group": "K-26-01", "deed": "on"})).status == 303
    for wrong in ({"player": "99999"}, {"group": "X"}, {}):
        assert (await soren.post("/friends/follow", wrong | {"deed": "on"})).status == 404
    page = (await soren.get("/friends"))[1]
    assert page.count("Følg ikke længere") == 2 and "Anna Andersen" in page
    await friends.daily(site.core)
    assert await site.written(FollowedLetter.kind) == []
    await site.play(game, "e4")
    await bent.post(f"/games/{game.id}/end/resign", {"key": "r"})
    await friends.daily(site.core)
    assert await site.written(FollowedLetter.kind) == [], "the day is not over"
    site.clock.turn(1)
    for _ in range(2):
        await friends.daily(site.core)
    (letter,) = await site.written(FollowedLetter.kind)
    assert letter.person_id == (await site.person("soren@example.org")).id, "his own he knows"
    mail = await site.composed(letter)
    assert mail["Subject"] == "Anna Andersen – Bent Bæk 1-0"
    assert f"/games/{game.id}" in mail.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    await soren.post("/friends/follow", {"group": "K-26-01", "deed": "off"})
    assert (await soren.get("/friends"))[1].count("Følg ikke længere") == 1
