"""A move passed on tells of the games of its group that have ended since the last one (§ 6.2.1)."""

from tests.fakes.machinery.player import Player
from tests.fakes.seven import address, begin_seven, end
from tests.fakes.world import World

HEAD = {"da": "Nye resultater i gruppen:", "en": "New results in the group:"}


async def test_each_result_is_told_once_with_the_next_move_to_a_reader(world: World) -> None:
    games = await begin_seven(world)
    row = games[frozenset((1, 2))]
    white, black = (Player(world, address(name)) for name in (row.white, row.black))

    async def moves(player: Player, other: Player, said: str) -> str:
        of_it = [one for one in player.letters if row.name in one.subject and one.reply_to]
        assert await player.reply(said, of_it[-1]) == "moved"
        newest = [one for one in other.letters if row.name in one.subject][-1]
        return " ".join(newest.said.split())

    def told(letter: str) -> bool:
        return any(head in letter for head in HEAD.values())

    assert not told(await moves(white, black, "1. e4"))
    world.clock.wait(hours=1)
    first, second = games[frozenset((3, 4))], games[frozenset((5, 6))]
    await end(world, first, "1")
    world.clock.wait(hours=1)
    shown = f"{first.white} – {first.black}: "
    assert shown in await moves(black, white, "1... e5")
    world.clock.wait(hours=1)
    await end(world, second, "=")
    world.clock.wait(hours=1)
    letter = await moves(white, black, "2. Sf3")
    assert shown in letter, "Black's last move from White came before both results"
    assert f"{second.white} – {second.black}: 1/2-1/2" in letter
    world.clock.wait(hours=1)
    assert shown not in await moves(black, white, "2... Sc6"), "once is enough"
    world.clock.wait(hours=1)
    assert not told(await moves(white, black, "3. Lb5"))


async def test_a_result_of_another_group_is_none_of_it(world: World) -> None:
    games = await begin_seven(world)
    other = await begin_seven(world, "K-26-08")
    row, elsewhere = games[frozenset((1, 2))], other[frozenset((3, 4))]
    await end(world, elsewhere, "1")
    world.clock.wait(hours=1)
    player = Player(world, address(row.white))
    mine = [one for one in player.letters if row.name in one.subject and one.reply_to]
    assert await player.reply("1. e4", mine[-1]) == "moved"
    reader = Player(world, address(row.black))
    newest = [one for one in reader.letters if row.name in one.subject][-1]
    assert not any(head in newest.said for head in HEAD.values())
