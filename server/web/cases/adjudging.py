"""An adjudication on its case's page: the position to try moves on, a card a result (§ 6.2.7).

Not for disputes over time (readings.py) nor for deciding (deciding.py).
"""

from collections.abc import Iterator

from aiohttp import web

from kskak.cases.events import CaseKind
from kskak.regulation.quantities import Result, Side
from server.web.board.move_list import opening, plies, steps
from server.web.board.step_viewer import Stepping, asked_ply, script_words
from server.web.cases.readings import ReadingCard
from server.web.cases.seen_case import Look
from server.web.cases.words import case_words
from server.web.frame.context import words

_WINNER = {Result.WHITE_WINS: Side.WHITE, Result.BLACK_WINS: Side.BLACK}


def position_of(request: web.Request, view: Look) -> dict[str, object]:
    """The game's final position and the way there, as the page's board takes it; else none."""
    game = view.view
    if game is None or view.case.kind != CaseKind.ADJUDICATION:
        return {"shown": None}
    is_flipped = request.query.get("flip") == "1"
    kept = (("game", str(game.game.id)), *((("flip", "1"),) if is_flipped else ()))
    shown = Stepping(
        key=f"game-{game.game.id}",
        base=view.path,
        names=(game.white.name, game.black.name),
        start=opening(game.account),
        moves=tuple(row.move for row in game.account.rows),
        listed=steps(game.account),
        ply=asked_ply(request, len(game.account.rows)),
        side=Side.BLACK if is_flipped else Side.WHITE,
        kept=kept,
    )
    return {
        "shown": shown,
        "position": shown.picture(),
        "script_words": script_words(words(request).words),
    }


def adjudication_cards(request: web.Request, view: Look) -> tuple[ReadingCard, ...]:
    """A card for each result, until the case is decided."""
    if view.view is None or view.case.kind != CaseKind.ADJUDICATION or view.state.decided:
        return ()
    return tuple(_cards(request, view))


def _cards(request: web.Request, view: Look) -> Iterator[ReadingCard]:
    d, game, paragraphs = case_words(request), view.view, view.state.opened.paragraphs
    assert game is not None
    played = plies(game.account)
    last = words(request).line((played[-1].move,)) if played else ""
    for result in (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS):
        side = _WINNER.get(result)
        name = "" if side is None else game.player(side).name
        end = "draw" if side is None else "won"
        why = d.words(f"readings.judged.{'after' if last else 'start'}", move=last)
        yield ReadingCard(
            figure=None,
            paragraphs=paragraphs,
            title=d.words(f"readings.judged.{end}", name=name),
            account="",
            ends=words(request).result(result),
            precedents=(),
            against=(),
            fields={
                "game": str(game.game.id),
                "reading": "judged",
                "paragraphs": d.paragraphs(paragraphs),
                f"result-{game.game.id}": result.value,
                "reasons": f"{why} {d.words(f'readings.judged.why_{end}', name=name)}",
            },
        )
