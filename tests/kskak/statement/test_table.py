"""The ICCF layout, to the character (§ 6.8.2, CONTRACTS)."""

import json
from datetime import date
from pathlib import Path

import chess
import pytest

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import read_ledger
from kskak.play.game_state import Terms
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import account, iccf_table

VECTORS = Path(__file__).parents[2] / "vectors" / "clock"
TERMS = Terms("x", Regulation.EMAIL, date(2026, 1, 5), "A", "B", None, 2018)


def _sent(by, text, day, **more):
    plies = tuple(chess.Move.from_uci(move) for move in text.split())
    return ev.MoveSent(by, plies, day, **more)


def test_the_printed_example_comes_out_to_the_character():
    text = (VECTORS / "email_6_8_2_iccf_layout.json").read_text(encoding="utf-8")
    ledger = read_ledger(json.loads(text)["ledger"])
    assert iccf_table(account(ledger.terms, ledger.events)) == (
        "Modt. Sendt Tid  Nr. Hvid Sort Modt. Sendt Tid\n"
        "----  29/08 0/00 01. 5254 5755 29/08 30/08 1/01\n"
        "30/08 31/08 1/01 02. 7163 2836 31/08 03/09 3/04\n"
        "03/09 05/09 2/03 03. 6125"
    )


def test_before_the_first_move_there_is_only_the_head():
    assert iccf_table(account(TERMS, ())) == "Modt. Sendt Tid Nr. Hvid Sort Modt. Sendt Tid"


def test_plies_within_an_accepted_series_have_no_dates():
    series = tuple(chess.Move.from_uci(move) for move in ("e7e5", "g1f3"))
    first = _sent(Side.WHITE, "e2e4", date(2026, 1, 5), proposes=series)
    answer = _sent(Side.BLACK, "e7e5 g1f3 b8c6", date(2026, 1, 9))
    assert iccf_table(account(TERMS, (first, answer))).splitlines()[1:] == [
        "----  05/01 0/00 01. 5254 5755             0/03",
        "            0/00 02. 7163 2836 06/01 09/01 3/03",
    ]


def test_where_black_begins_whites_cells_are_empty_and_black_has_received_nothing():
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    terms = Terms("x", Regulation.EMAIL, date(2026, 1, 5), "A", "B", fen, 2018)
    moves = (
        _sent(Side.BLACK, "e7e5", date(2026, 1, 7)),
        _sent(Side.WHITE, "g1f3", date(2026, 1, 8)),
    )
    assert iccf_table(account(terms, moves)).splitlines()[1:] == [
        "                 01.      5755 ----  07/01 2/02",
        "08/01 08/01 0/00 02. 7163",
    ]


@pytest.mark.parametrize(("days", "cell"), [(9, "9/09"), (99, "99/99"), (120, "120/120")])
def test_totals_have_two_digits_at_least_and_widen_their_column(days, cell):
    sent = date.fromordinal(date(2026, 4, 15).toordinal() + days)
    terms = Terms("x", Regulation.EMAIL, date(2026, 4, 15), "A", "B", None, 2018)
    lines = iccf_table(account(terms, (_sent(Side.WHITE, "e2e4", sent),))).splitlines()
    assert lines[1].split()[2] == cell
    assert lines[0].index("Nr.") == lines[1].index("01.")


def test_every_vector_keeps_its_columns_and_has_no_trailing_blank():
    for path in sorted(VECTORS.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        if "expect" not in vector or "error" in vector["expect"]:
            continue
        ledger = read_ledger(vector["ledger"])
        lines = iccf_table(account(ledger.terms, ledger.events)).splitlines()
        assert all(line == line.rstrip() for line in lines), path.name
        starts = {line.index(f"{number:02d}.") for number, line in _numbered(lines)}
        assert len(starts) <= 1, path.name


def _numbered(lines):
    for line in lines[1:]:
        number = next(word for word in line.split() if word.endswith(".") and word[:-1].isdigit())
        yield int(number[:-1]), line
