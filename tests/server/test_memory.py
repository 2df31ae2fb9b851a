"""What a large mail took goes back to the system."""

import gc
import platform
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from server.machine import cached_by_size, share_guards

FILL_AND_FREE = """
from server.machine import keep_heap_whole
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


SCATTER_AND_GIVE_BACK = """
import asyncio
from server.machine import give_back_heap
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
small = [bytearray(60_000) for _ in range(1000)]
del small[1:-1]
full = resident()
assert asyncio.run(give_back_heap()) is False
print((full - resident()) // 1_000_000)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc's own")
def test_what_lies_free_among_what_is_kept_goes_back_too() -> None:
    code = [sys.executable, "-c", SCATTER_AND_GIVE_BACK]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 40


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


def test_what_is_kept_is_bounded_by_octets_however_large_each_is() -> None:
    asked: list[str] = []

    @cached_by_size(1000, lambda text, times: len(text) * times)
    def repeated(text: str, times: int) -> str:
        asked.append(text)
        return text * times

    for text in ("a" * 100, "b" * 100, "a" * 100):
        assert repeated(text, 3) == text * 3
    assert [one[0] for one in asked] == ["a", "b"]
    repeated("c" * 300, 2)  # 600 and the 300 last used: what was used first goes
    repeated("a" * 100, 3)
    repeated("b" * 100, 3)
    assert [one[0] for one in asked] == ["a", "b", "c", "b"]
    assert repeated("d" * 2000, 1) == "d" * 2000, "larger than all: told, and not kept"
    repeated("d" * 2000, 1)
    assert [one[0] for one in asked][-2:] == ["d", "d"]


def test_an_answer_that_fails_is_not_kept_and_threads_may_ask_at_once() -> None:
    tries: list[int] = []

    @cached_by_size(10_000, lambda number: 10)
    def odd(number: int) -> int:
        tries.append(number)
        if number < 0:
            raise ValueError(number)
        return number * 2

    for _ in range(2):
        with pytest.raises(ValueError, match="-1"):
            odd(-1)
    assert tries == [-1, -1]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(odd, [n % 1500 for n in range(12_000)]))
    assert found == [n % 1500 * 2 for n in range(12_000)]


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="Linux's /proc")
def test_a_server_that_migrated_begins_anew_without_what_migrates(tmp_path: Path) -> None:
    """18 MB, which it would keep for as long as it runs."""
    config = tmp_path / "own.toml"
    config.write_text("[web]\nport = 0\n[mail.in]\nsmtp_port = 0\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "server", "serve", "--config", "own.toml"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        said = [server.stdout.readline().split()[0] for _ in range(5)]
        began = Path(f"/proc/{server.pid}/cmdline").read_text(encoding="utf-8").split("\0")
        server.terminate()
        server.stdout.read()
    assert said == ["Database", "Web", "Mail", "Mail", "Sign"]
    assert began[began.index("--config") + 1] == "own.toml" and "--only" in began
    assert server.returncode == 0


class TellsItself:
    def __repr__(self) -> str:
        return "itself"


def test_frozen_classes_that_share_a_guard_refuse_and_tell_as_before() -> None:
    class Point:
        name: str
        at: tuple[int, int] = (0, 0)
        secret: str = field(default="hidden", repr=False)
        seen: int = field(default=0, compare=False)

    class Own:
        number: int

        __repr__ = TellsItself.__repr__

    replaced = weakref.ref(Point)
    point_class: Any = dataclass(frozen=True, slots=True)(Point)
    own_class: Any = dataclass(frozen=True, slots=True)(Own)
    loose = type("Loose", (), {"__annotations__": {"number": int}})
    loose_class: Any = dataclass(slots=True)(loose)
    del Point
    one, other = point_class("a"), loose_class(1)
    told, kept, by_point = repr(one), hash(one), {one: "kept"}
    share_guards()
    assert repr(one) == told
    assert told.endswith("Point(name='a', at=(0, 0), seen=0)")
    assert by_point[point_class("a", seen=3)] == "kept", "what was hashed before is found"
    assert one != point_class("a", (0, 1)) and one != ("a", (0, 0), "hidden")
    assert repr(own_class(1)) == "itself"
    for name in ("name", "at", "other"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(one, name, None)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(one, name)
    assert (one, hash(one)) == (point_class("a"), kept)
    assert replace(one, name="b").name == "b"
    other.number = 2
    assert repr(other) == "Loose(number=2)"
    gc.collect()
    assert replaced() is None, "the class without slots is gone"
