"""The readings of a case as cards on its page, each with the decision it would be, filled in.

§ 6.4.1, § 6.4.3. A card's fields are those of the decision form, so its letter is that form's
own. Not for working the readings out (kskak.cases.readings) nor for deciding (deciding.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kskak.cases import what_if as wi
from kskak.cases.decisions import Decision, Instance
from kskak.cases.events import CaseKind
from kskak.cases.precedents import Precedent, precedents_against, precedents_for
from kskak.cases.readings import Figure, Reading, readings, totals_of
from kskak.cases.state import CaseStage, CaseState
from kskak.cases.votes import lacks_votes, upheld
from kskak.cases.what_if_compared import Outcome, outcome_of
from kskak.game import events as ev
from kskak.regulation.quantities import Side
from kskak.statement.account import account
from server.usecases.play.game_views import GameView
from server.web.cases.seen_case import Look
from server.web.cases.words import CaseWords

_OVER_TIME = frozenset({CaseKind.OVERSTEP, CaseKind.DAYS, CaseKind.FAULTY})
_FOR_WHITE = {Outcome.WHITE_WINS: 1, Outcome.BLACK_WINS: -1}
_LOSER = {Outcome.WHITE_WINS: Side.BLACK, Outcome.BLACK_WINS: Side.WHITE}


@dataclass(frozen=True, slots=True)
class ReadingCard:
    """A reading in words; ``fields``: the decision form filled in with it.

    ``figure``: the count that the case is about, as it stands; the same on every card.
    """

    figure: Figure | None
    paragraphs: tuple[str, ...]
    title: str
    account: str
    ends: str
    precedents: tuple[Precedent, ...]
    against: tuple[Precedent, ...]
    fields: dict[str, str]


def reading_cards(view: Look, d: CaseWords) -> tuple[ReadingCard, ...]:
    """The cards of a dispute over time, the account's own first; on appeal the decision's.

    Empty for other cases, and once a case is decided until somebody appeals; those of a case sent
    back are the account's again.
    """
    game, state = view.view, view.state
    if game is None or view.case.kind not in _OVER_TIME:
        return ()
    if state.stage is CaseStage.APPEALED:
        return appeal_cards(view, game, d)
    if state.stage not in (CaseStage.OPENED, CaseStage.HEARD):
        return ()
    found = readings(game.game.terms, game.events, view.disputed, game.today)
    kinds = tuple(one.kind.value for one in found)
    cards = tuple(_card(one, kinds, game, d) for one in found)
    return tuple(replace(card, figure=cards[0].figure) for card in cards)


def appeal_cards(view: Look, game: GameView, d: CaseWords) -> tuple[ReadingCard, ...]:
    """The decision upheld, then the readings by which it would be changed (§ 6.4.3).

    They are worked out as if it had never been made. Empty where no reading leads to it. Before
    the Board they are told while it votes; then those remain that its majority is for (§ 1.3.9).
    """
    state, today, terms = view.state, game.today, game.game.terms
    latest = state.latest
    without = (*game.events, *map(ev.RulingAnnulled, state.in_question))
    found = readings(terms, without, view.disputed, today)
    now = account(terms, game.events, today)
    stands = (outcome_of(now), totals_of(now))
    same = next((one for one in found if (one.outcome, one.totals) == stands), None)
    if latest is None or same is None:
        return ()
    kinds = tuple(one.kind.value for one in found)
    others = (one for one in found if one.outcome is not same.outcome)
    granted = ((one, _granted(state, game, same.outcome, one.outcome)) for one in others)
    cards = tuple(
        _changing(_card(one, kinds, game, d), latest, persons, d)
        for one, persons in granted
        if persons is not None
    )
    cards = tuple(replace(card, figure=same.figure) for card in cards)
    upholding = _upholding(_card(same, kinds, game, d), latest, d)
    if state.instance is Instance.BOARD and not lacks_votes(state):
        return cards if upheld(state) else (upholding,)
    return (upholding, *cards)


def _granted(
    state: CaseState, game: GameView, before: Outcome, after: Outcome
) -> tuple[int, ...] | None:
    """Whose appeal is upheld when the outcome is changed; None: that is for a person to say.

    The Board's votes say it; else the only appellant's, or that of the player whom it favours.
    """
    if state.instance is Instance.BOARD:
        return tuple(sorted(upheld(state)))
    appellants = {one.by for one in state.appeals}
    if len(appellants) == 1:
        return tuple(appellants)
    gain = _FOR_WHITE.get(after, 0) - _FOR_WHITE.get(before, 0)
    favoured = game.game.person_of(Side.WHITE if gain > 0 else Side.BLACK)
    return (favoured,) if gain and favoured in appellants else None


def _upholding(card: ReadingCard, latest: Decision, d: CaseWords) -> ReadingCard:
    said = d.words("readings.upheld", ref=latest.ref)
    kept = {name: card.fields[name] for name in ("game", "reading", "paragraphs")}
    reasons = {"reasons": f"{said}. {card.fields['reasons']}"}
    return replace(card, title=f"{said}: {card.title}", fields=kept | reasons)


def _changing(
    card: ReadingCard, latest: Decision, granted: tuple[int, ...], d: CaseWords
) -> ReadingCard:
    fields = {"try": "1"} | {f"grant-{person}": "1" for person in granted}
    said = d.words("readings.changed", ref=latest.ref)
    reasons = {"reasons": f"{said}. {card.fields['reasons']}"}
    return replace(card, title=f"{said}: {card.title}", fields=card.fields | fields | reasons)


def precedents_of(view: Look) -> tuple[Precedent, ...]:
    """The rulings that bear on the kind of case, for who reads it by office."""
    return precedents_for((view.case.kind,)) if view.is_official else ()


def _card(reading: Reading, rivals: tuple[str, ...], game: GameView, d: CaseWords) -> ReadingCard:
    words, figure = d.words, reading.figure
    loser = _LOSER.get(reading.outcome)
    name = game.player(figure.by if loser is None else loser).name
    day = "" if reading.day is None else words.day(reading.day)
    places = {"used": figure.used, "limit": figure.limit, "move": figure.move, "name": name}
    end = _end(reading.outcome)
    cited = precedents_for((reading.kind.value,))
    why = words(f"readings.why.{reading.kind.value}", name=game.player(figure.by).name, day=day)
    ruled = [
        f"{words('readings.cited.precedent', number=one.number, year=one.year)}: "
        f"{words(f'precedents.decided.{one.key}')}"
        for one in cited
    ]
    then = words(f"readings.then.{end}", **places)
    return ReadingCard(
        figure,
        reading.paragraphs,
        words(f"readings.by.{reading.kind.value}", day=day),
        words("readings.account", **places | {"name": game.player(figure.by).name}),
        words(f"readings.ends.{end}", name=name),
        cited,
        precedents_against(reading.kind.value, rivals),
        dict(_fields(reading, game, d)) | {"reasons": "\n".join((f"{why} {then}", *ruled))},
    )


def _end(outcome: Outcome) -> str:
    """The key of how the game then stands."""
    if outcome in _LOSER:
        return "lost"
    return outcome.value if outcome in (Outcome.BOTH_LOSE, Outcome.DRAW) else "runs"


def _fields(reading: Reading, game: GameView, d: CaseWords) -> Iterator[tuple[str, str]]:
    """The decision form's fields (what_if_form.py, decision_form.py) that order the reading."""
    number = game.game.id
    yield "game", str(number)
    yield "reading", reading.kind.value
    yield "paragraphs", d.paragraphs(reading.paragraphs)
    for one in reading.supposed:
        match one:
            case wi.SentOn(ply, day):
                yield "move1", str(ply)
                yield "sent1", day.isoformat()
            case wi.SpoiledByPost(entry) | wi.EntryOut(entry):
                yield f"out-{entry}", "1"
            case _:
                raise TypeError(f"the form has no field for {type(one).__name__}")
    if reading.result is not None:
        yield f"result-{number}", reading.result.value
    if reading.resume is not None:
        yield f"resume-{number}", reading.resume.isoformat()
