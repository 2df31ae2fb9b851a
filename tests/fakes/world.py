"""The whole server in virtual time: real SMTP and HTTP on free ports, jobs done by hand.

The cast is fixed: Anna has White and mails, Bo has Black and uses the web unless a story says
otherwise; a leader, the controller, a captain, a stranger whom nobody has registered.
"""

import json
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import aiosmtplib
from sqlalchemy import ColumnElement, bindparam, exists, func, or_, select, update

from kskak.ledger.ledger_files import clock_json
from kskak.regulation.editions import Side
from kskak.statement.account import account
from server.app import RunningServer, run_server
from server.jobs.daily_duties import DailyJob, DeadlineJob
from server.jobs.mail_jobs import InboxJob, OutboxJob
from server.settings import Settings, settings_from
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import InboxRow
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play.games import EventRow, GameRow
from server.store.play.people import Role
from server.store.tables.base import games, inbox, outbox, people
from server.store.tables.people import delayed_moves
from server.usecases.context import Core
from server.usecases.desks import database_care
from tests.fakes.federation import Scene
from tests.fakes.machinery.clock import FakeClock
from tests.fakes.machinery.forks import fork
from tests.fakes.machinery.smarthost import Letter, Smarthost, smarthost

DOMAIN = "skak.example"
COMMANDS = f"parti@{DOMAIN}"
ANNA, BO = "anna@example.dk", "bo@example.net"
TL, KC, CAPTAIN = "tl@example.org", "kc@example.org", "captain@example.org"
STRANGER = "fremmed@example.com"
NAMES = {ANNA: "Anna Ager", BO: "Bo Berg", TL: "T. Leder", KC: "K. Controller"}
START = date(2026, 11, 2)
GROUP = """
tournament = "{tournament}"
class = "K"
group = "{name}"
regulation = "{regulation}"
post_days = {post_days}
start = {start}
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
zone = "{zone}"
fen = "{fen}"
claims = "{claims}"
[[players]]
name = "Anna Ager"
email = "anna@example.dk"
lang = "da"
[[players]]
name = "Bo Berg"
email = "bo@example.net"
lang = "{bo_lang}"
"""


_MAIL_WAITS = or_(
    exists().where(inbox.c.state == "new", inbox.c.due_us <= bindparam("now_us")),
    exists().where(outbox.c.state == "queued", outbox.c.due_us <= bindparam("now_us")),
)
"""Whether a mail or a letter is due."""
_ANYTHING_WAITS = or_(
    _MAIL_WAITS,
    *(exists().where(each.c.wake_us <= bindparam("now_us")) for each in (games, delayed_moves)),
)
"""The same, or a game is to be looked at, or a delayed move to be sent."""
_NEWEST_MAIL = select(func.max(inbox.c.id))


@dataclass
class World(Scene):
    """A running server, its clock, its smarthost, and one game between Anna and Bo."""

    server: RunningServer
    clock: FakeClock
    host: Smarthost
    game: int = 0
    jobs: tuple[object, ...] = ()
    mails: int = 0
    outcomes: dict[str, str] = field(default_factory=dict)

    @property
    def core(self) -> Core:
        return self.server.core

    async def begin(self, name: str = "K-26-01", **wished: object) -> int:
        """Start a group of Anna and Bo today; its one game's id, which becomes ``game``.

        ``wished`` are fields of the group's file that are to be other than usual.
        """
        await self.start(name, **wished)
        await self.pump()
        return self.game

    async def start(self, name: str, **wished: object) -> None:
        """The same, and none of its letters is sent yet."""
        facts: dict[str, object] = {"start": self.clock.today.isoformat(), "bo_lang": "en"}
        facts |= {"tournament": "K-skak-EMT 2026", "claims": "player"}
        facts |= {"regulation": "email", "post_days": 1, "fen": "", "zone": self.clock.zone.key}
        text = GROUP.format(name=name, **(facts | wished))
        (row,) = await self.begin_group(text)
        self.game = row.id

    async def pump(self) -> None:
        """Do all that is due now: mail in, due dates, mail out, until nothing is left."""
        for _ in range(50):
            for job in self.jobs:
                while await job.work():  # type: ignore[attr-defined]
                    pass  # as the server's poller does
            if not await self._is(_MAIL_WAITS):
                return
        raise AssertionError("the queues do not become empty: something feeds itself")

    async def wait_until(self, day: date) -> None:
        """To the same hour of a day, with all that falls due on the way done on its own day.

        A day on which nothing falls due passes; its daily duties are done with the next ones.
        """
        while self.clock.today < day:
            self.clock.wait(days=1)
            if self.clock.today == day or await self.is_due():
                await self.pump()

    async def is_due(self) -> bool:
        """Whether a mail, a letter, a game or a delayed move waits for its work."""
        return await self._is(_ANYTHING_WAITS)

    async def _is(self, so: ColumnElement[bool]) -> bool:
        now = {"now_us": self.core.now_us}
        return await self.core.store.look(
            lambda conn: bool(conn.execute(select(so), now).scalar_one())
        )

    async def smtp(self, raw: bytes, *recipients: str, sender: str = ANNA) -> tuple[int, str]:
        """Hand a raw mail over by SMTP; the code and text that DATA (or RCPT) answered."""
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=self.server.smtp_port, timeout=20)
        await client.connect()
        try:
            _, said = await client.sendmail(sender, list(recipients), raw)
            return 250, said
        except aiosmtplib.SMTPRecipientsRefused as error:
            return error.recipients[0].code, error.recipients[0].message
        except aiosmtplib.SMTPResponseException as error:
            return error.code, error.message
        finally:
            client.close()

    async def row(self, game: int | None = None) -> GameRow:
        return await self.game_of(game or self.game)

    async def events(self, game: int | None = None) -> tuple[EventRow, ...]:
        async with self.core.store.read() as conn:
            return await game_rows.history(conn, game or self.game)

    async def kinds(self, game: int | None = None) -> list[str]:
        """The ledger's rows by their events' names, in order."""
        return [type(row.event).__name__ for row in await self.events(game)]

    async def account(self) -> dict[str, object]:
        """The account of the game as of today, as kskak-clock/1."""
        row = await self.row()
        events = [item.event for item in await self.events()]
        return dict(clock_json(account(row.terms, events, self.clock.today)))

    async def total(self, side: Side) -> int:
        """Days that a side has used."""
        return (await self.row()).state().clock(side).total

    async def newest_mail(self) -> InboxRow:
        """The mail that came in last."""
        async with self.core.store.read() as conn:
            number = (await conn.execute(_NEWEST_MAIL)).scalar_one()
            found = await inbox_rows.find(conn, number)
        assert found is not None
        return found

    async def inbox(self) -> tuple[InboxRow, ...]:
        """Every mail that came in, oldest first."""
        async with self.core.store.read() as conn:
            ids = (await conn.execute(select(inbox.c.id).order_by(inbox.c.id))).scalars().all()
            rows = [await inbox_rows.find(conn, each) for each in ids]
        return tuple(row for row in rows if row is not None)

    async def fates(self) -> list[tuple[str, str | None]]:
        """State and outcome of every mail that came in."""
        return [(row.state, row.outcome) for row in await self.inbox()]

    async def outbox(self, kind: str | None = None) -> tuple[OutboxRow, ...]:
        """Every letter written, oldest first."""
        return tuple(await self.written(*(() if kind is None else (kind,))))

    async def token(self, email: str) -> str:
        return await self.token_of((await self.person(email)).id)

    def letters(self, to: str, since: int = 0) -> list[Letter]:
        """What an address got, from its ``since``-th letter on."""
        return self.host.to(to)[since:]

    async def assert_whole(self, also: tuple[str, ...] = ()) -> None:
        """Every chain, snapshot and queue is in order and nobody unregistered was written to."""
        report = await database_care.verify(self.core.store)
        assert report.is_sound, report.findings
        assert {letter.to for letter in self.host.letters} <= {ANNA, BO, TL, KC, CAPTAIN, *also}
        waiting = [row for row in await self.inbox() if row.state in ("new", "shunted")]
        assert waiting == []
        lost = [row for row in await self.outbox() if row.state != "sent"]
        assert lost == [], [(row.kind, row.last_error) for row in lost]


def settings_of(
    url: str, host: Smarthost, folder: str, *, zone: str = "Europe/Copenhagen", **mail_in: object
) -> Settings:
    """Every port free, letters to the smarthost."""
    return settings_from(
        {
            "clock": {"zone": zone},
            "database": {"url": url.replace(":@", "@"), "backups": f"{folder}/backups"},
            "web": {"port": 0, "public_url": f"http://{DOMAIN}"},
            "mail": {
                "domain": DOMAIN,
                "in": {"smtp_port": 0, **mail_in},
                "out": {"host": "127.0.0.1", "port": host.port},
            },
            "official": {"name": "Serverens drift", "email": "drift@example.org"},
        }
    )


@asynccontextmanager
async def world_of(
    url: str, folder: str, *, start: date = START, **mail_in: object
) -> AsyncIterator[World]:
    """A world on an empty database, before any group has started."""
    async with (
        smarthost() as host,
        world_on(settings_of(url, host, folder, **mail_in), host, start) as world,
    ):
        yield world


@asynccontextmanager
async def world_on(settings: Settings, host: Smarthost, start: date) -> AsyncIterator[World]:
    """The same beside a smarthost that outlives it, in the zone of ``settings``."""
    clock = FakeClock(start, zone=settings.clock.zone)
    async with run_server(settings, clock, polls=False) as server:
        core = server.core
        out = OutboxJob(core)
        jobs = (InboxJob(core), DeadlineJob(core), out, DailyJob(core))
        world = World(server, clock, host, jobs=jobs)
        for email, role in ((KC, Role.KC), (CAPTAIN, Role.PLAYER)):
            name = NAMES.get(email, "C. Kaptajn")
            await world.admit(name, email=email, created_us=core.now_us, role=role)
        yield world
        await out.close()


async def make_administrator(world: World, lang: str = "da") -> None:
    """The captain runs the server."""
    async with world.core.store.write() as conn:
        captain = update(people).where(people.c.email == CAPTAIN)
        await conn.execute(captain.values(role=Role.ADMIN.value, lang=lang))


def params(row: OutboxRow) -> dict[str, object]:
    """The facts an outbox row carries."""
    return dict(json.loads(row.params))


async def command(*words: str) -> tuple[int, str]:
    """Run ``kskak`` as a process of its own; exit status and standard output."""
    with tempfile.NamedTemporaryFile("r", prefix="kskak-said-") as out:
        here, environment = Path.cwd(), dict(os.environ)
        process = await fork(words, cwd=here, env=environment, out=out.name, err=os.devnull)
        return await process.wait(), out.read()
