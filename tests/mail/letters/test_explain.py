"""The account in words, and the diagram."""

import io
from dataclasses import replace
from datetime import date

import chess.svg
import pytest
import resvg_py
from PIL import Image, ImageChops

from kskak.game import game_events as ev
from kskak.ledger.ledger_files import read_ledger
from kskak.play.game_state import Terms
from kskak.regulation.editions import Channel, LeaveType, MoveFault, PauseReason, Regulation, Side
from kskak.statement.account import account
from mail.game_letters.cast import EVENTS, TERMS, acc
from mail.looks.design import looks
from mail.outgoing.picture import SIZE, _colors, diagram, list_pieces, png
from mail.text.catalogue import Words
from mail.text.explanations import explain, write_deadline

DA = Words.load("da")


def test_every_dispatch_exemption_total_and_deadline_has_its_line():
    assert explain(acc(*EVENTS), DA) == (
        "1. Hvid 5254: modtaget 30/11, sendt 30/11. Brugt 0 dage, i alt 0.",
        "1... Sort 5755: modtaget 1/12, sendt 2/12. Brugt 1 dag, i alt 1.",
        "2. Hvid 7163 (=): modtaget 3/12, sendt 4/12. Brugt 1 dag, i alt 1.",
        "2... Sort 2836: i en antaget trækserie, uden dage for sig.",
        "3. Hvid 6125: i en antaget trækserie, uden dage for sig.",
        "3... Sort 1716: modtaget 5/12, sendt 4/1. Brugt 18 dage, i alt 19.",
        "  Ikke regnet: 20/12-31/12 (12 dage), obligatorisk ferie (§ 6.3.6.2).",
        "At de obligatoriske ferier også gælder i mailpartier, er en fortolkning: § 6.8 nævner "
        "dem ikke, men § 6.8.1 lader § 6.3.6.2 gælde. Læses den anderledes, tæller dagene med.",
        "Brugt i alt: Hvid 1 dag, Sort 19 dage.",
        "Hvid er i trækket, og tiden regnes fra den 5. januar 2027. Indtil træk 10 er der "
        "40 dage i alt.",
        "Sidste dag at svare inden for tiden er lørdag den 13. februar 2027. Tilbage: 39 dage.",
    )


def test_charges_say_which_way_and_by_which_paragraph():
    faulty = ev.FaultySent(Side.BLACK, date(2026, 12, 5), MoveFault.ILLEGAL)
    annulled = ev.DaysCharged(Side.BLACK, date(2026, 12, 7), -3, "6.8.10", "kaffe på kortet")
    lines = explain(acc(*EVENTS[:3], faulty, annulled), DA)
    assert "5/12: 3 dage er lagt til Sorts tid: ugyldigt træk (§ 6.8.6)." in lines
    assert "7/12: 3 dage er trukket fra Sorts tid: kaffe på kortet (§ 6.8.10)." in lines


def test_a_standing_series_tells_its_own_limit():
    """§ 6.3.3.2: three proposed moves beyond the ninth raise the limit."""
    pairs = [(f"{file}2{file}3", f"{file}7{file}6") for file in "abcdfgh"] + [("a3a4", "a6a5")]
    events = []
    for number, (white, black) in enumerate(pairs):
        for side, uci in ((Side.WHITE, white), (Side.BLACK, black)):
            move = chess.Move.from_uci(uci)
            events.append(ev.MoveSent(side, (move,), date(2026, 12, 1 + number)))
    series = tuple(chess.Move.from_uci(u) for u in ("e7e5", "g1e2", "g8e7", "e2g1"))
    opening = chess.Move.from_uci("e2e4")
    last = ev.MoveSent(Side.WHITE, (opening,), date(2026, 12, 10), proposes=series)
    lines = explain(acc(*events, last), DA)
    assert any("Modtages hele trækserien, er der 44 dage i alt (§ 6.3.3.2)" in x for x in lines)


def test_time_that_stands_still_and_an_unknown_receipt_are_said():
    paused = ev.GamePaused(date(2026, 12, 5), None, PauseReason.DISPUTE)
    assert explain(acc(*EVENTS[:3], paused), DA)[-1].startswith("Tiden står stille")
    postal = replace(TERMS, regulation=Regulation.POSTAL)
    card = replace(EVENTS[0], channel=Channel.POST)
    assert explain(account(postal, (card,)), DA)[-1].startswith("Sort er i trækket. Tiden regnes")


def test_after_an_overstep_no_last_day_is_promised():
    lines = explain(acc(*EVENTS[:3], on=date(2027, 2, 20)), DA)
    assert any("overskred tiden den 26. januar 2027: brugt 66 dage" in line for line in lines)
    assert not any("Sidste dag" in line for line in lines)


def test_leave_is_named_in_the_language_of_the_reader():
    leave = ev.LeaveBooked(
        Side.BLACK, date(2027, 1, 1), date(2027, 1, 3), date(2026, 12, 1), LeaveType.PERSONAL
    )
    lines = explain(acc(*EVENTS[:3], leave, EVENTS[3]), Words.load("en"))
    assert "  Not counted: 1/1-3/1 (3 days), leave (§ 6.3.6)." in lines


def test_every_vector_can_be_told_in_both_languages(request):
    import json

    folder = request.config.rootpath / "tests" / "vectors" / "clock"
    told = 0
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        if "expect" not in vector or "error" in vector["expect"]:
            continue
        ledger = read_ledger(vector["ledger"])
        on = vector.get("on")
        now = account(ledger.terms, ledger.events, date.fromisoformat(on) if on else None)
        for lang in ("da", "en"):
            assert all(line.strip() for line in explain(now, Words.load(lang)))
        told += 1
    assert told > 10


def test_the_diagram_has_both_labels_and_danish_letters():
    board = chess.Board("8/8/8/8/8/5n2/6P1/6K1 b - - 0 1")
    lines = diagram(board, Side.WHITE, "da").splitlines()
    assert lines[5:8] == ["  3  . . . . . s . .", "  2  . . . . . . B .", "  1  . . . . . . K ."]
    assert lines[-2:] == ["     a b c d e f g h", "     1 2 3 4 5 6 7 8"]
    assert list_pieces(board, Side.WHITE, "da") == ("Kg1", "g2")
    assert list_pieces(board, Side.BLACK, "en") == ("Nf3", "")
    assert diagram(board, Side.BLACK, "en").splitlines()[0] == "  1  . K . . . . . ."


@pytest.mark.parametrize("side", Side)
def test_the_picture_is_a_small_png_and_differs_by_what_it_shows(side):
    board, other = chess.Board(), chess.Board()
    other.push_uci("e2e4")
    found = {png(board, None, side), png(other, None, side), png(other, other.peek(), side)}
    assert len(found) == 3
    for picture in found:
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert picture[16:24] == (SIZE).to_bytes(4) * 2
        assert len(picture) <= 12_000


@pytest.mark.parametrize("side", Side)
def test_the_picture_shows_each_piece_on_its_square_in_its_colours(side):
    """Square by square the same as the whole drawn at once, but for the palette."""
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    last = chess.Move.from_uci("e5g6")
    colors = _colors(looks(), "calm")
    svg = chess.svg.board(
        board, orientation=side is Side.WHITE, lastmove=last, size=SIZE, colors=colors
    )
    drawn = Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=svg))).convert("RGB")
    ours = Image.open(io.BytesIO(png(board, last, side))).convert("RGB")
    apart = ImageChops.difference(drawn, ours).convert("L")
    assert sum(apart.histogram()[48:]) < SIZE * SIZE / 500


def test_terms_are_not_needed_to_be_danish():
    """A player's name goes through untouched: nothing here formats it."""
    terms = Terms("{x}", Regulation.EMAIL, date(2026, 1, 1), "{0}", "{name}", None, 2018)
    assert explain(account(terms, ()), DA)[0].startswith("Brugt i alt")


@pytest.mark.parametrize(
    ("sent", "on", "skipped"),
    [
        (date(2026, 9, 1), date(2026, 9, 1), ""),  # before his time begins, which is the day after
        (date(2026, 9, 1), date(2026, 9, 10), ""),
        (date(2026, 11, 20), date(2026, 11, 20), " (12 tæller ikke)"),
        (date(2026, 11, 20), date(2026, 12, 10), " (12 tæller ikke)"),
    ],
)
def test_the_days_left_say_how_many_on_the_way_do_not_count(sent, on, skipped):
    terms = replace(TERMS, start=sent)
    told = account(terms, [ev.MoveSent(Side.WHITE, (chess.Move.from_uci("e2e4"),), sent)], on)
    assert told.running is not None
    said = write_deadline(told, told.running, DA)
    left = 40 - max((on - sent).days - 1, 0)
    assert said.endswith(f"Tilbage: {left} dage{skipped}.")
