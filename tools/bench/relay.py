"""Sending letters with a picture beside aiosmtplib sending the same octets, ply by ply.

Ours is the whole job: claim, read, compose, hand over, mark. No letter finds its game's account or
its picture in a cache. Both send over one connection that stays open, to a server in a process of
its own; what is measured is the processor time of this one, all its threads. Not for what a letter
says.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from time import process_time

import aiosmtplib

from kskak.regulation.editions import Side
from mail.game_letters.move_letters import Relay
from server.core import open_core
from server.jobs.mail_jobs import OutboxJob
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.usecases.context import Core, poster_of
from server.usecases.letters import FinishedLetter, write_letters
from tools.bench.children import settings_for
from tools.bench.figures import Figure, Goal, Report, Spread
from tools.bench.fixture import FIRST_GAME, Game, Ground, add_games, create, handed_over
from tools.bench.layers import Stretches, looks_of
from tools.bench.lines import lines
from tools.bench.spawned import HOST

PLIES = (20, 90)
RELAY_GOAL = Goal(0.14, is_floor=True)
LETTER_GOAL = Goal(8.0, is_floor=False)
_PEOPLE = 200
_Octets = Sequence[tuple[str, str, bytes]]


class LetterKept(RuntimeError):
    """A letter of the benchmark was not sent."""


async def measure_relay(ground: Ground, port: int, effort: tuple[int, int], report: Report) -> None:
    """``effort``: rounds, and letters a round at each ply; ``port``: of a server that takes mail.

    The first round is a warm-up, and gives the octets.
    """
    rounds, letters = effort
    await create(ground, _PEOPLE)
    fields = [_games(ground, n, letters * (rounds + 1)) for n in range(len(PLIES))]
    found: list[list[tuple[float, float]]] = [[] for _ in PLIES]
    spent = [Stretches(looks_of(ground.path)) for _ in PLIES]
    async with open_core(settings_for(ground.url, smarthost=port)) as core:
        job = OutboxJob(core)
        client = aiosmtplib.SMTP(hostname=HOST, port=port, use_tls=False, start_tls=False)
        await client.connect()
        fixed = [await _octets(core, games[:letters]) for games in fields]
        for index in range(rounds + 1):
            for which, games in enumerate(fields):
                await _queue(core, games[index * letters : (index + 1) * letters])
                bare = await _bare(client, fixed[which])
                with spent[which].another() if index else nullcontext():
                    own = await _ours(job)
                if index:
                    found[which].append((1000 * own / letters, 1000 * bare / letters))
        await client.quit()
        await job.close()
    for ply, pairs, stretches in zip(PLIES, found, spent, strict=True):
        report.figures += _figures(ply, pairs)
        name = f"a relayed letter at ply {ply}"
        report.profiles += stretches.profiles(name, letters * rounds)
    if (sent := handed_over(ground.path)) != (all_of := len(PLIES) * letters * (rounds + 1)):
        raise LetterKept(f"{sent} of {all_of} letters were sent")


def _games(ground: Ground, which: int, count: int) -> list[Game]:
    """Games at a ply, each with moves of its own, and so with a picture of its own."""
    some, first = lines(count, PLIES[which]), FIRST_GAME + which * count
    return add_games(ground, first, count, PLIES[which], some, _PEOPLE)


async def _octets(core: Core, games: Sequence[Game]) -> _Octets:
    """The letters of some games as the job would send them; they stay queued."""
    await _queue(core, games)
    async with core.store.read() as conn:
        rows = await outbox_rows.newest(conn, len(games))
    made = [one for one in await write_letters(core, rows) if isinstance(one, FinishedLetter)]
    return [(mail.sender, mail.recipient, mail.raw) for mail in made]


async def _queue(core: Core, games: Sequence[Game]) -> None:
    """The letter about each game's last move; one that is queued already is left alone."""
    poster = poster_of(core)
    async with core.store.write() as conn:
        for game in games:
            row = await game_rows.load(conn, game.id)
            assert row is not None
            reader = Side.BLACK if game.ply % 2 else Side.WHITE
            letter = poster.about_game(Relay, row, reader, (game.ply, game.ply))
            await outbox_rows.enqueue(conn, [letter])


async def _bare(client: aiosmtplib.SMTP, letters: _Octets) -> float:
    begun = process_time()
    for sender, recipient, octets in letters:
        await client.sendmail(sender, [recipient], octets)
    return process_time() - begun


async def _ours(job: OutboxJob) -> float:
    begun = process_time()
    while await job.work():
        pass
    return process_time() - begun


def _figures(ply: int, pairs: Sequence[tuple[float, float]]) -> Iterator[Figure]:
    """What a letter costs, held against the ceiling and against its own limit."""
    ours, bare = (Spread.of(each) for each in zip(*pairs, strict=True))
    share = Spread.of([ceiling / own for own, ceiling in pairs])
    for name, verdict_name, verdict, goal in (
        (f"sending a letter at ply {ply}", "ceiling / kskak", share, RELAY_GOAL),
        (f"a letter's own cost at ply {ply}", "kskak", ours, LETTER_GOAL),
    ):
        sending = "aiosmtplib, the same octets"
        yield Figure(name, "ms of CPU", ours, sending, bare, verdict_name, verdict, goal)
