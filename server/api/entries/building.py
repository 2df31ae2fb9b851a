"""Answers about entries as plain JSON; the shapes are in models.py. Not for rights."""

from kskak.entries.cup_rights import CupRound
from kskak.entries.rights import Answer
from kskak.ledger.ledger_out import JsonObject, JsonValue
from server.store.entries.lists import ListRow
from server.store.entries.of_players import EntryRow
from server.usecases.entries.player import Participation
from server.usecases.entries.views import ClassesView, EntryView, ListView
from server.usecases.starts.start_group import StartedGroup


def classes(view: ClassesView) -> JsonObject:
    """Each class with what opens and closes it, and the record this is based on."""
    return {
        "on": view.on.isoformat(),
        "person": {"id": view.person.id, "name": view.person.name},
        "classes": {name.value: _class(answer) for name, answer in view.answers.items()},
        "record": [_line(one) for one in view.record],
    }


def _class(answer: Answer) -> JsonObject:
    return {
        "allowed": answer.is_allowed,
        "by": [
            {
                "paragraph": right.paragraph,
                "until": None if right.until is None else right.until.isoformat(),
                "results": list[JsonValue](right.results),
            }
            for right in answer.by
        ],
        "against": [
            {"paragraph": bar.paragraph, "results": list[JsonValue](bar.results)}
            for bar in answer.against
        ],
    }


def _line(one: Participation) -> JsonObject:
    result = one.result
    event = result.event
    return {
        "number": result.number,
        "name": one.name,
        "event": event.stage.value if isinstance(event, CupRound) else event.value,
        "finished": None if result.finished is None else result.finished.isoformat(),
        "halves": int(result.score.points * 2),
        "games": result.score.games,
        "unfinished": result.score.unfinished,
        "place": result.score.place,
        "source": one.source,
        "group": one.group,
        "id": one.past_id,
    }


def list_seen(view: ListView) -> JsonObject:
    """A waiting list with its counts."""
    row = view.row
    return {
        "id": row.id,
        "name": row.name,
        "event": row.event,
        "wish": row.wish,
        "tournament": row.tournament,
        "regulation": row.regulation,
        "leader": {"id": view.leader.id, "name": view.leader.name},
        "fee": row.fee,
        "how_to_pay": row.how_to_pay,
        "open": row.is_open,
        "valid": view.valid,
        "waiting": view.waiting,
        "wanted": view.wanted,
    }


def list_made(row: ListRow) -> JsonObject:
    """A list after a change."""
    return {"id": row.id, "name": row.name, "open": row.is_open}


def entry_seen(view: EntryView) -> JsonObject:
    """An entry with what it is waiting for."""
    row, judged = view.row, view.judged
    return {
        "id": row.id,
        "list_id": row.list_id,
        "list_name": row.list_name,
        "person": {"id": row.person_id, "name": row.player},
        "state": row.state,
        "entered": row.entered_day,
        "fee": row.fee_day,
        "faults": [] if judged is None else [fault.value for fault in judged.faults],
        "waits": [] if judged is None else [wait.value for wait in judged.waits],
        "place": view.place,
        "valid": view.valid,
        "wanted": view.wanted,
        "paragraph": row.paragraph,
        "reason": row.reason,
        "group": row.group,
    }


def entry_made(row: EntryRow) -> JsonObject:
    """An entry after an action."""
    return {"id": row.id, "state": row.state, "group": row.group}


def started(made: StartedGroup) -> JsonObject:
    """A group that was started."""
    return {
        "id": made.id,
        "name": made.name,
        "seed": made.seed,
        "players": list[JsonValue](made.players),
        "games": made.games,
    }
