"""Where a header block ends: the quick look and the careful one agree on every line end."""

from hypothesis import given
from hypothesis import strategies as st

from mail.incoming import mime
from tests.fakes.machinery.draws import drawn

PIECES = st.sampled_from([b"\r", b"\n", b"\r\n", b"a", b"a: b"])


@drawn(1500)
@given(st.lists(PIECES, max_size=14).map(b"".join))
def test_the_header_ends_at_the_first_empty_line_whatever_the_line_ends(raw):
    raw = b"x" + raw
    found = mime._END.search(raw)
    expected = (found.start(), found.end()) if found else (len(raw), len(raw))
    assert mime.header_end(raw) == expected


def test_of_a_huge_header_only_the_beginning_is_split_and_the_body_is_found():
    raw = b"From: a@b.dk\r\n" + b"X: y\r\n" * 1_500_000 + b"\r\n2. Nf3\r\n"
    found = mime.split_headers(raw)
    assert found.first("from") == b"a@b.dk"
    assert found.malformed
    assert len(found.fields) < mime.MOST_READ / 5
    assert raw[found.body_at :] == b"2. Nf3\r\n"


def test_a_header_as_long_as_it_may_be_is_split_whole():
    field = b"X: " + b"y" * 61 + b"\r\n"
    whole = field * (mime.MOST_READ // len(field))
    found = mime.split_headers(whole + b"\r\n2. Nf3")
    assert not found.malformed
    assert len(found.fields) == len(whole) // len(field)
