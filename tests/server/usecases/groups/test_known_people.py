"""§ 6.4.4.1: a group file fills what the register lacks of a person, and says what differs."""

from dataclasses import replace
from pathlib import Path

import pytest

from server.store.play import people as person_rows
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_judged
from tests.fakes.site import close_site, group_text, open_site

MORE = """
[[players]]
name = "Søren Sø"
email = "soren@example.org"
citizen = false
k_rating = 1700
rating = 1600
member = "4711"
birth = 1970-02-01
club = "Ø"
"""


@pytest.mark.parametrize(
    ("known", "notes"),
    [
        ({}, ()),
        ({"citizen": True, "k_rating": 1650}, ("k_rating of Søren Sø: the register says 1650, not "
          "1700", "citizen of Søren Sø: the register says True, not False")),
        ({"club": "Ø", "birth": "1970-02-01"}, ()),
    ],
)  # fmt: skip
async def test_unknown_facts_are_filled_and_others_stand(tmp_path: Path, known, notes):
    """Nothing known, two that differ, two that are the same: by hand."""
    site = await open_site(tmp_path)
    async with site.core.store.write() as conn:
        soren = await person_rows.by_email(conn, "soren@example.org")
        assert soren is not None and soren.citizen is None
        await person_rows.change(conn, replace(soren, **known))
    text = group_text("T-1").replace('class = "K"', 'class = "theme"') + MORE
    started = await start_judged(site.core, read_group_file(text))
    assert tuple(note for note in started.notes if "register" in note) == notes
    async with site.core.store.read() as conn:
        now = await person_rows.by_email(conn, "soren@example.org")
    facts = {"citizen": False, "k_rating": 1700, "rating": 1600, "member": "4711"}
    facts |= {"birth": "1970-02-01", "club": "Ø"} | known
    assert now == replace(soren, **facts)
    await close_site(site)
