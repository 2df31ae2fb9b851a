"""One dispatch: played, dated, charged, tested, and what it does to the series.

Written from the text alone as test material.
"""

from datetime import date

from tests.oracle.board import board_end, read_move, write_move
from tests.oracle.days import ONE, charged
from tests.oracle.parse import LedgerError
from tests.oracle.state import (
    OTHER,
    Entry,
    State,
    add_charge,
    first_day_over,
    overstepped,
    series_limit,
)


def stated_sending(entry: Entry) -> date:
    """The sending date of an entry, a card's by postmark, receipt and statement (§ 6.3.2)."""
    if "sent" in entry:
        return entry["sent"]  # type: ignore[no-any-return]
    postmark, receipt = entry.get("postmark"), entry.get("receipt")
    if receipt is not None and (postmark is None or receipt < postmark):
        found = receipt
    elif postmark is not None:
        found = postmark
    else:
        found = entry.get("stated")
    if found is None:
        raise LedgerError("no sending date")
    return found  # type: ignore[no-any-return]


def receipt_of(state: State, index: int, entry: Entry, sent: date, finding: Entry) -> date:
    """The day the side to move received what it answers now."""
    if "received" in finding:
        return finding["received"]  # type: ignore[no-any-return]
    if state.fixed is not None:
        return state.fixed
    assert state.last_sent is not None
    by_post = channel(state, entry) == "post"
    if "received" in entry:
        received: date = entry["received"]
        if received < state.last_sent:
            raise LedgerError("received before the opponent's sending")
        if not by_post and received > state.last_sent + ONE:
            state.warnings.add((index, "long_transit"))
        return received
    if by_post:
        raise LedgerError("received is missing")
    if sent < state.last_sent:
        raise LedgerError("sent before the opponent's sending")
    return min(state.last_sent + ONE, sent)


def channel(state: State, entry: Entry) -> str:
    """The way the dispatch went."""
    return entry.get("channel", "post" if state.postal else "email")  # type: ignore[no-any-return]


def play(state: State, text: str) -> Entry:
    """Plays one ply and adds its row, dates and days still empty."""
    if state.over:
        raise LedgerError("a move after the end")
    move = read_move(state.board, text)
    by = state.to_move
    row: Entry = {
        "ply": len(state.rows) + 1,
        "number": state.board.fullmove_number,
        "by": by,
        "move": write_move(move),
        "san": state.board.san(move),
        "received": None,
        "sent": None,
        "days": 0,
        "total": state.total[by],
    }
    state.board.push(move)
    state.rows.append(row)
    state.own[by] += 1
    state.ended = board_end(state.board, state.laws)
    return row


def charges_of_silence(state: State, by: str, received: date, sent: date, days: int) -> None:
    """+3 reminded, +6 more with the TL told, for more than 14 days without notice (§ 6.3.4)."""
    if not state.postal or days <= 14:
        return
    said = {(e["kind"], e["by"]) for e in state.words if received <= e["on"] <= sent}
    if ("long_think", by) in said or ("reminder", OTHER[by]) not in said:
        return
    entry = {"by": by, "on": sent}
    add_charge(state, entry, 3, "6.3.4", "over_14_days_reminded")
    if ("tl_notified", OTHER[by]) in said:
        add_charge(state, entry, 6, "6.3.4", "over_14_days_tl")


def account(state: State, entry: Entry, received: date, sent: date, before: int, limit: int) -> int:
    """Charges the days of a dispatch and tests it; returns the days (§ 6.3.1, § 6.3.3)."""
    by = entry["by"]
    weekend = state.postal and channel(state, entry) == "post"
    days = charged(received, sent, state.exempt, weekend)
    on = sent
    if state.total[by] <= limit < state.total[by] + days:
        first = first_day_over(state, by, received, limit, weekend)
        assert first is not None and first <= sent
        on = first
    state.total[by] += days
    charges_of_silence(state, by, received, sent, days)
    overstepped(state, by, limit, on, before)
    return days


def dispatch(state: State, index: int, entry: Entry) -> None:
    """A move or moves sent: played, dated, charged, tested; then the series (§ 6.2.5)."""
    by = entry["by"]
    if state.over:
        raise LedgerError("a move after the end")
    if by != state.to_move:
        raise LedgerError(f"not {by}'s turn")
    moves = entry["moves"] if "moves" in entry else [entry["move"]]
    if len(moves) % 2 == 0:
        raise LedgerError("moves are odd in number")
    first_ply = len(state.rows) + 1
    state.beginnings.add(first_ply)
    finding = state.corrections.get(first_ply, {})
    sent = max(finding.get("sent", stated_sending(entry)), state.start)
    received = receipt_of(state, index, entry, sent, finding)
    if sent < received:
        raise LedgerError("sent before received")
    if state.overstep and state.overstep["by"] != by and state.overstep["finding"] == "open":
        state.overstep["finding"] = "continued"
    accepted = moves[:-1]
    if accepted != state.series[: len(accepted)]:
        raise LedgerError("this is not the series that was proposed")
    rest = state.series[len(accepted) :]
    before = state.own[by]
    limit = series_limit(state, by, len(accepted) + (rest[:1] == moves[-1:]))
    rows = [play(state, text) for text in moves]
    days = account(state, entry, received, sent, before, limit)
    for row in rows:
        row["total"] = state.total[row["by"]]
    rows[-1].update(received=received.isoformat(), sent=sent.isoformat(), days=days)
    after_dispatch(state, entry, sent, rest if rest[:1] == moves[-1:] else None)


def after_dispatch(state: State, entry: Entry, sent: date, bound: list[str] | None) -> None:
    """The bound answer to an answer in part, or the new proposal (§ 6.2.5)."""
    state.fixed, state.receipt, state.words = None, None, []
    state.last_sent = sent
    proposed = entry.get("proposes", [])
    if bound is None:
        if len(proposed) % 2:
            raise LedgerError("proposes is even in number")
        board = state.board.copy(stack=False) if proposed else state.board
        for text in proposed:
            board.push(read_move(board, text))
        state.series = list(proposed)
        return
    if "proposes" in entry:
        raise LedgerError("an answer in part proposes nothing")
    if state.ended is None:
        row = play(state, bound[1])
        row.update(received=sent.isoformat(), sent=sent.isoformat())
        state.series = bound[2:]
        state.fixed = sent
