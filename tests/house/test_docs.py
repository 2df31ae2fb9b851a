"""README, docs and config.toml are true: examples come out as shown, what is named exists."""

import os
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

from server.api.site import ENDPOINTS, PREFIX
from server.cli import COMMANDS
from server.settings import PREFIX as VARIABLE
from server.settings import SECRETS, keys, settings_from
from server.web.site import ROUTES
from server.xfcc.service import PATH
from tests import drawing
from tests.fakes.machinery.each import each
from tests.house.test_words import flat

ROOT = Path(__file__).parents[2]
PAPERS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAPERS += sorted((ROOT / "docs").rglob("*.md"))
WHY = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
LAW = sorted((ROOT / "docs/regulation").glob("[!R]*.md"))
SITED = sorted(path.name for path in PAPERS[3:] if path not in {*WHY, *LAW})
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in PAPERS)
CALL = re.compile(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
KEYS = {key for key, _ in keys()}
VARIABLES = {key: VARIABLE + key.upper().replace(".", "__") for key in KEYS}
HOLE = re.compile(r"<\w+>|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


def _named(pattern: str) -> set[str]:
    return set(re.findall(pattern, TEXT, re.MULTILINE))


@each(("line", "expected"), CALL.findall(TEXT))
def test_an_example_shows_what_comes_out(line, expected):
    assert line.partition(" ")[0] in {"kskak", "echo"}, "only kskak is run; other blocks are ```sh"
    shell = ["bash", "-c", f'kskak() {{ "{sys.executable}" -m server "$@"; }}\n{line}']
    done = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout + done.stderr).rstrip() == expected.rstrip()


def test_the_commands_are_named_and_exist():
    assert _named(r"(?:^|`|\| |\$ |bin/)kskak\s+([a-z][a-z-]*)") == COMMANDS.keys()
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert _named(r"(?:^|`)make ([a-z]+)") <= targets
    assert "make run " in PAPERS[0].read_text()[:800]


def test_the_settings_exist():
    sections = "|".join({key.partition(".")[0] for key in KEYS})
    assert _named(rf"`((?:{sections})\.[a-z][a-z_.]*)`") <= KEYS
    assert _named(VARIABLE + r"(?!TAKE_|TEST_)[A-Z_]+") <= {*VARIABLES.values()}
    blocks = _named(r"^```toml\n(\[web\][^`]*)")
    assert [settings_from(tomllib.loads(block)) for block in blocks]


def test_config_toml_has_every_key_with_its_default_and_a_comment_above_it(monkeypatch):
    for name in [name for name in os.environ if name.upper().startswith(VARIABLE)]:
        monkeypatch.delenv(name)
    text = (ROOT / "config.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    assert flat(table, "").keys() == KEYS - SECRETS
    assert settings_from(table) == settings_from({})
    settings = [(above, line) for above, line in pairwise(text.splitlines()) if "=" in line]
    assert [line for above, line in settings if line[0] != "#" and above[:2] != "# "] == []
    assert [key for key in SECRETS if VARIABLES[key] not in text] == []


def test_the_addresses_exist():
    paths = {PATH, f"{PREFIX}/openapi.json", *(route.path for route in (*ROUTES, *ENDPOINTS))}
    known = re.compile("|".join(HOLE.sub("HOLE", p).replace("HOLE", ".+") for p in paths))
    found = _named(r"`(?:GET |POST |PUT )?(/(?!etc/|srv/|bin/|run/|usr/)[^`\s?]*)`")
    assert {path for path in found if not known.fullmatch(HOLE.sub("1", path))} == set()


def test_the_files_and_functions_exist():
    files = _named(r"`((?:kskak|mail|server|tests|docs|migrations)/[^`\s<]*)`")
    assert {name for name in files if not (ROOT / name).exists()} == set()
    rooms = ("kskak", "mail", "server", "tests", "tools")
    there = {path.name for room in rooms for path in (ROOT / room).rglob("*.*")}
    assert _named(r"`([\w-]+\.(?:py|html|css|js))`") <= there
    for name, function in _named(r"`([\w/]+\.py)`\s+`([\w.]+)`"):
        source = (ROOT / name).read_text(encoding="utf-8")
        parts = function.split(".")
        assert all(re.search(rf"(?:def|class) {part}\b", source) for part in parts), name


def test_the_links_lead_somewhere():
    assert sorted(re.findall(r"\w+\.md", (ROOT / "zensical.toml").read_text("utf-8"))) == SITED
    for path in (*PAPERS, ROOT / "CHANGELOG.md"):
        for link in re.findall(r"\n<<<<<<< |\]\((?!\w+:)([^)\s]+)\)", path.read_text("utf-8")):
            name, _, anchor = link.partition("#")
            there = path.parent / name if name else path
            assert link and there.exists(), (path.name, link or "both sides of a merge")
            text = there.read_text("utf-8") if anchor else ""
            heads = re.findall(r"^#+ (.*)", text, re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
            assert not anchor or anchor in slugs, (path.name, link)


def test_readings_and_decisions_stay_short():
    """What must be known to carry the house: a decision 25 lines, each in the list."""
    index = (ROOT / "docs/decisions/README.md").read_text("utf-8")
    assert re.findall(r"\((\d.*?)\)", index) == [path.name for path in WHY]
    assert [path.name for path in WHY if path.read_text("utf-8").count("\n") > 25] == []
    why = [ROOT / "docs/decisions/README.md", *WHY]
    assert sum(path.stat().st_size for path in why) <= 20_000
    assert sum(path.stat().st_size for path in LAW) <= 200_000
    assert max(path.read_text("utf-8").count("\n") for path in LAW) <= 300


def test_the_rooms_are_drawn_as_they_are():
    text = drawing.PAPER.read_text(encoding="utf-8")
    assert drawing.drawn(text) == text, "python -m tests.drawing draws them anew"
