"""What handling mails needs to know: four statements for any number of mails.

For ``Store.look``. Not for decisions based on it (usecases/mail/sort_mail.py).
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, or_, select

from server.store.engine.rows import columns_of
from server.store.play.games import SELECT_GAME, GameRow
from server.store.play.people import PersonRow, normal
from server.store.play.preferences import Pairs, of_people
from server.store.play.questions import ConfirmationRow
from server.store.tables.base import confirmations, games, people

_GAMES = SELECT_GAME.where(games.c.id.in_(bindparam("ids", expanding=True)))
_PEOPLE = select(*columns_of(PersonRow, people)).where(
    or_(
        people.c.email.in_(bindparam("emails", expanding=True)),
        people.c.id.in_(bindparam("ids", expanding=True)),
    )
)
_QUESTIONS = (
    select(*columns_of(ConfirmationRow, confirmations))
    .where(confirmations.c.game_id.in_(bindparam("ids", expanding=True)))
    .order_by(confirmations.c.sent_us)
)


@dataclass(frozen=True, slots=True)
class MailFacts:
    """The games that mails are about, with players and questions; the senders; and all these
    people's preferences."""

    games: dict[int, GameRow] = field(default_factory=dict)
    people: dict[int, PersonRow] = field(default_factory=dict)
    senders: dict[str, PersonRow] = field(default_factory=dict)
    questions: dict[int, list[ConfirmationRow]] = field(default_factory=dict)
    chosen: dict[int, Pairs] = field(default_factory=dict)

    def sender(self, email: str | None) -> PersonRow | None:
        """The person registered with an address."""
        return None if email is None else self.senders.get(normal(email))


def mail_facts(conn: Connection, game_ids: Collection[int], emails: Collection[str]) -> MailFacts:
    """The facts for mails about these games, from these addresses."""
    facts = MailFacts()
    ids = sorted(game_ids)
    if ids:
        for row in conn.execute(_GAMES, {"ids": ids}):
            facts.games[row[0]] = GameRow(*row)
        for row in conn.execute(_QUESTIONS, {"ids": ids}):
            question = ConfirmationRow(*row)
            facts.questions.setdefault(question.game_id, []).append(question)
    players = sorted({p for game in facts.games.values() for p in (game.white_id, game.black_id)})
    wanted = {"ids": players, "emails": sorted({normal(email) for email in emails})}
    for row in conn.execute(_PEOPLE, wanted):
        person = PersonRow(*row)
        facts.people[person.id] = facts.senders[person.email] = person
    facts.chosen.update(of_people(conn, facts.people))
    return facts
