"""Faulty posts of deeds in lists: an entry's, an open list's, a reserve's, the books', a leave's.

Not for sending them (test_faulty_deeds.py).
"""

from tests.fakes.faulty import Faulty, On
from tests.server.web.politeness import LONG


def of_entry(entry: int, list_id: int) -> list[Faulty]:
    """The fee, discretion and refusal of an entry; a list's leader (§ 6.4.4, § 6.1.2)."""
    here, lists = f"/desk/entries/{entry}", f"/desk/entries/lists/{list_id}"
    fee = On("kaj", here, f"{here}/fee")
    refuse = On("kaj", here, f"{here}/refuse", {"paragraph": "6.4.4", "reason": "Nej."})
    leader = On("kaj", "/desk/entries", lists, {"act": "leader"})
    pay = On("kaj", "/desk/entries", lists, {"act": "pay"})
    right = {"name": "EMT K", "tournament": "EMT", "fee_kr": "200"}
    correct = On("kaj", "/desk/entries", f"{lists}/correct", right)
    new = On("kaj", "/desk/cups", "/desk/cups", {"edition": "2026", "list": "2"})
    return [
        *(fee("on", text) for text in ("", "i går", "2026-02-30")),
        *(refuse("reason", text, "paragraph") for text in ("", LONG)),
        *(refuse("paragraph", text, "reason") for text in ("", "6." * 20)),
        *(leader("leader", text) for text in ("", "ingen@example.org", "x" * 300)),
        *(pay("how_to_pay", text) for text in (" ", "x" * 501)),
        *(correct("name", text, "tournament", "fee_kr") for text in ("", "x" * 121, "x" * 201)),
        *(correct("tournament", text, "name", "fee_kr") for text in ("", "x" * 121)),
        *(correct("fee_kr", text, "name", "tournament") for text in ("mange", "-5", "9" * 9)),
        correct.foreign("/desk/entries/lists/999/correct"),
        *(new("edition", text) for text in ("", "i år")),
        *(new("list", text, "edition") for text in ("", "x")),
        fee.foreign("/desk/entries/999/fee"),
    ]


def of_books(entry: int) -> list[Faulty]:
    """An entry taken back, and a file of entries (§ 6.1.2)."""
    books = "/desk/kc/economy"
    back = On("kaj", books, f"{books}/{entry}")
    file = On("kaj", books, f"{books}/import", {"act": "take"})
    return [
        *(back("text", text) for text in ("", "x" * 301)),
        *(file.above("csv", text) for text in ("ikke en fil", "dato;beløb\nx;y")),
        On("kaj", books, "", {"text": "Fejl"}).foreign(f"{books}/999"),
    ]


def of_reserve(reserve: int) -> list[Faulty]:
    """The leader's answer to a reserve (§ 6.7.4.3)."""
    desk = "/desk/league/DIV-1"
    answer = On("tl", desk, f"{desk}/reserves/{reserve}", {"answer": "approve"})
    return [
        answer("note", LONG),
        *(answer.above("answer", text, "note", note="Fint") for text in ("", "måske")),
        answer.foreign(f"{desk}/reserves/999"),
    ]


def of_shorter_leave(first: str, last: str) -> list[Faulty]:
    """A booked leave made shorter (§ 6.3.6)."""
    leave = On("anna", "/leave", "/leave/shorten", {"first": first, "last": last})
    return [
        *(leave("until", text) for text in ("", "i morgen", "2026-02-30", "2099-01-01")),
        *(leave.above("first", text, until="2026-10-20") for text in ("", "x", "2026-01-01")),
    ]
