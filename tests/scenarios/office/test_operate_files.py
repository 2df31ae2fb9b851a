"""The files of docs/operate that start, copy and cover the server, by the programs they are for.

Each test is skipped where its program is not installed. Postfix has its own (test_postfix.py).
"""

import asyncio
import inspect
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import aiohttp
import pytest

import server.api.site
from server.api.frame.endpoints import Meters
from server.settings import keys
from server.store.mail.inbox import Backlog
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.child import Child
from tests.fakes.machinery.clock import midday_zone, real_day
from tests.fakes.machinery.ports import free_port
from tests.fakes.machinery.smarthost import smarthost
from tests.fakes.world import ANNA, settings_of, world_on

ROOT = Path(__file__).parents[3]
FILES = ROOT / "docs" / "operate"
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
DOMAIN = "spil.example.org"
MOST_EXPOSED = 2.0


def program(name: str) -> str:
    """Where a program is; the test is skipped without it."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"no {name}")
    return found


def ran(*command: str) -> str:
    """What a command said, its two streams; it must not fail."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["kskak.service", "kskak-backup.service", "kskak-backup.timer"])
def test_systemd_takes_the_units_as_they_are(name: str, tmp_path: Path) -> None:
    """With a program where they say that one is: nothing is unknown or misspelt in them."""
    verify = program("systemd-analyze")
    for path in FILES.glob("kskak*.[st]*"):
        text = path.read_text().replace("/srv/kskak/.venv/bin/kskak ", "/bin/true ")
        (tmp_path / path.name).write_text(text)
    assert ran(verify, "verify", "--man=no", str(tmp_path / name)).strip() == ""


def test_the_service_is_closed_off_from_the_machine() -> None:
    said = ran(
        program("systemd-analyze"), "security", "--offline=true", str(FILES / "kskak.service")
    )
    found = re.search(r"exposure level for kskak.service: ([\d.]+)", said)
    assert found is not None and float(found[1]) < MOST_EXPOSED


ROOT_ONLY = """
set -e
apt() { echo "apt $*"; }
adduser() { echo "adduser $*"; }
runuser() { echo "runuser $*"; }
systemctl() { echo "systemctl $*"; }
kskak() { PYTHONPATH=%s sh %s "$@"; }
"""


def test_the_page_on_restoring_is_followed_word_by_word(tmp_path: Path) -> None:
    """What was played is there again, with the secret and the DKIM key, though all else is gone."""
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (
        old,
        *(new / one for one in ("etc/systemd/system", "srv/kskak", "usr/local/bin")),
    ):
        folder.mkdir(parents=True)
    sqlite_file(old, "kskak.db")
    (old / "dkim.pem").write_bytes(b"the key")
    (old / "config.toml").write_text('[mail.out]\nhost = "127.0.0.1"\ndkim_key = "dkim.pem"\n')
    secret = {"KSKAK_SECRET__KEY": "it's a secret with a quote and 40 letters"}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KSKAK_")}
    kskak = (sys.executable, "-m", "server")
    for call in (("user", "add", "Anna Alm", ANNA), ("backup", "kept.db", "--keys")):
        environment = {**clean, **secret, "PYTHONPATH": str(ROOT)}
        subprocess.run([*kskak, *call], cwd=old, env=environment, check=True)
    copy = shutil.move(old / "kept.db", tmp_path / "kept.db")
    keys = shutil.move(old / "kept.db.keys.tar", tmp_path / "kept.db.keys.tar")
    assert Path(copy).stat().st_mode & 0o77 == Path(keys).stat().st_mode & 0o77 == 0
    shutil.rmtree(old)
    os.symlink(ROOT / "docs", new / "srv/kskak/docs")
    wrapper = tmp_path / "kskak"
    told = (FILES / "kskak").read_text().replace('test "$(id -un)" = kskak', "true")
    told = re.sub(r" /(srv|etc)/", rf" {new}/\1/", told.replace("cd /srv/kskak", "cd /srv/kskak/"))
    wrapper.write_text(told.replace(".venv/bin/kskak", f"{sys.executable} -m server"))
    for block in re.findall(r"```sh\n(.*?)```", (FILES / "restore.md").read_text(), re.DOTALL):
        script = re.sub(r"-[og] \w+ ", "", block.replace("COPY", str(copy)))
        script = re.sub(r"(?<![\w.])/(srv|etc|usr)/", rf"{new}/\1/", script)
        script = (ROOT_ONLY % (ROOT, wrapper)) + f"cd {new}/srv/kskak\n" + script
        script = script.replace("kskak doctor", "kskak doctor || test $? = 1")
        done = subprocess.run(
            ["bash", "-c", script], env=clean, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, block + done.stdout + done.stderr
    there = new / "srv/kskak"
    assert (there / "dkim.pem").read_bytes() == b"the key"
    with closing(sqlite3.connect(there / "kskak.db")) as base:
        assert base.execute("SELECT name FROM people").fetchall() == [("Anna Alm",)]
    said = ["bash", "-c", f'. {new}/etc/kskak.env; printf %s "$KSKAK_SECRET__KEY"']
    assert ran(*said) == secret["KSKAK_SECRET__KEY"]


def _metrics() -> set[str]:
    """Every name that a server's page of metrics may have."""
    meters = Meters()
    meters.accepted("api"), meters.refused("api", "x"), meters.letter("sent")
    meters.observe("moves", 200, 0.1)
    for name in re.findall(r'meters\.note\("(\w+)"', inspect.getsource(server.api.site)):
        meters.note(name, "", 1)
    queue = Backlog("outbox", 1, 1, 1)
    return set(re.findall(r"^(kskak_\w+)", meters.page([queue], 1).decode(), re.MULTILINE))


@pytest.mark.parametrize("name", ["alerts.yaml", "board.json"])
def test_alerts_and_board_ask_for_metrics_that_there_are(name: str) -> None:
    text = (FILES / name).read_text()
    asked = set(re.findall(r"\bkskak_\w+", text))
    assert asked <= _metrics() and len(asked) >= 7
    if name == "board.json":
        panels = json.loads(text)["panels"]
        exprs = [target["expr"] for panel in panels for target in panel["targets"]]
        assert len(panels) == 10 and all("kskak_" in expr for expr in exprs)
    else:
        ran(program("promtool"), "check", "rules", str(FILES / name))


def test_compose_is_whole_and_its_images_are_made_from_what_there_is(tmp_path: Path) -> None:
    """Secrets have no default; a container's address is the one that others are told to trust."""
    text = (FILES / "compose.yaml").read_text()
    steps = (FILES / "Containerfile").read_text()
    stages = set(re.findall(r"^FROM \S+ AS (\w+)$", steps, re.MULTILINE))
    assert set(re.findall(r"target: (\w+)", text)) <= stages
    for line in re.findall(r"^COPY (?!--from|\. )(.*) \S+$", steps, re.MULTILINE):
        assert all((ROOT / name).is_file() for name in line.split())
    named = set(re.findall(r"^ +(KSKAK_\w+): ", text, re.MULTILINE))
    assert named <= {f"KSKAK_{key.upper().replace('.', '__')}" for key, _ in keys()}
    addresses = dict(
        re.findall(r"^  (\w+):\n(?:    .*\n)+?.*ipv4_address: ([\d.]+)", text, re.MULTILINE)
    )
    assert f"TRUSTED_PROXIES: {addresses['caddy']}" in text
    assert f"TRUSTED_RELAYS: {addresses['postfix']}" in text
    assert f"mynetworks={addresses['kskak']}/32" in steps
    compose = [program("docker-compose"), "-f", str(FILES / "compose.yaml"), "config", "--quiet"]
    secrets = {"KSKAK_SECRET__KEY": "x" * 40, "POSTGRES_PASSWORD": "abc"}
    for given, code in ((secrets, 0), ({}, 1)):
        environment = {"PATH": PATH, "HOME": str(tmp_path), **given}
        assert subprocess.run(compose, env=environment, capture_output=True).returncode == code


@dataclass
class Covered:
    """A server process, the port of the proxy before it, and a player's token."""

    child: Child
    port: int
    token: str
    game: int


@pytest.fixture
async def covered(tmp_path: Path) -> AsyncIterator[Covered]:
    async with smarthost() as host:
        settings = settings_of(
            f"sqlite:///{tmp_path}/kskak.db", host, str(tmp_path), zone=midday_zone()
        )
        async with world_on(settings, host, real_day(settings.clock.zone)) as world:
            game = await world.begin("K-26-001")
            token = await world.token(ANNA)
        child = Child(settings, tmp_path, also={"KSKAK_WEB__TRUSTED_PROXIES": "127.0.0.1"})
        await child.start()
        try:
            yield Covered(child, free_port(), token, game)
        finally:
            await child.stop()


def _nginx(covered: Covered, folder: Path) -> list[str]:
    """The site in the least of a main file, on other ports, with a key of its own."""
    pem = folder / "site.pem"
    ran(
        program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        "-subj", f"/CN={DOMAIN}", "-keyout", str(pem), "-out", str(folder / "cert.pem"),
    )  # fmt: skip
    site = (
        (FILES / "nginx.conf")
        .read_text()
        .replace("127.0.0.1:8080", f"127.0.0.1:{covered.child.web_port}")
    )
    site = re.sub(r"listen (\[::\]:)?(80|443)[^;]*;\n", "", site)
    first, second = site.split("server {\n")[1:]
    site = (
        f"server {{\nlisten 127.0.0.1:{free_port()};\n{first}"
        f"server {{\nlisten 127.0.0.1:{covered.port} ssl default_server;\n{second}"
    )
    site = site.replace(f"/etc/letsencrypt/live/{DOMAIN}/fullchain.pem", str(folder / "cert.pem"))
    site = site.replace(f"/etc/letsencrypt/live/{DOMAIN}/privkey.pem", str(pem))
    rooms = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
    if os.geteuid() == 0:
        main = "user root;\n" + main
    (folder / "nginx.conf").write_text(f"{main}http {{\naccess_log off;\n{rooms}{site}}}\n")
    nginx = program("nginx")
    ran(nginx, "-t", "-c", str(folder / "nginx.conf"), "-e", f"{folder}/errors")
    return [nginx, "-c", str(folder / "nginx.conf"), "-e", f"{folder}/errors"]


def _caddy(covered: Covered, folder: Path) -> list[str]:
    """The Caddyfile with a certificate of its own making, on another port."""
    text = (FILES / "Caddyfile").read_text()
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{covered.child.web_port}")
    options = ("admin off", "skip_install_trust", "auto_https disable_redirects")
    own = "\n\t".join(("{", *options, f"storage file_system {folder}/kept\n"))
    text = text.replace("{\n", own, 1)
    text = text.replace(f"{DOMAIN} {{\n", f"{DOMAIN}:{covered.port} {{\n\ttls internal\n", 1)
    (folder / "Caddyfile").write_text(text)
    file = ["--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    caddy = program("caddy")
    ran(caddy, "validate", *file)
    return [caddy, "run", *file]


async def _stands(http: aiohttp.ClientSession, url: str) -> None:
    async with asyncio.timeout(20):
        while True:
            try:
                async with http.get(url) as answer:
                    if answer.status == 200:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("kind", [_nginx, _caddy], ids=["nginx", "caddy"])
async def test_a_proxy_passes_pages_streams_and_large_bodies_and_hides_metrics(
    covered: Covered, tmp_path: Path, kind: object
) -> None:
    """By TLS, also without a server's name (Scid); a line of the stream comes as it is written."""
    command = kind(covered, tmp_path)  # type: ignore[operator]
    home = {"HOME": str(tmp_path), "PATH": PATH}
    proxy = await asyncio.create_subprocess_exec(
        *command, env=home, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    base, name = f"https://127.0.0.1:{covered.port}", {"Host": DOMAIN}
    bearer = {"Authorization": f"Bearer {covered.token}"}
    try:
        # the address is a number, so no name is sent when TLS is opened
        connector = aiohttp.TCPConnector(ssl=False)
        async with aiohttp.ClientSession(connector=connector, headers=name) as http:
            await _stands(http, f"{base}/readyz")
            async with http.get(f"{base}/metrics") as answer:
                assert answer.status == 404
            large = BytesIO(b"x" * 3_000_000)
            async with http.post(f"{base}/api/v1/scans", data=large) as answer:
                assert answer.content_type == "application/problem+json", "the server answers"
            stream = await http.get(f"{base}/events?game={covered.game}", headers=bearer)
            assert stream.content_type == "text/event-stream"
            await stream.content.readline()
            move = f"{base}/api/v1/games/{covered.game}/moves"
            async with http.post(move, json={"text": "e4"}, headers=bearer) as answer:
                assert answer.status == 200, await answer.text()
            async with asyncio.timeout(5):
                while b"data:" not in await stream.content.readline():
                    pass
            stream.close()
    finally:
        # Caddy would wait for the stream, and nginx killed at once leaves its workers behind.
        proxy.terminate() if "nginx" in command[0] else proxy.kill()
        await proxy.wait()
