"""A day in a game: the server's duties, a claim, an answer (§ 6.2-6.3, § 6.8).

Only commands: what follows from them is up to the engine. Not for decisions (decisions.py).
"""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from kskak.game import game_commands as cmd
from kskak.game.game_events import CardDates
from kskak.play.decide_command import must_ask
from kskak.play.due_days import leader_on, not_before, reminder_on
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import MoveFault, Regulation, Side
from tests.federation.decisions import claim
from tests.federation.match import Match
from tests.federation.people import Character, Person
from tests.federation.plans import End
from tests.federation.trouble import Violation

POST_DAYS = 1
_POST = (1, 3)
"""Fewest and most days that a card is on its way."""
_CLAIMS, _ASKED_CLAIMS = 0.8, 0.75
_FAULTY, _SERIES, _WHOLE_SERIES = 0.008, 0.06, 0.8
_LONG_THINK, _TELLS_OF_IT = 0.02, 0.5
_PATIENCE = 9

Away = Callable[[Person, date], date]
"""The first day, from a given one on, on which somebody is at home (§ 6.3.6)."""


class Players:
    """How the players of a federation behave; chance is passed in."""

    def __init__(self, random: Random, back: Away) -> None:
        self._random = random
        self._back = back

    def begin(self, match: Match, day: date) -> None:
        """The game starts: White looks at it."""
        self.wait_for_answer(match, day)

    def live(self, match: Match, day: date) -> None:
        """Do everything that happens in a game on a day."""
        self._duties(match, day)
        if match.claim_on is not None and day >= match.claim_on and not match.is_over:
            match.claim_on = None
            claim(match, match.state.mover.other, day)
        if match.card_on is not None and day >= match.card_on and not match.is_over:
            match.card_on = None
            self._must(match, cmd.RecordReceipt(match.state.mover, day), day)
            self.wait_for_answer(match, day)
        if match.reply_on is not None and day >= match.reply_on and not match.is_over:
            match.reply_on = None
            self._answer(match, day)

    def next_day(self, match: Match, day: date) -> date | None:
        """The next day on which something happens in the game, if nobody interferes."""
        if match.is_over:
            return None
        state = match.state
        mine = [one for one in (match.reply_on, match.claim_on, match.card_on) if one is not None]
        flag_on = state.flag_to_find
        quiet_until = not_before(state, "reminder")
        if mine and (quiet_until is None or min(mine) < quiet_until):
            soonest = min(mine)
        else:
            told = (reminder_on(state, POST_DAYS), leader_on(state))
            soonest = min([*mine, *(one for one in told if one is not None)], default=date.max)
        if flag_on is not None:
            soonest = min(soonest, flag_on)
        return None if soonest == date.max else max(soonest, day + ONE_DAY)

    def wait_for_answer(self, match: Match, day: date) -> None:
        """Set when the side to move will answer, by his character; never, if he is gone by then."""
        match.reply_on = None
        if match.is_over:
            return
        state = match.state
        if state.receipt is None:
            match.card_on = match.card_on or day + timedelta(days=self._random.randint(*_POST))
            return
        person = match.seats[state.mover]
        fewest, most = person.answers
        is_postal = match.terms.regulation is Regulation.POSTAL
        days = self._random.randint(fewest, most * 3 // 4 if is_postal else most)
        if self._random.random() < _LONG_THINK:
            days += self._random.randint(8, 20)
            if self._random.random() < _TELLS_OF_IT:
                match.do(cmd.NotifyLongThink(state.mover), max(day, state.receipt))
        reply_on = self._back(person, max(day, state.receipt) + timedelta(days=days))
        if not person.is_gone(reply_on):
            match.reply_on = reply_on

    def _duties(self, match: Match, day: date) -> None:
        """What the server does when time passes (§ 6.3.3, § 6.3.4, § 6.8.3)."""
        state = match.state
        flag_on = state.flag_to_find
        if flag_on is not None and day >= flag_on:
            match.do(cmd.LookAtTime(), day)
            if self._random.random() < _CLAIMS:
                match.claim_on = day + timedelta(days=self._random.randint(1, _PATIENCE))
        quiet_until = not_before(state, "reminder")
        if quiet_until is None or day < quiet_until:
            return
        had = len(match.events)
        match.do(cmd.Remind(POST_DAYS), day)
        match.do(cmd.TellLeader(), day)
        person = match.seats[state.mover]
        is_new = len(match.events) > had
        if is_new and person.character is not Character.SILENT and match.reply_on is not None:
            match.reply_on = min(match.reply_on, self._back(person, day + timedelta(days=2)))

    def _answer(self, match: Match, day: date) -> None:
        """The side to move answers, in one of the ways open to a player."""
        state = match.state
        by = state.mover
        if must_ask(state, by):
            if self._random.random() < _ASKED_CLAIMS:
                claim(match, by, day)
                return
            match.do(cmd.WaiveOverstep(by), day)
        is_due = state.position.ply >= match.plan.at
        if state.draw_offer is by.other and match.plan.loser is None:
            self._must(match, cmd.AcceptDraw(by), day)
        elif is_due and match.plan.end is End.RESIGNATION and match.plan.loser is not None:
            self._must(match, cmd.Resign(match.plan.loser), day)
        elif is_due and match.plan.end is End.CLAIM:
            self._must(match, self._claim(match, by), day)
        else:
            self._slip(match, by, day)
            self._send(match, by, day)
        self.wait_for_answer(match, day)

    def _claim(self, match: Match, by: Side) -> cmd.ClaimDraw:
        ply = match.state.position.ply
        return cmd.ClaimDraw(by, ply, match.plan.moves[ply])

    def _slip(self, match: Match, by: Side, day: date) -> None:
        """Now and then, a faulty move (§ 6.8.6, § 6.3.5.1)."""
        if self._random.random() >= _FAULTY:
            return
        if match.terms.regulation is Regulation.EMAIL:
            match.do(cmd.ReportFaulty(by, MoveFault.ILLEGAL), day)
            return
        fault = self._random.choice(
            [MoveFault.ILLEGIBLE, MoveFault.ILLEGAL, MoveFault.DAMAGED_IN_POST]
        )
        match.do(cmd.RecordFaultyCard(by, match.state.position.ply, fault, day), day)

    def _send(self, match: Match, by: Side, day: date) -> None:
        """Send the line's next move, after answering an open series, if any (§ 6.2.5)."""
        state, plan = match.state, match.plan
        ply = state.position.ply
        added = 1
        if state.proposal and self._random.random() < _WHOLE_SERIES:
            added = len(state.proposal) + 1
        plies = plan.moves[ply : ply + added]
        offers = plan.end is End.AGREEMENT and ply + len(plies) > plan.at
        rest = plan.moves[ply + added : ply + added + 2]
        is_series = ply + added + 2 < plan.at and not (state.proposal and added == 1)
        proposes = rest if is_series and self._random.random() < _SERIES else ()
        command: cmd.Command
        if match.terms.regulation is Regulation.EMAIL:
            command = cmd.SendMoves(by, ply, plies, proposes, offers)
        else:
            card = CardDates(postmark=day, stated=day)
            command = cmd.RecordCard(
                by, ply, plies, card, proposes=proposes, offers_draw=offers, is_own=True
            )
        self._must(match, command, day)

    def _must(self, match: Match, command: cmd.Command, day: date) -> None:
        """Do a command that is known to be lawful. Raises Violation if it is refused."""
        if not match.do(command, day):
            why = next(reversed(match.refusals))
            raise Violation(day, match.name, f"a lawful {type(command).__name__} is refused: {why}")
