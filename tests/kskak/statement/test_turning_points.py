"""Which positions a game's sheet shows: far enough apart, and never more than four.

Without an engine: the end, before the largest exchange, before the longest thought, after the
opening, each two moves or more from those chosen. Captions never say how good a move was.
"""

from itertools import pairwise

import chess
from hypothesis import HealthCheck, given

from kskak.board.shapes import numeric
from kskak.ledger.ledger_files import read_ledger
from kskak.statement.account import APART, TurningPoint, TurningPointKind, account, turning_points
from server.usecases.play.game_views import openings
from tests.fakes.machinery.draws import drawn
from tests.kskak.plays import games

OPENED = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 Bg5 h6 Bxf6 gxf6 Nbd2 Qd7 Nf1 Qh3"
"""A quiet Italian game: bishop for knight on move 9, and a queen that may be taken."""
CAUGHT = f"{OPENED} gxh3 Be6 Kh1 Kh8 Ne3"


def _told(moves: str, days: dict[int, int], fen: str | None = None):
    """A game by e-mail of which some plies, from 1, took some days."""
    board, on, entries = chess.Board(fen) if fen else chess.Board(), 1, []
    for ply, san in enumerate(moves.split(), 1):
        on += days.get(ply, 0)
        by, text = "white" if board.turn else "black", numeric(board.push_san(san))
        sent = f"2011-05-{on:02}"
        entries.append({"kind": "move", "by": by, "move": text, "sent": sent})
    ledger = {
        "format": "kskak-ledger/1",
        "game": "K-11-01/1",
        "regulation": "email",
        "start": "2011-05-01",
        "white": "Þóra Sæmundsdóttir",
        "black": "Łukasz Ćwik",
        "entries": entries,
    }
    read = read_ledger(ledger | ({"fen": fen} if fen else {}))
    return account(read.terms, read.events)


def test_an_exchange_is_no_change_and_moves_are_seen_before_they_are_made():
    assert turning_points(_told(CAUGHT, {10: 5, 14: 9, 16: 3}), openings()) == (
        TurningPoint(9, TurningPointKind.OPENING),
        TurningPoint(13, TurningPointKind.THOUGHT),
        TurningPoint(22, TurningPointKind.MATERIAL),
        TurningPoint(27, TurningPointKind.FINAL),
    )


def test_what_lies_too_near_gives_way_to_the_next_of_its_kind():
    """The queen is taken by the last move, after twelve days: the end shows both."""
    shown = turning_points(_told(f"{OPENED} gxh3", {23: 12, 14: 9}), openings())
    assert [one.why for one in shown] == [
        TurningPointKind.OPENING,
        TurningPointKind.THOUGHT,
        TurningPointKind.FINAL,
    ]
    assert shown[1].ply == 13


def test_a_game_that_began_elsewhere_shows_where():
    told = _told("Kd2 Kd7 Ke3 Ke6 Kf4 Kf6", {}, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert turning_points(told, openings()) == (
        TurningPoint(0, TurningPointKind.START),
        TurningPoint(6, TurningPointKind.FINAL),
    )


def test_a_game_without_moves_shows_its_board():
    assert turning_points(_told("", {}), openings()) == (TurningPoint(0, TurningPointKind.FINAL),)


@drawn(40, suppress_health_check=list(HealthCheck))
@given(games())
def test_at_most_four_in_order_and_two_moves_apart(game):
    told = account(*game[:2])
    shown = turning_points(told, openings())
    assert 1 <= len(shown) <= 4 and shown[-1].ply == len(told.rows)
    assert all(after.ply - before.ply >= APART for before, after in pairwise(shown))
