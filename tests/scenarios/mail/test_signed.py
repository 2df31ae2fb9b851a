"""Letters signed with the server's own key (DKIM), as they arrive over SMTP.

RSA of 2048 bits; a key that can't be read stops the start, a letter that can't be signed goes
without.
"""

from pathlib import Path

import dkim
import pytest

from mail.outgoing.dkim_signing import record
from server.jobs.mail_jobs import OutboxJob
from server.usecases.context import Core
from server.usecases.mail.mailbox import KeyFault, make
from tests.fakes.machinery.player import Player
from tests.fakes.world import World


def signing(core: Core, key: Path) -> OutboxJob:
    out = core.settings.mail.out.model_copy(update={"dkim_key": str(key)})
    mail = core.settings.mail.model_copy(update={"out": out})
    settings = core.settings.model_copy(update={"mail": mail})
    return OutboxJob(Core(core.store, core.writer, core.clock, settings, core.secret))


async def moved(world: World) -> None:
    """A move comes in, with a message of long and dotted lines; its letters wait."""
    anna = Player(world)
    words = f"e4\n\n.Hilsen fra Łukasz Østergård\n{'langt ' * 300}"
    await world.smtp(anna.write(words), anna.newest.reply_to or "")
    while await world.jobs[0].work():  # type: ignore[attr-defined]
        pass


async def test_letters_are_verified_with_the_published_record(lite: World, tmp_path: Path) -> None:
    key = tmp_path / "dkim.pem"
    make(key)
    before = len(lite.host.letters)
    await moved(lite)
    job = signing(lite.core, key)
    await job.work()
    await job.close()
    found = lite.host.letters[before:]
    assert len(found) >= 2
    txt = {b"kskak._domainkey.skak.example.": record(key.read_bytes()).encode()}
    for letter in found:
        assert dkim.verify(letter.raw, dnsfunc=lambda name, **_: txt[name])
        assert "Østergård" in letter.text or letter.to != "bo@example.net"


async def test_letters_go_unsigned_where_no_key_is_named(lite: World) -> None:
    await moved(lite)
    await lite.pump()
    assert all("DKIM-Signature" not in letter.mail for letter in lite.host.letters)


@pytest.mark.parametrize(("content", "says"), [(None, "No such file"), (b"x", "no private RSA")])
async def test_a_key_that_cannot_be_used_is_said_at_the_start(lite, tmp_path, content, says):
    key = tmp_path / "dkim.pem"
    if content is not None:
        key.write_bytes(content)
    with pytest.raises(KeyFault, match=says):
        signing(lite.core, key)
