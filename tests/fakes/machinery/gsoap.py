"""gSOAP's C++ client, made from the server's own WSDL by Debian's tools (package gsoap)."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

PROGRAMS = [shutil.which(name) for name in ("wsdl2h", "soapcpp2", "g++")]
CLIENT = Path(__file__).with_name("gsoap_client.cpp")
_MADE = ("soapC.cpp", "soapXfccBasicSoapProxy.cpp")


def gsoap(origin: str, folder: Path) -> Callable[..., object]:
    """A caller of the server, made in a folder: games of ``GetMyGames``, the word of a move."""
    at = f"{origin}/xfcc/XfccBasic.asmx"

    def run(*words: str | os.PathLike[str]) -> str:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    wsdl = Path(folder, "service.wsdl")
    wsdl.write_bytes(urlopen(f"{at}?wsdl").read())
    run("wsdl2h", "-o", "service.h", wsdl)
    run("soapcpp2", "-C", "-x", "-j", "service.h")
    run("g++", "-w", "-I.", CLIENT, *_MADE, "-lgsoap++", "-o", "client")

    def call(name: str, username: str, password: str, **given: object) -> object:
        wish = [str(given[field]) for field in ("gameId", "movecount", "myMove") if field in given]
        said = run(Path(folder, "client"), at, username, password, *wish)
        if name == "MakeAMove":
            return said.strip()
        rows = [one.split("\n") for one in said.split("\n\n")[:-1]]
        games = [dict(line.split("\t") for line in row) for row in rows]
        return [SimpleNamespace(**game | {"myTurn": game["myTurn"] == "1"}) for game in games]

    return call
