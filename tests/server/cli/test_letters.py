"""`kskak letters`: every kind in each language."""

import email
import shutil
import tomllib
from email import policy

import pytest

from mail.compose import LETTERS
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    BadWords,
    read_catalogue,
    read_texts,
    write_catalogue,
)
from server.__main__ import main
from server.cli import mail as mail_commands


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
    assert mail["Subject"] == "Åge Hansen: mate, 1-0 [K-26-01/3]"


def test_what_can_not_be_shown_or_written_is_said_in_one_line(tmp_path, capsys) -> None:
    (tmp_path / "file").touch()
    for call, word in ((["nix"], "'nix'"), (["relay", "--to", str(tmp_path / "file")], "file")):
        assert main(["letters", *call]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1) and word in err


# `kskak words`: what a language lacks, and its texts as a PO file, there and back.


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_printed_is_read_again(lang):
    assert read_catalogue(write_catalogue(read_texts(lang), lang)) == read_texts(lang)


def test_the_list_says_how_many_are_missing(capsys):
    assert main(["words"]) == 0
    out = capsys.readouterr().out
    assert f"da Dansk: 0 missing of {len(read_texts(DEFAULT_LANGUAGE))}\n" in out


def _po(key: str, source: str, text: str) -> bytes:
    return f'msgctxt "{key}"\nmsgid "{source}"\nmsgstr "{text}"\n'.encode()


def test_every_fault_is_said_with_its_line_and_nothing_is_written(tmp_path, monkeypatch, capsys):
    shutil.copytree(mail_commands.FOLDER, tmp_path / "words")
    monkeypatch.setattr(mail_commands, "FOLDER", tmp_path / "words")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.toml")}
    faulty = tmp_path / "en.po"
    faulty.write_bytes(
        _po("side.nothing", "x", "y")
        + b"\n"
        + _po("web.foot.responsible", "x", "Ask!")
        + b"\n"
        + _po("web.foot.about", "x", "About {more}")
        + b"\n"
        + _po("web.foot.source", "x", "Code {")
    )
    assert main(["words", "import", "en", str(faulty)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "line 2: side.nothing is no key",
        "line 6: web.foot.responsible has lost {name}",
        "line 10: web.foot.about has {more}, which nothing fills",
        "line 14: web.foot.source has a brace that is no place to fill",
    ]
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.toml")} == before


def test_a_translated_text_is_put_into_its_file_beside_the_others(tmp_path, monkeypatch, capsys):
    shutil.copytree(mail_commands.FOLDER, tmp_path / "words")
    monkeypatch.setattr(mail_commands, "FOLDER", tmp_path / "words")
    (tmp_path / "en.po").write_bytes(_po("web.foot.source", "Kildekode", 'The \\"code\\"'))
    assert main(["words", "import", "en", str(tmp_path / "en.po")]) == 0
    assert capsys.readouterr().out == "1 texts changed\n"
    found = tomllib.loads((tmp_path / "words/en/frame/web.toml").read_text(encoding="utf-8"))
    assert found["foot.source"] == 'The "code"'
    assert found["foot.about"] == read_texts("en")["web.foot.about"]
    assert not [*tmp_path.rglob("*.new")]


def test_what_is_no_po_file_is_refused():
    with pytest.raises(BadWords):
        read_catalogue(b"\xff\xfe nothing")
