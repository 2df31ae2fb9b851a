"""A browser's maker and a browser: takes notifications over real HTTPS and opens them.

The addresses are names under ``push.example``, which only this session's resolver knows; the
certificate is made for the test. What comes is decrypted as the browser would.
"""

import base64
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from secrets import token_bytes
from typing import Any

import aiohttp
import http_ece
from aiohttp import web
from aiohttp.abc import AbstractResolver
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from py_vapid import Vapid02

from server.clock import SystemClock

HOST = "push.example"


def _text(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


class _OnlyHere(AbstractResolver):
    def __init__(self, port: int) -> None:
        self._port = port

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[Any]:
        assert host == HOST
        return [
            {
                "hostname": host, "host": "127.0.0.1", "port": self._port,
                "family": 2, "proto": 0, "flags": 0,
            }
        ]  # fmt: skip

    async def close(self) -> None:
        """Nothing is held."""


@dataclass
class PushService:
    """What came, by path; ``status`` is what it answers next."""

    folder: Path
    status: int = 201
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: token_bytes(16))

    def fields(self, name: str = "anna") -> dict[str, str]:
        """What a browser's script puts into the form."""
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "endpoint": f"https://{HOST}/{name}",
            "key": _text(public),
            "auth": _text(self.auth),
        }

    def session(self) -> aiohttp.ClientSession:
        """Connects to here, and to nowhere else."""
        trusts = ssl.create_default_context(cafile=str(self.folder / "cert.pem"))
        connector = aiohttp.TCPConnector(resolver=_OnlyHere(self.port), ssl=trusts)
        return aiohttp.ClientSession(connector=connector)

    def opened(self, index: int = -1) -> dict[str, str]:
        """A notification as the browser reads it; its sender's signature is looked at first."""
        _, headers, body = self.came[index]
        assert headers["Content-Encoding"] == "aes128gcm"
        assert Vapid02.verify(headers["Authorization"])
        claims = headers["Authorization"].partition("t=")[2].split(".")[1]
        said = json.loads(base64.urlsafe_b64decode(claims + "=="))
        assert said["aud"] == f"https://{HOST}"
        assert said["sub"].startswith("mailto:")
        text = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return dict(json.loads(text))

    async def _take(self, request: web.Request) -> web.Response:
        self.came.append((request.path, dict(request.headers), await request.read()))
        return web.Response(status=self.status)

    def certify(self) -> ssl.SSLContext:
        """A certificate for the test."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
        today = SystemClock().now()
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(today - timedelta(days=1))
            .not_valid_after(today + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, hashes.SHA256())
        )
        (self.folder / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
        (self.folder / "key.pem").write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        )
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        return context


@asynccontextmanager
async def push_service(folder: Path) -> AsyncIterator[PushService]:
    """The service, listening on a free port."""
    service = PushService(folder)
    app = web.Application()
    app.router.add_post("/{name}", service._take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=service.certify()).start()
    service.port = runner.addresses[0][1]
    try:
        yield service
    finally:
        await runner.cleanup()
