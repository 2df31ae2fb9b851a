"""`kskak index`: what an import was killed before is done, once, and told."""

import json

from server.__main__ import main
from server.usecases.archive import archive_import as importing
from tests.fakes.history import numbered
from tests.fakes.machinery.built import sqlite_file


async def _killed(*_: object) -> int:
    return 0


def test_what_is_not_indexed_is_done_once_and_counted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    (tmp_path / "many.pgn").write_text(numbered(30), encoding="utf-8")
    with monkeypatch.context() as killed:
        killed.setattr(importing.archive_views, "everything", _killed)
        assert main(["import", "many.pgn"]) == 0
    for count in (30, 0):
        capsys.readouterr()
        assert main(["index", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"games": count}
    assert main(["index"]) == 0
    assert "0 games indexed" in capsys.readouterr().out
