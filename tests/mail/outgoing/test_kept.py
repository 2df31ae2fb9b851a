"""What is kept of a letter: every word of its text, and neither picture, HTML nor file."""

import email
from email import policy

import pytest

from mail.outgoing import envelope
from mail.outgoing.envelope import in_text

HEAD = b"Subject: 1. e4\r\n"
WORDS = "Kære Bo\n\n--=_alternative.0a\n\nContent-Type: image/png\n--\nŁukasz\n"
FILE = '[Event "?"]\n\n1. e4 *\n'


@pytest.mark.parametrize("file", [None, ("K-1.pgn", FILE)])
@pytest.mark.parametrize("pictures", [(), (b"\x89PNG" * 900,), (b"one" * 99, b"two" * 4000)])
def test_only_the_text_is_kept(pictures: tuple[bytes, ...], file: tuple[str, str] | None) -> None:
    shown = [(f"b{n}@kskak.dk", f"b{n}.png", png) for n, png in enumerate(pictures)]
    raw = HEAD + envelope.octets(WORDS, f"<p>{WORDS}</p>", shown, file)
    kept = in_text(raw)
    before, after = (email.message_from_bytes(one, policy=policy.default) for one in (raw, kept))
    assert after.items() == before.items() and not after.defects
    parts = [part for part in after.walk() if not part.is_multipart()]
    assert [part.get_content_type() for part in parts] == ["text/plain"]
    assert parts[0].get_content().splitlines() == WORDS.splitlines()
    assert in_text(kept) == kept and len(kept) < len(raw)


def test_what_is_no_letter_of_ours_is_kept_whole():
    assert in_text(HEAD + b"\r\nKort svar\r\n") == HEAD + b"\r\nKort svar\r\n"
