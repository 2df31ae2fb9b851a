"""A mail about a position before a game was set back plays nothing in the one after (FIDE 7.5)."""

from kskak.cases.decisions import GameOrder
from kskak.game import events as ev
from server.usecases.cases import deeds
from server.usecases.cases.deeds import Objection
from server.usecases.cases.order import Order
from tests.fakes.cases import decided, only_case
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, TL, World


async def _set_back(world: World, ply: int) -> None:
    objection = Objection(world.game, deeds.CaseKind.OTHER, "Forkert træk.")
    await deeds.object_to(world.core, await world.person(ANNA), objection)
    effects = (ev.GameResumed(world.clock.today), ev.GameSetBack(ply))
    games = tuple(GameOrder(world.game, one) for one in effects)
    order = Order(paragraphs=("6.4.1",), reasons="Trækket var et andet.", games=games)
    await decided(world, TL, await only_case(world), order)


async def _plays_anew(anna: Player) -> None:
    """The letter that confirmed 1. e4 is about a position that is gone; its answer has the way."""
    assert await anna.reply("d4") == "spent"
    assert await anna.reply("d4") == "moved"


async def test_an_answer_to_a_letter_from_before_is_told_and_not_played(
    world: World, anna: Player, bo: Player
) -> None:
    """Bo's letter was about 1. e4; set back, and 1. d4 played, the ply is the same."""
    await anna.reply("e4")
    stale = bo.newest
    await _set_back(world, 0)
    assert (await world.row()).ply == 0
    await _plays_anew(anna)
    fresh = bo.newest
    assert await bo.reply("1... d5", stale) == "spent"
    assert (await world.row()).ply == 1
    assert "allerede" in bo.letters[-1].said or bo.letters[-1].reply_to
    assert await bo.reply("1... d5", fresh) == "moved"
    assert await anna.reply("2. c4") == "moved", "and so it goes on"


async def test_a_key_without_its_letter_is_told_so_too(
    world: World, anna: Player, bo: Player
) -> None:
    await anna.reply("e4")
    stale = bo.newest
    await _set_back(world, 0)
    await _plays_anew(anna)
    bare = bo.write("1... d5", stale, In_Reply_To=None, References=None)
    local, _, domain = (stale.reply_to or "").partition("@")
    assert await bo.send(bare, f"{local.partition('.')[0]}@{domain}") == "spent"
    assert (await world.row()).ply == 1
