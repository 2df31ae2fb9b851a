"""`make release`: what is committed becomes a wheel with everything in it, and a sdist."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from server.cli import COMMANDS
from tools.release import NoRelease, build, describe_commands, read_notes, strip_hashes

ROOT = Path(__file__).parents[2]


def test_a_version_without_a_section_is_no_release():
    changelog = "# Changes\n\n## 0.2.0\n\n- New.\n\n## 0.1.0\n\n- Old.\n"
    assert read_notes(changelog, "0.2.0") == "- New.\n"
    with pytest.raises(NoRelease, match=r"0\.3\.0.*0\.2\.0, 0\.1\.0"):
        read_notes(changelog, "0.3.0")


def test_the_tree_becomes_a_wheel_and_a_sdist_with_words_pages_and_migrations(tmp_path: Path):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    made = {path.name: path for path in build(ROOT, tmp_path / "dist")}
    stem = f"kskak-{version}"
    assert made.keys() == {
        f"{stem}-py3-none-any.whl", f"{stem}.tar.gz",
        f"notes-{version}.md", f"requirements-{version}.txt", f"constraints-{version}.txt",
        f"sbom-{version}.cdx.json", "kskak.1", "kskak.bash", "_kskak",
    }  # fmt: skip
    names = set(zipfile.ZipFile(made[f"{stem}-py3-none-any.whl"]).namelist())
    wanted = {"mail/words/da/language.toml", "server/web/templates/frame/base.html",
              "migrations/versions/0037_baseline.py", "server/web/static/board.js"}  # fmt: skip
    assert wanted <= names and not any(name.startswith(("tests/", "tools/")) for name in names)
    with tarfile.open(made[f"{stem}.tar.gz"]) as packed:
        assert f"{stem}/pyproject.toml" in packed.getnames()
    pins = made[f"constraints-{version}.txt"].read_text().splitlines()
    locked = made[f"requirements-{version}.txt"].read_text()
    assert len(pins) == len(re.findall(r"^[\w.-]+==", locked, re.MULTILINE)) > 30 and not any(
        "hash" in pin for pin in pins
    )
    parts = json.loads(made[f"sbom-{version}.cdx.json"].read_text())["components"]
    assert {"aiohttp", "sqlalchemy", "asyncpg"} <= {part["name"] for part in parts}
    assert len(parts) == len(pins)


def test_an_installed_wheel_takes_the_pins_as_constraints(tmp_path: Path):
    pins = tmp_path / "pins.txt"
    pins.write_text(strip_hashes((ROOT / "requirements.txt").read_text()))
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--no-index"]
    told = subprocess.run([*pip, "--constraint", pins, "aiohttp"], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr


def test_man_page_and_completion_name_every_command_and_its_options(tmp_path: Path):
    made = describe_commands()
    for name, text in made.items():
        plain = text.replace("\\-", "-")  # as a man page writes a hyphen
        assert [one for one in COMMANDS if one not in plain] == [], name
        assert "--keep" in plain and "--no-restore" in plain, name
    (tmp_path / "kskak.bash").write_text(made["kskak.bash"])
    asked = "COMP_WORDS=(kskak backup --k); COMP_CWORD=2; _shtab_kskak; echo ${COMPREPLY[*]}"
    bash = ["bash", "-c", f". {tmp_path}/kskak.bash; {asked}"]
    said = subprocess.run(bash, capture_output=True, text=True, check=True).stdout
    assert "--keep" in said and "--keys" in said
