"""What hangs on what: all that follows, or falls, by a deed in the facts around it (§ 6.4).

The facts are what stands: games with their results, cases with their rulings and what each rests
on, sanctions, and what people hold. A deed changes them; what then contradicts itself is what
follows, each with its paragraph and the deed that would set it right. The same question asked of
the facts as they are finds what was left, for the desks. Pure; not for what a decision does to the
account of a game (aftermath.py) nor for who may decide (decide_case.py).
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import reduce

from kskak.cases.aftermath import GroupGame, loses_all, lost_result
from kskak.cases.case import CaseStage, CaseState
from kskak.cases.case_events import (
    CaseKind,
    CaseOpened,
    Decision,
    Ground,
    ImposedSanction,
    Instance,
    Sanction,
    impose,
    is_expelled,
    is_quarantined,
)
from kskak.cases.holdings import Hindrance, Holding, HoldingKind, TakenHolding
from kskak.regulation.editions import Result
from kskak.values import RuleName

HALF_RULE, GROWN = "6.2.8", "4.1.19"

# What may be done, what may follow from it, and what is then proposed.


class DeedKind(StrEnum):
    """What is done to a case, a game, a person or a club."""

    RULING = "ruling"
    WITHDRAWAL = "withdrawal"
    EXPULSION = "expulsion"
    QUARANTINE = "quarantine"
    LEAVE = "leave"
    ANNULMENT = "annulment"
    CORRECTION = "correction"
    DEATH = "death"
    CLUB_END = "club_end"


class ProposedDeed(StrEnum):
    """What would set a consequence right."""

    RULE = "rule"
    ADJUDICATE = "adjudicate"
    RULE_ANEW = "rule_anew"
    ANNUL = "annul"
    LIGHTEN = "lighten"
    CLOSE = "close"
    WITHDRAW = "withdraw"
    REPLACE = "replace"
    END = "end"
    SWAP = "swap"
    RECORD = "record"
    JUDGE = "judge"
    TELL = "tell"
    RESTORE = "restore"


class ConsequenceKind(RuleName):
    """What follows or falls, by its name in the catalogues, and its paragraph."""

    LOST = "lost", "6.2.8"
    ADJUDICATED = "adjudicated", "6.2.8"
    COUNTS_ANEW = "counts_anew", "6.2.8"
    RESTS = "rests", "6.4.3"
    LIGHTER = "lighter", "4.1.19"
    ANSWERED = "answered", "6.4.1"
    CLAIM_FALLS = "claim_falls", "6.3.6.4"
    ENTRY_FALLS = "entry_falls", "6.4.2"
    PLACE_FALLS = "place_falls", "6.4.2"
    BOARD_FALLS = "board_falls", "6.4.2"
    CAPTAIN_FALLS = "captain_falls", "6.4.2"
    OFFICE_FALLS = "office_falls", "6.4.2"
    GIVEN_BACK = "given_back", "6.4.3"
    NOT_BACK = "not_back", "6.4.3"
    NOT_EARNED = "not_earned", "6.4.5"
    NEWLY_EARNED = "newly_earned", "6.4.5"


@dataclass(frozen=True, slots=True)
class CaseDeed:
    """A deed: who or what it is about, and what it does to games by the account of each.

    ``ref``: the ruling's own name. ``results``: the games it ends (a result) or lets go on (None).
    ``refs``: the rulings it annuls. ``earned``: what results give after it, None where it changes
    none.
    """

    kind: DeedKind
    on: date
    person: int | None = None
    group: str = ""
    case: str = ""
    ref: str = ""
    refs: tuple[str, ...] = ()
    results: Mapping[int, Result | None] = field(default_factory=dict)
    sanctions: Mapping[int, tuple[Sanction, ...]] = field(default_factory=dict)
    club: str = ""
    leaves: tuple[Ground, ...] = ()
    earned: frozenset[Holding] | None = None


# The facts around a deed.


@dataclass(frozen=True, slots=True)
class NeighbourCase:
    """A case by its number: its group, the person it is about if one, and how it stands."""

    number: str
    group: str
    about: int | None
    state: CaseState

    @property
    def is_open(self) -> bool:
        """Whether it still asks something."""
        return self.state.stage in (CaseStage.OPENED, CaseStage.HEARD)

    @property
    def kind(self) -> CaseKind:
        """What it was opened about; more may have come in (``CaseState.kinds``)."""
        return self.state.opened.kind


@dataclass(frozen=True, slots=True)
class Departure:
    """A player who leaves a group, and how his games there stood (§ 6.2.8).

    ``ref``: the ruling that says so, "" while it is not made.
    """

    person: int
    group: str
    grounds: tuple[Ground, ...]
    ref: str = ""
    case: str = ""

    @property
    def loses_all(self) -> bool:
        """Whether he counts as loser of all his games, as they stood."""
        return loses_all(self.finished, len(self.grounds))

    @property
    def finished(self) -> int:
        """How many he had finished."""
        return sum(one.result is not None for one in self.grounds)

    def without(self, gone: Set[str], games: Mapping[int, GroupGame]) -> "Departure":
        """The same when some rulings are annulled, and some of the finished games resumed."""
        open_again = {number for number, game in games.items() if game.result is None}
        own = (
            replace(one, result=None, ref="") if one.game in open_again or one.ref in gone else one
            for one in self.grounds
        )
        return replace(self, grounds=tuple(own))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The facts around a deed on a day. ``sanctions``: of each person, oldest first.

    ``earned``: what the results give; ``leaving``: who leaves by a deed not yet ruled on;
    ``in_time``: games in which no overstep stands any more; ``leaves``: what was let stand;
    ``taken``: what rulings took; ``lightened``: those whose sanction became a lighter one.
    """

    on: date
    games: Mapping[int, GroupGame] = field(default_factory=dict)
    cases: tuple[NeighbourCase, ...] = ()
    sanctions: Mapping[int, tuple[Sanction, ...]] = field(default_factory=dict)
    holdings: frozenset[Holding] = frozenset()
    earned: frozenset[Holding] = frozenset()
    leaving: tuple[Departure, ...] = ()
    in_time: frozenset[int] = frozenset()
    dead: frozenset[int] = frozenset()
    ended_clubs: frozenset[str] = frozenset()
    annulled: frozenset[str] = frozenset()
    leaves: tuple[Ground, ...] = ()
    taken: tuple[TakenHolding, ...] = ()
    lightened: frozenset[str] = frozenset()

    @property
    def gone(self) -> frozenset[str]:
        """The rulings that were annulled."""
        return self.annulled.union(*(case.state.annulled for case in self.cases))

    @property
    def in_force(self) -> tuple[tuple[NeighbourCase, Decision], ...]:
        """Each ruling that stands, with its case, in the order they were made."""
        gone = self.gone
        found = [
            (case, row.decision)
            for case in self.cases
            for row in case.state.decided
            if row.decision.ref not in gone
        ]
        return tuple(sorted(found, key=lambda one: (one[1].on, one[1].ref)))

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Who has left which group, by the rulings in force and by the deed itself (§ 6.2.8)."""
        ruled = (
            Departure(person, group, own, decision.ref, case.number)
            for case, decision in self.in_force
            for (person, group), own in self._counted(decision.grounds).items()
        )
        # One who was counted anew is as the last ruling has it.
        return tuple({(it.person, it.group): it for it in (*ruled, *self.leaving)}.values())

    def losers(self, group: str) -> frozenset[int]:
        """Those who left a group and count as losers of all their games there (§ 6.2.8)."""
        gone = self.gone
        left = (one for one in self.departures if one.group == group)
        return frozenset(one.person for one in left if one.without(gone, self.games).loses_all)

    def _counted(self, grounds: Iterable[Ground]) -> dict[tuple[int, str], tuple[Ground, ...]]:
        """The games that a ruling counted by the half rule, by player and group."""
        found: dict[tuple[int, str], tuple[Ground, ...]] = {}
        for one in grounds:
            game = self.games.get(one.game or 0)
            if one.paragraph == HALF_RULE and one.person is not None and game is not None:
                of = one.person, game.group
                found[of] = (*found.get(of, ()), one)
        return found

    def is_barred(self, person: int, form: str, begins: date | None) -> bool:
        """Whether a sanction keeps him out of what begins on a day (§ 6.4.2)."""
        day, register = begins or self.on, self.sanctions.get(person, ())
        return is_quarantined(register, day) or is_expelled(register, form, day)


def grounds_of(person: int, games: Iterable[GroupGame]) -> tuple[Ground, ...]:
    """How his games stand when he leaves: what a ruling on it rests on (§ 6.2.8)."""
    return tuple(
        Ground(HALF_RULE, person, one.game, one.own_result, "" if one.is_departed else one.by)
        for one in games
        if one.side_of(person) is not None
    )


@dataclass(frozen=True, slots=True)
class CaseConsequence:
    """Something that follows, with what is proposed; ``counted``: games finished, and of how many.

    ``result``: what a game's would be, ``stood`` what it was, by the ruling ``by``; ``why``: what
    keeps a holding from being given back.
    """

    kind: ConsequenceKind
    proposes: ProposedDeed
    person: int | None = None
    case: str = ""
    ref: str = ""
    game: int | None = None
    result: Result | None = None
    stood: Result | None = None
    by: str = ""
    counted: tuple[int, int] = (0, 0)
    holding: Holding | None = None
    becomes: ImposedSanction | None = None
    why: Hindrance | None = None

    @property
    def paragraph(self) -> str:
        """The paragraph that it follows from."""
        return self.kind.paragraph

    @property
    def key(self) -> str:
        """What a decision calls it to let it stand: a ruling's name, or what somebody holds; "":
        it can't, as what results give, or what is given back."""
        if self.holding is None:
            return self.ref
        is_choice = self.takes and not self.holding.is_earned
        return self.holding.key if is_choice else ""

    @property
    def takes(self) -> bool:
        """Whether it takes from somebody what he holds, by a sanction, a death or a club's end."""
        return self.kind in {kind for kind, _ in _FALLS.values()}

    @property
    def ground(self) -> Ground:
        """How a decision names it that lets it stand as it is, with a reason."""
        return Ground(self.paragraph, self.person, self.game, None, self.key)


# What follows.


def find_consequences(
    deed: CaseDeed, facts: Surroundings, also: Iterable[CaseDeed] = ()
) -> tuple[CaseConsequence, ...]:
    """Everything that follows or falls by a deed, and by what follows from it (§ 6.4).

    ``also``: what is done with it, as when one decision expels two. Not what contradicted itself
    before: that waits on a desk (``find_contradictions``).
    """
    known = set(find_contradictions(facts))
    after, found = carry_out_all((deed, *also), facts), list[CaseConsequence]()
    while new := [one for one in find_contradictions(after) if one not in {*known, *found}]:
        found += new
        for proposed in new:
            after = settle(proposed, after)
    return tuple(found)


def find_contradictions(facts: Surroundings) -> tuple[CaseConsequence, ...]:
    """What in the facts contradicts itself, and that nobody has let stand."""
    kept = set(facts.leaves)
    found = (
        *_departures(facts),
        *_rulings(facts),
        *_questions(facts),
        *_holdings(facts),
        *_given_back(facts),
        *_standings(facts),
    )
    return tuple(dict.fromkeys(one for one in found if one.ground not in kept))


# What a deed, or what is proposed, makes of the facts.


def carry_out_all(deeds: Iterable[CaseDeed], facts: Surroundings) -> Surroundings:
    """The facts after several deeds."""
    return reduce(lambda after, deed: carry_out(deed, after), deeds, facts)


def carry_out(deed: CaseDeed, facts: Surroundings) -> Surroundings:
    """The facts as the deed itself leaves them, without what follows from it."""
    leaving: tuple[Departure, ...] = ()
    if deed.kind in _LEAVING and deed.person is not None:
        leaving = tuple(_leave(deed, facts))
    after = replace(
        facts,
        annulled=facts.annulled | {*deed.refs},
        games=_with_results(facts.games, deed, leaving),
        leaving=(*facts.leaving, *leaving),
        sanctions={**_without_rulings(facts, {*deed.refs}), **deed.sanctions},
        leaves=(*facts.leaves, *deed.leaves),
        earned=facts.earned if deed.earned is None else deed.earned,
    )
    match deed.kind:
        case DeedKind.LEAVE:
            return replace(after, in_time=after.in_time | deed.results.keys(), games=facts.games)
        case DeedKind.DEATH if deed.person is not None:
            return replace(after, dead=after.dead | {deed.person})
        case DeedKind.CLUB_END:
            return replace(after, ended_clubs=after.ended_clubs | {deed.club})
    return after


_LEAVING = (DeedKind.WITHDRAWAL, DeedKind.EXPULSION, DeedKind.DEATH)


def _with_results(
    games: Mapping[int, GroupGame], deed: CaseDeed, leaving: Iterable[Departure]
) -> dict[int, GroupGame]:
    """The games as the annulled rulings leave them, then with the deed's own results."""
    left = {ground.game for one in leaving for ground in one.grounds}
    found = {
        number: replace(game, result=game.before, by="", is_departed=False, before=None)
        if game.by and game.by in deed.refs
        else game
        for number, game in games.items()
    }
    for number, result in deed.results.items() if deed.kind is not DeedKind.LEAVE else ():
        game = found.get(number)
        if game is not None and result is not game.result:
            is_departed = number in left and result is not None
            by, before = deed.ref if result else "", game.own_result if is_departed else None
            found[number] = replace(
                game, result=result, by=by, is_departed=is_departed, before=before
            )
    return found


def _leave(deed: CaseDeed, facts: Surroundings) -> Iterator[Departure]:
    """His departures: from one group, or from each in which he still plays (§ 6.4.2)."""
    person = deed.person
    assert person is not None
    own = [game for game in facts.games.values() if game.side_of(person) is not None]
    for group in dict.fromkeys(game.group for game in own):
        games = [game for game in own if game.group == group]
        if deed.group == group or (not deed.group and any(one.result is None for one in games)):
            yield Departure(person, group, grounds_of(person, games), deed.ref, deed.case)


def settle(one: CaseConsequence, facts: Surroundings) -> Surroundings:
    """The facts once what a consequence proposes is done."""
    match one.proposes:
        case ProposedDeed.RULE if one.game is not None:
            game = facts.games[one.game]
            ruled = replace(
                game, result=one.result, by=one.ref, is_departed=True, before=game.own_result
            )
            return replace(facts, games={**facts.games, one.game: ruled})
        case ProposedDeed.ADJUDICATE if one.game is not None:
            return replace(facts, cases=(*facts.cases, _adjudication(facts.games[one.game], facts)))
        case ProposedDeed.ANNUL:
            return carry_out(CaseDeed(DeedKind.ANNULMENT, facts.on, refs=(one.ref,)), facts)
        case ProposedDeed.RULE_ANEW:
            left = (it for it in facts.departures if (it.person, it.ref) == (one.person, one.ref))
            anew = (it.without(facts.gone, facts.games) for it in left)
            return replace(facts, leaving=(*facts.leaving, *anew))
        case ProposedDeed.LIGHTEN if one.person is not None:
            lightened = facts.lightened | {one.ref}
            return replace(facts, sanctions=_lighten(one, facts), lightened=lightened)
        case ProposedDeed.CLOSE:
            rest = tuple(case for case in facts.cases if case.number != one.case)
            return replace(facts, cases=rest)
    if one.holding is None:
        return facts
    if one.kind in (ConsequenceKind.GIVEN_BACK, ConsequenceKind.NOT_BACK):
        return replace(facts, taken=tuple(it for it in facts.taken if it.holding != one.holding))
    if one.kind is ConsequenceKind.NEWLY_EARNED:
        return replace(facts, holdings=facts.holdings | {one.holding})
    earned = facts.earned - {one.holding} if one.takes else facts.earned
    return replace(facts, holdings=facts.holdings - {one.holding}, earned=earned)


def _adjudication(game: GroupGame, facts: Surroundings) -> NeighbourCase:
    opened = CaseOpened(
        CaseKind.ADJUDICATION, facts.on, Instance.LEADER, (game.white, game.black),
        "@adjudication", ("6.2.7",), games=(game.game,),
    )  # fmt: skip
    state = CaseState(opened, CaseStage.OPENED, Instance.LEADER)
    return NeighbourCase(f"@{game.game}", game.group, None, state)


def _lighten(one: CaseConsequence, facts: Surroundings) -> dict[int, tuple[Sanction, ...]]:
    """The register with a sanction as it is without the annulled one it grew from (§ 4.1.19)."""
    assert one.person is not None and one.becomes is not None
    since, kind, last = one.becomes.first, one.becomes.kind, one.becomes.last
    register = tuple(
        replace(row, kind=kind, last=last) if row.first == since and not row.is_annulled else row
        for row in facts.sanctions.get(one.person, ())
    )
    return {**facts.sanctions, one.person: register}


def _without_rulings(facts: Surroundings, refs: Set[str]) -> dict[int, tuple[Sanction, ...]]:
    """The register without what some rulings in force had imposed (§ 6.4.3)."""
    gone = {
        (order.person, made.on)
        for _, made in facts.in_force
        if made.ref in refs
        for order in made.sanctions
    }
    return {
        person: tuple(
            replace(row, is_annulled=True) if (person, row.first) in gone else row for row in rows
        )
        for person, rows in facts.sanctions.items()
    }


# What contradicts itself, subject by subject.


def _departures(facts: Surroundings) -> Iterator[CaseConsequence]:
    """What the half rule makes of the games of those who left, whatever the order (§ 6.2.8)."""
    gone = facts.gone
    games: dict[int | None, CaseConsequence] = {}  # between two who left, by the later ruling
    for one in facts.departures:
        counted = one.without(gone, facts.games) if one.ref else one
        about = CaseConsequence(
            ConsequenceKind.LOST,
            ProposedDeed.RULE,
            person=one.person,
            case=one.case,
            ref=one.ref,
            counted=(counted.finished, len(one.grounds)),
        )
        if one.ref and counted.loses_all is not one.loses_all:
            kind = ConsequenceKind.COUNTS_ANEW
            yield replace(about, kind=kind, proposes=ProposedDeed.RULE_ANEW)
        else:
            others = facts.losers(one.group) - {one.person}
            games |= {it.game: it for it in _his_games(counted, about, others, facts)}
    yield from games.values()


def _his_games(
    left: Departure, about: CaseConsequence, losers: Set[int], facts: Surroundings
) -> Iterator[CaseConsequence]:
    """His games that do not stand as the half rule has them; an other's loss is not his to win."""
    judging = (it for it in facts.cases if it.is_open and it.kind is CaseKind.ADJUDICATION)
    judged = {game for case in judging for game in case.state.opened.games}
    for ground in left.grounds:
        game = facts.games[ground.game or 0]
        side = game.side_of(left.person)
        assert side is not None
        one = replace(about, game=game.game, stood=game.result, by=game.by)
        if left.loses_all:
            result = lost_result(game, side, losers)
            # The decider's own result goes before the half rule.
            is_chosen = game.by == left.ref != "" and game.result is not Result.BOTH_LOSE
            if result is not game.result and not (game.result and is_chosen):
                yield replace(one, result=result)
        elif game.result is None and game.game not in judged and not losers & {*game.players}:
            kind = ConsequenceKind.ADJUDICATED
            yield replace(one, kind=kind, proposes=ProposedDeed.ADJUDICATE)


def _rulings(facts: Surroundings) -> Iterator[CaseConsequence]:
    """Rulings in force, and sanctions that grew, that rest on an annulled one (§ 6.4.3)."""
    gone = facts.gone
    for case, decision in facts.in_force:
        for ground in decision.grounds:
            if ground.ref not in gone or ground.paragraph == HALF_RULE:
                continue
            kind, proposes = ConsequenceKind.RESTS, ProposedDeed.ANNUL
            becomes = None
            if ground.paragraph == GROWN and ground.person is not None:
                kind, proposes = ConsequenceKind.LIGHTER, ProposedDeed.LIGHTEN
                becomes = _impose_anew(ground.person, decision, facts)
                if becomes is None:
                    continue
            yield CaseConsequence(
                kind,
                proposes,
                person=ground.person,
                case=case.number,
                ref=decision.ref,
                by=ground.ref,
                becomes=becomes,
            )


def _impose_anew(person: int, decision: Decision, facts: Surroundings) -> ImposedSanction | None:
    """What a decision's sanction becomes by the register as it is now; None: what it is there."""
    register = [row for row in facts.sanctions.get(person, ()) if not row.is_annulled]
    own = next((row for row in register if row.first == decision.on), None)
    order = next((one for one in decision.sanctions if one.person == person), None)
    if own is None or order is None:
        return None
    before = [row for row in register if row.first < decision.on]
    made = impose(before, order.kind, decision.on, order.months)
    return None if (made.kind, made.last) == (own.kind, own.last) else made


_OF_LEAVING = (CaseKind.WITHDRAWAL, CaseKind.SILENCE, CaseKind.OFFLINE)
_WHILE_PLAYED = (CaseKind.SILENCE, CaseKind.OFFLINE, CaseKind.ADJUDICATION)
_OF_GAMES = (*_WHILE_PLAYED, CaseKind.OVERSTEP, CaseKind.DAYS, CaseKind.FAULTY, CaseKind.LEAVE)
"""Kinds of case that ask about the course of games: nothing once these have ended otherwise."""


def _questions(facts: Surroundings) -> Iterator[CaseConsequence]:
    """Open cases that ask what is answered, and claims that leave takes away (§ 6.4.1)."""
    left = {(one.person, one.group): one.ref for one in facts.departures}
    for case in facts.cases:
        if not case.is_open:
            continue
        games = [facts.games[game] for game in case.state.opened.games if game in facts.games]
        one = CaseConsequence(
            ConsequenceKind.ANSWERED, ProposedDeed.CLOSE, person=case.about, case=case.number
        )
        ref = left.get((case.about or 0, case.group))
        if ref is not None and not {*case.state.kinds}.isdisjoint(_OF_LEAVING):
            yield replace(one, ref=ref)
        elif case.kind in _OF_GAMES and games and all(_is_answered(it, case) for it in games):
            yield replace(one, ref=games[0].by)
        elif (
            case.kind is CaseKind.OVERSTEP
            and games
            and all(it.game in facts.in_time for it in games)
        ):
            yield replace(one, kind=ConsequenceKind.CLAIM_FALLS, game=games[0].game)


def _is_answered(game: GroupGame, case: NeighbourCase) -> bool:
    """Whether a game's end leaves nothing to ask: of an overstep only another ruling does."""
    is_ruled_elsewhere = bool(game.by) and game.by.rpartition("/")[0] != case.number
    return game.result is not None and (case.kind in _WHILE_PLAYED or is_ruled_elsewhere)


_FALLS = {
    HoldingKind.SEAT: (ConsequenceKind.PLACE_FALLS, ProposedDeed.SWAP),
    HoldingKind.ENTRY: (ConsequenceKind.ENTRY_FALLS, ProposedDeed.WITHDRAW),
    HoldingKind.CUP_PLACE: (ConsequenceKind.PLACE_FALLS, ProposedDeed.SWAP),
    HoldingKind.BOARD: (ConsequenceKind.BOARD_FALLS, ProposedDeed.REPLACE),
    HoldingKind.CAPTAIN: (ConsequenceKind.CAPTAIN_FALLS, ProposedDeed.REPLACE),
    HoldingKind.OFFICE: (ConsequenceKind.OFFICE_FALLS, ProposedDeed.END),
}


def _holdings(facts: Surroundings) -> Iterator[CaseConsequence]:
    """What a person can't keep who is barred or dead, or whose club is no more (§ 6.4.2).

    Of a sanction only what has not begun: from what is being played an expulsion removes. A seat
    falls by a sanction alone; a team's are its boards.
    """
    left = {(one.person, one.group) for one in facts.departures}
    for one in sorted(facts.holdings, key=_order):
        fall = _FALLS.get(one.kind)
        if fall is None:
            continue
        is_seat = one.kind is HoldingKind.SEAT
        is_begun = one.begins is None or one.begins <= facts.on
        if is_seat and (is_begun or one.form == "league" or (one.person, one.of) in left):
            continue
        is_to_come = one.begins is None or one.begins >= facts.on
        is_barred = is_to_come and facts.is_barred(one.person, one.form, one.begins)
        is_ended = bool(one.club) and one.club in facts.ended_clubs
        if is_barred or (not is_seat and (is_ended or one.person in facts.dead)):
            yield CaseConsequence(*fall, person=one.person, holding=one)


def _given_back(facts: Surroundings) -> Iterator[CaseConsequence]:
    """What a ruling took that stands no more, or by a lighter sanction (§ 6.4.3): his again, or, as
    it was drawn, has begun or is another's, left to its leader with the reason. Who was struck from
    a list waits there again in any case."""
    for it in facts.taken:
        one, why = it.holding, it.find_hindrance(facts.on)
        is_out = one.person in facts.dead or (bool(one.club) and one.club in facts.ended_clubs)
        is_barred = is_out or facts.is_barred(one.person, one.form, one.begins)
        if is_barred or it.ref not in facts.gone | facts.lightened:
            continue
        kind, proposes = ConsequenceKind.GIVEN_BACK, ProposedDeed.RESTORE
        if why is not None and one.kind is not HoldingKind.ENTRY:
            kind, proposes = ConsequenceKind.NOT_BACK, _FALLS[one.kind][1]
            if why is Hindrance.BEGUN and proposes is ProposedDeed.SWAP:
                proposes = ProposedDeed.TELL
        yield CaseConsequence(kind, proposes, one.person, ref=it.ref, holding=one, why=why)


def _standings(facts: Surroundings) -> Iterator[CaseConsequence]:
    """What is held by results that no longer give it, and what they give and nobody has."""
    kept = {one for one in facts.holdings if one.is_earned}
    for one in sorted(kept ^ facts.earned, key=_order):
        kind = ConsequenceKind.NOT_EARNED if one in kept else ConsequenceKind.NEWLY_EARNED
        yield CaseConsequence(kind, _remedy(one, facts), person=one.person, holding=one)


def _remedy(one: Holding, facts: Surroundings) -> ProposedDeed:
    """What becomes of something held by results: a round that has begun is played as drawn."""
    if one.kind is HoldingKind.CUP_PLACE:
        is_begun = one.begins is not None and one.begins < facts.on
        return ProposedDeed.TELL if is_begun else ProposedDeed.SWAP
    return ProposedDeed.JUDGE if one.kind is HoldingKind.RIGHT else ProposedDeed.RECORD


def _order(one: Holding) -> tuple[str, str, int, int]:
    return one.kind.value, one.of, one.place or 0, one.person
