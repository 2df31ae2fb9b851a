"""The server's time for a page beside rendering its template alone, page by page.

Measured as processor time of the whole process, all its threads, from the request's arrival at
our first handler to its answer: waiting is not counted, nor is the network or the load.
The template is rendered again with the very values that the page gave it. Over real connections
that are kept open, in the demonstration's federation with an archive. Not for throughput.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from statistics import median
from time import process_time
from typing import Any

import jinja2
from aiohttp import ClientSession, DummyCookieJar, web
from aiohttp.typedefs import Middleware

from server.core import open_core
from server.store.archive import reading as rows
from server.store.archive.reading import ArchiveCriteria
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.demo import Demo
from server.web import site
from server.web.frame.context import cookie_name
from server.web.frame.pages import environment
from tools.bench.children import settings_for
from tools.bench.figures import Goal, Report, ratio_figure
from tools.bench.fixture import Ground
from tools.bench.pages_ground import furnish
from tools.bench.spawned import HOST

PAGES_GOAL = Goal(10.0, is_floor=False)
"""Milliseconds of CPU, whatever its template takes."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Page:
    """A main page: its name in the report, its address, and who looks at it."""

    name: str
    path: str
    role: str


def _pages(game: int, person: int, archived: int) -> tuple[Page, ...]:
    """The main pages, each with the demonstration's role that opens it."""
    player, leader, controller = "player", "tournament leader", "K-skak controller"
    return (
        Page("the front page", "/", ""),
        Page("my games", "/", player),
        Page("a game", f"/games/{game}", player),
        Page("a statement", f"/games/{game}/statement", player),
        Page("a group", "/groups/K-demo-01", player),
        Page("a cup's group", "/groups/Pokal-demo-A", player),
        Page("a division", "/league/Hold-demo-1", player),
        Page("the archive", "/archive", player),
        Page("an archived game", f"/archive/{archived}", player),
        Page("a player", f"/players/{person}", player),
        Page("the ratings", "/ratings", player),
        Page("the settings", "/settings", player),
        Page("the leader's desk", "/desk", leader),
        Page("the controller's desk", "/desk/kc", controller),
    )


@dataclass(slots=True)
class Watch:
    """The last page served: the seconds it took, and what its template was given."""

    seconds: float = 0.0
    template: jinja2.Template | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def renders(self) -> type[jinja2.Template]:
        """A template class that records what it is given."""
        watch = self

        class Told(jinja2.Template):
            def render(self, *args: Any, **values: Any) -> str:
                watch.template, watch.values = self, values
                return super().render(*args, **values)

        return Told

    def around(self) -> Middleware:
        """The outermost middleware: it times the answer."""

        @web.middleware
        async def timing(request: web.Request, handler: Handler) -> web.StreamResponse:
            begun = process_time()
            answer = await handler(request)
            self.seconds = process_time() - begun
            return answer

        return timing

    def alone(self) -> float:
        """Seconds to render the last page's template alone."""
        assert self.template is not None
        begun = process_time()
        jinja2.Template.render(self.template, **self.values)
        return process_time() - begun


class PageFailed(RuntimeError):
    """A page of the benchmark did not open."""


@asynccontextmanager
async def served(core: Core, watch: Watch) -> AsyncIterator[str]:
    """Only our pages, served at an address; every answer is timed."""
    app = web.Application()
    site.setup(app, core)
    app.middlewares.insert(0, watch.around())
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, 0).start()
        yield f"http://{HOST}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@contextmanager
def _recorded(watch: Watch) -> Iterator[None]:
    """Every template tells what it is given."""
    environment.cache_clear()
    environment().template_class = watch.renders()
    try:
        yield
    finally:
        environment.cache_clear()


async def measure_pages(ground: Ground, rounds: int, times: int, report: Report) -> None:
    """Each page ``times`` times a round, its template as often; the first round is a warm-up."""
    watch = Watch()
    async with open_core(settings_for(ground.url)) as core:
        made = await furnish(core, ground.path.parent)
        with _recorded(watch):
            async with served(core, watch) as origin:
                for page in await _found(core, made):
                    headers = await headers_of(core, dict(made.roles).get(page.role))
                    found = await _rounds((origin + page.path, headers), watch, rounds, times)
                    figure = ratio_figure(page.name, "ms", "its template alone", PAGES_GOAL, found)
                    own = replace(figure, verdict_name="kskak", verdict=figure.ours)
                    report.figures.append(own)


async def _rounds(
    asked: tuple[str, dict[str, str]], watch: Watch, rounds: int, times: int
) -> list[tuple[float, float]]:
    """``asked``: an address, and the headers with the visitor's cookie. Milliseconds."""
    found: list[tuple[float, float]] = []
    address, headers = asked
    async with ClientSession(headers=headers, cookie_jar=DummyCookieJar()) as client:
        for index in range(rounds + 1):
            ours, alone = [], []
            for _ in range(times):
                async with client.get(address, allow_redirects=False) as answer:
                    await answer.read()
                    if answer.status != 200:
                        raise PageFailed(f"{address}: {answer.status}")
                ours.append(1000 * watch.seconds)
                alone.append(1000 * watch.alone())
            if index:
                found.append((median(ours), median(alone)))
    return found


async def headers_of(core: Core, email: str | None) -> dict[str, str]:
    """The headers of somebody signed in; for None, of a visitor who is not."""
    if email is None:
        return {}
    async with core.store.read() as conn:
        person = await person_rows.by_email(conn, email)
    assert person is not None
    link = await signin.make_link(core, person.id)
    session = await signin.use_link(core, link.rpartition("/")[2])
    assert session is not None
    return {"Cookie": f"{cookie_name(core.settings)}={session.secret}"}


async def _found(core: Core, made: Demo) -> tuple[Page, ...]:
    """The pages, with the player's longest running game and a game from the archive."""
    async with core.store.read() as conn:
        person = await person_rows.by_email(conn, dict(made.roles)["player"])
        assert person is not None
        games = await game_rows.list_person_games(conn, person.id, running=True)
        archived = await rows.portion(conn, ArchiveCriteria(own=False), 0, 1)
    longest = max(games, key=lambda game: game.ply)
    return _pages(longest.id, person.id, archived[0].id)
