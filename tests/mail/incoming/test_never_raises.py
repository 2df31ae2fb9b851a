"""Whatever the bytes: parsing, classing, quoting and reading end without an exception."""

import random

from hypothesis import given
from hypothesis import strategies as st

from mail.grammar.read_text import read_text
from mail.incoming.own_words import extract_own_words
from mail.incoming.parse_mail import dmarc_verdict, trusted_received_time
from mail.incoming.robots import read_report
from tests.fakes.machinery.draws import drawn
from tests.fakes.machinery.each import each
from tests.mail.games import HOSTILE, MAILS, P4711, TODAY, read_raw

CORPUS = [path.read_bytes() for folder in (MAILS, HOSTILE) for path in folder.glob("*.eml")]
FRAGMENTS = st.sampled_from(
    [
        b"From: ", b"Content-Type: multipart/mixed; boundary=b", b"--b", b"--b--", b"\r\n",
        b"\r\n\r\n",
        b"Content-Transfer-Encoding: base64", b"charset=utf-7", b"=?utf-8?b?", b"?=", b"<html>",
        b"<blockquote>", b"Content-Type: text/html", b"boundary*0*=utf-8''b", b"2. Nf3", b"> ",
        b'"', b"(", b";", b"Subject: ", b"Message-ID: <[x@y", b"\xff", b"format=flowed",
        b"Authentication-Results: mx.skak.example; dmarc=", b"Received: by mx; ", b"Fra: ",
    ]
)  # fmt: skip


def run(raw: bytes) -> None:
    found = read_raw(raw)
    read_report(raw, "bo@example.net", is_daemons=True)
    dmarc_verdict(raw, "mx.skak.example", peer_trusted=True)
    trusted_received_time(raw, {"mx"})
    for move in found.reading.moves:
        assert move, "a null move"
    assert not found.reading.moves or P4711.board.is_legal(found.reading.moves[0])


@given(st.binary(max_size=2000))
@drawn(150)
def test_any_bytes(raw: bytes) -> None:
    run(raw)


@given(st.lists(FRAGMENTS | st.binary(max_size=8), max_size=60).map(b"".join))
@drawn(250)
def test_bytes_that_look_like_mail(raw: bytes) -> None:
    run(raw)


@given(st.text(max_size=400))
@drawn(250)
def test_any_text(text: str) -> None:
    read_text(extract_own_words(text), P4711, today=TODAY)


@each("seed", range(8))
def test_mutated_corpus(seed: int) -> None:
    chance = random.Random(seed)
    for raw in chance.sample(CORPUS, 25):
        data = bytearray(raw)
        for _ in range(chance.randint(1, 12)):
            at = chance.randrange(len(data))
            match chance.randrange(4):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    del data[at : at + chance.randint(1, 40)]
                case 2:
                    data[at:at] = data[: chance.randint(1, 60)]
                case _:
                    data[at:at] = chance.choice(CORPUS)[:100]
        run(bytes(data))
