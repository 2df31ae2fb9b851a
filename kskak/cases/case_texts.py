"""A case's events as the store keeps them: canonical JSON text (hash chain)."""

import json

from kskak.cases import case_events
from kskak.ledger.stored_events import CodecError, from_json, to_json

_KINDS: dict[str, type[case_events.CaseEvent]] = {
    "opened": case_events.CaseOpened,
    "widened": case_events.CaseWidened,
    "cited": case_events.DecisionCited,
    "annulled_elsewhere": case_events.AnnulledElsewhere,
    "asked": case_events.PartiesAsked,
    "paper": case_events.PaperFiled,
    "heard": case_events.HearingClosed,
    "claimed": case_events.GameClaimed,
    "claim_closed": case_events.ClaimClosed,
    "suspended": case_events.GamesSuspended,
    "suspension_lifted": case_events.SuspensionLifted,
    "decided": case_events.CaseDecided,
    "delivered": case_events.DecisionDelivered,
    "appealed": case_events.DecisionAppealed,
    "appeal_withdrawn": case_events.AppealWithdrawn,
    "deposit_settled": case_events.DepositSettled,
    "deposit_received": case_events.DepositReceived,
    "deposit_paid_back": case_events.DepositPaidBack,
    "voted": case_events.BoardVoted,
    "excused": case_events.MemberExcused,
    "published": case_events.DecisionPublished,
    "final": case_events.BecameFinal,
    "withdrawn": case_events.CaseWithdrawn,
    "settled": case_events.CaseSettled,
}
_KIND_OF = {kind: name for name, kind in _KINDS.items()}


def dump_case_event(event: case_events.CaseEvent) -> str:
    """The canonical text of an event: sorted keys, no blanks, ASCII."""
    value = {"event": _KIND_OF[type(event)], "of": to_json(event)}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def proven_case_text(event: case_events.CaseEvent) -> str:
    """The text of an event that is about to be kept. CodecError unless it reads back as equal."""
    text = dump_case_event(event)
    if load_case_event(text) != event:
        raise CodecError(f"case event: would read back otherwise: {text}")
    return text


def load_case_event(text: str) -> case_events.CaseEvent:
    """The event of a text that ``dump_case_event`` wrote. Raises CodecError for any other."""
    try:
        value = json.loads(text)
    except ValueError:
        raise CodecError("case: not JSON") from None
    if not isinstance(value, dict) or value.keys() != {"event", "of"}:
        raise CodecError("case event: must be an object with event, of")
    kind = _KINDS.get(value["event"]) if isinstance(value["event"], str) else None
    if kind is None:
        raise CodecError("case event: event must be one of " + ", ".join(_KINDS))
    return from_json(kind, value["of"], value["event"])
