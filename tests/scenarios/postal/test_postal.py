"""A postal game on the server, from the first card to what the Board is handed."""

import base64
import io
from datetime import date, timedelta

import aiohttp

from kskak.game import game_events as ev
from kskak.regulation.editions import Result, Side
from kskak.statement.account import account
from server.store.cases import cases as case_rows
from server.store.play.people import Office
from tests.fakes.cases import officer, seen_by
from tests.fakes.machinery.browser import Page, browser
from tests.fakes.machinery.player import Player
from tests.fakes.postal import PNG, begin_postal, call, enter
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, TL, World
from tests.regulation.record import line

WHITE, BLACK = Side


def on(day: int, month: int = 11, year: int = 2026) -> date:
    return date(year, month, day)


async def test_a_game_by_cards_entered_by_sender_receiver_and_leader(world: World) -> None:
    """§ 6.2.1, § 6.3.2: who did not enter a card is told, with its dates and days."""
    await begin_postal(world)
    world.clock.go(on(6))
    await enter(world, "white", "e4", postmark=on(3), who=ANNA)
    told = world.letters(BO)[-1].said
    assert "Postmark" in told
    assert "Enter on the game's page the day" in told
    world.clock.go(on(18))
    await enter(world, "black", "1. 5254 5755", received=on(6), postmark=on(13), who=ANNA,
                arrived=on(16))  # fmt: skip
    assert await world.total(BLACK) == 7
    assert (await world.row()).state().receipt == on(16)
    got = await enter(
        world, "white", "Sf3", received=on(16), stated=on(18), who=TL,
        scan=base64.b64encode(PNG).decode(),
    )  # fmt: skip
    assert got["days"] == 2
    assert "T. Leder" in world.letters(ANNA)[-1].said
    assert "ulæseligt" in world.letters(ANNA)[-1].said
    await world.assert_whole()


async def test_a_cards_picture_is_shown_to_its_players_as_it_came(world: World) -> None:
    """Who else may see or enter one: web/cases/test_who_reads.py, api/play/test_cards.py."""
    await begin_postal(world)
    world.clock.go(on(9))
    scan = base64.b64encode(PNG).decode()
    got = await enter(world, "white", "e4", postmark=on(3), scan=scan)
    path = f"/games/{world.game}/cards/{got['card']}/scan"
    async with browser(world) as bo:
        await bo.sign_in(BO)
        async with bo.session.get(bo._url(path)) as answer:
            assert (await answer.read(), answer.content_type) == (PNG, "image/png")
            assert "sandbox" in answer.headers["Content-Security-Policy"]


async def test_an_illegible_card_is_charged_once_and_the_sender_told(world: World) -> None:
    """§ 6.3.5.1: by the receiver, not the sender; the same card twice costs once."""
    await begin_postal(world)
    world.clock.go(on(9))
    card = {"by": "white", "kind": "illegible", "arrived": "2026-11-06"}
    assert (await call(world, ANNA, "cards", card))[0] == 409
    assert (await call(world, BO, "cards", card))[0] == 200
    again = await call(world, TL, "cards", card)
    assert (again[0], again[1]["paragraph"]) == (409, "6.3.5.1")
    assert await world.total(WHITE) == 3
    assert "ikke kan læses" in world.letters(ANNA)[-1].said
    lawful = {"by": "white", "kind": "illegal", "text": "e4", "arrived": "2026-11-07"}
    status, value = await call(world, BO, "cards", lawful)
    assert (status, value["type"]) == (422, "/problems/card-lawful")


async def test_a_damaged_card_costs_nothing_and_goes_to_the_leader_in_3_days(world: World) -> None:
    """§ 6.3.5; Kendelse 59: the receiver is reminded on the third day, until the leader has it."""
    await begin_postal(world)
    world.clock.go(on(9))
    card = {"by": "white", "kind": "damaged", "arrived": "2026-11-09"}
    assert (await call(world, BO, "cards", card))[0] == 200
    assert await world.total(WHITE) == 0
    for who in (ANNA, BO, TL):
        assert "6.3.5" in world.letters(who)[-1].said
    for day, reminded in ((10, 0), (11, 0), (12, 1), (13, 1)):
        world.clock.go(on(day))
        await world.pump()
        assert len(await world.outbox("damaged_due")) == reminded
    assert "has not had the damaged card" in world.letters(BO)[-1].said
    async with browser(world) as leader:
        await leader.sign_in(TL)
        shown = await leader.get(f"/games/{world.game}/card")
        await leader.submit(shown, "/seen")
        assert "/seen" not in (await leader.get(f"/games/{world.game}/card")).html


async def test_the_page_shows_what_a_card_comes_to_before_it_is_entered(world: World) -> None:
    """Two steps; what is wrong stands beside the form and nothing is entered."""
    await begin_postal(world)
    world.clock.go(on(9))
    async with browser(world) as anna:
        await anna.sign_in(ANNA)
        form = await anna.get(f"/games/{world.game}/card")
        wrong = await anna.submit(form, "/card", text="e5", postmark="2026-11-05", **CHOICE)
        assert wrong.status == 422
        assert await world.kinds() == []
        shown = await anna.submit(wrong, "/card", text="e4", postmark="2026-11-05", **CHOICE)
        assert "3 dage" in shown.text
        data = aiohttp.FormData(_fields(shown))
        data.add_field("scan", b"<svg onload=alert(1)>", filename="kort.png")
        async with anna.session.post(anna._url(shown.form("/record").action), data=data) as got:
            assert got.status == 422
        assert await world.kinds() == []
        data = aiohttp.FormData(_fields(shown))
        data.add_field("scan", io.BytesIO(PNG + b"x" * 3_000_000), filename="kort.png")
        async with anna.session.post(anna._url(shown.form("/record").action), data=data) as got:
            assert got.status == 200
    assert await world.kinds() == ["MoveSent"]
    assert await world.total(WHITE) == 3


async def test_a_receipt_that_is_refused_shows_why_on_the_page(world: World) -> None:
    """§ 6.2.1: a day to come is none on which a card was received."""
    await begin_postal(world)
    world.clock.go(on(9))
    await enter(world, "white", "e4", postmark=on(3), who=ANNA)
    async with browser(world) as bo:
        await bo.sign_in(BO)
        form = await bo.get(f"/games/{world.game}/card")
        refused = await bo.submit(form, "/receipt", on="2026-11-10")
        assert refused.status == 422
        done = await bo.submit(refused, "/receipt", on="2026-11-09")
        assert done.status == 200
    assert (await world.row()).state().receipt == on(9)


def _fields(shown: Page) -> dict[str, str]:
    """The form's fields without the empty place for the picture."""
    return {k: v for k, v in shown.form("/record").fields.items() if k != "scan"}


CHOICE = {"by": "white", "kind": "move"}


async def test_e_mail_is_agreed_on_without_the_leader(world: World, anna: Player) -> None:
    """§ 6.2.1, § 6.3.2.1: after «no» a move by mail is refused and costs nothing."""
    await begin_postal(world)
    assert (await call(world, BO, "email", {"agrees": False}))[0] == 200
    assert await anna.reply("e4") == "no_email"
    assert await anna.reply("e5") == "no_email", "an impossible move costs nothing either"
    assert await world.total(WHITE) == 0
    assert (await call(world, BO, "email", {"agrees": True}))[0] == 200
    assert (await call(world, ANNA, "email", {"agrees": True}))[0] == 200
    assert "agreed" in world.letters(BO)[-1].said
    assert await anna.reply("e4") == "moved"
    assert (await world.row()).state().receipt == on(3)
    world.clock.go(on(4))
    assert await anna.reply("Sf3") == "not_your_turn"


async def test_an_impossible_move_by_mail_in_a_postal_game_costs_3_then_6(world, anna):
    """§ 6.3.5.1, not § 6.8.6; a wrong repetition is free."""
    await begin_postal(world)
    for move, total in (("e5", 3), ("e6", 9)):
        assert await anna.reply(move) == "illegal"
        assert await world.total(WHITE) == total


async def test_a_wrong_repetition_by_mail_in_a_postal_game_costs_nothing(world: World) -> None:
    """§ 6.3.5.1 is about the sender's own move."""
    await begin_postal(world)
    assert await Player(world).reply("e4") == "moved"
    assert await Player(world, BO).reply("1... c5") == "moved"
    before = await world.total(WHITE)
    assert await Player(world).reply("1... e5 2. Sf3") == "wrong_repetition"
    assert await world.total(WHITE) == before


async def test_a_resignation_by_card_ends_the_game_and_reports_it(world: World) -> None:
    """§ 6.2.6: entered by the winner; the loser is told and may object; the leader has it."""
    await begin_postal(world)
    world.clock.go(on(30))
    await enter(world, "white", "e4", postmark=on(3))
    card = {"by": "black", "kind": "resigns", "stated": "2026-11-20"}
    assert (await call(world, ANNA, "cards", card))[0] == 200
    assert (await world.row()).result == Result.WHITE_WINS
    assert any("ends the game" in letter.said for letter in world.letters(BO))
    assert any("1-0" in letter.said for letter in world.letters(TL))
    await world.assert_whole()


async def test_a_postal_game_that_is_silent_for_long_is_asked_about_once(world: World) -> None:
    """§ 6.2.6: the server reminds where it can not know."""
    await begin_postal(world)
    world.clock.go(on(9))
    await enter(world, "white", "e4", postmark=on(3))
    for days, asked in ((30, 0), (1, 2), (5, 2)):
        world.clock.wait(days=days)
        await world.pump()
        assert len(await world.outbox("result_asked")) == asked
    assert any("Er det slut?" in letter.said for letter in world.letters(ANNA))
    assert timedelta(days=36) == world.clock.today - on(9)
    told = {letter.person_id for letter in await world.outbox("result_asked")}
    assert (await world.person(KC)).id not in told


async def test_a_deputy_may_enter_cards_and_a_leader_of_another_group_may_not(world: World) -> None:
    """§ 6.1.1: by office, in the group he is appointed for."""
    await begin_postal(world)
    world.clock.go(on(9))
    row = await world.row()
    await officer(world, CAPTAIN, Office.DEPUTY, row.group_id)
    await enter(world, "white", "e4", postmark=on(3), who=CAPTAIN)
    await begin_postal(world, "P-26-02")
    status, _ = await call(world, CAPTAIN, "cards", {"by": "white", "text": "e4"})
    assert status == 404


async def test_ruling_38_the_postmark_a_day_late_costs_the_game(tenth: World) -> None:
    """Kendelse 38: handed in on the 7th, marked on the 8th; with a receipt it would have held."""
    card = {"by": "white", "text": line(18).uci(), "received": "2026-12-07", "ply": 18}
    marked = card | {"postmark": "2026-12-08", "stated": "2026-12-07"}
    got = await call(tenth, TL, "cards", marked)
    assert got[0] == 200
    assert (got[1]["overstep"]["used"], got[1]["overstep"]["limit"]) == (31, 30)
    status, claimed = await call(tenth, BO, "claim", {})
    assert (status, claimed["result"]) == (200, "*"), "it is for the leader to decide"
    async with tenth.core.store.read() as conn:
        (opened,) = await case_rows.list_game_cases(conn, tenth.game)
    case = await seen_by(tenth, TL, opened.id)
    assert {row.ply for row in case.games[0].view.account.rows} >= case.games[0].disputed != set()
    await tenth.assert_whole()


async def test_a_posting_receipt_of_the_day_before_saves_the_tenth_move(tenth: World) -> None:
    """§ 6.3.2: the same card with the proof that Kendelse 38 lacked; and an illegible mark."""
    card = {"by": "white", "text": line(18).uci(), "received": "2026-12-07", "ply": 18}
    proved = card | {"postmark": "2026-12-08", "receipt": "2026-12-07"}
    status, value = await call(tenth, ANNA, "cards", proved)
    assert (status, value["overstep"], value["days"]) == (200, None, 0)


async def test_a_ruling_moves_the_date_of_an_illegible_card(tenth: World) -> None:
    """Kendelse 107: illegible, so the stated day; the leader finds another: overstepped."""
    await enter(tenth, "white", line(18).uci(), received=on(7, 12), stated=on(7, 12), who=BO)
    row = await tenth.row()
    assert row.state().overstep is None
    found = ev.DispatchCorrected(19, on(9, 12), None, "TL", "P-26-01/1")
    judged = account(row.terms, [*(one.event for one in await tenth.events()), found])
    assert judged.overstep is not None
    assert (judged.overstep.used, judged.overstep.by) == (32, WHITE)
