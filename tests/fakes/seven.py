"""A group of seven in a world, and games that end as a test wishes."""

from server.store.play.games import GameRow
from tests.fakes.world import World

SEVEN = ("Anna Ager", "Bo Berg", "Carla Dahl", "Dan Ege", "Eva Friis", "Finn Gade", "Gry Holm")
HEAD = """
tournament = "K-skak-EMT 2026"
class = "{group_class}"
group = "{name}"
regulation = "email"
start = {start}
tl = "tl@example.org"
tl_name = "T. Leder"
draw = {draw}
"""
PLAYER = '[[players]]\nname = "{name}"\nemail = "{email}"\nclub = "Nordre"\nrating = 1900\n'
ADDRESSES = {"Anna Ager": "anna@example.dk", "Bo Berg": "bo@example.net"}
POINTS = "121 131 141 151 161 17= 230 24= 25= 26= 27= 34= 35= 36= 370 450 460 47= 560 57= 670"
"""As in the tests of § 6.4.5.1: White's number, Black's, his result; reversed where the colours
are. 1 has 5½, 7 has 4, 6 has 3, 3 and 5 have 2½, 2 has 2, 4 has 1½."""


def address(name: str) -> str:
    """A player's address."""
    return ADDRESSES.get(name, f"{name.split()[0].lower()}@example.com")


async def begin_seven(
    world: World, name: str = "K-26-07", group_class: str = "K", *, draw: bool = False
) -> dict[frozenset[int], GameRow]:
    """A group that starts today; its games by the numbers that meet. Numbers as in ``SEVEN``."""
    start = world.clock.today.isoformat()
    text = HEAD.format(
        group_class=group_class, name=name, start=start, draw=str(draw).lower()
    ) + "".join(PLAYER.format(name=one, email=address(one)) for one in SEVEN)
    rows = await world.begin_group(text)
    await world.pump()
    return {frozenset((number(row.white), number(row.black))): row for row in rows}


def number(name: str) -> int:
    """A player's number where none was drawn."""
    return SEVEN.index(name) + 1


async def end(world: World, row: GameRow, result: str) -> None:
    """A game ends today: ``1`` by the first of ``SEVEN``'s numbers, ``0`` by the other, or ``=``.

    The first is the lower number of the two.
    """
    is_turned = number(row.white) > number(row.black)
    for_white = {"1": "0", "0": "1"}.get(result, result) if is_turned else result
    await world.end_game(row, for_white, await world.person("tl@example.org"))


async def play_out(
    world: World, games: dict[frozenset[int], GameRow], points: str = POINTS
) -> None:
    """The games named in ``points`` end today."""
    for one in points.split():
        await end(world, games[frozenset((int(one[0]), int(one[1])))], one[2])
    await world.pump()
