"""The game that goes with a letter as PGN: to whom, how large, and what programs read in it.

Not for the programs themselves (tests/scenarios/mail).
"""

import io
import random
from dataclasses import replace
from datetime import timedelta

import chess.pgn
import pytest

from kskak.game.game_events import MoveSent
from kskak.regulation.editions import Side
from kskak.statement.account import Account, account
from mail.game_letters.cast import BLACK, EVENTS, GAME, TERMS, WHITE, acc, dispatch
from mail.game_letters.letter_parts import record
from mail.game_letters.move_letters import Relay
from mail.text.catalogue import LANGUAGES, Words
from mail.text.letter_facts import LetterGame
from tests.mail.letters.test_every_letter import ALL, written

_LIMIT = 2048
"""Octets of a file besides the moves."""
_OF_A_MOVE = len("120. Nbxd7+ Nbxd2+\n")
NAMES = {
    "Åse Sørensen": "Aase Soerensen",
    "Rógvi á Lønni Æðuson": "Rogvi a Loenni Aeduson",
    "Łukasz Żółkiewski": "Lukasz Zolkiewski",
    "محمد الفارسي": "White",
    'An "x" [y] {z}\\': "An x y z",
}


def _long(moves: int) -> Account:
    """A game of so many moves, by whoever is to move."""
    board, chance, events = chess.Board(), random.Random(1), []
    while len(events) < 2 * moves:
        legal = list(board.legal_moves)
        chance.shuffle(legal)
        for move in legal:
            board.push(move)
            if any(board.legal_moves) and not board.is_insufficient_material():
                break
            board.pop()
        day = TERMS.start + timedelta(days=len(events))
        by = Side.BLACK if len(events) % 2 else Side.WHITE
        events.append(MoveSent(by, (move,), day))
    return account(TERMS, events)


def _file(game: LetterGame, of: Account, envelope, **said) -> str:
    made = record(game, of, of.state.to_move, envelope, **said)
    assert made is not None
    return made.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_letters_to_the_one_who_is_to_move_carry_the_game(lang, envelope):
    carriers = set()
    for name in ALL:
        for file in written(name, lang).iter_attachments():
            carriers.add(name)
            assert file.get_content_type() == "application/x-chess-pgn"
            game = chess.pgn.read_game(io.StringIO(file.get_content().decode("ascii")))
            mover = "White" if game.end().board().turn else "Black"
            assert game.headers[f"{mover}NA"] == envelope.to, name
    again = {"reminder", "reminder_postal", "reminder_first", "position", "position_anew"}
    relays = {"relay", "relay_later", "relay_first", "repeated"}
    assert carriers == {"first_move", *relays, *again}


def test_a_letter_that_cannot_be_answered_by_mail_has_no_game(envelope):
    without = replace(envelope, reply_to=None)
    letter = Relay(GAME, acc(*EVENTS[:3]), dispatch(2))
    assert letter.write(Words.load("da"), without).attached is None


def test_the_sender_of_the_last_move_gets_no_game(envelope):
    letter = Relay(GAME, acc(*EVENTS), dispatch(2))
    assert letter.write(Words.load("da"), envelope).attached is None


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_120_moves_is_small_ascii_and_whole(name, envelope):
    played = _long(120)
    game = replace(GAME, white=replace(WHITE, name=name), black=replace(BLACK, name=name))
    text = _file(game, played, envelope)
    assert text.isascii() and len(text) < _LIMIT + 120 * _OF_A_MOVE
    assert len(text.partition("\n\n")[0]) < _LIMIT
    read = chess.pgn.read_game(io.StringIO(text))
    assert not read.errors
    assert read.headers["White"] == NAMES[name]
    assert list(read.mainline_moves()) == [row.move for row in played.rows]


def test_programs_find_the_tags_they_want_and_the_line_to_continue(envelope):
    text = _file(GAME, acc(*EVENTS[:3]), envelope, is_offered=True)
    head, _, moves = text.partition("\n\n")
    wanted = ('[Event "Email correspondence game"]', '[Site "NET"]', '[Mode "EM"]')
    assert set(wanted) <= set(head.split("\n"))
    assert moves == "1. e4 e5\n2. Nf3\n{White offers a draw}\n*\n"


@pytest.mark.parametrize("name", ["K-26-01/3", "K 26.1", "جائزة"])
def test_the_games_name_is_a_file_name_that_does_not_end_as_a_number_of_cmails(name, envelope):
    text = _file(replace(GAME, name=name), acc(), envelope)
    read = chess.pgn.read_game(io.StringIO(text)).headers["CmailGameName"]
    assert read.isascii() and read and not set(read) & set("/. ")
