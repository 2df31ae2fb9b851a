"""Masks a session's token so that it looks different on every page.

Pages are compressed, and a compressed page's length reveals repetitions: a constant token could
be guessed letter by letter beside text chosen by an attacker. Not for who may send a form
(origin.py).
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error


def masked(token: str) -> str:
    """The mask, as long as the token, followed by the masked token; "" for no token."""
    plain = token.encode()
    mask = secrets.token_bytes(len(plain))
    return urlsafe_b64encode(mask + _beside(mask, plain)).decode()


def unmasked(text: str) -> bytes:
    """The token sent with a form; b"" if it is not a masked token."""
    try:
        whole = urlsafe_b64decode(text)
    except (ValueError, Error):
        return b""
    half, rest = divmod(len(whole), 2)
    return b"" if rest else _beside(whole[:half], whole[half:])


def _beside(mask: bytes, text: bytes) -> bytes:
    return (int.from_bytes(mask) ^ int.from_bytes(text)).to_bytes(len(text))
