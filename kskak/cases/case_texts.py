"""A case's events as the store keeps them: canonical JSON text (hash chain)."""

import json

from kskak.cases.case_events import (
    AnnulledElsewhere,
    AppealWithdrawn,
    BecameFinal,
    BoardVoted,
    CaseDecided,
    CaseEvent,
    CaseOpened,
    CaseSettled,
    CaseWidened,
    CaseWithdrawn,
    ClaimClosed,
    DecisionAppealed,
    DecisionCited,
    DecisionDelivered,
    DecisionPublished,
    DepositPaidBack,
    DepositReceived,
    DepositSettled,
    GameClaimed,
    GamesSuspended,
    HearingClosed,
    MemberExcused,
    PaperFiled,
    PartiesAsked,
    SuspensionLifted,
)
from kskak.ledger.stored_events import CodecError, from_json, to_json

_KINDS: dict[str, type[CaseEvent]] = {
    "opened": CaseOpened,
    "widened": CaseWidened,
    "cited": DecisionCited,
    "annulled_elsewhere": AnnulledElsewhere,
    "asked": PartiesAsked,
    "paper": PaperFiled,
    "heard": HearingClosed,
    "claimed": GameClaimed,
    "claim_closed": ClaimClosed,
    "suspended": GamesSuspended,
    "suspension_lifted": SuspensionLifted,
    "decided": CaseDecided,
    "delivered": DecisionDelivered,
    "appealed": DecisionAppealed,
    "appeal_withdrawn": AppealWithdrawn,
    "deposit_settled": DepositSettled,
    "deposit_received": DepositReceived,
    "deposit_paid_back": DepositPaidBack,
    "voted": BoardVoted,
    "excused": MemberExcused,
    "published": DecisionPublished,
    "final": BecameFinal,
    "withdrawn": CaseWithdrawn,
    "settled": CaseSettled,
}
_KIND_OF = {kind: name for name, kind in _KINDS.items()}


def dump_case_event(event: CaseEvent) -> str:
    """The canonical text of an event: sorted keys, no blanks, ASCII."""
    value = {"event": _KIND_OF[type(event)], "of": to_json(event)}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def proven_case_text(event: CaseEvent) -> str:
    """The text of an event that is about to be kept. CodecError unless it reads back as equal."""
    text = dump_case_event(event)
    if load_case_event(text) != event:
        raise CodecError(f"case event: would read back otherwise: {text}")
    return text


def load_case_event(text: str) -> CaseEvent:
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
