"""What a decision's letter says of a game is what the ledger then says (§ 6.4.1, § 6.4.3)."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kskak.cases.aftermath import Aftermath, GroupGame, aftermath, clash, ledger_events, withdraw
from kskak.cases.case import CaseReason, CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import (
    CaseDecided,
    CaseKind,
    CaseOpened,
    Decision,
    FactFound,
    GameOrder,
    Instance,
    effects,
    game_events,
)
from kskak.cases.what_if import GameOutcome, read_game_outcome
from kskak.game import game_events as ev
from kskak.play.evolve_game import replay
from kskak.play.game_state import LedgerFault, Terms
from kskak.regulation.editions import Regulation, Result, Side, rules_of
from kskak.statement.account import account
from mail.office_letters.rulings import RuledGame, RulingFacts, draft
from mail.text.catalogue import LANGUAGES, Words
from tests.fakes.machinery.draws import SLOW, drawn
from tests.fakes.machinery.each import each
from tests.kskak.plays import by_a_ruling, games
from tests.regulation.record import EMAIL, QUIET_DAY, Record, after

GAME = 7
WHITE, BLACK = "Åse Hjørdis í Dímun", "Wojciech Łęcki-Sørensen"
FIRST, SECOND, THIRD = "2026/3/1", "2026/3/2", "2026/3/3"
Game = tuple[Terms, tuple[ev.Event, ...]]


def told_outcomes(text: str, words: Words) -> set[GameOutcome]:
    """How a letter says that the game stands."""
    names = {"white": WHITE, "black": BLACK, "loses": "6.3.3.3"}
    found = set()
    for outcome in GameOutcome:
        result = f"rulings.result.{outcome}"
        key = result if result in words else f"rulings.after.{outcome}"
        if words(key, **names) in text:
            found.add(outcome)
    return found


def case_of(*decided: Decision, stage: CaseStage = CaseStage.APPEALED) -> CaseState:
    opened = CaseOpened(CaseKind.DAYS, QUIET_DAY, Instance.LEADER, (1, 2), "?", ("6.4.1",),
                        games=(GAME,))  # fmt: skip
    rows = tuple(CaseDecided(11, one) for one in decided)
    return CaseState(opened, stage, Instance.CONTROLLER, decided=rows)


def decision(ref: str, on: date, *ruled: ev.RulingEffect, **others) -> Decision:
    orders = tuple(GameOrder(GAME, effect) for effect in ruled)
    return Decision(ref, Instance.CONTROLLER, on, ("6.4.1",), "Derfor.", games=orders, **others)


def letter(state: CaseState, decided: Decision, left: Aftermath, lang: str) -> str:
    """The letter of a decision on the one game."""
    game = RuledGame("P-1/1", WHITE, BLACK, after=left)
    facts = RulingFacts(decided, {GAME: game}, {}, state.known)
    return draft(facts, Words.load(lang))


def carried(state: CaseState, game: Game, decided: Decision) -> Aftermath | CaseReason:
    """The game after a decision, or why it is refused."""
    wrong = clash(decided, state)
    if wrong is not None:
        return wrong
    new = ledger_events(decided, state).get(GAME, ())
    left = aftermath(*game, new, decided.on)
    return left.reason if isinstance(left, CaseRefusal) else left


@st.composite
def decided_games(draw: st.DrawFn) -> tuple[Game, CaseState, Decision]:
    """A game, a first decision on it that stands in its ledger, and a second one on appeal."""
    terms, events = draw(games(8))
    state = replay(terms, events)

    def orders() -> list[ev.RulingEffect]:
        some = [draw(by_a_ruling(state)) for _ in range(draw(st.integers(0, 3)))]
        return [one.effect for one in some if isinstance(one, ev.RulingApplied)]

    on = state.settled + timedelta(draw(st.integers(0, 30)))
    first = decision(FIRST, on, *orders())
    past = (*events, *game_events(first).get(GAME, ()))
    try:
        replay(terms, past)
    except LedgerFault:
        first, past = decision(FIRST, on), events
    annuls = (FIRST,) if draw(st.booleans()) else ()
    restores = (FIRST,) if not annuls and draw(st.booleans()) else ()
    second = decision(SECOND, on, *orders(), annuls=annuls, restores=restores)
    return (terms, past), case_of(first), second


@drawn(250, suppress_health_check=SLOW)
@given(decided_games())
def test_the_outcome_that_a_letter_names_is_the_games_after_the_decision(made):
    """§ 6.4.1: either the decision is refused, or its letter names the outcome, and no other."""
    (terms, past), state, second = made
    left = carried(state, (terms, past), second)
    if isinstance(left, CaseReason) or GAME not in ledger_events(second, state):
        return
    new = game_events(second, state.known)[GAME]
    reached = account(terms, [*past, *new], second.on)
    for lang in LANGUAGES:
        words = Words.load(lang)
        assert told_outcomes(letter(state, second, left, lang), words) == {
            read_game_outcome(reached)
        }
    ordered = {type(effect) for effect in effects(second, state.known)[GAME]} if (
        GAME in effects(second, state.known)) else set()  # fmt: skip
    assert not {ev.ResultRuled, ev.GameResumed} <= ordered
    if ev.GameResumed in ordered:
        assert reached.state.result is None


def lost_on_appeal() -> tuple[Game, CaseState]:
    """White has used 19 days on his move when the leader takes the game from him."""
    record = Record(EMAIL).rounds(3)
    first = decision(FIRST, after(record.day, 20),
                     ev.ResultRuled(Result.BLACK_WINS, after(record.day, 20), "", ""))  # fmt: skip
    return (record.terms, (*record.events, *game_events(first)[GAME])), case_of(first)


def test_6_4_3_on_appeal_a_game_goes_on_only_without_the_ruling_that_ended_it():
    """§ 6.4.3: resumed beside a standing result. Verdict: refused; annulled first, it goes on."""
    game, state = lost_on_appeal()
    on = after(QUIET_DAY, 20)
    resume = ev.GameResumed(on)
    assert carried(state, game, decision(SECOND, on, resume)) is CaseReason.STILL_OVER
    annulling = decision(SECOND, on, resume, annuls=(FIRST,))
    left = carried(state, game, annulling)
    assert isinstance(left, Aftermath) and left.outcome is GameOutcome.RUNS
    text = letter(state, annulling, left, "da")
    assert "Partiet går videre." in text and "har vundet" not in text


def test_6_4_1_a_decision_that_contradicts_itself_is_refused():
    """§ 6.4.1: a result and a day to go on; two results, days, totals, dates; one taken and
    given back. Verdict: refused; the same said twice is one."""
    game, state = lost_on_appeal()
    on = after(QUIET_DAY, 20)
    won, drawn = (ev.ResultRuled(result, on, "", "") for result in (Result.WHITE_WINS, Result.DRAW))
    resume, later = ev.GameResumed(on), ev.GameResumed(after(on, 1))
    out = {"annuls": (FIRST,)}
    assert carried(state, game, decision(SECOND, on, won, resume, **out)) is (
        CaseReason.RESULT_AND_RESUME)  # fmt: skip
    sent, other = (ev.DispatchCorrected(2, day, None, "", "") for day in (QUIET_DAY, on))
    for pair in (
        (won, drawn), (resume, later), (sent, other),
        (ev.TotalsSet(5, None), ev.TotalsSet(6, None)),
    ):  # fmt: skip
        assert carried(state, game, decision(SECOND, on, *pair, **out)) is CaseReason.TWO_ANSWERS
    back = decision(SECOND, on, annuls=(FIRST,), restores=(FIRST,))
    assert carried(state, game, back) is CaseReason.TWO_ANSWERS
    for pair in ((won, won), (resume, ev.TotalsSet(5, 3)), (ev.TotalsSet(5, None), won)):
        assert isinstance(carried(state, game, decision(SECOND, on, *pair, **out)), Aftermath)


def test_6_4_1_days_that_a_finished_game_does_not_count_are_refused():
    """§ 6.4.1: charged and set in a game that a ruling ended. Verdict: refused; days and a new
    result do, in whatever order they are written."""
    game, state = lost_on_appeal()
    on = after(QUIET_DAY, 20)
    charge = ev.DaysCharged(Side.WHITE, on, 3, "6.8.6", "fejl")
    won = ev.ResultRuled(Result.WHITE_WINS, on, "", "")
    for effect in (charge, ev.TotalsSet(1, 2)):
        assert carried(state, game, decision(SECOND, on, effect)) is CaseReason.STILL_OVER
    both = decision(SECOND, on, won, charge, annuls=(FIRST,))
    left = carried(state, game, both)
    assert isinstance(left, Aftermath) and left.outcome is GameOutcome.WHITE_WINS
    reached = account(game[0], [*game[1], *game_events(both, state.known)[GAME]])
    assert reached.state.white.total == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_kendelse_59_a_resumption_tells_the_days_that_no_longer_count(lang: str):
    """Kendelse 59: 19 days used on the move, resumed today. Verdict: both counts in the letter."""
    game, state = lost_on_appeal()
    on = after(QUIET_DAY, 20)
    decided = decision(SECOND, on, ev.GameResumed(on), annuls=(FIRST,))
    left = carried(state, game, decided)
    assert isinstance(left, Aftermath) and left.turn is not None
    assert (left.turn.by, left.turn.before, left.turn.after) == (Side.WHITE, 19, 0)
    words = Words.load(lang)
    days = {"before": words("statement.days", n=19), "after": words("statement.days", n=0)}
    assert words("rulings.turn_days", name=WHITE, **days) in letter(state, decided, left, lang)
    kept = decision(SECOND, on, ev.GameResumed(after(QUIET_DAY, 1)), annuls=(FIRST,))
    left = carried(state, game, kept)
    assert isinstance(left, Aftermath)
    assert words("rulings.turn_days", name=WHITE, **days) not in letter(state, kept, left, lang)


def test_6_4_1_a_game_goes_on_from_a_day_of_its_own_time():
    """§ 6.4.1: resumed in 1999, before the last sending, half a year ahead. Verdict: refused on
    both sides of the bounds, which the refusal names."""
    (terms, past), state = lost_on_appeal()
    on, sent = after(QUIET_DAY, 20), QUIET_DAY

    def refused(day: date) -> CaseRefusal | Aftermath:
        decided = decision(SECOND, on, ev.GameResumed(day), annuls=(FIRST,))
        return aftermath(terms, past, ledger_events(decided, state)[GAME], on)

    first, last = sent, on + timedelta(183)
    for day in (first, last):
        assert isinstance(refused(day), Aftermath)
    for day in (date(1999, 1, 1), after(first, -1), after(last, 1), date(2099, 1, 1)):
        assert refused(day) == CaseRefusal(
            CaseReason.GAME_DATES, until=last, since=first, day=day, game=terms.game)  # fmt: skip


@each(
    "effect is_fit",
    (ev.DispatchCorrected(2, QUIET_DAY, None, "", ""), True),
    (ev.DispatchCorrected(2, None, QUIET_DAY, "", ""), True),
    (ev.DispatchCorrected(2, None, after(QUIET_DAY, -1), "", ""), False),
    (ev.DispatchCorrected(6, after(QUIET_DAY, 20), None, "", ""), True),
    (ev.DispatchCorrected(6, after(QUIET_DAY, 21), None, "", ""), False),
    (ev.DispatchCorrected(1, after(QUIET_DAY, -1), None, "", ""), False),
    (ev.DaysCharged(Side.WHITE, after(QUIET_DAY, -1), 3, "6.8.6", "fejl"), False),
    (ev.DaysCharged(Side.WHITE, after(QUIET_DAY, 21), 3, "6.8.6", "fejl"), False),
    (ev.ResultRuled(Result.DRAW, date(1999, 1, 1), "", ""), False),
    (ev.LeaveBooked(Side.WHITE, QUIET_DAY, after(QUIET_DAY, 386), None), True),
    (ev.LeaveBooked(Side.WHITE, QUIET_DAY, after(QUIET_DAY, 387), None), False),
    (ev.GamePaused(after(QUIET_DAY, -1), None, ev.PauseReason.OUTAGE), False),
)
def test_6_4_1_every_day_of_a_decision_is_held_against_the_games(effect, is_fit: bool):
    """§ 6.4.1: found, charged, given. Verdict: none before the game, before what it answers, or
    after the decision; leave and pauses a year ahead at most."""
    (terms, past), state = lost_on_appeal()
    on = after(QUIET_DAY, 20)
    decided = decision(SECOND, on, effect, annuls=(FIRST,))
    left = aftermath(terms, past, ledger_events(decided, state)[GAME], on)
    assert isinstance(left, Aftermath) is is_fit
    if isinstance(left, CaseRefusal):
        assert left.reason is CaseReason.GAME_DATES


def test_6_2_8_the_letter_says_why_all_games_are_lost_and_stops_once():
    """§ 6.2.8: «højst halvdelen», with the numbers; a finding's own full stop is not doubled."""
    rows = [GroupGame(game, 1, 2, Result.DRAW if game < 3 else None) for game in range(5)]
    for played, key in ((rows, "Mere end halvdelen"), ([*rows, GroupGame(9, 1, 3, None)], "Højst")):
        left = withdraw(1, played, has_reason=False)
        found = ("Hun stoppede den 3. maj.", "Den 19.")
        facts = tuple(FactFound("6.2.8", text) for text in found)
        decided = decision(FIRST, QUIET_DAY, facts=facts)
        told = RulingFacts(decided, {}, {1: WHITE}, {}, leaving=(left,))
        text = draft(told, Words.load("da"))
        assert f"{key}" in text and f"(3 af {len(played)})" in text
        assert "den 3. maj (§ 6.2.8)." in text and "Den 19. (§ 6.2.8)." in text


def test_6_4_3_an_appeal_that_changes_nothing_upholds():
    """§ 6.4.3: «stadfæstes»; a change says what it changes; a first decision upholds nothing."""
    words, first = Words.load("da"), decision(FIRST, QUIET_DAY)
    for decided, upheld, said in (
        (decision(SECOND, QUIET_DAY), first, f"Afgørelsen {FIRST} af 3. maj 2010 stadfæstes."),
        (decision(SECOND, QUIET_DAY), None, "Afgørelsen ændrer ikke noget i partierne."),
    ):
        text = draft(RulingFacts(decided, {}, {}, {FIRST: first}, upheld=upheld), words)
        assert said in text and text.count("Afgørelsen") == 1
    left = RuledGame("P-1/1", WHITE, BLACK, after=Aftermath(GameOutcome.DRAW))
    drawn = decision(SECOND, QUIET_DAY, ev.ResultRuled(Result.DRAW, QUIET_DAY, "", ""))
    text = draft(RulingFacts(drawn, {GAME: left}, {}, {FIRST: first}, upheld=first), words)
    assert "ændres sådan:" in text and "stadfæstes" not in text


@each("rules", [rules_of(one) for one in Regulation])
def test_6_3_3_3_6_8_7_a_claim_upheld_cites_the_games_own_rule_set(rules):
    """A postal game § 6.3.3.3, one by e-mail § 6.8.7; so does who may claim."""
    for effect, outcome in (
        (ev.ClaimStands(Side.BLACK, QUIET_DAY), GameOutcome.WHITE_WINS),
        (ev.TotalsSet(9, 9), GameOutcome.WHITE_OVERSTEPPED),
        (ev.TotalsSet(9, 9), GameOutcome.BLACK_OVERSTEPPED),
    ):
        game = RuledGame("P-1/1", WHITE, BLACK, after=Aftermath(outcome), rules=rules)
        for lang in ("da", "en", "sv"):
            facts = RulingFacts(decision(FIRST, QUIET_DAY, effect), {GAME: game}, {}, {})
            cited = re.findall(r"6\.3\.3\.3|6\.8\.7", draft(facts, Words.load(lang)))
            assert cited and set(cited) == {rules.paragraphs.loses}, (lang, outcome)


def test_6_4_3_what_a_new_decision_is_about():
    """§ 6.4.3: on appeal all that stands; before it the latest; else nothing."""
    first = decision(FIRST, QUIET_DAY)
    second = decision(SECOND, QUIET_DAY)
    third = decision(THIRD, QUIET_DAY, annuls=(FIRST, SECOND))
    assert case_of(first, second).in_question == (FIRST, SECOND)
    assert case_of(first, second, third).in_question == (THIRD,)
    assert case_of(first, second, stage=CaseStage.DECIDED).in_question == (SECOND,)
    assert case_of(first, stage=CaseStage.FINAL).in_question == ()
