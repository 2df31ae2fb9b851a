"""What a game in PGN from a chess program says in the game: one new move, an offer, an ending.

The move is played if the record agrees with the game and goes exactly one move further. All else
is asked about and costs nothing: the player did not write the record, his program did (§ 6.8.6).
NOT for how it is written: `mail.grammar.pgn_record`.
"""

import re
from collections.abc import Collection
from dataclasses import replace

import chess

from kskak.board.notation import ALL_LANGUAGES, Language, MoveRead, read_move
from mail.grammar.keywords import Keyword, Word
from mail.grammar.pgn_record import Record, read_record
from mail.grammar.repeated import matches
from mail.grammar.understood import Position, Problem, ProblemKind, Reading, Repetition, half_of

_PROGRAM = frozenset({Language.EN, Language.NUMERIC})
"""PGN has English letters, whatever the player's own are."""
_BY = re.compile(r"(white|black) (offers a draw|resigns)", re.IGNORECASE)
_AGREED = re.compile(r"draw (?:agreed|accepted)", re.IGNORECASE)


def read_program(
    games: tuple[str, ...], position: Position | None, languages: Collection[Language]
) -> Reading:
    """The one game of the mail that fits; a question if several do, or none does."""
    records = [read_record(game) for game in games]
    if position is None:
        return Reading(rest=tuple(f"{record.moves[-1]}" for record in records if record.moves))
    read = [_read(record, position, languages) for record in records]
    if len(read) == 1:
        return read[0]
    fitting = [one for one in read if one.moves or one.keywords]
    return fitting[0] if len(fitting) == 1 else _unread("[Event")


def beside(words: Reading, program: Reading) -> Reading:
    """What is written above the game, and the game, as one: they must not name two moves."""
    problem = words.problem
    is_vague = problem is not None and problem.kind is ProblemKind.NOT_UNDERSTOOD
    clashes = bool(words.moves) and words.moves != program.moves
    if clashes or (problem is not None and not is_vague):
        token = problem.token if problem is not None else words.moves[-1].uci()
        return Reading(problem=Problem(ProblemKind.CONTRADICTION, token), message=words.message)
    said = "\n".join(filter(None, (words.message, program.message)))
    keywords = tuple(dict.fromkeys((*words.keywords, *program.keywords)))
    rest = tuple(dict.fromkeys((*words.rest, *program.rest)))
    return replace(program, keywords=keywords, message=said, rest=rest, proposes=words.proposes)


def _read(record: Record, position: Position, languages: Collection[Language]) -> Reading:
    """One record against the game."""
    now = half_of(position.board.fullmove_number, position.board.turn)
    played = {ply.half: ply for ply in position.previous}
    known, new = record.moves[: max(0, now - record.start)], record.moves[now - record.start :]
    for half, text in enumerate(known, record.start):
        ply = played.get(half)
        if ply is not None and not matches(text, ply, ALL_LANGUAGES):
            return _unread(_numbered(half, text))
    if record.start + len(known) < now or record.start > now:
        return _unread(record.moves[-1] if record.moves else record.result)
    if not new:
        return _ended(record, position)
    if not position.my_turn:
        return Reading(problem=Problem(ProblemKind.NOT_YOUR_TURN, new[0]))
    read = read_move(position.board, new[0], _PROGRAM)
    if not isinstance(read, MoveRead):
        read = read_move(position.board, new[0], languages)
    if not isinstance(read, MoveRead):
        return _unread(_numbered(now, new[0]))
    if len(new) > 1:
        meant = Problem(ProblemKind.CONTRADICTION, " ".join(new)[:80], (read.move,))
        return Reading(problem=meant)
    return _moved(record, read.move, position, is_repeated=bool(known))


def _moved(record: Record, move: chess.Move, position: Position, *, is_repeated: bool) -> Reading:
    """The move with what is said after it; a result that it does not bring about is asked about."""
    keywords = _keywords(record, position)
    free = "\n".join(line for line in record.said if not (_BY.match(line) or _AGREED.match(line)))
    after = position.board.copy(stack=False)
    after.push(move)
    repetition = Repetition.OK if is_repeated else Repetition.ABSENT
    if record.result != "*" and not keywords and not after.is_game_over():
        problem = Problem(ProblemKind.UNSURE, record.result, (move,))
        return Reading(problem=problem, repetition=repetition, message=free)
    return Reading((move,), keywords=keywords, repetition=repetition, message=free)


def _ended(record: Record, position: Position) -> Reading:
    """No new move: an ending that is plainly said. A bare result says not who wants it."""
    keywords = tuple(one for one in _keywords(record, position) if one.word is not Word.DRAW_OFFER)
    if not keywords and record.result != "*":
        return _unread(record.result)
    return Reading(keywords=keywords)


def _keywords(record: Record, position: Position) -> tuple[Keyword, ...]:
    """The writer's own offer or ending after the last move; his opponent's say nothing."""
    own = "white" if position.board.turn == position.my_turn else "black"
    found: list[Word] = []
    for line in record.said:
        by = _BY.match(line)
        if by is not None and by[1].lower() == own:
            found.append(Word.RESIGN if "resign" in by[2].lower() else Word.DRAW_OFFER)
        elif _AGREED.match(line):
            found.append(Word.DRAW_YES)
    return tuple(Keyword(word) for word in dict.fromkeys(found))


def _numbered(half: int, text: str) -> str:
    return f"{half // 2 + 1}{'...' if half % 2 else '.'} {text}"


def _unread(token: str) -> Reading:
    return Reading(problem=Problem(ProblemKind.NOT_UNDERSTOOD, token[:80]))
