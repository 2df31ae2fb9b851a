"""A question mailed back to a player: the link shows it, the button answers it.

Whoever has the link was mailed it, so no sign-in is needed. Not for what an answer does.
"""

from aiohttp import web

from server.usecases.core.questions import Question
from server.usecases.mail.answer_question import Pending, Reply, peek, settle
from server.web.frame.context import core, words
from server.web.frame.forms import form_of
from server.web.frame.pages import page

GONE = 410


def replies(question: Question) -> tuple[Reply, ...]:
    """The possible answers, the likelier first."""
    return (Reply.CLAIM, Reply.WAIVE) if question is Question.LATE else (Reply.YES, Reply.NO)


async def question(request: web.Request) -> web.Response:
    """The question; viewing it changes nothing."""
    pending = await peek(core(request), request.match_info["token"])
    if pending is None:
        return page(request, "play/confirm_dead.html", status=GONE)
    return _asked(request, pending)


def _asked(request: web.Request, pending: Pending) -> web.Response:
    return page(
        request,
        "play/confirm.html",
        kind=pending.question.value,
        view=pending.view,
        words_sent=pending.words,
        answers=[reply.value for reply in replies(pending.question)],
    )


async def answer(request: web.Request) -> web.Response:
    """Carry out the chosen answer."""
    key = request.match_info["token"]
    pending = await peek(core(request), key)
    if pending is None:
        return page(request, "play/confirm_dead.html", status=GONE)
    form = await form_of(request)
    chosen = form.text("answer", 10)
    if chosen not in replies(pending.question):
        return _asked(request, pending)
    settled = await settle(core(request), key, Reply(chosen))
    if settled is None:
        return page(request, "play/confirm_dead.html", status=GONE)
    refusal = settled.refusal
    problem = "" if refusal is None else words(request).refusal(refusal)
    nothing = settled.word == Reply.NO.value
    is_claim = refusal is not None and settled.word == Question.LATE.value
    way = f"/games/{pending.view.game.id}/object?kind=overstep" if is_claim else ""
    return page(request, "play/confirmed.html", problem=problem, nothing=nothing, raise_case=way)
