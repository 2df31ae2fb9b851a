"""What somebody claims in a case is asked about and computed: no click but the choice itself.

An overstep without a claim (§ 6.3.3.5), dates in words (Kendelse 107), both readings of § 6.8.7.
"""

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from kskak.game import game_events as ev
from kskak.regulation.editions import Channel, Result, Side
from tests.fakes.cases import late, only_case, seen_by
from tests.fakes.desk import Desk, begun, desk_of, enter
from tests.fakes.disputes import cards_of, case_of, press
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import told_once
from tests.fakes.world import ANNA, BO, TL, World
from tests.regulation.record import EMAIL, POSTAL, Record

AUGUST_12 = date(1987, 8, 12)


@pytest.fixture
async def desk(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Desk]:
    """Ruling 107 up to the objection: 90 of 90 by the day that White wrote on his card."""
    telling = begun("postal")
    async with told_once(sqlite_url, tmp_path, telling, date(1987, 4, 27)) as world:
        record = Record(POSTAL, start=date(1987, 4, 27)).rounds(9, black=0)
        for _ in range(3):
            record.rounds(5, white=28)
        record.add(ev.TotalsSet(85, 0)).think(0)
        record.dispatch(AUGUST_12, AUGUST_12).rounds(0)
        card = ev.CardDates(None, stated=date(1987, 8, 17))
        record.dispatch(AUGUST_12, card, Channel.POST)
        await enter(world, record.events, date(1987, 8, 20))
        async with desk_of(world) as made:
            yield made


async def test_ruling_107_stands_in_the_fork_by_the_words_of_the_objection(desk: Desk) -> None:
    """«stemplet den 19/8»: 92 of 90, with the letter, before anybody has tried a date."""
    world = desk.world
    said = "Kortet kom i går. Det er stemplet den 19/8."
    await desk.call(BO, "POST", "/cases", {"game": world.game, "kind": "overstep", "text": said})
    case, path = await case_of(world)
    await desk.hear(TL, case)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        page = await tl.get(path)
        cards = cards_of(page)
        assert "90 af 90" in cards[0] and "Egen dato" in cards[0]
        assert "92 af 90" in cards[1] and "Kendelse 107" in cards[1]
        letter = await press(tl, page, 1, "/decide", "draft")
        text = letter.form("/decide").fields["letter"]
        assert "stemplet den 19. august 1987" in text and "Bo Berg har oplyst" in text
        assert "92 dage" in text
        await press(tl, letter, 0, "/decide", "send")
    assert (await world.row()).result == Result.BLACK_WINS


async def test_the_form_has_the_date_as_a_field(desk: Desk) -> None:
    world = desk.world
    async with browser(world) as bo:
        await bo.sign_in(BO)
        form = await bo.get(f"/games/{world.game}/object?kind=overstep")
        fields = {
            "kind": "overstep",
            "text": "Kortet er for sent.",
            "claimed": "stamped",
            "claimed_day": "1987-08-19",
        }
        done = await bo.submit(form, "/object", **fields)
        assert done.status == 200 and "stemplet den 19. august 1987" in done.text.lower()
    view = await seen_by(world, TL, await only_case(world))
    assert [(by, one.day) for by, one in view.state.claimed_dates] == [
        ((await world.person(BO)).id, date(1987, 8, 19))
    ]


@pytest.mark.parametrize("day", ["1799-01-01", "0988-08-17", "9999-12-31"])
async def test_a_year_typed_wrongly_is_his_words_and_no_day_of_the_case(desk: Desk, day: str):
    """It was a fault of ours: what he claimed could not be read again (issue 33)."""
    fields = {"kind": "overstep", "text": "Se kortet.", "claimed": "stamped", "claimed_day": day}
    async with browser(desk.world) as bo:
        await bo.sign_in(BO)
        form = await bo.get(f"/games/{desk.world.game}/object?kind=overstep")
        case = await bo.submit(form, "/object", **fields)
    assert case.status == 200 and "Se kortet." in case.text
    path = f"/cases/{(await case_of(desk.world))[0]}/statements"
    await desk.call(BO, "POST", path, {"text": f"Kortet er stemplet den {day}."})
    await desk.world.assert_whole()


async def test_without_a_claim_the_fork_says_so_and_asks_the_opponent(lite: World) -> None:
    """One press; who is asked claims by mail, and the fork is as in any claim."""
    anna = Player(lite)
    await anna.reply("e4")
    await late(lite)
    _, path = await case_of(lite)
    count = len(lite.letters(ANNA))
    async with browser(lite) as tl:
        await tl.sign_in(TL)
        page = await tl.get(path)
        assert "Ingen har gjort overskridelsen gældende" in page.text and "§ 6.8.7" in page.text
        asked = await tl.submit(page, "/ask", until=page.form("/ask").fields["until"])
        assert "Spørgsmålet er stillet" in asked.text
        await lite.pump()
        said = " ".join(one.said for one in lite.letters(ANNA, count))
        assert "om overskridelsen gøres gældende" in said and "§ 6.8.7" in said
        assert await anna.reply("tid") == "claimed"
        claimed = await tl.get(path)
        assert "Ingen har gjort" not in claimed.text and len(cards_of(claimed)) == 2


async def test_by_mail_both_readings_of_playing_on_stand_beside_each_other(sqlite_url, tmp_path):
    """§ 6.3.3.4 by § 6.8.1: lost for both; § 6.8.7: the late claim lapses, and the game runs."""
    start = date(2026, 9, 1)
    record = Record(EMAIL, start=start).rounds(9).think(0).think(41)
    telling = begun("email")
    async with told_once(sqlite_url, tmp_path, telling, start) as lite, desk_of(lite) as desk:
        await enter(lite, record.events, record.day)
        await _both_readings(lite, desk, record)


async def _both_readings(lite: World, desk: Desk, record: Record) -> None:
    await desk.call(ANNA, "POST", "/cases", {
        "game": lite.game, "kind": "overstep", "text": "Han er over tiden."})  # fmt: skip
    record.add(ev.OverstepWaived(Side.WHITE, record.day)).think(0)
    await enter(lite, record.events[-2:], record.day)
    case, path = await case_of(lite)
    await desk.hear(TL, case)
    async with browser(lite) as tl:
        await tl.sign_in(TL)
        page = await tl.get(path)
        cards = cards_of(page)
        assert "Tabt for begge" in cards[0] and "§ 6.8.1" in cards[0]
        lapsed = next(i for i, one in enumerate(cards) if "§ 6.8.7" in one and one is not cards[0])
        assert "§ 6.8.7" in cards[lapsed] and "Partiet går videre" in cards[lapsed]
        letter = await press(tl, page, lapsed, "/decide", "draft")
        assert "læses sådan, at kravet er bortfaldet" in letter.form("/decide").fields["letter"]
        done = await press(tl, letter, 0, "/decide", "send")
        assert done.status == 200, done.text
    state = (await lite.row()).state()
    assert (state.result, state.overstep) == (None, None)
