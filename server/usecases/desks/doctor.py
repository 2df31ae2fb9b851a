"""What an operator should mend: each check of the machine, the database, the mail and the way in.

For `kskak doctor` and the page /desk/server. A check says what it found and, where something is
wrong, the line to write. Not for readiness, which a balancer asks every second (readiness.py).
"""

import asyncio
import resource
import shutil
import ssl
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, make_msgid
from enum import StrEnum
from importlib import metadata
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import dns.asyncresolver
import dns.exception
import dns.resolver
import dns.reversename
from cryptography import x509
from dns.rdtypes.ANY.TXT import TXT
from sqlalchemy import text

from mail.outgoing.dkim_signing import record
from mail.outgoing.smtp_out import MailAccepted, SmtpConnection
from mail.text.catalogue import Words
from server.settings import has_extra
from server.store.engine import migrate
from server.store.engine.connection import StoreError
from server.store.engine.rows import DAY_US, from_us
from server.store.engine.sqlite import fault_of_library
from server.store.mail.inbox import backlogs, raw_after
from server.store.tables import base as base_tables
from server.usecases.context import Core, smarthost_of
from server.usecases.desks.database_backup import KEYS, prove_copy
from server.usecases.desks.database_care import is_public
from server.usecases.desks.readiness import ClockWatch
from server.usecases.games.outbox_letters import mark_of
from server.usecases.mail.mailbox import KeyFault, find_key_path, read, signer_of

PATIENCE_S = 8.0
"""Seconds for one question to another machine."""
RESTORE_S = 600.0
"""Seconds for proving the newest copy."""
OLD_COPY = timedelta(days=2)
LEAST_ROOM, GOOD_ROOM = 100 << 20, 1 << 30
"""Octets free on the database's disk: below the first it is a fault, below the second a note."""
GOOD_FILES = 4096
SOON = timedelta(days=14)
"""A certificate that ends sooner is named: Caddy and certbot renew 30 days before."""
SUPPORTED_UNTIL = {11: date(2027, 10, 31), 12: date(2028, 10, 31), 13: date(2029, 10, 31)}
"""Python 3.x gets security fixes until."""
MENDED_IN = {11: 10, 12: 5, 13: 0}
"""The first patch of Python 3.x that keeps line ends out of mail headers (CVE-2024-6923)."""


_SECRET_TOLD_US = 60 * DAY_US
"""For how long another secret is told of: so old letters are still answered."""


class CheckState(StrEnum):
    """How a check ended. ``NOTE``: it works, but something should be known."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One check: the words' key below `doctor`, and what is put into them.

    The text of a state other than OK has a second one, `…_do`: what to write or do.
    """

    state: CheckState
    key: str
    facts: Mapping[str, object] = field(default_factory=dict)


_Checks = AsyncIterator[HealthCheck]


def _is(good: bool, key: str, bad: str, **facts: object) -> HealthCheck:
    """OK with one text, or a fault with another."""
    return HealthCheck(CheckState.OK, key, facts) if good else _fault(bad, **facts)


def _fault(key: str, **facts: object) -> HealthCheck:
    return HealthCheck(CheckState.FAULT, key, facts)


def _note(key: str, **facts: object) -> HealthCheck:
    return HealthCheck(CheckState.NOTE, key, facts)


async def examine(core: Core, *, restores: bool = False) -> tuple[HealthCheck, ...]:
    """Every check, in the order to read them in. ``restores``: prove the newest copy too.

    A check that fails in a way nobody foresaw is UNKNOWN, and the others go on.
    """
    checks: list[Callable[[Core], _Checks]] = [
        _program, _database, _disk, _modes, _secrets, _queues, _clock, _web, _certificate,
        _mail_in, _mail_out, _dns,
    ]  # fmt: skip
    found = await asyncio.gather(
        _backups(core, restores=restores), *(_all(c, core) for c in checks)
    )
    program, *rest = found[1:]
    return (*program, *(one for part in (*rest[:4], found[0], *rest[4:]) for one in part))


def describe_check(check: HealthCheck, words: Words) -> tuple[str, str]:
    """What was found, and what to write or do; "" where nothing is to be done."""
    facts = dict(check.facts)
    is_good = check.state is CheckState.OK
    key = f"doctor.{check.key}"
    return words(key, **facts), "" if is_good else words(f"{key}_do", **facts)


async def _all(check: Callable[[Core], _Checks], core: Core) -> list[HealthCheck]:
    found: list[HealthCheck] = []
    try:
        async for one in check(core):
            found.append(one)
    except (OSError, StoreError, aiohttp.ClientError, dns.exception.DNSException) as error:
        what = check.__name__.strip("_")
        said = str(error) or type(error).__name__
        found.append(HealthCheck(CheckState.UNKNOWN, "unknown", {"what": what, "error": said}))
    return found


# The program and its machine.


async def _program(core: Core) -> _Checks:
    version = metadata.version("kskak")
    python = ".".join(map(str, sys.version_info[:3]))
    ends = SUPPORTED_UNTIL.get(sys.version_info.minor)
    is_over = ends is not None and core.clock.now().date() > ends
    yield _is(not is_over, "program", "python_over", version=version, python=python)
    minor, patch = sys.version_info[1:3]
    if patch < MENDED_IN.get(minor, 0):
        yield _note("python_patch", python=python, wanted=f"3.{minor}.{MENDED_IN[minor]}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most >= GOOD_FILES or most == resource.RLIM_INFINITY:
        yield HealthCheck(CheckState.OK, "files")
    else:
        yield _note("few_files", n=most)

    if not has_extra("push"):
        yield _note("no_push")


async def _clock(core: Core) -> _Checks:
    behind = await ClockWatch().behind_by(core)
    if behind is not None:
        yield _fault("clock_behind", by=str(behind))
    said = await _output("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if said is None:
        yield HealthCheck(CheckState.UNKNOWN, "no_ntp")
    else:
        yield _is(said == "yes", "clock", "clock_free")


async def _output(*words: str) -> str | None:
    """What a program of the system says; None when it isn't there or fails."""
    if shutil.which(words[0]) is None:
        return None
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *words, stdin=quiet, stdout=asyncio.subprocess.PIPE, stderr=quiet
    )
    said, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return said.decode(errors="replace").strip() if process.returncode == 0 else None


# The database, its copies and its files.


async def _database(core: Core) -> _Checks:
    async with core.store.read() as conn:
        has = await conn.run_sync(migrate.current_revision)
    if has != migrate.head_revision():
        yield _note("older", has=has, needs=migrate.head_revision())
    if core.store.dialect == "sqlite":
        fault = fault_of_library()
        yield (
            HealthCheck(CheckState.OK, "sqlite") if fault is None else _note("library", what=fault)
        )
        return
    async with core.store.read() as conn:
        version = (await conn.execute(text("SHOW server_version"))).scalar_one()
        flushes = (await conn.execute(text("SHOW fsync"))).scalar_one()
    yield _is(flushes == "on", "postgres", "no_fsync", version=version)


def _folder(core: Core) -> Path:
    """The folder whose disk the database needs; PostgreSQL's is not ours to look at."""
    return core.store.path.absolute().parent if core.store.path is not None else Path.cwd()


async def _disk(core: Core) -> _Checks:
    free = shutil.disk_usage(_folder(core)).free
    facts = {"free": f"{free / (1 << 30):.1f}", "folder": _folder(core)}
    if free < LEAST_ROOM:
        yield _fault("disk_full", **facts)
    else:
        yield (
            HealthCheck(CheckState.OK, "disk", facts)
            if free >= GOOD_ROOM
            else _note("disk_low", **facts)
        )


async def _modes(core: Core) -> _Checks:
    key = core.settings.mail.out.dkim_key
    files = [Path(key)] if key else []
    if core.store.path is not None:
        files += [Path(f"{core.store.path}{end}") for end in ("", "-wal", "-shm")]
    files += _copies(core)
    shown = [file for file in files if file.exists() and file.stat().st_mode & 0o077]
    yield _is(not shown, "modes", "open_files", files=" ".join(map(str, shown)))


async def _secrets(core: Core) -> _Checks:
    given = core.settings.secret.key.get_secret_value()
    known = await core.store.query(base_tables.get, base_tables.SECRET_MARK)
    mark, _, since = (known or f"{mark_of(core.secret)} - 0").split()
    if mark != mark_of(core.secret):
        yield _fault("secret_other")
    elif core.now_us - int(since) < _SECRET_TOLD_US:
        yield _note("secret_new", since=f"{from_us(int(since)):%Y-%m-%d %H:%M}")
    else:
        yield HealthCheck(CheckState.OK, "secret" if given else "secret_kept")


def _copies(core: Core) -> list[Path]:
    folder = Path(core.settings.database.backups)
    return [file for file in folder.glob("*") if file.is_file()] if folder.is_dir() else []


async def _backups(core: Core, *, restores: bool) -> list[HealthCheck]:
    folder = Path(core.settings.database.backups)
    copies = [file for file in _copies(core) if not file.name.endswith(KEYS)]
    copies.sort(key=lambda file: file.stat().st_mtime)
    if not copies:
        return [_fault("no_backup", folder=folder)]
    newest = copies[-1]
    age = core.clock.now() - datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    hours = int(age.total_seconds() // 3600)
    found = [_is(age <= OLD_COPY, "backup", "old_backup", file=newest, hours=hours, folder=folder)]
    if restores:
        found.append(await _restored(core, newest))
    return found


async def _restored(core: Core, file: Path) -> HealthCheck:
    """Whether a copy can be restored: it is, into a folder that is thrown away."""
    try:
        async with asyncio.timeout(RESTORE_S):
            if core.store.path is not None:
                with tempfile.TemporaryDirectory(prefix="kskak-doctor-") as folder:
                    await prove_copy(file, Path(folder))
            else:
                await migrate.list_dump(file)
    except (StoreError, OSError, TimeoutError) as error:
        return _fault("bad_backup", file=file, error=str(error) or type(error).__name__)
    return HealthCheck(CheckState.OK, "restored", {"file": file})


# Web: the way in from outside, and whom the server takes for somebody at the machine.


async def _web(core: Core) -> _Checks:
    web = core.settings.web
    if not is_public(web.site):
        yield _note("private", site=web.site)
        return
    scheme = urlsplit(web.site).scheme
    yield _is(scheme == "https", "https", "no_https", site=web.site)
    if not web.socket and not web.trusted_proxies and _is_near(web.host):
        yield _fault("no_proxy")
    timeout = aiohttp.ClientTimeout(total=PATIENCE_S)
    async with aiohttp.ClientSession(timeout=timeout) as client:
        try:
            ready = await _status(client, f"{web.site}/readyz")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            yield _fault("unreached", site=web.site, error=str(error) or type(error).__name__)
            return
        yield _is(ready in (200, 503), "reached", "wrong_site", site=web.site, status=ready)
        near = await _status(client, f"{web.site}/metrics")
        yield _is(near != 200, "strangers", "taken_for_near", site=web.site)


async def _status(client: aiohttp.ClientSession, url: str) -> int:
    async with client.get(url, allow_redirects=False) as answer:
        return answer.status


def _is_near(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


async def _certificate(core: Core) -> _Checks:
    site = urlsplit(core.settings.web.site)
    if site.scheme != "https" or site.hostname is None:
        return
    host, port = site.hostname, site.port or 443
    for name, key in ((host, "certificate"), (None, "no_name")):
        try:
            found = await _certificate_of(host, port, name)
        except (OSError, ssl.SSLError, TimeoutError) as error:
            yield _fault(f"{key}_none", host=host, error=str(error) or type(error).__name__)
            continue
        left = found.not_valid_after_utc - core.clock.now()
        facts = {"host": host, "days": left.days}
        if not _covers(found, host):
            yield _fault(f"{key}_other", **facts)
        elif name is not None:
            yield _is(left > SOON, "certificate", "certificate_ends", **facts)
        else:
            yield HealthCheck(CheckState.OK, "no_name", facts)


async def _certificate_of(host: str, port: int, name: str | None) -> x509.Certificate:
    """The certificate shown to who asks with or without a server name, trusted or not."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    async with asyncio.timeout(PATIENCE_S):
        _, writer = await asyncio.open_connection(
            host, port, ssl=context, server_hostname=name or ""
        )
    try:
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    finally:
        writer.close()
    return x509.load_der_x509_certificate(shown)


def _covers(found: x509.Certificate, host: str) -> bool:
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return False
    known = names.get_values_for_type(x509.DNSName)
    return host in known or f"*.{host.partition('.')[2]}" in known


# Mail: the queues, both ports, and what the DNS says of our domain.


async def _queues(core: Core) -> _Checks:
    for queue in await core.store.query(backlogs):
        minutes = int(queue.oldest_seconds(core.now_us) // 60)
        facts = {"n": queue.pending, "minutes": minutes, "dead": queue.dead}
        yield _is(minutes < 60, queue.queue, f"{queue.queue}_waits", **facts)
        if queue.dead:
            yield _note(f"{queue.queue}_dead", **facts)


async def _mail_in(core: Core) -> _Checks:
    box, port = core.settings.mail.imap, core.settings.mail.in_
    if box.host:
        yield HealthCheck(CheckState.OK, "mailbox", {"host": box.host})
    facts = {"host": port.smtp_host, "port": port.smtp_port}
    if not port.smtp_port:
        return
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(port.smtp_host, port.smtp_host)
    try:
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection(near, port.smtp_port)
            said = await reader.readline()
            writer.write(b"QUIT\r\n")
            writer.close()
    except (OSError, TimeoutError):
        yield _fault("no_smtp", **facts)
        return
    yield _is(said.startswith(b"220"), "smtp", "no_smtp", **facts)


async def _mail_out(core: Core) -> _Checks:
    host = smarthost_of(core)
    if host is None:
        yield _note("kept") if not is_public(core.settings.web.site) else _fault("no_out")
        return
    connection = SmtpConnection(host, PATIENCE_S)
    why = await connection.reach(PATIENCE_S * 2)
    await connection.close()
    yield _is(not why, "out", "no_out_host", host=host.host, port=host.port, error=why)


async def _dns(core: Core) -> _Checks:
    domain = core.settings.mail.domain
    if domain.endswith((".localhost", ".local", ".test", ".example", ".invalid")):
        yield _note("no_domain", domain=domain)
        return
    asked = dns.asyncresolver.Resolver()
    asked.lifetime = PATIENCE_S
    servers = [one.to_text().split()[-1].rstrip(".") for one in await _answers(asked, domain, "MX")]
    yield _is(bool(servers), "mx", "no_mx", domain=domain, servers=", ".join(servers))
    for server in servers[:2]:
        async for one in _reverse(asked, server):
            yield one
    texts = {name: await _texts(asked, name) for name in (domain, f"_dmarc.{domain}")}
    spf = [one for one in texts[domain] if one.startswith("v=spf1")]
    yield _is(len(spf) == 1, "spf", "no_spf" if not spf else "two_spf", domain=domain)
    dmarc = [one for one in texts[f"_dmarc.{domain}"] if one.startswith("v=DMARC1")]
    yield _is(len(dmarc) == 1, "dmarc", "no_dmarc", domain=domain)
    yield await _dkim(core, asked)


async def _reverse(asked: dns.asyncresolver.Resolver, server: str) -> _Checks:
    """Whether each address of a mail server has a name that leads back to it."""
    for kind in ("A", "AAAA"):
        for answer in await _answers(asked, server, kind):
            address = str(answer)
            back = await _answers(asked, str(dns.reversename.from_address(address)), "PTR")
            names = {str(one).rstrip(".") for one in back}
            yield _is(server in names, "ptr", "no_ptr", address=address, server=server)


async def _dkim(core: Core, asked: dns.asyncresolver.Resolver) -> HealthCheck:
    out, domain = core.settings.mail.out, core.settings.mail.domain
    if not out.dkim_key:
        return _note("unsigned", domain=domain)
    try:
        wanted = record(read(find_key_path(core.settings)))
    except KeyFault as error:
        return _fault("dkim_key", error=str(error))
    name = f"{out.dkim_selector}._domainkey.{domain}"
    key = wanted.partition("p=")[2]
    shown = ["".join(one.split()).partition("p=")[2] for one in await _texts(asked, name)]
    return _is(key in shown, "dkim", "no_dkim" if not shown else "other_dkim", name=name)


async def _answers(
    asked: dns.asyncresolver.Resolver, name: str, kind: str
) -> list[dns.rdata.Rdata]:
    """What the DNS has of a kind under a name; nothing where there is no such name or record."""
    try:
        return list(await asked.resolve(name, kind))
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


async def _texts(asked: dns.asyncresolver.Resolver, name: str) -> list[str]:
    found = await _answers(asked, name, "TXT")
    return [b"".join(one.strings).decode() for one in found if isinstance(one, TXT)]


# `kskak mail test ADDRESS`: a letter there, and its answer back.


class NoTestLetter(Exception):
    """The letter can't be sent; the message says why."""


async def send_test_letter(core: Core, address: str, words: Words) -> str:
    """Hand one letter over to the outgoing mail server; its Message-ID. Raises NoTestLetter."""
    host = smarthost_of(core)
    if host is None:
        raise NoTestLetter("mail.out.host is empty: no letter leaves this machine")
    sender = core.command_address
    letter = EmailMessage(policy=SMTP)
    letter["Subject"], letter["To"] = words("doctor.letter.subject"), address
    letter["From"] = formataddr((core.settings.official.name, sender))
    letter["Date"] = format_datetime(core.clock.now())
    letter["Message-ID"] = named = make_msgid("proeve", core.settings.mail.domain)
    letter.set_content(words("doctor.letter.text", site=core.settings.web.site))
    signer = signer_of(core.settings)
    octets = letter.as_bytes()
    connection = SmtpConnection(host, PATIENCE_S)
    try:
        came = await connection.send(signer.signed(octets) if signer else octets, sender, address)
    finally:
        await connection.close()
    if not isinstance(came, MailAccepted):
        raise NoTestLetter(f"{host.host}: {came.reason}")
    return named


async def find_answer(core: Core, message_id: str, after: int) -> bool:
    """Whether the letter itself, or an answer to it, has come in after the mail of that id."""
    mark = message_id.encode()
    return any(mark in raw for raw in await core.store.query(raw_after, after))
