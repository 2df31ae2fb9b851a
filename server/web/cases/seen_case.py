"""A case as one reader sees it: the case's view, and the chosen game.

Not for what the page says (page.py) or who may see it (usecases/cases/access.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from aiohttp import web

from kskak.cases.decisions import Decision
from kskak.cases.events import PaperKind
from kskak.cases.refusals import CaseRefusal
from kskak.cases.state import CaseState
from kskak.cases.verdicts import may_act
from server.store.cases import cases_and_events as case_rows
from server.store.cases.cases_and_events import CaseRow, UnknownCase
from server.store.cases.papers import PaperRow
from server.store.mail import inbox as inbox_rows
from server.store.mail.game_mail import LetterOut, MailIn
from server.store.play.games import GameRow
from server.usecases.cases import withdrawals
from server.usecases.cases.access import Access
from server.usecases.cases.citing import annullable
from server.usecases.cases.evidence import CaseCard
from server.usecases.cases.sanctions import Record, records_in
from server.usecases.cases.silence import SilentGame, silent_among
from server.usecases.cases.views import Can, CaseGame, CaseStep, CaseView, case_view, sees_votes
from server.usecases.cases.widening import Wider, wider
from server.usecases.cases.withdrawals import Leaving
from server.usecases.core.context import Core
from server.usecases.play.game_views import GameView
from server.web.frame.context import core, signed_in


@dataclass(frozen=True, slots=True)
class Look:
    """A case and the game in it being viewed; ``chosen`` None: it is not about a game.

    ``leaving``: what follows if its player has left, for officials (§ 6.2.8). For its leader:
    ``wider``, what could be added; ``elsewhere``, other cases' decisions about its games;
    ``records``, registered sanctions of those a decision may affect (§ 4.1.19).
    """

    whole: CaseView
    chosen: CaseGame | None
    leaving: Leaving | None = None
    wider: Wider | None = None
    elsewhere: tuple[Decision, ...] = ()
    records: Mapping[int, tuple[Record, ...]] = field(default_factory=dict)

    @property
    def case(self) -> CaseRow:
        return self.whole.case

    @property
    def state(self) -> CaseState:
        return self.whole.state

    @property
    def found(self) -> Access:
        return self.whole.viewer

    @property
    def can(self) -> Can:
        """What the reader may do now."""
        return self.whole.can

    @property
    def today(self) -> date:
        """The local day."""
        return self.whole.today

    @property
    def papers(self) -> tuple[PaperRow, ...]:
        """The papers that the reader may see."""
        return self.whole.papers

    @property
    def filed_letters(self) -> tuple[PaperRow, ...]:
        """Filed letters from the server, except those of decisions, shown with the decision."""
        letters = (paper for paper in self.papers if paper.kind == PaperKind.LETTER)
        return tuple(paper for paper in letters if paper.title.startswith("@"))

    @property
    def steps(self) -> tuple[CaseStep, ...]:
        return self.whole.steps

    @property
    def games(self) -> tuple[GameRow, ...]:
        return tuple(game.view.game for game in self.whole.games)

    @property
    def silent(self) -> dict[int, SilentGame]:
        """The games in which the player whom the case is about is silent or absent, by id."""
        return silent_among((one.view for one in self.whole.games), self.case.person_id or 0)

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
    def mails(self) -> tuple[MailIn, ...]:
        """Incoming mails about the game, for officials."""
        return () if self.chosen is None else self.chosen.mails

    @property
    def letters(self) -> tuple[LetterOut, ...]:
        """Outgoing letters about the game, for officials."""
        return () if self.chosen is None else self.chosen.letters

    @property
    def is_official(self) -> bool:
        """Whether the reader sees the case by virtue of his office."""
        return self.found.is_official

    @property
    def sees_votes(self) -> bool:
        """Whether the reader may see the Board's votes before its decision (§ 1.3.9)."""
        return sees_votes(self.found)

    @property
    def bar(self) -> CaseRefusal | None:
        """Why the reader may not lead the case now; None when he may (§ 6.4.1)."""
        return may_act(self.state, self.found.actor)

    @property
    def path(self) -> str:
        """The case's address."""
        return f"/desk/cases/{self.case.number}"

    def named(self, people: Iterable[int]) -> str:
        """Several people's names."""
        return ", ".join(self.name(person) for person in people)

    def name(self, person_id: int | None) -> str:
        """A person's name; "" for the server and for one who is gone."""
        person = None if person_id is None else self.whole.people.get(person_id)
        return "" if person is None else person.name


async def seen_case(request: web.Request, game_id: int | None = None) -> Look:
    """The case in the address; 404 if there is none or the reader may not know of it."""
    person = signed_in(request)
    number = f"{request.match_info['year']}/{request.match_info['n']}"
    async with core(request).store.read() as conn:
        row = await case_rows.by_number(conn, number)
    if row is None:
        raise web.HTTPNotFound
    try:
        whole = await case_view(core(request), person, row.id)
    except UnknownCase:
        raise web.HTTPNotFound from None
    chosen = [game for game in whole.games if game.view.game.id == game_id] or whole.games
    at, can = core(request), whole.can
    return Look(
        whole,
        next(iter(chosen), None),
        await withdrawals.leaving_in(at, row) if whole.viewer.is_official else None,
        await wider(at, row.group_id, whole.state) if can.widen else None,
        await annullable(at, row, whole.state) if can.lead else (),
        await _records(at, whole) if can.lead else {},
    )


async def _records(at: Core, whole: CaseView) -> dict[int, tuple[Record, ...]]:
    """Earlier sanctions of those whom the decision may affect (§ 4.1.19)."""
    async with at.store.read() as conn:
        return await records_in(conn, sorted(whole.state.may_appeal), whole.today)


async def raw_mail(at: Core, look: Look, mail_id: int) -> bytes | None:
    """A mail about a game in the case as received: for officials all, for a player those of his
    own that brought a disputed move; None for any other."""
    known = {mail.id for game in look.whole.games for mail in game.mails}
    brought = (one.mail for game in look.whole.games for one in game.evidence)
    known |= {one.mail.id for one in brought if one is not None and one.may_read}
    if mail_id not in known:
        return None
    async with at.store.read() as conn:
        row = await inbox_rows.find(conn, mail_id)
    return None if row is None else bytes(row.raw)
