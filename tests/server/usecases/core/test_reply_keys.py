"""A key is RFC 4648's base 32 of what it says, as the library writes and reads it."""

from base64 import b32decode, b32encode

from hypothesis import given
from hypothesis import strategies as st

from kskak.regulation.editions import Side
from server.usecases.games import outbox_letters
from server.usecases.games.outbox_letters import ReplyPosition, make_key, read_key

POSITIONS = st.builds(
    ReplyPosition, st.integers(0, 2**56 - 1), st.integers(0, 2**16 - 1), st.sampled_from(Side)
)


@given(st.binary(min_size=32, max_size=32), POSITIONS)
def test_a_key_is_written_and_read_as_the_library_does(secret, position):
    key = make_key(secret, position)
    packed = b32decode(key.upper() + "======")
    assert b32encode(packed).decode().rstrip("=").lower() == key
    assert outbox_letters._unpacked(key) == packed
    assert read_key(secret, key) == read_key(secret, key.upper()) == position


@given(st.text(alphabet="abz27 189_+-éA=", max_size=44))
def test_what_is_no_key_is_none(text):
    assert read_key(b"x" * 32, text) is None
