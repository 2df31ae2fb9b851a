"""A game of the simulation: its ledger, and commands that go through ``decide`` and ``evolve``.

Not for what its players want (playing.py) nor for its place in a group (group.py).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from kskak.game import game_commands as cmd
from kskak.game import game_events as ev
from kskak.game.game_commands import Refusal
from kskak.play.decide_command import decide_and_reach
from kskak.play.evolve_game import advance, open_game
from kskak.play.game_state import GameState, Terms
from kskak.regulation.editions import Side
from tests.federation.checks.games import check_step
from tests.federation.people import Person
from tests.federation.plans import GamePlan


@dataclass(slots=True)
class Match:
    """One game. ``reply_on``: when the side to move will answer, None: never.

    ``claim_on``: when its opponent will claim the overstep reported to him. ``card_on``: when the
    post delivers the card that is on its way (§ 6.3.1). ``asked``: every command that was carried
    out, with its day, so that another engine can be asked the same.
    """

    number: int
    terms: Terms
    seats: dict[Side, Person]
    plan: GamePlan
    state: GameState
    events: list[ev.Event] = field(default_factory=list)
    asked: list[tuple[date, cmd.Command]] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    reply_on: date | None = None
    claim_on: date | None = None
    card_on: date | None = None
    ended: date | None = None

    @property
    def name(self) -> str:
        """Group and number."""
        return self.terms.game

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        return self.state.result is not None

    def side_of(self, person: str) -> Side | None:
        """The side somebody plays now, if any."""
        return next((side for side, one in self.seats.items() if one.key == person), None)

    def do(self, command: cmd.Command, day: date) -> bool:
        """Put a command to the engine; False if it was refused."""
        reached = decide_and_reach(self.state, command, day)
        if isinstance(reached, Refusal):
            self.refusals[f"{reached.reason} ({reached.paragraph})"] += 1
            return False
        events, after = reached
        if after is None:
            after = self._after(events)
        self._take(events, after, day)
        self.asked.append((day, command))
        return True

    def rule(self, events: Sequence[ev.Event], day: date) -> None:
        """Apply a decision's events to the game (§ 6.4.1, § 6.2.8)."""
        self._take(events, self._after(events), day, is_ruling=True)

    def _after(self, events: Sequence[ev.Event]) -> GameState:
        return advance(self.state, events, len(self.events), lambda: self.events)

    def _take(
        self, events: Sequence[ev.Event], after: GameState, day: date, is_ruling: bool = False
    ) -> None:
        if not is_ruling:
            check_step(self.name, self.state, events, after, day)
        self.events += events
        self.state = after
        if after.result is None:
            self.ended = None
        elif self.ended is None:
            self.ended = day


def new_match(
    number: int, terms: Terms, seats: dict[Side, Person], plan: Callable[[int, int], GamePlan]
) -> Match:
    """A game in which nobody has moved; ``plan`` makes its course from the two strengths."""
    strengths = seats[Side.WHITE].strength, seats[Side.BLACK].strength
    return Match(number, terms, seats, plan(*strengths), open_game(terms))
