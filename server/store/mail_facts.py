"""What handling mails needs to know, for many mails at once: five statements, however many.

For ``Store.look``. Not for deciding anything by it (usecases/sort_mail.py).
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, func, or_, select

from server.store.confirmations import ConfirmationRow
from server.store.games import SELECT_GAME, GameRow
from server.store.people import PersonRow, normal
from server.store.rows import columns_of
from server.store.tables import confirmations, games, outbox, people

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
_TOLD = (
    select(outbox.c.game_id, outbox.c.person_id, outbox.c.kind, func.count())
    .join(games, (games.c.id == outbox.c.game_id) & (games.c.seq == outbox.c.seq))
    .where(outbox.c.game_id.in_(bindparam("ids", expanding=True)))
    .where(outbox.c.created_us > bindparam("since_us"))
    .group_by(outbox.c.game_id, outbox.c.person_id, outbox.c.kind)
)


@dataclass(frozen=True, slots=True)
class MailFacts:
    """The games that mails are about, with players and questions; and who the senders are.

    ``told``: how many letters of a kind a person got about a game as it stands.
    """

    games: dict[int, GameRow] = field(default_factory=dict)
    people: dict[int, PersonRow] = field(default_factory=dict)
    senders: dict[str, PersonRow] = field(default_factory=dict)
    questions: dict[int, list[ConfirmationRow]] = field(default_factory=dict)
    told: dict[tuple[int, int | None, str], int] = field(default_factory=dict)

    def sender(self, email: str | None) -> PersonRow | None:
        """Who is registered with an address."""
        return None if email is None else self.senders.get(normal(email))


def mail_facts(
    conn: Connection, game_ids: Collection[int], emails: Collection[str], since_us: int
) -> MailFacts:
    """The facts of mails about these games, from these addresses; letters since an instant."""
    facts = MailFacts()
    ids = sorted(game_ids)
    if ids:
        for row in conn.execute(_GAMES, {"ids": ids}):
            facts.games[row[0]] = GameRow(*row)
        for row in conn.execute(_QUESTIONS, {"ids": ids}):
            question = ConfirmationRow(*row)
            facts.questions.setdefault(question.game_id, []).append(question)
        for game_id, person_id, kind, count in conn.execute(
            _TOLD, {"ids": ids, "since_us": since_us}
        ):
            facts.told[(game_id, person_id, kind)] = count
    players = sorted({p for game in facts.games.values() for p in (game.white_id, game.black_id)})
    wanted = {"ids": players, "emails": sorted({normal(email) for email in emails})}
    for row in conn.execute(_PEOPLE, wanted):
        person = PersonRow(*row)
        facts.people[person.id] = facts.senders[person.email] = person
    return facts
