"""The first page for a stranger: a game, results and tournaments, where there are any.

How it looks is kept in tests/browser/pictures.
"""

import re
from datetime import date, timedelta

import chess
import pytest

from kskak.game.game_commands import Resign
from kskak.office.year import TournamentKind, TournamentStep, plan_of_year
from kskak.regulation.editions import Side
from server.store import desk_lists as desk_rows
from server.store import entries as entry_rows
from server.store.books import DeedRow
from server.store.desk_lists import BulletinRow
from server.usecases.archive import archive_views
from server.web.board.board_view import small_board
from server.web.play.my_games import list_coming_steps
from tests.fakes.site import Site
from tests.server.web.conftest import Browser

OPENING = ("e4", "c6", "d4", "d5", "Sc3", "dxe4", "Sxe4", "Lf5", "Sg3", "Lg6")


async def _finish(site: Site, name: str, moves: tuple[str, ...] = OPENING) -> int:
    """A game of some moves that White resigns; the archive has it."""
    game = await site.game(name)
    for move in moves:
        await site.play(game, move, days=0)
    await site.ask(game, Side.WHITE, lambda _state, by: Resign(by))
    await archive_views.everything(site.core, lambda _, __: None)
    return game.id


async def test_before_a_game_is_over_there_are_words_and_the_tournaments_that_run(browsers, site):
    await site.play(await site.game(), "e4")
    status, text = await (await browsers.stranger()).get("/")
    assert status == 200
    assert "Skak med god tid" in text and "Log ind" in text
    assert "Senest sluttet" not in text and "Nye resultater" not in text
    assert "small-board" not in text and "cm-chessboard-sprite" not in text
    named = 'href="/groups/K-26-01">Kvalifikationsklassen, K-skak-EMT 2026</a>'
    assert f'{named} <span class="why">K-26-01, mail<' in text


async def test_the_newest_game_is_shown_with_its_end_opening_result_and_replay(browsers, site):
    older = await _finish(site, "K-26-01/2")
    site.clock.turn(1)
    newest = await _finish(site, "K-26-01/3")
    site.clock.turn(1)
    short = await _finish(site, "K-26-01/1", ("e4", "e5"))
    _, text = await (await browsers.stranger()).get("/")
    shown, _, listed = text.partition('class="cover-results"')
    assert "B18 Caro-Kann" in shown and "0–1" in shown
    assert f'href="/games/{newest}">Spil partiet igennem (5 træk)' in shown
    board = chess.Board()
    for move in ("e4", "c6", "d4", "d5", "Nc3", "dxe4", "Nxe4", "Bf5", "Ng3", "Bg6"):
        board.push_san(move)
    assert str(small_board(board, Side.WHITE, chess.Move.from_uci("f5g6"))) in shown
    assert listed.index(f"/games/{short}") < listed.index(f"/games/{older}")
    assert f"/games/{newest}" not in listed, "it is not told twice"
    assert "Turneringer i gang" not in text, "no game of the group runs any more"
    stranger = await browsers.stranger()
    _, text = await stranger.get("/?ply=3")
    board = chess.Board()
    for move in ("e4", "c6", "d4"):
        board.push_san(move)
    assert str(small_board(board, Side.WHITE, chess.Move.from_uci("d2d4"))) in text
    assert 'href="/?ply=4#board"' in text, "every step is a link"
    assert (await stranger.get(f"/games/{newest}"))[0] == 200


async def test_the_federations_news_are_open_lists_the_weeks_dates_and_the_newest_bulletin(
    site: Site, stranger: Browser
):
    _, bare = await stranger.get("/")
    assert "Åbne klasser" not in bare and "Ugens datoer" not in bare
    me = (await site.person("anna@example.org")).id
    async with site.core.store.write() as conn:
        await entry_rows.add_list(
            conn, name="Mesterklassen 2026", event="emt", wish="M", tournament="EMT",
            regulation="email", prefix="M", leader_id=me, is_open=True, opened_by=me,
            created_us=0, how_to_pay="",
        )  # fmt: skip
        bulletin = BulletinRow(7, "2026-06-01", "2026-08-31", "", "{}", me, 0, *[None] * 4)
        assert await desk_rows.put_draft(conn, bulletin)
    _, text = await stranger.get("/")
    assert "Mesterklassen 2026" in text and 'href="/enter"' in text
    assert "/bulletins/7" not in text, "a draft is not public"
    async with site.core.store.write() as conn:
        await desk_rows.issue_draft(conn, 7, me, 1, "2026-09-30", "{}")
    _, text = await stranger.get("/")
    assert 'href="/bulletins/7"' in text


def test_the_weeks_dates_are_from_today_until_the_seventh_day():
    """§ 6.7.1.2: the league's start once it is planned; not while it is only proposed, or off."""
    start = next(
        one
        for one in plan_of_year(2027)
        if one.form is TournamentKind.LEAGUE and one.step is TournamentStep.START
    )
    assert start.day is not None

    def told(kind: str, days_before: int) -> list[date | None]:
        day = None if kind == "called_off" else start.day.isoformat()
        deed = DeedRow("league", 2027, "start", kind, day, "Aftalt", 1, 0, 1, "Kaj")
        found = list_coming_steps(
            (deed,) if kind else (), (), start.day - timedelta(days=days_before)
        )
        return [one.day for one in found if one.step is TournamentStep.START]

    assert [len(told("moved", days)) for days in (-1, 0, 6, 7)] == [0, 1, 1, 0]
    assert told("", 0) == told("called_off", 0) == []


async def test_what_runs_and_how_fast_is_open_to_everybody(browsers, site):
    # Tournaments lead everybody to what is open and what runs.
    status, text = await (await browsers.stranger()).get("/tournaments")
    assert status == 200
    for address in ("/groups/K-26-01", "/league", "/cup", "/titles", "/bulletins", "/archive"):
        assert f'href="{address}"' in text, address
    # The pace of both players stands on their game.
    game = await site.game()
    anna, path = await browsers.of("anna"), f"/games/{game.id}"
    assert "dage pr. træk" not in (await anna.get(path))[1]
    for text in ("e4", "e5", "Sf3", "Sc6"):
        site.clock.turn(3)
        await site.play(await site.game(), text)
    assert re.findall(r"<li>([^<]+): ([\d,]+) dage? pr. træk", (await anna.get(path))[1]) != []


@pytest.mark.parametrize("lang", ["da", "en", "sv"])
async def test_a_game_says_its_terms_in_five_lines_each_with_its_paragraph(browsers, site, lang):
    anna = await browsers.of("anna")
    await anna.post("/settings/language", {"lang": lang})
    _, text = await anna.get(f"/games/{(await site.game()).id}")
    terms = re.search(r'(?s)<details class="regime">(.*?)</details>', text)
    assert terms is not None
    lines = [re.sub("<.*?>", "", line) for line in re.findall(r"<li>(.*?)</li>", terms[1])]
    assert [re.search(r"§ (6[.\d]+)", line)[1].rstrip(".") for line in lines] == [
        "6.8.6", "6.8.6", "6.8.8", "6.8.3", "6.2.5",
    ]  # fmt: skip
    assert "40" in lines[0] and "35" in lines[2] and "14" in lines[3]
