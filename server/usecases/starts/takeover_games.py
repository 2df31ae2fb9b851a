"""A takeover's games: each file matched to its game in the schedule and replayed by the engine.

Pure. Every game of the group has exactly one file; what can't have happened is refused with file,
entry and paragraph. Not for storing it (takeover.py) nor for reporting it (takeover_report.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kskak.board.moves import IllegalMove
from kskak.game import events as ev
from kskak.game.lawful_days import lawful_days, unlawful_day
from kskak.game.refusals import PARAGRAPH, Reason
from kskak.game.series import SeriesFault
from kskak.play.evolve import EntryFault, evolve
from kskak.play.state import GameState, Terms
from kskak.reflection.counted_days import DatesContradict, sending_day
from kskak.regulation.quantities import Finding
from kskak.statement.account import Account, account
from server.store.play.games import NewGame
from server.usecases.groups.group_file import GroupFile
from server.usecases.starts.start_group import new_games
from server.usecases.starts.takeover_files import Source, TakeoverError

Progress = Callable[[int, int], None]
"""Told how many games of how many have been replayed."""


@dataclass(frozen=True, slots=True)
class TakenGame:
    """A game as it will be stored. ``events`` end with the takeover; ``state`` is after them.

    ``new`` has the players' numbers in place of people's ids.
    """

    new: NewGame
    source: Source
    events: tuple[ev.Event, ...]
    account: Account
    state: GameState

    @property
    def name(self) -> str:
        """The game's name, «group/number»."""
        return self.new.terms.game


@dataclass(frozen=True, slots=True)
class Planned:
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
    sources: Sequence[Source],
    on: date,
    progress: Progress,
) -> tuple[TakenGame, ...]:
    """Every game of the group, replayed. ``names`` by number. Raises TakeoverError."""
    games = new_games(group, 0, list(range(len(names))), list(names))
    every = [Planned(new, (new.white_id,), (new.black_id,)) for new in games]
    return taken_of(every, names, sources, on, progress)


def taken_of(
    every: Sequence[Planned],
    names: Sequence[str],
    sources: Sequence[Source],
    on: date,
    progress: Progress,
) -> tuple[TakenGame, ...]:
    """The same for a schedule whose sides may have had several players. Raises TakeoverError."""
    planned = [one.new for one in every]
    played_by = _played_by(every, names)
    by_game = _laid_on(played_by, sources, names)
    missing = [new for new in planned if new.terms.game not in by_game]
    if missing:
        told = ", ".join(f"{n.terms.game} ({n.terms.white} - {n.terms.black})" for n in missing)
        raise TakeoverError(
            f"no file for {told}; write a ledger or a short file for each, with not_started = "
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


def _played_by(every: Sequence[Planned], names: Sequence[str]) -> dict[tuple[str, str], NewGame]:
    """Each game by the names that its file may have, with the people they stand for."""
    found: dict[tuple[str, str], NewGame] = {}
    for one in every:
        for white in one.whites:
            for black in one.blacks:
                terms = replace(one.new.terms, white=names[white], black=names[black])
                new = replace(one.new, white_id=white, black_id=black, terms=terms)
                found[names[white], names[black]] = new
    return found


def _is_carried_on(taken: TakenGame, one: Planned, names: Sequence[str]) -> None:
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
    known: Mapping[tuple[str, str], NewGame], sources: Sequence[Source], names: Sequence[str]
) -> dict[str, Source]:
    """Match each game to its file, by names and colours (§ 4.9.11)."""
    found: dict[str, Source] = {}
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


def _wrong_colours(source: Source, known: Mapping[tuple[str, str], NewGame]) -> str:
    turned = known.get((source.black, source.white))
    if turned is None:
        return f"{source.file}: {source.white} does not play {source.black} in this group"
    return (
        f"{source.file}: colours: {source.black} has White in {turned.terms.game} by the "
        "schedule (§ 4.9.11); look at the file and at the players' order in the group file"
    )


def _same_terms(source: Source, terms: Terms) -> None:
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
    for name, said, group in pairs:
        if said != group:
            raise TakeoverError(f"{source.file}: {name} is {said}, but the group's is {group}")
    group_name = terms.game.rpartition("/")[0]
    if own.game.startswith(f"{group_name}/") and own.game != terms.game:
        raise TakeoverError(
            f"{source.file}: game is {own.game}, but {own.white} - {own.black} is {terms.game} "
            "by the schedule (§ 4.9.11)"
        )


def _taken(new: NewGame, source: Source, on: date) -> TakenGame:
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
        told = account(new.terms, source.events, on)
    except EntryFault as fault:
        where = f"{source.file}: entry {fault.entry}"
        said = f"{fault.what} (§ {paragraph_of(fault)}); {fault.remedy}"
        raise TakeoverError(f"{where}: {said}") from fault
    state = told.state
    if source.result is not None and state.result is not source.result:
        given = "none" if state.result is None else state.result.value
        raise TakeoverError(
            f"{source.file}: result is {source.result.value}, but by the moves it is {given}; "
            "write a ruling if it was decided otherwise (§ 6.2.6)"
        )
    taken = ev.TakenOver(on)
    after = evolve(state, taken, len(source.events))
    return TakenGame(new, source, (*source.events, taken), told, after)


def paragraph_of(fault: EntryFault) -> str:
    """The paragraph by which an entry can't have happened."""
    inner = fault.__cause__
    match None if inner is None else inner.__cause__:
        case IllegalMove():
            return PARAGRAPH[Reason.ILLEGAL]
        case SeriesFault():
            return PARAGRAPH[Reason.SERIES]
        case DatesContradict():
            return "6.3.1"
    if "turn" in fault.what:
        return PARAGRAPH[Reason.NOT_YOUR_TURN]
    return "6.3.1" if "received" in fault.what else PARAGRAPH[Reason.GAME_OVER]


def day_of(event: ev.Event) -> date | None:
    """The day on which something happened or was notified; None where the event has none."""
    match event:
        case ev.MoveSent(sent=sent):
            return sending_day(sent)
        case ev.LeaveBooked(first=first, notified=notified):
            return notified or first
        case ev.Paused(first=first):
            return first
        case ev.DispatchCorrected() | ev.TotalsSet():
            return None
        case (
            ev.MoveReceived(on=on)
            | ev.LongThinkNotified(on=on)
            | ev.Reminded(on=on)
            | ev.LeaderTold(on=on)
            | ev.FaultySent(on=on)
            | ev.OverstepClaimed(on=on)
            | ev.DaysCharged(on=on)
            | ev.ResultRuled(on=on)
            | ev.GameResumed(on=on)
            | ev.Resigned(on=on)
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
        case ev.Paused():
            return None
    return day_of(event)


def is_lost_for_both(game: TakenGame) -> bool:
    """Whether the record ends in an overstep after which both went on (§ 6.3.3.4)."""
    overstep = game.account.overstep
    return overstep is not None and overstep.finding is Finding.CONTINUED


_ENDS = (ev.MoveSent, ev.Resigned, ev.DrawMade, ev.ResultRuled, ev.OverstepClaimed)


def ended_on(game: TakenGame) -> date | None:
    """The day a finished game ended, as far as its record tells; None while it runs."""
    if game.state.result is None:
        return None
    deeds = [day_of(event) for event in game.events if isinstance(event, _ENDS)]
    return next((day for day in reversed(deeds) if day is not None), game.new.terms.start)
