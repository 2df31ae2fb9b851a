"""Settings: the file, the environment over it, and the one line an operator gets for a slip."""

import os
from pathlib import Path

import pytest

from server.settings import EXTRAS, SettingsError, load_settings, settings_from
from tests.fakes.machinery.each import each, rows


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.upper().startswith("KSKAK_"):
            monkeypatch.delenv(name)


def refused(table: dict[str, object]) -> str:
    with pytest.raises(SettingsError) as caught:
        settings_from(table)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_without_file_and_environment_the_defaults_hold():
    settings = load_settings(None)
    assert settings.web.port == 8080
    assert settings.mail.in_.smtp_port == 8025
    assert settings.clock.zone == "Europe/Copenhagen"
    assert settings.responsible_email == "postmaster@kskak.localhost"


def test_the_environment_wins_over_the_file_key_by_key(monkeypatch):
    monkeypatch.setenv("KSKAK_MAIL__IN__SMTP_PORT", "0")
    given = {"smtp_port": 25, "max_bytes": 65536}
    settings = settings_from({"mail": {"local": "spil", "in": given}})
    assert (settings.mail.in_.smtp_port, settings.mail.in_.max_bytes) == (0, 65536)
    assert settings.mail.local == "spil"


@rows(
    "extra table",
    ("postgres", {"database": {"url": "postgresql+asyncpg://kskak@127.0.0.1/kskak"}}),
    ("imap", {"mail": {"imap": {"host": "imap.example.org"}}}),
)
def test_what_an_installed_wheel_lacks_is_named_with_the_line_to_run(monkeypatch, extra, table):
    settings_from(table)
    monkeypatch.setitem(EXTRAS, extra, "a_package_that_nobody_has")
    assert f"run pip install 'kskak[{extra}]'" in refused(table)
    settings_from({})


def test_a_list_in_the_environment_is_written_with_commas(monkeypatch):
    monkeypatch.setenv("KSKAK_MAIL__IN__TRUSTED_RELAYS", "10.0.0.1, 2001:db8::/32")
    relays = settings_from({}).mail.in_.trusted_relays
    assert [str(network) for network in relays] == ["10.0.0.1/32", "2001:db8::/32"]


@each(
    "table parts",
    ({"web": {"prot": 1}}, ["web.prot", "is no key", "web.port"]),
    ({"wbe": {"port": 1}}, ["wbe", "is no key", "web.port"]),
    ({"web": 8080}, ["web is a table", "web.port"]),
    ({"web": {"port": 70000}}, ["web.port = 70000", "0 to 65535"]),
    ({"web": {"port": True}}, ["web.port = True", "0 to 65535"]),
    ({"web": {"port": "http"}}, ["web.port = 'http'", "0 to 65535"]),
    ({"web": {"trusted_proxies": ["proxy"]}}, ["web.trusted_proxies = 'proxy'", "IP"]),
    ({"web": {"public_url": "skak.dk"}}, ["web.public_url = 'skak.dk'", "https://"]),
    ({"mail": {"out": {"tls": "ssl"}}}, ["mail.out.tls = 'ssl'", "none, starttls or tls"]),
    ({"mail": {"out": {"port": 0}}}, ["mail.out.port = 0", "1 to 65535"]),
    ({"clock": {"zone": "Danmark"}}, ["clock.zone = 'Danmark'", "Europe/Copenhagen"]),
    ({"clock": {"zone": "../etc"}}, ["clock.zone = '../etc'", "Europe/Copenhagen"]),
    ({"database": {"url": "mysql://x"}}, ["database.url = 'mysql://x'", "postgresql+asyncpg"]),
    ({"log": {"level": "loud"}}, ["log.level = 'loud'", "debug, info"]),
    ({"mail": {"domain": "Skak DK"}}, ["mail.domain = 'Skak DK'", "host name"]),
    ({"mail": {"in": {"max_bytes": 0}}}, ["mail.in.max_bytes = 0", "65536 or more"]),
    ({"mail": {"in": {"max_bytes": 1}}}, ["mail.in.max_bytes = 1", "65536 or more"]),
    ({"mail": {"in": {"max_bytes": 65535}}}, ["65536 or more"]),
    ({"mail": {"in": {"authserv_id": "a b"}}}, ["mail.in.authserv_id = 'a b'", "a name"]),
    ({"mail": {"in": {"smtp_host": "a b"}}}, ["mail.in.smtp_host = 'a b'", "host name"]),
    ({"mail": {"out": {"host": "smtp://a"}}}, ["mail.out.host = 'smtp://a'", "host name"]),
    ({"web": {"host": "not a host"}}, ["web.host = 'not a host'", "an IP address or host"]),
    ({"web": {"host": ""}}, ["web.host = ''", "an IP address or host"]),
    ({"web": {"public_url": "https://x/a b"}}, ["web.public_url = 'https://x/a b'", "http"]),
    ({"web": {"public_url": "https://x.dk/skak"}}, ["web.public_url", "without a path"]),
    ({"web": {"public_url": "https://x:port"}}, ["web.public_url = 'https://x:port'", "http"]),
    ({"database": {"backups": ""}}, ["database.backups = ''", "a folder"]),
)
def test_a_slip_is_told_with_key_value_and_what_is_allowed(table, parts):
    message = refused(table)
    assert message.startswith("config.toml: ")
    assert [part for part in parts if part not in message] == []


def test_a_wrong_value_of_the_environment_names_the_variable(monkeypatch):
    monkeypatch.setenv("KSKAK_WEB__PORT", "many")
    assert refused({}).startswith("environment: KSKAK_WEB__PORT = 'many' is wrong; allowed: a TCP")


def test_an_unknown_variable_names_the_nearest_known_one(monkeypatch):
    monkeypatch.setenv("KSKAK_WEB__PROT", "1")
    message = refused({})
    assert "KSKAK_WEB__PROT is no setting" in message
    assert "KSKAK_WEB__PORT" in message


def test_a_variable_of_a_whole_table_is_refused(monkeypatch):
    monkeypatch.setenv("KSKAK_WEB", '{"port": 1}')
    assert "KSKAK_WEB is no setting" in refused({})


def test_a_password_in_the_file_stops_the_start_and_is_not_shown():
    message = refused({"mail": {"out": {"password": "hunter2"}}})
    assert "KSKAK_MAIL__OUT__PASSWORD" in message
    assert "hunter2" not in message
    message = refused({"database": {"url": "postgresql+asyncpg://k:hunter2@db/k"}})
    assert "KSKAK_DATABASE__URL" in message
    assert "hunter2" not in message


def test_secrets_come_from_the_environment_and_never_show(monkeypatch):
    monkeypatch.setenv("KSKAK_MAIL__OUT__PASSWORD", "hunter2")
    monkeypatch.setenv("KSKAK_DATABASE__URL", "postgresql+asyncpg://k:hunter3@db/k")
    settings = settings_from({})
    assert settings.mail.out.password.get_secret_value() == "hunter2"
    assert "hunter" not in repr(settings)


def test_a_short_secret_key_is_refused_unshown(monkeypatch):
    monkeypatch.setenv("KSKAK_SECRET__KEY", "hunter2")
    message = refused({})
    assert "KSKAK_SECRET__KEY" in message
    assert "32 characters" in message
    assert "hunter2" not in message


def test_a_file_that_is_missing_or_no_toml_is_told_by_name(tmp_path: Path):
    with pytest.raises(SettingsError, match=r"nowhere\.toml: cannot be read"):
        load_settings(tmp_path / "nowhere.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[web\n")
    with pytest.raises(SettingsError, match=r"broken\.toml: is not TOML"):
        load_settings(broken)


@each("host", ["0.0.0.0", "::", "::1", "localhost", "Spil.example.org", "kskak_1"])
def test_what_a_server_may_listen_on_is_taken(host):
    assert settings_from({"web": {"host": host}}).web.host == host


def test_a_site_on_an_ipv6_address_has_brackets():
    """As a browser and every library want it: http://::1:8080 is no address."""
    for host, site in (("::1", "http://[::1]:8080"), ("127.0.0.1", "http://127.0.0.1:8080")):
        assert settings_from({"web": {"host": host}}).web.site == site
