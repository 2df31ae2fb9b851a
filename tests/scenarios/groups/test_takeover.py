"""A group is taken over in mid-season: statements, objections, and the games go on."""

import re
from datetime import date, timedelta

import pytest

from kskak.regulation.days import local_day
from kskak.regulation.editions import Side
from server.store.cases import cases as case_rows
from server.store.engine.rows import from_us
from server.usecases.results import publishing
from server.usecases.results.publishing import DutyKind
from server.usecases.rights import rights
from tests.fakes.cases import only_case, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.takeovers import ON, PLAYED, group_file, ledger, move, take_over, three
from tests.fakes.world import ANNA, BO, CAPTAIN, COMMANDS, KC, TL, World


def folder(entries: list[dict[str, object]] = PLAYED, **wished: str) -> dict[str, bytes]:
    return {"group.toml": group_file(**wished), "1.json": ledger(entries)}


async def test_a_group_goes_on_by_mail_and_web_with_the_right_totals(world: World) -> None:
    anna, bo = Player(world), Player(world, BO, layout="outlook", lang="en")
    await take_over(world, folder())
    assert [len(world.letters(who)) for who in (ANNA, BO, TL)] == [1, 1, 0]
    for said in ("Kære Anna Ager", "indsigelse", "16. november 2026", "24 dage"):
        assert said in anna.letters[0].said, said
    assert "objection" in bo.letters[0].said and "16 November 2026" in bo.letters[0].said
    assert await bo.reply("2... Nc6") == "moved"
    assert (await world.total(Side.WHITE), await world.total(Side.BLACK)) == (24, 6 + 29)
    async with browser(world) as web:
        await web.sign_in(ANNA)
        world.clock.go(ON + timedelta(3))
        await web.move("Lb5")
    assert (await world.row()).ply == 5
    assert await world.total(Side.WHITE) == 24 + 2
    rows = await world.events()
    assert [row.channel for row in rows] == ["import"] * 4 + ["mail", "web"]
    await world.assert_whole()


async def test_events_are_kept_under_their_own_days(lite: World) -> None:
    await take_over(lite, folder())
    days = [
        local_day(from_us(row.at_us), "Europe/Copenhagen").isoformat()
        for row in await lite.events()
    ]
    assert days == ["2026-09-05", "2026-09-12", "2026-10-03", ON.isoformat()]


async def test_a_dry_run_changes_nothing_and_shows_the_same(world: World) -> None:
    tried = await take_over(world, three(), dry_run=True)
    async with world.core.store.read() as conn:
        assert await case_rows.everything(conn) == ()
    assert world.letters(ANNA) == [] and await world.outbox() == ()
    done = await take_over(world, three())
    assert [g.account for g in tried.games] == [g.account for g in done.games]
    assert (tried.players, tried.group_id) == (done.players, None)
    assert [is_new for _, is_new in done.players] == [True, True, False]
    assert [len(world.letters(who)) for who in (ANNA, BO, CAPTAIN)] == [2, 2, 2]
    await world.assert_whole()


@pytest.mark.both_engines
async def test_an_objection_by_mail_opens_a_case_and_the_game_goes_on(world: World) -> None:
    anna, bo = Player(world), Player(world, BO, layout="outlook", lang="en")
    await take_over(world, folder())
    said = "indsigelse\n\nMit træk 1. e4 blev sendt den 3/9.\n1. 5254"
    assert await anna.reply(said, anna.letters[0]) == "objection"
    case = await only_case(world)
    view = await seen_by(world, TL, case)
    assert (view.case.kind, view.state.opened.claimant) == (
        "takeover",
        (await world.person(ANNA)).id,
    )
    assert any("3/9" in (paper.text or "") for paper in view.papers)
    for who in (ANNA, BO, TL):
        assert view.case.number in world.letters(who)[-1].subject
    assert await bo.reply("Objection: my leave is missing", bo.letters[0]) == "objection"
    assert await only_case(world) == case
    assert "my leave is missing" in world.letters(ANNA)[-1].said
    assert await bo.reply("2... Nc6", bo.letters[0]) == "moved"
    assert await world.total(Side.WHITE) == 24, "what he wrote of was charged to nobody"
    await world.assert_whole()


async def test_after_14_days_an_objection_is_refused_politely(world: World) -> None:
    anna = Player(world)
    await take_over(world, folder())
    first = anna.letters[0]
    world.clock.go(ON + timedelta(15), 12)
    await world.pump()
    assert await anna.reply("indsigelse\nTallene er forkerte.", first) == "objection_late"
    for said in ("16. november 2026", "§ 6.4.5", TL, "trækket i en mail for sig"):
        assert said in anna.letters[-1].said, said
    told = len(anna.letters)
    assert await anna.reply("indsigelse\nTallene er stadig forkerte.", first) == "objection_late"
    assert len(anna.letters) == told, "one answer a day"
    async with world.core.store.read() as conn:
        kinds = [case.kind for case in await case_rows.everything(conn)]
    assert kinds == ["overstep"], "Bo's time ran out after the takeover, and the server says so"
    await world.assert_whole()


async def test_a_mail_of_the_last_day_counts_by_its_arrival(lite: World) -> None:
    anna = Player(lite)
    await take_over(lite, folder())
    lite.clock.go(ON + timedelta(14), 23, 50)
    raw = anna.write("indsigelse", anna.letters[0])
    await lite.smtp(raw, anna.letters[0].reply_to or "", sender=ANNA)
    lite.clock.go(ON + timedelta(15), 1)
    await lite.pump()
    assert (await lite.newest_mail()).outcome == "objection"


async def test_a_finished_game_may_be_objected_to_without_its_own_address(lite: World) -> None:
    anna = Player(lite)
    await take_over(lite, folder([*PLAYED, {"kind": "resign", "by": "black", "on": "2026-10-20"}]))
    row = await lite.row()
    assert row.result == "1-0" and row.to_move_id is None
    assert local_day(from_us(row.ended_us or 0), row.zone) == date(2026, 10, 20)
    letter = anna.letters[0]
    assert "1-0" in letter.said and COMMANDS in letter.said
    raw = anna.write("indsigelse\nVi blev enige om remis.", letter, To=COMMANDS)
    assert await anna.send(raw, COMMANDS) == "objection"
    bo = Player(lite, BO)
    new = bo.write("indsigelse", letter, To=COMMANDS, In_Reply_To=None, References=None)
    assert await bo.send(new, COMMANDS) == "objection", "the subject names the game"
    assert (await seen_by(lite, TL, await only_case(lite))).case.kind == "takeover"


async def test_web_page_and_desks_show_that_objections_may_come(lite: World) -> None:
    await take_over(lite, folder())
    async with browser(lite) as web:
        await web.sign_in(ANNA)
        page = await web.get(f"/games/{lite.game}")
        assert 'id="takeover"' in page.html and "16. november" in page.html
        form = await web.get(f"/games/{lite.game}/object?kind=takeover")
        sent = await web.submit(form, "/object", kind="takeover", text="Dagene er talt forkert.")
        assert sent.status == 200
    await lite.pump()
    assert (await seen_by(lite, TL, await only_case(lite))).case.kind == "takeover"
    for who in (TL, KC):
        held = await rights(lite.core, await lite.person(who))
        duties = await publishing.duties_for(lite.core, held)
        own = [(d.kind, d.due) for d in duties if d.kind is not DutyKind.BULLETIN]
        assert own == [(DutyKind.TAKEOVER, ON + timedelta(14))]
        async with browser(lite) as web:
            await web.sign_in(who)
            assert "overtagelsen kan komme til og med 16. november" in (await web.get("/desk")).html
    lite.clock.go(ON + timedelta(15), 12)
    held = await rights(lite.core, await lite.person(TL))
    assert await publishing.duties_for(lite.core, held) == ()
    await lite.pump()
    async with browser(lite) as web:
        await web.sign_in(ANNA)
        assert 'id="takeover"' not in (await web.get(f"/games/{lite.game}")).html
        form = await web.get(f"/games/{lite.game}/object?kind=takeover")
        late = await web.submit(form, "/object", kind="takeover", text="Dagene er forkerte.")
        said = re.sub(r"</?a\b[^>]*>", "", late.html)
        assert late.status == 422 and "16. november 2026 (§ 6.4.5)" in said
        assert "Dagene er forkerte." in late.html, "what he wrote is not lost"


async def test_a_mail_from_another_address_objects_when_its_owner_says_so(lite: World) -> None:
    anna = Player(lite)
    await take_over(lite, folder())
    raw = anna.write("indsigelse\nForkert.", From_="Anna <anna@privat.example>")
    assert await anna.send(raw, anna.newest.reply_to or "") == "confirm"
    async with browser(lite) as web:
        asked = await web.get(anna.letters[-1].link("/c/"))
        assert (await web.submit(asked, "", reply="yes")).status == 200
    assert (await seen_by(lite, TL, await only_case(lite))).case.kind == "takeover"


async def test_the_word_means_nothing_in_a_game_begun_here(lite: World) -> None:
    await lite.begin()
    anna = Player(lite)
    assert await anna.reply("indsigelse") == "not_understood"
    async with lite.core.store.read() as conn:
        assert await case_rows.everything(conn) == ()


async def test_time_that_was_up_before_is_neither_warned_of_nor_claimed_by_the_server(lite):
    """A move that is late by the record is the opponent's to claim, and he may."""
    await take_over(lite, folder([move("white", "5254", "2026-09-05")], claims="server"))
    anna = Player(lite)
    assert "indsigelse" in anna.letters[0].said and len(anna.letters) == 1
    assert await lite.outbox("overstep") == ()
    assert await anna.reply("tid", anna.letters[0]) == "claimed"
