"""What a move leaves on the disk, table by table, once its letters are sent. Not for how fast."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from mail.incoming.smtp_in import RawMail
from server.core import open_core
from server.jobs.mail_jobs import InboxJob, OutboxJob
from server.usecases.context import Core
from server.usecases.mail import parsed_mail as opened_mail
from server.usecases.mail.parsed_mail import Intake, MailTaker
from server.usecases.play.game_requests import ask
from tools.bench.children import settings_for
from tools.bench.figures import Goal, Report, Stored
from tools.bench.fixture import FIRST_GAME, Game, Ground, add_games, create
from tools.bench.lines import lines
from tools.bench.load_mail import reply
from tools.bench.lone import asked
from tools.bench.spawned import HOST

STORED_GOAL = Goal(5.0, is_floor=False)
PLY = 20
_PEOPLE = 200
_Play = Callable[[Core, Sequence[Game]], Coroutine[None, None, None]]


async def measure_stored(ground: Ground, port: int, moves: int, report: Report) -> None:
    """``moves`` through the API, and as many by mail, each in a game of its own.

    ``port``: of a server that takes mail.
    """
    await create(ground, _PEOPLE)
    games = add_games(ground, FIRST_GAME, 2 * moves, PLY, lines(2 * moves, PLY + 1), _PEOPLE)
    async with open_core(settings_for(ground.url, smarthost=port)) as core:
        for name, play, some in (
            ("a move on the web or by the API", _by_api, games[:moves]),
            ("a move by mail", _by_mail, games[moves:]),
        ):
            before = _kilobytes(ground.path)
            await play(core, some)
            await _sent(core)
            grown = _kilobytes(ground.path)
            grown.subtract(before)
            found = {table: size / moves for table, size in grown.most_common() if size > 0}
            report.stored.append(Stored(name, found, STORED_GOAL))


async def _by_api(core: Core, games: Sequence[Game]) -> None:
    for game in games:
        await ask(core, asked(core, game, game.ply, "api"))


async def _by_mail(core: Core, games: Sequence[Game]) -> None:
    intake = Intake(core.store)
    taker = MailTaker(intake, lambda: None)
    for game in games:
        letter = reply(game, game.ply, core.secret)
        to, raw = (letter.recipient.decode(),), letter.data.removesuffix(b".\r\n")
        await taker.accept(RawMail(raw, letter.sender.decode(), to, HOST, core.clock.now()))
    await intake.close()
    job = InboxJob(core)
    while await job.work():
        pass
    await opened_mail.daily(core)


async def _sent(core: Core) -> None:
    job = OutboxJob(core)
    while await job.work():
        pass
    await job.close()


_ASK = """
import json, sqlite3, sys
query = (
    "SELECT tbl_name, sum(pgsize) / 1024.0 FROM dbstat JOIN sqlite_schema USING (name)"
    " GROUP BY tbl_name"
)
print(json.dumps(sqlite3.connect(sys.argv[1]).execute(query).fetchall()))
"""


def _kilobytes(path: Path) -> Counter[str]:
    """What the pages of each table and its indexes take; nothing where dbstat is in no SQLite here.

    By a process of its own with Python's SQLite: the server's is built without dbstat, and two
    copies in one process would drop each other's locks.
    """
    asked = subprocess.run([sys.executable, "-c", _ASK, path], capture_output=True, check=False)
    return Counter(dict(json.loads(asked.stdout))) if asked.returncode == 0 else Counter()
