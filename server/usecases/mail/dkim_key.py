"""The key that letters are signed with: a file that the operator names, and makes once.

Not for signing (mail/outgoing/dkim_signing.py).
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from server.settings import Settings

if TYPE_CHECKING:
    # Loaded where letters are signed: most servers leave that to their relay.
    from mail.outgoing.dkim_signing import Signer


class KeyFault(Exception):
    """The key can't be used; the message is one line for the operator."""


def path_of(settings: Settings) -> Path:
    """The file. Raises KeyFault if the settings name none."""
    named = settings.mail.out.dkim_key
    if not named:
        raise KeyFault("mail.out.dkim_key names no file; set it to where the key is to lie")
    return Path(named)


def read(path: Path) -> bytes:
    """What the file holds. Raises KeyFault."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyFault(
            f"mail.out.dkim_key = {path}: cannot be read ({error.strerror}); "
            "`kskak dkim` makes it if it is missing"
        ) from error


def make(path: Path) -> None:
    """Write a fresh key where nothing is, for the owner's eyes only. Raises KeyFault."""
    from mail.outgoing.dkim_signing import new_key

    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(made, "wb") as file:
            file.write(new_key())
    except OSError as error:
        raise KeyFault(f"{path}: cannot be written ({error.strerror})") from error


def signer_of(settings: Settings) -> "Signer | None":
    """What signs our letters; None if they go unsigned. Raises KeyFault."""
    out = settings.mail.out
    if not out.dkim_key:
        return None
    from mail.outgoing.dkim_signing import Signer, UnusableKey

    path = path_of(settings)
    try:
        return Signer(settings.mail.domain, out.dkim_selector, read(path))
    except UnusableKey as error:
        raise KeyFault(unusable(path)) from error


def unusable(path: Path) -> str:
    """What is said of a file that holds something else."""
    return f"mail.out.dkim_key = {path}: holds no private RSA key (PEM, no password)"
