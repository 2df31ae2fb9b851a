"""What the moves of a mail mean in the game: repetition, accepted series, own move, proposal.

§ 6.2.1 (repetition), § 6.2.5 (series), § 6.8.4 (a wrong repetition makes the dispatch invalid).
Readings: only numbered moves can be a wrong repetition; a number alone that Black writes for his
own move ("12. Sf6") is taken for his move unless it repeats White's. NOT for lines and words:
`mail.movelines`, `mail.grammar`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

import chess

from kskak.guesses import any_case
from kskak.notation import Language, MoveError, MoveRead, read_move
from kskak.shapes import CastlingShape, PieceShape, shapes
from mail.movelines import Token
from mail.reading import Played, Position, Problem, ProblemKind, Repetition, half_of


@dataclass(frozen=True, slots=True)
class Statement:
    """What one run of moves says. `tail`: moves at its end that were not taken."""

    moves: tuple[chess.Move, ...] = ()
    proposes: tuple[chess.Move, ...] = ()
    repetition: Repetition = Repetition.ABSENT
    problem: Problem | None = None
    tail: str = ""


def matches(text: str, played: Played, languages: Collection[Language]) -> bool:
    """True if the written move can mean the played one; signs and extra origin are free."""
    move = played.move
    for shape in (*shapes(text, languages), *any_case(text, languages)):
        match shape:
            case CastlingShape():
                if played.san.rstrip("+#") == ("O-O" if shape.kingside else "O-O-O"):
                    return True
            case PieceShape():
                letter = played.san[0]
                piece = chess.KING if letter == "O" else _PIECES.get(letter, chess.PAWN)
                if (
                    shape.to_square == move.to_square
                    and shape.from_mask & chess.BB_SQUARES[move.from_square]
                    and shape.piece in (None, piece)
                    and shape.promotion == move.promotion
                ):
                    return True
    return False


_PIECES = {"K": chess.KING, "Q": chess.QUEEN, "R": chess.ROOK, "B": chess.BISHOP, "N": chess.KNIGHT}


def read_statement(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language]
) -> Statement:
    """Lay a run of written moves along the game. Never raises."""
    now = half_of(position.board.fullmove_number, position.board.turn)
    first = tokens[0]
    if first.number is not None:
        colour = chess.BLACK if first.black else chess.WHITE
        start = half_of(first.number, colour)
        if start == now - 1 and not first.black and _is_own_after_all(tokens, position, languages):
            return _clash(tokens, position, languages) or _Walk(tokens, position, languages).go(now)
        return _Walk(tokens, position, languages).go(start)
    return _guess_start(tokens, position, languages, now)


def _is_own_after_all(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language]
) -> bool:
    """Black's "12. Sf6": his own move under the number he shares with White."""
    alone = len(tokens) == 1 or tokens[1].proposed or tokens[1].number is not None
    if not alone:
        return False
    last = position.previous[-1] if position.previous else None
    if last is None or not matches(tokens[0].text, last, languages):
        return True
    return isinstance(read_move(position.board, tokens[0].text, languages), MoveRead)


def _clash(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language]
) -> Statement | None:
    """The rare move that repeats White's and is lawful for Black too: asked about."""
    last = position.previous[-1] if position.previous else None
    if last is None or not matches(tokens[0].text, last, languages):
        return None
    read = read_move(position.board, tokens[0].text, languages)
    candidates = (read.move,) if isinstance(read, MoveRead) else read.candidates
    return Statement(problem=Problem(ProblemKind.AMBIGUOUS, tokens[0].text, candidates))


def _guess_start(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language], now: int
) -> Statement:
    """Without a number: the writer's own moves must come last, so their count tells the start."""
    unmarked = next((i for i, token in enumerate(tokens) if token.proposed), len(tokens))
    if unmarked <= 1:
        return _Walk(tokens, position, languages).go(now)
    starts = (now, now - 2) if unmarked % 2 else (now - 1, now)
    for start in starts:
        statement = _Walk(tokens, position, languages).go(start)
        if statement.moves and not statement.tail:
            return statement
    # No reading fits: nobody is charged for what may be our misreading.
    return Statement(problem=Problem(ProblemKind.NOT_UNDERSTOOD, tokens[0].text))


@dataclass(slots=True)
class _Walk:
    """One pass along the tokens, ply by ply."""

    tokens: tuple[Token, ...]
    position: Position
    languages: Collection[Language]
    moves: list[chess.Move] = field(default_factory=list)
    proposes: list[chess.Move] = field(default_factory=list)
    repetition: Repetition = Repetition.ABSENT
    problem: Problem | None = None
    tail_at: int | None = None
    proposal_at: int | None = None

    def go(self, start: int) -> Statement:
        """Read the tokens as the half-moves `start`, `start` + 1, …"""
        position = self.position
        now = half_of(position.board.fullmove_number, position.board.turn)
        played = {ply.half: ply for ply in position.previous}
        board = position.board.copy(stack=False)
        for index, token in enumerate(self.tokens):
            half = start + index
            if token.proposed and self.proposal_at is None:
                self.proposal_at = index
            if index and not _number_fits(token, half):
                self._stop(index, ProblemKind.WRONG_NUMBER)
            elif self.proposal_at is not None:
                self._propose(index, board, half - now)
            elif half < now:
                self._repeat(index, played.get(half))
            else:
                self._play(index, board, half - now)
            if self.problem or self.tail_at is not None:
                break
        return self._result()

    def _repeat(self, index: int, played: Played | None) -> None:
        if played is None:
            self._stop(index, ProblemKind.WRONG_NUMBER)
        elif matches(self.tokens[index].text, played, self.languages):
            self.repetition = Repetition.OK
        elif shapes(self.tokens[index].text, self.languages):
            self._wrong(index)
        else:
            self._stop(index, ProblemKind.NOT_UNDERSTOOD)

    def _wrong(self, index: int) -> None:
        self.repetition = Repetition.WRONG
        self.problem = Problem(ProblemKind.WRONG_REPETITION, self.tokens[index].written)

    def _play(self, index: int, board: chess.Board, ahead: int) -> None:
        """The writer's own ply, or a bound answer of the series he accepts."""
        if ahead != len(self.moves):
            self._stop(index, ProblemKind.WRONG_NUMBER)
            return
        if self.moves and not self._in_series():
            self.tail_at = index  # his move is made; what follows bears no 0
            return
        move = self._read(index, board)
        if move is None:
            return
        if ahead % 2 and move != self.position.proposal[ahead]:
            self._wrong(index)  # the bound answer is the opponent's, not his
            return
        self.moves.append(move)
        board.push(move)

    def _in_series(self) -> bool:
        """True while everything so far is the standing series and more of it is to come."""
        count = len(self.moves)
        series = self.position.proposal
        if tuple(self.moves) != series[:count]:
            return False
        return count < len(series) or count % 2 == 0

    def _propose(self, index: int, board: chess.Board, ahead: int) -> None:
        made, offered = len(self.moves), len(self.proposes)
        bound = self._in_series() and made < len(self.position.proposal)
        if made % 2 == 0 or ahead != made + offered or bound:
            self.tail_at = self.proposal_at
            return
        read = read_move(board, self.tokens[index].text, self.languages)
        if isinstance(read, MoveRead):
            self.proposes.append(read.move)
            board.push(read.move)
        else:
            self.tail_at = self.proposal_at

    def _read(self, index: int, board: chess.Board) -> chess.Move | None:
        token = self.tokens[index]
        read = read_move(board, token.text, self.languages)
        if isinstance(read, MoveRead):
            return read.move
        kind = ProblemKind(read.error.value)
        if token.loose and read.error is MoveError.ILLEGAL:
            kind = ProblemKind.NOT_UNDERSTOOD
        self.problem = Problem(kind, token.text, read.candidates)
        return None

    def _stop(self, index: int, kind: ProblemKind) -> None:
        """A problem before the writer's move is made; afterwards only a tail not taken."""
        if self.moves and len(self.moves) % 2 and not self._in_series():
            self.tail_at = index if self.proposal_at is None else self.proposal_at
        elif self.proposal_at is not None and self.moves:
            self.tail_at = self.proposal_at
        else:
            self.problem = Problem(kind, self.tokens[index].written)

    def _result(self) -> Statement:
        if self.problem:
            return Statement(repetition=self.repetition, problem=self.problem)
        if len(self.proposes) % 2 and self.tail_at is None:
            self.tail_at = self.proposal_at
        if self.tail_at is not None and self.tail_at == self.proposal_at:
            self.proposes.clear()  # a series stands as a whole or not at all
        tail = self.tokens[self.tail_at :] if self.tail_at is not None else ()
        own = self.moves[: len(self.moves) - 1 + len(self.moves) % 2]
        return Statement(
            tuple(own),
            tuple(self.proposes),
            self.repetition,
            None,
            " ".join(token.written for token in tail),
        )


def _number_fits(token: Token, half: int) -> bool:
    """True if the number before a later move of the run is that of its place."""
    if token.number is None:
        return True
    return token.number == half // 2 + 1 and (not token.black or half % 2 == 1)
