"""Delivery reports as a recipient's server writes them. Not a test."""

from email.message import EmailMessage

from tests.fakes.machinery.smarthost import Letter


def report_on(letter: Letter, action: str, status: str) -> bytes:
    """A report on a letter: ``action`` is failed or delayed."""
    mail = EmailMessage()
    mail["From"] = "MAILER-DAEMON@mx.example.net"
    mail["To"] = letter.sender
    mail["Subject"] = "Undelivered Mail Returned to Sender"
    mail["Message-ID"] = f"<{action}.{letter.message_id.strip('<>')[:30]}@mx.example.net>"
    mail["Auto-Submitted"] = "auto-replied"
    told = f"Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; {letter.to}\n"
    told += f"Action: {action}\nStatus: {status}\n"
    raw = mail.as_bytes().rstrip(b"\n") + (
        b"\nMIME-Version: 1.0\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=d1\n\n"
        b"--d1\nContent-Type: text/plain\n\nCould not deliver.\n"
        b"--d1\nContent-Type: message/delivery-status\n\n" + told.encode() + b"\n--d1\n"
        b"Content-Type: message/rfc822\n\nSubject: x\n\n1. Nf3\n--d1--\n"
    )
    return raw.replace(b"\n", b"\r\n")
