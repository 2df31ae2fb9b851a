"""Cases as plain JSON values; the shapes are in answers.py. Not for who may see what."""

import json
from dataclasses import fields

from kskak.cases.what_if_compared import Comparison, RowPair
from kskak.ledger.ledger_out import JsonObject, JsonValue, clock_json, ledger_json
from kskak.ledger.stored_events import effect_json
from kskak.ledger.stored_values import to_json
from kskak.regulation.quantities import Side
from mail.office_letters.cases import question_text
from mail.text.words import Words
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.papers import PaperRow
from server.store.engine.types import from_us
from server.store.mail.game_mail import LetterOut, MailIn
from server.usecases.cases.lists import CaseItem
from server.usecases.cases.views import CaseGame, CaseStep, CaseView
from server.usecases.cases.what_if import Tried
from server.usecases.cases.withdrawals import Withdrawn


def _at(us: int | None) -> str | None:
    return None if us is None else from_us(us).isoformat()


def summary(item: CaseItem, words: Words) -> JsonObject:
    """A case in a list."""
    return _summary(item.case, item.question, words)


def _summary(case: CaseRow, question: str, words: Words) -> JsonObject:
    return {
        "id": case.id,
        "number": case.number,
        "kind": case.kind,
        "stage": case.state,
        "instance": case.instance,
        "group": case.group,
        "game": case.game,
        "question": question_text(question, words),
        "is_suspended": case.is_suspended,
        "due": None if case.due_us is None else from_us(case.due_us).date().isoformat(),
        "opened": _at(case.opened_us),
        "closed": _at(case.closed_us),
    }


def made(case: CaseRow) -> JsonObject:
    """A case as it stands after the call."""
    return {
        "id": case.id,
        "number": case.number,
        "stage": case.state,
        "instance": case.instance,
    }


def detail(view: CaseView, words: Words) -> JsonObject:
    """A case in full."""
    state, opened = view.state, view.state.opened
    allowed = [field.name for field in fields(view.can) if getattr(view.can, field.name)]
    until = view.appeal_until
    return _summary(view.case, opened.question, words) | {
        "people": [{"id": p.id, "name": p.name} for p in view.people.values()],
        "parties": list(opened.parties),
        "concerned": list(opened.concerned),
        "claimant": opened.claimant,
        "paragraphs": list(opened.paragraphs),
        "games": [_game(game) for game in view.games],
        "papers": [_paper(paper) for paper in view.papers],
        "decisions": [
            _decision(to_json(row.decision), row.decision.ref in state.annulled)
            for row in state.decided
        ],
        "hearing": to_json(state.hearing),
        "suspended": list(state.suspended),
        "appeal_until": None if until is None else until.isoformat(),
        "next_ref": view.next_ref,
        "can": list[JsonValue](allowed),
        "history": [_step(step) for step in view.steps],
    }


def _decision(decision: JsonValue, is_annulled: bool) -> JsonObject:
    assert isinstance(decision, dict)
    return decision | {"is_annulled": is_annulled}


def _game(game: CaseGame) -> JsonObject:
    row = game.view.game
    return {
        "id": row.id,
        "name": row.name,
        "disputed": list[JsonValue](sorted(game.disputed)),
        "clock": clock_json(game.view.account),
        "ledger": ledger_json(row.terms, game.view.events),
        "mails": [_mail(mail) for mail in game.mails],
        "letters": [_letter(letter) for letter in game.letters],
    }


def _mail(mail: MailIn) -> JsonObject:
    return {
        "id": mail.id,
        "received": _at(mail.received_us),
        "peer": mail.peer,
        "mail_from": mail.mail_from,
        "outcome": mail.outcome,
        "digest": bytes(mail.digest).hex(),
    }


def _letter(letter: LetterOut) -> JsonObject:
    return {
        "id": letter.id,
        "kind": letter.kind,
        "to": letter.to_addr,
        "state": letter.state,
        "sent": _at(letter.sent_us),
    }


def _paper(paper: PaperRow) -> JsonObject:
    return {
        "id": paper.id,
        "kind": paper.kind,
        "person": paper.person_id,
        "title": paper.title,
        "media_type": paper.media_type,
        "at": _at(paper.at_us),
        "digest": bytes(paper.digest).hex(),
        "size": paper.size,
        "text": paper.text,
    }


def _step(step: CaseStep) -> JsonObject:
    return {
        "seq": step.row.seq,
        "at": _at(step.row.at_us),
        "actor": step.row.actor_id,
        "event": json.loads(step.row.body),
        "hash": bytes(step.row.hash).hex(),
    }


def tried(found: Tried) -> JsonObject:
    """What the facts would change, and the orders that would carry it out."""
    comparison = found.comparison
    return {
        "on": found.on.isoformat(),
        "rows": [_pair(ply, pair) for ply, pair in _changed(comparison)],
        "charges": [
            {
                "by": pair.charge.by,
                "on": pair.charge.on.isoformat(),
                "days": pair.charge.days,
                "paragraph": pair.charge.paragraph,
                "reason": pair.charge.reason,
                "mark": pair.mark,
            }
            for pair in comparison.charges
        ],
        "white": list[JsonValue](comparison.totals(Side.WHITE)),
        "black": list[JsonValue](comparison.totals(Side.BLACK)),
        "outcome": list[JsonValue](comparison.outcomes),
        "effects": [effect_json(effect) for effect in found.carried.effects],
        "annuls": list[JsonValue](found.carried.annuls),
        "is_exact": found.carried.is_exact,
        "clock": clock_json(comparison.after),
    }


def _changed(comparison: Comparison) -> list[tuple[int, RowPair]]:
    """The plies that differ, with their numbers."""
    return [(ply, pair) for ply, pair in enumerate(comparison.rows, 1) if pair.differs]


def _pair(ply: int, pair: RowPair) -> JsonObject:
    rows = (pair.before, pair.after)
    return {
        "ply": ply,
        "differs": list[JsonValue](sorted(pair.differs)),
        "days": [None if row is None else row.dates.days for row in rows],
        "total": [None if row is None else row.total for row in rows],
    }


def withdrawn(found: Withdrawn) -> JsonObject:
    """The consequences of a withdrawal under § 6.2.8."""
    outcome = found.outcome
    return made(found.decision.case) | {
        "finished": outcome.finished,
        "games": outcome.games,
        "loses_all": outcome.loses_all,
        "loses_prize": outcome.loses_prize,
        "fates": [
            {"game": fate.game, "before": fate.before, "result": fate.result}
            for fate in outcome.fates
        ],
        "adjudications": [made(case) for case in found.adjudications],
    }
