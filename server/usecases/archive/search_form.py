"""An archive search, read from the text fields of a form: names, years, opening, position.

What can't be read is reported by field and left out of the search; the rest is searched for. Not
for the answer (views.py) nor for words (server/web/archive/words.py).
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import chess

from kskak.archive.past_index import key_of
from kskak.board.movetext import UnreadMove, read_movetext
from kskak.board.openings import Opening
from kskak.values.names import plain
from server.store.archive.reading import Wanted
from server.usecases.archive.found_by import keys_of
from server.usecases.play.openings import openings

LONGEST = 80
"""Characters of a name to search for."""
LONGEST_POSITION = 1200
_YEAR = re.compile(r"[12]\d{3}")
_NUMBER = re.compile(r"\d{1,18}")
_CODES = re.compile(r"([A-E]\d{0,2})(?:\s*[-–]\s*([A-E]\d\d))?", re.IGNORECASE)
_FEN = re.compile(r"[pnbrqkPNBRQK1-8]+/")
_RANKS = 8
_IN_RANKS = frozenset("12345678pnbrqkPNBRQK")
_FEN_REST = ("w", "-", "-", "0", "1")


class Fault(StrEnum):
    """Why a field can't be used."""

    YEAR = "year"
    YEARS = "years"
    OPENING = "opening"
    CODES = "codes"
    RANKS = "ranks"
    RANK = "rank"
    FEN = "fen"
    IMPOSSIBLE = "impossible"
    MOVE = "move"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A fault, with what it is about."""

    fault: Fault
    value: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The texts as they were typed."""

    player: str = ""
    event: str = ""
    year: str = ""
    until: str = ""
    opening: str = ""
    position: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Understood:
    """What to look for. ``board``: the position; ``moves``: the moves it was given as."""

    asked: Asked
    wanted: Wanted
    wrong: dict[str, Wrong]
    board: chess.Board | None = None
    moves: tuple[chess.Move, ...] = ()
    opening: Opening | None = None
    """The one opening that the code or words name; else the opening of the position."""


def understood(asked: Asked) -> Understood:
    """What a form asks for, and which fields could not be read."""
    wrong: dict[str, Wrong] = {}
    year, until = _years(asked, wrong)
    codes, keys, opening = _opening(_line("opening", asked.opening, wrong), wrong)
    board, moves = _position(asked.position.strip(), wrong)
    wanted = Wanted(
        player=_line("player", asked.player, wrong),
        event=_line("event", asked.event, wrong),
        year=year,
        until=until,
        person_id=int(asked.person) if _is(asked.person, _NUMBER) else None,
        codes=codes,
        openings=keys,
        position=None if board is None else key_of(board),
    )
    named = opening if board is None or opening is not None else openings().at(board)
    return Understood(asked, wanted, wrong, board, moves, named)


def _line(name: str, text: str, wrong: dict[str, Wrong]) -> str:
    """The text on one line; empty if too long, as half of it would find something else."""
    line = " ".join(text.split())
    if len(line) <= LONGEST:
        return line
    wrong[name] = Wrong(Fault.LONG, str(LONGEST))
    return ""


def _is(text: str, shape: re.Pattern[str]) -> bool:
    return text.isascii() and shape.fullmatch(text) is not None


def _years(asked: Asked, wrong: dict[str, Wrong]) -> tuple[int | None, int | None]:
    found: list[int | None] = []
    for name, text in (("year", asked.year.strip()), ("until", asked.until.strip())):
        is_year = _is(text, _YEAR)
        if text and not is_year:
            wrong[name] = Wrong(Fault.YEAR, text[:LONGEST])
        found.append(int(text) if is_year else None)
    first, last = found
    if first is not None and last is not None and first > last:
        wrong["until"] = Wrong(Fault.YEARS, str(first))
        return first, None
    return first, last


Found = tuple[tuple[str, str] | None, frozenset[int], Opening | None]


def _opening(text: str, wrong: dict[str, Wrong]) -> Found:
    """A range of codes, or the openings whose names contain every word."""
    nothing: Found = None, frozenset(), None
    if not text:
        return nothing
    codes = _CODES.fullmatch(text)
    if codes is not None:
        first, last = codes[1].upper(), (codes[2] or codes[1]).upper()
        ends = first.ljust(3, "0"), last.ljust(3, "9")
        if ends[0] > ends[1]:
            wrong["opening"] = Wrong(Fault.CODES, text)
            return nothing
        return ends, frozenset(), openings().heads.get(first) if ends[0] == ends[1] else None
    words = _words(text)
    fitting = [one for one in keys_of() if words and all(w in _text(one) for w in words)]
    if not fitting:
        wrong["opening"] = Wrong(Fault.OPENING, text)
        return nothing
    among = sorted(one.code for one in fitting)
    only = fitting[0] if len(fitting) == 1 else None
    return (among[0], among[-1]), frozenset(keys_of()[one] for one in fitting), only


def _text(opening: Opening) -> str:
    """Both names, normalised for searching."""
    return " ".join(_words(f"{opening.danish} {opening.english}"))


def _words(text: str) -> list[str]:
    """A text's words, normalised; American spelling is made British."""
    return plain(text).replace("defense", "defence").replace("center", "centre").split()


def _position(
    text: str, wrong: dict[str, Wrong]
) -> tuple[chess.Board | None, tuple[chess.Move, ...]]:
    """The board from a FEN, or after the opening moves of a game."""
    if not text:
        return None, ()
    if len(text) > LONGEST_POSITION:
        wrong["position"] = Wrong(Fault.LONG, str(LONGEST_POSITION))
        return None, ()
    if _FEN.match(text) is not None:
        return _of_fen(text, wrong), ()
    try:
        moves = read_movetext(text, None)
    except UnreadMove as unread:
        dots = "." if unread.board.turn else "…"
        place = f"{unread.board.fullmove_number}{dots} {unread.found.text[:20]}"
        wrong["position"] = Wrong(Fault.MOVE, place)
        return None, ()
    board = chess.Board()
    for move in moves:
        board.push(move)
    return board, moves


def _of_fen(text: str, wrong: dict[str, Wrong]) -> chess.Board | None:
    """A FEN's position; fields missing at the end mean White to move, no castling."""
    fields = text.split()
    ranks = fields[0].split("/")
    if len(ranks) != _RANKS:
        wrong["position"] = Wrong(Fault.RANKS, str(len(ranks)))
        return None
    bad = next((rank for rank in ranks if not _is_rank(rank)), None)
    if bad is not None:
        wrong["position"] = Wrong(Fault.RANK, bad[:20])
        return None
    try:
        board = chess.Board(" ".join([*fields, *_FEN_REST[len(fields) - 1 :]][:6]))
    except ValueError:
        wrong["position"] = Wrong(Fault.FEN, " ".join(fields[1:])[:40])
        return None
    if not board.is_valid():
        wrong["position"] = Wrong(Fault.IMPOSSIBLE)
        return None
    return board


def _is_rank(rank: str) -> bool:
    if not _IN_RANKS.issuperset(rank):
        return False
    return sum(int(char) if char.isdigit() else 1 for char in rank) == _RANKS
