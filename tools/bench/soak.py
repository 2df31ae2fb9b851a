"""`python -m tools.bench.soak`: one server under mixed load for hours, its memory from outside.

Pages as visitors, players and officials follow links, moves by API and by mail, mails of prose, and
every letter that follows from them, handed to a mail server that takes it. Needs Linux's /proc. Not
for speed.
"""

import argparse
import asyncio
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import aiosmtplib
import chess
from aiohttp import ClientSession, DummyCookieJar

from kskak.regulation.editions import Side
from server.core import open_core
from server.store import groups as group_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.account.signin import make_token
from server.usecases.context import Core
from server.usecases.games.outbox_letters import ReplyPosition, make_key
from tools.bench.ceilings import ceiling_process
from tools.bench.children import settings_for
from tools.bench.idle import resident_mb
from tools.bench.pages import headers_of
from tools.bench.pages_ground import furnish
from tools.bench.spawned import DOMAIN, HOST
from tools.bench.start import free_port, served

PAGES_S, MOVES_S, PROSE_S = 5.0, 1.4, 0.1
"""Pages, moves (every second one by mail) and mails of prose a second."""
GROUPS = 48
READERS = 20
"""Players who look at pages, beside a visitor, the leader and the controller."""
LOOK_S = 60.0
_LINK = re.compile(r'href="(/[^"#]*)')
_NOT_FOLLOWED = re.compile(r"^/(signout|static)|\.(zip|ndjson)|stream|events")
_PROSE = (
    "Hej, hvornår slutter min ferie?",
    "Tak for partiet, det var spændende.",
    "Jeg holder ferie fra den 4. januar til den 9. januar",
    "hjælp",
    "Springer til f3, eller skulle jeg hellere vente til i morgen?",
)


@dataclass(slots=True)
class Table:
    """A running game as far as its moves were handed in."""

    id: int
    players: dict[bool, tuple[str, str]]
    """By colour (``chess.WHITE``, ``chess.BLACK``): the address and the token."""
    board: chess.Board = field(default_factory=chess.Board)


@dataclass(slots=True)
class Soak:
    """The load: where it goes, who makes it, and what came of it.

    ``readers``: the headers of each; ``links``: those of the page each saw last.
    """

    web: str
    smtp: int
    secret: bytes
    tables: list[Table]
    readers: list[dict[str, str]]
    draw: random.Random = field(default_factory=lambda: random.Random(21))
    done: Counter[str] = field(default_factory=Counter)
    links: dict[int, list[str]] = field(default_factory=dict)

    async def page(self, client: ClientSession) -> None:
        """Somebody follows a link of the page he saw last, or begins anew."""
        who = self.draw.randrange(len(self.readers))
        seen = self.links.get(who)
        path = self.draw.choice(seen) if seen and self.draw.random() < 0.9 else "/"
        headers = self.readers[who]
        async with client.get(self.web + path, headers=headers, allow_redirects=False) as answer:
            body = await answer.read()
        self.done[f"pages {answer.status}"] += 1
        if answer.status >= 500:
            print("failed:", answer.status, path, flush=True)
        if answer.content_type == "text/html":
            found = {one.replace("&amp;", "&") for one in _LINK.findall(body.decode())}
            self.links[who] = sorted(one for one in found if not _NOT_FOLLOWED.search(one))

    async def move(self, client: ClientSession) -> None:
        """A random move in a random game, every second one by mail; a game that ends is left."""
        table = self.draw.choice(self.tables)
        move = self.draw.choice(list(table.board.legal_moves))
        if self.done["moves"] % 2:
            number = f"{table.board.fullmove_number}{'.' if table.board.turn else '...'}"
            await self._mail(table, f"Hej,\n\n{number} {table.board.san(move)}\n\nVenlig hilsen\n")
        else:
            await self._post(client, table, move)
        self.done["moves"] += 1
        table.board.push(move)
        if table.board.is_game_over(claim_draw=True):
            self.tables.remove(table)

    async def prose(self, _: ClientSession) -> None:
        """A mail that is no move, from whoever is to move."""
        await self._mail(self.draw.choice(self.tables), self.draw.choice(_PROSE) + "\n")

    async def _post(self, client: ClientSession, table: Table, move: chess.Move) -> None:
        body = {"text": table.board.san(move), "ply": table.board.ply()}
        headers = {"Authorization": f"Bearer {table.players[table.board.turn][1]}"}
        address = f"{self.web}/api/v1/games/{table.id}/moves"
        async with client.post(address, json=body, headers=headers) as answer:
            self.done[f"moves by API {answer.status}"] += 1
            if answer.status != 200:
                print("refused:", answer.status, (await answer.text())[:200], flush=True)

    async def _mail(self, table: Table, text: str) -> None:
        """A reply with ``text`` to the letter about the game's last move."""
        side = Side.WHITE if table.board.turn else Side.BLACK
        key = make_key(self.secret, ReplyPosition(table.id, table.board.ply(), side))
        sender, recipient = table.players[table.board.turn][0], f"parti+{key}@{DOMAIN}"
        self.done["mails"] += 1
        raw = (
            f"From: <{sender}>\nTo: <{recipient}>\nSubject: Re: Parti\n"
            f"Message-ID: <{self.done['mails']}.{table.id}@mail.example.org>\n"
            f"Date: {time.strftime('%a, %d %b %Y %H:%M:%S +0000', time.gmtime())}\n"
            f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{text}"
        )
        async with aiosmtplib.SMTP(hostname=HOST, port=self.smtp, start_tls=False) as client:
            await client.sendmail(sender, [recipient], raw.encode())


async def _furnished(path: Path) -> tuple[bytes, list[Table], list[dict[str, str]]]:
    """The federation of the page measurements with more groups: its secret, tables and readers."""
    async with open_core(settings_for(f"sqlite:///{path}")) as core:
        made = await furnish(core, path.parent, groups=GROUPS)
        roles = dict(made.roles)
        tables = await _tables(core)
        players = sorted({player[0] for table in tables for player in table.players.values()})
        who = (None, roles["tournament leader"], roles["K-skak controller"], *players[:READERS])
        return core.secret, tables, [await headers_of(core, email) for email in who]


async def _tables(core: Core) -> list[Table]:
    """The games nobody has moved in, with the access of their players."""
    tokens: dict[int, tuple[str, str]] = {}
    tables: list[Table] = []
    async with core.store.read() as conn:
        groups = await group_rows.everything(conn)
        rows = [
            row
            for group in groups
            for row in await game_rows.list_group_games(conn, group.id)
            if row.ply == 0 and row.ended_us is None
        ]
        people = await person_rows.everybody(conn)
    playing = {one for row in rows for one in (row.white_id, row.black_id)}
    for person in (person for person in people if person.id in playing):
        tokens[person.id] = (person.email or "", await make_token(core, person.id, "bench"))
    for row in rows:
        players = {chess.WHITE: tokens[row.white_id], chess.BLACK: tokens[row.black_id]}
        tables.append(Table(row.id, players))
    return tables


async def _every(rate: float, until: float, deed: Callable[[], Awaitable[None]]) -> None:
    """``deed`` so many times a second until an instant; one that fails is told and left."""
    while (now := time.monotonic()) < until:
        try:
            await deed()
        except (OSError, aiosmtplib.SMTPException) as error:
            print("failed:", repr(error)[:200], flush=True)
        await asyncio.sleep(max(0.0, now + 1 / rate - time.monotonic()))


async def _looks(soak: Soak, pid: int, until: float) -> None:
    begun = time.monotonic()
    while (now := time.monotonic()) < until:
        told = ", ".join(f"{name} {count}" for name, count in sorted(soak.done.items()))
        print(f"{now - begun:6.0f} s  {resident_mb(pid):6.1f} MB  {told}", flush=True)
        await asyncio.sleep(min(LOOK_S, max(0.0, until - now)))
    print(f"at the end: {resident_mb(pid):.1f} MB", flush=True)


async def _drive(soak: Soak, pid: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    async with ClientSession(cookie_jar=DummyCookieJar()) as client:
        await asyncio.gather(
            _every(PAGES_S, until, lambda: soak.page(client)),
            _every(MOVES_S, until, lambda: soak.move(client)),
            _every(PROSE_S, until, lambda: soak.prose(client)),
            _looks(soak, pid, until),
        )


def main(argv: Sequence[str]) -> int:
    """Exit 0 at the end of the load, however much memory it took."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=7200.0, help="how long (default: 7200)")
    args = parser.parse_args(argv)
    with TemporaryDirectory(prefix="kskak-soak-") as folder, ceiling_process() as sink:
        path = Path(folder) / "soak.db"
        secret, tables, readers = asyncio.run(_furnished(path))
        web, smtp = free_port(), free_port()
        more = {
            "KSKAK_MAIL__OUT__HOST": HOST,
            "KSKAK_MAIL__OUT__PORT": str(sink.smtp),
            "PYTHONPYCACHEPREFIX": "",  # an installation is compiled: compiling takes memory
        }
        with served(path, more, web, smtp) as pid:
            soak = Soak(f"http://{HOST}:{web}", smtp, secret, tables, readers)
            asyncio.run(_drive(soak, pid, args.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
