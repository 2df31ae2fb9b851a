"""The keys an operator decides, with type, default and what is allowed.

Not for: numbers of the regulation (`kskak.regulation.editions`), a tournament's own choices, or
reading the file (`loading.py`).
"""

import re
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
)
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX = "KSKAK_"
SECRETS = frozenset({"mail.out.password", "secret.key"})


def _no_bool(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a truth value is no number")
    return value


def _split(value: object) -> object:
    """A list may be written in the environment as `10.0.0.1, 10.0.1.0/24`."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _database_url(value: str) -> str:
    if not value.startswith(("sqlite+aiosqlite:///", "postgresql+asyncpg://")):
        raise ValueError("unknown database")
    return value


def _public_url(value: str) -> str:
    if not value:
        return value
    parts = urlsplit(value)
    # .port raises if it is not a number
    if re.search(r"[\s\x00-\x1f\x7f<>\"\\]", value) or parts.port == 0:
        raise ValueError("no web address")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("no web address")
    return value.rstrip("/")


def _listening(value: str) -> str:
    """An IP address, or a name that a machine or a container may have."""
    try:
        return str(ip_address(value))
    except ValueError:
        if not re.fullmatch(r"[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?", value):
            raise ValueError("no host") from None
    return value


def _reached(value: str) -> str:
    return _listening(value) if value else value


def _folder(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise ValueError("no folder")
    return value


def _authserv(value: str) -> str:
    if value and not re.fullmatch(r"[^\s;=()<>\"\x00-\x1f]+", value):
        raise ValueError("no name")
    return value


def _host_name(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", value):
        raise ValueError("no host name")
    return value


def _local_part(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,19}", value):
        raise ValueError("no local part")
    return value


def _email(value: str) -> str:
    if value and not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", value):
        raise ValueError("no address")
    return value


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, OSError) as error:
        raise ValueError("no such zone") from error
    return value


def _long_enough(value: SecretStr) -> SecretStr:
    if 0 < len(value.get_secret_value()) < 32:
        raise ValueError("too short")
    return value


Port = Annotated[int, BeforeValidator(_no_bool), Field(ge=0, le=65535)]
FarPort = Annotated[int, BeforeValidator(_no_bool), Field(ge=1, le=65535)]
Count = Annotated[int, BeforeValidator(_no_bool), Field(ge=1)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_split)]
LEAST_BYTES = 65_536
"""Octets of a mail that every server must accept (RFC 5321, 4.5.3.1.7)."""
Host = Annotated[str, AfterValidator(_listening)]
_HOST = "an IP address or host name"
_PORT = "a TCP port, 0 to 65535 (0: any free one)"
_ADDRESS, _ADDRESSED = (
    r"^(https?://\S+)?$",
    "an address that begins with http:// or https://, or nothing",
)
_NETWORKS = "a list of IP addresses or networks"


class Section(BaseModel):
    """One table of the file: closed and frozen. Descriptions say what is allowed."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=False)


class Database(Section):
    """[database]"""

    url: Annotated[str, AfterValidator(_database_url)] = Field(
        "sqlite+aiosqlite:///kskak.db",
        repr=False,
        description="sqlite+aiosqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME",
    )
    backups: Annotated[Path, BeforeValidator(_folder)] = Field(
        Path("backups"), description="a folder"
    )


class Web(Section):
    """[web]"""

    host: Host = Field("127.0.0.1", description=_HOST)
    port: Port = Field(8080, description=_PORT)
    public_url: Annotated[str, AfterValidator(_public_url)] = Field("", description=_ADDRESSED)
    trusted_proxies: Networks = Field((), description=_NETWORKS)
    source_url: str = Field("", pattern=_ADDRESS, description=_ADDRESSED)

    @property
    def site(self) -> str:
        """The address people use: the one that was set, else where the server listens."""
        return self.public_url or f"http://{self.host}:{self.port}"


class MailIn(Section):
    """[mail.in]"""

    smtp_host: Host = Field("127.0.0.1", description=_HOST)
    smtp_port: Port = Field(8025, description=_PORT)
    authserv_id: Annotated[str, AfterValidator(_authserv)] = Field(
        "", description="a name without blanks, or nothing"
    )
    trusted_relays: Networks = Field((), description=_NETWORKS)
    max_bytes: Annotated[int, BeforeValidator(_no_bool), Field(ge=LEAST_BYTES)] = Field(
        10_485_760, description=f"a whole number of bytes, {LEAST_BYTES} or more"
    )


class MailOut(Section):
    """[mail.out]"""

    host: Annotated[str, AfterValidator(_reached)] = Field("", description=f"{_HOST}, or nothing")
    port: FarPort = Field(25, description="a TCP port, 1 to 65535")
    user: str = Field("", description="a text, or nothing")
    password: SecretStr = Field(SecretStr(""), description="a text, or nothing")
    tls: Literal["none", "starttls", "tls"] = Field("none", description="none, starttls or tls")
    connections: Count = Field(2, description="a whole number, 1 or more")
    dkim_key: str = Field("", description="a file, or nothing")
    dkim_selector: str = Field(
        "kskak", pattern=r"^[a-z0-9-]{1,63}$", description="small letters, digits, hyphens"
    )


class Mail(Section):
    """[mail]"""

    domain: Annotated[str, AfterValidator(_host_name)] = Field(
        "kskak.localhost", description="a host name in small letters"
    )
    local: Annotated[str, AfterValidator(_local_part)] = Field(
        "parti", description="1 to 20 small letters, digits, dots, hyphens"
    )
    in_: MailIn = Field(MailIn(), alias="in")
    out: MailOut = MailOut()


class ClockSettings(Section):
    """[clock]"""

    zone: Annotated[str, AfterValidator(_zone)] = Field(
        "Europe/Copenhagen", description="an IANA zone name, such as Europe/Copenhagen"
    )


UNNAMED = "Serverens drift"
"""The name of whoever runs the server, until one is set; shown in the reader's language."""


class Official(Section):
    """[official]: who is responsible for this server."""

    name: str = Field(UNNAMED, min_length=1, description="a name")
    email: Annotated[str, AfterValidator(_email)] = Field(
        "", description="an e-mail address, or nothing for postmaster at mail.domain"
    )


class Cases(Section):
    """[cases]: what the Union sets for disputes (§ 6.4.3)."""

    board_deposit: int = Field(0, ge=0, le=100_000, description="whole kroner, 0 to 100000")


class Entries(Section):
    """[entries]: how the waiting lists of the championship are served (§ 6.5.1.1)."""

    starts_itself: bool = Field(True, description="true or false")
    start_days: int = Field(7, ge=0, le=60, description="a whole number of days, 0 to 60")


class Groups(Section):
    """[groups]: what applies to every group whose own file does not say otherwise."""

    regulation_url: str = Field("", pattern=_ADDRESS, description=_ADDRESSED)


class Log(Section):
    """[log]"""

    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="debug, info, warning or error"
    )


class Secret(Section):
    """[secret]: never in the file."""

    key: Annotated[SecretStr, AfterValidator(_long_enough)] = Field(
        SecretStr(""), description="32 characters or more, or nothing: made and kept by the server"
    )


class Settings(BaseSettings):
    """All settings, checked."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    database: Database = Database()
    web: Web = Web()
    mail: Mail = Mail()
    clock: ClockSettings = ClockSettings()
    official: Official = Official()
    cases: Cases = Cases()
    entries: Entries = Entries()
    groups: Groups = Groups()
    log: Log = Log()
    secret: Secret = Secret()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment, then what was read from the file; nothing else."""
        return (env_settings, init_settings)

    @property
    def responsible_email(self) -> str:
        """Where a player reaches the person responsible."""
        return self.official.email or f"postmaster@{self.mail.domain}"
