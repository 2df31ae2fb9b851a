"""The addresses of the pages about one's own account, for web/site.py."""

from aiohttp import web

from server.web.account import own_data as datapage
from server.web.account import sign_in as signing
from server.web.account import ways_in as accesspage

_ACCESS = accesspage.PATH

ROUTES = (
    web.post("/signin/passkey/options", signing.passkey_challenge),
    web.post("/signin/passkey", signing.use_passkey),
    web.get(_ACCESS, accesspage.show),
    web.post(f"{_ACCESS}/fresh", accesspage.mail_link),
    web.post(f"{_ACCESS}/passkeys/options", accesspage.passkey_options),
    web.post(f"{_ACCESS}/passkeys", accesspage.passkey_make),
    web.post(rf"{_ACCESS}/passkeys/{{key:\d{{1,18}}}}", accesspage.passkey_change),
    web.post(f"{_ACCESS}/sessions", accesspage.sessions),
    web.post(f"{_ACCESS}/tokens", accesspage.tokens),
    web.post(f"{_ACCESS}/xfcc", accesspage.xfcc),
    web.get(datapage.PATH, datapage.show),
    web.post(f"{datapage.PATH}/copy", datapage.give),
    web.post(f"{datapage.PATH}/remove", datapage.remove),
    web.get(f"{datapage.PATH}/removed", datapage.removed),
)
