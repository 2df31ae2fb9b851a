"""A session's token as a page carries it: different on every page, and yet the same token.

Pages travel compressed, and how long a compressed page is tells of what it repeats: a token that
never changes could be guessed letter by letter beside text that a stranger chose. Not for who may
send a form (origin.py).
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error


def masked(token: str) -> str:
    """The token behind a mask of its own length, and the mask; "" for no token."""
    plain = token.encode()
    mask = secrets.token_bytes(len(plain))
    return urlsafe_b64encode(mask + _beside(mask, plain)).decode()


def unmasked(text: str) -> bytes:
    """The token that a form sent; what is no masked token comes out as b""."""
    try:
        whole = urlsafe_b64decode(text)
    except (ValueError, Error):
        return b""
    half, rest = divmod(len(whole), 2)
    return b"" if rest else _beside(whole[:half], whole[half:])


def _beside(mask: bytes, text: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(mask, text, strict=True))
