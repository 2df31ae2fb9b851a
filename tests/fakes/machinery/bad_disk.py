"""A disk that fails when a test says so, under a real server process.

``Shim`` lies before the C library (``LD_PRELOAD``, compiled here: needs a compiler); ``Limit`` is
the kernel's own limit on a file's size, put on a running process. Both answer what SQLite is told
by a bad disk. Not for what the server then says.
"""

import os
import resource
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

Fault = Literal["write", "sync", "full"]
_SOURCE = Path(__file__).with_suffix(".c")


@dataclass(frozen=True)
class Shim:
    """Reads and writes of the files named ``file`` fail while it is on."""

    folder: Path
    file: str = "kskak.db"

    @property
    def _switch(self) -> Path:
        return self.folder / "bad-disk"

    def environment(self) -> dict[str, str]:
        """What the process is started with; skips the test, loudly, without a compiler."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            why = "BAD DISK NOT TESTED: there is no C compiler"
            (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
        made = self.folder / "bad_disk.so"
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(_SOURCE), "-ldl"]
        subprocess.run(command, check=True, capture_output=True)
        return {
            "LD_PRELOAD": str(made),
            "BAD_DISK_SWITCH": str(self._switch),
            "BAD_DISK_FILE": self.file,
        }

    def fail(self, how: Fault) -> None:
        """From now on."""
        self._switch.write_text(how)

    def mend(self) -> None:
        """It works again."""
        self._switch.unlink()


@dataclass(frozen=True)
class Limit:
    """No file of a process may grow beyond ``octets``: EFBIG, and SQLite says «disk I/O error»."""

    pid: int
    octets: int = 0

    def fail(self) -> None:
        """From now on; the hard limit stays, so that it can be taken back."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (self.octets, hard))

    def mend(self) -> None:
        """It works again."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (hard, hard))
