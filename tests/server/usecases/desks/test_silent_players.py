"""One line a silent player, however many of his games wait for him (§ 6.3.4)."""

from dataclasses import replace
from datetime import date

from server.store.desk_lists import DeskGameRow
from server.usecases.desks.desk_overview import by_player

LINE = DeskGameRow(
    1, "K/1", "K", "Anna Ager", "Bo Berg", "Bo Berg", None, None, None, "2026-09-01", 7, 8, 8, b""
)


def test_40_players_and_203_games_are_40_lines_with_the_longest_silence_first() -> None:
    lines = [
        replace(LINE, game_id=n, to_move_id=n % 40 + 1, to_move=f"P{n % 40}") for n in range(1, 204)
    ]
    found = by_player(lines)
    assert len(found) == 40
    assert sum(len(one.games) for one in found) == 203
    assert (found[0].person_id, found[0].name) == (2, "P1")


def test_a_line_has_the_longest_silence_and_the_first_notice() -> None:
    games = (
        replace(LINE, since=date(2026, 10, 3), told_us=None),
        replace(LINE, game_id=2, since=date(2026, 9, 20), told_us=9),
        replace(LINE, game_id=3, since=None, told_us=5),
    )
    (one,) = by_player(games)
    assert (one.since, one.told_us) == (date(2026, 9, 1), 5)
    (quiet,) = by_player(games[:1])
    assert (quiet.since, quiet.told_us) == (date(2026, 10, 3), None)


def test_games_in_which_it_is_nobodys_move_stand_alone() -> None:
    lines = [replace(LINE, game_id=n, to_move_id=None, to_move=None) for n in (1, 2)]
    assert [(one.person_id, len(one.games)) for one in by_player(lines)] == [(None, 1)] * 2
