"""`kskak letters`: every kind in each language."""

import email
from email import policy

from mail.compose import LETTERS
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES
from server.__main__ import main


def test_every_class_of_letter_has_a_sample() -> None:
    shown = {type(letter) for letter in (GAME_LETTERS | NOTICES).values()}
    assert set(LETTERS.values()) - shown == set()


def test_the_list_names_each_kind_with_its_subject(capsys) -> None:
    assert main(["letters", "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*GAME_LETTERS, *NOTICES]
    relay = lines[[*GAME_LETTERS].index("relay")]
    assert "relay" in relay and "2. Nf3 – your move, 39 days [K-26-01/3]" in relay


def test_one_letter_is_printed_as_text(capsys) -> None:
    assert main(["letters", "relay"]) == 0
    out = capsys.readouterr().out
    assert "Subject: Åge Hansen: 2. Sf3 – du er i trækket, 39 dage [K-26-01/3]\n\n" in out
    assert "Åge Hansen har spillet 2. 7163 (Sf3)." in out and "<html" not in out


def test_all_letters_are_written_as_mails_in_every_language(tmp_path, capsys) -> None:
    assert main(["letters", "--to", str(tmp_path / "new")]) == 0
    found = sorted(path.name for path in (tmp_path / "new").iterdir())
    names = [*GAME_LETTERS, *NOTICES]
    assert found == sorted(f"{name}.{lang}.eml" for name in names for lang in LANGUAGES)
    assert capsys.readouterr().out == f"{len(found)} letters in {tmp_path / 'new'}\n"
    mail = email.message_from_bytes((tmp_path / "new/over.en.eml").read_bytes(), policy=policy.SMTP)
    assert mail["Subject"] == "Åge Hansen: the game is over, 1-0 [K-26-01/3]"


def test_what_can_not_be_shown_or_written_is_said_in_one_line(tmp_path, capsys) -> None:
    (tmp_path / "file").touch()
    for call, word in ((["nix"], "'nix'"), (["relay", "--to", str(tmp_path / "file")], "file")):
        assert main(["letters", *call]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1) and word in err
