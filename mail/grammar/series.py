"""What the moves of a mail mean in the game: repetition, accepted series, own move, proposal.

§ 6.2.1 (repetition), § 6.2.5 (series), § 6.8.4 (a wrong repetition makes the dispatch invalid).
Readings: a repetition is wrong if the opponent's last move, or a move of his series being
followed, is written differently under its number before a playable move of the writer's own; a
number that does not fit is a slip of the pen, and the writer is asked, with the move he may mean.
Black's own move under a plain number ("12. Sf6") is taken as his unless it repeats White's. NOT
for lines and words: `mail.grammar.move_lines`, `mail.grammar.read_text`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import chess

from kskak.board.notation import Language, MoveError, MoveRead, read_move
from kskak.board.shapes import shapes
from mail.grammar.move_lines import Token
from mail.grammar.repeated import matches, once
from mail.grammar.slips import could_propose, is_another, stands_already
from mail.grammar.understood import Played, Position, Problem, ProblemKind, Repetition, half_of


@dataclass(frozen=True, slots=True)
class Statement:
    """What one run of moves says. `tail`: moves at its end that were not used."""

    moves: tuple[chess.Move, ...] = ()
    proposes: tuple[chess.Move, ...] = ()
    repetition: Repetition = Repetition.ABSENT
    problem: Problem | None = None
    tail: str = ""


def read_statement(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language]
) -> Statement:
    """Match a run of written moves to the game, with a guess if a number is off. Never raises."""
    tokens = once(tokens, languages)
    statement = _laid(tokens, position, languages)
    problem = statement.problem
    if problem is None or problem.kind is not ProblemKind.WRONG_NUMBER:
        return statement
    meant = _meant(tokens, position, languages)
    return replace(statement, problem=replace(problem, candidates=meant))


def _meant(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language]
) -> tuple[chess.Move, ...]:
    """The writer's move when the numbers are ignored; empty if there is none.

    Moves before it that repeat nothing are skipped: he is asked, and sees what will be played.
    """
    if any(token.proposed for token in tokens):
        return ()
    bare = tuple(replace(token, number=None, black=False) for token in tokens)
    now = half_of(position.board.fullmove_number, position.board.turn)
    for part in (*(bare[start:] for start in range(len(bare))), bare[:1]):
        read = _guess_start(part, position, languages, now)
        if len(read.moves) == 1 and not read.tail:
            return read.moves
    return ()


def _laid(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language]
) -> Statement:
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
    """The rare move that repeats White's and is legal for Black too: we ask."""
    last = position.previous[-1] if position.previous else None
    if last is None or not matches(tokens[0].text, last, languages):
        return None
    read = read_move(position.board, tokens[0].text, languages)
    candidates = (read.move,) if isinstance(read, MoveRead) else read.candidates
    return Statement(problem=Problem(ProblemKind.AMBIGUOUS, tokens[0].text, candidates))


def _guess_start(
    tokens: tuple[Token, ...], position: Position, languages: Collection[Language], now: int
) -> Statement:
    """Without a number: the writer's own moves must come last, so their count gives the start."""
    marked = (i for i, token in enumerate(tokens) if token.proposed or (i and token.aside))
    unmarked = next(marked, len(tokens))
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
        board = position.board if len(self.tokens) == 1 else position.board.copy(stack=False)
        for index, token in enumerate(self.tokens):
            half = start + index
            if token.proposed and self.proposal_at is None:
                self.proposal_at = index
            if index and not _number_fits(token, half):
                self._stop(index, ProblemKind.WRONG_NUMBER)
            elif self.proposal_at is not None:
                self._propose(index, board, half - now)
            elif half < now:
                self._repeat(index, played.get(half), is_last=half == now - 1)
            else:
                self._play(index, board, half - now)
            if self.problem or self.tail_at is not None:
                break
        return self._result()

    def _repeat(self, index: int, played: Played | None, *, is_last: bool) -> None:
        token, is_followed = self.tokens[index], index + 1 < len(self.tokens)
        if played is None:
            if not is_followed:  # otherwise a record of the game, longer than ours
                self._stop(index, ProblemKind.WRONG_NUMBER)
        elif matches(token.text, played, self.languages):
            self.repetition = Repetition.OK
        elif not shapes(token.text, self.languages):
            self._stop(index, ProblemKind.NOT_UNDERSTOOD)
        elif is_last and self._wrong(index, self.position.board):
            return
        else:  # an own move under another number, or a slip in the running record
            self.repetition = Repetition.WRONG if is_last else self.repetition
            self._stop(index, ProblemKind.WRONG_NUMBER)

    def _wrong(self, index: int, board: chess.Board) -> bool:
        """Whether this repeats the opponent wrongly: a playable move of his own follows."""
        if index + 1 == len(self.tokens):
            return False
        own = read_move(board, self.tokens[index + 1].text, self.languages)
        if not isinstance(own, MoveRead):
            return False
        self.repetition, token = Repetition.WRONG, self.tokens[index].written
        # what follows moves of the series is not his next move
        meant = (own.move,) if board is self.position.board else ()
        self.problem = Problem(ProblemKind.WRONG_REPETITION, token, meant)
        return True

    def _play(self, index: int, board: chess.Board, ahead: int) -> None:
        """The writer's own ply, or a bound answer of the series he accepts."""
        if ahead != len(self.moves):
            self._stop(index, ProblemKind.WRONG_NUMBER)
            return
        if self.moves and not self._in_series():
            self.tail_at = index  # his move is made; what follows has no 0
            if is_another(self.tokens[index], board, self.languages):
                self.moves.clear()
                self._stop(index, ProblemKind.CONTRADICTION)
            return
        move = self._read(index, board)
        bound = self.position.proposal[ahead] if ahead % 2 else move
        if move != bound and (move or self._is_illegal()):
            self.problem = None
            self._off_series(index, board, self.position.proposal[ahead])
        if move is None or move != bound:
            return
        self.moves.append(move)
        if index + 1 < len(self.tokens):
            board.push(move)

    def _off_series(self, index: int, board: chess.Board, bound: chess.Move) -> None:
        """A move of the opponent's series written differently or left out, or an own series without
        its 0. Only what can be neither of the two last costs anything; all are named as this."""
        after = board.copy(stack=False)
        after.push(bound)
        token = self.tokens[index]
        is_left_out = isinstance(read_move(after, token.text, self.languages), MoveRead)
        if is_left_out or could_propose(self.tokens[index:], board, self.languages):
            kind = ProblemKind.WRONG_REPETITION
            self.problem = Problem(kind, token.written, is_asked=True)
        elif not self._wrong(index, after):
            self._stop(index, ProblemKind.CONTRADICTION)

    def _is_illegal(self) -> bool:
        return self.problem is not None and self.problem.kind is ProblemKind.ILLEGAL

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
            if index + 1 < len(self.tokens):
                board.push(read.move)
        else:
            self.tail_at = self.proposal_at

    def _read(self, index: int, board: chess.Board) -> chess.Move | None:
        token = self.tokens[index]
        read = read_move(board, token.text, self.languages)
        if isinstance(read, MoveRead):
            return read.move
        is_illegal = read.error is MoveError.ILLEGAL
        known = is_illegal and stands_already(token, self.position, self.languages)
        if known and index + 1 < len(self.tokens):
            self._stop(index, ProblemKind.WRONG_NUMBER)  # "11... Kb1 Dc7": White's move repeated
            return None
        is_unclear = token.loose and is_illegal
        kind = ProblemKind.NOT_UNDERSTOOD if is_unclear else ProblemKind(read.error.value)
        self.problem = Problem(kind, token.text, read.candidates, is_asked=known)
        return None

    def _stop(self, index: int, kind: ProblemKind) -> None:
        """A problem if the writer's move is not yet made; after that just an unused tail."""
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
        left = " ".join(token.written for token in tail)
        return Statement(tuple(own), tuple(self.proposes), self.repetition, None, left)


def _number_fits(token: Token, half: int) -> bool:
    """True if the number before a later move of the run, if any, fits its place."""
    if token.number is None:
        return True
    return token.number == half // 2 + 1 and (not token.black or half % 2 == 1)
