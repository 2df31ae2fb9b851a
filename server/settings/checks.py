"""What a setting may be: the checks, and the types made of them.

Not for: the keys themselves (`model.py`).
"""

import re
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from mail.looks import design


def no_bool(value: object) -> object:
    """A number; `true` is none. ValueError otherwise."""
    if isinstance(value, bool):
        raise ValueError("a truth value is no number")
    return value


def split(value: object) -> object:
    """A list may be written in the environment as `10.0.0.1, 10.0.1.0/24`."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def database_url(value: str) -> str:
    """The URL of a database that we can use. ValueError otherwise."""
    if not value.startswith(("sqlite:///", "sqlite+aiosqlite:///", "postgresql+asyncpg://")):
        raise ValueError("unknown database")
    return value


def public_url(value: str) -> str:
    """A web address without a slash at its end, or ''. ValueError otherwise."""
    if not value:
        return value
    parts = urlsplit(value)
    # .port raises if it is not a number
    if re.search(r"[\s\x00-\x1f\x7f<>\"\\]", value) or parts.port == 0:
        raise ValueError("no web address")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("no web address")
    return value.rstrip("/")


def check_listening_host(value: str) -> str:
    """An IP address, or a name that a machine or a container may have."""
    try:
        return str(ip_address(value))
    except ValueError:
        if not re.fullmatch(r"[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?", value):
            raise ValueError("no host") from None
    return value


def check_remote_host(value: str) -> str:
    """An IP address, a host name, or ''. ValueError otherwise."""
    return check_listening_host(value) if value else value


def folder(value: object) -> object:
    """A folder's name. ValueError otherwise."""
    if isinstance(value, str) and not value.strip():
        raise ValueError("no folder")
    return value


def check_looks_folder(value: str) -> str:
    """A folder whose looks can be taken, or ''. ValueError otherwise, WrongLooks for a colour."""
    if value:
        if not Path(value).is_dir():
            raise ValueError("no folder")
        design.read(Path(value))
    return value


def zone(value: str) -> str:
    """An IANA zone's name. ValueError otherwise."""
    try:
        ZoneInfo(value)
    except (KeyError, OSError) as error:
        raise ValueError("no such zone") from error
    return value


def long_enough(value: SecretStr) -> SecretStr:
    """A secret that cannot be guessed, or ''. ValueError otherwise."""
    if 0 < len(value.get_secret_value()) < 32:
        raise ValueError("too short")
    return value


AUTHSERV = r"^[^\s;=()<>\"\x00-\x1f]*$"
HOST_NAME = r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"
LOCAL_PART = r"^[a-z0-9][a-z0-9._-]{0,19}$"
"""What stands before the @ in our addresses."""
EMAIL = r"^([^@\s<>]+@[^@\s<>]+)?$"
Port = Annotated[int, BeforeValidator(no_bool), Field(ge=0, le=65535)]
FarPort = Annotated[int, BeforeValidator(no_bool), Field(ge=1, le=65535)]
Count = Annotated[int, BeforeValidator(no_bool), Field(ge=1)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(split)]
LEAST_BYTES = 65_536
"""Octets of a mail that every server must accept (RFC 5321, 4.5.3.1.7)."""
Host = Annotated[str, AfterValidator(check_listening_host)]
HOST = "an IP address or host name"
PORT = "a TCP port, 0 to 65535 (0: any free one)"
ADDRESS, ADDRESSED = (
    r"^(https?://\S+)?$",
    "an address that begins with http:// or https://, or nothing",
)
NETWORKS = "a list of IP addresses or networks"
