"""A decision's text, drafted from what it finds and orders, for the official to edit (§ 6.4.1).

Not for the letters that carry it (case_letters.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import assert_never

from kskak.cases.aftermath import KEPT, Aftermath, Withdrawal
from kskak.cases.case_events import (
    AppealEnd,
    Decision,
    GameOrder,
    ImposedSanction,
    Instance,
    SanctionKind,
    SanctionOrder,
)
from kskak.cases.consequences import CaseConsequence, ConsequenceKind, ProposedDeed
from kskak.cases.holdings import Hindrance, Holding, HoldingKind
from kskak.entries.emt import EmtClass
from kskak.game import game_events as ev
from kskak.regulation.editions import DISPUTES, POSTAL, Result, RuleSet, Side
from mail.game_letters.letter_parts import paragraphs, plain, quote_person
from mail.text.catalogue import Words, hundredths
from mail.text.explanations import days, side_name, write_move_number

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
    is_departed: bool = False
    """Whether a player's leaving the group ends it (§ 6.2.8)."""
    stood: tuple[Result, str] | None = None
    """Its result until now by an earlier ruling, and that ruling."""
    rules: RuleSet = POSTAL
    """What it is played by, whose paragraphs are cited."""

    def move(self, ply: int) -> tuple[int, Side]:
        """Number and side of a ply."""
        side, number = self.first
        offset = ply - 1 + (side is Side.BLACK)
        return number + offset // 2, Side.BLACK if offset % 2 else Side.WHITE


@dataclass(frozen=True, slots=True)
class RulingFacts:
    """What a draft needs besides the decision: names by id, earlier decisions by ref.

    ``games``: those it rules on or annuls a ruling in, as it leaves them; ``upheld``: the
    decision appealed against, if not annulled; ``leaving``: players whose games are judged by
    the half rule (§ 6.2.8).
    ``imposed``: what each sanction becomes, those of restored decisions first (§ 4.1.19);
    ``departures``: by group, what § 6.2.8 does to the games of an expelled player. ``follows``:
    what is done in other cases, ``left_standing``: what is let stand there (§ 6.4.3).
    ``back_to``: whom an appeal sends the case back to.
    """

    decision: Decision
    games: Mapping[int, RuledGame]
    people: Mapping[int, str]
    earlier: Mapping[str, Decision]
    upheld: Decision | None = None
    leaving: tuple[Withdrawal, ...] = ()
    imposed: tuple[tuple[SanctionOrder, ImposedSanction], ...] = ()
    departures: tuple[tuple[str, Withdrawal], ...] = ()
    follows: tuple[CaseConsequence, ...] = ()
    left_standing: tuple[CaseConsequence, ...] = ()
    stands_why: str = ""
    back_to: Instance | None = None
    is_answer: bool = False
    """Whether it answers a question put to the Board, and decides no dispute (§ 1.3.9)."""

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
    yield from _explain_appealed_decision(facts, words)
    yield from (_half(left, facts, words) for left in facts.leaving)
    for ref in decision.annuls:
        yield words("rulings.annuls", ref=ref, day=words.day(facts.earlier[ref].on))
    yield from lapsed_lines(facts, words)
    if facts.back_to is not None:
        yield words(f"rulings.sent_back.{facts.back_to.value}")
    for ref in decision.restores:
        yield words("rulings.restores", ref=ref, day=words.day(facts.earlier[ref].on))
    for game, text in game_lines(facts, words):
        yield words("rulings.in_game", game=plain(facts.games[game].name), text=text)
    yield from _departures(facts, words)
    for sanction, imposed in facts.imposed:
        yield sanction_text(sanction, imposed, facts.people[sanction.person], words)
    yield from _follows(facts, words)
    for person in decision.prizes_lost:
        yield words("rulings.prize_lost", name=plain(facts.people[person]))
    if not (facts.changes or facts.upheld or facts.is_answer):
        yield words("rulings.nothing")
    yield from _votes(facts, words)
    key = "answer" if facts.is_answer else "reasons"
    yield words(f"rulings.{key}", reasons=decision.reasons.strip())
    yield words("rulings.rests_on", paragraphs=paragraphs(decision.paragraphs))


def lapsed_lines(facts: RulingFacts, words: Words) -> Iterator[str]:
    """What annulled decisions did to persons, which no longer holds (§ 6.4.3)."""
    for ref in facts.decision.annuls:
        for person in {one.person: one for one in facts.earlier[ref].sanctions}:
            yield words("rulings.sanction_back", ref=ref, name=plain(facts.people[person]))
        for person in facts.earlier[ref].prizes_lost:
            if person not in facts.decision.prizes_lost:
                yield words("rulings.prize_back", name=plain(facts.people[person]))


def _explain_appealed_decision(facts: RulingFacts, words: Words) -> Iterator[str]:
    """What happens to the decision appealed against, if it is not annulled (§ 6.4.3)."""
    upheld = facts.upheld
    if upheld is not None:
        key = "rulings.changed" if facts.changes else "rulings.upheld"
        if facts.decision.appeal in (AppealEnd.DISMISSED, AppealEnd.INCOMPETENT):
            key = f"rulings.{facts.decision.appeal.value}"
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
        keeps_days = any(getattr(order.effect, "reason", "") == KEPT for order in orders)
        told = _without_count(ruled) if keeps_days else ruled
        text = [effect_text(order, told, words) for order in orders]
        if not any(isinstance(order.effect, ev.ResultRuled) for order in orders):
            text.append(_outcome(ruled, words))
        if ruled.stood is not None:
            result = f"rulings.result.{ruled.stood[0].name.lower()}"
            names = {"white": plain(ruled.white), "black": plain(ruled.black)}
            text.append(words("rulings.stood", ref=ruled.stood[1], text=words(result, **names)))
        yield game, " ".join(text)


def _without_count(game: RuledGame) -> RuledGame:
    """The same without the count of days on the move: the order that keeps them tells it."""
    if (after := game.after) is None or (turn := after.turn) is None:
        return game
    return replace(game, after=replace(after, turn=replace(turn, before=turn.after)))


def _outcome(game: RuledGame, words: Words) -> str:
    """How a decision leaves a game, in a sentence."""
    assert game.after is not None
    outcome = game.after.outcome.value
    names = {"white": plain(game.white), "black": plain(game.black), **game.rules.cited}
    result = f"rulings.result.{outcome}"
    return words(result if result in words else f"rulings.after.{outcome}", **names)


def _explain_resumption(on: date, game: RuledGame, words: Words) -> str:
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
    move = {"number": write_move_number(number, side), "name": _player(game, side)}
    return words("rulings.set_back", **move)


def _votes(facts: RulingFacts, words: Words) -> Iterator[str]:
    """Who took part at the Board, how many were in favour, who was not and why (Kendelse 107)."""
    votes, dissents = facts.decision.votes, facts.decision.dissents
    if not votes:
        return
    names = [plain(facts.people[vote.member]) for vote in votes]
    yield words("rulings.board.took_part", names=", ".join(names))
    for vote in votes:
        if vote.reason:
            key = "vacant" if vote.instead_of is None else "substitute"
            instead = "-" if vote.instead_of is None else plain(facts.people[vote.instead_of])
            named = {"name": plain(facts.people[vote.member]), "instead": instead}
            yield words(f"rulings.board.{key}", **named, why=absence_text(vote.reason, words))
    if not dissents:
        yield words("rulings.board.unanimous")
        return
    yield words("rulings.board.majority", for_=len(votes) - len(dissents), against=len(dissents))
    for vote in dissents:
        key = "dissent" if vote.text else "dissent_bare"
        name = plain(facts.people[vote.member])
        yield words(f"rulings.board.{key}", name=name, text=quote_person(vote.text))


def absence_text(reason: str, words: Words) -> str:
    """Why a member of the Board doesn't sit: as it was said, or in the catalogue's words."""
    if not reason.startswith("@"):
        return quote_person(reason)
    return words(f"rulings.board.absent.{reason.removeprefix('@')}")


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
            return _explain_resumption(on, game, words)
        case ev.GameSetBack() as back:
            return _set_back(back, game, words)
        case ev.ClaimStands(by):
            late, winner = _player(game, by), _player(game, by.other)
            return words("rulings.claim_stands", late=late, winner=winner, **game.rules.cited)
        case ev.ResultRuled() as ruled:
            names = {"white": plain(game.white), "black": plain(game.black)}
            is_both = ruled.result is Result.BOTH_LOSE and game.is_departed
            key = "both_left" if is_both else ruled.result.name.lower()
            return words(f"rulings.result.{key}", **names)
        case ev.LeaveBooked() as leave:
            named = {"first": words.day(leave.first), "last": words.day(leave.last)}
            name = _player(game, leave.by)
            key = f"rulings.leave.{leave.leave_type.value}"
            return words(key, name=name, **named, **game.rules.cited)
        case ev.GamePaused(first, last, _):
            if last is None:
                return words("rulings.paused", day=words.day(first))
            return words("rulings.stood_still", first=words.day(first), last=words.day(last))
        case ev.PauseEnded(_, last):
            return words("rulings.pause_ended", day=words.day(last))
        case _:
            assert_never(order.effect)


def _follows(facts: RulingFacts, words: Words) -> Iterator[str]:
    """What is done in other cases that rested on what is annulled, and what stands there still."""
    told = (ConsequenceKind.COUNTS_ANEW, ConsequenceKind.LIGHTER)
    for one in facts.follows:
        if one.kind in told or one.holding is not None:
            yield follow_text(one, facts.people, words)
    for one in facts.left_standing:
        if one.holding is not None:
            name, why = plain(facts.people.get(one.person or 0, "")), quote_person(facts.stands_why)
            what = held_text(one.holding, words)
            yield words("rulings.follows.kept", name=name, of=what, why=why)
    for ref in dict.fromkeys(one.ref for one in facts.left_standing if one.holding is None):
        yield words("rulings.follows.left", ref=ref)


def follow_text(
    one: CaseConsequence, people: Mapping[int, str], words: Words, falls: bool = True
) -> str:
    """What follows from a decision in another case, in a sentence (§ 6.4.3, § 4.1.19).

    ``falls``: whether a ruling that rests on it falls too, or is for a higher instance.
    """
    if one.kind in (ConsequenceKind.GIVEN_BACK, ConsequenceKind.NOT_BACK):
        return _back_text(one, people, words)
    if one.holding is not None and one.holding.is_earned:
        return standing_text(one, people.get(one.person or 0, ""), words)
    last = None if one.becomes is None else one.becomes.last
    key = "rests_above" if not falls and one.kind is ConsequenceKind.RESTS else None
    key = key or f"{one.kind.value}_until" if last is not None else one.kind.value
    heir = None if one.holding is None else one.holding.heir
    if one.holding and one.holding.begins and one.proposes is ProposedDeed.REPLACE:
        key = f"{one.kind.value}_{'drawn' if heir is None else 'heir'}"
    finished, games = one.counted
    return words(
        f"rulings.follows.{key}",
        name=plain(people.get(one.person or 0, "")),
        ref=one.ref,
        case=one.case,
        by=one.by,
        last="" if last is None else words.day(last),
        finished=finished,
        games=games,
        of="" if one.holding is None else holding_text(one.holding, words),
        heir=plain(people.get(heir or 0, "")),
    )


def _back_text(one: CaseConsequence, people: Mapping[int, str], words: Words) -> str:
    """What is given back, or why it can't be, and who may do what instead (§ 6.4.3)."""
    held = one.holding
    assert held is not None
    kind, names = held.kind.value, {"name": plain(people.get(held.person, ""))}
    names |= {"of": holding_text(held, words), "heir": plain(people.get(held.heir or 0, ""))}
    if one.kind is ConsequenceKind.GIVEN_BACK:
        return words(f"rulings.back.{kind}{'' if one.why is None else '_drawn'}", **names)
    why = f"{one.why}{'_by' if one.why is Hindrance.TAKEN and held.heir else ''}"
    deed = f"{one.proposes.value}{f'_{kind}' if one.proposes is ProposedDeed.REPLACE else ''}"
    deed = f"{deed}_entered" if held.begins is None and kind in ("board", "captain") else deed
    return words(
        "rulings.not_back.line",
        what=held_text(held, words),
        why=words(f"rulings.not_back.why.{why}", **names),
        deed=words(f"rulings.not_back.deed.{deed}", **names),
        **names,
    )


def told_changes(found: Iterable[CaseConsequence]) -> list[CaseConsequence]:
    """What a ruling changes of what results give, without a loss that another line replaces."""
    told = [(one, one.holding.kind) for one in found if one.holding]
    new = [(one, kind) for one, kind in told if one.kind is ConsequenceKind.NEWLY_EARNED]
    instead = {(one.person, kind) for one, kind in new}
    lost = (it for it in told if it[0].kind is ConsequenceKind.NOT_EARNED)
    gone = [one for one, kind in lost if (one.person, kind) not in instead]
    judged = (one for one, _ in told if one.kind is ConsequenceKind.ENTRY_FALLS)
    return [*gone, *(one for one, _ in new), *judged]


def standing_text(one: CaseConsequence, name: str, words: Words) -> str:
    """What somebody gets or loses by changed results: a title, right, prize or place (§ 6.4.5)."""
    held = one.holding
    assert held is not None
    is_right = held.kind is HoldingKind.RIGHT
    what = f"right.{held.form}" if is_right else held.kind.value
    of = held.of
    if one.kind is ConsequenceKind.PLACE_FALLS:
        what = "next_round"
    if held.kind is HoldingKind.TEAM_PLACE:
        what = f"team_place.{held.of}"
    if held.kind is HoldingKind.TITLE:
        of = words(f"tables.title.{of}")
    elif is_right:
        of = words(f"tables.class.{EmtClass(of).name}")
    text = words(
        f"rulings.standing.{what}",
        name=plain(name),
        of=of,
        group=held.club,
        place=held.place or "",
        amount=hundredths(Fraction(held.number, 100), words),
    )
    lost = one.kind is ConsequenceKind.NOT_EARNED
    text = words("rulings.standing.lost", text=text) if lost else text
    if held.kind is HoldingKind.CUP_PLACE and held.begins is not None:
        return f"{text} {words(f'rulings.standing.{one.proposes.value}')}"
    return text


def held_text(one: Holding, words: Words) -> str:
    """What somebody holds: the entry to a list, a board in a team, its captaincy."""
    return words(f"rulings.held.{one.kind.value}", of=holding_text(one, words))


def holding_text(one: Holding, words: Words) -> str:
    """What somebody holds, by name: a list, a team, an office."""
    is_office = one.kind is HoldingKind.OFFICE
    return words(f"desk.office.{one.of}") if is_office else plain(one.of)


def _player(game: RuledGame, side: Side) -> str:
    return plain(game.white if side is Side.WHITE else game.black)


def _correction(found: ev.DispatchCorrected, game: RuledGame, words: Words) -> str:
    number, side = game.move(found.ply)
    move = {"number": write_move_number(number, side), "name": _player(game, side)}
    parts = []
    if found.received is not None:
        parts.append(words("rulings.received_on", day=words.day(found.received), **move))
    if found.sent is not None:
        parts.append(words("rulings.sent_on", day=words.day(found.sent), **move))
    return " ".join(parts)


def _charge(charge: ev.DaysCharged, game: RuledGame, words: Words) -> str:
    key = "rulings.charged" if charge.days > 0 else "rulings.annulled_days"
    key = "rulings.kept_days" if charge.reason == KEPT else key
    name, count = _player(game, charge.by), days(abs(charge.days), words)
    return words(key, name=name, days=count, paragraphs=paragraphs((charge.paragraph,)))


def sanction_text(order: SanctionOrder, imposed: ImposedSanction, name: str, words: Words) -> str:
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
