"""A mail that is a file and nothing else: told what it was, and what can be read (§ 6.8.4)."""

from email.message import EmailMessage
from email.policy import SMTP

import pytest

from tests.fakes.machinery.each import each
from tests.fakes.machinery.player import Player
from tests.fakes.world import BO, World

PICTURE = ("image", "jpeg", "IMG_0712.jpg", b"\xff\xd8\xff\xe0" + b"\x00" * 200)
SCAN = ("application", "pdf", "Scannet træk.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
WORD = ("application", "octet-stream", "trækket.docx", b"PK\x03\x04" + b"\x01" * 100)
LETTER = ("text", "plain", "brev.txt", b"Hej Bo\nTak for sidst!\n")


def _mail(player: Player, said: str, file: tuple[str, str, str, bytes], *, inline: bool) -> bytes:
    letter = player.newest
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = "Anna Ager <anna@example.dk>", letter.reply_to or ""
    mail["Subject"], mail["Message-ID"] = "Sv: " + letter.subject, "<fil@example.dk>"
    mail.set_content(said)
    main, sub, name, data = file
    how = "inline" if inline else "attachment"
    mail.add_attachment(data, maintype=main, subtype=sub, filename=name, disposition=how)
    return mail.as_bytes()


@pytest.mark.parametrize("file", [PICTURE, SCAN, WORD, LETTER])
async def test_it_is_told_what_it_was_and_what_to_write(lite, file):
    anna = Player(lite)
    for said in ("\n", "Sendt fra min iPhone\n", "Mvh\nAnna\n", "Se vedhæftede\n"):
        raw = _mail(anna, said, file, inline=file is PICTURE)
        assert await anna.send(raw, anna.newest.reply_to or "") == "not_understood"
        told = anna.letters[-1].said
        assert f"en vedhæftet fil, »{file[2]}«, men intet træk" in told
        assert "Hvad er dit første træk?" in told and (await lite.row()).ply == 0


async def test_a_text_file_with_one_move_is_asked_about_and_a_yes_plays_it(lite: World) -> None:
    anna, move = Player(lite), ("text", "plain", "træk.txt", b"1. e4\n\nHilsen Anna\n")
    raw = _mail(anna, "\n", move, inline=False)
    assert await anna.send(raw, anna.newest.reply_to or "") == "unsure"
    asked = anna.letters[-1]
    assert "»træk.txt«" in asked.said and "Mener du 1. 5254 (e4)?" in asked.said
    assert (await lite.row()).ply == 0
    assert await anna.reply("ja", asked) == "moved"
    assert (await lite.row()).ply == 1
    bo = Player(lite, BO)
    assert "træk.txt" not in bo.newest.said


@each("text", b"opgiver\n", b"1. e4\n1. d4\n", b"Ke7\n", b"remis?\n")
async def test_a_text_file_does_nothing_else(lite: World, text: bytes) -> None:
    anna, file = Player(lite), ("text", "plain", "noget.txt", text)
    await anna.send(_mail(anna, "\n", file, inline=False), anna.newest.reply_to or "")
    assert (await lite.kinds()) == [] and "vedhæftet fil" in anna.letters[-1].said


async def test_words_beside_a_file_are_read_as_ever(lite: World) -> None:
    anna = Player(lite)
    raw = _mail(anna, "1. e4\n\nHer er et billede af båden.\n", PICTURE, inline=True)
    assert await anna.send(raw, anna.newest.reply_to or "") == "moved"
