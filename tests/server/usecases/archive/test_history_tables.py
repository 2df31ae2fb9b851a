"""Final tables of the past: lines into the archive, players known or told, results that count."""

from datetime import date

import pytest

from kskak.archive.past_game import PastPlayer, past_pgn
from server.store.archive import writing as archive_rows
from server.store.archive.reading import ArchiveCriteria
from server.usecases.archive.table_import import ArchiveImportOutcome, ArchiveImportReport
from server.usecases.entries import entry_judging as judging
from tests.fakes.history import HEADER, Archive, codes, counts, notes, past_game
from tests.fakes.machinery.each import each, rows

LINES = """EMT 2024 K-1;K;2025-05-01;4001;Anna Ager;4½;6;2
EMT 2024 K-1;K;2025-05-01;;Bo Berg;3,5;6;3
EMT 2024 K-1;K;2025-05-01;;Carl Carlsen;0;6;7
"""


def _unclear(report: ArchiveImportReport) -> list[tuple[str, str]]:
    return [(one.name, one.problem.code) for one in report.unclear]


async def test_a_table_links_by_number_and_by_a_name_that_one_has_and_tells_the_others(archive):
    anna, bo = await archive.person("Anna A. Ager", "4001"), await archive.person("Bo Berg", "4002")
    report = await archive.take_text("k.csv", HEADER + LINES)
    assert (counts(report), report.linked, report.results) == ({"added": 3}, 2, 2)
    assert _unclear(report) == [("Carl Carlsen", "nobody")]
    (result,) = await archive.results(anna)
    assert (result.event, result.wish, result.name, result.finished) == (
        "emt", "K", "EMT 2024 K-1", date(2025, 5, 1),
    )  # fmt: skip
    assert (result.halves, result.games, result.place, result.entered_by) == (9, 6, 2, None)
    assert result.source == "k.csv, 2"
    assert [one.halves for one in await archive.results(bo)] == [7]


async def test_a_second_run_doubles_nothing_and_links_who_has_come_since(archive: Archive):
    path = archive.write("k.csv", HEADER + LINES)
    first = await archive.take(path)
    assert (first.linked, first.results) == (0, 0)
    carl = await archive.person("Carl Carlsen", "4003")
    second = await archive.take(path)
    assert (second.files[0].is_known, second.linked, second.results) == (True, 1, 1)
    assert len(await archive.results(carl)) == 1
    again = await archive.take(path, again=True)
    assert (counts(again), again.results) == ({"known": 3}, 0)
    assert len(await archive.results(carl)) == 1


@rows(
    "people line code",
    ([("Anna Ager", "1"), ("Anna Ager", "2")], ";Anna Ager", "ambiguous"),
    ([("Anna Ager", "1")], "1;Viggo Vang", "other_person"),
    ([("Anna Ager", "1")], "9;Anna Ager", "no_number"),
    ([("Anna Ager", "1")], ";A. Ager", "nobody"),
    ([("Anna Ager", "1")], ";Ager", "nobody"),
)
async def test_nobody_is_guessed(archive: Archive, people: list, line: str, code: str):
    known = [await archive.person(*told) for told in people]
    report = await archive.take_text("k.csv", f"{HEADER}EMT;K;2025-05-01;{line};3;6;\n")
    assert (counts(report), report.linked) == ({"added": 1}, 0)
    assert [problem for _, problem in _unclear(report)] == [code]
    assert [await archive.results(one) for one in known] == [()] * len(known)


async def test_a_number_alone_takes_the_name_from_the_register(archive: Archive):
    anna = await archive.person("Anna Ager", "4001")
    line = "EMT;K;2025-05-01;{};;3;6;\n"
    report = await archive.take_text("k.csv", HEADER + line.format(4001) + line.format(4009))
    assert codes(report) == [(None, 3, "name_for_number")]
    assert len(await archive.results(anna)) == 1


WRONG = {
    "finished": ("EMT;K;i går;1;A B;3;6;", "bad_day"),
    "future": ("EMT;K;2027-01-01;1;A B;3;6;", "in_future"),
    "points": ("EMT;K;2025-05-01;1;A B;mange;6;", "points"),
    "score": ("EMT;K;2025-05-01;1;A B;6½;6;", "score"),
    "games": ("EMT;K;2025-05-01;1;A B;3;0;", "whole"),
    "place": ("EMT;K;2025-05-01;1;A B;3;6;først", "whole"),
    "event": (";K;2025-05-01;1;A B;3;6;", "cell_missing"),
    "player": ("EMT;K;2025-05-01;;;3;6;", "no_player"),
    "cells": ("EMT;K;2025-05-01;1;A B;3;6", "cell_count"),
    "long": (f"{'x' * 121};K;2025-05-01;1;A B;3;6;", "not_one_line"),
}


@pytest.mark.parametrize("what", WRONG)
async def test_a_line_that_cannot_be_used_is_told_and_the_others_are_taken(archive, what):
    line, code = WRONG[what]
    report = await archive.take_text("k.csv", f"{HEADER}{line}\n{LINES}")
    assert codes(report) == [(None, 2, code)]
    assert counts(report) == {"added": 3, "refused": 1}


@pytest.mark.both_engines
async def test_the_kind_is_told_or_follows_from_the_class(archive: Archive):
    one = await archive.person("Anna Ager", "1")
    head = "Art;Turnering;Runde;Afsluttet;Nr;Navn;Point;Partier;Tilmeldte;Semifinale\n"
    lines = """;Pokal 24;Finale;1-5-2025;1;Anna Ager;8;10;60;ja
ICCF;VM 33;vm-semi;1-6-2025;1;Anna Ager;8;14;;
pokal;Pokal 25;semi;1-7-2025;1;Anna Ager;4.0;6;20;nej
hold;Holdturnering 2025;1. division;1-8-2025;1;Anna Ager;4 1/2;6;;
;EMT;åben;1-9-2025;1;Anna Ager;½;6;;
"""
    report = await archive.take_text("k.csv", head + lines)
    assert (counts(report), report.results) == ({"added": 5}, 4), notes(report)
    found = [
        (r.event, r.wish, r.halves, r.entries, r.semi_held) for r in await archive.results(one)
    ]
    assert found == [
        ("cup", "final", 16, 60, True),
        ("iccf", "VM-semi", 16, 0, True),
        ("cup", "semi", 8, 20, False),
        ("emt", "Å", 1, 0, True),
    ]
    async with archive.core.store.read() as conn:
        told = await archive_rows.list_person_table_lines(conn, one)
    assert ("other", "1. division", 9) in [(row.kind, row.wish, row.halves) for row in told]


@each(
    "line code",
    ("pokal;Pokal;K;1-5-2025;1;Anna Ager;3;6;;", "wish"),
    ("skat;Pokal;K;1-5-2025;1;Anna Ager;3;6;;", "kind"),
    ("emt;EMT;Z;1-5-2025;1;Anna Ager;3;6;;", "wish"),
    ("emt;EMT;K;1-5-2025;1;Anna Ager;3;6;nul;", "whole"),
    ("emt;EMT;K;1-5-2025;1;Anna Ager;3;6;;måske", "bad_yes_no"),
)
async def test_a_kind_and_class_that_do_not_fit_are_told(archive: Archive, line: str, code: str):
    head = "Art;Turnering;Runde;Afsluttet;Nr;Navn;Point;Partier;Tilmeldte;Semifinale\n"
    assert codes(await archive.take_text("k.csv", f"{head}{line}\n")) == [(None, 2, code)]


async def test_a_line_that_says_otherwise_than_the_archive_is_refused(archive: Archive):
    await archive.take_text("k.csv", HEADER + LINES)
    other = LINES.replace("4½", "5").replace("Bo Berg", "BERG, BO").replace("EMT 2024", "emt-2024")
    report = await archive.take_text("k2.csv", HEADER + other)
    assert codes(report) == [(None, 2, "other_score")]
    assert notes(report)[0].problem.hint == "4½/6"
    assert codes(report, ArchiveImportOutcome.KNOWN) == [
        (None, 3, "known_line"),
        (None, 4, "known_line"),
    ]


async def test_a_result_that_an_official_entered_or_removed_is_not_made_again(archive: Archive):
    anna = await archive.person("Anna Ager", "4001")
    await archive.take_text("k.csv", HEADER + LINES)
    (row,) = await archive.results(anna)
    async with archive.core.store.write() as conn:
        assert await judging.entry_rows.remove_past_result(conn, row.id, anna, 1)
    report = await archive.take_text("k2.csv", HEADER + LINES.replace("K-1", "K1"))
    assert report.results == 0
    assert await archive.results(anna) == ()


async def test_games_are_the_members_too(archive: Archive):
    anna = await archive.person("Anna Ager", "4001")
    text = past_pgn(past_game()) + "\n" + past_pgn(past_game(black=PastPlayer("Ib I", "4001")),
                                                     with_numbers=True)  # fmt: skip
    report = await archive.take_text("old.pgn", text)
    assert (report.linked, report.strangers) == (1, 2)
    assert _unclear(report) == [("Ib I", "other_person")]
    assert len(await archive.games(ArchiveCriteria(person_id=anna))) == 2


async def test_a_dry_run_tells_whom_it_would_know_and_keeps_nothing(archive: Archive):
    anna = await archive.person("Anna Ager", "4001")
    report = await archive.take_text("k.csv", HEADER + LINES, dry_run=True)
    assert (counts(report), report.linked) == ({"added": 3}, 1)
    assert _unclear(report) == [("Bo Berg", "nobody"), ("Carl Carlsen", "nobody")]
    assert await archive.results(anna) == ()
