"""The page that a person finds at the address of Xfcc: how to set a chess program up.

Not for the service itself (the room xfcc), nor for making the key (account/ways_in.py).
"""

from aiohttp import web

from server.usecases.account.own_keys import xfcc_user
from server.web.account.ways_in import account_words
from server.web.frame.context import core, viewer
from server.web.frame.pages import page

NICKNAME = "KSKAK"
"""Without a hyphen: Scid takes a game's name apart at the first."""


async def show(request: web.Request) -> web.Response:
    """What to type where; with the reader's own user name when he is signed in."""
    me = viewer(request)
    return page(
        request,
        "help/xfcc.html",
        a=account_words(request),
        url=core(request).url("/xfcc/XfccBasic.asmx"),
        user=xfcc_user(me.id) if me else "",
        nickname=NICKNAME,
    )
