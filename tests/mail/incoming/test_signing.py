"""Names, addresses, telephone numbers are signatures (moves are not: test_names_and_moves)."""

import pytest

from mail.incoming.own_words import extract_own_words
from mail.incoming.signatures import strip_signature

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


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("last", ["{name}", "mvh {name}", "-- \n{name}", "_____\n{name}"])
def test_his_name_is_still_a_signature(writer, last):
    name = writer[0] or writer[1].partition("@")[0]
    end = last.format(name=name)
    assert extract_own_words(f"d4\n\n{end}", writer=writer) == "d4"


def test_address_and_telephone_below_a_greeting_are_no_moves():
    anna = ("Anna Andersen", "anna@example.dk")
    below = "Mvh\nAnna\nElmevej 4\n8361 Hasselager\nDK-5254 Byen\n5254 5755\nTlf. 52 54 57 55"
    assert extract_own_words(f"1. e4\n\n{below}", writer=anna) == "1. e4"
    assert extract_own_words(f"Hej\n\n{below}", writer=anna).split() == ["Hej", "5254", "5755"]


def test_a_move_beside_an_address_of_the_web_is_a_move():
    assert strip_signature(["Hej", "Bo", "1. e4 (www.lichess.org)"], ("Bo", "")) == [
        "Hej", "Bo", "1. e4 (www.lichess.org)",
    ]  # fmt: skip
    assert strip_signature(["1. e4", "Bo", "www.e4.dk", "tlf. 52 54 57 55"], ("Bo", "")) == [
        "1. e4"
    ]
