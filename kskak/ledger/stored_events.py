"""Events as the store keeps them: canonical JSON text, one way to write each (hash chain).

The kinds of kskak-ledger/1 as the ledger writes them, with every field spelled out; the
server's own kinds as well. Not for exchange: ledger_out.py writes what others read.
"""

import json
from collections.abc import Iterable

from kskak.game import events as ev
from kskak.ledger.ledger_in import Fields, LedgerError, read_entry
from kskak.ledger.ledger_out import JsonObject, entry_json
from kskak.regulation.quantities import Channel, LeaveType, PauseReason, Side

_ByOn = (
    ev.DrawOfferPrepared
    | ev.DrawDeclined
    | ev.DrawClaimFailed
    | ev.OverstepFound
    | ev.OverstepWaived
    | ev.ClaimStands
)
_SERVER_KINDS: dict[str, type[_ByOn]] = {
    "draw_offer_prepared": ev.DrawOfferPrepared,
    "draw_declined": ev.DrawDeclined,
    "draw_claim_failed": ev.DrawClaimFailed,
    "overstep_found": ev.OverstepFound,
    "overstep_waived": ev.OverstepWaived,
    "claim_stands": ev.ClaimStands,
}
_KIND_OF = {kind: name for name, kind in _SERVER_KINDS.items()}
_PAUSE_ENDED, _RULED = "pause_ended", "ruled"
RULING_ANNULLED = "ruling_annulled"
_EMAIL = "email_answered"
_SHORTENED = "leave_shortened"
_TAKEN_OVER = "taken_over"
_DROPPED = "claim_dropped"
_VOID = "entry_annulled"
SET_BACK = "set_back"
SWAPS = '"swaps_colours":true'
"""What a setting back contains by which the players change colours (FIDE 7.3)."""
VOID = f'"kind":"{_VOID}"'
_ASSUMED = Channel.EMAIL
"""The channel that the journal leaves out, whatever the game's rule set."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def _as_json(event: ev.Event) -> JsonObject:
    if isinstance(event, ev.LedgerEvent):
        out = entry_json(event, _ASSUMED)
        return out | _own_mark(event)
    match event:
        case ev.PauseEnded(reason, last):
            return {"kind": _PAUSE_ENDED, "reason": reason, "last": last.isoformat()}
        case ev.EmailAnswered(by, on, agrees):
            said: JsonObject = {"kind": _EMAIL, "by": by.value, "on": on.isoformat()}
            return said | {"agrees": agrees}
        case ev.TakenOver(on) | ev.ClaimDropped(on):
            kind = _TAKEN_OVER if isinstance(event, ev.TakenOver) else _DROPPED
            return {"kind": kind, "on": on.isoformat()}
        case ev.LeaveShortened(by, first, last, until):
            out = {"kind": _SHORTENED, "by": by, "first": first.isoformat()}
            return out | {"last": last.isoformat(), "until": until.isoformat()}
        case ev.Ruled(ruling, effect):
            return {"kind": _RULED, "ruling": ruling, "effect": _as_json(effect)}
        case ev.RulingAnnulled(ruling):
            return {"kind": RULING_ANNULLED, "ruling": ruling}
        case ev.EntryAnnulled(seq, on):
            return {"kind": _VOID, "seq": seq, "on": on.isoformat()}
        case ev.GameSetBack(ply, since, swaps_colours):
            back: JsonObject = {"kind": SET_BACK, "ply": ply}
            back |= {} if since is None else {"since": since}
            return back | {"swaps_colours": True} if swaps_colours else back
    return {"kind": _KIND_OF[type(event)], "by": event.by.value, "on": event.on.isoformat()}


def _own_mark(event: ev.LedgerEvent) -> JsonObject:
    """What the journal keeps of an entry beyond what a ledger shows."""
    if isinstance(event, ev.MoveSent) and event.offers_draw:
        return {"offers_draw": True}
    if isinstance(event, ev.OverstepClaimed) and event.awaits_decision:
        return {"awaits_decision": True}
    return {}


def dump_event(event: ev.Event) -> str:
    """The canonical text of an event: sorted keys, no blanks, ASCII."""
    return _ENCODER.encode(_as_json(event))


def proven_text(event: ev.Event) -> str:
    """The text of an event that is about to be kept. LedgerError unless it reads back as equal:
    what can't be read again must never be written.
    """
    text = dump_event(event)
    if load_event(text) != event:
        raise LedgerError(f"event: would read back otherwise: {text}")
    return text


def load_event(text: str) -> ev.Event:
    """The event of a text that ``dump_event`` wrote. Raises LedgerError for any other."""
    return _of_json(json.loads(text))


class UnreadEntry(LedgerError):
    """An entry of a stored ledger that can't be read; ``seq`` is its number, from 1."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"event {seq}: can't be read")
        self.seq = seq


def load_events(texts: Iterable[str]) -> tuple[ev.Event, ...]:
    """A whole ledger's events, in one reading of them all; UnreadEntry if one can't be read.

    In an annulled entry's place stands its annulment, so that places stay as they are.
    """
    kept = tuple(texts)
    try:
        events = tuple(_of_json(value) for value in json.loads(f"[{','.join(kept)}]"))
    except (ValueError, RecursionError):
        events = ()
    if len(events) == len(kept) and not any(type(one) is ev.EntryAnnulled for one in events):
        return events
    return _annulled(kept)


def _annulled(texts: tuple[str, ...]) -> tuple[ev.Event, ...]:
    read = tuple(_read_or_none(text) for text in texts)
    annulled = {event.seq: event for event in read if isinstance(event, ev.EntryAnnulled)}
    events: list[ev.Event] = []
    for seq, event in enumerate(read, 1):
        stands = annulled.get(seq, event)
        if stands is None:
            raise UnreadEntry(seq)
        events.append(stands)
    return tuple(events)


def unread_entries(texts: Iterable[str]) -> tuple[int, ...]:
    """The numbers of a ledger's entries that can't be read and are not annulled."""
    read = [_read_or_none(text) for text in texts]
    annulled = {event.seq for event in read if isinstance(event, ev.EntryAnnulled)}
    return tuple(n for n, event in enumerate(read, 1) if event is None and n not in annulled)


def _read_or_none(text: str) -> ev.Event | None:
    try:
        return load_event(text)
    except (ValueError, RecursionError):
        return None


def effect_json(effect: ev.RulingEffect) -> JsonObject:
    """A ruling's effect as the journal keeps it, for a case's own events."""
    return _as_json(effect)


def load_effect(value: object) -> ev.RulingEffect:
    """The effect of a value that ``effect_json`` made. Raises LedgerError for any other."""
    effect = _of_json(value)
    if not isinstance(effect, ev.RulingEffect):
        raise LedgerError("effect: not what a ruling may do to a game")
    if isinstance(effect, ev.LeaveBooked) and effect.leave_type is LeaveType.UNTOLD:
        raise LedgerError("effect: leave is personal or special")
    return effect


def _of_json(value: object) -> ev.Event:
    fields = Fields("event", value)
    match kind := fields.text("kind"):
        case "pause_ended":
            return ev.PauseEnded(fields.one_of("reason", PauseReason), fields.day("last"))
        case "email_answered":
            by, on = fields.one_of("by", Side), fields.day("on")
            return ev.EmailAnswered(by, on, fields.flag("agrees"))
        case "taken_over" | "claim_dropped" as kind_on:
            made = ev.TakenOver if kind_on == _TAKEN_OVER else ev.ClaimDropped
            return made(fields.day("on"))
        case "leave_shortened":
            days = (fields.day("first"), fields.day("last"), fields.day("until"))
            return ev.LeaveShortened(fields.one_of("by", Side), *days)
        case "ruled":
            effect = value["effect"] if isinstance(value, dict) and "effect" in value else None
            return ev.Ruled(fields.text("ruling"), load_effect(effect))
        case "set_back":
            return _set_back(fields)
        case "ruling_annulled":
            return ev.RulingAnnulled(fields.text("ruling"))
        case "entry_annulled":
            return ev.EntryAnnulled(fields.whole("seq"), fields.day("on"))
    own = _SERVER_KINDS.get(kind)
    if own is not None:
        return own(fields.one_of("by", Side), fields.day("on"))
    return _marked(read_entry(fields, _ASSUMED), fields)


def _set_back(fields: Fields) -> ev.GameSetBack:
    ply, since = fields.whole("ply"), fields.whole("since") if fields.is_set("since") else None
    if ply < 0 or (since is not None and since < 1):
        raise LedgerError("set_back: ply is 0 or more, since 1 or more")
    swaps_colours = fields.has("swaps_colours") and fields.flag("swaps_colours")
    if swaps_colours and ply != 0:
        raise LedgerError("set_back: colours are changed at ply 0 alone")
    return ev.GameSetBack(ply, since, swaps_colours)


def _marked(event: ev.LedgerEvent, fields: Fields) -> ev.Event:
    """An entry with what the journal keeps of it beyond a ledger."""
    if isinstance(event, ev.MoveSent) and fields.has("offers_draw"):
        return ev.MoveSent(
            event.by, event.plies, event.sent, event.received, event.channel, event.proposes, True
        )
    if isinstance(event, ev.OverstepClaimed) and fields.has("awaits_decision"):
        return ev.OverstepClaimed(event.by, event.on, awaits_decision=True)
    return event


__all__ = [
    "LedgerError",
    "UnreadEntry",
    "dump_event",
    "effect_json",
    "load_effect",
    "load_event",
    "load_events",
    "proven_text",
    "unread_entries",
]
