"""What an operator decides: `config.toml`, every key also as `KSKAK_SECTION__KEY`.

The environment wins over the file. A wrong key or value stops the start with one line that names
the key, the value given and what is allowed. Secrets come only from the environment. Not for
numbers of the regulation (`kskak.regulation.editions`) nor a tournament's own choices.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
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
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from mail.looks import design
from mail.looks.design import WrongLooks

# What a setting may be: the checks, and the types made of them.


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


def check_database_url(value: str) -> str:
    """The URL of a database that we can use. ValueError otherwise."""
    if not value.startswith(("sqlite:///", "sqlite+aiosqlite:///", "postgresql+asyncpg://")):
        raise ValueError("unknown database")
    return value


def check_public_url(value: str) -> str:
    """A web address without a slash at its end, or ''. ValueError otherwise."""
    if not value:
        return value
    parts = urlsplit(value)
    # .port raises if it is not a number
    if re.search(r"[\s\x00-\x1f\x7f<>\"\\]", value) or parts.port == 0:
        raise ValueError("no web address")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("no web address")
    if parts.path.strip("/"):
        raise ValueError("a path, below which no page of ours would be found")
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


def check_folder(value: object) -> object:
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


def check_zone(value: str) -> str:
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

# The keys, with type, default and what is allowed.

PREFIX = "KSKAK_"
SECRETS = frozenset({"mail.imap.password", "mail.out.password", "secret.key"})


class SettingsSection(BaseModel):
    """One table of the file: closed and frozen. Descriptions say what is allowed."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=False)


class DatabaseSettings(SettingsSection):
    """[database]"""

    url: Annotated[str, AfterValidator(check_database_url)] = Field(
        "sqlite:///kskak.db",
        repr=False,
        description="sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME",
    )
    listen: str = Field(
        "",
        pattern=r"^(|poll|postgresql\+asyncpg://\S+)$",
        repr=False,
        description="nothing, poll, or postgresql+asyncpg://USER@HOST/NAME",
    )
    backups: Annotated[Path, BeforeValidator(check_folder)] = Field(
        Path("backups"), description="a folder"
    )


class WebSettings(SettingsSection):
    """[web]"""

    host: Host = Field("127.0.0.1", description=HOST)
    port: Port = Field(8080, description=PORT)
    socket: str = Field("", description="a file's name, or nothing")
    public_url: Annotated[str, AfterValidator(check_public_url)] = Field(
        "", description="an address as https://spil.example.org, without a path, or nothing"
    )
    trusted_proxies: Networks = Field((), description=NETWORKS)
    officials_passkey: bool = Field(False, description="true or false")
    source_url: str = Field("", pattern=ADDRESS, description=ADDRESSED)
    looks: Annotated[str, AfterValidator(check_looks_folder)] = Field(
        "", description="a folder with a looks.css, an icon.svg or both, or nothing"
    )

    regulation: str = Field("", description="a folder with texts of paragraphs, or nothing")

    @property
    def site(self) -> str:
        """The address people use: the one that was set, else where the server listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"


class MailInSettings(SettingsSection):
    """[mail.in]"""

    smtp_host: Host = Field("127.0.0.1", description=HOST)
    smtp_port: Port = Field(8025, description=PORT)
    authserv_id: str = Field("", pattern=AUTHSERV, description="a name without blanks, or nothing")
    trusted_relays: Networks = Field((), description=NETWORKS)
    max_bytes: Annotated[int, BeforeValidator(no_bool), Field(ge=LEAST_BYTES)] = Field(
        10_485_760, description=f"a whole number of bytes, {LEAST_BYTES} or more"
    )


class MailOutSettings(SettingsSection):
    """[mail.out]"""

    host: Annotated[str, AfterValidator(check_remote_host)] = Field(
        "", description=f"{HOST}, or nothing"
    )
    port: FarPort = Field(25, description="a TCP port, 1 to 65535")
    user: str = Field("", description="a text, or nothing")
    password: SecretStr = Field(SecretStr(""), description="a text, or nothing")
    tls: Literal["none", "starttls", "tls"] = Field("none", description="none, starttls or tls")
    connections: Count = Field(2, description="a whole number, 1 or more")
    dkim_key: str = Field("", description="a file, or nothing")
    dkim_selector: str = Field(
        "kskak", pattern=r"^[a-z0-9-]{1,63}$", description="small letters, digits, hyphens"
    )


class MailImapSettings(SettingsSection):
    """[mail.imap]"""

    host: Annotated[str, AfterValidator(check_remote_host)] = Field(
        "", description=f"{HOST}, or nothing"
    )
    port: FarPort = Field(993, description="a TCP port, 1 to 65535")
    user: str = Field("", description="a text, or nothing")
    password: SecretStr = Field(SecretStr(""), description="a text, or nothing")
    tls: Literal["none", "tls"] = Field("tls", description="none or tls")
    folder: str = Field(
        "INBOX", pattern=r"^[ -!#-\[\]-~]{1,200}$", description="a folder's name in ASCII"
    )


class MailSettings(SettingsSection):
    """[mail]"""

    domain: str = Field(
        "kskak.localhost", pattern=HOST_NAME, description="a host name in small letters"
    )
    local: str = Field(
        "parti",
        pattern=LOCAL_PART,
        description="1 to 20 small letters, digits, dots, hyphens",
    )
    in_: MailInSettings = Field(MailInSettings(), alias="in")
    out: MailOutSettings = MailOutSettings()
    imap: MailImapSettings = MailImapSettings()


class ClockSettings(SettingsSection):
    """[clock]"""

    zone: Annotated[str, AfterValidator(check_zone)] = Field(
        "Europe/Copenhagen", description="an IANA zone name, such as Europe/Copenhagen"
    )


UNNAMED = "Serverens drift"
"""The name of whoever runs the server, until one is set; shown in the reader's language."""


class OfficialSettings(SettingsSection):
    """[official]: who is responsible for this server."""

    name: str = Field(UNNAMED, min_length=1, description="a name")
    email: str = Field(
        "",
        pattern=EMAIL,
        description="an e-mail address, or nothing for postmaster at mail.domain",
    )


class CasesSettings(SettingsSection):
    """[cases]: what the Union sets for disputes (§ 6.4.3)."""

    board_deposit: int = Field(0, ge=0, le=100_000, description="whole kroner, 0 to 100000")


class EntriesSettings(SettingsSection):
    """[entries]: how the waiting lists of the championship are served (§ 6.5.1.1)."""

    starts_itself: bool = Field(True, description="true or false")
    start_days: int = Field(7, ge=0, le=60, description="a whole number of days, 0 to 60")


class GroupsSettings(SettingsSection):
    """[groups]: what applies to every group whose own file does not say otherwise."""

    regulation_url: str = Field("", pattern=ADDRESS, description=ADDRESSED)


class LogSettings(SettingsSection):
    """[log]"""

    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="debug, info, warning or error"
    )
    format: Literal["text", "json"] = Field("text", description="text or json")


class SecretSettings(SettingsSection):
    """[secret]: never in the file."""

    key: Annotated[SecretStr, AfterValidator(long_enough)] = Field(
        SecretStr(""), description="32 characters or more, or nothing: made and kept by the server"
    )


class Settings(BaseSettings):
    """All settings, checked."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    database: DatabaseSettings = DatabaseSettings()
    web: WebSettings = WebSettings()
    mail: MailSettings = MailSettings()
    clock: ClockSettings = ClockSettings()
    official: OfficialSettings = OfficialSettings()
    cases: CasesSettings = CasesSettings()
    entries: EntriesSettings = EntriesSettings()
    groups: GroupsSettings = GroupsSettings()
    log: LogSettings = LogSettings()
    secret: SecretSettings = SecretSettings()

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


# What an installed wheel has only if asked for: `pip install 'kskak[postgres]'`.

EXTRAS = {"imap": "aioimaplib", "postgres": "asyncpg", "push": "http_ece"}
"""Each with a package that it brings."""


def has_extra(extra: str) -> bool:
    """Whether its packages are installed."""
    return find_spec(EXTRAS[extra]) is not None


# From file and environment to checked `Settings`, or one line that says what is wrong.

# Read by other parts of the program, so not mistakes of the operator's.
OTHER_VARIABLES = frozenset({"KSKAK_CRASH_AT"})


class SettingsError(Exception):
    """A setting is wrong; the message is one line for the operator."""


def keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every key as it stands in the file, dotted (`mail.in.smtp_port`), with its field."""
    for name, field in model.model_fields.items():
        dotted = prefix + (field.alias or name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from keys(field.annotation, dotted + ".")
        else:
            yield dotted, field


def load_settings(path: Path | None) -> Settings:
    """Settings from the file at `path` (None: defaults), overridden by the environment."""
    if path is None:
        return settings_from({})
    try:
        text = path.read_text(encoding="utf-8")
        return settings_from(tomllib.loads(text), str(path))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is not TOML: {error}") from error


def settings_from(table: Mapping[str, object], source: str = "config.toml") -> Settings:
    """Settings from a TOML table, overridden by the environment; `source`: its name in errors."""
    known = dict(keys())
    given = _leaves(table)
    for key in sorted(SECRETS & given.keys()):
        raise SettingsError(
            f"{source}: {key} is a secret and may not stand in the file; "
            f"take it out and set {_variable(key)} in the environment"
        )
    url = given.get("database.url")
    if isinstance(url, str) and _has_password(url):
        raise SettingsError(
            f"{source}: database.url holds a password, and secrets may not stand in the file; "
            f"set {_variable('database.url')} in the environment"
        )
    _refuse_unknown_variables(known)
    try:
        settings = Settings(**dict(table))  # type: ignore[arg-type]  # checked by the model
    except ValidationError as error:
        raise SettingsError(_explain(error, known, source)) from error
    if settings.web.officials_passkey and not re.match(
        r"https://[^/]*[a-z]|http://localhost\b", settings.web.site
    ):
        raise SettingsError("web.officials_passkey needs web.public_url with https:// and a name")
    is_postgres = settings.database.url.startswith("postgresql")
    for key, extra, is_set in (
        ("database.url", "postgres", is_postgres),
        ("mail.imap.host", "imap", bool(settings.mail.imap.host)),
    ):
        if is_set and not has_extra(extra):
            raise SettingsError(f"{key} needs more: run pip install 'kskak[{extra}]'")
    return settings


def _leaves(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            found |= _leaves(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _has_password(url: str) -> bool:
    user, at, _ = url.partition("://")[2].rpartition("@")
    return bool(at) and ":" in user


def _variable(key: str) -> str:
    return PREFIX + key.replace(".", "__").upper()


def _refuse_unknown_variables(known: Iterable[str]) -> None:
    names = {_variable(key) for key in known} | OTHER_VARIABLES
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in names:
            near = difflib.get_close_matches(name.upper(), sorted(names), n=3, cutoff=0.7)
            allowed = ", ".join(near or sorted(names - OTHER_VARIABLES))
            raise SettingsError(f"environment: {name} is no setting; known: {allowed}")


def _explain(error: ValidationError, known: Mapping[str, FieldInfo], source: str) -> str:
    """One line for the first fault that pydantic found."""
    fault = error.errors(include_url=False)[0]
    dotted = ".".join(str(part) for part in fault["loc"])
    key = next((name for name in known if f"{dotted}.".startswith(f"{name}.")), None)
    if key is None:
        return _explain_unknown(dotted, known, source)
    variable = _variable(key)
    from_file = variable not in map(str.upper, os.environ)
    shown = "(not shown)" if key in SECRETS or "@" in str(fault["input"]) else repr(fault["input"])
    place = f"{source}: {key}" if from_file else f"environment: {variable}"
    reason = fault.get("ctx", {}).get("error")
    why = f" ({reason})" if isinstance(reason, WrongLooks) else ""
    return f"{place} = {shown} is wrong{why}; allowed: {known[key].description}"


def _explain_unknown(dotted: str, known: Iterable[str], source: str) -> str:
    section = dotted
    while section and not any(name.startswith(f"{section}.") for name in known):
        section = section.rpartition(".")[0]
    if section == dotted:
        inside = ", ".join(name for name in known if name.startswith(f"{section}."))
        return f"{source}: {dotted} is a table, not a value; allowed: {inside}"
    prefix = f"{section}." if section else ""
    inside = ", ".join(name for name in known if name.startswith(prefix) and name not in SECRETS)
    return f"{source}: {dotted} is no key; known: {inside}"
