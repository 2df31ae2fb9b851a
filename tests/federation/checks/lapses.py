"""Rights lapse: valid on their last day and gone the next, with no result in between.

§ 6.5.2.2, § 6.5.3.2, § 6.6.2.3. Not for where they come from (check_people.py).
"""

from collections.abc import Iterator
from datetime import timedelta

from kskak.entries.access import access
from kskak.entries.emt import EmtClass
from kskak.entries.rights import PlayerProfile, ResultHistory, Right
from tests.federation.trouble import expect


def _rights(player: PlayerProfile, record: ResultHistory) -> Iterator[tuple[EmtClass, Right]]:
    for group_class, answer in access(player, record).items():
        for right in answer.by:
            yield group_class, right


def check_lapses(player: PlayerProfile, record: ResultHistory) -> None:
    """Check every dated right that a player has on the record's day.

    If a right rests on several results, the last to lapse sets the day; ``check_admission``
    checks that each of them supports it on the day it is used.
    """
    for group_class, right in _rights(player, record):
        if right.until is None:
            continue
        place, what = f"{group_class}, {player.name}", f"the right by § {right.paragraph}"
        last = ResultHistory(right.until, record.results)
        is_open = any(
            (own, one.paragraph, one.until) == (group_class, right.paragraph, right.until)
            and set(one.results) <= set(right.results)
            for own, one in _rights(player, last)
        )
        expect(is_open, right.until, place, f"{what} ends before its last day")
        after = ResultHistory(right.until + timedelta(days=1), record.results)
        found = [one for own, one in _rights(player, after) if own is group_class]
        is_gone = all(one.paragraph != right.paragraph for one in found)
        expect(is_gone, after.on, place, f"{what} has outlived its last day")


def lapsed_by(player: PlayerProfile, record: ResultHistory, record_then: ResultHistory) -> int:
    """How many of an earlier day's rights have ended by the record's day."""
    return sum(
        right.until is not None and right.until < record.on
        for _, right in _rights(player, record_then)
    )
