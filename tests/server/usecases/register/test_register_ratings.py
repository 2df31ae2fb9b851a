"""Ratings with their history: which is in force, corrections, files (§ 4.5, § 6.4.4)."""

import json

import pytest

from server.store import members as member_rows
from server.store.engine.store import Store
from server.store.members import RatingRow
from server.usecases.register.csv_table import RegisterKind
from tests.fakes.machinery.each import each
from tests.fakes.register import Register, open_register

HEAD = "Nr;Navn;Type;Rating;Status;Dato;Kilde\n"


@pytest.fixture
async def register(store: Store) -> Register:
    """Bo is member 1 and has no rating."""
    opened = await open_register(store)
    assert (await opened.take("Nr;Navn;Født\n1;Bo;1960-01-01")).is_done
    return opened


async def _history(register: Register) -> tuple[RatingRow, ...]:
    bo = (await register.everybody())["Bo"]
    async with register.core.store.read() as conn:
        return (await member_rows.ratings_of(conn, bo.id))[0]


@pytest.mark.both_engines
async def test_the_last_days_rating_is_in_force_however_the_file_is_ordered(register: Register):
    text = HEAD + (
        "1;Bo;K;1550;endelig;2026-10-01;liste 2\n"
        "1;Bo;K;1500;midlertidig;1-4-2026;liste 1\n"
        "1;Bo;OTB;1611;;2026-05-01;DSU\n"
    )
    assert (await register.take(text, RegisterKind.RATINGS)).is_done
    bo = (await register.everybody())["Bo"]
    assert (bo.k_rating, bo.rating) == (1550, 1611)
    kept = [(one.on_day, one.value, one.is_provisional) for one in await _history(register)]
    assert kept == [
        ("2026-10-01", 1550, False), ("2026-05-01", 1611, False), ("2026-04-01", 1500, True),
    ]  # fmt: skip


async def test_a_rating_of_a_known_day_is_corrected_not_doubled(register: Register):
    await register.take(HEAD + "1;Bo;K;1500;endelig;2026-04-01;liste", RegisterKind.RATINGS)
    report = await register.take(
        HEAD + "1;Bo;K;1510;endelig;2026-04-01;liste", RegisterKind.RATINGS
    )
    assert [line.outcome.value for line in report.lines] == ["changed"]
    assert [one.value for one in await _history(register)] == [1510]
    bo = (await register.everybody())["Bo"]
    async with register.core.store.read() as conn:
        newest = (await member_rows.changes_of(conn, bo.id))[0]
    assert json.loads(newest.fields) == [["k_rating", "1500", "1510"]]


async def test_a_rating_without_a_day_is_in_force_from_today_unless_it_is_already(register):
    text = "Nr;Navn;K-rating\n1;Bo;1500"
    assert await register.fates(text) == ["changed"]
    assert [(one.on_day, one.value) for one in await _history(register)] == [("2026-11-20", 1500)]
    register.core.clock.wait(days=3)
    assert await register.fates(text) == ["unchanged"]


async def test_a_provisional_rating_that_becomes_final_is_a_new_one(register: Register):
    await register.take("Nr;Navn;K-rating;K-rating status\n1;Bo;1500;midlertidig")
    register.core.clock.wait(days=1)
    assert await register.fates("Nr;Navn;K-rating;K-rating status\n1;Bo;1500;endelig") == [
        "changed"
    ]
    assert [one.is_provisional for one in await _history(register)] == [False, True]


@each(
    "line code",
    ("9;Ib;K;1500;;2026-01-01;", "unknown_member"),
    ("1;Bo;X;1500;;2026-01-01;", "bad_rating_kind"),
    ("1;Bo;K;;;2026-01-01;", "cell_missing"),
    ("1;Bo;K;1500;;;", "cell_missing"),
    ("1;Bo;OTB;1500;midlertidig;2026-01-01;", "otb_is_final"),
    ("1;Bo;K;1500;;2026-11-21;", "in_future"),
    ("1;Bo;K;1500;;1850-01-01;", "before_birth"),
    ("1;Bo;OTB;1500;;1959-12-31;", "before_birth"),
    ("1;Bo;K;1500;;2026-01-01;\n1;Bo;K;1501;;2026-01-01;", "twice"),
)
async def test_a_line_that_cant_be_used_is_refused(register: Register, line: str, code: str):
    assert await register.problem(HEAD + line, RegisterKind.RATINGS) == code


async def test_nobody_is_rated_before_he_is_born_nor_before_anybody_alive_was(register: Register):
    """§ 6.4.4: Bo is born on 1 January 1960; of Ib the register knows no birth date."""
    assert await register.fates("Nr;Navn;Mail\n2;Ib;ib@example.org") == ["added"]
    head = "Nr;Navn;K-rating;K-rating dato\n"
    assert await register.problem(head + "1;Bo;1500;1959-12-31") == "before_birth"
    assert await register.fates(head + "1;Bo;1500;1960-01-01") == ["changed"]
    assert await register.problem(head + "2;Ib;1500;1901-12-31") == "before_birth"
    assert await register.fates(head + "2;Ib;1500;1902-01-01") == ["changed"]
