"""Classing beyond the corpus: what must not be taken for a robot, and which robot it is."""

from mail.incoming.parse_mail import parse
from mail.incoming.robots import MailKind, classify
from tests.fakes.machinery.each import each
from tests.mail.games import DOMAIN

REPORT = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"'


def kind(fields: str, envelope: str = "anna@example.dk") -> MailKind:
    base = "" if "From:" in fields else "From: Anna <anna@example.dk>\r\n"
    return classify(parse(f"{base}{fields}\r\n\r\n2. Nf3\r\n".encode()), envelope, DOMAIN).kind


@each(
    "fields",
    [
        "X-Auto-Response-Suppress: All", "Auto-Submitted: no", "Auto-Submitted: No (comment)",
        "Subject: Re: Parti 4711", "Subject: Ferie 8/7 til 22/7", "Subject: Jeg holder ferie",
        "Subject: Reading your letter", "Subject: Automobil til salg", "Precedence: normal",
        "X-Loop: other.example", "List-Unsubscribe: <x>", "From: bouncer.hansen@example.dk",
        "From: anna@skak.example.org", "Subject: Read my notes: they are good", "Subject: Re: ",
    ],
)  # fmt: skip
def test_people_are_people(fields: str) -> None:
    assert kind(fields) is MailKind.HUMAN


@each(
    ("fields", "envelope", "expected"),
    [
        ("Subject: x", "<>", MailKind.BOUNCE), ("Subject: x", "", MailKind.BOUNCE),
        ("Auto-Submitted: auto-replied", "", MailKind.AUTOMATIC),
        ("Auto-Submitted: auto-replied\r\nSubject: Undelivered Mail", "", MailKind.BOUNCE),
        ("Auto-Submitted: auto-generated", "", MailKind.BOUNCE),
        ("From: no-reply@example.dk", "", MailKind.BOUNCE),
        ("Subject: Mail\r\nContent-Type: multipart/report; boundary=x", "", MailKind.BOUNCE),
        ("Auto-Submitted: AUTO-GENERATED", "x@y.dk", MailKind.AUTOMATIC),
        ("Subject: Re: Autosvar: Parti", "x@y.dk", MailKind.AUTOMATIC),
        ("From: no-reply@example.dk", "x@y.dk", MailKind.AUTOMATIC),
        ("From: POSTMASTER@example.dk", "x@y.dk", MailKind.BOUNCE),
        ("From: Parti@SKAK.example", "x@y.dk", MailKind.LOOP),
        ("Subject: x", "parti+b-abc@skak.example", MailKind.LOOP),
        ("X-Loop: Skak.Example", "x@y.dk", MailKind.LOOP),
        (f"From: MAILER-DAEMON@{DOMAIN}\r\n{REPORT}", "", MailKind.BOUNCE),
        (f"From: parti@{DOMAIN}\r\n{REPORT}", "x@y.dk", MailKind.LOOP),
        ("Precedence: list", "x@y.dk", MailKind.LIST), ("Precedence: junk", "", MailKind.AUTOMATIC),
    ],
)  # fmt: skip
def test_robots_are_robots(fields: str, envelope: str, expected: MailKind) -> None:
    assert kind(fields, envelope) is expected
