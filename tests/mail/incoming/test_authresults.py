"""What is believed of Authentication-Results and Received."""

from datetime import UTC, datetime

from mail.incoming.parse_mail import Dmarc, dmarc_verdict, trusted_received_time
from tests.fakes.machinery.each import each

OURS = "mx.skak.example"
PASS, FAIL, NONE = Dmarc.PASS, Dmarc.FAIL, Dmarc.NONE


def raw(*values: str, name: str = "Authentication-Results") -> bytes:
    return "".join(f"{name}: {value}\r\n" for value in values).encode() + b"From: a@b.dk\r\n\r\nx"


@each(
    "values verdict",
    (["mx.skak.example; dmarc=pass"], PASS),
    (["MX.Skak.Example 1; spf=pass;\r\n\tdmarc=pass (p=reject) header.from=b.dk"], PASS),
    (["mx.skak.example; dmarc=fail (p=none dis=none) header.from=b.dk"], FAIL),
    (["mx.skak.example; dkim=pass", "mx.skak.example; dmarc=fail"], FAIL),
    (["mx.skak.example; dmarc=fail", "mx.skak.example; dmarc=pass"], FAIL),
    (["mx.skak.example; dkim=pass"], NONE),
    (["mx.skak.example; spf=fail smtp.mailfrom=b.dk; dkim=fail"], FAIL),
    (["mx.skak.example; spf=fail", "mx.skak.example; dkim=fail; dmarc=none"], FAIL),
    (["mx.skak.example; spf=fail; dkim=fail; dmarc=pass"], PASS),
    (["mx.skak.example; spf=fail; dkim=fail; dkim=pass"], NONE),
    (["mx.skak.example; spf=softfail; dkim=fail"], NONE),
    (["mx.skak.example; spf=fail; dkim=none"], NONE),
    (["mx.skak.example; spf=fail", "evil; dkim=fail"], NONE),
    (["mx.skak.example; none"], NONE),
    (["mx.skak.example; dmarc=temperror"], NONE),
    (["mx.skak.example; dkim=fail (dmarc=pass)"], NONE),
    (['mx.skak.example; dkim=fail reason="; dmarc=pass"'], NONE),
    (["mx.skak.example; x-dmarc=pass; dmarcx=pass; dmarc=passed"], NONE),
    (["mx.skak.example.evil; dmarc=pass"], NONE),
    (["evil.example; dmarc=pass", "mx.skak.example; dmarc=pass"], NONE),
    (["mx.skak.example; spf=none", "evil; x=y", "mx.skak.example; dmarc=pass"], NONE),
    ([], NONE),
    ([""], NONE),
)
def test_only_our_topmost_findings_count(values: list[str], verdict: Dmarc) -> None:
    assert dmarc_verdict(raw(*values), OURS, peer_trusted=True) is verdict


def test_nothing_counts_from_an_untrusted_peer_or_without_a_name() -> None:
    mail = raw("mx.skak.example; dmarc=pass")
    assert dmarc_verdict(mail, OURS, peer_trusted=False) is NONE
    assert dmarc_verdict(mail, "", peer_trusted=True) is NONE


@each(
    ("value", "moment"),
    [
        ("from x (y [1.2.3.4]) by mx.skak.example (Postfix) with ESMTP id 4;\r\n"
         "\tThu, 12 Nov 2026 00:00:30 +0100 (CET)", datetime(2026, 11, 11, 23, 0, 30, tzinfo=UTC)),
        ("from x by [10.0.0.1]; 12 Nov 2026 12:00:00 -0500",
         datetime(2026, 11, 12, 17, 0, tzinfo=UTC)),
        ("from by mx.evil.example by x; 12 Nov 2026 12:00:00 +0000", None),
        ("from x by mx.evil.example; 12 Nov 2026 12:00:00 +0000", None),
        ("from x (by mx.skak.example) by evil; 12 Nov 2026 12:00:00 +0000", None),
        ("from x by mx.skak.example; 12 Nov 2026 12:00:00", None),
        ("from x by mx.skak.example; 31 Feb 2026 12:00:00 +0100", None),
        ("from x by mx.skak.example; 12 Nov 2026 12:00:00 +9999", None),
        ("from x by mx.skak.example; 12 Nov 2026 12:00:00 CET", None),
        ("from x by mx.skak.example", None),
    ],
)  # fmt: skip
def test_received_time_is_read_only_from_our_relays_field(value, moment):
    assert trusted_received_time(raw(value, name="Received"), {OURS, "10.0.0.1"}) == moment


def test_older_received_fields_below_are_never_asked() -> None:
    mail = raw(
        "from a by other.example; 13 Nov 2026 12:00:00 +0000",
        "from b by mx.skak.example; 1 Nov 2026 12:00:00 +0000",
        name="Received",
    )
    assert trusted_received_time(mail, {OURS}) is None
    assert trusted_received_time(raw(), {OURS}) is None
