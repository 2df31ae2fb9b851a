"""Accepted durable moves per second, over HTTP and by mail, each beside its ceiling.

Every round: ceiling, ours, ceiling. 64 connections on distinct games. Acknowledged moves are
counted, and so are those in the ledger. Not for the cost of one move (lone.py, growth.py).
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from server.core import open_core
from server.store.engine.sqlite_library import sqlite3
from tools.bench.children import kskak_process, settings_for
from tools.bench.figures import Count, Figure, Goal, Report, ratio_figure
from tools.bench.fixture import FIRST_GAME, Game, Ground, add_games, create, in_ledger
from tools.bench.layers import Stretches, looks_of
from tools.bench.lines import lines
from tools.bench.load import PATIENCE_S, Drive, Talker, connect_all, drive, first_refusal
from tools.bench.load_http import HttpTalker, requests_of
from tools.bench.load_mail import Letter, SmtpTalker, reply
from tools.bench.spawned import Ports
from tools.bench.start import HAS_PROC, cpu_s

_log = logging.getLogger(__name__)

CONNECTIONS = 64
HTTP_PLIES = 100
"""Most plies played in one game over HTTP."""
HTTP_MOST = 8_000
"""Moves per second to prepare requests for."""
MAILS_A_SECOND = 512
"""Mails in one round, for each second it is meant to take."""
WARM_S = 0.3
HTTP_GOAL = Goal(0.14, is_floor=True)
MAIL_GOAL = Goal(0.40, is_floor=True)
ECHO, CPU_UNIT = "aiohttp POST echo", "moves/s of our CPU"
Round = tuple[Drive, list[Drive]]
"""Of the ceiling, and of each of ours."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long and how often: ``seconds`` per measurement, ``rounds`` of them."""

    rounds: int
    seconds: float

    @property
    def games_each(self) -> int:
        """Games a connection plays in one round over HTTP."""
        return max(1, round(self.seconds * HTTP_MOST / CONNECTIONS / HTTP_PLIES))

    @property
    def mails_each(self) -> int:
        """Mails a connection sends in one round: each a move in a different game."""
        return max(1, round(self.seconds * MAILS_A_SECOND / CONNECTIONS))


def measure_throughput(ground: Ground, ceiling: Ports, effort: Effort, report: Report) -> None:
    """Measure both throughputs and add them to the report with their counts."""
    http, mail, secret = asyncio.run(_prepare(ground, effort))
    with kskak_process(ground.url) as ours:
        looks = looks_of(ground.path)
        by_http, by_mail = Stretches(looks), Stretches(looks)
        with by_http.another():
            found, acknowledged = asyncio.run(drive_http([[ours]], ceiling, http, effort))
        name, rounds = "accepted durable moves over HTTP", [(own, echo) for echo, (own,) in found]
        report.figures += figures_of(name, ECHO, HTTP_GOAL, rounds)
        report.profiles += by_http.profiles("a move over HTTP", acknowledged)
        report.counts.append(Count("http", acknowledged, in_ledger(ground.path, "api")))
        with by_mail.another():
            rounds, acknowledged = asyncio.run(_mail(ground, (ours, ceiling), mail, secret, effort))
        name = "accepted durable moves by mail"
        report.figures += figures_of(name, "aiosmtpd doing nothing", MAIL_GOAL, rounds)
        report.profiles += by_mail.profiles("a move by mail", acknowledged)
        report.counts.append(Count("mail", acknowledged, in_ledger(ground.path, "mail")))


def figures_of(
    name: str, ceiling: str, goal: Goal, rounds: Sequence[tuple[Drive, Drive]]
) -> list[Figure]:
    """By the clock and, where it can be told, by our processes' CPU; each round ours and bare."""
    rates = [(own.rate, bare.rate) for own, bare in rounds]
    figures = [ratio_figure(name, "moves/s", ceiling, goal, rates)]
    if HAS_PROC:
        rates = [(own.cpu_rate, bare.cpu_rate) for own, bare in rounds]
        figures.append(ratio_figure(f"{name}, by CPU", CPU_UNIT, ceiling, goal, rates))
    return figures


async def _prepare(ground: Ground, effort: Effort) -> tuple[list[Game], list[Game], bytes]:
    """Fresh games for every HTTP round; for mail, one game for each mail of each connection."""
    some = lines(16, HTTP_PLIES)
    by_http = CONNECTIONS * effort.games_each * (effort.rounds + 1)
    by_mail = CONNECTIONS * effort.mails_each
    people = 2 * (by_http + by_mail)
    await create(ground, people)
    games = add_games(ground, FIRST_GAME, by_http + by_mail, 0, some, people)
    async with open_core(settings_for(ground.url)) as core:
        return games[:by_http], games[by_http:], core.secret


def _share(games: Sequence[Game], plies: int) -> list[list[bytes]]:
    """Each connection's requests: a move in each of its own games in turn."""
    return [requests_of(games[n::CONNECTIONS], plies) for n in range(CONNECTIONS)]


async def drive_http(
    ours: Sequence[Sequence[Ports]], ceiling: Ports, games: list[Game], effort: Effort
) -> tuple[list[Round], int]:
    """Every round: the echo, each of ours, the echo. Returns the rounds and the moves acknowledged.

    Each of ``ours`` is the servers that share the connections; it plays ``games`` of its own.
    """
    size = CONNECTIONS * effort.games_each
    shares = (games[n : n + size] for n in range(0, len(games), size))
    acknowledged, found = 0, list[Round]()
    for index in range(effort.rounds + 1):
        queues = [_share(next(shares), HTTP_PLIES) for _ in ours]
        seconds = effort.seconds if index else WARM_S
        before = await _drive_http([ceiling], queues[0], seconds)
        own = [await _drive_http(*one, seconds) for one in zip(ours, queues, strict=True)]
        after = await _drive_http([ceiling], queues[0], seconds)
        acknowledged += sum(one.acknowledged for one in own)
        if index:
            found.append((before + after, own))
    return found, acknowledged


async def _drive_http(servers: Sequence[Ports], queues: list[list[bytes]], seconds: float) -> Drive:
    talkers = list[Talker]()
    for n, server in enumerate(servers):
        makers = [partial(HttpTalker, queue, seconds) for queue in queues[n :: len(servers)]]
        talkers += await connect_all(server.http, makers)
    used = sum(cpu_s(server.pid) for server in servers)
    done = await drive(talkers)
    if done.refused:
        _log.warning("%s requests refused, one so: %s", done.refused, first_refusal(talkers))
    return replace(done, cpu_s=sum(cpu_s(server.pid) for server in servers) - used)


async def _mail(
    ground: Ground, ports: tuple[Ports, Ports], games: list[Game], secret: bytes, effort: Effort
) -> tuple[list[tuple[Drive, Drive]], int]:
    """``ports``: ours and the ceiling's. Our drive ends when the ledger holds every move."""
    acknowledged, rounds = 0, list[tuple[Drive, Drive]]()
    for ply in range(effort.rounds + 1):
        letters = [reply(game, ply, secret) for game in games]
        before = await _drive_mail(ports[1], letters)
        own = await _until_in_ledger(ground, ports[0], letters)
        after = await _drive_mail(ports[1], letters)
        acknowledged += own.acknowledged
        if ply:
            rounds.append((own, before + after))
    return rounds, acknowledged


async def _drive_mail(server: Ports, letters: Sequence[Letter]) -> Drive:
    makers = [partial(SmtpTalker, letters[n::CONNECTIONS]) for n in range(CONNECTIONS)]
    talkers = [t for t in await connect_all(server.smtp, makers) if isinstance(t, SmtpTalker)]
    await asyncio.wait([talker.done for talker in talkers])
    for talker in talkers:
        talker.again()
    used = cpu_s(server.pid)
    done = await drive(talkers)
    if done.refused:
        _log.warning("%s mails refused, one so: %s", done.refused, first_refusal(talkers))
    return replace(done, cpu_s=cpu_s(server.pid) - used)


async def _until_in_ledger(ground: Ground, server: Ports, letters: Sequence[Letter]) -> Drive:
    with closing(sqlite3.connect(f"file:{ground.path}?mode=ro", uri=True)) as conn:
        begun, wanted, used = perf_counter(), _newest(conn) + len(letters), cpu_s(server.pid)
        done = await _drive_mail(server, letters)
        # The ledger belongs to another process: there is nothing here to wait on.
        while _newest(conn) < wanted and perf_counter() - begun < PATIENCE_S:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        seconds, used = perf_counter() - begun, cpu_s(server.pid) - used
        return Drive(done.acknowledged, done.refused, seconds, used)


def _newest(conn: sqlite3.Connection) -> int:
    """The newest event's row id: grows by one with every event, and is cheap to read."""
    return int(conn.execute("SELECT max(rowid) FROM events").fetchone()[0] or 0)
