"""Replies as people's programs make them: the answer, and the letter answered below or above it.

Four programs in four languages, and five ways to put the text into octets. The layouts are those
of the programs' own replies; nothing here knows how the server reads them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from html import escape

from tests.fakes.machinery.clock import ZONE
from tests.fakes.machinery.smarthost import Letter

_MONTHS = {
    "da": "jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.",
    "sv": "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "de": "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
}
_DAYS = {
    "da": "man. tir. ons. tor. fre. lør. søn.",
    "sv": "mån tis ons tors fre lör sön",
    "en": "Mon Tue Wed Thu Fri Sat Sun",
    "de": "Mo. Di. Mi. Do. Fr. Sa. So.",
}
MONTHS = {lang: names.split() for lang, names in _MONTHS.items()}
DAYS = {lang: names.split() for lang, names in _DAYS.items()}
FIELDS = {
    "da": ("Fra", "Sendt", "Til", "Emne"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "en": ("From", "Sent", "To", "Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
}
SENT_FROM = {
    "da": "Sendt fra min iPhone",
    "sv": "Skickat från min iPhone",
    "en": "Sent from my iPhone",
    "de": "Von meinem iPhone gesendet",
}
SUBJECT = {"da": "Sv: ", "sv": "SV: ", "en": "Re: ", "de": "AW: "}


@dataclass(frozen=True, slots=True)
class Answered:
    """The letter that is answered, as the program quotes it."""

    letter: Letter
    lang: str

    @property
    def when(self) -> datetime:
        return self.letter.mail["Date"].datetime.astimezone(ZONE)

    @property
    def name(self) -> str:
        return str(self.letter.mail["From"].addresses[0].display_name)

    @property
    def address(self) -> str:
        return str(self.letter.mail["From"].addresses[0].addr_spec)

    @property
    def quoted(self) -> str:
        """Each line with a mark, as Gmail, Apple Mail and Thunderbird do."""
        lines = self.letter.text.rstrip().split("\n")
        return "\n".join("> " + line if line else ">" for line in lines)

    def gmail_line(self) -> str:
        t, who = self.when, f"{self.name} <{self.address}>"
        day, month = DAYS[self.lang][t.weekday()], MONTHS[self.lang][t.month - 1]
        return {
            "da": f"Den {day} {t.day}. {month} {t.year} kl. {t:%H.%M} skrev {who}:",
            "sv": f"Den {day} {t.day} {month} {t.year} kl {t:%H:%M} skrev {who}:",
            "en": f"On {day}, {t.day} {month} {t.year} at {t:%H:%M}, {who} wrote:",
            "de": f"Am {day}, {t.day}. {month} {t.year} um {t:%H:%M} Uhr schrieb {who}:",
        }[self.lang]

    def apple_line(self) -> str:
        t, who = self.when, f"{self.name} <{self.address}>"
        month = MONTHS[self.lang][t.month - 1]
        return {
            "da": f"Den {t.day}. {month} {t.year} kl. {t:%H.%M} skrev {who}:",
            "sv": f"{t.day} {month} {t.year} kl. {t:%H:%M} skrev {who}:",
            "en": f"On {t.day} {month} {t.year}, at {t:%H:%M}, {who} wrote:",
            "de": f"Am {t:%d.%m.%Y} um {t:%H:%M} schrieb {who}:",
        }[self.lang]

    def thunderbird_line(self) -> str:
        t = self.when
        return {
            "da": f"Den {t:%d.%m.%Y} kl. {t:%H.%M} skrev {self.name}:",
            "sv": f"Den {t:%Y-%m-%d} kl. {t:%H:%M}, skrev {self.name}:",
            "en": f"On {t:%d/%m/%Y} {t:%H:%M}, {self.name} wrote:",
            "de": f"Am {t:%d.%m.%y} um {t:%H:%M} schrieb {self.name}:",
        }[self.lang]

    def outlook_head(self) -> str:
        t, names = self.when, FIELDS[self.lang]
        to = self.letter.mail["To"].addresses[0]
        values = (
            f"{self.name} <{self.address}>",
            f"{t.day}. {MONTHS[self.lang][t.month - 1]} {t.year} {t:%H:%M}",
            f"{to.display_name} <{to.addr_spec}>",
            self.letter.subject,
        )
        return "\n".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))


def gmail(said: str, to: Answered) -> str:
    return f"{said}\n\n{to.gmail_line()}\n\n{to.quoted}\n"


def outlook(said: str, to: Answered) -> str:
    return f"{said}\n\n{'_' * 32}\n{to.outlook_head()}\n\n{to.letter.text}"


def apple(said: str, to: Answered) -> str:
    mine = f"{said}\n\n{SENT_FROM[to.lang]}\n\n"
    return f"{mine}> {to.apple_line()}\n> \n{to.quoted}\n"


def thunderbird(said: str, to: Answered) -> str:
    """The answer below the quote, as Thunderbird sets it out of the box."""
    return f"{to.thunderbird_line()}\n{to.quoted}\n\n{said}\n"


Layout = Callable[[str, Answered], str]
LAYOUTS: dict[str, Layout] = {
    "gmail": gmail, "outlook": outlook, "apple": apple, "thunderbird": thunderbird,
}  # fmt: skip


def _html(text: str) -> str:
    """As the phone's own program writes it: the quote in its own block, no text part."""
    out: list[str] = []
    for line in text.split("\n"):
        depth = line.startswith(">")
        shown = escape(line.removeprefix(">").removeprefix(" ")) or "<br>"
        out.append(f"<blockquote type=cite><div>{shown}</div></blockquote>" if depth else
                   f"<div>{shown}</div>")  # fmt: skip
    return f"<html><body>{''.join(out)}</body></html>"


def put(mail: EmailMessage, text: str, encoding: str) -> None:
    """Set the body: ``qp``, ``base64``, ``8bit``, ``latin-1`` or ``html`` alone."""
    match encoding:
        case "qp" | "base64" | "8bit":
            cte = {"qp": "quoted-printable"}.get(encoding, encoding)
            mail.set_content(text, charset="utf-8", cte=cte)
        case "latin-1":
            plain = text.encode("iso-8859-1", "replace").decode("iso-8859-1")
            mail.set_content(plain, charset="iso-8859-1", cte="8bit")
        case "html":
            mail.set_content(_html(text), subtype="html", charset="utf-8", cte="quoted-printable")
        case _:
            raise ValueError(encoding)


ENCODINGS = ("qp", "base64", "8bit", "latin-1", "html")
