"""The fields of an entry form, parsed and kept as typed (§ 6.4.4.1). Not for entering."""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.days import is_birth
from server.usecases.entries.judging import Stated
from server.web.frame.forms import Form, TooLong

FIELDS = (
    "list",
    "member",
    "club",
    "born",
    "otb_rating",
    "k_rating",
    "proof",
    "fee",
    "email",
    "key",
    "address",
)
TICKS = ("asks", "second")
HIGHEST_RATING = 4000
LINES = ("member", "club")
LONGEST = {"member": 40, "club": 120, "proof": 4000}


@dataclass(frozen=True, slots=True)
class EntryForm:
    """What was typed. Empty fields are ''."""

    fields: dict[str, str]

    @staticmethod
    def of(form: Form | None) -> "EntryForm":
        """From a submitted form, or empty."""
        if form is None:
            return EntryForm(dict.fromkeys((*FIELDS, *TICKS), ""))
        return EntryForm({name: form.typed(name) for name in (*FIELDS, *TICKS)})

    @staticmethod
    def told(stated: Stated, address: str) -> "EntryForm":
        """Prefilled with what the player stated last time, except the proof, and his address."""
        empty = EntryForm.of(None).fields
        return EntryForm(
            empty
            | {
                "address": address,
                "member": stated.member or "",
                "club": stated.club or "",
                "born": stated.born.isoformat() if stated.born else "",
                "otb_rating": "" if stated.otb_rating is None else str(stated.otb_rating),
                "k_rating": "" if stated.k_rating is None else str(stated.k_rating),
            }
        )

    def problem(self, today: date) -> tuple[str, str] | None:
        """The first field that can't be parsed, and the key of the reason; None if all can."""
        got = self.fields
        if not _is_number(got["list"]):
            return "list", "bad_list"
        for name in ("born", "fee"):
            if got[name] and _day(got[name]) is None:
                return name, "bad_date"
        born = _day(got["born"])
        if born is not None and not is_birth(born, today):
            return "born", "bad_born"
        for name in ("otb_rating", "k_rating"):
            if got[name] and not _is_rating(got[name]):
                return name, "bad_rating"
        for name, most in LONGEST.items():
            if len(got[name]) > most:
                raise TooLong(name, len(got[name]), most)
        return next(((n, "bad_line") for n in LINES if not got[n].isprintable()), None)

    @property
    def list_id(self) -> int:
        """The list; raises ValueError when none was chosen."""
        return int(self.fields["list"])

    @property
    def fee(self) -> date | None:
        return _day(self.fields["fee"])

    def stated(self) -> Stated:
        got = self.fields
        return Stated(
            member=got["member"] or None,
            club=got["club"] or None,
            born=_day(got["born"]),
            otb_rating=int(got["otb_rating"]) if got["otb_rating"] else None,
            k_rating=int(got["k_rating"]) if got["k_rating"] else None,
            proof=got["proof"],
        )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _is_rating(text: str) -> bool:
    return _is_number(text) and int(text) <= HIGHEST_RATING


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
