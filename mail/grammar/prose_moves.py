"""Moves among other words: which a text may mean, asked about and never played.

Every lawful move is weighed by what names it; the likeliest is asked about, and with it whatever
series follows in the text (§ 6.2.5). NOT for lines that are moves (`move_lines`), nor for how one
sentence describes a move (`guessed_moves`). Pure; never raises.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import chess

from kskak.board.notation import MoveRead, could_be, read_move
from kskak.board.shapes import ALL_LANGUAGES, NotationLanguage
from mail.grammar.guessed_moves import ENOUGH, guess_by_squares, guess_moves, is_against
from mail.grammar.keyword_lines import (
    ParseProblem,
    ProblemKind,
    WriterPosition,
    join_patterns,
    mend_words,
    speaks_of_draw,
)
from mail.grammar.move_lines import (
    MAX_LINE_LENGTH,
    ParsedSeries,
    Token,
    list_move_words,
    read_unmarked,
)
from mail.grammar.spoken_moves import names_piece

_NUMBER_FIRST = re.compile(r"\d{1,3} ?\.")
_MOST_CANDIDATES = 4  # moves that are offered to him
_TRIED = re.compile(r"\d|^\W*[^\W\d_]{1,3}\W*$")  # «God jul!» is none
_SHORT = 12  # characters; a text of one line this short is an attempt at something
_SAYS_A_SQUARE = 80  # characters of a mail whose one square is where something goes
MAX_PROSE = 200  # lines searched for a move among other words
SENTENCES = re.compile(
    r"(?<=[^\W\d]{2}[.!?])(?<!\bspr\.)(?<!\b[cn][ar]\.)\s+|(?<=[a-h][1-8][.!?])\s+|(?<=0-0[.!])\s+"
)


_NO_DRAW = re.compile(rf"(?<!\w)(?:{join_patterns('plays_on')})(?!\w)", re.IGNORECASE)
_OFFERS = re.compile(
    rf"(?<!\w)(?:{join_patterns('offers')}|{join_patterns('proposes')})(?!\w)|\?", re.IGNORECASE
)


def may_offer(line: str) -> bool:
    """Whether a line that speaks of a draw may offer one: «nej tak til remis» beside a move says no
    more than the move (FIDE 9.1)."""
    return _NO_DRAW.search(line) is None or _OFFERS.search(line) is not None


def read_prose(
    free: tuple[str, ...], position: WriterPosition | None, languages: Collection[NotationLanguage]
) -> ParsedSeries:
    """A move among other words, or a possible attempt at one: asked about, never played."""
    lines = free[:MAX_PROSE]
    words = [word for line in lines for word in list_move_words(line)]
    sentences = [one for line in lines for one in _PROSE.split(line)]
    if position is not None and position.my_turn:
        mended = [mend_words(one) for one in sentences]
        ways = (_weigh_words(way, position, languages) for way in (sentences, mended))
        weighed = max(ways, key=lambda way: sum(one.strength for one in way))
        likeliest = _list_likeliest(weighed)
        if (series := _read_supposed(lines, position, languages)) is not None:
            asked = series
        elif likeliest:
            asked = _ask_about(likeliest, weighed, lines, position, languages)
        else:
            asked = ParsedSeries(problem=guess_problem((*sentences, " ".join(lines)), position))
        told = {move.to_square for move in asked.unmarked}
        asked = _with_others(asked, _list_others(sentences, weighed, position, told))
        if asked.problem is not None:
            return asked
    elif position is not None and (late := _read_supposed(lines, position, languages)) is not None:
        return late
    if words:
        written = next((line[:40] for line in lines if words[0] in list_move_words(line)), words[0])
        quoted = words[0] if words[0] in written else written  # «springeren på f6» was no ♘f6
        return ParsedSeries(problem=ParseProblem(ProblemKind.NOT_UNDERSTOOD, quoted))
    said = [line for line in free if line]
    tried = next((line for line in said if _NUMBER_FIRST.match(line)), None)
    if tried is None and len(said) == 1 and len(said[0]) <= _SHORT and _TRIED.search(said[0]):
        tried = said[0]
    problem = ParseProblem(ProblemKind.NOT_UNDERSTOOD, tried[:40]) if tried else None
    return ParsedSeries(problem=problem)


_WHOLE = re.compile(r"[♔-♟]|[KQRBNDTLS]?[a-h][1-8][-x]?[a-h][1-8]")
"""A move by its two squares, or by a piece that was named in words."""
BARE = re.compile(r"[a-hA-H][1-8]")
"""A square that is a pawn's, unless a piece is named beside it."""
_PROSE = re.compile(rf"{SENTENCES.pattern}|:\s+", re.IGNORECASE)
_SUPPOSED_PARTS = re.compile(
    rf"{_PROSE.pattern}|[,;]\s+|\s*[-–]>\s*|(?<!\w)(?={join_patterns('supposes_too')})"
    rf"|(?<!\w)(?={join_patterns('answers_then')})"
    rf"|\b(?:{join_patterns('then')})\b",
    re.IGNORECASE,
)
_ON = rf"(?<!\w)(?:{join_patterns('supposes_on')}) [KQRBNDTLS]?[a-h]?x?[a-h][1-8](?!\w)"
_SUPPOSES_TOO = re.compile(
    rf"(?<!\w)(?:{join_patterns('supposes_too')})(?!\w)|{_ON}", re.IGNORECASE
)
_BRANCH = rf"(?:^|[.,;:!?]\s+(?:\w+ )?|(?<=[ ,])(?:{join_patterns('also')}) ){_ON} (?=\w)"
_BRANCHES = re.compile(rf"({_BRANCH}.*?)\W*{_BRANCH}", re.IGNORECASE)
"""«på Lc5 svarer jeg c3, og på Sf6 svarer jeg d3»: of these the first."""


_NUMBERS_MOVE = re.compile(r"(?<!\d)(\d{1,3})\.+(?!\d)")
_TURNED = re.compile(rf"^(.+?)\W* ((?:{join_patterns('supposes_too')}) .+)", re.IGNORECASE)
"""«d5, hvis han spiller Lc3»: the answer first."""


@dataclass(frozen=True, slots=True)
class _MoveWord:
    """A word of prose that is a lawful move, in which sentence, and how sure it is to be meant:
    behind the move's own number 3, by two squares or a named piece 2, by its letters 1, denied 0.
    """

    word: str
    move: chess.Move
    sentence: int
    strength: int


def _weigh_words(
    sentences: Iterable[str], position: WriterPosition, languages: Collection[NotationLanguage]
) -> list[_MoveWord]:
    """The words of prose that are lawful moves."""
    found = []
    number = re.compile(rf"(?<!\d){position.board.fullmove_number} ?(?:\.+|\)) ?-?,? ?(?=\S*$)")
    for at, sentence in enumerate(sentences):
        likely = [
            word
            for word in list_move_words(sentence)
            if not BARE.fullmatch(word) or not _is_pieces(word, sentence)
        ]
        read = {word: read_move(position.board, word, languages) for word in likely}
        for word, move in ((w, one.move) for w, one in read.items() if isinstance(one, MoveRead)):
            before = sentence[: max(0, sentence.find(word))]
            strength = 3 if number.search(before + word) else 2 if _WHOLE.match(word) else 1
            found.append(_MoveWord(word, move, at, 0 if is_against(before) else strength))
    return found


def _is_pieces(word: str, sentence: str) -> bool:
    """Whether a bare square is where a piece of its sentence goes, but for one that is named
    behind a comma: «h6, springeren skal væk»."""
    before, _, after = sentence.partition(word)
    return names_piece(before) or names_piece(re.split(r"[,;.:!–-]\s", after)[0])


def _list_likeliest(weighed: Sequence[_MoveWord]) -> list[_MoveWord]:
    """The surest of them, and what is told in words behind them: «11. h3 er kendt, men løberen
    går til d3»."""
    most = max((one.strength for one in weighed), default=0)
    last = max((one.sentence for one in weighed if one.strength == most), default=0)
    return [
        one
        for one in weighed
        if one.strength == most or (one.strength == 2 and one.sentence > last)
    ]


def _read_supposed(
    lines: Collection[str], position: WriterPosition, languages: Collection[NotationLanguage]
) -> ParsedSeries | None:
    """The first move of a text that supposes what follows, and the rest as what series they would
    do: «Kommer han med c3, svarer jeg Sf6» (§ 6.2.5); None for any other text.

    Where the opponent is to move, all of it is the series, though its answer may stand first.
    """
    text, is_late = " ".join(lines)[:MAX_LINE_LENGTH], not position.my_turn
    if is_late:  # «må man rokere, når tårnet er truet?»
        text = " ".join(one for one in _PROSE.split(text) if not one.endswith("?"))
    branches = _BRANCHES.search(text)
    text = text[: branches.end(1)] if branches else text
    numbers = (int(one[1]) for one in _NUMBERS_MOVE.finditer(text))
    is_ahead = max(numbers, default=0) > position.board.fullmove_number
    if not is_ahead and _SUPPOSES_TOO.search(text) is None:
        return None
    ways = (text, _TURNED.sub(r"\2, \1", text)) if is_late else (text,)
    moves = max((_list_line(one, position, languages) for one in ways), key=len)
    series = tuple(move for _, move in (moves if is_late else moves[1:]))
    if len(series) < 2 or any(map(speaks_of_draw, lines)):
        return None
    problem = ParseProblem(ProblemKind.UNSURE, moves[0][0][:80], (moves[0][1],))
    if is_late:
        problem = ParseProblem(ProblemKind.NOT_YOUR_TURN, moves[0][0][:80])
    return ParsedSeries(problem=problem, unmarked=series[: len(series) // 2 * 2])


def _list_line(
    text: str, position: WriterPosition, languages: Collection[NotationLanguage]
) -> list[tuple[str, chess.Move]]:
    """The moves that follow each other in a text, part by part."""
    board, moves = position.board.copy(stack=False), list[tuple[str, chess.Move]]()
    last = position.previous[-1].move.to_square if position.previous else None
    for part in _SUPPOSED_PARTS.split(text):
        for word, move in _list_next(part or "", board, last, languages):
            moves.append((word, move))
            board.push(move)
            last = move.to_square
    return moves


def _list_next(
    part: str,
    board: chess.Board,
    last: chess.Square | None,
    languages: Collection[NotationLanguage],
) -> Iterator[tuple[str, chess.Move]]:
    """The moves of one part of such a text: those that it writes, or the one that it describes."""
    ahead = board.copy(stack=False)
    rest = part
    for word in list_move_words(part):
        read = read_move(ahead, _NUMBERS_MOVE.sub("", word), languages)
        if isinstance(read, MoveRead) and not (BARE.fullmatch(word) and _is_pieces(word, rest)):
            yield word, read.move
            ahead.push(read.move)
            last, rest = read.move.to_square, rest.partition(word)[2]
    weight, guessed = guess_moves(rest, ahead, last)
    if len(guessed) == 1 and weight >= ENOUGH:
        yield rest.strip(), guessed[0]


def _ask_about(
    found: Sequence[_MoveWord],
    weighed: Iterable[_MoveWord],
    lines: Collection[str],
    position: WriterPosition,
    languages: Collection[NotationLanguage],
) -> ParsedSeries:
    """The lawful moves of a text; of moves that follow each other in a sentence the first, and the
    rest as what series they would do (§ 6.2.5)."""
    draw = next((one for one in lines if speaks_of_draw(one) and may_offer(one)), None)
    first = found[0]
    board = position.board.copy(stack=False)
    board.push(first.move)
    behind = [one for one in weighed if one.sentence == first.sentence]
    behind = behind[behind.index(first) + 1 :]
    series = read_unmarked([Token(one.word) for one in behind], board, languages)
    moves = tuple(dict.fromkeys(one.move for one in found))[:_MOST_CANDIDATES]
    kind, token = ProblemKind.UNSURE, first.word
    if draw is not None:
        kind, token = ProblemKind.DRAW_UNCLEAR, draw[:80]
    problem = ParseProblem(kind, token, (first.move,) if series else moves)
    return ParsedSeries(problem=problem, unmarked=series)


def _list_others(
    sentences: Sequence[str],
    weighed: Iterable[_MoveWord],
    position: WriterPosition,
    told: Collection[chess.Square],
) -> Iterator[chess.Move]:
    """Every move that a text may mean besides, the likeliest first: a word of it, what one of its
    sentences describes, a square with a piece that is named elsewhere; of equals the later.

    ``told``: where the moves of a series go that the text may be.
    """
    found, denied = dict[chess.Move, float](), {one.move for one in weighed if not one.strength}
    for one in weighed:
        found[one.move] = 2 * one.strength + one.sentence / MAX_PROSE
    for at, sentence in enumerate(sentences):
        guessed = guess_problem((sentence,), position)
        moves = () if guessed is None else guessed.candidates
        for move in moves:
            found[move] = found.get(move, 0) + 6 / len(moves) + at / MAX_PROSE
    text = " ".join(sentences)
    is_square = len(text) <= _SAYS_A_SQUARE and all(map(BARE.fullmatch, list_move_words(text)))
    is_story = bool(found) or is_square  # «K-N2 (that's g7)»
    for move, is_named in guess_by_squares(mend_words(text), position.board):
        if is_named or is_story:
            found[move] = found.get(move, 0) + 1 + is_named
    for move in sorted(found, key=found.__getitem__, reverse=True):
        if move not in denied and (move.to_square not in told or found[move] >= ENOUGH):
            yield move


def _with_others(asked: ParsedSeries, others: Iterable[chess.Move]) -> ParsedSeries:
    """The question with all that may be meant: where it had one move, that is asked about."""
    problem = asked.problem or ParseProblem(ProblemKind.UNSURE, "")
    moves = tuple(dict.fromkeys((*problem.candidates, *others)))[: _MOST_CANDIDATES + 1]
    leads = len(problem.candidates) == 1 < len(moves)
    return replace(
        asked, problem=replace(problem, candidates=moves, leads=leads) if moves else None
    )


def guess_problem(
    sentences: Collection[str], position: WriterPosition | None
) -> ParseProblem | None:
    """The question about what the most telling sentence may mean."""
    if position is None or not position.my_turn:
        return None
    last = position.previous[-1].move.to_square if position.previous else None
    best = 0, ParseProblem(ProblemKind.UNSURE, "")
    for one in sentences:
        for said in dict.fromkeys((one, mend_words(one))):
            weight, moves = guess_moves(said[:MAX_LINE_LENGTH], position.board, last)
            if weight > best[0] and 0 < len(moves) <= _MOST_CANDIDATES:
                best = weight, ParseProblem(ProblemKind.UNSURE, one[:80], moves)
    return best[1] if best[0] else None


def list_followed(
    text: str,
    board: chess.Board,
    series: tuple[chess.Move, ...],
    languages: Collection[NotationLanguage],
) -> tuple[chess.Move, ...]:
    """What who follows the opponent's series plays: all of it, and the one move of his own that he
    writes behind it, else to the last of his in it (§ 6.2.5)."""
    said = (one for line in text.split("\n") for one in SENTENCES.split(line))
    words = {word for one in said if not one.endswith("?") for word in list_move_words(one)}
    ahead, own = board.copy(stack=False), set[chess.Move]()
    for move in series:
        san = ahead.san(move)
        words = {word for word in words if not could_be(word, move, san, ALL_LANGUAGES)}
        ahead.push(move)
    for letters in (languages, ALL_LANGUAGES):
        read = (read_move(ahead, word, letters) for word in words)
        own = own or {one.move for one in read if isinstance(one, MoveRead)}
    is_whole = len(series) % 2 == 0 and len(own) == 1
    return (*series, *own) if is_whole else series[: (len(series) - 1) // 2 * 2 + 1]
