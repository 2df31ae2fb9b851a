"""A row a card on the leader's desk: photo in, dates typed, the account said at once, next.

A row that can't be read, or has changed since it was shown, stops no other. No date is read off a
picture: no reader is sure of a postmark, and a wrong day costs games.
"""

import io

import aiohttp
import pytest

from kskak.regulation.editions import Side
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.postal import PNG, begin_postal, drawn
from tests.fakes.world import ANNA, KC, TL, World
from tests.regulation.record import line
from tests.scenarios.postal.test_postal import on

DESK, GAME = "/desk/cards", "P-26-01/1 A. Ager – B. Berg"
WHITE, BLACK = Side


def _row(number: int, **fields: str) -> dict[str, str]:
    return {f"{name}-{number}": value for name, value in fields.items()}


async def _press(
    tl: Browser,
    page: Page,
    step: str,
    *photos: bytes,
    chosen: dict[str, bytes] | None = None,
    **fields: str,
) -> Page:
    """The form as it is shown, with what is typed and put in, for all rows or in one of them."""
    data = aiohttp.FormData()
    kept = {k: v for k, v in page.form(DESK).fields.items() if not k.startswith("file-")}
    kept.pop("photos", None)
    for name, value in (kept | fields | {"step": step}).items():
        data.add_field(name, value)
    files = [*(("photos", photo) for photo in photos), *(chosen or {}).items()]
    for name, photo in files:
        data.add_field(name, io.BytesIO(photo), filename="kort.png")
    async with tl.session.post(tl._url(DESK), data=data) as answer:
        assert answer.status in (200, 422), answer.status
    got = await tl.get(str(answer.url.relative()))
    await tl.world.pump()
    return got


async def _moves(world: World) -> int:
    return (await world.kinds()).count("MoveSent")


async def _kept(world: World) -> tuple[int, int]:
    """Cards with a picture, and pictures that wait for the leader's cards."""
    tl = await world.person(TL)
    async with world.core.store.read() as conn:
        cards = await paper_rows.list_game_cards(conn, world.game, has_pictures=False)
        waiting = await paper_rows.list_person_pictures(conn, tl.id)
    return sum(card.has_scan for card in cards), len(waiting)


@pytest.mark.both_engines
async def test_a_row_a_card_says_what_it_comes_to_before_any_counts(world: World) -> None:
    await begin_postal(world)
    async with browser(world) as anna, browser(world) as kc, browser(world) as tl:
        for one, who in ((anna, ANNA), (kc, KC), (tl, TL)):
            await one.sign_in(who)
        world.clock.go(on(20))
        assert (await anna.get(DESK)).status == 404
        typed = _row(1, game=GAME, text="e4", postmark="2026-11-05")
        typed |= _row(2, game="P-26-01/1", text="e5", received="2026-11-07", postmark="2026-11-12")
        typed |= _row(3, game="K-26-01/1", text="d4", postmark="2026-11-05")
        typed |= _row(4, game=GAME, text="Qh9", postmark="2026-11-19")
        seen = await _press(tl, await tl.get(DESK), "look", PNG, drawn(shade="red"), **typed)
        assert "3 dage 3 af 30 dage" in seen.text and "27 dage tilbage" in seen.text
        assert "5 dage 5 af 30 dage" in seen.text, "black, as if the first one counted"
        assert "»K-26-01/1« er ikke et postparti, du leder" in seen.text
        assert "Qh9" in seen.text and seen.html.count('class="error"') == 2
        assert await _moves(world) == 0 and await _kept(world) == (0, 2), "nothing counts yet"
        photo = next(link for link in seen.links if link.startswith(f"{DESK}/"))
        async with tl.session.get(tl._url(photo)) as answer:
            assert await answer.read() == PNG
        done = await _press(tl, seen, "enter", **_row(2, postmark="2026-11-13"))
        assert "1 kort er skrevet ind" in done.text, "the second was changed after it was tried"
        assert "6 dage 6 af 30 dage" in done.text and await _kept(world) == (1, 1)
        both = await _press(tl, done, "enter")
        assert "1 kort er skrevet ind" in both.text and await _kept(world) == (2, 0)
        again = await _press(tl, done, "enter")
        assert "Se igen, hvad det giver" in again.text, "pressed twice"
        wrong = await _press(tl, both, "look", b"<svg onload=alert(1)>")
        assert wrong.status == 422 and "hverken PNG, JPEG eller PDF" in wrong.text
        waiting = await _press(tl, both, "look", PNG)
        photo = next(link for link in waiting.links if link.startswith(f"{DESK}/"))
        assert (await kc.get(photo)).status == 404, "seen by who put it in, alone"
    assert await _moves(world) == 2
    assert (await world.total(WHITE), await world.total(BLACK)) == (3, 6)
    world.clock.wait(days=15)
    await world.pump()
    assert await _kept(world) == (2, 0), "a picture waits 14 days"
    await world.assert_whole()


async def test_an_overstep_is_said_before_the_card_counts(tenth: World) -> None:
    """Kendelse 38: 31 of 30, and the sender's own date is another than the postmark."""
    world = tenth
    async with browser(world) as tl:
        await tl.sign_in(TL)
        dates = {"received": "2026-12-07", "postmark": "2026-12-08", "stated": "2026-12-07"}
        typed = _row(1, game=GAME, text=line(18).uci(), **dates)
        seen = await _press(tl, await tl.get(DESK), "look", **typed)
        assert "31 af 30 dage" in seen.text and "der oprettes en sag" in seen.text
        assert "Kendelse 38" in seen.text
        assert (await world.row()).state().overstep is None
        await _press(tl, seen, "enter")
    async with world.core.store.read() as conn:
        assert len(await case_rows.list_game_cases(conn, world.game)) == 1


async def _scans(world: World, game: int) -> list[bytes | None]:
    async with world.core.store.read() as conn:
        return [card.scan for card in await paper_rows.list_game_cards(conn, game)]


async def test_a_picture_chosen_in_one_row_goes_with_the_card_of_that_row(world: World) -> None:
    """Issue 5, 9: row 2's picture went to row 1's game."""
    first = await begin_postal(world)
    second = await begin_postal(world, "P-26-02")
    async with browser(world) as tl:
        await tl.sign_in(TL)
        world.clock.go(on(20))
        typed = _row(1, game=GAME, text="e4", postmark="2026-11-05")
        typed |= _row(2, game="P-26-02/1", text="d4", postmark="2026-11-05")
        shown = await _press(tl, await tl.get(DESK), "look", chosen={"file-2": PNG}, **typed)
        assert "photo-1" not in shown.form(DESK).fields and shown.form(DESK).fields["photo-2"]
        done = await _press(tl, shown, "enter")
        assert "2 kort er skrevet ind" in done.text
    assert await _scans(world, first) == [None] and await _scans(world, second) == [PNG]


async def test_a_picture_in_a_row_that_waits_goes_to_no_other_card(world: World) -> None:
    """Rows 1 (unread), 2 and 3 (nothing typed yet): entering 2 moves up neither picture."""
    await begin_postal(world)
    second = await begin_postal(world, "P-26-02")
    async with browser(world) as tl:
        await tl.sign_in(TL)
        world.clock.go(on(20))
        typed = _row(1, game=GAME, text="Qh9", postmark="2026-11-05")
        typed |= _row(2, game="P-26-02/1", text="d4", postmark="2026-11-05")
        files = {"file-3": drawn(shade="blue"), "file-2": drawn(shade="red")}
        shown = await _press(tl, await tl.get(DESK), "look", chosen=files, **typed)
        photos = {n: shown.form(DESK).fields.get(f"photo-{n}") for n in (1, 2, 3)}
        assert photos[1] is None and photos[2] and photos[3]
        done = await _press(tl, shown, "enter")
        fields = done.form(DESK).fields
        assert fields["text-1"] == "Qh9" and "photo-1" not in fields
        assert fields["photo-2"] == photos[3] and fields["text-2"] == ""
    assert await _scans(world, second) == [drawn(shade="red")]


async def test_a_picture_that_is_ticked_away_is_gone_and_no_other(world: World) -> None:
    """Row 2's is wrong: it goes with its tick alone, the others stay in their rows."""
    await begin_postal(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        world.clock.go(on(20))
        files = {f"file-{n}": drawn(shade=shade) for n, shade in enumerate(("red", "blue"), 1)}
        shown = await _press(tl, await tl.get(DESK), "look", chosen=files)
        before = {n: shown.form(DESK).fields.get(f"photo-{n}") for n in (1, 2)}
        assert all(before.values()) and (await _kept(world))[1] == 2
        done = await _press(tl, shown, "look", **{"drop-2": "1"})
        assert done.form(DESK).fields.get("photo-1") == before[1]
        assert "photo-2" not in done.form(DESK).fields and (await _kept(world))[1] == 1
        alien = await _press(tl, done, "look", **{"drop-3": "1", "photo-3": "999999"})
        assert alien.status == 200 and (await _kept(world))[1] == 1


async def test_pictures_for_all_rows_pass_by_the_row_that_has_its_own(world: World) -> None:
    """One chosen in row 1, two for all rows, in one press: rows 2 and 3 get these."""
    await begin_postal(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        world.clock.go(on(20))
        typed = _row(1, game=GAME, text="e4", postmark="2026-11-05")
        typed |= _row(2, game=GAME, text="e5", received="2026-11-07", postmark="2026-11-12")
        own = {"file-1": drawn(shade="green")}
        shown = await _press(
            tl, await tl.get(DESK), "look", PNG, drawn(shade="red"), chosen=own, **typed
        )
        await _press(tl, shown, "enter")
        assert (await _kept(world))[1] == 1
    assert await _scans(world, world.game) == [drawn(shade="green"), PNG]
