"""A move as a reader wishes it: whatever the writing, it names the same move."""

import random

import chess

from kskak.board.notation import MoveRead, read_move
from kskak.board.shapes import MoveNotation, NotationLanguage, numeric, write_for_reader
from tests.fakes.machinery.each import each

EXAMPLES = {
    "Nbd7": ("Sbd7", "♘bd7", "Sb8-d7", "2847"),
    "exd8=Q+": ("exd8D+", "exd8♕+", "e7xd8D+", "5748(1)"),
    "O-O-O": ("0-0-0", "0-0-0", "0-0-0", "5131"),
    "R1xa5#": ("T1xa5#", "♖1xa5#", "Ta1xa5#", "1115"),
    "e4": ("e4", "e4", "e2-e4", "5254"),
    "Kf1": ("Kf1", "♔f1", "Ke1-f1", "5161"),
}


@each(("english", "forms"), EXAMPLES.items())
def test_each_writing_in_danish_letters(english: str, forms: tuple[str, str, str, str]) -> None:
    danish, figurines, long, digits = forms
    kinds = (MoveNotation.LETTERS, MoveNotation.FIGURINES, MoveNotation.LONG, MoveNotation.NUMERIC)
    told = [write_for_reader(english, digits, kind, "da") for kind in kinds]
    assert told == [danish, figurines, long, digits]
    assert write_for_reader(english, digits, MoveNotation.ENGLISH, "da") == english
    assert write_for_reader(english, digits, MoveNotation.LETTERS, "en") == english
    assert write_for_reader(english, digits, MoveNotation.DANISH, "en") == danish


def test_whatever_can_be_typed_is_read_back_as_the_same_move() -> None:
    chance = random.Random(5)
    read_in = {MoveNotation.DANISH: "da", MoveNotation.ENGLISH: "en", MoveNotation.LONG: "en"}
    for _ in range(20):
        board = chess.Board()
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            for move in chance.sample(moves, min(4, len(moves))):
                english, digits = board.san(move), numeric(move)
                for kind, lang in read_in.items():
                    text = write_for_reader(english, digits, kind, lang)
                    assert read_move(board, text, (NotationLanguage(lang),)) == MoveRead(move)
                as_number = write_for_reader(english, digits, MoveNotation.NUMERIC, "da")
                assert read_move(board, as_number) == MoveRead(move)
                is_pure = write_for_reader(english, digits, MoveNotation.FIGURINES, "da")
                assert not set(is_pure) & set("KDTLSQRBN")
            board.push(chance.choice(moves))
