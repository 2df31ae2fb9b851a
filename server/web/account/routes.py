"""The routes of the pages about one's own account, for web/site.py."""

from aiohttp import web

from server.web.account import own_data, sign_in, unsubscribe, ways_in

_ACCESS = ways_in.PATH
_UNSUBSCRIBE = "/unsubscribe/{series:moves|daily|bulletins}/{token:[a-z2-7]{1,80}}"

ROUTES = (
    web.post("/signin/passkey/options", sign_in.passkey_challenge),
    web.post("/signin/passkey", sign_in.use_passkey),
    web.get(_UNSUBSCRIBE, unsubscribe.question),
    web.post(_UNSUBSCRIBE, unsubscribe.give),
    web.get(_ACCESS, ways_in.show),
    web.post(f"{_ACCESS}/fresh", ways_in.mail_link),
    web.post(f"{_ACCESS}/passkeys/options", ways_in.passkey_options),
    web.post(f"{_ACCESS}/passkeys", ways_in.passkey_make),
    web.post(rf"{_ACCESS}/passkeys/{{key:\d{{1,18}}}}", ways_in.passkey_change),
    web.post(f"{_ACCESS}/sessions", ways_in.sessions),
    web.post(f"{_ACCESS}/tokens", ways_in.tokens),
    web.post(f"{_ACCESS}/xfcc", ways_in.xfcc),
    web.get(own_data.PATH, own_data.show),
    web.post(f"{own_data.PATH}/copy", own_data.give),
    web.post(f"{own_data.PATH}/remove", own_data.remove),
    web.get(f"{own_data.PATH}/removed", own_data.removed),
)
