"""Who changes a date on the regulation's pages reads what the command and the oracle say of it.

Issue 38: "does the page agree when he changes a date?" Every date of every game in an example, each
moved by five spans. The page is read as a browser gets it, ``kskak clock`` is run on the same
ledger, and the oracle was written from the text alone.
"""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from html import unescape
from itertools import cycle
from re import findall
from urllib.parse import urlencode

import pytest

from server.__main__ import main
from server.usecases.regulation import RegulationExample, documents, plain
from tests.fakes.machinery.each import rows
from tests.kskak.play.test_oracle import REFUSED, oracle_of, without_explanations

FIRST = ("6.3.3", "6.3.4", "6.3.6", "6.8.6")
"""Each date moved once in every run; all documents and spans by ``make nightly``."""
ALL = sorted(
    number
    for number, parts in documents().items()
    if any(one.engine == "clock" for part in parts for one in part.examples)
)
WHOLE = (pytest.mark.nightly, pytest.mark.timeout(1200))
SPANS = (-3, -1, 1, 2, 40)
"""Days: over the end of leave, to the day before, over a weekend, over a control."""


def changes(number: str, is_whole: bool) -> Iterator[tuple[int, RegulationExample, str, date]]:
    """Each example's place on the page, and each of its dates changed: by all spans, or in turn."""
    turn = cycle(SPANS)
    examples = (one for part in documents()[number] for one in part.examples)
    for index, one in enumerate(examples, start=1):
        if one.engine != "clock":
            continue
        for place, name, value in one.leaves():
            if isinstance(value, date):
                for span in SPANS if is_whole else (next(turn),):
                    yield index, one, f"{place}.{name}".lstrip("."), value + timedelta(span)


def ledger_of(one: RegulationExample, place: str, day: date) -> tuple[dict, str | None]:
    """The ledger with the date changed, as a file has it, and the day it is asked for."""
    facts = plain(one.changed({place: day.isoformat()}))
    on, _ = facts.pop("on", None), facts.pop("table", None)
    return {"format": "kskak-ledger/1", "game": "-", "white": "Anna", "black": "Bent"} | facts, on


def told(text: str, index: int) -> tuple[bool, str]:
    """Whether the page could count, and what it says of the example."""
    form = text.partition(f'id="example-{index}"')[2].partition("</form>")[0]
    shown = form.partition("<details")[0]
    return "error" in shown, " ".join(unescape(" ".join(findall(r">([^<]+)<", shown))).split())


@rows(
    "number is_whole",
    *((one, False) for one in FIRST),
    *(pytest.param(one, True, marks=WHOLE) for one in ALL),
)
async def test_the_page_the_command_and_the_oracle_agree(
    number, is_whole, stranger, tmp_path, capsys
):
    counted = 0
    for index, one, place, day in changes(number, is_whole):
        ledger, on = ledger_of(one, place, day)
        asked = urlencode({"example": index, place: day.isoformat()})
        _, text = await stranger.get(f"/regulation/{documents()[number][0].slug}?{asked}")
        is_refused, page = told(text, index)
        file = tmp_path / "ledger.json"
        file.write_text(json.dumps(ledger), encoding="utf-8")
        status = main(["clock", str(file), "--json", *(["--on", on] if on else [])])
        out = capsys.readouterr().out
        where = f"example {index}, {place} = {day}"
        assert (status != 0) is is_refused, where
        theirs = oracle_of(ledger, on)
        if is_refused:
            assert theirs == REFUSED, where
            continue
        found = json.loads(out)
        assert without_explanations(found) == theirs, where
        white, black = (f"{n} {'dag' if n == 1 else 'dage'}" for n in found["totals"].values())
        assert f"Hvid {white}, Sort {black}" in page, where
        assert ("overskred" in page) is (found["overstep"] is not None), where
        counted += 1
    assert counted
