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
from mail.grammar.keywords import Keyword, Word, is_draw_offer, speaks_of_draw
from mail.grammar.pgn_record import Record, read_record
from mail.grammar.repeated import matches
from mail.grammar.understood import Position, Problem, ProblemKind, Reading, Repetition, half_of

_PROGRAM = frozenset({Language.EN, Language.NUMERIC})
"""PGN has English letters, whatever the player's own are."""
_BY = re.compile(r"(white|black) (offers a draw|resigns)", re.IGNORECASE)
_AGREED = re.compile(r"draw (?:agreed|accepted)", re.IGNORECASE)


def read_program(
    games: tuple[str, ...], position: Position | None, languages: Collection[Language]
) -> Reading | None:
    """The one game of the mail that says something new; a question if none fits, or several do.

    None if they say nothing new: he sent back what he had been sent.
    """
    records = [read_record(game) for game in games]
    if position is None:
        return Reading(rest=tuple(record.moves[-1] for record in records if record.moves))
    read = tuple(dict.fromkeys(_read(record, position, languages) for record in records))
    fitting = [one for one in read if one is not None and not one.problem]
    if len(fitting) > 1:
        return _unread("[Event")
    return fitting[0] if fitting else None if None in read else read[0]


def beside(words: Reading, program: Reading | None) -> Reading:
    """What is written around the game, and the game, as one: they must not name two moves."""
    if program is None or (not program.moves and (words.moves or words.problem)):
        return words
    if not _agree(words, program):
        token = words.problem.token if words.problem is not None else words.moves[-1].uci()
        return replace(words, moves=(), proposes=(), problem=_contradicts(token))
    keywords = tuple(dict.fromkeys((*words.keywords, *program.keywords)))
    said = f"{words.message}\n{program.message}".split("\n")
    draw = next(filter(speaks_of_draw, said), None)
    if draw and program.moves and Keyword(Word.DRAW_OFFER) not in keywords:
        unclear = Problem(ProblemKind.DRAW_UNCLEAR, draw[:80], program.moves)
        program, words = replace(program, moves=(), problem=unclear), replace(words, moves=())
    return replace(
        words if words.moves else program,
        keywords=keywords,
        message="\n".join(filter(None, (words.message, program.message))),
        rest=tuple(dict.fromkeys((*words.rest, *program.rest))),
    )


def _agree(words: Reading, program: Reading) -> bool:
    """Whether the words say no move, or the game's; a greeting is no attempt at one."""
    problem = words.problem
    if problem is None:
        return not words.moves or words.moves == program.moves
    if problem.kind is ProblemKind.UNSURE:
        return any(move in problem.candidates for move in program.moves)
    return problem.kind is ProblemKind.NOT_UNDERSTOOD and not words.rest


def _contradicts(token: str, *candidates: chess.Move) -> Problem:
    return Problem(ProblemKind.CONTRADICTION, token[:80], candidates)


def _read(record: Record, position: Position, languages: Collection[Language]) -> Reading | None:
    """One record against the game; None if it ends where the game is, or was."""
    now = half_of(position.board.fullmove_number, position.board.turn)
    if record.start > now:
        return _unread(record.moves[-1] if record.moves else record.result)
    known, new = record.moves[: now - record.start], record.moves[now - record.start :]
    played = {ply.half: ply for ply in position.previous}
    for half, text in enumerate(known, record.start):
        if half in played and not matches(text, played[half], ALL_LANGUAGES):
            return _unread(_numbered(half, text))
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
        return Reading(problem=_contradicts(" ".join(new), read.move))
    return _moved(record, read.move, position, is_repeated=bool(known))


def _moved(record: Record, move: chess.Move, position: Position, *, is_repeated: bool) -> Reading:
    """The move with what is said after it; a result that it does not bring about is asked about.

    What stands before the move may be his own analysis: it is shown to him, and to nobody else.
    """
    repetition = Repetition.OK if is_repeated else Repetition.ABSENT
    reading = Reading(
        (move,),
        keywords=_keywords(record, position),
        repetition=repetition,
        rest=_free(record.before),
        message="\n".join(_free(record.said)),
    )
    after = position.board.copy(stack=False)
    after.push(move)
    if record.result == "*" or reading.keywords or after.is_game_over():
        return reading
    return replace(reading, moves=(), problem=Problem(ProblemKind.UNSURE, record.result, (move,)))


def _ended(record: Record, position: Position) -> Reading | None:
    """No new move: an ending that is plainly said. A bare result says not who wants it."""
    keywords = tuple(one for one in _keywords(record, position) if one.word is not Word.DRAW_OFFER)
    if keywords:
        return Reading(keywords=keywords)
    return None if record.result == "*" else _unread(record.result)


def _free(said: tuple[str, ...]) -> tuple[str, ...]:
    signs = (_BY.match, _AGREED.match, is_draw_offer)
    return tuple(line for line in said if not any(sign(line) for sign in signs))


def _keywords(record: Record, position: Position) -> tuple[Keyword, ...]:
    """The writer's own offer or ending after the last move; his opponent's say nothing."""
    own = "white" if position.board.turn == position.my_turn else "black"
    found: list[Word] = []
    for line in record.said:
        by = _BY.match(line)
        if by is not None and by[1].lower() == own:
            found.append(Word.RESIGN if "resign" in by[2].lower() else Word.DRAW_OFFER)
        elif by is None and is_draw_offer(line):
            found.append(Word.DRAW_OFFER)
        elif _AGREED.match(line):
            found.append(Word.DRAW_YES)
    return tuple(Keyword(word) for word in dict.fromkeys(found))


def _numbered(half: int, text: str) -> str:
    return f"{half // 2 + 1}{'...' if half % 2 else '.'} {text}"


def _unread(token: str) -> Reading:
    return Reading(problem=Problem(ProblemKind.NOT_UNDERSTOOD, token[:80]))
