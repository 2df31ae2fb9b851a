"""A decision's text, drafted from what it finds and orders, for the official to edit (§ 6.4.1).

Plain paragraphs, nothing invented: facts, what they lead to in each game, sanctions, reasons,
paragraphs. NOT a letter (``mail.office_letters.cases``) and NOT for deciding anything.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import assert_never

from kskak.cases.aftermath import Aftermath
from kskak.cases.decisions import (
    AppealEnd,
    Decision,
    GameOrder,
    Instance,
    SanctionKind,
    SanctionOrder,
)
from kskak.cases.sanctions import Imposed
from kskak.cases.withdrawal import Withdrawal
from kskak.game import events as ev
from kskak.regulation.editions import DISPUTES
from kskak.regulation.quantities import Side
from mail.game_letters.common import own_words, paragraphs, plain
from mail.text.explain import days, number_of, side_name
from mail.text.words import Words

_STOP = re.compile(r"(?<![\d.])\.$")
"""A sentence's full stop, dropped before the paragraph in parentheses; not that of «den 19.»."""


@dataclass(frozen=True, slots=True)
class RuledGame:
    """A game as a decision names it, by the colours as it leaves them. ``first`` is the side and
    move number it began with.
    """

    name: str
    white: str
    black: str
    first: tuple[Side, int] = (Side.WHITE, 1)
    after: Aftermath | None = None
    """How the decision leaves it; None where a single effect is described on its own."""

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
    """What a draft needs besides the decision: names by id, earlier decisions by ref.

    ``games``: those it rules on or annuls a ruling in, as it leaves them; ``upheld``: the
    decision appealed against, if not annulled; ``leaving``: players whose games are judged by
    the half rule (§ 6.2.8).
    ``imposed``: what each sanction becomes, those of restored decisions first (§ 4.1.19);
    ``departures``: by group, what § 6.2.8 does to the games of an expelled player. ``back_to``:
    whom an appeal sends the case back to.
    """

    decision: Decision
    games: Mapping[int, RuledGame]
    people: Mapping[int, str]
    earlier: Mapping[str, Earlier]
    upheld: Earlier | None = None
    leaving: tuple[Withdrawal, ...] = ()
    imposed: tuple[tuple[SanctionOrder, Imposed], ...] = ()
    departures: tuple[tuple[str, Withdrawal], ...] = ()
    back_to: Instance | None = None

    @property
    def changes(self) -> bool:
        """Whether the decision changes anything in games or for persons."""
        ruled = self.decision
        return bool(ruled.games or ruled.sanctions or ruled.annuls or ruled.restores)


def draft(facts: RulingFacts, words: Words) -> str:
    """The decision in words, paragraphs separated by an empty line."""
    return "\n\n".join(_paragraphs(facts, words))


def _paragraphs(facts: RulingFacts, words: Words) -> Iterator[str]:
    decision = facts.decision
    for found in decision.facts:
        text = _STOP.sub("", plain(found.text))
        yield words("rulings.fact", text=text, paragraphs=paragraphs((found.paragraph,)))
    yield from _appealed(facts, words)
    yield from (_half(left, facts, words) for left in facts.leaving)
    for ref in decision.annuls:
        yield words("rulings.annuls", ref=ref, day=words.day(facts.earlier[ref].on))
    if facts.back_to is not None:
        yield words(f"rulings.sent_back.{facts.back_to.value}")
    for ref in decision.restores:
        yield words("rulings.restores", ref=ref, day=words.day(facts.earlier[ref].on))
    for game, text in game_lines(facts, words):
        yield words("rulings.in_game", game=plain(facts.games[game].name), text=text)
    yield from _departures(facts, words)
    for sanction, imposed in facts.imposed:
        yield sanction_text(sanction, imposed, facts.people[sanction.person], words)
    for person in decision.prizes_lost:
        yield words("rulings.prize_lost", name=plain(facts.people[person]))
    if not (facts.changes or facts.upheld):
        yield words("rulings.nothing")
    yield from _votes(facts, words)
    yield words("rulings.reasons", reasons=decision.reasons.strip())
    yield words("rulings.rests_on", paragraphs=paragraphs(decision.paragraphs))


def _appealed(facts: RulingFacts, words: Words) -> Iterator[str]:
    """What happens to the decision appealed against, if it is not annulled (§ 6.4.3)."""
    upheld = facts.upheld
    if upheld is not None:
        key = "rulings.changed" if facts.changes else "rulings.upheld"
        if facts.decision.appeal is AppealEnd.DISMISSED:
            key = "rulings.dismissed"
        yield words(key, ref=upheld.ref, day=words.day(upheld.on))


def _half(left: Withdrawal, facts: RulingFacts, words: Words) -> str:
    """Why a player's games are lost or judged: how many of them he had finished (§ 6.2.8)."""
    key = "rulings.half.loses_all" if left.loses_all else "rulings.half.keeps"
    name = plain(facts.people[left.player])
    return words(key, name=name, finished=left.finished, games=left.games)


def game_lines(facts: RulingFacts, words: Words) -> Iterator[tuple[int, str]]:
    """What happens to each game, by id: what is ordered, and how the game then stands.

    Nothing in a case sent back: its games rest until it is decided anew.
    """
    if facts.back_to is not None:
        return
    for game, ruled in facts.games.items():
        orders = [order for order in facts.decision.games if order.game == game]
        text = [effect_text(order, ruled, words) for order in orders]
        if not any(isinstance(order.effect, ev.ResultRuled) for order in orders):
            text.append(_outcome(ruled, words))
        yield game, " ".join(text)


def _outcome(game: RuledGame, words: Words) -> str:
    """How a decision leaves a game, in a sentence."""
    assert game.after is not None
    outcome = game.after.outcome.value
    names = {"white": plain(game.white), "black": plain(game.black)}
    result = f"rulings.result.{outcome}"
    return words(result if result in words else f"rulings.after.{outcome}", **names)


def _resumed(on: date, game: RuledGame, words: Words) -> str:
    """The day time counts from, and the days no longer counted (Kendelse 59, Kendelse 120)."""
    turn = None if game.after is None else game.after.turn
    if turn is None:
        return words("rulings.resumed", day=words.day(on))
    name = _player(game, turn.by)
    text = words("rulings.resumed_by", name=name, day=words.day(on))
    if turn.before == turn.after:
        return text
    counted = {"before": days(turn.before, words), "after": days(turn.after, words)}
    forgiven = words("rulings.turn_days", name=name, **counted)
    return f"{text} {forgiven}"


def _set_back(back: ev.GameSetBack, game: RuledGame, words: Words) -> str:
    """The position a game goes on from (FIDE 7.5), and who has which colour (FIDE 7.3)."""
    if back.swaps_colours:
        text = words("rulings.colours_changed")
        names = {"white": plain(game.white), "black": plain(game.black)}
        return text if game.after is None else f"{text} " + words("rulings.colours_now", **names)
    if back.ply == 0:
        return words("rulings.begun_anew")
    number, side = game.move(back.ply)
    move = {"number": number_of(number, side), "name": _player(game, side)}
    return words("rulings.set_back", **move)


def _votes(facts: RulingFacts, words: Words) -> Iterator[str]:
    """Who took part at the Board, how many were in favour, who was not and why (Kendelse 107)."""
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
            return _resumed(on, game, words)
        case ev.GameSetBack() as back:
            return _set_back(back, game, words)
        case ev.ClaimStands(by):
            named = {"late": _player(game, by), "winner": _player(game, by.other)}
            return words("rulings.claim_stands", **named)
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
    """What a sanction becomes, with its days, and why it exceeds the order, if so (§ 4.1.19)."""
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
    """Why the games of an expelled player end as they do (§ 6.2.8)."""
    expelled = (o.person for o, i in facts.imposed if i.kind is SanctionKind.EXPULSION)
    names = {person: plain(facts.people[person]) for person in expelled}
    for group, outcome in facts.departures:
        if outcome.player in names:
            yield departure_text(group, outcome, names[outcome.player], words)


def departure_text(group: str, outcome: Withdrawal, name: str, words: Words) -> str:
    """What the half rule does to an expelled player's games in a group (§ 6.2.8)."""
    key = "loses_all" if outcome.loses_all else "keeps"
    counted = {"finished": outcome.finished, "games": outcome.games}
    return words(f"rulings.expelled.{key}", name=name, group=plain(group), **counted)
