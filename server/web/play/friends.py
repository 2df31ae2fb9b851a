"""Friendly games by challenge, and whom one follows. Not for playing them (game_page.py)."""

from aiohttp import web

from kskak.regulation.editions import Regulation
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.starts import friends
from server.usecases.starts.friends import ChallengeColour, ChallengeProblem, ChallengeRequest
from server.web.frame.context import PageRoutes, core, get_words, signed_in
from server.web.frame.forms import FormFault, form_of, stands_on
from server.web.frame.pages import page
from server.web.play.my_games import read_number

routes = PageRoutes()
_FIELD = {
    ChallengeProblem.POSITION: "fen",
    ChallengeProblem.POSITION_OVER: "fen",
    ChallengeProblem.WORD: "word",
}
"""The field that a problem is about; others are about the challenge."""
_DONE = frozenset({"sent", "withdrawn", "declined", "followed"})


@routes.get("/friends")
async def show(request: web.Request) -> web.Response:
    """Challenges to the reader, his own, invitations, a form, and whom he follows.

    ``?to=``: a player to challenge.
    """
    person, to = signed_in(request), read_number(request, "to")
    found = await friends.friends_of(core(request), person)
    other = await core(request).store.query(friends.find_opponent, person, to) if to else None
    done = request.query.get("done", "")
    return page(
        request,
        "play/friends.html",
        found=found,
        other=other,
        address=core(request).command_address,
        done=done if done in _DONE else "",
        rule_sets=[one.value for one in (Regulation.EMAIL, Regulation.POSTAL)],
        colours=[one.value for one in ChallengeColour],
    )


def _fault(request: web.Request, problem: ChallengeProblem) -> FormFault:
    say = get_words(request).words
    said = say(
        f"friends.fault.{problem.value}",
        most=friends.MOST_CHALLENGES,
        longest=friends.LONGEST_WORD,
    )
    return FormFault(_FIELD.get(problem, "challenge"), said)


@routes.post("/friends")
@stands_on(show)
async def challenge(request: web.Request) -> web.Response:
    """Challenge a player, or leave an invitation; the form again says what is wrong."""
    person, form = signed_in(request), await form_of(request)
    try:
        rules, colour = Regulation(form.text("rules", 8)), ChallengeColour(form.text("colour", 8))
    except ValueError:
        raise web.HTTPBadRequest from None
    terms = rules, colour, form.text("fen", 200), form.text("word")
    asked = ChallengeRequest(form.number("to"), *terms)
    done = await friends.challenge(core(request), person, asked)
    if isinstance(done, ChallengeProblem):
        raise _fault(request, done)
    raise web.HTTPSeeOther("/friends?done=sent")


@routes.post(r"/friends/{challenge:\d{1,18}}")
@stands_on(show)
async def answer(request: web.Request) -> web.Response:
    """Take a challenge up and go to the game, decline it, or withdraw one's own."""
    person, form = signed_in(request), await form_of(request)
    number, deed = int(request.match_info["challenge"]), form.text("deed", 10)
    try:
        if deed == "accept":
            game = await friends.accept(core(request), person, number)
            if isinstance(game, ChallengeProblem):
                raise _fault(request, game)
            raise web.HTTPSeeOther(f"/games/{game}")
        problem = await friends.refuse(core(request), person, number)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except NoSuch:
        raise web.HTTPNotFound from None
    if problem is not None:
        raise _fault(request, problem)
    raise web.HTTPSeeOther(f"/friends?done={'withdrawn' if deed == 'withdraw' else 'declined'}")


@routes.post("/friends/follow")
@stands_on(show)
async def follow(request: web.Request) -> web.Response:
    """Follow a player or a group, or no longer."""
    person, form = signed_in(request), await form_of(request)
    whom = form.number("player"), form.text("group", 120)
    is_on = form.text("deed", 10) == "on"
    try:
        done = await friends.follow(core(request), person, *whom, is_on=is_on)
    except NoSuch:
        raise web.HTTPNotFound from None
    if not done:
        said = get_words(request).words("friends.fault.followed", most=friends.MOST_FOLLOWED)
        raise FormFault("followed", said)
    raise web.HTTPSeeOther("/friends?done=followed")
