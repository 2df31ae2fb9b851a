"""The files of a takeover: the group file, and a ledger or a short file for each game.

Only read here. Not for whether they are about this group and what they say can have happened
(takeover_games.py) nor for the folder itself (the command).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from kskak.board.movetext import UnreadMove
from kskak.game.events import LeaveBooked, LedgerEvent
from kskak.ledger.ledger_in import LedgerError, read_ledger
from kskak.play.state import Terms
from kskak.regulation.quantities import LeaveType, Result
from server.usecases.groups.group_file import GroupClass, GroupFile, GroupFileError, read_group_file
from server.usecases.league.file import squads
from server.usecases.starts.short_file import events_of, read_short_file

GROUP_FILE = "group.toml"


class TakeoverError(ValueError):
    """A takeover that can't be done; the text names the file, the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Source:
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
) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """What the files say about the games, by file name; and the files that were not read.

    ``on``: the day of the takeover. Raises TakeoverError.
    """
    sources: list[Source] = []
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


def _ledger(name: str, raw: bytes) -> Source:
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
    return Source(name, terms.white, terms.black, read.events, terms)


def _short(name: str, raw: bytes, group: GroupFile, on: date) -> Source:
    text = _text(name, raw)
    try:
        short = read_short_file(text)
        events = events_of(short, group, on)
    except ValueError as error:
        raise TakeoverError(f"{name}: {_place(error)}{error}") from error
    result = None if short.result is None else Result(short.result)
    return Source(name, short.white, short.black, events, None, result)


def _place(error: ValueError) -> str:
    return "moves: " if isinstance(error, UnreadMove) else ""
