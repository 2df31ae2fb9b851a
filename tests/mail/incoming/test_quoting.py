"""The writer's own lines in the layouts of many mail programs."""

import pytest

from mail.incoming.own_words import extract_own_words
from tests.fakes.machinery.each import each
from tests.mail.games import DOMAIN

LAYOUTS = [
    ("2. Nf3\n\nDen 12. nov. 2026 kl. 18.00 skrev Bo <b@c.dk>:\n\n> 2. d4", "2. Nf3"),
    ("2. Nf3\n\nDen tor. 12. nov. 2026 kl. 18.00 skrev Bo Langtnavn <\nbo@c.dk>:\n> x", "2. Nf3"),
    ("2. Nf3\n\nOn Thu, Nov 12, 2026 at 6:00 PM Bo <b@c.dk> wrote:\n> x", "2. Nf3"),
    ("2. Nf3\n\nOn 12/11/2026 18:00, Bo wrote:\n> x", "2. Nf3"),
    ("2. Nf3\n\nAm 12.11.26 um 18:00 schrieb Bo:\n> x", "2. Nf3"),
    ("2. Nf3\n\nDen 12 nov. 2026 kl. 18:00 skrev Bo:\n> x", "2. Nf3"),
    ("2. Nf3\n\nDen 2026-11-12 kl. 18:00, skrev Bo:\n> x", "2. Nf3"),
    ("2. Nf3\n\ntors 12 nov. 2026 kl. 18:00 skrev Bo <b@c.se>:\n> x", "2. Nf3"),
    ("2. Nf3\n\nBo <b@c.dk> skrev den 12. nov. 2026 kl. 18.00:\n> x", "2. Nf3"),
    ("2. Nf3\n\nFra: Bo\nSendt: 12. november 2026 18:00\nTil: A\nEmne: x\n\n2. d4", "2. Nf3"),
    ("2. Nf3\n\n*Fra:* Bo\n*Dato:* 12. november\n*Til:* A\n\n2. d4", "2. Nf3"),
    ("2. Nf3\n\nFrån: Bo\nSkickat: den 12 november\nTill: A\n\n2. d4", "2. Nf3"),
    ("2. Nf3\n\nVon: Bo\nGesendet: Donnerstag\nAn: A\nBetreff: x\n\n2. d4", "2. Nf3"),
    ("2. Nf3\n\n-----Oprindelig meddelelse-----\n2. d4", "2. Nf3"),
    ("2. Nf3\n\n---------- Forwarded message ---------\n2. d4", "2. Nf3"),
    ("2. Nf3\n\nBegin forwarded message:\n\n2. d4", "2. Nf3"),
    ("> 2. d4\n\n2. Nf3", "2. Nf3"),
    ("Den 12.11.2026 18.00, skrev Bo:\n> a\nHej\n> b\n2. Nf3\n> c", "Hej\n2. Nf3"),
    ("2. Nf3\n-- \nAnna\n2. d4", "2. Nf3"),
    ("2. Nf3\n--\nAnna", "2. Nf3"),
    ("2. Nf3\n\nSendt fra min iPhone", "2. Nf3"),
    ("2. Nf3\n\nSent from my Galaxy", "2. Nf3"),
    ("2. Nf3\n\nSkickat från min iPad", "2. Nf3"),
    ("2. Nf3\n\nVon meinem iPhone gesendet", "2. Nf3"),
    ("2. Nf3\n\nHent Outlook til iOS<https://aka.ms/x>", "2. Nf3"),
    ("2. Nf3\n\nMed venlig hilsen\nAnna\n5254 5755", "2. Nf3"),
    ("2. Nf3\n\nMvh Anna\n8541 Skødstrup", "2. Nf3"),
    ("2. Nf3\n\nMit freundlichen Grüßen\nAnna", "2. Nf3"),
    ("2. Nf3\n\nVänliga hälsningar\nAnna", "2. Nf3"),
    ("2. Nf3\n\nAmici sumus\nAnna", "2. Nf3"),
    ("Tak for sidst\nMvh Anna\n\n2. Nf3", "Tak for sidst\n2. Nf3"),
    ("Mvh Anna\n\nNf3", "Mvh Anna\n\nNf3"),
    ("Kh1", "Kh1"), ("Tak\nTh1", "Tak\nTh1"), ("- Sf3", "- Sf3"),
    ("Hej\n\nKh1\n\nMvh A", "Hej\n\nKh1"),
    ("Fra: mit synspunkt er det remis\n2. Nf3", "Fra: mit synspunkt er det remis\n2. Nf3"),
    ("Den 12. skrev jeg forkert: undskyld\n2. Nf3", "Den 12. skrev jeg forkert: undskyld\n2. Nf3"),
    ("Denne e-mail kan indeholde fortrolige oplysninger\nog 2. d4\n\n2. Nf3", "2. Nf3"),
    ("2.\u00a0Nf3\r\n", "2. Nf3"),
    ("", ""), ("> alt er citat\n> 2. d4", ""), ("-- \nAnna", ""),
]  # fmt: skip


@each(("text", "own"), LAYOUTS)
def test_only_the_writers_own_lines_stay(text: str, own: str) -> None:
    lines = [line for line in extract_own_words(text).split("\n") if line]
    assert lines == [line for line in own.split("\n") if line]


@each(
    "text",
    [
        "Den " * 64_000, "Den skrev 2026\n" * 16_000, "> Fra: x\n" * 28_000, "Fra: x\n" * 32_000,
        "_____\n" * 40_000, "skrev\n" * 40_000, "12.11.2026 skrev\n" * 15_000, "\n" * 250_000,
        "Denne mail er\n" * 18_000, "Med venlig " * 23_000, "On " + "x " * 120_000 + "wrote:",
    ],
)  # fmt: skip
def test_hostile_text_of_256_kb_is_read_in_linear_time(text: str) -> None:
    """A quadratic reader would run into the time limit of the whole suite."""
    assert isinstance(extract_own_words(text), str)


def test_our_own_cut_line_without_a_mark_ends_the_own_words() -> None:
    text = "12. Sf3\n\n--- Skriv dit svar over denne linje ---\n\nKære Anna\n\n11... e5\n"
    assert extract_own_words(text) == "12. Sf3"


FOOTERS = r"""_______________________\nDenne mail er scannet for virus af Comendo.\n_______________________
---\nDenne e-mail er kontrolleret for virus af AVG.\nhttp://www.avg.com
---\nThis email has been checked for viruses by Avast antivirus software.\nhttps://www.avast.com/antivirus
No virus found in this message.\nChecked by AVG - www.avg.com\nVersion: 2016.0.8048
Der blev ikke fundet virus i denne meddelelse.\nKontrolleret af AVG - www.avg.dk
____ Oplysninger fra ESET NOD32 Antivirus ____\n\nMeddelelsen er blevet kontrolleret af ESET NOD32.\n\nhttp://www.eset.com
E-mailen er kontrolleret af ESET Mail Security
Scannet af Fortinet FortiMail
_____________________________\nSkakklub mailing list\nSkakklub@lists.example.org
You received this message because you are subscribed to the "Chess" group.\nTo unsubscribe, send an email.
Tænk på miljøet, før du udskriver denne mail.
[EKSTERN MAIL] Klik ikke på links, medmindre du kender afsenderen.
Vigtigt: Denne e-mail kan indeholde fortrolig information.
This e-mail was sent through the gateway of Example A/S. Its content is confidential.
Detta e-postmeddelande har genomsökts efter virus av Telia.
Mail sendt med Roundcube Webmail"""  # noqa: E501 - each as it comes
OWN = """\
Min mail er gået i stykker, virus tror jeg.
Jeg er blevet kontrolleret af lægen.
Vigtigt: husk kontingentet!
Tænk på mig på lørdag.
Jeg har set dit træk på mailinglisten."""


@pytest.mark.parametrize("footer", FOOTERS.split("\n"))
@pytest.mark.parametrize("said", ["Sf3", "2. Sf3\n\nHils i klubben!"])
def test_what_a_gateway_adds_is_nobodys_words(said: str, footer: str) -> None:
    """Below his words or above them: none of it goes to the opponent (§ 6.2.1)."""
    added = footer.replace("\\n", "\n")
    assert extract_own_words(f"{said}\n\n{added}\n") == said
    assert said in extract_own_words(f"{added}\n\n{said}")


@pytest.mark.parametrize("line", OWN.split("\n"))
def test_words_of_the_writers_own_stay(line: str) -> None:
    assert extract_own_words(f"Sf3\n\n{line}") == f"Sf3\n\n{line}"


HEADS = (
    f"Fra: K-skak <parti@{DOMAIN}>\nSendt: 26. november 2026 19:42\nTil: Anna\nEmne: Bo: 8... Lxc3",
    f"From: K-skak <parti@{DOMAIN}>\nSent: Thursday 7:42 PM\nTo: Anna\nSubject: Bo: 13... Sc6",
    f"Von: K-skak <parti@{DOMAIN}>\nGesendet: 26.11.2026 19:42\nAn: Anna\nBetreff: Bo: 2. Sf3",
)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("said", ["Jeg tager imod remis.", "Er det ikke din tur?", "1. e4"])
def test_all_below_an_unmarked_head_of_ours_is_our_letter(said: str, head: str) -> None:
    text = f"{said}\n\n{head}\n\nBo har spillet.\nSkriv »opgiver«, hvis du vil opgive.\n"
    assert extract_own_words(text, DOMAIN) == said


def test_an_answer_below_our_address_alone_stays() -> None:
    assert extract_own_words(f"Til: parti@{DOMAIN}\n\n1. e4\n", DOMAIN) == "1. e4"
