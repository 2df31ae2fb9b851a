"""The limits before parsing, and that parsing stays cheap and silent beyond them."""

import resource

from mail.incoming import mime
from mail.incoming.mime import Defect, Limit
from mail.incoming.parse_mail import parse
from tests.fakes.machinery.each import each

HEAD = b"From: a@b.dk\r\nSubject: x\r\n"


def nested(count: int) -> bytes:
    lines = [b"From: a@b.dk"]
    for number in range(count):
        lines += [b'Content-Type: multipart/mixed; boundary="b%d"' % number, b"", b"--b%d" % number]
    return b"\r\n".join(lines)


HOSTILE = {
    "size": (b"\r\n" + b"x" * mime.MAX_MESSAGE, Limit.TOO_BIG),
    "encoded words (224 KB subject)": (
        b"Subject: " + b"=?utf-8?q?a?= " * 16_000 + b"\r\n\r\nx", Limit.HEADER_TOO_BIG),
    "160 000 fields": (b"X: y\r\n" * 160_000 + b"\r\nx", Limit.HEADER_TOO_BIG),
    "201 fields": (b"X: y\r\n" * 201 + b"\r\nx", Limit.TOO_MANY_FIELDS),
    "folded field": (b"X: y\r\n" + b" z\r\n" * 9000 + b"\r\nx", Limit.FIELD_TOO_LONG),
    "51 hops": (b"Received: by x; y\r\n" * 51 + HEAD + b"\r\nx", Limit.TOO_MANY_HOPS),
    "NUL": (HEAD + b"\r\n\0", Limit.NUL),
    "bare LF": (HEAD + b"\r\nhi\n.\r\n", Limit.BARE_NEWLINE),
    "bare CR": (HEAD + b"\r\nhi\r.\r\r\n", Limit.BARE_NEWLINE),
    "3 000 nested parts": (nested(600), Limit.TOO_DEEP),
    "nested messages": (
        HEAD + b"\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * 1000, Limit.TOO_DEEP),
    "100 000 parts": (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n\r\n" * 100_000,
        Limit.TOO_MANY_PARTS),
}  # fmt: skip


@each("name", sorted(HOSTILE))
def test_each_limit_is_found_and_the_mail_not_parsed(name: str) -> None:
    raw, limit = HOSTILE[name]
    assert mime.check(raw).limit is limit
    mail = parse(raw)
    assert Defect.LIMIT in mail.defects
    assert (mail.from_addr, mail.text) == (None, "")


def test_memory_stays_small_over_all_hostile_mails() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB
    for raw, _ in HOSTILE.values():
        parse(raw)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024


@each(
    "raw",
    [
        b"", b"\r\n", b"\n", HEAD, HEAD + b"\r\n2. Nf3\r\n", (HEAD + b"\r\n2. Nf3\r\n").replace(
            b"\r\n", b"\n"), b"Received: by x; y\r\n" * 50 + HEAD + b"\r\nx",
        b"X: y\r\n" * 198 + HEAD + b"\r\nx", nested(10),
    ],
)  # fmt: skip
def test_mail_within_the_limits_passes(raw: bytes) -> None:
    assert mime.check(raw).ok


def test_only_size_and_hops_are_refused_in_the_dialogue() -> None:
    answers = {limit: mime.Verdict(limit).smtp_answer for limit in Limit}
    refused = {limit: answer[0] for limit, answer in answers.items() if answer}
    assert refused == {Limit.TOO_BIG: 552, Limit.TOO_MANY_HOPS: 554}
