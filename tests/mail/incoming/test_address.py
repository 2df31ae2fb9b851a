"""Reply addresses, return paths, and what counts as an address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.incoming import parse_mail as inbound
from tests.fakes.machinery.each import each, rows

KEY = "k7q2m3abcdefghij234567"
KEYS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=20, max_size=52)


@given(KEYS)
def test_key_survives_the_round_trip_in_any_case(key: str) -> None:
    reply = inbound.reply_address("parti", key, "skak.example")
    assert inbound.read_reply_key(reply, "parti", "skak.example") == key
    assert inbound.read_reply_key(reply.upper(), "parti", "skak.example") == key
    assert len(reply.rpartition("@")[0]) <= 64
    assert inbound.is_own_recipient(reply, "skak.example")
    assert inbound.bounce_token_of(reply, "parti", "skak.example") is None


@each(
    "text",
    [
        f"parti+{KEY}@skak.example.evil", f"parti+{KEY}@evil", f"andet+{KEY}@skak.example",
        "parti@skak.example", "parti+kort@skak.example", f"parti+{KEY}0@skak.example", "", "@", KEY,
        f"parti+b-{KEY}@skak.example",
    ],
)  # fmt: skip
def test_other_addresses_have_no_key(text: str) -> None:
    assert inbound.read_reply_key(text, "parti", "skak.example") is None


def test_return_path_round_trip() -> None:
    path = inbound.return_path("parti", "abc123def456", "skak.example")
    assert inbound.bounce_token_of(path.upper(), "parti", "skak.example") == "abc123def456"
    assert inbound.read_reply_key(path, "parti", "skak.example") is None


@pytest.mark.parametrize("local", ["", "a b", "p+q", "x" * 33, "Parti"])
def test_reply_address_refuses_an_odd_local_part(local: str) -> None:
    with pytest.raises(ValueError, match="local part"):
        inbound.reply_address(local, KEY, "skak.example")


def test_reply_address_refuses_a_local_part_over_64_octets() -> None:
    with pytest.raises(ValueError, match="64"):
        inbound.reply_address("korrespondance", "a" * 52, "skak.example")


@rows(
    "text",
    "anna@example.dk",
    "Anna.O'Hara+skak@Mail.Example.dk",
    "øre@example.dk",
    "a@xn--s-xka.dk",
)
def test_plain_addresses_are_safe(text: str) -> None:
    assert inbound.normal_address(text) == text.lower()


@each(
    "text",
    [
        "", "@", "a@", "@b.dk", "a@b", "a b@c.dk", "a@b.dk SIZE=1", "a@b.dk\r\nRCPT TO:<x@y.dk>",
        "a@b..dk", ".a@b.dk", "a.@b.dk", "a@-b.dk", "<a@b.dk>", '"a b"@c.dk', "a@b.dk,c@d.dk",
        "a@[192.0.2.1]", "@x:a@b.dk", "x" * 65 + "@b.dk", "a@" + "b" * 64 + ".dk", "-f@b.dk",
        "a\x00@b.dk", "a@b.dk\n", "o\u0308re@example.dk", "a\u200b@b.dk", "\udcff@b.dk",
    ],
)  # fmt: skip
def test_anything_else_is_not_written_to(text: str) -> None:
    assert inbound.normal_address(text) is None


@each(
    "text",
    [
        '"a b"@skak.example', "@x:parti@skak.example", "p\x00@skak.example", "p%evil@skak.example",
        "parti@skak.example.evil", "parti@evil", "<parti@skak.example>", "p!x@skak.example",
        "x" * 65 + "@skak.example", "parti@skak.example\n",
    ],
)  # fmt: skip
def test_odd_recipients_are_not_ours(text: str) -> None:
    assert not inbound.is_own_recipient(text, "skak.example")
