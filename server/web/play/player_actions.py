"""What a player does in a game on its page: a move, draws, resignations, claims (§ 6.2.6).

A move's form carries the ply it was made for and its own key, so that a stale page can't play and
a double click sends once (§ 6.2.4). Not for how a move is decided (the use cases).
"""

from dataclasses import dataclass, replace
from functools import reduce

from aiohttp import web

from kskak.cases.case import CaseRefusal
from kskak.cases.case_events import CaseKind
from kskak.game import game_commands as cmd
from kskak.game.game_commands import Reason, Refusal, SendMoves, WaiveOverstep
from kskak.game.game_events import Event, MoveSent
from kskak.play.decide_command import decide
from kskak.play.evolve_game import evolve
from kskak.play.game_state import AccountCharge, AccountLine, GameState
from kskak.regulation.editions import Side
from kskak.statement.account import Account, account
from mail.game_letters.no_move_letters import dispute_text
from mail.grammar.keyword_lines import read_keyword
from mail.text.letter_facts import Dispatch, find_last_dispatch
from server.store.engine.connection import UnknownGame
from server.store.play.people import PersonRow
from server.store.play.requests import DueMove
from server.store.tables.base import FRIENDLY
from server.usecases.cases import case_actions, case_decisions
from server.usecases.cases.case_actions import takeover_of
from server.usecases.desks.desk_overview import cases_of_game
from server.usecases.games.game_units import KeyReused
from server.usecases.games.outbox_letters import QuestionKind
from server.usecases.mail.answer_question import Pending, Reply, answer_question, peek
from server.usecases.people import next_game
from server.usecases.play import private_side
from server.usecases.play.game_requests import (
    Build,
    FieldReader,
    GameRequestOutcome,
    NotYours,
    TextProblem,
    ask,
    build_form_key,
    build_form_request,
    read_request_outcome,
)
from server.usecases.play.game_views import GameView
from server.usecases.play.private_side import due_at, forget, waiting_in
from server.web.board.board_view import picture
from server.web.cases.case_texts import load_case_words, read_statement
from server.web.frame.context import GAME, PREFERENCES, PageRoutes, core, get_words, signed_in
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import list_meant_moves, problem_text, reckoning
from server.web.frame.pages import new_key, page
from server.web.play.game_page import (
    QUESTIONS,
    GamePageState,
    GameQuestion,
    MoveFieldInput,
    find_question_outcome,
    find_visible_game,
    game_page,
    own_game,
    own_side,
    show,
)

routes = PageRoutes()

# Sending a command from a page to a game: who sends it, under which key, with what result.


async def ask_once(
    request: web.Request, person: PersonRow, build: Build, key: str, message: str = ""
) -> GameRequestOutcome | Refusal | None:
    """Send a command to the game in the address; None if the form was already sent and carried out.

    An earlier refusal is repeated. Raises HTTPForbidden for those who play neither side.
    """
    kept = build_form_key(person.id, request.path, key)
    asked = build_form_request(int(request.match_info["game"]), kept, build, message)
    try:
        return read_request_outcome(await ask(core(request), asked))
    except NotYours as error:
        raise web.HTTPForbidden from error
    except KeyReused:
        return Refusal(Reason.STALE)


# A question mailed back to a player: the link shows it, the button answers it.

LINK_EXPIRED = 410


def replies(question: QuestionKind) -> tuple[Reply, ...]:
    """The possible answers, the likelier first."""
    return (Reply.CLAIM, Reply.WAIVE) if question is QuestionKind.LATE else (Reply.YES, Reply.NO)


@routes.get("/c/{token}")
async def show_mailed_question(request: web.Request) -> web.Response:
    """The question; viewing it changes nothing."""
    pending = await peek(core(request), request.match_info["token"])
    if pending is None:
        return dead_link(request)
    return _mailed_question_page(request, pending)


def dead_link(request: web.Request) -> web.Response:
    """The page of a link that has been used, or is too old."""
    return page(request, "play/confirm_dead.html", status=LINK_EXPIRED)


def _mailed_question_page(request: web.Request, pending: Pending) -> web.Response:
    return page(
        request,
        "play/confirm.html",
        kind=pending.question.value,
        view=pending.view,
        words_sent=_say_question(request, pending),
        answers=[reply.value for reply in replies(pending.question)],
    )


def _say_question(request: web.Request, pending: Pending) -> str:
    """What a mail says; of a wish what comes of it, its days in words."""
    asked = pending.question is QuestionKind.WISH
    wish = read_keyword(pending.words, pending.arrived.date()) if asked else None
    if wish is None:
        return pending.words
    say = get_words(request)
    return say.words(
        f"letters.ask_yes.{wish.word}", first=say.day(wish.start), last=say.day(wish.end)
    )


@routes.post("/c/{token}")
async def answer(request: web.Request) -> web.Response:
    """Carry out the chosen answer."""
    key = request.match_info["token"]
    pending = await peek(core(request), key)
    if pending is None:
        return dead_link(request)
    form = await form_of(request)
    chosen = form.text("answer", 10)
    if chosen not in replies(pending.question):
        return _mailed_question_page(request, pending)
    outcome = await answer_question(core(request), key, Reply(chosen))
    if outcome is None:
        return dead_link(request)
    is_refused = isinstance(outcome, Refusal)
    problem = get_words(request).refusal(outcome) if isinstance(outcome, Refusal) else ""
    nothing = outcome == Reply.NO.value
    is_claim = is_refused and pending.question is QuestionKind.LATE
    way = f"/games/{pending.view.game.id}/object?kind=overstep" if is_claim else ""
    return page(request, "play/confirmed.html", problem=problem, nothing=nothing, raise_case=way)


# A move in two steps: a preview of what would be sent, then sending (§ 6.2.4).


@dataclass(frozen=True, slots=True)
class MovePreview:
    """A dispatch before it is sent: the account with it, its dated row, its charges.

    ``must_answer_overstep``: the opponent has overstepped and the sender has not said whether he
    claims (§ 6.3.3.4).
    """

    command: SendMoves
    dispatch: Dispatch
    account: Account
    row: AccountLine
    charges: tuple[AccountCharge, ...]
    must_answer_overstep: bool


def preview(view: GameView, command: SendMoves) -> MovePreview | Refusal:
    """The dispatch as it would count today, or why it can't be sent."""
    state, today, waived = view.account.state, view.today, tuple[Event, ...]()
    events = decide(state, command, today)
    must_answer = isinstance(events, Refusal) and events.reason is Reason.OVERSTEP_ASKS
    if must_answer:
        answered = decide(state, WaiveOverstep(command.by), today)
        waived = () if isinstance(answered, Refusal) else answered
        events = decide(
            reduce(lambda at, event: evolve(at, event, 0), waived, state), command, today
        )
    if isinstance(events, Refusal):
        return events
    after = account(view.game.terms, (*view.events, *waived, *events), is_decided=True)
    sent = next(event for event in events if isinstance(event, MoveSent))
    return MovePreview(
        command=command,
        dispatch=find_last_dispatch(after, sent),
        account=after,
        row=next(row for row in reversed(after.rows) if row.by is command.by),
        charges=after.charges[len(view.account.charges) :],
        must_answer_overstep=must_answer,
    )


STALE_STATUS = 409
CLAIM, WAIVE = "claim", "waive"
LATER = 10
"""Minutes of delay by the second button, for those who have not chosen to delay all moves."""


@dataclass(frozen=True, slots=True)
class SendMoveForm:
    """The move form: what was typed, and for which position."""

    typed: MoveFieldInput
    ply: int
    key: str
    overstep: str

    @staticmethod
    def of(form: Form, view: GameView) -> "SendMoveForm":
        """From the fields, or the button «I meant …»."""
        meant_move = form.text("meant", 10)
        typed = MoveFieldInput.of(form)
        return SendMoveForm(
            typed=replace(typed, text=meant_move) if meant_move else typed,
            ply=view.ply_of(form.typed("ply")),
            key=form.text("key", 64) or new_key(),
            overstep=form.text("overstep", 10),
        )


def preview_move(
    request: web.Request, view: GameView, side: Side, entered: SendMoveForm
) -> MovePreview | Refusal | TextProblem:
    """What would be sent now, or what is wrong with it."""
    state = view.account.state
    if state.position.ply != entered.ply:
        return Refusal(Reason.STALE)
    read = _reader(request, view, entered)(state, side)
    if isinstance(read, TextProblem):
        return read
    return preview(view, read)


def _minutes(request: web.Request, view: GameView, made: MovePreview) -> tuple[int, bool]:
    """Minutes the move may be delayed, 0 for none; and whether its player chose to delay moves."""
    wished = request[PREFERENCES].undo.minutes
    minutes = wished or LATER
    if made.must_answer_overstep:
        return 0, False
    can_wait = due_at(core(request).clock.now(), minutes, view.game.zone) is not None
    return (minutes, wished > 0) if can_wait else (0, False)


@routes.post(f"{GAME}/preview")
@stands_on(show)
async def show_preview(request: web.Request) -> web.Response:
    """Step 2: exactly what will be sent, or what is wrong, shown beside the field."""
    view, _, side = await own_game(request)
    return await preview_page(request, view, side, SendMoveForm.of(await form_of(request), view))


@routes.post(f"{GAME}/change")
@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Back to step 1, with everything that was entered."""
    view, _, _ = await own_game(request)
    entered = SendMoveForm.of(await form_of(request), view)
    return await game_page(
        request, view, entered.typed, GamePageState(own=await own_side(request, view))
    )


def _reader(request: web.Request, view: GameView, entered: SendMoveForm) -> FieldReader:
    typed = entered.typed
    return FieldReader(
        typed.text, entered.ply, typed.offers_draw, view.today, get_words(request).reads
    )


async def preview_page(
    request: web.Request, view: GameView, side: Side, entered: SendMoveForm, *, problem: str = ""
) -> web.Response:
    """The preview page; ``problem``: why the move can't be delayed."""
    made = preview_move(request, view, side, entered)
    if isinstance(made, TextProblem):
        state = view.account.state
        saying = GamePageState(
            problem=problem_text(get_words(request), state, made),
            status=PROBLEM_STATUS,
            own=await own_side(request, view),
            meant=list_meant_moves(state, made),
        )
        return await game_page(request, view, entered.typed, saying)
    if isinstance(made, Refusal):
        return await show_refusal(request, view, entered.typed, made)
    minutes, is_wish = _minutes(request, view, made)
    held = await waiting_in(core(request), view.game, view.player(side).id)
    return page(
        request,
        "play/preview.html",
        status=PROBLEM_STATUS if problem else 200,
        view=view,
        made=made,
        entered=entered,
        side=side,
        opponent=view.player(side.other),
        days_paragraph=made.account.terms.rules.paragraphs.reckoning,
        board=picture(made.account.state.board, side, made.account.rows[-1].move),
        minutes=minutes,
        waits_first=is_wish,
        problem=problem,
        held=held if held is not None and held.row.key != entered.key else None,
    )


async def show_refusal(
    request: web.Request, view: GameView, typed: MoveFieldInput, refusal: Refusal
) -> web.Response:
    """The game's page with the reason; a stale page gets the new position."""
    is_stale = refusal.reason in (Reason.STALE, Reason.NOT_YOUR_TURN)
    status = STALE_STATUS if is_stale else PROBLEM_STATUS
    own = await own_side(request, view)
    saying = GamePageState(problem=get_words(request).refusal(refusal), status=status, own=own)
    return await game_page(request, view, typed, saying)


def why_not(
    answer: GameRequestOutcome | Refusal | None,
) -> tuple[Refusal | None, TextProblem | None]:
    """Why it was not sent; two Nones if it was, now or by an earlier click."""
    if answer is None or isinstance(answer, Refusal):
        return answer, None
    return answer.refusal, answer.problem


@routes.post(f"{GAME}/move")
@stands_on(show)
async def send(request: web.Request) -> web.Response:
    """Send the previewed move. Submitted twice, it is sent once."""
    view, person, side = await own_game(request)
    entered = SendMoveForm.of(await form_of(request), view)
    here = f"/games/{view.game.id}"
    if entered.overstep == CLAIM:
        raise web.HTTPSeeOther(f"{here}/end/time")
    if entered.overstep == WAIVE:
        await ask_once(request, person, lambda _, by: WaiveOverstep(by), f"{entered.key}-waive")
    build = _reader(request, view, entered)
    answer = await ask_once(request, person, build, entered.key, entered.typed.message)
    refusal, problem = why_not(answer)
    if refusal is None and problem is None:
        await forget(core(request), view.game.id, person.id)
        raise web.HTTPSeeOther(await _place_after(request, view, person))
    fresh = replace(entered, key=new_key())
    now, _, _ = await own_game(request)
    if refusal is None or refusal.reason is Reason.OVERSTEP_ASKS:
        return await preview_page(request, now, side, fresh)
    return await show_refusal(request, now, entered.typed, refusal)


async def _place_after(request: web.Request, view: GameView, person: PersonRow) -> str:
    """Where a sent move leads: to its game, or to the next that waits for who wishes that."""
    if request[PREFERENCES].goes_on:
        found, _, _ = await next_game(core(request), person.id, view.game.id)
        if found is not None:
            return f"/games/{found.game.id}?sent_in={view.game.id}"
    return f"/games/{view.game.id}?sent=1"


# A delayed move: held from the preview, taken back, changed, or sent at once.


@routes.post(f"{GAME}/hold")
@stands_on(show)
async def hold(request: web.Request) -> web.Response:
    """Delay the previewed move; anything wrong with it is shown as in the preview."""
    view, person, side = await own_game(request)
    form = await form_of(request)
    entered, minutes = SendMoveForm.of(form, view), form.number("minutes")
    made = preview_move(request, view, side, entered)
    is_wrong = isinstance(made, Refusal | TextProblem) or made.must_answer_overstep
    if is_wrong or minutes not in private_side.MINUTES:
        return await preview_page(request, view, side, entered)
    assert isinstance(made, MovePreview)
    reader, said = _reader(request, view, entered), (entered.typed.message, entered.key)
    due = await private_side.delay(core(request), view.game, reader, made.command, said, minutes)
    if due is None:
        late = get_words(request).words("delay.too_late")
        return await preview_page(request, view, side, entered, problem=late)
    raise web.HTTPSeeOther(f"/games/{view.game.id}#delayed")


@routes.post(f"{GAME}/delayed")
async def change_delayed(request: web.Request) -> web.Response:
    """Take the waiting move back, change it, send it now, or dismiss the notice of its dropping.

    When taken back or changed, everything that was entered is in the form again.
    """
    view, person, _ = await own_game(request)
    form = await form_of(request)
    here, action, key = f"/games/{view.game.id}", form.text("deed", 10), form.text("key", 64)
    if action == "send":
        which = DueMove(view.game.id, person.id)
        outcome = await private_side.send(core(request), which, key=key)
        raise web.HTTPSeeOther(here + await _after(request, view, person.id, key, outcome))
    row = await private_side.take_back(core(request), view.game.id, person.id, key)
    if row is None:
        gone = private_side.DelayedMoveOutcome.GONE
        raise web.HTTPSeeOther(here + await _after(request, view, person.id, key, gone))
    is_undone = action == "undo" and row.dropped is None
    is_kept = is_undone or action == "change"
    typed = MoveFieldInput(row.text, row.offers_draw, row.message) if is_kept else MoveFieldInput()
    saying = GamePageState(
        own=await own_side(request, view), own_notice="undone" if is_undone else ""
    )
    return await game_page(request, view, typed, saying)


async def _after(
    request: web.Request,
    view: GameView,
    person_id: int,
    key: str,
    outcome: private_side.DelayedMoveOutcome,
) -> str:
    """The address suffix for the notice: sent, or taken back; a dropped move shows its own."""
    if outcome is private_side.DelayedMoveOutcome.DROPPED:
        return "#delayed"
    if outcome is private_side.DelayedMoveOutcome.SENT:
        return "?sent=1"
    sent = await private_side.was_sent(core(request), view.game.id, person_id, key)
    return "?sent=1" if sent else "?done=undone"


def _kind(request: web.Request) -> GameQuestion:
    try:
        return GameQuestion(request.match_info["kind"])
    except ValueError:
        raise web.HTTPNotFound from None


@routes.get(f"{GAME}/end/{{kind}}")
async def show_question(request: web.Request) -> web.Response:
    """The question, with a button; nothing happens yet."""
    view, _, side = await own_game(request)
    return _question_page(request, view, side)


def _question_page(
    request: web.Request, view: GameView, side: Side, text: str = "", problem: str = ""
) -> web.Response:
    kind = _kind(request)
    moot = _moot(kind, view, side)
    return page(
        request,
        "play/end.html",
        status=PROBLEM_STATUS if problem else 200,
        view=view,
        kind=kind.value,
        opponent=view.player(side.other),
        key=new_key(),
        text=text,
        problem=problem,
        moot="" if moot is None else get_words(request).refusal(moot),
        is_unsettled=moot is not None and moot.reason is Reason.OUTAGE_UNSETTLED,
        reckoning=reckoning(view, side) if kind is GameQuestion.TIME else (),
    )


def _moot(kind: GameQuestion, view: GameView, side: Side) -> Refusal | None:
    """Why the question is moot; None if an answer would have an effect."""
    state = view.account.state
    if kind is GameQuestion.DRAW and state.result is None and state.to_move is side:
        return None  # only a claim decides whether it is valid (FIDE 9.4)
    is_draw = kind is GameQuestion.DRAW
    command = cmd.ClaimDraw(side, state.position.ply) if is_draw else QUESTIONS[kind][0](side)
    decided = decide(state, command, view.today)
    if isinstance(decided, Refusal):
        return decided
    is_undone = kind is GameQuestion.TIME and view.account.overstep is None
    return Refusal(Reason.OUTAGE_UNSETTLED) if is_undone else None


@routes.post(f"{GAME}/end/{{kind}}")
@stands_on(show_question)
async def act(request: web.Request) -> web.Response:
    """Do it once, or show why not."""
    view, person, side = await own_game(request)
    form = await form_of(request)
    kind, stamp = _kind(request), form.typed("ply")
    ply = view.ply_of(stamp)
    said, text = get_words(request), form.text("text", 80)
    if stamp and ply < 0:  # asked about a position that was set back since
        return _question_page(request, view, side, text, said.refusal(Refusal(Reason.STALE)))

    def build(state: GameState, by: Side) -> cmd.Command | TextProblem:
        if kind is GameQuestion.DRAW:
            return _draw_claim(state, by, (text, ply), (said.reads, view))
        return QUESTIONS[kind][0](by)

    key = form.text("key", 64) or f"{kind.value}-{ply}-{view.game.seq}"
    answer = await ask_once(request, person, build, key)
    refusal, unread = why_not(answer)
    if refusal is not None:
        return _question_page(request, view, side, text, said.refusal(refusal))
    if unread is not None:
        raise FormFault("text", problem_text(said, view.account.state, unread))
    if kind is GameQuestion.TIME:
        opened = await cases_of_game(core(request), person, view.game)
        if opened:
            raise web.HTTPSeeOther(f"/desk/cases/{opened[0].number}")
    after = answer.state if isinstance(answer, GameRequestOutcome) else view.account.state
    raise web.HTTPSeeOther(
        f"/games/{view.game.id}?done={find_question_outcome(kind, after, ply).value}"
    )


def _draw_claim(
    state: GameState, by: Side, asked: tuple[str, int], reader: tuple[str, GameView]
) -> cmd.Command | TextProblem:
    """A claim for the position on the board, or after the intended move (FIDE 9.2)."""
    text, ply = asked
    if not text:
        return cmd.ClaimDraw(by, ply)
    reads, view = reader
    read = FieldReader(text, ply, False, view.today, reads)(state, by)
    if isinstance(read, TextProblem):
        return read
    return cmd.ClaimDraw(by, ply, read.plies[-1])


# Opening a case by a player's objection or an official's question about a game (§ 6.4.1).

LONGEST = 20_000
TAKEOVER = CaseKind.TAKEOVER.value
OVERSTEP = CaseKind.OVERSTEP.value
KINDS = (
    CaseKind.DAYS,
    CaseKind.FAULTY,
    CaseKind.LEAVE,
    CaseKind.SILENCE,
    CaseKind.RESULT,
    CaseKind.CONDUCT,
    CaseKind.OVERSTEP,
    CaseKind.OTHER,
    CaseKind.QUESTION,
)
"""The kinds offered here; an overstep shown by the account has a page of its own."""


@routes.get(f"{GAME}/object")
async def ask_to_object(request: web.Request) -> web.Response:
    """The form: what the objection is about, and why."""
    person, view = signed_in(request), await _find_objection_game(request)
    kind, side = request.query.get("kind", ""), view.side_of(person.id)
    text = ""
    if kind == OVERSTEP and side is not None:
        late = side.other
        state, said = view.account.state, get_words(request).words
        text = dispute_text(state, late, view.player(late).name, said) + "\n"
    return _show_objection_form(request, view, kind=kind, text=text)


async def _find_objection_game(request: web.Request) -> GameView:
    """The game in the address; 403 for onlookers who merely follow it."""
    view = await find_visible_game(request)
    if view.is_onlooker:
        raise web.HTTPForbidden
    return view


def _show_objection_form(
    request: web.Request, view: GameView, problem: str = "", kind: str = "", text: str = ""
) -> web.Response:
    return page(
        request,
        "play/object.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        view=view,
        kinds=_kinds(request, view),
        kind=kind,
        text=text,
        problem=problem,
    )


def _kinds(request: web.Request, view: GameView) -> list[str]:
    """The kinds available for this game; only its players may object to a takeover."""
    plain = [one.value for one in KINDS]
    is_player = view.side_of(signed_in(request).id) is not None
    return [TAKEOVER, *plain] if is_player and takeover_of(view.rows) is not None else plain


@routes.post(f"{GAME}/object")
@stands_on(ask_to_object)
async def object_to(request: web.Request) -> web.Response:
    """Open the case and notify everybody in it; 403 for those neither party nor official."""
    person, view = signed_in(request), await _find_objection_game(request)
    form, d = await form_of(request), load_case_words(request)
    kind, text = form.text("kind", 20), read_statement(form, d.words, LONGEST)
    if kind not in _kinds(request, view):
        raise web.HTTPBadRequest
    if not text:
        raise FormFault("text", d("missing.text"))
    try:
        case = await case_actions.object_to(
            core(request), person, view.game.id, CaseKind(kind), text
        )
    except UnknownGame:
        raise web.HTTPForbidden from None
    if isinstance(case, CaseRefusal):
        return _show_objection_form(request, view, d.refusal(case), kind, text)
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")


# A player leaves his group: what would follow, and his words to the leader (§ 6.2.8).

NO_LEAVING = ("league", FRIENDLY)
"""Groups that nobody leaves so: a captain has reserves, a friendly game is resigned."""
_PATH = r"/games/{game:\d{1,18}}/leave-group"


@routes.get(_PATH)
async def ask_to_leave(request: web.Request) -> web.Response:
    """What § 6.2.8 would make of all his games in the group, and the form."""
    return await _show_leaving_form(request, await _leaver(request))


async def _leaver(request: web.Request) -> GameView:
    """The player's own game; to the case that he has opened, once there is one.

    404 when the game is over, or a team's, whose captain has reserves.
    """
    view, person, _ = await own_game(request)
    if view.account.state.result is not None or view.group.class_ in NO_LEAVING:
        raise web.HTTPNotFound
    known = await case_decisions.find_undecided_case(core(request), view.group.id, person.id)
    if known is not None:
        raise web.HTTPSeeOther(f"/desk/cases/{known.number}")
    return view


async def _show_leaving_form(
    request: web.Request, view: GameView, problem: str = ""
) -> web.Response:
    player = signed_in(request).id
    return page(
        request,
        "play/leave_group.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        view=view,
        leaving=await case_decisions.judge_player_withdrawal(
            core(request), view.group.id, view.group.zone, player
        ),
        problem=problem,
    )


@routes.post(_PATH)
@stands_on(ask_to_leave)
async def leave_group(request: web.Request) -> web.Response:
    """Open the case; a second press finds it open."""
    view, form, d = await _leaver(request), await form_of(request), load_case_words(request)
    text = form.text("text", LONGEST)
    if not text:
        raise FormFault("text", d("missing.text"))
    person = signed_in(request)
    case = await case_decisions.announce(core(request), person, view.group.id, person.id, text)
    if isinstance(case, CaseRefusal):
        return await _show_leaving_form(request, view, d.refusal(case))
    raise web.HTTPSeeOther(f"/desk/cases/{case.number}")
