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
_TAG = re.compile(r'[ \t]*\[(\w+)[ \t]+"(.*)"\][ \t]*$', re.MULTILINE)
_OF_PROGRAM = re.compile(r"^(?:\{-{6}[^}]*\}|(?:Final FEN|Move List):.*)$\n?", re.MULTILINE)
_COMMAND = re.compile(r"\[%[^\]]*\]")
"""What programs write into comments for each other: clocks, arrows."""
_TOKENS = re.compile(
    r"\{(?P<comment>[^}]*)(?:\}|\Z)|;(?P<line>[^\n]*)|(?P<open>\()|(?P<close>\))|\$\d+"
    r"|(?P<result>\*|1-0|0-1|1/2-1/2)(?![^\s{(;])"
    r"|\n(?P<end>[ \t]*(?:>|--[ \t]*$|\n\s{0,9}[^\W\d_])|[ \t]*\[Event[ \t])"
    r"|(?P<number>\d{1,3})(?P<dots>\.[.\s]*)|(?P<move>[^\s(){};.][^\s(){};]*)",
    re.MULTILINE,
)
"""``end``: below a record without a result, a quote, a signature, prose or the next record."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `start`: half-moves before its first move; `result`: "*" if it is not over.

    `before`, `said`: the lines of comment before its last move and after it. `end`: characters.
    """

    moves: tuple[str, ...]
    start: int
    before: tuple[str, ...]
    said: tuple[str, ...]
    result: str
    end: int


def split_records(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The text around the games in it, one piece more than there are games; and the games."""
    if "[Event" not in text:  # as in nearly all mails
        return (text,), ()
    around: list[str] = []
    games: list[str] = []
    at = 0
    for found in _FIRST.finditer(text):
        if found.start() >= at and len(games) < _MAX_GAMES:
            end = found.start() + read_record(text[found.start() : found.start() + MAX_RECORD]).end
            around.append(without_position(text[at : found.start()]))
            games.append(text[found.start() : end])
            at = end
    return (*around, text[at:]), tuple(games)


def without_position(text: str) -> str:
    """A text without the position and the moves that programs put above a game."""
    return _OF_PROGRAM.sub("", text)


def read_record(written: str) -> Record:
    """The game that begins the text, as far as its result; variations are skipped."""
    tags, at = _read_tags(written)
    moves: list[str] = []
    before: list[str] = []
    said: list[str] = []
    start, depth, result, end = 0, 0, "*", len(written)
    for found in _TOKENS.finditer(written, at):
        depth = max(0, depth + (found["open"] is not None) - (found["close"] is not None))
        if found["end"] is not None and (moves or "[" in found["end"]):
            end = found.start()
            break
        if depth:
            continue
        if found["result"]:
            result, end = found["result"], found.end()
            break
        if found["move"]:
            moves.append(found["move"])
            before, said = said, []
        elif found["number"] and not moves:
            start = half_of(max(1, int(found["number"])), colour=found["dots"].count(".") < 2)
        said.extend(_lines(found["comment"] or found["line"] or ""))
    result = tags.get("Result", "*") if result == "*" else result
    return Record(tuple(moves), start, tuple(before), tuple(said), result, end)


def _read_tags(written: str) -> tuple[dict[str, str], int]:
    """The tags at its head, and where the moves begin."""
    tags: dict[str, str] = {}
    at = 0
    while found := _TAG.match(written, at):
        tags[found[1]] = found[2]
        at = found.end()
        while at < len(written) and written[at].isspace():
            at += 1
    return tags, at


def _lines(comment: str) -> list[str]:
    lines = _COMMAND.sub("", comment).split("\n")
    return [line.strip() for line in lines if line.strip()]
