"""A bank's own file pasted whole: MT940 and CAMT.053 become the same lines as its CSV."""

import pytest

from server.usecases.desks.pasted import MOST_LINES, PasteError, PasteKind, read_pasted
from tests.fakes.machinery.each import rows

MT940 = """\
:20:STARTUMS
:25:30000001/1234567890
:28C:0
:60F:C261101DKK1000,00
:61:2611021102CR200,00NTRFNONREF//123
:86:166?00Overf?20Indskud K-27 medlem 4711?32Jens Møller
:61:2611031103DR50,00NCHGNONREF
:86:Gebyr
:61:2611041104C250,50NTRF4712
:86:Fra Łucja Żak, indskud
mesterklassen
:62F:C261104DKK1400,50
"""
ENTRY = """
<Ntry><Amt Ccy="DKK">{amount}</Amt><CdtDbtInd>{sign}</CdtDbtInd>
<BookgDt><Dt>2026-11-0{day}</Dt></BookgDt>
<NtryDtls><TxDtls>{details}</TxDtls></NtryDtls></Ntry>"""
PAYER = "<RltdPties><Dbtr>{}</Dbtr></RltdPties><RmtInf><Ustrd>{}</Ustrd></RmtInf>"
OLD, NEW = "<Nm>Jens Møller</Nm>", "<Pty><Nm>محمد الخطيب</Nm></Pty>"
CAMT = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>'
    + ENTRY.format(amount="200.00", sign="CRDT", day=2, details=PAYER.format(OLD, "Indskud 4711"))
    + ENTRY.format(amount="50", sign="DBIT", day=3, details="")
    + ENTRY.format(amount="250.5", sign="CRDT", day=4, details=PAYER.format(NEW, "Mester\nklassen"))
    + "</Stmt></BkToCstmrStmt></Document>"
)
TWO_IN_ONE = CAMT.replace(
    "<NtryDtls><TxDtls><RltdPties>",
    "<NtryDtls><TxDtls><Amt>120.00</Amt><RmtInf><Ustrd>A</Ustrd></RmtInf></TxDtls>"
    "<TxDtls><Amt>80.00</Amt><RmtInf><Ustrd>B</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry><Ntry>"
    '<Amt Ccy="DKK">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-02</Dt></BookgDt>'
    "<NtryDtls><TxDtls><RltdPties>",
    1,
)


def _told(text: str) -> list[tuple[str, str, str]]:
    rows = read_pasted(text, PasteKind.FEES)
    return [(row.cells["day"], row.cells["amount"], row.cells["party"]) for row in rows]


def test_mt940_is_read_payment_by_payment():
    assert _told(MT940) == [
        ("2026-11-02", "200,00", "Jens Møller"),
        ("2026-11-03", "-50,00", ""),
        ("2026-11-04", "250,50", "4712"),
    ]
    texts = [row.cells["text"] for row in read_pasted(MT940, PasteKind.FEES)]
    assert texts == ["Indskud K-27 medlem 4711", "Gebyr", "Fra Łucja Żak, indskud mesterklassen"]


def test_camt_053_is_read_payment_by_payment():
    assert _told(CAMT) == [
        ("2026-11-02", "200,00", "Jens Møller"),
        ("2026-11-03", "-50,00", ""),
        ("2026-11-04", "250,50", "محمد الخطيب"),
    ]
    assert [row.cells["text"] for row in read_pasted(CAMT, PasteKind.FEES)] == [
        "Indskud 4711", "", "Mester klassen",
    ]  # fmt: skip


def test_payments_booked_together_are_lines_of_their_own():
    assert [amount for _, amount, _ in _told(TWO_IN_ONE)][:3] == ["120,00", "80,00", "1,00"]


OWN = "<Amt>{}</Amt>", "<AmtDtls><TxAmt><Amt>{}</Amt></TxAmt></AmtDtls>"


@pytest.mark.parametrize("own", OWN)
def test_each_of_several_has_its_own_amount_and_one_alone_the_bookings(own: str):
    """One alone may say what it was in the payer's money; several without amounts say none."""
    of_two = TWO_IN_ONE.replace("<Amt>120.00</Amt>", own.format("120.00"))
    assert [row[1] for row in _told(of_two)][:2] == ["120,00", "80,00"]
    alone = CAMT.replace("<TxDtls><RltdPties>", f"<TxDtls>{own.format('26.80')}<RltdPties>", 1)
    assert _told(alone)[0][1] == "200,00"
    bare = TWO_IN_ONE.replace("<Amt>120.00</Amt>", "").replace("<Amt>80.00</Amt>", "")
    assert [row[1] for row in _told(bare)] == ["", "", "1,00", "-50,00", "250,50"]


@rows(
    "text",
    CAMT.replace("</Stmt>", ""),
    CAMT.replace("200.00", "to hundrede"),
    CAMT.replace(
        '<?xml version="1.0" encoding="UTF-8"?>', "<!DOCTYPE a [<!ENTITY b 'c'>]>"
    ).replace("Indskud 4711", "&c;"),
    MT940.replace("2611021102CR200,00", "9913991399CR200,00"),
)
def test_what_is_broken_is_told_from_a_table(text: str):
    with pytest.raises(PasteError, match="statement"):
        read_pasted(text, PasteKind.FEES)


def test_no_entity_is_looked_up():
    outside = CAMT.replace(
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
    ).replace("Indskud 4711", "&b;")
    assert read_pasted(outside, PasteKind.FEES)[0].cells["text"] == ""


def test_a_file_longer_than_can_be_ticked_through_is_refused():
    many = MT940.replace(":62F:", ":61:2611021102CR1,00NTRFNONREF\n:86:A\n" * MOST_LINES + ":62F:")
    with pytest.raises(PasteError, match="many"):
        read_pasted(many, PasteKind.FEES)
