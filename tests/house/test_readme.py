"""The README is run: each `$ ` line of its console blocks, and what it says comes out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _examples() -> list[tuple[str, str]]:
    blocks = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    calls = [call for block in blocks for call in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(call.partition("\n")[0], call.partition("\n")[2].rstrip()) for call in calls]


@pytest.mark.parametrize(("line", "expected"), _examples())
def test_the_readme_shows_what_comes_out(line, expected):
    assert line.partition(" ")[0] in {"kskak", "echo"}, "only kskak is run; other blocks are ```sh"
    script = f'kskak() {{ "{sys.executable}" -m server "$@"; }}\n{line}'
    shell = ["bash", "-c", script]
    done = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout + done.stderr).rstrip() == expected


def test_the_readme_has_examples_of_the_commands_that_need_no_server():
    assert {"move", "schedule"} <= set(re.findall(r"kskak (\w+)", str(_examples())))


def test_every_make_target_that_the_readme_names_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)`", README)) <= targets
    assert {"run", "test"} <= set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE))
