"""Which letters a deed in the league causes, as outbox rows (§ 6.7.4.3, § 6.7.6.1).

Not for their words (mail.writing.league) nor for the letters of a case (case_post.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mail.league_letters import LeagueWord
from server.store.league import TeamRow
from server.store.outbox import NewOutbox
from server.usecases.core import Core
from server.usecases.play import poster_of
from server.usecases.posting import Kind


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
