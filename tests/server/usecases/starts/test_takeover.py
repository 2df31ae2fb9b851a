"""What a takeover makes of its files: totals, leave, what falls due, what is shown beforehand."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from kskak.game import game_events as ev
from kskak.game.game_commands import Reason
from kskak.reflection import count_leave_used
from kskak.regulation.editions import Side
from server.usecases.cases.case_decisions import annul_start
from server.usecases.reflection.leave import Leave, NotBooked, book
from server.usecases.starts.takeover import report_lines
from tests.fakes.takeovers import ON, UNBEGUN, group_file, ledger, move, short, take_over, three
from tests.fakes.world import BO, TL, World


async def test_a_short_file_gives_moves_totals_receipt_and_leave(world: World) -> None:
    done = await take_over(world, three())
    taken = next(game for game in done.games if game.source.file == "3.toml")
    state = taken.state
    assert taken.account.warnings == () and taken.account.overstep is None
    assert (state.position.ply, state.white.total, state.black.total) == (5, 21, 17)
    running = state.running()
    assert running is not None
    assert (running.by, running.since) == (Side.BLACK, date(2026, 10, 22))
    booked = ev.LeaveBooked(Side.WHITE, ON, ON, None)
    used = count_leave_used(state.bookings, state.terms.start, state.terms.rules, booked)
    assert used == 7
    assert state.days_on(running, ON) == 11, "the leave of before the move stops nothing now"


async def test_imported_leave_counts_against_the_quota(world: World) -> None:
    """35 days a tournament year (§ 6.3.6): 30 were used on paper, so 6 more are too many."""
    text = short(leave_used="leave_used = { white = 30, black = 0 }")
    await take_over(world, three() | {"3.toml": text, "1.json": ledger([])})
    bo = (await world.person(BO)).id
    first = date(2026, 11, 16)
    too_much = Leave(bo, first, first + timedelta(5), "web", world.clock.at)
    refused = await book(world.core, too_much)
    assert isinstance(refused, NotBooked) and refused.refusal is not None
    assert refused.refusal.reason is Reason.LEAVE_QUOTA
    fits = Leave(bo, first, first + timedelta(4), "web", world.clock.at)
    assert not isinstance(await book(world.core, fits), NotBooked)


async def test_a_game_in_which_nobody_moved_begins_with_the_takeover(world: World) -> None:
    done = await take_over(world, three())
    taken = next(game for game in done.games if game.source.file == "2.toml")
    running = taken.state.running()
    assert running is not None and running.since == ON
    assert taken.state.days_on(running, ON + timedelta(3)) == 3


async def test_a_finished_game_by_a_short_file(world: World) -> None:
    ended = {"result": 'result = "1/2-1/2"', "ended": "ended = 2026-10-25"}
    ruled = short(**(ended | {"result": 'result = "0-0"', "ruling": 'ruling = "§ 6.3.3.4"'}))
    for text, result in ((short(**ended), "1/2-1/2"), (ruled, "0-0")):
        done = await take_over(world, three() | {"3.toml": text}, dry_run=True)
        taken = next(game for game in done.games if game.source.file == "3.toml")
        assert taken.state.result is not None and taken.state.result.value == result


@pytest.mark.parametrize("regulation", ["email", "postal"])
async def test_nothing_is_due_for_the_time_before_the_takeover(world, regulation):
    """White sent 60 days ago, Black has long been over his limit, nobody was reminded."""
    entries = [move("white", "5254", "2026-09-02", **_card(regulation))]
    if regulation == "postal":
        entries.append({"kind": "receipt", "by": "black", "on": "2026-09-03"})
    files = {
        "group.toml": group_file(regulation=regulation, claims="server"),
        "1.json": ledger(entries, regulation=regulation),
    }
    await take_over(world, files)
    of_games = [row.kind for row in await world.outbox() if row.game_id is not None]
    assert of_games == ["takeover", "takeover"]
    state = (await world.row()).state()
    assert state.overstep is None and state.flag_to_find is None
    world.clock.go(ON + timedelta(13), 12)
    await world.pump()
    assert await world.kinds() == ["MoveSent", *["MoveReceived"] * (len(entries) - 1), "TakenOver"]
    world.clock.go(ON + timedelta(18), 12)
    await world.pump()
    assert "OpponentReminded" in await world.kinds()


def _card(regulation: str) -> dict[str, str]:
    return {"received": "2026-09-01"} if regulation == "postal" else {}


async def test_oversteps_and_warnings_are_shown_beforehand(world: World) -> None:
    late = [move("white", "5254", "2026-09-05"), move("black", "5755", "2026-10-25")]
    leave = {"kind": "leave", "by": "black", "from": "2026-10-26", "to": "2026-10-30"}
    lost = [*late, move("white", "7163", "2026-10-27")]
    told = ledger([*lost, leave | {"notified": "2026-10-25"}])
    done = await take_over(world, three() | {"1.json": told, "note.txt": b"?"}, dry_run=True)
    text = "\n".join(report_lines(done))
    for said in (
        "K-26-07/2: Anna Ager - Bo Berg, 3 plies, 5 and 49 days used, 0-0",
        "overstep by black: 49 of 40 days",
        "lost for both (§ 6.3.3.4)",
        "entry 3: late_notice",
        "not read: note.txt",
        "Nothing was changed.",
    ):
        assert said in text, text
    done = await take_over(world, three() | {"1.json": ledger(late)}, dry_run=True)
    text = "\n".join(report_lines(done))
    assert "nobody has claimed it" in text and "white to move" in text
    fresh = replace(done, group_id=1)
    assert "Nothing was changed." not in list(report_lines(fresh))


async def test_a_takeover_in_which_nobody_has_moved_can_be_taken_back(world: World) -> None:
    """As a start can: and then the files can be mended and taken over again."""
    unbegun = UNBEGUN.replace("Anna Ager", "Bo Berg").replace("C. Kaptajn", "Anna Ager")
    files = {"group.toml": group_file(), "1.toml": unbegun.encode()}
    done = await take_over(world, files)
    assert done.group_id is not None
    await annul_start(world.core, await world.person(TL), done.group_id, "Forkert fil.")
    assert (await take_over(world, files)).group_id is not None
