"""Turns a player's text into what it asks for: move lines, keyword lines, and free words.

CONTRACTS "Mail"; § 6.2.1, § 6.2.5, § 6.8.4. Works on the writer's own words
(`mail.incoming.own_words`) and serves mail, web and API alike. Readings: a move line stands alone;
two statements of the same move are one, two different ones a contradiction; if a legal move and
something unintelligible appear together, the move is made and the rest quoted back. Pure; never
raises.
NOT for whether the writer may do it: that is up to the ladder and `kskak.play.decide_command`.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date

import chess

from kskak.board.notation import MoveError, MoveRead, MoveUnread, read_move
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage
from mail.grammar.guessed_moves import guess_by_squares, guess_en_passant
from mail.grammar.keyword_lines import (
    Keyword,
    ParsedText,
    ParseProblem,
    ProblemKind,
    Repetition,
    StatedDays,
    Word,
    WriterPosition,
    find_result,
    half_of,
    join_patterns,
    nearly_keyword,
    nearly_speaks_of_draw,
    read_keyword,
    speaks_of_draw,
)
from mail.grammar.move_lines import (
    MAX_LINE_LENGTH,
    MoveLine,
    ParsedSeries,
    Token,
    list_move_words,
    read_move_line,
    read_statement,
    read_unmarked,
)
from mail.grammar.program_games import merge_with_words, read_program, split_records
from mail.grammar.prose_moves import (
    BARE,
    MAX_PROSE,
    SENTENCES,
    guess_problem,
    may_offer,
    read_prose,
)
from mail.grammar.spoken_moves import castles, fold_signs, names_piece, write_in_signs
from mail.grammar.stated_days import take_days

# When a written move is asked about before it is played, at no cost (§ 6.8.4, § 6.8.6).

_QUESTION = re.compile(r"[^!?]\?{1,2}$")
_REGRET = re.compile(rf"(?<!\w)(?:{join_patterns('regrets')})(?!\w)", re.IGNORECASE)
_GREETING = re.compile(
    rf"(?:{join_patterns('greets')})\b(?:[ ,]+[^\W\d]+){{0,3}}[ .,!]*", re.IGNORECASE
)
"""What stands beside a move and says nothing of it. Any other words may speak against it."""


def regrets(line: str) -> bool:
    """Whether a line takes back what is written beside it."""
    return _REGRET.search(line) is not None


def unless_doubtful(
    statement: ParsedSeries,
    tokens: tuple[Token, ...],
    position: WriterPosition,
    free: Collection[str],
    languages: Collection[NotationLanguage] = ALL_LANGUAGES,
) -> ParsedSeries:
    """The statement, or the question whether it is meant: written with a question mark, with words
    of regret beside it, or in the letters of a language that is not read here.

    `free`: the lines beside the moves that are neither moves nor commands.
    """
    asked = any(map(regrets, free)) or any(_QUESTION.search(token.text) for token in tokens)
    problem = statement.problem
    if asked and len(statement.moves) == 1 and not statement.proposes:
        put_right = read_prose(tuple(free), position, languages).problem
        meant = () if put_right is None else put_right.candidates  # «jeg mente 15. Txd4»
        moves = tuple(dict.fromkeys((*meant, *statement.moves)))
        unsure = ParseProblem(ProblemKind.UNSURE, tokens[0].text, moves, leads=bool(meant))
        return replace(statement, moves=(), problem=unsure)
    if problem is None or problem.kind is not ProblemKind.ILLEGAL or problem.is_asked:
        return statement
    other = _as_knight(problem.token, position) or guess_en_passant(problem.token, position.board)
    if not other and (put_right := read_prose(tuple(free), position, languages).problem):
        other = put_right.candidates if any(map(list_move_words, free)) else ()  # «nej 0-0»
        problem = replace(problem, kind=ProblemKind.UNSURE) if other else problem
    if asked or other:
        return replace(statement, problem=replace(problem, is_asked=True, candidates=other))
    return statement


def unless_draw(statement: ParsedSeries, beside: Collection[str]) -> ParsedSeries:
    """The statement, or the question whether a draw goes with its move: it is spoken of beside it,
    but not offered (FIDE 9.1)."""
    draw = next((one for one in beside if nearly_speaks_of_draw(one) and may_offer(one)), None)
    return statement if draw is None else _asked(statement, ProblemKind.DRAW_UNCLEAR, draw)


def unless_ended(
    statement: ParsedSeries, sources: Iterable[str], board: chess.Board
) -> ParsedSeries:
    """The statement, or the question whether it is meant: a result stands on its line, which its
    moves do not bring about."""
    result = next(filter(None, map(find_result, sources)), None)
    after = board.copy(stack=False)
    for move in statement.moves:
        after.push(move)
    if result is None or after.is_game_over():
        return statement
    is_draw = result == "1/2-1/2"
    kind = ProblemKind.DRAW_UNCLEAR if is_draw else ProblemKind.UNSURE
    return _asked(statement, kind, result)


_MOVES_PIECE = re.compile(rf"(?<!\w)(?:{join_patterns('states_move')})\W+\w+", re.IGNORECASE)


def unless_piece(
    statement: ParsedSeries,
    tokens: tuple[Token, ...],
    position: WriterPosition,
    beside: Iterable[str],
) -> ParsedSeries:
    """The statement, or the question what goes to its bare square: a pawn, or the piece that is
    named beside it, which can go there or which he says that he moves."""
    said, square = " ".join(beside), tokens[-1].text.rstrip("+#!?.")
    if not (len(statement.moves) == 1 and BARE.fullmatch(square) and names_piece(said)):
        return statement
    board, own = position.board, statement.moves[0]
    named = (one for one, is_named in guess_by_squares(f"{said} {square}", board) if is_named)
    pieces = {one: None for one in named if one.to_square == own.to_square and one != own}
    if not (pieces or any(names_piece(one[0]) for one in _MOVES_PIECE.finditer(said))):
        return statement
    problem = ParseProblem(ProblemKind.UNSURE, square, (*pieces, own))
    return replace(statement, moves=(), proposes=(), problem=problem)


def _asked(statement: ParsedSeries, kind: ProblemKind, token: str) -> ParsedSeries:
    """A statement whose move is asked about, for what stands beside it."""
    if not statement.moves:
        return statement
    own = statement.moves if len(statement.moves) == 1 and not statement.proposes else ()
    return replace(statement, moves=(), proposes=(), problem=ParseProblem(kind, token[:80], own))


def unless_empty_take(reading: ParsedText) -> ParsedText:
    """The reading, or the question whether its move is meant: he wrote a capture, and there is
    nothing to capture (§ 6.8.4). A series of it is asked about once the move is made.

    NOT for the web, which shows him the position before he sends.
    """
    if not (reading.empty_take and reading.moves):
        return reading
    own = reading.moves if len(reading.moves) == 1 else ()
    unsure = ParseProblem(ProblemKind.UNSURE, reading.empty_take, own)
    unmarked = reading.proposes or reading.unmarked
    return replace(reading, moves=(), proposes=(), unmarked=unmarked, problem=unsure)


def unless_plain(
    statement: ParsedSeries,
    tokens: tuple[Token, ...],
    position: WriterPosition,
    beside: Collection[str],
    keywords: Collection[Keyword],
) -> ParsedSeries:
    """The statement; its fault is asked about if the try does not stand for the move to be made, or
    anything in the mail speaks against it: only a plain try is charged (§ 6.8.6).

    `beside`: all lines that are no part of the try.
    """
    problem, lines = statement.problem, [line for line in beside if line]
    if problem is None or not problem.is_invalid:
        return statement
    is_plain = (
        all(map(_GREETING.fullmatch, lines))
        and not any(map(list_move_words, lines))
        and not any(token.aside for token in tokens)
        and all(keyword.word is Word.DRAW_OFFER for keyword in keywords)
        and (
            problem.kind is ProblemKind.WRONG_REPETITION
            or statement.repetition is Repetition.OK
            or _stands_for_move(problem.token, tokens, position, is_alone=not lines)
        )
    )
    return statement if is_plain else replace(statement, problem=replace(problem, is_asked=True))


def _stands_for_move(
    written: str, tokens: tuple[Token, ...], position: WriterPosition, *, is_alone: bool
) -> bool:
    """Whether a try has the number of the writer's move and colour, or is all that he wrote.

    A plain number of Black's is White's too, so it may be what he copied.
    """
    token = next((token for token in tokens if token.text == written), None)
    if token is None:
        return False
    if token.number is None:
        return is_alone
    is_black = not position.board.turn
    return token.number == position.board.fullmove_number and token.black == is_black


def _as_knight(written: str, position: WriterPosition) -> tuple[chess.Move, ...]:
    """What an R would be in Finnish or Icelandic, where a knight is ratsu or riddari."""
    if not written.startswith("R"):
        return ()
    read = read_move(position.board, "N" + written[1:], {NotationLanguage.EN})
    return (read.move,) if isinstance(read, MoveRead) else ()


# Turns a player's text into what it asks for: move lines, keyword lines, and free words.

MAX_LINES = 2000  # of the writer's own words; the rest is ignored
MAX_MESSAGE = 4000  # characters
MAX_REST = 20  # lines quoted back
_LONGEST_REST = 200  # characters of one of them
_MAX_MOVE_LINES = 40
_OF_SERIES = re.compile(rf"[({{ ]*(?:{join_patterns('of_series')})[ )}}.!]*$", re.IGNORECASE)
_FIGURE = re.compile(r"[♔-♟]\S*")
_AGAINST = re.compile(rf"(?<!\w)(?:{join_patterns('negates')})(?!\w)|\?", re.IGNORECASE)
_DOUBTS = re.compile(
    rf"(?<!\w)(?:{join_patterns('hedges')}|{join_patterns('against_square')}"
    rf"|{join_patterns('supposes_too')}|{join_patterns('reports')})(?!\w)",
    re.IGNORECASE,
)
_REMARK = re.compile(r",\s+|\s+[-–]\s+|;\s+|\s+(?=(?:og|and|och) (?:så|nu|then|now|då|nu)\b)")
"""What parts a move from the words about it: «4. springer b1-c3 og så må damen flytte sig»."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """The own words sorted by kind, each in its order."""

    moves: tuple[MoveLine, ...]
    keywords: tuple[Keyword, ...]
    free: tuple[str, ...]
    stated: StatedDays = StatedDays()
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
    position: WriterPosition | None,
    languages: Collection[NotationLanguage] = ALL_LANGUAGES,
    *,
    today: date,
) -> ParsedText:
    """Read the writer's own words. `position`: of the game the mail is about, None if none.

    `today`: the local date, for leave dates without a year.
    """
    around, games = split_records(text)
    own = "\n\n".join(around).strip("\n")
    words = _in_own_words(_read_person_text(own, position, languages, today), own)
    if not games:
        return words
    reading = merge_with_words(words, read_program(games, position, languages))
    rest = tuple(line[:_LONGEST_REST] for line in reading.rest[:MAX_REST])
    return replace(reading, message=reading.message[:MAX_MESSAGE], rest=rest)


def _in_own_words(reading: ParsedText, text: str) -> ParsedText:
    """The reading, its problem quoted as it was written: «springer f3», not ♘f3."""
    problem = reading.problem
    move = None if problem is None else _FIGURE.search(problem.token)
    if problem is None or move is None or problem.token in text:
        return reading
    said = (one.strip() for line in text.split("\n") for one in SENTENCES.split(line))
    written = next((one for one in said if move[0] in write_in_signs(fold_signs(one))), "")
    return replace(reading, problem=replace(problem, token=written[:80] or problem.token))


def read_keywords(text: str, *, today: date) -> tuple[Keyword, ...]:
    """The keywords that `read_text` finds without a position, and nothing else of it."""
    around, games = split_records(text)
    if games:
        return read_text(text, None, today=today).keywords
    lines = around[0].strip("\n").split("\n")[:MAX_LINES]
    found, talk = list[Keyword](), list[str]()
    for line in lines:
        one = read_keyword(line, today)
        is_said = one is not None and not _answers_other(one, found, talk)
        found += [one] if one is not None and is_said else []
        talk += [] if is_said else [line]
    return tuple(dict.fromkeys(found))


def read_lone_move(
    board: chess.Board, text: str, languages: Collection[NotationLanguage] = ALL_LANGUAGES
) -> MoveRead | MoveUnread:
    """One move in signs, or as people say it: "springer f3", "kort rokade" (§ 6.2.2, FIDE E2)."""
    read = read_move(board, text, languages)
    if isinstance(read, MoveRead) or read.error is not MoveError.NOT_UNDERSTOOD:
        return read
    line = read_move_line(text)
    if line is None or len(line.tokens) > 1 or line.note or line.offers_draw:
        return read
    token = line.tokens[0]
    if token.proposed or token.supposed or token.aside:
        return read
    said = read_move(board, token.text, languages)
    return said if isinstance(said, MoveRead) else replace(said, text=text)


def _answers_other(one: Keyword, found: Collection[Keyword], talk: Iterable[str]) -> bool:
    """Whether a «yes» or «no» answers another's question, or is somebody's initials: JO."""
    is_answer = one.word in (Word.YES, Word.NO)
    return is_answer and (is_talk(talk) or Keyword(Word.NO) in found)


def _read_person_text(
    text: str, position: WriterPosition | None, languages: Collection[NotationLanguage], today: date
) -> ParsedText:
    is_black = position is not None and position.board.turn is not position.my_turn
    lines = _sort_lines(text, today, is_black=is_black)
    is_supposed = bool(lines.moves) and lines.moves[0].tokens[0].supposed
    if position is not None and position.my_turn and is_supposed:  # nothing of his own before it
        lines = replace(lines, moves=lines.moves[1:], free=(lines.moves[0].source, *lines.free))
    notes = tuple(one.note for one in lines.moves if one.note and not _OF_SERIES.match(one.note))
    rest = notes + tuple(filter(_is_try, lines.free[:MAX_PROSE]))
    message = "\n".join(lines.free).strip("\n")[:MAX_MESSAGE]
    if not lines.moves:
        is_told = any(one.word is not Word.DRAW_OFFER for one in lines.keywords)
        asked = ParsedSeries() if is_told else read_prose(lines.free, position, languages)
        return _reading(asked, lines, rest, message)
    if position is None:
        return _reading(ParsedSeries(), lines, (*_sources(lines), *rest), message)
    if not position.my_turn:
        problem = ParseProblem(ProblemKind.NOT_YOUR_TURN, lines.moves[0].tokens[0].text)
        late = _late_series(_tokens(lines), position, languages)
        late = late or read_prose((*_sources(lines), *lines.free), position, languages).unmarked
        return _reading(ParsedSeries(problem=problem, unmarked=late), lines, rest, message)
    statement, unread = _decide(_runs(lines.moves, position), position, languages)
    if len(statement.moves) == len(notes) == 1 and not unread:
        statement = _with_noted_series(statement, notes[0], position, languages)
    beside = (*notes, *lines.draws, *lines.free[:MAX_PROSE])
    statement = _with_guess(
        unless_doubtful(statement, _tokens(lines), position, beside, languages), lines, position
    )
    if Keyword(Word.DRAW_OFFER) not in lines.keywords:
        statement = unless_draw(statement, beside)
    statement = unless_ended(statement, _sources(lines), position.board)
    statement = unless_piece(statement, _tokens(lines), position, lines.free[:MAX_PROSE])
    beside = (*unread, *beside)
    statement = unless_plain(statement, _tokens(lines), position, beside, lines.keywords)
    return _reading(statement, lines, (*unread, *rest), message)


def _with_guess(statement: ParsedSeries, lines: "_Lines", position: WriterPosition) -> ParsedSeries:
    """What was not understood, in the writer's own words, with what it may mean."""
    problem = statement.problem
    if problem is None or problem.kind is not ProblemKind.NOT_UNDERSTOOD:
        return statement
    guessed = guess_problem(_sources(lines), position) if not problem.candidates else None
    moves = problem.candidates if guessed is None else guessed.candidates
    is_written = any(problem.token in one for one in _sources(lines))
    token = problem.token if is_written else lines.moves[0].source[:80]
    return replace(statement, problem=replace(problem, token=token, candidates=moves))


def _sort_lines(text: str, today: date, *, is_black: bool) -> _Lines:
    moves: list[MoveLine] = []
    keywords: list[Keyword] = []
    free: list[str] = []
    draws: list[str] = []
    stated = StatedDays()
    for line in text.split("\n")[:MAX_LINES]:
        keyword = read_keyword(line, today)
        if keyword is not None and _answers_other(keyword, keywords, free):
            keyword = None
        move_line = None if keyword or len(moves) >= _MAX_MOVE_LINES else read_move_line(line)
        if keyword is None and len(line) <= MAX_LINE_LENGTH:
            move_line, days = _take_days(line, move_line, today, is_black=is_black)
            stated = StatedDays(days.received or stated.received, days.sent or stated.sent)
        if keyword is not None:
            keywords.append(keyword)
            draws.extend([line.strip()] if keyword.word is Word.DRAW_YES else [])
            # A no below a move may take it back: «Nej! Lad være med at notere det.»
            free.extend([line.strip()] if moves and regrets(line) else [])
        elif move_line is not None:
            moves.append(move_line)
        elif not moves and (said := _find_stated_move(line)) is not None:
            moves.append(said[0])
            free.append(said[1])
        elif line.strip() or free:
            free.append(line.strip())
    draws.extend(line.source for line in moves[:-1] if line.offers_draw)
    # The draw offer that follows the last move on its line is one of the keywords (FIDE 9.1).
    offers = (Keyword(Word.DRAW_OFFER),) if moves and moves[-1].offers_draw else ()
    words = tuple(dict.fromkeys((*keywords, *offers)))
    return _Lines(tuple(moves), words, tuple(free), stated, tuple(draws))


def is_talk(lines: Iterable[str]) -> bool:
    """Whether lines say more than a greeting."""
    return any(line and not _GREETING.fullmatch(line) for line in lines)


def _find_stated_move(line: str) -> tuple[MoveLine, str] | None:
    """The one sentence of a line that states the move to be made, and the others, which name none;
    None if there is no such."""
    if len(line) > MAX_LINE_LENGTH:
        return None
    for separator in (SENTENCES, _REMARK):  # of a sentence only its beginning is a move
        parts = separator.split(line, maxsplit=separator is _REMARK)
        read = [(one, read_move_line(one)) for one in parts]
        stated = [(one, moves) for one, moves in read if moves is not None]
        others = " ".join(one for one, moves in read if moves is None)
        is_draw = nearly_speaks_of_draw(others) and may_offer(others)
        is_first = separator is SENTENCES or (read[0][1] is not None and not is_draw)
        is_single = len(stated) == 1 < len(parts) and is_first and not list_move_words(others)
        is_doubted = _DOUBTS.search(others) is not None
        is_doubted_part = is_doubted and separator is _REMARK  # «Jeg spiller Sf3, tror jeg»
        if not is_single or _AGAINST.search(others) or find_result(others) or is_doubted_part:
            continue
        said, moves = stated[0]
        is_numbered = castles(said) or moves.is_said or moves.tokens[0].number is not None
        if is_numbered or (_is_whole(moves) and not is_doubted):
            return moves, others
    return None


def _is_whole(moves: MoveLine) -> bool:
    """Whether a line is one move with its piece or both squares: no bare square."""
    return len(moves.tokens) == 1 and not BARE.fullmatch(moves.tokens[0].text.rstrip("+#!?."))


def _take_days(
    line: str, moves: MoveLine | None, today: date, *, is_black: bool
) -> tuple[MoveLine | None, StatedDays]:
    """The line's moves, and the days beside them: in it, in its note, or alone on it (§ 6.8.2)."""
    if moves is None:
        return take_days(line, today, is_black=is_black)
    _, days = take_days(moves.note.strip("(){} "), today, is_black=is_black)
    return (moves if days == StatedDays() else replace(moves, note="")), days


def _tokens(lines: _Lines) -> tuple[Token, ...]:
    return tuple(token for line in lines.moves for token in line.tokens)


def _sources(lines: _Lines) -> tuple[str, ...]:
    return tuple(line.source for line in lines.moves)


def _is_try(line: str) -> bool:
    """Whether a free line may have been meant as a move or a keyword."""
    return bool(list_move_words(line)) or nearly_keyword(line) or speaks_of_draw(line)


def _runs(lines: tuple[MoveLine, ...], position: WriterPosition) -> list[_Run]:
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
            is_same = half + 1 == last or token.proposed
            if half <= last and not (is_same and not token.black):
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
    if head.supposed or first.number is None:
        return head.supposed
    start = 2 * (first.number - 1) + (1 if first.black else 0)
    expected = start + sum(not token.aside for token in run.tokens)
    if head.number is not None:
        stated = 2 * (head.number - 1) + (1 if head.black else 0)
        is_series = len(following.tokens) > 1 or len(run.tokens) > 1
        return stated == expected and (expected <= now or is_series)
    return expected <= now or head.proposed or any(token.proposed for token in run.tokens)


def _decide(
    runs: list[_Run], position: WriterPosition, languages: Collection[NotationLanguage]
) -> tuple[ParsedSeries, tuple[str, ...]]:
    """The mail's one statement, and the sources of the runs not used."""
    order = sorted(runs, key=lambda run: not run.numbered)  # stable: numbered ones first
    read = [(run, read_statement(run.tokens, position, languages)) for run in order]
    main = next((one for _, one in read if one.moves), read[0][1])
    unread: list[str] = []
    for run, other in read:
        if other is main or (other.moves == main.moves and not other.problem):
            continue
        if _contradicts(run, other, main, order[0]):
            clash = ParseProblem(ProblemKind.CONTRADICTION, run.source[:80])
            return ParsedSeries(repetition=main.repetition, problem=clash), ()
        if main.moves and _is_invalid(other):
            return other, ()
        unread.append(run.source)
    if not (main.moves or main.problem) and main.tail:
        main = ParsedSeries(problem=ParseProblem(ProblemKind.NOT_UNDERSTOOD, main.tail))
    return main, (main.tail, *unread) if main.tail else tuple(unread)


def _contradicts(run: _Run, other: ParsedSeries, main: ParsedSeries, first: _Run) -> bool:
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


def _is_invalid(statement: ParsedSeries) -> bool:
    """The opponent's move repeated wrongly (§ 6.8.4)."""
    problem = statement.problem
    return problem is not None and problem.kind is ProblemKind.WRONG_REPETITION


def _reading(
    statement: ParsedSeries, lines: _Lines, rest: tuple[str, ...], message: str
) -> ParsedText:
    return ParsedText(
        statement.moves,
        statement.proposes,
        lines.keywords,
        statement.repetition,
        statement.problem,
        tuple(dict.fromkeys(line[:_LONGEST_REST] for line in rest))[:MAX_REST],
        message,
        lines.stated,
        statement.unmarked,
        statement.empty_take,
    )


def _with_noted_series(
    statement: ParsedSeries,
    note: str,
    position: WriterPosition,
    languages: Collection[NotationLanguage],
) -> ParsedSeries:
    """His move with the series that stands behind it in parentheses, if that is one."""
    noted, board = read_move_line(note.strip("(){} ")), position.board.copy(stack=False)
    if noted is None:
        return statement
    board.push(statement.moves[0])
    return replace(statement, unmarked=read_unmarked(noted.tokens, board, languages))


def _late_series(
    tokens: tuple[Token, ...], position: WriterPosition, languages: Collection[NotationLanguage]
) -> tuple[chess.Move, ...]:
    """What the writer proposes after his move was sent, without or with that move before it."""
    last = position.previous[-1] if position.previous else None
    is_repeated = last is not None and last.matches(tokens[0].text, languages)
    return read_unmarked(tokens[is_repeated:], position.board, languages)
