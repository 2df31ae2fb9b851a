"""The player's own words and nothing else, out of the replies of a hundred programs and languages.

Each with and without words of his own, and with our letter's first line there or taken away.
"""

from email.message import EmailMessage
from email.policy import SMTP

import pytest

from mail.incoming.own_words import extract_own_words
from tests.fakes.machinery.each import each
from tests.mail.games import Read, read_raw
from tests.mail.incoming.replies import CUT, HTML, LETTER, OURS, PLAIN, in_html, in_text

MOVE = "2. Nf3"
WORDS = """\
Kære Bo!

Tak for sidst. Her er vejret: sol og 12 grader, siden kl. 9.30.
Stillingen er svær, synes jeg: du kan tage på e5 eller lade være.

Glædelig jul"""


def _read(text: str, subtype: str = "plain") -> Read:
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "Anna Ager <anna@example.dk>"
    mail["To"] = OURS
    mail["Subject"] = "Re: Parti 4711"
    mail["Date"] = "Thu, 12 Nov 2026 19:00:00 +0100"
    mail["Message-ID"] = "<m1@example.dk>"
    mail.set_content(text, subtype=subtype, charset="utf-8", cte="base64")
    return read_raw(mail.as_bytes())


@pytest.mark.parametrize("words", ["", WORDS], ids=["move alone", "with words"])
@pytest.mark.parametrize("cut", [CUT, ""], ids=["first line", "no first line"])
@each("program", PLAIN)
def test_of_a_reply_in_text_only_his_words_go_on(program: str, cut: str, words: str) -> None:
    said = f"{MOVE}\n\n{words}".strip()
    found = _read(in_text(PLAIN[program], said, cut + LETTER))
    assert found.reading.message == words
    assert found.moves == ["g1f3"]
    assert found.reading.keywords == ()


@pytest.mark.parametrize("words", ["", WORDS], ids=["move alone", "with words"])
@pytest.mark.parametrize("cut", [CUT, ""], ids=["first line", "no first line"])
@each("program", HTML)
def test_of_a_reply_in_html_only_his_words_go_on(program: str, cut: str, words: str) -> None:
    said = f"{MOVE}\n\n{words}".strip()
    found = _read(in_html(HTML[program], said, cut + LETTER), "html")
    assert [line for line in found.reading.message.split("\n") if line] == [
        line for line in words.split("\n") if line
    ]
    assert found.moves == ["g1f3"]
    assert not any(defect.holds for defect in found.mail.defects)


KEPT = [
    "Vejret: sol\nHumøret: godt\nKaffen: kold",
    "Mine turneringer i år:\nEMT: 5 point i 2025\nHold: 3 af 5\nPokal: ude",
    "Klubaften: 12.11.2026 kl. 19.00\nSted: Kulturhuset\nPris: ingen",
    "Den 12.11.2026 kl. 18.00 så jeg dit træk. Det er svært:\njeg tænker over det.",
    "Jeg skrev i går til min bror:\nhan siger at springeren står godt.",
    "Jeg har sendt dig en mail på gmail.com om bogen.\n\nJeg er væk i næste uge.",
    "Sender du mig din nye adresse? Min iPhone har glemt den.",
    "Se https://example.dk/partier og skriv\n\nHeld og lykke",
    "----------\nEt digt\n----------\nom en konge",
    "--- Nu bliver det spændende ---\nFørst: en pause",
    "Anna siger hej\n\nAnna og Bo skal giftes",
    "Jeg hedder ikke example:\ndk",
    "Partiet mod Carlsen er her:\nhttps://example.org/parti",
    "Hej " + "og tak for det lange brev " * 60 + "!",
    "[1] Nunn: Secrets of Pawnless Endings",
    "Jeg har også skrevet til anna@example.org, men hun svarer ikke.\nHar du hørt fra hende?",
]


@pytest.mark.parametrize("words", KEPT)
@pytest.mark.parametrize("program", ["gmail da", "outlook name only da", "thunderbird below"])
def test_what_only_looks_foreign_goes_on(program: str, words: str) -> None:
    found = _read(in_text(PLAIN[program], f"{MOVE}\n\n{words}", CUT + LETTER))
    assert found.reading.message == words.strip()
    assert found.moves == ["g1f3"]


FORMS = [
    "Parti: 4711\nDato: 12.11.2026\nModtaget: 12.11.2026 kl. 18.00\nTræk: 2. Nf3",
    "Hej Bo\nTid: 3 dage\nModtaget: 12.11.2026 kl. 18.00\nSendt: 13.11.2026\n2. Nf3",
    "Hej Bo\n----------\n2. Nf3",
    "Jeg svarer til parti@skak.example som aftalt.\n\n2. Nf3",
    "2. Nf3\nOn Thu, 12 Nov 2026, at 6:00 PM, K-skak wrote:\n> 2. d4",
    "--- Træk ---\nHvid: springer\n2. Nf3",
    "Bo Berg, 12.11.2026:\n2. Nf3\nAnna",
]


@each("text", FORMS)
def test_a_move_is_never_taken_for_something_foreign(text: str) -> None:
    assert _read(text).moves == ["g1f3"]


def test_a_sentence_with_our_address_goes_alone() -> None:
    """What follows may be a paper of a case."""
    sent = "Jeg sendte mit træk til parti@skak.example samme dag."
    text = f"Efter 12. e4 ventede jeg.\n{sent}\nDerfor anker jeg."
    assert extract_own_words(text, "skak.example") == "Efter 12. e4 ventede jeg.\nDerfor anker jeg."


def test_the_same_key_is_known_in_every_mail_whatever_the_domain() -> None:
    assert extract_own_words(f"2. Nf3\n\nTil: {OURS}\n\n2. d4") == "2. Nf3"


LINES = [
    *("skrev 12.11.2026:\n", "Od: x 2026 18:00\n", "----------\n", "_:" * 400 + "\n", "Anna\n"),
    *("-----\nAnna\n", "a" * 4096, "a@skak.example:\n", "Sendt fra x\n\n"),
    "--- " + "x-" * 490 + "\n",
]


@each("line", LINES)
def test_hostile_lines_of_256_kb_are_read_in_linear_time(line: str) -> None:
    """A quadratic reader would run into the time limit of the whole suite."""
    text = line * (256_000 // len(line))
    assert len(extract_own_words(text, "skak.example", ("Anna", "anna@example.dk"))) <= len(text)
