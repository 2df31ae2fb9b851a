"""Delivery reports in the forms of some forty mail systems, and what is none."""

from pathlib import Path

import pytest

from mail.incoming.parse_mail import parse
from mail.incoming.robots import (
    LONGEST_REASON,
    DeliveryReport,
    DeliveryStatus,
    MailKind,
    classify,
    read_report,
)
from tests.fakes.machinery.each import each
from tests.mail.games import DOMAIN

REPORTS = Path(__file__).parents[2] / "mails_bounces"
NAMES = sorted(path.stem for path in REPORTS.glob("*.eml"))
FATES = {"hard": DeliveryStatus.FAILED, "soft": DeliveryStatus.DELAYED, "none": DeliveryStatus.NONE}
BO = "bo@example.net"


def read(raw: bytes, address: str = BO) -> DeliveryReport:
    kind = classify(parse(raw), "", DOMAIN).kind
    return read_report(raw, address, is_daemons=kind is MailKind.BOUNCE)


@each("name", [name for name in NAMES if name != "none_another"])
def test_every_system_s_report_is_understood(name: str) -> None:
    found = read((REPORTS / f"{name}.eml").read_bytes())
    assert found.fate is FATES[name[:4]]
    assert found.names_address
    assert 0 < len(found.said) <= LONGEST_REASON


def test_the_corpus_has_many_systems_of_each_kind() -> None:
    kinds = [name[:4] for name in NAMES]
    assert kinds.count("hard") >= 40
    assert kinds.count("soft") >= 12


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hard_postfix", "550 5.1.1 <bo@example.net>: Recipient address rejected: User unknown in"
         " virtual mailbox table"),
        ("hard_exim", "bo@example.net Unrouteable address"),
        ("hard_office365", "Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound;"
         " Recipient bo@example.net not found by SMTP address lookup'"),
        ("hard_fr", "bo@example.net Adresse inconnue."),
    ],
)  # fmt: skip
def test_the_report_s_own_words_are_its_reason(name: str, said: str) -> None:
    assert read((REPORTS / f"{name}.eml").read_bytes()).said == said


def test_another_address_is_not_his_even_where_it_ends_alike() -> None:
    raw = (REPORTS / "none_another.eml").read_bytes()
    assert not read(raw).names_address
    assert read(raw, "jumbo@example.net").names_address
    assert not read(raw, "").names_address


def test_of_several_recipients_his_own_counts() -> None:
    raw = (REPORTS / "soft_postfix.eml").read_bytes()
    other = b"Final-Recipient: rfc822; other@example.com\nAction: failed\nStatus: 5.1.1\n\n"
    raw = raw.replace(b"Final-Recipient: rfc822; bo", other + b"Final-Recipient: rfc822; bo")
    assert read(raw).fate is DeliveryStatus.DELAYED
    assert read(raw, "other@example.com").fate is DeliveryStatus.FAILED


def test_what_the_quoted_letter_says_is_no_verdict() -> None:
    raw = (REPORTS / "soft_gmail.eml").read_bytes()
    assert read(raw + b"550 5.1.1 given up permanently\n").fate is DeliveryStatus.DELAYED


def test_a_mail_over_the_limits_is_read_by_nobody() -> None:
    assert read_report(b"\0", BO, is_daemons=True) == DeliveryReport(DeliveryStatus.NONE, "", False)
