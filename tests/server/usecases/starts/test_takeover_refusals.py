"""What a takeover refuses: each in one line with file, place and remedy, and nothing is kept."""

import pytest

from server.usecases.starts.takeover_games import TakeoverError
from tests.fakes.machinery.each import each
from tests.fakes.takeovers import (
    PLAYED,
    UNBEGUN,
    counts,
    division_file,
    group_file,
    ledger,
    move,
    short,
    take_over,
    three,
)
from tests.fakes.world import World

LEAVE = {"kind": "leave", "by": "white", "from": "2026-10-01", "to": "2026-10-02"}


def of_anna(*entries: dict[str, object], **head: object) -> bytes:
    return ledger([*PLAYED, *entries], **head)


WRONG: dict[str, tuple[dict[str, bytes | None], str]] = {
    "no group file": ({"group.toml": None}, "group.toml: is missing"),
    "group file": ({"group.toml": b"tournament = 1"}, "group.toml: tournament"),
    "not UTF-8": ({"group.toml": b"\xff"}, "group.toml: not UTF-8 at byte 1"),
    "lots": (
        {"group.toml": group_file(third=True).replace(b"draw = false", b"")},
        "draw: the group's numbers are drawn already",
    ),
    "two of one name": (
        {"group.toml": group_file(third=True).replace(b"C. Kaptajn", b"Bo Berg")},
        "Bo Berg stands twice",
    ),
    "a division of the league without its games": (
        {"group.toml": division_file()},
        "1.json: Anna Ager is no player of the group",
    ),
    "not begun": (
        {"group.toml": group_file(third=True).replace(b"2026-09-01", b"2026-11-03")},
        "the group has not begun",
    ),
    "a missing game": ({"1.json": None}, "no file for K-26-07/2 (Anna Ager - Bo Berg); write"),
    "all missing": (
        {"1.json": None, "2.toml": None, "3.toml": None},
        "K-26-07/1 (Bo Berg - C. Kaptajn), K-26-07/2 (Anna Ager - Bo Berg), K-26-07/3",
    ),
    "twice": ({"9.json": of_anna()}, "9.json: K-26-07/2 is in 1.json too"),
    "unknown name": ({"1.json": of_anna(white="Ane Ager")}, "1.json: Ane Ager is no player"),
    "colours": (
        {"1.json": of_anna(white="Bo Berg", black="Anna Ager")},
        "Anna Ager has White in K-26-07/2 by the schedule (§ 4.9.11)",
    ),
    "with himself": (
        {"1.json": of_anna(black="Anna Ager")},
        "1.json: Anna Ager does not play Anna Ager",
    ),
    "a copy for strangers": (
        {"1.json": of_anna({**LEAVE, "type": "untold"})},
        "1.json: a copy for strangers, its leave is without type and notice",
    ),
    "number": ({"1.json": of_anna(game="K-26-07/3")}, "is K-26-07/2 by the schedule"),
    "start": ({"1.json": of_anna(start="2026-09-02")}, "start is 2026-09-02, but the group's is"),
    "regulation": ({"1.json": of_anna(regulation="postal")}, "regulation is postal"),
    "laws": ({"1.json": of_anna(laws=2014)}, "laws is 2014, but the group's is 2018"),
    "fen": ({"1.json": of_anna(fen="7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")}, "fen is 7k"),
    "not JSON": ({"1.json": b"{"}, "1.json: not JSON: "),
    "deep": ({"1.json": b"[" * 100_000}, "1.json: not JSON"),
    "no object": ({"1.json": b"[]"}, "1.json: ledger: must be a JSON object"),
    "entry": (
        {"1.json": of_anna({"kind": "nonsense"})},
        "1.json: entry 3: kind 'nonsense' is unknown",
    ),
    "illegal": (
        {"1.json": of_anna(move("black", "5755", "2026-10-09"))},
        "1.json: entry 3: e7e5 is not legal (§ 6.8.4)",
    ),
    "turn": (
        {"1.json": of_anna(move("white", "6134", "2026-10-09"))},
        "1.json: entry 3: not white's turn (§ 6.2.1)",
    ),
    "dates": ({"1.json": of_anna(move("black", "2836", "2026-10-01"))}, "1.json: entry 3: "),
    "over": (
        {
            "1.json": of_anna(
                {"kind": "resign", "by": "black", "on": "2026-10-09"},
                move("black", "2836", "2026-10-10"),
            )
        },
        "1.json: entry 4: the game is over (§ 6.2.6); take the entry out",
    ),
    "series": (
        {"1.json": of_anna(move("black", "2836", "2026-10-09", proposes=["6134"]))},
        "(§ 6.2.5)",
    ),
    "future": (
        {"1.json": of_anna(move("black", "2836", "2026-11-03"))},
        "1.json: entry 3: 2026-11-03 is after today, 2026-11-02",
    ),
    "a year mistyped in leave": (
        {
            "3.toml": short(
                x="[[leave]]\nby='white'\nfrom=0026-10-05\nto=0026-10-06\nnotified=2026-09-01"
            )
        },
        "3.toml: entry 0: 0026-10-05 is outside the game, check the year and write a day from",
    ),
    "a year mistyped in a ledger": (
        {
            "1.json": of_anna(
                {"kind": "pause", "from": "2026-10-09", "to": "2999-10-12", "reason": "outage"}
            )
        },
        "1.json: entry 3: 2999-10-12 is outside the game, check the year and write a day from",
    ),
    "not TOML": ({"3.toml": b"white ="}, "3.toml: not TOML: "),
    "unknown key": ({"3.toml": short(moved='moved = "e4"')}, "3.toml: moved: is not a key"),
    "no name": ({"3.toml": short(white="")}, "3.toml: white: is missing"),
    "no moves": ({"3.toml": short(moves="")}, "3.toml: moves: write the moves, or not_started"),
    "no totals": ({"3.toml": short(totals="")}, "3.toml: totals: write the days used"),
    "below 0": (
        {"3.toml": short(totals="totals = { white = -1, black = 0 }")},
        "3.toml: totals.white: ",
    ),
    "no sending": ({"3.toml": short(sent="")}, "3.toml: sent: write the day"),
    "sent before the start": (
        {"3.toml": short(sent="sent = 2026-08-01", received="")},
        "3.toml: sent: write a day that is not before 2026-09-01",
    ),
    "received before sent": (
        {"3.toml": short(received="received = 2026-10-19")},
        "3.toml: received: write a day that is not before sent",
    ),
    "received tomorrow": ({"3.toml": short(received="received = 2026-11-03")}, "3.toml: entry "),
    "unreadable move": (
        {"3.toml": short(moves='moves = "1. e4 e5 2. Qxf7"')},
        "3.toml: moves: 2. 'Qxf7': illegal",
    ),
    "two ways": (
        {"3.toml": short(moves='moves = "1. d4 d5 2. Nf3 Nf6 3. Nd2"')},
        "3.toml: moves: 3. 'Nd2': ambiguous; it could be ",
    ),
    "half a result": ({"3.toml": short(result='result = "1-0"')}, "3.toml: ended: write result"),
    "both lost": (
        {"3.toml": short(result='result = "0-0"', ended="ended = 2026-10-25")},
        "3.toml: ruling: write who decided",
    ),
    "ruling alone": ({"3.toml": short(ruling='ruling = "why"')}, "3.toml: ruling: write the res"),
    "mate lost": (
        {
            "3.toml": short(
                moves='moves = "1. f3 e5 2. g4 Qh4"',
                result='result = "1-0"',
                ended="ended = 2026-10-25",
            )
        },
        "3.toml: result is 1-0, but by the moves it is 0-1",
    ),
    "begun after all": (
        {"2.toml": short(UNBEGUN, moves='moves = "1. e4"')},
        "2.toml: not_started: a game that has not begun",
    ),
    "too much leave": (
        {"3.toml": short(leave_used="leave_used = { white = 60, black = 0 }")},
        "3.toml: leave_used: 60 days of white do not fit before 2026-10-20",
    ),
    "unknown key of the totals": (
        {"3.toml": short(totals="totals = { white = 1, black = 0, both = 1 }")},
        "3.toml: totals.both: is not a key of totals; the keys are white, black",
    ),
    "unknown key of leave": (
        {"3.toml": short(x="[[leave]]\nby='white'\nfrom=2026-10-05\nto=2026-10-06\ntill=1")},
        "3.toml: leave.1.till: is not a key of [[leave]]; the keys are by, from, to, notified",
    ),
    "no totals table": (
        {"3.toml": short(totals="totals = 5")},
        "3.toml: totals: write a table, with the keys white, black",
    ),
    "leave backwards": (
        {"3.toml": short(x="[[leave]]\nby='white'\nfrom=2026-10-05\nto=2026-10-04")},
        "3.toml: leave.1: to: write a day that is not before from",
    ),
    "leave untold": (
        {"3.toml": short(x="[[leave]]\nby='white'\nfrom=2026-10-05\nto=2026-10-06")},
        "3.toml: leave.1: notified: write the day",
    ),
}


@each("name", WRONG)
async def test_what_is_wrong_is_named_in_one_line_and_nothing_is_kept(world, name):
    changes, said = WRONG[name]
    files = {k: v for k, v in (three() | changes).items() if v is not None}
    before = await counts(world)
    for dry_run in (True, False):
        with pytest.raises(TakeoverError) as error:
            await take_over(world, files, dry_run=dry_run)
        assert said in str(error.value), str(error.value)
        assert "\n" not in str(error.value)
    assert await counts(world) == before


async def test_a_known_group_is_refused_and_nothing_is_kept(world: World) -> None:
    await take_over(world, three())
    before = await counts(world)
    with pytest.raises(TakeoverError, match=r"K-26-07 is here already"):
        await take_over(world, three())
    assert await counts(world) == before


async def test_another_name_for_a_known_address_is_refused_after_all_was_read(world):
    files = {k: v.replace(b"C. Kaptajn", b"Carl") for k, v in three().items()}
    before = await counts(world)
    with pytest.raises(TakeoverError, match="is registered as C. Kaptajn, not Carl"):
        await take_over(world, files)
    assert await counts(world) == before
