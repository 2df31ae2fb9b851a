"""The account of a game read from the ledger once more (kskak-ledger/1 to kskak-clock/1).

Written from the text of the contract and the regulation alone, to be compared with the
production engine. Everything is replayed in list order; it is not for production.
"""

from datetime import date
from typing import Any

from tests.oracle.days import ONE, charged
from tests.oracle.dispatch import dispatch
from tests.oracle.parse import LedgerError, a_date, read_ledger
from tests.oracle.state import (
    OTHER,
    WON_BY,
    Entry,
    State,
    charge_by_entry,
    first_day_over,
    live_limit,
    next_control,
)

__all__ = ["LedgerError", "clock"]


def running(state: State) -> Entry | None:
    """Whose time runs since when, to what limit and day; None when nobody's does, or unknown."""
    if state.over or (state.overstep and state.overstep["finding"] != "open"):
        return None
    by = state.to_move
    since = state.fixed or state.receipt
    if since is None and not state.postal:
        assert state.last_sent is not None
        since = state.last_sent + ONE
    if since is None:
        return None
    limit = live_limit(state, by)
    flag_on = first_day_over(state, by, since, limit, state.postal)
    return {"by": by, "since": since, "limit": limit, "flag_on": flag_on}


def live_overstep(state: State, run: Entry, on: date, finding: str) -> None:
    """The overstep of a side that has not sent, if the day has come."""
    if state.overstep is None and run["flag_on"] is not None and on >= run["flag_on"]:
        by = run["by"]
        used = state.total[by] + charged(run["since"], on, state.exempt, state.postal)
        state.overstep = {
            "by": by,
            "move": next_control(state.own[by]),
            "limit": run["limit"],
            "used": used,
            "on": run["flag_on"].isoformat(),
            "finding": finding,
        }


def claim(state: State, entry: Entry) -> None:
    """A claim of the opponent's overstep (§ 6.3.3.5); without one it does nothing."""
    if state.ruled is not None or state.agreed:
        return
    if state.overstep is not None:
        if state.overstep["by"] != entry["by"] and state.overstep["finding"] == "open":
            state.overstep["finding"] = "claimed"
        return
    run = running(state)
    if run is not None and run["by"] != entry["by"]:
        live_overstep(state, run, entry["on"], "claimed")


def receipt(state: State, entry: Entry) -> None:
    """The side to move says that it has received the move."""
    if entry["by"] != state.to_move:
        return
    if state.last_sent is not None and entry["on"] < state.last_sent:
        raise LedgerError("receipt before the opponent's sending")
    state.receipt = entry["on"]


def finish(state: State, entry: Entry) -> None:
    """A resignation or an agreed draw."""
    if state.over:
        raise LedgerError("the game is over")
    state.agreed = entry["kind"] == "draw"
    state.ended = WON_BY[OTHER[entry["by"]]] if entry["kind"] == "resign" else "1/2-1/2"


def rule(state: State, entry: Entry) -> None:
    """set_time or resume: opens what an overstep closed."""
    state.overstep = None
    if entry["kind"] == "resume":
        state.fixed, state.receipt = entry["on"], None
    else:
        for by in ("white", "black"):
            state.total[by] = entry.get(by, state.total[by])


def one_entry(state: State, index: int, entry: Entry) -> None:
    """What one entry does at its place in the list."""
    match entry["kind"]:
        case "move":
            dispatch(state, index, entry)
        case "claim":
            claim(state, entry)
        case "resign" | "draw":
            finish(state, entry)
        case "result":
            state.ruled = entry["result"]
        case _ if state.over:
            return
        case "charge" | "invalid":
            charge_by_entry(state, entry)
        case "receipt":
            receipt(state, entry)
        case "reminder" | "long_think" | "tl_notified":
            state.words.append(entry)
        case "set_time" | "resume":
            rule(state, entry)
        case _:  # leave, pause, correction act wherever they stand; State has read them
            return


def replay(ledger: Entry) -> State:
    """The state after the last entry."""
    state = State(ledger)
    for index, entry in enumerate(ledger["entries"]):
        try:
            one_entry(state, index, entry)
        except LedgerError as error:
            raise LedgerError(f"entry {index}: {error}") from error
    for ply in state.corrections:
        if ply not in state.beginnings:
            raise LedgerError(f"a correction for ply {ply}, where no dispatch begins")
    return state


def result_of(state: State) -> str:
    """A ruling before an overstep, an overstep before the other ends."""
    if state.ruled is not None:
        return state.ruled
    if state.overstep is not None and state.overstep["finding"] == "claimed":
        return WON_BY[OTHER[state.overstep["by"]]]
    if state.overstep is not None and state.overstep["finding"] == "continued":
        return "0-0"
    return state.ended or "*"


def running_out(state: State, on: date | None) -> Entry | None:
    """`running` as the contract shows it; with `on` the live overstep is reported too."""
    run = running(state)
    if run is None:
        return None
    shown = dict(
        run,
        since=run["since"].isoformat(),
        flag_on=run["flag_on"].isoformat() if run["flag_on"] else None,
    )
    if on is not None:
        shown["days"] = charged(run["since"], on, state.exempt, state.postal)
        shown["total"] = state.total[run["by"]] + shown["days"]
        live_overstep(state, run, on, "open")
    return shown


def clock(ledger: dict[str, Any], on: str | None) -> dict[str, Any]:
    """The kskak-clock/1 of a kskak-ledger/1, as on a date if one is given; or LedgerError."""
    day = None if on is None else a_date(on)
    state = replay(read_ledger(ledger))
    result = result_of(state)
    finished = result != "*"
    run = running_out(state, day)
    proposal = [m if len(m) == 4 else f"{m[:4]}({m[4]})" for m in state.series]
    return {
        "format": "kskak-clock/1",
        "moves": state.rows,
        "charges": state.charges,
        "totals": state.total,
        "to_move": None if finished else state.to_move,
        "running": run,
        "proposal": [] if finished else proposal,
        "overstep": state.overstep,
        "warnings": [{"entry": entry, "code": code} for entry, code in sorted(state.warnings)],
        "result": result,
        "fen": state.board.fen(),
    }
