"""`kskak dkim`: the key is made once, and its record printed as a line for a zone file."""

import re
from pathlib import Path

import pytest

from mail.outgoing.dkim_signing import record
from server.__main__ import main


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


def test_the_key_is_made_once_and_its_record_printed(
    config: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_what_is_wrong_is_said_in_one_line(
    config: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
