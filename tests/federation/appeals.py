"""Appeals against a loss by overstep: the controller may resume the game, the Board may annul that.

§ 6.4.3, Kendelse 59, Kendelse 120: a ruling sets totals and resumes a game from a date; the Board
may annul it, and the game is lost again. A group that is finished is not reopened: its results
are published by then (reading of § 6.4.5, for the simulation alone).
Not for the instances' terms (kskak.cases.decide_case) nor for letters.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from kskak.cases.case_events import Decision, GameOrder, Instance, game_events
from kskak.game.game_events import GameResumed, TotalsSet
from kskak.regulation.editions import OverstepFinding, Side
from tests.federation.group import Group
from tests.federation.match import Match
from tests.federation.trouble import expect
from tests.federation.world import World

_APPEALS, _UPHELD, _TO_THE_BOARD, _REVERSED = 0.15, 0.6, 0.6, 0.6
_TERM = 21
"""Days within which an appeal must be made (§ 6.4.3)."""
_DECIDED = timedelta(days=20)


@dataclass(slots=True)
class Appeals:
    """The appeals of a simulation; ``decisions`` by their ref."""

    world: World
    random: Random
    decisions: dict[str, Decision] = field(default_factory=dict)

    def lost(self, group: Group, match: Match, day: date) -> None:
        """A game was lost on a claim: now and then the loser appeals."""
        overstep = match.state.overstep
        is_claimed = overstep is not None and overstep.finding is OverstepFinding.CLAIMED
        if is_claimed and self.random.random() < _APPEALS:
            within = timedelta(days=self.random.randint(1, _TERM))
            self.world.at(day + within, lambda on: self._to_controller(group, match, on))

    def _to_controller(self, group: Group, match: Match, day: date) -> None:
        overstep = match.state.overstep
        is_open = group.finished is None and not group.left and overstep is not None
        if not is_open or overstep is None or self.random.random() >= _UPHELD:
            self.world.tally.appeals["dismissed"] += 1
            return
        totals = {side: match.state.clock(side).total for side in Side}
        totals[overstep.by] = min(totals[overstep.by], overstep.limit - 10)
        effects = (TotalsSet(totals[Side.WHITE], totals[Side.BLACK]), GameResumed(day))
        orders = tuple(GameOrder(match.number, effect) for effect in effects)
        ref = f"{match.name}-kc"
        decision = Decision(ref, Instance.CONTROLLER, day, ("6.4.3",), "", games=orders)
        self.decisions[ref] = decision
        match.rule(game_events(decision)[match.number], day)
        expect(not match.is_over, day, match.name, "a game that was resumed is over")
        self.world.tally.appeals["resumed"] += 1
        self._goes_on(group, match, day)
        if self.random.random() < _TO_THE_BOARD:
            self.world.at(day + _DECIDED, lambda on: self._to_board(group, match, on))

    def _goes_on(self, group: Group, match: Match, day: date) -> None:
        self.world.unfinished[match.number] = group
        self.world.players.wait_for_answer(match, day)
        self.world.watch(match, day)

    def _to_board(self, group: Group, match: Match, day: date) -> None:
        """The Board's word is final; an annulled ruling counts as if never made."""
        if match.is_over or group.left or self.random.random() >= _REVERSED:
            self.world.tally.appeals["upheld by the Board"] += 1
            return
        earlier = f"{match.name}-kc"
        ref = f"{match.name}-board"
        decision = Decision(ref, Instance.BOARD, day, ("6.4.3",), "", annuls=(earlier,))
        match.rule(game_events(decision, self.decisions)[match.number], day)
        expect(match.is_over, day, match.name, "the annulled ruling still keeps the game open")
        self.world.tally.appeals["annulled"] += 1
        self.world.settle(match, day)
