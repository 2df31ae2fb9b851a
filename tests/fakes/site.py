"""The pages on a real app over a real SQLite file, with a clock that tests turn.

The cast: Anna (White), Bent (Black), their leader Tove, and Søren who plays elsewhere.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiohttp import web

from kskak.game.game_commands import Command, Refusal
from kskak.play.game_state import GameState
from kskak.regulation.editions import Side
from server.settings import Settings
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.play.people import Office
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from server.usecases.groups.group_file import read_group_file
from server.usecases.play.game_requests import (
    Build,
    FieldReader,
    GameRequest,
    GameRequestOutcome,
    TextProblem,
    ask,
)
from server.usecases.starts.start_group import start_group
from server.web.site import setup
from tests.fakes.federation import Scene
from tests.fakes.machinery.built import sqlite_file

GROUP = """
tournament = "K-skak-EMT 2026"
class = "K"
group = "{name}"
regulation = "{regulation}"
start = 2026-09-01
tl = "tove@example.org"
draw = false
{extra}
[[players]]
name = "Anna Andersen"
email = "anna@example.org"
rating = 1900
club = "Nordre Skakklub"
[[players]]
name = "Bent Bæk"
email = "bent@example.org"
rating = 1850
"""
THIRD = """
[[players]]
name = "Søren Sø"
email = "soren@example.org"
"""


@dataclass
class TurnedClock:
    """A clock that stands where the test puts it."""

    at: datetime = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """This instant."""
        return self.at

    def turn(self, days: int) -> None:
        """Some days on."""
        self.at += timedelta(days=days)


@dataclass
class Site(Scene):
    """A started group and an app with its pages."""

    core: Core
    clock: TurnedClock
    app: web.Application

    async def game(self, name: str = "K-26-01/2") -> GameRow:
        """A game by name."""
        async with self.core.store.read() as conn:
            found = await game_rows.by_name(conn, name)
        assert found is not None
        return found

    async def link(self, email: str, path: str = "/") -> str:
        """The path of a fresh sign-in link."""
        person = await self.person(email)
        made = await signin.make_link(self.core, person.id, path)
        return made.removeprefix(self.core.settings.web.site)

    async def ask(
        self, game: GameRow, side: Side, build: Build, message: str = ""
    ) -> GameRequestOutcome:
        """Ask a game past the pages."""
        asked = GameRequest(game.id, game.person_of(side), "web", build, message)
        answer = await ask(self.core, asked)
        assert isinstance(answer, GameRequestOutcome)
        assert answer.refusal is None and answer.problem is None, answer
        return answer

    async def play(
        self, game: GameRow, text: str, message: str = "", days: int = 1
    ) -> GameRequestOutcome:
        """The side to move sends a text some days later."""
        self.clock.turn(days)
        now = await self.game(game.name)
        side = now.state().mover

        def build(state: GameState, by: Side) -> Command | Refusal | TextProblem:
            today = self.clock.now().date()
            return FieldReader(text, state.position.ply, False, today, "da")(state, by)

        return await self.ask(now, side, build, message)


_begun: list[bytes] = []
"""The database with the group, once it was started in this process."""


async def open_site(
    folder: Path, *, public_url: str = "http://127.0.0.1:8080", **web_settings: object
) -> Site:
    """A site on a new database below ``folder``, with the group K-26-01 started."""
    if not _begun:
        _begun.append(await _begin(folder))
    settings = Settings.model_validate({"web": {"public_url": public_url} | web_settings})
    core = await _core(sqlite_file(folder, content=_begun[0]), settings)
    app = web.Application()
    setup(app, core)
    return Site(core, core.clock, app)  # type: ignore[arg-type]


async def _core(url: str, settings: Settings) -> Core:
    store = await Store.open(url)
    return Core(store, Writer(store), TurnedClock(), settings, b"s" * 32)


async def _begin(folder: Path) -> bytes:
    core = await _core(sqlite_file(folder, "begun.db"), Settings.model_validate({}))
    await start_group(core, read_group_file(group_text("K-26-01") + THIRD))
    await core.writer.close()
    await core.store.close()
    return (folder / "begun.db").read_bytes()


def group_text(name: str, regulation: str = "email", extra: str = "") -> str:
    """A group file."""
    return GROUP.format(name=name, regulation=regulation, extra=extra)


async def close_site(site: Site) -> None:
    """Close the writer and the database."""
    await site.core.writer.close()
    await site.core.store.close()


OTHER = "K-26-99"
MEMBERS = ("nina", "nils", "nora")
HELD = (("kaj", Office.KC), *((name, Office.BOARD) for name in MEMBERS))


async def officials(site: Site) -> None:
    """Kaj becomes controller, Nina and two more the Board; Ole leads another group.

    It has the same players as Tove's, so that only its leader differs.
    """
    for name, office in HELD:
        await site.admit(name, office)
    await site.admit("ole")
    await site.begin_group(group_text(OTHER).replace("tove@example.org", "ole@example.org"))
