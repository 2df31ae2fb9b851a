"""The head of a mail: nothing slips in by a name, an address or a subject (M5, I01, I02, I05)."""

import email
from dataclasses import replace
from email import policy
from email.header import decode_header, make_header

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from mail.compose import compose, compose_safely
from mail.outgoing import envelope as mime
from mail.outgoing.envelope import UnsafeHeader, head, is_plain_address, plainer
from mail.samples import GAME_LETTERS
from mail.text.catalogue import Words
from tests.fakes.machinery.draws import drawn
from tests.fakes.machinery.each import each, rows

BREAKS = [
    "\r",
    "\n",
    "\r\n",
    "\x00",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u200b",
    "\x7f",
]
HEADERS = ["From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
           "Auto-Submitted", "X-Auto-Response-Suppress", "X-Loop", "Content-Type",
           "MIME-Version"]  # fmt: skip


@pytest.mark.parametrize("char", BREAKS, ids=ascii)
@pytest.mark.parametrize("field", ["sender_name", "to_name", "to", "reply_to", "sender"])
def test_a_control_character_or_line_break_is_refused(field, char, envelope):
    value = getattr(envelope, field)
    with pytest.raises(UnsafeHeader):
        head(replace(envelope, **{field: f"{value[:3]}{char}{value[3:]}"}), "x")


@each("char", BREAKS)
def test_a_subject_with_one_is_refused(char, envelope):
    with pytest.raises(UnsafeHeader):
        head(envelope, f"x{char}Bcc: evil@example.org")


@rows("value", "nobody", "<a@b> x", "<a@b>\r\nBcc: x@y.dk", "a@b.dk", "<a b@c.dk>", "<å@b.dk>")
@pytest.mark.parametrize("field", ["message_id", "thread_root", "in_reply_to"])
def test_ids_are_ids(field, value, envelope):
    with pytest.raises(UnsafeHeader):
        head(replace(envelope, **{field: value}), "x")


@each(
    "address",
    ["x@y.dk>\r\nRCPT TO:<e@z>", "x@y.dk SIZE=1", "x@y.dk, z@y.dk", "<x@y.dk>", "x", "@y.dk", "x@",
     "x@y@z.dk", "a:b@c.dk", "", " x@y.dk", "x@y.dk\u2028"],
)  # fmt: skip
def test_what_is_not_one_plain_address_is_none(address, envelope):
    assert not is_plain_address(address)
    with pytest.raises(UnsafeHeader):
        head(replace(envelope, to=address), "x")


@pytest.mark.parametrize("address", ["x@y.dk", "a.b+c@d-e.example.org", "søren@skak.dk"])
def test_plain_addresses_pass_and_read_back(address, envelope):
    read = _read(head(replace(envelope, to=address), "x"))
    assert read["To"].addresses[0].addr_spec == address


def _read(raw):
    return email.message_from_string(raw.decode(), policy=policy.default)


DANISH = st.sampled_from(
    ["Hans-Jørgen", "Bæk", "Karl-Åge", "Jørgensen", "Søren", "Åse", "Lærke", "Kjærgaard",
     "Østergård", "Ægidius", "Nørregaard", "Aage", "Grønbæk", "Rønnow", "Anne-Grethe"]
)  # fmt: skip
FOREIGN = st.sampled_from(
    ["Høgni", "Jákup", "Páll", "Djurhuus", "Łukasz", "Żółć", "Szczęsny", "محمد", "عبدالله",
     "الأحمد", "نورة", "😀", "♞", "🇩🇰", "O'Brien", '"Basse"', "(formand)", "Jensen,", ";", "\\",
     "=?utf-8?q?x?="]
)  # fmt: skip
SPELT = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp")))
NAMES = st.one_of(
    st.lists(DANISH, min_size=1, max_size=8).map(" ".join),
    st.lists(DANISH | FOREIGN, min_size=1, max_size=25).map(" ".join),
    st.lists(SPELT.filter(bool), min_size=1, max_size=12).map(" ".join),
    st.text("Ææøåñ ل😀", min_size=1).filter(lambda text: text == " ".join(text.split()) != ""),
).map(lambda name: name[:200].strip())


@drawn(600, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sender=NAMES, to=NAMES, white=NAMES, black=NAMES)
def test_every_name_reads_back_from_every_header(sender, to, white, black, envelope):
    """By Python's reader of today and by its old one; no line is longer than it may be."""
    subject = f"[M-26-02/17] {white} \N{EN DASH} {black}"[:200].strip()
    named = replace(envelope, sender_name=sender, to_name=to)
    raw = head(named, subject)
    read = email.message_from_bytes(raw, policy=policy.default)
    assert str(read["Subject"]) == subject
    old = email.message_from_bytes(raw)
    assert str(make_header(decode_header(old["Subject"]))) == subject
    for header, name in (("From", sender), ("To", to), ("Reply-To", sender)):
        (mailbox,) = read[header].addresses
        assert mailbox.display_name.replace(" ", "") == name.replace(" ", "")
        words = str(make_header(decode_header(old[header].replace("\r\n", ""))))
        assert name.isascii() or " ".join(words.split()).startswith(" ".join(name.split()))
    lines = raw.split(b"\r\n")
    assert max(len(line) for line in lines) <= 998
    assert all(len(word) <= 75 for line in lines for word in line.split() if b"=?utf-8" in word)
    assert raw.isascii()


def test_the_names_that_once_stopped_a_game(envelope):
    """Python before 3.13 folds away the space before "Bæk"."""
    subject = "[M-26-02/17] Hans-Jørgen Bæk \N{EN DASH} Karl-Åge Jørgensen"
    assert str(_read(head(envelope, subject))["Subject"]) == subject


@drawn(200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=260), other=st.text(max_size=260))
def test_the_plainer_head_is_never_refused(name, other, envelope):
    odd = replace(envelope, sender_name=other, to_name=name)
    safer, subject = plainer(odd, f"{other} {name}")
    assert _read(head(safer, subject))["To"].addresses[0].addr_spec == envelope.to
    assert subject.isascii()


def test_a_letter_whose_head_does_not_read_back_goes_out_with_a_plainer_one(envelope):
    odd = replace(envelope, to_name="Åse\u202eNørby")
    raw, why = compose_safely(GAME_LETTERS["declined"], Words.load("da"), odd)
    assert "To" in why
    mail = _read(raw)
    assert mail["To"].addresses[0].addr_spec == envelope.to
    assert mail["To"].addresses[0].display_name == "Aase Noerby"


def test_an_unaware_date_is_refused(envelope):
    with pytest.raises(UnsafeHeader):
        head(replace(envelope, date=envelope.date.replace(tzinfo=None)), "x")


@pytest.mark.parametrize("value", ["a\r\nBcc: evil@example.org", "a\r\n\r\n", "a\r\n\r\nb"])
def test_a_header_that_slipped_in_is_seen_when_the_head_is_read_back(value, envelope, monkeypatch):
    monkeypatch.setattr(mime, "format_datetime", lambda _: value)
    with pytest.raises(UnsafeHeader):
        head(envelope, "x")


@drawn(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=60), other=st.text(max_size=260))
def test_no_name_breaks_the_head(name, other, envelope):
    """Either refused, or the same headers as ever, each once, to the same person."""
    letter = GAME_LETTERS["silence"]
    game = replace(letter.game, white=replace(letter.game.white, name=other), name=name)
    try:
        mail = compose(
            replace(letter, game=game), Words.load("da"), replace(envelope, to_name=name)
        )
    except UnsafeHeader:
        return
    read = email.message_from_bytes(mail.as_bytes(), policy=policy.default)
    assert read.keys() == HEADERS
    assert [mailbox.addr_spec for mailbox in read["To"].addresses] == [envelope.to]
    assert "Bcc" not in read


@each(
    "name",
    ['Bo "Basse" Jensen', "Jensen, Bo", "Bo (formand)", "Åse <x@y.dk>", "a@b.dk, c@d.dk",
     "Bo; Bcc: x@y.dk", "\\", "Ærø " * 15],
)  # fmt: skip
def test_odd_but_printable_names_reach_one_person(name, envelope):
    mail = compose(GAME_LETTERS["declined"], Words.load("da"), replace(envelope, to_name=name))
    read = email.message_from_bytes(mail.as_bytes(), policy=policy.default)
    assert [mailbox.addr_spec for mailbox in read["To"].addresses] == [envelope.to]
    assert read.keys() == HEADERS


@pytest.mark.parametrize("field", ["to_name", "sender_name"])
def test_a_name_that_looks_encoded_reads_back_as_the_text_it_is(field, envelope):
    """I02: nothing of it is decoded into a second header."""
    name = "=?utf-8?q?x=0D=0ABcc=3A_v=40x?="
    named = replace(envelope, **{field: name})
    mail = compose(GAME_LETTERS["declined"], Words.load("da"), named)
    read = email.message_from_bytes(mail.as_bytes(), policy=policy.default)
    header = {"to_name": "To", "sender_name": "From"}[field]
    assert read[header].addresses[0].display_name == name
    assert read.keys() == HEADERS


@rows("page", "javascript:alert(1)", "https://skak.example/a\r\nBcc: x", "https://a>/")
def test_the_page_of_wishes_can_not_slip_anything_into_the_head(page, envelope):
    wished = replace(envelope, unsubscribe="https://skak.example/settings/letters")
    safe = _read(head(wished, "Hej"))
    assert safe["List-Unsubscribe"] == "<https://skak.example/settings/letters>"
    assert safe["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    with pytest.raises(UnsafeHeader):
        head(replace(envelope, unsubscribe=page), "Hej")
