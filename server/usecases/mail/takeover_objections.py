"""An objection by mail to a takeover (reading of § 6.4.5). Not for the case it opens."""

from kskak.cases.refusals import CaseReason, CaseRefusal
from mail.grammar.keywords import is_objection
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.cases.takeover_objections import object_to
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.mail.opened_mail import Opened

OBJECTED = "objection"
LATE = "objection_late"


async def object_by_mail(
    core: Core, opened: Opened, person_id: int, game_id: int | None
) -> str | None:
    """Handle a mail that objects; None for any other mail, and for a game begun here.

    Such a mail plays nothing, whatever moves it mentions: nobody is charged for an example.
    """
    if game_id is None or not is_objection(opened.words):
        return None
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        person = await person_rows.find(conn, person_id)
    if game is None or person is None or game.side_of(person.id) is None:
        return None
    done = await object_to(core, person, game, opened.words, (opened.row.id, opened.at))
    if not isinstance(done, CaseRefusal):
        return OBJECTED
    if done.reason is CaseReason.NOT_TAKEN_OVER:
        return None
    until = done.until.isoformat() if done.until else None
    params: dict[str, object] = {"reason": done.reason.value, "until": until}
    at, side = (game.seq, game.ply), game.side_of(person.id)
    today = core.today(game.zone).isoformat()  # one answer a day, so that two robots stop
    letter = poster_of(core).about_game(Kind.OBJECTION_LATE, game, side, at, params, today)
    async with core.store.write() as conn:
        await outbox_rows.enqueue(conn, [letter])
    return LATE
