"""Turns a player's text into what it asks for: move lines, keyword lines, and free words.

CONTRACTS "Mail"; § 6.2.1, § 6.2.5, § 6.8.4. Works on the writer's own words
(`mail.incoming.quoting`) and serves mail, web and API alike. Readings: a move line stands alone;
two statements of the same move are one, two different ones a contradiction; if a legal move and
something unintelligible appear together, the move is made and the rest quoted back. Pure; never
raises.
NOT for whether the writer may do it: that is up to the ladder and `kskak.play.decide`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from kskak.board.notation import ALL_LANGUAGES, Language
from mail.grammar.doubtful import (
    could_mean,
    names_piece,
    unless_doubtful,
    unless_draw,
    unless_plain,
)
from mail.grammar.from_program import beside, read_program
from mail.grammar.keywords import Keyword, Word, nearly_keyword, read_keyword, speaks_of_draw
from mail.grammar.move_lines import MoveLine, Token, move_words, read_move_line
from mail.grammar.pgn_record import split_records
from mail.grammar.series import Statement, read_statement
from mail.grammar.understood import Position, Problem, ProblemKind, Reading, Repetition, half_of

MAX_LINES = 2000  # of the writer's own words; the rest is ignored
MAX_MESSAGE = 4000  # characters
MAX_REST = 20  # lines quoted back
_LONGEST_REST = 200  # characters of one of them
_MAX_MOVE_LINES = 40
_NUMBER_FIRST = re.compile(r"\d{1,3} ?\.")
_MAX_PROSE = 200  # lines searched for a move among other words
_MOST_MEANT = 4  # moves that are offered to him
_SHORT = 12  # characters; a text of one line this short is an attempt at something


@dataclass(frozen=True, slots=True)
class _Lines:
    """The own words sorted by kind, each in its order."""

    moves: tuple[MoveLine, ...]
    keywords: tuple[Keyword, ...]
    free: tuple[str, ...]
    draws: tuple[str, ...] = ()
    """Lines that accept a draw, or offer one behind another move than the last: asked about."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Move lines that continue each other, as one run of tokens."""

    tokens: tuple[Token, ...]
    source: str

    @property
    def numbered(self) -> bool:
        """True if the run begins with a move number."""
        return self.tokens[0].number is not None


def read_text(
    text: str,
    position: Position | None,
    languages: Collection[Language] = ALL_LANGUAGES,
    *,
    today: date,
) -> Reading:
    """Read the writer's own words. `position`: of the game the mail is about, None if none.

    `today`: the local date, for leave dates without a year.
    """
    around, games = split_records(text)
    words = _read_words("\n\n".join(around).strip("\n"), position, languages, today)
    if not games:
        return words
    reading = beside(words, read_program(games, position, languages))
    rest = tuple(line[:_LONGEST_REST] for line in reading.rest[:MAX_REST])
    return replace(reading, message=reading.message[:MAX_MESSAGE], rest=rest)


def read_keywords(text: str, *, today: date) -> tuple[Keyword, ...]:
    """The keywords that `read_text` finds without a position, and nothing else of it."""
    around, games = split_records(text)
    if games:
        return read_text(text, None, today=today).keywords
    lines = around[0].strip("\n").split("\n")[:MAX_LINES]
    found = (read_keyword(line, today) for line in lines)
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _read_words(
    text: str, position: Position | None, languages: Collection[Language], today: date
) -> Reading:
    lines = _sort_lines(text, today)
    notes = tuple(line.note for line in lines.moves if line.note)
    rest = notes + tuple(filter(_is_try, lines.free[:_MAX_PROSE]))
    message = "\n".join(lines.free).strip("\n")[:MAX_MESSAGE]
    if not lines.moves:
        problem = None if lines.keywords else _in_prose(lines.free, position, languages)
        return _reading(Statement(problem=problem), lines, rest, message)
    if position is None:
        return _reading(Statement(), lines, (*_sources(lines), *rest), message)
    if not position.my_turn:
        problem = Problem(ProblemKind.NOT_YOUR_TURN, lines.moves[0].tokens[0].text)
        return _reading(Statement(problem=problem), lines, rest, message)
    statement, unread = _decide(_runs(lines.moves, position), position, languages)
    beside = (*notes, *lines.draws, *lines.free[:_MAX_PROSE])
    statement = unless_doubtful(statement, _tokens(lines), position, beside)
    if Keyword(Word.DRAW_OFFER) not in lines.keywords:
        statement = unless_draw(statement, beside)
    beside = (*unread, *beside)
    statement = unless_plain(statement, _tokens(lines), position, beside, lines.keywords)
    return _reading(statement, lines, (*unread, *rest), message)


def _sort_lines(text: str, today: date) -> _Lines:
    moves: list[MoveLine] = []
    keywords: list[Keyword] = []
    free: list[str] = []
    draws: list[str] = []
    for line in text.split("\n")[:MAX_LINES]:
        keyword = read_keyword(line, today)
        move_line = None if keyword or len(moves) >= _MAX_MOVE_LINES else read_move_line(line)
        if keyword is not None:
            keywords.append(keyword)
            draws.extend([line.strip()] if keyword.word is Word.DRAW_YES else [])
        elif move_line is not None:
            moves.append(move_line)
        elif line.strip() or free:
            free.append(line.strip())
    draws.extend(line.source for line in moves[:-1] if line.offers_draw)
    return _Lines(tuple(moves), _with_offer(moves, keywords), tuple(free), tuple(draws))


def _with_offer(moves: list[MoveLine], keywords: list[Keyword]) -> tuple[Keyword, ...]:
    """The keywords, and the draw offer that follows the last move on its line (FIDE 9.1)."""
    offers = (Keyword(Word.DRAW_OFFER),) if moves and moves[-1].offers_draw else ()
    return tuple(dict.fromkeys((*keywords, *offers)))


def _tokens(lines: _Lines) -> tuple[Token, ...]:
    return tuple(token for line in lines.moves for token in line.tokens)


def _sources(lines: _Lines) -> tuple[str, ...]:
    return tuple(line.source for line in lines.moves)


def _is_try(line: str) -> bool:
    """Whether a free line may have been meant as a move or a keyword."""
    return bool(move_words(line)) or nearly_keyword(line) or speaks_of_draw(line)


def _in_prose(
    free: tuple[str, ...], position: Position | None, languages: Collection[Language]
) -> Problem | None:
    """A move among other words, or a possible attempt at one: asked about, never played."""
    lines = free[:_MAX_PROSE]
    words = [word for line in lines for word in move_words(line)]
    likely = [word for line in lines if not names_piece(line) for word in move_words(line)]
    found = {} if position is None else could_mean(likely, position, languages)
    if found:
        moves = tuple(dict.fromkeys(found.values()))[:_MOST_MEANT]
        draw = next(filter(speaks_of_draw, lines), None)
        if draw is not None:
            return Problem(ProblemKind.DRAW_UNCLEAR, draw[:80], moves)
        return Problem(ProblemKind.UNSURE, next(iter(found)), moves)
    if words:
        return Problem(ProblemKind.NOT_UNDERSTOOD, words[0])
    said = [line for line in free if line]
    tried = next((line for line in said if _NUMBER_FIRST.match(line)), None)
    if tried is None and len(said) == 1 and len(said[0]) <= _SHORT:
        tried = said[0]
    return Problem(ProblemKind.NOT_UNDERSTOOD, tried[:40]) if tried else None


def _runs(lines: tuple[MoveLine, ...], position: Position) -> list[_Run]:
    """Join wrapped lines; cut where a line or a number starts the same move again."""
    now = half_of(position.board.fullmove_number, position.board.turn)
    runs: list[_Run] = []
    for line in lines:
        for piece in _restarts(line.tokens):
            run = _Run(piece, line.source)
            if runs and _reads_on(runs[-1], run, now):
                joined = f"{runs[-1].source} {run.source}"
                runs[-1] = _Run(runs[-1].tokens + run.tokens, joined)
            else:
                runs.append(run)
    return runs


def _restarts(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """Cut one line where the number does not increase: "2. Sf3 2. d4"."""
    pieces: list[list[Token]] = [[]]
    last = -1
    for token in tokens:
        half = -1
        if token.number is not None:
            half = 2 * token.number + (1 if token.black else 0)
            if half <= last and not (half + 1 == last and not token.black):
                pieces.append([])
        if half >= 0:
            last = half
        elif last >= 0 and not token.aside:
            last += 1
        pieces[-1].append(token)
    return [tuple(piece) for piece in pieces if piece]


def _reads_on(run: _Run, following: _Run, now: int) -> bool:
    """True if `following` continues `run`: with the next number, or in an open series."""
    first = run.tokens[0]
    head = following.tokens[0]
    if first.number is None:
        return False
    start = 2 * (first.number - 1) + (1 if first.black else 0)
    expected = start + sum(not token.aside for token in run.tokens)
    if head.number is not None:
        stated = 2 * (head.number - 1) + (1 if head.black else 0)
        return stated == expected and (expected <= now or len(run.tokens) > 1)
    return expected <= now or head.proposed or any(token.proposed for token in run.tokens)


def _decide(
    runs: list[_Run], position: Position, languages: Collection[Language]
) -> tuple[Statement, tuple[str, ...]]:
    """The mail's one statement, and the sources of the runs not used."""
    order = sorted(runs, key=lambda run: not run.numbered)  # stable: numbered ones first
    read = [(run, read_statement(run.tokens, position, languages)) for run in order]
    main = next((one for _, one in read if one.moves), read[0][1])
    unread: list[str] = []
    for run, other in read:
        if other is main or (other.moves == main.moves and not other.problem):
            continue
        if _contradicts(run, other, main, order[0]):
            clash = Problem(ProblemKind.CONTRADICTION, run.source[:80])
            return Statement(repetition=main.repetition, problem=clash), ()
        if main.moves and _is_invalid(other):
            return other, ()
        unread.append(run.source)
    if not (main.moves or main.problem) and main.tail:
        main = Statement(problem=Problem(ProblemKind.NOT_UNDERSTOOD, main.tail))
    return main, (main.tail, *unread) if main.tail else tuple(unread)


def _contradicts(run: _Run, other: Statement, main: Statement, first: _Run) -> bool:
    """Another legal move than the one to be made, or another attempt at the same number."""
    if not main.moves:
        return False
    if other.moves:
        return True
    if other.repetition is Repetition.WRONG:
        return not _is_invalid(other)  # only under the last move's number, beside the own move
    same_number = (
        run.numbered and first.numbered and (run.tokens[0].number == first.tokens[0].number)
    )
    return same_number and other.problem is not None


def _is_invalid(statement: Statement) -> bool:
    """The opponent's move repeated wrongly (§ 6.8.4)."""
    problem = statement.problem
    return problem is not None and problem.kind is ProblemKind.WRONG_REPETITION


def _reading(statement: Statement, lines: _Lines, rest: tuple[str, ...], message: str) -> Reading:
    return Reading(
        statement.moves,
        statement.proposes,
        lines.keywords,
        statement.repetition,
        statement.problem,
        tuple(dict.fromkeys(line[:_LONGEST_REST] for line in rest))[:MAX_REST],
        message,
    )
