"""The keys an operator decides, with type, default and what is allowed.

Not for: the checks (`checks.py`), numbers of the regulation (`kskak.regulation.editions`), a
tournament's own choices, or reading the file (`loading.py`).
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from server.settings import checks
from server.settings.checks import (
    ADDRESS,
    ADDRESSED,
    HOST,
    LEAST_BYTES,
    NETWORKS,
    PORT,
    Count,
    FarPort,
    Host,
    Networks,
    Port,
)

PREFIX = "KSKAK_"
SECRETS = frozenset({"mail.imap.password", "mail.out.password", "secret.key"})


class SettingsSection(BaseModel):
    """One table of the file: closed and frozen. Descriptions say what is allowed."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=False)


class DatabaseSettings(SettingsSection):
    """[database]"""

    url: Annotated[str, AfterValidator(checks.database_url)] = Field(
        "sqlite:///kskak.db",
        repr=False,
        description="sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME",
    )
    backups: Annotated[Path, BeforeValidator(checks.folder)] = Field(
        Path("backups"), description="a folder"
    )


class WebSettings(SettingsSection):
    """[web]"""

    host: Host = Field("127.0.0.1", description=HOST)
    port: Port = Field(8080, description=PORT)
    public_url: Annotated[str, AfterValidator(checks.public_url)] = Field("", description=ADDRESSED)
    trusted_proxies: Networks = Field((), description=NETWORKS)
    source_url: str = Field("", pattern=ADDRESS, description=ADDRESSED)
    looks: Annotated[str, AfterValidator(checks.check_looks_folder)] = Field(
        "", description="a folder with a looks.css, an icon.svg or both, or nothing"
    )

    @property
    def site(self) -> str:
        """The address people use: the one that was set, else where the server listens."""
        return self.public_url or f"http://{self.host}:{self.port}"


class MailInSettings(SettingsSection):
    """[mail.in]"""

    smtp_host: Host = Field("127.0.0.1", description=HOST)
    smtp_port: Port = Field(8025, description=PORT)
    authserv_id: str = Field(
        "", pattern=checks.AUTHSERV, description="a name without blanks, or nothing"
    )
    trusted_relays: Networks = Field((), description=NETWORKS)
    max_bytes: Annotated[int, BeforeValidator(checks.no_bool), Field(ge=LEAST_BYTES)] = Field(
        10_485_760, description=f"a whole number of bytes, {LEAST_BYTES} or more"
    )


class MailOutSettings(SettingsSection):
    """[mail.out]"""

    host: Annotated[str, AfterValidator(checks.check_remote_host)] = Field(
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

    host: Annotated[str, AfterValidator(checks.check_remote_host)] = Field(
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
        "kskak.localhost", pattern=checks.HOST_NAME, description="a host name in small letters"
    )
    local: str = Field(
        "parti",
        pattern=checks.LOCAL_PART,
        description="1 to 20 small letters, digits, dots, hyphens",
    )
    in_: MailInSettings = Field(MailInSettings(), alias="in")
    out: MailOutSettings = MailOutSettings()
    imap: MailImapSettings = MailImapSettings()


class ClockSettings(SettingsSection):
    """[clock]"""

    zone: Annotated[str, AfterValidator(checks.zone)] = Field(
        "Europe/Copenhagen", description="an IANA zone name, such as Europe/Copenhagen"
    )


UNNAMED = "Serverens drift"
"""The name of whoever runs the server, until one is set; shown in the reader's language."""


class OfficialSettings(SettingsSection):
    """[official]: who is responsible for this server."""

    name: str = Field(UNNAMED, min_length=1, description="a name")
    email: str = Field(
        "",
        pattern=checks.EMAIL,
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


class SecretSettings(SettingsSection):
    """[secret]: never in the file."""

    key: Annotated[SecretStr, AfterValidator(checks.long_enough)] = Field(
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
