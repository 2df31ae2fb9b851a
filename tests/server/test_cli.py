"""The command line as a script sees it: exit codes, one line for a slip, JSON and nothing else."""

import io
import json
import subprocess
import sys

import pytest

from server.__main__ import main
from server.cli.documents import answer_lines
from server.cli.problems import InputError


def test_a_wrong_call_is_one_line_and_exit_2(capsys):
    assert main(["mvoe"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "'mvoe'" in err


def test_help_imports_neither_chess_nor_web_nor_database():
    code = (
        "import sys; from server.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'chess', 'aiohttp', 'pydantic', 'sqlalchemy'}\n"
        "print(heavy & sys.modules.keys(), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "set()\n"
    assert "schedule" in done.stdout


def double(document):
    value = document.get("n")
    if not isinstance(value, int):
        raise InputError("n: a whole number is wanted")
    return {"twice": 10 // value * 2}


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b'{"n": "x"}', "whole number"),
        (b"{", "not JSON"),
        (b"[1]", "object"),
        (b"\xff{}", "UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b"", "not JSON"),
        (b'{"n": 0}', "ZeroDivisionError"),
    ],
)
def test_a_bad_line_is_answered_with_an_error_and_the_rest_goes_on(capsys, line, word):
    stream = io.BytesIO(b'{"n": 5}\n' + line + b'\n{"n": 10}\n')
    assert answer_lines(double, stream) == 0
    first, bad, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first, last) == ({"twice": 4}, {"twice": 2})
    assert word in bad["error"]
