"""`kskak mail` as an operator sees it: lists, mails safe for a terminal, what is done once."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from kskak.regulation.editions import Side
from mail.incoming.parse_mail import reply_address
from mail.outgoing.dkim_signing import record
from server.__main__ import main
from server.cli import run
from server.core import open_core
from server.settings import settings_from
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxRow, NewMail
from server.store.mail.outbox import OutboxState, SentLetter
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.store.tables.base import inbox
from server.usecases.context import Core
from server.usecases.games.outbox_letters import ReplyPosition, make_key
from server.usecases.groups.group_file import read_group_file
from server.usecases.mail.handle_mail import handle
from server.usecases.mail.sort_mail import Act, read_note
from server.usecases.starts.start_group import start_group
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.world import ANNA, BO, GROUP

JOGVAN = "Jógvan í Stórustovu <jogvan@example.fo>"
HOSTILE = "Subject: \x1b]0;owned\x07\u202egnp.exe\r\n"
Work = Callable[[Core], Coroutine[Any, Any, Any]]


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A database with a started game of Anna and Bo: work on it, and run the command on it."""
    url = sqlite_file(tmp_path)
    monkeypatch.setenv("KSKAK_DATABASE__URL", url)
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    monkeypatch.chdir(tmp_path)

    class At:
        def do(self, work: Work) -> Any:
            async def inside() -> Any:
                async with open_core(settings_from({"database": {"url": url}})) as core:
                    return await work(core)

            return asyncio.run(inside())

        def call(self, *words: str) -> tuple[int, str, str]:
            code = run(["mail", *words])
            out, err = capsys.readouterr()
            return code, out, err

        def row(self, row_id: int) -> InboxRow:
            async def find(core: Core) -> InboxRow | None:
                async with core.store.read() as conn:
                    return await inbox_rows.find(conn, row_id)

            return self.do(find)

        def game(self) -> GameRow:
            async def find(core: Core) -> GameRow | None:
                async with core.store.read() as conn:
                    return await game_rows.by_name(conn, "K-26-01/1")

            return self.do(find)

    made = At()
    made.do(_begin)
    return made


async def _begin(core: Core) -> None:
    facts = {"name": "K-26-01", "tournament": "K-skak 2026", "start": core.today("UTC").isoformat()}
    facts |= {"bo_lang": "en", "claims": "player", "regulation": "email", "zone": "UTC"}
    await start_group(core, read_group_file(GROUP.format(post_days=1, fen="", **facts)))


def mail_of(sender: str, subject: str, words: str, *, keyed: bool = False, head: str = "") -> Work:
    """Work that takes a mail in and handles it; the id of its row."""

    async def work(core: Core) -> int:
        async with core.store.read() as conn:
            game = await game_rows.by_name(conn, "K-26-01/1")
        assert game is not None
        settings = core.settings.mail
        key = make_key(core.secret, ReplyPosition(game.id, 0, Side.WHITE))
        to = f"{settings.local}@{settings.domain}"
        if keyed:
            to = reply_address(settings.local, key, settings.domain)
        raw = (
            f"From: {sender}\r\n{head or f'Subject: {subject}' + chr(13) + chr(10)}\r\n{words}\r\n"
        )
        new = NewMail(
            received_us=core.now_us, first_us=core.now_us, peer="127.0.0.1", mail_from="x@y.dk",
            rcpt_to=json.dumps([to]), raw=raw.encode(), message_key=raw.encode()[:32].ljust(32),
        )  # fmt: skip
        kept = await inbox_rows.accept(core.store, new)
        async with core.store.read() as conn:
            row = await inbox_rows.find(conn, kept.id)
        assert row is not None
        await handle(core, row)
        return kept.id

    return work


def test_a_held_mail_is_listed_released_once_and_says_who_did_it(at) -> None:
    spam = at.do(mail_of(JOGVAN, "Tilboð", "Keyp!"))
    held = at.do(mail_of(f"Bo <{BO}>", "Træk", "1. e4", keyed=True))
    code, out, _ = at.call("list", "--held")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (0, [str(held), str(spam)])
    assert "another player's reply address" in out and "jogvan@example.fo" in out
    assert at.call("list", "--game", "K-26-01/1")[1].count("\n") == 1
    mails = json.loads(at.call("list", "--address", "JOGVAN@example.fo", "--json")[1])["mails"]
    assert [(mail["id"], mail["subject"]) for mail in mails] == [(spam, "Tilboð")]
    assert at.call("release", str(held)) == (0, f"mail {held}: The move was sent\n", "")
    assert at.game().ply == 1
    code, out, err = at.call("release", str(held), "--json")
    assert (code, json.loads(out)) == (1, {"mail": held, "refused": "first"})
    assert err.count("\n") == 1 and at.game().ply == 1
    noted = read_note(at.row(held).note)
    assert (noted.act, noted.by) == (Act.RELEASE, None)
    assert "decided: release by the operator, 20" in at.call("show", str(held))[1]
    assert at.call("release", str(spam))[0] == 1, "nobody's"


def test_a_mail_that_names_a_game_is_released_as_the_player_who_is_named(at) -> None:
    row_id = at.do(mail_of(JOGVAN, "[K-26-01/1]", "1. d4"))
    code, out, err = at.call("release", str(row_id))
    assert (code, out, err.count("\n")) == (2, "", 1) and "--as" in err
    assert at.call("release", str(row_id), "--as", "nobody@example.dk")[0] == 2
    assert at.call("release", str(row_id), "--as", ANNA, "--json")[0] == 0
    assert at.game().ply == 1


def test_a_mail_is_shown_without_what_would_drive_the_terminal(at) -> None:
    arab = "=?utf-8?b?2YHYp9i32YXYqQ==?= <fatima@example.com>"
    row_id = at.do(mail_of(arab, "", "text \x1b[2J\u202eok\r\nnext", head=HOSTILE))
    for words in (("show", str(row_id)), ("list",)):
        code, out, _ = at.call(*words)
        assert code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(out)
    shown = at.call("show", str(row_id))[1]
    assert "outcome: Held" in shown and "reason: The sender's address is not registered" in shown
    assert "from: " in shown and "fatima@example.com" in shown and "\nnext" in shown
    found = json.loads(at.call("show", str(row_id), "--json")[1])
    assert found["text"][1] == "next"
    code, out, err = at.call("show", "999")
    assert (code, out, err) == (2, "", "kskak: N: there is no mail 999\n")


def test_replay_handles_what_had_no_effect_and_refuses_what_had(at) -> None:
    moved = at.do(mail_of(f"Anna <{ANNA}>", "Træk", "1. e4", keyed=True))
    assert at.row(moved).outcome == "moved"
    code, out, err = at.call("replay", str(moved))
    assert (code, out) == (1, "") and "has had its effect and is not handled twice" in err
    asked = at.do(mail_of(f"Bo <{BO}>", "Hello", "What now, please?"))
    assert at.row(asked).outcome == "games_unclear"
    assert at.call("replay", str(asked))[0] == 0
    assert read_note(at.row(asked).note).act is Act.AGAIN
    assert at.game().ply == 1
    assert at.call("replay", "999")[0] == 2


def test_a_dead_and_a_sent_letter_are_sent_again_and_a_waiting_one_is_not(at) -> None:
    async def prepare(core: Core) -> tuple[int, int]:
        dead, sent = await outbox_rows.claim(core.store, core.now_us, 2)
        await outbox_rows.mark_letter_failed(core.store, dead, "550 no", core.now_us, is_final=True)
        await outbox_rows.mark_sent(core.store, [SentLetter(sent.id, b"x")], core.now_us)
        return dead.id, sent.id

    async def states(core: Core) -> list[str]:
        async with core.store.read() as conn:
            return [(await outbox_rows.find(conn, one)).state for one in ids]  # type: ignore[union-attr]

    ids = at.do(prepare)
    code, out, _ = at.call("list", "--dead", "--address", ANNA)
    assert (code, "550 no" in out) == (0, True)
    assert at.call("list", "--dead", "--address", BO)[1] == ""
    assert at.call("list", "--dead", "--game", str(at.game().id))[0] == 0
    for letter in ids:
        assert at.call("resend", str(letter)) == (0, f"letter {letter}: queued\n", "")
        assert at.call("resend", str(letter))[0] == 1
    assert at.do(states) == [OutboxState.QUEUED] * 2
    assert at.call("list", "--dead", "--json")[1] == '{\n  "letters": []\n}\n'
    assert at.call("resend", "999")[0] == 2


@pytest.mark.parametrize(
    "words",
    [("list", "--game", "K-99/1"), ("list", "--held", "--dead"), ("list", "--days", "-1"),
     ("release", "x"), ("show", "9" * 30), ("resend", "-1"), ()],
)  # fmt: skip
def test_a_wrong_call_is_one_line_and_exit_2(at, words) -> None:
    code, out, err = at.call(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("action", ["list", "show", "release", "replay", "resend"])
def test_help_says_what_each_does(action, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        run(["mail", action, "--help"])
    assert left.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "--json" in out and "--config" in out
    if action == "replay":
        assert "is not applied twice: nothing is done, exit 1" in out


def test_only_mails_of_the_days_asked_for_are_listed(at) -> None:
    at.do(mail_of(JOGVAN, "Gammel", "x"))

    async def age(core: Core) -> None:
        old = core.now_us - int(timedelta(days=40).total_seconds()) * 10**6
        async with core.store.write() as conn:
            await conn.execute(update(inbox).values(received_us=old))

    at.do(age)
    assert at.call("list")[1] == ""
    assert "Gammel" in at.call("list", "--days", "50")[1]
    assert "Gammel" in at.call("list", "--days", str(10**12))[1]


# `kskak dkim`: the key is made once, and its record printed as a line for a zone file.


@pytest.fixture
def config(tmp_path: Path) -> tuple[Path, Path]:
    """A file of settings, and the key that it names."""
    file, key = tmp_path / "config.toml", tmp_path / "dkim.pem"
    file.write_text(
        f'[mail]\ndomain = "spil.example.org"\n[mail.out]\ndkim_key = "{key}"\n'
        'dkim_selector = "k2026"\n',
        encoding="utf-8",
    )
    return file, key


def test_the_key_is_made_once_and_its_record_printed(config, capsys):
    file, key = config
    assert main(["dkim", "--config", str(file)]) == 0
    first = capsys.readouterr().out
    made = key.read_bytes()
    assert key.stat().st_mode & 0o777 == 0o600
    assert first.startswith(f"# a new key: {key}\nk2026._domainkey.spil.example.org. IN TXT ( ")
    pieces = re.findall(r'"([^"]*)"', first)
    assert "".join(pieces) == record(made)
    assert max(map(len, pieces)) <= 255
    assert main(["dkim", "--config", str(file)]) == 0
    assert capsys.readouterr().out == first.partition("\n")[2]
    assert key.read_bytes() == made


def test_what_is_wrong_is_said_in_one_line(config, tmp_path, capsys):
    file, key = config
    key.write_text("no key", encoding="ascii")
    (tmp_path / "none.toml").touch()
    for name, says in (("config.toml", "holds no private RSA key"), ("none.toml", "names no file")):
        assert main(["dkim", "--config", str(tmp_path / name)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1) and says in err
    assert key.read_text(encoding="ascii") == "no key"
    key.unlink()
    tmp_path.joinpath("dkim.pem").symlink_to(tmp_path / "nowhere" / "dkim.pem")
    assert main(["dkim", "--config", str(file)]) == 2
    assert "cannot be written" in capsys.readouterr().err
