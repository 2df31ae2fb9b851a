"""Steps of the controller's year that are done, by what the server itself has seen (§ 6.1.2).

Readings: a tournament is announced when it can be entered for, with the fee beside it, the classes
when all three can; nobody enters after the list is closed or the games have begun. The controller
may say that a step is not done after all. Not for the days (year.py).
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from kskak.office.season_lists import Kind
from kskak.office.year import Deed, DeedKind, Form, Step, steps_of

CLASSES = 3
"""M, K and Å, which are announced together (§ 6.5.4)."""
Done = tuple[Form, int, Step]


@dataclass(frozen=True, slots=True)
class SeenList:
    """A waiting list of a season."""

    kind: Kind
    season: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """What has happened: lists, tournaments begun, leagues composed and with schedules sent."""

    lists: tuple[SeenList, ...] = ()
    begun: frozenset[tuple[Form, int]] = frozenset()
    composed: frozenset[int] = frozenset()
    sent: frozenset[int] = frozenset()


def done_by(seen: Seen) -> frozenset[Done]:
    """The steps that are done."""
    found: set[Done] = set()
    by_season: dict[tuple[Form, int], list[SeenList]] = {}
    for one in seen.lists:
        if one.kind.form is not None:
            by_season.setdefault((one.kind.form, one.season), []).append(one)
    for (form, season), lists in by_season.items():
        if form is not Form.EMT or len({one.kind for one in lists}) >= CLASSES:
            found.add((form, season, Step.ANNOUNCEMENT))
        if not any(one.is_open for one in lists):
            found.add((form, season, Step.DEADLINE))
    found |= {(Form.LEAGUE, season, Step.DIVISIONS) for season in seen.composed}
    found |= {(Form.LEAGUE, season, Step.LETTERS) for season in seen.sent}
    for form, season in seen.begun:
        # The league's schedules go out by themselves, on a day of their own (§ 6.7.4.2).
        waits = {Step.LETTERS} if form is Form.LEAGUE else set[Step]()
        found |= {(form, season, step) for step in steps_of(form) if step not in waits}
    return frozenset(one for one in found if one[2] in steps_of(one[0]))


def with_seen(deeds: Sequence[Deed], done: Set[Done]) -> list[Deed]:
    """What the controller did, and after it what is seen to be done, unless he took it back."""
    last = {(deed.form, deed.season, deed.step): deed.kind for deed in deeds}
    return [*deeds, *_marks(one for one in done if last.get(one) is not DeedKind.REOPENED)]


def _marks(done: Iterable[Done]) -> list[Deed]:
    return [Deed(form, season, step, DeedKind.DONE) for form, season, step in sorted(done)]
