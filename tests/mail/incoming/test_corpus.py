"""The corpus of odd and hostile mails, each with what must come of it."""

from mail.grammar.keyword_lines import ProblemKind
from mail.incoming.mime import Defect
from mail.incoming.parse_mail import Dmarc, dmarc_verdict
from mail.incoming.robots import MailKind
from tests.fakes.machinery.each import each
from tests.mail.games import HOSTILE, MAILS, P4712_CASTLED, POSITIONS, Read, read_raw

FORGED = sorted(path.stem for path in HOSTILE.glob("c*.eml"))
ROBOTS = {
    "b01": MailKind.AUTOMATIC, "b02": MailKind.AUTOMATIC, "b03": MailKind.AUTOMATIC,
    "b06": MailKind.SUSPECT, "b07": MailKind.BOUNCE, "b09": MailKind.BOUNCE,
    "b10": MailKind.BOUNCE, "b11": MailKind.AUTOMATIC, "b12": MailKind.AUTOMATIC,
    "b13": MailKind.AUTOMATIC, "b14": MailKind.LOOP, "b15": MailKind.LOOP,
    "b18": MailKind.LIST, "b19": MailKind.AUTOMATIC,
}  # fmt: skip
# The forged mails whose one From address is plain: the ladder meets that address, not Anna's.
OTHER_ADDRESS = {
    "c08_address_as_name": "evil@x.example", "c09_encoded_word": "evil@x.example",
    "c12_homograph": "anna@ex\u0430mple.dk", "c13_sender_is_anna": "evil@x.example",
    "c17_from_bo": "bo@example.net",
}  # fmt: skip
HELD = {
    "e05_two_content_types": Defect.DUPLICATE_HEADER, "e06_two_encodings": Defect.DUPLICATE_HEADER,
    "e08_long_boundary": Defect.STRUCTURE, "e13_texts_differ": Defect.TEXTS_DIFFER,
    "e14_hidden_move": Defect.HIDDEN_TEXT, "e24_charset_with_nul": Defect.LIMIT,
    "e27_utf16_undeclared": Defect.LIMIT, "h01_smuggled": Defect.LIMIT,
    "h02_bare_lf_in_header": Defect.LIMIT,
}  # fmt: skip
MOVELESS = sorted(
    path.stem for path in HOSTILE.glob("[ef]*.eml") if path.stem not in {"e14_hidden_move", *HELD}
)


def read(name: str) -> Read:
    folder = MAILS if (MAILS / f"{name}.eml").exists() else HOSTILE
    raw = (folder / f"{name}.eml").read_bytes()
    position = next((p for no, p in POSITIONS.items() if f"Parti {no}".encode() in raw), None)
    if name.startswith("a26"):
        position = P4712_CASTLED
    return read_raw(raw, position or POSITIONS["4711"])


def expected_moves(name: str) -> list[str]:
    if name.startswith("a06"):
        return ["e1g1"]
    if name.startswith("a09"):
        return ["a7a8q"]
    return ["g1h1"] if name.startswith("a26") else ["g1f3"]


@each("name", sorted(path.stem for path in MAILS.glob("*.eml")))
def test_odd_but_legitimate_mail_plays_exactly_its_move(name: str) -> None:
    found = read(name)
    assert found.mail.from_addr == "anna@example.dk"
    assert found.kind.kind is MailKind.HUMAN, found.kind
    assert found.moves == expected_moves(name)
    assert found.reading.problem is None


@each("name", sorted(path.stem for path in HOSTILE.glob("b*.eml")))
def test_automatic_mail_is_known_by_its_kind(name: str) -> None:
    assert read(name).kind.kind is ROBOTS[name[:3]]


@each("name", FORGED)
def test_forged_sender_is_never_anna(name: str) -> None:
    found = read(name)
    assert found.mail.from_addr == OTHER_ADDRESS.get(name)
    if name not in OTHER_ADDRESS:
        assert found.kind.kind is MailKind.SUSPECT


@each("name", sorted(HELD))
def test_ambiguous_structure_is_held_with_its_defect(name: str) -> None:
    found = read(name)
    assert HELD[name] in found.mail.defects
    assert found.kind.kind is MailKind.SUSPECT


@each("name", MOVELESS)
def test_mail_without_a_clean_move_plays_none(name: str) -> None:
    assert read(name).moves == []


def test_hidden_html_is_never_the_move() -> None:
    found = read("e14_hidden_move")
    assert found.moves == ["g1f3"]
    assert "h4" not in found.mail.text


def test_two_texts_with_different_moves_contradict_each_other() -> None:
    problem = read("e12_two_texts").reading.problem
    assert problem is not None
    assert problem.kind is ProblemKind.CONTRADICTION


def test_smuggled_mail_stays_one_mail_without_a_second_sender() -> None:
    found = read("h01_smuggled")
    assert found.mail.from_addr is None
    assert found.mail.text == ""


def test_condition_is_quoted_back() -> None:
    assert read("a24_condition").reading.rest == ("(hvis 2... d6 så 3. d4)",)


def test_odd_message_ids_are_none() -> None:
    for name in ("a17_no_message_id", "e28_odd_message_id", "e28_two_message_ids"):
        assert read(name).mail.message_id is None
    assert read("a01_gmail_da_top_reply").mail.message_id == "<b0@example.dk>"


def test_key_is_found_in_references_when_the_tag_is_lost() -> None:
    mail = read("a19_key_only_in_references").mail
    assert mail.to == ("parti@skak.example",)
    assert "<k7q2m3abcdefghij234567.2@skak.example>" in mail.references


def test_encoded_subject_is_read() -> None:
    assert read("a21_subject_sv").mail.subject == "Sv: Parti 4711 så"


def test_corpus_carries_our_relays_verdict() -> None:
    raw = (MAILS / "a01_gmail_da_top_reply.eml").read_bytes()
    assert dmarc_verdict(raw, "mx.skak.example", peer_trusted=True) is Dmarc.PASS
