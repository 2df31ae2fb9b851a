"""Cups and titles as plain JSON values; shapes are in models.py. Not for who may see what."""

from collections.abc import Mapping

from kskak.cup.course import Seat, Way
from kskak.groups.played import number
from kskak.ledger.ledger_out import JsonObject, JsonValue
from server.api.entries.building import started
from server.store.cup.rounds import CupRow, PlaceRow
from server.store.groups.titles import TitleRow
from server.usecases.cup.facts import Prospect, Round, RoundGroup
from server.usecases.cup.rounds import DrawnRound
from server.usecases.cup.views import CupLine, CupView, Key

Plain = dict[str, object]
"""A JSON object whose numbers may be halves."""


def title(row: TitleRow) -> JsonObject:
    """A title."""
    return {
        "id": row.id,
        "title": row.title,
        "edition": row.edition,
        "person": row.person_id,
        "name": row.name,
        "shared": row.is_shared,
        "group": row.group,
        "source": row.source,
        "paragraph": row.paragraph,
        "day": row.day,
    }


def opened(row: CupRow) -> JsonObject:
    """A cup that was opened."""
    return {"id": row.id, "edition": row.edition, "name": row.name}


def line(one: CupLine) -> JsonObject:
    """A cup in the list."""
    return opened(one.row) | {"champions": [title(row) for row in one.winners]}


def drawn(made: DrawnRound) -> JsonObject:
    """A round that was drawn."""
    groups: list[JsonValue] = [started(group) for group in made.groups]
    return {"stage": made.stage.value, "seed": made.seed, "groups": groups}


def cup(view: CupView) -> Plain:
    """A cup with its rounds and what comes next."""
    facts = view.facts
    return {
        **opened(facts.row),
        "leader": view.leader.name,
        "entries": facts.entries,
        "rounds": [
            _round(one, view.gone_on(index), view.names) for index, one in enumerate(facts.rounds)
        ],
        "next": [_next(one, view.names) for one in view.prospects],
        "champions": [title(row) for row in view.winners],
    }


def _round(one: Round, going: Mapping[Key, Seat], names: Mapping[int, str]) -> Plain:
    return {
        "stage": one.stage.value,
        "seed": one.draw.seed,
        "start": one.draw.start,
        "places": one.draw.places,
        "reason": one.draw.reason,
        "groups": [_group(group, going, names) for group in one.groups],
        "field": [_kept(place) for place in one.places],
        "declined": [_kept(place) for place in one.declined],
    }


def _group(one: RoundGroup, going: Mapping[Key, Seat], names: Mapping[int, str]) -> Plain:
    rows = []
    for line in one.table.lines:
        person = one.people[line.player.number]
        seat = going.get((one.group.name, person))
        rows.append(
            {
                "person": {"id": person, "name": names[person]},
                "place": line.place,
                "points": number(line.points),
                "withdrawn": line.player.has_left,
                "goes_on": None if seat is None else seat.way.value,
                "paragraph": None if seat is None else seat.way.paragraph,
            }
        )
    head = {"id": one.group.group_id, "name": one.group.name, "games": one.group.games}
    return {**head, "finished": one.group.finished, "rows": rows}


def _kept(place: PlaceRow) -> Plain:
    return {
        "person": {"id": place.person_id, "name": place.player},
        "way": place.way,
        "paragraph": Way(place.way).paragraph,
        "from_group": place.from_group,
        "from_place": place.from_place,
    }


def _next(one: Prospect, names: Mapping[int, str]) -> Plain:
    return {
        "stage": one.stage.value,
        "places": one.places,
        "field": [
            {
                "person": {"id": int(seat.player), "name": names[int(seat.player)]},
                "way": seat.way.value,
                "paragraph": seat.way.paragraph,
                "from_group": seat.group,
                "from_place": seat.place,
            }
            for seat in one.seats
        ],
        "lacking": one.lacking,
        "groups": one.groups,
        "final": one.final,
    }
