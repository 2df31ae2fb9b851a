"""Odd and hostile mails that are made rather than kept as files: large, repeated, of another game.

Each is the base mail, but: what is named of it is another. Not for what becomes of them
(tests/scenarios/mail/test_odd_mails.py).
"""

import base64
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

KEY = "parti+k7q2m3abcdefghij234567@skak.example"
"""Stands for the address of the position; the mails in files have the same."""
LETTER = "<relay.4711.2@skak.example>"
"""Stands for the letter that is answered."""
RELAY = "mx.skak.example"
BODY = "1... c5 2. Nf3"
CASTLING = "e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6"
TWO_KNIGHTS = "e4 c5 Nf3 d6 d4 cxd4"
"""White's knights may both go to d2."""
B_OR_BISHOP = "r1bqkbnr/pppp1ppp/8/4p3/8/1Pn5/PBPPPPPP/RN1QKBNR w KQkq - 0 1"
"""Only the bishop takes c3; and the pawn on b3 may go to b4, not b5."""
PROMOTION = "8/P2k4/8/8/8/8/8/4K3 w - - 1 41"
MATING = "f3 e5 g4"
CASTLED = "4k3/8/p7/8/8/8/5PPP/5RK1 w - - 1 5"


def base(body: str | bytes = BODY, *, above: str = "", **fields: str | None) -> bytes:
    """The base mail, but its body and ``fields``; None leaves a field out.

    ``above`` are lines on top of its head. A body of octets brings its own fields of content.
    """
    head: dict[str, str | None] = {
        "Authentication_Results": f"{RELAY}; dmarc=pass header.from=example.dk",
        "From": "Anna Ager <anna@example.dk>",
        "To": f"<{KEY}>",
        "Subject": "Re: Parti 4711",
        "Date": "Thu, 12 Nov 2026 19:00:00 +0100",
        "Message_ID": "<b0@example.dk>",
        "In_Reply_To": LETTER,
        "References": LETTER,
        "MIME_Version": "1.0",
    }
    if isinstance(body, str):
        head["Content_Type"] = "text/plain; charset=utf-8"
        body = f"\r\n{body}\r\n".encode()
    head |= fields
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in head.items() if value]
    return (above + "".join(lines)).encode() + body


def mixed(*parts: str, subtype: str = "mixed") -> bytes:
    """A body of several parts, each with a head of its own."""
    inner = "".join(f"--b1\r\n{part}\r\n" for part in parts)
    return f'Content-Type: multipart/{subtype}; boundary="b1"\r\n\r\n{inner}--b1--\r\n'.encode()


def text(said: str = BODY) -> str:
    """A part of text."""
    return f"Content-Type: text/plain; charset=utf-8\r\n\r\n{said}"


def _nested(depth: int) -> bytes:
    heads = [f'Content-Type: multipart/mixed; boundary="n{n}"\r\n\r\n--n{n}' for n in range(depth)]
    return ("\r\n".join(heads) + f"\r\n{text()}\r\n").encode()


def _messages(depth: int) -> bytes:
    return b"Content-Type: message/rfc822\r\n\r\n" * depth + text().encode()


def _bomb() -> bytes:
    """A text, and 9 MB of zeros, packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(9_000_000))
    head = "Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return mixed(text(), head + base64.encodebytes(packed.getvalue()).decode())


@dataclass(frozen=True, slots=True)
class Made:
    """A mail, and where it goes.

    ``position``: the moves, or the FEN, that it answers; ``sender``: the envelope's; ``to``: its
    recipient where that is not the position's address; ``plays``: the move as UCI, if any.
    """

    raw: bytes
    position: str = "e4 c5"
    sender: str = "anna@example.dk"
    to: str = ""
    plays: str = "g1f3"


def _dates() -> dict[str, Made]:
    odd = {
        "future": "Sun, 22 Nov 2026 19:00:00 +0100", "1970": "Thu, 01 Jan 1970 00:00:00 +0000",
        "missing": None, "31_feb": "Wed, 31 Feb 2026 19:00:00 +0100",
        "24_hours": "Thu, 12 Nov 2026 24:00:00 +0100", "60": "Thu, 12 Nov 2026 19:00:60 +0100",
        "danish": "25 Okt 2026 19:00", "year_126": "Thu, 12 Nov 126 19:00:00 +0100",
        "zone_9999": "Thu, 12 Nov 2026 19:00:00 +9999", "cet": "Thu, 12 Nov 2026 19:00:00 CET",
    }  # fmt: skip
    return {f"g06_{name}": Made(base(Date=value)) for name, value in odd.items()}


def _words() -> dict[str, Made]:
    """Cases 4F: what is written of chess."""
    said = {
        "f03_illegal": "2. Ke3", "f03_no_square": "2. Ni9", "f05_knight_promotes": "2. Nf3=Q",
        "f09_wrong_number": "12. Nf3", "f10_wrong_sign": "2. Ng1xf3", "f10_false_mate": "2. Nf3#",
        "f11_draw_offer": "2. Nf3 remis?", "f13_long_pgn": "1. e4 c5 2. Nf3 {" + "x " * 900_000,
        "f14_fen": "[FEN \"rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 " + "9" * 4000 + '"]\n2. Nf3',
        "f14_glyph": "2. Nf3 $" + "7" * 5000, "f14_variant": '[Variant "Atomic"]\n2. Nf3',
        "d08_wrong_last_move": "1... e5 2. Nf3", "d04_two_moves": "2. Nf3\n2. d4",
        "c19_result": "Parti 4711: 0-1", "c24_resigns": "Jeg opgiver",
    }  # fmt: skip
    made = {name: Made(base(body)) for name, body in said.items()}
    return made | {
        "f04_two_knights": Made(base("4. Nd2"), TWO_KNIGHTS),
        "f05_no_piece": Made(base("41. a8"), PROMOTION),
        "f05_a_king": Made(base("41. a8=K"), PROMOTION),
        "f05_danish": Made(base("41. a8D"), PROMOTION, plays="a7a8q"),
        "f06_small_b": Made(base("1. bb4"), B_OR_BISHOP),
        "f06_bishop": Made(base("1. Bxc3"), B_OR_BISHOP),
        "f07_danish_b": Made(base("3. Bc4"), "e4 e5 Nf3 Nc6"),
        "f08_danish_letter": Made(base("2. Sf3")),
        "f15_mates": Made(base("2... Qh4#", From="Bo Berg <bo@example.net>"), MATING,
                          sender="bo@example.net", plays="d8h4"),
    }  # fmt: skip


def _forged() -> dict[str, Made]:
    """Cases 4C that need a relay's finding, and what has no file."""
    failed = f"{RELAY}; dmarc=fail header.from=example.dk"
    ours = "Authentication-Results: {}; dmarc=pass header.from=example.dk\r\n"
    below = base(Authentication_Results=None, Subject="Re: Parti 4711")
    top = f"Authentication-Results: {failed}\r\n".encode()
    bo = {"From": "Bo Berg <bo@example.net>"}
    return {
        "a22_forwarded": Made(base(
            above="Received: from a by b; Thu, 12 Nov 2026 18:00:00 +0100\r\n" * 14,
            Authentication_Results=f"{RELAY}; dmarc=fail header.from=example.dk; arc=pass")),
        "a20_another_address": Made(base(From="Anna Ager <anna@arbejde.example>")),
        "c01_failed": Made(base(Authentication_Results=failed)),
        "c14_forged_finding": Made(top + ours.format(RELAY).encode() + below),
        "c15_like_ours": Made(top + ours.format(RELAY + ".evil").encode() + below),
        "c15_comment": Made(top + ours.format(RELAY + " (x) ").encode() + below),
        "c16_odd_signature": Made(base(Authentication_Results=failed, DKIM_Signature=(
            "v=1; a=rsa-sha256; d=example.dk'a.evil.com; s=x\x00y; h=from; bh=; b="))),
        "c18_not_his_turn": Made(base("2. d4", **bo), sender="bo@example.net"),
        "c23_a_friend": Made(base("2. h4", From="Ven <ven@example.com>")),
        "c19_leader": Made(base("Parti 4711: 0-1", From="T. Leder <tl@example.org>",
                                To="parti@skak.example", In_Reply_To=None, References=None),
                           sender="tl@example.org", to="parti@skak.example"),
        "b08_forged_return": Made(base(
            mixed(text("failed"), "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: "
                  "dns; x\r\n\r\nFinal-Recipient: rfc822; anna@example.dk\r\nAction: failed\r\n"
                  "Status: 5.1.1\r\n", subtype="report"), From="MAILER-DAEMON@x.example"),
            sender="", to="bounce+12.aaaaaaaaaaaaaaaaaaaaaaaaaa@skak.example"),
    }  # fmt: skip


def _structure() -> dict[str, Made]:
    """Cases 4E and 4H that are large or repeat themselves."""
    return {
        "e01_nothing": Made(b""),
        "e02_long_subject": Made(base(Subject=" ".join(["=?utf-8?q?a?="] * 16_000))),
        "e03_many_fields": Made(b"X: y\r\n" * 160_000 + base()),
        "e04_nested_parts": Made(base(_nested(3_000))),
        "e04_nested_mails": Made(base(_messages(1_000))),
        "e17_photo": Made(base(mixed(text(), "Content-Type: image/jpeg\r\n\r\n" + (
            "x" * 76 + "\r\n") * 340_000))),
        "e18_bomb": Made(base(_bomb())),
        "e30_long_line": Made(base("2. Nf3\r\n" + "x" * 30_000_000)),
        "e31_5000_letters": Made(base("2. Nf3\r\n\r\n" + "x" * 5_000)),
        "h08_null_sender": Made(base(), sender=""),
            }  # fmt: skip


ROOT = Path(__file__).parents[1]
_OTHER_GAMES = {"a06": (CASTLING, "e1g1"), "a09": (PROMOTION, "a7a8q"), "a26": (CASTLED, "g1h1")}
_NULL_SENDER = ("b07", "b09", "b12")


def _kept() -> dict[str, Made]:
    """Those that are kept as files."""
    found = {}
    for path in (*ROOT.glob("mails/*.eml"), *ROOT.glob("mails_hostile/*.eml")):
        position, plays = _OTHER_GAMES.get(path.stem[:3], ("e4 c5", "g1f3"))
        sender = "" if path.stem.startswith(_NULL_SENDER) else "anna@example.dk"
        found[path.stem] = Made(path.read_bytes(), position, sender, plays=plays)
    return found


def odd_mails() -> dict[str, Made]:
    """Every mail by its case's number and a name, in that order."""
    every = _kept() | _words() | _forged() | _structure() | _dates()
    return dict(sorted(every.items()))
