"""What spans games is decided once, whichever of two processes is asked: on both databases.

Each pair is asked at once, one at each of two stores on one database, as two processes have them.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import Table, func, select

from kskak.cup import CupStage, TieRefusal
from kskak.entries.entry import EntryFault, EntryRefusal
from kskak.office.books import BookEntry, BookEntryFault, EntryKind
from server.settings import settings_from
from server.store.books import BookEntryRow
from server.store.engine.store import Store
from server.store.entries import EntryRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.tables.base import groups
from server.store.tables.cases import entries
from server.store.tables.tournaments import cups, league_boards, league_reserves
from server.usecases import office
from server.usecases.context import Core
from server.usecases.cup.cup_rounds import (
    CupFault,
    CupRequest,
    CupRoundRequest,
    DrawnRound,
    draw_round,
    open_cup,
)
from server.usecases.entries import entry_actions
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.games.writer import Writer
from server.usecases.groups.group_file import GroupFileError, StartedGroup, read_group_file
from server.usecases.league.reserves import (
    NothingToDo,
    ReserveInput,
    ReserveRefused,
    ask_reserve,
    decide_reserve,
)
from server.usecases.reflection.leave import Leave, LeaveBookingOutcome, NotBooked, book, grant
from server.usecases.results import publishing
from server.usecases.results.titles import share_title, start_playoff
from server.usecases.starts.start_group import start_group
from tests.fakes.cups import CupScene, cup_scene, stronger
from tests.fakes.entries import START, Federation
from tests.fakes.league import address, begin_division, team_of
from tests.fakes.machinery.clock import FakeClock
from tests.server.usecases.cup.test_titles import dm

pytestmark = pytest.mark.both_engines

K = """
tournament = "K-skak-EMT 2026"
class = "K"
group = "{name}"
regulation = "email"
start = {start}
tl = "tove@example.org"
tl_name = "Tove"
draw = false
"""
PLAYER = '[[players]]\nname = "{name}"\nemail = "{email}"\n'
TIMES = 3
"""How often a pair is raced: one race may go well by chance."""


@pytest.fixture
async def beside(store: Store) -> AsyncIterator[Store]:
    """Another process's store on the same database."""
    opened = await Store.open(store.url.render_as_string(hide_password=False))
    yield opened
    await opened.close()


def other(core: Core, beside: Store) -> Core:
    """The same server in another process."""
    return replace(core, store=beside, writer=Writer(beside))


async def at_once(*asked: Awaitable[object]) -> list[object]:
    """What each is answered, or raises."""
    return await asyncio.gather(*asked, return_exceptions=True)


def of_kind(answers: list[object], kind: type) -> int:
    """How many of the answers are of a kind; nothing else may have been raised unforeseen."""
    known = (NothingToDo, GroupFileError)
    for one in answers:
        assert not isinstance(one, Exception) or isinstance(one, known), one
    return sum(isinstance(one, kind) for one in answers)


async def count(core: Core, table: Table) -> int:
    async with core.store.read() as conn:
        return int((await conn.execute(select(func.count()).select_from(table))).scalar_one())


@pytest.fixture
async def scene(store: Store) -> CupScene:
    """The cup's officials and lists."""
    core = Core(store, Writer(store), FakeClock(START), settings_from({}), b"s" * 32)
    return await cup_scene(core)


async def _playing(fed: Federation, number: int = 0) -> PersonRow:
    """Somebody who plays somebody else in two groups of one tournament."""
    people = [await fed.admit(f"{name}{number}") for name in ("anna", "bo")]
    for name in (f"K-26-{number}1", f"K-26-{number}2"):
        await start_group(fed.core, read_group_file(_file(name, people)))
    return people[0]


def _file(name: str, people: Iterable[PersonRow]) -> str:
    players = (PLAYER.format(name=one.name, email=one.email) for one in people)
    return K.format(name=name, start=START) + "".join(players)


async def _booked(core: Core, person: PersonRow) -> set[int]:
    """How many leaves stand in each of his games."""
    async with core.store.read() as conn:
        rows = await game_rows.list_person_games(conn, person.id, running=True)
    return {len(row.state().bookings) for row in rows}


async def test_6_3_6_two_leaves_beyond_the_quota_are_not_both_booked(fed, beside):
    now, cores = fed.core.clock.now(), (fed.core, other(fed.core, beside))
    days = ((date(2027, 1, 10), date(2027, 2, 5)), (date(2027, 3, 1), date(2027, 3, 27)))
    for number in range(TIMES):
        anna = await _playing(fed, number)
        asked = [Leave(anna.id, *span, "api", now) for span in days]
        answers = await at_once(*(book(c, one) for c, one in zip(cores, asked, strict=True)))
        assert of_kind(answers, LeaveBookingOutcome) == of_kind(answers, NotBooked) == 1, answers
        assert await _booked(fed.core, anna) == {1}, "in all games the same, and once"


async def test_6_8_8_two_special_leaves_beyond_30_days_are_not_both_granted(fed, beside):
    anna, now, kaj = await _playing(fed), fed.core.clock.now(), fed.people["kaj"]
    days = ((date(2027, 1, 10), date(2027, 1, 29)), (date(2027, 3, 1), date(2027, 3, 20)))
    asked = [Leave(anna.id, *span, "web", now, "K-skak-EMT 2026") for span in days]
    cores = (fed.core, other(fed.core, beside))
    answers = await at_once(*(grant(c, kaj, one) for c, one in zip(cores, asked, strict=True)))
    assert of_kind(answers, LeaveBookingOutcome) == of_kind(answers, NotBooked) == 1, answers
    assert await _booked(fed.core, anna) == {1}


async def test_6_1_a_player_without_membership_enters_one_group_not_two(fed, beside):
    cores = (fed.core, other(fed.core, beside))
    for number in range(TIMES):
        anna = await fed.player(f"anna{number}", None, member="", club="")
        asked = [EntryRequest(fed.lists[name].id, EntryStatement()) for name in ("Å", "cup")]
        answers = await at_once(
            *(enter(core, anna, one) for core, one in zip(cores, asked, strict=True))
        )
        assert of_kind(answers, EntryRow) == of_kind(answers, EntryRefusal) == 1, answers
        (no,) = (one for one in answers if isinstance(one, EntryRefusal))
        assert EntryFault.SECOND_OF_NON_MEMBER in no.reasons


async def test_the_seventh_and_eighth_fee_at_once_start_one_group_and_book_each_fee_once(
    fed: Federation, beside: Store
) -> None:
    cores = (fed.core, other(fed.core, beside))
    rows = []
    for number in range(8):
        await fed.player(f"p{number}")
        rows.append(await fed.enter(f"p{number}"))
    tove = fed.people["tove"]
    for row in rows[:6]:
        await entry_actions.record_fee(fed.core, tove, row.id, START)
    twice = [(core, row) for row in rows[6:] for core in cores]
    answers = await at_once(*(entry_actions.record_fee(c, tove, row.id, START) for c, row in twice))
    assert of_kind(answers, EntryRow) >= 2, answers
    assert await count(fed.core, groups) == 1
    assert await count(fed.core, entries) == 8


async def test_a_group_is_started_once(fed: Federation, beside: Store) -> None:
    file = _file("K-26-09", [await fed.admit(name) for name in ("anna", "bo")])
    cores = (fed.core, other(fed.core, beside))
    answers = await at_once(*(start_group(core, read_group_file(file)) for core in cores))
    assert of_kind(answers, StartedGroup) == of_kind(answers, GroupFileError) == 1, answers


async def test_6_6_a_cup_is_opened_once_and_a_round_is_drawn_once(scene, beside):
    cores = (scene.core, other(scene.core, beside))
    asked = CupRequest(2026, scene.lists["preliminary"].id, None)
    answers = await at_once(*(open_cup(core, scene.people["kc"], asked) for core in cores))
    assert of_kind(answers, CupFault) == 1, answers
    assert await count(scene.core, cups) == 1
    (cup,) = (one for one in answers if not isinstance(one, CupFault))
    await scene.enter(await scene.players(14))
    before = await count(scene.core, groups)
    drawn = await at_once(
        *(
            draw_round(core, scene.people["leader"], cup.id, CupRoundRequest(CupStage.PRELIMINARY))  # type: ignore[attr-defined]
            for core in cores
        )
    )
    assert of_kind(drawn, DrawnRound) == 1, drawn
    assert await count(scene.core, groups) - before == 2


async def test_6_7_4_3_a_reserve_is_asked_for_once_and_takes_one_board(scene, beside):
    core, second = scene.core, other(scene.core, beside)
    await begin_division(core, "DIV-1", ("Nord", "Syd"))
    team = await team_of(core, "DIV-1", "Nord")
    async with core.store.read() as conn:
        people = {one.email: one for one in await person_rows.everybody(conn)}
    captain = people[address("Nord Et")]
    wish = ReserveInput(1, "Rosa Reserve", "rosa@example.org", 1700, "")
    asked = await at_once(*(ask_reserve(c, captain, team.id, wish) for c in (core, second)))
    assert of_kind(asked, int) == of_kind(asked, NothingToDo) == 1, asked
    (first,) = (one for one in asked if isinstance(one, int))
    third = await ask_reserve(core, captain, team.id, replace(wish, board=2))
    assert isinstance(third, int), third
    leader = people["tl@example.org"]
    boards = await count(core, league_boards)
    done = await at_once(
        decide_reserve(core, leader, first, True, "Ny i klubben.", despite=True),
        decide_reserve(second, leader, third, True, "Ny i klubben.", despite=True),
    )
    assert of_kind(done, ReserveRefused) == 1, "one man, one board"
    assert await count(core, league_boards) == boards + 1
    assert await count(core, league_reserves) == 2


async def test_6_5_2_a_tie_is_settled_once(scene: CupScene, beside: Store) -> None:
    number = await dm(scene)
    await scene.play_out("DM-26", _level)
    scene.core.clock.wait(days=1)  # type: ignore[attr-defined]
    await publishing.daily(scene.core)
    leader = scene.people["leader"]
    answers = await at_once(
        start_playoff(scene.core, leader, number),
        share_title(other(scene.core, beside), leader, number, "Begges breve af 3/11."),
    )
    assert of_kind(answers, TieRefusal) == 1, answers


def _level(one: str, two: str) -> str:
    return "=" if {one, two} == {"S01", "S02"} else stronger(one, two)


async def test_an_account_is_entered_once_under_its_key_and_taken_back_once(fed, beside):
    cores, kaj = (fed.core, other(fed.core, beside)), fed.people["kaj"]
    fee = BookEntry("Pokal", EntryKind.FEE, START, 15_000, "Anna Ager", "Indskud")
    made = await at_once(*(office.enter(core, kaj, fee, "k1") for core in cores))
    assert of_kind(made, BookEntryRow) == 2 and made[0] == made[1], made
    back = await at_once(
        *(office.take_back(core, kaj, made[0].id, "Fejl") for core in cores)  # type: ignore[attr-defined]
    )
    assert of_kind(back, BookEntryRow) == of_kind(back, BookEntryFault) == 1, back
    assert await count(fed.core, entries) == 2
