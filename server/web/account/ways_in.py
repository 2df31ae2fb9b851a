"""One's own access: passkeys, signed-in browsers, API tokens, the key for chess programs.

New credentials can be made only shortly after signing in. Not for signing in (sign_in.py).
"""

from dataclasses import dataclass

from aiohttp import web

from server.store.account.ways_in import SessionRow
from server.usecases.account import own_keys, passkeys, signin
from server.usecases.account.own_keys import LONGEST_NAME, TooMany
from server.usecases.account.passkeys import NotProved
from server.web.account.sign_in import THROTTLE, TOO_OFTEN
from server.web.account.words import AccountWords
from server.web.frame.context import SESSION, core, signed_in, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.origin import client_address
from server.web.frame.pages import page

PATH = "/settings/access"
DONE = frozenset(
    {"made", "renamed", "removed", "ended", "others", "revoked", "key_revoked", "mailed"}
)


@dataclass(frozen=True, slots=True)
class Said:
    """What the page shows besides its lists. ``where`` is the section; secrets are shown once."""

    where: str = ""
    problem: str = ""
    name: str = ""
    token: str = ""
    xfcc_key: str = ""
    status: int = 200


def account_words(request: web.Request) -> AccountWords:
    """The texts of these pages."""
    return AccountWords(words(request).words, core(request).settings.clock.zone)


def _session(request: web.Request) -> SessionRow:
    signed_in(request)
    return request[SESSION].session


def is_fresh(request: web.Request) -> bool:
    """Whether the viewer signed in here recently."""
    return own_keys.is_fresh(_session(request), core(request).now_us)


async def show(request: web.Request) -> web.Response:
    """The four lists with their forms."""
    return await _page(request, Said())


async def _page(request: web.Request, said: Said) -> web.Response:
    me, here = signed_in(request), _session(request)
    done = request.query.get("done", "")
    site = core(request).settings.web.site
    return page(
        request,
        "account/access.html",
        status=said.status,
        a=account_words(request),
        said=said,
        done=done if done in DONE and not said.where else "",
        keys=await passkeys.keys_of(core(request), me),
        has_passkeys=passkeys.party_of(site) is not None,
        ways=await own_keys.ways_of(core(request), me),
        here=here.digest,
        is_fresh=is_fresh(request),
        xfcc_user=own_keys.xfcc_user(me.id),
        xfcc_url=core(request).url("/xfcc/XfccBasic.asmx"),
        longest=LONGEST_NAME,
    )


def _back(done: str) -> web.HTTPSeeOther:
    return web.HTTPSeeOther(f"{PATH}?done={done}")


def _wrong(request: web.Request, where: str, key: str, name: str = "") -> Said:
    status = 403 if key == "not_fresh" else 422
    return Said(where, account_words(request)(f"problem.{key}"), name, status=status)


def _name(form: Form) -> str:
    return form.text("name", LONGEST_NAME)


def _fault(request: web.Request, name: str) -> str:
    """Why nothing new can be made under this name; "" if it can."""
    if not is_fresh(request):
        return "not_fresh"
    return "" if name and name.isprintable() else "no_name"


async def mail_link(request: web.Request) -> web.Response:
    """Mail a link for signing in again to one's own address."""
    me = signed_in(request)
    if not request.app[THROTTLE].allows(client_address(request), core(request).clock.now()):
        said = Said("fresh", account_words(request)("problem.too_often"), status=TOO_OFTEN)
        return await _page(request, said)
    await signin.request_link(core(request), me.email, PATH)
    raise _back("mailed")


async def passkey_options(request: web.Request) -> web.Response:
    """For the script: what the browser needs to create a passkey."""
    me, form = signed_in(request), await form_of(request)
    if _fault(request, _name(form)):
        raise web.HTTPConflict
    try:
        text = await passkeys.offer(core(request), me, _session(request))
    except (NotProved, TooMany):
        raise web.HTTPConflict from None
    return web.Response(text=text, content_type="application/json")


@stands_on(show)
async def passkey_make(request: web.Request) -> web.Response:
    """Store the passkey that the browser created."""
    me, form = signed_in(request), await form_of(request)
    name, answer = _name(form), form.text("answer", passkeys.LONGEST_ANSWER)
    fault = _fault(request, name) or ("" if answer else "no_script")
    if fault:
        return await _page(request, _wrong(request, "passkey", fault, name))
    try:
        await passkeys.register(core(request), me, _session(request), answer, name)
    except NotProved:
        return await _page(request, _wrong(request, "passkey", "not_proved", name))
    raise _back("made")


@stands_on(show)
async def passkey_change(request: web.Request) -> web.Response:
    """Rename or remove a passkey."""
    me, form = signed_in(request), await form_of(request)
    key_id = int(request.match_info["key"])
    if form.text("deed", 10) == "remove":
        found, done = await passkeys.remove(core(request), me, key_id), "removed"
    else:
        name = _name(form)
        if not name or not name.isprintable():
            raise Fault("name", account_words(request)("problem.no_name"))
        found, done = await passkeys.rename(core(request), me, key_id, name), "renamed"
    if not found:
        raise web.HTTPNotFound
    raise _back(done)


def _digest(form: Form, name: str) -> bytes:
    """A row's digest as given in the form; empty for any other text."""
    try:
        return bytes.fromhex(form.text(name, 64))
    except ValueError:
        return b""


async def sessions(request: web.Request) -> web.Response:
    """End one session, or all but this one."""
    me, form = signed_in(request), await form_of(request)
    if form.text("deed", 10) == "others":
        await own_keys.end_others(core(request), me, _session(request))
        raise _back("others")
    if not await own_keys.end_session(core(request), me, _digest(form, "session")):
        raise web.HTTPNotFound
    raise _back("ended")


@stands_on(show)
async def tokens(request: web.Request) -> web.Response:
    """Create a token, which is shown once, or revoke one."""
    me, form = signed_in(request), await form_of(request)
    if form.text("deed", 10) == "revoke":
        if not await own_keys.revoke_token(core(request), me, _digest(form, "token")):
            raise web.HTTPNotFound
        raise _back("revoked")
    name = _name(form)
    if fault := _fault(request, name):
        return await _page(request, _wrong(request, "token", fault, name))
    try:
        token = await own_keys.make_token(core(request), me, name)
    except TooMany:
        return await _page(request, _wrong(request, "token", "too_many", name))
    return await _page(request, Said("token", token=token))


async def xfcc(request: web.Request) -> web.Response:
    """Create, renew or revoke the key for chess programs."""
    me, form = signed_in(request), await form_of(request)
    if form.text("deed", 10) == "revoke":
        await own_keys.revoke_xfcc_key(core(request), me)
        raise _back("key_revoked")
    if not is_fresh(request):
        return await _page(request, _wrong(request, "xfcc", "not_fresh"))
    key = await own_keys.make_xfcc_key(core(request), me)
    return await _page(request, Said("xfcc", xfcc_key=key))
