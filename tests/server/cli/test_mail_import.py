"""`kskak mail import` as an operator sees it: what it says, its exit codes, and no harm done."""

import json
import mailbox
from collections.abc import Callable
from pathlib import Path

import pytest

from server import cli
from server.cli import run
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.each import rows

Call = Callable[..., tuple[int, str, str]]
MAIL = (
    "From: a@example.dk\r\nTo: {to}\r\nSubject: {n} \x1b[2J\r\nMessage-ID: <{n}@x>\r\n\r\nhej\r\n"
)


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    """The command on an empty database."""
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    monkeypatch.chdir(tmp_path)

    def made(*words: str) -> tuple[int, str, str]:
        code = run(["mail", "import", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return made


@pytest.fixture
def box(tmp_path: Path) -> str:
    """Three mails for us, one for somebody else."""
    made = mailbox.Maildir(tmp_path / "Maildir")
    for n in range(3):
        made.add(MAIL.format(n=n, to="parti@kskak.localhost").encode())
    made.add(MAIL.format(n=9, to="x@example.com").encode())
    return str(tmp_path / "Maildir")


def test_a_dry_run_shows_what_a_run_then_does_once(call: Call, box: str) -> None:
    code, out, _ = call(box, "--dry-run")
    assert (code, out.splitlines()[0]) == (0, "dry run: nothing is taken in")
    assert out.count("a@example.dk") == 3 and "\x1b" not in out
    code, out, _ = call(box)
    said = [line.strip() for line in out.splitlines()]
    assert (code, said[:4]) == (
        0, ["taken into the inbox:", "3 new", "0 known already, left alone", "1 not for us"]
    )  # fmt: skip
    assert "3 new, dated by the mailbox" in out and "as soon as it runs" in out
    code, out, _ = call(box, "--json")
    found = json.loads(out)
    assert (code, found["new"], found["known"], found["foreign"]) == (0, 0, 3, 1)
    assert (found["dry_run"], found["mails"]) == (False, [])


def test_what_cannot_be_read_is_named_and_the_rest_is_taken(call: Call, box: str) -> None:
    (Path(box) / "cur" / "1.empty").write_bytes(b"")
    code, out, _ = call(box)
    assert code == 1 and "3 new" in out and "1 could not be read" in out
    assert "1.empty  empty" in out


def test_long_lists_are_cut_and_json_has_them_whole(call: Call, box: str) -> None:
    for n in range(10, 40):
        raw = MAIL.format(n=n, to="parti@kskak.localhost").encode()
        (Path(box) / "new" / f"{n}.x").write_bytes(raw)
    out = call(box, "--dry-run")[1]
    assert "and 13 more, which --json names" in out
    mails = json.loads(call(box, "--dry-run", "--json")[1])["mails"]
    assert len(mails) == 33
    assert mails[0]["arrived"] == "1970-01-01T00:00:10Z" and mails[0]["dated"] == "mailbox"


def test_progress_is_told_on_stderr(call: Call, box: str, monkeypatch) -> None:
    monkeypatch.setattr(cli, "EVERY_S", 0)
    code, out, err = call(box, "--json")
    assert (code, json.loads(out)["new"]) == (0, 3)
    assert err.splitlines()[:4] == [f"{n} mails read" for n in range(1, 5)]


def test_since_leaves_out_what_came_before(call: Call, box: str) -> None:
    found = json.loads(call(box, "--since", "2999-01-01", "--json")[1])
    assert (found["new"], found["old"]) == (0, 3)


@rows("words", ("gone",), (".",), ("text",), ("\0",), ("text", "--since", "later"), ())
def test_a_wrong_call_is_one_line_and_exit_2(call: Call, tmp_path: Path, words) -> None:
    (tmp_path / "text").write_bytes(b"Dear all\n")
    code, out, err = call(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
