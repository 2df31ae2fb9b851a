"""A decision as a value: what it finds, orders and rests on, and what it does to games (§ 6.4).

One decision may rule on several games and persons. Its ``ref`` is the name of its ruling in the
games' ledgers. Not for who may decide, nor when (decide.py), nor for a sanction's term
(sanctions.py), nor for the letter's text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from kskak.game import events as ev


class Instance(StrEnum):
    """Who decides: § 6.4.1 the leader, § 6.4.3 the controller, then the Appeals Board."""

    LEADER = "tl"
    CONTROLLER = "kc"
    BOARD = "board"

    @property
    def above(self) -> "Instance | None":
        """Where an appeal goes; None from the Board, whose word is final (§ 6.4.3, § 1.3.9)."""
        return _ABOVE[self]


_ABOVE = {
    Instance.LEADER: Instance.CONTROLLER,
    Instance.CONTROLLER: Instance.BOARD,
    Instance.BOARD: None,
}


class AppealEnd(StrEnum):
    """What an appeal may end with besides upholding or changing the decision (§ 6.4.3).

    Sent back: the decision lapses and its instance decides anew. Dismissed: it is not heard, so
    the decision stands; as when it came too late or from somebody with no part in it.
    """

    SENT_BACK = "sent_back"
    DISMISSED = "dismissed"


class SanctionKind(StrEnum):
    """§ 6.4.2: a warning; for graver or repeated offences expulsion, and perhaps quarantine."""

    WARNING = "warning"
    QUARANTINE = "quarantine"
    EXPULSION = "expulsion"


@dataclass(frozen=True, slots=True)
class GameOrder:
    """What a decision does to one game.

    The authority and ref of a result or finding are filled in from the decision.
    """

    game: int
    effect: ev.RulingEffect


@dataclass(frozen=True, slots=True)
class SanctionOrder:
    """A sanction on a person; ``months`` for a quarantine only (§ 6.4.2, § 6.2.8)."""

    person: int
    kind: SanctionKind
    months: int | None = None


@dataclass(frozen=True, slots=True)
class FactFound:
    """A finding of fact in words (a date, a cause) and the paragraph it matters to."""

    paragraph: str
    text: str


@dataclass(frozen=True, slots=True)
class Vote:
    """How a member of the Board voted: ``upholds`` the appellants in whose favour (§ 1.3.9)."""

    member: int
    upholds: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision at one instance.

    ``annuls`` names earlier decisions, at any instance, whose effects on games and persons lapse;
    ``restores`` names annulled ones whose effects on games apply again under this ``ref``.
    ``grants`` are the appellants who are upheld, wholly or in part: their deposits go back.
    ``appeal``: it ends the appeal without deciding the matter, and orders nothing else.
    ``votes``: of the Board's members who took part, in the order they voted (§ 1.3.9).
    """

    ref: str
    instance: Instance
    on: date
    paragraphs: tuple[str, ...]
    reasons: str
    facts: tuple[FactFound, ...] = ()
    games: tuple[GameOrder, ...] = ()
    sanctions: tuple[SanctionOrder, ...] = ()
    annuls: tuple[str, ...] = ()
    restores: tuple[str, ...] = ()
    grants: tuple[int, ...] = ()
    prizes_lost: tuple[int, ...] = ()
    votes: tuple[Vote, ...] = ()
    appeal: AppealEnd | None = None

    @property
    def dissents(self) -> tuple[Vote, ...]:
        """The votes that would have decided otherwise (Kendelse 107)."""
        return tuple(vote for vote in self.votes if set(vote.upholds) != set(self.grants))


AUTHORITY = {
    Instance.LEADER: "TL",
    Instance.CONTROLLER: "KC",
    Instance.BOARD: "Skaknævnet",
}
"""What a ledger entry names as its authority (kskak-ledger/1)."""


def _signed(decision: Decision, effect: ev.RulingEffect) -> ev.RulingEffect:
    if isinstance(effect, ev.ResultRuled | ev.DispatchCorrected):
        return replace(effect, authority=AUTHORITY[decision.instance], ref=decision.ref)
    return effect


def effects(
    decision: Decision, earlier: Mapping[str, Decision] | None = None
) -> dict[int, tuple[ev.RulingEffect, ...]]:
    """The effects on each game, in order: set back first, then restored ones, a result last.

    ``earlier``: the case's decisions by ref; KeyError for a restored one that is not there.
    """
    out: dict[int, tuple[ev.RulingEffect, ...]] = {}
    for ref in decision.restores:
        for game, restored in effects((earlier or {})[ref], earlier).items():
            again = tuple(_signed(decision, effect) for effect in restored)
            out[game] = (*out.get(game, ()), *again)
    for order in decision.games:
        out[order.game] = (*out.get(order.game, ()), _signed(decision, order.effect))
    return {game: tuple(sorted(ordered, key=_turn)) for game, ordered in out.items()}


def _turn(effect: ev.RulingEffect) -> int:
    """Setting back makes void what came before it; after a result no days are counted."""
    if isinstance(effect, ev.GameSetBack):
        return 0
    return 2 if isinstance(effect, ev.ResultRuled) else 1


def game_events(
    decision: Decision, earlier: Mapping[str, Decision] | None = None
) -> dict[int, tuple[ev.Event, ...]]:
    """The events for each game's ledger: annulments, then the ruling's effects (§ 6.4.1-6.4.3)."""
    out: dict[int, tuple[ev.Event, ...]] = {}
    for ref in decision.annuls:
        annulled = (earlier or {}).get(ref)
        for game in effects(annulled, earlier) if annulled is not None else ():
            out[game] = (*out.get(game, ()), ev.RulingAnnulled(ref))
    for game, ruled in effects(decision, earlier).items():
        rulings = tuple(ev.Ruled(decision.ref, effect) for effect in ruled)
        out[game] = (*out.get(game, ()), *rulings)
    return out
