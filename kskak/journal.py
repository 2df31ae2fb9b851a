"""Events as the store keeps them: canonical JSON text, one way to write each (hash chain).

The kinds of kskak-ledger/1 as the ledger writes them, with every field spelled out; the
server's own kinds beside them. Not for exchange: ledger_out.py writes what others read.
"""

import json

from kskak import events as ev
from kskak.ledger import Fields, LedgerError, read_entry
from kskak.ledger_out import JsonObject, entry_json
from kskak.quantities import Channel, PauseReason, Side

_ByOn = (
    ev.DrawOfferPrepared
    | ev.DrawDeclined
    | ev.DrawClaimFailed
    | ev.OverstepFound
    | ev.OverstepWaived
)
_SERVER_KINDS: dict[str, type[_ByOn]] = {
    "draw_offer_prepared": ev.DrawOfferPrepared,
    "draw_declined": ev.DrawDeclined,
    "draw_claim_failed": ev.DrawClaimFailed,
    "overstep_found": ev.OverstepFound,
    "overstep_waived": ev.OverstepWaived,
}
_KIND_OF = {kind: name for name, kind in _SERVER_KINDS.items()}
_PAUSE_ENDED = "pause_ended"
_LEAVE_SHORTENED = "leave_shortened"
_ASSUMED = Channel.EMAIL
"""The channel that the journal leaves out, whatever the game's rule set."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def _as_json(event: ev.Event) -> JsonObject:
    if isinstance(event, ev.LedgerEvent):
        entry = entry_json(event, _ASSUMED)
        if isinstance(event, ev.MoveSent) and event.offers_draw:
            entry["offers_draw"] = True
        return entry
    if isinstance(event, ev.LeaveShortened):
        out: JsonObject = {"kind": _LEAVE_SHORTENED, "by": event.by}
        out |= {"first": event.first.isoformat(), "last": event.last.isoformat()}
        return out | {"until": event.until.isoformat()}
    if isinstance(event, ev.PauseEnded):
        return {"kind": _PAUSE_ENDED, "reason": event.reason, "last": event.last.isoformat()}
    return {"kind": _KIND_OF[type(event)], "by": event.by.value, "on": event.on.isoformat()}


def dump_event(event: ev.Event) -> str:
    """The one text of an event: sorted keys, no blanks, ASCII."""
    return _ENCODER.encode(_as_json(event))


def load_event(text: str) -> ev.Event:
    """The event of a text that ``dump_event`` wrote. Raises LedgerError for any other."""
    value = json.loads(text)
    fields = Fields("event", value)
    if fields.text("kind") == _PAUSE_ENDED:
        return ev.PauseEnded(fields.one_of("reason", PauseReason), fields.day("last"))
    if fields.text("kind") == _LEAVE_SHORTENED:
        days = (fields.day("first"), fields.day("last"), fields.day("until"))
        return ev.LeaveShortened(fields.one_of("by", Side), *days)
    kind = _SERVER_KINDS.get(fields.text("kind"))
    if kind is not None:
        return kind(fields.one_of("by", Side), fields.day("on"))
    event = read_entry("event", value, _ASSUMED)
    if isinstance(event, ev.MoveSent) and fields.has("offers_draw"):
        return ev.MoveSent(
            event.by, event.plies, event.sent, event.received, event.channel, event.proposes, True
        )
    return event


__all__ = ["LedgerError", "dump_event", "load_event"]
