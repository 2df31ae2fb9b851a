"""kskak-ledger/1 and kskak-clock/1 out: events and accounts as JSON values (CONTRACTS).

Reading what this writes gives the same events. Not for text for people (statement/iccf_table.py).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import assert_never

from kskak.board.notation import numeric
from kskak.game import events as ev
from kskak.ledger.ledger_in import FORMAT
from kskak.play.standing_events import standing
from kskak.play.state import Terms
from kskak.reflection.leave import lasts_beyond
from kskak.regulation.days import CAUSE_PARAGRAPH, Span
from kskak.regulation.quantities import Channel, LeaveType, Regulation
from kskak.statement.account import Account
from kskak.statement.told_to_strangers import untold

CLOCK_FORMAT = "kskak-clock/1"
JsonValue = str | int | bool | None | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _move_json(event: ev.MoveSent, default: Channel) -> JsonObject:
    plies: list[JsonValue] = [numeric(move) for move in event.plies]
    out: JsonObject = {"kind": "move", "by": event.by.value}
    out |= {"move": plies[0]} if len(plies) == 1 else {"moves": plies}
    if event.proposes:
        out["proposes"] = [numeric(move) for move in event.proposes]
    if event.received is not None:
        out["received"] = _iso(event.received)
    if isinstance(event.sent, date):
        out["sent"] = _iso(event.sent)
    else:
        card = event.sent
        out |= {"postmark": _iso(card.postmark), "receipt": _iso(card.receipt)}
        out["stated"] = _iso(card.stated)
    if event.channel is not default:
        out["channel"] = event.channel.value
    return out


def _leave_json(event: ev.LeaveBooked) -> JsonObject:
    out: JsonObject = {"kind": "leave", "by": event.by.value}
    out |= {"from": _iso(event.first), "to": _iso(event.last)}
    if event.leave_type is not LeaveType.UNTOLD:
        out["notified"] = _iso(event.notified)
    if event.leave_type is not LeaveType.PERSONAL:
        out["type"] = event.leave_type.value
    if event.until is not None:
        out["shortened"] = _iso(event.until)
    return out


_BY_ON: dict[type[ev.LedgerEvent], str] = {
    ev.MoveReceived: "receipt",
    ev.LongThinkNotified: "long_think",
    ev.Reminded: "reminder",
    ev.LeaderTold: "tl_notified",
    ev.OverstepClaimed: "claim",
    ev.Resigned: "resign",
    ev.DrawMade: "draw",
}


def entry_json(event: ev.LedgerEvent, default: Channel) -> JsonObject:
    """One entry; ``default`` is the ledger's usual channel, left out."""
    match event:
        case ev.MoveSent():
            return _move_json(event, default)
        case ev.LeaveBooked():
            return _leave_json(event)
        case ev.Paused(first, last, reason):
            days: JsonObject = {"from": _iso(first), "to": _iso(last)}
            return {"kind": "pause", **days, "reason": reason.value}
        case ev.FaultySent(by, on, fault):
            return {"kind": "invalid", "by": by.value, "on": _iso(on), "reason": fault.value}
        case ev.DaysCharged(by, on, count, paragraph, reason_text):
            charge: JsonObject = {"kind": "charge", "by": by.value, "on": _iso(on)}
            return charge | {"days": count, "paragraph": paragraph, "reason": reason_text}
        case ev.ResultRuled() | ev.DispatchCorrected() | ev.TotalsSet() | ev.GameResumed():
            return _ruling_json(event)
        case _:
            kind = _BY_ON[type(event)]
            return {"kind": kind, "by": event.by.value, "on": _iso(event.on)}


def _ruling_json(
    event: ev.ResultRuled | ev.DispatchCorrected | ev.TotalsSet | ev.GameResumed,
) -> JsonObject:
    match event:
        case ev.ResultRuled(result, on, authority, ref):
            ruled: JsonObject = {"kind": "result", "result": result.value, "on": _iso(on)}
            return ruled | {"authority": authority, "ref": ref}
        case ev.DispatchCorrected(ply, sent, received, authority, ref):
            found: JsonObject = {"kind": "correction", "ply": ply, "sent": _iso(sent)}
            return found | {"received": _iso(received), "authority": authority, "ref": ref}
        case ev.TotalsSet(white, black):
            return {"kind": "set_time", "white": white, "black": black}
        case ev.GameResumed(on):
            return {"kind": "resume", "on": _iso(on)}
        case _:
            assert_never(event)


def default_channel(regulation: Regulation) -> Channel:
    """The channel that a ledger of this rule set leaves out."""
    return Channel.POST if regulation is Regulation.POSTAL else Channel.EMAIL


def _shortened(event: ev.Event, shortened: ev.LeaveShortened) -> ev.Event:
    """A leave as it was shortened; every other event as it is."""
    days = (shortened.by, shortened.first, shortened.last)
    if not isinstance(event, ev.LeaveBooked) or event.leave_type is not LeaveType.PERSONAL:
        return event
    is_meant = (event.by, event.first, event.last) == days
    return replace(event, until=shortened.until) if is_meant else event


def _as_it_ended(events: Sequence[ev.Event]) -> list[ev.Event]:
    """The events that stand, a ruling's effects among them, each pause with its last day.

    A pause that never was is left out; a shortened leave has its own last day.
    """
    out: list[ev.Event] = []
    for _, event, _ruling in standing(events):
        if isinstance(event, ev.LeaveShortened):
            out = [_shortened(one, event) for one in out]
            continue
        if not isinstance(event, ev.PauseEnded):
            out.append(event)
            continue
        for index in range(len(out) - 1, -1, -1):
            paused = out[index]
            if not isinstance(paused, ev.Paused):
                continue
            if lasts_beyond(paused, event.reason, event.last):
                is_real = event.last >= paused.first
                out[index : index + 1] = [replace(paused, last=event.last)] if is_real else []
                break
    return out


def ledger_json(
    terms: Terms, events: Sequence[ev.Event], *, is_for_strangers: bool = False
) -> JsonObject:
    """A kskak-ledger/1 document; the server's own events and annulled rulings are left out.

    For strangers leave is shown without its type (statement/told_to_strangers.py).
    """
    channel, shown = default_channel(terms.regulation), _as_it_ended(events)
    if is_for_strangers:
        shown = untold(terms, shown)
    entries: list[JsonValue] = [
        entry_json(event, channel) for event in shown if isinstance(event, ev.LedgerEvent)
    ]
    return {
        "format": FORMAT,
        "game": terms.game,
        "regulation": terms.regulation.value,
        "laws": terms.laws_year,
        "start": _iso(terms.start),
        "white": terms.white,
        "black": terms.black,
        "fen": terms.fen,
        "entries": entries,
    }


def exempt_json(spans: Sequence[Span]) -> list[JsonValue]:
    """Exempt steps with their paragraph, one object per span."""
    return [
        {
            "from": _iso(span.first),
            "to": _iso(span.last),
            "days": (span.last - span.first).days + 1,
            "paragraph": CAUSE_PARAGRAPH[span.cause],
            "reason": span.cause.value,
        }
        for span in spans
    ]


def _rows_json(account: Account) -> list[JsonValue]:
    return [
        {
            "ply": row.ply,
            "number": row.number,
            "by": row.by.value,
            "move": numeric(row.move),
            "san": row.san,
            "received": _iso(row.dates.received),
            "sent": _iso(row.dates.sent),
            "days": row.dates.days,
            "total": row.total,
            "exempt": exempt_json(row.dates.exempt),
        }
        for row in account.rows
    ]


def _charges_json(account: Account) -> list[JsonValue]:
    return [
        {
            "by": charge.by.value,
            "on": _iso(charge.on),
            "days": charge.days,
            "paragraph": charge.paragraph,
            "reason": charge.reason,
        }
        for charge in account.charges
    ]


def _running_json(account: Account) -> JsonValue:
    running = account.running
    if running is None:
        return None
    out: JsonObject = {"by": running.by.value, "since": _iso(running.since)}
    out |= {"limit": running.limit, "flag_on": _iso(running.flag_on)}
    if account.live is not None:
        out |= {"days": account.live.days, "total": account.live.total}
        out["exempt"] = exempt_json(account.live.exempt)
    return out


def _overstep_json(account: Account) -> JsonValue:
    overstep = account.overstep
    if overstep is None:
        return None
    return {
        "by": overstep.by.value,
        "move": overstep.move,
        "limit": overstep.limit,
        "used": overstep.used,
        "on": _iso(overstep.on),
        "finding": overstep.finding.value,
    }


def clock_json(account: Account) -> JsonObject:
    """A kskak-clock/1 document; the fields of CONTRACTS and the exempt steps."""
    state = account.state
    result = state.reckoned
    to_move = state.to_move
    # An undecided claim is shown as the entries stand, and marked as undecided (§ 6.4.1).
    undecided: JsonObject = {"awaits_decision": True} if state.awaits_decision else {}
    return undecided | {
        "format": CLOCK_FORMAT,
        "moves": _rows_json(account),
        "charges": _charges_json(account),
        "totals": {"white": state.white.total, "black": state.black.total},
        "to_move": None if to_move is None else to_move.value,
        "running": _running_json(account),
        "proposal": [] if result is not None else [numeric(move) for move in state.proposal],
        "overstep": _overstep_json(account),
        "warnings": [{"entry": w.entry, "code": w.code.value} for w in account.warnings],
        "result": "*" if result is None else result.value,
        "fen": state.board.fen(),
    }
