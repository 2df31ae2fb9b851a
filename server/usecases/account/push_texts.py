"""What a notification says: who moved, where, and until when there is time; in few words.

In the person's language and with the letters he has chosen to read. Not for encrypting
(notifications.py).
"""

from dataclasses import dataclass

from kskak.board.printing import Writing, numeric, written
from kskak.play.state import GameState, RecentPly
from kskak.regulation.days import ONE_DAY
from kskak.regulation.quantities import Side
from mail.text.words import Words
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.usecases.account import choices
from server.usecases.core.context import Core


@dataclass(frozen=True, slots=True)
class Told:
    """A notification. ``tag``: a newer one with the same takes its place on the screen."""

    title: str
    body: str
    url: str
    tag: str
    lang: str

    def facts(self) -> dict[str, str]:
        """What the browser is sent."""
        return {
            "title": self.title,
            "body": self.body,
            "url": self.url,
            "tag": self.tag,
            "lang": self.lang,
        }


async def told_of(core: Core, game_id: int, person_id: int) -> Told | None:
    """What is said to a player about a game as it stands; None when he is not to move any more."""
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        person = await person_rows.find(conn, person_id)
    if game is None or person is None or game.to_move_id != person_id:
        return None
    state, said = game.state(), Words.load(person.lang)
    if not state.recent:
        return None
    chosen = await choices.of_person(core, person_id)
    move = _move(state.recent[-1], chosen.writing, person.lang)
    name = game.black if game.white_id == person_id else game.white
    return Told(
        title=said("push.moved", name=name, move=move),
        body=" ".join(_body(game, state, said)),
        url=f"/games/{game.id}",
        tag=f"game-{game.id}",
        lang=said.lang,
    )


def _body(game: GameRow, state: GameState, said: Words) -> list[str]:
    parts = [said("push.where", group=game.name.rpartition("/")[0] or game.name)]
    if state.draw_offer is not None and state.draw_offer is not state.to_move:
        parts.append(said("push.draw"))
    running = state.running()
    if running is not None and running.flag_on is not None:
        parts.append(said("push.until", day=said.day(running.flag_on - ONE_DAY)))
    return parts


def _move(ply: RecentPly, writing: Writing, lang: str) -> str:
    """«12… Sf6» as its reader wishes it written."""
    text = written(ply.san, numeric(ply.move), writing, lang)
    return f"{ply.number}{'.' if ply.by is Side.WHITE else '…'} {text}"
