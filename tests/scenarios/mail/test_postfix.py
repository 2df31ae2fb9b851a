"""The files of docs/operate, with the real programs: a game through Postfix in front and behind.

Skipped where Postfix, OpenDKIM or OpenDMARC is not installed, or the test is not root's.
"""

import asyncio
import tomllib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import aiosmtplib
import pytest

from kskak.game.game_events import MoveSent
from server.settings import settings_from
from server.usecases.mail.sort_mail import MailHoldReason
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.ports import free_port
from tests.fakes.machinery.postfix import FILES, NAMED, Postfix, is_there, postfix
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.world import ANNA, BO, COMMANDS, DOMAIN, STRANGER, TL, World, settings_of, world_on

pytestmark = pytest.mark.skipif(not is_there(), reason="no Postfix and its filters, or not root")
INTERNET = ("127.0.0.2", 0)
"""Where mail from outside comes from: this machine is 127.0.0.1."""
LINE = ("e4", "1... c5", "2. Nf3", "2... d6", "3. d4", "3... cxd4")
ZONE = midday_zone()


@dataclass
class Between:
    """A server with Postfix on both sides."""

    world: World
    post: Postfix

    async def send(self, raw: bytes, to: str | None, sender: str = ANNA) -> str:
        """A mail from the internet; its outcome, once its answers have left again."""
        count = len(await self.world.inbox())
        place = {"hostname": "127.0.0.1", "port": self.post.front, "start_tls": False}
        async with aiosmtplib.SMTP(**place, source_address=INTERNET) as client:  # type: ignore[arg-type]
            await client.sendmail(sender, [str(to)], raw)
        return await self.arrives(count)

    async def arrives(self, count: int) -> str:
        """The outcome of the next mail after ``count``."""
        for _ in range(600):
            inbox = await self.world.inbox()
            if len(inbox) > count:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError(self.post.log)
        await self.world.pump()
        newest = (await self.world.inbox())[count]  # its report may already have come behind it
        return newest.outcome or newest.state

    def has_key(self, email: str) -> bool:
        """Whether a letter has come that can be answered by a move."""
        return any(one.reply_to not in (None, COMMANDS) for one in self.world.letters(email))

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait for Postfix."""
        for _ in range(600):
            if is_so():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(self.post.log)

    async def move(self, player: Player, said: str) -> str:
        """A reply to the newest letter, and the opponent's letter on its way back."""
        other = BO if player.email == ANNA else ANNA
        before = len(self.world.letters(other))
        outcome = await self.send(player.write(said), player.newest.reply_to, player.email)
        await self.until(lambda: len(self.world.letters(other)) > before)
        return outcome


@pytest.fixture
async def between(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Between]:
    """Ten days ago a game began; its letters went out by Postfix."""
    behind = free_port()
    async with smarthost() as host:
        text = (FILES / "config.toml").read_text("utf-8").replace(NAMED, DOMAIN)
        mail = tomllib.loads(text)["mail"]
        mail["in"]["smtp_port"], mail["out"]["port"] = 0, behind
        base = settings_of(sqlite_url, host, str(tmp_path), zone=ZONE)
        settings = base.model_copy(update={"mail": settings_from({"mail": mail}).mail})
        async with world_on(settings, host, real_day(ZONE) - timedelta(days=10)) as world:
            with postfix(DOMAIN, world.server.smtp_port, host.port, behind) as post:
                made = Between(world, post)
                await world.begin()
                await made.until(lambda: made.has_key(ANNA) and world.letters(BO))
                yield made


async def test_a_game_passes_in_front_and_behind_each_move_on_the_day_postfix_had_it(between):
    world, clock = between.world, between.world.clock
    players, days = (Player(world), Player(world, BO, layout="outlook", lang="en")), []
    for ply, said in enumerate(LINE):
        clock.wait(days=1)
        if ply == len(LINE) - 1:  # Postfix had it three days before the server
            clock.go(real_day(ZONE) + timedelta(days=3))
        days.append(min(clock.today, real_day(ZONE)))
        assert await between.move(players[ply % 2], said) == "moved", between.post.log
    sent = [row.event.sent for row in await world.events() if isinstance(row.event, MoveSent)]
    assert sent == days
    came = [row.raw for row in await world.inbox()]
    ids = {raw.partition(b"Message-ID: ")[2].split()[0] for raw in came}
    await between.until(lambda: len(between.post.archived()) == len(LINE))
    kept = {raw.partition(b"Message-ID: ")[2].split()[0] for raw in between.post.archived()}
    assert kept == ids
    assert all(f"Authentication-Results: {DOMAIN}".encode() in raw for raw in came)
    letter = world.letters(ANNA)[-1]
    assert f"d={DOMAIN}; s=mail" in str(letter.mail["DKIM-Signature"])
    assert letter.sender.startswith("parti+")


@pytest.mark.parametrize("name", ["postmaster", "abuse"])
async def test_mail_to_the_operator_reaches_his_desk(between: Between, name: str) -> None:
    to = f"{name}@{DOMAIN}"
    raw = f"From: x@example.com\r\nTo: {to}\r\nSubject: spam\r\n\r\nSe her\r\n".encode()
    assert await between.send(raw, to, STRANGER) == "held"
    assert [row.note for row in await between.world.inbox()] == [MailHoldReason.OPERATOR]


async def test_postfix_s_own_report_of_a_dead_address_is_read(between: Between) -> None:
    world, anna = between.world, Player(between.world)
    world.host.refused.add(BO)
    raw = anna.write("e4")
    assert await between.send(raw, anna.newest.reply_to) == "moved"
    assert await between.arrives(1) == "undelivered", between.post.log
    report = await world.newest_mail()
    assert report.mail_from == ""
    await between.until(lambda: world.letters(TL))
    assert BO in world.letters(TL)[-1].said


async def test_a_forged_sender_is_asked_about_and_a_finding_from_outside_in_our_name_is_renamed(
    between: Between,
) -> None:
    anna = Player(between.world)
    known = "_dmarc.example.dk v=DMARC1; p=reject\n"
    between.post.filter("opendmarc", "SPFSelfValidate false", known=known)
    forged = f"Authentication-Results: {DOMAIN}; dmarc=pass\r\n".encode() + anna.write("e4")
    assert await between.send(forged, anna.newest.reply_to) == "confirm", between.post.log
    (row,) = await between.world.inbox()
    assert b"dmarc=fail" in row.raw
    assert f"\nX-Outside-Authentication-Results: {DOMAIN}; dmarc=pass".encode() in row.raw
    assert b"\nAuthentication-Results: %b; dmarc=pass" % DOMAIN.encode() not in row.raw
    assert await between.world.kinds() == []
