"""§ 1.1.22: a theme tournament's group is started from its waiting list."""

from datetime import date

import pytest

from kskak.entries.entry import EntryProblem, EntryRefusal
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store.engine.store import Store
from server.usecases.entries.entry_actions import Theme, record_fee, start_by_leader, start_theme
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.groups.group_file import StartedGroup
from server.usecases.rights import NoSuch, NotAllowed
from tests.fakes.entries import START, Federation, federation

KINGS_GAMBIT = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2"


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Three players with valid entries to the theme list, one who has not paid."""
    made = await federation(store)
    for number in range(4):
        await made.player(f"p{number}")
        row = await made.enter(f"p{number}", "theme")
        if number < 3:
            await record_fee(made.core, made.people["tove"], row.id, START)
    return made


async def started(fed: Federation, theme: Theme, by: str = "tove") -> object:
    return await start_theme(fed.core, fed.people[by], fed.lists["theme"].id, theme)


async def test_all_valid_entries_play_from_the_theme_the_leader_gave(fed: Federation) -> None:
    """Verdict: three players, each pair once, every game from the position; one waits on."""
    made = await started(fed, Theme(KINGS_GAMBIT, date(2026, 12, 1)))
    assert isinstance(made, StartedGroup) and (made.name, made.games) == ("T-26-01", 3)
    group, rows = await fed.group("T-26-01"), await fed.group_games(made.id)
    async with fed.core.store.read() as conn:
        (left,) = await entry_rows.on_lists(conn, [fed.lists["theme"].id], ["waiting", "valid"])
    assert (group.class_, group.fen, group.start) == ("theme", KINGS_GAMBIT, "2026-12-01")
    assert {row.state().terms.fen for row in rows} == {KINGS_GAMBIT}
    assert left.player == "P3"
    assert await started(fed, Theme(KINGS_GAMBIT)) == EntryRefusal((EntryProblem.TOO_FEW,))


async def test_a_double_round_meets_twice(fed: Federation) -> None:
    made = await started(fed, Theme(KINGS_GAMBIT, is_double=True))
    assert isinstance(made, StartedGroup) and made.games == 6


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        *((fen, EntryProblem.THEME) for fen in ("", "kings gambit", "8/8/8/8/8/8/8/8 w - - 0 1")),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", EntryProblem.THEME_OVER),  # mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", EntryProblem.THEME_OVER),  # stalemate
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", EntryProblem.THEME_OVER),  # nobody can mate
        ("7k/8/6K1/8/8/8/8/R7 w - - 150 99", EntryProblem.THEME_OVER),  # no progress in 75 moves
    ],
)
async def test_a_theme_that_cannot_be_played_or_is_over_is_refused(fed, fen, problem):
    """Verdict: by § 1.1.22 in its own words, and nothing was started; a step before is taken."""
    refused = await started(fed, Theme(fen))
    assert isinstance(refused, EntryRefusal)
    assert (refused.reasons, refused.paragraphs) == ((problem,), ("1.1.22",))
    async with fed.core.store.read() as conn:
        assert await group_rows.everything(conn) == ()
    assert isinstance(await started(fed, Theme("7k/8/6K1/8/8/8/8/R7 w - - 149 99")), StartedGroup)


async def test_only_the_list_s_officials_start_it_and_only_a_theme_list(fed: Federation) -> None:
    """§ 6.1.1. Verdict: not a player nor another leader; the cup's list makes no group so."""
    for name in ("p0", "ole"):
        with pytest.raises(NotAllowed):
            await started(fed, Theme(KINGS_GAMBIT), name)
    with pytest.raises(NoSuch):
        await start_theme(fed.core, fed.people["tove"], 999, Theme(KINGS_GAMBIT))
    for wish in ("cup", "K"):
        done = await start_theme(
            fed.core, fed.people["tove"], fed.lists[wish].id, Theme(KINGS_GAMBIT)
        )
        assert done == EntryRefusal((EntryProblem.NOT_BY_LIST,))
    for wish in ("theme", "cup"):
        plain = await start_by_leader(fed.core, fed.people["tove"], fed.lists[wish].id)
        assert plain == EntryRefusal((EntryProblem.NOT_BY_LIST,))


async def test_a_leader_on_his_own_list_starts_nothing(fed: Federation) -> None:
    """§ 6.1.1. Verdict: the group waits for another leader."""
    await fed.enter("tove", "theme", stated=EntryStatement(member="1", born=date(1950, 1, 1)))
    async with fed.core.store.read() as conn:
        mine = await entry_rows.entries_of(conn, fed.people["tove"].id)
    await record_fee(fed.core, fed.people["kaj"], mine[0].id, START)
    assert await started(fed, Theme(KINGS_GAMBIT), "kaj") == EntryRefusal(
        (EntryProblem.LEADER_PLAYS,)
    )
