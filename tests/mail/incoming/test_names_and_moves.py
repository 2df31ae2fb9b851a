"""Nothing that can be a move is ever taken for a signature, whoever signs and however he plays."""

import pytest

from mail.incoming.own_words import extract_own_words
from tests.fakes.machinery.each import each

WRITERS = (
    ("Ole H. Christensen", "ole@x.dk"), ("Jan De Wit", "jan@x.dk"), ("Bo La Cour", "bo@x.dk"),
    ("Erik E. Madsen", "e.madsen@x.dk"), ("", "e.madsen@x.dk"), ("", "a.b.c.d@x.dk"),
    ("H.C. Andersen", "hc@x.dk"), ("O. O. Olsen", "o.o@x.dk"), ("A B C D E F G H", "abc@x.dk"),
    ("Sf Sd Nf Qd", "sf@x.dk"), ("K D T L S N R Q B", "kdtls@x.dk"), ("", "e.e@x.dk"),
)  # fmt: skip
MOVES = (
    *("e4", "1. e4!", "e2-e4", "e2e4", "E4", "h3", "c4", "De7", "La3", "Sf3", "Nf3", "Qe7", "sf3"),
    *("O-O", "0-0", "O-O-O", "o-o", "O\u2013O", "O - O", "OO", "1. O-O", "exd5", "e8D", "Kd2"),
    *(
        "57581",
        "5758(1)",
        "1... e5",
        "5254",
        "52-54",
        "52 54",
        "1. 5254",
        "5 2 5 4",
        "h8=Q+",
        "**e4**",
        "1.e4 e5 2.d4",
    ),
    *("\u2658f3", "e4 remis?", "b1\u2013c3", "Txd8+", "R1d2", "exd6 e.p."),
)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("move", MOVES)
def test_a_move_is_no_name(writer: tuple[str, str], move: str) -> None:
    name = writer[0] or writer[1]
    for text in (
        move,
        f"Hej\n\n{move}",
        f"Hej\n\n{move}\n\n{name}",
        f"Hej\n{name}\n{move}",
        f"Hej\n{name}\n{move}\n{writer[1]}\nTlf. 12 34 56 78",
        f"Hej\n-----\n{name}\n{move}",
        f"Hej\nTlf. 12345678\n{move}",
        f"ADVARSEL: denne mail kommer udefra!\n{move}",
    ):
        assert move.strip("*") in extract_own_words(text, "", writer), text


@pytest.mark.parametrize("move", [one for one in MOVES if one != "5 2 5 4"])
@pytest.mark.parametrize("greeting", ["Med venlig hilsen\nBo", "Mvh\nBo", "Kh", "LG", "Hilsen Bo"])
def test_a_move_below_a_greeting_is_no_part_of_it(greeting: str, move: str) -> None:
    assert move.strip("*") in extract_own_words(
        f"Hej Anna\n\n{greeting}\n{move}", "", ("Bo", "bo@x.dk")
    )


@pytest.mark.parametrize("move", ["O-O", "e4", "Lc4", "5254"])
@pytest.mark.parametrize("contact", ["mobil 12345678", "www.x.dk", "bo@x.dk", "+45 12 34 56 78"])
def test_a_move_beside_an_address_is_still_a_move(contact: str, move: str) -> None:
    for line in (f"{move} {contact}", f"{contact} {move}"):
        assert move in extract_own_words(f"Hej\n\nBo\n{line}", "", ("Bo", "bo@x.dk"))


@each("writer", WRITERS)
def test_names_addresses_and_telephones_are_still_cut(writer: tuple[str, str]) -> None:
    name = writer[0] or writer[1]
    for end in (name, f"{name}\n{writer[1]}", f"{name}\nTlf. 12 34 56 78", f"Mvh\n{name}\n8361 By"):
        assert extract_own_words(f"1. d4\n\n{end}", "", writer) == "1. d4", end


def test_a_question_is_no_name() -> None:
    """Remi offers a draw with the word that he is called by."""
    for end in ("", "\n\nRemi Dam", "\n\nMvh\nRemi"):
        own = extract_own_words(f"1. d4\nRemi?{end}", "", ("Remi Dam", "remi@x.dk"))
        assert own == "1. d4\nRemi?"
