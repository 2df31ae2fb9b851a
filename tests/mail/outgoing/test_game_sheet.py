"""A game on one A4: a page and no more, however many moves, whole for who reads by ear."""

from dataclasses import replace
from datetime import date

import chess

from kskak.regulation.editions import Side
from mail.outgoing.blocks import BoardView, GameSheet, Half, Labels
from mail.outgoing.game_sheet import sheet_pdf
from tests.fakes.machinery.each import each
from tests.mail.outgoing.test_pdf_tags import Read, every_drawing_is_marked

NAMES = ("Jógvan í Króki Hjørt", "يوسف العلي", "Zbigniew Żółć-Świątek")
BOARD = BoardView(chess.Board(), None, Side.WHITE, "Efter 6... 0-0", ("Hvid: Ke1", "Sort: Ke8"), "")


def _sheet(moves: int, diagrams: int = 4, said: tuple[str, ...] = ()) -> GameSheet:
    used = tuple((n / 60, (n + 0.5) / 60) for n in range(0, 60, 2))
    return GameSheet(
        title=f"{NAMES[0]} – {NAMES[1]} / {NAMES[2]}",
        lines=("½–½, remis", "K-skak-EMT 2026, K-26-01 · C54 Italiensk parti: Klassisk med Sf6"),
        players=(
            Half(
                f"Hvid: {NAMES[0]} · Havnar Telvingarfelag · rating 1812", "143 af 200", used, True
            ),
            Half(f"Sort: {NAMES[1]} / {NAMES[2]}", "98 af 200 dage brugt", used, False),
        ),
        years=((0.3, "2027"), (0.9, "2028")),
        days="1. september 2026 til 1. februar 2028",
        diagrams=(BOARD,) * diagrams,
        head=("Nr.", "Hvid", "Sendt", "Sort", "Sendt"),
        rows=tuple((f"{n}.", "Sbxd7+", "31/12 2027", "exd8D+", "1/1") for n in range(1, moves + 1)),
        said=said,
        foot="https://skak.example.org/games/7",
    )


def _read(sheet: GameSheet) -> Read:
    return Read(sheet_pdf(sheet, Labels(sheet.title, "da", date(2028, 2, 1))))


WORDS = tuple(f"{name}: {'Så så jeg det først dagen efter. ' * 12}"[:330] for name in NAMES[:2])
"""As long as two players may write."""


@each(
    "moves diagrams said",
    (0, 1, ()),
    (0, 1, WORDS),
    (1, 1, ()),
    (40, 4, WORDS),
    (120, 3, ()),
    (120, 4, WORDS),
    (280, 4, WORDS),
    (300, 4, ()),
)
def test_a_game_of_any_length_is_one_page_on_which_all_is_read_in_order(moves, diagrams, said):
    read = _read(_sheet(moves, diagrams, said))
    assert len(read.pages) == 1
    every_drawing_is_marked(read)
    kinds = [kind for kind, _ in read.tree[1]]
    assert kinds[0] == "H1" and kinds.count("Figure") == diagrams
    last = [*["P"] * len(said), "P"]
    assert kinds[-len(last) - 1 :] == ["Table" if moves else "P", *last]
    if moves:
        table = read.tree[1][-len(last) - 1][1]
        assert len(table) == moves + 1, "one table, whose head is read once"


def test_names_as_long_as_they_come_still_leave_one_page():
    long = "Maximilian-Alexander af Ærøskøbing og Świątek " * 3
    sheet = _sheet(120)
    halves = (replace(sheet.players[0], about=long), replace(sheet.players[1], about=long))
    assert len(_read(replace(sheet, title=f"{long} – {long}", players=halves)).pages) == 1
