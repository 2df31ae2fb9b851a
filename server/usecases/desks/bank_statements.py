"""A bank's own file, pasted whole: SWIFT's MT940 and ISO 20022's CAMT.053, as lines of payments.

Only what an accounts page would show of each payment is taken: day, amount, who, what for. Not
for tables nor for whom a payment concerns (pasted.py).
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from lxml import etree  # type: ignore[import-untyped]

from server.usecases.register.csv_table import CsvLine

_TAGGED = re.compile(r"^:61:", re.M)
_ISO = re.compile(r"<(?:\w+:)?BkToCstmrStmt\b")
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


class BadStatement(ValueError):
    """It looks like a bank's file and can't be read as one."""


def statement_lines(text: str) -> tuple[CsvLine, ...] | None:
    """The payments of a file, in its order; None for what is no such file. Raises BadStatement."""
    if _TAGGED.search(text):
        found = _mt940(text)
    elif _ISO.search(text):
        found = _camt(text)
    else:
        return None
    try:
        return tuple(CsvLine(number, cells) for number, cells in enumerate(found, 1))
    except (ValueError, ArithmeticError, LookupError, etree.XMLSyntaxError) as error:
        raise BadStatement from error


def _kroner(amount: Decimal) -> str:
    return f"{amount:.2f}".replace(".", ",")


def _mt940(text: str) -> Iterator[dict[str, str]]:
    # Few paste such a file, and each start would load this.
    import mt940

    for one in mt940.parse(text):
        said = one.data
        named = (said.get("applicant_name"), said.get("customer_reference"))
        texts = (said.get(name) for name in ("transaction_details", "purpose", "extra_details"))
        yield {
            "day": said["date"].isoformat(),
            "amount": _kroner(said["amount"].amount),
            "party": " ".join(word for word in named if word and word != "NONREF"),
            "text": " ".join(" ".join(filter(None, texts)).split()),
        }


def _camt(text: str) -> Iterator[dict[str, str]]:
    root = etree.fromstring(text.strip().encode(), _PARSER)
    for entry in root.iterfind(".//{*}Ntry"):
        whole = entry.findtext("{*}Amt")
        parts = entry.findall(".//{*}TxDtls") or [entry]
        for part in parts:
            own = part.findtext("{*}Amt") or part.findtext("{*}AmtDtls/{*}TxAmt/{*}Amt")
            said = own if len(parts) > 1 else whole or ""
            sign = -1 if entry.findtext("{*}CdtDbtInd") == "DBIT" else 1
            yield {
                "day": _first(entry, "{*}BookgDt/{*}Dt", "{*}BookgDt/{*}DtTm")[:10],
                # Of several booked together without amounts of their own, none is the whole.
                "amount": "" if said is None else _kroner(sign * Decimal(said)),
                "party": _first(part, "{*}RltdPties/{*}Dbtr/{*}Nm", "{*}RltdPties/{*}Dbtr//{*}Nm"),
                "text": _all(part, "{*}RmtInf//{*}Ustrd") or _all(entry, "{*}AddtlNtryInf"),
            }


def _first(node: etree._Element, *paths: str) -> str:
    found = (node.findtext(path) for path in paths)
    return next((text for text in found if text), "")


def _all(node: etree._Element, path: str) -> str:
    return " ".join(" ".join(text for one in node.iterfind(path) if (text := one.text)).split())
