"""A decision's text, drafted from what it finds and orders, for the official to edit (§ 6.4.1).

Plain paragraphs, nothing invented: facts, what they lead to in each game, sanctions, reasons,
paragraphs. NOT a letter (``mail.writing.cases``) nor for deciding anything.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import assert_never

from kskak import events as ev
from kskak.decisions import Decision, GameOrder, SanctionKind, SanctionOrder
from kskak.editions import DISPUTES
from kskak.quantities import Side
from kskak.sanctions import Imposed
from kskak.withdrawal import Withdrawal
from mail.explain import days, number_of, side_name
from mail.words import Words
from mail.writing.cases import paragraphs
from mail.writing.common import own_words, plain


@dataclass(frozen=True, slots=True)
class RuledGame:
    """A game as a decision names it. ``first`` is the side and move number it began with."""

    name: str
    white: str
    black: str
    first: tuple[Side, int] = (Side.WHITE, 1)

    def move(self, ply: int) -> tuple[int, Side]:
        """Number and side of a ply."""
        side, number = self.first
        offset = ply - 1 + (side is Side.BLACK)
        return number + offset // 2, Side.BLACK if offset % 2 else Side.WHITE


@dataclass(frozen=True, slots=True)
class Earlier:
    """A decision that is annulled or restored, by its name."""

    ref: str
    on: date


@dataclass(frozen=True, slots=True)
class RulingFacts:
    """What a draft needs beside the decision: names by id, earlier decisions by ref.

    ``imposed``: what each sanction becomes, those of restored decisions first (§ 4.1.19);
    ``departures``: by group, what § 6.2.8 makes of the games of who is expelled.
    """

    decision: Decision
    games: Mapping[int, RuledGame]
    people: Mapping[int, str]
    earlier: Mapping[str, Earlier]
    imposed: tuple[tuple[SanctionOrder, Imposed], ...] = ()
    departures: tuple[tuple[str, Withdrawal], ...] = ()


def draft(facts: RulingFacts, words: Words) -> str:
    """The decision in words, paragraphs apart by an empty line."""
    return "\n\n".join(_paragraphs(facts, words))


def _paragraphs(facts: RulingFacts, words: Words) -> Iterator[str]:
    decision = facts.decision
    for found in decision.facts:
        text = plain(found.text)
        yield words("rulings.fact", text=text, paragraphs=paragraphs((found.paragraph,)))
    for ref in decision.annuls:
        yield words("rulings.annuls", ref=ref, day=words.day(facts.earlier[ref].on))
    for ref in decision.restores:
        yield words("rulings.restores", ref=ref, day=words.day(facts.earlier[ref].on))
    for order in decision.games:
        game = facts.games[order.game]
        ordered = effect_text(order, game, words)
        yield words("rulings.in_game", game=plain(game.name), text=ordered)
    yield from _departures(facts, words)
    for sanction, imposed in facts.imposed:
        yield sanction_text(sanction, imposed, facts.people[sanction.person], words)
    for person in decision.prizes_lost:
        yield words("rulings.prize_lost", name=plain(facts.people[person]))
    if not (decision.games or decision.sanctions or decision.annuls or decision.restores):
        yield words("rulings.nothing")
    yield from _votes(facts, words)
    yield words("rulings.reasons", reasons=decision.reasons.strip())
    yield words("rulings.rests_on", paragraphs=paragraphs(decision.paragraphs))


def _votes(facts: RulingFacts, words: Words) -> Iterator[str]:
    """Who took part at the Board, how many wanted it so, who did not and why (Kendelse 107)."""
    votes, dissents = facts.decision.votes, facts.decision.dissents
    if not votes:
        return
    names = [plain(facts.people[vote.member]) for vote in votes]
    yield words("rulings.board.took_part", names=", ".join(names))
    if not dissents:
        yield words("rulings.board.unanimous")
        return
    yield words("rulings.board.majority", for_=len(votes) - len(dissents), against=len(dissents))
    for vote in dissents:
        key = "dissent" if vote.text else "dissent_bare"
        name = plain(facts.people[vote.member])
        yield words(f"rulings.board.{key}", name=name, text=own_words(vote.text))


def effect_text(order: GameOrder, game: RuledGame, words: Words) -> str:  # noqa: C901
    """What one order does to a game, in a sentence."""
    match order.effect:
        case ev.DispatchCorrected() as found:
            return _correction(found, game, words)
        case ev.DaysCharged() as charge:
            return _charge(charge, game, words)
        case ev.TotalsSet(white, black):
            sides = ((Side.WHITE, white), (Side.BLACK, black))
            parts = [
                words("rulings.total", side=side_name(side, words), days=days(total, words))
                for side, total in sides
                if total is not None
            ]
            return words("rulings.totals", totals=", ".join(parts))
        case ev.GameResumed(on):
            return words("rulings.resumed", day=words.day(on))
        case ev.ResultRuled() as ruled:
            names = {"white": plain(game.white), "black": plain(game.black)}
            return words(f"rulings.result.{ruled.result.name.lower()}", **names)
        case ev.LeaveBooked() as leave:
            named = {"first": words.day(leave.first), "last": words.day(leave.last)}
            name = _player(game, leave.by)
            return words(f"rulings.leave.{leave.leave_type.value}", name=name, **named)
        case ev.Paused(first, last, _):
            if last is None:
                return words("rulings.paused", day=words.day(first))
            return words("rulings.stood_still", first=words.day(first), last=words.day(last))
        case ev.PauseEnded(_, last):
            return words("rulings.pause_ended", day=words.day(last))
        case _:
            assert_never(order.effect)


def _player(game: RuledGame, side: Side) -> str:
    return plain(game.white if side is Side.WHITE else game.black)


def _correction(found: ev.DispatchCorrected, game: RuledGame, words: Words) -> str:
    number, side = game.move(found.ply)
    move = {"number": number_of(number, side), "name": _player(game, side)}
    parts = []
    if found.received is not None:
        parts.append(words("rulings.received_on", day=words.day(found.received), **move))
    if found.sent is not None:
        parts.append(words("rulings.sent_on", day=words.day(found.sent), **move))
    return " ".join(parts)


def _charge(charge: ev.DaysCharged, game: RuledGame, words: Words) -> str:
    key = "rulings.charged" if charge.days > 0 else "rulings.annulled_days"
    name, count = _player(game, charge.by), days(abs(charge.days), words)
    return words(key, name=name, days=count, paragraphs=paragraphs((charge.paragraph,)))


def sanction_text(order: SanctionOrder, imposed: Imposed, name: str, words: Words) -> str:
    """What a sanction becomes, with its days, and why it is more than was ordered (§ 4.1.19)."""
    name = plain(name)
    if imposed.last is None:
        return words(f"rulings.sanction.{imposed.kind.value}", name=name)
    days = {"first": words.day(imposed.first), "last": words.day(imposed.last)}
    if imposed.was_warning:
        count = DISPUTES.automatic_months
        return words("rulings.sanction.was_warning", name=name, months=count, **days)
    count = (order.months or 0) * (DISPUTES.repeated_times if imposed.is_repeated else 1)
    key = "repeated" if imposed.is_repeated else "quarantine"
    return words(f"rulings.sanction.{key}", name=name, months=count, n=count, **days)


def _departures(facts: RulingFacts, words: Words) -> Iterator[str]:
    """Why the games of who is expelled end as they do (§ 6.2.8)."""
    expelled = (o.person for o, i in facts.imposed if i.kind is SanctionKind.EXPULSION)
    names = {person: plain(facts.people[person]) for person in expelled}
    for group, outcome in facts.departures:
        if outcome.player in names:
            yield departure_text(group, outcome, names[outcome.player], words)


def departure_text(group: str, outcome: Withdrawal, name: str, words: Words) -> str:
    """What the half rule makes of an expelled player's games in a group (§ 6.2.8)."""
    key = "loses_all" if outcome.loses_all else "keeps"
    counted = {"finished": outcome.finished, "games": outcome.games}
    return words(f"rulings.expelled.{key}", name=name, group=plain(group), **counted)
