"""What is kept of a letter: every word of it, and no picture."""

import email
from email import policy
from email.message import EmailMessage

import pytest

from mail.outgoing.kept import without_pictures

WORDS = "Kære Bo\n\nContent-Type: image/png\n\nDet er ikke et billede.\n--\nAnna\n"


def _letter(*pictures: bytes) -> EmailMessage:
    letter = EmailMessage()
    letter["Subject"] = "1. e4"
    letter.set_content(WORDS, charset="utf-8", cte="quoted-printable")
    letter.add_alternative("<p>Kære Bo</p>", subtype="html", charset="utf-8")
    html = list(letter.iter_parts())[1]
    assert isinstance(html, EmailMessage)
    for number, picture in enumerate(pictures):
        html.add_related(picture, "image", "png", cid=f"<board{number}@k>", filename="board.png")
    letter.add_attachment(b'[Event "?"]\n\n1. e4 *\n', "application", "x-chess-pgn", cte="7bit")
    return letter


@pytest.mark.parametrize("line", ["\n", "\r\n"])
@pytest.mark.parametrize("pictures", [(), (b"\x89PNG" * 900,), (b"one" * 99, b"two" * 4000)])
def test_only_the_pictures_are_gone(pictures: tuple[bytes, ...], line: str):
    raw = _letter(*pictures).as_bytes(policy=policy.default.clone(linesep=line))
    kept = without_pictures(raw)
    before, after = (email.message_from_bytes(one, policy=policy.default) for one in (raw, kept))
    parts = list(zip(before.walk(), after.walk(), strict=True))
    assert [one.items() for one, _ in parts] == [one.items() for _, one in parts]
    for old, new in parts:
        if old.get_content_type() == "image/png":
            assert new.get_content() == b""
        elif not old.is_multipart():
            assert new.get_content() == old.get_content()
    assert (kept == raw) == (not pictures)
    assert kept.count(b"\n") == kept.count(line.encode()), "every line ends as it did"
