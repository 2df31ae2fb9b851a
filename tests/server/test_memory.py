"""What a large mail took goes back to the system."""

import platform
import subprocess
import sys

import pytest

FILL_AND_FREE = """
from server.memory import keep_heap_whole
{first}
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
bytes(30_000_000)  # when this is freed, glibc stops to map such blocks by themselves
large, above = [], []
for _ in range(10):
    large.append(b"x" * 10_000_000)
    above.append(b"x" * 100_000)
full = resident()
large.clear()
print((full - resident()) // 1_000_000)
"""


def freed(first: str) -> int:
    """Megabytes of 100 that the system has back."""
    done = subprocess.run(
        [sys.executable, "-c", FILL_AND_FREE.format(first=first)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other systems' memory is not glibc's"
)
def test_large_blocks_go_back_to_the_system() -> None:
    assert freed("") < 50
    assert freed("assert keep_heap_whole()") >= 95
