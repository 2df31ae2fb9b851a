"""A player leaving a group, and a start annulled before the first move (§ 6.2.8, § 6.1.1).

Announced by the player or found by an official, leaving is a case, and so is a silence or an
absence that counts as one (§ 6.3.4, § 6.8.1). The ruling applies the half rule to all the player's
games in the group and sends the unfinished ones to adjudication. Not for the rule itself
(kskak.cases.aftermath).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from kskak.cases.aftermath import Withdrawal, withdraw, withdrawal_orders
from kskak.cases.case import SERVER, CaseRefusal, SettleCase
from kskak.cases.case_events import CaseKind, SanctionKind, SanctionOrder
from mail.office_letters.case_letters import StartAnnulled
from server.store import cup as cup_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.groups import GroupRow, SeatRow
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.cases import case_actions
from server.usecases.cases import case_decisions as deciding
from server.usecases.cases.case_decisions import Order, decide
from server.usecases.cases.case_transaction import CaseOutcome, act_in
from server.usecases.cases.evidence import access
from server.usecases.cases.expulsion import PARAGRAPH, as_group
from server.usecases.context import Core, in_turn, poster_of
from server.usecases.games.case_opening import OF_PLAYER, UNDECIDED
from server.usecases.rights import NoSuch, NotAllowed, rights

RULED = "@left"
"""Why the other cases are closed, as a key of the catalogues."""
LEAVES = (CaseKind.WITHDRAWAL, *OF_PLAYER)
"""Cases in which a player leaves his group, or counts as having left."""


async def announce(
    core: Core, person: PersonRow, group_id: int, player_id: int, text: str
) -> CaseRow | CaseRefusal:
    """Open a case about a withdrawal, for the player or an official (§ 6.2.8).

    Raises NotAllowed for anybody else, NoSuch if the player has no game.
    """
    rows = await case_actions.games_of(core, group_id, player_id)
    held = await rights(core, person)
    if person.id != player_id and not held.speaks_for(group_id):
        raise NotAllowed
    if not rows:
        raise NoSuch("player")
    opening = case_actions.opening_of(rows, CaseKind.WITHDRAWAL, player_id, (player_id,))
    return await case_actions.open_case(core, person, opening, text)


async def find_undecided_case(core: Core, group_id: int, player_id: int) -> CaseRow | None:
    """The case about this withdrawal that is not decided yet."""
    known = await core.store.look(
        lambda conn: case_rows.open_case(
            conn, group_id=group_id, person_id=player_id, kind=CaseKind.WITHDRAWAL.value
        )
    )
    return known if known is not None and known.state in UNDECIDED else None


async def judge_player_withdrawal(core: Core, group_id: int, player_id: int) -> Withdrawal:
    """What § 6.2.8 would make of the games of a player of the group who leaves with a reason."""
    rows = await case_actions.games_of(core, group_id, player_id)
    return withdraw(player_id, as_group(rows), has_reason=True)


@dataclass(frozen=True, slots=True)
class WithdrawalPreview:
    """A player's games in the group, and what § 6.2.8 would make of them."""

    outcome: Withdrawal
    games: tuple[GameRow, ...]

    @property
    def unfinished(self) -> tuple[GameRow, ...]:
        """The games that go to adjudication (§ 6.2.8)."""
        judged = {fate.game for fate in self.outcome.fates if fate.is_adjudicated}
        return tuple(row for row in self.games if row.id in judged)


async def leaving_in(
    core: Core, case: CaseRow, *, has_reason: bool = False, is_silent: bool = False
) -> WithdrawalPreview | None:
    """What § 6.2.8 would make of the games of the player that the case is about.

    None for a case of another kind, or without games.
    """
    if case.kind not in LEAVES or case.person_id is None:
        return None
    rows = await case_actions.games_of(core, case.group_id, case.person_id)
    if not rows:
        return None
    silent = is_silent or case.kind in OF_PLAYER
    outcome = withdraw(case.person_id, as_group(rows), has_reason=has_reason, is_silent=silent)
    return WithdrawalPreview(outcome, tuple(rows))


@dataclass(frozen=True, slots=True)
class WithdrawalRuling:
    """What the official finds: whether there was a valid reason, and a quarantine's months."""

    has_reason: bool
    reasons: str
    is_silent: bool = False
    quarantine_months: int | None = None
    unheard: str = ""
    """Why it is ruled before the parties have been heard out (§ 6.4.1)."""


@dataclass(frozen=True, slots=True)
class WithdrawalOutcome:
    """The result: the rule's outcome, the case as decided, the cases of unfinished games."""

    outcome: Withdrawal
    case: CaseRow
    adjudications: tuple[CaseRow, ...]


async def plan(
    core: Core, person: PersonRow, case_id: int, ruling: WithdrawalRuling
) -> tuple[WithdrawalPreview, Order]:
    """What a ruling on a player's leaving would do; nothing is saved (§ 6.2.8).

    Raises UnknownCase, NotAllowed for a kind of case in which nobody leaves.
    """
    reader = await access(core, person, case_id)
    found = await leaving_in(
        core, reader.case, has_reason=ruling.has_reason, is_silent=ruling.is_silent
    )
    if found is None:
        raise NotAllowed
    outcome, today = found.outcome, core.today(reader.case.zone)
    months = ruling.quarantine_months if outcome.may_be_quarantined else None
    quarantine = SanctionOrder(outcome.player, SanctionKind.QUARANTINE, months)
    order = Order(
        paragraphs=tuple(dict.fromkeys((*reader.state.opened.paragraphs, PARAGRAPH))),
        reasons=ruling.reasons,
        unheard=ruling.unheard,
        games=withdrawal_orders(outcome, today),
        sanctions=(quarantine,) if months else (),
        prizes_lost=(outcome.player,) if outcome.loses_prize else (),
        leaving=(outcome,),
    )
    return found, order


async def draft_letter(
    core: Core, person: PersonRow, case_id: int, ruling: WithdrawalRuling, lang: str
) -> deciding.DecisionDraft | CaseRefusal:
    """The ruling's letter as the server would send it, to be edited (§ 6.2.8).

    Raises UnknownCase, NotAllowed.
    """
    _, order = await plan(core, person, case_id, ruling)
    return await deciding.draft_letter(core, person, case_id, order, lang)


async def rule(
    core: Core, person: PersonRow, case_id: int, ruling: WithdrawalRuling, text: str | None = None
) -> WithdrawalOutcome | CaseRefusal:
    """Rule on a withdrawal case, and open cases for its unfinished games with it (§ 6.2.8).

    ``text`` is the letter as edited; None: as drafted. All is written or nothing. Raises
    UnknownCase, NotAllowed for another kind of case.
    """
    planned, order = await plan(core, person, case_id, ruling)
    opened: list[CaseRow] = []

    def follow(conn: Connection, done: CaseOutcome) -> None:
        _close_other_cases(conn, core, done.case)
        kind = CaseKind.ADJUDICATION.value
        known = (case_rows.open_case(conn, game_id=g.id, kind=kind) for g in planned.unfinished)
        opened[:] = [case for case in known if case is not None]

    done = await decide(core, person, case_id, order, text, follow)
    if isinstance(done, CaseRefusal):
        return done
    return WithdrawalOutcome(planned.outcome, done.case, tuple(opened))


def _close_other_cases(conn: Connection, core: Core, ruled: CaseRow) -> None:
    """Close the other open cases about the player's leaving the group: this one has ruled on it."""
    assert ruled.person_id is not None
    for kind in LEAVES:
        known = case_rows.open_case(
            conn, group_id=ruled.group_id, person_id=ruled.person_id, kind=kind.value
        )
        if known is not None and known.id != ruled.id and known.state in UNDECIDED:
            other = case_rows.lock(conn, known.id)
            act_in(conn, core, other, [(SettleCase(RULED), SERVER)], core.clock.now())


class HasBegun(Exception):
    """Somebody has moved, or there is a case: the start stands."""


@in_turn
async def annul_start(core: Core, person: PersonRow, group_id: int, reason: str) -> str:
    """Annul a group's start before its first move and tell all players; returns its name.

    A cup round was drawn as a whole and is annulled as a whole. Raises NotAllowed, NoSuch,
    HasBegun.
    """
    if not (await rights(core, person)).speaks_for(group_id):
        raise NotAllowed
    ids = await core.store.look(lambda conn: cup_rows.groups_drawn_with(conn, group_id))
    together = ids or (group_id,)
    async with core.store.read() as conn:
        groups = {one.id: one for one in await group_rows.with_ids(conn, together)}
        seats = await group_rows.seats_of_all(conn, together)
    if len(groups) < len(together):
        raise NoSuch("group")
    letters: list[NewOutbox] = []
    for one in together:
        letters += _annulling_letters(core, groups[one], seats[one], reason)

    def work(conn: Connection) -> None:
        if not all(result_rows.is_untouched(conn, one, locks=True) for one in together):
            raise HasBegun
        cup_rows.forget(conn, group_id)
        for one in together:
            result_rows.take_back(conn, one)
        batch_rows.write_outbox(conn, letters)

    await core.writer.transact(work)
    return groups[group_id].name


def _annulling_letters(
    core: Core, group: GroupRow, seats: Iterable[SeatRow], reason: str
) -> list[NewOutbox]:
    """Letters to everybody in the group and its leader."""
    params: dict[str, object] = {"group": group.name, "tl": group.tl_id, "reason": reason}
    unique, poster = f"{group.name}.{group.created_us}", poster_of(core)
    told = dict.fromkeys([*(seat.person_id for seat in seats), group.tl_id])
    return [poster.to_person(StartAnnulled, p, unique, params) for p in told]
