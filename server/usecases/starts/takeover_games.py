"""A takeover's games: each file matched to its game in the schedule and replayed by the engine.

Pure. Every game of the group has exactly one file; what can't have happened is refused with file,
entry and paragraph. Not for storing it (takeover.py) nor for reporting it (takeover.py).
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, Literal

import chess
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kskak.board.notation import UnreadMove, read_movetext
from kskak.board.positions import IllegalMove, Position
from kskak.game import game_events as ev
from kskak.game.game_commands import Reason, lawful_days, unlawful_day
from kskak.game.game_events import LeaveBooked, LedgerEvent, SeriesFault
from kskak.ledger.ledger_files import LedgerError, read_ledger
from kskak.play.evolve_game import LedgerEntryFault, evolve
from kskak.play.game_state import GameState, Terms
from kskak.reflection import DatesContradict, anniversary, sending_day, tournament_year
from kskak.regulation.days import ONE_DAY, is_holiday
from kskak.regulation.editions import (
    LAWS,
    Channel,
    LeaveType,
    OverstepFinding,
    Regulation,
    Result,
    Side,
    rules_of,
)
from kskak.statement.account import Account, account
from server.store.play.games import NewGame
from server.usecases.groups.group_file import (
    GroupClass,
    GroupFile,
    GroupFileError,
    Text,
    read_group_file,
    write_first_error,
)
from server.usecases.league.division_start import squads
from server.usecases.starts.start_group import new_games

# The short file of a game that has no ledger: moves, totals, dates, leave used (TOML).


def before_the_takeover(
    group: GroupFile, side: Side, used: int, known: Sequence[LeaveBooked], days: tuple[date, date]
) -> tuple[LeaveBooked, ...] | None:
    """Leave of ``used`` days that counts in the year of the takeover; None if there is no room.

    ``days``: the last move's sending, from which time runs, and the takeover. Obligatory
    holidays use none of the quota and are skipped (§ 6.3.6.2).
    """
    before, on = days
    first = anniversary(group.start, tournament_year(group.start, on))
    free = _free(first, before, [one for one in known if one.by is side])
    found = [day for day, _ in zip(free, range(used), strict=False)]
    if len(found) < used:
        return None
    notice = timedelta(days=rules_of(group.regulation).leave_notice_days)
    return tuple(LeaveBooked(side, begins, ends, begins - notice) for begins, ends in _spans(found))


def _free(first: date, before: date, known: Sequence[LeaveBooked]) -> Iterator[date]:
    """Days from ``first``, before the sending, that are neither holidays nor booked."""
    personal = [one for one in known if one.leave_type is LeaveType.PERSONAL]
    day = first
    while day < before:
        if not is_holiday(day) and not any(one.first <= day <= one.last for one in personal):
            yield day
        day += ONE_DAY


def _spans(days: Sequence[date]) -> list[tuple[date, date]]:
    """Consecutive days as spans."""
    spans: list[tuple[date, date]] = []
    for day in days:
        if spans and spans[-1][1] + ONE_DAY == day:
            spans[-1] = (spans[-1][0], day)
        else:
            spans.append((day, day))
    return spans


AUTHORITY = "tl"
"""Who made what a short file calls a ruling: the leader who hands the group over."""
WHAT = "a short file of a game"
_STRICT = ConfigDict(extra="forbid", frozen=True)
Total = Annotated[int, Field(ge=0, le=5000)]


class ShortFileError(ValueError):
    """A short file that can't be used; the text names the place and the remedy."""


class Days(BaseModel):
    """Days of both players."""

    model_config = _STRICT
    white: Total
    black: Total

    def of(self, side: Side) -> int:
        """One player's days."""
        return self.white if side is Side.WHITE else self.black


class LeaveEntry(BaseModel):
    """Leave whose dates are known, both ends included (§ 6.3.6)."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    by: Side
    first: date = Field(alias="from")
    last: date = Field(alias="to")
    notified: date | None = None
    type: LeaveType = LeaveType.PERSONAL

    @model_validator(mode="after")
    def _fits(self) -> "LeaveEntry":
        if self.last < self.first:
            raise ValueError("to: write a day that is not before from")
        if self.type is LeaveType.UNTOLD:
            raise ValueError("type: write personal or special")
        if self.notified is None and self.type is LeaveType.PERSONAL:
            raise ValueError("notified: write the day on which the leave was told")
        return self


class ShortFile(BaseModel):
    """A whole short file."""

    model_config = _STRICT
    white: Text
    black: Text
    not_started: bool = False
    moves: str = ""
    totals: Days | None = None
    sent: date | None = None
    received: date | None = None
    leave: tuple[LeaveEntry, ...] = ()
    leave_used: Days | None = None
    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"] | None = None
    ended: date | None = None
    ruling: Text | None = None

    @model_validator(mode="after")
    def _fits(self) -> "ShortFile":
        """Check what no single field shows."""
        given = (self.totals, self.sent, self.received, self.result, self.ended, self.ruling)
        if self.not_started:
            if self.moves.strip() or any(one is not None for one in given):
                raise ValueError("not_started: a game that has not begun has names and leave alone")
            return self
        if (self.result is None) != (self.ended is None):
            raise ValueError("ended: write result and the day it ended, or neither of them")
        if self.result is None:
            self._runs()
        if self.result in ("0-0", "1/2-0", "0-1/2") and self.ruling is None:
            raise ValueError(f"ruling: write who decided {self.result}, and why")
        if self.ruling is not None and self.result is None:
            raise ValueError("ruling: write the result that was ruled")
        return self

    def _runs(self) -> None:
        """Check what must be known about a running game."""
        if not self.moves.strip():
            raise ValueError("moves: write the moves, or not_started = true")
        if self.totals is None:
            raise ValueError("totals: write the days used, as { white = 12, black = 9 }")
        if self.sent is None:
            raise ValueError("sent: write the day on which the last move was sent")
        if self.received is not None and self.received < self.sent:
            raise ValueError("received: write a day that is not before sent")


def read_short_file(text: str) -> ShortFile:
    """Parse a short file from its text. Raises ShortFileError with a one-line message."""
    try:
        return ShortFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ShortFileError(f"not TOML: {error}") from error
    except ValidationError as error:
        raise ShortFileError(write_first_error(error, ShortFile, WHAT)) from error


def build_events(short: ShortFile, group: GroupFile, on: date) -> tuple[ev.LedgerEvent, ...]:
    """What happened, as far as the file tells. Raises ShortFileError, UnreadMove.

    ``on``: the day of the takeover. A game that was not started begins on it, with no day used
    (reading of § 6.3.1).
    """
    last = short.sent or short.ended or group.start
    if last < group.start:
        raise ShortFileError(f"sent: write a day that is not before {group.start}, the start")
    leave = tuple(_leave(short, group, on))
    if short.not_started:
        return (*leave, ev.GameResumed(on))
    moves = read_movetext(short.moves, group.fen or None)
    sent = tuple(_sent(moves, group, last))
    totals = () if short.totals is None else (ev.TotalsSet(short.totals.white, short.totals.black),)
    return (*leave, *sent, *totals, *_after(short, group, len(moves)))


def _mover(group: GroupFile, ply: int) -> Side:
    is_white = Position.start(group.fen or None).board.turn == chess.WHITE
    return Side.WHITE if is_white is (ply % 2 == 0) else Side.BLACK


def _sent(moves: tuple[chess.Move, ...], group: GroupFile, last: date) -> Iterator[ev.MoveSent]:
    """The dispatches: all but the last on the start day, each received when sent: no days.

    The last is entered as a card, which may have been long on its way: the gap before it is the
    file's, and nobody is asked about it.
    """
    usual = Channel.POST if group.regulation is Regulation.POSTAL else Channel.EMAIL
    for ply, move in enumerate(moves):
        day, channel = (group.start, usual) if ply < len(moves) - 1 else (last, Channel.POST)
        yield ev.MoveSent(_mover(group, ply), (move,), day, day, channel)


def _after(short: ShortFile, group: GroupFile, plies: int) -> Iterator[ev.LedgerEvent]:
    """Receipt of the last move, and how the game ended."""
    mover = _mover(group, plies)
    if short.received is not None:
        yield ev.MoveReceived(mover, short.received)
    if short.result is None or short.ended is None:
        return
    result = Result(short.result)
    if short.ruling is not None:
        yield ev.ResultRuled(result, short.ended, AUTHORITY, short.ruling)
    elif _is_over_on_board(short, group):
        return
    elif result is Result.DRAW:
        yield ev.DrawMade(mover, short.ended)
    else:
        loser = Side.BLACK if result is Result.WHITE_WINS else Side.WHITE
        yield ev.PlayerResigned(loser, short.ended)


def _is_over_on_board(short: ShortFile, group: GroupFile) -> bool:
    """Whether the last move ended the game, so that no player's word is needed (§ 6.2.6)."""
    position = Position.start(group.fen or None)
    for move in read_movetext(short.moves, group.fen or None):
        position = position.after(move)
    return position.ending(LAWS[group.laws]) is not None


def _leave(short: ShortFile, group: GroupFile, on: date) -> Iterator[ev.LeaveBooked]:
    """Leave with its dates as stated; days without dates are placed before the last move."""
    known = tuple(
        ev.LeaveBooked(one.by, one.first, one.last, one.notified, one.type) for one in short.leave
    )
    yield from known
    if short.leave_used is None:
        return
    before = on if short.not_started else short.sent or short.ended or on
    for side in Side:
        used = short.leave_used.of(side)
        booked = before_the_takeover(group, side, used, known, (before, on))
        if booked is None:
            raise ShortFileError(
                f"leave_used: {used} days of {side.value} do not fit before {before}: "
                "write the leave with its dates, as [[leave]]"
            )
        yield from booked


# The files of a takeover: the group file, and a ledger or a short file for each game.

GROUP_FILE = "group.toml"


class TakeoverError(ValueError):
    """A takeover that can't be done; the text names the file, the place and the remedy."""


@dataclass(frozen=True, slots=True)
class TakeoverFileGame:
    """What one file says about one game. ``terms`` None: a short file, which has the group's.

    ``result``: the one that a short file states, to be checked against the moves.
    """

    file: str
    white: str
    black: str
    events: tuple[LedgerEvent, ...]
    terms: Terms | None = None
    result: Result | None = None


def group_of(files: Mapping[str, bytes]) -> GroupFile:
    """The group file among a folder's files. Raises TakeoverError.

    A running group's numbers are known: by the order given, or by a seed that draws them again.
    """
    raw = files.get(GROUP_FILE)
    if raw is None:
        raise TakeoverError(f"{GROUP_FILE}: is missing; it is the file of `kskak group start`")
    try:
        group = read_group_file(_text(GROUP_FILE, raw))
    except GroupFileError as error:
        raise TakeoverError(f"{GROUP_FILE}: {error}") from error
    if group.draw and group.seed is None:
        raise TakeoverError(
            f"{GROUP_FILE}: draw: the group's numbers are drawn already; write the players in "
            "the order of their numbers and draw = false (§ 4.9.11)"
        )
    names = _names(group)
    for name in names:
        if names.count(name) > 1:
            raise TakeoverError(
                f"{GROUP_FILE}: players: {name} stands twice; tell the two apart, here and in "
                "the files of their games"
            )
    return group


def _names(group: GroupFile) -> list[str]:
    """Everybody who plays or played; in the league the teams' players and reserves."""
    if group.group_class is not GroupClass.LEAGUE:
        return [player.name for player in group.players]
    try:
        teams = squads(group)
    except GroupFileError as error:
        raise TakeoverError(f"{GROUP_FILE}: {error}") from error
    return [one.name for team in teams for one in (*team.players, *team.reserves)]


def sources_of(
    files: Mapping[str, bytes], group: GroupFile, on: date
) -> tuple[tuple[TakeoverFileGame, ...], tuple[str, ...]]:
    """What the files say about the games, by file name; and the files that were not read.

    ``on``: the day of the takeover. Raises TakeoverError.
    """
    sources: list[TakeoverFileGame] = []
    others: list[str] = []
    for name in sorted(files):
        if name == GROUP_FILE:
            continue
        if name.endswith(".json"):
            sources.append(_ledger(name, files[name]))
        elif name.endswith(".toml"):
            sources.append(_short(name, files[name], group, on))
        else:
            others.append(name)
    return tuple(sources), tuple(others)


def _text(name: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TakeoverError(f"{name}: not UTF-8 at byte {error.start + 1}") from error


def _ledger(name: str, raw: bytes) -> TakeoverFileGame:
    text = _text(name, raw)
    try:
        read = read_ledger(json.loads(text))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise TakeoverError(f"{name}: not JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise TakeoverError(f"{name}: not JSON that can be read") from error
    except LedgerError as error:
        raise TakeoverError(f"{name}: {error}") from error
    except ValueError as error:
        raise TakeoverError(f"{name}: not JSON that can be read: {error}") from error
    terms = read.terms
    if any(isinstance(e, LeaveBooked) and e.leave_type is LeaveType.UNTOLD for e in read.events):
        raise TakeoverError(f"{name}: a copy for strangers, its leave is without type and notice")
    return TakeoverFileGame(name, terms.white, terms.black, read.events, terms)


def _short(name: str, raw: bytes, group: GroupFile, on: date) -> TakeoverFileGame:
    text = _text(name, raw)
    try:
        short = read_short_file(text)
        events = build_events(short, group, on)
    except ValueError as error:
        place = "moves: " if isinstance(error, UnreadMove) else ""
        raise TakeoverError(f"{name}: {place}{error}") from error
    result = None if short.result is None else Result(short.result)
    return TakeoverFileGame(name, short.white, short.black, events, None, result)


# A takeover's games: each file matched to its game in the schedule and replayed by the engine.

Progress = Callable[[int, int], None]
"""Told how many games of how many have been replayed."""


@dataclass(frozen=True, slots=True)
class TakenGame:
    """A game as it will be stored. ``events`` end with the takeover; ``state`` is after them.

    ``new`` has the players' numbers in place of people's ids.
    """

    new: NewGame
    source: TakeoverFileGame
    events: tuple[ev.Event, ...]
    account: Account
    state: GameState

    @property
    def name(self) -> str:
        """The game's name, «group/number»."""
        return self.new.terms.game


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game of the schedule; ``new`` has numbers in place of people's ids (names[number]).

    ``whites`` and ``blacks``: the numbers of everybody who may have played the side, the current
    player last: a board of the league may have a reserve (§ 6.7.4.3).
    """

    new: NewGame
    whites: tuple[int, ...]
    blacks: tuple[int, ...]


def taken_games(
    group: GroupFile,
    names: Sequence[str],
    sources: Sequence[TakeoverFileGame],
    on: date,
    progress: Progress,
) -> tuple[TakenGame, ...]:
    """Every game of the group, replayed. ``names`` by number. Raises TakeoverError."""
    games = new_games(group, 0, list(range(len(names))), list(names))
    every = [ScheduledGame(new, (new.white_id,), (new.black_id,)) for new in games]
    return taken_of(every, names, sources, on, progress)


def taken_of(
    every: Sequence[ScheduledGame],
    names: Sequence[str],
    sources: Sequence[TakeoverFileGame],
    on: date,
    progress: Progress,
) -> tuple[TakenGame, ...]:
    """The same for a schedule whose sides may have had several players. Raises TakeoverError."""
    planned = [one.new for one in every]
    played_by = _played_by(every, names)
    by_game = _laid_on(played_by, sources, names)
    missing = [new for new in planned if new.terms.game not in by_game]
    if missing:
        listed = ", ".join(f"{n.terms.game} ({n.terms.white} - {n.terms.black})" for n in missing)
        raise TakeoverError(
            f"no file for {listed}; write a ledger or a short file for each, with not_started = "
            "true where nobody has moved"
        )
    games = []
    for count, one in enumerate(every, 1):
        source = by_game[one.new.terms.game]
        taken = _taken(played_by[source.white, source.black], source, on)
        _is_carried_on(taken, one, names)
        games.append(taken)
        progress(count, len(planned))
    return tuple(games)


def _played_by(
    every: Sequence[ScheduledGame], names: Sequence[str]
) -> dict[tuple[str, str], NewGame]:
    """Each game by the names that its file may have, with the people they stand for."""
    found: dict[tuple[str, str], NewGame] = {}
    for one in every:
        for white in one.whites:
            for black in one.blacks:
                terms = replace(one.new.terms, white=names[white], black=names[black])
                new = replace(one.new, white_id=white, black_id=black, terms=terms)
                found[names[white], names[black]] = new
    return found


def _is_carried_on(taken: TakenGame, one: ScheduledGame, names: Sequence[str]) -> None:
    """Check that whoever has the board now plays a running game (§ 6.7.4.3), or TakeoverError."""
    if taken.state.result is not None:
        return
    for number, now in ((taken.new.white_id, one.whites[-1]), (taken.new.black_id, one.blacks[-1])):
        if number != now:
            raise TakeoverError(
                f"{taken.source.file}: the game runs, and {names[now]} carries on for "
                f"{names[number]}; write his name (§ 6.7.4.3)"
            )


def _laid_on(
    known: Mapping[tuple[str, str], NewGame],
    sources: Sequence[TakeoverFileGame],
    names: Sequence[str],
) -> dict[str, TakeoverFileGame]:
    """Match each game to its file, by names and colours (§ 4.9.11)."""
    found: dict[str, TakeoverFileGame] = {}
    for source in sources:
        for name in (source.white, source.black):
            if name not in names:
                raise TakeoverError(
                    f"{source.file}: {name} is no player of the group; its players are "
                    + ", ".join(names)
                )
        new = known.get((source.white, source.black))
        if new is None:
            raise TakeoverError(_wrong_colours(source, known))
        _same_terms(source, new.terms)
        twin = found.setdefault(new.terms.game, source)
        if twin is not source:
            raise TakeoverError(
                f"{source.file}: {new.terms.game} is in {twin.file} too; keep one of them"
            )
    return found


def _wrong_colours(source: TakeoverFileGame, known: Mapping[tuple[str, str], NewGame]) -> str:
    turned = known.get((source.black, source.white))
    if turned is None:
        return f"{source.file}: {source.white} does not play {source.black} in this group"
    return (
        f"{source.file}: colours: {source.black} has White in {turned.terms.game} by the "
        "schedule (§ 4.9.11); look at the file and at the players' order in the group file"
    )


def _same_terms(source: TakeoverFileGame, terms: Terms) -> None:
    """A ledger must be of this group: rule set, start, position, laws, and its own number."""
    if source.terms is None:
        return
    own = source.terms
    pairs = (
        ("regulation", own.regulation.value, terms.regulation.value),
        ("start", own.start, terms.start),
        ("fen", own.fen or None, terms.fen),
        ("laws", own.laws_year, terms.laws_year),
    )
    for name, stated, group in pairs:
        if stated != group:
            raise TakeoverError(f"{source.file}: {name} is {stated}, but the group's is {group}")
    group_name = terms.game.rpartition("/")[0]
    if own.game.startswith(f"{group_name}/") and own.game != terms.game:
        raise TakeoverError(
            f"{source.file}: game is {own.game}, but {own.white} - {own.black} is {terms.game} "
            "by the schedule (§ 4.9.11)"
        )


def _taken(new: NewGame, source: TakeoverFileGame, on: date) -> TakenGame:
    """Replay a game, and take it over."""
    first, last = lawful_days(new.terms.start, on)
    for entry, event in enumerate(source.events):
        wrong = unlawful_day(event, new.terms.start, on)
        if wrong is not None:
            raise TakeoverError(
                f"{source.file}: entry {entry}: {wrong} is outside the game, check the year and "
                f"write a day from {first} to {last}"
            )
        day = latest_day(event)
        if day is not None and day > on:
            raise TakeoverError(f"{source.file}: entry {entry}: {day} is after today, {on}")
    try:
        statement = account(new.terms, source.events, on)
    except LedgerEntryFault as fault:
        where = f"{source.file}: entry {fault.entry}"
        message = f"{fault.what} (§ {paragraph_of(fault)}); {fault.remedy}"
        raise TakeoverError(f"{where}: {message}") from fault
    state = statement.state
    if source.result is not None and state.result is not source.result:
        given = "none" if state.result is None else state.result.value
        raise TakeoverError(
            f"{source.file}: result is {source.result.value}, but by the moves it is {given}; "
            "write a ruling if it was decided otherwise (§ 6.2.6)"
        )
    taken = ev.TakenOver(on)
    after = evolve(state, taken, len(source.events))
    return TakenGame(new, source, (*source.events, taken), statement, after)


def paragraph_of(fault: LedgerEntryFault) -> str:
    """The paragraph by which an entry can't have happened."""
    inner = fault.__cause__
    match None if inner is None else inner.__cause__:
        case IllegalMove():
            return Reason.ILLEGAL.paragraph
        case SeriesFault():
            return Reason.SERIES.paragraph
        case DatesContradict():
            return "6.3.1"
    if "turn" in fault.what:
        return Reason.NOT_YOUR_TURN.paragraph
    return "6.3.1" if "received" in fault.what else Reason.GAME_OVER.paragraph


def day_of(event: ev.Event) -> date | None:
    """The day on which something happened or was notified; None where the event has none."""
    match event:
        case ev.MoveSent(sent=sent):
            return sending_day(sent)
        case ev.LeaveBooked(first=first, notified=notified):
            return notified or first
        case ev.GamePaused(first=first):
            return first
        case ev.DispatchCorrected() | ev.TotalsSet():
            return None
        case (
            ev.MoveReceived(on=on)
            | ev.LongThinkNotified(on=on)
            | ev.OpponentReminded(on=on)
            | ev.LeaderTold(on=on)
            | ev.FaultySent(on=on)
            | ev.OverstepClaimed(on=on)
            | ev.DaysCharged(on=on)
            | ev.ResultRuled(on=on)
            | ev.GameResumed(on=on)
            | ev.PlayerResigned(on=on)
            | ev.DrawMade(on=on)
            | ev.TakenOver(on=on)
        ):
            return on
    return None


def latest_day(event: ev.Event) -> date | None:
    """The last day that an event implies has passed; leave and pauses may lie ahead."""
    match event:
        case ev.MoveSent(sent=sent, received=received):
            day = sending_day(sent)
            return day if received is None else max(day, received)
        case ev.LeaveBooked(notified=notified):
            return notified
        case ev.GamePaused():
            return None
    return day_of(event)


def is_lost_for_both(game: TakenGame) -> bool:
    """Whether the record ends in an overstep after which both went on (§ 6.3.3.4)."""
    overstep = game.account.overstep
    return overstep is not None and overstep.finding is OverstepFinding.CONTINUED


_ENDS = (ev.MoveSent, ev.PlayerResigned, ev.DrawMade, ev.ResultRuled, ev.OverstepClaimed)


def ended_on(game: TakenGame) -> date | None:
    """The day a finished game ended, as far as its record tells; None while it runs."""
    if game.state.result is None:
        return None
    days = [day_of(event) for event in game.events if isinstance(event, _ENDS)]
    return next((day for day in reversed(days) if day is not None), game.new.terms.start)
