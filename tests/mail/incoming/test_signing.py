"""Nothing that can be a move is taken for a signature, whatever its writer is called."""

from itertools import product

import pytest

from mail.incoming.quoting import own_words
from mail.incoming.signing import unsigned

WRITERS = [
    ("Anders E. Nielsen", "anders@example.dk"),
    ("H. C. Andersen", "hc@example.dk"),
    ("Piet de Wit", "piet@example.nl"),
    ("Marie la Cour", "marie@example.dk"),
    ("Ole O. Olsen", "oo@example.dk"),
    ("O. O. Dahl", ""),
    ("A. B. C. D. E. F. G. H. Kld", "a@example.dk"),
    ("Søren Sd Kf", "s@example.dk"),
    ("", "e.name@example.dk"),
    ("", "h.c@example.dk"),
    ("Tage Th Dh", "td@example.dk"),
    ("Nora N. Bé", "nb@example.dk"),
]
MOVES = [
    "e4", "1. e4!", "e2-e4", "E4", "1.e4", "12... e5", "exd5", "e8D", "e8=Q+", "c4", "h4", "h5",
    "De7", "Dxe7+", "La3", "La3-b4", "Sf3", "Kh1", "Th1", "Td8", "Nf3", "Bb5", "Be7", "Kf7#",
    "O-O", "0-0", "o-o-o", "O–O", "O - O", "OO", "5254", "52-54", "52 54", "57581", "5758(1)",
    "1. 5254 5755 2. 7163", "O.O", "b4 c5",
]  # fmt: skip
every = pytest.mark.parametrize(("writer", "move"), list(product(WRITERS, MOVES)))


@every
def test_a_move_alone_or_at_the_end_is_his_own_words(writer, move):
    name, _ = writer
    for text in (
        move,
        f"Hej\n\n{move}",
        f"Hej\n{move}\n{name}",
        f"{move}\n\n{name}\ntlf. 21 30 99 00",
    ):
        assert move in own_words(text, writer=writer).splitlines(), text


@every
def test_a_move_below_the_greeting_or_a_rule_of_dashes_stays(writer, move):
    name, _ = writer
    for text in (
        f"Tak for partiet\nMvh {name}\n{move}",
        f"Godt nytår\n-----\n{name}\n{move}",
        f"Så kom den\nHilsen\n{name}\nwww.dsu.dk\n\n{move}",
        f"Denne mail er min\n{move}\n{name}",
    ):
        assert move in own_words(text, writer=writer).splitlines(), text


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("last", ["{name}", "mvh {name}", "-- \n{name}", "_____\n{name}"])
def test_his_name_is_still_a_signature(writer, last):
    name = writer[0] or writer[1].partition("@")[0]
    end = last.format(name=name)
    assert own_words(f"d4\n\n{end}", writer=writer) == "d4"


def test_address_and_telephone_below_a_greeting_are_no_moves():
    anna = ("Anna Andersen", "anna@example.dk")
    below = "Mvh\nAnna\nElmevej 4\n8361 Hasselager\nDK-5254 Byen\n5254 5755\nTlf. 52 54 57 55"
    assert own_words(f"1. e4\n\n{below}", writer=anna) == "1. e4"
    assert own_words(f"Hej\n\n{below}", writer=anna).split() == ["Hej", "5254", "5755"]


def test_a_move_beside_an_address_of_the_web_is_a_move():
    assert unsigned(["Hej", "Bo", "1. e4 (www.lichess.org)"], ("Bo", "")) == [
        "Hej", "Bo", "1. e4 (www.lichess.org)",
    ]  # fmt: skip
    assert unsigned(["1. e4", "Bo", "www.e4.dk", "tlf. 52 54 57 55"], ("Bo", "")) == ["1. e4"]
