"""The report of a takeover, done or dry-run: players, games, totals, oversteps, warnings.

For whoever runs the command. Not for the players' letters (mail.office_letters.takeover).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kskak.game import events as ev
from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.regulation.quantities import Finding, LeaveType, Side
from kskak.statement.account import Account
from server.usecases.starts.takeover import Takeover
from server.usecases.starts.takeover_games import TakenGame, is_lost_for_both

FINDING = {
    Finding.OPEN: "nobody has claimed it; it is the opponent's to claim",
    Finding.CLAIMED: "claimed: the game is lost",
    Finding.CONTINUED: "both went on: lost for both (§ 6.3.3.4)",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands on the day of the takeover. Days; ``left`` None: over, or unknown."""

    white: int
    black: int
    to_move: Side | None
    left: int | None


def standing_of(account: Account) -> Standing:
    """Both totals, the days on the running move included, and what the mover has left."""
    totals = {side: account.state.clock(side).total for side in Side}
    running, live, left = account.running, account.live, None
    if running is not None and live is not None:
        totals[running.by] = live.total
        left = running.limit - live.total
    return Standing(totals[Side.WHITE], totals[Side.BLACK], account.state.to_move, left)


def overstep_of(game: TakenGame) -> str | None:
    """An overstep that the record shows, in a line (§ 6.3.3)."""
    found = game.account.overstep
    if found is None:
        return None
    used = f"{found.used} of {found.limit} days on {found.on}"
    return f"overstep by {found.by.value}: {used}; {FINDING[found.finding]}"


def warnings_of(game: TakenGame) -> tuple[str, ...]:
    """What should be looked at before the takeover."""
    return tuple(_warnings(game))


def _warnings(game: TakenGame) -> Iterator[str]:
    told = game.account
    for warning in told.warnings:
        yield f"entry {warning.entry}: {warning.code.value}"
    if is_lost_for_both(game):
        yield (
            "its record ends the game 0-0; if it was decided otherwise, enter that as "
            "set_time, resume or result"
        )
    if told.state.to_move is None:
        return
    if told.running is None:
        yield "the receipt of the last move is unknown: time runs when it is reported (§ 6.3.1)"
    for booking in told.state.bookings:
        if isinstance(booking.booked, ev.Paused) and booking.booked.last is None:
            reason = booking.booked.reason.value
            yield f"time stands still since {booking.booked.first}: {reason}"


def differing_leave(games: tuple[TakenGame, ...]) -> tuple[str, ...]:
    """Players whose leave is not the same in all their running games (§ 6.3.6)."""
    seen: dict[str, tuple[str, frozenset[ev.LeaveBooked]]] = {}
    out: list[str] = []
    for game in games:
        if game.state.result is not None:
            continue
        for side in Side:
            name = game.source.white if side is Side.WHITE else game.source.black
            leave = _leave(game, side)
            first, known = seen.setdefault(name, (game.name, leave))
            if known != leave:
                out.append(f"the leave of {name} is not the same in {first} and {game.name}")
    return tuple(dict.fromkeys(out))


def _leave(game: TakenGame, side: Side) -> frozenset[ev.LeaveBooked]:
    return frozenset(
        # Both colours of one player are compared, so the colour is left out.
        ev.LeaveBooked(Side.WHITE, one.first, one.last, one.notified, one.leave_type)
        for one in (booking.booked for booking in game.state.bookings)
        if isinstance(one, ev.LeaveBooked)
        and one.by is side
        and one.leave_type is LeaveType.PERSONAL
    )


def report_json(done: Takeover) -> JsonObject:
    """The whole report, for a script."""
    return {
        "group": done.group,
        "dry_run": done.group_id is None,
        "on": done.on.isoformat(),
        "objections_until": done.objections_until.isoformat(),
        "players": [
            {"number": p.number, "name": p.name, "email": p.email, "is_new": p.is_new}
            for p in done.players
        ],
        "games": [_game_json(game) for game in done.games],
        "warnings": [*differing_leave(done.games)],
        "ignored": [*done.ignored],
    }


def _game_json(game: TakenGame) -> JsonValue:
    stands, state = standing_of(game.account), game.state
    running = game.account.running
    flag_on = None if running is None else running.flag_on
    return {
        "game": game.name,
        "file": game.source.file,
        "white": game.source.white,
        "black": game.source.black,
        "plies": state.position.ply,
        "totals": {"white": stands.white, "black": stands.black},
        "to_move": None if stands.to_move is None else stands.to_move.value,
        "days_left": stands.left,
        "flag_on": None if flag_on is None else flag_on.isoformat(),
        "result": "*" if state.result is None else state.result.value,
        "overstep": overstep_of(game),
        "warnings": [*warnings_of(game)],
    }


def report_lines(done: Takeover) -> Iterator[str]:
    """The same for people, a line each."""
    made = "would be taken over" if done.group_id is None else "taken over"
    yield f"{done.group}: {len(done.players)} players, {len(done.games)} games, {made} {done.on}"
    for player in done.players:
        known = "new" if player.is_new else "known"
        yield f"{player.number:3}. {player.name} <{player.email}> ({known})"
    for game in done.games:
        yield f"{game.name}: {game.source.white} - {game.source.black}, {_stands(game)}"
        overstep = overstep_of(game)
        for line in (*([] if overstep is None else [overstep]), *warnings_of(game)):
            yield f"  ! {line}"
    for line in differing_leave(done.games):
        yield f"! {line}"
    if done.ignored:
        yield f"! not read: {', '.join(done.ignored)}"
    yield f"Objections until {done.objections_until}."
    if done.group_id is None:
        yield "Nothing was changed."


def _stands(game: TakenGame) -> str:
    stands, state = standing_of(game.account), game.state
    plies = f"{state.position.ply} plies, {stands.white} and {stands.black} days used"
    if state.result is not None:
        return f"{plies}, {state.result.value}"
    assert stands.to_move is not None
    left = "" if stands.left is None else f", {stands.left} days left"
    return f"{plies}, {stands.to_move.value} to move{left}"
