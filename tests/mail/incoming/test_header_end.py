"""Where a header block ends: the quick look and the careful one agree on every line end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mail.incoming import headers

PIECES = st.sampled_from([b"\r", b"\n", b"\r\n", b"a", b"a: b"])


@settings(max_examples=1500)
@given(st.lists(PIECES, max_size=14).map(b"".join))
def test_the_header_ends_at_the_first_empty_line_whatever_the_line_ends(raw):
    raw = b"x" + raw
    found = headers._END.search(raw)
    expected = (found.start(), found.end()) if found else (len(raw), len(raw))
    assert headers.header_end(raw) == expected
