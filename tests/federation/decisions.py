"""What the leader decides: withdrawals, silent players, games that last too long, reserves.

Through a ``Decision`` and its events, like every ruling (§ 6.2.7, § 6.2.8, § 6.4.1, § 6.7.4.3).
Also the oversteps that players claim. Not for when they claim them (playing.py).
"""

from collections.abc import Iterable
from datetime import date
from random import Random

from kskak.cases.aftermath import GroupGame, Withdrawal, withdraw, withdrawal_orders
from kskak.cases.case_events import Decision, GameOrder, Instance, game_events
from kskak.game import game_commands as cmd
from kskak.game.game_events import ClaimStands, PauseEnded, ResultRuled
from kskak.league.lineups import longest_pause
from kskak.regulation.days import ONE_DAY
from kskak.regulation.editions import PauseReason, Result, Side
from tests.federation.checks.games import check_withdrawal
from tests.federation.group import Group
from tests.federation.match import Match
from tests.federation.people import Person
from tests.federation.plans import likely_result


def leave_group(
    group: Group, person: Person, day: date, random: Random, *, has_reason: bool
) -> Withdrawal:
    """He leaves the group: § 6.2.8 gives the results, the leader adjudicates the other games."""
    number = {one.key: index for index, one in enumerate(group.players)}
    games = [
        GroupGame(
            match.number,
            number[match.seats[Side.WHITE].key],
            number[match.seats[Side.BLACK].key],
            match.state.result,
        )
        for match in group.matches
    ]
    found = withdraw(number[person.key], games, has_reason=has_reason, is_silent=not has_reason)
    group.left[person.key] = has_reason
    by_number = {match.number: match for match in group.matches}
    orders = [*withdrawal_orders(found, day)]
    for fate in found.fates:
        if fate.is_adjudicated:
            orders.append(_adjudicated(by_number[fate.game], day, random))
        elif fate.before is None:
            group.lost_unplayed.add(fate.game)
    before = {match.number: match.is_over for match, _ in group.of(person.key)}
    _carry_out(by_number.values(), f"{group.name}-{person.key}", orders, day)
    points = [
        (before[match.number], _has_points(match, side)) for match, side in group.of(person.key)
    ]
    check_withdrawal(group.name, points, day)
    return found


def _has_points(match: Match, side: Side) -> bool | None:
    result = match.state.result
    return None if result is None else result in (Result.won_by(side), Result.DRAW)


def claim(match: Match, by: Side, day: date) -> None:
    """Claim an overstep, which the leader upholds the same day (§ 6.3.3.5, § 6.4.1)."""
    match.do(cmd.ClaimOverstep(by), day)
    if match.state.rests:
        order = GameOrder(match.number, ClaimStands(by.other, day))
        decision = Decision(
            f"{match.name}-tl", Instance.LEADER, day, ("6.3.3.3",), "", (), (order,)
        )
        stopped = PauseEnded(PauseReason.DISPUTE, day - ONE_DAY)
        match.rule([*game_events(decision)[match.number], stopped], day)


def call_in(match: Match, day: date, random: Random) -> None:
    """Adjudicate a game that has lasted more than 18 months (§ 6.2.7)."""
    _carry_out([match], f"{match.name}-long", [_adjudicated(match, day, random)], day)


def put_in_reserve(group: Group, person: Person, reserve: Person, day: date) -> None:
    """A reserve carries on the running games, after a pause of 14 days (§ 6.7.4.3)."""
    first, last = longest_pause(day)
    for match, side in group.of(person.key):
        if not match.is_over:
            match.do(cmd.StopTime(first, last, PauseReason.RESERVE), day)
            match.seats[side] = reserve
            match.reply_on = None
    if any(one.key == reserve.key for one in group.players):
        return
    group.players.append(reserve)


def _adjudicated(match: Match, day: date, random: Random) -> GameOrder:
    white, black = match.seats[Side.WHITE], match.seats[Side.BLACK]
    result = likely_result(random, white.strength, black.strength)
    return GameOrder(match.number, ResultRuled(result, day, "", ""))


def _carry_out(matches: Iterable[Match], ref: str, orders: list[GameOrder], day: date) -> None:
    paragraph = "6.2.8" if len(orders) != 1 or not ref.endswith("-long") else "6.2.7"
    decision = Decision(ref, Instance.LEADER, day, (paragraph,), "", games=tuple(orders))
    events = game_events(decision)
    for match in matches:
        if match.number in events:
            match.rule(events[match.number], day)
