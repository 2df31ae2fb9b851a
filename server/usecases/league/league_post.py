"""Which letters a deed in the league causes, as outbox rows (§ 6.7.4.3, § 6.7.6.1).

Not for their words (mail.office_letters.league) nor for the letters of a case (core/case_post.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mail.office_letters.league_facts import LeagueWord
from server.store.league.divisions import TeamRow
from server.store.mail.outbox import NewOutbox
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind


@dataclass(frozen=True, slots=True)
class Told:
    """What happened to a team; ``unique`` tells it from others of its kind."""

    team: TeamRow
    word: LeagueWord
    unique: str
    text: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


def league_letters(core: Core, told: Told, people: Iterable[int]) -> list[NewOutbox]:
    """One letter to each person named, whoever is named twice."""
    poster = poster_of(core)
    params: dict[str, object] = {"team": told.team.id, "word": told.word.value, "text": told.text}
    params |= told.values
    unique = f"{told.team.id}.{told.unique}"
    return [
        poster.to_person(Kind.LEAGUE, person, unique, params) for person in dict.fromkeys(people)
    ]
