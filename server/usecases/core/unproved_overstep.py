"""A case that a player raises by mail about an overstep the account does not show (§ 6.4.1).

In the mail's own transaction, with the player's words and the account. Kendelse 107: the facts of a
card are for whoever decides. Not for claims that the account bears out (case_opening.py).
"""

from sqlalchemy import Connection

from kskak.cases.commands import Actor, FilePaper
from kskak.cases.decide import after, decide_case
from kskak.cases.events import CaseKind, PaperKind
from kskak.cases.refusals import CaseRefusal
from kskak.regulation.days import local_day
from kskak.regulation.quantities import Regulation
from mail.game_letters.claims import PARAGRAPHS
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_papers
from server.store.cases.papers import NewPaper
from server.store.engine.types import to_us
from server.store.mail import batch as ledger
from server.usecases.core.case_opening import Opening, evidence, open_in
from server.usecases.core.case_record import (
    CaseWord,
    Notice,
    append_to,
    notices,
    officials_in,
    state_of,
)
from server.usecases.core.game_work import CaseRaised
from server.usecases.core.team_captains import captains_in


def raise_case(conn: Connection, raised: CaseRaised) -> None:
    """Open the case, or file the player's words in the open one; everybody in it is told."""
    game, actor, at_us = raised.game, Actor(raised.by), to_us(raised.at)
    paper = NewPaper(
        kind=PaperKind.STATEMENT.value,
        title="",
        body=raised.text.strip().encode(),
        at_us=at_us,
        person_id=raised.by,
    )
    known = case_rows.open_of_game(conn, game.id, CaseKind.OVERSTEP.value)
    word = CaseWord.OPENED if known is None else CaseWord.SAID
    if known is None:
        account = evidence(conn, game, raised.at, None)
        opened = open_in(conn, opening_of(raised), raised.at, actor, [account, paper])
        if isinstance(opened, CaseRefusal):
            return
        case, state = opened
    else:
        case = case_rows.lock(conn, known.id)
        state = state_of(case_rows.history(conn, case.id))
        filing = FilePaper(PaperKind.STATEMENT, paper.digest.hex())
        filed = decide_case(state, filing, local_day(raised.at, game.zone), actor)
        if isinstance(filed, CaseRefusal):
            return
        state = after(state, filed)
        append_to(conn, case, state, filed, (at_us, raised.by))
        case_papers.add(conn, case.id, paper)
        case = case_rows.lock(conn, case.id)
    now_us, parties = raised.poster.now_us, state.opened.parties
    captains = captains_in(conn, case.group_id, parties, now_us)
    told = [*parties, *officials_in(conn, case, state, now_us), *captains]
    notice = Notice(word, raised.by, text=raised.text.strip())
    ledger.write_outbox(conn, notices(raised.poster, case, notice, told))


def opening_of(raised: CaseRaised) -> Opening:
    """The case about an overstep that one player alleges (§ 6.3.3.5)."""
    game = raised.game
    return Opening(
        kind=CaseKind.OVERSTEP,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=f"@overstep_{raised.late.value}",
        paragraphs=PARAGRAPHS[Regulation(game.regulation)],
        games=(game.id,),
        about=game.person_of(raised.late),
    )
