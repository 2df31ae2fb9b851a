"""The check fails above 15 %, and says when it has not counted. Not for the counts themselves."""

import json

import pytest

from tests.instructions import count


@pytest.mark.parametrize(("factor", "code"), [(0.5, 0), (1.14, 0), (1.16, 1)])
def test_dearer_work_fails(tmp_path, monkeypatch, capsys, factor: float, code: int):
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({count.here(): {"a move": 1000, "a letter": 100}}))
    monkeypatch.setattr(count, "KEPT", kept)
    monkeypatch.setattr(count, "counted", lambda: {"a move": int(1000 * factor), "a letter": 100})
    monkeypatch.setattr(count.shutil, "which", lambda name: name)
    assert count.main([]) == code
    assert ("TOO MANY" in capsys.readouterr().out) == bool(code)


def test_what_is_not_counted_is_said(tmp_path, monkeypatch, capsys):
    kept = tmp_path / "kept.json"
    kept.write_text("{}")
    monkeypatch.setattr(count, "KEPT", kept)
    monkeypatch.setattr(count.shutil, "which", lambda name: name)
    assert count.main([]) == 0 and "none are kept for Python" in capsys.readouterr().out
    monkeypatch.setattr(count.shutil, "which", lambda name: None)
    assert count.main([]) == 0 and "valgrind is not installed" in capsys.readouterr().out
