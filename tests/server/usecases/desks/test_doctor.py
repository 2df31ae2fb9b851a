"""`kskak doctor`: each thing an operator can get wrong is found, with the line to write."""

import asyncio
import json
import os
import ssl
from collections import namedtuple
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import dns.asyncresolver
import dns.message
import dns.rrset
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import SecretStr

from mail.outgoing.dkim_signing import new_key, record
from mail.text.catalogue import Words
from server.__main__ import main
from server.app import run_server
from server.settings import settings_from
from server.usecases.context import Core
from server.usecases.desks import doctor
from server.usecases.desks.database_backup import backup
from server.usecases.desks.doctor import CheckState, HealthCheck, describe_check
from server.usecases.games.outbox_letters import secret_of
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.clock import FakeClock
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.ports import free_port
from tests.fakes.machinery.smarthost import Smarthost, smarthost
from tests.fakes.world import ANNA, World

DOMAIN = "spil.example.dk"
ADDRESS = "192.0.2.7"


def _with(core: Core, **changed: dict[str, Any]) -> Core:
    """The core with other settings, the rest as they were."""
    return replace(core, settings=_changed(core.settings, changed))


def _changed(section: Any, changed: dict[str, Any]) -> Any:
    inner = {
        name: _changed(getattr(section, name), value) if isinstance(value, dict) else value
        for name, value in changed.items()
    }
    return section.model_copy(update=inner)


def _keys(found: list[HealthCheck] | tuple[HealthCheck, ...]) -> dict[str, CheckState]:
    """What was found; each has its words in both languages, and what is to be done if it has."""
    for one in found:
        for lang in ("da", "en"):
            said, wanted = describe_check(one, Words.load(lang))
            assert said and "{" not in said + wanted
            assert bool(wanted) == (one.state is not CheckState.OK), one.key
    return {one.key: one.state for one in found}


async def test_a_sound_copy_is_restored_and_a_bad_an_old_or_a_missing_one_is_named(world: World):
    folder = Path(world.core.settings.database.backups)

    async def found() -> dict[str, CheckState]:
        return _keys(await doctor._backups(world.core, restores=True))

    assert await found() == {"no_backup": CheckState.FAULT}
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    copy = folder / "day-01.db"
    await backup(world.core.store, copy)
    assert await found() == {"backup": CheckState.OK, "restored": CheckState.OK}
    days = (world.core.clock.now() - timedelta(days=3)).timestamp()
    os.utime(copy, (days, days))
    assert (await found())["old_backup"] is CheckState.FAULT
    octets = bytearray(copy.read_bytes())
    octets[5000:9000] = bytes(4000)
    copy.write_bytes(octets)
    assert (await found())["bad_backup"] is CheckState.FAULT


async def test_files_that_others_can_read_are_named_with_the_command(world: World):
    path = world.core.store.path
    assert path is not None
    for file in path.parent.glob(f"{path.name}*"):
        file.chmod(0o600)
    path.chmod(0o640)
    (found,) = await doctor._all(doctor._modes, world.core)
    said, wanted = describe_check(found, Words.load("da"))
    assert found.state is CheckState.FAULT and str(path) in said
    assert wanted == f"Kør: chmod 600 {path}"
    path.chmod(0o600)
    assert _keys(await doctor._all(doctor._modes, world.core)) == {"modes": CheckState.OK}


# The DNS, asked of a server of our own.


class _Zone(asyncio.DatagramProtocol):
    """Answers from a table; a name that is not in it does not exist."""

    def __init__(self, records: dict[tuple[str, str], list[str]]) -> None:
        self.records = records

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, peer: tuple[str, int]) -> None:
        asked = dns.message.from_wire(data)
        question = asked.question[0]
        kind = dns.rdatatype.to_text(question.rdtype)
        answer = dns.message.make_response(asked)
        values = self.records.get((question.name.to_text().rstrip("."), kind))
        if values is None:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        else:
            answer.answer.append(dns.rrset.from_text_list(question.name, 60, "IN", kind, values))
        self.transport.sendto(answer.to_wire(), peer)  # type: ignore[attr-defined]


@pytest.fixture
async def zone(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[dict[tuple[str, str], list[str]]]:
    """The records that every resolver finds."""
    records: dict[tuple[str, str], list[str]] = {}
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: _Zone(records), local_addr=("127.0.0.1", 0)
    )
    port = transport.get_extra_info("sockname")[1]

    def resolver() -> dns.asyncresolver.Resolver:
        made = asked(configure=False)
        made.nameservers, made.port = ["127.0.0.1"], port
        return made

    asked = dns.asyncresolver.Resolver
    monkeypatch.setattr(dns.asyncresolver, "Resolver", resolver)
    yield records
    transport.close()


async def test_another_secret_is_told_until_the_former_one_is_back(tmp_path: Path) -> None:
    """It makes void every address that stands in people's letters."""
    clock = FakeClock(date(2026, 11, 2))

    async def keys(secret: str, asked: str = "") -> dict[str, CheckState]:
        url = f"sqlite:///{tmp_path}/own.db"
        ports = {"web": {"port": 0}, "mail": {"in": {"smtp_port": 0}}}
        settings = settings_from({"database": {"url": url}, **ports})
        served = _changed(settings, {"secret": {"key": SecretStr(secret)}})
        async with run_server(served, clock, polls=False) as server:
            core = _with(server.core, secret={"key": SecretStr(asked or secret)})
            own = replace(core, secret=secret_of(asked or secret))
            found = [one async for one in doctor._secrets(own)]
            return _keys(found)

    first, second = "a" * 40, "b" * 40
    assert await keys(first) == {"secret": CheckState.OK}
    assert await keys(first, asked=second) == {"secret_other": CheckState.FAULT}
    assert await keys(second) == {"secret_new": CheckState.NOTE}
    clock.wait(days=59)
    assert await keys(second) == {"secret_new": CheckState.NOTE}
    assert await keys(first) == {"secret": CheckState.OK}, "the former one is back"
    assert await keys(second) == {"secret_new": CheckState.NOTE}
    clock.wait(days=60)
    assert await keys(second) == {"secret": CheckState.OK}, "letters so old are not answered"


async def test_the_dns_is_read_record_by_record(world: World, zone, tmp_path: Path):
    key = tmp_path / "dkim.pem"
    key.write_bytes(new_key())
    mail = {"domain": DOMAIN, "out": {"host": "127.0.0.1", "dkim_key": str(key)}}
    core = _with(world.core, mail=mail)

    async def found() -> dict[str, CheckState]:
        return _keys(await doctor._all(doctor._dns, core))

    fault, ok = CheckState.FAULT, CheckState.OK
    assert await found() == dict.fromkeys(("no_mx", "no_spf", "no_dmarc", "no_dkim"), fault)
    zone[DOMAIN, "MX"] = [f"10 mx.{DOMAIN}."]
    zone[f"mx.{DOMAIN}", "A"] = [ADDRESS]
    zone[DOMAIN, "TXT"] = ['"v=spf1 mx -all"', '"v=spf1 a -all"']
    zone[f"_dmarc.{DOMAIN}", "TXT"] = ['"v=DMARC1; p=quarantine"']
    zone[f"kskak._domainkey.{DOMAIN}", "TXT"] = ['"v=DKIM1; p=AAAA"']
    some = {"mx": ok, "no_ptr": fault, "two_spf": fault, "dmarc": ok, "other_dkim": fault}
    assert await found() == some
    zone["7.2.0.192.in-addr.arpa", "PTR"] = [f"mx.{DOMAIN}."]
    zone[DOMAIN, "TXT"] = ['"other" " words"', '"v=spf1 mx -all"']
    value = record(key.read_bytes())
    zone[f"kskak._domainkey.{DOMAIN}", "TXT"] = [f'"{value[:200]}" "{value[200:]}"']
    assert await found() == dict.fromkeys(("mx", "ptr", "spf", "dmarc", "dkim"), ok)


async def test_a_dns_that_does_not_answer_is_unknown_and_no_fault(world, monkeypatch):
    def silent() -> dns.asyncresolver.Resolver:
        made = asked(configure=False)
        made.nameservers, made.port = ["127.0.0.1"], 9
        return made

    asked = dns.asyncresolver.Resolver
    monkeypatch.setattr(dns.asyncresolver, "Resolver", silent)
    monkeypatch.setattr(doctor, "PATIENCE_S", 0.2)
    core = _with(world.core, mail={"domain": DOMAIN})
    assert _keys(await doctor._all(doctor._dns, core)) == {"unknown": CheckState.UNKNOWN}


# TLS: with the server's name, and without it as Scid asks.


def _certificate(folder: Path, name: str, days: int) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate of its own making."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)  # noqa: TID251
    named = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder(named, named, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file, pem = folder / f"{name}.pem", serialization.Encoding.PEM
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(key.private_bytes(pem, *plain) + made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@asynccontextmanager
async def _tls(context: ssl.SSLContext) -> AsyncIterator[int]:
    async def close(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(close, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


@rows(
    "name days nameless states",
    ("localhost", 60, True, {"certificate": "ok", "no_name": "ok"}),
    ("localhost", 6, True, {"certificate_ends": "fault", "no_name": "ok"}),
    ("other.example", 60, True, {"certificate_other": "fault", "no_name_other": "fault"}),
    ("localhost", 60, False, {"certificate": "ok", "no_name_none": "fault"}),
)
async def test_a_certificate_is_looked_at_with_and_without_the_servers_name(
    world: World, tmp_path: Path, name: str, days: int, nameless: bool, states: dict[str, str]
):
    context = _certificate(tmp_path, name, days)
    if not nameless:
        refused = ssl.AlertDescription.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        context.sni_callback = lambda _s, asked, _c: None if asked else refused
    async with _tls(context) as port:
        core = _with(world.core, web={"public_url": f"https://localhost:{port}"})
        core = replace(core, clock=_Real())
        found = _keys(await doctor._all(doctor._certificate, core))
    assert found == {key: CheckState(state) for key, state in states.items()}


class _Real:
    """The certificates' clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251


# The way in, and both directions of mail.


@asynccontextmanager
async def _site(statuses: dict[str, int]) -> AsyncIterator[str]:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=statuses.get(request.path, 404))

    app = web.Application()
    app.router.add_get("/{tail:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield "http://127.0.0.1:{1}".format(*runner.addresses[0])
    finally:
        await runner.cleanup()


@rows(
    "statuses states",
    ({"/readyz": 200}, {"reached": "ok", "strangers": "ok"}),
    ({"/readyz": 503, "/metrics": 200}, {"reached": "ok", "taken_for_near": "fault"}),
    ({}, {"wrong_site": "fault", "strangers": "ok"}),
)
async def test_the_site_is_asked_from_outside(world, monkeypatch, statuses, states):
    monkeypatch.setattr(doctor, "is_public", lambda _: True)
    async with _site(statuses) as url:
        core = _with(world.core, web={"public_url": url})
        found = _keys(await doctor._all(doctor._web, core))
        trusting = _with(core, web={"trusted_proxies": (ip_network("127.0.0.1"),)})
        assert "no_proxy" not in _keys(await doctor._all(doctor._web, trusting))
    also = {"no_https": CheckState.FAULT, "no_proxy": CheckState.FAULT}
    assert found == also | {key: CheckState(state) for key, state in states.items()}


async def test_a_site_that_is_away_is_named_with_the_reason(world, monkeypatch):
    monkeypatch.setattr(doctor, "is_public", lambda _: True)
    core = _with(world.core, web={"public_url": "http://127.0.0.1:9"})
    assert _keys(await doctor._all(doctor._web, core))["unreached"] is CheckState.FAULT


async def test_both_mail_servers_are_tried(world: World):
    async with smarthost() as host:
        mail = {"in_": {"smtp_port": host.port}, "out": {"host": "127.0.0.1", "port": host.port}}
        core = _with(world.core, mail=mail)
        assert _keys(await doctor._all(doctor._mail_in, core)) == {"smtp": CheckState.OK}
        assert _keys(await doctor._all(doctor._mail_out, core)) == {"out": CheckState.OK}
    assert _keys(await doctor._all(doctor._mail_in, core)) == {"no_smtp": CheckState.FAULT}
    assert _keys(await doctor._all(doctor._mail_out, core)) == {"no_out_host": CheckState.FAULT}


async def test_a_test_letter_goes_out_and_its_answer_is_found(world: World, host: Smarthost):
    core = world.core
    named = await doctor.send_test_letter(core, ANNA, Words.load("da"))
    (letter,) = host.to(ANNA)
    assert named.encode() in letter.raw and "Svar på den" in letter.text
    assert not await doctor.find_answer(core, named, 0)
    answer = f"From: {ANNA}\r\nSubject: Sv\r\nIn-Reply-To: {named}\r\n\r\nhjælp\r\n".encode()
    await world.smtp(answer, core.command_address)
    assert await doctor.find_answer(core, named, 0)
    host.refused.add(ANNA)
    with pytest.raises(doctor.NoTestLetter, match="No such user"):
        await doctor.send_test_letter(core, ANNA, Words.load("da"))


@pytest.fixture
def host(world: World) -> Smarthost:
    return world.host


# The command.


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KSKAK_DATABASE__URL", sqlite_file(tmp_path))
    for file in tmp_path.iterdir():
        file.chmod(0o600)  # as the server makes it
    monkeypatch.setenv("KSKAK_DATABASE__BACKUPS", str(tmp_path / "backups"))
    monkeypatch.setenv("KSKAK_MAIL__IN__SMTP_PORT", str(free_port()))
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def test_the_command_says_what_to_write_and_exits_1_for_a_fault(at, capsys):
    assert main(["doctor", "--lang", "da"]) == 1
    text = capsys.readouterr().out
    assert "fejl     Der er ingen kopi i" in text and "         Kør: kskak backup" in text
    assert main(["doctor", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    wrong = {one["check"] for one in said["checks"] if one["state"] == "fault"}
    assert wrong == {"no_backup", "no_smtp"} and not said["sound"]


def test_a_database_that_is_not_there_is_not_made(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KSKAK_DATABASE__URL", f"sqlite:///{tmp_path}/none.db")
    assert main(["doctor"]) == 2
    assert "there is no database" in capsys.readouterr().err
    assert not (tmp_path / "none.db").exists()


@rows(
    "python keys",
    ((3, 11, 2), {"program", "python_patch", "files"}),
    ((3, 11, 10), {"program", "files"}),
    ((3, 13, 0), {"program", "files"}),
)
async def test_an_unmended_python_is_named(world, monkeypatch, python, keys):
    named = namedtuple("named", "major minor micro")(*python)
    monkeypatch.setattr(doctor.sys, "version_info", named)
    assert _keys(await doctor._all(doctor._program, world.core)).keys() - {"few_files"} == keys
