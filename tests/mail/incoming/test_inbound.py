"""Parsing: fields, structure, charsets, HTML; and its price."""

import base64
import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.incoming import mime
from mail.incoming.mime import CHARSETS, Defect, Headers, unflow
from mail.incoming.own_words import rough_text, shows_plainly
from mail.incoming.parse_mail import parse
from tests.fakes.machinery.each import each, rows

QP = b"text/plain\r\nContent-Transfer-Encoding: quoted-printable"
HEAD = b"From: Anna Ager <Anna@Example.dk>\r\n"


def body(text: bytes, *fields: bytes) -> bytes:
    return HEAD + b"".join(field + b"\r\n" for field in fields) + b"\r\n" + text


@each(
    "field address name",
    ("Anna Ager <Anna@Example.dk>", "anna@example.dk", "Anna Ager"),
    ('"Ager, Anna" <anna@example.dk>', "anna@example.dk", "Ager, Anna"),
    ('"A \\"B\\" C" <anna@example.dk>', "anna@example.dk", 'A "B" C'),
    ("anna@example.dk", "anna@example.dk", ""),
    ("anna@example.dk (Anna Ager)", "anna@example.dk", "Anna Ager"),
    ("=?utf-8?Q?=C3=98jvind?= <o@example.dk>", "o@example.dk", "Øjvind"),
    ("Øjvind <øre@example.dk>", "øre@example.dk", "Øjvind"),
    ("anna@example.dk <anna@example.dk>", "anna@example.dk", "anna@example.dk"),
    ("'anna@example.dk' <anna@example.dk>", "anna@example.dk", "'anna@example.dk'"),
    ("Anna (DSU) <anna@example.dk>", "anna@example.dk", "Anna (DSU)"),
    ("Anna\r\n\t<anna@example.dk>", "anna@example.dk", "Anna"),
    ("=?utf-8?Q?x=0D=0ABcc=3A_y?= <anna@example.dk>", "anna@example.dk", "x Bcc: y"),
)
def test_usual_from_fields(field: str, address: str, name: str) -> None:
    mail = parse(f"From: {field}\r\n\r\nx".encode())
    assert (mail.from_addr, mail.from_name) == (address, name)
    assert mail.defects == ()


def test_recipients_are_strict_addresses_only() -> None:
    raw = body(
        b"x", b'To: "Evil <a@b.dk>" <parti@skak.example>, not-an-address, Bo <BO@example.net>',
        b"Cc: undisclosed-recipients:;",
    )  # fmt: skip
    mail = parse(raw)
    assert (mail.to, mail.cc) == (("parti@skak.example", "bo@example.net"), ())


@rows(
    "text kind read",
    (b"e4=0D=0A=0D=0AHej=00 Bo", QP, "e4\n\nHej\ufffd Bo"),
    (b"ZQA0AA==", b"text/plain\r\nContent-Transfer-Encoding: base64", "e\ufffd4\ufffd"),
    (b"e=004", QP, "e\ufffd4"),
    (b"e=004=00", QP.replace(b"plain", b"plain; charset=utf-16le"), "e4"),
    (b"<p>e=004</p>", QP.replace(b"plain", b"html"), "e\ufffd4"),
)
def test_no_text_has_the_nul_character_which_postgresql_keeps_in_none(text, kind, read):
    """And none is left out: what was no move becomes none."""
    assert parse(body(text, b"Content-Type: " + kind)).text.strip() == read.strip()


@each(
    ("charset", "data", "text"),
    [
        ("utf-8", "æøå".encode(), "æøå"), ("ISO-8859-1", b"\xe6\xf8\xe5", "æøå"),
        ("iso-8859-15", b"\xa4", "€"), ("windows-1252", b"\x80", "€"),
        ("us-ascii", "æ".encode(), "æ"), ("us-ascii", b"\xe6", "æ"), ("", b"\xe6", "æ"),
        ("utf-7", b"+AE4-f3", "+AE4-f3"), ("unicode_escape", b"\\x4ef3", "\\x4ef3"),
        ("x-klingon", b"Nf3 \xe6", "Nf3 \ufffd"), ("idna", b"x", "x"), ("zlib", b"x", "x"),
        ("rot13", b"Ns3", "Ns3"), ("hex", b"4e6633", "4e6633"),
    ],
)  # fmt: skip
def test_charset_allow_list(charset: str, data: bytes, text: str) -> None:
    kind = b"Content-Type: text/plain" + (b'; charset="%s"' % charset.encode() if charset else b"")
    mail = parse(body(data, kind))
    assert mail.text == text
    outside = charset in ("utf-7", "unicode_escape", "x-klingon", "idna", "zlib", "rot13", "hex")
    assert (Defect.CHARSET in mail.defects) is outside


@each(
    ("encoding", "data", "text"),
    [
        (b"quoted-printable", b"a8=3DQ =\r\nx", "a8=Q x"), (b"BASE64", b"Mi4gTmYz", "2. Nf3"),
        (b"base64", b"Mi4g\r\nTmYz\r\n", "2. Nf3"), (b"base64", b"Mi4gTmY", "2. Nf"),
        (b"base64", b"MTIu=====x", ""), (b"x-uuencode", b"begin 644 x", ""), (b"8bit", b"x", "x"),
    ],
)  # fmt: skip
def test_transfer_encodings(encoding: bytes, data: bytes, text: str) -> None:
    assert parse(body(data, b"Content-Transfer-Encoding: " + encoding)).text == text


@each(
    ("flowed", "delsp", "text"),
    [
        ("2. Nf3 \nog så", False, "2. Nf3 og så"), ("2. N \nf3", True, "2. Nf3"),
        ("> a \n> b\nc", False, "> a b\nc"), ("> a \nb", False, "> a \nb"),
        (" From x", False, "From x"), ("x\n-- \nAnna", False, "x\n-- \nAnna"),
        ("x \n-- \nAnna", False, "x \n-- \nAnna"),
    ],
)  # fmt: skip
def test_flowed_text_is_joined(flowed: str, delsp: bool, text: str) -> None:
    assert unflow(flowed, delsp=delsp) == text


@each(
    "html text",
    ("<p>2. N<b>f</b>3</p>", "2. Nf3"),
    ("2. N<wbr>f3", "2. Nf3"),
    ("2. N<!-- d4 -->f3", "2. Nf3"),
    ("<div>2. Nf3</div><div>Hej &aelig;</div>", "2. Nf3\nHej æ"),
    ("<title>d4</title><style>d4</style><script>d4</script>2. Nf3", "2. Nf3"),
    ("<blockquote>2. d4</blockquote>2. Nf3", "> ...\n2. Nf3"),
    ("<table><tr><td>2.</td> <td><p>Nf3</p></td></tr><tr><td>Hej<td>Bo</table>", "2. Nf3\nHej Bo"),
    ("<td><div>Hej</div><div>2. Nf3</div><td>Bo", "Hej\n2. Nf3\nBo"),
    ("<ol><li>e4<li><p>Nf3</p></ol><ul><li>Hej</ul>", "1. e4\n2. Nf3\n* Hej"),
    ("<p>Hej<br>\r\n2. <i> Nf3</i>\r\nBo<br></p>x", "Hej\n2. Nf3 Bo\nx"),
    ("<pre>1. e4  e5\r\n2. Nf3</pre>Hej", "1. e4 e5\n2. Nf3\nHej"),
    ("2.&#30;Nf3&nbsp; Hej<hr>Bo", "2. Nf3 Hej\nBo"),
    ("<div><s>9. Te1</s></div><div>9. Lxh7+</div>", "9. Lxh7+"),
    ("<p><del>d4</del> e4 <strike>nej</strike></p>", "e4"),
    ("<span style='text-decoration: line-through'>d4</span> e4", "e4"),
)
def test_html_is_read_as_it_is_seen(html: str, text: str) -> None:
    mail = parse(body(html.encode(), b"Content-Type: text/html; charset=utf-8"))
    lines = [line.strip() for line in mail.text.splitlines() if line.strip()]
    assert lines == text.split("\n")


def test_what_html_sets_apart_is_a_paragraph_of_its_own() -> None:
    html = b"<div>Hej</div><div><br></div><div>2. Nf3</div><p>Hilsen</p>\r\n<p></p><p>Bo</p>x"
    mail = parse(body(html, b"Content-Type: text/html"))
    assert mail.text == "Hej\n\n2. Nf3\n\nHilsen\n\nBo\n\nx"


@each(
    "style",
    ["display:none", "DISPLAY : none", "visibility:hidden", "font-size:0", "font-size: 0px",
     "opacity:0", "mso-hide:all", "max-height:0"],
)  # fmt: skip
def test_hidden_html_is_dropped_and_reported(style: str) -> None:
    html = f"<div style='{style}'>2. h4</div><p>2. Nf3</p>".encode()
    mail = parse(body(html, b"Content-Type: text/html"))
    assert "h4" not in mail.text
    assert Defect.HIDDEN_TEXT in mail.defects


def test_visible_small_print_is_not_taken_for_hidden() -> None:
    html = b"<div style='font-size:0.8em;opacity:0.9'>2. Nf3</div>"
    mail = parse(body(html, b"Content-Type: text/html"))
    assert (mail.text.strip(), mail.defects) == ("2. Nf3", ())


def test_empty_text_part_gives_way_to_the_html() -> None:
    parts = b"--b\r\n\r\n \r\n--b\r\nContent-Type: text/html\r\n\r\n<p>2. Nf3</p>\r\n--b--\r\n"
    mail = parse(body(parts, b"Content-Type: multipart/alternative; boundary=b"))
    assert mail.text.strip() == "2. Nf3"


def test_longer_boundary_inside_a_shorter_one_is_kept_apart() -> None:
    inner = b"--bb\r\n\r\n2. Nf3\r\n--bb--\r\n"
    parts = b"--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n" + inner + b"--b--\r\n"
    mail = parse(body(parts, b"Content-Type: multipart/mixed; boundary=b"))
    assert (mail.text.strip(), mail.defects) == ("2. Nf3", ())


def test_comments_that_never_end_cost_nothing() -> None:
    assert rough_text("<!--" * 120_000 + "<b>x</b>") == ""
    assert rough_text("a<!-- d4 -->b<!-- e4") == "ab"


def test_zip_of_nine_megabytes_is_left_untouched() -> None:
    packed = base64.encodebytes(b"PK" + b"\x07" * 6_500_000).replace(b"\n", b"\r\n")
    parts = (
        b"--b\r\n\r\n2. Nf3\r\n--b\r\nContent-Type: application/zip; name=x.zip\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + packed + b"--b--\r\n"
    )
    mail = parse(body(parts, b"Content-Type: multipart/mixed; boundary=b"))
    assert (mail.text, mail.defects) == ("2. Nf3", ())


def test_seven_kilobyte_reply_is_parsed_well_under_a_millisecond() -> None:
    raw = body(b"2. Nf3\r\n" + b"> noget tekst =C3=A6 her\r\n" * 250,
               b"Content-Transfer-Encoding: quoted-printable")  # fmt: skip
    best = min(timeit.repeat(lambda: parse(raw), number=20, repeat=5)) / 20
    assert best < 0.001  # about 0.1 ms; the margin is for a busy machine


SENT_IN = {
    "iso-8859-2": "Dziękuję, żółw", "windows-1250": "Děkuji, příště", "windows-1251": "Спасибо",
    "koi8-r": "Спасибо", "koi8-u": "Дякую", "iso-8859-5": "Хвала", "iso-8859-7": "Ευχαριστώ",
    "windows-1253": "Ευχαριστώ", "iso-8859-9": "Teşekkürler ğı", "windows-1254": "Teşekkürler",
    "windows-1255": "תודה", "iso-8859-8-i": "תודה", "windows-1256": "شكرا", "iso-8859-6": "شكرا",
    "windows-1257": "Ačiū, aitäh", "iso-8859-4": "Paldies ķ", "iso-8859-10": "Giitu đŋŧ",
    "iso-8859-13": "Ačiū", "windows-1258": "Cám ơn", "macintosh": "Tak for æblet",
    "ibm850": "Tak for æblet", "ibm865": "Tak for øllet", "gb2312": "谢谢", "gbk": "謝謝",
    "big5": "謝謝", "shift_jis": "ありがとう", "euc-jp": "ありがとう", "iso-2022-jp": "ありがとう",
    "ks_c_5601-1987": "감사", "windows-874": "ขอบคุณ", "iso-8859-14": "Diolch ŵ",
    "iso-8859-16": "Mulțumesc",
}  # fmt: skip


@each(("charset", "words"), SENT_IN.items())
def test_every_charset_that_programs_send_is_read(charset: str, words: str) -> None:
    codec = {"iso-8859-8-i": "iso-8859-8", "windows-874": "cp874"}.get(charset, charset)
    data = f"2. Nf3\r\n\r\n{words}".encode(codec)
    mail = parse(body(data, b"Content-Type: text/plain; charset=" + charset.upper().encode()))
    assert mail.text == f"2. Nf3\n\n{words}"
    assert mail.defects == ()


def test_every_charset_shows_what_is_typed_in_ascii() -> None:
    typed = "".join(map(chr, range(32, 127)))
    narrow = {name: codec for name, codec in CHARSETS.items() if "utf-16" not in codec}
    changed = {name for name, codec in narrow.items() if typed.encode().decode(codec) != typed}
    assert changed == set()


@pytest.mark.parametrize("charset", ["utf-16", "utf-16le", "utf-16be"])
def test_two_octets_a_letter_are_read_where_they_are_declared(charset: str) -> None:
    data = base64.b64encode("2. Nf3\r\n\r\nHøj cigarføring".encode(charset))
    head = f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: base64"
    mail = parse(body(data, head.encode()))
    assert (mail.text, mail.defects) == ("2. Nf3\n\nHøj cigarføring", ())


TYPE_PIECES = [
    "text/plain", "/", "x", ";", "; ", " ", "\t", "=", '"', "charset=utf-8", "*0", "*", "'", "<x>",
    'boundary="a b"', "boundary=x", "(c)", "\\", "æ", "?", "FORMAT=flowed",
]  # fmt: skip


@given(st.lists(st.sampled_from(TYPE_PIECES), max_size=8).map("".join))
def test_a_content_type_is_read_as_the_library_reads_it(rest: str) -> None:
    for written in (rest, "text/plain; charset=utf-8" + rest, "Multipart/mixed; boundary=" + rest):
        headers = Headers((("content-type", written.encode()),), malformed=False, body_at=0)
        assert mime._content_type(headers) == mime._read_type(written.encode())


HTML_PIECES = ["e4", "5755", "-e4", "<", ">", "<b>", "<a href='e4'>", "<!--", "-->", "&#", "&", ";"]


@given(st.lists(st.sampled_from(HTML_PIECES), max_size=10).map("".join))
def test_what_is_shown_plainly_is_in_the_text(source: str) -> None:
    found = [word for word in ("e4", "5755", "57", "-e4") if shows_plainly(word, source)]
    assert all(word in rough_text(source) for word in found)
