"""A page is three files, an API call and a ledger's field two: one of each is added to a copy.

A kind of letter is added by ``tests/mail/letters/test_new_kind.py``.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = '''

@routes.get("/cup-greeting")
@read_only_page
async def greet(request: web.Request) -> web.Response:
    """A greeting to the cup's players."""
    return page(request, "cup/greeting.html", c=load_cup_words(request))
'''
TEMPLATE = """{% extends "frame/base.html" %}
{% block title %}{{ c("page.greeting") }}{% endblock %}
{% block main %}<h1>{{ c("page.greeting") }}</h1>{% endblock %}
"""
WORDS = {"da": "God fornøjelse i pokalturneringen", "en": "Enjoy the cup"}
CALL = '''
class CupCount(ApiAnswer):
    """How many cups there are."""

    cups: int


@area.get("/cups-count", "cups_count", CupCount, is_open=True)
async def count_cups(call: Call) -> object:
    """How many cups there are."""
    return {"cups": len(await views.cup_list(call.api.core))}


'''
TEST = """
from datetime import date

from kskak.game.game_events import DaysCharged
from kskak.ledger.stored_events import dump_event, load_event
from kskak.regulation.editions import Side
from tests.fakes.machinery.browser import browser
from tests.fakes.world import World


async def test_the_page_is_shown(lite: World) -> None:
    async with browser(lite) as one:
        found = await one.get("/cup-greeting")
    assert found.status == 200 and "God fornøjelse i pokalturneringen" in found.text


async def test_the_call_is_answered_and_described(lite: World) -> None:
    async with browser(lite) as one:
        found = await one.get("/api/v1/cups-count")
        described = await one.get("/api/v1/openapi.json")
    assert found.status == 200 and found.html == \'{"cups":0}\'
    assert "How many cups there are" in described.html


def test_the_field_is_kept_and_an_entry_without_it_is_still_read() -> None:
    charge = DaysCharged(Side.WHITE, date(2026, 3, 1), 3, "6.8.6", "ulovligt", note="anden gang")
    assert load_event(dump_event(charge)) == charge
    old = dump_event(charge).replace(\',"note":"anden gang"\', "")
    assert load_event(old) == DaysCharged(Side.WHITE, date(2026, 3, 1), 3, "6.8.6", "ulovligt")
"""


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path.name}: {old!r}"
    path.write_text(text.replace(old, new), "utf-8")


def _add_page(folder: Path) -> None:
    handler = folder / "server/web/cup.py"
    handler.write_text(handler.read_text("utf-8") + PAGE, "utf-8")
    (folder / "server/web/templates/cup/greeting.html").write_text(TEMPLATE, "utf-8")
    for lang, said in WORDS.items():
        words = folder / f"mail/words/{lang}/cup/cup.toml"
        _edit(words, "\n[page]\n", f'\n[page]\ngreeting = "{said}"\n')


def _add_call(folder: Path) -> None:
    _edit(folder / "server/api/cup.py", "CUPS = tuple(", f"{CALL}CUPS = tuple(")


def _add_field(folder: Path) -> None:
    events, files = folder / "kskak/game/game_events.py", folder / "kskak/ledger/ledger_files.py"
    head, mark, rest = events.read_text("utf-8").partition("class DaysCharged(")
    rest = rest.replace("    reason: str\n", '    reason: str\n    note: str = ""\n', 1)
    events.write_text(head + mark + rest, "utf-8")
    old = 'f.whole("days"), f.text("paragraph"), f.text("reason")\n'
    kept = 'f.text("note") if f.is_set("note") else ""'
    _edit(files, old, old.replace("\n", f",\n        {kept},\n"))


@pytest.mark.timeout(330)
def test_a_page_a_call_and_a_field_are_added_where_the_architecture_says(tmp_path: Path) -> None:
    for name in ("kskak", "mail", "server", "migrations", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "config.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for add in (_add_page, _add_call, _add_field):
        add(tmp_path)
    (tmp_path / "tests/scenarios/cup/test_added.py").write_text(TEST, "utf-8")
    asked = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    asked += ["tests/scenarios/cup/test_added.py"]
    ran = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and "3 passed" in ran.stdout, ran.stdout + ran.stderr
