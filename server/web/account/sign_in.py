"""Signing in with a mailed link or a passkey, and signing out.

The link shows a page with a button: programs that scan mails open links and must not use them
up (reading W5 of the threat list). A passkey is quicker but needs script; the link does not.
"""

import secrets
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from aiohttp import web

from mail.text.catalogue import LANGUAGES
from server.store.account import sign_in as access
from server.store.account.sign_in import SessionRow, TokenScope
from server.store.engine.rows import from_us
from server.store.play.people import PersonRow
from server.usecases.account import signin
from server.usecases.account.signin import LIVES_DAYS, LONGEST_NAME, NotProved, TooMany
from server.usecases.letters import Series, end, reader_of
from server.web.frame.context import (
    COOKIE,
    SESSION,
    SHOWS_SECRET,
    PageRoutes,
    Throttle,
    client_address,
    core,
    forget_session,
    get_words,
    keep_asking,
    keep_session,
    read_browser_secret,
    session_cookie,
    signed_in,
    viewer,
)
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import page

routes = PageRoutes()
_UNSUBSCRIBE = "/unsubscribe/{series:moves|daily|bulletins|followed}/{token:[a-z2-7]{1,80}}"

# Texts of the pages about one's own account: access, stored data, removal.


@dataclass(frozen=True, slots=True)
class AccountWords(SubjectWords):
    """One language for these pages. ``zone`` applies to their days and hours."""

    subject = "account"
    zone: str

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(from_us(us).astimezone(ZoneInfo(self.zone)).date())

    def hour(self, us: int) -> str:
        """The day and hour of an instant, minutes as 00: 3. november 2026 kl. 00.00."""
        local = from_us(us).astimezone(ZoneInfo(self.zone)).replace(minute=0)
        return self("day_hour", day=self.words.day(local.date()), hour=self.words.time(local))

    def day(self, iso: str | None) -> str:
        """A day in full, or «never» if there is none."""
        return self("never") if iso is None else self.words.day(date.fromisoformat(iso))

    def scopes(self, kept: str) -> str:
        """What a token opens, in words."""
        return "; ".join(self(f"scope.{one}") for one in kept.split())

    def browser(self, kept: str | None) -> str:
        """«Firefox på Windows», as far as known."""
        name, _, system = (kept or "").removesuffix(signin.BY_PASSKEY).partition(";")
        if name and system:
            return self("browser_on", name=name, system=system)
        return name or system or self("browser_unknown")


# Ending optional letters by the link in them: GET asks, POST does it, also from a mail program.

LINK_EXPIRED = 410


async def _find_series(request: web.Request) -> tuple[Series, PersonRow] | None:
    person = await reader_of(core(request), request.match_info["token"])
    return None if person is None else (Series(request.match_info["series"]), person)


@routes.get(_UNSUBSCRIBE)
async def question(request: web.Request) -> web.Response:
    """The question; viewing it changes nothing."""
    asked = await _find_series(request)
    return _page(request, None if asked is None else asked[0], is_done=False)


@routes.post(_UNSUBSCRIBE)
async def end_letters(request: web.Request) -> web.Response:
    """End them now."""
    asked, form = await _find_series(request), await form_of(request)
    is_sure = asked is not None and (asked[0] is not Series.MOVES or form.text("sure", 5) == "yes")
    if asked is not None and is_sure:
        await end(core(request), *asked)
    return _page(request, None if asked is None else asked[0], is_done=is_sure)


def _page(request: web.Request, series: Series | None, *, is_done: bool) -> web.Response:
    if series is None:
        return page(request, "play/confirm_dead.html", status=LINK_EXPIRED)
    say = get_words(request).words
    return page(request, "account/unsubscribe.html", series=series, is_done=is_done, say=say)


# Signing in with a mailed link or a passkey, and signing out.

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""The first match wins: nearly all browsers also claim to be Safari, and many Chrome."""
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def browser_of(request: web.Request) -> str:
    """«Firefox;Windows»; unknown parts are left empty."""
    said = request.headers.get("User-Agent", "")[:500]
    known = (_BROWSERS, _SYSTEMS)
    return ";".join(next((name for sign, name in one if sign in said), "") for one in known)


THROTTLE = web.AppKey("throttle", Throttle)
TOO_OFTEN = 429
LONGEST_PATH = 300


def wished_path(form: Form) -> str:
    """Where the form leads; the front page for a path longer than any of ours."""
    path = form.typed("next")
    return signin.own_path(path) if 0 < len(path) <= LONGEST_PATH else "/"


@routes.get("/signin")
async def ask_page(request: web.Request) -> web.Response:
    """The form asking for an e-mail address."""
    if viewer(request) is not None:
        raise web.HTTPSeeOther("/")
    return _show_sign_in_form(request, request.query.get("next", "/"))


def _show_sign_in_form(
    request: web.Request,
    wished: str,
    *,
    email: str = "",
    problem: str = "",
    key_problem: str = "",
    status: int = 200,
) -> web.Response:
    return page(
        request,
        "account/sign_in.html",
        status=status,
        next_path=signin.own_path(wished),
        email=email,
        problem=problem,
        key_problem=key_problem,
        has_passkeys=signin.party_of(core(request).settings.web.site) is not None,
    )


def _may_try(request: web.Request) -> bool:
    return request.app[THROTTLE].allows(client_address(request), core(request).clock.now())


@routes.post("/signin")
@stands_on(ask_page)
async def ask(request: web.Request) -> web.Response:
    """Mail a link if the address is known; the answer is the same if it is not."""
    form = await form_of(request)
    email, wished = form.text("email", 254), wished_path(form)
    if email.count("@") != 1 or " " in email:
        return _show_sign_in_form(
            request, wished, email=email, problem="signin.bad_address", status=422
        )
    if not _may_try(request):
        return _show_sign_in_form(
            request, wished, email=email, problem="signin.too_often", status=TOO_OFTEN
        )
    await signin.request_link(core(request), email, wished)
    return page(request, "account/sign_in_sent.html", email=email)


@routes.get("/login/{token}")
async def link_page(request: web.Request) -> web.Response:
    """Whose link it is, and a button; viewing it does not use it up."""
    person = await signin.open_link(core(request), request.match_info["token"])
    if person is None:
        return page(request, "account/link_dead.html", status=410)
    return page(request, "account/link.html", person=person)


@routes.post("/login/{token}")
async def use_link(request: web.Request) -> web.Response:
    """Sign in, ending any previous session of this browser."""
    token = request.match_info["token"]
    made = await signin.use_link(core(request), token, browser_of(request))
    if made is None:
        return page(request, "account/link_dead.html", status=410)
    await _end_here(request)
    response = web.HTTPSeeOther(signin.own_path(made.next_path))
    keep_session(request, response, made.secret)
    raise response


async def _end_here(request: web.Request) -> None:
    if SESSION in request:
        secret = request.cookies.get(session_cookie(request), "")
        await core(request).store.change(access.end_session, secret)


@routes.post("/signin/passkey/options")
async def passkey_challenge(request: web.Request) -> web.Response:
    """For the script: what the browser needs to sign in, bound to it by a separate cookie."""
    if not _may_try(request):
        raise web.HTTPTooManyRequests
    secret = secrets.token_urlsafe(24)
    try:
        text = await signin.challenge(core(request), secret)
    except NotProved:
        raise web.HTTPNotFound from None
    response = web.Response(text=text, content_type="application/json")
    keep_asking(request, response, secret)
    return response


@routes.post("/signin/passkey")
@stands_on(ask_page)
async def use_passkey(request: web.Request) -> web.Response:
    """Sign in with the browser's proof; without script the page says what is needed."""
    form = await form_of(request)
    wished = wished_path(form)
    answer = form.text("answer", signin.LONGEST_ANSWER)
    if not _may_try(request):
        return _show_sign_in_form(
            request, wished, key_problem="problem.too_often", status=TOO_OFTEN
        )
    if not answer:
        return _show_sign_in_form(request, wished, key_problem="problem.no_script", status=422)
    secret = read_browser_secret(request)
    try:
        made = await signin.sign_in(core(request), secret, answer, wished, browser_of(request))
    except NotProved:
        return _show_sign_in_form(request, wished, key_problem="problem.not_proved", status=422)
    await _end_here(request)
    response = web.HTTPSeeOther(made.next_path)
    keep_session(request, response, made.secret)
    raise response


@routes.post("/signout")
async def sign_out(request: web.Request) -> web.Response:
    """End the session, here and in the database."""
    response = web.HTTPSeeOther("/")
    if SESSION in request:
        await _end_here(request)
        forget_session(request, response)
    raise response


# Choosing the pages' language when not signed in; the page about this site.

YEAR_S = 365 * 24 * 3600


@routes.post("/language")
async def choose_language(request: web.Request) -> web.Response:
    """Store the choice in a cookie, and go back."""
    form = await form_of(request)
    response = web.HTTPSeeOther(wished_path(form))
    lang = form.typed("lang")
    if lang in LANGUAGES:
        response.set_cookie(
            COOKIE,
            lang,
            max_age=YEAR_S,
            path="/",
            samesite="Lax",
            secure=core(request).settings.web.site.startswith("https:"),
        )
    raise response


@routes.get("/about")
async def about(request: web.Request) -> web.Response:
    """What this site is, and whose work it contains."""
    return page(request, "account/about.html")


# One's own access: passkeys, signed-in browsers, API tokens, the key for chess programs.

PATH = "/settings/access"
_STATUS = {"not_fresh": 403, "too_often": TOO_OFTEN}
DONE = frozenset(
    {"made", "renamed", "removed", "ended", "others", "revoked", "key_revoked", "mailed"}
)


def load_account_words(request: web.Request) -> AccountWords:
    """The texts of these pages."""
    return AccountWords(get_words(request).words, core(request).settings.clock.zone)


def _session(request: web.Request) -> SessionRow:
    signed_in(request)
    return request[SESSION].session


def is_fresh(request: web.Request) -> bool:
    """Whether the viewer signed in here recently."""
    return signin.is_fresh(_session(request), core(request).now_us)


@routes.get(PATH)
async def show(
    request: web.Request, *, where: str = "", problem: str = "", status: int = 0, **secrets: str
) -> web.Response:
    """The four lists with their forms. ``where``: the section of a ``problem``; ``secrets``: a
    new ``token`` or ``xfcc_key``, shown once."""
    me, here = signed_in(request), _session(request)
    a, done, at = load_account_words(request), request.query.get("done", ""), core(request)
    async with at.store.read() as conn:
        ways = {
            "keys": await access.passkeys_of(conn, me.id),
            "sessions": await access.sessions_of(conn, me.id, at.now_us),
            "tokens": await access.tokens_of(conn, me.id),
            "xfcc": await access.xfcc_key_of(conn, me.id),
        }
    return page(
        request,
        "account/access.html",
        status=status or (_STATUS.get(problem, PROBLEM_STATUS) if problem else 200),
        a=a,
        where=where,
        problem=a(f"problem.{problem}") if problem else "",
        secrets=secrets,
        done=done if done in DONE and not (where or secrets) else "",
        has_passkeys=signin.party_of(at.settings.web.site) is not None,
        here=here.digest,
        is_fresh=is_fresh(request),
        must_prove=request[SESSION].must_prove,
        xfcc_user=signin.xfcc_user(me.id),
        xfcc_url=at.url("/xfcc/XfccBasic.asmx"),
        longest=LONGEST_NAME,
        lives=LIVES_DAYS,
        has_ended=lambda token: token.ends_us is not None and token.ends_us <= at.now_us,
        **ways,
    )


def _back(done: str) -> web.HTTPSeeOther:
    return web.HTTPSeeOther(f"{PATH}?done={done}")


def _name(form: Form) -> str:
    return form.text("name", LONGEST_NAME)


def _fault(request: web.Request, name: str) -> str:
    """Why nothing new can be made under this name; "" if it can."""
    if not is_fresh(request):
        return "not_fresh"
    return "" if name and name.isprintable() else "no_name"


@routes.post(f"{PATH}/fresh")
async def mail_link(request: web.Request) -> web.Response:
    """Mail a link for signing in again to one's own address."""
    me = signed_in(request)
    if not _may_try(request):
        return await show(request, where="fresh", problem="too_often")
    await signin.request_link(core(request), me.email, PATH)
    raise _back("mailed")


@routes.post(f"{PATH}/passkeys/options")
async def passkey_options(request: web.Request) -> web.Response:
    """For the script: what the browser needs to create a passkey."""
    me, form = signed_in(request), await form_of(request)
    if _fault(request, _name(form)):
        raise web.HTTPConflict
    try:
        text = await signin.offer(core(request), me, _session(request))
    except (NotProved, TooMany):
        raise web.HTTPConflict from None
    return web.Response(text=text, content_type="application/json")


@routes.post(f"{PATH}/passkeys")
@stands_on(show)
async def passkey_make(request: web.Request) -> web.Response:
    """Store the passkey that the browser created."""
    me, form = signed_in(request), await form_of(request)
    name, answer = _name(form), form.text("answer", signin.LONGEST_ANSWER)
    fault = _fault(request, name) or ("" if answer else "no_script")
    if fault:
        return await show(request, where="passkey", problem=fault)
    try:
        await signin.register(core(request), me, _session(request), answer, name)
    except NotProved:
        return await show(request, where="passkey", problem="not_proved")
    raise _back("made")


@routes.post(rf"{PATH}/passkeys/{{key:\d{{1,18}}}}")
@stands_on(show)
async def passkey_change(request: web.Request) -> web.Response:
    """Rename or remove a passkey."""
    me, form = signed_in(request), await form_of(request)
    key_id = int(request.match_info["key"])
    if form.text("deed", 10) == "remove":
        found, done = await signin.remove(core(request), me, key_id), "removed"
    else:
        name = _name(form)
        if not name or not name.isprintable():
            raise FormFault("name", load_account_words(request)("problem.no_name"))
        found = await core(request).store.change(access.rename, me.id, key_id, name)
        done = "renamed"
    if not found:
        raise web.HTTPNotFound
    raise _back(done)


def _digest(form: Form, name: str) -> bytes:
    """A row's digest as given in the form; empty for any other text."""
    try:
        return bytes.fromhex(form.text(name, 64))
    except ValueError:
        return b""


@routes.post(f"{PATH}/sessions")
async def sessions(request: web.Request) -> web.Response:
    """End one session, or all but this one."""
    me, form = signed_in(request), await form_of(request)
    if form.text("deed", 10) == "others":
        await core(request).store.change(access.end_others, me.id, _session(request).digest)
        raise _back("others")
    if not await core(request).store.change(access.end_one, me.id, _digest(form, "session")):
        raise web.HTTPNotFound
    raise _back("ended")


@routes.post(f"{PATH}/tokens")
@stands_on(show)
async def tokens(request: web.Request) -> web.Response:
    """Create a token, which is shown once, or revoke one."""
    me, form = signed_in(request), await form_of(request)
    if form.text("deed", 10) == "revoke":
        if not await signin.revoke_token(core(request), me, _digest(form, "token")):
            raise web.HTTPNotFound
        raise _back("revoked")
    name = _name(form)
    if fault := _fault(request, name):
        return await show(request, where="token", problem=fault)
    days = form.number("days")
    if days not in LIVES_DAYS:
        days = LIVES_DAYS[0]
    terms = signin.terms_for(core(request), [*filter(form.is_ticked, TokenScope)], days)
    try:
        token = await signin.make_own_token(core(request), me, name, terms)
    except TooMany:
        return await show(request, where="token", problem="too_many")
    request[SHOWS_SECRET] = True
    return await show(request, token=token)


@routes.post(f"{PATH}/xfcc")
async def xfcc(request: web.Request) -> web.Response:
    """Create, renew or revoke the key for chess programs."""
    me, form = signed_in(request), await form_of(request)
    if form.text("deed", 10) == "revoke":
        await signin.revoke_xfcc_key(core(request), me)
        raise _back("key_revoked")
    if not is_fresh(request):
        return await show(request, where="xfcc", problem="not_fresh")
    key = await signin.make_xfcc_key(core(request), me)
    request[SHOWS_SECRET] = True
    return await show(request, xfcc_key=key)
