"""Random ledgers that touch every sentence of the contract's fine print.

The random source is an argument, so every ledger can be made again from its seed. Most are
valid; `game` names the deliberate fault of the others. Material for tests, not a test.
"""

import random
from datetime import date, timedelta
from typing import Any

from tests.oracle.faults import FAULTS
from tests.oracle.oracle import clock, one_entry
from tests.oracle.parse import LedgerError, read_ledger
from tests.oracle.players import Game
from tests.oracle.state import State

FENS = (
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 4",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 40",
    "1n5k/P1P5/8/8/8/8/1p1p4/2N4K b - - 0 40",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 60",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30",
    "8/8/4k3/8/3p4/3K4/8/8 w - - 0 50",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 140 100",
    "4k3/8/8/8/8/8/8/R3K2R b KQ - 147 100",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8",
)
STARTS = (
    "2010-08-29",
    "2009-11-20",
    "2010-12-10",
    "2012-02-29",
    "2010-03-01",
    "2011-04-10",
    "2010-06-06",
    "2008-02-29",
)


def head(rng: random.Random) -> dict[str, Any]:
    """Everything of a ledger but its entries."""
    start = date.fromisoformat(rng.choice(STARTS)) + timedelta(rng.choice((0, 0, 1, 5, 17)))
    ledger: dict[str, Any] = {
        "format": "kskak-ledger/1",
        "game": "random",
        "regulation": rng.choice(("postal", "email")),
        "start": start.isoformat(),
        "white": "Hvid",
        "black": "Sort",
        "fen": rng.choice(FENS) if rng.random() < 0.3 else None,
        "entries": [],
    }
    if rng.random() < 0.5:
        ledger["laws"] = rng.choice((2009, 2014, 2018))
    if ledger.get("laws") == 2009 and rng.random() < 0.2:
        ledger["fen"] = "4k3/8/8/8/8/8/8/R3K2R w KQ - 155 100"
    return ledger


def accepted(ledger: dict[str, Any]) -> bool:
    """Whether the oracle reads the ledger."""
    try:
        clock(ledger, None)
    except LedgerError:
        return False
    return True


def overstepped_at(ledger: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
    """Place of the entry that makes the first overstep of a good ledger, and the overstep."""
    read = read_ledger(ledger)
    state = State(read)
    for place, entry in enumerate(read["entries"]):
        one_entry(state, place, entry)
        if state.overstep is not None:
            return place, state.overstep
    return None


def with_entry(ledger: dict[str, Any], place: int, entry: dict[str, Any]) -> dict[str, Any]:
    """The ledger with one entry more."""
    entries = list(ledger["entries"])
    entries.insert(place, entry)
    return dict(ledger, entries=entries)


def with_corrections(rng: random.Random, ledger: dict[str, Any]) -> dict[str, Any]:
    """Findings of fact for some dispatches, anywhere in the list."""
    rows = [row for row in clock(ledger, None)["moves"] if row["sent"]]
    chosen = rng.choice(rows) if rows else None
    for _ in range(rng.choice((1, 1, 2, 4))):
        if chosen is None:
            break
        if rng.random() < 0.4:
            chosen = rng.choice(rows)
        entry: dict[str, Any] = {
            "kind": "correction",
            "ply": chosen["ply"],
            "authority": "TL",
            "ref": "1",
        }
        names = rng.choice((("sent",), ("received",), ("sent", "received")))
        for name in names:
            day = date.fromisoformat(chosen[name]) + timedelta(rng.randint(-2, 2))
            entry[name] = day.isoformat()
        new = with_entry(ledger, rng.randint(0, len(ledger["entries"])), entry)
        if accepted(new):
            ledger = new
    return ledger


def with_claim(rng: random.Random, ledger: dict[str, Any]) -> dict[str, Any]:
    """A claim soon after the first overstep, and sometimes a ruling that opens the game again."""
    found = overstepped_at(ledger)
    if found is None:
        return ledger
    place, overstep = found
    entries, late = ledger["entries"], overstep["by"]
    day = date.fromisoformat(overstep["on"])
    claimant = "white" if late == "black" else "black"
    if rng.random() < 0.6:
        claim = {"kind": "claim", "by": claimant, "on": (day + timedelta(1)).isoformat()}
        ledger = with_entry(ledger, place + rng.choice((1, 1, 2)), claim)
    if rng.random() < 0.5:
        at = rng.randint(min(place + 1, len(entries)), min(place + 5, len(entries)))
        ruling: dict[str, Any] = {"kind": "resume", "on": (day + timedelta(2)).isoformat()}
        if rng.random() < 0.5:
            ruling = {"kind": "set_time", late: rng.choice((5, 20, 29, 45))}
        new = with_entry(ledger, at, ruling)
        if accepted(new) or rng.random() < 0.05:
            ledger = new
    return ledger


def asked_on(rng: random.Random, ledger: dict[str, Any], last: date) -> str | None:
    """A date for `--on`: none, near the end, or at the edge of the flag."""
    if rng.random() < 0.35:
        return None
    try:
        run = clock(ledger, None)["running"]
    except LedgerError:
        run = None
    if run and run["flag_on"] and rng.random() < 0.5:
        day = date.fromisoformat(run["flag_on"]) + timedelta(rng.choice((-1, 0, 1, 9)))
    elif run and rng.random() < 0.3:
        day = date.fromisoformat(run["since"]) + timedelta(rng.randint(-3, 3))
    else:
        day = last + timedelta(rng.randint(-10, 70))
    return day.isoformat()


def random_ledger(rng: random.Random) -> tuple[dict[str, Any], str | None]:
    """A kskak-ledger/1 and a date for `--on` or None."""
    ledger = head(rng)
    game = Game(rng, ledger)
    game.play(rng.choice((0, 1, 2, 5, 12, 25, 34, 50, 64)))
    if accepted(ledger):
        played = ledger
        if rng.random() < 0.5:
            ledger = with_claim(rng, ledger)
        if (ledger is played or accepted(ledger)) and rng.random() < 0.3:
            ledger = with_corrections(rng, ledger)
    on = asked_on(rng, ledger, game.day)
    if rng.random() < 0.12:
        name = rng.choice(sorted(FAULTS))
        if FAULTS[name](rng, ledger):
            ledger["game"] = f"random, fault: {name}"
    return ledger, on
