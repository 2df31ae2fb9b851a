"""What a game in PGN from a chess program says in the game: one new move, an offer, an ending.

The move is played if the record agrees with the game and goes exactly one move further. All else
is asked about and costs nothing: the player did not write the record, his program did (§ 6.8.6).
NOT for how it is written: `mail.grammar.program_games`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

import chess

from kskak.board.notation import MoveRead, read_move
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage
from mail.grammar.keyword_lines import (
    Keyword,
    ParsedText,
    ParseProblem,
    ProblemKind,
    Repetition,
    Word,
    WriterPosition,
    half_of,
    is_draw_offer,
    speaks_of_draw,
)

# A game that a chess program wrote into a mail: its moves, its last comments, its result.

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
class PgnRecord:
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


def read_record(written: str) -> PgnRecord:
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
        lines = _COMMAND.sub("", found["comment"] or found["line"] or "").split("\n")
        said.extend(line.strip() for line in lines if line.strip())
    result = tags.get("Result", "*") if result == "*" else result
    return PgnRecord(tuple(moves), start, tuple(before), tuple(said), result, end)


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


# What a game in PGN from a chess program says in the game: one new move, an offer, an ending.

_PROGRAM = frozenset({NotationLanguage.EN, NotationLanguage.NUMERIC})
"""PGN has English letters, whatever the player's own are."""
_BY = re.compile(r"(white|black) (offers a draw|resigns)", re.IGNORECASE)
_AGREED = re.compile(r"draw (?:agreed|accepted)", re.IGNORECASE)


def read_program(
    games: tuple[str, ...], position: WriterPosition | None, languages: Collection[NotationLanguage]
) -> ParsedText | None:
    """The one game of the mail that says something new; a question if none fits, or several do.

    None if they say nothing new: he sent back what he had been sent.
    """
    records = [read_record(game) for game in games]
    if position is None:
        return ParsedText(rest=tuple(record.moves[-1] for record in records if record.moves))
    read = tuple(dict.fromkeys(_read(record, position, languages) for record in records))
    fitting = [one for one in read if one is not None and not one.problem]
    if len(fitting) > 1:
        return _unread("[Event")
    return fitting[0] if fitting else None if None in read else read[0]


def merge_with_words(words: ParsedText, program: ParsedText | None) -> ParsedText:
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
        unclear = ParseProblem(ProblemKind.DRAW_UNCLEAR, draw[:80], program.moves)
        program, words = replace(program, moves=(), problem=unclear), replace(words, moves=())
    return replace(
        words if words.moves else program,
        keywords=keywords,
        message="\n".join(filter(None, (words.message, program.message))),
        rest=tuple(dict.fromkeys((*words.rest, *program.rest))),
    )


def _agree(words: ParsedText, program: ParsedText) -> bool:
    """Whether the words say no move, or the game's; a greeting is no attempt at one."""
    problem = words.problem
    if problem is None:
        return not words.moves or words.moves == program.moves
    if problem.kind is ProblemKind.UNSURE:
        return any(move in problem.candidates for move in program.moves)
    return problem.kind is ProblemKind.NOT_UNDERSTOOD and not words.rest


def _contradicts(token: str, *candidates: chess.Move) -> ParseProblem:
    return ParseProblem(ProblemKind.CONTRADICTION, token[:80], candidates)


def _read(
    record: PgnRecord, position: WriterPosition, languages: Collection[NotationLanguage]
) -> ParsedText | None:
    """One record against the game; None if it ends where the game is, or was."""
    now = half_of(position.board.fullmove_number, position.board.turn)
    if record.start > now:
        return _unread(record.moves[-1] if record.moves else record.result)
    known, new = record.moves[: now - record.start], record.moves[now - record.start :]
    played = {ply.half: ply for ply in position.previous}
    for half, text in enumerate(known, record.start):
        if half in played and not played[half].matches(text, ALL_LANGUAGES):
            return _unread(_numbered(half, text))
    if not new:
        return _read_ending(record, position)
    if not position.my_turn:
        return ParsedText(problem=ParseProblem(ProblemKind.NOT_YOUR_TURN, new[0]))
    read = read_move(position.board, new[0], _PROGRAM)
    if not isinstance(read, MoveRead):
        read = read_move(position.board, new[0], languages)
    if not isinstance(read, MoveRead):
        return _unread(_numbered(now, new[0]))
    if len(new) > 1:
        return ParsedText(problem=_contradicts(" ".join(new), read.move))
    return _read_move(record, read.move, position, is_repeated=bool(known))


def _read_move(
    record: PgnRecord, move: chess.Move, position: WriterPosition, *, is_repeated: bool
) -> ParsedText:
    """The move with what is said after it; a result that it does not bring about is asked about.

    What stands before the move may be his own analysis: it is shown to him, and to nobody else.
    """
    repetition = Repetition.OK if is_repeated else Repetition.ABSENT
    reading = ParsedText(
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
    return replace(
        reading, moves=(), problem=ParseProblem(ProblemKind.UNSURE, record.result, (move,))
    )


def _read_ending(record: PgnRecord, position: WriterPosition) -> ParsedText | None:
    """No new move: an ending that is plainly said. A bare result says not who wants it."""
    keywords = tuple(one for one in _keywords(record, position) if one.word is not Word.DRAW_OFFER)
    if keywords:
        return ParsedText(keywords=keywords)
    return None if record.result == "*" else _unread(record.result)


def _free(said: tuple[str, ...]) -> tuple[str, ...]:
    signs = (_BY.match, _AGREED.match, is_draw_offer)
    return tuple(line for line in said if not any(sign(line) for sign in signs))


def _keywords(record: PgnRecord, position: WriterPosition) -> tuple[Keyword, ...]:
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


def _unread(token: str) -> ParsedText:
    return ParsedText(problem=ParseProblem(ProblemKind.NOT_UNDERSTOOD, token[:80]))
