"""A case's events as the store keeps them: canonical JSON text (hash chain).

Not for the papers, of which an event holds only the digest.
"""

import json

from kskak.cases import events as ce
from kskak.ledger.stored_values import CodecError, from_json, to_json

_KINDS: dict[str, type[ce.CaseEvent]] = {
    "opened": ce.CaseOpened,
    "widened": ce.CaseWidened,
    "cited": ce.DecisionCited,
    "annulled_elsewhere": ce.AnnulledElsewhere,
    "asked": ce.PartiesAsked,
    "paper": ce.PaperFiled,
    "heard": ce.HearingClosed,
    "claimed": ce.GameClaimed,
    "suspended": ce.GamesSuspended,
    "suspension_lifted": ce.SuspensionLifted,
    "decided": ce.Decided,
    "delivered": ce.DecisionDelivered,
    "appealed": ce.Appealed,
    "appeal_withdrawn": ce.AppealWithdrawn,
    "deposit_settled": ce.DepositSettled,
    "deposit_received": ce.DepositReceived,
    "deposit_paid_back": ce.DepositPaidBack,
    "voted": ce.BoardVoted,
    "final": ce.BecameFinal,
    "withdrawn": ce.CaseWithdrawn,
    "settled": ce.CaseSettled,
}
_KIND_OF = {kind: name for name, kind in _KINDS.items()}


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _parsed(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        raise CodecError("case: not JSON") from None
    return value


def dump_case_event(event: ce.CaseEvent) -> str:
    """The canonical text of an event: sorted keys, no blanks, ASCII."""
    return _text({"event": _KIND_OF[type(event)], "of": to_json(event)})


def proven_case_text(event: ce.CaseEvent) -> str:
    """The text of an event that is about to be kept. CodecError unless it reads back as equal."""
    text = dump_case_event(event)
    if load_case_event(text) != event:
        raise CodecError(f"case event: would read back otherwise: {text}")
    return text


def load_case_event(text: str) -> ce.CaseEvent:
    """The event of a text that ``dump_case_event`` wrote. Raises CodecError for any other."""
    value = _parsed(text)
    if not isinstance(value, dict) or value.keys() != {"event", "of"}:
        raise CodecError("case event: must be an object with event, of")
    kind = _KINDS.get(value["event"]) if isinstance(value["event"], str) else None
    if kind is None:
        raise CodecError("case event: event must be one of " + ", ".join(_KINDS))
    return from_json(kind, value["of"], value["event"])
