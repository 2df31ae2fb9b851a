"""A register taken out and put in again changes nothing; a large one costs no more statements."""

import asyncio
import csv
import io
import tempfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.store import members as member_rows
from server.store import register as register_rows
from server.store.engine.store import Store
from server.store.members import RatingRow
from server.usecases.register.csv_table import RegisterKind, RegisterLineOutcome, Rules
from server.usecases.register.register_desk import import_file
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.many import statements
from tests.fakes.register import OPERATOR, Register, open_register

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")),
    min_size=1,
    max_size=40,
).filter(lambda text: text.strip() not in ("", "-"))
DAY = st.dates(date(1900, 1, 1), date(2026, 11, 20)).map(date.isoformat)
BORN = st.dates(date(1902, 1, 1), date(2026, 11, 20)).map(date.isoformat)
"""Nobody on the day of the test is older: the register takes no earlier one."""
RATED = st.tuples(st.sampled_from(["k", "otb"]), DAY, st.integers(0, 4000), st.booleans(), TEXT)
MEMBER = st.fixed_dictionaries(
    {
        "name": TEXT,
        "birth": BORN,
        "numbered": st.booleans(),
        "mailed": st.booleans(),
        "club": st.sampled_from([None, 1, 2, 3]),
        "district": st.sampled_from([None, 1, 2]),
        "citizen": st.sampled_from([None, True, False]),
        "since": st.none() | DAY,
        "lang": st.sampled_from(["da", "en"]),
        "ratings": st.lists(RATED, max_size=4, unique_by=lambda one: one[:2]),
    }
)
MEMBERS = st.lists(
    MEMBER,
    max_size=8,
    unique_by=lambda one: (" ".join(one["name"].split()).casefold(), one["birth"]),
)


async def _fill(register: Register, members: list[Mapping[str, object]]) -> None:
    async with register.core.store.write() as conn:
        people = [
            {
                "name": one["name"], "lang": one["lang"], "birth": one["birth"], "club": None,
                "email": f"m{i}@example.org" if one["mailed"] else f"m{i}@{register_rows.NO_MAIL}",
                "member": f"DSU {i}#" if one["numbered"] else None, "citizen": one["citizen"],
                "email_proved_us": 1 if i % 2 else None,
            }
            for i, one in enumerate(members)
        ]  # fmt: skip
        ids = await register_rows.add_people(conn, people, 0)
        whose = list(zip(ids, members, strict=True))
        await register_rows.put_members(
            conn,
            [
                {
                    "person_id": i, "kind": "club" if one["club"] else "individual",
                    "club_id": one["club"], "since": one["since"], "until": None,
                    "district_id": None if one["club"] else one["district"],
                }
                for i, one in whose
            ],
        )  # fmt: skip
        rated = [
            RatingRow(i, kind, day, value, provisional and kind == "k", source)
            for i, one in whose
            for kind, day, value, provisional, source in one["ratings"]
            if day >= one["birth"]  # nobody is rated before he is born: the register says so
        ]
        await register_rows.put_ratings(conn, rated, 0, None)


async def _round_trip(members: list[Mapping[str, object]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(sqlite_file(Path(folder)))
        try:
            register = await open_register(store)
            await _fill(register, members)
            before = [await register.out(what) for what in RegisterKind]
            for what, text in zip(RegisterKind, before, strict=True):
                report = await register.take(text, what)
                assert report.fault is None, (report.fault, text)
                odd = [
                    line
                    for line in report.lines
                    if line.outcome is not RegisterLineOutcome.UNCHANGED
                ]
                assert odd == [], text
            assert [await register.out(what) for what in RegisterKind] == before
        finally:
            await register.core.writer.close()
            await store.close()


@given(MEMBERS)
@settings(max_examples=25)
def test_what_is_taken_out_and_put_in_changes_nothing(members: list[Mapping[str, object]]):
    asyncio.run(_round_trip(members))


ODD = ("=1+1", "+45 12", "-Bo", "@SUM(A1)", "'=x", "''", "'Bo", " =x", "'", "=")


@pytest.mark.both_engines
async def test_no_cell_is_a_formula_and_each_is_read_back_as_it_was(store: Store):
    """A spreadsheet computes what begins so; ours begins with an apostrophe, theirs may too."""
    register = await open_register(store)
    odd = [
        {
            "name": text, "birth": f"1960-01-{day:02}", "numbered": False, "mailed": False,
            "club": None, "district": None, "citizen": None, "since": None, "lang": "da",
            "ratings": [("k", "2026-01-01", 1500, True, text)],
        }
        for day, text in enumerate(ODD, 1)
    ]  # fmt: skip
    await _fill(register, odd)
    for what in (RegisterKind.MEMBERS, RegisterKind.RATINGS):
        text = await register.out(what)
        rows = list(csv.reader(io.StringIO(text), delimiter=";"))
        assert len(rows) == 1 + len(ODD)
        assert [c for row in rows for c in row if c.startswith(("=", "+", "-", "@"))] == []
        report = await register.take(text, what)
        assert [line.outcome for line in report.lines] == [RegisterLineOutcome.UNCHANGED] * len(
            ODD
        ), report.lines
    assert set(await register.everybody()) == set(ODD)


def _file(count: int, rating: int) -> str:
    lines = "\n".join(
        f"{n};Navn {n};{1 + n % 28}-1-1960;m{n}@example.org;1001;{rating}" for n in range(count)
    )
    return f"Nr;Navn;Født;Mail;Klub;K-rating\n{lines}\n"


async def test_more_members_cost_no_more_statements(store: Store):
    register = await open_register(store)
    counts = {}
    for members, rating in ((100, 1500), (400, 1600)):
        for step in ("added", "changed"):
            with statements() as seen:
                report = await register.take(_file(members, rating + (step == "changed")))
            assert report.is_done
            counts[members, step] = len(seen)
    assert counts[400, "changed"] == counts[100, "changed"] < 30
    assert counts[400, "added"] <= counts[100, "added"] + 8 < 40


async def test_progress_is_told_every_thousand_lines(store: Store):
    register = await open_register(store)
    told: list[tuple[str, int, int]] = []
    text = _file(3000, 1500)
    report = await import_file(
        register.core,
        RegisterKind.MEMBERS,
        text.encode(),
        OPERATOR,
        Rules(),
        lambda *one: told.append(one),
    )
    assert report.is_done
    assert told == [
        *(("check", n, 3000) for n in (1000, 2000, 3000)),
        *(("write", n, 3000) for n in (1000, 2000, 3000)),
    ]
    async with store.read() as conn:
        assert (await member_rows.search(conn, "navn 2999", 0, 10))[0] == 1
