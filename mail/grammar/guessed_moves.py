"""What a sentence may mean: the lawful moves that fit the squares and pieces it names.

Each move is weighed by all that the words say for it and against it: its squares, the piece that
goes, what it takes, how far it goes. Wide, as such a move is asked about and never played. Pure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import chess

from kskak.board.shapes import PROMOTION_OF, numeric_square
from mail.grammar.keyword_lines import NUMBERS, join_patterns
from mail.grammar.spoken_moves import (
    IS_LONG,
    IS_SHORT,
    NAMED_PIECE,
    NAMES_OF,
    TAKES,
    castles,
    fold_dictated,
    write_in_signs,
)


def _word(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _named(name: str) -> re.Pattern[str]:
    return _word(rf"(?<!\w)(?:{join_patterns(name)})(?!\w)")


_SQUARE = _word(r"(?<!\w)(?P<letters>[^\W\d_]{1,15}?)?[-.]?(?P<square>[a-h][1-8])(?!\w)")
_PAWN_TAKES = re.compile(r"(?<!\w)([a-h])x?([a-h])(?!\w)")
_PAWN_TAKES_ANYWHERE = _word(rf"(?<!\w)([a-h])(?:x| (?:{join_patterns('takes')}) )([a-h])(?!\w)")
_PIECE_TAKES = re.compile(r"(?<!\w)(Kt|[KDTLSQRBN])[x:](Kt|[DTLSQRBNP])(?!\w)")
"""A piece takes a piece, without a square: LxS, as scorers wrote it for a century."""
_NUMBERS = _word(r"(?<!\d)([1-8][1-8])[- ]?([1-8][1-8]) ?\(?(?P<piece>[DTLSQRBN1-4])?\)?(?!\w)")
_DASHLESS = re.compile(r"(?:\d+\.+ ?)?0{2,3}[.!]?(?!\S)")
_OF_EN_PASSANT = _word(r"\be\. ?p\b|\ben ?passant\b")
_OF_FILE = _word(
    rf"(?<!\w)(?:(?P<a>[a-h])[- ]?(?:{NAMES_OF['p']}|{join_patterns('file_line')})"
    rf"|(?:{NAMES_OF['p']}) (?:(?:{join_patterns('goes')}) )?(?P<b>[a-h]))(?!\w)"
)
_OF_KING = _word(
    rf"(?<!\w)(?:kon|kun|kin)g\w*(?:b|s? p)|(?:{NAMES_OF['p']}) .{{0,9}}(?:{NAMES_OF['k']})"
)
_OF_QUEEN = _word(
    rf"(?<!\w)(?:dronning|dam|queen)\w*(?:b|s? p)|(?:{NAMES_OF['p']}) .{{0,9}}(?:{NAMES_OF['q']})"
)
_STEPS = _word(
    rf"(?<!\w)(?P<count>{'|'.join(f'(?:{names})' for names in NUMBERS)}|[1-7]) "
    rf"(?:(?:{join_patterns('square_steps')})(?!\w)|(?=(?:{join_patterns('forward')})(?!\w)))"
)
_COUNTS = [_word(names) for names in NUMBERS]
_MATES = _word(r"\W*(?:skak ?|check|schack ?)?(?:mate?|matt?)\W*")
_FORWARD, _AGAIN, _TRADES = map(_named, ("forward", "takes_again", "trades"))
_WITH = _word(r"(?<!\w)(?:med|with|mit)(?!\w)")
_NOT_WITH = _word(rf"(?<!\w)(?:{join_patterns('negates')}) (?:med|with|mit) [^,.;:)!?]*")
_CHECKS, _PROMOTES = map(_named, ("gives_check", "gets_piece"))
_AGAINST = _word(rf"(?<!\w)(?:{join_patterns('against_square')})(?: \w+){{0,2}}\W{{0,2}}$")
_TO = _word(rf"(?<!\w)(?:{join_patterns('to_square')}) $")
_FROM = _word(rf"(?<!\w)(?:{join_patterns('from')}) $")
_SAYS_LITTLE: Final = 40
"""Characters of a line whose one square is enough for a guess."""
ENOUGH: Final = 4
"""What must speak for a guess in a longer line."""
_FOREIGN: Final = {
    "c": "n", "p": "pn", "f": "b", "a": "b", "v": "rb", "j": "n", "h": "qn", "w": "r", "g": "b",
    "kn": "n", "kt": "n", "r": "rn", "e": "n", "m": "n", "o": "b", "k": "k", "q": "q", "b": "bp",
    "n": "n", "d": "q", "t": "r", "l": "b", "s": "n",
}  # fmt: skip
"""What piece letters stand for in any language: the Frenchman's Cf6, the Dutchman's Pf6."""

_OPENINGS: Final = {
    "frans[kc]|french": "e6", "sicil\\w+": "c5", "caro": "c6", "skandinav\\w+|scandinav\\w+": "d5",
    "alj?ech?j?in\\w*|alekhine": "Nf6", "pirc": "d6", "hollands\\w*|dutch": "f5", "slavi\\w+": "c6",
    "spans\\w+|ruy lopez|spanish": "Bb5", "italien\\w+|italian": "Bc4", "skots\\w+|scotch": "d4",
    "kongegambit\\w*|king'?s gambit": "f4", "dronninggambit\\w*|queen'?s gambit": "c4",
    "russisk|petroff?|petrov|russian": "Nf6", "engelsk|english": "c4", "nimzo\\w*": "Bb4",
}  # fmt: skip
"""The move that begins what an opening's name promises, where it is lawful so early."""
_OPENING_MOVES: Final = 4
_PLAYS = _word(
    r"\b(?:spille?r|svarer|vælger|prøver|bliver|play|choose|try|spelar|väljer|forsvar|åbning|parti"
    r"|gambit|defen[cs]e|opening|försvar|öppning)\w*"
)
_OF_LANGUAGE = r"(?<!\bpå )(?<!\bi )(?<!\bin )(?<!\btil )(?<!\bfra )(?<!\bto )(?<!\bfrom )"
"""«På engelsk» is no opening."""

MoveGuess = tuple[int, tuple[chess.Move, ...]]
"""Moves that a text may mean, and how much of it speaks for them."""


def guess_moves(line: str, board: chess.Board, last: chess.Square | None = None) -> MoveGuess:
    """The lawful moves that a line may mean; none where it says too little.

    ``last``: where the opponent's last move went.
    """
    said = " ".join(fold_dictated(line).split())
    text = write_in_signs(said).replace("~", "")
    is_castling = castles(line) or _DASHLESS.match(text)
    if is_castling and (found := tuple(_castling(line, board))):
        return 2 * ENOUGH, found
    if takes := guess_en_passant(text, board):
        return 2 * ENOUGH, takes
    numbers = _NUMBERS.findall(text)
    if len(numbers) == 1:
        return 2 * ENOUGH, tuple(_by_numbers(numbers[0], board))
    if _MATES.fullmatch(text) and (mates := tuple(_of_mate(board))):
        return 2 * ENOUGH, mates
    if taken := tuple(move for two in _PIECE_TAKES.findall(text) for move in _takes(two, board)):
        return ENOUGH + 2, taken
    if board.fullmove_number <= _OPENING_MOVES and (named := tuple(_of_opening(said, board))):
        return ENOUGH, named
    written = (_PAWN_TAKES if len(text) <= 12 else _PAWN_TAKES_ANYWHERE).findall(text)
    written += _PAWN_TAKES_ANYWHERE.findall(said)
    if by_file := tuple(move for files in written for move in _pawn_takes(files, board)):
        return ENOUGH, by_file
    return _find_likeliest(_Telling.of(said), board, last, is_short=len(text) <= _SAYS_LITTLE)


def guess_by_squares(text: str, board: chess.Board) -> Iterator[tuple[chess.Move, bool]]:
    """The moves to any square of a text, the last first, and whether the text names who goes:
    a pawn, or a piece that stands anywhere in it."""
    telling = _Telling.of(" ".join(fold_dictated(text).split()))
    named = telling.movers | telling.victims
    if "k" in named and ("r" in named or IS_SHORT.search(text) or IS_LONG.search(text)):
        yield from ((move, True) for move in filter(board.is_castling, board.legal_moves))
    if telling.is_taking:
        takes = filter(board.is_capture, board.legal_moves)
        yield from ((move, False) for move in takes if _kind(move, board) in named)
    for one in reversed(telling.mentions):
        kinds = one.kinds or named
        to = () if one.is_against else (m for m in board.legal_moves if m.to_square == one.square)
        moves = [(_kind(move, board), move) for move in to]
        yield from ((move, True) for kind, move in moves if kind in kinds)
        if len(text) > _SAYS_LITTLE and not one.kinds:  # «den skal væk, jeg vælger b3»
            rest = [move for kind, move in moves if kind not in kinds]
            yield from (
                (move, False) for move in sorted(rest, key=lambda m: _kind(m, board) != "p")
            )


def _find_likeliest(
    telling: "_Telling", board: chess.Board, last: chess.Square | None, *, is_short: bool
) -> MoveGuess:
    if not (telling.mentions or telling.is_taking or telling.is_forward or telling.has_aim):
        own = [move for move in board.legal_moves if _kind(move, board) in telling.movers]
        return (ENOUGH, tuple(own)) if len(own) == 1 else (0, ())  # «kongen har kun ét felt»
    weighed = [(telling.weigh(move, board, last), move) for move in board.legal_moves]
    most = max((weight for weight, _ in weighed), default=0)
    if most < ENOUGH - is_short:
        return 0, ()
    return most, tuple(move for weight, move in weighed if weight == most)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A square as a text names it: with what piece's letters, and what it is said to be."""

    square: chess.Square
    kinds: frozenset[str]
    is_from: bool
    is_to: bool
    is_against: bool


@dataclass(frozen=True, slots=True)
class _Telling:
    """What a text says of a move: squares; the pieces that go, and that are taken; a pawn's file;
    how many squares it goes ahead."""

    mentions: tuple[_Mention, ...]
    movers: frozenset[str]
    victims: frozenset[str]
    file: int | None
    ahead: int | None
    is_forward: bool
    is_taking: bool
    is_again: bool
    is_check: bool
    promotes: bool
    is_plain: bool
    """So much or so little is said that a bare square is a pawn's."""

    @classmethod
    def of(cls, said: str) -> "_Telling":
        """What a sentence tells, its signs folded."""
        said = _NOT_WITH.sub("", said)  # «med tårnet, ikke med dronningen»
        takes, steps = TAKES.search(said), _STEPS.search(said)
        split = takes.start() if takes else len(said)
        is_loud = said.isupper()
        named = [
            _mention(one, said)
            for one in _SQUARE.finditer(said)  # «A4» in a sentence is paper
            if one["square"].islower() or is_loud or _is_square(one, said)
        ]
        by = _WITH.search(said, split)  # «slå med bonden»
        behind = len(said) if by is None else by.start()
        movers = _named_kinds(said[:split]) | _named_kinds(said[behind:])
        is_trade = _TRADES.search(said) is not None
        return cls(
            tuple(named),
            movers,
            _named_kinds(said[split:behind]),
            _file_of(said),
            None if steps is None else _count(steps["count"]),
            steps is not None or _FORWARD.search(said) is not None,
            takes is not None or is_trade,
            _AGAIN.search(said) is not None,
            _CHECKS.search(said) is not None,
            _PROMOTES.search(said) is not None,
            len(said) > _SAYS_LITTLE or " " not in said,
        )

    @property
    def has_aim(self) -> bool:
        """Whether it tells what the move does, if not where it goes: a check, a new queen."""
        return self.promotes or (self.is_check and bool(self.movers))

    def weigh(self, move: chess.Move, board: chess.Board, last: chess.Square | None) -> int:
        """How much speaks for a lawful move."""
        kind, start, to = _kind(move, board), move.from_square, move.to_square
        pawn = kind == "p" and self.is_plain
        weight = sum(_weigh_mention(one, move, kind, pawn) for one in self.mentions)
        if self.movers and not self.promotes:
            weight += 2 if kind in self.movers else -1
        if self.is_check:
            weight += 2 if board.gives_check(move) else -2
        if self.promotes:
            made = "" if move.promotion is None else chess.piece_symbol(move.promotion)
            weight += ENOUGH if made and made in (self.movers or "q") else -2
        if self.is_taking and board.is_capture(move):
            victim = board.piece_type_at(to)
            taken = "p" if victim is None else chess.piece_symbol(victim)
            weight += 1 + (2 if taken in self.victims else 0)
            is_last = to == last and self.is_taking
            weight += 3 * (is_last and (self.is_again or not self.mentions))
        if self.file is not None and kind == "p":
            weight += 2 if chess.square_file(start) == self.file else -2
        if self.is_forward and kind in ("pk" if self.ahead is None else "pkqr"):
            ahead = (chess.square_rank(to) - chess.square_rank(start)) * (1 if board.turn else -1)
            is_ahead = chess.square_file(to) == chess.square_file(start) and ahead > 0
            is_so_far = self.ahead is None or ahead == self.ahead
            weight += 2 if is_ahead and is_so_far else -2
        return weight


def is_against(before: str) -> bool:
    """Whether a text ends with words that speak against the move behind them: «ikke»."""
    return _AGAINST.search(before) is not None


def _is_square(found: re.Match[str], said: str) -> bool:
    """Whether a square in capitals is one: a piece is named too, and goes there."""
    before = said[: found.start()]
    is_aim = not before or _FROM.search(before) or _TO.search(before)
    is_told = bool(is_aim) and NAMED_PIECE.search(said) is not None
    return is_told or len(said) <= _SAYS_LITTLE // 3


def _mention(found: re.Match[str], said: str) -> _Mention:
    before = said[: found.start()]
    kinds = _pieces_of(found["letters"]) if found["letters"] else ""
    return _Mention(
        chess.parse_square(found["square"].lower()),
        frozenset(kinds),
        _FROM.search(before) is not None,
        _TO.search(before) is not None,
        is_against(before),
    )


def _weigh_mention(one: _Mention, move: chess.Move, kind: str, is_pawns: bool) -> int:
    if one.square == move.from_square:
        return 2 + one.is_from
    if one.square != move.to_square or one.is_from:
        return 0
    if one.is_against:
        return -3
    fits = (2 if kind in one.kinds else -2) if one.kinds else is_pawns
    return 3 + one.is_to + fits


def _count(word: str) -> int:
    is_number = word.isdigit()
    return (
        int(word) if is_number else [bool(one.fullmatch(word)) for one in _COUNTS].index(True) + 1
    )


def _named_kinds(text: str) -> frozenset[str]:
    return frozenset(kind for word in NAMED_PIECE.findall(text) for kind in _pieces_of(word))


def _file_of(text: str) -> int | None:
    """The file of the pawn that is named by it, or by the piece that it stands before."""
    if (found := _OF_FILE.search(text)) is not None:
        return chess.FILE_NAMES.index((found["a"] or found["b"]).lower())
    return 3 if _OF_QUEEN.search(text) else 4 if _OF_KING.search(text) else None


def guess_en_passant(text: str, board: chess.Board) -> tuple[chess.Move, ...]:
    """The captures en passant that there are, if a text speaks of one."""
    if _OF_EN_PASSANT.search(text) is None:
        return ()
    return tuple(filter(board.is_en_passant, board.legal_moves))


def _pieces_of(name: str) -> str:
    """The pieces that a word or a letter before a square may stand for, as p, n, b, r, q, k."""
    named = [kind for kind, names in NAMES_OF.items() if _word(names).fullmatch(name)]
    small = name.casefold()
    return "".join(named) or _FOREIGN.get(small[:2], _FOREIGN.get(small[:1], "kqrbnp"))


def _kind(move: chess.Move, board: chess.Board) -> str:
    piece = board.piece_type_at(move.from_square)
    return "" if piece is None else chess.piece_symbol(piece)


def _castling(line: str, board: chess.Board) -> Iterator[chess.Move]:
    is_short, is_long = IS_SHORT.search(line), IS_LONG.search(line) or "000" in line
    for move in board.legal_moves:
        if board.is_castling(move):
            is_kingside = board.is_kingside_castling(move)
            if (is_kingside and not is_long) or (not is_kingside and not is_short):
                yield move


def _by_numbers(written: tuple[str, str, str], board: chess.Board) -> Iterator[chess.Move]:
    """Moves in numbers, of which one may be a promotion with its piece as a letter: 1718D."""
    start, to, piece = written
    squares = numeric_square(start), numeric_square(to)
    wanted = chess.piece_symbol(PROMOTION_OF[piece]) if piece in PROMOTION_OF else _pieces_of(piece)
    for move in board.legal_moves:
        if (move.from_square, move.to_square) == squares:
            promoted = "" if move.promotion is None else chess.piece_symbol(move.promotion)
            if not (promoted and piece) or promoted in wanted:
                yield move


def _takes(written: tuple[str, str], board: chess.Board) -> Iterator[chess.Move]:
    """Captures of a piece by a piece, by their letters: "LxS"."""
    takers, taken = map(_pieces_of, written)
    for move in filter(board.is_capture, board.legal_moves):
        victim = board.piece_type_at(move.to_square)
        is_taken = victim is not None and chess.piece_symbol(victim) in taken
        if is_taken and _kind(move, board) in takers:
            yield move


def _of_mate(board: chess.Board) -> Iterator[chess.Move]:
    """The moves that mate: "MAT!"."""
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        if after.is_checkmate():
            yield move


def _of_opening(said: str, board: chess.Board) -> Iterator[chess.Move]:
    """The moves by which somebody plays the opening that he names: "jeg spiller fransk"."""
    is_told = len(said.split()) <= 3 or _PLAYS.search(said) is not None
    names = [
        san
        for name, san in _OPENINGS.items()
        if is_told and re.search(rf"{_OF_LANGUAGE}\b(?:{name})\b", said, re.IGNORECASE)
    ]
    for move in board.legal_moves:
        if board.san(move) in names:
            yield move


def _pawn_takes(written: tuple[str, str], board: chess.Board) -> Iterator[chess.Move]:
    """Captures by pawns from file to file: "exf", "ef"."""
    files = tuple(map(chess.FILE_NAMES.index, written))
    for move in board.legal_moves:
        on = chess.square_file(move.from_square), chess.square_file(move.to_square)
        if on == files and files[0] != files[1] and _kind(move, board) == "p":
            yield move
