"""The readings of a case as cards on its page, each with the decision it would be, filled in.

§ 6.4.1, § 6.4.3. A card's fields are those of the decision form, so its letter is that form's
own. Not for working the readings out (kskak.cases.readings) nor for deciding (decision_pages.py).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

from aiohttp import web

from kskak.cases import readings
from kskak.cases import what_if as what_if_rules
from kskak.cases.board import lacks_votes, upheld
from kskak.cases.case import CaseRefusal, CaseStage, CaseState
from kskak.cases.case_events import CaseKind, Decision, DecisionDelivered, Instance, PaperKind
from kskak.cases.decide_case import may_act
from kskak.cases.what_if import GameOutcome, read_game_outcome
from kskak.game import game_events as ev
from kskak.regulation.editions import Regulation, Result, Side
from kskak.statement.account import account
from server.store.cases import cases as case_rows
from server.store.cases.cases import UnknownCase
from server.store.cases.papers import PaperRow
from server.store.groups import SeatRow
from server.store.mail import inbox as inbox_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases import case_decisions
from server.usecases.cases.case_actions import list_further_games
from server.usecases.cases.case_decisions import WithdrawalPreview
from server.usecases.cases.case_letter_facts import SilentGame, silent_among
from server.usecases.cases.case_views import (
    CaseGameView,
    CaseStep,
    CaseView,
    case_view,
    published_rulings,
    sees_votes,
)
from server.usecases.cases.evidence import CaseCard
from server.usecases.cases.sanctions import SanctionView, annullable, records_in
from server.usecases.context import Core
from server.usecases.play.game_views import GameView
from server.usecases.rights import require_free, rights
from server.web.board.board_view import GameStepView, list_script_texts, opening, plies, read_ply
from server.web.cases.case_texts import CaseWords, load_case_words
from server.web.frame.context import core, get_words, signed_in, speak_of

# A case as one reader sees it: the case's view, and the chosen game.


@dataclass(frozen=True, slots=True)
class Look(CaseView):
    """A case and the game in it being viewed; ``chosen`` None: it is not about a game.

    ``leaving``: what follows if its player has left, for officials (§ 6.2.8); ``published``: what
    the Board has. For its leader: ``wider``, games and players to add; ``elsewhere``, other cases'
    decisions about its games; ``records``, registered sanctions of those a decision may affect
    (§ 4.1.19).
    """

    chosen: CaseGameView | None
    leaving: WithdrawalPreview | None = None
    wider: tuple[list[GameRow], list[SeatRow]] | None = None
    elsewhere: tuple[Decision, ...] = ()
    records: Mapping[int, tuple[SanctionView, ...]] = field(default_factory=dict)
    published: tuple[readings.Precedent, ...] = ()

    @property
    def filed_letters(self) -> tuple[PaperRow, ...]:
        """Filed letters from the server, except those of decisions, shown with the decision."""
        letters = (paper for paper in self.papers if paper.kind == PaperKind.LETTER)
        return tuple(paper for paper in letters if paper.title.startswith("@"))

    @property
    def rows(self) -> tuple[GameRow, ...]:
        """The rows of its games."""
        return tuple(game.view.game for game in self.games)

    @property
    def silent(self) -> dict[int, SilentGame]:
        """The games in which the player whom the case is about is silent or absent, by id."""
        return silent_among((one.view for one in self.games), self.case.person_id or 0)

    @property
    def is_about_time(self) -> bool:
        """Whether the chosen game's time is in dispute, where the case is about more than that."""
        chosen, state = self.chosen, self.state
        if chosen is None or (len(state.opened.games) == 1 and not state.joined):
            return chosen is not None
        is_claimed = chosen.view.game.id in {claim.game for claim in state.claims}
        return is_claimed or chosen.view.account.overstep is not None

    @property
    def view(self) -> GameView | None:
        return None if self.chosen is None else self.chosen.view

    @property
    def disputed(self) -> frozenset[int]:
        """The plies in dispute."""
        return frozenset() if self.chosen is None else self.chosen.disputed

    @property
    def other_cards(self) -> tuple[CaseCard, ...]:
        """The game's cards that are not shown with the dispatches in dispute."""
        if self.chosen is None:
            return ()
        shown = [one.card for one in self.chosen.evidence]
        return tuple(card for card in self.chosen.cards if card not in shown)

    @property
    def is_official(self) -> bool:
        """Whether the reader sees the case by virtue of his office."""
        return self.viewer.is_official

    @property
    def sees_votes(self) -> bool:
        """Whether the reader may see the Board's votes before its decision (§ 1.3.9)."""
        return sees_votes(self.viewer)

    @property
    def bar(self) -> CaseRefusal | None:
        """Why the reader may not lead the case now; None when he may (§ 6.4.1)."""
        return may_act(self.state, self.viewer.actor)

    def list_news(self, seen: int | None) -> list[CaseStep]:
        """What others have done in the case since its event ``seen``; None: not known, so none."""
        own = self.viewer.person.id
        later = (one for one in self.steps if seen is not None and one.row.seq > seen)
        others = (one for one in later if one.row.actor_id != own)
        return [one for one in others if not isinstance(one.event, DecisionDelivered)]

    def paper_of(self, step: CaseStep) -> PaperRow | None:
        """The paper that an event filed, if the reader may read it."""
        digest = getattr(step.event, "digest", "")
        return next((one for one in self.papers if bytes(one.digest).hex() == digest), None)

    @property
    def path(self) -> str:
        """The case's address."""
        return f"/desk/cases/{self.case.number}"

    def named(self, people: Iterable[int]) -> str:
        """Several people's names."""
        return ", ".join(self.name(person) for person in people)

    def name(self, person_id: int | None) -> str:
        """A person's name; "" for the server and for one who is gone."""
        person = None if person_id is None else self.people.get(person_id)
        return "" if person is None else person.name


async def find_visible_case(request: web.Request, game_id: int | None = None) -> Look:
    """The case in the address; 404 if there is none or the reader may not know of it."""
    person = signed_in(request)
    number = f"{request.match_info['year']}/{request.match_info['n']}"
    row = await core(request).store.query(case_rows.by_number, number)
    if row is None:
        raise web.HTTPNotFound
    try:
        whole = await case_view(core(request), person, row.id)
    except UnknownCase:
        require_free(await rights(core(request), person), row.group_id)
        raise
    for game in whole.games[:1]:
        speak_of(request, game.view.group.class_)
    claimed = {claim.game for claim in whole.state.claims}
    in_turn = sorted(whole.games, key=lambda game: game.view.game.id not in claimed)
    whole = replace(whole, games=tuple(in_turn))  # what an opponent claims stands first
    chosen = [game for game in whole.games if game.view.game.id == game_id] or whole.games
    at, can = core(request), whole.can
    records: dict[int, tuple[SanctionView, ...]] = {}
    if can.lead:
        records = await at.store.query(records_in, sorted(whole.state.may_appeal), whole.today)
    return Look(
        **{one.name: getattr(whole, one.name) for one in fields(CaseView)},
        chosen=next(iter(chosen), None),
        leaving=await case_decisions.leaving_in(at, row) if whole.viewer.is_official else None,
        wider=await list_further_games(at, row.group_id, whole.state) if can.widen else None,
        elsewhere=await annullable(at, row, whole.state) if can.lead else (),
        records=records,
        published=await published_rulings(at) if whole.viewer.is_official else (),
    )


async def raw_mail(at: Core, view: Look, mail_id: int) -> bytes | None:
    """A mail about a game in the case as received: for officials all, for a player those of his
    own that brought a disputed move; None for any other."""
    known = {mail.id for game in view.games for mail in game.mails}
    brought = (one.mail for game in view.games for one in game.evidence)
    known |= {one.mail.id for one in brought if one is not None and one.may_read}
    if mail_id not in known:
        return None
    row = await at.store.query(inbox_rows.find, mail_id)
    return None if row is None else bytes(row.raw)


# The readings of a case as cards on its page, each with the decision it would be, filled in.

_OF_CONDUCT = frozenset({CaseKind.CONDUCT, CaseKind.WITHDRAWAL, CaseKind.SILENCE, CaseKind.OFFLINE})
_OVER_TIME = frozenset({CaseKind.OVERSTEP, CaseKind.DAYS, CaseKind.FAULTY})
_FOR_WHITE = {GameOutcome.WHITE_WINS: 1, GameOutcome.BLACK_WINS: -1}
_LOSER = {GameOutcome.WHITE_WINS: Side.BLACK, GameOutcome.BLACK_WINS: Side.WHITE}


@dataclass(frozen=True, slots=True)
class ReadingCard:
    """A reading in words; ``fields``: the decision form filled in with it.

    ``figure``: the count that the case is about, as it stands; the same on every card.
    """

    figure: readings.Figure | None
    paragraphs: tuple[str, ...]
    title: str
    account: str
    ends: str
    precedents: tuple[readings.Precedent, ...]
    against: tuple[readings.Precedent, ...]
    fields: dict[str, str]


def reading_cards(view: Look, d: CaseWords) -> tuple[ReadingCard, ...]:
    """The cards of a dispute over time, the account's own first; on appeal the decision's.

    Empty for other cases, and once a case is decided until somebody appeals; those of a case sent
    back are the account's again.
    """
    game, state = view.view, view.state
    if game is None or not _OVER_TIME & set(state.kinds) or not view.is_about_time:
        return ()
    if state.stage is CaseStage.APPEALED:
        return appeal_cards(view, game, d)
    if state.stage not in (CaseStage.OPENED, CaseStage.HEARD):
        return ()
    claimed = [one for _, one in state.claimed_dates]
    found = readings.readings(game.game.terms, game.events, view.disputed, game.today, claimed)
    kinds = tuple(one.kind.value for one in found)
    cards = tuple(_card(one, kinds, view, d) for one in found)
    return tuple(replace(card, figure=cards[0].figure) for card in cards)


def find_claimant(view: Look) -> PersonRow | None:
    """Who is to claim the overstep that the case is about, as nobody has (§ 6.3.3.5); else None."""
    game = view.view
    over = None if game is None else game.account.overstep
    if game is None or over is None or not readings.is_unclaimed(view.state, game.account):
        return None
    return game.player(over.by.other)


def appeal_cards(view: Look, game: GameView, d: CaseWords) -> tuple[ReadingCard, ...]:
    """The decision upheld, then the readings by which it would be changed (§ 6.4.3).

    They are worked out as if it had never been made. Empty where no reading leads to it. Before
    the Board they are told while it votes; then those remain that its majority is for (§ 1.3.9).
    """
    state, today, terms = view.state, game.today, game.game.terms
    latest = state.latest
    without = (*game.events, *map(ev.RulingAnnulled, state.in_question))
    claimed = [one for _, one in state.claimed_dates]
    found = readings.readings(terms, without, view.disputed, today, claimed)
    now = account(terms, game.events, today)
    stands = (read_game_outcome(now), readings.totals_of(now))
    same = next((one for one in found if (one.outcome, one.totals) == stands), None)
    if latest is None or same is None:
        return ()
    kinds = tuple(one.kind.value for one in found)
    others = (one for one in found if one.outcome is not same.outcome)
    cards = []
    for one in others:
        persons = _granted(state, game, same.outcome, one.outcome)
        if persons is not None:
            card = replace(_card(one, kinds, view, d), figure=same.figure)
            form = card.fields | {"try": "1"} | {f"grant-{person}": "1" for person in persons}
            cards.append(_about_decision(card, "changed", latest, form, d))
    card = _card(same, kinds, view, d)
    kept = {name: card.fields[name] for name in ("game", "reading", "paragraphs")}
    upholding = _about_decision(card, "upheld", latest, kept, d)
    if state.instance is Instance.BOARD and not lacks_votes(state):
        return tuple(cards) if upheld(state) else (upholding,)
    return (upholding, *cards)


def _granted(
    state: CaseState, game: GameView, before: GameOutcome, after: GameOutcome
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


def _about_decision(
    card: ReadingCard, key: str, latest: Decision, form: dict[str, str], d: CaseWords
) -> ReadingCard:
    """A reading told as what it does to the decision; ``form``: the fields that order it."""
    heading = d.words(f"readings.{key}", ref=latest.ref)
    reasons = {"reasons": f"{heading}. {card.fields['reasons']}"}
    return replace(card, title=f"{heading}: {card.title}", fields=form | reasons)


def precedents_of(view: Look) -> tuple[readings.Precedent, ...]:
    """The rulings that bear on the kind of case and of play, for who reads it by office.

    The handbook's, and those that the Board has published since (§ 1.3.9).
    """
    if not view.is_official:
        return ()
    topics = (*view.state.kinds, view.state.instance.value)
    played = {one.view.game.terms.regulation for one in view.games}
    regulation = Regulation.EMAIL if played == {Regulation.EMAIL} else Regulation.POSTAL
    known = (*readings.PRECEDENTS, *view.published)
    return readings.precedents_for(topics, regulation, known)


def conduct_cards(view: Look, d: CaseWords) -> tuple[ReadingCard, ...]:
    """An appeal about conduct, or about who counts as having left: the decision upheld, or
    annulled (§ 6.4.2, § 6.2.8, § 6.4.3, Kendelse 120).

    Annulled, the games that it ended go on from today; a date or a lesser sanction is for the form.
    Once the Board has voted, what its majority is for remains.
    """
    state = view.state
    latest = state.latest
    is_conduct = bool(_OF_CONDUCT & set(state.kinds)) and not _OVER_TIME & set(state.kinds)
    if not is_conduct or state.stage is not CaseStage.APPEALED or not latest:
        return ()
    is_voted = state.instance is Instance.BOARD and not lacks_votes(state)
    grants = upheld(state) if is_voted else {lodged.by for lodged in state.appeals}
    names = view.named(sorted(lodged.by for lodged in state.appeals))
    gone = {f"annul-{ref}": "1" for ref in state.in_question}
    back = {f"resume-{one}": view.today.isoformat() for one in _list_reopened(view)}
    annulled = gone | back | {f"grant-{person}": "1" for person in sorted(grants)}
    cards = []
    for key, form in (("upheld", {}), ("annulled", annulled)):
        if is_voted and bool(grants) is not (key == "annulled"):
            continue
        title = d.words(f"readings.{key}", ref=latest.ref)
        why = d.words(f"readings.conduct.{key}", names=names)
        fields = {"reading": "conduct", "paragraphs": d.paragraphs(state.opened.paragraphs)}
        fields |= form | {"reasons": f"{title}. {why}"}
        ends_key = key if back or key == "upheld" else "none"
        ends = d.words(f"readings.conduct.ends_{ends_key}", n=len(back))
        rulings = precedents_of(view)
        cards.append(
            ReadingCard(None, state.opened.paragraphs, title, "", ends, rulings, (), fields)
        )
    return tuple(cards)


def _list_reopened(view: Look) -> list[int]:
    """The games over by the decisions in question that are not without them."""
    out = tuple(map(ev.RulingAnnulled, view.state.in_question))
    return [
        one.view.game.id
        for one in view.games
        if one.view.account.state.result is not None
        and account(one.view.game.terms, (*one.view.events, *out), one.view.today).state.result
        is None
    ]


def _card(
    reading: readings.Reading, rivals: tuple[str, ...], view: Look, d: CaseWords
) -> ReadingCard:
    game = view.view
    assert game is not None
    words, figure = d.words, reading.figure
    loser = _LOSER.get(reading.outcome)
    name = game.player(figure.by if loser is None else loser).name
    day = "" if reading.day is None else words.day(reading.day)
    places = {"used": figure.used, "limit": figure.limit, "move": figure.move, "name": name}
    end = _end(reading.outcome)
    regulation = game.game.terms.regulation
    cited = readings.precedents_for((reading.kind.value,), regulation)
    kind, claimed = reading.kind.value, reading.claimed
    if claimed is not None:
        kind = f"claimed_{claimed.kind.value}"
        said = view.named({by for by, one in view.state.claimed_dates if one == claimed and by})
        places["claimant"] = said
    why = words(f"readings.why.{kind}", **places | {"name": game.player(figure.by).name}, day=day)
    ruled = [
        f"{words('readings.cited.precedent', number=one.number, year=one.year)}: "
        f"{words(f'precedents.decided.{one.key}')}"
        for one in cited
    ]
    is_read = reading.kind is readings.ReadingKind.LAPSED or (
        end == "both_lose" and regulation is Regulation.EMAIL
    )
    then = words(f"readings.then.{f'{end}_read' if is_read else end}", **places)
    return ReadingCard(
        figure,
        reading.paragraphs,
        words(f"readings.by.{kind}", day=day),
        words("readings.account", **places | {"name": game.player(figure.by).name}),
        words(f"readings.ends.{end}", name=name),
        cited,
        readings.precedents_against(reading.kind.value, rivals, regulation),
        dict(_fields(reading, game, d)) | {"reasons": "\n".join((f"{why} {then}", *ruled))},
    )


def _end(outcome: GameOutcome) -> str:
    """The key of how the game then stands."""
    if outcome in _LOSER:
        return "lost"
    return outcome.value if outcome in (GameOutcome.BOTH_LOSE, GameOutcome.DRAW) else "runs"


def _fields(reading: readings.Reading, game: GameView, d: CaseWords) -> Iterator[tuple[str, str]]:
    """The decision form's fields (case_texts.py, decision_pages.py) that order the reading."""
    number = game.game.id
    yield "game", str(number)
    yield "reading", reading.kind.value
    yield "paragraphs", d.paragraphs(reading.paragraphs)
    for one in reading.supposed:
        match one:
            case what_if_rules.SentOn(ply, day):
                yield "move1", str(ply)
                yield "sent1", day.isoformat()
            case what_if_rules.ReceivedOn(ply, day):
                yield "move1", str(ply)
                yield "received1", day.isoformat()
            case what_if_rules.TotalsCounted(white, black):
                yield from (("white", str(white)), ("black", str(black)))
            case what_if_rules.SpoiledByPost(entry) | what_if_rules.EntryOut(entry):
                yield f"out-{entry}", "1"
            case _:
                raise TypeError(f"the form has no field for {type(one).__name__}")
    if reading.result is not None:
        yield f"result-{number}", reading.result.value
    if reading.resume is not None:
        yield f"resume-{number}", reading.resume.isoformat()
        if reading.kind is readings.ReadingKind.NOT_RECEIVED:
            yield f"fresh-{number}", "1"


# An adjudication on its case's page: the position to try moves on, a card a result (§ 6.2.7).

_WINNER = {Result.WHITE_WINS: Side.WHITE, Result.BLACK_WINS: Side.BLACK}


def build_position(request: web.Request, view: Look) -> dict[str, object]:
    """The game's final position and the way there, as the page's board takes it; else none."""
    game = view.view
    if game is None or view.case.kind != CaseKind.ADJUDICATION:
        return {"shown": None}
    is_flipped = request.query.get("flip") == "1"
    kept = (("game", str(game.game.id)), *((("flip", "1"),) if is_flipped else ()))
    shown = GameStepView(
        key=f"game-{game.game.id}",
        base=view.path,
        names=(game.white.name, game.black.name),
        start=opening(game.account),
        moves=tuple(row.move for row in game.account.rows),
        listed=plies(game.account),
        ply=read_ply(request, len(game.account.rows)),
        side=Side.BLACK if is_flipped else Side.WHITE,
        kept=kept,
    )
    return {
        "shown": shown,
        "position": shown.picture(),
        "script_words": list_script_texts(get_words(request).words),
    }


def adjudication_cards(request: web.Request, view: Look) -> tuple[ReadingCard, ...]:
    """A card for each result, until the case is decided."""
    if view.view is None or view.case.kind != CaseKind.ADJUDICATION or view.state.decided:
        return ()
    return tuple(_cards(request, view))


def _cards(request: web.Request, view: Look) -> Iterator[ReadingCard]:
    d, game, paragraphs = load_case_words(request), view.view, view.state.opened.paragraphs
    assert game is not None
    played = plies(game.account)
    last = get_words(request).line((played[-1].move,)) if played else ""
    for result in (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS):
        side = _WINNER.get(result)
        name = "" if side is None else game.player(side).name
        end = "draw" if side is None else "won"
        why = d.words(f"readings.judged.{'after' if last else 'start'}", move=last)
        yield ReadingCard(
            figure=None,
            paragraphs=paragraphs,
            title=d.words(f"readings.judged.{end}", name=name),
            account="",
            ends=get_words(request).result(result),
            precedents=(),
            against=(),
            fields={
                "game": str(game.game.id),
                "reading": "judged",
                "paragraphs": d.paragraphs(paragraphs),
                f"result-{game.game.id}": result.value,
                "reasons": f"{why} {d.words(f'readings.judged.why_{end}', name=name)}",
            },
        )
