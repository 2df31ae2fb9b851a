"""A silent or absent player has one case in his group, whatever the number of his games."""

import re
from collections.abc import AsyncIterator
from datetime import date, timedelta
from html import unescape
from pathlib import Path

import pytest

from kskak.regulation.editions import Result
from server.store.play.games import GameRow
from tests.fakes.cases import only_case, seen_by
from tests.fakes.desk import CARLA, Desk, begin_group, desk_of
from tests.fakes.machinery.browser import browser
from tests.fakes.told_once import told_once
from tests.fakes.world import ANNA, BO, TL, World, world_of
from tests.scenarios.cases.test_silence_case import open_cases

START, TOLD = date(2026, 1, 5), date(2026, 1, 28)
OPEN, CLOSED = ("silence", "opened", False), ("silence", "settled", True)


async def _silent(world: World) -> None:
    rows = await begin_group(world, "email", (ANNA, BO, CARLA))
    async with desk_of(world) as desk:
        emails = {await desk.id_of(email): email for email in (ANNA, BO, CARLA)}
        for row in rows:
            white, black = emails[row.white_id], emails[row.black_id]
            if BO not in (white, black):
                await desk.call(white, "POST", f"/games/{row.id}/resign")
            elif black == BO:
                await desk.call(white, "POST", f"/games/{row.id}/moves", {"text": "e4"})


async def _told(world: World) -> None:
    await _silent(world)
    await world.wait_until(TOLD)


@pytest.fixture
async def desk(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Desk]:
    """Bo has four games, all of them to move in; the others have finished theirs.

    It is the day on which the leader was told of his silence, or with ``BEFORE`` the first day.
    """
    telling = getattr(request, "param", _told)
    async with told_once(database_url, tmp_path, telling, START) as world, desk_of(world) as made:
        yield made


BEFORE = pytest.mark.parametrize("desk", [_silent], indirect=True, ids=[""])


async def games_of_bo(desk: Desk) -> list[GameRow]:
    """His four games, by id."""
    listed = await desk.call(BO, "GET", "/games")
    mine = sorted(game["id"] for game in listed["games"] if game["mine"])
    return [await desk.world.row(game) for game in mine]


async def answer(desk: Desk, row: GameRow, text: str = "") -> None:
    """Bo's move in a game."""
    bo = await desk.id_of(BO)
    text = text or ("d4" if row.white_id == bo else "e5")
    await desk.call(BO, "POST", f"/games/{row.id}/moves", {"text": text})


async def test_all_his_games_come_into_one_case_that_the_last_answer_closes(desk: Desk) -> None:
    world = desk.world
    assert await open_cases(world) == [OPEN]
    seen = await seen_by(world, TL, await only_case(world))
    rows = await games_of_bo(desk)
    assert sorted(game.view.game.id for game in seen.games) == [row.id for row in rows]
    titles = [paper.title for paper in seen.papers]
    for kind in ("@account", "@reminder", "@silence"):
        own = {f"{kind} {row.name}" for row in rows}
        assert own == {title for title in titles if title.startswith(f"{kind} ")}, "told apart"
    for row in rows[:3]:
        await answer(desk, row)
        assert await open_cases(world) == [OPEN], "silent in another game still"
    await answer(desk, rows[3])
    assert await open_cases(world) == [CLOSED]
    await world.assert_whole(also=(CARLA,))


@BEFORE
async def test_a_later_silence_comes_into_the_open_case(desk: Desk) -> None:
    """He answers in one game and is silent there a week later than in the three others."""
    world = desk.world
    bo = await desk.id_of(BO)
    mine = next(row for row in await games_of_bo(desk) if row.black_id == bo)
    await answer(desk, mine)
    await world.wait_until(START + timedelta(days=7))
    other = {await desk.id_of(email): email for email in (ANNA, CARLA)}[mine.white_id]
    await desk.call(other, "POST", f"/games/{mine.id}/moves", {"text": "Nf3"})
    await world.wait_until(TOLD)
    seen = await seen_by(world, TL, await only_case(world))
    assert len(seen.games) == 3
    await world.wait_until(TOLD + timedelta(days=7))
    assert await open_cases(world) == [OPEN]
    seen = await seen_by(world, TL, await only_case(world))
    assert len(seen.games) == 4
    letters = {
        paper.title.partition(" ")[0] for paper in seen.papers if "7163" in (paper.text or "")
    }
    assert {"@reminder", "@silence"} <= letters


async def test_a_game_that_ends_leaves_him_silent_in_the_others(desk: Desk) -> None:
    world = desk.world
    first, *rest = await games_of_bo(desk)
    emails = {await desk.id_of(email): email for email in (ANNA, CARLA)}
    other = emails.get(first.white_id) or emails[first.black_id]
    await desk.call(other, "POST", f"/games/{first.id}/resign")
    assert await open_cases(world) == [OPEN]
    for row in rest:
        await answer(desk, row)
    assert await open_cases(world) == [CLOSED]


async def test_one_ruling_ends_them_all_with_one_letter_to_each(desk: Desk) -> None:
    """§ 6.3.4, § 6.2.8: the table, the drafted reasons, three presses; nothing typed."""
    world = desk.world
    rows = await games_of_bo(desk)
    number = (await seen_by(world, TL, await only_case(world))).case.number
    async with browser(world) as page:
        await page.sign_in(TL)
        assert (await page.get("/desk")).html.count(f"/desk/cases/{number}") == 1
        shown = await page.get(f"/desk/cases/{number}")
        for row in rows:
            assert shown.html.count(f"{row.name}</a> {row.white} – {row.black}") == 1
        assert "Venter siden" in shown.text and "0 af 4 partier er færdige" in shown.text
        letter = await page.submit(shown, "/rule", step="draft")
        assert letter.form("/rule").fields["letter"].count("blev rykket den 19") == 4
        sent = await page.submit(letter, "/rule", step="send", confirm="1")
        assert "Sagen er afgjort, og afgørelsen er sendt til alle" in sent.text
    await world.pump()
    bo = await desk.id_of(BO)
    for row in rows:
        lost = Result.BLACK_WINS if row.white_id == bo else Result.WHITE_WINS
        assert (await world.row(row.id)).result == lost
    for reader in (ANNA, CARLA, BO, TL):
        (told,) = [one.said for one in world.letters(reader) if "Afgørelse" in one.said]
        assert "(0 af 4)" in told and "§ 6.8.3" in told and "§ 6.2.8" in told
        assert "Resultatet er indført" in told
    again = [one for one in await world.outbox("game_over") if one.game_id in {r.id for r in rows}]
    assert again == [], "no second letter about the same to anybody"
    await world.assert_whole(also=(CARLA,))


@BEFORE
async def test_finished_games_outside_the_case_are_ruled_on_with_it(desk: Desk) -> None:
    """§ 6.2.8: a game he has won is lost too; its player is told, and may appeal."""
    world = desk.world
    rows = await games_of_bo(desk)
    emails = {await desk.id_of(email): email for email in (ANNA, CARLA)}
    won = rows[0]
    await desk.call(emails.get(won.white_id) or emails[won.black_id], "POST",
                    f"/games/{won.id}/resign")  # fmt: skip
    await world.wait_until(TOLD)
    case = await only_case(world)
    assert len((await seen_by(world, TL, case)).games) == 3
    await desk.hear(TL, case)
    async with browser(world) as page:
        await page.sign_in(TL)
        shown = await page.get(f"/desk/cases/{(await seen_by(world, TL, case)).case.number}")
        letter = await page.submit(shown, "/rule", step="draft")
        assert f"Parti {won.name}:" in letter.html, "its letter is shown on the page"
    body = {"has_reason": False, "reasons": "Tavshed."}
    done = await desk.call(TL, "POST", f"/cases/{case}/withdrawal", body)
    assert (done["finished"], done["games"], done["loses_all"]) == (1, 4, True)
    bo = await desk.id_of(BO)
    lost = Result.BLACK_WINS if won.white_id == bo else Result.WHITE_WINS
    assert (await world.row(won.id)).result == lost
    assert len((await seen_by(world, TL, case)).games) == 4
    await world.assert_whole(also=(CARLA,))


async def test_his_withdrawal_comes_into_the_case_of_his_silence(desk: Desk) -> None:
    """One player, one case: a valid reason may be found there, and nothing is open after it."""
    world = desk.world
    group = (await world.row()).group_id
    body = {"text": "Han har ringet og stoppet.", "player": await desk.id_of(BO)}
    case = (await desk.call(TL, "POST", f"/groups/{group}/withdrawals", body))["id"]
    await desk.hear(TL, case)
    body = {"has_reason": True, "reasons": "Sygdom."}
    await desk.call(TL, "POST", f"/cases/{case}/withdrawal", body)
    assert await open_cases(world) == [("silence", "decided", False)]
    seen = await seen_by(world, TL, case)
    assert [kind.value for kind in seen.state.kinds] == ["silence", "withdrawal"]
    assert not seen.state.latest.prizes_lost, "he had a reason"


async def test_an_absent_player_has_one_case_and_is_back_with_one_move(database_url, tmp_path):
    """§ 6.8.1: his mail bounces in two games; more than 30 days later both are in one case."""
    async with world_of(database_url, str(tmp_path), start=START) as world:
        rows = await begin_group(world, "email", (ANNA, BO, CARLA))
        async with desk_of(world) as desk:
            bo = await desk.id_of(BO)
            emails = {await desk.id_of(email): email for email in (ANNA, CARLA)}
            world.host.refused.add(BO)
            hers = [row for row in rows if row.black_id == bo]
            for row in hers:
                path = f"/games/{row.id}/moves"
                await desk.call(emails[row.white_id], "POST", path, {"text": "e4"})
            await world.wait_until(date(2026, 2, 10))
            cases = [case for case in await open_cases(world) if case[0] == "offline"]
            assert cases == [("offline", "opened", False)]
            world.host.refused.clear()
            await answer(desk, hers[0])
            cases = [case for case in await open_cases(world) if case[0] == "offline"]
            assert cases == [("offline", "settled", True)]
            await world.wait_until(date(2026, 2, 13))
            cases = [case for case in await open_cases(world) if case[0] == "offline"]
            assert len(cases) == 1, "the same absence has had its case"


@pytest.mark.both_engines
async def test_ticked_silences_are_decided_from_the_desk_with_the_letters_shown_first(desk):
    """§ 6.2.8: two presses; who has answered since is skipped and nothing is decided for him."""
    world = desk.world
    case = await only_case(world)
    async with browser(world) as page:
        await page.sign_in(TL)
        listed = await page.get("/desk")
        assert "ikke rykket" not in listed.text, "he is among the cases, which say what was done"
        shown = await page.post("/desk/silences", listed.form("/silences").fields | {"step": "all"})
        assert "Intet er gjort endnu. 1 række" in shown.text and "Bo Berg" in shown.text
        ticks = dict(re.findall(r'name="(row-[^"]+)" value="([^"]+)"', shown.html))
        told = shown.form("/silences").fields | {k: unescape(v) for k, v in ticks.items()}
        sent = [row.id for row in await world.outbox()]
        first, *_ = await games_of_bo(desk)
        assert first.result is None and await open_cases(world) == [OPEN], "rehearsed only"
        done = await page.post("/desk/silences", told | {"step": "do"})
        assert "1 er gjort" in done.text
        again = await page.post("/desk/silences", told | {"step": "do"})
        assert "0 er gjort" in again.text and "sprunget over" in again.text
    fresh = [row for row in await world.outbox() if row.id not in sent]
    assert f"{len(fresh)} mails." in shown.text, "as many as were rehearsed"
    names = {row.person_id for row in fresh if row.kind == "decision"}
    assert {await desk.id_of(who) for who in (ANNA, BO, CARLA, TL)} == names
    assert all(row.result is not None for row in await games_of_bo(desk))
    assert (await seen_by(world, TL, case)).state.stage.value == "decided"
    await world.assert_whole(also=(CARLA,))
