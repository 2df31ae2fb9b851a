"""Xfcc calls as chess programs put them on the wire: recorded from Scid 4.7.4 and others.

What they have in common is only that the body names the operation. Not for what is answered.
"""

from xml.sax.saxutils import escape

NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
_SCID_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n\t<soap:Envelope'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
    ' xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">\n\t<soap:Body>\n\t'
)
SCID_HEADERS = {
    "User-Agent": "Scid/4.7.4 (x11; Linux x86_64; rv:2020) Tcl/Tk 8.6.13",
    "Connection": "close",
    "Accept": "*/*",
    "Accept-Encoding": "gzip,deflate,compress",
    "Content-Type": 'text/xml; charset="utf-8"',
}
"""No SOAPAction at all."""
_ORDER = (
    "gameId", "resign", "acceptDraw", "movecount", "myMove", "offerDraw", "claimDraw", "myMessage",
)  # fmt: skip


def scid(operation: str, user: str, key: str, **fields: object) -> bytes:
    """Scid: each character cut to its low octet, whatever the head says; truth values 0 and 1."""
    given = {"resign": 0, "acceptDraw": 0, "offerDraw": 0, "claimDraw": 0} | fields
    named = {"username": user, "password": key}
    if operation == "MakeAMove":
        named |= {name: given.get(name, "") for name in _ORDER}
    inner = "".join(f"<{name}>{escape(str(value))}</{name}>" for name, value in named.items())
    body = f'<{operation} xmlns="{NAMESPACE}">{inner}</{operation}></soap:Body>'
    text = f"{_SCID_HEAD}{body}\n\t</soap:Envelope>"
    return bytes(ord(char) & 0xFF for char in text)


def community(operation: str, user: str, key: str, **fields: object) -> bytes:
    """scidCommunity: one line, prefixed names, truth values in words."""
    given = dict.fromkeys(("resign", "acceptDraw", "offerDraw", "claimDraw"), "false") | fields
    named = {"username": user, "password": key}
    if operation == "MakeAMove":
        named |= {name: given.get(name, "") for name in _ORDER}
    inner = "".join(f"<ns:{name}>{escape(str(value))}</ns:{name}>" for name, value in named.items())
    return (
        '<?xml version="1.0" encoding="utf-8"?><soap:Envelope'
        ' xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"'
        f' xmlns:ns="{NAMESPACE}"><soap:Header/><soap:Body><ns:{operation}>{inner}'
        f"</ns:{operation}></soap:Body></soap:Envelope>"
    ).encode()


def lucas(user: str, key: str, game: int, number: int, move: str) -> bytes:
    """Lucas Chess through suds: the whole request inside the first argument, and empty ones."""
    values = {"username": user, "password": key, "gameId": game, "resign": "false"}
    values |= {"acceptDraw": "false", "movecount": number, "myMove": move, "offerDraw": "false"}
    inner = "".join(f"<ns1:{name}>{value}</ns1:{name}>" for name, value in values.items())
    empty = "".join(f"<ns1:{name}/>" for name in ("gameId", "resign", "movecount", "offerDraw"))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope'
        f' xmlns:ns1="{NAMESPACE}" xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/">'
        "<SOAP-ENV:Header/><SOAP-ENV:Body><ns1:MakeAMove>"
        f"<ns1:username>{inner}</ns1:username>{empty}</ns1:MakeAMove></SOAP-ENV:Body>"
        "</SOAP-ENV:Envelope>"
    ).encode()
