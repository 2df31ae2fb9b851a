"""The archive as it is asked, on both kinds of database: searches, pages, a member's past."""

from pathlib import Path

import pytest

from kskak.archive.past_game import PastPlayer, past_pgn
from server.store.archive.reading import ArchiveCriteria
from server.store.engine.store import Store
from server.usecases.archive import archive_views
from tests.fakes.history import HEADER, Archive, numbered, open_archive, past_game


@pytest.fixture
def archive(store: Store, tmp_path: Path) -> Archive:
    return open_archive(store, tmp_path)


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


async def test_a_page_goes_on_after_the_last_game_of_one_day(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
):
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
