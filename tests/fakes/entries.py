"""A federation for the tests of entries: officials, lists, players with what opens a class.

Tove leads the lists of M and K, Kaj is the controller, Ole leads another list; players are
numbered and have 3 points in K behind them, so that K is theirs by § 6.5.3.2 a.
"""

from dataclasses import dataclass, field
from datetime import date

from server.settings import settings_from
from server.store.engine.store import Store
from server.store.entries import EntryRow, ListRow, PastResult
from server.store.play.people import Office, PersonRow
from server.usecases.context import Core
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, add_result, enter
from server.usecases.games.writer import Writer
from tests.fakes.federation import Scene
from tests.fakes.machinery.clock import FakeClock

START = date(2026, 11, 2)
PAST = date(2025, 11, 2)
IN_K = PastResult("emt", "K", "K-24-01", PAST, 6, 6, "K-skakbladet 2025/4, s. 7")
LISTS = (
    ("K", "emt K", "K-26", "tove"),
    ("M", "emt M", "M-26", "tove"),
    ("DM", "emt DM", "DM-26", "tove"),
    ("Å", "emt Å", "Å-26", "ole"),
    ("cup", "cup preliminary", "P-26", "tove"),
    ("semi", "cup semi", "PS-26", "tove"),
    ("theme", "theme theme", "T-26", "tove"),
)


@dataclass
class Federation(Scene):
    """People by first name and lists by class, on a real database."""

    core: Core
    clock: FakeClock
    people: dict[str, PersonRow] = field(default_factory=dict)
    lists: dict[str, ListRow] = field(default_factory=dict)

    async def admit(self, key: str, office: Office | None = None, **more: object) -> PersonRow:
        """Somebody new; a member born in 1950 unless told otherwise."""
        facts: dict[str, object] = {"member": "4711", "birth": "1950-02-28", "club": "Klub"}
        self.people[key] = await super().admit(key, office, **(facts | more))
        return self.people[key]

    async def player(
        self, name: str, result: PastResult | None = IN_K, **more: object
    ) -> PersonRow:
        """A player with one past result."""
        person = await self.admit(name, **more)
        if result is not None:
            await self.result(name, result)
        return person

    async def result(self, name: str, result: PastResult) -> int:
        """Another past result, entered by the leader."""
        done = await add_result(self.core, self.people["tove"], self.people[name].id, result)
        assert isinstance(done, int), done
        return done

    async def enter(self, name: str, wished: str = "K", **more: object) -> EntryRow:
        """A player enters himself; it must be taken."""
        made = await self.ask(name, wished, **more)
        assert isinstance(made, EntryRow), made
        return made

    async def ask(self, name: str, wished: str = "K", **more: object) -> object:
        """A player enters himself: an entry or a refusal."""
        stated = more.pop("stated", EntryStatement())
        asked = EntryRequest(self.lists[wished].id, stated, **more)
        return await enter(self.core, self.people[name], asked)


async def federation(store: Store, **settings: object) -> Federation:
    """Officials and open lists; no players."""
    clock = FakeClock(START)
    core = Core(store, Writer(store), clock, settings_from(settings), b"s" * 32)
    made = Federation(core, clock)
    for name, office in (("kaj", Office.KC), ("tove", None), ("ole", None)):
        await made.admit(name, office)
    for name, kind, prefix, leader in LISTS:
        made.lists[name] = await made.open_list(
            made.people["kaj"], f"Liste {name}", kind, prefix, leader, tournament="K-skak-EMT 2026"
        )
    return made
