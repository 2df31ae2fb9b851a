"""A group's draw: everybody meets everybody, with colours balanced as the regulation says.

§ 6.5.2.1 and § 6.5.3.1 (3 white and 3 black, twice with a small DM), § 6.6.1.1, § 6.7.2.3 and
§ 6.7.4.2 (board by board). Counted on the games as they were set up, not on the schedule.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from kskak.regulation.editions import Side
from tests.federation.group import Group
from tests.federation.trouble import expect


def check_draw(group: Group, cycles: int, day: date) -> None:
    """Check a freshly drawn group; ``cycles`` is 2 if everybody meets twice (§ 4.9.11)."""
    games = [(match.seats[Side.WHITE].key, match.seats[Side.BLACK].key) for match in group.matches]
    keys = group.keys
    expect(len(set(keys)) == len(keys), day, group.name, "a player stands twice in the group")
    pairs = Counter(frozenset(game) for game in games)
    size = len(keys)
    is_whole = len(pairs) == size * (size - 1) // 2 and set(pairs.values()) == {cycles}
    expect(is_whole, day, group.name, "not everybody meets everybody")
    if cycles == 2:
        expect(len(set(games)) == len(games), day, group.name, "a pair meets twice in one colour")
    white, black = Counter(game[0] for game in games), Counter(game[1] for game in games)
    # With an even number of players, each has one game more in one colour.
    most = 0 if cycles == 2 or size % 2 else 1
    for key in keys:
        is_even = abs(white[key] - black[key]) <= most
        what = f"{key} has {white[key]} white and {black[key]} black"
        expect(is_even, day, group.name, what)


def check_matches(boards: Sequence[Group], day: date) -> None:
    """Check a division: in each match both teams have two white games (§ 6.7.4.2)."""
    whites: Counter[tuple[int, int]] = Counter()
    for board in boards:
        seat = {person.key: number for number, person in enumerate(board.players, 1)}
        for match in board.matches:
            white, black = seat[match.seats[Side.WHITE].key], seat[match.seats[Side.BLACK].key]
            whites[white, black] += 1
    for (one, other), count in whites.items():
        is_even = count == len(boards) // 2 == whites[other, one]
        expect(is_even, day, boards[0].name, f"teams {one} and {other}: {count} white games")
