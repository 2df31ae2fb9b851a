"""A port that is taken stops the start with the names of its settings."""

import socket

import pytest

from server.app import run_server
from server.settings import settings_from


@pytest.mark.parametrize(
    ("taken", "other", "named"),
    [
        (("web", "port"), ("in", "smtp_port"), "web.host, web.port: "),
        (("in", "smtp_port"), ("web", "port"), "mail.in.smtp_host, mail.in.smtp_port: "),
    ],
)
async def test_a_port_that_is_taken_is_told_by_its_key(sqlite_url, tmp_path, taken, other, named):
    with socket.create_server(("127.0.0.1", 0)) as there:
        keys = {taken: there.getsockname()[1], other: 0}
        settings = settings_from(
            {
                "database": {"url": sqlite_url, "backups": str(tmp_path)},
                "web": {"port": keys["web", "port"]},
                "mail": {"in": {"smtp_port": keys["in", "smtp_port"]}},
            }
        )
        with pytest.raises(OSError, match="in use") as stopped:
            async with run_server(settings, polls=False):
                pass
    assert str(stopped.value).startswith(named)
