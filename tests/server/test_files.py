"""The limit of open files is raised to the hard one, and mail has no more than its share."""

import subprocess
import sys

import pytest

SCRIPT = """
import resource
from server.machine import raise_limit, smtp_connections
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(smtp_connections(), raise_limit(), smtp_connections())
"""


@pytest.mark.parametrize(
    ("soft", "hard", "said"), [(64, 400, "16 400 100"), (256, 4096, "64 4096 200")]
)
def test_files_are_raised_to_the_hard_limit_and_mail_takes_a_quarter_at_most(
    soft: int, hard: int, said: str
) -> None:
    script = SCRIPT.format(soft=soft, hard=hard)
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == said
