"""A series without its 0: its first move is played, and its sender asked about the rest (§ 6.2.5).

His «ja» adds it to the move as long as that is unanswered (reading of § 6.2.5, § 6.8.4).
"""

import pytest

from kskak.game.game_events import SeriesAdded
from kskak.ledger.ledger_files import ledger_json
from kskak.play.evolve_game import replay
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World

E5_SF3 = ("e7e5", "g1f3")
OF_WHITE = (
    ("1. e4 e5 2. Sf3", E5_SF3),
    ("1. e4. Hvis 1... e5 så 2. Sf3", E5_SF3),
    ("1. e4\nHvis 1... e5 så 2. Sf3", E5_SF3),
    ("Hej Bo\n\n1. 5254 5755 2. 7163\n\nMvh Anna", E5_SF3),
    ("5254 5755 7163", E5_SF3),
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5", ("e7e5", "g1f3", "b8c6", "f1b5")),
    ("e4, og hvis du spiller e5, spiller jeg Sf3", E5_SF3),
    ("1. e4 (e5 2. Sf3)", E5_SF3),
    ("1. e4 e5 2. Sf3 (trækserie)", E5_SF3),
    ("1. e4 e5 2. Sf3 Sc6", E5_SF3),
)
OF_BLACK = (
    ("1... e5 2. Nf3 Nc6", ("g1f3", "b8c6")),
    ("1. e4 e5 2. Nf3 Nc6", ("g1f3", "b8c6")),
    ("1... e5, and if 2. Nf3 then Nc6", ("g1f3", "b8c6")),
    ("e5. If Nf3, I play Nc6", ("g1f3", "b8c6")),
    ("e5 om 2. Sf3 så Sc6", ("g1f3", "b8c6")),
    ("1... 5755 2. 7163 2836", ("g1f3", "b8c6")),
)


def _bo(world: World) -> Player:
    return Player(world, BO, layout="outlook", lang="en")


async def _added(world: World) -> list[tuple[str, ...]]:
    events = [row.event for row in await world.events()]
    added = [one.proposes for one in events if isinstance(one, SeriesAdded)]
    return [tuple(move.uci() for move in moves) for moves in added]


async def _proposal(world: World) -> tuple[str, ...]:
    return tuple(move.uci() for move in (await world.row()).state().proposal)


@pytest.mark.parametrize(("said", "series"), OF_WHITE)
async def test_the_first_move_is_played_and_a_yes_adds_the_rest(lite, said, series):
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply(said) == "moved"
    assert ((await lite.row()).ply, await _proposal(lite)) == (1, ())
    asked = anna.letters[-1]
    assert "trækserie" in asked.subject and "Skal det være en trækserie?" in asked.said
    assert "blev ikke forstået" not in asked.said + anna.letters[-2].said
    relays = len(bo.letters)
    assert await anna.reply("ja", asked) == "series_added"
    assert await _added(lite) == [series] and await _proposal(lite) == series
    (told,) = bo.letters[relays:]
    assert "has added a series" in told.said and "proposes the series" in told.said
    assert "er føjet til" in anna.letters[-1].said
    await lite.assert_whole()


@pytest.mark.parametrize(("said", "series"), OF_BLACK)
async def test_the_same_for_black_in_other_languages(lite, said, series):
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("1. e4") == "moved"
    assert await bo.reply(said) == "moved"
    assert (await lite.row()).ply == 2
    assert await bo.reply("yes", bo.letters[-1]) == "series_added"
    assert await _proposal(lite) == series


async def test_the_added_series_is_followed_as_any_and_the_ledger_is_whole(lite: World) -> None:
    """In the middle of a game: the bound answer follows at once, and an export has it all."""
    anna, bo = Player(lite), _bo(lite)
    for player, said in ((anna, "e4"), (bo, "e5"), (anna, "Sf3"), (bo, "Nc6")):
        assert await player.reply(said) == "moved"
    assert await anna.reply("3. Lc4 Lc5 4. c3 Sf6 5. d3") == "moved"
    assert await anna.reply("ja", anna.letters[-1]) == "series_added"
    assert await bo.reply("3... Bc5 4. c3 Nf6") == "moved"
    assert (await lite.row()).ply == 9, "5. d3 was bound"
    events = tuple(row.event for row in await lite.events())
    row = await lite.row()
    assert replay(row.terms, events) == row.state()
    written = ledger_json(row.terms, events)["entries"]
    assert isinstance(written, list)
    assert [len(one.get("proposes", ())) for one in written] == [0, 0, 0, 0, 4, 0]
    await lite.assert_whole()


async def test_by_the_button_and_twice_is_once(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("1. e4 e5 2. Sf3") == "moved"
    asked = anna.letters[-1]
    async with browser(lite) as one:
        form = await one.get(asked.link("/c/"))
        assert "Skal det være en trækserie?" in form.text and "5755 2. 7163" in form.text
        await one.submit(form, "", answer="yes")
        await lite.pump()
        assert "Linket virker ikke mere" in (await one.get(asked.link("/c/"))).text
    await anna.reply("ja", asked)
    assert await _added(lite) == [E5_SF3]


async def test_a_no_and_silence_leave_the_move_alone(lite: World) -> None:
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("1. e4 e5 2. Sf3") == "moved"
    assert await anna.reply("nej", anna.letters[-1]) == "answered_no"
    assert await bo.reply("e5") == "moved"
    assert ((await lite.row()).ply, await _added(lite)) == (2, [])


async def test_too_late_is_told_kindly_and_costs_nothing(lite: World) -> None:
    anna, bo = Player(lite), _bo(lite)
    assert await anna.reply("1. e4 e5 2. Sf3") == "moved"
    asked = anna.letters[-1]
    assert await bo.reply("c5") == "moved"
    assert await anna.reply("ja", asked) == "series_late"
    said = anna.letters[-1].said
    assert "din modstander har svaret" in said and (await lite.row()).ply == 2
    assert await _added(lite) == []


@pytest.mark.parametrize("said", ["Hvis 1... e5 så 2. Sf3", "1. e4 e5 2. Sf3", "0e5 2. Sf3"])
async def test_a_series_that_comes_after_its_move_is_asked_about(lite: World, said: str) -> None:
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    assert await anna.reply(said, anna.newest) == "series_asked"
    assert await _proposal(lite) == ()
    assert await anna.reply("ja", anna.letters[-1]) == "series_added"
    assert await _proposal(lite) == E5_SF3


@rows("said", "1. e4 e5 2. Ke3", "1. e4 c4", "1. e4 eller d4", "Hvis Sf3 så e5", "e4 d4 c4")
async def test_what_is_no_series_is_not_asked_about(lite: World, said: str) -> None:
    anna = Player(lite)
    await anna.reply(said)
    assert all("trækserie?" not in letter.subject for letter in anna.letters)
