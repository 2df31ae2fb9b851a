"""Faulty posts of the controller's pages that open a season and take pasted lines.

Not for sending them (test_faulty_desks.py).
"""

from tests.fakes.faulty import Faulty, On

SEASON, PASTED, UNION = "/desk/kc/season", "/desk/kc/pasted", "/desk/kc/union"
ROW = "emt-K-email"


def of_season() -> list[Faulty]:
    """One ticked row, with everything that can be wrong in it."""
    right = {
        "open": "1",
        "name": "K-klassen 2027",
        "tournament": "EMT 2027",
        "prefix": "K-27",
        "regulation": "email",
        "leader": "tove@example.org",
        "fee_kr": "200",
        "how_to_pay": "MobilePay 12345",
    }
    fields = {f"{name}-{ROW}": text for name, text in right.items()} | {"season": "2027"}
    row = On("kaj", SEASON, SEASON, fields)
    dm = {name.replace("-K-", "-DM-"): text for name, text in fields.items()}
    other = On("kaj", SEASON, SEASON, dm | {"deadline-emt-DM-email": "", "reason": "Ferie"})
    wrong = {
        "name": ("", "x" * 121, "x" * 201),
        "tournament": ("", "x" * 121),
        "prefix": ("", "x" * 41),
        "leader": ("", "ingen@example.org", "x" * 201),
        "fee_kr": ("mange", "-5", "9" * 17),
        "how_to_pay": ("x" * 501,),
    }
    return [
        *(
            row(
                f"{name}-{ROW}",
                text,
                *(f"{kept}-{ROW}" for kept in right if kept not in ("open", name)),
            )
            for name, texts in wrong.items()
            for text in texts
        ),
        *(
            other("start-emt-DM-email", text, "name-emt-DM-email", "reason")
            for text in ("i går", "2027-10-01", "2099-09-01")
        ),
        other("reason", "x" * 501, "name-emt-DM-email", **{"start-emt-DM-email": "2027-09-02"}),
        other("reason", "", "name-emt-DM-email", **{"start-emt-DM-email": "2027-09-02"}),
    ]


def of_union() -> list[Faulty]:
    """The deposit and the regulation's address, either of them wrong."""
    both = On("kaj", SEASON, UNION, {"deposit": "540", "book": "https://skak.example.org/r.pdf"})
    return [
        *(both("deposit", text, "book") for text in ("mange", "-5", "100001")),
        *(both("book", text, "deposit") for text in ("r.pdf", "ftp://x", "https://x y", "x" * 501)),
    ]


def of_pasted() -> list[Faulty]:
    """Lines that are no table, too long or too many; of either kind, at either press."""
    lines = On("kaj", PASTED, PASTED, {"what": "entries", "step": "look", "list": ""})
    wrong = ("", "Klasse\nK", "Navn;Navn\nA;B", "a@b.dk\n" * 301, "x" * 400_001)
    return [
        *(lines("lines", text) for text in wrong),
        *(lines("lines", text, step="take") for text in ("", "Klasse\nK")),
        *(lines("lines", text, what="fees") for text in ("", "Ane Aa", "Dato;Beløb\n1-1-2026;5")),
    ]
