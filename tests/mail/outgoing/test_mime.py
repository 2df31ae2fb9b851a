"""A letter's parts come back from a mail program's reading as they were given."""

import email
from email import policy

from hypothesis import given
from hypothesis import strategies as st

from mail.outgoing import envelope

TEXTS = st.text(st.characters(codec="utf-8"), max_size=400)
ODD = TEXTS | st.sampled_from(
    [".", "a\n.\nb", "slut \t\n ", "From Ægir\n--=_mixed.\n", "é" * 90, "=C3\r\r\nx\ry\x85z\x00"]
)
FILES = st.text(st.characters(codec="ascii"), max_size=200)
PICTURES = st.lists(st.binary(max_size=300), max_size=2)


def _lines(text: str) -> list[str]:
    return text.splitlines() or [""]


@given(ODD, ODD, PICTURES, st.none() | FILES)
def test_every_part_is_read_as_it_was_given(text, html, pictures, file):
    shown = [(f"b{n}@kskak.dk", f"b{n}.png", png) for n, png in enumerate(pictures)]
    raw = envelope.octets(text, html, shown, None if file is None else ("K-1.pgn", file))
    bare = raw.replace(b"\r\n", b"")
    assert b"\r" not in bare and b"\n" not in bare and bare.isascii()
    assert raw.startswith(b"Content-Type: multipart/")
    if file is None:  # a chess file's lines are as long as it has them
        assert max(map(len, raw.split(b"\r\n"))) <= 78
    read = email.message_from_bytes(raw, policy=policy.default)
    parts = [part for part in read.walk() if not part.is_multipart()]
    assert not any(part.defects for part in read.walk())
    told, page, *rest = parts
    assert _lines(told.get_content()) == _lines(text)
    assert _lines(page.get_content()) == _lines(html)
    assert [part.get_content() for part in rest[: len(pictures)]] == pictures
    assert [part["Content-ID"] for part in rest[: len(pictures)]] == [f"<{c}>" for c, *_ in shown]
    if file is not None:
        assert rest[-1].get_filename() == "K-1.pgn"
        assert _lines(rest[-1].get_content().decode()) == _lines(file)
