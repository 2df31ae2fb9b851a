"""What was typed wrongly from a card is put right: by page and API, told to both, in the chain."""

import base64
from datetime import date

import pytest

from kskak.ledger.ledger_files import ledger_json
from kskak.regulation.editions import Result, Side
from server.store.cases import papers as paper_rows
from server.store.cases import publications as publication_rows
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.postal import PNG, begin_postal, call, enter
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, TL, World

WHITE, BLACK = Side
SCAN = base64.b64encode(PNG).decode()


def on(day: int) -> date:
    return date(2026, 11, day)


async def _begun(world: World, who: str = TL, text: str = "7163") -> int:
    """Knight to f3 is written where the card says another move; the card's number."""
    await begin_postal(world)
    world.clock.go(on(9))
    await enter(world, "white", "5254", postmark=on(3), who=TL)
    await enter(world, "black", "5755", received=on(5), postmark=on(6), arrived=on(7), who=TL)
    got = await enter(world, "white", text, received=on(7), postmark=on(8), who=who, scan=SCAN)
    return int(got["card"])


async def _fix(world: World, seq: int, who: str = TL, **body: object) -> tuple[int, dict]:
    right = {"by": "white", "received": "2026-11-07", "postmark": "2026-11-08"}
    return await call(world, who, "cards", right | body | {"corrects": seq})


async def pawns(world: World, text: str = "1615", who: str = TL) -> int:
    """Both a6-a5 and b6-b5 are lawful, and Black's card says 2625; the number of what is typed."""
    await begin_postal(world)
    world.clock.go(on(20))
    for by, move, received, postmark in (
        ("white", "5254", None, 2),
        ("black", "1716", 4, 5),
        ("white", "4244", 7, 8),
        ("black", "2726", 10, 11),
        ("white", "7163", 13, 14),
    ):
        days = {"received": on(received)} if received else {}
        await enter(world, by, move, postmark=on(postmark), who=TL, **days)
    told = {"received": on(16), "postmark": on(18), "who": who, "scan": SCAN}
    got = await enter(world, "black", text, **told)
    return int(got["card"])


THIRD = {"by": "black", "received": "2026-11-16", "postmark": "2026-11-18"}
"""The days on Black's third card."""


async def _last(world: World) -> str:
    return (await world.row()).state().recent[-1].san


@pytest.mark.both_engines
async def test_a_move_typed_wrongly_by_the_leader_is_replaced_and_both_are_told(world: World):
    """§ 6.2.4: 2715 on the card, 7163 in the book; then the days too."""
    seq = await _begun(world)
    assert await _last(world) == "Nf3"
    world.clock.go(on(10))
    before = len(world.letters(ANNA)), len(world.letters(BO))
    status, got = await _fix(world, seq, text="2133", postmark="2026-11-09", stated="2026-11-09")
    assert status == 200, got
    assert [one["san"] for one in got["moves"]] == ["Nc3"] and got["days"] == 2
    assert await _last(world) == "Nc3" and await world.total(WHITE) == 3
    for who, count in ((ANNA, before[0]), (BO, before[1])):
        assert len(world.letters(who)) == count + 1
    assert "Springer" not in world.letters(ANNA)[-1].said
    assert "7163" in world.letters(ANNA)[-1].said and "2133" in world.letters(ANNA)[-1].said
    assert "6.2.4" in world.letters(BO)[-1].said
    kinds = await world.kinds()
    assert kinds[-2:] == ["GameSetBack", "MoveSent"] and kinds.count("MoveSent") == 4
    async with world.core.store.read() as conn:
        kept = await paper_rows.list_game_cards(conn, world.game)
    assert [one.scan for one in kept[-2:]] == [PNG, PNG], "the picture is with both"
    assert kept[-1].seq == got["card"]
    again = await _fix(world, seq, text="2133")
    assert (again[0], again[1]["type"]) == (409, "/problems/card-unknown"), "void by now"
    assert (await _fix(world, got["card"], text="7163"))[0] == 200, "what was put right, too"
    await world.assert_whole()


@rows("wrong right played", ("1615", "2625", "b5"), ("2625", "1615", "a5"))
async def test_1615_typed_for_2625_is_put_right_by_the_api(lite: World, wrong, right, played):
    """The very input of the report; and the other way round."""
    world = lite
    seq = await pawns(world, wrong)
    before = [len(world.letters(who)) for who in (ANNA, BO)]
    status, got = await _fix(world, seq, **THIRD, text=right)
    assert (status, [one["san"] for one in got["moves"]]) == (200, [played])
    state = (await world.row()).state()
    assert (await _last(world), state.position.ply, state.mover) == (played, 6, WHITE)
    for who, count in zip((ANNA, BO), before, strict=True):
        (letter,) = world.letters(who)[count:]
        assert wrong in letter.said and right in letter.said, who
    kinds = await world.kinds()
    assert kinds[-2:] == ["GameSetBack", "MoveSent"]
    await enter(world, "white", "6134", received=on(20), postmark=on(20), who=TL)
    assert (await _fix(world, got["card"], **THIRD, text=wrong))[1]["paragraph"] == "6.4.1"
    await world.assert_whole()


async def test_1615_typed_for_2625_by_the_opponent_is_put_right_on_the_page(lite: World):
    """Anna had the card and typed it; Bo, who sent it, is told of both moves (§ 6.2.4)."""
    world = lite
    seq = await pawns(world, who=ANNA)
    async with browser(world) as anna:
        await anna.sign_in(ANNA)
        page = f"/games/{world.game}/card"
        form = await anna.get(f"{page}?corrects={seq}")
        assert form.form("/card").fields["text"] == "1615"
        seen = await anna.submit(form, "/card", text="2625")
        assert "2625" in seen.text and await _last(world) == "a5"
        done = await anna.submit(seen, "/record")
        assert "Ugyldigt: det er rettet" in done.text
    await world.pump()
    assert await _last(world) == "b5"
    assert "1615" in world.letters(BO)[-1].said and "2625" in world.letters(BO)[-1].said


async def test_2625_entered_as_a_faulty_1615_costs_its_sender_nothing(lite: World):
    """Where 1615 can't be played, as the man still stands on a7, the card was taken for faulty."""
    world = lite
    await begin_postal(world)
    world.clock.go(on(9))
    for by, move, received, postmark in (
        ("white", "5254", None, 2),
        ("black", "2726", 4, 5),
        ("white", "7163", 7, 8),
    ):
        days = {"received": on(received)} if received else {}
        await enter(world, by, move, postmark=on(postmark), who=TL, **days)
    used = await world.total(BLACK)
    faulty = {"by": "black", "kind": "illegal", "text": "1615", "arrived": "2026-11-09"}
    status, got = await call(world, ANNA, "cards", faulty)
    assert status == 200 and await world.total(BLACK) == used + 3, got
    told = {"by": "black", "received": "2026-11-09", "postmark": "2026-11-09"}
    assert (await _fix(world, got["card"], who=TL, **told, text="1615"))[0] == 422
    status, got = await _fix(world, got["card"], who=TL, **told, text="2625")
    assert status == 200 and await _last(world) == "b5", got
    assert await world.total(BLACK) == used


async def test_what_is_shown_first_is_what_it_comes_to(lite: World):
    """The preview by API writes nothing; a move that can't be played is refused, all stays."""
    world = lite
    seq = await _begun(world)
    kinds = await world.kinds()
    status, shown = await _fix(world, seq, text="6134", postmark="2026-11-09", preview=True)
    assert status == 200 and shown["days"] == 2 and shown["moves"][0]["san"] == "Bc4"
    assert (await _fix(world, seq, text="1118"))[0] == 422
    assert (await _fix(world, seq, text="6134", postmark="2026-11-19"))[0] == 422
    assert await world.kinds() == kinds and await _last(world) == "Nf3"
    done = (await _fix(world, seq, text="6134", postmark="2026-11-09"))[1]
    assert (done["days"], done["moves"]) == (shown["days"], shown["moves"])


async def test_who_typed_it_for_another_or_leads_may_and_no_one_else(lite: World):
    world = lite
    seq = await _begun(world, who=BO)
    assert (await _fix(world, seq, who=CAPTAIN, text="2133"))[0] == 404
    status, got = await _fix(world, seq, who=ANNA, text="2133")
    assert (status, got["type"]) == (404, "/problems/not-found")
    assert (await _fix(world, seq, who=BO, text="2133"))[0] == 200
    assert "Bo Berg" in world.letters(ANNA)[-1].said
    own = await enter(world, "black", "2836", received=on(9), postmark=on(9), who=BO)
    body = {"by": "black", "text": "7866", "postmark": "2026-11-09", "corrects": own["card"]}
    status, got = await call(world, BO, "cards", body)
    assert (status, got["paragraph"]) == (409, "6.2.4"), "bound by what he sent"
    assert (await call(world, KC, "cards", body | {"received": "2026-11-09"}))[0] == 200
    assert await _last(world) == "Nf6"


async def test_an_answered_card_is_for_a_ruling(lite: World):
    world = lite
    seq = await _begun(world)
    await enter(world, "black", "2836", received=on(9), postmark=on(9), who=TL)
    status, got = await _fix(world, seq, text="2133")
    assert (status, got["type"], got["paragraph"]) == (409, "/problems/card-answered", "6.4.1")


async def test_a_resignation_entered_for_the_wrong_player_is_the_others(lite: World):
    """§ 6.2.6; with the account as it was, and an export that reads the same."""
    world = lite
    await _begun(world)
    got = await enter(world, "white", "", kind="resigns", stated=on(9), who=TL)
    assert (await world.row()).result == Result.BLACK_WINS
    right = {"by": "black", "kind": "resigns", "received": None, "postmark": None}
    status, fixed = await _fix(world, got["card"], **right, stated="2026-11-09")
    assert status == 200, fixed
    assert (await world.row()).result == Result.WHITE_WINS
    assert "hvid har vundet" in world.letters(ANNA)[-1].said.lower()
    events = [row.event for row in await world.events()]
    entries = ledger_json((await world.row()).terms, events)["entries"]
    assert [one["kind"] for one in entries if one["kind"] == "resign"] == ["resign"]
    assert entries[-1]["by"] == "black"
    await world.assert_whole()


async def test_a_draw_entered_by_mistake_goes_and_time_stood_still(lite: World):
    world = lite
    await _begun(world)
    await call(world, BO, "receipt", {"on": "2026-11-09"})
    await enter(world, "black", "2836", received=on(9), postmark=on(9), who=TL, draw_offer=True)
    await call(world, ANNA, "receipt", {"on": "2026-11-09"})
    got = await enter(world, "white", "", kind="draw", stated=on(9), who=TL)
    assert (await world.row()).result == Result.DRAW
    world.clock.go(on(19))
    status, fixed = await _fix(world, got["card"], kind="nothing", received=None, postmark=None)
    assert status == 200, fixed
    state = (await world.row()).state()
    assert state.result is None and state.draw_offer is BLACK and state.mover is WHITE
    running = state.running()
    assert running is not None and state.days_on(running, on(21)) <= 2, "the mistake cost no day"
    assert any("Partiet går videre" in letter.said for letter in world.letters(ANNA))


async def test_a_card_of_another_game_goes_there_with_its_picture_or_nothing_does(lite: World):
    world = lite
    seq = await _begun(world)
    wrong = world.game
    other = await begin_postal(world, "P-26-02")
    world.game = wrong
    stale = await _fix(world, seq, text="5755", by="white", right_game=other)
    assert stale[0] in (409, 422) and await _last(world) == "Nf3", "not there, so not here"
    status, got = await _fix(world, seq, text="7163", received=None, right_game=other)
    assert status == 200, got
    assert await _last(world) == "e5" and (await world.row()).state().mover is WHITE
    async with world.core.store.read() as conn:
        (moved,) = await paper_rows.list_game_cards(conn, other)
    assert moved.scan == PNG
    assert "ugyldigt" in world.letters(ANNA)[-2].said or "ugyldigt" in world.letters(ANNA)[-1].said


async def test_a_move_can_not_come_from_who_is_not_to_move(lite: World):
    """The sender alone is changed: the answer says who is to send, by API, preview and page."""
    world = lite
    seq, kinds = await _begun(world), await world.kinds()
    for body in ({}, {"preview": True}):
        status, got = await _fix(world, seq, by="black", text="2836", **body)
        assert (status, got["type"]) == (409, "/problems/card-sender"), got
    faulty = await call(world, TL, "cards", {"by": "white", "kind": "illegible"})
    assert faulty[1]["type"] == "/problems/card-sender"
    async with browser(world) as tl:
        await tl.sign_in(TL)
        form = await tl.get(f"/games/{world.game}/card?corrects={seq}")
        said = await tl.submit(form, "/card", text="2836", by="black")
        assert "det er den anden spiller, der skal sende et træk" in said.text
        assert "Det er ikke din tur" not in said.text
        seen = await tl.submit(said, "/card", text="7163", by="white")
        assert seen.status == 200, "what was typed is kept, and can be put right"
    assert await world.kinds() == kinds


async def test_an_end_of_the_wrong_sender_was_the_others_move(lite: World):
    """A resignation entered for White was Black's card with a move (§ 6.2.1, § 6.2.6)."""
    world = lite
    await _begun(world)
    got = await enter(world, "white", "", kind="resigns", stated=on(9), who=TL)
    right = {"by": "black", "text": "2836", "received": "2026-11-09", "postmark": "2026-11-09"}
    status, fixed = await _fix(world, got["card"], **right)
    assert (status, fixed["to_move"], fixed["result"]) == (200, "white", "*"), fixed
    assert await _last(world) == "Nc6" and await world.total(BLACK) == 1
    assert all("2836" in world.letters(who)[-1].said for who in (ANNA, BO))
    await world.assert_whole()


async def test_a_move_of_the_wrong_sender_was_the_others_resignation(lite: World):
    world = lite
    seq = await _begun(world)
    right = {"by": "black", "kind": "resigns", "received": None, "postmark": None}
    status, fixed = await _fix(world, seq, **right, stated="2026-11-08")
    assert (status, fixed["result"]) == (200, "1-0"), fixed
    for who in (ANNA, BO):
        assert "7163" in world.letters(who)[-1].said, "the void move is named"
    await world.assert_whole()


async def test_a_move_of_the_wrong_sender_belongs_to_the_other_game_by_page_and_api(lite: World):
    """White's 7163 in one game is Black's 2836 in the other, in which Black is to move."""
    world = lite
    seq = await _begun(world)
    wrong = world.game
    other = await begin_postal(world, "P-26-02")
    await enter(world, "white", "5254", postmark=on(9), who=TL)
    world.game = wrong
    dates = {"received": "2026-11-09", "postmark": "2026-11-09"}
    black = {"by": "black", "text": "2836", "right_game": other, **dates}
    for body in ({"by": "white"}, {"received": "2026-11-01"}):
        status, got = await _fix(world, seq, **(black | body))
        assert status in (409, 422) and await _last(world) == "Nf3", got
    status, shown = await _fix(world, seq, **black, preview=True)
    assert (status, shown["moves"][0]["by"]) == (200, "black")
    async with browser(world) as tl:
        await tl.sign_in(TL)
        form = await tl.get(f"/games/{wrong}/card?corrects={seq}")
        typed = {"text": "2836", "by": "black", "game": "P-26-02/1", **dates}
        seen = await tl.submit(form, "/card", **typed)
        await tl.submit(seen, "/record")
    await world.pump()
    assert await _last(world) == "e5"
    world.game = other
    assert await _last(world) == "Nc6" and (await world.row()).state().mover is WHITE
    async with world.core.store.read() as conn:
        (_, moved) = await paper_rows.list_game_cards(conn, other)
    assert moved.scan == PNG
    await world.assert_whole()


async def _published(world: World) -> int:
    """White's resignation is typed for Black and published the day after; its card's number."""
    await _begun(world)
    got = await enter(world, "white", "", kind="resigns", stated=on(9), who=BO)
    world.clock.go(on(10), 12)
    await world.pump()
    async with world.core.store.read() as conn:
        row = await world.row()
        until = await publication_rows.objections_until(conn, row.group_id, [row.id])
    assert until == on(24).isoformat()
    return int(got["card"])


_RIGHT = {"by": "black", "kind": "resigns", "received": None, "postmark": None}


async def test_6_4_5_an_end_is_put_right_until_the_14th_day_after_its_publication(lite: World):
    world = lite
    seq = await _published(world)
    world.clock.go(on(24), 22)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        page = f"/games/{world.game}/card"
        assert f"{page}?corrects={seq}" in (await tl.get(page)).links
    assert (await _fix(world, seq, **_RIGHT, preview=True))[0] == 200
    assert (await _fix(world, seq, **_RIGHT))[0] == 200
    assert (await world.row()).result == Result.WHITE_WINS


async def test_6_4_5_from_the_15th_day_a_result_is_final_in_every_door(lite: World):
    """Only a ruling changes it: for the leader, the controller and who typed it alike."""
    world = lite
    seq, page = await _published(world), f"/games/{world.game}/card"
    kinds = await world.kinds()
    world.clock.go(on(25), 0, 1)
    for who in (TL, KC, BO):
        for body in ({}, {"preview": True}, {"kind": "nothing"}):
            status, got = await _fix(world, seq, who, **(_RIGHT | body))
            assert (status, got["type"], got["paragraph"]) == (409, "/problems/card-final", "6.4.5")
        async with browser(world) as one:
            await one.sign_in(who)
            assert f"{page}?corrects={seq}" not in (await one.get(page)).links
            refused = await one.get(f"{page}?corrects={seq}")
            assert "tage det op som en sag" in refused.text or "as a case" in refused.text
    assert await world.kinds() == kinds


async def test_a_faulty_card_that_was_not_costs_its_sender_nothing(lite: World):
    world = lite
    await _begun(world)
    card = {"by": "black", "kind": "illegible", "arrived": "2026-11-09"}
    status, got = await call(world, TL, "cards", card)
    assert status == 200 and await world.total(BLACK) == 4
    right = {"by": "black", "text": "2836", "received": "2026-11-09", "postmark": "2026-11-09"}
    status, got = await call(world, TL, "cards", right | {"corrects": got["card"]})
    assert status == 200, got
    assert await world.total(BLACK) == 1 and await _last(world) == "Nc6"


async def test_the_page_shows_the_card_as_entered_and_what_the_right_one_comes_to(lite: World):
    world = lite
    seq = await _begun(world)
    async with browser(world) as tl, browser(world) as anna:
        for one, who in ((tl, TL), (anna, ANNA)):
            await one.sign_in(who)
        page = f"/games/{world.game}/card"
        assert "corrects" not in (await anna.get(page)).html
        shown = await tl.get(page)
        assert f"{page}?corrects={seq}" in shown.links
        form = await tl.get(f"{page}?corrects={seq}")
        fields = form.form("/card").fields
        assert (fields["text"], fields["postmark"], fields["corrects"]) == (
            "7163", "2026-11-08", str(seq)
        )  # fmt: skip
        seen = await tl.submit(form, "/card", text="2133")
        assert "2133" in seen.text and "Begge spillere får en mail om rettelsen" in seen.text
        assert await _last(world) == "Nf3"
        done = await tl.submit(seen, "/record")
        assert "Det er skrevet ind" in done.text and "Ugyldigt: det er rettet" in done.text
        refused = await anna.get(f"{page}?corrects={seq + 2}")
        assert "Du er bundet af det, du har sendt" in refused.text
    assert await _last(world) == "Nc3"
