"""Two random players and their officials, who write a kskak-ledger/1 entry by entry."""

import random
from datetime import date, timedelta
from typing import Any

import chess

from tests.oracle.board import board_end, first_board, read_move, write_move
from tests.oracle.extras import Extras

OTHER = {"white": "black", "black": "white"}


def dated(rng: random.Random, entry: dict[str, Any], sent: date, way: str) -> None:
    """The sending date, for a card sometimes by postmark, posting receipt and statement."""
    day, later = sent.isoformat(), (sent + timedelta(rng.randint(1, 3))).isoformat()
    if way != "post" or rng.random() < 0.6:
        entry["sent"] = day
        return
    entry.update(
        rng.choice(
            (
                {"postmark": day},
                {"postmark": day, "stated": later},
                {"postmark": day, "receipt": later},
                {"postmark": later, "receipt": day},
                {"postmark": later, "receipt": day, "stated": later},
                {"postmark": day, "receipt": day},
                {"postmark": None, "stated": day},
                {"postmark": None, "receipt": day, "stated": later},
                {"receipt": day, "stated": later},
                {"stated": day},
            )
        )
    )


def numeric(rng: random.Random, move: chess.Move) -> str:
    """The move in digits, a promotion with or without parentheses."""
    text = write_move(move)
    return text.replace("(", "").replace(")", "") if rng.random() < 0.5 else text


def proposal(rng: random.Random, start: chess.Board, laws: int) -> list[chess.Move]:
    """A legal continuation, an even number of plies."""
    board, found = start.copy(), []
    for _ in range(2 * rng.choice((1, 1, 2, 3, 5))):
        if board_end(board, laws) is not None:
            break
        move = rng.choice(list(board.legal_moves))
        board.push(read_move(board, write_move(move).replace("(", "").replace(")", "")))
        found.append(move)
    return found[: len(found) // 2 * 2]


def thinking(rng: random.Random, slow: int, big: float) -> int:
    """Days a player lets pass: mostly few, with probability `big` very many."""
    return rng.randint(13, 34) if rng.random() < big else rng.randint(0, slow + 1)


class Game:
    """One random game; it keeps just enough state to go on writing valid entries."""

    def __init__(self, rng: random.Random, ledger: dict[str, Any]) -> None:
        self.rng = rng
        self.ledger = ledger
        self.entries: list[dict[str, Any]] = ledger["entries"]
        self.laws = ledger.get("laws", 2018)
        self.board = first_board(ledger["fen"], self.laws)
        self.postal = ledger["regulation"] == "postal"
        self.start = date.fromisoformat(ledger["start"])
        self.day = self.start  # the last sending
        self.fixed: date | None = self.start
        self.series: list[chess.Move] = []
        self.shuffles = rng.random() < 0.12
        self.slow = rng.choice((0, 1, 3, 5, 6, 7, 8))
        self.big = rng.choice((0.0, 0.03, 0.15))
        self.mixed = rng.random() < 0.3
        self.rich = rng.choice((0.0, 0.3, 1.0, 1.5))
        self.extras = Extras(self)

    @property
    def to_move(self) -> str:
        """The side that moves next."""
        return "white" if self.board.turn == chess.WHITE else "black"

    @property
    def over(self) -> bool:
        """Whether the board has ended the game."""
        return board_end(self.board, self.laws) is not None

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.rng.random() < probability

    def write(self, kind: str, **fields: Any) -> None:
        """Adds an entry; dates are written as text, a trailing underscore is dropped."""
        entry: dict[str, Any] = {"kind": kind}
        for name, value in fields.items():
            text = value.isoformat() if isinstance(value, date) else value
            entry[name.rstrip("_")] = text
        self.entries.append(entry)

    def play(self, dispatches: int) -> None:
        """Plays so many dispatches, or to the end of the game."""
        self.extras.anywhere()
        for _ in range(dispatches):
            if self.over:
                break
            self.dispatch()
        if not self.over and self.chance(0.5):
            self.extras.before_answer(None, None)
        self.extras.at_the_end()

    def dispatch(self) -> None:
        """What lies between two dispatches, then a dispatch."""
        ways = ("post", "email", "web", "fax")
        way = "post" if self.postal else "email"
        if self.mixed:
            way = self.rng.choice(ways)
        base = self.fixed
        if base is None:
            lag = self.rng.randint(0, 4) if way == "post" else self.rng.choice((0, 1, 1, 1, 2, 4))
            base = self.day + timedelta(lag)
        sent = base + timedelta(thinking(self.rng, self.slow, self.big))
        if self.chance(0.12):
            sent += timedelta(6 - sent.weekday())
        opened = self.extras.before_answer(base, sent)
        if opened is not None:
            self.fixed, base = opened, opened
            sent = max(sent, opened, self.day)
        if not self.entries and self.chance(0.1):
            sent = self.start - timedelta(2)
        entry: dict[str, Any] = {"kind": "move", "by": self.to_move}
        if self.mixed or self.chance(0.05):
            entry["channel"] = way
        if self.fixed is not None:
            if self.chance(0.3):
                entry["received"] = (base + timedelta(self.rng.randint(-3, 9))).isoformat()
        elif way == "post" or self.chance(0.5):
            entry["received"] = base.isoformat()
        dated(self.rng, entry, sent, way)
        bound = self.moved(entry)
        self.entries.append(entry)
        self.day = max(sent, self.start)
        self.fixed = self.day if bound else None

    def choose(self, but: chess.Move | None = None) -> chess.Move | None:
        """A legal move other than `but`; a shuffler goes back where he came from."""
        legal = [move for move in self.board.legal_moves if move != but]
        if self.shuffles and len(self.board.move_stack) > 1 and self.chance(0.93):
            mine = self.board.move_stack[-2]
            back = chess.Move(mine.to_square, mine.from_square)
            if back in legal:
                return back
        pieces = [m for m in legal if self.board.piece_type_at(m.from_square) == chess.KNIGHT]
        if self.shuffles and pieces:
            return self.rng.choice(pieces)
        return self.rng.choice(legal) if legal else None

    def moved(self, entry: dict[str, Any]) -> bool:
        """Moves into the entry and onto the board; True when a bound answer followed."""
        inside, last = self.answer_to_series()
        texts = [numeric(self.rng, move) for move in [*inside, last]]
        if len(texts) == 1 and self.chance(0.8):
            entry["move"] = texts[0]
        else:
            entry["moves"] = texts
        rest = self.series[len(inside) :]
        self.board.push(last)
        if rest and rest[0] == last:
            self.series = rest[2:]
            if self.over:
                return False
            self.board.push(rest[1])
            return True
        near_control = len(self.board.move_stack) // 2 % 10 in (6, 7, 8, 9)
        self.series = []
        if self.chance(0.5 if near_control else 0.15):
            self.series = proposal(self.rng, self.board, self.laws)
        if self.series:
            entry["proposes"] = [numeric(self.rng, move) for move in self.series]
        return False

    def answer_to_series(self) -> tuple[list[chess.Move], chess.Move]:
        """Accepted plies (played on the board) and the own move after them (not yet played)."""
        count = 2 * self.rng.randint(0, len(self.series) // 2)
        if self.chance(0.4):
            count = len(self.series)
        inside: list[chess.Move] = []
        for first, second in zip(self.series[:count:2], self.series[1:count:2], strict=True):
            self.board.push(first)
            self.board.push(second)
            if self.over:
                self.board.pop()
                self.board.pop()
                break
            inside += [first, second]
        proposed = self.series[len(inside)] if len(inside) < len(self.series) else None
        if proposed is not None and self.chance(0.6):
            return inside, proposed
        own = self.choose(proposed)
        if own is None:
            assert proposed is not None
            return inside, proposed
        return inside, own
