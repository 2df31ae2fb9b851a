"""`kskak words`: what a language lacks, and its texts as a PO file, there and back."""

import shutil
import tomllib

import pytest

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
