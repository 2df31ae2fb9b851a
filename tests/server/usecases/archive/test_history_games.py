"""Past games into the archive: kept as they are, once, whatever the spelling; broken ones told."""

import json
from dataclasses import replace

import pytest

from kskak.archive.past_game import UNKNOWN_DAY, PastPlayer, past_pgn
from kskak.regulation.editions import Result
from server.store.archive.reading import ArchiveCriteria
from server.usecases.archive import archive_import as importing
from server.usecases.archive import archive_views
from server.usecases.archive.table_import import ArchiveImportOutcome, BadPath
from tests.fakes.history import (
    HEADER,
    RUY,
    Archive,
    codes,
    counts,
    notes,
    numbered,
    packed_sans,
    past_game,
)
from tests.fakes.machinery.each import each

ANNA, BO = PastPlayer("Anna Ager"), PastPlayer("Bo Berg")


async def test_games_are_kept_with_all_that_the_file_says(archive: Archive):
    white = PastPlayer("Åse Østergård", "4711", "Nordre Skakklub", 2014)
    told = past_game(white=white, site="post", round="3", eco="C96", end="2002-00-00")
    both = (told, past_game(day="2003-00-00", result=Result.BOTH_LOSE, moves=b""))
    text = "\n".join(past_pgn(game, with_numbers=True) for game in both)
    assert counts(await archive.take_text("old.pgn", text)) == {"added": 2}
    assert tuple(row.game for row in await archive.games()) == both


@pytest.mark.both_engines
async def test_a_broken_game_is_told_with_its_line_and_the_rest_is_taken(archive: Archive):
    good = past_pgn(past_game())
    running = past_pgn(past_game(round="9")).replace("1-0", "*")
    broken = past_pgn(past_game(round="8")).replace("3. Bb5", "3. Bb6")
    text = "\n".join([broken, good, running])
    report = await archive.take_text("old.pgn", text)
    lines = [text[: text.index(part)].count("\n") + 1 for part in (broken, running)]
    assert codes(report) == [(1, lines[0], "move"), (3, lines[1], "running")]
    assert notes(report)[0].problem.value == "3. Bb6"
    assert counts(report) == {"added": 1, "refused": 2}
    assert [row.game for row in await archive.games()] == [past_game()]


SAME = {
    "surname first": {"white": PastPlayer("Ager, Anna")},
    "capitals": {"white": PastPlayer("ANNA AGER"), "black": PastPlayer("BERG, BO")},
    "an initial": {"black": PastPlayer("B. Berg")},
    "another name of the event": {"event": "Eliteturneringen 2001", "site": "Danmark"},
    "the year alone": {"day": "2001-00-00"},
    "no day": {"day": UNKNOWN_DAY, "event": ""},
    "more about the players": {"white": PastPlayer("Anna Ager", "4711", "Nordre", 1900)},
}
OTHERS = {
    "another day": {"day": "2002-05-31"},
    "another move": {"moves": packed_sans("e4", "e5", "Nf3")},
    "another player": {"white": PastPlayer("Arne Ager")},
    "colours the other way": {"white": BO, "black": ANNA},
}


@pytest.mark.parametrize("spelled", SAME)
async def test_a_game_spelled_otherwise_in_another_file_is_known(archive: Archive, spelled: str):
    await archive.take_text("old.pgn", past_pgn(past_game()))
    again = past_pgn(past_game(**SAME[spelled]), with_numbers=True)
    report = await archive.take_text("new.pgn", again)
    assert counts(report) == {"known": 1}
    assert [
        (one.problem.code, one.problem.hint) for one in notes(report, ArchiveImportOutcome.KNOWN)
    ] == [("known", "old.pgn, 1")]
    assert len(await archive.games()) == 1


@pytest.mark.parametrize("told", OTHERS)
async def test_another_game_of_the_same_players_is_not_mistaken(archive: Archive, told: str):
    texts = [past_pgn(past_game()), past_pgn(past_game(**OTHERS[told]))]
    assert counts(await archive.take_text("old.pgn", "\n".join(texts))) == {"added": 2}


async def test_two_members_with_one_name_are_told_apart_by_number(archive: Archive):
    games = [past_game(white=PastPlayer("Anna Ager", number)) for number in ("1", "2")]
    text = "\n".join(past_pgn(game, with_numbers=True) for game in games)
    assert counts(await archive.take_text("old.pgn", text)) == {"added": 2}


async def test_short_games_of_unknown_day_in_two_events_are_two(archive: Archive):
    short = past_game(moves=packed_sans("e4", "e5"), day="2001-00-00")
    texts = [past_pgn(short), past_pgn(replace(short, event="EMT 2001 K-8"))]
    assert counts(await archive.take_text("old.pgn", "\n".join(texts))) == {"added": 2}


async def test_games_without_moves_are_known_by_their_round(archive: Archive):
    text = "\n".join(past_pgn(past_game(moves=b"", round=number)) for number in "121")
    assert counts(await archive.take_text("old.pgn", text)) == {"added": 2, "known": 1}


async def test_a_known_game_with_another_result_is_told_and_changes_nothing(archive: Archive):
    await archive.take_text("old.pgn", past_pgn(past_game()))
    report = await archive.take_text("new.pgn", past_pgn(past_game(result=Result.DRAW)))
    assert codes(report, ArchiveImportOutcome.KNOWN) == [(1, 1, "other_result")]
    assert [row.game.result for row in await archive.games()] == [Result.WHITE_WINS]


async def test_a_file_that_is_done_is_not_read_again_under_any_name(archive: Archive, monkeypatch):
    await archive.take_text("old.pgn", numbered(20))
    read: list[object] = []
    monkeypatch.setattr(importing, "read_game_batches", lambda *told: read.append(told) or ())
    report = await archive.take_text("copy.pgn", numbered(20))
    assert (report.files[0].is_known, read) == (True, [])
    assert counts(report) == {"added": 20}, "what it came to then"


async def test_read_again_it_doubles_nothing(archive: Archive):
    path = archive.write("old.pgn", numbered(20))
    await archive.take(path)
    assert counts(await archive.take(path, again=True)) == {"known": 20}
    assert len(await archive.games()) == 20


async def test_a_dry_run_tells_what_would_be_and_keeps_nothing(archive: Archive, monkeypatch):
    monkeypatch.setattr(importing, "BATCH", 3)
    text = numbered(8) + "\n" + numbered(2) + "\n" + past_pgn(past_game()).replace("1-0", "*")
    path = archive.write("old.pgn", text)
    tried = await archive.take(path, dry_run=True)
    assert counts(tried) == {"added": 8, "known": 2, "refused": 1}
    assert await archive.games() == ()
    assert counts(await archive.take(path)) == counts(tried)


async def test_a_file_is_read_in_batches_with_the_same_outcome(archive: Archive, monkeypatch):
    monkeypatch.setattr(importing, "BATCH", 5)
    text = numbered(23) + "\n" + past_pgn(past_game()).replace("1-0", "*")
    report = await archive.take_text("old.pgn", text)
    assert counts(report) == {"added": 23, "refused": 1}
    assert [row.game.round for row in await archive.games()] == [str(n) for n in range(23)]


LEDGER = {
    "format": "kskak-ledger/1", "game": "E-2001-07/3", "regulation": "email",
    "start": "2001-05-31", "white": "Anna Ager", "black": "Bo Berg", "fen": None,
    "entries": [
        {"kind": "move", "by": "white", "move": "5254", "sent": "2001-06-01"},
        {"kind": "move", "by": "black", "move": "5755", "sent": "2001-06-03"},
        {"kind": "resign", "by": "black", "on": "2001-06-04"},
    ],
}  # fmt: skip


async def test_a_ledger_is_a_game_with_its_account(archive: Archive):
    report = await archive.take_text("3.json", json.dumps(LEDGER))
    assert counts(report) == {"added": 1}
    (row,) = await archive.games()
    assert row.has_ledger
    assert row.game == past_game(event="E-2001-07", moves=packed_sans("e4", "e5"))


async def test_a_ledger_completes_the_game_that_came_as_pgn(archive: Archive):
    pgn = archive.write("old.pgn", past_pgn(past_game(moves=packed_sans("e4", "e5"))))
    ledger = archive.write("3.json", json.dumps(LEDGER))
    tried = await archive.take(pgn, ledger, dry_run=True)
    assert counts(tried) == {"added": 1, "completed": 1}
    assert counts(await archive.take(pgn, ledger)) == counts(tried)
    (row,) = await archive.games()
    assert (row.has_ledger, row.game.event) == (True, "EMT 2001 K-7")
    assert counts(await archive.take(ledger)) == {"known": 1}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"entries": LEDGER["entries"][:2]}, "running"),
        ({"start": "2027-01-01", "entries": LEDGER["entries"][2:]}, "day"),
        ({"format": "other"}, "ledger"),
        ({"entries": [{"kind": "move", "by": "white", "move": "5255", "sent": "2001-06-01"}]},
         "ledger"),
        ({"white": " "}, "player"),
        ({"game": "x" * 121}, "long"),
    ],
)  # fmt: skip
async def test_a_ledger_that_cannot_be_used_says_why(archive: Archive, changed: dict, code: str):
    good = archive.write("4.json", json.dumps(LEDGER))
    bad = archive.write("3.json", json.dumps(LEDGER | changed))
    report = await archive.take(bad, good)
    assert codes(report) == [(1, 1, code)]
    assert counts(report) == {"added": 1, "refused": 1}


@each(
    "name text code",
    ("old.pgn", "Kære læser", "no_pgn"),
    ("old.txt", "?", "ending"),
    ("old.csv", "Turnering;Navn\nx;y\n", "column_missing"),
    ("old.csv", b"Turnering;\x81\n", "not_utf8"),
)
async def test_a_path_that_cannot_be_read_changes_nothing_at_all(archive, name, text, code):
    good = archive.write("good.pgn", past_pgn(past_game()))
    bad = archive.write(name, text)
    with pytest.raises(BadPath) as caught:
        await archive.take(good, bad)
    assert (caught.value.path, caught.value.problem.code) == (bad, code)
    assert await archive.games() == ()


async def test_a_folder_is_all_that_is_in_it(archive: Archive):
    archive.write("one.pgn", past_pgn(past_game()))
    (archive.folder / "more").mkdir()
    archive.write("more/TWO.PGN", past_pgn(past_game(day="1999-01-01")))
    archive.write("notes.txt", "?")
    assert counts(await archive.take(archive.folder)) == {"added": 2}


# The archive as it is asked, on both kinds of database: searches, pages, a member's past.


@pytest.mark.both_engines
async def test_each_question_is_answered_alike(archive: Archive):
    anna = await archive.person("Anna Ager", "4001")
    other = past_game(white=PastPlayer("Åse Ås"), day="1987-05-00", event="Pokal 1987")
    await archive.take_text("old.pgn", past_pgn(past_game()) + "\n" + past_pgn(other))
    line = "EMT 2001 K-7;K;2002-05-01;4001;Anna Ager;5;6;1\n"
    await archive.take_text("k.csv", HEADER + line)
    for wanted, games, events in (
        (ArchiveCriteria(), ["2001-05-31", "1987-05-00"], ["EMT 2001 K-7"]),
        (ArchiveCriteria(player="aase aas"), ["1987-05-00"], []),
        (ArchiveCriteria(player="ager"), ["2001-05-31"], ["EMT 2001 K-7"]),
        (ArchiveCriteria(year=1987), ["1987-05-00"], []),
        (ArchiveCriteria(year=2002), [], ["EMT 2001 K-7"]),
        (ArchiveCriteria(event="pokal"), ["1987-05-00"], ["Pokal 1987"]),
        (ArchiveCriteria(event="k 7"), ["2001-05-31"], ["EMT 2001 K-7"]),
        (ArchiveCriteria(person_id=anna), ["2001-05-31"], ["EMT 2001 K-7"]),
    ):
        found = await archive_views.search(archive.core, wanted, None)
        assert [row.game.day for row in found.games] == games, wanted
        assert [name for _, name in found.events] == events, wanted
        assert (found.after, found.count, found.is_cut) == (None, 2, False)
    past = await archive_views.read_person_past(archive.core, anna)
    assert [(row.event, row.halves) for row in past.standings] == [("EMT 2001 K-7", 10)]
    assert [row.white_person for row in past.games] == [anna]


@pytest.mark.both_engines
async def test_games_are_listed_and_counted_by_the_day_they_ended(archive, monkeypatch):
    monkeypatch.setattr(archive_views, "PAGE", 2)
    anna = await archive.person("Anna Ager", "4001")
    ended = {
        "1": "2003-01-09",
        "2": "2001-07-01",
        "3": "0000-00-00",
        "4": "2002-02-00",
        "5": "2001-07-01",
    }
    games = (
        past_game(round=one, end=day, day="2001-09-12", moves=packed_sans(*RUY[: 6 + int(one)]))
        for one, day in ended.items()
    )
    await archive.take_text("one-day.pgn", "\n".join(past_pgn(game) for game in games))
    await archive.take_text("k.csv", HEADER + "EMT 2001 K-7;K;2002-05-01;4001;Anna Ager;5;6;1\n")
    newest = ["1", "4", "3", "5", "2"]
    for wanted in (
        ArchiveCriteria(),
        ArchiveCriteria(player="berg"),
        ArchiveCriteria(codes=("C00", "C99")),
    ):
        for is_oldest_first in (False, True):
            seen, after = [], None
            while not seen or after is not None:
                found = await archive_views.search(
                    archive.core, wanted, after, is_oldest_first=is_oldest_first
                )
                seen += [row.game.round for row in found.games]
                after = found.after
            assert seen == (newest[::-1] if is_oldest_first else newest), wanted
    past = await archive_views.read_person_past(archive.core, anna)
    assert [row.game.round for row in past.games] == newest
    found = await archive_views.search(archive.core, ArchiveCriteria(year=2001), None)
    assert [row.game.round for row in found.games] == ["3", "5"] and found.after is not None


async def test_a_page_goes_on_after_the_last_game_of_one_day(archive, monkeypatch):
    monkeypatch.setattr(archive_views, "PAGE", 4)
    games = (past_game(black=PastPlayer(f"Bo B{n}")) for n in "abcdefghij")
    await archive.take_text("day.pgn", "\n".join(past_pgn(game) for game in games))
    await archive.take_text("many.pgn", numbered(3))
    seen, after = [], None
    while True:
        found = await archive_views.search(archive.core, ArchiveCriteria(), after)
        seen += [row.id for row in found.games]
        after = found.after
        if after is None:
            break
    assert len(seen) == len(set(seen)) == 13
    event = await archive_views.event(archive.core, 1, None)
    assert event is not None and len(event.games) == 4 and event.after is not None
