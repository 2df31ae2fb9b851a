"""Positions for the mail tests: the games 4711, 4712 and 4713 and the example of § 6.2.5."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import chess

from mail.grammar.keyword_lines import ParsedText, PlayedPly, WriterPosition
from mail.grammar.read_text import read_text
from mail.incoming.own_words import extract_own_words
from mail.incoming.parse_mail import ParsedMail, parse
from mail.incoming.robots import MailClass, classify

TODAY = date(2026, 11, 20)
DOMAIN = "skak.example"
MAILS = Path(__file__).parent.parent / "mails"
HOSTILE = Path(__file__).parent.parent / "mails_hostile"


def game(
    sans: str, series: str = "", *, fen: str = chess.STARTING_FEN, mine: bool = True
) -> WriterPosition:
    """A position reached from `fen` by SAN moves, with a standing series."""
    board = chess.Board(fen)
    previous = []
    for text in sans.split():
        move = board.parse_san(text)
        previous.append(PlayedPly(board.fullmove_number, board.turn, move, board.san(move)))
        board.push(move)
    later, proposal = board.copy(), []
    for text in series.split():
        proposal.append(later.push_san(text))
    return WriterPosition(board, mine, tuple(previous), tuple(proposal), len(previous))


# 11...a6 has been played; White will play 12.b5 and propose a6xb5 13.Txa8 Lxa8 14.d4 (§ 6.2.5)
SERIES_FEN = "r2qk3/pb6/8/8/1P6/8/3P4/R3K3 b Q - 0 11"
WHITE_TO_PROPOSE = game("a6", fen=SERIES_FEN)
BLACK_TO_ANSWER = game("a6 b5", "axb5 Rxa8 Bxa8 d4", fen=SERIES_FEN)

P4711 = game("e4 c5")
P4712 = game("e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6")  # White may castle at move 5
P4712_CASTLED = game("O-O a6", fen="4k3/p7/8/8/8/8/5PPP/4K2R w K - 0 4")
P4713 = game("Kd7", fen="4k3/P7/8/8/8/8/8/4K3 b - - 0 40")
POSITIONS = {"4711": P4711, "4712": P4712, "4713": P4713}


@dataclass(frozen=True, slots=True)
class Read:
    """A mail through the whole room."""

    mail: ParsedMail
    kind: MailClass
    reading: ParsedText

    @property
    def moves(self) -> list[str]:
        return [move.uci() for move in self.reading.moves]


def read_raw(
    raw: bytes, position: WriterPosition = P4711, envelope_from: str = "anna@example.dk"
) -> Read:
    """Parse, classify, take the own words, read them."""
    mail = parse(raw)
    reading = read_text(
        extract_own_words(mail.text, DOMAIN, (mail.from_name, mail.from_addr or "")),
        position,
        today=TODAY,
    )
    return Read(mail, classify(mail, envelope_from, DOMAIN), reading)
