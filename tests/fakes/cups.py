"""A federation for the tests of cups: a leader, a controller, players with ratings, two lists.

Players are called S01, S02 … with K-ratings falling from 2190 by 10; of two the lower number wins
unless a test says otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from server.store import groups as group_rows
from server.store.entries import EntryRow, ListRow
from server.store.play.people import Office, PersonRow
from server.usecases.context import Core, today_of
from server.usecases.cup.cup_rounds import (
    CupRequest,
    CupRoundRequest,
    DrawnRound,
    draw_round,
    open_cup,
)
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from tests.fakes.federation import Scene

LEADER, CONTROLLER = "tl@example.org", "kc@example.org"
Result = Callable[[str, str], str]


def name_of(number: int) -> str:
    """A player's name."""
    return f"S{number:02}"


def stronger(one: str, other: str) -> str:
    """``1``: the first named wins, by the lower number; ``0``: the other."""
    return "1" if one < other else "0"


def cycle(three: Sequence[str]) -> Result:
    """As ``stronger``, but each of three beats the next and the last the first: level."""
    follows = {(three[index], three[(index + 1) % 3]) for index in range(3)}

    def result(one: str, other: str) -> str:
        if one in three and other in three:
            return "1" if (one, other) in follows else "0"
        return stronger(one, other)

    return result


@dataclass
class CupScene(Scene):
    """People by name, the lists, the cup's id."""

    core: Core
    people: dict[str, PersonRow] = field(default_factory=dict)
    lists: dict[str, ListRow] = field(default_factory=dict)
    cup: int = 0

    async def admit(self, name: str, office: Office | None = None, **more: object) -> PersonRow:
        """Somebody new, a member; a known address is the person it is."""
        facts: dict[str, object] = {"member": "4711", "birth": "1950-02-28", "name": name}
        self.people[name] = await super().admit(name, office, **(facts | more))
        return self.people[name]

    async def players(self, count: int, first: int = 1) -> list[str]:
        """So many players from a number on."""
        names = [name_of(number) for number in range(first, first + count)]
        for number, name in enumerate(names, first):
            await self.admit(name, k_rating=2200 - 10 * number)
        return names

    async def enter(
        self, names: Sequence[str], wish: str = "preliminary", by: str = "leader"
    ) -> None:
        """Valid entries with the fee, made by an official."""
        for name in names:
            asked = EntryRequest(
                self.lists[wish].id, EntryStatement(), self.people[name].id,
                fee=today_of(self.core),
                is_second=True,
            )  # fmt: skip
            made = await enter(self.core, self.people[by], asked)
            assert isinstance(made, EntryRow) and made.state == "valid", made

    async def opened(self, edition: int = 2026, *, semi: bool = True) -> int:
        """The cup of a year on the two lists."""
        on = self.lists["semi"].id if semi else None
        asked = CupRequest(edition, self.lists["preliminary"].id, on)
        made = await open_cup(self.core, self.people["kc"], asked)
        assert not isinstance(made, str), made
        self.cup = made.id
        return made.id

    async def draw(self, choice: CupRoundRequest, by: str = "leader") -> DrawnRound:
        """A round that must be drawn."""
        made = await draw_round(self.core, self.people[by], self.cup, choice)
        assert isinstance(made, DrawnRound), made
        return made

    async def members(self, name: str) -> list[str]:
        """A group's players by number."""
        async with self.core.store.read() as conn:
            seats = await group_rows.seats_of(conn, (await self.group(name)).id)
        return [seat.name for seat in seats]

    async def play_out(self, name: str, result: Result = stronger) -> None:
        """Every game of a group that is still played ends today."""
        for row in await self.group_games(name):
            if row.result is None:
                await self.end_game(row, result(row.white, row.black), self.people["leader"])


async def cup_scene(core: Core) -> CupScene:
    """Officials, the list of the first round and of the semi-final; no players, no cup."""
    made = CupScene(core)
    await made.admit("leader", email=LEADER)
    await made.admit("kc", Office.KC, email=CONTROLLER)
    for wish, prefix in (("preliminary", "P-26"), ("semi", "PS-26")):
        made.lists[wish] = await made.open_list(
            made.people["kc"], f"Pokal {wish}", f"cup {wish}", prefix, LEADER,
            tournament="Pokalturneringen 2026",
        )  # fmt: skip
    return made
