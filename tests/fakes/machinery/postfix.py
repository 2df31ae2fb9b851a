"""Postfix, OpenDKIM and OpenDMARC for real, from docs/operate, in a folder of their own.

What differs from the files: the domain, ports, folders and the archive's user; letters go to a
smarthost, and nothing is looked up in DNS. Needs root, as Postfix does; nothing else is touched.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

from tests.fakes.machinery.ports import free_port

FILES = Path(__file__).parents[3] / "docs" / "operate"
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
PROGRAMS = ("postfix", "postconf", "opendkim", "opendmarc", "openssl")
NAMED, NOBODY = "spil.example.org", "65534"


def is_there() -> bool:
    """Whether the programs are installed and may be started."""
    return os.geteuid() == 0 and all(shutil.which(name, path=PATH) for name in PROGRAMS)


@dataclass
class Postfix:
    """A running Postfix: ``front`` is the port to the internet, ``behind`` the one for kskak."""

    folder: Path
    domain: str
    kskak: int
    smarthost: int
    front: int = field(default_factory=free_port)
    behind: int = field(default_factory=free_port)
    dkim: int = field(default_factory=free_port)
    dmarc: int = field(default_factory=free_port)
    filters: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def archived(self) -> list[bytes]:
        """The raw archive's mails."""
        return [one.read_bytes() for one in self.folder.glob("archive/incoming/new/*")]

    def file(self, name: str) -> str:
        """A file of the manual's with the domain, the ports and the folders of this test."""
        text = (FILES / name).read_text("utf-8").replace(NAMED, self.domain)
        text = text.replace(NAMED.replace(".", "\\."), self.domain.replace(".", "\\."))
        text = text.replace("static:8025", f"static:{NOBODY}")
        for port, ours in ((8025, self.kskak), (10025, self.behind)):
            text = text.replace(f":{port}", f":{ours}")
        for port, ours in ((8891, self.dkim), (8893, self.dmarc)):
            text = text.replace(f":{port}", f":{ours}")
        text = text.replace("/srv/mailarchive", f"{self.folder}/archive")
        return text.replace("/etc/dkimkeys", str(self.folder))

    def start(self) -> None:
        """Lay the files out and start all three."""
        (self.folder / "archive").mkdir()
        shutil.chown(self.folder / "archive", int(NOBODY), int(NOBODY))
        key = self.folder / "mail.private"
        _run("openssl", "genrsa", "-out", str(key), "2048")
        shutil.chown(key, "opendkim")
        self.filter("opendkim", "RequireSafeKeys false")  # the folder above is everybody's
        self.filter("opendmarc", "SPFSelfValidate false")
        self._lay_out()
        _run("postfix", "-c", str(self.folder / "etc"), "start")
        for port in (self.front, self.behind):
            _listens(port)

    def filter(self, name: str, *more: str, known: str = "") -> None:
        """Start a milter (anew) that finds ``known`` in place of DNS."""
        if (old := self.filters.pop(name, None)) is not None:
            _stop(old)
        records, conf = self.folder / f"{name}.dns", self.folder / f"{name}.conf"
        records.write_text(known)
        conf.write_text("\n".join((self.file(conf.name), *more, f"TestDNSData {records}", "")))
        self.filters[name] = subprocess.Popen(
            [_found(name), "-f", "-c" if name == "opendmarc" else "-x", str(conf)]
        )
        _listens(self.dkim if name == "opendkim" else self.dmarc)

    def _lay_out(self) -> None:
        etc = self.folder / "etc"
        etc.mkdir()
        for name in ("main.cf", "kskak_recipients", "kskak_archive", "kskak_headers"):
            (etc / name).write_text(self.file(name))
        master = Path("/etc/postfix/master.cf").read_text("utf-8")
        (etc / "master.cf").write_text(f"{master}\n{self.file('master.cf')}")
        here = {
            "queue_directory": self.folder / "queue",
            "data_directory": self.folder / "data",
            "maillog_file": self.folder / "log",
            "maillog_file_prefixes": self.folder,
            "inet_interfaces": "127.0.0.1",
            "relayhost": f"[127.0.0.1]:{self.smarthost}",
            "smtp_dns_support_level": "disabled",
            "smtpd_peername_lookup": "no",
        }
        (self.folder / "queue").mkdir()
        (self.folder / "data").mkdir()
        shutil.chown(self.folder / "data", "postfix")
        _run("postconf", "-c", str(etc), "-e", *(f"{name}={is_}" for name, is_ in here.items()))
        _run("postconf", "-c", str(etc), "-F", "*/*/chroot=n")
        _run("postconf", "-c", str(etc), "-MX", "smtp/inet")
        port = f"127.0.0.1:{self.front}"
        _run("postconf", "-c", str(etc), "-M", f"{port}/inet={port} inet n - n - - smtpd")

    def stop(self) -> None:
        """End what was started."""
        if (self.folder / "etc").is_dir():
            stop = [_found("postfix"), "-c", str(self.folder / "etc"), "stop"]
            subprocess.run(stop, capture_output=True, check=False)
        for process in self.filters.values():
            _stop(process)


@contextmanager
def postfix(domain: str, kskak: int, smarthost: int, behind: int) -> Iterator[Postfix]:
    """All three, between the internet and kskak, until the test ends."""
    folder = Path(mkdtemp(prefix="kskak-postfix-"))
    folder.chmod(0o755)
    made = Postfix(folder, domain, kskak, smarthost, behind=behind)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


def _found(name: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found is not None, name
    return found


def _run(name: str, *words: str) -> None:
    done = subprocess.run([_found(name), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (name, words, done.stdout, done.stderr)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()  # asked to end, a milter looks up only every five seconds
    process.wait()


def _listens(port: int) -> None:
    """Wait until somebody listens there; by the kernel's own list, as a milter dislikes visits."""
    wanted = f":{port:04X} "
    for _ in range(200):
        lines = Path("/proc/net/tcp").read_text().splitlines()
        if any(wanted in line and " 0A " in line for line in lines):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")
