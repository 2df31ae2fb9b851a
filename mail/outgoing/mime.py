"""A letter's parts as octets: text, HTML with its pictures, and a file. Not for headers (envelope).

Built of the library's plain messages, whose headers nobody parses: what is written here is fixed
but for names of ours, and parsing each part's own was half the cost of a letter. The same letter
gives the same octets.
"""

from collections.abc import Sequence
from email import charset, policy
from email.encoders import encode_7or8bit
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from hashlib import sha256

_PLAIN = policy.compat32.clone(linesep="\r\n")
_QUOTED = charset.Charset("utf-8")
_QUOTED.body_encoding = charset.QP


def octets(
    text: str, html: str, pictures: Sequence[tuple[str, str, bytes]], file: tuple[str, str] | None
) -> bytes:
    """The letter's body, from its MIME-Version on.

    ``pictures``: (Content-ID, file name, PNG) of each that the HTML shows. ``file``: (name, text)
    of a chess file, last and in plain sight: ASCII that no encoding hides.
    """
    # Neither encoding writes "=_", and no file holds its own digest: no part can end early.
    mark = sha256(repr((text, file)).encode()).hexdigest()[:24]
    shown: MIMEBase = _text(html, "html")
    if pictures:
        shown = _joined("related", mark, shown, *(_picture(*each) for each in pictures))
    letter = _joined("alternative", mark, _text(text, "plain"), shown)
    return (letter if file is None else _joined("mixed", mark, letter, _file(*file))).as_bytes()


def _joined(kind: str, mark: str, *parts: MIMEBase) -> MIMEBase:
    return MIMEMultipart(kind, f"=_{kind}.{mark}", parts, policy=_PLAIN)


def _text(text: str, kind: str) -> MIMEBase:
    part = MIMENonMultipart("text", kind, policy=_PLAIN, charset="utf-8")
    part.set_payload(text, _QUOTED)
    return part


def _picture(cid: str, name: str, png: bytes) -> MIMEBase:
    part = MIMEImage(png, "png", policy=_PLAIN)
    part.add_header("Content-ID", f"<{cid}>")
    part.add_header("Content-Disposition", "inline", filename=name)
    return part


def _file(name: str, text: str) -> MIMEBase:
    octets = text.encode("ascii", "replace")
    part = MIMEApplication(octets, "x-chess-pgn", encode_7or8bit, policy=_PLAIN)
    part.add_header("Content-Disposition", "attachment", filename=name)
    return part
