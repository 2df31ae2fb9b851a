"""A game that a chess program wrote into a mail: its moves, its last comments, its result.

The programs of correspondence players (cmail, Scid, DESC's forms) send the whole game as PGN, in
which the last move is new and offers and endings stand in comments. Linear; never raises.
NOT for what it means in the game: `mail.grammar.from_program`; nor for archives: `kskak.archive`.
"""

import re
from dataclasses import dataclass

from mail.grammar.understood import half_of

MAX_RECORD = 32 * 1024  # characters of one game
_MAX_GAMES = 20
_FIRST = re.compile(r'^[ \t]*\[Event[ \t]+"', re.MULTILINE)
_TAG = re.compile(r'^[ \t]*\[(\w+)[ \t]+"([^"\n]*)"\][ \t]*$', re.MULTILINE)
_DIAGRAM = re.compile(r"^\{-{6}[^}]*\}", re.MULTILINE)
_OF_PROGRAM = re.compile(r"^(?:Final FEN|Move List):.*$\n?", re.MULTILINE)
_TOKENS = re.compile(
    r"\{(?P<comment>[^}]*)(?:\}|\Z)|;(?P<line>[^\n]*)|(?P<open>\()|(?P<close>\))|\$\d+"
    r"|(?P<result>\*|1-0|0-1|1/2-1/2)(?![^\s{(;])|(?P<number>\d{1,3})(?P<dots>\.[.\s]*)"
    r"|(?P<move>[^\s(){};.][^\s(){};]*)|\.+"
)


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `start`: half-moves before its first; `said`: the lines of comment after its last.

    `result`: "*" if nothing says that the game is over.
    """

    moves: tuple[str, ...]
    start: int
    said: tuple[str, ...]
    result: str


def holds_record(text: str) -> bool:
    """Whether a game in PGN begins on a line of the text."""
    return _FIRST.search(text) is not None


def split_records(text: str) -> tuple[str, tuple[str, ...]]:
    """The text above the first game, and the games as written; none if there is none."""
    starts = [found.start() for found in _FIRST.finditer(text)][: _MAX_GAMES + 1]
    if not starts:
        return text, ()
    ends = [*starts[1:], len(text)]
    games = tuple(text[one:end] for one, end in zip(starts, ends, strict=True))
    return above_record(text[: starts[0]]), games


def above_record(text: str) -> str:
    """What stands above a game, without the position and the moves that programs put there."""
    return _OF_PROGRAM.sub("", _DIAGRAM.sub("", text)).strip("\n")


def read_record(written: str) -> Record:
    """One game, read until its result; variations are skipped."""
    tags = dict(_TAG.findall(written[:MAX_RECORD]))
    moves: list[str] = []
    said: list[str] = []
    start, depth, result = 0, 0, "*"
    for found in _TOKENS.finditer(_TAG.sub("", written[:MAX_RECORD])):
        depth = max(0, depth + (found["open"] is not None) - (found["close"] is not None))
        if depth:
            continue
        if found["result"]:
            result = found["result"]
            break
        if found["move"]:
            moves.append(found["move"])
            said.clear()
        elif found["number"] and not moves:
            start = half_of(max(1, int(found["number"])), colour=found["dots"].count(".") < 2)
        comment = found["comment"] or found["line"] or ""
        said.extend(line.strip() for line in comment.split("\n") if line.strip())
    result = tags.get("Result", "*") if result == "*" else result
    return Record(tuple(moves), start, tuple(said), result)
